"""Which heading lies in which: by numbers in numbers, by how far in a line stands, by kinds, by labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulewright.importers.outline.text_lines import Heading, Paragraph, TextBlock
from rulewright.importers.outline.titles import NumberTest, Title, title_of
from rulewright.model.step_kinds import KINDS, USUAL

_DEEPEST = 10
"""Headings that lie deeper are put beside each other: no turn has as many levels, but a drawing has."""
_FRAME = re.compile(r"\b(?:sequence|order of (?:play|a turn)|turn (?:order|outline))\b", re.IGNORECASE)


@dataclass(eq=False, slots=True)
class HeadingNode:
    """A heading with what stands below it. `anew`: labels begin again with it, though nothing says why."""

    heading: Heading
    title: Title
    paragraphs: list[Paragraph] = field(default_factory=list)
    children: list[HeadingNode] = field(default_factory=list)
    anew: bool = False

    def walk(self) -> Iterator[HeadingNode]:
        yield self
        for child in self.children:
            yield from child.walk()

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
        return KINDS.index(USUAL) if self.heading.label else len(KINDS)


def nested(found: Sequence[TextBlock], is_number: NumberTest) -> tuple[list[HeadingNode], list[Paragraph]]:
    """The headings as trees, each with its paragraphs, and the paragraphs in front of the first heading."""
    depths = {piece.depth for piece in found if isinstance(piece, Heading)}
    tops: list[HeadingNode] = []
    before: list[Paragraph] = []
    stack: list[HeadingNode] = []
    for piece in found:
        if isinstance(piece, Paragraph):
            (stack[-1].paragraphs if stack else before).append(piece)
            continue
        node = HeadingNode(piece, title_of(piece.text, is_number, whole=piece.depth[0] == 0))
        closed = _closed_by(node, stack, indented=len(depths) > 1)
        closed = max(closed, len(stack) - _DEEPEST)
        previous = stack[len(stack) - closed] if closed else None
        del stack[len(stack) - closed :]
        if piece.label and not node.title.kind:
            node.title.kind = next(
                (rank for rank in KINDS if piece.label.printed.lower().startswith(rank)), ""
            )
        if piece.label and not piece.label.parts:
            piece.label = piece.label.behind(previous.heading.label if previous else None)
        node.anew = previous is not None and _begins_anew(node, previous)
        (stack[-1].children if stack else tops).append(node)
        stack.append(node)
    return tops, before


def _closed_by(node: HeadingNode, stack: Sequence[HeadingNode], indented: bool) -> int:
    """Count the open headings that end where this one begins, counted from the innermost.

    `indented`: the lines of the text stand in more or less, which then says what lies in what.
    """
    for said in (_by_number(node, stack), _by_label(node, stack)):
        if said is not None:
            return said
    inner = (at for at, open_one in enumerate(reversed(stack)) if _lies_in(node, open_one, indented))
    return next(inner, len(stack))


def _by_number(node: HeadingNode, stack: Sequence[HeadingNode]) -> int | None:
    """Count the open headings that end, by numbers with several parts; None where there is none to tell."""
    label = node.heading.label
    if label is None or not label.parts:
        return None
    for at, open_one in enumerate(reversed(stack)):
        other = open_one.heading.label
        if other and label.lies_in(other):
            return at
        if other and label.beside(other):
            return at + 1
    numbered = any(one.heading.label and one.heading.label.parts for one in stack)
    return len(stack) if numbered else None


def _by_label(node: HeadingNode, stack: Sequence[HeadingNode]) -> int | None:
    """Count the headings that end because this one's label follows on that of the last of them.

    Of two that it follows on, the one that stands as far in is meant.
    """
    label = node.heading.label
    if label is None or not label.counts:
        return None
    before = [
        (one.heading.depth != node.heading.depth, at + 1)
        for at, one in enumerate(reversed(stack))
        if one.heading.label and label.follows(one.heading.label)
    ]
    depths = {one.heading.depth for one in stack}
    deeper, closed = min(before, default=(True, 0))
    return None if not before or (deeper and node.heading.depth in depths) else closed


def _lies_in(node: HeadingNode, around: HeadingNode, indented: bool) -> bool:
    """Whether a heading lies in one that is open."""
    mine, theirs = node.heading, around.heading
    if mine.depth != theirs.depth:
        return mine.depth > theirs.depth
    if around.is_frame or (node.title.kind and (around.title.kind or theirs.label)):
        return node.rank > around.rank
    if mine.label and theirs.label:
        return not mine.label.sorts(theirs.label) and not mine.label.beside(theirs.label)
    if mine.label or theirs.label:
        return True
    return not indented and node.rank > around.rank


def _begins_anew(node: HeadingNode, previous: HeadingNode) -> bool:
    """Whether a label is lower than that of the heading in front of it, as where a heading is lost."""
    mine, theirs = node.heading.label, previous.heading.label
    if not mine or not theirs or not mine.sorts(theirs):
        return False
    counts = dict(theirs.counts)
    return all(count < counts[sort] for sort, count in mine.counts if sort in counts)
