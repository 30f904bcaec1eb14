"""Locks written: references that have been read entered, and each kept true where it is written anew.

What was true stays true. What an editor still had to read again he has to read again afterwards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.citations.content_page import ContentPage
from rulewright.citations.missing_number_messages import missing_rule_message
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.compare.name_changes import current_names as current_names
from rulewright.compare.name_changes import find_renamed as renamed_things
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
from rulewright.model.problem_reports import plural
from rulewright.source.content_folder import CONTENT, name_of_path, parse_address, read_content_folder
from rulewright.source.errors import ContentErrors, UserError
from rulewright.source.safe_integers import parse_int
from rulewright.source.transaction import replace_files

MOST_TOLD = 20
"""How many rules are told one by one."""

_LINE = re.compile(r"(.+?\.(?:yml|md))(?::(\d+)(?::\d+)?)?")

Test = Callable[[StaleReference], bool]

Kept = tuple[Home, Key]
"""A reference, with the folder whose lock keeps it."""


def current(
    index: ReferenceIndex, manuscripts: Sequence[ContentPage], homes: Collection[Home]
) -> tuple[Mapping[Kept, list[RecordedTarget]], dict[str, str]]:
    """Targets of every reference of some folders, none of a lost one, and the words of all cited rules."""
    meanings, words = RuleFingerprints(index), dict[str, str]()
    targets: defaultdict[Kept, list[RecordedTarget]] = defaultdict(list)
    for reference in iter_references(index, manuscripts):
        if reference.lock_folder not in homes:
            continue
        reference_targets = targets[reference.lock_folder, reference.key]
        if reference.target:
            recorded_target = meanings.record_target(
                reference.target, reference.lock_folder, reference.inside
            )
            reference_targets.append(recorded_target)
            if recorded_target.own_digest != UNKNOWN:
                words[recorded_target.own_digest] = meanings.rule_words(reference.target)
    return targets, words


def locks_after(
    before: CheckedProject,
    after: CheckedProject,
    key_of: Callable[[Home, Key, Sequence[RecordedTarget]], Key],
    number: Callable[[str, str], str],
    fixed: Mapping[Kept, StaleReference],
) -> dict[str, ReferenceLock]:
    """The locks after a change, by folder: `key_of` a reference then, `number` of a cited rule then."""
    homes = before.drift.locks
    (old_targets, _), (new_targets, words) = (
        current(project.shelf, project.manuscripts, homes) for project in (before, after)
    )
    locks: dict[str, ReferenceLock] = {}
    for home, lock in homes.items():
        new_lock = locks[home] = ReferenceLock(words={**words, **lock.words}, names=lock.names)
        fixed_targets = {
            key: list(finding.recorded_range) for (folder, key), finding in fixed.items() if folder == home
        }
        for key, recorded in {**lock.recorded_targets, **fixed_targets}.items():
            # A term may have been read in an edition that was the newest then.
            new, finding = key_of(home, key, old_targets.get((home, key)) or recorded), fixed.get((home, key))
            unchanged = (
                old_targets.get((home, key), ()) if not finding else () if finding.differs else recorded
            )
            current_targets = new_targets.get((home, new), [])
            updated = new_lock.recorded_targets.setdefault(new, [])
            for target in recorded:
                moved = _renumbered(target, target.address(home), lock, new_lock, number)
                matching = (candidate for candidate in current_targets if candidate.target == moved.target)
                updated.append(
                    next(matching, current_targets[0]) if target in unchanged and current_targets else moved
                )
    return locks


def _renumbered(
    recorded: RecordedTarget,
    address: str,
    old: ReferenceLock,
    new: ReferenceLock,
    number: Callable[[str, str], str],
) -> RecordedTarget:
    """A reading by the new numbers, those too that its words cite."""
    digest = recorded.own_digest
    if words := old.words.get(digest):
        words = with_new_numbers(words, lambda key: number(address, key))
        digest = words_digest(words)
        new.words[digest] = words
    target = recorded.target.removesuffix(recorded.key) + number(address, recorded.key)
    return RecordedTarget(
        target, f"{digest}+{recorded.inner_digest}" if recorded.inner_digest else digest, recorded.title
    )


def names_since(index: ReferenceIndex, home: Home, old: ReferenceLock) -> set[Named]:
    """The names of a lock as they are today, without any that have come since."""
    if not (outline := index.outlines.get(home)):
        return old.names
    renamed = {
        (renamed_item.sort, renamed_item.title)
        for renamed_item in renamed_things(outline, index, old.names).values()
    }
    known = renamed | {(sort, title) for sort, _, title in old.names}
    return {name for name in current_names(outline, index) if (name[0], name[2]) in known}


def names_after(index: ReferenceIndex, home: Home, old: ReferenceLock, *, read: bool) -> set[Named]:
    """The names for a lock: those of today, but old ones as long as texts that say them are not `read`."""
    outline = index.outlines.get(home)
    names = current_names(outline, index) if outline else set()
    if outline and not read:
        renamed_items = renamed_things(outline, index, old.names)
        renamed = {(renamed_item.sort, renamed_item.title) for renamed_item in renamed_items.values()}
        return {name for name in names if (name[0], name[2]) not in renamed} | renamed_items.keys()
    return names


def changed_lock_files(locks: Mapping[str, ReferenceLock], before: CheckedProject) -> dict[str, bytes]:
    """The files of those locks that are not as they were."""
    files = {lock_of(home): lock.serialize() for home, lock in locks.items()}
    return {name: data for name, data in files.items() if data != before.library.locks[name]}


def renumbered_locks(
    before: CheckedProject, after: CheckedProject, moves: RenumberPlan, added: Collection[str] = ()
) -> dict[str, bytes]:
    """Rewrite the locks that differ after a renumbering. `added`: rules newly cited, which have been read."""
    own_address, dialect = moves.outline.edition.address, moves.outline.edition.dialect

    def number(address: str, key: str) -> str:
        prefix = f"{own_address}:" if address != own_address else ""
        plain_key, sign, item = key.removeprefix(prefix).partition(COUNTED)
        known = dialect.parse_number(plain_key)
        if not key.startswith(prefix) or not known or known.key != plain_key:
            return key
        return prefix + moves.new_number(known).key + sign + item

    def named(number_text: str) -> str:
        """A number as it is kept, with what stands in front of it."""
        prefix = "was " if number_text.startswith("was ") else number_text[: number_text.rfind(":") + 1]
        return prefix + number(own_address, number_text.removeprefix(prefix))

    def key_of(home: Home, key: Key, targets: Sequence[RecordedTarget]) -> Key:
        sort, _, name = key[0].partition(" ")
        source = (
            f"{sort} {number(own_address, name)}"
            if home == own_address and sort in ("rule", "table")
            else key[0]
        )
        leads = targets[0].address(home) == own_address
        return source, "–".join(map(named, key[1].split("–"))) if leads else key[1]

    locks = locks_after(before, after, key_of, number, {})
    if added and locks:
        current_targets, _ = current(after.shelf, after.manuscripts, locks)
        for (home, key), targets in current_targets.items():
            if key[1] in added:
                locks[home].recorded_targets.setdefault(key, targets)
    return changed_lock_files(locks, before)


@dataclass
class LockUpdate:
    """Locks to be written. `files`: those that differ, None for one that keeps nothing any more.

    `counts`: how many references each lock keeps and how many came and went, by folder; `re_reviewed`: those
    that were read again; `pending`: those that are still to be read.
    """

    files: dict[str, bytes | None] = field(default_factory=dict)
    counts: dict[Home, tuple[int, int, int]] = field(default_factory=dict)
    re_reviewed: list[StaleReference] = field(default_factory=list)
    pending: list[StaleReference] = field(default_factory=list)

    def report_lines(self) -> list[str]:
        """The report of what was recorded, in lines."""
        findings_by_rule: dict[str, list[StaleReference]] = {}
        for finding in self.re_reviewed:
            findings_by_rule.setdefault(
                f"{finding.reference.target_outline.edition.address}:{finding.recorded.key}", []
            ).append(finding)
        lines = [
            f"{name}: {plural(len(findings), 'reference')} read again, in {join_locations(findings)}"
            for name, findings in list(findings_by_rule.items())[:MOST_TOLD]
        ]
        if len(findings_by_rule) > MOST_TOLD:
            lines.append(f"… and {plural(len(findings_by_rule) - MOST_TOLD, 'more rule')}")
        for home, (count, added, removed) in self.counts.items():
            details = [f"{added} new"] * bool(added) + [f"{removed} gone"] * bool(removed)
            if lock_of(home) in self.files:
                lines.append(", ".join([f"{lock_of(home)}: {plural(count, 'reference')}", *details]))
        if not self.files:
            lines.append("Nothing to record: everything is as it was read.")
        if self.pending:
            pending = plural(len(self.pending), "reference")
            lines.append(f"{pending} still to be read or mended; `rulewright check` names them.")
        return lines


def record_references(project: CheckedProject, homes: Collection[Home], is_read: Test) -> LockUpdate:
    """Record the references of some folders, of those that have findings the ones that have been read."""
    update, drift = LockUpdate(), project.drift
    pending_targets: dict[Kept, list[RecordedTarget]] = {}
    accepted_keys: set[Kept] = set()
    folders_with_old_names: set[Home] = set()
    for finding in drift.findings:
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
    targets, words = current(project.shelf, project.manuscripts, homes)
    for home in homes:
        old = drift.locks.get(home, ReferenceLock())
        new = ReferenceLock(
            words={**old.words, **words},
            names=names_after(project.shelf, home, old, read=home not in folders_with_old_names),
        )
        new.recorded_targets = {
            key: recorded for (folder, key), recorded in pending_targets.items() if folder == home
        }
        for (folder, key), new_targets in targets.items():
            old_targets = () if (home, key) in accepted_keys else old.recorded_targets.get(key, ())
            if folder == home and (home, key) not in pending_targets and (new_targets or old_targets):
                new.recorded_targets[key] = new_targets or list(old_targets)
        removed, added = (
            len(a.recorded_targets.keys() - b.recorded_targets.keys()) for a, b in ((old, new), (new, old))
        )
        update.counts[home] = len(new.recorded_targets), added, removed
        data = new.serialize() if new.recorded_targets else None
        if data != project.library.locks.get(lock_of(home)):
            update.files[lock_of(home)] = data
    return update


def accept_references(project: Path, selectors: Collection[str], *, accept_all: bool) -> LockUpdate:
    """Record new references, and that those have been read which are named, or with `every` all.

    `read`: rules `ocs/4.3:12.5c`, books, files, or lines of files. Raises Refusal where there is no such
    thing, Unsound where content that cannot be read stands in the way, and Busy.
    """
    content = read_content_folder(project)
    checked_project = load_and_check_folder(content).printed
    pages = (page.name for page in checked_project.manuscripts if page.problems and not page.text)
    if names := {*checked_project.library.faulty, *pages}:
        wrong = [
            problem
            for problem in checked_project.problems
            if problem.place.file in names and problem.is_failure
        ]
        raise ContentErrors(wrong, "nothing was recorded, since references in these files would be forgotten")
    homes = ["", *checked_project.shelf.newest, *checked_project.shelf.outlines]
    tests: list[Test] = []
    folders: list[Home] = []
    for selector in selectors:
        if line := _LINE.fullmatch(selector.replace("\\", "/")):
            tests.append(_in_file(project, line[1].removeprefix("./"), line[2], checked_project))
            folders += homes
        elif ":" in selector:
            tests.append(_to_rule(selector, checked_project))
            folders += homes
        else:
            address = parse_address(selector)
            inside = [home for home in homes if home == address or home.startswith(f"{address}/")]
            if not inside:
                raise checked_project.unknown_book_error(address)
            folders += inside
            tests.append(lambda finding, inside=inside: finding.reference.lock_folder in inside)  # type: ignore[misc]
    update = record_references(
        checked_project,
        list(dict.fromkeys(folders)) or homes,
        lambda finding: accept_all or any(test(finding) for test in tests),
    )
    replace_files(project, update.files, content.texts)
    return update


def _in_file(project: Path, name: str, line: str | None, checked_project: CheckedProject) -> Test:
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

    def test(finding: StaleReference) -> bool:
        places = (finding.reference.place, finding_location(finding))
        return any(
            place.file == file_name and (line is None or place.line == parse_int(line)) for place in places
        )

    return test


def _to_rule(selector: str, project: CheckedProject) -> Test:
    address, _, number_text = selector.partition(":")
    edition = project.library.find_edition(parse_address(address))
    if edition is None:
        raise project.unknown_book_error(address)
    outline = project.shelf.outlines[edition.address]
    number = edition.dialect.parse_number(number_text.strip(), outline.default_chapter)
    key = number.key if number else number_text.strip()
    tables = {table.key for table in project.shelf.tables[edition.address]}
    is_recorded = any(finding.recorded.key == key for finding in project.drift.findings)
    if key not in outline.entries and key not in tables and not is_recorded:
        outlines = project.shelf.with_series(outline)
        raise UserError(
            missing_rule_message(number, outlines) if number else f"{edition.short} has no rule {number_text}"
        )

    def test(finding: StaleReference) -> bool:
        target = finding.reference.target
        return finding.reference.target_outline is outline and key in (
            finding.recorded.key,
            lock_target_name(target) if target else "",
        )

    return test
