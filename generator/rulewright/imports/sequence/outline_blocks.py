"""Headings of an outline: the blocks of a document or the lines of a text, as a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import zip_longest

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

_INDENT = re.compile(r"(?P<space>[ \t]*(?:>[ \t]*)*)(?P<hash>#{1,6}[ \t]+)?(?P<bullet>[-*•–·▪◦][ \t]+)?")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)|\*\*")
"""Tags, links and bold words of a text that is Markdown."""

_ENDS = re.compile(r"""[.!?:;]['"’”)\]*_]*\Z""")
FRAME = re.compile(r"\b(?:sequence|order of (?:play|a turn)|turn (?:order|outline))\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;,!?]['\"’”)*]*\Z|[.;] ")
_WRAPS = 45
"""A shorter line that ends without a full stop is hardly the first of several."""

_MAX_DEPTH = 10


@dataclass(eq=False, slots=True)
class OutlineHeading:
    """A line that names a step, or a paragraph below it. `depth`: its indentation; `text`: without its label.

    `is_marked`: a bullet or # shows that it is a heading; `is_new`: an empty line is above it.
    """

    line: int
    text: str
    label: StepLabel | None = None
    depth: tuple[int, int] = (1, 0)
    is_paragraph: bool = False
    is_marked: bool = False
    is_new: bool = False
    marker: str = ""
    colour: str = ""
    is_frame: bool = field(default=False, init=False)
    """It names the sequence of play, and no step of it."""

    title: ParsedTitle = field(default_factory=lambda: ParsedTitle(""), init=False)
    paragraphs: list[str] = field(default_factory=list, init=False)
    children: list[OutlineHeading] = field(default_factory=list, init=False)

    @property
    def printed(self) -> str:
        return f"{self.label.printed if self.label else ''} {self.title.printed}".strip()

    @property
    def rank(self) -> int:
        """The level of its kind; a labelled heading without a kind is like a usual step."""
        kind = self.title.kind or (USUAL if self.label else "")
        return -1 if self.is_frame else KINDS.index(kind) if kind else len(KINDS)


def document_lines(
    blocks: Iterable[SourceBlock], words: Callable[[SourceBlock], str], *, keeps_markers: bool = False
) -> Iterator[OutlineHeading]:
    """Yield the blocks of a document as lines. `keeps_markers`: the book prints the numbers of its lists."""
    for block in blocks:
        is_heading = block.kind == "heading" and block.level
        depth = (0, block.level) if is_heading else (1, block.depth)
        texts = [words(block)]
        for row in block.rows:
            texts.append(" ".join(plain(cell.runs) for cell in row))  # noqa: PERF401
        marker = block.marker if keeps_markers and block.marker != "-" else ""
        colour = next((run.colour for run in block.runs if run.colour), "")
        is_marked = bool(block.kind == "item" or is_heading)
        for text in filter(None, texts):
            yield OutlineHeading(block.line, text, None, depth, False, is_marked, True, marker, colour)


def text_lines(file: SourceFile) -> Iterator[OutlineHeading]:
    """Yield the lines of a text, each with its indentation and whether a bullet or # marks it."""
    is_new = True
    for number, line in enumerate(file.text.splitlines(), 1):
        match = _INDENT.match(line)
        text = _MARKUP.sub(r"\1", unescape(" ".join(line[match.end() if match else 0 :].split())))
        if match and re.search(r"\w", text):
            indent = len(match["space"].replace(">", "    ").expandtabs(4))
            depth = (0, len(match["hash"].strip())) if match["hash"] else (1, indent)
            is_marked = bool(match["hash"] or match["bullet"])
            yield OutlineHeading(number, text, depth=depth, is_marked=is_marked, is_new=is_new)
            is_new = False
        is_new = is_new or not text


def read_headings(lines: Iterable[OutlineHeading]) -> list[OutlineHeading]:
    """Return lines as headings and paragraphs; a line that continues the text above is joined to it."""
    pieces: list[OutlineHeading] = []
    every_line = list(lines)
    for line, following in zip_longest(every_line, every_line[1:]):
        last = pieces[-1] if pieces else None
        label, start = label_of(line.text) or (None, 0)
        if last and not line.is_marked and _continues(line, last, label):
            _join(last, line.text)
        elif label:
            pieces.append(replace(line, label=label, text=line.text[start:].strip()))
        elif line.is_marked or is_bare_title(line.text) or _is_brief(line, last, following):
            pieces.append(line)
        elif last and last.is_paragraph and not line.is_new:
            _join(last, line.text)
        else:
            pieces.append(replace(line, is_paragraph=True))
    return pieces


def _continues(line: OutlineHeading, last: OutlineHeading, label: StepLabel | None) -> bool:
    """Return whether a line continues a sentence that the text above has not ended."""
    if _ENDS.search(last.text[-20:]) or (line.is_new and not last.is_paragraph):
        return False
    if not label and line.text[0].islower():
        return True
    is_whole = not last.is_paragraph and (len(last.text) < _WRAPS or is_bare_title(last.text))
    return not (label or line.is_new or is_whole or is_bare_title(line.text))


def _is_brief(line: OutlineHeading, last: OutlineHeading | None, following: OutlineHeading | None) -> bool:
    """Return whether a line without a label names a step in a few words, such as “Cast off”."""
    is_sentence = ":" in line.text or _SENTENCE.search(line.text) or REPEAT.search(line.text)
    if is_sentence or (last and last.is_paragraph and not line.is_new):
        return False
    is_continued = following and following.text[0].islower() and not label_of(following.text)
    return line.text[0].isupper() and len(line.text.split()) <= MAX_WORDS and not is_continued


def is_bare_title(text: str) -> bool:
    """Return whether a line without a label reads like a title: few words with capitals."""
    return is_title(text) and text[0].isupper() and not _SENTENCE.search(text)


def _join(piece: OutlineHeading, words: str) -> None:
    """Add a further line to a piece. A word that the end of the line split is joined."""
    if re.search(r"[^\W\d_]-\Z", piece.text[-2:]) and words[0].isalpha():
        piece.text = f"{piece.text[:-1] if words[0].islower() else piece.text}{words}"
    else:
        piece.text = f"{piece.text} {words}"


def nest_headings(
    pieces: Sequence[OutlineHeading], is_number: NumberTest
) -> tuple[list[OutlineHeading], list[str]]:
    """Return the headings as trees, each with its paragraphs, and the paragraphs before the first heading."""
    is_indented = len({piece.depth for piece in pieces if not piece.is_paragraph}) > 1
    top_headings: list[OutlineHeading] = []
    before: list[str] = []
    stack: list[OutlineHeading] = []
    for piece in pieces:
        if piece.is_paragraph:
            (stack[-1].paragraphs if stack else before).append(piece.text)
            continue
        piece.title = title_of(piece.text, is_number, is_whole=piece.depth[0] == 0)
        piece.is_frame = bool(FRAME.search(piece.title.words)) and not piece.title.kind
        closed = max(_count_closed(piece, stack, is_indented=is_indented), len(stack) - _MAX_DEPTH)
        previous = stack[len(stack) - closed].label if closed else None
        del stack[len(stack) - closed :]
        if label := piece.label:
            kinds = [kind for kind in KINDS if label.printed.lower().startswith(kind)]
            piece.title.kind = piece.title.kind or "".join(kinds[:1])
            piece.label = label if label.is_nested else label.read_after(previous)
        (stack[-1].children if stack else top_headings).append(piece)
        stack.append(piece)
    return top_headings, before


def _count_closed(node: OutlineHeading, stack: Sequence[OutlineHeading], *, is_indented: bool) -> int:
    """Return how many open headings end where this begins, counted from the innermost.

    Nested numbers show it themselves; other labels by what they follow, then the indentation.
    """
    label, opened = node.label, [*enumerate(reversed(stack))]
    for index, heading in opened if label else ():
        if label and heading.label and label.is_inside(heading.label):
            return index
        if label and heading.label and (label.is_sibling(heading.label) or label.following(heading.label)):
            return index + 1
    if label and label.is_nested and any(heading.label and heading.label.is_nested for heading in stack):
        return len(stack)
    return next((n for n, heading in opened if _is_inside(node, heading, is_indented)), len(stack))


def _is_inside(node: OutlineHeading, outer: OutlineHeading, is_indented: bool) -> bool:
    if node.depth != outer.depth:
        return node.depth > outer.depth
    if is_indented and node.is_marked and outer.is_marked and not (outer.is_frame or node.label):
        return False  # items of the same list
    if outer.is_frame or (node.title.kind and (outer.title.kind or outer.label)):
        return node.rank > outer.rank
    if node.label and outer.label:
        is_alike = (
            node.label.style == outer.label.style and node.label.keys[0][0][0] == outer.label.keys[0][0][0]
        )
        return not is_alike and not node.label.is_sibling(outer.label)
    return bool(node.label or outer.label) or (not is_indented and node.rank > outer.rank)
