"""Headings of an outline: the blocks of a document or the lines of a text, as a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape

from rulewright.files.problems import SourceFile
from rulewright.imports.blocks import SourceBlock, plain
from rulewright.imports.sequence.step_titles import (
    MAX_WORDS,
    REPEAT,
    NumberTest,
    ParsedTitle,
    StepLabel,
    is_title,
    label_of,
    title_of,
)
from rulewright.schema.step_kinds import KINDS, USUAL

_LINE = re.compile(r"([ \t]*(?:>[ \t]*)*)(#{1,6}[ \t]+)?([-*•–·▪◦][ \t]+)?(.*)")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)|\*\*")
"""Tags, links and bold words of a text that is Markdown."""

_ENDS = re.compile(r"""[.!?:;]['"’”)\]*_]*\Z""")
SEQUENCE = re.compile(
    r"(?<!con)sequence|outline of play|order of (?:play|a turn)|turn (?:order|outline)|ablauf|reihenfolge"
    r"|séquence|secuencia",
    re.IGNORECASE,
)
"""Words of a heading that names the sequence of play."""

_SENTENCE = re.compile(r"[.;,!?]['\"’”)*]*\Z|[.;] ")
_WRAPS = 45
"""A shorter line that ends without a full stop is hardly the first of several."""

_MAX_DEPTH = 10


@dataclass(eq=False, slots=True)
class OutlineHeading:
    """A line that names a step, or a paragraph below it. `depth`: its indentation; `text`: without its label.

    `is_marked`: a bullet or # shows that it is a heading; `is_new`: an empty line is above it.
    """

    text: str
    depth: tuple[int, int] = (1, 0)
    is_marked: bool = False
    is_new: bool = False
    marker: str = ""
    colour: str = ""
    label: StepLabel | None = field(default=None, init=False)
    title: ParsedTitle = field(default_factory=lambda: ParsedTitle(""), init=False)
    paragraphs: list[str] = field(default_factory=list, init=False)
    children: list[OutlineHeading] = field(default_factory=list, init=False)

    @property
    def printed(self) -> str:
        return f"{self.label.printed if self.label else ''} {self.text}".strip()

    @property
    def body(self) -> str:
        """The words after its title, and the paragraphs below it."""
        return "\n\n".join(filter(None, [self.title.rest, *self.paragraphs]))

    @property
    def is_bare_title(self) -> bool:
        """Return whether its words read like a title: few words with capitals."""
        return is_title(self.text) and self.text[0].isupper() and not _SENTENCE.search(self.text)

    @property
    def is_paragraph(self) -> bool:
        """Return whether it names no step: it is unmarked and longer than a title or “Cast off”."""
        is_sentence = ":" in self.text or _SENTENCE.search(self.text) or REPEAT.search(self.text)
        is_brief = self.text[:1].isupper() and len(self.text.split()) <= MAX_WORDS and not is_sentence
        return not (self.label or self.is_marked or is_brief or self.is_bare_title)

    @property
    def rank(self) -> int:
        """The level of its kind; a labelled heading without a kind is like a usual step."""
        kind = self.title.kind or (USUAL if self.label else "")
        return KINDS.index(kind) if kind else len(KINDS)


def document_lines(
    blocks: Iterable[SourceBlock], words: Callable[[SourceBlock], str]
) -> Iterator[OutlineHeading]:
    """Yield the blocks of a document as lines. `words`: the words of a block without those of its rows."""
    for block in blocks:
        is_heading = block.level > 0
        cells = [plain(cell.runs) for row in block.rows for cell in row]
        yield OutlineHeading(
            " ".join([words(block), *cells]),
            (0, block.level) if is_heading else (1, block.depth),
            is_marked=is_heading or block.kind == "item",
            is_new=True,
            marker=block.marker.strip("-"),
            colour=next((run.colour for run in block.runs if run.colour), ""),
        )


def text_lines(file: SourceFile) -> Iterator[OutlineHeading]:
    """Yield the lines of a text, each with its indentation and whether a bullet or # marks it."""
    is_new = True
    for line in file.text.splitlines():
        space, sharps, bullet, text = _LINE.findall(line)[0]
        text = _MARKUP.sub(r"\1", unescape(" ".join(text.split())))
        if re.search(r"\w", text):
            indent = len(space.expandtabs(4))
            depth = (0, len(sharps.strip())) if sharps else (1, indent)
            yield OutlineHeading(text, depth, bool(sharps or bullet), is_new)
        is_new = not text


def read_headings(lines: Iterable[OutlineHeading], is_number: NumberTest) -> list[OutlineHeading]:
    """Return lines as headings and paragraphs; a line that continues the text above is joined to it."""
    pieces: list[OutlineHeading] = []
    for line in (line for line in lines if line.text.strip()):
        label, start = label_of(line.text) or (None, 0)
        if pieces and not (label or line.is_marked) and _continues(line, pieces[-1]):
            _join(pieces[-1], line.text)
        else:
            line.label, line.text = label, line.text[start:].strip()
            pieces.append(line)
    for piece in pieces:
        piece.title = title_of(piece.text, is_number, is_whole=piece.depth[0] == 0)
        words = piece.label.style if piece.label else ""
        piece.title.kind = piece.title.kind or (words if words in KINDS else "")
    return pieces


def _continues(line: OutlineHeading, last: OutlineHeading) -> bool:
    """Return whether a line without a mark continues the text of the line above it."""
    is_ended = bool(_ENDS.search(last.text[-20:]))
    if line.text[:1].islower() and not is_ended:
        return last.is_paragraph or not line.is_new
    is_whole = is_ended or len(last.text) < _WRAPS or last.is_bare_title
    return not (line.is_new or line.is_bare_title) and (last.is_paragraph or not is_whole)


def _join(piece: OutlineHeading, words: str) -> None:
    """Add a further line to a piece. A word that the end of the line split is joined."""
    if re.search(r"[^\W\d_]-\Z", piece.text[-2:]):
        piece.text = f"{piece.text[:-1] if words[0].islower() else piece.text}{words}"
    else:
        piece.text = f"{piece.text} {words}"


def split_front(pieces: Sequence[OutlineHeading]) -> tuple[list[OutlineHeading], list[OutlineHeading]]:
    """Return the titles of the sequence with the text below them, and the rest of the pieces."""
    has_steps = any(piece.label or piece.title.kind for piece in pieces[1:])
    for index, piece in enumerate(pieces):
        is_step = piece.label or piece.is_marked or piece.title.kind
        is_title_of_all = index == 0 and has_steps and not is_step
        is_frame = SEQUENCE.search(piece.title.words) and not piece.title.kind
        if not (piece.is_paragraph or is_frame or is_title_of_all):
            return [*pieces[:index]], [*pieces[index:]]
    return [*pieces], []


def nest_headings(pieces: Sequence[OutlineHeading]) -> list[OutlineHeading]:
    """Return the headings as trees, each with its paragraphs."""
    is_indented = len({piece.depth for piece in pieces if not piece.is_paragraph}) > 1
    top_headings: list[OutlineHeading] = []
    stack: list[OutlineHeading] = []
    for piece in pieces:
        if piece.is_paragraph and stack:
            stack[-1].paragraphs.append(piece.text)
            continue
        level = min(_level(piece, stack, is_indented=is_indented), _MAX_DEPTH)
        before = stack[level].label if level < len(stack) else None
        if piece.label and before:
            piece.label.keys = piece.label.following(before) or piece.label.keys
        del stack[level:]
        (stack[-1].children if stack else top_headings).append(piece)
        stack.append(piece)
    return top_headings


def _level(node: OutlineHeading, stack: Sequence[OutlineHeading], *, is_indented: bool) -> int:
    """Return how many of the open headings a heading is inside.

    Nested numbers show it themselves; other labels by what they follow, then the indentation.
    """
    label = node.label
    opened = [*reversed([*enumerate(stack)])]
    labels = [(level, outer.label) for level, outer in opened if outer.label]
    if label and label.is_nested:
        levels = [level + 1 for level, outer in labels if label.is_inside(outer)]
        levels += [level for level, outer in labels[::-1] if outer.is_nested]
    else:
        levels = [level for level, outer in labels if label and label.following(outer)]
    levels += [level + 1 for level, outer in opened if _is_inside(node, outer, is_indented)]
    return next(iter(levels), 0)


def _is_inside(node: OutlineHeading, outer: OutlineHeading, is_indented: bool) -> bool:
    """Return whether a heading is inside an open one, by indentation, then by the kinds that both name."""
    label, outer_label = node.label, outer.label
    if node.depth != outer.depth:
        return node.depth > outer.depth
    is_same_list = node.is_marked and outer.is_marked
    if is_indented and not label and (is_same_list or not outer_label):
        return False
    if node.title.kind and (outer.title.kind or outer_label):
        return node.rank > outer.rank
    if label and outer_label:
        return label.series != outer_label.series
    return bool(label or outer_label) or node.rank > outer.rank
