"""Outline of a book: its rules as a tree in book order, and its steps in the order of play.

Numbers are looked up and not compared: a range is a slice of the outline. Only rules without a parent in the
files, such as listed rules, are placed by their labels.
"""

from __future__ import annotations

import heapq
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter

from rulewright.book.library import BookLibrary, Edition
from rulewright.files import disk_cache
from rulewright.files.located_text import LocatedText
from rulewright.files.memoize import Cache, memoize
from rulewright.numbering import number_rebasing
from rulewright.numbering.named_levels import TextContext
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.schema.rulebook import ListedRule, Rule
from rulewright.sequence.sequence_builder import build_sequence_of_play
from rulewright.sequence.sequence_step import SequenceOfPlay

_number_order = attrgetter("number.order")
_NO_LABEL = re.compile(r"[\W_]")


@dataclass(eq=False, slots=True)
class RuleEntry:
    """Rule number of a book: transcribed if it has a `rule`, else only listed."""

    number: RuleNumber
    """`number.key` is its identity and anchor."""
    printed: LocatedText
    """Number as printed in the book."""
    edition: Edition
    title: LocatedText | None = None
    rule: Rule | None = None
    listed_rule: ListedRule | None = None
    parent: RuleEntry | None = None
    children: list[RuleEntry] = field(default_factory=list)
    former: list[str] = field(default_factory=list)
    """Former numbers that lead to it."""
    position: int = 0
    context_key: str = ""
    """Context in which its texts are read: the chapter that numbers may leave out."""

    @property
    def key(self) -> str:
        return self.number.key

    @property
    def chapter(self) -> RuleEntry:
        return self.self_and_ancestors()[-1]

    @property
    def level(self) -> int:
        return len(self.self_and_ancestors()) - 1

    def self_and_ancestors(self) -> list[RuleEntry]:
        return [self, *(self.parent.self_and_ancestors() if self.parent else ())]

    @property
    def is_transcribed(self) -> bool:
        return self.rule is not None

    @property
    def retired(self) -> Rule | ListedRule | None:
        """Return what retires this rule or an ancestor; None while it is in force."""
        for source in (self.rule, self.listed_rule):
            if source and (source.retired or source.replaced_by):
                return source
        return self.parent.retired if self.parent else None

    def iter_subtree(self) -> Iterator[RuleEntry]:
        yield self
        for child in self.children:
            yield from child.iter_subtree()

    @property
    def display_number(self) -> str:
        """Return the printed number if it is complete, as 12.6a(1); for [12.6]a and 9.2 of A9.2 the key."""
        is_complete = "[" not in self.printed and _NO_LABEL.sub("", self.printed) == _NO_LABEL.sub(
            "", self.key
        )
        return str(self.printed) if is_complete else self.key

    def __str__(self) -> str:
        return f"{self.display_number} {self.title}" if self.title else self.display_number


@dataclass(eq=False, slots=True, repr=False)
class Outline:
    """Outline of an edition."""

    edition: Edition
    chapters: list[RuleEntry] = field(default_factory=list)
    entries: dict[str, RuleEntry] = field(default_factory=dict)
    """Rules by key, in book order."""
    ordered_entries: list[RuleEntry] = field(default_factory=list)
    sequence: SequenceOfPlay = field(default_factory=SequenceOfPlay)
    duplicates: list[tuple[Rule, RuleEntry]] = field(default_factory=list)
    """Rules whose number was already taken, with the rule that has it; they are nowhere else."""
    former_numbers: dict[str, RuleEntry] = field(default_factory=dict)
    """Rules by their former numbers, unless a rule has that number now."""
    former_claims: list[tuple[RuleEntry, RuleNumber, LocatedText]] = field(default_factory=list)
    """Rules with each former number that they declare."""
    default_chapter: str = ""
    """Label of the chapter that numbers in the sequence of play may leave out: the first with text."""
    numbering_digest: str = ""
    """Digest that is equal for outlines in which all numbers have the same meaning."""

    def find(self, text: str, chapter: str = "") -> RuleEntry | None:
        number = self.edition.dialect.parse_number(text.strip(), chapter)
        return self.entries.get(number.key) if number else None

    def rule_range(self, first: RuleEntry, last: RuleEntry) -> list[RuleEntry]:
        """Return the rules from `first` to the end of `last` in book order; empty if `last` comes first."""
        while last.children:
            last = last.children[-1]
        return self.ordered_entries[first.position : last.position + 1]

    def nearest_ancestor(self, number: RuleNumber) -> RuleEntry | None:
        ancestors = self.edition.dialect.ancestors(number)
        return next((self.entries[n.key] for n in ancestors if n.key in self.entries), None)


def build_outlines(library: BookLibrary, memo: Cache) -> dict[str, Outline]:
    """Build the outline of each edition by address; those of unchanged editions come from the memo."""
    return {
        address: memoize(memo, f" outline {address}", (edition,), partial(build_outline, edition))
        for address, edition in library.editions.items()
    }


def build_outline(edition: Edition) -> Outline:
    """Build the outline of an edition; a rule with a malformed number is omitted, but not the rules inside
    it.
    """
    outline = Outline(edition)
    _arrange_rules(outline)
    _add_former_numbers(outline)
    homes = sorted(outline.chapters, key=lambda chapter: not chapter.is_transcribed)
    outline.default_chapter = homes[0].number.labels[0] if homes and edition.dialect.implied else ""
    outline.sequence = build_sequence_of_play(edition)
    outline.numbering_digest = disk_cache.cache_key(*_numbering_facts(outline))
    return outline


def _numbering_facts(outline: Outline) -> Iterator[str]:
    """Yield everything that the meaning of a number, or the message of an unresolved one, depends on."""
    yield from (outline.edition.address, outline.default_chapter)
    for edition in outline.edition.with_series:
        yield from (edition.address, edition.book.title.file.text, edition.edition_file.edition.file.text)
    for entry in outline.ordered_entries:
        yield from (entry.key, entry.printed, f"{entry.is_transcribed} {bool(entry.children)}")
    for old, entry in outline.former_numbers.items():
        yield from (old, entry.key)


def _arrange_rules(outline: Outline) -> None:
    """Add the transcribed rules, then those that are only listed, and sort them."""
    chapters = outline.edition.chapters
    strays = [
        stray for chapter in chapters for stray in _add_rule(outline, chapter, None, outline.chapters, "")
    ]
    listed_rules = _add_listed_rules(outline)
    unread = [
        _add_entry(outline, *number)
        for number in outline.edition.unmatched_numbers
        if number[0].key not in outline.entries
    ]
    for entry in (*strays, *(entry for entry in (*listed_rules, *unread) if not entry.is_transcribed)):
        above = outline.nearest_ancestor(entry.number)
        # If a rule is inside its own child, nothing is placed inside itself or too deep.
        inside = above and (
            above.level >= len(entry.number.labels) - 1 or entry in above.self_and_ancestors()
        )
        entry.parent = None if inside else above
    listed_by_parent = _group_by_parent(listed_rules)
    listed_chapters = {entry.key for entry in listed_by_parent[None]}
    unlisted = (chapter for chapter in outline.chapters if chapter.key not in listed_chapters)
    outline.chapters = sorted(unlisted, key=_number_order)
    unlisted_by_parent = _group_by_parent([*strays, *unread])
    for parent in dict.fromkeys((*unlisted_by_parent, *listed_by_parent)):
        siblings = parent.children if parent else outline.chapters
        more = sorted(unlisted_by_parent[parent], key=_number_order)
        siblings[:] = heapq.merge(siblings[:], more, key=_number_order) if more else siblings
        siblings[:] = _merge_listed(siblings, listed_by_parent[parent])
    outline.ordered_entries = [entry for chapter in outline.chapters for entry in chapter.iter_subtree()]
    outline.entries = {entry.key: entry for entry in outline.ordered_entries}
    for position, entry in enumerate(outline.ordered_entries):
        entry.position = position
        label = entry.chapter.number.labels[0]
        entry.context_key = (
            TextContext.from_labels(entry.number.labels) if entry.number.labels[0] == label else label
        )


def _add_former_numbers(outline: Outline) -> None:
    """Map former numbers to rules, deepest first: 12.5a to 12.6a if 12.6 was 12.5.

    A nested rule is assumed to have been in its parent under each number of the parent.
    """
    dialect = outline.edition.dialect
    tables = {table.number: table for table in outline.edition.tables if table.number}
    for entry in outline.ordered_entries:
        chapter = entry.chapter.number.labels[0]
        table = tables.get(entry.printed)
        for texts in (source.formerly for source in (entry.rule, entry.listed_rule, table) if source):
            numbers = ((text, dialect.parse_number(text, chapter)) for text in texts)
            outline.former_claims += [(entry, number, text) for text, number in numbers if number]
    had: defaultdict[RuleEntry, list[RuleNumber]] = defaultdict(list)
    for entry, number, _ in outline.former_claims:
        had[entry].append(number)
    known = {entry.key: entry.number for entry in outline.ordered_entries} if had else {}
    for entry in sorted(had, key=lambda entry: -len(entry.number.labels)):
        places = [entry.number, *had[entry]]
        for key, inner in list(known.items()):
            depth = next(
                (len(place.labels) for place in places if inner.labels[: len(place.labels)] == place.labels),
                0,
            )
            target = outline.entries.get(key) or outline.former_numbers.get(key)
            is_claimed = target and (entry in target.self_and_ancestors() or key in outline.former_numbers)
            if depth and target and is_claimed:
                for claimed in places:
                    old = number_rebasing.rebase_number(dialect, claimed, inner, depth)
                    if old and old.key not in outline.entries:
                        known.setdefault(old.key, old)
                        outline.former_numbers.setdefault(old.key, target)
    for former, entry in outline.former_numbers.items():
        entry.former.append(former)


def _add_rule(
    outline: Outline, rule: Rule, parent: RuleEntry | None, siblings: list[RuleEntry] | None, chapter: str
) -> Iterator[RuleEntry]:
    """Add a rule and its nested rules to `siblings`.

    Yields rules without siblings: those nested in a rule whose number is malformed or taken.
    """
    number = outline.edition.dialect.parse_number(rule.number, chapter)
    entry = None
    if number and number.key in outline.entries:
        outline.duplicates.append((rule, outline.entries[number.key]))
    elif number:
        entry = _add_entry(outline, number, rule.number, rule)
        entry.parent = parent
        chapter = chapter or number.labels[0]
        if siblings is None:
            yield entry
        else:
            siblings.append(entry)
    for inner in rule.rules:
        yield from _add_rule(outline, inner, entry, entry.children if entry else None, chapter)


def _add_listed_rules(outline: Outline) -> list[RuleEntry]:
    """Return the entries of listed numbers in the order of the list, adding those that are not transcribed.

    The chapter of a number is listed with it, so that the number has a page.
    """
    entries: dict[str, RuleEntry] = {}
    for listed_rule in outline.edition.known.known if outline.edition.known else ():
        number = outline.edition.dialect.parse_number(listed_rule.number)
        if number and number.key not in entries:
            entry = outline.entries.get(number.key) or _add_entry(outline, number, listed_rule.number)
            entry.title, entry.listed_rule = entry.title or listed_rule.title, listed_rule
            entries[number.key] = entry
        above = outline.edition.dialect.chapter_of(number) if number else None
        if above and above.key not in outline.entries:
            place = listed_rule.number
            printed = LocatedText.from_source(above.key, place.file, place.start, place.end, place.style)
            entries[above.key] = _add_entry(outline, above, printed)
    return list(entries.values())


def _add_entry(
    outline: Outline, number: RuleNumber, printed: LocatedText, rule: Rule | None = None
) -> RuleEntry:
    entry = RuleEntry(number, printed, outline.edition, rule.title if rule else None, rule)
    outline.entries[number.key] = entry
    return entry


def _group_by_parent(entries: Iterable[RuleEntry]) -> defaultdict[RuleEntry | None, list[RuleEntry]]:
    by_parent: defaultdict[RuleEntry | None, list[RuleEntry]] = defaultdict(list)
    for entry in entries:
        by_parent[entry.parent].append(entry)
    return by_parent


def _merge_listed(siblings: list[RuleEntry], listed_entries: list[RuleEntry]) -> list[RuleEntry]:
    """Merge listed rules into transcribed siblings, in the order of the list; both may have the same rules.

    If the orders differ, that of the transcribed rules wins. A rule that is not listed comes before the first
    listed rule with a higher number.
    """
    are_listed, are_in_row = {entry.key for entry in listed_entries}, {entry.key for entry in siblings}
    waiting = deque(siblings)
    woven: list[RuleEntry] = []
    done: set[str] = set()
    for entry in listed_entries:
        while waiting and entry.key not in done:
            ahead = waiting[0].key in are_listed or _number_order(waiting[0]) > _number_order(entry)
            if entry.key not in are_in_row and ahead:
                break
            done.add(waiting[0].key)
            woven.append(waiting.popleft())
        if entry.key not in are_in_row:
            woven.append(entry)
    return [*woven, *waiting]
