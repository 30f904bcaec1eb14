"""Words around a number that decide whether it is a reference, counts something, or neither.

The words are data. A rulebook adds its own cues to the English ones below, and phrases in which a number is
no reference; `per #` among them removes a cue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from enum import Enum, IntEnum


class CueStrength(IntEnum):
    """Evidence that a number is a reference, weakest first."""

    NEVER = -1
    """An amount, or an address on the map."""

    NONE = 0
    """No evidence: a reference if the book has the rule."""

    SHAPE = 1
    """No cue, but no amount is written like that (`14.7d`)."""

    PARENTHESES = 2
    """This and all stronger ones are references even if the book has no such rule."""

    WORD = 3
    MARK = 4


class PrecedingWords(Enum):
    """Meaning of the words before a number."""

    NAMES = "a rule: section, rule"
    LISTS = "rules: sections, rules"
    POINTS = "a rule or, before a bare number, things to be seen: see"
    COUNTS = "a rule or an amount: per"
    AMOUNT = "an amount: at least, a ratio of"
    THING = "a thing that has a number of at most two levels: map, card"
    ADDRESS = "something that is no rule, however it is written: hex, version, page"
    NOTHING = ""


CUES = ("see", "see also", "per", "rule", "section", "case")
_POINTING = {"see", "see also", "cf", "cf.", "siehe", "siehe auch", "vgl.", "voir", "véase", "см."}
_COUNTING = {"per", "by", "in case", "pro", "je", "par", "por"}

_ADDRESSES = (
    "hex, hexes, hex no., hex number, hexrow, hexside, hexsides, version, versions, ver., v, v., edition, "
    "release, revision, rev., page, pages, p., pp., figure, figures, fig., figs., diagram, illustration, "
    "volume, vol., isbn, license, licence, gpl, cc by, by-sa, by-nc, by-nc-sa, attribution, sharealike, "
    "attribution-sharealike, creative commons, vassal, python, html, example, examples, "
    "footnote, footnotes"
)
_THINGS = (
    "map, maps, mapsheet, mapsheets, map sheet, map sheets, board, boards, mapboard, mapboards, card, cards, "
    "counter, counters, countersheet, countersheets, counter sheet, counter sheets, sheet, sheets, "
    "box, boxes, "
    "display, displays, scenario, scenarios, campaign, campaigns, module, modules"
)
_AMOUNTS = (
    "a, an, x, times, minus, round, rounds, rounded, rounding, equals, equal to, exceeds, exceeding, "
    "exceed, multiply it by, multiply them by, divide it by, divide them by, increased by, reduced by, "
    "totals, totalling, totaling, averages, averaging, multiplied by, multiply by, divided by, divide "
    "by, half of, twice, at least, at most, result is, more than, less than, fewer than, greater than, "
    "higher than, lower than, approximately, approx., roughly, nearly, almost, add, adds, adding, "
    "added, subtract, subtracts, subtracting, usd, eur, gbp"
)
_MEASURES = (
    "ratio, ratios, odds, total, average, mean, sum, strength, strengths, value, values, rating, ratings, "
    "speed, distance, radius, factor, multiplier, height, length, width, weight, depth, scale, score, "
    "maximum, minimum, price, roll, rolls, rate, modifier, quotient, product, fraction, allowance"
)
_UNITS = (
    "mile, km, kilometer, kilometre, meter, metre, m, mm, cm, inch, inches, foot, feet, ft, yard, yd, "
    "hour, hr, day, week, month, year, minute, min, sec, ton, tonne, kg, lb, percent, x, million, "
    "billion, thousand, hundred, mph, kph, am, pm, a.m., p.m., dollar, euro, pound, degree, or more, or "
    "less, or fewer, or greater, or higher, or lower, or better, or worse, or above, or below, to 1, to "
    "one, or later, or newer, or earlier, or older, license, licence, international, unported, edition, "
    "version, kb, mb, gb"
)
# Measures only in the plural or after a hyphen: "9.11 step losses", "9.14 second sentence".
_COUNTED = "hex, hexside, turn, point, factor, step, time, second"

_QUIET_WITHIN = " \t\r\n\xa0*_~“”„\"‘’'\x01"
QUIET = _QUIET_WITHIN + "[]("
"""Characters between a cue and its number: space, line ends, emphasis, quotes, brackets, removed tags."""

_OPENING = "([{\"'“‘„*_~-–—/,\x01\x00"
_CLOSING = (")", "]", ".", ";")

_SIGNS = tuple("$€£¥#=+×≈~≤≥±")  # before an amount
_LAST_SIGNS = "".join(_SIGNS) + "/-−x<>"  # last characters of those and of _SUM
_DOUBLED = ("~~", "==", "++")  # but these are struck, marked or inserted words
# 1/2.5, 3 x 2.5, -2.5, n < 2.5
_SUM = re.compile(r"(?:\d[/-]|\d\s*[−×x]\s*|(?:\A|[\s(])[-−]|[\w)](?:<| +[<>]) *)\Z")
_PARTING = r"[\s*_“”\"‘’'\]\x01]*"  # what may separate the words of a list
_BULLET = re.compile(r"\n\s*(?:\n|[-*+][ \t])")  # an empty line or a list item
_LOOK_BACK = 160
_MOST_GAP = 100  # maximum gap in a list: it may contain long tags
_LISTED = (  # words after a number that it cannot count
    r"for|on|to|if|when|above|below|which|that|is|are|in|of|applies|apply|do|does|was|were|has|have|had|may|must|"
    r"shall|should|can|cannot|could|will|would|not|but|unless|except|ist|sind|war|waren|gilt|gelten|hat|haben|kann|"
    r"können|muss|müssen|darf|dürfen|soll|sollen|wird|werden|nicht|des|der|est|sont|ne|du"
)
_PASSAGES = "sentence, sentences, phrase, phrases, satz, satzes, sätze, halbsatz, unterabsatz"
"""Words for parts of a rule without a number: 12.5(a), sentence 2, and (b)."""


class CueWords:
    """Cue words of one rulebook, compiled for lookups at an offset of a text.

    `cues`, `joins` and `through` are the words that it declares. `never`: its phrases in which a number is no
    reference; `#` in them is the number, a phrase without `#` contains it (Version 4.3).
    """

    def __init__(
        self,
        cues: Sequence[str],
        joins: Sequence[str],
        through: Sequence[str],
        never: Sequence[str],
        levels: Sequence[str] = (),
    ) -> None:
        normalized = (" ".join(words.split()) for words in never)
        never = [phrase for phrase in normalized if phrase.strip("# ")]
        declared = {word.strip().lower() for words in levels for word in words.split(",")}
        self._before = dict(_phrases(cues, never, declared))
        self._longest = max(phrase.count(" ") + 1 for phrase in self._before)
        self._last = {phrase.rpartition(" ")[2] for phrase in self._before}
        units = [f"{unit}s?" for unit in map(phrase_pattern, _UNITS.split(", "))]
        counted = _COUNTED.replace(", ", "|")
        units.append(rf"(?:{counted})(?:s|(?<=hex)es)|(?<=-)(?:{counted})")
        units.append("(?-i:(?:[A-Z][PF]|RE|DRM)s?)")  # MP, SP, VP, FP, MF: what games count
        units += [phrase_pattern(phrase[1:]) for phrase in never if _is_outer(phrase) and phrase[0] == "#"]
        gap = r"[\s*_\x01]*"
        further = rf"(?:{gap}(?:to|or|and|through|[-–—/]){gap}\d+(?:\.\d+)?)?"  # 3.5 to 5 miles
        amount = rf"{further}{gap}-?(?:{'|'.join(units)})(?!\w)(?!\s+out\b)"
        rounded = r"\s*,?\s*(?:(?:is|are|would|will)\s+)?(?:be\s+)?round(?:s|ed|ing)?\b|\s+becomes\s+\d"
        sums = r"[^\S\n]*(?:[%°€×≈÷=]|:\d|-[^\W\d]{2})|\s+[+x]\s*\d|/\d|\s[-−–]\s\d+\s*=|\s+per\s+[^\W\d]"
        dash = rf"(?P<through>-{{1,3}}|[‐‑‒–—―]|(?<=[\w)\]])−|(?<=\s)(?:{_either(through)})(?=\s))"
        passages = "|".join(word for word in _PASSAGES.split(", ") if word not in declared) or "(?!)"
        more = rf"\s*(?:[,/–-]|{_either((*joins, *through))})\s*[0-9]{{1,2}}(?![\w.(])"
        passage = rf"(?:,?\s+(?:{passages})\s+[0-9]{{1,2}}(?![\w.])(?:{more}){{0,9}}(?!{more}))?"
        # A dash after a comma replaces the omitted part: 3.3.1, -.2, -.4.
        self._join = re.compile(
            rf"{passage}{_PARTING}(?:{dash}|[,;]?{_PARTING}(?:(?:{_either(joins)})(?!\w)|[&/])|[,;])"
            r"[\s*_“”\"‘’'\[\x01]*(?:(?<=[\s,;&/])[-–—](?=\.\w))?",
            re.IGNORECASE,
        )
        self._amount_after = re.compile(f"{amount}|{rounded}|{sums}", re.IGNORECASE)
        words = "|".join((*map(phrase_pattern, (*joins, *through)), _LISTED))
        ends = rf"\Z|[.,;:()\]/&?!–—‐‑-]|(?<=['’])s\b|(?:{words})(?!\w)"
        self._list_end = re.compile(rf"[\s*_\x01\"'”’]*(?:{ends})", re.IGNORECASE)
        bare_phrases = [phrase for phrase in never if not _is_outer(phrase) or re.match(r"#\w", phrase)]
        pattern = "|".join(phrase_pattern(phrase).replace(r"\#", r"\S+?") for phrase in bare_phrases)
        self._excluded = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE) if pattern else None
        self._excluded_words = " ".join(never)

    def classify_preceding(self, back: str) -> PrecedingWords:
        """Return what the words at the end of `back` announce for the number after them.

        A cue may precede a parenthesis, "see (12.5)"; in "rail hexes (13.3c)" the number is no address.
        """
        end = back.rstrip(QUIET)[-60:].lower()
        # Fast path: the last word rules out most texts.
        last = end[end.rfind(" ") + 1 :].lstrip(_OPENING)
        if last not in self._last and "\n" not in last:
            return PrecedingWords.NOTHING
        words = end.split()[-self._longest :]
        for first in range(len(words)):
            if evidence := self._before.get(" ".join(words[first:]).lstrip(_OPENING)):
                is_bracketed = back.rstrip(_QUIET_WITHIN)[-1:] in ("(", "[")
                return (
                    PrecedingWords.NOTHING
                    if is_bracketed
                    and evidence in (PrecedingWords.ADDRESS, PrecedingWords.THING, PrecedingWords.AMOUNT)
                    else evidence
                )
        return PrecedingWords.NOTHING

    def amount_before(self, back: str) -> bool:
        end = back[-8:].rstrip()
        if end[-1:] not in _LAST_SIGNS:
            return False
        return (end.endswith(_SIGNS) and not end.endswith(_DOUBLED)) or _SUM.search(back[-8:]) is not None

    def amount_after(self, text: str, end: int) -> bool:
        return (
            text[end : end + 1] not in _CLOSING and self._amount_after.match(text, end, end + 80) is not None
        )

    def list_may_end(self, text: str, end: int) -> bool:
        """Return whether a list or a clause may end at `end`, so that the number counts no noun."""
        return self._list_end.match(text, end, end + 40) is not None

    def clause_ends(self, text: str, end: int) -> bool:
        """Return whether a clause ends at `end`, or a parenthesis follows."""
        return text[end : end + 1] in ("", *".,;:)]") or text[end : end + 2] == " ("

    def has_cue_before(self, text: str, start: int) -> bool:
        """Return whether the words before `start` announce a rule."""
        evidence = self.classify_preceding(text[max(0, start - _LOOK_BACK) : start])
        return evidence in (
            PrecedingWords.NAMES,
            PrecedingWords.LISTS,
            PrecedingWords.POINTS,
            PrecedingWords.COUNTS,
        )

    def find_join(self, text: str, end: int, start: int | None = None) -> re.Match[str] | None:
        """Return the join between a number that ends at `end` and another, at `start` if given."""
        if start is None:
            joined = self._join.match(text, end, end + _MOST_GAP)
        else:
            joined = self._join.fullmatch(text, end, start) if start - end <= _MOST_GAP else None
        return joined if joined and not _BULLET.search(joined.group()) else None

    def is_excluded_phrase(self, text: str, start: int, end: int) -> bool:
        if not self._excluded or (
            "#" not in self._excluded_words and text[start:end] not in self._excluded_words
        ):
            return False
        matches = self._excluded.finditer(text, max(0, start - 40), start + 40)
        return any(m.start() <= start < m.end() for m in matches)


def with_book_cues(cues: Sequence[str]) -> tuple[str, ...]:
    """Return the English cues and those of a book."""
    return tuple(dict.fromkeys((*CUES, *cues)))


def closes_parenthesis(back: str, text: str, end: int) -> bool:
    """Return whether a list ends a clause in parentheses: "(14.5)", "(a special case, 14.4h)"."""
    before = back.rstrip(_QUIET_WITHIN)
    if not before.endswith(("(", "[", ",", ";", ":", "–", "—")):
        return False
    opened = max(before.rfind("("), before.rfind("["))
    closed = max(before.rfind(")"), before.rfind("]"))
    return opened > closed and text[end : end + 8].lstrip(_QUIET_WITHIN).startswith((")", "]", ".", ",", ";"))


def _phrases(
    cues: Iterable[str], never: Iterable[str], levels: Set[str]
) -> Iterator[tuple[str, PrecedingWords]]:
    """Yield each phrase that may precede a number, with what it announces; later entries win."""
    for phrase in _AMOUNTS.split(", "):
        yield phrase, PrecedingWords.AMOUNT
    for measure in _MEASURES.split(", "):
        for verb in ("of", "is", "are", "was", "equals"):
            yield f"{measure} {verb}", PrecedingWords.AMOUNT
    for phrases, says in ((_ADDRESSES, PrecedingWords.ADDRESS), (_THINGS, PrecedingWords.THING)):
        for phrase in phrases.split(", "):
            if not levels & {phrase, phrase.removesuffix("s"), phrase.removesuffix("es")}:
                yield phrase, says
    for cue in map(_plain, cues):
        says = (
            PrecedingWords.COUNTS
            if cue in _COUNTING
            else PrecedingWords.POINTS
            if cue in _POINTING
            else PrecedingWords.NAMES
        )
        for ending in ("", "s", "n", "en", "e", "es") if len(cue) > 3 and cue[-1].isalpha() else ("",):
            several = says is PrecedingWords.NAMES and (ending or cue.endswith("s"))
            yield cue + ending, PrecedingWords.LISTS if several else says
            yield f"{cue}{ending}:", PrecedingWords.POINTS
            for sign in ("no.", "no", "nr.", "number", "#", "§"):
                yield f"{cue}{ending} {sign}", PrecedingWords.NAMES
            for sign in ("nos.", "numbers", "§§"):
                yield f"{cue}{ending} {sign}", PrecedingWords.LISTS
    yield from (("§", PrecedingWords.NAMES), ("§§", PrecedingWords.LISTS), ("in case", PrecedingWords.COUNTS))
    for phrase in never:
        if _is_outer(phrase) and phrase[-1] == "#":
            yield _plain(phrase[:-1]), PrecedingWords.ADDRESS


def _is_outer(phrase: str) -> bool:
    return phrase.count("#") == 1 and "#" in (phrase[0], phrase[-1])


def _plain(phrase: str) -> str:
    return " ".join(phrase.lower().split())


def _either(words: Sequence[str]) -> str:
    return "|".join(map(phrase_pattern, sorted(words, key=len, reverse=True)))


def phrase_pattern(phrase: str) -> str:
    """Return a pattern of the words of a phrase with any space between them."""
    return r"\s+".join(map(re.escape, phrase.split()))
