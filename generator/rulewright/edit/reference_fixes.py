"""Fix stale references: write the current number or name of their targets, for `check --fix`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.rule_digests import RuleDigests
from rulewright.compare.stale_reference_problems import MOVED, RENAMED, StaleReference
from rulewright.edit.change_proposal import new_problems
from rulewright.edit.lock_updates import Slot, renewed_locks, renumbered_locks
from rulewright.edit.reference_rewriting import (
    ReferenceRewriter,
    UnwritableReference,
    rename_key_number,
    replace_in_text,
)
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.errors import raise_on_errors
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, SourceLocation
from rulewright.files.text_edits import FileEdits, apply_edits_to_bytes
from rulewright.files.transaction import replace_files
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.references.reference_inventory import ReferencingText, iter_referencing_texts
from rulewright.references.reference_types import Reference
from rulewright.schema.problem_reports import plural

UNWRITABLE = "it would lead to another rule; write it as a mark, [[…]]"


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

    result = FixedReferences(skipped=skipped)
    # Names first: they may be those of the rules that the numbers belong to.
    for kind in (RENAMED, MOVED):
        findings = [finding for finding in project.drift.findings if finding.kind is kind]
        fixed = fix_findings(folder, project, cache, [*filter(is_fixable, findings)])
        if fixed.files and kind is RENAMED:
            folder = replace(folder, texts={**folder.texts, **fixed.files})
            project = load_and_check_folder(folder, cache=cache)
        result = FixedReferences(
            {**result.files, **fixed.files},
            [*result.fixed, *fixed.fixed],
            [*result.unfixed, *fixed.unfixed],
            fixed.problems,
            skipped,
        )
    return result


def fix_findings(
    folder: ContentFolder, project: CheckedProject, cache: Cache, findings: Sequence[StaleReference]
) -> FixedReferences:
    """Fix all references of each recorded number, or none of them; of the names of an edition likewise."""
    reasons: dict[Slot, str] = {}
    fixed = FixedReferences()
    while remaining := [finding for finding in findings if finding.slot not in reasons]:
        known = len(reasons)
        pending = {finding.slot for finding in project.drift.findings if finding not in remaining}
        for finding in remaining:
            # A number that some texts still have for another rule cannot be written in others.
            if finding.kind is MOVED and new_slot(finding) in pending:
                reasons[finding.slot] = f"{finding.suggested_text} still means another rule elsewhere"
        if len(reasons) > known:
            continue
        fixed = _write(folder, project, cache, remaining)
        reasons |= {finding.slot: reason for finding, reason in fixed.unfixed}
        for problem in fixed.problems:
            for finding in remaining:
                place = finding.reference.place
                is_here = (place.file, place.line) == (problem.place.file, problem.place.line)
                if is_here or finding.kind is RENAMED:
                    reasons[finding.slot] = problem.message
        if len(reasons) == known:
            break
    else:
        fixed = FixedReferences()
    unfixed = [(finding, reasons[finding.slot]) for finding in findings if finding.slot in reasons]
    return replace(fixed, unfixed=unfixed)


def _write(
    folder: ContentFolder, project: CheckedProject, cache: Cache, findings: Sequence[StaleReference]
) -> FixedReferences:
    """Write current names and numbers, also in the locks."""
    edits = FileEdits()
    fixed = [finding for finding in findings if finding.kind is RENAMED]
    for finding in fixed:
        reference = finding.reference
        replace_in_text(edits, reference.passage, reference.start, reference.end, finding.differs)
    fixed += _write_numbers(project, [finding for finding in findings if finding.kind is MOVED], edits)
    files = {name: apply_edits_to_bytes(folder.texts[name], edits.for_file(name)) for name in edits}
    pending = _pending_slots(project, fixed)
    numbers = {
        finding.slot: new_slot(finding)[1]
        for finding in fixed
        if finding.kind is MOVED and finding.slot not in pending
    }
    files |= renumbered_locks(project, lambda home, record: numbers.get((home, record.number), record.number))
    after = load_and_check_folder(replace(folder, texts={**folder.texts, **files}), cache=cache)
    if not numbers and (locks := renewed_locks(after, pending)):
        files |= locks
        after = load_and_check_folder(replace(folder, texts={**folder.texts, **files}), cache=cache)
    unfixed = [(finding, UNWRITABLE) for finding in findings if finding not in fixed]
    return FixedReferences(files, fixed, unfixed, new_problems(project, after))


def _pending_slots(project: CheckedProject, fixed: Sequence[StaleReference]) -> set[Slot]:
    """Return the numbers whose references still have to be reviewed; a fixed title needs no review."""
    digests = RuleDigests(project.index, {})
    titles = {
        (finding.reference.lock_folder, finding.reference.name)
        for finding in fixed
        if finding.kind is RENAMED
    }
    pending: set[Slot] = set()
    for finding in project.drift.findings:
        folder, record = finding.reference.lock_folder, finding.recorded
        is_retitled = finding.current and digests.digest(finding.current) == record.digest
        if finding in fixed or (is_retitled and (record.address(folder), record.title) in titles):
            continue
        pending.add(finding.slot)
    return pending


def _write_numbers(
    project: CheckedProject, findings: Sequence[StaleReference], edits: FileEdits
) -> list[StaleReference]:
    """Add the edits of current numbers; return the references that can be written."""
    index = project.index
    by_position = {
        (finding.reference.passage.text.key, finding.reference.start): finding for finding in findings
    }

    def find_target(passage: ReferencingText, reference: Reference) -> tuple[Outline, RuleNumber] | None:
        finding = by_position.get((passage.text.key, reference.match.start))
        if finding and finding.current and finding.number:
            return index.outlines[finding.current.edition.address], finding.number
        return rewriter.target_after(passage, reference)

    no_moves = RenumberPlan(next(iter(index.outlines.values())), {})
    rewriter = ReferenceRewriter(no_moves, index, index, find_target)
    fixed: list[StaleReference] = []
    remaining = dict(by_position)
    for passage in iter_referencing_texts(index, project.manuscripts):
        positions = [(passage.text.key, reference.match.start) for reference in passage.resolved]
        own_findings = [remaining.pop(position) for position in positions if position in remaining]
        with suppress(UnwritableReference):
            if own_findings and (rewritten := rewriter.rewrite_text(passage)):
                rewritten.add_edits(edits)
                fixed += own_findings
    for finding in remaining.values():  # in a key, or no reference now
        if finding.current and finding.number:
            writer = NumberWriter(finding.current.edition.dialect)
            rename_key_number(finding.reference, finding.number, writer, edits)
            fixed.append(finding)
    return fixed


def new_slot(finding: StaleReference) -> Slot:
    """Return the number in the lock under which a moved rule is recorded after the fix."""
    assert finding.current
    folder, address, key = finding.slot[0], finding.current.edition.address, finding.current.key
    return folder, key if address == folder else f"{address}:{key}"
