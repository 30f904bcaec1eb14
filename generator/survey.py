"""A proposal for rulebook.yml from texts of a book: how it numbers its rules, and what leads up to numbers.

What a line opens with is a label; what a word leads up to is cited. The dialect that reads most of both is
proposed, with how much it reads and what it leaves unread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from generator.evidence import CUES
from generator.guessing import Guess, guess
from generator.manuscript import prose_of
from generator.numbers import Dialect, Number, example_fault
from generator.problems import File, Place

_HEADING = re.compile(r"""[ >]{0,9}\#{1,6}[ \t]+|title[ \t]*[:=][ \t]*["']?""")
_OPENS = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?(?P<bold>[*_]{0,3})"
    r"(?P<label>(?:(?:Rule|Case|Section|Chapter|Appendix|Part)[ \t]+)?"
    r"[\[(§]?(?:\d|[A-Z]{1,2}[.\d]|[IVX]+\.|(?<=Appendix )[A-Z])[^\s*_]{0,20})"
    r"(?:[ \t]+Case[ \t]+[A-Z]\b)?[*_]{0,3}[ \t.:–—-]*(?P<rest>[^\n]*)"
)
_CITED = re.compile(
    r"(?P<cue>[^\W\d_]+)\.?\s+[“\"*_\[]{0,3}(?P<number>§?(?:\d{1,3}|[A-Z]{1,2}(?=[.\d])|[IVX]+(?=\.))"
    r"(?:[.:/]?\w+|-(?=[^\W\d])\w+|\(\w{1,4}\))*)"
)
_LIKE_A_NUMBER = re.compile(r"§?\[?\w{1,4}[.:-]\w|\d{3}\b")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b")
_WORD = re.compile(r"[^\W\d_]+")
_TITLE_END = re.compile(r"[*_]{2,3}")
_WORDS = "a an and or to the of in on for at by than is are was be hex hexes turn page version with from"
_NO_CUES = frozenset(_WORDS.split())
_LEAST_CUE = 3
_LEAST_SHARE = 0.3
"""How often a number stands behind a word at least, of all the times that it is used, if it is a cue."""

_FEW_CITED = 20
_MOST_UNREAD = 20
_LEAST_LABELS = 8
_LEAST_FAULTS = 4


class Spot(NamedTuple):
    """A number as a text has it, with its place and the title behind it, or the word that leads up to it."""

    written: str
    place: Place
    words: str = ""
    heading: bool = False


@dataclass(frozen=True)
class Survey:
    """What texts say of a book's numbers, and how much of it the proposal reads.

    `known`: the numbers that the labels are read as, in order, with their titles.
    """

    numbers: Sequence[str]
    chapters: Sequence[str]
    cues: Sequence[str]
    labels: Sequence[Spot]
    cited: Sequence[Spot]
    unread: Sequence[Spot]
    known: Sequence[tuple[Number, str]]


def survey(files: Iterable[tuple[File, bool]]) -> Survey | None:
    """Propose a dialect for texts, each with whether it is Markdown; None where nothing looks like one."""
    labels: list[Spot] = []
    cited: list[Spot] = []
    uses: Counter[str] = Counter()
    for file, markdown in files:
        labels += _labels(file)
        prose = prose_of(file.text, markdown=markdown)
        cited += _cited(file, prose)
        uses.update(_singular(word.lower()) for word in _WORD.findall(prose))
    opened = [(spot.written, spot.heading) for spot in labels]
    deep = [spot.written for spot in cited] * (3 if len(cited) <= _FEW_CITED else 1)
    guessed = guess(opened, deep) or guess([(spot.written, True) for spot in cited])
    if guessed is None:
        return None
    ways = list(_variants(guessed, labels))
    best = max(ways, key=lambda way: (_reads(way, labels) + _reads(way, cited), -ways.index(way)))
    dialect = best.dialect()
    leading = Counter(_singular(spot.words.lower()) for spot in cited if _read(spot, dialect))
    least = {word: max(_LEAST_CUE, uses[word] * _LEAST_SHARE) for word in leading}
    often = [word for word, count in leading.most_common() if count >= least[word]]
    cues = [*CUES, *(word for word in often if word not in CUES and word not in _NO_CUES)]
    meant = [spot for spot in cited if _singular(spot.words.lower()) in cues]
    unread = [s for s in (*labels, *meant) if not _read(s, dialect) and _LIKE_A_NUMBER.match(s.written)]
    known = {number.key: (number, spot.words) for spot in labels if (number := _read(spot, dialect))}
    return Survey(best.numbers, best.chapters, cues, labels, meant, unread, list(known.values()))


def better(labels: Sequence[str], cited: Sequence[str], declared: Dialect) -> tuple[Guess, int] | None:
    """The dialect that reads most of what a declared one does not, with how many numbers that are.

    `labels`: a book's numbers in its order; `cited`: what its texts lead up to and cannot be read.
    """
    faults = _faults(labels, declared) + len(cited)
    if len(labels) < _LEAST_LABELS or faults <= max(_LEAST_FAULTS, len(labels) // 5):
        return None
    guessed = guess([(label, True) for label in labels], [*cited, *cited, *cited])
    if guessed is None or not guessed.numbers:
        return None
    dialect = guessed.dialect()
    left = _faults(labels, dialect) + sum(dialect.parse(one) is None for one in cited)
    return (guessed, faults - left) if left * 5 < faults else None


def _faults(labels: Iterable[str], dialect: Dialect) -> int:
    """How many labels a dialect cannot read, or finds behind a higher one."""
    numbers = [dialect.parse(label) for label in labels]
    behind = (one and other and other.order < one.order for one, other in pairwise(numbers))
    return sum(map(bool, behind)) + numbers.count(None)


def _labels(file: File) -> Iterator[Spot]:
    """What the lines of a text open with, if it may be a rule's label."""
    start = 0
    for line in file.text.split("\n"):
        heading = _HEADING.match(line)
        m = _OPENS.match(line, heading.end() if heading else 0)
        if m and (heading or not m["rest"][:1].islower()) and "](" not in line[: m.start("rest")]:
            label = m["label"].rstrip(".:") if "(" in m["label"] else m["label"].rstrip(".:)")
            title = _title(m["rest"], bool(m["bold"]), bool(heading))
            if not _ORDINAL.match(label):
                yield Spot(label, file.place(start + m.start("label")), title, bool(heading or title))
        start += len(line) + 1


def _title(rest: str, bold: bool, heading: bool) -> str:
    """The title in what stands behind a label: all of a heading, the bold beginning or a short line."""
    if bold:
        closed = _TITLE_END.search(rest)
        return rest[: closed.start()].strip(" .:") if closed and closed.start() < 80 else ""
    title = rest.strip(" *_#\"'\r")
    return title if heading or (len(title) < 60 and not title.endswith((".", ",", ";", ":"))) else ""


def _cited(file: File, prose: str) -> Iterator[Spot]:
    """What words of a text lead up to, if it may be a rule's number."""
    for m in _CITED.finditer(prose):
        number = m["number"]
        if _LIKE_A_NUMBER.match(number) or (number.isdigit() and _singular(m["cue"].lower()) in CUES[3:]):
            yield Spot(number, file.place(m.start("number")), m["cue"])


def _variants(guessed: Guess, labels: Sequence[Spot]) -> Iterator[Guess]:
    """The guess and what it may be as well: counted by hundreds, with appendices, with words in numbers."""
    first, *others = guessed.numbers
    whole = [m[1] for spot in labels if (m := re.match(r"(\d+)(?!\d)", spot.written))]
    hundreds = [digits for digits in whole if len(digits) == 3]
    if first.startswith("1") and len(set(hundreds)) > 4 and len(hundreds) * 10 > len(whole) * 8:
        chapters = ["8."] if any(len(digits) == 1 for digits in whole) else ["100"]
        yield replace(guessed, numbers=[re.sub("^1", "100", first), *others], chapters=chapters)
    yield guessed
    lettered = [s.written for s in labels if re.fullmatch(r"(?:Appendix\s+)?[A-Z](?:\.\d+)+", s.written)]
    if first.startswith(("1", "[1")) and len(lettered) > 1:
        forms = [*guessed.chapters, "Appendix A"]
        yield replace(guessed, numbers=[*guessed.numbers, "A.1"], chapters=forms)
    worded = (re.sub(r"\b[A-Z]\b", "A", re.sub(r"\d+", "1", s.written)) for s in labels if " " in s.written)
    for example, count in Counter(worded).most_common(1):
        if count > 1 and example_fault(example) is None:
            yield replace(guessed, numbers=[*guessed.numbers, example])


def _read(spot: Spot, dialect: Dialect) -> Number | None:
    return dialect.parse(spot.written)


def _reads(guessed: Guess, spots: Iterable[Spot]) -> int:
    dialect = guessed.dialect()
    return sum(_read(spot, dialect) is not None for spot in spots)


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def unread(found: Survey) -> Iterator[str]:
    """The numbers that the proposal leaves unread, each once, with its first place."""
    first: dict[str, Place] = {}
    for spot in found.unread:
        first.setdefault(spot.written, spot.place)
    for written, place in list(first.items())[:_MOST_UNREAD]:
        yield f"{written} ({place})"
    if len(first) > _MOST_UNREAD:
        yield f"and {len(first) - _MOST_UNREAD} more"
