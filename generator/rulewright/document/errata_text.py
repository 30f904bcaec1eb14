"""Nodes of a text with its errata: what was printed, what holds now, and what of both is the same.

    printed ──parse──► blocks ─┐
                               ├─ which are the same? ─► unchanged, deleted and inserted words ─► nodes
    amended ──parse──► blocks ─┘

A writer shows the text as printed, as amended or with its changes. If errata change how a text is divided
into paragraphs and items, those are shown whole, before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import TypeVar

from rulewright.document.markup_nesting import nest_markup
from rulewright.document.nodes import (
    Block,
    Blocks,
    Change,
    DeletedNode,
    ErrataMarkNode,
    Inline,
    InsertedNode,
    ItemNode,
    Line,
    ListNode,
    ParagraphNode,
)
from rulewright.document.targets import TargetId
from rulewright.schema.amended_text import DELETED, INSERTED, UNCHANGED, AmendedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.inline_images import InlineImage
from rulewright.schema.text_document import (
    Block as TextBlock,
)
from rulewright.schema.text_document import (
    Document,
    MarkupToken,
    TextList,
    TextParagraph,
    TextRun,
)
from rulewright.schema.text_document import (
    Inline as TextInline,
)

B = TypeVar("B", bound=TextBlock)

RunNodes = Callable[[TextRun | InlineImage], Iterable[Inline]]
"""Returns the nodes of a run of words or of an image."""


class TextVersion:
    """A text before (`-`) or after (`+`) errata."""

    def __init__(self, text: AmendedText, document: Document, sign: str) -> None:
        self.document, self.text = document, document.text
        self.order: list[int] = []
        """The position of each character among those of both versions."""
        position = 0
        for run in text.runs:
            if run.change in (UNCHANGED, sign):
                self.order += range(position, position + len(run.words))
            position += len(run.words)

    @property
    def line(self) -> TextParagraph:
        """Return the text as one line."""
        return TextParagraph(0, len(self.text), self.document.inline())

    def marked_runs(self, paragraphs: Iterable[TextParagraph]) -> list[tuple[TextInline, list[int]]]:
        """Return the links, images and markup of paragraphs, each with its positions."""
        runs = (run for paragraph in paragraphs for run in paragraph.inline if not _is_bare(run))
        return [(run, self.order[run.start : run.end]) for run in runs]

    def runs(self, paragraph: TextParagraph, start: int, end: int) -> Iterator[TextInline]:
        """Yield the runs of a paragraph from `start` to `end`; only bare words are cut."""
        for run in paragraph.inline:
            first, last = max(run.start, start), min(run.end, end)
            if first < last and _is_bare(run):
                yield TextRun(first, last, self.text[first:last])
            elif first < last and first == run.start:
                yield run

    def visible_positions(self, paragraph: TextParagraph) -> frozenset[int]:
        """Return the positions of the characters of a paragraph except white space."""
        offsets = range(paragraph.start, paragraph.end)
        return frozenset(self.order[offset] for offset in offsets if not self.text[offset].isspace())


class ErrataText:
    """Both versions of a text, and the nodes of the two together."""

    def __init__(
        self,
        text: AmendedText,
        old: Document,
        new: Document,
        run_nodes: RunNodes,
        erratum_target: Callable[[Erratum], TargetId],
        anchors: Mapping[int, str],
    ) -> None:
        self.run_nodes, self.erratum_target, self.anchors = run_nodes, erratum_target, anchors
        self.old, self.new = TextVersion(text, old, DELETED), TextVersion(text, new, INSERTED)
        self.errata: dict[int, Erratum] = {}
        """The erratum of each position that is in one version only."""
        position = 0
        for run in text.runs:
            positions = range(position, position := position + len(run.words))
            if run.erratum:
                self.errata.update(dict.fromkeys(positions, run.erratum))
        self.changed: set[int] = set()
        """The positions that are shown as deleted or inserted."""

    def blocks(self) -> Blocks:
        """Return the nodes of the text as paragraphs and lists."""
        before, after = self.old.document.blocks, self.new.document.blocks
        self._find_changes(_walk(before), _walk(after))
        return tuple(self._blocks(before, after))

    def inline(self) -> Line:
        """Return the nodes of the text in one line."""
        old, new = self.old.line, self.new.line
        self._find_changes([old], [new])
        return self._words(old, new)

    def _find_changes(self, before: Iterable[TextParagraph], after: Iterable[TextParagraph]) -> None:
        """Find the changed positions. A link or emphasis that is changed in part is changed whole."""
        old_runs, new_runs = self.old.marked_runs(before), self.new.marked_runs(after)
        self.changed = {*self.old.order} ^ {*self.new.order}
        self.changed |= {position for _, position in _tags(old_runs) ^ _tags(new_runs)}
        count = -1
        while count != len(self.changed):
            count = len(self.changed)
            for _, order in (*old_runs, *new_runs):
                if not self.changed.isdisjoint(order):
                    self.changed.update(order)

    # Blocks

    def _blocks(self, before: Sequence[TextBlock], after: Sequence[TextBlock]) -> Iterator[Block]:
        for old, new in self._pairs(before, after):
            block = new or old
            if isinstance(block, TextList):
                items: list[ItemNode] = []
                for item, new_item in self._pairs(_items(old), _items(new)):
                    inner = self._blocks(item.lists if item else (), new_item.lists if new_item else ())
                    anchor = self.anchors.get(new_item.start, "") if new_item else ""
                    words = self._words(item, new_item)
                    items.append(ItemNode(words, tuple(inner), anchor, _change(item, new_item)))
                yield ListNode(block.first, tuple(items), _change(old, new))
            else:
                yield ParagraphNode(self._words(old, new), _change(old, new))  # type: ignore[arg-type]

    def _pairs(self, before: Sequence[B], after: Sequence[B]) -> Iterator[tuple[B | None, B | None]]:
        """Yield the blocks of both versions in order, together if all their unchanged words are the same."""
        old_keys = [self._unchanged(self.old, block) for block in before]
        new_keys = [self._unchanged(self.new, block) for block in after]
        for change, *bounds in SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_opcodes():
            old, new = before[bounds[0] : bounds[1]], after[bounds[2] : bounds[3]]
            if change == "equal":
                yield from zip(old, new, strict=True)
                continue
            unpaired: list[tuple[int, B | None, B | None]] = []
            unpaired += ((self.old.order[next(_walk([block])).start], block, None) for block in old)
            unpaired += ((self.new.order[next(_walk([block])).end - 1], None, block) for block in new)
            yield from (blocks for _, *blocks in sorted(unpaired, key=itemgetter(0)))  # type: ignore[misc]

    def _unchanged(self, version: TextVersion, block: TextBlock) -> tuple[object, ...]:
        """Return what a block has in common with its counterpart: its unchanged words, if any."""
        parts = [version.visible_positions(paragraph) - self.changed for paragraph in _walk([block])]
        all_positions = frozenset[int]().union(*parts)
        own_positions = block.first if isinstance(block, TextList) else parts[0]
        return (own_positions, all_positions) if all_positions else (version, block)

    # Words

    def _words(self, old: TextParagraph | None, new: TextParagraph | None) -> Line:
        """Return the words of both versions of a paragraph; if there is only one, all of them as changed."""
        if old and new:
            return nest_markup(self._compared_words(old, new))
        version, paragraph = (self.new, new) if new else (self.old, old)
        assert paragraph
        words = self._changed_words(version, paragraph, paragraph.start, paragraph.end)
        return (*nest_markup(words), *self._mark(version.order[paragraph.start : paragraph.end]))

    def _compared_words(self, old: TextParagraph, new: TextParagraph) -> Iterator[MarkupToken | Inline]:
        old_offsets = {self.old.order[offset]: offset for offset in range(old.start, old.end)}
        new_offsets = {self.new.order[offset]: offset for offset in range(new.start, new.end)}
        # White space that only the old version has between its words is left out.
        positions = sorted({*new_offsets, *self.changed.intersection(old_offsets)})
        for is_changed, group in groupby(positions, self.changed.__contains__):
            order = list(group)
            offsets = [new_offsets[position] for position in order if position in new_offsets]
            if not is_changed:
                yield from self._parts(self.new.runs(new, offsets[0], offsets[-1] + 1))
                continue
            deleted = [old_offsets[position] for position in order if position in old_offsets]
            if deleted:
                yield from self._changed_words(self.old, old, deleted[0], deleted[-1] + 1)
            if offsets:
                yield from self._changed_words(self.new, new, offsets[0], offsets[-1] + 1)
            yield from self._mark(order)

    def _changed_words(
        self, version: TextVersion, paragraph: TextParagraph, start: int, end: int
    ) -> Iterator[MarkupToken | Inline]:
        """Yield deleted or inserted words. Markup remains outside; deleted words have none."""
        runs = list(version.runs(paragraph, start, end))
        if version is self.old:
            runs = [run for run in runs if not isinstance(run, MarkupToken)]
        for is_markup, group in groupby(runs, lambda run: isinstance(run, MarkupToken)):
            parts = list(self._parts(group))
            words = tuple(part for part in parts if not isinstance(part, MarkupToken))
            if is_markup or all(isinstance(part, str) and not part.strip() for part in words):
                yield from parts
            else:
                yield DeletedNode(words) if version is self.old else InsertedNode(words)

    def _parts(self, runs: Iterable[TextInline]) -> Iterator[MarkupToken | Inline]:
        for run in runs:
            if isinstance(run, MarkupToken):
                yield run
            else:
                yield from self.run_nodes(run)

    def _mark(self, positions: Iterable[int]) -> Iterator[ErrataMarkNode]:
        """Yield the sign of the errata that changed positions, if any."""
        errata = (self.errata[position] for position in positions if position in self.errata)
        if targets := tuple(map(self.erratum_target, dict.fromkeys(errata))):
            yield ErrataMarkNode(targets)


def _change(old: TextBlock | None, new: TextBlock | None) -> Change:
    """Return how a block is changed if there is only one version of it."""
    if old and new:
        return ""
    return "inserted" if new else "deleted"


def _items(block: TextBlock | None) -> Sequence[TextParagraph]:
    return block.items if isinstance(block, TextList) else ()


def _tags(runs: Iterable[tuple[TextInline, list[int]]]) -> set[tuple[str, int]]:
    """Return the tags of markup with their positions."""
    return {(run.tag, position) for run, order in runs if isinstance(run, MarkupToken) for position in order}


def _is_bare(run: TextInline) -> bool:
    return isinstance(run, TextRun) and run.target is None


def _walk(blocks: Iterable[TextBlock]) -> Iterator[TextParagraph]:
    for block in blocks:
        for paragraph in block.items if isinstance(block, TextList) else (block,):
            yield paragraph
            yield from _walk(paragraph.lists)
