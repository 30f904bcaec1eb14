"""Find stale references: those whose rule is not what `references.lock` recorded under its number."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rulewright.book.library import BookLibrary
from rulewright.book.lock_file import UNKNOWN, RecordedRule, ReferenceLock, lock_name
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.book.table_entries import TableEntry
from rulewright.compare.name_changes import find_outdated_names, find_renamed
from rulewright.compare.recorded_rules import find_recorded_rules
from rulewright.compare.rule_digests import RuleDigests
from rulewright.compare.stale_reference_problems import (
    ANOTHER,
    CHANGED,
    LOST,
    MOVED,
    StaleReference,
    is_reported,
    stale_reference_problems,
)
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import Problem, quote_short
from rulewright.references.content_page import ContentPage
from rulewright.references.name_finder import NameSpelling
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import (
    LocatedReference,
    LockFolder,
    iter_references,
    numbers_without_reference,
)

_ORDER = (CHANGED, MOVED, LOST, ANOTHER)
"""Types of problems of a reference with several records, the one to report last."""


@dataclass
class StaleReferences:
    """References compared with the locks."""

    locks: Mapping[LockFolder, ReferenceLock] = field(default_factory=dict)
    """Locks with recorded rules."""
    findings: Sequence[StaleReference] = ()
    new: int = 0
    """Number of references that no lock records."""
    problems: Sequence[Problem] = ()


def find_stale_references(
    index: ReferenceIndex, pages: Sequence[ContentPage], library: BookLibrary, cache: Cache
) -> StaleReferences:
    """Find the references that are not as recorded. Without a lock there are no findings.

    The words and the recorded rules of an unchanged edition come from the cache.
    """
    locks = {folder: lock for folder, lock in library.locks.items() if lock.rules or lock.names}
    if not locks:
        return StaleReferences()
    comparison = _LockComparison(index, pages, library, locks, cache)
    findings = [*comparison.findings(), *comparison.renamed_findings()]
    problems = stale_reference_problems(findings, comparison.digests)
    return StaleReferences(locks, findings, comparison.new, list(problems))


class _LockComparison:
    """Comparison of all references with the locks."""

    def __init__(
        self,
        index: ReferenceIndex,
        pages: Sequence[ContentPage],
        library: BookLibrary,
        locks: Mapping[LockFolder, ReferenceLock],
        cache: Cache,
    ) -> None:
        self.index, self.pages, self.locks, self.cache = index, pages, locks, cache
        self.digests = RuleDigests(index, cache)
        self.lock_files = {folder: library.texts.get(lock_name(folder), b"") for folder in locks}
        # Editions and books with unreadable files.
        self.unreadable = {"/".join(name.split("/")[1:3]) for name in library.faulty}
        self.unreadable |= {name.split("/")[1] for name in library.faulty if name.endswith("/rulebook.yml")}
        references = iter_references(index, pages)
        self.references = [reference for reference in references if reference.lock_folder in locks]
        slots = (
            (reference.lock_folder, reference.recorded_number)
            for reference in self.references
            if reference.target
        )
        self.counts = Counter(slots)
        recorded = Counter[tuple[LockFolder, str]]()
        for folder, lock in locks.items():
            for number, records in lock.rules.items():
                recorded[folder, number] = max(record.references for record in records)
        self.new = (self.counts - recorded).total()
        self.missing = recorded - self.counts
        """Numbers with fewer references than recorded."""
        self.titles: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """New titles of renamed rules by edition and former title."""
        self._successors: dict[tuple[LockFolder, str, str], dict[RecordedRule, RuleEntry]] = {}

    def findings(self) -> Iterator[StaleReference]:
        for reference in [*self.references, *self._lost_numbers()]:
            records = self._records(reference)
            if records and not self._is_uncertain(reference):
                findings = filter(None, (self._compare(reference, record) for record in records))
                if worst := max(findings, key=lambda finding: _ORDER.index(finding.kind), default=None):
                    yield self._with_doubt(worst, records)

    def _with_doubt(self, finding: StaleReference, records: Collection[RecordedRule]) -> StaleReference:
        """Add why no number is proposed: two branches recorded different rules, or a reference is new."""
        reference = finding.reference
        count = self.counts[reference.lock_folder, reference.recorded_number]
        is_recorded = reference.recorded_number == finding.recorded.number
        doubt = ""
        if len({record[1:4] for record in records}) > 1:
            doubt = "two branches recorded different rules for it; review this text"
        elif is_recorded and count > finding.recorded.references:
            doubt = f"some of the {count} references to {reference.name} are new; review this text"
        return finding._replace(doubt=doubt) if finding.kind is MOVED else finding

    def _records(self, reference: LocatedReference) -> Sequence[RecordedRule]:
        """Return what a lock records for the number of a reference.

        If it records nothing, a rule of the same number in another edition that the text may mean was meant,
        unless all references to that are still there.
        """
        folder, number = reference.lock_folder, reference.recorded_number
        if number in self.locks[folder].rules:
            return self.locks[folder].rules[number]
        key = number.rpartition(":")[2] if reference.number else number
        book = reference.target_outline.edition.address.partition("/")[0]
        addresses = [outline.edition.address for outline in self._citable_outlines(reference)]
        for home, other in self.missing:
            records = self.locks[home].rules[other]
            address = records[0].address(home)
            is_possible = address in addresses or address.startswith(f"{book}/")
            if home == folder and records[0].key == key and is_possible:
                return records
        return ()

    def _lost_numbers(self) -> Iterator[LocatedReference]:
        """Yield the numbers in texts that led to a rule when they were recorded, and lead to none now."""
        wanted: defaultdict[LockFolder, set[str]] = defaultdict(set)
        for folder, number in self.missing:
            record = self.locks[folder].rules[number][0]
            outline = self.index.outlines.get(record.address(folder))
            if outline and record.key not in outline.entries:
                wanted[folder].add(record.key)
        seen = {(reference.passage.text.key, reference.start) for reference in self.references}
        for lost in numbers_without_reference(wanted, self.index, self.pages) if wanted else ():
            if (lost.passage.text.key, lost.start) not in seen:
                yield lost

    def _compare(self, reference: LocatedReference, record: RecordedRule) -> StaleReference | None:
        """Return how a reference differs from a record; None if it does not."""
        target = reference.target
        if isinstance(target, TableEntry):  # without a number, so always found by its name
            is_same = self.digests.digest(target) == record.digest
            return None if is_same else StaleReference(CHANGED, reference, record)
        rule = self._successor(reference, record)
        if target is None:
            if rule and rule.key != record.key and (record.title or record.digest != UNKNOWN):
                return StaleReference(MOVED, reference, record, rule)
            return None if is_reported(reference) else StaleReference(LOST, reference, record)
        if rule is not target:
            # Its number can be written here, in a game also that of a rule of the series.
            outlines = () if reference.shows else self._citable_outlines(reference)
            editions = [outline.edition for outline in (reference.target_outline, *outlines)]
            is_near = rule and rule.edition in editions
            return StaleReference(MOVED if is_near else ANOTHER, reference, record, rule)
        if reference.shows or self.digests.is_unchanged(target, record):
            return None
        if not self.digests.has_title(target, record):
            title = quote_short(self.digests.title(target)) or "nothing"
            return StaleReference(CHANGED, reference, record, target, f"it is called {title} now")
        if record.digest != UNKNOWN and not (target.is_transcribed or target.retired):
            return StaleReference(LOST, reference, record, target)
        is_comparable = UNKNOWN not in (self.digests.digest(target), record.digest)
        return StaleReference(CHANGED, reference, record, target) if is_comparable else None

    def _successor(self, reference: LocatedReference, record: RecordedRule) -> RuleEntry | None:
        """Return the current rule of a record, in an edition of the book that it was in."""
        folder, address = reference.lock_folder, reference.target_outline.edition.address
        recorded = record.address(folder)
        if recorded.partition("/")[0] != address.partition("/")[0] and recorded in self.index.outlines:
            address = recorded
        key = folder, recorded, address
        if key not in self._successors:
            all_records = (record for records in self.locks[folder].rules.values() for record in records)
            records = [record for record in all_records if record.address(folder) == recorded]
            outline, references = self.index.outlines[address], self.index.editions[address]
            find = partial(find_recorded_rules, records, outline, self.digests)
            inputs = (self.lock_files[folder], outline, references)
            successors = memoize(self.cache, f" recorded {' '.join(key)}", inputs, find)
            self._successors[key] = successors
            for old, rule in successors.items():
                # A title of one word may be any word.
                if " " in old.title and not self.digests.has_title(rule, old):
                    self.titles[address][old.title] = self.digests.title(rule)
        return self._successors[key].get(record)

    def renamed_findings(self) -> Iterator[StaleReference]:
        """Yield the places where texts use a former name."""
        for address, outline in self.index.outlines.items():
            lock = self.locks.get(address) if address not in self.unreadable else None
            titles = self.titles[address].items()
            changed = [(NameSpelling(old, old, is_title=True), new) for old, new in titles if new]
            for old, item in find_renamed(outline, self.index, lock.names).items() if lock else ():
                changed.append((NameSpelling(old.name, old.name, is_title=item.sort != "term"), item.title))
            if changed:
                yield from find_outdated_names(outline, self.index, self.pages, changed)

    def _citable_outlines(self, reference: LocatedReference) -> Sequence[Outline]:
        """Return the editions whose numbers the text of a reference may name, a game before its series."""
        outline = reference.passage.outline
        return with_series(outline, self.index.outlines) if outline else ()

    def _is_uncertain(self, reference: LocatedReference) -> bool:
        """Return whether rules may be missing: files are unreadable, or two rules have the number."""
        if any(entry is reference.target for _, entry in reference.target_outline.duplicates):
            return True
        outlines = (reference.target_outline, *self._citable_outlines(reference))
        addresses = [outline.edition.address for outline in outlines]
        books = [address.partition("/")[0] for address in addresses]
        return not self.unreadable.isdisjoint([*addresses, *books])
