"""Words of a step: its label, its title with brackets, and the clauses that become keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rulewright.numbering.printed_labels import ITEM, LABEL, Key, readings
from rulewright.schema.step_kinds import KINDS, STEP_KINDS, TURNS
from rulewright.sequence.sequence_step import title_slug

_WORDS = [kind.title().replace(" ", "[ -]") for kind in KINDS if kind not in TURNS]
_WORD_LABEL = re.compile(
    rf"({'|'.join(_WORDS)}|Step|Stage|Part|Round|Impulse)[ ](\d{{1,2}}|[IVX]+|[A-Z])[ ]*[:.–—-]+\s+"
)
_SMALL = "a an and as at by for from in of on or the to vs with".split()  # noqa: SIM905
_LARGE = re.compile(rf"(?<![^\W\d_])(?<!['’])(?!(?:{'|'.join(_SMALL)})(?![^\W_]))[^\W\d_]")
"""The first letters of words that are large in a title."""

_TRIED = sorted(KINDS, key=lambda kind: (kind in TURNS, KINDS.index(kind)), reverse=True)
"""The kinds in the order in which a title may name them: turns first, of each the innermost."""

MAX_LETTERS, MAX_WORDS = 100, 9
"""Length of a title that is followed by a text."""

_BRACKETS = re.compile(r"\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\[([\d.]+[a-z]?)\])[.:;,]*\Z")
_NUMBER = r"[A-Z]{0,2}\d{1,3}(?:\.(?:\d{1,3}|[A-Z]))*(?:\.[a-z](?![a-z]))?[a-z]?"
_REFERENCE = rf"(?:{_NUMBER}(?:\([A-Za-z0-9]+\))*(?:-\.?\d+(?:\.\d+)*)?)"
_RUN = rf"{_REFERENCE}(?:(?:\s*,\s*|\s+(?:and|or|to|through)\s+|\s*[–-]\s*){_REFERENCE})*"
_CUE = r"(?:see(?: also)?|as per|per|rules?|sections?|cases?)"
_ONLY_REFERENCES = re.compile(rf"(?:{_CUE}[ ]+){{0,2}}({_RUN})", re.IGNORECASE)
_ASIDE = re.compile(r"\A(every \w+ turns?):\s+|,\s+(optional|until .+)\Z", re.IGNORECASE)
"""A clause without brackets at one end of a title."""

_TITLE_END = re.compile(r":\s+|\s+[–—-]{1,2}\s+|[.!?]['\"”’)]?\s+(?=[\"'“‘(*\[]?[A-Z0-9])")

NumberTest = Callable[[str], bool]
"""Tells whether a number is one that the book's rules may have."""


@dataclass(slots=True)
class StepLabel:
    """A label of a step. `style`: the signs or the word around its number; `keys`: readings of the number."""

    printed: str
    number: str
    style: str
    keys: tuple[Key, ...]

    @property
    def is_nested(self) -> bool:
        """Whether the number has several levels: 4.A.1."""
        return "." in self.number

    @property
    def series(self) -> tuple[str, int]:
        """Its style, and whether it is a letter or a number."""
        return self.style, self.keys[0][0][0]

    def is_inside(self, other: StepLabel) -> bool:
        """Return whether this nested number is inside another: 4.A.1 in 4.A, and 2.1 in 2.0."""
        outer, key = other.keys[0], self.keys[0]
        is_number = other.is_nested or other.number.isdigit()
        return is_number and key != outer and key[: len(outer)] == outer

    def following(self, other: StepLabel) -> tuple[Key, ...]:
        """Return the readings in which it follows another label, perhaps with a gap."""
        values = {key[0] for key in other.keys if self.style == other.style}
        nexts = {(kind, value + step) for kind, value in values for step in (1, 2)}
        return tuple(key for key in self.keys if key[0] in nexts)


def label_of(text: str) -> tuple[StepLabel, int] | None:
    """Return the label that a text begins with, and where the words after it begin."""
    if match := _WORD_LABEL.match(text):
        printed = f"{match[1]} {match[2]}"
        return StepLabel(printed, match[2], match[1].lower(), tuple(readings(match[2]))), match.end()
    match = ITEM.match(text) or LABEL.match(text)
    printed = match.group().strip() if match else ""
    number = printed.strip("()[].: ")
    keys = tuple(readings(number))
    if not match or not keys or re.search(r"\d{4}", number):
        return None
    style = printed.replace(number, "1" if number.isdigit() else "")
    is_nested = "." in number and re.search(r"\d", number)  # unlike U.S.
    is_label = is_nested or (style not in ("", "1") and len(keys[0]) == 1)
    return (StepLabel(printed, number, style, keys), match.end()) if is_label else None


@dataclass(slots=True)
class ParsedTitle:
    """The parts of a heading. `rest`: the words after its title; `kind`: the kind of step that it names.

    `limits`: words in brackets that say for whom or what it is; `see`: numbers in brackets.
    """

    words: str
    rest: str = ""
    kind: str = ""
    abbreviation: str = ""
    see: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)


def title_of(text: str, is_number: NumberTest, *, is_whole: bool = False) -> ParsedTitle:
    """Return the parts of a heading. `is_whole`: all of it is its title, whatever signs it has."""
    words, rest = (text, "") if is_whole else _split_title(text)
    clauses: list[str] = []
    if match := _ASIDE.search(words):
        clauses.append(match[1] or match[2])
        words = words.replace(match.group(), "")
    while len(words) <= 10 * MAX_LETTERS and (match := _BRACKETS.search(words)) and match.start():
        words = words[: match.start()].rstrip(" ;,")
        clauses[:0] = re.split(r";(?![^()]*\))", match[1] or match[2] or "")
    title = ParsedTitle(words, rest)
    for clause in filter(None, map(str.strip, clauses)):
        if references := parse_references(clause, is_number):
            title.see.append(references)
        elif not title.abbreviation and _is_abbreviation(clause, words):
            title.abbreviation = clause
        else:
            title.limits.append(clause)
    title.words = title.words.rstrip(".:;, ")
    title.kind = kind_of(title.words)
    if title.words.isupper() and len(title.words) > len("RPh"):
        title.words = _LARGE.sub(lambda match: match.group().upper(), title.words.lower())
    return title


def kind_of(title: str) -> str:
    """Return the kind of step that a title names; empty if it names none."""
    kinds = _TRIED if title.count(" ") < MAX_WORDS else ()
    return next((kind for kind in kinds if STEP_KINDS[kind].names(title)), "")


def parse_references(text: str, is_number: NumberTest) -> str:
    """Return the references that a text only holds, without cues, if each may be the number of a rule."""
    match = _ONLY_REFERENCES.fullmatch(text.strip())
    numbers = re.findall(_REFERENCE, match[1]) if match else []
    return match[1] if match and all(is_number(number.partition("-")[0]) for number in numbers) else ""


def _is_abbreviation(short: str, words: str) -> bool:
    """Return whether letters are short for a title: RPh for Rally Phase, DFPH for Defensive Fire."""
    form = ".*".join(short.lower())
    return bool(re.fullmatch(r"[A-Z]\w{0,5}[A-Z]\w?", short) and re.search(form, words.lower()))


def is_title(words: str) -> bool:
    """Return whether words are set as a title: few, with capitals."""
    parts = re.findall(r"[^\W\d_][\w'’/&-]*", re.sub(r"\([^()]*\)", "", words))
    are_large = all(part[0].isupper() or part.lower() in _SMALL for part in parts)
    return 0 < len(parts) <= MAX_WORDS and are_large


def _split_title(text: str) -> tuple[str, str]:
    """Return the title of a heading and the words after a colon, a dash or a full stop."""
    for match in _TITLE_END.finditer(text, 2, 2 * MAX_LETTERS):
        is_sentence = match.group()[0] in ".!?"
        title = text[: match.start() + is_sentence]
        # "Roll two dice: 2-5 rain" has its colon inside a sentence, "Supply Segment: The …" has not.
        if title.count("(") <= title.count(")") and (is_sentence or is_title(title)):
            return title.strip(), text[match.end() :].strip()
    return text.strip(), ""


# Who acts

PHASING, OTHER = "phasing", "non-phasing"
_ROLES = [
    (role, re.compile(form, re.IGNORECASE))
    for role, form in (
        (
            "both",
            r"(?:both|each|neither|either|the two|all)\s+(?:[\w/-]+\s+){0,5}?(?:players?|sides?)\b|players\b",
        ),
        (
            OTHER,
            r"(?:the\s+)?(?:non-?\s?(?:phasing|active)|inactive|opposing|other|defending)\s+(?:player|side)"
            r"|the defender\b",
        ),
        (
            PHASING,
            r"(?:the\s+)?(?:phasing|active|attacking)\s+(?:player|side)|the player whose turn|the attacker\b",
        ),
    )
]
_ORDINALS = {
    "first": re.compile(r"\b(?:1st|first|erste[rn]?|premier|primer)\b", re.IGNORECASE),
    "second": re.compile(r"\b(?:2nd|second|zweite[rn]?|deuxième|segundo)\b", re.IGNORECASE),
}


def parse_actor(words: str) -> str:
    """Return who acts: the role that words begin with."""
    return next((role for role, form in _ROLES if form.match(words)), "")


def side_of(title: str, kind: str) -> tuple[str, str]:
    """Return the side whose player turn a title names: its key, and its name in the title."""
    match = STEP_KINDS[kind].names(title)
    name = title[: match.start()] or title[match.end() :] if match else title
    name = name.strip(" ,:-–—()")
    ordinal = next((key for key, form in _ORDINALS.items() if form.search(title)), "")
    return ordinal or (title_slug(name.lower().removesuffix(" player")) if name else ""), name


# Clauses that become keys

REPEAT = re.compile(r"repeat|same as|as above|roles? reversed|wiederhol|ebenso|répét|repit", re.IGNORECASE)
WAYS = ("one of", "any order")
LOOPS = ("rounds", "for each", *WAYS)
"""The keys that sentences of a step with inner steps may mean, not only words in brackets."""

_COUNTS = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_COUNT = re.compile(rf"\b(?:{'|'.join(_COUNTS)}|(?<=every )(?:second|third|fourth))\b", re.IGNORECASE)
_COUNTS += ["first", "second", "third", "fourth"]
_ROUNDS = r"((?:(?:up to|\d+ (?:to|or)) \d+|[2-9]|\d\d+)"
_NOUN = r"(?:\w+ )?(?:impulses|activations|operations|cycles|actions)"
_UNTIL = r"(?:(?:repeat|continue|alternate)\w*(?: (?:this|these|the)(?: \w+){1,2})? )?until"
_CLAUSES = [
    (key, re.compile(form, re.IGNORECASE | re.DOTALL), value)
    for key, form, value in (
        ("rounds", rf"{_ROUNDS}) (?:rounds|times)", r"\1"),
        ("rounds", rf"{_ROUNDS} {_NOUN})", r"\1"),
        (
            "rounds",
            rf"{_UNTIL} (both|all)(?: (?:players|sides))? (?:have )?pass(?:ed)?\b.*",
            r"until \1 pass",
        ),
        ("rounds", rf"{_UNTIL} (\S.*)", r"until \1"),
        ("for each", r"(?:repeat(?:ed)? )?for (?:each|every) ([\w -]{2,40})", r"\1"),
        (
            "one of",
            r"(?:(?:choose|pick|perform|do|select) )?(?:exactly )?one (?:of\b.*|only)"
            r"|(?:choose|pick|select) one\b.*",
            "yes",
        ),
        ("any order", r"(?:may be done )?in any order\b.*", "yes"),
        ("in turns", r"(?:game )?turns? (\d+(?:(?:, | and |, and )\d+)*)(?: only)?", r"\1"),
        ("in turns", r"(?:from|after) (?:game )?turn (\d+)(?: on(?:wards?)?)?", r"from \1"),
        ("in turns", r"every (\d+)(?:nd|rd|th)? (?:game )?turns?", r"every \1"),
        ("optional", "optional()", "yes"),
        ("only", r"only\s+(.+)", r"\1"),
        ("only", r"(.+?)\s+only", r"\1"),
        ("rolls", r"(?:roll\s+)?(\d{0,2}[dw]\d{1,3}(?:[+-]\d+)?)", r"\1"),
        ("if", r"(?:if|wenn|falls) (.*)", r"\1"),
        ("unless", r"unless (.*)", r"\1"),
        (
            "limit",
            r"((?:[×x]\s?)?(?:\d+\s?/\s?\d+|[½¼¾⅓⅔]|\d+|half|full|double|twice|halbe?|doppelte?)\s*[×x]?\s*"
            r"(?:MA|MPs? allowance)\b.*|(?:max(?:imum)?|up to|at most|limit|höchstens|bis zu)\b.*"
            r"|\d+\s+[^\W\d].*(?:/|\bper\b|\bpro\b|\bje\b).*)",
            r"\1",
        ),
        (
            "cost",
            r"((?:pay|pays|cost|costs|expend|spend|kostet|zahle)\b.*|[+−-]\s?\d.*|\d+(?:/\d+)?\s?"
            r"(?-i:[A-Z]{1,3})s?\b.*)",
            r"\1",
        ),
        ("uses", r"(.*\b(?:table|tables|chart|charts|tabelle|tabellen|crt|track|display)\W*)", r"\1"),
        ("when", r"((?:when|in|on|after|before|during|while|nach|vor|bei)\b.*)", r"\1"),
    )
]


def parse_clause(words: str) -> tuple[str, str]:
    """Return the key and the value that words in brackets, or a sentence, mean; else a note."""
    words = words.strip(" ,.;:")
    for role, form in _ROLES:
        if form.fullmatch(words) or words.lower() == role:
            return "by", role
    counted = _COUNT.sub(lambda match: str(_COUNTS.index(match.group().lower()) % 12 + 1), words)
    for key, form, value in _CLAUSES:
        if match := form.fullmatch(words) or form.fullmatch(counted):
            text = match.expand(value).strip()
            return key, re.sub(r",? and ", ", ", text) if key == "in turns" else text
    return "note", words
