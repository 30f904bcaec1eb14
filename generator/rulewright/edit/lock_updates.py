"""Update reference locks: record accepted references, and renumber records after an edit.

A record that was up to date stays up to date; a stale reference still has to be reviewed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright.book.lock_file import RecordedName, RecordedRule, ReferenceLock, lock_name
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.name_changes import current_names, find_renamed
from rulewright.compare.rule_digests import RuleDigests
from rulewright.compare.stale_reference_problems import RENAMED, StaleReference, join_locations
from rulewright.files.content_folder import parse_address
from rulewright.files.content_reader import read_content_folder
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.transaction import replace_files
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import (
    LockFolder,
    Target,
    iter_references,
)
from rulewright.schema.problem_reports import plural

FindingFilter = Callable[[StaleReference], bool]

Slot = tuple[LockFolder, str]
"""A lock and a number in it."""


def _cited_targets(project: CheckedProject) -> dict[Slot, list[Target]]:
    """Return the target of each reference that leads anywhere, by its lock and number there."""
    targets: defaultdict[Slot, list[Target]] = defaultdict(list)
    for reference in iter_references(project.index, project.manuscripts):
        if reference.target:
            targets[reference.lock_folder, reference.recorded_number].append(reference.target)
    return targets


def update_names(
    index: ReferenceIndex, folder: LockFolder, recorded: set[RecordedName], *, reviewed: bool
) -> set[RecordedName]:
    """Return the current names, or the recorded ones until the texts that use them are reviewed."""
    if not (outline := index.outlines.get(folder)):
        return set()
    names = current_names(outline, index)
    if not reviewed:
        renamed_items = find_renamed(outline, index, recorded)
        renamed = {(item.sort, item.title) for item in renamed_items.values()}
        names = {name for name in names if (name.sort, name.name) not in renamed} | renamed_items.keys()
    return names


def renumbered_locks(
    project: CheckedProject, new_number: Callable[[LockFolder, RecordedRule], str]
) -> dict[str, bytes]:
    """Return the lock files that change when each record follows its rule to a new number."""
    files: dict[str, bytes] = {}
    for folder, lock in project.drift.locks.items():
        rules: defaultdict[str, list[RecordedRule]] = defaultdict(list)
        for records in lock.rules.values():
            for record in records:
                number = new_number(folder, record)
                rules[number].append(record._replace(number=number))
        data = replace(lock, rules=rules).serialize()
        if data and data != project.library.texts.get(lock_name(folder)):
            files[lock_name(folder)] = data
    return files


@dataclass
class LockUpdate:
    """Lock files to write."""

    # Files that change, None for a lock without records.
    files: dict[str, bytes | None] = field(default_factory=dict)
    # Numbers of recorded references by lock file.
    counts: dict[str, int] = field(default_factory=dict)
    # Stale references that were reviewed and accepted.
    re_reviewed: list[StaleReference] = field(default_factory=list)
    # Stale references that still have to be reviewed or fixed.
    pending: list[StaleReference] = field(default_factory=list)

    def report_lines(self) -> list[str]:
        """Return the lines of the report."""
        lines: list[str] = []
        if self.re_reviewed:
            count = plural(len(self.re_reviewed), "reference")
            lines.append(f"{count} reviewed, in {join_locations(self.re_reviewed)}")
        lines += (f"{name}: {plural(self.counts[name], 'reference')}" for name in self.files)
        if not self.files:
            lines.append("Nothing to record: everything is as it was last reviewed.")
        if self.pending:
            pending = plural(len(self.pending), "reference")
            lines.append(f"{pending} still to review or fix; `rulewright check` lists them.")
        return lines


def record_references(
    project: CheckedProject, folders: Collection[LockFolder], is_read: FindingFilter
) -> LockUpdate:
    """Record the references of some folders; a stale number only if `is_read` accepts all its references."""
    update = LockUpdate()
    pending = {
        finding.slot
        for finding in project.drift.findings
        if finding.slot[0] not in folders or not is_read(finding)
    }
    outdated_names = {folder for folder, number in pending if not number}
    for finding in project.drift.findings:
        (update.pending if finding.slot in pending else update.re_reviewed).append(finding)
    for finding in update.pending:
        if finding.kind is not RENAMED:
            pending.add((finding.reference.lock_folder, finding.reference.recorded_number))
    digests, targets = RuleDigests(project.index, {}), _cited_targets(project)
    for folder in folders:
        old = project.library.locks.get(folder, ReferenceLock())
        names = update_names(project.index, folder, old.names, reviewed=folder not in outdated_names)
        new = ReferenceLock(names=names, sheets=old.sheets)
        new.rules = {number: rows for number, rows in old.rules.items() if (folder, number) in pending}
        for (home, number), cited in targets.items():
            if home == folder and (home, number) not in pending:
                new.rules[number] = [digests.record(cited[0], number, len(cited))]
        name, data = lock_name(folder), new.serialize()
        if data != project.library.texts.get(name):
            update.files[name] = data
            update.counts[name] = new.references
    return update


def renewed_locks(project: CheckedProject, pending: Collection[Slot]) -> dict[str, bytes]:
    """Return the lock files that record what a command has changed itself, and nobody has to review.

    `pending`: recorded numbers whose references were stale before.
    """
    folders = [*project.drift.locks]
    update = record_references(project, folders, lambda finding: finding.slot not in pending)
    return {name: data for name, data in update.files.items() if data}


def unreadable_files(project: CheckedProject) -> list[str]:
    """Return the names of the files that cannot be read whole."""
    pages = {page.name for page in project.manuscripts if page.problems and not page.text}
    return sorted(project.library.faulty | pages)


def accept_references(project: Path, selectors: Collection[str], *, accept_all: bool) -> LockUpdate:
    """Record new references, and accept the selected stale references or, with `accept_all`, all of them.

    A selector is a rule (`ocs/4.3:12.5c`), an edition or a book.

    Raises:
        UserError: A selector matches nothing.
        ContentErrors: A file cannot be read.
        FolderBusy: Another command uses the content.
    """
    content = read_content_folder(project)
    checked_project = load_and_check_folder(content)
    if unreadable := unreadable_files(checked_project):
        problems = [problem for problem in checked_project.problems if problem.place.file in unreadable]
        raise ContentErrors(
            [problem for problem in problems if problem.is_failure],
            "nothing was recorded, since the lock would lose references in these files",
        )
    all_folders = ["", *checked_project.index.newest, *checked_project.index.outlines]
    folders: list[LockFolder] = []
    findings = checked_project.drift.findings
    accepted = {finding.slot for finding in findings} if accept_all else set[Slot]()
    for selector in selectors:
        name, _, number = selector.partition(":")
        address = parse_address(name)
        selected = [home for home in all_folders if f"{home}/".startswith(f"{address}/")]
        if not address or not selected:
            raise checked_project.unknown_book_error(address)
        if number:
            selected = all_folders
            accepted |= _slots_of_rule(address, number.strip(), checked_project)
        else:
            accepted |= {finding.slot for finding in findings if finding.slot[0] in selected}
        folders += selected
    update = record_references(
        checked_project, list(dict.fromkeys(folders)) or all_folders, lambda finding: finding.slot in accepted
    )
    replace_files(project, update.files, content.texts)
    return update


def _slots_of_rule(address: str, number_text: str, project: CheckedProject) -> set[Slot]:
    """Return the recorded numbers whose stale references mean or meant a rule or a table."""
    outline = project.outline(address)
    number = outline.edition.dialect.parse_number(number_text, outline.default_chapter)
    key = number.key if number else number_text
    slots: set[Slot] = set()
    for finding in project.drift.findings:
        target, is_here = finding.reference.target, finding.reference.target_outline is outline
        if is_here and key in (finding.recorded.key, target.key if target else ""):
            slots.add(finding.slot)
    if not slots and key not in outline.entries:
        raise UserError(f"{outline.edition.short} has no rule {number_text}")
    return slots
