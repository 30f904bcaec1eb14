"""Fix stale references: write the current number or name of their targets, for `check --fix`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright.book.lock_file import RecordedRule, ReferenceLock, lock_name
from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.stale_reference_problems import MOVED, RENAMED, StaleReference
from rulewright.edit.change_proposal import new_problems
from rulewright.edit.lock_updates import Slot, changed_lock_files, locks_after, update_names
from rulewright.edit.reference_rewriting import ReferenceRewriter, rename_key_number
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.errors import raise_on_errors
from rulewright.files.located_text import TextKey
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, ProblemType, SourceLocation
from rulewright.files.text_edits import FileEdits, apply_edits_to_bytes
from rulewright.files.transaction import replace_files
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import CueStrength
from rulewright.numbering.reference_finder import FoundReference
from rulewright.references.content_page import PageText
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import (
    LockFolder,
    ReferencingText,
    iter_referencing_texts,
)
from rulewright.references.reference_resolver import NOT_FOUND
from rulewright.references.reference_types import FaultyReference, Reference
from rulewright.schema.problem_reports import plural

UNWRITABLE = "it would lead to another rule; write it as a mark, [[…]]"

ReferencePosition = tuple[TextKey, int]
"""Text of a reference and its offset there."""


@dataclass
class FixedReferences:
    """Result of fixing stale references."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    """New content of each changed file."""
    fixed: Sequence[StaleReference] = ()
    unfixed: Sequence[tuple[StaleReference, str]] = ()
    """References to fix by hand, with the reasons."""
    problems: Sequence[Problem] = ()
    """Problems that the fixes introduce."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Count of stale references in each edition that another one follows."""

    def report_lines(self) -> Iterator[str]:
        for finding in sorted(self.fixed, key=lambda finding: finding.reference.place):
            yield _report_line(finding, "{} is {} now")
        for finding, reason in sorted(self.unfixed, key=lambda pair: pair[0].reference.place):
            yield f"{_report_line(finding, '{} cannot become {}')}: {reason}"
        for address, count in sorted(self.skipped.items()):
            command = f"`rulewright check {address} --fix` fixes them"
            count_text = plural(count, "reference")
            yield f"{address}: {count_text} not fixed, since another edition follows it; {command}"


def _report_line(finding: StaleReference, words: str) -> str:
    number = finding.reference.number.key if finding.reference.number else finding.reference.name
    moved = finding.current and finding.current.edition is not finding.reference.target_outline.edition
    book = f" of {finding.current.edition.short}" if finding.current and moved else ""
    return f"{finding.reference.place}: {words.format(number, finding.suggested_text + book)}"


def fix_project_references(project: Path, book: str = "") -> FixedReferences:
    """Fix the stale references of a project, or of one book, and write all files or none.

    Raises:
        ContentErrors: The fixes introduce problems.
        FolderBusy: Another command uses the content.
    """
    cache: Cache = {}
    folder = read_content_folder(project)
    fixed = fix_references(folder, load_and_check_folder(folder, cache=cache), cache, book)
    raise_on_errors(fixed.problems, "nothing was fixed, since these problems would be new")
    replace_files(project, fixed.files, folder.texts)
    return fixed


def fix_references(
    folder: ContentFolder,
    project: CheckedProject,
    cache: Cache,
    book: str = "",
    location: SourceLocation | None = None,
) -> FixedReferences:
    """Fix the stale references of a project, of one book or at one location, except suppressed ones.

    References in an edition that another one follows stay, unless `book` names it.
    """
    skipped = Counter[str]()
    suppressed = {(problem.place, problem.code) for problem, _ in project.suppressed}
    superseded = {
        f"{address.partition('/')[0]}/{edition.edition_file.follows}"
        for address, edition in project.library.editions.items()
    } - {book}

    def is_fixable(finding: StaleReference) -> bool:
        place = finding.reference.place
        if not finding.suggested_text or (place, finding.kind.code) in suppressed:
            return False
        if location:
            return place == location
        if book and not f"{finding.reference.lock_folder}/".startswith(f"{book}/"):
            return False
        address = "/".join(place.file.split("/")[1:3])
        if address in superseded:
            skipped[address] += 1
        return address not in superseded

    def fixable_findings(kind: ProblemType) -> list[StaleReference]:
        return [finding for finding in project.drift.findings if finding.kind is kind and is_fixable(finding)]

    fixed_names = FixedReferences()
    if misnamed := fixable_findings(RENAMED):
        fixed_names = write_current_names(folder, project, cache, misnamed)
        folder = replace(folder, texts={**folder.texts, **fixed_names.files})
        project = load_and_check_folder(folder, cache=cache)
    moved = fixable_findings(MOVED)
    fixed, unfixable = _fix_all_numbers(folder, project, cache, moved)
    unfixed = [(finding, unfixable[finding.slot]) for finding in moved if finding.slot in unfixable]
    return FixedReferences(
        {**fixed_names.files, **fixed.files},
        [*fixed_names.fixed, *fixed.fixed],
        [*fixed_names.unfixed, *unfixed],
        fixed.problems,
        skipped,
    )


def _fix_all_numbers(
    folder: ContentFolder, project: CheckedProject, cache: Cache, moved: Sequence[StaleReference]
) -> tuple[FixedReferences, dict[Slot, str]]:
    """Fix all references of each number or none; return the result, and why some cannot be fixed."""
    unfixable: dict[Slot, str] = {}
    while remaining := [finding for finding in moved if finding.slot not in unfixable]:
        fixed = _fix_numbers(folder, project, cache, remaining)
        messages = {(problem.place.file, problem.place.line): problem.message for problem in fixed.problems}
        places = ((finding, finding.reference.place) for finding in remaining)
        lines = ((finding.slot, (place.file, place.line)) for finding, place in places)
        broken = {slot: messages[line] for slot, line in lines if line in messages}
        broken |= {finding.slot: reason for finding, reason in fixed.unfixed}
        if not broken:
            break
        unfixable |= broken
        # A number that some texts still have for another rule cannot be written in others.
        for finding in remaining:
            if (finding.reference.lock_folder, new_recorded_number(finding)) in broken:
                unfixable.setdefault(
                    finding.slot, f"{finding.suggested_text} still means another rule elsewhere"
                )
    else:
        fixed = FixedReferences()
    return fixed, unfixable


def write_current_names(
    folder: ContentFolder, project: CheckedProject, cache: Cache, misnamed: Sequence[StaleReference]
) -> FixedReferences:
    """Write current names; a lock without other outdated names gets the current names too."""
    edits = FileEdits()
    titles: dict[tuple[LockFolder, str], str] = {}
    for finding in misnamed:
        reference, words = finding.reference, finding.suggested_text
        text, start, end = reference.passage.text, reference.start, reference.end
        titles[reference.lock_folder, reference.name] = finding.recorded.title
        if not isinstance(text, PageText):
            edits.replace_in_scalar(text, start, end, words)
        else:
            edits.add(reference.passage.file, start, end, words)
    other_folders = {
        finding.reference.lock_folder
        for finding in project.drift.findings
        if finding.kind is RENAMED and finding not in misnamed
    }

    def rename_records(locks: Mapping[LockFolder, ReferenceLock], index: ReferenceIndex) -> None:
        for home, lock in locks.items():
            if home not in other_folders:
                lock.names = update_names(index, home, lock.names, reviewed=True)
                for number, records in lock.rules.items():
                    lock.rules[number] = [
                        record._replace(title=titles.get((record.address(home), record.title), record.title))
                        for record in records
                    ]

    def new_number(home: LockFolder, record: RecordedRule) -> str:
        return (
            titles.get((home, record.number), record.number) if home not in other_folders else record.number
        )

    files, after = _apply(folder, project, cache, edits, new_number, rename_records)
    if problems := new_problems(project, after):
        return FixedReferences({}, (), [(finding, problems[0].message) for finding in misnamed])
    return FixedReferences(files, misnamed)


def _apply(
    folder: ContentFolder,
    project: CheckedProject,
    cache: Cache,
    edits: FileEdits,
    new_number_of: Callable[[LockFolder, RecordedRule], str],
    change_locks: Callable[[Mapping[LockFolder, ReferenceLock], ReferenceIndex], None] | None = None,
) -> tuple[dict[str, bytes], CheckedProject]:
    """Return the files after some edits, with their locks, and the checked content."""
    files = {name: apply_edits_to_bytes(folder.texts[name], edits.for_file(name)) for name in edits}
    locks = {*map(lock_name, project.library.locks)}
    texts = {**folder.texts, **files}
    without_locks = {name: data for name, data in texts.items() if name not in locks}
    new_project = load_and_check_folder(replace(folder, texts=without_locks), cache=cache)
    new_locks = locks_after(project, new_project, new_number_of)
    if change_locks:
        change_locks(new_locks, new_project.index)
    files |= changed_lock_files(new_locks, project)
    return files, load_and_check_folder(replace(folder, texts={**folder.texts, **files}), cache=cache)


def _fix_numbers(
    folder: ContentFolder, project: CheckedProject, cache: Cache, findings: Sequence[StaleReference]
) -> FixedReferences:
    """Write current numbers."""
    edits = FileEdits()
    fixed = [finding for finding in findings if finding.reference.shows]
    for finding in fixed:
        if finding.current and finding.number:
            writer = NumberWriter(finding.current.edition.dialect)
            rename_key_number(finding.reference, finding.number, writer, edits)
    findings_by_position = {
        (finding.reference.passage.text.key, finding.reference.start): finding
        for finding in findings
        if not finding.reference.shows
    }

    def find_target(passage: ReferencingText, reference: Reference) -> tuple[Outline, RuleNumber] | None:
        finding = findings_by_position.get((passage.text.key, reference.match.start))
        if finding and finding.current and finding.number:
            return index.outlines[finding.current.edition.address], finding.number
        return rewriter.target_after(passage, reference)

    index = project.index
    no_moves = RenumberPlan(next(iter(index.outlines.values())), {})
    rewriter = ReferenceRewriter(no_moves, index, index, find_target)
    for passage in _referencing_texts(project, findings_by_position):
        rewritten = rewriter.rewrite_text(passage)
        if rewritten and rewritten.is_writable:
            rewritten.add_edits(edits)
            fixed += (
                finding for (text, _), finding in findings_by_position.items() if text == passage.text.key
            )
    numbers = {finding.slot: new_recorded_number(finding) for finding in fixed}

    def new_number(home: LockFolder, record: RecordedRule) -> str:
        return numbers.get((home, record.number), record.number)

    files, after = _apply(folder, project, cache, edits, new_number)
    unfixed = [(finding, UNWRITABLE) for finding in findings if finding not in fixed]
    return FixedReferences(files, fixed, unfixed, new_problems(project, after))


def new_recorded_number(finding: StaleReference) -> str:
    """Return the number in the lock under which a moved rule is recorded after the fix."""
    assert finding.current
    address, key = finding.current.edition.address, finding.current.key
    return key if address == finding.reference.lock_folder else f"{address}:{key}"


def _referencing_texts(
    project: CheckedProject, findings_by_position: Mapping[ReferencePosition, StaleReference]
) -> Iterator[ReferencingText]:
    """Yield the texts with stale references, including numbers that are references no longer."""
    references = [finding.reference for finding in findings_by_position.values()]
    texts = {reference.passage.text.key: reference.passage for reference in references}
    for passage in iter_referencing_texts(project.index, project.manuscripts):
        if passage.text.key in texts:
            texts[passage.text.key] = passage
    for passage in texts.values():
        known = {reference.match.start for reference in passage.resolved}
        lost = [
            FaultyReference(
                FoundReference(start, finding.reference.end, finding.reference.number, CueStrength.NONE),
                NOT_FOUND,
                "",
            )
            for (text, start), finding in findings_by_position.items()
            if text == passage.text.key and start not in known
        ]
        resolved = sorted([*passage.resolved, *lost], key=lambda reference: reference.match.start)
        yield passage._replace(resolved=resolved)
