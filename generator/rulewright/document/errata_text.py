"""Nodes of a text with its errata: what was printed, what holds now, and what of both is the same.

Each character of both versions has a position in the text with all words, old and new. Errata change some
positions; a link or emphasis that is changed in part is changed whole. If errata change how a text is divided
into paragraphs and items, those are shown whole, before and after.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

from rulewright.document import nodes
from rulewright.document.markup_nesting import nest_markup
from rulewright.document.targets import TargetId
from rulewright.schema.amended_text import COME, GONE, KEPT, AmendedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.inline_images import InlineImage
from rulewright.schema.text_document import (
    Block,
    Document,
    Inline,
    MarkupToken,
    TextList,
    TextParagraph,
    TextRun,
)

B = TypeVar("B", bound=Block)

RunNodes = Callable[[TextRun | InlineImage], Iterable[nodes.Inline]]
"""Returns the nodes of a run of words or of an image."""


class TextVersion:
    """A text before (`-`) or after (`+`) errata, with the position of each of its characters."""

    def __init__(self, text: AmendedText, document: Document, sign: str) -> None:
        self.document, self.sign = document, sign
        self.positions: list[int] = []
        start = 0
        for run in text.runs:
            if run.change in (KEPT, sign):
                self.positions += range(start, start + len(run.words))
            start += len(run.words)

    def line(self, end: int) -> TextParagraph:
        """Return everything before a position as one line."""
        offset = bisect_left(self.positions, end)
        return TextParagraph(0, offset, self.document.inline(0, offset))

    def span(self, run: Inline) -> tuple[int, int]:
        """Return the first position of a run, and that after its last one."""
        return self.positions[run.start], self.positions[run.end - 1] + 1

    def runs(self, paragraph: TextParagraph, first: int, last: int) -> list[Inline]:
        """Return the runs of a paragraph between two positions; only bare words are cut."""
        runs: list[Inline] = []
        lower, upper = bisect_left(self.positions, first), bisect_left(self.positions, last)
        for run in paragraph.inline:
            start, end = max(run.start, lower), min(run.end, upper)
            if start < end and _is_bare(run):
                runs.append(TextRun(start, end, self.document.text[start:end]))
            elif start < end and start == run.start:
                runs.append(run)
        return runs


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
        self.old, self.new = TextVersion(text, old, GONE), TextVersion(text, new, COME)
        self.errata: list[Erratum | None] = []
        """The erratum that changes each position."""
        for run in text.runs:
            self.errata += [run.erratum] * len(run.words)

    def blocks(self) -> tuple[nodes.Block, ...]:
        """Return the nodes of the text as paragraphs and lists."""
        before, after = self.old.document.blocks, self.new.document.blocks
        self._widen_changes(_walk(before), _walk(after))
        return tuple(self._blocks(before, after))

    def inline(self, until: int | None = None) -> tuple[nodes.Inline, ...]:
        """Return the nodes of the text in one line, of the amended text only what is before `until`."""
        is_cut = until is not None and until < len(self.new.positions)
        end = self.new.positions[until] if is_cut and until is not None else len(self.errata)
        old, new = self.old.line(end), self.new.line(end)
        self._widen_changes([old], [new])
        return self._words(old, new)

    def _widen_changes(self, before: Iterable[TextParagraph], after: Iterable[TextParagraph]) -> None:
        """Let a link or emphasis that is changed in part, or is in one version only, be changed whole."""
        spans: list[tuple[int, int]] = []
        markup: set[int] = set()
        """The positions of markup in one version only."""
        for version, paragraphs in ((self.old, before), (self.new, after)):
            for paragraph in paragraphs:
                for run in paragraph.inline:
                    if not _is_bare(run):
                        spans.append(version.span(run))
                    if isinstance(run, MarkupToken):
                        markup ^= set(version.positions[run.start : run.end])
        for position in markup:
            if self.errata[position] is None:
                self.errata[position] = self._nearest_erratum(position)
        changed = True
        while changed:
            changed = False
            for first, last in spans:
                errata = self.errata[first:last]
                due = next(filter(None, errata), None)
                if due and not all(errata):
                    self.errata[first:last] = [erratum or due for erratum in errata]
                    changed = True

    def _nearest_erratum(self, position: int) -> Erratum | None:
        following = next(filter(None, self.errata[position:]), None)
        return following or next(filter(None, reversed(self.errata[:position])), None)

    # Blocks

    def _blocks(self, before: Sequence[Block], after: Sequence[Block]) -> Iterator[nodes.Block]:
        for was, now in self._paired(before, after):
            if len(was) == len(now) == 1 and (block := self._block(was[0], now[0])):
                yield block
            else:
                yield from (self._whole_block(block, self.old) for block in was)
                yield from (self._whole_block(block, self.new) for block in now)

    def _block(self, old: Block, new: Block) -> nodes.Block | None:
        """Return a block that is in both versions; None if it is of another kind in each."""
        if isinstance(old, TextList) and isinstance(new, TextList) and old.first == new.first:
            return nodes.ListNode(new.first, tuple(self._items(old.items, new.items)))
        if isinstance(old, TextList) or isinstance(new, TextList) or not self._have_same_words(old, new):
            return None
        return nodes.ParagraphNode(self._words(old, new))

    def _items(
        self, before: Sequence[TextParagraph], after: Sequence[TextParagraph]
    ) -> Iterator[nodes.ItemNode]:
        for was, now in self._paired(before, after):
            if len(was) == len(now) == 1 and self._have_same_words(was[0], now[0]):
                inner = tuple(self._blocks(was[0].lists, now[0].lists))
                anchor = self.anchors.get(now[0].start, "")
                yield nodes.ItemNode(self._words(was[0], now[0]), inner, anchor)
            else:
                yield from (self._whole_item(item, self.old) for item in was)
                yield from (self._whole_item(item, self.new) for item in now)

    def _have_same_words(self, old: TextParagraph, new: TextParagraph) -> bool:
        """Return whether two paragraphs, without inner lists, have the same unchanged words."""
        bare_old, bare_new = old._replace(lists=()), new._replace(lists=())
        return self._unchanged(self.old, [bare_old]) == self._unchanged(self.new, [bare_new])

    def _unchanged(self, version: TextVersion, blocks: Iterable[Block]) -> list[int]:
        """Return the positions of the visible unchanged characters of blocks."""
        return [
            version.positions[offset]
            for paragraph in _walk(blocks)
            for offset in range(paragraph.start, paragraph.end)
            if not self.errata[version.positions[offset]] and not version.document.text[offset].isspace()
        ]

    def _paired(self, before: Sequence[B], after: Sequence[B]) -> Iterator[tuple[Sequence[B], Sequence[B]]]:
        """Yield the blocks of both versions that have words in common, as few as possible together."""
        old, new = deque(before), deque(after)
        while old or new:
            was, now = [*old][:1], [*new][:1]
            old_words, new_words = self._unchanged(self.old, was), self._unchanged(self.new, now)
            if not old_words or not new_words:
                is_old = bool(was) and not old_words
                if is_old and now and not new_words:
                    is_old = self._first_position(self.old, was) < self._first_position(self.new, now)
                if is_old or not now:
                    yield [old.popleft()], []
                else:
                    yield [], [new.popleft()]
                continue
            old.popleft()
            new.popleft()
            while old_words != new_words and (old or new):
                if old and (old_words[-1] < new_words[-1] or not new):
                    was.append(old.popleft())
                    old_words = self._unchanged(self.old, was)
                else:
                    now.append(new.popleft())
                    new_words = self._unchanged(self.new, now)
            yield was, now

    def _first_position(self, version: TextVersion, blocks: Iterable[Block]) -> int:
        return version.positions[next(_walk(blocks)).start]

    def _whole_block(self, block: Block, version: TextVersion) -> nodes.Block:
        if isinstance(block, TextList):
            items = tuple(self._whole_item(item, version) for item in block.items)
            return nodes.ListNode(block.first, items, _change(version))
        return nodes.ParagraphNode(self._whole_words(block, version), _change(version))

    def _whole_item(self, item: TextParagraph, version: TextVersion) -> nodes.ItemNode:
        inner = tuple(self._whole_block(block, version) for block in item.lists)
        anchor = self.anchors.get(item.start, "") if version is self.new else ""
        return nodes.ItemNode(self._whole_words(item, version), inner, anchor, _change(version))

    def _whole_words(self, paragraph: TextParagraph, version: TextVersion) -> tuple[nodes.Inline, ...]:
        positions = version.positions[paragraph.start : paragraph.end]
        words = self._changed(version, paragraph.inline)
        return (*nest_markup(words), *self._mark(self.errata[position] for position in positions))

    # Words

    def _words(self, old: TextParagraph, new: TextParagraph) -> tuple[nodes.Inline, ...]:
        """Return the nodes of a paragraph that has the same unchanged words in both versions."""
        positions = {
            *self.old.positions[old.start : old.end],
            *self.new.positions[new.start : new.end],
        }
        parts: list[MarkupToken | nodes.Inline] = []
        for is_changed, group in groupby(sorted(positions), lambda position: bool(self.errata[position])):
            segment = list(group)
            first, last = segment[0], segment[-1] + 1
            inserted = self.new.runs(new, first, last)
            if is_changed:
                parts += self._changed(self.old, self.old.runs(old, first, last))
                parts += self._changed(self.new, inserted)
                parts += self._mark(self.errata[first:last])
            else:
                parts += self._parts(inserted)
        return nest_markup(parts)

    def _changed(self, version: TextVersion, runs: Iterable[Inline]) -> Iterator[MarkupToken | nodes.Inline]:
        """Yield deleted or inserted words. Markup remains outside, of deleted words only if complete."""
        runs = list(runs)
        if version is self.old and not _is_complete(run.tag for run in runs if isinstance(run, MarkupToken)):
            runs = [run for run in runs if not isinstance(run, MarkupToken)]
        for is_markup, group in groupby(runs, lambda run: isinstance(run, MarkupToken)):
            parts = list(self._parts(group))
            words = tuple(part for part in parts if not isinstance(part, MarkupToken))
            if is_markup or all(isinstance(part, str) and not part.strip() for part in words):
                yield from parts
            else:
                yield nodes.DeletedNode(words) if version is self.old else nodes.InsertedNode(words)

    def _parts(self, runs: Iterable[Inline]) -> Iterator[MarkupToken | nodes.Inline]:
        for run in runs:
            if isinstance(run, MarkupToken):
                yield run
            else:
                yield from self.run_nodes(run)

    def _mark(self, errata: Iterable[Erratum | None]) -> list[nodes.Inline]:
        found = tuple(map(self.erratum_target, dict.fromkeys(filter(None, errata))))
        return [nodes.ErrataMarkNode(found)] if found else []


def _change(version: TextVersion) -> nodes.Change:
    return "deleted" if version.sign == GONE else "inserted"


def _is_bare(run: Inline) -> bool:
    return isinstance(run, TextRun) and run.target is None


def _is_complete(tags: Iterable[str]) -> bool:
    """Return whether every tag of markup is opened and closed."""
    opened: list[str] = []
    for tag in filter(None, tags):
        if not tag.startswith("/"):
            opened.append(tag)
        elif not opened or opened.pop() != tag[1:]:
            return False
    return not opened


def _walk(blocks: Iterable[Block]) -> Iterator[TextParagraph]:
    for block in blocks:
        for paragraph in block.items if isinstance(block, TextList) else (block,):
            yield paragraph
            yield from _walk(paragraph.lists)
