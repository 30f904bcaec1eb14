"""Compute the content after a change: every changed file, the rewritten references, and the new problems.

The change is applied in memory and checked before any file is written, so a refused change leaves no trace.
"""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.library_reader import read_library
from rulewright.book.outline import build_outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.checks.numbering_example_checks import NOTHING
from rulewright.edit.lock_updates import renewed_locks, renumbered_locks, unreadable_files
from rulewright.edit.reference_rewriting import (
    ReferenceRewriter,
    RewrittenPassage,
    TargetKey,
    reference_target,
    rename_named,
)
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.edit.rule_placement import RulePlacement
from rulewright.files.content_reader import ContentFolder
from rulewright.files.errors import UserError
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, SourceLocation
from rulewright.files.text_edits import FileEdits, apply_edits
from rulewright.references.reference_index import build_reference_index
from rulewright.references.reference_inventory import ReferencingText, iter_referencing_texts
from rulewright.references.reference_types import FaultyReference
from rulewright.schema.rulebook import numbers_in

Finish = Callable[[RulePlacement], None]
"""Completes the files after the moved rules are in place."""


@dataclass(slots=True)
class ChangeProposal:
    """A computed change that is not yet written."""

    moves: RenumberPlan
    files: Mapping[str, bytes | None]  # new content of each file that differs, None for a deleted file
    references: Counter[str] = field(default_factory=Counter)  # number of changed references by file
    # Places that an editor should review, with the reasons.
    review_places: list[tuple[SourceLocation, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)  # problems that the change would introduce

    @property
    def files_to_write(self) -> list[tuple[str, bytes]]:
        """Names and content of the files to write."""
        return [(name, data) for name, data in self.files.items() if data is not None]


def propose_change(
    folder: ContentFolder,
    project: CheckedProject,
    moves: RenumberPlan,
    finish: Finish,
    cache: Cache,
    added: Collection[str] = (),
    before: CheckedProject | None = None,
) -> ChangeProposal:
    """Apply `moves`, then `finish`, in memory.

    New references to the rules in `added` are intended. Problems are new if `before`, or else `project`, does
    not have them.

    Raises:
        UserError: A file with references cannot be read, or a reference would be lost.
    """
    if unreadable := unreadable_files(project):
        raise UserError(
            f"{unreadable[0]} cannot be read whole, so references in it may be missed; fix it first"
        )
    edits = FileEdits()
    _renumber_labels(moves, edits)
    rename_named(moves, project.index, edits)
    books = read_library(replace(folder, texts=edited_texts(folder, moves, edits, finish)), cache)
    outlines = {address: build_outline(edition) for address, edition in books.editions.items()}
    rewriter = ReferenceRewriter(moves, project.index, build_reference_index(outlines))
    rewritings = list(_rewritings(rewriter, project))
    references: Counter[str] = Counter()
    for rewriting in rewritings:
        rewriting.add_edits(edits)
        references[rewriting.passage.file] += rewriting.references
    texts = edited_texts(folder, moves, edits, finish) | renumbered_locks(project, moves.recorded_number)
    after = load_and_check_folder(replace(folder, texts=texts), cache=cache)
    stale = ((finding.slot[0], finding.recorded) for finding in project.drift.findings)
    pending = {(home, moves.recorded_number(home, record)) for home, record in stale}
    if any(finding.slot not in pending for finding in after.drift.findings):
        texts |= renewed_locks(after, pending)
        after = load_and_check_folder(replace(folder, texts=texts), cache=cache)
    address, dialect = moves.outline.edition.address, moves.outline.edition.dialect

    def new_subject(problem: Problem) -> str:
        """Return the new number of the subject of a problem."""
        is_same_edition = problem.place.file.startswith(f"content/{address}/")
        number = dialect.parse_number(problem.subject) if is_same_edition else None
        return moves.new_number(number).key if number else problem.subject

    return ChangeProposal(
        moves,
        {name: data for name, data in sorted(texts.items()) if data != folder.texts.get(name)},
        references,
        sorted(_places_to_review(project, after, moves, added, rewritings)),
        new_problems(before or project, after, new_subject),
    )


def _renumber_labels(moves: RenumberPlan, edits: FileEdits) -> None:
    """Add edits of the rule and table numbers and of the suppressions in edition.yml."""
    edition = moves.outline.edition
    writer = NumberWriter(edition.dialect)
    labels: list[tuple[LocatedText, str]] = []
    for chapter in edition.chapters:
        number = edition.dialect.parse_number(chapter.number)
        chapter_label = number.labels[0] if number else ""
        labels += ((label, chapter_label) for label in numbers_in(chapter))
    if edition.known:
        labels += ((rule.number, "") for rule in edition.known.known)
    labels += ((table.number, "") for table in edition.tables if table.number)
    labels += ((suppression.at, "") for suppression in edition.edition_file.excused)
    for text, chapter_label in labels:
        number = edition.dialect.parse_number(text, chapter_label)
        if number and (new := moves.new_number(number)) is not number:
            new_chapter = new.labels[0] if chapter_label else ""
            words = writer.rename_like(text, number, new, chapter_label, new_chapter)
            edits.replace_in_scalar(text, 0, len(text), words)


def edited_texts(
    folder: ContentFolder, moves: RenumberPlan, edits: FileEdits, finish: Finish
) -> dict[str, bytes]:
    """Return all texts after some edits, with each rule of the edition at its place."""
    base, edited = f"content/{moves.outline.edition.address}/", {*edits}
    texts = {
        name: apply_edits(data.decode("utf-8-sig"), edits.for_file(name))
        for name, data in folder.texts.items()
        if name in edited or name.startswith(base)
    }
    placement = RulePlacement(texts, moves)
    placement.place_moved_rules()
    finish(placement)
    files = dict(folder.texts)
    for name, text in texts.items():
        has_bom = files.get(name, b"").startswith(codecs.BOM_UTF8)
        files[name] = (codecs.BOM_UTF8 if has_bom else b"") + text.encode()
    return files


def _rewritings(rewriter: ReferenceRewriter, project: CheckedProject) -> Iterator[RewrittenPassage]:
    """Rewrite each text that changes, once if several steps share it."""
    done: set[TextKey] = set()
    for passage in iter_referencing_texts(project.index, project.manuscripts):
        if passage.text.key not in done and (rewritten := rewriter.rewrite_text(passage)):
            done.add(passage.text.key)
            yield rewritten


def _iter_targets(
    project: CheckedProject, passage: ReferencingText
) -> Iterator[tuple[TargetKey, SourceLocation, bool]]:
    """Yield the target of each reference in a text, its place, and whether that rule exists."""
    for reference in passage.resolved:
        if target := reference_target(passage, reference, project.index):
            place = passage.text.location_of(reference.match.start)
            yield target, place, not isinstance(reference, FaultyReference)


def _places_to_review(
    before: CheckedProject,
    after: CheckedProject,
    moves: RenumberPlan,
    added: Collection[str],
    rewritings: Sequence[RewrittenPassage],
) -> Iterator[tuple[SourceLocation, str]]:
    """Yield the places of changed ranges, and of new references except those to the rules in `added`.

    Raises:
        UserError: A reference would be lost.
    """
    address, dialect = moves.outline.edition.address, moves.outline.edition.dialect
    new_texts = {rewriting.passage.text.key: rewriting.text for rewriting in rewritings}
    places: dict[TargetKey, SourceLocation] = {}
    lost: Counter[TargetKey] = Counter()
    expected: Counter[tuple[TargetKey, str]] = Counter()
    for passage in iter_referencing_texts(before.index, before.manuscripts):
        text = new_texts.get(passage.text.key, str(passage.text))
        for (book, key), place, is_resolved in _iter_targets(before, passage):
            number = dialect.parse_number(key) if book == address else None
            target = book, moves.new_number(number).key if number else key
            places.setdefault(target, place)
            lost[target] += 1
            expected[target, text] += is_resolved
    reviewed = {rewriting.text: rewriting.reviewed for rewriting in rewritings}
    for passage in iter_referencing_texts(after.index, after.manuscripts):
        text = str(passage.text)
        yield from ((passage.text.location_of(offset), reason) for offset, reason in reviewed.pop(text, ()))
        for target, place, is_resolved in _iter_targets(after, passage):
            lost[target] -= 1
            expected[target, text] -= is_resolved
            if is_resolved and expected[target, text] < 0 and target[1] not in added:
                yield place, f"this number is a reference to {target[1]} now"
    for (book, key), count in lost.items():
        if count > 0:
            raise UserError(
                f"{places[book, key]}: a reference to {key} of {book} would be lost; nothing was changed"
            )


def new_problems(
    before: CheckedProject,
    after: CheckedProject,
    new_subject: Callable[[Problem], str] = lambda problem: problem.subject,
) -> list[Problem]:
    """List the errors and warnings that are new; `new_subject` renames the subjects of old problems.

    An unused numbering example is not reported: the last rule that follows it may move.
    """
    old_keys = ((problem.code, new_subject(problem)) for problem in before.problems)
    problems = problems_beside(old_keys, after.problems, lambda problem: (problem.code, problem.subject))
    return [problem for problem in problems if problem.is_failure and problem.code != NOTHING.code]


def problems_beside(
    old_keys: Iterable[Hashable], problems: Iterable[Problem], key: Callable[[Problem], Hashable]
) -> list[Problem]:
    """List the problems that exceed those with the same key in another state."""
    known = Counter(old_keys)
    new: list[Problem] = []
    for problem in problems:
        known[key(problem)] -= 1
        if known[key(problem)] < 0:
            new.append(problem)
    return new
