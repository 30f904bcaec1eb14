"""Headings of an outline: those of a document, or the lines of a text, as a tree."""

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
    NumberTest,
    ParsedTitle,
    StepLabel,
    is_title,
    kind_of,
    label_of,
    title_of,
)
from rulewright.schema.step_kinds import KINDS, USUAL

_INDENT = re.compile(r"(?P<space>[ \t]*(?:>[ \t]*)*)(?P<hash>#{1,6}[ \t]+)?(?P<bullet>[-*•–·▪◦][ \t]+)?")
_ENDS = re.compile(r"""[.!?:;]['"’”)\]*_]*\Z""")
_FRAME = re.compile(r"\b(?:sequence|order of (?:play|a turn)|turn (?:order|outline))\b", re.IGNORECASE)
_AGAIN = re.compile(r"\b(?:repeat|same as)", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;:,!?]['\"’”)*]*\Z|[.;:] ")
_KIND = re.compile(rf"\b(?:{'|'.join(kind.title().replace(' ', '[ -]') for kind in KINDS)})s?\b")
_WRAPS = 45
"""A shorter line that ends without a full stop is hardly the first of several."""

_MAX_DEPTH, _MAX_LINE = 10, 1_000


@dataclass(eq=False, slots=True)
class OutlineHeading:
    """A line that names a step, or a paragraph below it. `depth`: its indentation; `text`: without its label.

    `is_marked`: a bullet or # shows that it is a heading; `is_inline`: it was in a line with others.
    """

    line: int
    text: str
    label: StepLabel | None = None
    depth: tuple[int, int] = (1, 0)
    is_paragraph: bool = False
    is_marked: bool = False
    is_inline: bool = False
    marker: str = ""
    colour: str = ""
    title: ParsedTitle = field(default_factory=lambda: ParsedTitle(""), init=False)
    paragraphs: list[str] = field(default_factory=list, init=False)
    children: list[OutlineHeading] = field(default_factory=list, init=False)

    def walk(self) -> Iterator[OutlineHeading]:
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def printed(self) -> str:
        return f"{self.label.printed if self.label else ''} {self.title.printed}".strip()

    @property
    def row_style(self) -> str:
        """The style of label that all steps of a row have."""
        if self.label is None:
            return f"none {self.depth}"
        return "nested" if self.label.is_nested else self.label.style

    @property
    def is_frame(self) -> bool:
        """Whether it names the sequence of play, and no step of it."""
        return bool(_FRAME.search(self.title.words)) and not self.title.kind

    @property
    def rank(self) -> int:
        """The level of its kind; a labelled heading without a kind is like a usual step."""
        if self.is_frame:
            return -1
        kind = self.title.kind or (USUAL if self.label else "")
        return KINDS.index(kind) if kind else len(KINDS)


def headings_of(
    blocks: Iterable[SourceBlock], words: Callable[[SourceBlock], str], *, keeps_markers: bool = False
) -> Iterator[OutlineHeading]:
    """Yield the items and headings of a document as headings, the rest as paragraphs.

    `keeps_markers`: the number of an item is the label that the book prints.
    """
    for block in blocks:
        text = words(block)
        for row in block.rows:
            yield OutlineHeading(block.line, " ".join(plain(cell.runs) for cell in row), is_paragraph=True)
        if not text:
            continue
        is_heading = block.kind == "heading" and block.level
        label, start = label_of(text) or (None, 0)
        if block.kind == "item" or is_heading or (label and block.kind == "paragraph"):
            yield OutlineHeading(
                block.line,
                text[start:],
                label,
                (0, block.level) if is_heading else (1, block.depth),
                is_marked=True,
                marker=block.marker if keeps_markers and block.marker != "-" else "",
                colour=next((run.colour for run in block.runs if run.colour), ""),
            )
        else:
            yield OutlineHeading(block.line, text, is_paragraph=True)


def read_outline_text(file: SourceFile) -> list[OutlineHeading]:
    """Return the headings and paragraphs of a text. Each line with a letter or a digit is in one of them."""
    pieces: list[OutlineHeading] = []
    labels: list[StepLabel] = []
    is_new = True  # after an empty line, or at the top
    lines = [_read_line(number, line) for number, line in enumerate(file.text.splitlines(), 1)]
    for line, following in zip_longest(lines, lines[1:]):
        if not re.search(r"\w", line.text):
            is_new = is_new or not line.text
            continue
        last = pieces[-1] if pieces else None
        is_open = last and (last.is_paragraph or not is_new) and not _ENDS.search(last.text[-20:])
        if last and is_open and _continues(line, last, labels, is_new=is_new):
            _join(last, line.text)
        elif labelled := label_of(line.text):
            headings = [*_split_labels(line, *labelled)]
            labels += [heading.label for heading in headings if heading.label]
            pieces += headings
        elif line.is_marked or _is_heading(line, last, following, is_new=is_new):
            pieces += _split_kinds(line)
        elif last and last.is_paragraph and not is_new:
            _join(last, line.text)
        else:
            pieces.append(replace(line, is_paragraph=True))
        is_new = False
    return pieces


def _read_line(number: int, line: str) -> OutlineHeading:
    match = _INDENT.match(line)
    assert match
    text = re.sub(r"</?[A-Za-z][^<>]*>", "", line[match.end() :].strip())
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)", r"\1", unescape(text))
    text = re.sub(r"^(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?=\W|$)", r"\2", text)
    bullet = match["bullet"] or ""
    if bullet.startswith("-") and label_of(text):
        bullet = ""  # a dash before a number is neither
    indent = len(match["space"].replace(">", "    ").expandtabs(4))
    depth = (0, len(match["hash"].strip())) if match["hash"] else (1, indent)
    text = " ".join(text.split())
    return OutlineHeading(number, text, depth=depth, is_marked=bool(match["hash"] or bullet))


def _continues(
    line: OutlineHeading, last: OutlineHeading, labels: Sequence[StepLabel], *, is_new: bool
) -> bool:
    """Return whether a line continues a sentence that the line above has not ended."""
    labelled = label_of(line.text)
    if line.text[0].islower() and not labelled:
        return True
    if is_new or line.is_marked or (_is_bare_title(line.text) and _KIND.search(line.text)):
        return False
    if not last.is_paragraph and (len(last.text) < _WRAPS or _is_bare_title(last.text)):
        return False
    if labelled is None:
        return True
    label = labelled[0]
    is_known = any(
        label.following(other) or label.is_sibling(other) or label.is_inside(other) for other in labels
    )
    return not (is_known or any(key[0][1] == 1 for key in label.keys))


def _is_heading(
    line: OutlineHeading, last: OutlineHeading | None, following: OutlineHeading | None, *, is_new: bool
) -> bool:
    """Return whether a line without a label or mark is a heading."""
    if not (is_new or last is None or not last.is_paragraph or _ENDS.search(last.text[-20:])):
        return False
    if _is_bare_title(line.text):
        return True
    is_sentence = _SENTENCE.search(line.text) or _AGAIN.search(line.text)
    is_continued = following is not None and following.text[:1].islower() and not label_of(following.text)
    is_brief = line.text[0].isupper() and len(line.text.split()) <= MAX_WORDS
    return is_brief and not is_continued and not is_sentence


def _is_bare_title(text: str) -> bool:
    """Return whether a line without a label reads like a title: few words with capitals."""
    return is_title(text) and text[0].isupper() and not re.search(r"[.;,!?]['\"’”)*]*\Z|[.;] ", text)


def _split_labels(line: OutlineHeading, label: StepLabel, start: int) -> Iterator[OutlineHeading]:
    """Yield a heading with its label, and those in the same line whose labels follow."""
    is_inline = False
    for match in re.finditer(r"(?<=[\w.;,)])\s+(?=\S)", line.text):
        labelled = label_of(line.text[match.end() : match.end() + 60]) if match.start() >= start else None
        if labelled and labelled[0].following(label) and not labelled[0].is_nested:
            text = line.text[start : match.start()].strip()
            yield replace(line, label=label, text=text, is_inline=is_inline)
            is_inline, label, start = True, labelled[0], match.end() + labelled[1]
    yield replace(line, label=label, text=line.text[start:].strip(), is_inline=is_inline)


def _split_kinds(line: OutlineHeading) -> list[OutlineHeading]:
    """Return a heading, or the titles that a table's columns ran together: Sail Segment Storm Segment."""
    ends = [match.end() for match in _KIND.finditer(line.text[:_MAX_LINE])]
    if len(ends) < 2 or ends[-1] != len(line.text) or not _is_bare_title(line.text):
        return [line]
    parts = [line.text[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]
    if not all(kind_of(part) and " " in part for part in parts):
        return [line]
    return [replace(line, text=part, is_inline=True) for part in parts]


def _join(piece: OutlineHeading, words: str) -> None:
    """Add a further line to a piece. A word that the end of the line split is joined."""
    match = re.search(r"\w-\Z", piece.text[-2:])
    is_split = match and words[0].isalpha()
    is_word = is_split and words[0].islower() and piece.text[-2].islower()
    piece.text = f"{piece.text[:-1] if is_word else piece.text}{'' if is_split else ' '}{words}"


def nest_headings(
    pieces: Iterable[OutlineHeading], is_number: NumberTest
) -> tuple[list[OutlineHeading], list[str]]:
    """Return the headings as trees, each with its paragraphs, and the paragraphs before the first heading."""
    pieces = list(pieces)
    is_indented = len({piece.depth for piece in pieces if not piece.is_paragraph}) > 1
    top_headings: list[OutlineHeading] = []
    before: list[str] = []
    stack: list[OutlineHeading] = []
    for piece in pieces:
        if piece.is_paragraph:
            (stack[-1].paragraphs if stack else before).append(piece.text)
            continue
        piece.title = title_of(piece.text, is_number, is_whole=piece.depth[0] == 0)
        closed = max(_count_closed(piece, stack, is_indented=is_indented), len(stack) - _MAX_DEPTH)
        previous = stack[len(stack) - closed].label if closed else None
        del stack[len(stack) - closed :]
        if label := piece.label:
            kinds = [kind for kind in KINDS if label.printed.lower().startswith(kind)]
            piece.title.kind = piece.title.kind or "".join(kinds[:1])
            piece.label = label if label.is_nested else label.follow(previous)
        (stack[-1].children if stack else top_headings).append(piece)
        stack.append(piece)
    return top_headings, before


def _count_closed(node: OutlineHeading, stack: Sequence[OutlineHeading], *, is_indented: bool) -> int:
    """Return how many open headings end where this begins, counted from the innermost.

    Nested numbers show it themselves; other labels by what they follow, then the indentation.
    """
    label, opened = node.label, [*enumerate(reversed(stack))]
    if label and label.is_nested:
        for index, heading in opened:
            if heading.label and label.is_inside(heading.label):
                return index
            if heading.label and label.is_sibling(heading.label):
                return index + 1
        if any(heading.label and heading.label.is_nested for heading in stack):
            return len(stack)
    elif label:
        followed = [
            (heading.depth != node.depth, index + 1)
            for index, heading in opened
            if heading.label and label.following(heading.label)
        ]
        is_deeper, closed = min(followed, default=(True, 0))
        if followed and not (is_deeper and node.depth in {heading.depth for heading in stack}):
            return closed
    return next((n for n, heading in opened if _is_inside(node, heading, is_indented)), len(stack))


def _is_inside(node: OutlineHeading, outer: OutlineHeading, is_indented: bool) -> bool:
    if node.depth != outer.depth:
        return node.depth > outer.depth
    if is_indented and node.is_marked and outer.is_marked and not outer.is_frame and not node.label:
        return False  # items of the same list
    if outer.is_frame or (node.title.kind and (outer.title.kind or outer.label)):
        return node.rank > outer.rank
    if node.label and outer.label:
        return not node.label.is_alike(outer.label) and not node.label.is_sibling(outer.label)
    return bool(node.label or outer.label) or (not is_indented and node.rank > outer.rank)
