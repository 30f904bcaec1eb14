"""A plain text cut into headings, paragraphs and notes, and which heading lies in which.

That is told by numbers in numbers, by how far in a line stands, by kinds, by labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import pairwise

from rulewright.files.problems import SourceFile
from rulewright.imports.blocks import SourceBlock, plain
from rulewright.imports.sequence.step_titles import (
    MOST_WORDS,
    NAMED,
    NumberTest,
    ParsedTitle,
    StepLabel,
    is_title,
    label_of,
    title_of,
)
from rulewright.schema.step_kinds import KINDS, USUAL

_INDENT = re.compile(
    r"(?P<space>[ \t]*)(?P<quote>(?:>[ \t]*)*)(?P<hash>\#{1,6}[ \t]+)?(?P<bullet>[-*•–·▪◦][ \t]+)?"
)
_NOTE = re.compile(
    r"(?:Design |Play |Designer's )?(?:Notes?|EXC?|Exceptions?|Examples?)\s*[:.]", re.IGNORECASE
)
_ENDS = re.compile(r"""[.!?:;]['"’”)\]*_]*\Z""")
_RUN = re.compile(
    rf"(?:[A-Z][\w&/'’-]*|&|/|and|of)(?:[ ](?:[A-Z][\w&/'’-]*|&|/|and|of))*?[ ]{NAMED}(?=[ ]|\Z)"
)
_AGAIN = re.compile(r"\b(?:repeat|same as)", re.IGNORECASE)
_LONGEST_LABEL = 60
_LONGEST_RUN = 1_000
"""How long a line may be in which several headings were run together."""

_LONGEST_WORD = 60
_LAST = 20
"""How many characters may end a sentence at most: a full stop with brackets and quotes behind it."""

_FRAME = re.compile(r"\b(?:sequence|order of (?:play|a turn)|turn (?:order|outline))\b", re.IGNORECASE)
_WRAPS = 45
"""A shorter line that ends without a full stop is not likely to be the first of several."""


@dataclass(eq=False, slots=True)
class OutlineHeading:
    """A line that names a step, with what stands below it. `depth`: how far in it stands; `text`: all behind
    its label; `is_inline`: it stood in one line with others; `marked`: a bullet or # says that it is one;
    `restarts_labels`: labels begin again with it, though nothing says why.
    """

    line: int
    column: int
    label: StepLabel | None
    text: str
    depth: tuple[int, int] = (1, 0)
    is_inline: bool = False
    marked: bool = False
    joined_words: list[str] = field(default_factory=list)
    marker: str = ""
    colour: str = ""
    title: ParsedTitle = field(default_factory=lambda: ParsedTitle(""), init=False)
    paragraphs: list[OutlineParagraph] = field(default_factory=list, init=False)
    children: list[OutlineHeading] = field(default_factory=list, init=False)
    restarts_labels: bool = field(default=False, init=False)

    def walk(self) -> Iterator[OutlineHeading]:
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def printed(self) -> str:
        return f"{self.label.printed if self.label else ''} {self.title.printed}".strip()

    @property
    def sort(self) -> str:
        """The sort of label that all steps of one row have."""
        if self.label is None:
            return f"none {self.depth}"
        return "parts" if self.label.parts else self.label.counts[0][0].replace("roman", "letter")

    @property
    def is_frame(self) -> bool:
        """Whether it names the sequence of play, and no step of it."""
        return bool(_FRAME.search(self.title.words)) and not self.title.kind

    @property
    def rank(self) -> int:
        """How far out its kind stands; a labelled heading without a kind is taken for one of the usual."""
        if self.is_frame:
            return -1
        if self.title.kind:
            return KINDS.index(self.title.kind)
        return KINDS.index(USUAL) if self.label else len(KINDS)


@dataclass(slots=True)
class OutlineParagraph:
    """Words below a heading, joined from their lines. `note`: they begin by saying that they are one."""

    line: int
    text: str
    note: bool = False
    joined_words: list[str] = field(default_factory=list)


TextBlock = OutlineHeading | OutlineParagraph


def headings_of(
    blocks: Iterable[SourceBlock], words: Callable[[SourceBlock], str], *, keeps_markers: bool = False
) -> Iterator[TextBlock]:
    """Yield the items and headings of a document as headings, the rest as paragraphs.

    `keeps_markers`: the number of an item is the label that the book prints.
    """
    for block in blocks:
        if not (text := words(block)):
            continue
        labelled = label_of(text)
        label, start = labelled or (None, 0)
        is_heading = block.kind == "heading" and block.level
        if block.kind == "item" or is_heading or (label and block.kind == "paragraph"):
            depth = (0, block.level) if is_heading else (1, block.depth)
            marker = block.marker if keeps_markers and block.marker != "-" else ""
            colour = next((run.colour for run in block.runs if run.colour), "")
            yield OutlineHeading(
                block.line, 1, label, text[start:], depth, marked=True, marker=marker, colour=colour
            )
        elif block.kind == "table":
            for row in block.rows:
                yield OutlineParagraph(block.line, " ".join(plain(cell.runs) for cell in row))
        else:
            yield OutlineParagraph(block.line, text, bool(_NOTE.match(text)))


def parse_blocks(file: SourceFile) -> list[TextBlock]:
    """The pieces of a text, in its order. Every line with a letter or a digit in it is in one of them."""
    found: list[TextBlock] = []
    labels: list[StepLabel] = []
    parted = True  # by an empty line, or by the top of the text
    lines = [_line(number, raw) for number, raw in enumerate(re.split(r"\r\n|\n|\r", file.text), 1)]
    for line, behind in pairwise([*lines, _line(len(lines) + 1, "")]):
        if not re.search(r"\w", line.text):
            parted = parted or not line.text
            continue
        last = found[-1] if found else None
        is_open = (
            last
            and not (isinstance(last, OutlineHeading) and parted)
            and not _ENDS.search(last.text[-_LAST:])
        )
        if last and is_open and _goes_on(line, parted, last, labels):
            _join(last, line.text)
            parted = False
            continue
        goes_on = behind.text[:1].islower() and not label_of(behind.text)
        for piece in _split(line, parted, last, goes_on):
            before = found[-1] if found else None
            if isinstance(piece, OutlineHeading):
                labels += [piece.label] if piece.label else []
                found.append(piece)
            elif isinstance(before, OutlineParagraph) and not (parted or piece.note):
                _join(before, piece.text)
            else:
                found.append(piece)
        parted = False
    return found


def _line(number: int, raw: str) -> OutlineHeading:
    m = _INDENT.match(raw)
    assert m
    text = _plain(raw[m.end() :].strip())
    bullet = m["bullet"] or ""
    if bullet.startswith("-") and label_of(text):
        bullet = ""  # a dash in front of a number is neither
    indent = len(m["space"].expandtabs(4)) + 4 * m["quote"].count(">")
    depth = (0, len(m["hash"].strip())) if m["hash"] else (1, indent)
    return OutlineHeading(number, m.end() + 1, None, text, depth, marked=bool(m["hash"] or bullet))


def _plain(text: str) -> str:
    """A line without tags and the addresses of its links, and without emphasis around its beginning."""
    text = re.sub(r"</?[A-Za-z][^<>]*>", "", text)
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)", r"\1", unescape(text))
    text = re.sub(r"^(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?=\W|$)", r"\2", text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"^\*\*(.+)$", r"\1", text) if text.count("**") == 1 else text


def _goes_on(line: OutlineHeading, parted: bool, last: TextBlock, labels: list[StepLabel]) -> bool:
    """Whether a line goes on with a sentence that the line above has not ended."""
    labelled = label_of(line.text)
    if line.text[0].islower() and not labelled:
        return True
    if parted or line.marked or (_is_title(line.text) and re.search(rf"{NAMED}\b", line.text)):
        return False
    if isinstance(last, OutlineHeading) and (len(last.text) < _WRAPS or _is_title(last.text)):
        return False
    if labelled is None:
        return True
    label = labelled[0]
    known = any(label.following(one) or label.is_sibling(one) or label.is_inside(one) for one in labels)
    return not (known or any(count == 1 for _, count in label.counts))


def _split(line: OutlineHeading, parted: bool, last: TextBlock | None, goes_on: bool) -> Iterator[TextBlock]:
    """A heading, several run together, or words. `goes_on`: the next line continues a sentence of it."""
    labelled = label_of(line.text)
    if labelled:
        yield from _labelled(line, *labelled)
        return
    together = _RUN.findall(line.text) if len(line.text) <= _LONGEST_RUN else []
    after = (
        parted or isinstance(last, OutlineHeading) or last is None or bool(_ENDS.search(last.text[-_LAST:]))
    )
    is_sentence = re.search(r"[.;:,!?]['\"’”)*]*\Z|[.;:] ", line.text) or _AGAIN.search(line.text)
    # As what a list names: Cast off.
    is_brief = line.text[0].isupper() and len(line.text.split()) <= MOST_WORDS
    is_heading = _is_title(line.text) or (not goes_on and is_brief and not is_sentence)
    if len(together) > 1 and " ".join(together) == line.text:
        yield from (replace(line, text=part, is_inline=True, joined_words=[]) for part in together)
    elif line.marked or (after and is_heading):
        yield line
    else:
        yield OutlineParagraph(line.line, line.text, bool(_NOTE.match(line.text)))


def _labelled(line: OutlineHeading, label: StepLabel, start: int) -> Iterator[OutlineHeading]:
    """A heading with its label, and those in the same line whose labels follow on it."""
    at, run = 0, False
    for m in re.finditer(r"(?<=[\w.;,)])\s+(?=\S)", line.text):
        if m.start() < start:
            continue
        then = label_of(line.text[m.end() : m.end() + _LONGEST_LABEL])
        if then and then[0].following(label) and not then[0].parts:
            said = line.text[start : m.start()].strip()
            yield replace(
                line, column=line.column + at, label=label, text=said, is_inline=run, joined_words=[]
            )
            at, run, label, start = m.end(), True, then[0], m.end() + then[1]
    said = line.text[start:].strip()
    yield replace(line, column=line.column + at, label=label, text=said, is_inline=run, joined_words=[])


def _is_title(text: str) -> bool:
    """Whether a line without a label reads like a title: few words, in capitals or with capitals."""
    return is_title(text) and text[0].isupper() and not re.search(r"[.;,!?]['\"’”)*]*\Z|[.;] ", text)


def _join(piece: TextBlock, words: str) -> None:
    """Add a further line to a piece. A word that the line's end has parted is mended."""
    text = piece.text
    m = re.search(r"(\w+)-\Z", text[-_LONGEST_WORD:]) if text.endswith("-") else None
    behind = re.match(r"[a-z]+", words)
    if m and behind and m[1][-1].islower():
        piece.joined_words.append(f"{m[1]}-{behind.group()}")
        piece.text = text[:-1] + words
    else:
        is_parted = bool(m and words[0].isalpha())  # non-Phasing
        piece.text = f"{text}{words}" if is_parted else f"{text} {words}"


_DEEPEST = 10
"""Headings that lie deeper are put beside each other: no turn has as many levels, but a drawing has."""


def nest_headings(
    found: Sequence[TextBlock], is_number: NumberTest
) -> tuple[list[OutlineHeading], list[OutlineParagraph]]:
    """The headings as trees, each with its paragraphs, and the paragraphs in front of the first heading."""
    depths = {piece.depth for piece in found if isinstance(piece, OutlineHeading)}
    tops: list[OutlineHeading] = []
    before: list[OutlineParagraph] = []
    stack: list[OutlineHeading] = []
    for piece in found:
        if isinstance(piece, OutlineParagraph):
            (stack[-1].paragraphs if stack else before).append(piece)
            continue
        piece.title = title_of(piece.text, is_number, whole=piece.depth[0] == 0)
        closed = max(_closed_by(piece, stack, indented=len(depths) > 1), len(stack) - _DEEPEST)
        previous = stack[len(stack) - closed].label if closed else None
        del stack[len(stack) - closed :]
        if label := piece.label:
            named = (rank for rank in KINDS if label.printed.lower().startswith(rank))
            piece.title.kind = piece.title.kind or next(named, "")
            piece.label = label if label.parts else label.follow_type(previous)
            piece.restarts_labels = previous is not None and piece.label.is_below(previous)
        (stack[-1].children if stack else tops).append(piece)
        stack.append(piece)
    return tops, before


def _closed_by(node: OutlineHeading, stack: Sequence[OutlineHeading], indented: bool) -> int:
    """Count the open headings that end where this one begins, counted from the innermost.

    Numbers with several parts say it themselves; other labels by what they follow on, of two what stands as
    far in. `indented`: the lines of the text stand in more or less, which then says what lies in what.
    """
    label, opened = node.label, [*enumerate(reversed(stack))]
    if label and label.parts:
        for at, heading in opened:
            if heading.label and label.is_inside(heading.label):
                return at
            if heading.label and label.is_sibling(heading.label):
                return at + 1
        if any(one.label and one.label.parts for one in stack):
            return len(stack)
    elif label:
        before = [
            (one.depth != node.depth, at + 1)
            for at, one in opened
            if one.label and label.following(one.label)
        ]
        deeper, closed = min(before, default=(True, 0))
        if before and not (deeper and node.depth in {one.depth for one in stack}):
            return closed
    return next((at for at, one in opened if _lies_in(node, one, indented)), len(stack))


def _lies_in(node: OutlineHeading, around: OutlineHeading, indented: bool) -> bool:
    if node.depth != around.depth:
        return node.depth > around.depth
    if indented and node.marked and around.marked and not around.is_frame and not node.label:
        return False  # items of one list
    if around.is_frame or (node.title.kind and (around.title.kind or around.label)):
        return node.rank > around.rank
    if node.label and around.label:
        return not node.label.sorts(around.label) and not node.label.is_sibling(around.label)
    if node.label or around.label:
        return True
    return not indented and node.rank > around.rank
