"""Compute the content after a change: every changed file, the rewritten references, and the new problems.

The change is applied in memory and checked before any file is written, so a refused change leaves no trace.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from rulewright.book.library import read_library
from rulewright.book.lock_file import lock_name
from rulewright.book.outline import build_outline
from rulewright.book.related_outlines import with_series
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.checks.numbering_example_checks import NOTHING
from rulewright.edit.lock_updates import renumbered_locks
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
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_inventory import ReferencingText, iter_referencing_texts
from rulewright.references.reference_types import RuleReference
from rulewright.schema.rulebook import numbers_in

Finish = Callable[[RulePlacement], None]
"""Completes the files after the moved rules are in place."""


@dataclass(slots=True)
class ChangeProposal:
    """A computed change that is not yet written."""

    moves: RenumberPlan
    files: Mapping[str, bytes | None]  # new content of each file that differs, None for a deleted file
    references: Counter[str] = field(default_factory=Counter)  # number of changed references by file
    reformatted_references: int = 0  # number of references whose way of writing changes
    # Places that an editor should review, with the reasons.
    review_places: list[tuple[SourceLocation, str]] = field(default_factory=list)
    renamed: Mapping[str, str] = field(default_factory=dict)  # new names of renamed files by old name
    problems: list[Problem] = field(default_factory=list)  # problems that the change would introduce

    @property
    def files_to_write(self) -> list[tuple[str, str]]:
        """New and old names of the files to write."""
        names = {new: old for old, new in self.renamed.items()}
        return [(name, names.get(name, name)) for name, data in self.files.items() if data is not None]


def propose_change(
    folder: ContentFolder,
    project: CheckedProject,
    moves: RenumberPlan,
    finish: Finish,
    cache: Cache,
    added: Sequence[str] = (),
) -> ChangeProposal:
    """Apply `moves`, then `finish`, in memory; the new content must refer to the rules in `added`.

    Raises:
        UserError: A file with references cannot be read, or a reference would be lost.
    """
    _require_readable(folder, project, moves)
    moved_content = _MovedContent(folder, moves, finish)
    numbers = FileEdits()
    moved_content.renumber(numbers)
    rename_named(moves, project.index, numbers)
    books = read_library(replace(folder, texts=moved_content.files(numbers)), cache)
    new_index = build_reference_index(
        {address: build_outline(edition) for address, edition in books.editions.items()}
    )
    rewritings = list(_rewritings(ReferenceRewriter(moves, project.index, new_index), project))
    for rewriting in rewritings:
        rewriting.add_edits(numbers)
    new_texts = moved_content.files(numbers)
    old_locks = {name: new_texts.pop(name) for name in map(lock_name, project.library.locks)}  # all are stale
    after = load_and_check_folder(replace(folder, texts=new_texts), cache=cache)
    if old_locks:
        new_texts |= old_locks
        new_texts |= renumbered_locks(project, after, moves, added)
        after = load_and_check_folder(replace(folder, texts=new_texts), cache=cache)
    names = sorted({*folder.texts, *new_texts})
    differing = {name: new_texts.get(name) for name in names if new_texts.get(name) != folder.texts.get(name)}
    proposal = ChangeProposal(moves, differing, renamed=moved_content.renamed)
    for rewriting in rewritings:
        proposal.references[rewriting.passage.file] += rewriting.references
        proposal.reformatted_references += rewriting.reformatted
        proposal.review_places += (
            (location_after(place, folder, proposal), reason) for place, reason in rewriting.review_places
        )
    proposal.review_places += _changed_readings(project, after, moves, added, rewritings)
    proposal.review_places.sort()

    def new_subject(problem: Problem) -> str:
        """Return the new name or number of the subject of a problem."""
        name = moved_content.renamed.get(problem.subject, problem.subject)
        is_same_edition = problem.place.file.startswith(f"content/{moves.outline.edition.address}/")
        number = moves.outline.edition.dialect.parse_number(name) if is_same_edition else None
        return moves.new_number(number).key if number else name

    proposal.problems = new_problems(project, after, new_subject)
    return proposal


class _MovedContent:
    """Files of a content folder with edits applied and rules placed."""

    def __init__(self, folder: ContentFolder, moves: RenumberPlan, finish: Finish) -> None:
        self.folder, self.moves, self.finish = folder, moves, finish
        self.renamed = _renamed_files(folder, moves)
        self.numbered_files: set[str] = set()

    def renumber(self, edits: FileEdits) -> None:
        """Add edits of the rule and table numbers and of the suppressions in edition.yml."""
        edition = self.moves.outline.edition
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
        self.numbered_files = {text.file.name for text, _ in labels}
        for text, chapter_label in labels:
            number = edition.dialect.parse_number(text, chapter_label)
            if text in self.renamed:
                edits.replace_in_scalar(text, 0, len(text), self.renamed[text])
            elif number and (new := self.moves.new_number(number)) is not number:
                new_chapter = new.labels[0] if chapter_label else ""
                words = writer.rename_like(text, number, new, chapter_label, new_chapter)
                edits.replace_in_scalar(text, 0, len(text), words)

    def files(self, edits: FileEdits) -> dict[str, bytes]:
        """Return all texts after the change."""
        before = self.folder.texts
        texts = {
            name: apply_edits(before[name].decode("utf-8-sig"), edits.for_file(name))
            for name in {*edits, *self.numbered_files}
        }
        placement = RulePlacement(texts, self.moves)
        placement.place_moved_rules()
        self.finish(placement)
        files = dict(before)
        for name, text in texts.items():
            has_bom = name in before and before[name].startswith(codecs.BOM_UTF8)
            files[name] = (codecs.BOM_UTF8 if has_bom else b"") + text.encode()
        return {self.renamed.get(name, name): data for name, data in files.items()}


def _renamed_files(folder: ContentFolder, moves: RenumberPlan) -> dict[str, str]:
    """Return the new names of files whose name begins with the number of a moved chapter or table."""
    edition = moves.outline.edition
    texts = [(chapter.number, True) for chapter in edition.chapters]
    texts += [(table.number, False) for table in edition.tables if table.number]
    new_names: dict[str, str] = {}
    for text, is_chapter in texts:
        number = edition.dialect.parse_number(text)
        if number and (new := moves.new_number(number)) is not number:
            old_prefix, new_prefix = number.key, new.key
            if is_chapter:
                old_prefix, new_prefix = map(edition.dialect.chapter_name, (number, new))
            path, _, file_name = text.file.name.rpartition("/")
            if re.match(rf"{re.escape(old_prefix)}(?=[-_ ]|\.yml$)", file_name):
                new_names[text.file.name] = f"{path}/{new_prefix}{file_name[len(old_prefix) :]}"
    other_names = {*folder.texts, *folder.other_files}.difference(new_names)
    return {old: new for old, new in new_names.items() if new not in other_names}


def _rewritings(rewriter: ReferenceRewriter, project: CheckedProject) -> Iterator[RewrittenPassage]:
    """Rewrite each text that changes, once if several steps share it."""
    done: set[TextKey] = set()
    for passage in iter_referencing_texts(project.index, project.manuscripts):
        if passage.text.key not in done and (rewritten := rewriter.rewrite_text(passage)):
            done.add(passage.text.key)
            if rewritten.unwritable:
                number = passage.text[rewritten.changes[0].start : rewritten.changes[0].end]
                raise UserError(
                    f"{rewritten.unwritable[0]}: {number} cannot be renumbered, since it would then lead to "
                    "another rule; write it as a mark, [[…]], first"
                )
            yield rewritten


def location_after(place: SourceLocation, folder: ContentFolder, proposal: ChangeProposal) -> SourceLocation:
    """Return where a source location is after the change, or what is there if its text is deleted."""
    name = proposal.renamed.get(place.file, place.file)
    if not (new_data := proposal.files.get(name)):
        return place
    old_lines, new_lines = (
        data.decode("utf-8-sig").splitlines() for data in (folder.texts[place.file], new_data)
    )
    line, exists = _find_new_index(old_lines, new_lines, place.line - 1)
    if not exists:
        return SourceLocation(name, max(line, 1))
    column, _ = _find_new_index(old_lines[place.line - 1], new_lines[line], place.column - 1)
    return SourceLocation(name, line + 1, column + 1)


def _find_new_index(old: Sequence[str], new: Sequence[str], index: int) -> tuple[int, bool]:
    """Return the index in `new` of an element of `old`, and whether it still exists."""
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if start <= index < end:
            same = tag == "equal" or end - start == last - first
            return (first + index - start, True) if same else (first, False)
    return len(new), bool(new)


def _iter_target_keys(
    index: ReferenceIndex, passage: ReferencingText
) -> Iterator[tuple[TargetKey, int, bool]]:
    """Yield the target of each reference in a text, its offset, and whether that rule exists."""
    for reference in passage.resolved:
        if target := reference_target(passage, reference, index):
            yield target, reference.match.start, isinstance(reference, RuleReference)


def _changed_readings(
    before: CheckedProject,
    after: CheckedProject,
    moves: RenumberPlan,
    added: Sequence[str],
    rewritings: Sequence[RewrittenPassage],
) -> Iterator[tuple[SourceLocation, str]]:
    """Yield the places of numbers that became references or gained a target.

    Raises:
        UserError: A reference would be lost.
    """
    address, dialect = moves.outline.edition.address, moves.outline.edition.dialect
    new_texts = {rewriting.passage.text.key: rewriting.text for rewriting in rewritings}
    expected: Counter[tuple[TargetKey, str]] = Counter(((address, key), "") for key in added)
    resolved: Counter[tuple[TargetKey, str]] = Counter()
    places: dict[TargetKey, SourceLocation] = {}
    for passage in iter_referencing_texts(before.index, before.manuscripts):
        text = new_texts.get(passage.text.key, str(passage.text))
        for (book, key), start, is_resolved in _iter_target_keys(before.index, passage):
            number = dialect.parse_number(key) if book == address else None
            target = book, moves.new_number(number).key if number else key
            expected[target, text] += 1
            resolved[target, text] += is_resolved
            places.setdefault(target, passage.text.location_of(start))
    known_texts = {text for _, text in expected}
    unexpected: list[tuple[TargetKey, ReferencingText, int]] = []
    for passage in iter_referencing_texts(after.index, after.manuscripts):
        for target, start, is_resolved in _iter_target_keys(after.index, passage):
            occurrence = target, str(passage.text)
            expected[occurrence] -= 1
            resolved[occurrence] -= is_resolved
            if expected[occurrence] < 0:
                unexpected.append((target, passage, start))
            elif is_resolved and resolved[occurrence] < 0 and occurrence[1] in known_texts:
                yield passage.text.location_of(start), f"{target[1]} led nowhere until now"
    missing: Counter[TargetKey] = Counter()
    for (target, _), count in expected.items():
        missing[target] += max(count, 0)
    old_keys = {new.key: key for key, new in moves.entries.items()}
    for target, passage, start in unexpected:
        missing[target] -= 1
        book, key = target
        if missing[target] < 0:
            if str(passage.text) in known_texts:
                yield passage.text.location_of(start), f"{key} is a rule now, so this number is a reference"
            elif book == address and key in old_keys:
                yield passage.text.location_of(start), f"{key} was {old_keys[key]} until now"
    if lost := next((target for target, count in missing.items() if count > 0), None):
        location = f"{places[lost]}: " if lost in places else ""
        raise UserError(f"{location}a reference to {lost[1]} of {lost[0]} would be lost; nothing was changed")


def new_problems(
    before: CheckedProject,
    after: CheckedProject,
    new_subject: Callable[[Problem], str] = lambda problem: problem.subject,
) -> list[Problem]:
    """List the errors and warnings that are new; `new_subject` renames the subjects of old problems.

    An unused numbering example is not reported: the last rule that follows it may move.
    """
    known = Counter((problem.code, new_subject(problem)) for problem in before.problems)
    problems: list[Problem] = []
    for problem in after.problems:
        known[problem.code, problem.subject] -= 1
        is_new = known[problem.code, problem.subject] < 0 and problem.is_failure
        if is_new and problem.code != NOTHING.code:
            problems.append(problem)
    return problems


def _require_readable(folder: ContentFolder, project: CheckedProject, moves: RenumberPlan) -> None:
    """Raise UserError if an unreadable file may contain references to moved rules."""
    book = moves.outline.edition.address.partition("/")[0]
    index = project.index
    games = [
        a for a, outline in index.outlines.items() if moves.outline in with_series(outline, index.outlines)
    ]
    unread = {page.name for page in project.manuscripts if page.problems and not page.text}
    for name in sorted(project.library.faulty | unread):
        in_game = name.startswith(tuple(f"content/{address}/" for address in games))
        if (
            in_game
            or name.startswith(f"content/{book}/")
            or f"[[{book}".encode() in folder.texts.get(name, b"")
        ):
            raise UserError(f"{name} cannot be read whole, so references in it may be missed; fix it first")
