"""Words around a number that decide whether it is a reference, counts something, or neither.

The words are data. A rulebook adds its own cues to the English ones below, and phrases in which a number is
no reference; `per #` among them removes a cue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
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


CITING = (PrecedingWords.NAMES, PrecedingWords.LISTS, PrecedingWords.POINTS)
"""Words that announce a rule and nothing else."""
CUED = (*CITING, PrecedingWords.COUNTS)

CUES = ("see", "see also", "per", "rule", "section", "case")
_POINTING = ("see", "see also", "cf", "cf.", "siehe", "siehe auch", "vgl.", "voir", "véase", "см.")
_COUNTING = ("per", "by", "in case", "pro", "je", "par", "por")
_CUE_MEANINGS = dict.fromkeys(_POINTING, PrecedingWords.POINTS)
_CUE_MEANINGS |= dict.fromkeys(_COUNTING, PrecedingWords.COUNTS)

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

# $2.5, but not after doubled signs of struck, marked or inserted words; 1/2.5, 3 x 2.5, -2.5, n < 2.5
_AMOUNT_BEFORE = re.compile(
    r"(?:(?:[$€£¥#×≈≤≥±]|(?<!~)~|(?<!=)=|(?<!\+)\+)\s*"
    r"|\d[/-]|\d\s*[−×x]\s*|(?:\A|[\s(])[-−]|[\w)](?:<| +[<>]) *)\Z"
)
_CLAUSE_END = re.compile(r"\Z|[.,:;)\]]| \(")
_OPENED = re.compile(rf"[(\[](?:[^)\]]*[,;:–—(\[])?[{re.escape(_QUIET_WITHIN)}]*\Z")
_CLOSED = re.compile(rf"[{re.escape(_QUIET_WITHIN)}]*[)\].,;]")
_BRACKETED = re.compile(rf"[(\[][{re.escape(_QUIET_WITHIN)}]*\Z")
_ROUNDED = r"\s*,?\s*(?:(?:is|are|would|will)\s+)?(?:be\s+)?round(?:s|ed|ing)?\b|\s+becomes\s+\d"
_SUMS = r"[^\S\n]*(?:[%°€×≈÷=]|:\d|-[^\W\d]{2})|\s+[+x]\s*\d|/\d|\s[-−–]\s\d+\s*=|\s+per\s+[^\W\d]"
_GAME_UNITS = "(?-i:(?:[A-Z][PF]|RE|DRM)s?)"  # MP, SP, VP, FP, MF
_PARTING = r"[\s*_“”\"‘’'\]\x01]*"  # what may separate the words of a list
_BULLET = re.compile(r"\n\s*(?:\n|[-*+][ \t])")  # an empty line or a list item
_DIGITS = re.compile(r"\(?[0-9]{1,4}\)?(?!\w|\.\w)")
_MOST_LISTED = 30  # maximum number of bare digits to look ahead
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

    `cues`, `joins` and `range_words` are the words that it declares. `never`: its phrases in which a number
    is no reference; `#` in them is the number, a phrase without `#` contains it (Version 4.3).
    """

    def __init__(
        self,
        cues: Sequence[str],
        joins: Sequence[str],
        range_words: Sequence[str],
        never: Sequence[str],
        levels: Sequence[str] = (),
    ) -> None:
        never = [" ".join(words.split()) for words in never if words.strip("# ")]
        declared = {word.strip().lower() for words in levels for word in words.split(",")}
        self._before = _phrase_meanings(cues, never, declared)
        self._longest = max(phrase.count(" ") + 1 for phrase in self._before)
        self._last = {phrase.rpartition(" ")[2] for phrase in self._before}
        counted = _COUNTED.replace(", ", "|")
        units = [
            rf"(?:{_either(_UNITS.split(', '))})s?|(?:{counted})(?:s|(?<=hex)es)|(?<=-)(?:{counted})",
            _GAME_UNITS,
            *(phrase_pattern(phrase[1:]) for phrase in never if _is_outer(phrase) and phrase[0] == "#"),
        ]
        gap = r"[\s*_\x01]*"
        further = rf"(?:{gap}(?:to|or|and|through|[-–—/]){gap}\d+(?:\.\d+)?)?"  # 3.5 to 5 miles
        amount = rf"{further}{gap}-?(?:{'|'.join(units)})(?!\w)(?!\s+out\b)"
        self._amount_after = re.compile(rf"(?![)\].;])(?:{amount}|{_ROUNDED}|{_SUMS})", re.IGNORECASE)
        joining, ranging = _either(joins), _either(range_words)
        dash = rf"(?P<through>-{{1,3}}|[‐‑‒–—―]|(?<=[\w)\]])−|(?<=\s)(?:{ranging})(?=\s))"
        passages = "|".join(word for word in _PASSAGES.split(", ") if word not in declared) or "(?!)"
        more = rf"\s*(?:[,/–-]|{joining}|{ranging})\s*[0-9]{{1,2}}(?![\w.(])"
        passage = rf"(?:,?\s+(?:{passages})\s+[0-9]{{1,2}}(?![\w.])(?:{more}){{0,9}}(?!{more}))?"
        # A dash after a comma replaces the omitted part: 3.3.1, -.2, -.4.
        self._join = re.compile(
            rf"{passage}{_PARTING}(?:{dash}|[,;]?{_PARTING}(?:(?:{joining})(?!\w)|[&/])|[,;])"
            r"[\s*_“”\"‘’'\[\x01]*(?:(?<=[\s,;&/])[-–—](?=\.\w))?",
            re.IGNORECASE,
        )
        ends = rf"\Z|[.,;:()\]/&?!–—‐‑-]|(?<=['’])s\b|(?:{joining}|{ranging}|{_LISTED})(?!\w)"
        self._list_end = re.compile(rf"[\s*_\x01\"'”’]*(?:{ends})", re.IGNORECASE)
        phrases = [phrase for phrase in never if not _is_outer(phrase) or re.match(r"#\w", phrase)]
        excluded = _either(phrases).replace(r"\#", r"\S+?") or "(?!)"
        self._excluded = re.compile(rf"(?<!\w)(?:{excluded})(?!\w)", re.IGNORECASE)

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
        phrases = (" ".join(words[first:]).lstrip(_OPENING) for first in range(len(words)))
        meaning = next(filter(None, map(self._before.get, phrases)), PrecedingWords.NOTHING)
        is_no_rule = meaning in (PrecedingWords.ADDRESS, PrecedingWords.THING, PrecedingWords.AMOUNT)
        return PrecedingWords.NOTHING if is_no_rule and _BRACKETED.search(back) else meaning

    def amount_before(self, back: str) -> bool:
        return _AMOUNT_BEFORE.search(back[-8:]) is not None

    def amount_after(self, text: str, end: int) -> bool:
        return self._amount_after.match(text, end, end + 80) is not None

    def list_may_end(self, text: str, end: int) -> bool:
        """Return whether a list or a clause may end at `end`, so that the number counts no noun."""
        return self._list_end.match(text, end, end + 40) is not None

    def clause_ends(self, text: str, end: int) -> bool:
        """Return whether a clause ends at `end`, or a parenthesis follows."""
        return _CLAUSE_END.match(text, end) is not None

    def has_cue_before(self, text: str, start: int) -> bool:
        """Return whether the words before `start` announce a rule."""
        return self.classify_preceding(text[max(0, start - _LOOK_BACK) : start]) in CUED

    def find_join(self, text: str, end: int, start: int | None = None) -> re.Match[str] | None:
        """Return the join between a number that ends at `end` and another, at `start` if given."""
        if start is None:
            joined = self._join.match(text, end, end + _MOST_GAP)
        else:
            joined = self._join.fullmatch(text, end, start) if start - end <= _MOST_GAP else None
        return joined if joined and not _BULLET.search(joined.group()) else None

    def digits_end(self, text: str, end: int) -> int:
        """Return the end of the bare digits of a list that continues at `end`."""
        for _ in range(_MOST_LISTED):
            joined = self.find_join(text, end)
            if not joined or not (digits := _DIGITS.match(text, joined.end())):
                break
            end = digits.end()
        return end

    def is_excluded_phrase(self, text: str, start: int) -> bool:
        matches = self._excluded.finditer(text, max(0, start - 40), start + 40)
        return any(m.start() <= start < m.end() for m in matches)


def with_book_cues(cues: Sequence[str]) -> tuple[str, ...]:
    """Return the English cues and those of a book."""
    return tuple(dict.fromkeys((*CUES, *cues)))


def closes_parenthesis(back: str, text: str, end: int) -> bool:
    """Return whether a list ends a clause in parentheses: "(14.5)", "(a special case, 14.4h)"."""
    return _OPENED.search(back) is not None and _CLOSED.match(text, end, end + 8) is not None


def _phrase_meanings(
    cues: Iterable[str], never: Iterable[str], levels: Set[str]
) -> dict[str, PrecedingWords]:
    """Return for each phrase that may precede a number what it announces."""
    meanings = dict.fromkeys(_AMOUNTS.split(", "), PrecedingWords.AMOUNT)
    for verb in ("of", "is", "are", "was", "equals"):
        meanings |= {f"{measure} {verb}": PrecedingWords.AMOUNT for measure in _MEASURES.split(", ")}
    for phrases, meaning in ((_ADDRESSES, PrecedingWords.ADDRESS), (_THINGS, PrecedingWords.THING)):
        for phrase in phrases.split(", "):
            if levels.isdisjoint((phrase, phrase.removesuffix("s"), phrase.removesuffix("es"))):
                meanings[phrase] = meaning
    for cue in (*map(_plain, cues), "§"):
        meaning = _CUE_MEANINGS.get(cue, PrecedingWords.NAMES)
        endings = ("", "s", "n", "en", "e", "es") if len(cue) > 3 and cue[-1].isalpha() else ("",)
        for word in (cue + ending for ending in endings):
            is_plural = word != cue or cue.endswith("s")
            names_several = is_plural and meaning is PrecedingWords.NAMES
            meanings[word] = PrecedingWords.LISTS if names_several else meaning
            meanings[f"{word}:"] = PrecedingWords.POINTS
            for sign in ("no.", "no", "nr.", "number", "#", "§"):
                meanings[f"{word} {sign}"] = PrecedingWords.NAMES
            for sign in ("nos.", "numbers", "§§"):
                meanings[f"{word} {sign}"] = PrecedingWords.LISTS
    meanings |= {"§§": PrecedingWords.LISTS, "in case": PrecedingWords.COUNTS}
    outer = [phrase for phrase in never if _is_outer(phrase) and phrase[-1] == "#"]
    return meanings | {_plain(phrase[:-1]): PrecedingWords.ADDRESS for phrase in outer}


def _is_outer(phrase: str) -> bool:
    return phrase.count("#") == 1 and "#" in (phrase[0], phrase[-1])


def _plain(phrase: str) -> str:
    return " ".join(phrase.lower().split())


def _either(words: Sequence[str]) -> str:
    return "|".join(map(phrase_pattern, sorted(words, key=len, reverse=True)))


def phrase_pattern(phrase: str) -> str:
    """Return a pattern of the words of a phrase with any space between them."""
    return r"\s+".join(map(re.escape, phrase.split()))
