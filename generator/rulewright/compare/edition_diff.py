"""One comparison of two editions, as amended: what each rule, step, table and aid became: `changes`.

    pairs of rules, steps, tables and aids ──► a change for each, with its kinds and its words ──► fronts

Pages, exports, impact and histories are fronts over it, and each part is worked out when one asks: what only
wants to know which rule is which compares no words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.field_diff import (
    STANDING,
    FieldDiff,
    Said,
    reference_keys,
    texts_by_key,
    without_inherited,
)
from rulewright.compare.item_change import (
    ChangeKind,
    ItemChange,
    RuleChange,
    StepChange,
    WordDifference,
    drop_repeated,
    kinds_and_parts,
    one_sided_change,
    order_changes,
    unmoved_items,
)
from rulewright.compare.matching import (
    EditionSide,
    MatchResult,
    match_errata,
    match_rules,
    match_sheets,
    match_steps,
    match_tables,
)
from rulewright.compare.word_diff import DiffPiece
from rulewright.files.located_text import LocatedText
from rulewright.references.previous_edition import followed_edition, is_next_edition
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.aid import Aid
from rulewright.sequence.sequence_step import SequenceStep

PATH = "changes"
"""Address of the page of changes, below that of its edition."""

NEW_PLACE = {ChangeKind.MOVED, ChangeKind.RENUMBERED}
BARS = {
    ChangeKind.ADDED,
    ChangeKind.SPLIT,
    ChangeKind.MERGED,
    ChangeKind.MOVED,
    ChangeKind.RETITLED,
    ChangeKind.RETIRED,
    ChangeKind.REWORDED,
}
"""Kinds of change for which a rule has a change bar."""

NEW_TABLE = {ChangeKind.ADDED, ChangeKind.RETITLED, ChangeKind.CHANGED}
"""Kinds of change for which a table has a change bar; a new place is told at its rule."""


TableChange = ItemChange[TableEntry]
AidChange = ItemChange[Aid]
BookChange = ItemChange[Edition]
RemarkChange = ItemChange[ErrataEntry]

_MATCHED = {RuleEntry: "of_rules", SequenceStep: "of_steps", TableEntry: "of_tables", AidSheet: "of_sheets"}


class EditionDiff:
    """A change for each rule, step, table and aid of two editions. `sure`: old rules known to be new ones."""

    def __init__(
        self, old: EditionSide, new: EditionSide, sure: Mapping[RuleEntry, RuleEntry] = MappingProxyType({})
    ) -> None:
        self.sides, self._sure = (old, new), sure
        self.old, self.new = old.outline, new.outline
        # One edition at two times: what it had is known, even if it is here in part.
        self._changes: dict[RuleEntry, RuleChange] = {}
        self.is_one = self.old.edition.address == self.new.edition.address

    # Which is which

    @cached_property
    def of_rules(self) -> MatchResult[RuleEntry]:
        return match_rules(*self.sides, self._sure)

    @cached_property
    def of_steps(self) -> MatchResult[SequenceStep]:
        return match_steps(*self.sides)

    @cached_property
    def of_tables(self) -> MatchResult[TableEntry]:
        return match_tables(*self.sides, self.of_rules)

    @cached_property
    def of_sheets(self) -> MatchResult[AidSheet]:
        return match_sheets(*self.sides)

    def counterpart(self, source: Source) -> tuple[Source | None, bool]:
        """Find a thing's counterpart in the other edition, and whether it, or its absence, is certain."""
        at = source.edition is self.new.edition
        if source in (self.old.sequence.root, self.new.sequence.root):
            return (self.old.sequence.root if at else self.new.sequence.root), True
        made: MatchResult[Any] = getattr(self, _MATCHED[type(source)])
        found = made.predecessor(source) if at else made.successor(source)
        rule = source if isinstance(source, RuleEntry) else None
        known = found or not isinstance(source, RuleEntry | TableEntry)
        return found, bool(known) or self.is_sure(at, rule)

    @cached_property
    def _left(self) -> list[list[RuleEntry]]:
        pairs = zip(self.sides, (self.of_rules.old, self.of_rules.new), strict=True)
        return [
            [entry for entry in side.outline.ordered_entries if entry not in made] for side, made in pairs
        ]

    @cached_property
    def _hides(self) -> list[bool]:
        """Whether a rule may hide in each edition, among those of which only the number is known."""
        pairs = zip(self.sides, self._left, strict=True)
        return [not (side.lists_everything and all(map(side.says, left))) for side, left in pairs]

    def is_sure(self, at: int, entry: RuleEntry | None = None) -> bool:
        """Whether what is in the edition `at` only, the older or the newer, is certainly not in the other."""
        unknown = self._left[not at] and entry is not None and not self.sides[at].says(entry)
        return self.is_one or not (self._hides[not at] or unknown)

    # Changes

    @cached_property
    def wording(self) -> FieldDiff:
        return FieldDiff(*self.sides, reference_keys(*self.sides, self.of_rules))

    @cached_property
    def in_place(self) -> set[RuleEntry]:
        """The rules that stand in the same order as before."""
        rows = [self.new.chapters, *(entry.children for entry in self.new.ordered_entries)]
        return unmoved_items(rows, self.of_rules.new, lambda entry: entry.position)

    @cached_property
    def rules(self) -> list[RuleChange]:
        """Every rule of the new edition, and behind the one that stood before it each that is gone."""
        made = self.of_rules

        def gone(entry: RuleEntry) -> RuleChange:
            if whole := made.merged.get(entry):
                return ItemChange(entry, None, (ChangeKind.MERGED,), (), (whole,))
            kind = ChangeKind.REMOVED if self.is_sure(0, entry) else ChangeKind.ONLY
            return one_sided_change(entry, None, kind, made.old, self._alone(0, entry))

        return order_changes(self.old.ordered_entries, self.new.ordered_entries, made.old, gone, self.of_rule)

    def of_rule(self, entry: RuleEntry) -> RuleChange:
        """The change of a rule of the new edition."""
        if entry not in self._changes:
            self._changes[entry] = self._of_rule(entry)
        return self._changes[entry]

    def _of_rule(self, entry: RuleEntry) -> RuleChange:
        made = self.of_rules
        if whole := made.parts.get(entry):
            return ItemChange(None, entry, (ChangeKind.SPLIT,), (), (whole,))
        if rule := made.new.get(entry):
            return self._rule(rule, entry)
        kind = ChangeKind.ADDED if self.is_sure(1, entry) else ChangeKind.ONLY
        return one_sided_change(None, entry, kind, made.new, self._alone(1, entry))

    @cached_property
    def _pieces(self) -> Mapping[RuleEntry, list[RuleEntry]]:
        """The further parts of each rule that was split, or that was made from several."""
        found: dict[RuleEntry, list[RuleEntry]] = {}
        for part, whole in [*self.of_rules.parts.items(), *self.of_rules.merged.items()]:
            found.setdefault(whole, []).append(part)
        return found

    def _words(self, at: int, *entries: RuleEntry) -> Said:
        every = {*entries, *(part for entry in entries for part in self._pieces.get(entry, ()))}
        side = self.sides[at]
        ours = [rule for rule in every if rule.edition is side.outline.edition]
        ours.sort(key=lambda one: one.position)
        own = {"title", *STANDING}
        return [pair for our in ours for pair in texts_by_key(our.rule, side) if pair[0] not in own]

    def _alone(self, at: int, entry: RuleEntry) -> tuple[WordDifference, ...]:
        words = ((name, tuple(words)) for name, words in self._words(at, entry) if words)
        return tuple(WordDifference(name, (DiffPiece("-+"[at], one),)) for name, one in words)

    def _rule(self, was: RuleEntry, entry: RuleEntry) -> RuleChange:
        (old, new), wording = self.sides, self.wording
        says = old.says(was), new.says(entry)
        # One of the two has words and the other is only known by its number.
        unread = bool((old.texts(was) and not says[1]) or (new.texts(entry) and not says[0]))
        unread = unread and not self.is_one
        parts = list[WordDifference]()
        if self.is_one or (was.title and entry.title) or all(says):
            titles = [[side.words(_own_title(rule, side))] for rule, side in ((was, old), (entry, new))]
            parts += wording.diff_values("title", *titles)
        if not unread and (self.is_one or (was.rule and entry.rule)):
            parts += wording.diff_fields(self._words(0, was, entry), self._words(1, entry, was))
        stands = ((was.rule or was.listed_rule, old), (entry.rule or entry.listed_rule, new))
        standing = list(wording.diff_fields(*(texts_by_key(*stand, only=STANDING) for stand in stands)))
        into, of = self._pieces.get(was, []), self._pieces.get(entry, [])
        kinds = [*([ChangeKind.SPLIT] if into else []), *([ChangeKind.MERGED] if of else [])]
        along, stays = False, entry in self.in_place
        if was.key != entry.key:
            along = stays and was.number.labels[-1] == entry.number.labels[-1] and entry.parent is not None
            kinds.append(ChangeKind.RENUMBERED if stays else ChangeKind.MOVED)
        differs, shown = kinds_and_parts(
            [*parts, *(one for one in standing if not one.pieces)], ChangeKind.REWORDED
        )
        kinds += [kind for kind in differs if kind is not ChangeKind.REWORDED or not (into or of)]
        if any(part.pieces for part in standing):
            is_retired = _ends(entry) and not _ends(was)
            kinds += (
                [ChangeKind.RETIRED]
                if is_retired
                else [ChangeKind.REWORDED]
                if ChangeKind.REWORDED not in kinds
                else []
            )
        named, names = self._names(*(one for one, _ in stands)) if was.key == entry.key else ([], ())
        kinds += [*named, *[ChangeKind.UNREAD] * unread]
        parts = [*shown, *(part for part in standing if part.pieces), *names]
        return ItemChange(was, entry, tuple(kinds), tuple(parts), (*into, *of), along, all(says))

    def _names(self, was: object, now: object) -> tuple[list[ChangeKind], tuple[WordDifference, ...]]:
        """Differences in names and labels, which are told of one edition at two times alone."""
        if not self.is_one:
            return [], ()
        both = zip((was, now), self.sides, strict=True)
        names = [*self.wording.diff_fields(*(texts_by_key(*one, names=True) for one in both))]
        return [ChangeKind.NAMED] * bool(names), kinds_and_parts(names)[1]

    @cached_property
    def steps(self) -> list[StepChange]:
        """Every step of the new edition in the order of play, and behind the one before it what is gone."""
        made, olds, news = (
            self.of_steps,
            list(self.old.sequence.iter_steps()),
            list(self.new.sequence.iter_steps()),
        )
        order = {step: at for at, step in enumerate(olds)}
        rows = [self.new.sequence.steps, *(step.own_steps for step in news)]
        stayed = unmoved_items(rows, made.new, order.__getitem__)

        def here(other: SequenceStep) -> StepChange:
            step = made.new.get(other)
            if step is None:
                return one_sided_change(None, other, ChangeKind.ADDED, made.new)
            a, b = step.owner, other.owner
            as_around = (
                a and b and made.old.get(a) is b and step.actors == a.actors and other.actors == b.actors
            )
            kinds, parts = kinds_and_parts(self.wording.steps(step, other, bool(as_around)))
            named, names = self._names(step, other)
            moved = [] if other in stayed else [ChangeKind.MOVED]
            return ItemChange(step, other, (*moved, *kinds, *named), (*parts, *names))

        every = order_changes(
            olds, news, made.old, lambda one: one_sided_change(one, None, ChangeKind.REMOVED, made.old), here
        )
        rest = [*drop_repeated(every, set())]
        # A text that a game has from its series is told there.
        a, b = (
            edition.derived.game_sequence if edition.derived else edition.sequence
            for edition in (self.old.edition, self.new.edition)
        )
        if not (self.old.sequence.root and self.new.sequence.root and a and b):
            return rest
        kinds, parts = kinds_and_parts(self.wording.diff_fields(*map(texts_by_key, (a, b), self.sides)))
        return [ItemChange(self.old.sequence.root, self.new.sequence.root, tuple(kinds), parts), *rest]

    @cached_property
    def tables(self) -> list[TableChange]:
        """Every table of the new edition, then those that are gone."""

        gone = ChangeKind.REMOVED if self.is_sure(0) else ChangeKind.ONLY
        old, new = self.sides
        lost = (ItemChange(table, None, (gone,)) for table in old.tables if table not in self.of_tables.old)
        return [*map(self.of_table, new.tables), *lost]

    def of_table(self, table: TableEntry) -> TableChange:
        """The change of a table of the new edition."""
        if (was := self.of_tables.new.get(table)) is None:
            return ItemChange(None, table, (ChangeKind.ADDED if self.is_sure(1) else ChangeKind.ONLY,))
        differs, parts = kinds_and_parts(self.wording.tables(was.table, table.table))
        kinds = list[ChangeKind]()
        if was.entry and table.entry and was.entry.key != table.entry.key:
            kinds.append(ChangeKind.RENUMBERED if table.entry in self.in_place else ChangeKind.MOVED)
        named, names = self._names(was.table, table.table)
        return ItemChange(was, table, (*kinds, *differs, *named), (*parts, *names))

    def has_bar(self, thing: RuleEntry | TableEntry) -> bool:
        """Whether a rule or a table of the new edition has a change bar: new words, or another place."""
        table = self.sides[1].shelf.tables_by_target.get(thing)
        if table and NEW_TABLE.intersection(self.of_table(table).kinds):
            return True
        change = self.of_rule(thing) if isinstance(thing, RuleEntry) else None
        kinds = change.kinds if change else ()
        return bool(
            change
            and BARS.intersection(kinds)
            and not (change.follows_parent and NEW_PLACE.issuperset(kinds))
        )

    @cached_property
    def aids(self) -> list[AidChange]:
        """Every aid of the new edition, then those that are gone."""

        def here(was: Aid | None, aid: Aid) -> AidChange:
            if was is None:
                return ItemChange(None, aid, (ChangeKind.ADDED,))
            kinds, parts = kinds_and_parts(
                self.wording.diff_fields(*map(texts_by_key, (was, aid), self.sides))
            )
            return ItemChange(was, aid, tuple(kinds), parts)

        made, (old, new) = self.of_sheets, self.sides
        row = [here(made.new[sheet].aid if sheet in made.new else None, sheet.aid) for sheet in new.sheets]
        return [
            *row,
            *(
                ItemChange(sheet.aid, None, (ChangeKind.REMOVED,))
                for sheet in old.sheets
                if sheet not in made.old
            ),
        ]

    @cached_property
    def book(self) -> list[BookChange]:
        """Differences of a whole edition or, told at the newest, of its book; another name is no change."""
        if not self.is_one:
            return []
        old, new = self.old.edition, self.new.edition
        of_book = new.address in (edition.address for edition in self.sides[1].shelf.newest.values())
        books = [(without_inherited(old.book), without_inherited(new.book))] * of_book
        pairs = [
            *books,
            (old.edition_file, new.edition_file),
            (old.known, new.known),
            (old.redirects, new.redirects),
        ]
        every = (
            part for pair in pairs for part in self.wording.diff_fields(*map(texts_by_key, pair, self.sides))
        )
        kinds, parts = kinds_and_parts(every)
        return [ItemChange(old, new, tuple(kinds), parts)] if kinds else []

    @cached_property
    def errata_changes(self) -> list[RemarkChange]:
        """The errata and questions of one edition at two times; of another's `errata` says what became."""
        if not self.is_one:
            return []
        old, new = self.sides
        made = match_errata(old, new)

        def here(one: ErrataEntry) -> RemarkChange:
            if (entry := made.new.get(one)) is None:
                return ItemChange(None, one, (ChangeKind.ADDED,))
            kinds, parts = kinds_and_parts(
                self.wording.diff_fields(texts_by_key(entry.source, old), texts_by_key(one.source, new))
            )
            return ItemChange(entry, one, tuple(kinds), parts)

        gone = (
            ItemChange(entry, None, (ChangeKind.REMOVED,))
            for entry in old.errata_entries
            if entry not in made.old
        )
        return [*map(here, new.errata_entries), *gone]

    @property
    def reported_changes(self) -> bool:
        return any(change.is_reported for change in (*self.changes, *self.errata_changes))

    @property
    def typography(self) -> list[ItemChange[Any]]:
        """Changes of typography alone, which have no line of their own."""
        every = (*self.changes, *self.errata_changes)
        return [
            change
            for change in every
            if ChangeKind.TYPOGRAPHY in change.kinds
            and not (change.is_reported or change.repeats_other_change)
        ]

    @property
    def changes_by_type(self) -> Mapping[str, list[ItemChange[Any]]]:
        """All changes but those of errata, by the sort of thing that they are of."""
        sorts: dict[str, list[ItemChange[Any]]] = {"rules": self.rules, "steps": self.steps}
        sorts |= {"tables": self.tables, "aids": self.aids}
        return sorts | ({"book": self.book} if self.book else {})

    @property
    def changes(self) -> list[ItemChange[Any]]:
        """All changes but those of errata."""
        return [change for changes in self.changes_by_type.values() for change in changes]

    @property
    def one_sided_rules(self) -> list[tuple[Edition, Edition, list[RuleEntry]]]:
        """The rules of each edition of which nothing can be said, since of the other only a part is here."""
        editions = self.old.edition, self.new.edition
        only = [change.present_item for change in self.rules if ChangeKind.ONLY in change.kinds]
        rows = (
            (edition, other, [entry for entry in only if entry.edition is edition])
            for edition, other in (editions, editions[::-1])
        )
        return [row for row in rows if row[2]]

    @property
    def path(self) -> str:
        """The address of its page: `changes` with the edition that is followed, else `changes/3.0`."""
        path = f"{self.new.edition.address}/{PATH}"
        name = self.old.edition.address.partition("/")[2]
        return path if is_next_edition(self.new, self.old) else f"{path}/{name}"


def diff_editions(
    old: Outline, new: Outline, shelf: ReferenceIndex, other: ReferenceIndex | None = None
) -> EditionDiff:
    """Compare two editions on a shelf; `other` is the new one's where it has its own."""
    return EditionDiff(EditionSide(old, shelf), EditionSide(new, other or shelf))


def compare_states(before: ReferenceIndex, after: ReferenceIndex) -> list[EditionDiff]:
    """Compare the editions of two states of the content, without those that are the same.

    A change of a series is reported there, and not again in its games.
    """
    diffs = [
        diff_editions(before.outlines[address], outline, before, after)
        for address, outline in after.outlines.items()
        if before.outlines.get(address, outline) is not outline
    ]
    reported: set[object] = set()
    for diff in sorted(diffs, key=lambda diff: len([*diff.new.edition.with_series])):
        diff.steps = [*drop_repeated(diff.steps, reported)]
    return diffs


def successive_diffs(shelf: ReferenceIndex) -> Iterator[EditionDiff]:
    """Differences of each edition from the one it follows."""
    sides: dict[str, EditionSide] = {}
    for outline in shelf.outlines.values():
        if old := followed_edition(outline, shelf.outlines):
            before, now = (
                sides.setdefault(one.edition.address, EditionSide(one, shelf)) for one in (old, outline)
            )
            yield EditionDiff(before, now)


def _own_title(entry: RuleEntry, side: EditionSide) -> LocatedText | None:
    """The title of a rule, but not one that it has from its table, which is told of that."""
    table = side.shelf.tables_by_target.get(entry)
    return None if table and table.table.title is entry.title else entry.title


def _ends(entry: RuleEntry) -> bool:
    """Whether a rule itself is retired, and not only what it lies in."""
    return entry.retired is not None and entry.retired in (entry.rule, entry.listed_rule)
