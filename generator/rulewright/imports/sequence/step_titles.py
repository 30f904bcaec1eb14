"""Reading of a step's line: the label in front, the parts of its title, and who acts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rulewright.files.safe_integers import parse_int
from rulewright.numbering.label_types import parse_roman
from rulewright.schema.step_kinds import KINDS, PLAYERS, STEP_KINDS, TURNS
from rulewright.sequence.sequence_step import title_slug

WORDS = {kind: kind.title().replace(" ", "[ -]") for kind in KINDS}
"""The kinds of step as a book prints them."""

_COUNTED = "|".join(word for kind, word in WORDS.items() if kind not in TURNS)
_DOTTED = r"(?:[A-Z]{0,2}\d{1,3}|[A-Z])(?:\.(?:\d{1,3}|[A-Za-z](?![A-Za-z])))+[a-z]?(?![\w.]*\w)"
_LABEL = re.compile(
    rf"""
      (?P<word>(?:{_COUNTED}|Step|Stage|Part|Round|Impulse)[ ](?P<count>\d{{1,2}}|[IVX]+|[A-Z]))
        (?=[ ]*[:.–—-])[ ]*[:.–—-]+(?=\s)
    | \[(?P<bracketed>{_DOTTED}|\d{{1,3}})\][.:]?(?=\s)
    | (?P<dotted>{_DOTTED})[.:)]?(?=\s)
    | \(?(?P<simple>[IVXLC]{{1,5}}|[ivxlc]{{1,5}}|[A-Za-z]|\d{{1,3}})(?P<end>[.)])(?:(?=\s)|(?=[A-Z][a-z]))
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class StepLabel:
    """A label as it is printed. `number`: the number in it, without what only sets it off; `parts`: those of
    one with several, `4.A.1`; `counts`: what any other counts, by each sort of label that it may be (I is a
    letter and a roman numeral).
    """

    printed: str
    number: str
    parts: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()

    def is_inside(self, other: StepLabel) -> bool:
        """Whether this is a number inside another: 4.A.1 in 4.A, and 2.1 in 2.0."""
        outer = other.parts or ((other.number,) if other.number.isdecimal() else ())
        outer = outer[:-1] if outer[-1:] == ("0",) else outer
        return bool(outer) and len(self.parts) > len(outer) and self.parts[: len(outer)] == outer

    def is_sibling(self, other: StepLabel) -> bool:
        """Whether two numbers stand in the same one."""
        return len(self.parts) == len(other.parts) > 0 and self.parts[:-1] == other.parts[:-1]

    def sorts(self, other: StepLabel) -> list[str]:
        theirs = dict(other.counts)
        return [sort for sort, _ in self.counts if sort in theirs]

    def is_below(self, other: StepLabel) -> bool:
        """Whether this is lower than the label in front of it, as where a heading is lost."""
        counts = dict(other.counts)
        both = [(count, counts[sort]) for sort, count in self.counts if sort in counts]
        return bool(both) and all(mine < theirs for mine, theirs in both)

    def following(self, other: StepLabel) -> list[tuple[str, int]]:
        """The counts by which it follows right behind another, or far enough behind to be a gap only."""
        theirs = dict(other.counts)
        return [(sort, count) for sort, count in self.counts if 0 < count - theirs.get(sort, count) <= 2]

    def follow_type(self, other: StepLabel | None) -> StepLabel:
        """The label as the one sort that it is behind another, or at the head of a row."""
        counts = self.following(other) if other else []
        counts = counts or [(sort, count) for sort, count in self.counts if count == 1]
        return replace(self, counts=tuple(counts[:1])) if counts else self


def label_of(text: str) -> tuple[StepLabel, int] | None:
    """The label that a text begins with, and where what it labels begins."""
    m = _LABEL.match(text)
    if m is None:
        return None
    end = m.end() + len(text[m.end() :]) - len(text[m.end() :].lstrip())
    printed = text[: m.end()].strip().rstrip(":–—- ")
    if m["word"]:
        word = m["word"].partition(" ")[0].lower()
        counts = tuple((f"{word} {sort}", count) for sort, count in _counts(m["count"], ""))
        return StepLabel(m["word"], m["count"], counts=counts), end
    number = m["bracketed"] or m["dotted"]
    if number and not re.search(r"\d", number):
        return None  # U.S.
    if number and "." in number:
        return StepLabel(printed, number, tuple(re.findall(r"[A-Z]*\d+|[A-Za-z]+", number))), end
    style = f"{'(' if text.startswith('(') else ''}{m['end'] or ']'}"
    counts = _counts(m["simple"] or number, style)
    return (StepLabel(printed, m["simple"] or number, counts=counts), end) if counts else None


def _counts(bare: str, style: str) -> tuple[tuple[str, int], ...]:
    """The count of a label, by each sort that it may be. A point and a bracket behind it are not the same."""
    if bare.isdecimal():
        return ((f"number {style}", parse_int(bare) or 0),)
    case = "upper" if bare.isupper() else "lower"
    counts = []
    if len(bare) == 1:
        counts.append((f"{case} letter {style}", ord(bare.lower()) - ord("a") + 1))
    if value := parse_roman(bare.lower()):
        counts.append((f"{case} roman {style}", value))
    return tuple(counts)


NAMED = f"(?:{'|'.join(f'{word}s?' for word in WORDS.values())})"
"""The words that say which kind of step a heading names."""
MOST_LETTERS = 100
"""A longer first sentence is no title; its beginning stands in for one."""
MOST_WORDS = 9
_LONGEST = 1_000
"""How long a heading may be in whose brackets references and limits are looked for."""

_SMALL = {
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "vs", "with",
}  # fmt: skip
_TRIED = sorted(KINDS, key=lambda kind: (kind in TURNS, KINDS.index(kind)), reverse=True)
"""The kinds in the order in which a title may name them: turns first, of each the innermost."""

_LONGEST_TITLE = 9
_BRACKETS = re.compile(r"\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\[([\d.]+[a-z]?)\])[.:;,]*\Z")
_NUMBER = r"[A-Z]{0,2}\d{1,3}(?:\.(?:\d{1,3}|[A-Z]))*(?:\.[a-z](?![a-z]))?[a-z]?"
_REFERENCE = rf"(?:{_NUMBER}(?:\([A-Za-z0-9]+\))*(?:-\.?\d+(?:\.\d+)*)?)"
_RUN = rf"{_REFERENCE}(?:(?:\s*,\s*|\s+(?:and|or|to|through)\s+|\s*[–-]\s*){_REFERENCE})*"
_CUE = r"(?:see(?: also)?|as per|per|rules?|sections?|cases?)"
_ONLY_REFERENCES = re.compile(rf"(?:{_CUE}[ ]+){{0,2}}({_RUN})", re.IGNORECASE)
_CUED = re.compile(
    rf"\b(?:(?:{_CUE}[ ]+)?(rules?|sections?|cases?|see)|{_CUE})[ ]+({_RUN})|\(({_RUN})\)", re.IGNORECASE
)
_PARTED = re.compile(r":\s+|\s+[–—-]{1,2}\s+|[.!?]['\"”’)]?\s+(?=[\"'“‘(*\[]?[A-Z0-9])")


@dataclass(slots=True)
class ParsedTitle:
    """The parts of a heading. `rest`: the words behind its title; `kind`: the kind of step that it names.

    `limits`: words in brackets that say for whom or what it is; `guesses`: what an editor should look at;
    `capitals`: it is printed in capitals, and is not here; `printed`: it as printed, with its brackets.
    """

    words: str
    rest: str = ""
    kind: str = ""
    abbreviation: str = ""
    see: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    capitals: bool = False
    printed: str = ""


NumberTest = Callable[[str], bool]
"""Says whether a number is one that the book's rules may have."""


def title_of(said: str, is_number: NumberTest, whole: bool = False) -> ParsedTitle:
    """The parts of all that a heading says. `whole`: it is a title, whatever signs are in it."""
    words, rest = (said, "") if whole else _parts(said)
    title = ParsedTitle(words, rest, printed=words.rstrip(".: "))
    while len(title.words) <= _LONGEST and (m := _BRACKETS.search(title.words)):
        inside, before = (m[1] or m[2] or "").strip(), title.words[: m.start()].rstrip(" ;,")
        if not before:
            break
        title.words = before
        for part in reversed(clauses(inside)):
            references = _ONLY_REFERENCES.fullmatch(part)
            if references and _are_numbers(references[1], is_number):
                title.see.insert(0, references[1])
            elif is_abbreviation(part, before) and not title.abbreviation:
                title.abbreviation = part
            else:
                title.limits.insert(0, part)
    if len(title.words) > MOST_LETTERS:
        title.rest = f"{title.words} {title.rest}".strip()
        head = re.split(r"[,;:(]\s|\s[–—-]+\s", title.words, maxsplit=1)[0]
        title.words = head if len(head) <= MOST_LETTERS else f"{' '.join(head.split()[:10])} …"
        title.guesses.append("the title is how the text begins")
    title.words = title.words.rstrip(".:;, ")
    title.kind = kind_of(title.words) or ""
    if title.words.isupper() and len(title.words) > 3:

        def usual(m: re.Match[str]) -> str:
            small = m.group().lower()
            return small if small in _SMALL and m.start() else small[0].upper() + small[1:]

        title.words = re.sub(r"[^\W\d_][^\W\d_'’]*", usual, title.words)
        title.capitals = True
    return title


def kind_of(title: str) -> str | None:
    """The kind of step that a title names, or None."""
    title = title.strip(" .:*")
    if not title or title.count(" ") >= _LONGEST_TITLE:
        return None
    return next((kind for kind in _TRIED if STEP_KINDS[kind].names(title)), None)


def references_in(text: str, is_number: NumberTest) -> list[str]:
    """The references in a text that a word or brackets say are some, each run once."""
    # A number alone is one only where rules are spoken of: "per 2 hexes" and "(3)" are amounts.
    found = [m[2] or m[3] for m in _CUED.finditer(text) if m[1] or re.search(r"[A-Za-z.]", m[2] or m[3])]
    return [run for run in dict.fromkeys(found) if _are_numbers(run, is_number)]


def _are_numbers(run: str, is_number: NumberTest) -> bool:
    """Whether every number of a run may be a rule's; of a range, its first."""
    return all(is_number(one.partition("-")[0]) for one in re.findall(_REFERENCE, run))


def is_abbreviation(short: str, words: str) -> bool:
    """Whether letters are what a title is shortened to: RPh for Rally Phase, DFPH for Defensive Fire."""
    if not re.fullmatch(r"[A-Z][A-Za-z/&]{1,7}", short) or not re.search(r"[A-Z].*[A-Z]|[A-Z]{2}", short):
        return False
    letters = iter(re.sub(r"[^a-z]", "", words.lower()))
    return all(letter in letters for letter in re.sub(r"[^a-z]", "", short.lower()))


def is_title(words: str) -> bool:
    """Whether words are set as a title: few, with capitals."""
    bare = re.findall(r"[^\W\d_][\w'’/&-]*", re.sub(r"\([^()]*\)", "", words))
    large = [word for word in bare if word[0].isupper() or word.lower() in _SMALL]
    return bool(bare) and len(bare) <= MOST_WORDS and len(large) == len(bare)


def _parts(said: str) -> tuple[str, str]:
    """A heading's title and the words behind it: what is parted by a colon, a dash or a full stop."""
    depth = 0
    starts = {m.start(): m for m in _PARTED.finditer(said)}
    for at, sign in enumerate(said):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        m = starts.get(at)
        if at > 2 * MOST_LETTERS:
            break
        if m and depth <= 0 and at > 1:
            is_sentence = m.group()[0] in ".!?"
            title = said[: m.start() + (1 if is_sentence else 0)]
            # "Roll two dice: 2-5 rain" has its colon inside a sentence, "Supply Segment: The …" has not.
            if is_sentence or is_title(title):
                return title.strip(), said[m.end() :].strip()
    return said.strip(), ""


BOTH, PHASING, OTHER = "both", "phasing", "non-phasing"

_SENTENCE = re.compile(r"(?:\A|[.!?]['\"”’)]?\s+)(?=\S)")
_FORMS = (
    (BOTH, r"(?:both|each|neither|either|the two|all)\s+(?:[\w/-]+\s+){0,5}?(?:players?|sides?)\b|players\b"),
    (OTHER, r"(?:the\s+)?(?:non-?\s?(?:phasing|active)|inactive|opposing|other|defending)\s+(?:player|side)"),
    (PHASING, r"(?:the\s+)?(?:phasing|active|attacking)\s+(?:player|side)|the player whose turn"),
    (PHASING, r"the attacker\b"),
    (OTHER, r"the defender\b"),
)
_ROLES = [(role, re.compile(form, re.IGNORECASE)) for role, form in _FORMS]
_NAMED = re.compile(r"(?:The\s+)?(?P<name>[A-Z][\w/-]*(?:\s[A-Z][\w/-]*)?)\s+(?:[Pp]layers?|[Ss]ides?)\b")
_BRACKETED = re.compile(
    r"(?:the\s+)?(?P<role>non-?phasing|phasing)\s*\((?P<side>[^()]+)\)\s*player", re.IGNORECASE
)


def find_actors(words: str, known: Mapping[str, str]) -> list[str]:
    """Who acts, by the subjects of sentences; may be empty. `known`: roles and sides by name (ATTACKER)."""
    found: list[str] = []
    for m in _SENTENCE.finditer(words):
        who = _subject(words[m.end() :], known)
        if who and who not in found:
            found.append(who)
    roles = (BOTH, PHASING, OTHER)
    # Where a role is said to act first, others join in; sides that are named take turns.
    return found[:1] if found[:1] and found[0] in roles else [who for who in found if who not in roles]


def side_of(title: str, known: Mapping[str, str]) -> tuple[str, str]:
    """The side whose player turn a title names: its short name, `known` or not, and as the title says it."""
    m = next(filter(None, (STEP_KINDS[kind].names(title) for kind in PLAYERS)), None)
    words = (title[: m.start()] if m else title).strip(" ,:-–—")
    if m and not words:
        words = title[m.end() :].strip(" ,:-–—()")
    for name, pattern in _ORDINALS.items():
        if re.search(rf"\b(?:{pattern})\b", title, re.IGNORECASE):
            return name, words or f"{name.title()} Player"
    return _key(words, known) if words else "", words


def _subject(sentence: str, known: Mapping[str, str]) -> str:
    for name, key in sorted(known.items(), key=lambda pair: -len(pair[0])):
        if re.match(rf"(?:the\s+)?{re.escape(name)}(?!['’\w])", sentence, re.IGNORECASE):
            return key
    if m := _BRACKETED.match(sentence):
        return PHASING if m["role"].lower() == PHASING else OTHER
    for role, form in _ROLES:
        if form.match(sentence):
            return role
    m = _NAMED.match(sentence)
    return _key(m["name"], known) if m and "'" not in sentence[: m.end() + 1] else ""


def _key(name: str, known: Mapping[str, str]) -> str:
    bare = name.strip().lower()
    named = {title.lower().removesuffix(" player"): key for title, key in known.items()}
    return named.get(bare.removesuffix(" player")) or title_slug(bare)


_ORDINALS = {
    "first": r"1st|first|erste[rn]?|premier|primer",
    "second": r"2nd|second|zweite[rn]?|deuxième|segundo",
}
REPEAT = re.compile(r"repeat|same as|as above|roles? reversed|wiederhol|ebenso|répét|repit", re.IGNORECASE)

_ONLY = re.compile(r"(?:only\s+(?P<after>.+)|(?P<before>.+?)\s+only)", re.IGNORECASE | re.DOTALL)
_BY = re.compile(
    r"(?P<role>non-?phasing|phasing|both)(?:\s+(?:players?|sides?))?|(?P<any>either|all|each)\s+(?:players?|sides?)",
    re.IGNORECASE,
)
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_COUNT = rf"\d{{1,3}}|{'|'.join(_NUMBERS)}"
_ROUNDS = re.compile(
    rf"(?P<upto>up to |max(?:imum)?(?: of)? )?(?P<least>{_COUNT})(?: (?:to|or) (?P<most>{_COUNT}))?"
    r" (?P<noun>(?:\w+ )?(?:rounds|times|impulses|activations|operations|cycles|actions))",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"(?:repeat(?:ed)?(?: (?:this|these|the)(?: \w+){1,2})? |continue(?:s|d)? |alternate )?"
    r"(?P<until>until \S.*)",
    re.IGNORECASE,
)
_ALL_PASS = re.compile(
    r"until (?:both|all|the two|every)(?: (?:players?|sides?))? (?:have |has )?(pass)(?:ed|es)?\b.*", re.I
)
_FOR_EACH = re.compile(r"(?:repeat(?:ed)? )?for (?:each|every) (?P<what>[\w -]{2,40})", re.IGNORECASE)
_CHOICE = re.compile(
    r"(?:choose|pick|perform|do|select)? ?(?:exactly )?one (?:of\b.*|only)|(?:choose|pick|select) one\b.*",
    re.I,
)
_ANY_ORDER = re.compile(r"(?:may be done )?in any order\b.*", re.IGNORECASE)
_TURNS = re.compile(
    r"(?:game )?turns? (?P<listed>\d+(?:(?:, | and |, and )\d+)*)(?: only)?"
    r"|(?:from|after) (?:game )?turn (?P<start>\d+)"
    rf"(?: on(?:wards?)?)?|every (?P<interval>{_COUNT})(?:nd|rd|th)? (?:game )?turns?",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"(?:first player|initiative|player order|turn order|order of play)\b.*"
    r"\b(?:determination|phase|segment|step|roll)"
    r"|(?:determine|decide|roll for) (?:the )?(?:first player|initiative|player order|turn order|who "
    r"(?:is|goes|moves|plays|acts) first)",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:[×x]\s?)?(?:\d+\s?/\s?\d+|[½¼¾⅓⅔]|\d+|half|full|double|twice|halbe?|doppelte?)\s*[×x]?\s*"
    r"(?:MA|MPs? allowance)\b.*|(?:max(?:imum)?|up to|at most|limit|höchstens|bis zu)\b.*"
    r"|\d+\s+[^\W\d].*(?:/|\bper\b|\bpro\b|\bje\b).*",
    re.IGNORECASE | re.DOTALL,
)
_COST = re.compile(
    r"(?:pay|pays|cost|costs|expend|spend|kostet|zahle)\b.*|[+−-]\s?\d.*|\d+(?:/\d+)?\s?[A-Z]{1,3}s?\b.*",
    re.DOTALL,
)
_USES = re.compile(
    r".*\b(?:table|tables|chart|charts|tabelle|tabellen|crt|track|display)\W*", re.IGNORECASE | re.DOTALL
)
_DICE = re.compile(r"(?:roll\s+)?(\d{0,2}[dDwW]\d{1,3}(?:[+-]\d+)?)")
_IF = re.compile(r"(?:if|wenn|falls) (?P<if>.*)|unless (?P<unless>.*)", re.IGNORECASE | re.DOTALL)
_WHEN = re.compile(r"(?:when|in|on|after|before|during|while|nach|vor|bei)\b.*", re.IGNORECASE | re.DOTALL)


def parse_clause(words: str) -> tuple[str, str, bool]:
    """Return the key and the value that words in brackets say, and whether that is sure; else a note."""
    words = words.strip(" ,.;")
    if match := _BY.fullmatch(words):
        role = "both" if match["any"] else match["role"].lower().replace("nonphasing", "non-phasing")
        return "by", role, True
    if named := [role for role, form in _ROLES if form.fullmatch(words)]:
        return "by", named[0], True
    if key := loop_of(words):
        return *key, False
    if match := _ONLY.fullmatch(words):
        return "only", (match["after"] or match["before"]).strip(), True
    if words.lower() == "optional":
        return "optional", "yes", True
    if match := _DICE.fullmatch(words):
        return "rolls", match[1], True
    if match := _IF.fullmatch(words):
        return ("if", match["if"], True) if match["if"] else ("unless", match["unless"], True)
    for key_name, pattern in (("limit", _LIMIT), ("cost", _COST), ("uses", _USES), ("when", _WHEN)):
        if pattern.fullmatch(words):
            is_sure = key_name in ("uses", "when") or words[:1] in "+−-" or words.lower().startswith("pay")
            return key_name, words, is_sure
    return "note", words, True


def loop_of(words: str) -> tuple[str, str] | None:
    """Return the key and the value of a loop, a choice or game turns that words name."""
    if match := _ROUNDS.fullmatch(words):
        least, most = (_digits(match[name]) for name in ("least", "most"))
        noun = "" if match["noun"].lower() in ("rounds", "times") else f" {match['noun'].lower()}"
        count = f"up to {least}" if match["upto"] else f"{least} to {most}" if most else least
        return None if count == "1" else ("rounds", f"{count}{noun}")
    if match := _UNTIL.fullmatch(words):
        until = match["until"].rstrip(".")
        passing = _ALL_PASS.fullmatch(until)
        ended = "until both pass" if passing and "both" in until.lower() else "until all pass"
        return "rounds", ended if passing else until[0].lower() + until[1:]
    if match := _FOR_EACH.fullmatch(words):
        return "for each", match["what"].strip()
    if _CHOICE.fullmatch(words):
        return "one of", words
    if _ANY_ORDER.fullmatch(words):
        return "any order", words
    if match := _TURNS.fullmatch(words):
        if match["listed"]:
            return "in turns", ", ".join(re.findall(r"\d+", match["listed"]))
        interval = f"every {_digits(match['interval'])}"
        return "in turns", f"from {match['start']}" if match["start"] else interval
    return None


def _digits(count: str | None) -> str:
    small = (count or "").lower()
    return str(_NUMBERS.index(small) + 1) if small in _NUMBERS else small


def decides_order(words: str) -> bool:
    """Return whether words say that a step settles who is first."""
    return bool(_FIRST.search(words))


def clauses(words: str) -> list[str]:
    """The clauses of words in parentheses, parted by semicolons that stand in no parentheses of their own."""
    parts, depth = [""], 0
    for sign in words:
        depth += (sign == "(") - (sign == ")")
        if sign == ";" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]
