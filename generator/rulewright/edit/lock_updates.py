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
    shelf: ReferenceIndex, manuscripts: Sequence[ContentPage], homes: Collection[Home]
) -> tuple[Mapping[Kept, list[RecordedTarget]], dict[str, str]]:
    """Targets of every reference of some folders, none of a lost one, and the words of all cited rules."""
    meanings, words = RuleFingerprints(shelf), dict[str, str]()
    found: defaultdict[Kept, list[RecordedTarget]] = defaultdict(list)
    for reference in iter_references(shelf, manuscripts):
        if reference.lock_folder not in homes:
            continue
        every = found[reference.lock_folder, reference.key]
        if reference.target:
            meant = meanings.record_target(reference.target, reference.lock_folder, reference.inside)
            every.append(meant)
            if meant.own_digest != UNKNOWN:
                words[meant.own_digest] = meanings.rule_words(reference.target)
    return found, words


def locks_after(
    before: CheckedProject,
    after: CheckedProject,
    key_of: Callable[[Home, Key, Sequence[RecordedTarget]], Key],
    number: Callable[[str, str], str],
    mended: Mapping[Kept, StaleReference],
) -> dict[str, ReferenceLock]:
    """The locks after a change, by folder: `key_of` a reference then, `number` of a cited rule then."""
    homes = before.drift.locks
    (was, _), (now, words) = (
        current(project.shelf, project.manuscripts, homes) for project in (before, after)
    )
    locks: dict[str, ReferenceLock] = {}
    for home, lock in homes.items():
        made = locks[home] = ReferenceLock(words={**words, **lock.words}, names=lock.names)
        settled = {key: list(finding.recorded_range) for (at, key), finding in mended.items() if at == home}
        for key, every in {**lock.recorded_targets, **settled}.items():
            # A term may have been read in an edition that was the newest then.
            new, finding = key_of(home, key, was.get((home, key)) or every), mended.get((home, key))
            true = was.get((home, key), ()) if not finding else () if finding.differs else every
            today = now.get((home, new), [])
            row = made.recorded_targets.setdefault(new, [])
            for one in every:
                moved = _renumbered(one, one.address(home), lock, made, number)
                same = (each for each in today if each.target == moved.target)
                row.append(next(same, today[0]) if one in true and today else moved)
    return locks


def _renumbered(
    meant: RecordedTarget,
    address: str,
    old: ReferenceLock,
    new: ReferenceLock,
    number: Callable[[str, str], str],
) -> RecordedTarget:
    """A reading by the new numbers, those too that its words cite."""
    own = meant.own_digest
    if words := old.words.get(own):
        words = with_new_numbers(words, lambda key: number(address, key))
        own = words_digest(words)
        new.words[own] = words
    target = meant.target.removesuffix(meant.key) + number(address, meant.key)
    return RecordedTarget(target, f"{own}+{meant.inner_digest}" if meant.inner_digest else own, meant.title)


def names_since(shelf: ReferenceIndex, home: Home, old: ReferenceLock) -> set[Named]:
    """The names of a lock as they are today, without any that have come since."""
    if not (outline := shelf.outlines.get(home)):
        return old.names
    heirs = {(thing.sort, thing.title) for thing in renamed_things(outline, shelf, old.names).values()}
    known = heirs | {(sort, title) for sort, _, title in old.names}
    return {one for one in current_names(outline, shelf) if (one[0], one[2]) in known}


def names_after(shelf: ReferenceIndex, home: Home, old: ReferenceLock, *, read: bool) -> set[Named]:
    """The names for a lock: those of today, but old ones as long as texts that say them are not `read`."""
    outline = shelf.outlines.get(home)
    names = current_names(outline, shelf) if outline else set()
    if outline and not read:
        waiting = renamed_things(outline, shelf, old.names)
        come = {(thing.sort, thing.title) for thing in waiting.values()}
        return {name for name in names if (name[0], name[2]) not in come} | waiting.keys()
    return names


def changed_lock_files(locks: Mapping[str, ReferenceLock], before: CheckedProject) -> dict[str, bytes]:
    """The files of those locks that are not as they were."""
    files = {lock_of(home): lock.serialize() for home, lock in locks.items()}
    return {name: data for name, data in files.items() if data != before.library.locks[name]}


def renumbered_locks(
    before: CheckedProject, after: CheckedProject, moves: RenumberPlan, added: Collection[str] = ()
) -> dict[str, bytes]:
    """Rewrite the locks that differ after a renumbering. `added`: rules newly cited, which have been read."""
    ours, dialect = moves.outline.edition.address, moves.outline.edition.dialect

    def number(address: str, key: str) -> str:
        prefix = f"{ours}:" if address != ours else ""
        bare, sign, item = key.removeprefix(prefix).partition(COUNTED)
        known = dialect.parse_number(bare)
        if not key.startswith(prefix) or not known or known.key != bare:
            return key
        return prefix + moves.new_number(known).key + sign + item

    def named(one: str) -> str:
        """A number as it is kept, with what stands in front of it."""
        front = "was " if one.startswith("was ") else one[: one.rfind(":") + 1]
        return front + number(ours, one.removeprefix(front))

    def key_of(home: Home, key: Key, every: Sequence[RecordedTarget]) -> Key:
        sort, _, name = key[0].partition(" ")
        source = f"{sort} {number(ours, name)}" if home == ours and sort in ("rule", "table") else key[0]
        leads = every[0].address(home) == ours
        return source, "–".join(map(named, key[1].split("–"))) if leads else key[1]

    locks = locks_after(before, after, key_of, number, {})
    if added and locks:
        now, _ = current(after.shelf, after.manuscripts, locks)
        for (home, key), every in now.items():
            if key[1] in added:
                locks[home].recorded_targets.setdefault(key, every)
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
        again: dict[str, list[StaleReference]] = {}
        for finding in self.re_reviewed:
            again.setdefault(
                f"{finding.reference.target_outline.edition.address}:{finding.recorded.key}", []
            ).append(finding)
        lines = [
            f"{name}: {plural(len(every), 'reference')} read again, in {join_locations(every)}"
            for name, every in list(again.items())[:MOST_TOLD]
        ]
        if len(again) > MOST_TOLD:
            lines.append(f"… and {plural(len(again) - MOST_TOLD, 'more rule')}")
        for home, (kept, new, gone) in self.counts.items():
            what = [f"{new} new"] * bool(new) + [f"{gone} gone"] * bool(gone)
            if lock_of(home) in self.files:
                lines.append(", ".join([f"{lock_of(home)}: {plural(kept, 'reference')}", *what]))
        if not self.files:
            lines.append("Nothing to record: everything is as it was read.")
        if self.pending:
            left = plural(len(self.pending), "reference")
            lines.append(f"{left} still to be read or mended; `rulewright check` names them.")
        return lines


def record_references(examined: CheckedProject, homes: Collection[Home], is_read: Test) -> LockUpdate:
    """Record the references of some folders, of those that have findings the ones that have been read."""
    made, drift = LockUpdate(), examined.drift
    kept: dict[Kept, list[RecordedTarget]] = {}
    forgotten: set[Kept] = set()
    misnamed: set[Home] = set()
    for finding in drift.findings:
        at = finding.reference.lock_folder, finding.reference.key
        if at[0] in homes and finding.may_be_accepted and is_read(finding):
            made.re_reviewed.append(finding)
            forgotten.add(at)
        elif finding.kind is RENAMED:
            made.pending.append(finding)
            misnamed.add(at[0])
        else:
            made.pending.append(finding)
            kept[at] = list(finding.recorded_range)
    found, words = current(examined.shelf, examined.manuscripts, homes)
    for home in homes:
        old = drift.locks.get(home, ReferenceLock())
        new = ReferenceLock(
            words={**old.words, **words},
            names=names_after(examined.shelf, home, old, read=home not in misnamed),
        )
        new.recorded_targets = {key: every for (folder, key), every in kept.items() if folder == home}
        for (folder, key), meant in found.items():
            was = () if (home, key) in forgotten else old.recorded_targets.get(key, ())
            if folder == home and (home, key) not in kept and (meant or was):
                new.recorded_targets[key] = meant or list(was)
        gone, come = (
            len(a.recorded_targets.keys() - b.recorded_targets.keys()) for a, b in ((old, new), (new, old))
        )
        made.counts[home] = len(new.recorded_targets), come, gone
        data = new.serialize() if new.recorded_targets else None
        if data != examined.library.locks.get(lock_of(home)):
            made.files[lock_of(home)] = data
    return made


def accept_references(project: Path, read: Collection[str], *, every: bool) -> LockUpdate:
    """Record new references, and that those have been read which are named, or with `every` all.

    `read`: rules `ocs/4.3:12.5c`, books, files, or lines of files. Raises Refusal where there is no such
    thing, Unsound where content that cannot be read stands in the way, and Busy.
    """
    content = read_content_folder(project)
    examined = load_and_check_folder(content).printed
    pages = (page.name for page in examined.manuscripts if page.problems and not page.text)
    if names := {*examined.library.faulty, *pages}:
        wrong = [
            problem for problem in examined.problems if problem.place.file in names and problem.is_failure
        ]
        raise ContentErrors(wrong, "nothing was recorded, since references in these files would be forgotten")
    homes = ["", *examined.shelf.newest, *examined.shelf.outlines]
    tests: list[Test] = []
    named: list[Home] = []
    for word in read:
        if line := _LINE.fullmatch(word.replace("\\", "/")):
            tests.append(_in_file(project, line[1].removeprefix("./"), line[2], examined))
            named += homes
        elif ":" in word:
            tests.append(_to_rule(word, examined))
            named += homes
        else:
            address = parse_address(word)
            inside = [home for home in homes if home == address or home.startswith(f"{address}/")]
            if not inside:
                raise examined.unknown_book_error(address)
            named += inside
            tests.append(lambda one, inside=inside: one.reference.lock_folder in inside)  # type: ignore[misc]
    made = record_references(
        examined, list(dict.fromkeys(named)) or homes, lambda one: every or any(test(one) for test in tests)
    )
    replace_files(project, made.files, content.texts)
    return made


def _in_file(project: Path, name: str, line: str | None, examined: CheckedProject) -> Test:
    here = name_of_path(project, name)
    here = here if here.startswith(f"{CONTENT}/") else f"{CONTENT}/{here}"
    files = {*examined.library.pages, *(f"{CONTENT}/{book}/rulebook.yml" for book in examined.shelf.newest)}
    if here not in files.union(*(edition.files for edition in examined.library.editions.values())):
        raise UserError(f"no file {name} here; write it as the check does, content/ocs/4.3/faq.md:31")

    def test(one: StaleReference) -> bool:
        places = (one.reference.place, finding_location(one))
        return any(place.file == here and (line is None or place.line == parse_int(line)) for place in places)

    return test


def _to_rule(word: str, examined: CheckedProject) -> Test:
    address, _, written = word.partition(":")
    edition = examined.library.find_edition(parse_address(address))
    if edition is None:
        raise examined.unknown_book_error(address)
    outline = examined.shelf.outlines[edition.address]
    number = edition.dialect.parse_number(written.strip(), outline.default_chapter)
    key = number.key if number else written.strip()
    tables = {table.key for table in examined.shelf.tables[edition.address]}
    met = any(finding.recorded.key == key for finding in examined.drift.findings)
    if key not in outline.entries and key not in tables and not met:
        around = examined.shelf.with_series(outline)
        raise UserError(
            missing_rule_message(number, around) if number else f"{edition.short} has no rule {written}"
        )

    def test(one: StaleReference) -> bool:
        target = one.reference.target
        return one.reference.target_outline is outline and key in (
            one.recorded.key,
            lock_target_name(target) if target else "",
        )

    return test
