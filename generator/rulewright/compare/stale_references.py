"""Drift: references that no longer mean what they meant when they were read, as their locks tell."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.book.library import BookLibrary
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.book.table_entries import TableEntry
from rulewright.compare.name_changes import find_outdated_names, find_renamed, spelling_pairs
from rulewright.compare.recorded_rules import CALLED, RecordedRules
from rulewright.compare.reference_inventory import (
    Home,
    LocatedReference,
    iter_references,
    lock_of,
    numbers_without_reference,
)
from rulewright.compare.reference_lock import (
    COUNTED,
    UNKNOWN,
    Key,
    RecordedRule,
    RecordedTarget,
    ReferenceLock,
    RuleFingerprints,
    Target,
    read_lock,
)
from rulewright.compare.typography import normalize_typography
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
from rulewright.references.reference_types import FaultyReference
from rulewright.schema.problem_reports import join_some
from rulewright.sequence.sequence_step import SequenceStep

MOVED = problem_type(
    "reference-moved",
    """The rule that a reference meant when it was read is under another number now. `rulewright check --fix`
    writes that number; `rulewright check --accept` says that the reference is right as it is.""",
)
ANOTHER = problem_type(
    "reference-means-another",
    """The number of a reference belongs to another rule than when it was read, and what was meant is not to
    be found. Name the rule that is meant now, or say with `rulewright check --accept` that it is this
    one.""",
)
LOST = problem_type(
    "reference-lost",
    """A number led to a rule when it was read, and no rule has it any more, so that it is a mere number now,
    or one that only known.yml lists. Name the rule that is meant, or say with `rulewright check --accept`
    that it is none, or that its words are left out on purpose.""",
)
RENAMED = problem_type(
    "name-outdated",
    """A text says what a step, a table, a term or a rule was called when this was read, and it is called
    otherwise now. `rulewright check --fix` writes the new name; `rulewright check --accept` says that the
    words are right as they are.""",
    Severity.WARNING,
)
ITEM_MOVED = problem_type(
    "item-moved",
    """A text counts a step or an item, and what it meant when it was read has another number now. Write that
    number, or say with `rulewright check --accept` that the reference is right as it is.""",
)
CHANGED = problem_type(
    "reference-to-changed",
    """A rule says something else than when the references to it were last read. Read those again;
    `rulewright check --accept` records that it was done.""",
    Severity.NOTE,
)


INSIDE = "what lies in it is not what it was"
"""Difference of a rule that says what it said, while a rule in it does not."""

MOST_PLACES = 5
"""How many references to a changed rule a note names."""

_ORDER = (CHANGED, ITEM_MOVED, MOVED, LOST, ANOTHER)


class StaleReference(NamedTuple):
    """A reference whose rule is no longer what its lock `recorded_range`, and that rule as it is
    `current`.
    """

    kind: ProblemType
    reference: LocatedReference
    recorded: RecordedTarget
    current: RuleEntry | None = None
    differs: str = ""
    recorded_range: tuple[RecordedTarget, ...] = ()

    @property
    def may_be_accepted(self) -> bool:
        """Whether it can be right as it is: it leads to a rule, or need not be a reference."""
        return self.reference.target is not None or not is_reported(self.reference)

    @property
    def number(self) -> RuleNumber | None:
        """The number that the reference ought to have, where what was meant has moved."""
        old, key = self.reference.number, self.recorded.key
        if not (self.current and old and self.kind is MOVED):
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
        """The number that the reference ought to have, as that is printed; of a name the words."""
        if self.kind is RENAMED:
            return self.differs
        key = self.number.key if self.number else ""
        return self.current.display_number if self.current and self.current.key == key else key


def is_reported(one: LocatedReference) -> bool:
    """Whether it is told already that a reference leads nowhere."""
    return any(
        isinstance(reference, FaultyReference)
        and reference.match.start == one.start
        and reference.match.number is one.number
        for reference in one.passage.resolved
    )


def finding_location(one: StaleReference) -> SourceLocation:
    """Where a finding is told: at the reference or, of a rule to be read again, at that."""
    target = one.reference.target
    if one.kind is not CHANGED or not target or isinstance(target, ListItem | SequenceStep):
        return one.reference.place
    return (target.printed if isinstance(target, RuleEntry) else target.table.title).place


def stale_reference_problems(
    findings: Iterable[StaleReference], meanings: RuleFingerprints
) -> Iterator[Problem]:
    """Problems for findings: one at each reference, but for rules to be read again one at each rule."""
    changed: defaultdict[RuleEntry | TableEntry, list[StaleReference]] = defaultdict(list)
    for finding in findings:
        target, place = finding.reference.target, finding.reference.place
        if isinstance(target, ListItem | SequenceStep):
            words = quote_short(
                finding.reference.passage.text[finding.reference.start : finding.reference.end]
            )
            accept = f"`rulewright check --accept {place.file}:{place.line}`"
            message = f"{words} says something else than when this was read. Read it again, then {accept}"
            if finding.kind is ITEM_MOVED:
                message = (
                    f"{words} is another one now; {finding.differs}. "
                    f"Write that number, or {accept} where it is right"
                )
            yield finding.kind.problem(place, message, finding.reference.number_as_written)
        elif finding.kind is CHANGED and target:
            changed[target].append(finding)
        else:
            yield finding.kind.problem(
                finding.reference.place, _said(finding, meanings), finding.reference.number_as_written
            )
    for target, every in changed.items():
        differs = next((finding.differs for finding in every if finding.differs), "")
        count = f"{len(every)} references to it were" if len(every) > 1 else "a reference to it was"
        if differs == INSIDE:
            says = f"what lies in {target.display_number} has changed since {count} read"
        elif isinstance(target, RuleEntry) and target.children and not differs.startswith(CALLED):
            says = f"the introduction of {target.display_number} has changed since {count} read: {differs}"
        else:
            says = f"{target.display_number} has changed since {count} read: {differs}"
        accept = f"`rulewright check --accept {target.edition.address}:{target.display_number}`"
        message = f"{says}. Read {join_locations(every)} again, then {accept}"
        yield CHANGED.problem(finding_location(every[0]), message, target.key)


def _said(one: StaleReference, meanings: RuleFingerprints) -> str:
    named, was = one.reference.number_as_written, f"{one.recorded.key} {one.recorded.title}".strip()
    if one.kind is RENAMED:
        mend = (
            f"`rulewright check --fix` writes {quote_short(one.differs)} here"
            if one.differs
            else "write that"
        )
        return f"{quote_short(named)} is called {quote_short(one.recorded.title)} now; {mend}"
    target, number, now = one.reference.target, one.number, one.current
    title = meanings.title(target) if target else ""
    key = one.reference.number.key if one.reference.number else named
    taken = f"; {key} is {title or 'another rule'} now" if target else ""
    if now and now.edition is not one.reference.target_outline.edition:
        mend = (
            f"; `rulewright check --fix` writes {now.display_number} of {now.edition.short} here"
            if number
            else ""
        )
        return f"{was} of {now.edition.short} was meant here{taken}{mend}"
    if now and number:
        meant = f"{one.recorded.title or 'another rule'} was meant here, which is {one.suggested_text}"
        # The lock may call it by its new number already.
        what = meant if one.recorded.key == now.key else f"{was} has become {one.suggested_text}"
        return f"{what}{taken}; `rulewright check --fix` writes {one.suggested_text} here"
    if one.kind is ANOTHER:
        meant = f"{one.recorded.title} was meant" if one.recorded.title else "something else was meant"
        is_now = f"{key} is {title or 'another rule'} now"
        return f"{is_now}; when this was read, {meant}, which is no longer here"
    if isinstance(target, RuleEntry | TableEntry):
        left_out = (
            f"`rulewright check --accept {target.edition.address}:{target.display_number}` says that it "
            f"is left out"
        )
        return f"{was} was meant here, which is deleted; only known.yml lists its number. {left_out}"
    return f"{was} was meant here, and no rule is {named} any more"


def join_locations(every: Iterable[StaleReference]) -> str:
    """Names of the rules, pages and so on that hold references, the first of many: 1.1, 1.2b and faq.md."""
    return join_some([*dict.fromkeys(finding.reference.standing for finding in every)], MOST_PLACES)


Pending = tuple[LocatedReference, list[RecordedTarget]]
"""A reference that may mean something else now, with its readings."""


@dataclass
class StaleReferences:
    """References held against locks as of today. `new`: how many each does not know; `problems`: by place."""

    locks: Mapping[Home, ReferenceLock] = field(default_factory=dict)
    findings: Sequence[StaleReference] = ()
    new: Counter[Home] = field(default_factory=Counter)
    problems: Sequence[Problem] = ()


def find_stale_references(
    shelf: ReferenceIndex, manuscripts: Sequence[ContentPage], library: BookLibrary
) -> StaleReferences:
    """Find references that no longer mean what their locks say. Without a lock there are no findings."""
    problems: list[Problem] = []
    locks: dict[Home, ReferenceLock] = {}
    for home in ("", *shelf.newest, *shelf.outlines):
        if (name := lock_of(home)) in library.locks:
            locks[home], faults = read_lock(name, library.locks[name])
            problems += faults
    if not locks:
        return StaleReferences()
    looked = _Review(shelf, manuscripts, library, locks)
    problems += stale_reference_problems(looked.findings, looked.meanings)
    return StaleReferences(looked.locks, looked.findings, looked.new, problems)


class _Review:
    """Review of all references that locks keep. `locks` name rules, steps and so on as of today."""

    def __init__(
        self,
        shelf: ReferenceIndex,
        manuscripts: Sequence[ContentPage],
        library: BookLibrary,
        locks: dict[Home, ReferenceLock],
    ) -> None:
        self.shelf, self.locks = shelf, locks
        self.meanings = RuleFingerprints(shelf)
        self.doubtful = {"/".join(name.split("/")[1:3]) for name in library.faulty}
        self.doubtful |= {name.split("/")[1] for name in library.faulty if name.endswith("/rulebook.yml")}
        self.words = {mark: said for lock in locks.values() for mark, said in lock.words.items()}
        self.references = [
            reference for reference in iter_references(shelf, manuscripts) if reference.lock_folder in locks
        ]
        self._known: dict[str, tuple[set[RecordedRule], RecordedRules]] = {}
        self._had_words = {
            (was.address(home), was.key): was
            for home, lock in locks.items()
            for target in lock.recorded_targets.values()
            for was in target
            if was.own_digest != UNKNOWN
        }
        self.locks = {home: self._today(home, lock) for home, lock in locks.items()}
        pending = self._pending()
        pending += self._silent(manuscripts)
        self.findings = list(self._findings(pending))
        self.findings += self._renamed(manuscripts)

    def _today(self, home: Home, lock: ReferenceLock) -> ReferenceLock:
        """A lock with the names that rules, steps and so on have today, as far as a lost one cited a number.

        What cites a number that the lock does not know there stands for all of its sort that cited it before.
        """
        met = dict.fromkeys(reference.key for reference in self.references if reference.lock_folder == home)
        lost: defaultdict[Key, list[Key]] = defaultdict(list)
        for source, named in lock.recorded_targets.keys() - met.keys():
            lost[source.partition(" ")[0], named].append((source, named))
        meant, gone = dict(lock.recorded_targets), set[Key]()
        for source, named in met:
            was = (
                ()
                if (source, named) in lock.recorded_targets
                else lost.get((source.partition(" ")[0], named), ())
            )
            if was:
                meant[source, named] = [one for key in sorted(was) for one in lock.recorded_targets[key]]
                gone.update(was)
        meant = {key: every for key, every in meant.items() if key not in gone}
        return ReferenceLock(meant, lock.words, lock.names)

    def _pending(self) -> list[Pending]:
        """References that may mean something else now, with their readings. New ones are counted."""
        pending: list[Pending] = []
        new: set[tuple[Home, Key]] = set()
        for reference in self.references:
            meant = self.locks[reference.lock_folder].recorded_targets.get(reference.key)
            if meant is None:
                new |= {(reference.lock_folder, reference.key)} if reference.target else set()
                if (was := self._deleted(reference.target)) and not self._is_doubtful(reference):
                    pending.append((reference, [was]))
            elif (
                reference.target
                and self.meanings.record_target(reference.target, reference.lock_folder, reference.inside)
                in meant
            ):
                continue  # it leads where it led
            elif not self._is_doubtful(reference):
                pending.append((reference, meant))
        self.new = Counter(home for home, _ in new)
        return pending

    def _deleted(self, target: Target | None) -> RecordedTarget | None:
        """The former meaning of a rule that is merely listed today, where a lock knows that it had words."""
        if not isinstance(target, RuleEntry) or target.is_transcribed or target.retired:
            return None
        address = target.edition.address
        was = self._had_words.get((address, target.key)) if not self.meanings.rule_words(target) else None
        return was and was._replace(target=f"{address}:{target.key}")

    def _silent(self, manuscripts: Sequence[ContentPage]) -> Iterator[Pending]:
        """Numbers that are left where references stood, and lead to no rule any more."""
        orphans = {home: set(lock.recorded_targets) for home, lock in self.locks.items()}
        for one in self.references:
            if one.target:
                orphans[one.lock_folder].discard(one.key)
        seen = {(reference.passage.key, reference.start) for reference in self.references}
        was: dict[tuple[Home, Key], Key] = {}
        for home, keys in orphans.items():
            moved = self._memories(home, set()).moved if keys and home in self.shelf.outlines else {}
            names = ((f"rule {new}", f"rule {old}") for new, old in moved.items())
            was |= {(home, (new, n)): (old, n) for new, old in names for source, n in keys if source == old}
            keys.update(key for at, key in was if at == home)
        wanted = {home: keys for home, keys in orphans.items() if keys}
        for one in numbers_without_reference(wanted, self.shelf, manuscripts) if wanted else ():
            if (one.passage.key, one.start) not in seen and not self._is_doubtful(one):
                yield (
                    one,
                    self.locks[one.lock_folder].recorded_targets[
                        was.get((one.lock_folder, one.key), one.key)
                    ],
                )

    def _renamed(self, manuscripts: Sequence[ContentPage]) -> Iterator[StaleReference]:
        """Places where texts say a name that a thing had when it was read, and has no more."""
        titles: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for finding in self.findings:
            was, now = finding.recorded.title, finding.current and self.meanings.title(finding.current)
            # A title of one word may be any word.
            if (
                now
                and finding.current
                and was != now
                and len(was.split()) > 1
                and normalize_typography(was) != normalize_typography(now)
            ):
                titles[finding.current.edition.address][was] = now
        for address, outline in self.shelf.outlines.items():
            lock = self.locks.get(address) if address not in self.doubtful else None
            changed = [(NameSpelling(old, "", is_title=True), new) for old, new in titles[address].items()]
            for old, thing in find_renamed(outline, self.shelf, lock.names).items() if lock else ():
                changed += spelling_pairs(old, thing)
            for at in find_outdated_names(outline, self.shelf, manuscripts, changed) if changed else ():
                where = at.passage, at.start, at.end
                reference = LocatedReference(address, "", at.old, None, outline, None, *where, shows=True)
                yield StaleReference(RENAMED, reference, RecordedTarget("", UNKNOWN, at.new), None, at.words)

    def _around(self, one: LocatedReference) -> tuple[Outline, ...]:
        """The editions whose numbers the text of a reference may name, a game's before its series'."""
        return tuple(with_series(one.passage.outline, self.shelf.outlines)) if one.passage.outline else ()

    def _is_doubtful(self, one: LocatedReference) -> bool:
        """Whether rules that a reference may mean are missing: unread files, or two rules with its number."""
        if any(entry is one.target for _, entry in one.target_outline.duplicates):
            return True
        addresses = [outline.edition.address for outline in (one.target_outline, *self._around(one))]
        return not self.doubtful.isdisjoint(
            [*addresses, *(address.partition("/")[0] for address in addresses)]
        )

    def _findings(self, pending: Sequence[Pending]) -> Iterator[StaleReference]:
        wanted: defaultdict[str, set[RecordedRule]] = defaultdict(set)
        for reference, meant in pending:
            for was in meant:
                wanted[self._edition_of(reference, was)] |= set() if COUNTED in was.key else {was.memory}
        known = {address: self._memories(address, those) for address, those in wanted.items()}
        for reference, meant in pending:
            found = [self._finding(reference, was, known[self._edition_of(reference, was)]) for was in meant]
            if all(found):
                first = min(filter(None, found), key=lambda each: _ORDER.index(each.kind))
                yield first._replace(recorded_range=tuple(meant))

    def _edition_of(self, one: LocatedReference, was: RecordedTarget) -> str:
        """The edition where a rule that was meant is looked for: of the book that it was in."""
        then, now = was.address(one.lock_folder), one.target_outline.edition.address
        other = then.partition("/")[0] != now.partition("/")[0]
        return then if other and then in self.shelf.outlines else now

    def _memories(self, address: str, wanted: set[RecordedRule]) -> RecordedRules:
        """The rules of an edition that are wanted, and all others that locks remember."""
        kept = (
            (home, was)
            for home, lock in self.locks.items()
            for row in lock.recorded_targets.values()
            for was in row
        )
        wanted |= {
            was.memory for home, was in kept if was.address(home) == address and COUNTED not in was.key
        }
        known = self._known.get(address)
        if known is None or known[0] != wanted:
            made = RecordedRules(self.shelf.outlines[address], wanted, self.words, self.meanings)
            known = self._known[address] = wanted, made
        return known[1]

    def _counted(
        self, target: ListItem | SequenceStep, one: LocatedReference, was: RecordedTarget
    ) -> StaleReference | None:
        """Finding about an item or a step that a text counts; None where it says what it said."""
        if self._says_the_same(target, was):
            return None
        row: Sequence[ListItem | SequenceStep]
        if isinstance(target, ListItem):
            row = list_items_of(target.entry)
        else:
            row = (
                inner_steps(target.parent, one.target_outline)
                if target.parent
                else one.target_outline.sequence.steps
            )
        there = next((each for each in row if self.meanings.mark(each) == was.own_digest), None)
        if there is None:
            return StaleReference(CHANGED, one, was)
        place = next(at for at, each in enumerate(row, 1) if each is there)
        number = there.number if isinstance(there, ListItem) else there.step.label or place
        return StaleReference(ITEM_MOVED, one, was, None, f"what was meant is {number}")

    def _says_the_same(self, target: Target, was: RecordedTarget) -> bool:
        """Whether a thing has the words that it had, however they are set."""
        said, mark = self.meanings.rule_words(target), self.meanings.mark(target)
        return mark == was.own_digest or normalize_typography(said) == normalize_typography(
            self.words.get(was.own_digest, UNKNOWN)
        )

    def _finding(
        self, one: LocatedReference, was: RecordedTarget, memories: RecordedRules
    ) -> StaleReference | None:
        """Finding about one of the targets that a reference had; None where it has that still."""
        target = one.target
        if isinstance(target, TableEntry):  # one without a number, which is always found by its name
            same = self._says_the_same(target, was)
            return None if same else StaleReference(CHANGED, one, was, None, "its words are others now")
        if isinstance(target, ListItem | SequenceStep):
            return self._counted(target, one, was)
        rule, differs = memories.successors.get(was.memory), memories.describe_difference(was.memory)
        if target is None:
            if rule and (was.title or was.own_digest != UNKNOWN):
                return StaleReference(MOVED, one, was, rule, differs)
            return StaleReference(LOST, one, was) if not is_reported(one) else None
        if rule in (target, None) and was.own_digest != UNKNOWN and self._deleted(target):
            return StaleReference(LOST, one, was)
        if rule is not target:
            # It can be named where the reference stands, in a game also as one of its series.
            around = [one.target_outline, *(() if one.shows else self._around(one))]
            named = rule and rule.edition in [outline.edition for outline in around]
            return StaleReference(MOVED if named else ANOTHER, one, was, rule, differs)
        if one.shows:
            return None
        now = self.meanings.record_target(target, one.lock_folder, one.inside)
        silent = was.own_digest == UNKNOWN and not was.inner_digest  # its words were not here then
        more = "" if now.inner_digest == was.inner_digest or silent else INSIDE
        differs = ", ".join(filter(None, [differs, more]))
        return StaleReference(CHANGED, one, was, target, differs) if differs else None
