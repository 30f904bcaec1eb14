"""Changes: a rule, a step, a table or an aid of an edition, then and now."""

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
    """Sort of a change. Several may hold for one thing: it can be both moved and reworded."""

    ADDED = "added"
    REMOVED = "removed"
    ONLY = "only here"  # the other edition is known in part, so it need not be new or gone
    SPLIT = "split"
    MERGED = "merged"
    MOVED = "moved"
    RENUMBERED = "renumbered"  # in its place, under another number
    RETITLED = "retitled"
    RETIRED = "retired"
    REWORDED = "reworded"
    TYPOGRAPHY = "typography"  # the same words, in other dashes, quotes, blanks
    CHANGED = "changed"  # a step, a table or an aid, in something that it says
    NAMED = "named otherwise"  # another label, id or former number: what nobody reads again for
    UNREAD = "not compared"  # its text is not known in one of the editions


ALONE = (ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.ONLY)
"""Kinds of a thing that is in one edition only."""

QUIET = (ChangeKind.UNREAD, ChangeKind.ONLY, ChangeKind.TYPOGRAPHY)
"""Kinds that are no change of what is said, or something that cannot be known."""

WITH_OTHERS = {*ALONE, ChangeKind.MOVED, ChangeKind.RENUMBERED, ChangeKind.UNREAD, ChangeKind.TYPOGRAPHY}
"""Kinds that are left out of a list where they are due to the rule or step around."""


@dataclass(frozen=True, slots=True)
class WordDifference:
    """Difference in one thing that a rule or the like says, word by word: title, text, cost, or a cell.

    It has no pieces where only signs are set in another way.
    """

    name: str
    pieces: tuple[DiffPiece, ...]

    @property
    def is_new(self) -> bool:
        return all(piece.change == "+" for piece in self.pieces)

    @property
    def is_deleted(self) -> bool:
        return all(piece.change == "-" for piece in self.pieces)


@dataclass(frozen=True, slots=True, eq=False)
class ItemChange(Generic[T]):
    """A rule, a step, a table or an aid in two editions: what it was, what it is, and what differs.

    `kinds` is empty where nothing does. `parts`: what differs in its words. `related`: what else it was split
    into, or made from. `follows_parent`: its number or place changed only because that of what it lies in
    has. `is_comparable`: it is known in both editions what it says. `inside`: how many of its sort came or
    went with it. `repeats_other_change`: the same is told of the step that it repeats.
    """

    old: T | None
    new: T | None
    kinds: tuple[ChangeKind, ...] = ()
    parts: tuple[WordDifference, ...] = ()
    related: tuple[T, ...] = ()
    follows_parent: bool = False
    is_comparable: bool = True
    inside: int = 0
    repeats_other_change: bool = False

    @property
    def present_item(self) -> T:
        """The thing in the newer edition, or where it is gone in the older one."""
        found = self.old if self.new is None else self.new
        assert found is not None
        return found

    @property
    def is_reported(self) -> bool:
        """Whether it is worth a line of its own: it changed, and not only the rule or step around it."""
        quietly = WITH_OTHERS if self.follows_parent else (ChangeKind.UNREAD, ChangeKind.TYPOGRAPHY)
        return not self.repeats_other_change and any(kind not in quietly for kind in self.kinds)

    @property
    def is_certain(self) -> bool:
        return any(kind not in QUIET for kind in self.kinds)

    @property
    def kind(self) -> str:
        return ", ".join(self.kinds) or "unchanged"

    @property
    def successor(self) -> T | None:
        """The thing as it is now; of a rule that was merged into another, that one."""
        return self.related[0] if self.new is None and ChangeKind.MERGED in self.kinds else self.new

    @property
    def predecessor(self) -> T | None:
        """The thing as it was; of a rule that was split off another, that one."""
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


def kinds_and_parts(
    parts: Iterable[WordDifference], otherwise: ChangeKind = ChangeKind.CHANGED
) -> tuple[list[ChangeKind], tuple[WordDifference, ...]]:
    """Kinds of a change that differs in some parts, in the title and `otherwise`; the parts that say so."""
    every = [*parts]
    said = tuple(part for part in every if part.pieces)
    kinds = {ChangeKind.RETITLED if part.name == "title" else otherwise for part in said}
    kinds |= {ChangeKind.TYPOGRAPHY} if len(said) < len(every) else set()
    return [kind for kind in (ChangeKind.RETITLED, otherwise, ChangeKind.TYPOGRAPHY) if kind in kinds], said


def drop_repeated(changes: Iterable[StepChange], told: set[object]) -> Iterator[StepChange]:
    """Changes of steps, each without what is told of the step that it repeats; `told` is what is told."""
    for change in changes:
        source = _source(change.present_item)
        words = [
            (source, part.name, *((piece.change, piece.text) for piece in part.pieces))
            for part in change.parts
        ]
        left = [part for part, said in zip(change.parts, words, strict=True) if said not in told]
        kinds = {(source, kind) for kind in change.kinds}
        again = bool(kinds) and not left and kinds <= told
        yield (
            replace(change, parts=tuple(left), repeats_other_change=again)
            if len(left) < len(words) or again
            else change
        )
        told.update(words, kinds)


def _source(step: SequenceStep) -> object:
    """The text that a step is made from, in its own turn or in the one before, in its game or the series."""
    while step.origin:
        step = step.origin
    title, derived = step.step.title.key, step.edition.derived
    return derived.titles.get(title, title) if derived else title


# Rules and steps lie in one another.


def one_sided_change(
    old: N | None,
    new: N | None,
    kind: ChangeKind,
    matched: Container[N],
    parts: tuple[WordDifference, ...] = (),
) -> ItemChange[N]:
    """Change of a rule or a step that is in one edition only. `matched`: those of it that are in both."""
    here = new or old
    assert here
    along = here.parent is not None and here.parent not in matched
    inside = 0 if along else sum(rule not in matched for rule in here.iter_subtree()) - 1
    return ItemChange(old, new, (kind,), parts, follows_parent=along, inside=inside)


def order_changes(
    olds: Iterable[T],
    news: Iterable[T],
    heirs: Mapping[T, T],
    gone: Callable[[T], ItemChange[T]],
    here: Callable[[T], ItemChange[T]],
) -> list[ItemChange[T]]:
    """Changes in the order of the newer edition; one that is `gone` behind the one that stood before it."""
    lost: dict[T | None, list[ItemChange[T]]] = {}
    before: T | None = None
    for one in olds:
        if one in heirs:
            before = heirs[one]
        else:
            lost.setdefault(before, []).append(gone(one))
    row = lost.get(None, [])
    for one in news:
        row += [here(one)]
        row += lost.get(one, [])
    return row


def have_same_parent(was: N, one: N, origins: Mapping[N, N]) -> bool:
    """Whether two lie in the same rule or step, or both in none."""
    outer_before = was.owner if isinstance(was, SequenceStep) else was.parent
    outer_after = one.owner if isinstance(one, SequenceStep) else one.parent
    if outer_before is None or outer_after is None:
        return outer_before is outer_after
    return origins.get(outer_after) is outer_before


def unmoved_items(rows: Iterable[Sequence[N]], origins: Mapping[N, N], place: Callable[[N], int]) -> set[N]:
    """Rules or steps that are in the same order as before. `rows`: those that lie beside each other."""
    stayed: set[N] = set()
    for row in rows:
        both = [rule for rule in row if (was := origins.get(rule)) and have_same_parent(was, rule, origins)]
        stayed.update(longest_in_order(both, lambda one: place(origins[one])))
    return stayed


def longest_in_order(row: Sequence[T], place: Callable[[T], int]) -> list[T]:
    """The longest choice from a row in which places only go up, of several the one with the later things."""
    lowest: list[int] = []  # by length of a choice: the lowest place that one ends at
    lengths: list[int] = []
    for item in row:
        length = bisect_right(lowest, place(item))
        lowest[length : length + 1] = [place(item)]
        lengths.append(length)
    chosen: list[T] = []
    for item, length in zip(reversed(row), reversed(lengths), strict=True):
        if length == len(lowest) - len(chosen) - 1 and (not chosen or place(item) <= place(chosen[-1])):
            chosen.append(item)
    return chosen[::-1]
