"""The form that every source is read into: blocks in the order of the book, each with runs of words.

Lists and notes are not nested: a block has the number of lists around it and the note it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.imports.sources.source_site import SourcePage, SourceSite

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
"""A word as the report counts words: letters and digits, with apostrophes inside."""

BREAK = "\x0b"
"""Line break that the author wants; a new paragraph begins there."""


@dataclass(frozen=True, eq=False, slots=True)
class Link:
    """A link as its author wrote it: its address, and the line of the file."""

    href: str
    line: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: its address, the words for it and below it."""

    address: str
    words: str = ""
    caption: str = ""
    is_table: bool = False
    """It is the place of a table that has a file of its own."""


@dataclass(frozen=True, slots=True)
class Run:
    """Words with the same emphasis. A line end of the source is a line end in the text."""

    text: str
    line: int = 0
    strong: bool = False
    emphasis: bool = False
    colour: str = ""
    link: Link | None = None
    picture: Picture | None = None
    """The picture in this place, which has no text."""


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    runs: Runs
    columns: int = 1
    rows: int = 1
    is_header: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Admonition:
    """A note or a quote that several blocks may belong to. Its kind is empty for a quote."""

    kind: str


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """One heading, paragraph, item of a list or table."""

    kind: str
    """heading, paragraph, item, table."""

    runs: Runs
    page: SourcePage
    line: int
    level: int = 0
    """Level of a heading: 0 for the title of a page."""

    depth: int = 0
    """The number of lists that the block lies in."""

    marker: str = ""
    """What is printed in front of an item: `-` or `1.`."""

    ids: tuple[str, ...] = ()
    """The addresses of the block; the first is that which the site makes of a heading."""

    rows: tuple[tuple[Cell, ...], ...] = ()
    caption: Runs = ()
    admonition: Admonition | None = None

    @property
    def text(self) -> str:
        """The words with their line ends."""
        return raw_text(self.runs)


@dataclass(frozen=True, slots=True)
class LeftOutWords:
    """Words of a line of the source that are no words of the book, and why."""

    page: SourcePage
    line: int
    words: str
    reason: str


@dataclass(frozen=True, slots=True)
class Guess:
    """Something that the import decided and the editor should look at."""

    page: SourcePage
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a source with the words that a reader of it sees."""

    page: SourcePage
    line: int
    words: Sequence[str]


@dataclass(slots=True)
class ReadSource:
    """Result of the first stage: the site, its blocks, and words that were left out."""

    site: SourceSite
    blocks: list[SourceBlock] = field(default_factory=list)
    left_out: list[LeftOutWords] = field(default_factory=list)
    lines: list[SourceLine] = field(default_factory=list)
    """The words of the source, collected apart from the blocks."""

    broken_sentences: int = 0
    """Paragraphs of a PDF that end in the middle of a sentence."""

    def add_line(self, page: SourcePage, line: int, words: str) -> None:
        self.lines.append(SourceLine(page, line, WORD.findall(words)))


@dataclass(slots=True)
class Notes:
    """Report of the stages after reading: guesses, words left out and words added."""

    guesses: list[Guess] = field(default_factory=list)
    left_out: list[LeftOutWords] = field(default_factory=list)
    added: list[str] = field(default_factory=list)

    def guess(self, block: SourceBlock, message: str) -> None:
        self.guesses.append(Guess(block.page, block.line, message))

    def leave_out(self, block: SourceBlock, words: str, reason: str) -> None:
        if words.strip():
            self.left_out.append(LeftOutWords(block.page, block.line, words, reason))


def raw_text(runs: Iterable[Run]) -> str:
    """Return the words of runs with their line ends."""
    return "".join(run.text for run in runs)


def plain(runs: Iterable[Run]) -> str:
    """Return the words of runs in one line."""
    return " ".join(raw_text(runs).split())


def with_line(block: SourceBlock, line: str) -> SourceBlock:
    """Return a block of a single run with another line."""
    (run,) = block.runs
    return replace(block, runs=(replace(run, text=f"{run.text}\n{line}"),))


def cut(runs: Sequence[Run], offset: int) -> tuple[Runs, Runs]:
    """Return the runs before and from an offset of their text."""
    for index, run in enumerate(runs):
        if offset < len(run.text):
            head = run.text[:offset]
            rest = replace(run, text=run.text[offset:], line=run.line + head.count("\n"))
            before = (*runs[:index], replace(run, text=head)) if head else runs[:index]
            return tuple(before), (rest, *runs[index + 1 :])
        offset -= len(run.text)
    return tuple(runs), ()


def after(runs: Sequence[Run], offset: int) -> Runs:
    """Return the runs from an offset of their text, with the pictures before it."""
    before, rest = cut(runs, offset)
    return strip((*(run for run in before if run.picture), *rest))


def strip(runs: Sequence[Run]) -> Runs:
    """Return runs without white space at both ends."""
    filled = [index for index, run in enumerate(runs) if run.picture or run.text.strip()]
    if not filled:
        return ()
    *stripped, last = runs[filled[0] : filled[-1] + 1]
    stripped.append(replace(last, text=last.text.rstrip()))
    first = stripped[0].text
    space = len(first) - len(first.lstrip())
    return cut(stripped, space)[1] if space else tuple(stripped)


def is_bold(runs: Iterable[Run]) -> bool:
    """Return whether all words of runs are bold."""
    return all(run.strong for run in runs if run.text.strip())


def bold_end(runs: Iterable[Run]) -> int:
    """Return the length of the bold text, without links, that runs begin with."""
    end = 0
    for run in runs:
        if run.text and (not run.strong or run.link):
            break
        end += len(run.text)
    return end


def cut_block(block: SourceBlock, offset: int) -> tuple[SourceBlock, SourceBlock]:
    """Return a block as two, cut at an offset of its text."""
    head, tail = cut(block.runs, offset)
    line = tail[0].line if tail and tail[0].line else block.line
    kind = "paragraph" if block.kind == "item" else block.kind
    rest = replace(block, kind=kind, runs=strip(tail), ids=(), line=line, marker="")
    return replace(block, runs=strip(head)), rest


def block_runs(block: SourceBlock) -> Iterator[Run]:
    """Yield the runs of a block, and those of the cells of a table."""
    yield from (*block.runs, *block.caption)
    for row in block.rows:
        for cell in row:
            yield from cell.runs
