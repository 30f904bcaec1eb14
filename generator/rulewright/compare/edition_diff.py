"""Comparison of two editions, as amended: a change for each rule, step, table and aid.

    pairs of rules, steps, tables and aids ──► a change for each, with its kinds and its words

Pages, exports, impact and histories use it. Each part is computed on demand: to find which rule is which, no
words are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, TypeVar

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.field_diff import (
    HISTORY_KEYS,
    FieldDiff,
    TextsByKey,
    reference_keys,
    texts_by_key,
)
from rulewright.compare.item_change import (
    ChangeKind,
    ItemChange,
    RuleChange,
    StepChange,
    WordDifference,
    drop_repeated,
    kinds_of_differences,
    one_sided_change,
    order_changes,
    unmoved_items,
)
from rulewright.compare.item_matching import match_errata, match_sheets, match_steps, match_tables
from rulewright.compare.matching import EditionSide, MatchResult, match_rules
from rulewright.compare.word_diff import DiffPiece
from rulewright.files.located_text import LocatedText
from rulewright.references.previous_edition import is_next_edition
from rulewright.references.reference_index import EditionReferences, ReferenceIndex
from rulewright.schema.aid import Aid
from rulewright.sequence.sequence_step import SequenceStep

PATH = "changes"
"""Path of the page of changes, below that of its edition."""

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
"""Kinds of change for which a table has a change bar; a new place is reported at its rule."""


T = TypeVar("T")
TableChange = ItemChange[TableEntry]
AidChange = ItemChange[Aid]
BookChange = ItemChange[Edition]
ErrataChange = ItemChange[ErrataEntry]

_MATCHES = {
    RuleEntry: "rule_matches",
    SequenceStep: "step_matches",
    TableEntry: "table_matches",
    AidSheet: "sheet_matches",
}
"""Attributes with the matches of each type of item."""


class EditionDiff:
    """A change for each rule, step, table and aid of two editions; `known_pairs`: certain pairs of rules."""

    def __init__(
        self,
        old: EditionSide,
        new: EditionSide,
        known_pairs: Mapping[RuleEntry, RuleEntry] = MappingProxyType({}),
    ) -> None:
        self.sides, self._known_pairs = (old, new), known_pairs
        self.old, self.new = old.outline, new.outline
        self.reported: set[object] = set()
        """What is reported already, perhaps of another edition or of the series."""
        self._rule_changes: dict[RuleEntry, RuleChange] = {}
        # One edition at two times: each rule of either is known, even if it is only listed.
        self.is_one = self.old.edition.address == self.new.edition.address

    # Matches

    @cached_property
    def rule_matches(self) -> MatchResult[RuleEntry]:
        return match_rules(*self.sides, self._known_pairs)

    @cached_property
    def step_matches(self) -> MatchResult[SequenceStep]:
        return match_steps(*self.sides)

    @cached_property
    def table_matches(self) -> MatchResult[TableEntry]:
        return match_tables(*self.sides, self.rule_matches)

    @cached_property
    def sheet_matches(self) -> MatchResult[AidSheet]:
        return match_sheets(*self.sides)

    def counterpart(self, source: Source) -> tuple[Source | None, bool]:
        """Return an item's counterpart in the other edition, and whether it, or its absence, is certain."""
        is_new = source.edition is self.new.edition
        roots = self.old.sequence.root, self.new.sequence.root
        if source in roots:
            return roots[not is_new], True
        matches: MatchResult[Any] = getattr(self, _MATCHES[type(source)])
        result = matches.predecessor(source) if is_new else matches.successor(source)
        if result or not isinstance(source, RuleEntry | TableEntry):
            return result, True
        return None, self.is_absence_certain(is_new, source if isinstance(source, RuleEntry) else None)

    @cached_property
    def _unmatched(self) -> list[list[RuleEntry]]:
        """Rules of each edition without a counterpart."""
        old = [rule for rule in self.old.ordered_entries if rule not in self.rule_matches.old]
        return [old, [rule for rule in self.new.ordered_entries if rule not in self.rule_matches.new]]

    @cached_property
    def _hides_rules(self) -> list[bool]:
        """Whether each edition may have a rule whose number or words are unknown."""
        pairs = zip(self.sides, self._unmatched, strict=True)
        return [not (side.lists_everything and all(map(side.says, rules))) for side, rules in pairs]

    def is_absence_certain(self, side: int, entry: RuleEntry | None = None) -> bool:
        """Return whether an item of one edition only, the older (0) or newer (1), is not in the other."""
        is_unknown = entry is not None and self._unmatched[not side] and not self.sides[side].says(entry)
        return self.is_one or not (self._hides_rules[not side] or is_unknown)

    # Changes of rules

    @cached_property
    def wording(self) -> FieldDiff:
        return FieldDiff(*self.sides, reference_keys(*self.sides, self.rule_matches))

    @cached_property
    def unmoved_rules(self) -> set[RuleEntry]:
        """New rules in the same order as before."""
        rows = [self.new.chapters, *(entry.children for entry in self.new.ordered_entries)]
        return unmoved_items(rows, self.rule_matches.new, lambda entry: entry.position)

    @cached_property
    def rules(self) -> list[RuleChange]:
        """Changes of all rules of the new edition, each deleted rule after the rule that preceded it."""
        rules = self.old.ordered_entries, self.new.ordered_entries
        return order_changes(*rules, self.rule_matches.old, partial(self._one_sided_rule, 0), self.of_rule)

    def of_rule(self, entry: RuleEntry) -> RuleChange:
        """Return the change of a rule of the new edition."""
        if entry not in self._rule_changes:
            predecessor = None if entry in self.rule_matches.parts else self.rule_matches.new.get(entry)
            self._rule_changes[entry] = (
                self._compare_rules(predecessor, entry) if predecessor else self._one_sided_rule(1, entry)
            )
        return self._rule_changes[entry]

    def _one_sided_rule(self, side: int, entry: RuleEntry) -> RuleChange:
        """Return the change of a rule that only the older edition (0) or the newer one (1) has."""
        matches = self.rule_matches
        old, new = (None, entry) if side else (entry, None)
        if whole := (matches.parts if side else matches.merged).get(entry):
            return ItemChange(old, new, (ChangeKind.SPLIT if side else ChangeKind.MERGED,), (), (whole,))
        kind = ChangeKind.ADDED if side else ChangeKind.REMOVED
        if not self.is_absence_certain(side, entry):
            kind = ChangeKind.ONLY
        texts = [(name, tuple(words)) for name, words in self._words(side, entry) if words]
        parts = tuple(WordDifference(name, (DiffPiece("-+"[side], words),)) for name, words in texts)
        return one_sided_change(old, new, kind, matches.new if side else matches.old, parts)

    @cached_property
    def _parts_by_rule(self) -> Mapping[RuleEntry, list[RuleEntry]]:
        """The other parts of each rule that was split, or that was merged from several."""
        parts: dict[RuleEntry, list[RuleEntry]] = {}
        for part, whole in [*self.rule_matches.parts.items(), *self.rule_matches.merged.items()]:
            parts.setdefault(whole, []).append(part)
        return parts

    def _words(self, side: int, *entries: RuleEntry) -> TextsByKey:
        """Return the words of rules and their parts that are in one edition, without titles."""
        edition_side = self.sides[side]
        rules = {*entries, *(part for entry in entries for part in self._parts_by_rule.get(entry, ()))}
        own_rules = [rule for rule in rules if rule.edition is edition_side.outline.edition]
        own_rules.sort(key=lambda rule: rule.position)
        pairs = [pair for rule in own_rules for pair in texts_by_key(rule.rule, edition_side)]
        return [pair for pair in pairs if pair[0] != "title" and pair[0] not in HISTORY_KEYS]

    def _compare_rules(self, before: RuleEntry, after: RuleEntry) -> RuleChange:
        (old, new), wording = self.sides, self.wording
        says = old.says(before), new.says(after)
        # One of the two has words and the other is only known by its number.
        is_unread = bool((old.texts(before) and not says[1]) or (new.texts(after) and not says[0]))
        is_unread = is_unread and not self.is_one
        differences: list[WordDifference] = []
        if self.is_one or (before.title and after.title) or all(says):
            titles = [[side.words(_own_title(rule, side))] for rule, side in ((before, old), (after, new))]
            differences += wording.diff_values("title", *titles)
        sources = before.rule or before.listed_rule, after.rule or after.listed_rule
        old_texts, new_texts = map(partial(texts_by_key, only=HISTORY_KEYS), sources, self.sides)
        if not is_unread and (self.is_one or (before.rule and after.rule)):
            old_texts += self._words(0, before, after)
            new_texts += self._words(1, after, before)
        differences += wording.diff_fields(old_texts, new_texts)
        is_retired = _ends(after) and not _ends(before)
        split, merged = self._parts_by_rule.get(before, []), self._parts_by_rule.get(after, [])
        kinds = [ChangeKind.SPLIT] * bool(split) + [ChangeKind.MERGED] * bool(merged)
        follows_parent, is_unmoved = False, after in self.unmoved_rules
        if before.key != after.key:
            has_same_label = before.number.labels[-1] == after.number.labels[-1]
            follows_parent = is_unmoved and has_same_label and after.parent is not None
            kinds.append(ChangeKind.RENUMBERED if is_unmoved else ChangeKind.MOVED)
        counted = [part for part in differences if not (is_retired and part.name in HISTORY_KEYS)]
        for kind in kinds_of_differences(counted, ChangeKind.REWORDED):
            if kind is not ChangeKind.REWORDED or not (split or merged):
                kinds.append(kind)
        kinds += [ChangeKind.RETIRED] * is_retired
        kinds += [ChangeKind.UNREAD] * is_unread
        parts = tuple(differences)
        return ItemChange(before, after, tuple(kinds), parts, (*split, *merged), follows_parent, all(says))

    # Changes of steps, tables, aids, the book and errata

    @cached_property
    def steps(self) -> list[StepChange]:
        """Changes of all steps in the order of play, each deleted step after the step that preceded it."""
        matches = self.step_matches
        old_steps, new_steps = (list(outline.sequence.iter_steps()) for outline in (self.old, self.new))
        order = {step: position for position, step in enumerate(old_steps)}
        rows = [self.new.sequence.steps, *(step.own_steps for step in new_steps)]
        unmoved = unmoved_items(rows, matches.new, order.__getitem__)

        def step_change(after: SequenceStep) -> StepChange:
            before = matches.new.get(after)
            if before is None:
                return one_sided_change(None, after, ChangeKind.ADDED, matches.new)
            outer, new_outer = before.owner, after.owner
            is_as_outer = False
            if outer and new_outer and matches.old.get(outer) is new_outer:
                is_as_outer = before.actors == outer.actors and after.actors == new_outer.actors
            differences = [*self.wording.steps(before, after, is_as_outer)]
            moved = [] if after in unmoved else [ChangeKind.MOVED]
            return self._change(before, after, differences, moved)

        def removed_change(step: SequenceStep) -> StepChange:
            return one_sided_change(step, None, ChangeKind.REMOVED, matches.old)

        changes = order_changes(old_steps, new_steps, matches.old, removed_change, step_change)
        root, new_root = self.old.sequence.root, self.new.sequence.root
        # A text that a game has from its series is reported there.
        old, new = self.old.edition, self.new.edition
        old_sequence = old.derived.game_sequence if old.derived else old.sequence
        new_sequence = new.derived.game_sequence if new.derived else new.sequence
        if root and new_root and old_sequence and new_sequence:
            differences = self._field_diffs(old_sequence, new_sequence)
            changes.insert(0, self._change(root, new_root, differences))
        return [*drop_repeated(changes, self.reported)]

    @staticmethod
    def _change(
        before: T, after: T, differences: Sequence[WordDifference], kinds: Sequence[ChangeKind] = ()
    ) -> ItemChange[T]:
        """Return the change of an item in both editions, with its differences and its kinds of place."""
        word_kinds = kinds_of_differences(differences, ChangeKind.CHANGED)
        return ItemChange(before, after, (*kinds, *word_kinds), tuple(differences))

    @cached_property
    def tables(self) -> list[TableChange]:
        """Changes of all tables of the new edition, then of deleted ones."""
        pairs = self._pairs(lambda references: references.tables, self.table_matches)
        return [self._table_change(*pair) for pair in pairs]

    def _pairs(
        self, items: Callable[[EditionReferences], Iterable[T]], matches: MatchResult[T]
    ) -> Iterator[tuple[T | None, T | None]]:
        """Yield each item of the new edition with its old counterpart, then the old items without one."""
        old_items, new_items = (items(side.references) for side in self.sides)
        yield from ((matches.new.get(item), item) for item in new_items)
        yield from ((item, None) for item in old_items if item not in matches.old)

    def _table_change(self, before: TableEntry | None, after: TableEntry | None) -> TableChange:
        if not (before and after):
            is_new = after is not None
            kind = ChangeKind.ADDED if is_new else ChangeKind.REMOVED
            return ItemChange(before, after, (kind if self.is_absence_certain(is_new) else ChangeKind.ONLY,))
        kinds: list[ChangeKind] = []
        if before.entry and after.entry and before.entry.key != after.entry.key:
            is_unmoved = after.entry in self.unmoved_rules
            kinds.append(ChangeKind.RENUMBERED if is_unmoved else ChangeKind.MOVED)
        return self._change(before, after, [*self.wording.tables(before.table, after.table)], kinds)

    def has_bar(self, item: RuleEntry | TableEntry) -> bool:
        """Return whether a rule or a table of the new edition has a change bar: new words or a new place."""
        table = self.sides[1].index.tables_by_target.get(item)
        if table and NEW_TABLE.intersection(
            self._table_change(self.table_matches.new.get(table), table).kinds
        ):
            return True
        if not isinstance(item, RuleEntry):
            return False
        change = self.of_rule(item)
        has_moved_with_parent = change.follows_parent and NEW_PLACE.issuperset(change.kinds)
        return bool(BARS.intersection(change.kinds)) and not has_moved_with_parent

    @cached_property
    def aids(self) -> list[AidChange]:
        """Changes of all aids of the new edition, then of deleted ones."""
        pairs = self._pairs(lambda references: references.aid_sheets, self.sheet_matches)
        changes: list[AidChange] = []
        for old, new in pairs:
            before = old.aid if old else None
            changes.append(self._whole_change(before, new.aid if new else None))
        return changes

    def _whole_change(
        self, before: T | None, after: T | None, part: Callable[[T], Any] = lambda item: item
    ) -> ItemChange[T]:
        """Return the change of an aid or an errata entry; `part` of it is compared."""
        if before and after:
            return self._change(before, after, self._field_diffs(part(before), part(after)))
        return ItemChange(before, after, (ChangeKind.ADDED if after else ChangeKind.REMOVED,))

    @cached_property
    def book(self) -> list[BookChange]:
        """Changes of a whole edition and of its rulebook, without those `reported` of the rulebook."""
        if not self.is_one:
            return []
        old, new = self.old.edition, self.new.edition
        books = [edition.book.title.file.name for edition in new.with_series]
        differences: list[WordDifference] = []
        for part in self._field_diffs(old.book, new.book):
            if self.reported.isdisjoint((name, part.key) for name in books):
                differences.append(part)
            self.reported.add((new.book.title.file.name, part.key))
        differences += self._field_diffs(old.edition_file, new.edition_file)
        differences += self._field_diffs(old.known, new.known)
        differences += self._field_diffs(old.redirects, new.redirects)
        return [self._change(old, new, differences)] if differences else []

    @cached_property
    def errata_changes(self) -> list[ErrataChange]:
        """Changes of the errata and questions of one edition at two times; none of two editions."""
        if not self.is_one:
            return []
        pairs = self._pairs(lambda references: references.errata_entries, match_errata(*self.sides))
        return [self._whole_change(*pair, lambda entry: entry.source) for pair in pairs]

    def _field_diffs(self, before: Any, after: Any) -> list[WordDifference]:
        """Return the differences of two parts of the model, key by key."""
        return [*self.wording.diff_fields(*map(texts_by_key, (before, after), self.sides))]

    # Summaries

    @property
    def reported_changes(self) -> bool:
        return any(change.is_reported for changes in self.changes_by_type.values() for change in changes)

    @property
    def changes_by_type(self) -> Mapping[str, list[ItemChange[Any]]]:
        """All changes by the type of their items."""
        changes: dict[str, list[ItemChange[Any]]] = {"rules": self.rules, "steps": self.steps}
        changes |= {"tables": self.tables, "aids": self.aids}
        changes |= {"book": self.book} if self.book else {}
        return changes | ({"errata": self.errata_changes} if self.errata_changes else {})

    @property
    def one_sided_rules(self) -> list[tuple[Edition, Edition, list[RuleEntry]]]:
        """Rules of each edition that the other, which is known in part, may have or not."""
        editions = self.old.edition, self.new.edition
        rules = [change.present_item for change in self.rules if ChangeKind.ONLY in change.kinds]
        rows: list[tuple[Edition, Edition, list[RuleEntry]]] = []
        for edition, other in (editions, editions[::-1]):
            if own_rules := [rule for rule in rules if rule.edition is edition]:
                rows.append((edition, other, own_rules))
        return rows

    @property
    def path(self) -> str:
        """The path of its page: `changes` with the edition that is followed, else `changes/3.0`."""
        path = f"{self.new.edition.address}/{PATH}"
        name = self.old.edition.address.partition("/")[2]
        return path if is_next_edition(self.new, self.old) else f"{path}/{name}"


def diff_editions(
    old: Outline, new: Outline, index: ReferenceIndex, new_index: ReferenceIndex | None = None
) -> EditionDiff:
    """Compare two editions of an index; `new_index` is that of the new edition if it has its own."""
    return EditionDiff(EditionSide(old, index), EditionSide(new, new_index or index))


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
    newest = after.newest.values()
    for diff in sorted(
        diffs, key=lambda diff: (len([*diff.new.edition.with_series]), diff.new.edition not in newest)
    ):
        diff.reported = reported
        _ = diff.steps, diff.book  # computed here, as each adds to what is reported
    return diffs


def _own_title(entry: RuleEntry, side: EditionSide) -> LocatedText | None:
    """Return the title of a rule, but not a title that it has from its table, which has its own change."""
    table = side.index.tables_by_target.get(entry)
    return None if table and table.table.title is entry.title else entry.title


def _ends(entry: RuleEntry) -> bool:
    """Return whether a rule itself is retired, and not only a rule around it."""
    return entry.retired is not None and entry.retired in (entry.rule, entry.listed_rule)
