"""Rewrite references whose rule has moved by the numbers of today, for `check --fix`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.citations.reference_resolver import ResolvedReference
from rulewright.compare.reference_inventory import (
    Home,
    ReferencingText,
    iter_referencing_texts,
    lock_folder_of,
    references_in_text,
    source_of,
)
from rulewright.compare.reference_lock import Key
from rulewright.compare.stale_references import MOVED, RENAMED, StaleReference
from rulewright.edit.change_proposal import new_problems
from rulewright.edit.lock_updates import Kept, changed_lock_files, locks_after, names_since
from rulewright.edit.reference_rewriting import ReferenceRewriter, rename_key_number
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.numbers.numbering_scheme import RuleNumber
from rulewright.numbers.reference_cues import CueStrength
from rulewright.numbers.reference_finder import FoundReference
from rulewright.source.content_folder import ContentFolder, read_content_folder
from rulewright.source.errors import ContentErrors
from rulewright.source.located_text import LocatedText, TextKey
from rulewright.source.memoize import Cache
from rulewright.source.problems import Problem, ProblemType, SourceLocation
from rulewright.source.text_edits import FileEdits, apply_edits_to_bytes, escape_for_style
from rulewright.source.transaction import replace_files as write_all

UNSURE = "it would not be read as what it means; write it as a mark, [[…]]"

Spot = tuple[TextKey, int]
"""A reference by its text and where it begins there."""


@dataclass
class FixedReferences:
    """Files with references rewritten.

    `unfixed`: to be written by hand, and why; `problems`: the new ones.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    done: Sequence[StaleReference] = ()
    unfixed: Sequence[tuple[StaleReference, str]] = ()
    problems: Sequence[Problem] = ()

    def report_lines(self) -> Iterator[str]:
        for finding in sorted(self.done, key=lambda finding: finding.reference.place):
            yield _told(finding, "{} is {} now")
        for finding, reason in sorted(self.unfixed, key=lambda pair: pair[0].reference.place):
            yield f"{_told(finding, '{} is not made {}')}: {reason}"


def _told(finding: StaleReference, words: str) -> str:
    number = finding.reference.number.key if finding.reference.number else finding.reference.number_as_written
    moved = finding.current and finding.current.edition is not finding.reference.target_outline.edition
    book = f" of {finding.current.edition.short}" if finding.current and moved else ""
    return f"{finding.reference.place}: {words.format(number, finding.suggested_text + book)}"


def fix_project_references(project: Path, book: str = "") -> FixedReferences:
    """Write anew the references whose rule has moved, all or none. Raises Unsound and Busy."""
    cache: Cache = {}
    folder = read_content_folder(project)
    fixed = fix_references(folder, load_and_check_folder(folder, cache=cache), cache, book)
    if fixed.problems:
        raise ContentErrors(fixed.problems, "nothing was fixed, since these problems would be new")
    write_all(project, fixed.files, folder.texts)
    return fixed


def fix_references(
    folder: ContentFolder,
    project: CheckedProject,
    cache: Cache,
    book: str = "",
    location: SourceLocation | None = None,
) -> FixedReferences:
    """Write each reference, perhaps of one book or at one place only, as the rule it meant; none excused."""
    project = project.printed
    suppressed = {(problem.place, problem.code) for problem, _ in project.suppressed}

    def wanted_of(kind: ProblemType) -> list[StaleReference]:
        return [
            finding
            for finding in project.drift.findings
            if finding.kind is kind
            and finding.suggested_text
            and (finding.reference.place, kind.code) not in suppressed
            if not location or finding.reference.place == location
            if f"{finding.reference.lock_folder}/".startswith(f"{book}/" if book else "")
        ]

    fixed_names = FixedReferences()
    if misnamed := wanted_of(RENAMED):
        fixed_names = _named(folder, project, cache, misnamed)
        folder = replace(folder, texts={**folder.texts, **fixed_names.files})
        project = load_and_check_folder(folder, cache=cache).printed
    moved = wanted_of(MOVED)
    unfixable: dict[Spot, str] = {}
    while remaining := [finding for finding in moved if _spot(finding) not in unfixable]:
        fixed, after = _made(folder, project, cache, remaining)
        broken = _spoiled(remaining, fixed.problems, after)
        if not broken:
            break
        unfixable |= broken
    else:
        fixed = FixedReferences()
    unfixed = [(finding, unfixable[_spot(finding)]) for finding in moved if _spot(finding) in unfixable]
    return FixedReferences(
        {**fixed_names.files, **fixed.files},
        [*fixed_names.done, *fixed.done],
        [*fixed_names.unfixed, *fixed.unfixed, *unfixed],
        fixed.problems,
    )


def _named(
    folder: ContentFolder, project: CheckedProject, cache: Cache, misnamed: Sequence[StaleReference]
) -> FixedReferences:
    """The files with these names written anew, and the locks with the names of today if none is left."""
    edits = FileEdits()
    for finding in misnamed:
        text, start, end = finding.reference.passage.text, finding.reference.start, finding.reference.end
        if isinstance(text, LocatedText):
            first, last = text.file_span(start, end)
            if "\n" in text.file.text[first:last]:  # only what differs, so that the lines stay
                edits.replace_in_scalar(text, start, end, finding.suggested_text)
            else:
                edits.add(text.file.name, first, last, escape_for_style(finding.suggested_text, text.style))
        else:
            edits.add(finding.reference.passage.file, start, end, finding.suggested_text)
    files = {name: apply_edits_to_bytes(folder.texts[name], edits.for_file(name)) for name in edits}
    unlocked = {name: data for name, data in folder.texts.items() if name not in project.library.locks}
    new_project = load_and_check_folder(replace(folder, texts={**unlocked, **files}), cache=cache).printed
    locks = locks_after(project, new_project, lambda home, key, targets: key, lambda address, key: key, {})
    other_folders = {
        finding.reference.lock_folder
        for finding in project.drift.findings
        if finding.kind is RENAMED and finding not in misnamed
    }
    titles = {
        (finding.reference.lock_folder, finding.reference.number_as_written): finding.recorded.title
        for finding in misnamed
    }
    for home, lock in locks.items():
        if home not in other_folders:
            lock.names = names_since(new_project.shelf, home, lock)
            lock.recorded_targets = {
                (source, titles.get((home, name), name)): [
                    target._replace(title=titles.get((target.address(home), target.title), target.title))
                    for target in targets
                ]
                for (source, name), targets in lock.recorded_targets.items()
            }
    files |= changed_lock_files(locks, project)
    after = load_and_check_folder(replace(folder, texts={**folder.texts, **files}), cache=cache).printed
    if problems := new_problems(project, after):
        return FixedReferences({}, (), [(finding, problems[0].message) for finding in misnamed])
    return FixedReferences(files, misnamed)


def _made(
    folder: ContentFolder, project: CheckedProject, cache: Cache, findings: Sequence[StaleReference]
) -> tuple[FixedReferences, CheckedProject]:
    """The files with these references written anew, and the content as read from them."""
    edits, done = FileEdits(), list[StaleReference]()
    keys: dict[Kept, Key] = {}
    for finding in findings:
        if finding.reference.shows:
            assert finding.current and finding.number  # noqa: PT018  it was found as moved
            rename_key_number(
                finding.reference, finding.number, NumberWriter(finding.current.edition.dialect), edits
            )
            prefix = "was " if finding.reference.number_as_written.startswith("was ") else ""
            keys[finding.reference.lock_folder, finding.reference.key] = (
                finding.reference.source,
                f"{prefix}{finding.number.key}",
            )
            done.append(finding)
    goals = {_spot(finding): finding for finding in findings if not finding.reference.shows}

    def goal(passage: ReferencingText, reference: ResolvedReference) -> tuple[Outline, RuleNumber] | None:
        finding = goals.get((passage.key, reference.match.start))
        if finding and finding.current and finding.number:
            return project.shelf.outlines[finding.current.edition.address], finding.number
        return rewriter.target_after(passage, reference)

    def number(passage: ReferencingText, reference: ResolvedReference) -> RuleNumber | None:
        finding = goals.get((passage.key, reference.match.start))
        return finding.number if finding else reference.number

    index = project.shelf
    rewriter = ReferenceRewriter(RenumberPlan(next(iter(index.outlines.values())), {}), index, index, goal)
    for passage in _passages(project, goals):
        rewritten = rewriter.rewrite_text(passage)
        if rewritten and not rewritten.unwritable:
            rewritten.enter(edits)
            text_findings = [finding for key, finding in goals.items() if key[0] == passage.key]
            done += text_findings
            home = text_findings[0].reference.lock_folder
            source = source_of(passage, home)
            new_references = references_in_text(passage, partial(number, passage))
            for (_, old), (_, new) in zip(references_in_text(passage), new_references, strict=True):
                keys[home, (source, old)] = source, new
    files = {name: apply_edits_to_bytes(folder.texts[name], edits.for_file(name)) for name in edits}
    unlocked = {name: data for name, data in folder.texts.items() if name not in project.library.locks}
    new_project = load_and_check_folder(replace(folder, texts={**unlocked, **files}), cache=cache).printed
    moved: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for finding in done:
        if finding.current:
            moved[finding.current.edition.address][finding.recorded.key] = finding.current.key
    locks = locks_after(
        project,
        new_project,
        lambda home, key, targets: keys.get((home, key), key),
        lambda address, key: moved[address].get(key, key),
        {(finding.reference.lock_folder, finding.reference.key): finding for finding in done},
    )
    files |= changed_lock_files(locks, project)
    after = load_and_check_folder(replace(folder, texts={**folder.texts, **files}), cache=cache).printed
    unsure = [(finding, UNSURE) for finding in findings if finding not in done]
    return FixedReferences(files, done, unsure, new_problems(project, after)), after


def _spoiled(
    findings: Sequence[StaleReference], problems: Sequence[Problem], after: CheckedProject
) -> dict[Spot, str]:
    """The references that cannot be written anew without a fault in their rule, each with that fault."""
    wrong = {(problem.place, problem.code): problem.message for problem in problems}
    messages: dict[tuple[Home, str], str] = {}
    for passage in iter_referencing_texts(after.shelf, after.manuscripts) if wrong else ():
        for reference in passage.resolved:
            location = passage.place(reference.match.start)
            if reference.fault and (message := wrong.get((location, reference.fault.code))):
                home = lock_folder_of(passage.file, after.shelf)
                messages.setdefault((home, source_of(passage, home)), message)
    keys = {_spot(finding): (finding.reference.lock_folder, finding.reference.source) for finding in findings}
    return {reference_key: messages[key] for reference_key, key in keys.items() if key in messages}


def _spot(finding: StaleReference) -> Spot:
    return finding.reference.passage.key, finding.reference.start


def _passages(project: CheckedProject, goals: Mapping[Spot, StaleReference]) -> Iterator[ReferencingText]:
    """The texts with references to be written anew, with those numbers that are none any more."""
    texts = {goal.reference.passage.key: goal.reference.passage for goal in goals.values()}
    for passage in iter_referencing_texts(project.shelf, project.manuscripts):
        if passage.key in texts:
            texts[passage.key] = passage
    for passage in texts.values():
        known = {reference.match.start for reference in passage.resolved}
        lost = [
            ResolvedReference(
                FoundReference(start, finding.reference.end, finding.reference.number, CueStrength.NONE),
                None,
                finding.reference.number,
            )
            for (text, start), finding in goals.items()
            if text == passage.key and start not in known
        ]
        resolved = sorted([*passage.resolved, *lost], key=lambda reference: reference.match.start)
        yield passage._replace(resolved=resolved)
