"""Update reference locks: record accepted references, and renumber recorded targets after an edit.

A reference that was up to date stays up to date; a stale reference still has to be reviewed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.book.related_outlines import with_series
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.name_changes import current_names, find_renamed
from rulewright.compare.reference_inventory import Home, iter_references, lock_of
from rulewright.compare.reference_lock import (
    COUNTED,
    UNKNOWN,
    Key,
    Named,
    RecordedTarget,
    ReferenceLock,
    RuleFingerprints,
    lock_target_name,
    with_new_numbers,
    words_digest,
)
from rulewright.compare.stale_references import RENAMED, StaleReference, finding_location, join_locations
from rulewright.edit.renumber_plan import RenumberPlan
from rulewright.files.content_folder import CONTENT, name_of_path, parse_address, read_content_folder
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.safe_integers import parse_int
from rulewright.files.transaction import replace_files
from rulewright.references.content_page import ContentPage
from rulewright.references.missing_number_messages import missing_rule_message
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.problem_reports import plural

MAX_REPORTED = 20
"""Maximum number of rules in a report."""

_LINE = re.compile(r"(.+?\.(?:yml|md))(?::(\d+)(?::\d+)?)?")

FindingFilter = Callable[[StaleReference], bool]

LockKey = tuple[Home, Key]
"""Folder of a lock and a reference that is recorded in it."""


def collect_targets(
    index: ReferenceIndex, manuscripts: Sequence[ContentPage], homes: Collection[Home]
) -> tuple[Mapping[LockKey, list[RecordedTarget]], dict[str, str]]:
    """Return the targets of every reference recorded in some folders, and the cited rules' words by digest.

    An unresolved reference has no targets.
    """
    fingerprints, words = RuleFingerprints(index), dict[str, str]()
    targets: defaultdict[LockKey, list[RecordedTarget]] = defaultdict(list)
    for reference in iter_references(index, manuscripts):
        if reference.lock_folder not in homes:
            continue
        reference_targets = targets[reference.lock_folder, reference.key]
        if reference.target:
            target = fingerprints.record_target(reference.target, reference.lock_folder, reference.inside)
            reference_targets.append(target)
            if target.own_digest != UNKNOWN:
                words[target.own_digest] = fingerprints.rule_words(reference.target)
    return targets, words


def locks_after(
    before: CheckedProject,
    after: CheckedProject,
    new_key: Callable[[Home, Key, Sequence[RecordedTarget]], Key],
    new_number: Callable[[str, str], str],
    fixed: Mapping[LockKey, StaleReference],
) -> dict[str, ReferenceLock]:
    """Return the locks after a change by folder.

    `new_key` returns the new key of a reference, `new_number` the new number of a rule in an edition; `fixed`
    has the stale references that the change fixes.
    """
    homes = before.drift.locks
    (old_targets, _), (new_targets, words) = (
        collect_targets(project.shelf, project.manuscripts, homes) for project in (before, after)
    )
    locks: dict[str, ReferenceLock] = {}
    for home, lock in homes.items():
        new_lock = locks[home] = ReferenceLock(words={**words, **lock.words}, names=lock.names)
        fixed_targets = {
            key: list(finding.recorded_range) for (folder, key), finding in fixed.items() if folder == home
        }
        for key, recorded in {**lock.recorded_targets, **fixed_targets}.items():
            # The recorded target of a term may be in an edition that is no longer the newest.
            key_after = new_key(home, key, old_targets.get((home, key)) or recorded)
            unchanged: Sequence[RecordedTarget] = old_targets.get((home, key), ())
            if finding := fixed.get((home, key)):
                unchanged = () if finding.differs else recorded
            current_targets = new_targets.get((home, key_after), [])
            updated = new_lock.recorded_targets.setdefault(key_after, [])
            for target in recorded:
                moved = _renumber_target(target, target.address(home), lock, new_lock, new_number)
                if target in unchanged and current_targets:
                    matching = (current for current in current_targets if current.target == moved.target)
                    moved = next(matching, current_targets[0])
                updated.append(moved)
    return locks


def _renumber_target(
    recorded: RecordedTarget,
    address: str,
    old: ReferenceLock,
    new: ReferenceLock,
    new_number: Callable[[str, str], str],
) -> RecordedTarget:
    """Return a recorded target with new numbers, also in the words of its rule."""
    digest = recorded.own_digest
    if words := old.words.get(digest):
        words = with_new_numbers(words, lambda key: new_number(address, key))
        digest = words_digest(words)
        new.words[digest] = words
    target = recorded.target.removesuffix(recorded.key) + new_number(address, recorded.key)
    inner_digest = f"+{recorded.inner_digest}" if recorded.inner_digest else ""
    return RecordedTarget(target, digest + inner_digest, recorded.title)


def update_names(index: ReferenceIndex, home: Home, old: ReferenceLock) -> set[Named]:
    """Return the current names of what a lock names, without names that are new."""
    if not (outline := index.outlines.get(home)):
        return old.names
    renamed_items = find_renamed(outline, index, old.names).values()
    renamed = {(item.sort, item.title) for item in renamed_items}
    known = renamed | {(sort, title) for sort, _, title in old.names}
    return {name for name in current_names(outline, index) if (name[0], name[2]) in known}


def names_to_record(index: ReferenceIndex, home: Home, old: ReferenceLock, *, reviewed: bool) -> set[Named]:
    """Return the current names, or the old ones until the texts that use them are reviewed."""
    outline = index.outlines.get(home)
    names = current_names(outline, index) if outline else set()
    if outline and not reviewed:
        renamed_items = find_renamed(outline, index, old.names)
        renamed = {(item.sort, item.title) for item in renamed_items.values()}
        return {name for name in names if (name[0], name[2]) not in renamed} | renamed_items.keys()
    return names


def changed_lock_files(locks: Mapping[str, ReferenceLock], before: CheckedProject) -> dict[str, bytes]:
    """Return the new content of each lock file that changes."""
    files = {lock_of(home): lock.serialize() for home, lock in locks.items()}
    return {name: data for name, data in files.items() if data != before.library.locks[name]}


def renumbered_locks(
    before: CheckedProject, after: CheckedProject, moves: RenumberPlan, added: Collection[str] = ()
) -> dict[str, bytes]:
    """Return the lock files that a renumbering changes; new references to rules in `added` are accepted."""
    own_address, dialect = moves.outline.edition.address, moves.outline.edition.dialect

    def new_number(address: str, key: str) -> str:
        prefix = f"{own_address}:" if address != own_address else ""
        plain_key, sign, item = key.removeprefix(prefix).partition(COUNTED)
        number = dialect.parse_number(plain_key)
        if not key.startswith(prefix) or not number or number.key != plain_key:
            return key
        return prefix + moves.new_number(number).key + sign + item

    def renumber_label(label: str) -> str:
        """Renumber a recorded number, which may have the prefix `was` or an address."""
        prefix = "was " if label.startswith("was ") else label[: label.rfind(":") + 1]
        return prefix + new_number(own_address, label.removeprefix(prefix))

    def new_key(home: Home, key: Key, targets: Sequence[RecordedTarget]) -> Key:
        source, label = key
        source_type, _, name = source.partition(" ")
        if home == own_address and source_type in ("rule", "table"):
            source = f"{source_type} {new_number(own_address, name)}"
        if targets[0].address(home) == own_address:
            label = "–".join(map(renumber_label, label.split("–")))
        return source, label

    locks = locks_after(before, after, new_key, new_number, {})
    if added and locks:
        current_targets, _ = collect_targets(after.shelf, after.manuscripts, locks)
        for (home, key), targets in current_targets.items():
            if key[1] in added:
                locks[home].recorded_targets.setdefault(key, targets)
    return changed_lock_files(locks, before)


@dataclass
class LockUpdate:
    """Lock files to write."""

    # Files that change, None for a lock without references.
    files: dict[str, bytes | None] = field(default_factory=dict)
    # Numbers of recorded, new and removed references, by folder.
    counts: dict[Home, tuple[int, int, int]] = field(default_factory=dict)
    # Stale references that were reviewed and accepted.
    re_reviewed: list[StaleReference] = field(default_factory=list)
    # Stale references that still have to be reviewed or fixed.
    pending: list[StaleReference] = field(default_factory=list)

    def report_lines(self) -> list[str]:
        """Return the lines of the report."""
        findings_by_rule: dict[str, list[StaleReference]] = {}
        for finding in self.re_reviewed:
            rule = f"{finding.reference.target_outline.edition.address}:{finding.recorded.key}"
            findings_by_rule.setdefault(rule, []).append(finding)
        lines = [
            f"{name}: {plural(len(findings), 'reference')} reviewed, in {join_locations(findings)}"
            for name, findings in list(findings_by_rule.items())[:MAX_REPORTED]
        ]
        if len(findings_by_rule) > MAX_REPORTED:
            lines.append(f"… and {plural(len(findings_by_rule) - MAX_REPORTED, 'more rule')}")
        for home, (count, added, removed) in self.counts.items():
            details = [f"{added} new"] * bool(added) + [f"{removed} gone"] * bool(removed)
            if lock_of(home) in self.files:
                lines.append(", ".join([f"{lock_of(home)}: {plural(count, 'reference')}", *details]))
        if not self.files:
            lines.append("Nothing to record: everything is as it was last reviewed.")
        if self.pending:
            pending = plural(len(self.pending), "reference")
            lines.append(f"{pending} still to review or fix; `rulewright check` lists them.")
        return lines


def record_references(project: CheckedProject, homes: Collection[Home], is_read: FindingFilter) -> LockUpdate:
    """Record the references of some folders; stale references only if `is_read` accepts them."""
    update, stale_references = LockUpdate(), project.drift
    pending_targets: dict[LockKey, list[RecordedTarget]] = {}
    accepted_keys: set[LockKey] = set()
    folders_with_old_names: set[Home] = set()
    for finding in stale_references.findings:
        lock_key = finding.reference.lock_folder, finding.reference.key
        if lock_key[0] in homes and finding.may_be_accepted and is_read(finding):
            update.re_reviewed.append(finding)
            accepted_keys.add(lock_key)
        elif finding.kind is RENAMED:
            update.pending.append(finding)
            folders_with_old_names.add(lock_key[0])
        else:
            update.pending.append(finding)
            pending_targets[lock_key] = list(finding.recorded_range)
    targets, words = collect_targets(project.shelf, project.manuscripts, homes)
    for home in homes:
        old = stale_references.locks.get(home, ReferenceLock())
        new = ReferenceLock(
            words={**old.words, **words},
            names=names_to_record(project.shelf, home, old, reviewed=home not in folders_with_old_names),
        )
        new.recorded_targets = {
            key: recorded for (folder, key), recorded in pending_targets.items() if folder == home
        }
        for (folder, key), new_targets in targets.items():
            old_targets = () if (home, key) in accepted_keys else old.recorded_targets.get(key, ())
            if folder == home and (home, key) not in pending_targets and (new_targets or old_targets):
                new.recorded_targets[key] = new_targets or list(old_targets)
        old_keys, new_keys = old.recorded_targets.keys(), new.recorded_targets.keys()
        update.counts[home] = len(new_keys), len(new_keys - old_keys), len(old_keys - new_keys)
        data = new.serialize() if new.recorded_targets else None
        if data != project.library.locks.get(lock_of(home)):
            update.files[lock_of(home)] = data
    return update


def accept_references(project: Path, selectors: Collection[str], *, accept_all: bool) -> LockUpdate:
    """Record new references, and accept the selected stale references or, with `accept_all`, all of them.

    A selector is a rule (`ocs/4.3:12.5c`), a book, a file, or a line of a file.

    Raises:
        UserError: A selector matches nothing.
        ContentErrors: A file cannot be read.
        FolderBusy: Another command uses the content.
    """
    content = read_content_folder(project)
    checked_project = load_and_check_folder(content).printed
    pages = (page.name for page in checked_project.manuscripts if page.problems and not page.text)
    if names := {*checked_project.library.faulty, *pages}:
        failures = [
            problem
            for problem in checked_project.problems
            if problem.place.file in names and problem.is_failure
        ]
        raise ContentErrors(
            failures, "nothing was recorded, since the lock would lose references in these files"
        )
    homes = ["", *checked_project.shelf.newest, *checked_project.shelf.outlines]
    filters: list[FindingFilter] = []
    folders: list[Home] = []
    for selector in selectors:
        if line := _LINE.fullmatch(selector.replace("\\", "/")):
            filters.append(_file_filter(project, line[1].removeprefix("./"), line[2], checked_project))
            folders += homes
        elif ":" in selector:
            filters.append(_rule_filter(selector, checked_project))
            folders += homes
        else:
            address = parse_address(selector)
            book_folders = [home for home in homes if home == address or home.startswith(f"{address}/")]
            if not book_folders:
                raise checked_project.unknown_book_error(address)
            folders += book_folders
            filters.append(_folder_filter(book_folders))
    update = record_references(
        checked_project,
        list(dict.fromkeys(folders)) or homes,
        lambda finding: accept_all or any(matches(finding) for matches in filters),
    )
    replace_files(project, update.files, content.texts)
    return update


def _folder_filter(folders: Collection[Home]) -> FindingFilter:
    return lambda finding: finding.reference.lock_folder in folders


def _file_filter(
    project: Path, name: str, line: str | None, checked_project: CheckedProject
) -> FindingFilter:
    file_name = name_of_path(project, name)
    file_name = file_name if file_name.startswith(f"{CONTENT}/") else f"{CONTENT}/{file_name}"
    files = {
        *checked_project.library.pages,
        *(f"{CONTENT}/{book}/rulebook.yml" for book in checked_project.shelf.newest),
    }
    if file_name not in files.union(
        *(edition.files for edition in checked_project.library.editions.values())
    ):
        raise UserError(f"no file {name} here; write it as the check does, content/ocs/4.3/faq.md:31")

    def matches(finding: StaleReference) -> bool:
        places = (finding.reference.place, finding_location(finding))
        return any(
            place.file == file_name and (line is None or place.line == parse_int(line)) for place in places
        )

    return matches


def _rule_filter(selector: str, project: CheckedProject) -> FindingFilter:
    address, _, number_text = selector.partition(":")
    edition = project.library.find_edition(parse_address(address))
    if edition is None:
        raise project.unknown_book_error(address)
    outline = project.shelf.outlines[edition.address]
    number = edition.dialect.parse_number(number_text.strip(), outline.default_chapter)
    key = number.key if number else number_text.strip()
    tables = {table.key for table in project.shelf.editions[edition.address].tables}
    is_recorded = any(finding.recorded.key == key for finding in project.drift.findings)
    if key not in outline.entries and key not in tables and not is_recorded:
        outlines = with_series(outline, project.shelf.outlines)
        raise UserError(
            missing_rule_message(number, outlines) if number else f"{edition.short} has no rule {number_text}"
        )

    def matches(finding: StaleReference) -> bool:
        target = finding.reference.target
        keys = finding.recorded.key, lock_target_name(target) if target else ""
        return finding.reference.target_outline is outline and key in keys

    return matches
