"""Find stale references: those whose rule is not what `references.lock` recorded under its number."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple

from rulewright.book.library import BookLibrary
from rulewright.book.lock_file import UNKNOWN, RecordedRule, ReferenceLock, lock_name
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.book.table_entries import TableEntry
from rulewright.compare.name_changes import find_outdated_names, find_renamed, spelling_pairs
from rulewright.compare.recorded_rules import find_recorded_rules
from rulewright.compare.rule_digests import RuleDigests
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import (
    Problem,
    ProblemType,
    Severity,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.numbering import number_rebasing
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.references.citable_items import ListItem, inner_steps, list_items_of
from rulewright.references.content_page import ContentPage
from rulewright.references.name_finder import NameSpelling
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import (
    COUNTED,
    LocatedReference,
    LockFolder,
    iter_references,
    numbers_without_reference,
)
from rulewright.references.reference_types import FaultyReference
from rulewright.schema.problem_reports import join_some, plural
from rulewright.sequence.sequence_step import SequenceStep

MOVED = problem_type(
    "reference-moved",
    """The rule that a number was recorded for has another number now. `rulewright check --fix` writes that
    number; `rulewright check --accept` records that the reference is right as it is.""",
)
ANOTHER = problem_type(
    "reference-means-another",
    """A number belongs to another rule than when it was recorded, and the recorded rule is gone, or two
    branches recorded different rules for it. Write the number of the rule that is meant, or accept this rule
    with `rulewright check --accept`.""",
)
LOST = problem_type(
    "reference-lost",
    """A number led to a rule when it was recorded, and no rule has it now, or only known.yml lists it. Write
    the number of the rule that is meant, or record with `rulewright check --accept` that none is meant, or
    that its text is left out on purpose.""",
)
RENAMED = problem_type(
    "name-outdated",
    """Texts use the former name of a step, a table, a term or a rule. `rulewright check --fix` writes the new
    name; `rulewright check --accept` records that the words are right as they are.""",
    Severity.WARNING,
)
ITEM_MOVED = problem_type(
    "item-moved",
    """A text counts a step or an item, and the recorded one has another number now. Write that number, or
    accept the reference with `rulewright check --accept`.""",
)
CHANGED = problem_type(
    "reference-to-changed",
    """The words of a rule have changed since its references were accepted. Review the texts that refer to it;
    `rulewright check --accept` records that this was done.""",
    Severity.NOTE,
)

ACCEPTED = "accepted"
"""Word in a note after which it may say what has changed."""

MOST_PLACES = 5
"""Maximum number of references to a changed rule in a note."""

_ORDER = (CHANGED, ITEM_MOVED, MOVED, LOST, ANOTHER)


class StaleReference(NamedTuple):
    """A reference whose rule is not the recorded one, or an outdated name."""

    kind: ProblemType
    reference: LocatedReference
    recorded: RecordedRule
    current: RuleEntry | None = None
    """The recorded rule as it is today."""
    differs: str = ""
    """What differs, in words; of an outdated name the words to write."""
    doubt: str = ""
    """Why no other number can be proposed."""

    @property
    def slot(self) -> tuple[LockFolder, str]:
        """The lock and the number in it that the reference was compared with."""
        return self.reference.lock_folder, self.recorded.number

    @property
    def may_be_accepted(self) -> bool:
        """Whether it can be right as it is: it leads to a rule, or need not be a reference."""
        return self.reference.target is not None or not is_reported(self.reference)

    @property
    def number(self) -> RuleNumber | None:
        """The number to write, if the recorded rule has another one now."""
        old, key = self.reference.number, self.recorded.key
        if not (self.current and old and self.kind is MOVED) or self.doubt:
            return None
        dialect = self.current.edition.dialect
        if dialect is not self.reference.target_outline.edition.dialect:
            return self.current.number
        target = dialect.parse_number(key)
        depth = len(target.labels) if target else len(old.labels)
        place = self.current.number
        return number_rebasing.rebase_number(dialect, place, old, depth) if len(old.labels) > depth else place

    @property
    def suggested_text(self) -> str:
        """The number to write, as printed, or the words of a name."""
        if self.kind is RENAMED:
            return self.differs
        key = self.number.key if self.number else ""
        return self.current.display_number if self.current and self.current.key == key else key


def is_reported(reference: LocatedReference) -> bool:
    """Return whether another problem reports that a reference leads nowhere."""
    return any(
        isinstance(resolved, FaultyReference)
        and resolved.match.start == reference.start
        and resolved.match.number is reference.number
        for resolved in reference.passage.resolved
    )


def finding_location(finding: StaleReference) -> SourceLocation:
    """Return where a finding is reported: at the reference or, of a changed rule, at the rule."""
    target = finding.reference.target
    if finding.kind is not CHANGED or not target or isinstance(target, ListItem | SequenceStep):
        return finding.reference.place
    return (target.printed if isinstance(target, RuleEntry) else target.table.title).place


# Messages


def stale_reference_problems(findings: Iterable[StaleReference], digests: RuleDigests) -> Iterator[Problem]:
    """Yield a problem for each reference, changed rule and outdated name."""
    groups: defaultdict[object, list[StaleReference]] = defaultdict(list)
    for finding in findings:
        target = finding.reference.target
        is_counted = isinstance(target, ListItem | SequenceStep)
        if finding.kind is RENAMED:
            groups[finding.reference.lock_folder, finding.reference.name].append(finding)
        elif finding.kind is CHANGED and not is_counted:
            groups[target].append(finding)
        else:
            message = _counted_message(finding) if is_counted else _message(finding, digests)
            yield finding.kind.problem(finding.reference.place, message, finding.reference.name)
    for group in groups.values():
        if group[0].kind is RENAMED:
            yield _renamed_problem(group)
        else:
            yield _changed_problem(group)


def _changed_problem(findings: Sequence[StaleReference]) -> Problem:
    target = findings[0].reference.target
    assert isinstance(target, RuleEntry | TableEntry)
    count = f"{len(findings)} references to it were" if len(findings) > 1 else "a reference to it was"
    differs = next((f": {finding.differs}" for finding in findings if finding.differs), "")
    accept = f"`rulewright check --accept {target.edition.address}:{target.display_number}`"
    message = (
        f"{target.display_number} has changed since {count} {ACCEPTED}{differs}. "
        f"Review {join_locations(findings)}, then {accept}"
    )
    return CHANGED.problem(finding_location(findings[0]), message, target.key)


def _renamed_problem(findings: Sequence[StaleReference]) -> Problem:
    first = min(findings, key=lambda finding: finding.reference.place)
    fixable = sum(bool(finding.differs) for finding in findings)
    cure = "`rulewright check --fix` writes the new name" if fixable else "write the new name"
    if 0 < fixable < len(findings):
        cure += f" in {fixable} of them"
    places = f", here and in {plural(len(findings) - 1, 'more place')}" if len(findings) > 1 else ""
    message = f"{quote_short(first.reference.name)} is called {quote_short(first.recorded.title)} now{places}"
    return RENAMED.problem(first.reference.place, f"{message}; {cure}", first.reference.name)


def _counted_message(finding: StaleReference) -> str:
    reference = finding.reference
    words = quote_short(reference.passage.text[reference.start : reference.end])
    accept = f"`rulewright check --accept {reference.place.file}:{reference.place.line}`"
    if finding.kind is ITEM_MOVED:
        return f"{words} is another one now; {finding.differs}. Write that number, or {accept} if it is right"
    return f"{words} has changed since this was accepted. Review this text, then {accept}"


def _message(finding: StaleReference, digests: RuleDigests) -> str:
    reference, target, now = finding.reference, finding.reference.target, finding.current
    was = f"{finding.recorded.key} {finding.recorded.title}".strip()
    key = reference.number.key if reference.number else reference.name
    title = (digests.title(target) if target else "") or "another rule"
    taken = f"; {key} is {title} now" if target else ""
    cure = f"; {finding.doubt}" if finding.doubt else ""
    if now and now.edition is not reference.target_outline.edition:
        if finding.number:
            cure = f"; `rulewright check --fix` writes {now.display_number} of {now.edition.short} here"
        return f"{was} of {now.edition.short} was meant here{taken}{cure}"
    if now and now is not target:
        suggested = finding.suggested_text
        cure = f"; `rulewright check --fix` writes {suggested} here" if suggested else cure
        # The lock may have its new number already.
        if finding.recorded.key == now.key:
            return (
                f"{finding.recorded.title or 'another rule'} was meant here, which is {now.key}{taken}{cure}"
            )
        return f"{was} has become {suggested or now.display_number}{taken}{cure}"
    if finding.kind is ANOTHER:
        meant = finding.recorded.title or "another rule"
        gone = finding.doubt or "is gone"
        return f"{key} is {title} now; {meant}, which was meant when this was accepted, {gone}"
    if isinstance(target, RuleEntry | TableEntry):
        accept = f"`rulewright check --accept {target.edition.address}:{target.display_number}`"
        left_out = f"{accept} records that it is left out"
        return f"{was} was meant here, which is deleted; only known.yml lists its number. {left_out}"
    return f"{was} was meant here, and no rule is {key} any more"


def join_locations(findings: Iterable[StaleReference]) -> str:
    """Return the rules, pages and so on that have the references, the first of many: 1.1, 1.2b and faq.md."""
    return join_some([*dict.fromkeys(finding.reference.standing for finding in findings)], MOST_PLACES)


# Search


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
    review = _Review(index, pages, library, locks, cache)
    findings = [*review.findings(), *review.renamed_findings()]
    return StaleReferences(
        locks, findings, review.new, list(stale_reference_problems(findings, review.digests))
    )


class _Review:
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
        self.doubtful = {"/".join(name.split("/")[1:3]) for name in library.faulty}
        self.doubtful |= {name.split("/")[1] for name in library.faulty if name.endswith("/rulebook.yml")}
        self.references = [one for one in iter_references(index, pages) if one.lock_folder in locks]
        self.counts = reference_counts(self.references)
        self.new = 0
        self.titles: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """New titles of renamed rules by edition and former title."""
        self._successors: dict[tuple[LockFolder, str, str], dict[RecordedRule, RuleEntry]] = {}
        self._had_words: dict[tuple[str, str], RecordedRule] = {}
        for folder, lock in locks.items():
            for record in (record for records in lock.rules.values() for record in records):
                if record.digest != UNKNOWN:
                    self._had_words[record.address(folder), record.key] = record

    def findings(self) -> Iterator[StaleReference]:
        known: set[tuple[LockFolder, str]] = set()
        for reference in [*self.references, *self._lost_numbers()]:
            slot = reference.lock_folder, reference.recorded_number
            records = self._records(reference)
            if slot not in known and reference.target:
                known.add(slot)
                self.new += max(
                    0, self.counts[slot] - max((record.references for record in records), default=0)
                )
            if not records and (deleted := self._deleted(reference.target)):
                records = [deleted]
            if records and not self._is_doubtful(reference):
                found = [self._compare(reference, record) for record in records]
                if worst := max(filter(None, found), key=lambda one: _ORDER.index(one.kind), default=None):
                    yield self._with_doubt(worst, records)

    def _with_doubt(self, finding: StaleReference, records: Sequence[RecordedRule]) -> StaleReference:
        """Add why no number is proposed: two branches recorded different rules, or a reference is new."""
        if finding.kind is not MOVED:
            return finding
        if len({record[1:4] for record in records}) > 1:
            return finding._replace(doubt="two branches recorded different rules for it; review this text")
        count = self.counts[finding.reference.lock_folder, finding.reference.recorded_number]
        added = count - finding.recorded.references
        if added > 0 and finding.reference.recorded_number == finding.recorded.number:
            name, them = finding.reference.name, "one is" if added == 1 else f"{added} are"
            return finding._replace(doubt=f"of {count} references to {name} {them} new; review this text")
        return finding

    def _records(self, reference: LocatedReference) -> Sequence[RecordedRule]:
        """Return what a lock records for the number of a reference.

        If it records nothing, a rule of the same number in another edition that the text may mean was meant,
        unless all references to that are still there.
        """
        rules, number = self.locks[reference.lock_folder].rules, reference.recorded_number
        if number in rules:
            return rules[number]
        key = number.rpartition(":")[2] if reference.number else number
        book = reference.target_outline.edition.address.partition("/")[0]
        around = {outline.edition.address for outline in self._around(reference)}
        for other, records in rules.items() if self._unaccounted else ():
            address = records[0].address(reference.lock_folder)
            if (
                records[0].key == key
                and (address in around or address.partition("/")[0] == book)
                and other in self._unaccounted[reference.lock_folder]
            ):
                return records
        return ()

    @cached_property
    def _unaccounted(self) -> Mapping[LockFolder, set[str]]:
        """Numbers with fewer references than recorded."""
        found: dict[LockFolder, set[str]] = {folder: set() for folder in self.locks}
        for folder, lock in self.locks.items():
            for number, records in lock.rules.items():
                if self.counts[folder, number] < max(record.references for record in records):
                    found[folder].add(number)
        return found

    def _lost_numbers(self) -> Iterator[LocatedReference]:
        """Yield the numbers in texts that led to a rule when they were recorded, and lead to none now."""
        wanted: dict[LockFolder, set[str]] = {}
        for folder, numbers in self._unaccounted.items():
            for number in numbers:
                record = self.locks[folder].rules[number][0]
                outline = self.index.outlines.get(record.address(folder))
                if outline and record.key not in outline.entries and COUNTED not in record.key:
                    wanted.setdefault(folder, set()).add(record.key)
        seen = {(reference.passage.key, reference.start) for reference in self.references}
        for lost in numbers_without_reference(wanted, self.index, self.pages) if wanted else ():
            if (lost.passage.key, lost.start) not in seen:
                yield lost

    def _compare(self, reference: LocatedReference, record: RecordedRule) -> StaleReference | None:
        """Return how a reference differs from a record; None if it does not."""
        target = reference.target
        if isinstance(target, TableEntry):  # without a number, so always found by its name
            is_same = self.digests.digest(target) == record.digest
            return None if is_same else StaleReference(CHANGED, reference, record)
        if isinstance(target, ListItem | SequenceStep):
            return self._compare_counted(target, reference, record)
        rule = self._successor(reference, record)
        if target is None:
            if rule and (record.title or record.digest != UNKNOWN):
                return StaleReference(MOVED, reference, record, rule)
            return None if is_reported(reference) else StaleReference(LOST, reference, record)
        if rule in (target, None) and record.digest != UNKNOWN and self._deleted(target):
            return StaleReference(LOST, reference, record)
        if rule is not target:
            # Its number can be written here, in a game also that of a rule of the series.
            around = [reference.target_outline, *(() if reference.shows else self._around(reference))]
            is_near = rule and rule.edition in [outline.edition for outline in around]
            return StaleReference(MOVED if is_near else ANOTHER, reference, record, rule)
        if reference.shows or self.digests.is_unchanged(target, record):
            return None
        is_retitled = not self.digests.has_title(target, record)
        if not is_retitled and UNKNOWN in (self.digests.digest(target), record.digest):
            return None
        title = quote_short(self.digests.title(target)) or "nothing"
        differs = f"it is called {title} now" if is_retitled else ""
        return StaleReference(CHANGED, reference, record, target, differs)

    def _compare_counted(
        self, target: ListItem | SequenceStep, reference: LocatedReference, record: RecordedRule
    ) -> StaleReference | None:
        """Return how a counted item or step differs from a record; None if it has the same words."""
        if self.digests.is_unchanged(target, record):
            return None
        row: list[ListItem | SequenceStep] = []
        if isinstance(target, ListItem):
            row += list_items_of(target.entry)
        elif parent := target.parent or reference.target_outline.sequence.root:
            row += inner_steps(parent, reference.target_outline)
        for place, item in enumerate(row, 1):
            if self.digests.is_unchanged(item, record):
                number = item.number if isinstance(item, ListItem) else item.step.label or place
                return StaleReference(ITEM_MOVED, reference, record, None, f"the recorded one is {number}")
        return StaleReference(CHANGED, reference, record)

    def _successor(self, reference: LocatedReference, record: RecordedRule) -> RuleEntry | None:
        """Return the rule of today that a record is of, in an edition of the book that it was in."""
        folder, address = reference.lock_folder, reference.target_outline.edition.address
        recorded = record.address(folder)
        if recorded.partition("/")[0] != address.partition("/")[0] and recorded in self.index.outlines:
            address = recorded
        key = folder, recorded, address
        if key not in self._successors:
            records = (
                other
                for rows in self.locks[folder].rules.values()
                for other in rows
                if other.address(folder) == recorded and COUNTED not in other.key
            )
            outline, references = self.index.outlines[address], self.index.editions[address]
            find = partial(find_recorded_rules, records, outline, self.digests)
            inputs = (self.lock_files[folder], outline, references)
            found = memoize(self.cache, f" recorded {' '.join(key)}", inputs, find)
            self._successors[key] = found
            for other, rule in found.items():
                # A title of one word may be any word.
                if " " in other.title and not self.digests.has_title(rule, other):
                    self.titles[address][other.title] = self.digests.title(rule)
        return self._successors[key].get(record)

    def _deleted(self, target: object) -> RecordedRule | None:
        """Return the record of a rule that is only listed today and had words when it was recorded."""
        if not isinstance(target, RuleEntry) or target.is_transcribed or target.retired:
            return None
        address = target.edition.address
        record = self._had_words.get((address, target.key)) if not self.digests.words(target) else None
        return record and record._replace(number=f"{address}:{target.key}")

    def renamed_findings(self) -> Iterator[StaleReference]:
        """Yield the places where texts use a former name."""
        for address, outline in self.index.outlines.items():
            lock = self.locks.get(address) if address not in self.doubtful else None
            changed = [
                (NameSpelling(old, "", is_title=True), new)
                for old, new in self.titles[address].items()
                if new
            ]
            for old, item in find_renamed(outline, self.index, lock.names).items() if lock else ():
                changed += spelling_pairs(old, item)
            for at in find_outdated_names(outline, self.index, self.pages, changed) if changed else ():
                span = at.passage, at.start, at.end
                reference = LocatedReference(address, "", at.old, None, outline, None, *span, shows=True)
                record = RecordedRule("", at.new, UNKNOWN, UNKNOWN, 0)
                yield StaleReference(RENAMED, reference, record, None, at.words)

    def _around(self, reference: LocatedReference) -> Sequence[Outline]:
        """Return the editions whose numbers the text of a reference may name, a game before its series."""
        outline = reference.passage.outline
        return with_series(outline, self.index.outlines) if outline else ()

    def _is_doubtful(self, reference: LocatedReference) -> bool:
        """Return whether rules may be missing: files are unreadable, or two rules have the number."""
        if any(entry is reference.target for _, entry in reference.target_outline.duplicates):
            return True
        outlines = (reference.target_outline, *self._around(reference))
        addresses = [outline.edition.address for outline in outlines]
        books = [address.partition("/")[0] for address in addresses]
        return not self.doubtful.isdisjoint([*addresses, *books])


def reference_counts(references: Iterable[LocatedReference]) -> Counter[tuple[LockFolder, str]]:
    """Count the references to each recorded number, by lock folder."""
    return Counter((one.lock_folder, one.recorded_number) for one in references if one.target)
