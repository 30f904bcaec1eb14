"""A proposal for rulebook.yml from texts of a book: how it numbers its rules, and what leads up to numbers.

What a line opens with is a label; what a word leads up to is cited. The dialect that reads most of both is
proposed, with how much it reads and what it leaves unread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from rulewright.citations.manuscript import prose_of
from rulewright.model.reports import several
from rulewright.numbers.dialect import Dialect, Number
from rulewright.numbers.evidence import CUES, with_own
from rulewright.numbers.guessing import NAMED, guess
from rulewright.source.problems import File, Place
from rulewright.source.writing import Brief, Label, Remarked, Value, written

_HEADING = re.compile(r"""[ >]{0,9}\#{1,6}[ \t]+|title[ \t]*[:=][ \t]*["']?""")
_LETTER = r"[^\W\d_]"
_OPENS = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?(?P<bold>[*_]{0,3})"
    rf"(?P<label>(?P<word>{_LETTER}{{2,12}}\.?[ \t]+)?"
    rf"[\[(§]?(?:\d|(?:{_LETTER}{{1,2}}|[IVX]+)(?:[.\d]|[(-]\w{{1,4}}\b)"
    rf"|(?:[A-Z]|[IVX]+)(?=[ \t]+[A-Z])|(?<=Appendix )[A-Z])[^\s*_]{{0,20}}"
    rf"(?(word)(?:[ \t]+{_LETTER}+[ \t]+[A-Z]{{1,2}}(?!\w))?))"
    r"[*_]{0,3}[ \t.:–—-]*(?P<rest>[^\n]*)"
)
_CITED = re.compile(
    rf"(?<!{_LETTER})(?P<cue>{_LETTER}+\.?)\s+[“\"*_\[]{{0,3}}"
    rf"(?P<number>§?(?:[A-Z]{{0,2}}\d{{1,3}}|[A-Z]{{1,2}}(?=[.\d])"
    rf"|[IVX]+(?=\.))(?:[.:/]?\w+|-(?=[^\W\d])\w+|-\d+|\(\w{{1,4}}\))*)"
)
_LIKE_A_NUMBER = re.compile(r"§?\[?\w{1,4}[.:(-]\w|\d{3}\b")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b")
_WORD = re.compile(r"[^\W\d_]+")
_TITLE_END = re.compile(r"[*_]{2,3}")
_WORDS = "a an and or to the of in on for at by than is are was be with from"
_NO_CUES = frozenset(f"{_WORDS} hex hexes turn page table figure version".split())
_LEAST_CUE = 3
_LEAST_SHARE = 0.3
"""How often a number stands behind a word at least, of all the times that it is used, if it is a cue."""

_FEW_CITED = 20
_MOST_UNREAD = 20


class Spot(NamedTuple):
    """A number as a text has it, with its place and the title behind it, or the word that leads up to it.

    `printed`: a label with the signs that end it."""

    written: str
    place: Place
    words: str = ""
    heading: bool = False
    printed: str = ""


@dataclass(frozen=True)
class Survey:
    """Numbering proposed from a book's texts, and how much of them the proposal reads.

    `known`: the numbers that the labels are read as, in order, with their titles; `alphabet`:
    the letters of the numbers, where they are not a to z.
    """

    numbers: Sequence[str]
    chapters: Sequence[str]
    cues: Sequence[str]
    labels: Sequence[Spot]
    cited: Sequence[Spot]
    unread: Sequence[Spot]
    known: Sequence[tuple[Number, str]]
    alphabet: str = ""


def survey(files: Iterable[tuple[File, bool]]) -> Survey | None:
    """Propose a dialect for texts, each with whether it is Markdown; None where nothing looks like one."""
    labels: list[Spot] = []
    cited: list[Spot] = []
    uses: Counter[str] = Counter()
    for file, markdown in files:
        labels += _labels(file)
        prose = prose_of(file.text, is_markdown=markdown)
        cited += _cited(file, prose)
        uses.update(_singular(word.lower()) for word in _WORD.findall(prose))
    # A letter alone is a chapter where a number in it follows.
    labels = [
        one
        for one, then in zip_longest(labels, labels[1:])
        if not one.written.isalpha() or (then and then.written.startswith(one.written))
    ]
    opened = [(spot.printed, spot.heading) for spot in labels]
    cited = [spot for spot in cited if _cue(spot) not in _NO_CUES]
    deep = [f"{spot.words} {spot.written}" for spot in cited] * (3 if len(cited) <= _FEW_CITED else 1)
    guessed = guess(opened, deep) or guess([(spot.written, True) for spot in cited])
    if guessed is None:
        return None
    dialect = guessed.dialect()
    leading = Counter(_cue(spot) for spot in cited if dialect.parse(spot.written))
    dotted = Counter(_cue(spot) for spot in cited if spot.words.endswith("."))
    often = [
        f"{word}." if dotted[word] * 2 > count else word
        for word, count in leading.most_common()
        if count >= max(_LEAST_CUE, uses[word] * _LEAST_SHARE)
    ]
    cues = [word for word in often if word not in CUES]
    every = {*with_own(cues)}
    meant = [spot for spot in cited if {_cue(spot), f"{_cue(spot)}."} & every or _read(spot, dialect, True)]
    labels = [spot for spot in labels if _read(spot, dialect) or _LIKE_A_NUMBER.match(spot.written)]
    unread, known = list[Spot](), dict[str, tuple[Number, str]]()
    for spot in labels:
        if number := _read(spot, dialect):
            known.setdefault(number.key, (number, spot.words))
        else:
            unread.append(spot)
    unread += [spot for spot in meant if not _read(spot, dialect, True)]
    unread = [spot for spot in unread if _LIKE_A_NUMBER.match(spot.written)]
    found = guessed.numbers, guessed.chapters, cues
    return Survey(*found, labels, meant, unread, list(known.values()), guessed.alphabet)


def _labels(file: File) -> Iterator[Spot]:
    """Labels that may be a rule's, at the beginning of lines of a text."""
    start = 0
    for line in file.text.split("\n"):
        heading = _HEADING.match(line)
        m = _OPENS.match(line, heading.end() if heading else 0)
        if m and (heading or not m["rest"][:1].islower()) and "](" not in line[: m.start("rest")]:
            label = m["label"].rstrip(".:") if "(" in m["label"] else m["label"].rstrip(".:)")
            title = _title(m["rest"], bool(m["bold"]), bool(heading))
            if not _ORDINAL.match(label):
                place = file.place(start + m.start("label"))
                yield Spot(label, place, title, bool(heading or title), m["label"])
        start += len(line) + 1


def _title(rest: str, bold: bool, heading: bool) -> str:
    """The title in what stands behind a label: all of a heading, the bold beginning or a short line."""
    if bold:
        closed = _TITLE_END.search(rest)
        return rest[: closed.start()].strip(" .:") if closed and closed.start() < 80 else ""
    title = rest.strip(" *_#\"'\r")
    return title if heading or (len(title) < 60 and not title.endswith((".", ",", ";", ":"))) else ""


def _cited(file: File, prose: str) -> Iterator[Spot]:
    """Numbers that may be a rule's, behind words of a text that lead up to one."""
    for m in _CITED.finditer(prose):
        number = m["number"]
        if _LIKE_A_NUMBER.match(number) or (number.isdigit() and _singular(m["cue"].lower()) in CUES[3:]):
            yield Spot(number, file.place(m.start("number")), m["cue"])


def _read(spot: Spot, dialect: Dialect, cited: bool = False) -> Number | None:
    led = f"{spot.words} {spot.written}" if cited else NAMED.sub("", spot.written)
    return dialect.parse(spot.written) or dialect.parse(led)


def _cue(spot: Spot) -> str:
    return _singular(spot.words.lower().rstrip("."))


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def unread(found: Survey) -> Iterator[str]:
    """The numbers that the proposal leaves unread, each once, with its first place."""
    first: dict[str, Place] = {}
    for spot in found.unread:
        first.setdefault(spot.written, spot.place)
    for number, place in list(first.items())[:_MOST_UNREAD]:
        yield f"{number} ({place})"
    if len(first) > _MOST_UNREAD:
        yield f"and {len(first) - _MOST_UNREAD} more"


# The proposal, told


def as_rulebook(found: Survey, files: int) -> str:
    """The keys of a rulebook.yml, with how much of how many files they read."""
    lost = len(found.unread)
    read = several(len(found.labels), "label") + " and " + several(len(found.cited), "cited number")
    remarks = [f"{read} in {several(files, 'file')}; {lost or 'none'} of them unread"]
    remarks += [f"unread: {one}" for one in unread(found)]
    numbers = [Label(one) for one in found.numbers]
    entries: dict[str, Value] = {
        "numbers": Remarked(numbers[0] if len(numbers) == 1 else Brief(numbers), remarks)
    }
    if found.chapters:
        entries["chapters"] = Brief([Label(form) for form in found.chapters])
    if found.alphabet:
        entries["alphabet"] = found.alphabet
    if found.cues:
        entries["cues"] = Brief([*found.cues])
    return written(entries)


def as_known(found: Survey) -> str:
    """The known.yml: each number with its title."""
    rows = [
        Brief({"number": Label(number.key), **({"title": title} if title else {})})
        for number, title in found.known
    ]
    return written({"known": rows})
