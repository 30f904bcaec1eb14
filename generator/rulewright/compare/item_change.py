"""Changes of the rules, steps, tables and aids of an edition."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.compare.word_diff import DiffPiece
from rulewright.files.problems import SourceLocation
from rulewright.schema.erratum import Erratum
from rulewright.sequence.sequence_step import SequenceStep

T = TypeVar("T")
N = TypeVar("N", RuleEntry, SequenceStep)


class ChangeKind(StrEnum):
    """Kind of change of an item, which may have several: a rule can be both moved and reworded."""

    ADDED = "added"
    REMOVED = "removed"
    ONLY = "only here"  # the other edition is known in part, so the item may be in it
    SPLIT = "split"
    MERGED = "merged"
    MOVED = "moved"
    RENUMBERED = "renumbered"  # at the same place with another number
    RETITLED = "retitled"
    RETIRED = "retired"
    REWORDED = "reworded"
    CHANGED = "changed"  # other words of a step, a table or an aid
    UNREAD = "not compared"  # the text is unknown in one of the editions


ONE_SIDED = (ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.ONLY)
"""Kinds of an item that is in one edition only."""

QUIET = (ChangeKind.UNREAD, ChangeKind.ONLY)
"""Kinds that change no words, or that cannot be known."""

FOLLOWING = {*ONE_SIDED, ChangeKind.MOVED, ChangeKind.RENUMBERED, ChangeKind.UNREAD}
"""Kinds that a list leaves out if the parent of the item has them too."""


@dataclass(frozen=True, slots=True)
class WordDifference:
    """Difference in the words of one key of an item: its title, its text, its cost, or a cell."""

    name: str
    pieces: tuple[DiffPiece, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """Its name and its words."""
        return self.name, *((piece.change, piece.text) for piece in self.pieces)

    @property
    def is_new(self) -> bool:
        return all(piece.change == "+" for piece in self.pieces)

    @property
    def is_deleted(self) -> bool:
        return all(piece.change == "-" for piece in self.pieces)


@dataclass(frozen=True, slots=True, eq=False)
class ItemChange(Generic[T]):
    """A rule, a step, a table or an aid in two editions, and what differs."""

    old: T | None
    new: T | None
    kinds: tuple[ChangeKind, ...] = ()
    """Empty if nothing differs."""
    parts: tuple[WordDifference, ...] = ()
    """Differences in its words."""
    related: tuple[T, ...] = ()
    """The other items into which it was split, or from which it was merged."""
    follows_parent: bool = False
    """Its number or place changed only because that of its parent did."""
    is_comparable: bool = True
    """Its words are known in both editions."""
    inside: int = 0
    """Number of nested items that were added or removed with it."""
    repeats_other_change: bool = False
    """The step that it repeats has the same change."""

    @property
    def present_item(self) -> T:
        """The item in the newer edition, or in the older one if it was removed."""
        item = self.old if self.new is None else self.new
        assert item is not None
        return item

    @property
    def is_reported(self) -> bool:
        """Whether it has a line of its own: more has changed than its parent."""
        unreported = FOLLOWING if self.follows_parent else (ChangeKind.UNREAD,)
        return not self.repeats_other_change and any(kind not in unreported for kind in self.kinds)

    @property
    def is_certain(self) -> bool:
        return any(kind not in QUIET for kind in self.kinds)

    @property
    def successor(self) -> T | None:
        """The item in the newer edition, or the rule into which it was merged."""
        return self.related[0] if self.new is None and ChangeKind.MERGED in self.kinds else self.new

    @property
    def predecessor(self) -> T | None:
        """The item in the older edition, or the rule from which it was split off."""
        return self.related[0] if self.old is None and ChangeKind.SPLIT in self.kinds else self.old


def item_location(item: Any) -> SourceLocation | None:
    """Return the source location of a rule, step, table, aid, edition, term or errata entry."""
    match item:
        case RuleEntry():
            text = item.printed
        case SequenceStep():
            text = item.step.title
        case TableEntry():
            text = item.table.number or item.table.title
        case ErrataEntry(source=part):
            text = part.number if isinstance(part, Erratum) else part.question
        case Edition():
            text = item.edition_file.edition
        case _:
            text = getattr(item, "words", None) or getattr(item, "aid", item).title
    return text.place if text else None


RuleChange = ItemChange[RuleEntry]
StepChange = ItemChange[SequenceStep]


def kinds_of_differences(
    differences: Iterable[WordDifference], kind_of_words: ChangeKind
) -> Iterator[ChangeKind]:
    """Yield the kinds of a change with some differences."""
    names = {difference.name for difference in differences}
    if "title" in names:
        yield ChangeKind.RETITLED
    if names - {"title"}:
        yield kind_of_words


def drop_repeated(changes: Iterable[StepChange], reported: set[object]) -> Iterator[StepChange]:
    """Yield changes of steps without what is reported of the step that they repeat; add it to `reported`."""
    for change in changes:
        source = _source(change.present_item)
        words = [(source, part.key) for part in change.parts]
        parts = [part for part, key in zip(change.parts, words, strict=True) if key not in reported]
        kinds = {(source, kind) for kind in change.kinds}
        repeats = bool(kinds) and not parts and kinds <= reported
        if repeats or len(parts) < len(words):
            yield replace(change, parts=tuple(parts), repeats_other_change=repeats)
        else:
            yield change
        reported.update(words, kinds)


def _source(step: SequenceStep) -> object:
    """Return the text from which a step is derived, in another turn or in the series of a game."""
    while step.origin:
        step = step.origin
    title, derived = step.step.title.key, step.edition.derived
    return derived.changed.get(title, title) if derived else title


# Nested items


def one_sided_change(
    old: N | None,
    new: N | None,
    kind: ChangeKind,
    matched: Container[N],
    parts: tuple[WordDifference, ...] = (),
) -> ItemChange[N]:
    """Return the change of a rule or a step of one edition; `matched` are the items of both."""
    item = new or old
    assert item
    follows_parent = item.parent is not None and item.parent not in matched
    inside = 0 if follows_parent else sum(inner not in matched for inner in item.iter_subtree()) - 1
    return ItemChange(old, new, (kind,), parts, follows_parent=follows_parent, inside=inside)


def order_changes(
    old_items: Iterable[T],
    new_items: Iterable[T],
    successors: Mapping[T, T],
    removed_change: Callable[[T], ItemChange[T]],
    change: Callable[[T], ItemChange[T]],
) -> list[ItemChange[T]]:
    """Return changes in the order of the newer edition, each removed item after the item before it."""
    removed: dict[T | None, list[ItemChange[T]]] = {}
    before: T | None = None
    for item in old_items:
        if item in successors:
            before = successors[item]
        else:
            removed.setdefault(before, []).append(removed_change(item))
    changes = removed.get(None, [])
    for item in new_items:
        changes += [change(item), *removed.get(item, ())]
    return changes


def have_same_parent(old: N, new: N, predecessors: Mapping[N, N]) -> bool:
    """Return whether two items have the same parent in their editions, or both have none."""
    outer_old = old.owner if isinstance(old, SequenceStep) else old.parent
    outer_new = new.owner if isinstance(new, SequenceStep) else new.parent
    if outer_old is None or outer_new is None:
        return outer_old is outer_new
    return predecessors.get(outer_new) is outer_old


def unmoved_items(
    rows: Iterable[Sequence[N]], predecessors: Mapping[N, N], position: Callable[[N], int]
) -> set[N]:
    """Return the items in the same order as before; each row has the children of one parent."""
    unmoved: set[N] = set()
    for row in rows:
        matched: list[N] = []
        for item in row:
            old = predecessors.get(item)
            if old and have_same_parent(old, item, predecessors):
                matched.append(item)
        unmoved.update(longest_in_order(matched, lambda item: position(predecessors[item])))
    return unmoved


def longest_in_order(items: Sequence[T], position: Callable[[T], Any]) -> list[T]:
    """Return the longest choice of items with ascending positions; of several, that with the later items."""
    lowest: list[Any] = []  # by length of a choice: the lowest position at its end
    lengths: list[int] = []
    for item in items:
        length = bisect_right(lowest, position(item))
        lowest[length : length + 1] = [position(item)]
        lengths.append(length)
    chosen: list[T] = []
    for item, length in zip(reversed(items), reversed(lengths), strict=True):
        is_in_order = not chosen or position(item) <= position(chosen[-1])
        if length == len(lowest) - len(chosen) - 1 and is_in_order:
            chosen.append(item)
    return chosen[::-1]
