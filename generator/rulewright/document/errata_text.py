"""Nodes of a text with its errata: what was printed, what holds now, and what of both is the same.

    printed ──parse──► blocks ─┐
                               ├─ which are the same? ─► unchanged, deleted and inserted words ─► nodes
    amended ──parse──► blocks ─┘

A writer shows the text as printed, as amended or with its changes. If errata change how a text is divided
into paragraphs and items, those are shown whole, before and after.
"""

from __future__ import annotations

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

Span = tuple[int, int]
B = TypeVar("B", bound=Block)

RunNodes = Callable[[TextRun | InlineImage], Iterable[nodes.Inline]]
"""Returns the nodes of a run of words or of an image."""


class TextVersion:
    """A text before (`-`) or after (`+`) errata."""

    def __init__(self, text: AmendedText, document: Document, sign: str) -> None:
        self.text, self.document = document.text, document
        self.erratum_by_character: list[Erratum | None] = []
        self.order: list[int] = []
        """The position of each character among those of both versions."""
        position = 0
        for run in text.runs:
            if run.change in (KEPT, sign):
                self.erratum_by_character += [run.erratum] * len(run.words)
                self.order += range(position, position + len(run.words))
            position += len(run.words)

    def line(self, end: int) -> TextParagraph:
        """Return everything before `end` as one line."""
        return TextParagraph(0, end, self.document.inline(0, end))

    def runs(self, paragraph: TextParagraph, span: Span) -> Iterator[Inline]:
        """Yield the runs of a paragraph in a span; only bare words are cut."""
        for run in paragraph.inline:
            start, end = max(run.start, span[0]), min(run.end, span[1])
            if start < end and _is_bare(run):
                yield TextRun(start, end, self.text[start:end])
            elif start < end and start == run.start:
                yield run

    def nearest_erratum(self, offset: int) -> Erratum | None:
        following = next(filter(None, self.erratum_by_character[offset:]), None)
        return following or next(filter(None, reversed(self.erratum_by_character[:offset])), None)

    def block_position(self, block: Block) -> int:
        return self.order[next(_walk([block])).start]

    def changed_until(self, offset: int, end: int) -> int:
        while offset < end and self.erratum_by_character[offset]:
            offset += 1
        return offset


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
        offsets = {order: offset for offset, order in enumerate(self.new.order)}
        self._same = [
            (offset, offsets[order]) for offset, order in enumerate(self.old.order) if order in offsets
        ]
        self.new_offsets: dict[int, int] = {}
        """The offset in the new version of each unchanged character of the old one."""
        self.old_offsets: dict[int, int] = {}

    def blocks(self) -> tuple[nodes.Block, ...]:
        """Return the nodes of the text as paragraphs and lists."""
        before, after = self.old.document.blocks, self.new.document.blocks
        self._widen_changes(_walk(before), _walk(after))
        return tuple(self._blocks(before, after))

    def inline(self, until: int | None = None) -> tuple[nodes.Inline, ...]:
        """Return the nodes of the text in one line, of the amended text only what is before `until`."""
        end = len(self.new.text) if until is None else until
        self._widen_changes([self.old.line(len(self.old.text))], [self.new.line(end)])
        old_end = self.old_offsets.get(end, len(self.old.text))
        return self._words(self.old.line(old_end), self.new.line(end))

    def _widen_changes(self, before: Iterable[TextParagraph], after: Iterable[TextParagraph]) -> None:
        """Let a link or emphasis that is changed in part, or is in one version only, be changed whole."""
        old_runs, new_runs = _marked_runs(before), _marked_runs(after)
        old_tags, new_tags = _tags_by_offset(old_runs), _tags_by_offset(new_runs)
        old_errata, new_errata = self.old.erratum_by_character, self.new.erratum_by_character
        for was, now in self._same:
            if old_tags.get(was) != new_tags.get(now):
                old_errata[was] = new_errata[now] = self.new.nearest_erratum(now) or self.old.nearest_erratum(
                    was
                )
        changed = True
        while changed:
            changed = False
            for errata, runs in ((old_errata, old_runs), (new_errata, new_runs)):
                for run in runs:
                    part = slice(run.start, run.end)
                    due = next(filter(None, errata[part]), None)
                    if due and not all(errata[part]):
                        errata[part] = [known or due for known in errata[part]]
                        changed = True
            for was, now in self._same:
                erratum = old_errata[was] or new_errata[now]
                if erratum and not (old_errata[was] and new_errata[now]):
                    old_errata[was] = new_errata[now] = erratum
                    changed = True
        self.new_offsets = {was: now for was, now in self._same if not old_errata[was]}
        self.old_offsets = {now: was for was, now in self.new_offsets.items()}

    # Blocks

    def _blocks(self, before: Sequence[Block], after: Sequence[Block]) -> Iterator[nodes.Block]:
        for was, now in self._paired(before, after):
            if len(was) == len(now) == 1 and (block := self._block(was[0], now[0])):
                yield block
            else:
                yield from (self._whole_block(block, GONE) for block in was)
                yield from (self._whole_block(block, COME) for block in now)

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
                yield from (self._whole_item(item, GONE) for item in was)
                yield from (self._whole_item(item, COME) for item in now)

    def _have_same_words(self, old: TextParagraph, new: TextParagraph) -> bool:
        """Whether all unchanged words of a paragraph are in another, and no others of those are there."""
        visible = (offset for offset in range(new.start, new.end) if not self.new.text[offset].isspace())
        return {self.new_offsets[offset] for offset in self._unchanged(old)} == (
            self.old_offsets.keys() & set(visible)
        )

    def _unchanged(self, paragraph: TextParagraph) -> list[int]:
        """Return the offsets of the visible characters of the old version that are unchanged."""
        return [
            offset
            for offset in range(paragraph.start, paragraph.end)
            if offset in self.new_offsets and not self.old.text[offset].isspace()
        ]

    def _paired(self, before: Sequence[B], after: Sequence[B]) -> Iterator[tuple[Sequence[B], Sequence[B]]]:
        """Yield the blocks of both versions that have words in common, as few as possible together."""
        spans = (
            (index, range(part.start, part.end)) for index, new in enumerate(after) for part in _walk([new])
        )
        new_index = {offset: index for index, span in spans for offset in span}
        groups: list[tuple[range, range]] = []
        for index, old in enumerate(before):
            for offset in (self.new_offsets[at] for part in _walk([old]) for at in self._unchanged(part)):
                was, now = groups[-1] if groups else (range(0), range(0))
                if offset not in new_index:
                    continue
                if was and (was[-1] == index or now[-1] == new_index[offset]):
                    groups[-1] = range(was[0], index + 1), range(now[0], new_index[offset] + 1)
                else:
                    groups.append((range(index, index + 1), range(new_index[offset], new_index[offset] + 1)))
        was_done = now_done = 0
        for was, now in [
            *groups,
            (range(len(before), len(before)), range(len(after), len(after))),
        ]:
            single: list[tuple[int, list[B], list[B]]] = []
            single += ((self.old.block_position(old), [old], []) for old in before[was_done : was.start])
            single += ((self.new.block_position(new), [], [new]) for new in after[now_done : now.start])
            yield from (
                (deleted, inserted) for _, deleted, inserted in sorted(single, key=lambda pair: pair[0])
            )
            if was:
                yield before[was.start : was.stop], after[now.start : now.stop]
            was_done, now_done = was.stop, now.stop

    def _whole_block(self, block: Block, sign: str) -> nodes.Block:
        change: nodes.Change = "deleted" if sign == GONE else "inserted"
        if isinstance(block, TextList):
            return nodes.ListNode(
                block.first, tuple(self._whole_item(item, sign) for item in block.items), change
            )
        return nodes.ParagraphNode(self._whole_words(block, sign), change)

    def _whole_item(self, item: TextParagraph, sign: str) -> nodes.ItemNode:
        inner = tuple(self._whole_block(block, sign) for block in item.lists)
        if sign == GONE:
            return nodes.ItemNode(self._whole_words(item, sign), inner, "", "deleted")
        return nodes.ItemNode(
            self._whole_words(item, sign), inner, self.anchors.get(item.start, ""), "inserted"
        )

    def _whole_words(self, paragraph: TextParagraph, sign: str) -> tuple[nodes.Inline, ...]:
        version = self.old if sign == GONE else self.new
        span = paragraph.start, paragraph.end
        errata = version.erratum_by_character[slice(*span)]
        return (*nest_markup(self._changed(version, paragraph, span, sign)), *self._mark(errata))

    # Words

    def _words(self, old: TextParagraph, new: TextParagraph) -> tuple[nodes.Inline, ...]:
        parts: list[MarkupToken | nodes.Inline] = []
        was, now = old.start, new.start
        while was < old.end or now < new.end:
            old_end, new_end = self.old.changed_until(was, old.end), self.new.changed_until(now, new.end)
            errata = [
                *self.old.erratum_by_character[was:old_end],
                *self.new.erratum_by_character[now:new_end],
            ]
            parts += self._changed(self.old, old, (was, old_end), GONE)
            parts += self._changed(self.new, new, (now, new_end), COME)
            parts += self._mark(errata)
            was, now = self._unchanged_until((old_end, old.end), (new_end, new.end))
            parts += self._parts(self.new.runs(new, (new_end, now)))
            if not errata and now == new_end:
                was += 1  # white space that is not part of the words of the other version
        return nest_markup(parts)

    def _unchanged_until(self, old: Span, new: Span) -> Span:
        """Return where the words that are the same in both versions end."""
        was, now = old[0], new[0]
        while now < new[1] and not self.new.erratum_by_character[now]:
            offset = self.old_offsets[now]
            if was <= offset < old[1]:
                if any(self.old.erratum_by_character[was:offset]):
                    break
                was = offset + 1
            now += 1
        return was, now

    def _changed(
        self, version: TextVersion, paragraph: TextParagraph, span: Span, sign: str
    ) -> Iterator[MarkupToken | nodes.Inline]:
        """Yield deleted or inserted words. Markup remains outside, of deleted words only if complete."""
        runs = list(version.runs(paragraph, span))
        if sign == GONE and not _is_complete(run.tag for run in runs if isinstance(run, MarkupToken)):
            runs = [run for run in runs if not isinstance(run, MarkupToken)]
        for is_markup, group in groupby(runs, lambda run: isinstance(run, MarkupToken)):
            parts = list(self._parts(group))
            words = tuple(part for part in parts if not isinstance(part, MarkupToken))
            if is_markup or all(isinstance(part, str) and not part.strip() for part in words):
                yield from parts
            else:
                yield nodes.DeletedNode(words) if sign == GONE else nodes.InsertedNode(words)

    def _parts(self, runs: Iterable[Inline]) -> Iterator[MarkupToken | nodes.Inline]:
        for run in runs:
            if isinstance(run, MarkupToken):
                yield run
            else:
                yield from self.run_nodes(run)

    def _mark(self, errata: Iterable[Erratum | None]) -> list[nodes.Inline]:
        found = tuple(map(self.erratum_target, dict.fromkeys(filter(None, errata))))
        return [nodes.ErrataMarkNode(found)] if found else []


def _marked_runs(paragraphs: Iterable[TextParagraph]) -> list[Inline]:
    """Return the links, images and markup of paragraphs."""
    return [run for paragraph in paragraphs for run in paragraph.inline if not _is_bare(run)]


def _tags_by_offset(runs: Iterable[Inline]) -> dict[int, str]:
    tokens = (run for run in runs if isinstance(run, MarkupToken))
    return {offset: token.tag for token in tokens for offset in range(token.start, token.end)}


def _is_bare(run: Inline) -> bool:
    return isinstance(run, TextRun) and run.target is None


def _is_complete(tags: Iterable[str]) -> bool:
    """Whether every tag of markup is opened and closed."""
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
