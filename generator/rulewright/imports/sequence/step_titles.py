"""Words of a step: its label, its title with brackets, and the clauses that become keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulewright.imports.numbers import ITEM, LABEL, Key, readings
from rulewright.schema.step_kinds import KINDS, PLAYERS, STEP_KINDS, TURNS
from rulewright.sequence.sequence_step import title_slug

_WORDS = [kind.title().replace(" ", "[ -]") for kind in KINDS if kind not in TURNS]
_WORD_LABEL = re.compile(
    rf"({'|'.join(_WORDS)}|Step|Stage|Part|Round|Impulse)[ ](\d{{1,2}}|[IVX]+|[A-Z])[ ]*[:.–—-]+\s+"
)
_SMALL = set("a an and as at by for from in of on or the to vs with".split())  # noqa: SIM905
_LARGE = re.compile(rf"(?<![^\W\d_])(?<!['’])(?!(?:{'|'.join(_SMALL)})(?![^\W_]))[^\W\d_]")
"""The first letters of words that are large in a title."""

_TRIED = sorted(KINDS, key=lambda kind: (kind in TURNS, KINDS.index(kind)), reverse=True)
"""The kinds in the order in which a title may name them: turns first, of each the innermost."""

MAX_LETTERS, MAX_WORDS = 100, 9
"""A longer first sentence is no title; its beginning stands for it."""

_MAX_HEADING = 1_000
_BRACKETS = re.compile(r"\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\[([\d.]+[a-z]?)\])[.:;,]*\Z")
_NUMBER = r"[A-Z]{0,2}\d{1,3}(?:\.(?:\d{1,3}|[A-Z]))*(?:\.[a-z](?![a-z]))?[a-z]?"
_REFERENCE = rf"(?:{_NUMBER}(?:\([A-Za-z0-9]+\))*(?:-\.?\d+(?:\.\d+)*)?)"
_RUN = rf"{_REFERENCE}(?:(?:\s*,\s*|\s+(?:and|or|to|through)\s+|\s*[–-]\s*){_REFERENCE})*"
_CUE = r"(?:see(?: also)?|as per|per|rules?|sections?|cases?)"
_ONLY_REFERENCES = re.compile(rf"(?:{_CUE}[ ]+){{0,2}}({_RUN})", re.IGNORECASE)
_CUED = re.compile(
    rf"\b(?:(?:{_CUE}[ ]+)?(rules?|sections?|cases?|see)|{_CUE})[ ]+({_RUN})|\(({_RUN})\)", re.IGNORECASE
)
_TITLE_END = re.compile(r":\s+|\s+[–—-]{1,2}\s+|[.!?]['\"”’)]?\s+(?=[\"'“‘(*\[]?[A-Z0-9])")

NumberTest = Callable[[str], bool]
"""Tells whether a number is one that the book's rules may have."""


@dataclass(frozen=True, slots=True)
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

    def is_inside(self, other: StepLabel) -> bool:
        """Return whether this is a number inside another: 4.A.1 in 4.A, and 2.1 in 2.0."""
        outer = other.keys[0] if other.is_nested or other.number.isdigit() else ()
        key = self.keys[0]
        return self.is_nested and bool(outer) and len(key) > len(outer) and key[: len(outer)] == outer

    def is_sibling(self, other: StepLabel) -> bool:
        """Return whether two numbers are inside the same number."""
        keys = self.keys[0], other.keys[0]
        return self.is_nested and other.is_nested and keys[0][:-1] == keys[1][:-1] and len(keys[0]) > 1

    def is_alike(self, other: StepLabel) -> bool:
        """Return whether two labels count in the same way."""
        kinds = {key[0][0] for key in other.keys}
        return self.style == other.style and any(key[0][0] in kinds for key in self.keys)

    def following(self, other: StepLabel) -> tuple[Key, ...]:
        """Return the readings in which it follows another label, perhaps with a gap."""
        values = {key[0] for key in other.keys if self.style == other.style}
        return tuple(
            key for key in self.keys if {(key[0][0], key[0][1] - 1), (key[0][0], key[0][1] - 2)} & values
        )

    def follow(self, other: StepLabel | None) -> StepLabel:
        """Return the label in the reading that it has after another label, or at the head of a row."""
        keys = self.following(other) if other else ()
        keys = keys or tuple(key for key in self.keys if key[0][1] == 1)
        return replace(self, keys=keys[:1]) if keys else self


def label_of(text: str) -> tuple[StepLabel, int] | None:
    """Return the label that a text begins with, and where the words after it begin."""
    if match := _WORD_LABEL.match(text):
        printed = f"{match[1]} {match[2]}"
        return StepLabel(printed, match[2], match[1].lower(), tuple(readings(match[2]))), match.end()
    match = ITEM.match(text) or LABEL.match(text)
    if not match or match.groupdict().get("word"):
        return None
    printed = match.group().strip()
    number = printed.strip("()[].: ")
    style = printed.replace(number, "1" if number.isdigit() else "")
    is_nested = "." in number
    keys = tuple(readings(number))
    if not keys or (is_nested and not re.search(r"\d", number)) or re.search(r"\d{4}", number):
        return None  # U.S.; a year
    if not (is_nested or style.strip("1")) or (not is_nested and len(number) > 1 and len(keys[0]) > 1):
        return None
    rest = text[match.end() :]
    return StepLabel(printed, number, style, keys), match.end() + len(rest) - len(rest.lstrip())


@dataclass(slots=True)
class ParsedTitle:
    """The parts of a heading. `rest`: the words after its title; `kind`: the kind of step that it names.

    `limits`: words in brackets that say for whom or what it is; `see`: numbers in brackets; `printed`: the
    title with its brackets.
    """

    words: str
    rest: str = ""
    kind: str = ""
    abbreviation: str = ""
    see: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    is_in_capitals: bool = False
    printed: str = ""


def title_of(text: str, is_number: NumberTest, *, is_whole: bool = False) -> ParsedTitle:
    """Return the parts of a heading. `is_whole`: all of it is its title, whatever signs it has."""
    words, rest = (text, "") if is_whole else _split_title(text)
    title = ParsedTitle(words, rest, printed=words.rstrip(".: "))
    while len(title.words) <= _MAX_HEADING and (match := _BRACKETS.search(title.words)):
        inside, before = (match[1] or match[2] or "").strip(), title.words[: match.start()].rstrip(" ;,")
        if not before:
            break
        title.words = before
        for part in reversed([*_clauses(inside)]):
            references = _ONLY_REFERENCES.fullmatch(part)
            if references and _are_numbers(references[1], is_number):
                title.see.insert(0, references[1])
            elif _is_abbreviation(part, before) and not title.abbreviation:
                title.abbreviation = part
            else:
                title.limits.insert(0, part)
    if len(title.words) > MAX_LETTERS:
        title.rest = f"{title.words} {title.rest}".strip()
        head = re.split(r"[,;:(]\s|\s[–—-]+\s", title.words, maxsplit=1)[0]
        title.words = head if len(head) <= MAX_LETTERS else f"{' '.join(head.split()[:10])} …"
        title.guesses.append("the title is how the text begins")
    title.words = title.words.rstrip(".:;, ")
    title.kind = kind_of(title.words) or ""
    if title.words.isupper() and len(title.words) > 3:
        title.is_in_capitals = True
        words = _LARGE.sub(lambda match: match.group().upper(), title.words.lower())
        title.words = words[0].upper() + words[1:]
    return title


def kind_of(title: str) -> str | None:
    """Return the kind of step that a title names, or None."""
    title = title.strip(" .:*")
    if not title or title.count(" ") >= MAX_WORDS:
        return None
    return next((kind for kind in _TRIED if STEP_KINDS[kind].names(title)), None)


def references_in(text: str, is_number: NumberTest) -> list[str]:
    """Return the references in a text that a word or brackets mark, each run without repetition."""
    # A number alone needs a word for a rule: "per 2 hexes" and "(3)" are amounts.
    matches = [m for m in _CUED.finditer(text) if m[1] or re.search(r"[A-Za-z.]", m[2] or m[3])]
    runs = dict.fromkeys(match[2] or match[3] for match in matches)
    return [run for run in runs if _are_numbers(run, is_number)]


def _are_numbers(run: str, is_number: NumberTest) -> bool:
    """Return whether each number of a run may be that of a rule; of a range, its first."""
    return all(is_number(number.partition("-")[0]) for number in re.findall(_REFERENCE, run))


def _is_abbreviation(short: str, words: str) -> bool:
    """Return whether letters are short for a title: RPh for Rally Phase, DFPH for Defensive Fire."""
    if not re.fullmatch(r"[A-Z][A-Za-z/&]{1,7}", short) or not re.search(r"[A-Z].*[A-Z]", short):
        return False
    letters = iter(re.sub(r"[^a-z]", "", words.lower()))
    return all(letter in letters for letter in re.sub(r"[^a-z]", "", short.lower()))


def is_title(words: str) -> bool:
    """Return whether words are set as a title: few, with capitals."""
    words_only = re.findall(r"[^\W\d_][\w'’/&-]*", re.sub(r"\([^()]*\)", "", words))
    return 0 < len(words_only) <= MAX_WORDS and all(
        word[0].isupper() or word.lower() in _SMALL for word in words_only
    )


def _split_title(text: str) -> tuple[str, str]:
    """Return the title of a heading and the words after a colon, a dash or a full stop."""
    for match in _TITLE_END.finditer(text, 2, 2 * MAX_LETTERS):
        before = text[: match.start()]
        is_sentence = match.group()[0] in ".!?"
        title = text[: match.start() + is_sentence]
        is_open = before.count("(") + before.count("[") > before.count(")") + before.count("]")
        # "Roll two dice: 2-5 rain" has its colon inside a sentence, "Supply Segment: The …" has not.
        if not is_open and (is_sentence or is_title(title)):
            return title.strip(), text[match.end() :].strip()
    return text.strip(), ""


def _clauses(words: str) -> Iterator[str]:
    """Yield the clauses of words in brackets, separated by semicolons outside of inner brackets."""
    start = depth = 0
    for index, sign in enumerate(f"{words};"):
        depth += (sign == "(") - (sign == ")")
        if sign == ";" and (not depth or index == len(words)):
            if clause := words[start:index].strip():
                yield clause
            start = index + 1


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
            r"|(?:the\s+)?non-?phasing\s*\([^()]+\)\s*player|the defender\b",
        ),
        (
            PHASING,
            r"(?:the\s+)?(?:phasing|active|attacking)\s+(?:player|side)|the player whose turn"
            r"|(?:the\s+)?phasing\s*\([^()]+\)\s*player|the attacker\b",
        ),
    )
]
_SENTENCE = re.compile(r"(?:\A|[.!?]['\"”’)]?\s+)(?=\S)")
_NAMED = re.compile(r"(?:The\s+)?(?P<name>[A-Z][\w/-]*(?:\s[A-Z][\w/-]*)?)\s+(?:[Pp]layers?|[Ss]ides?)\b")
_ORDINALS = {
    "first": re.compile(r"\b(?:1st|first|erste[rn]?|premier|primer)\b", re.IGNORECASE),
    "second": re.compile(r"\b(?:2nd|second|zweite[rn]?|deuxième|segundo)\b", re.IGNORECASE),
}


def find_actors(words: str, names: Mapping[str, str]) -> list[str]:
    """Return who acts, by the subjects of sentences. `names`: keys of roles and sides by their names."""
    subjects = [_subject(words[match.end() :], names) for match in _SENTENCE.finditer(words)]
    actors = [*dict.fromkeys(filter(None, subjects))]
    roles = [role for role, _ in _ROLES]
    # If a role acts first, others join in; sides that are named take turns.
    return actors[:1] if actors and actors[0] in roles else [actor for actor in actors if actor not in roles]


def _subject(sentence: str, names: Mapping[str, str]) -> str:
    for name, key in sorted(names.items(), key=lambda pair: -len(pair[0])):
        if re.match(rf"(?:the\s+)?{re.escape(name)}(?!['’\w])", sentence, re.IGNORECASE):
            return key
    for role, form in _ROLES:
        if form.match(sentence):
            return role
    match = _NAMED.match(sentence)
    return side_key(match["name"], names) if match and "'" not in sentence[: match.end() + 1] else ""


def side_of(title: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Return the side whose player turn a title names: its key, and its name in the title."""
    match = next(filter(None, (STEP_KINDS[kind].names(title) for kind in PLAYERS)), None)
    words = (title[: match.start()] if match else title).strip(" ,:-–—")
    words = words or (title[match.end() :].strip(" ,:-–—()") if match else "")
    for key, form in _ORDINALS.items():
        if form.search(title):
            return key, words or f"{key.title()} Player"
    return side_key(words, names) if words else "", words


def side_key(name: str, names: Mapping[str, str]) -> str:
    words_only = name.strip().lower().removesuffix(" player")
    keys = {title.lower().removesuffix(" player"): key for title, key in names.items()}
    return keys.get(words_only) or title_slug(words_only)


# Clauses that become keys

REPEAT = re.compile(r"repeat|same as|as above|roles? reversed|wiederhol|ebenso|répét|repit", re.IGNORECASE)
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)})"
_BY = re.compile(r"(non-?phasing|phasing|both)|(?:either|all|each)\s+(?:players?|sides?)", re.IGNORECASE)
_FORMS = [
    (key, re.compile(form, re.IGNORECASE | re.DOTALL))
    for key, form in (
        ("only", r"only\s+(.+)|(.+?)\s+only"),
        ("rolls", r"(?:roll\s+)?(\d{0,2}[dw]\d{1,3}(?:[+-]\d+)?)"),
        ("if", r"(?:if|wenn|falls) (.*)"),
        ("unless", r"unless (.*)"),
        (
            "limit",
            r"((?:[×x]\s?)?(?:\d+\s?/\s?\d+|[½¼¾⅓⅔]|\d+|half|full|double|twice|halbe?|doppelte?)\s*[×x]?\s*"
            r"(?:MA|MPs? allowance)\b.*|(?:max(?:imum)?|up to|at most|limit|höchstens|bis zu)\b.*"
            r"|\d+\s+[^\W\d].*(?:/|\bper\b|\bpro\b|\bje\b).*)",
        ),
        (
            "cost",
            r"((?:pay|pays|cost|costs|expend|spend|kostet|zahle)\b.*|[+−-]\s?\d.*|\d+(?:/\d+)?\s?"
            r"(?-i:[A-Z]{1,3})s?\b.*)",
        ),
        ("uses", r"(.*\b(?:table|tables|chart|charts|tabelle|tabellen|crt|track|display)\W*)"),
        ("when", r"((?:when|in|on|after|before|during|while|nach|vor|bei)\b.*)"),
    )
]
_LOOPS = [
    (key, re.compile(form, re.IGNORECASE))
    for key, form in (
        (
            "rounds",
            rf"((?:up to |max(?:imum)?(?: of)? )?{_COUNT}(?: (?:to|or) {_COUNT})?) "
            r"((?:\w+ )?(?:rounds|times|impulses|activations|operations|cycles|actions))",
        ),
        (
            "until",
            r"(?:repeat(?:ed)?(?: (?:this|these|the)(?: \w+){1,2})? |continue(?:s|d)? |alternate )?"
            r"(until \S.*?)\.?",
        ),
        ("for each", r"(?:repeat(?:ed)? )?for (?:each|every) ([\w -]{2,40})"),
        (
            "one of",
            r"((?:choose|pick|perform|do|select)? ?(?:exactly )?one (?:of\b.*|only)"
            r"|(?:choose|pick|select) one\b.*)",
        ),
        ("any order", r"((?:may be done )?in any order\b.*)"),
        ("in turns", r"(?:game )?turns? (\d+(?:(?:, | and |, and )\d+)*)(?: only)?"),
        ("from", r"(?:from|after) (?:game )?turn (\d+)(?: on(?:wards?)?)?"),
        ("every", rf"every ({_COUNT})(?:nd|rd|th)? (?:game )?turns?"),
    )
]
_ALL_PASS = re.compile(
    r"until (both|all|the two|every)(?: (?:players?|sides?))? (?:have |has )?pass(?:ed|es)?\b.*", re.I
)
_DECIDES = re.compile(
    r"(?:first player|initiative|player order|turn order|order of play)\b.*"
    r"\b(?:determination|phase|segment|step|roll)"
    r"|(?:determine|decide|roll for) (?:the )?(?:first player|initiative|player order|turn order|who "
    r"(?:is|goes|moves|plays|acts) first)",
    re.IGNORECASE,
)


def parse_clause(words: str) -> tuple[str, str, bool]:
    """Return the key and the value that words in brackets mean, and whether that is sure; else a note."""
    words = words.strip(" ,.;")
    if match := _BY.fullmatch(words):
        return "by", match[1].lower().replace("nonphasing", OTHER) if match[1] else "both", True
    if roles := [role for role, form in _ROLES if form.fullmatch(words)]:
        return "by", roles[0], True
    if loop := loop_of(words):
        return *loop, False
    if words.lower() == "optional":
        return "optional", "yes", True
    for key, form in _FORMS:
        if match := form.fullmatch(words):
            is_guess = key in ("limit", "cost") and not re.match(r"[+−-]|pay", words.lower())
            return key, next(filter(None, match.groups()), "").strip(), not is_guess
    return "note", words, True


def loop_of(words: str) -> tuple[str, str] | None:
    """Return the key and the value of a loop, a choice or game turns that words name."""
    for key, form in _LOOPS:
        match = form.fullmatch(words)
        if not match:
            continue
        value = match[1].strip()
        if key == "rounds":
            counts = [_digits(count) for count in re.findall(rf"\b{_COUNT}\b", value.lower())]
            noun = "" if match[2].lower() in ("rounds", "times") else f" {match[2].lower()}"
            is_limit = value.lower().startswith(("up", "max"))
            count = f"up to {counts[0]}" if is_limit else " to ".join(counts)
            return None if count == "1" else (key, count + noun)
        if key == "until":
            passing = _ALL_PASS.fullmatch(value)
            who = "both" if passing and passing[1].lower() == "both" else "all"
            return "rounds", f"until {who} pass" if passing else value[0].lower() + value[1:]
        if key == "in turns":
            return key, ", ".join(re.findall(r"\d+", value))
        return ("in turns", f"{key} {_digits(value)}") if key in ("from", "every") else (key, value)
    return None


def _digits(count: str) -> str:
    return str(_NUMBERS.index(count.lower()) + 1) if count.lower() in _NUMBERS else count


def decides_order(words: str) -> bool:
    """Return whether words say that a step settles who is first."""
    return bool(_DECIDES.search(words))
