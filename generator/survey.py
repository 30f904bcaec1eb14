"""A proposal for rulebook.yml from texts of a book: how it numbers its rules, cites chapters, leads up to numbers.

What a line opens with is a label; what a word leads up to is cited. The dialect that reads most of both is
proposed, with how much it reads and what it leaves unread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from generator.evidence import CUES
from generator.guessing import Guess, guess
from generator.manuscript import prose_of
from generator.numbers import Dialect, Number, example_fault
from generator.problems import File, Place

_HEADING = re.compile(r"[ >]{0,9}#{1,6}[ \t]+")
_OPENS = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?[*_]{0,3}(?P<label>(?:(?:Rule|Case|Section|Chapter|Appendix|Part)[ \t]+)?"
    r"[\[(§]?(?:\d|[A-Z]{1,2}[.\d]|[IVX]+\.|(?<=Appendix )[A-Z])[^\s*_]{0,20})[*_]{0,3}[ \t.:–—-]*(?P<rest>[^\n]*)"
)
_CITED = re.compile(
    r"(?P<cue>[^\W\d_]+\.?)\s+[(\[“\"*_]{0,3}(?P<number>§?(?:\d{1,3}|[A-Z]{1,2}(?=[.\d])|[IVX]+(?=\.))"
    r"(?:[.:/-]?\w+|\(\w{1,4}\))*\w*)"
)
_NO_CUES = frozenset(
    [
        "a",
        "an",
        "and",
        "or",
        "to",
        "the",
        "of",
        "in",
        "on",
        "for",
        "at",
        "by",
        "than",
        "is",
        "are",
        "was",
        "be",
        "more",
        "less",
        "least",
        "most",
        "hex",
        "turn",
        "page",
        "version",
        "with",
        "from",
        "minus",
        "plus",
        "times",
        "about",
        "after",
        "before",
        "until",
        "over",
        "under",
        "roll",
        "rolls",
        "player",
        "game",
        "through",
        "x",
    ]
)
_LEAST_CUE = 3
_MOST_UNREAD = 20


class Spot(NamedTuple):
    """A number as a text has it, with its place, the word that leads up to it or the title behind it."""

    written: str
    place: Place
    word: str = ""
    heading: bool = False


@dataclass(frozen=True)
class Survey:
    """What texts say of a book's numbers, and how much of it the proposal reads.

    `known`: the labels that are read, in order, with their titles.
    """

    numbers: Sequence[str]
    chapters: Sequence[str]
    cues: Sequence[str]
    labels: Sequence[Spot]
    cited: Sequence[Spot]
    unread: Sequence[Spot] = ()
    known: Sequence[tuple[Number, str]] = field(default_factory=list)


def survey(files: Iterable[tuple[File, bool]]) -> Survey | None:
    """Propose a dialect for texts (each with whether it is Markdown), or None where nothing looks like a number."""
    labels: list[Spot] = []
    cited: list[Spot] = []
    for file, markdown in files:
        labels += _labels(file)
        cited += _cited(file, markdown)
    guessed = guess([(spot.written, spot.heading) for spot in labels], [spot.written for spot in cited])
    if guessed is None:
        guessed = guess([(spot.written, True) for spot in cited])
    if guessed is None:
        return None
    ways = list(_variants(guessed, labels))
    best = max(ways, key=lambda way: (_reads(way, labels) + _reads(way, cited), -ways.index(way)))
    dialect = best.dialect()
    words = Counter(spot.word.lower().rstrip(".") for spot in cited if dialect.parse(spot.written))
    found = [w for w, n in words.most_common() if n >= _LEAST_CUE and w not in _NO_CUES]
    cues = [*(cue for cue in CUES), *(w for w in found if _singular(w) not in CUES and w not in CUES)]
    meant = [spot for spot in cited if _singular(spot.word.lower().rstrip(".")) in cues]
    unread = [spot for spot in (*labels, *meant) if not dialect.parse(spot.written.rstrip(".:"))]
    known = {n.key: (n, s.word) for s in labels if (n := dialect.parse(s.written.rstrip(".:")))}
    return Survey(best.numbers, best.chapters, cues, labels, meant, unread, list(known.values()))


def proposed(labels: Sequence[str], declared: Dialect) -> Guess | None:
    """The dialect that labels of a book in order speak, where it reads most that a declared one does not."""
    guessed = guess([(label, True) for label in labels])
    if guessed is None or len(labels) < _LEAST_LABELS:
        return None
    faults, others = _faults(labels, declared), _faults(labels, guessed.dialect())
    return guessed if faults > max(_LEAST_FAULTS, len(labels) // 5) and others * 5 < faults else None


_LEAST_LABELS = 8
_LEAST_FAULTS = 4


def _faults(labels: Iterable[str], dialect: Dialect) -> int:
    """How many labels a dialect cannot read, or finds in front of where they belong."""
    numbers = [dialect.parse(label) for label in labels]
    back = sum(
        one is not None and other is not None and other.order < one.order for one, other in pairwise(numbers)
    )
    return back + numbers.count(None)


def _labels(file: File) -> Iterator[Spot]:
    """What the lines of a text open with, if it may be a rule's label."""
    start = 0
    for line in file.text.split("\n"):
        heading = _HEADING.match(line)
        m = _OPENS.match(line, heading.end() if heading else 0)
        if m and (heading or not m["rest"][:1].islower()):
            written = m["label"].rstrip(".:)") if "(" not in m["label"] else m["label"].rstrip(".:")
            title = m["rest"].strip(" *_#") if len(m["rest"]) < 80 else ""
            short = bool(heading) or (0 < len(title) < 60 and not title.endswith((".", ",", ";")))
            yield Spot(written, file.place(start + m.start("label")), title if short else "", short)
        start += len(line) + 1


def _cited(file: File, markdown: bool) -> Iterator[Spot]:
    """What words of a text lead up to, if it may be a rule's number."""
    for m in _CITED.finditer(prose_of(file.text, markdown=markdown)):
        number = m["number"]
        if any(map(str.isdigit, number)) and (not number.isdigit() or _singular(m["cue"].lower()) in CUES):
            yield Spot(number, file.place(m.start("number")), m["cue"])


def _variants(guessed: Guess, labels: Sequence[Spot]) -> Iterator[Guess]:
    """The guess and what it may be as well: counted by hundreds, with appendices, with words in numbers."""
    yield guessed
    first, *others = guessed.numbers
    whole = [m[1] for spot in labels if (m := re.match(r"(\d+)(?!\d)", spot.written))]
    hundreds = [digits for digits in whole if len(digits) == 3]
    if first.startswith("1") and len(set(hundreds)) > 4 and len(hundreds) * 10 > len(whole) * 8:
        chapters = ["8."] if any(len(digits) == 1 for digits in whole) else ["100"]
        example = re.sub("^1", "100", first)
        yield replace(guessed, numbers=[example, *others], chapters=chapters)
    lettered = [
        spot.written for spot in labels if re.fullmatch(r"(?:Appendix\s+)?[A-Z](?:\.\d+)*", spot.written)
    ]
    if first.startswith(("1", "[1")) and len(lettered) > 1:
        forms = [*guessed.chapters, "Appendix A"]
        yield replace(guessed, numbers=[*guessed.numbers, "A.1"], chapters=forms)
    worded = Counter(
        re.sub(r"\d+", "1", re.sub(r"\b[A-Z]\b", "A", spot.written)) for spot in labels if " " in spot.written
    )
    for example, count in worded.most_common(1):
        if count > 1 and example_fault(example) is None:
            yield replace(guessed, numbers=[*guessed.numbers, example])


def _reads(guessed: Guess, spots: Iterable[Spot]) -> int:
    dialect = guessed.dialect()
    return sum(dialect.parse(spot.written.rstrip(".:")) is not None for spot in spots)


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def unread(found: Survey) -> Iterator[str]:
    """What the proposal leaves unread, each number once, with its first place."""
    first: dict[str, Place] = {}
    for spot in found.unread:
        first.setdefault(spot.written, spot.place)
    for written, place in list(first.items())[:_MOST_UNREAD]:
        yield f"{written} ({place})"
    if len(first) > _MOST_UNREAD:
        yield f"and {len(first) - _MOST_UNREAD} more"
