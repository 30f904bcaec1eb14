"""The content as it would be after a change: every file that differs, and an account of what was done.

A change is made in memory and read again before anybody writes it. What it must not do, lose a reference or
leave a new problem behind, is found here, so a command that refuses has touched nothing.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from rulewright.book.library import read_library
from rulewright.book.outline import build_outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.checks.numbering_example_checks import NOTHING
from rulewright.citations.reference_index import ReferenceIndex, build_reference_index
from rulewright.compare.reference_inventory import ReferencingText, iter_referencing_texts
from rulewright.edit.lock_updates import renumbered_locks
from rulewright.edit.reference_rewriting import (
    Aim,
    ReferenceRewriter,
    RewrittenPassage,
    reference_target,
    rename_named,
)
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.edit.rule_placement import RulePlacement
from rulewright.model.rulebook import numbers_in
from rulewright.source.content_folder import ContentFolder
from rulewright.source.errors import UserError
from rulewright.source.located_text import LocatedText, TextKey
from rulewright.source.memoize import Cache
from rulewright.source.problems import Problem, SourceLocation
from rulewright.source.text_edits import FileEdits, apply_edits

Finish = Callable[[RulePlacement], None]


@dataclass(slots=True)
class ChangeProposal:
    """A change worked out. `files`: what becomes of each file that differs, None where one is no more.

    `references`: how many are changed, by file; `reformatted_references`: how many of them are written in
    another way now. `review_places`: what an editor ought to read again. `renamed`: new names of files.
    `problems`: the new ones. `shared`: what is to be said of terms that other editions have too.
    """

    moves: RenumberPlan
    files: Mapping[str, bytes | None]
    references: Counter[str] = field(default_factory=Counter)
    reformatted_references: int = 0
    review_places: list[tuple[SourceLocation, str]] = field(default_factory=list)
    renamed: Mapping[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    shared: str = ""

    @property
    def files_to_write(self) -> list[tuple[str, str]]:
        """The files that are to be written, each with the name that it had."""
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
    """Work out content with numbers moved and files `finish`ed. It has to cite `added`. Raises Refusal."""
    project = project.printed
    _refuse_unread(folder, project, moves)
    moved_content = _MovedContent(folder, moves, finish)
    numbers = FileEdits()
    moved_content.number(numbers)
    rename_named(moves, project.shelf, numbers)
    books = read_library(replace(folder, texts=moved_content.files(numbers)), cache)
    new_index = build_reference_index(
        {address: build_outline(edition) for address, edition in books.editions.items()}
    )
    rewritings = list(_rewritings(ReferenceRewriter(moves, project.shelf, new_index), project))
    for rewriting in rewritings:
        rewriting.enter(numbers)
    new_texts = moved_content.files(numbers)
    old_locks = {name: new_texts.pop(name) for name in project.library.locks}  # nothing there is true yet
    after = load_and_check_folder(replace(folder, texts=new_texts), cache=cache)
    if old_locks:
        new_texts |= old_locks
        new_texts |= renumbered_locks(project, after.printed, moves, added)
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
    proposal.review_places += _read_otherwise(project, after.printed, moves, added, rewritings)
    proposal.review_places.sort()
    proposal.shared = _shared(project, moves)

    def about(problem: Problem) -> str:
        """The new name or number of the thing that a problem is about."""
        name = moved_content.renamed.get(problem.subject, problem.subject)
        is_same_edition = problem.place.file.startswith(f"content/{moves.outline.edition.address}/")
        number = moves.outline.edition.dialect.parse_number(name) if is_same_edition else None
        return moves.new_number(number).key if number else name

    proposal.problems = new_problems(project, after, about)
    return proposal


class _MovedContent:
    """The files of a content folder with edits made and rules put in place."""

    def __init__(self, folder: ContentFolder, moves: RenumberPlan, finish: Finish) -> None:
        self.folder, self.moves, self.finish = folder, moves, finish
        self.renamed = _renamed(folder, moves)
        self.own: set[str] = set()  # the files that hold numbers

    def number(self, edits: FileEdits) -> None:
        """Enter the edits of the numbers themselves, and of what in edition.yml names them."""
        edition = self.moves.outline.edition
        writer = NumberWriter(edition.dialect)
        labels: list[tuple[LocatedText, str]] = []
        for chapter in edition.chapters:
            number = edition.dialect.parse_number(chapter.number)
            labels += ((label, number.labels[0] if number else "") for label in numbers_in(chapter))
        labels += ((rule.number, "") for rule in (edition.known.known if edition.known else ()))
        labels += ((table.number, "") for table in edition.tables if table.number)
        labels += ((excuse.at, "") for excuse in edition.edition_file.excused)
        self.own = {text.file.name for text, _ in labels}
        for text, home in labels:
            number = edition.dialect.parse_number(text, home)
            if text in self.renamed:
                edits.replace_in_scalar(text, 0, len(text), self.renamed[text])
            elif number and (new := self.moves.new_number(number)) is not number:
                other = new.labels[0] if home else ""
                edits.replace_in_scalar(
                    text, 0, len(text), writer.rename_like(text, number, new, home, other)
                )

    def files(self, edits: FileEdits) -> dict[str, bytes]:
        """All texts as they will be."""
        before = self.folder.texts
        texts = {
            name: apply_edits(before[name].decode("utf-8-sig"), edits.for_file(name))
            for name in {*edits, *self.own}
        }
        placement = RulePlacement(texts, self.moves)
        placement.place_moved_rules()
        self.finish(placement)
        marks = {name for name in before if before[name].startswith(codecs.BOM_UTF8)}
        encoded = {n: (codecs.BOM_UTF8 if n in marks else b"") + text.encode() for n, text in texts.items()}
        return {self.renamed.get(name, name): data for name, data in {**before, **encoded}.items()}


def _renamed(folder: ContentFolder, moves: RenumberPlan) -> dict[str, str]:
    """New names of the files whose name begins with a number that moves, a chapter's or a table's."""
    edition = moves.outline.edition
    texts = [(chapter.number, True) for chapter in edition.chapters]
    texts += [(table.number, False) for table in edition.tables if table.number]
    new_names: dict[str, str] = {}
    for text, is_chapter in texts:
        number = edition.dialect.parse_number(text)
        if number and (new := moves.new_number(number)) is not number:
            chapter_name = edition.dialect.chapter_name
            old_prefix, new_prefix = (
                chapter_name(rule_number) if is_chapter else rule_number.key for rule_number in (number, new)
            )
            path, _, file_name = text.file.name.rpartition("/")
            if re.match(rf"{re.escape(old_prefix)}(?=[-_ ]|\.yml$)", file_name):
                new_names[text.file.name] = f"{path}/{new_prefix}{file_name[len(old_prefix) :]}"
    other_names = {*folder.texts, *folder.other_files}.difference(new_names)
    return {old: new for old, new in new_names.items() if new not in other_names}


def _rewritings(rewriter: ReferenceRewriter, project: CheckedProject) -> Iterator[RewrittenPassage]:
    """Rewrite each text that changes. A text that several steps share is written once."""
    done: set[TextKey] = set()
    for passage in iter_referencing_texts(project.shelf, project.manuscripts):
        if passage.key not in done and (rewritten := rewriter.rewrite_text(passage)):
            done.add(passage.key)
            if rewritten.unwritable:
                number = passage.text[rewritten.changes[0].start : rewritten.changes[0].end]
                raise UserError(
                    f"{rewritten.unwritable[0]}: {number} cannot be renumbered so that it is read as what "
                    f"it means; "
                    "write it as a mark, [[…]], first"
                )
            yield rewritten


def location_after(place: SourceLocation, folder: ContentFolder, proposal: ChangeProposal) -> SourceLocation:
    """The place after the change of a place in a file as it is, or the one that it stood behind."""
    name = proposal.renamed.get(place.file, place.file)
    if not (new_data := proposal.files.get(name)):
        return place
    old_lines, new_lines = (
        data.decode("utf-8-sig").splitlines() for data in (folder.texts[place.file], new_data)
    )
    line, is_there = _counterpart(old_lines, new_lines, place.line - 1)
    if not is_there:
        return SourceLocation(name, max(line, 1))
    return SourceLocation(
        name, line + 1, _counterpart(old_lines[place.line - 1], new_lines[line], place.column - 1)[0] + 1
    )


def _counterpart(old: Sequence[str], new: Sequence[str], index: int) -> tuple[int, bool]:
    """The index in one row of what has an index in another, and whether it is there at all."""
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if start <= index < end:
            same = tag == "equal" or end - start == last - first
            return (first + index - start, True) if same else (first, False)
    return len(new), bool(new)


def _aims(index: ReferenceIndex, passage: ReferencingText) -> Iterator[tuple[Aim, int, bool]]:
    """The numbers that a passage cites, where they stand in it, and whether each leads anywhere."""
    for reference in passage.resolved:
        if aim := reference_target(passage, reference, index):
            yield aim, reference.match.start, reference.target is not None


def _read_otherwise(
    before: CheckedProject,
    after: CheckedProject,
    moves: RenumberPlan,
    added: Sequence[str],
    rewritings: Sequence[RewrittenPassage],
) -> Iterator[tuple[SourceLocation, str]]:
    """The numbers that have come to be references, or to lead somewhere. Raises Refusal where one is lost."""
    address, dialect = moves.outline.edition.address, moves.outline.edition.dialect
    new_texts = {rewriting.passage.key: rewriting.text for rewriting in rewritings}
    expected: Counter[tuple[Aim, str]] = Counter(((address, key), "") for key in added)
    resolved: Counter[tuple[Aim, str]] = Counter()
    places: dict[Aim, SourceLocation] = {}
    for passage in iter_referencing_texts(before.shelf, before.manuscripts):
        text = new_texts.get(passage.key, str(passage.text))
        for (book, key), start, is_resolved in _aims(before.shelf, passage):
            number = dialect.parse_number(key) if book == address else None
            aim = book, moves.new_number(number).key if number else key
            expected[aim, text] += 1
            resolved[aim, text] += is_resolved
            places.setdefault(aim, passage.place(start))
    known_texts = {text for _, text in expected}
    unexpected: list[tuple[Aim, ReferencingText, int]] = []
    for passage in iter_referencing_texts(after.shelf, after.manuscripts):
        for aim, start, is_resolved in _aims(after.shelf, passage):
            occurrence = aim, str(passage.text)
            expected[occurrence] -= 1
            resolved[occurrence] -= is_resolved
            if expected[occurrence] < 0:
                unexpected.append((aim, passage, start))
            elif is_resolved and resolved[occurrence] < 0 and occurrence[1] in known_texts:
                yield passage.place(start), f"{aim[1]} led nowhere until now"
    missing: Counter[Aim] = Counter()
    for (aim, _), count in expected.items():
        missing[aim] += max(count, 0)
    old_keys = {new.key: key for key, new in moves.entries.items()}
    for aim, passage, start in unexpected:
        missing[aim] -= 1
        if missing[aim] < 0:
            if str(passage.text) in known_texts:
                yield passage.place(start), f"{aim[1]} is a rule now, so that this number is a reference"
            elif aim[0] == address and aim[1] in old_keys:
                yield passage.place(start), f"{aim[1]} was {old_keys[aim[1]]} until now"
    if lost := next((aim for aim, count in missing.items() if count > 0), None):
        location = f"{places[lost]}: " if lost in places else ""
        raise UserError(f"{location}a reference to {lost[1]} of {lost[0]} would be lost; nothing was changed")


def _shared(project: CheckedProject, moves: RenumberPlan) -> str:
    """A remark on the terms that a book's editions have in common, if they cite a rule that moves."""
    book = moves.outline.edition.address.partition("/")[0]
    outlines = [
        outline for address, outline in project.shelf.outlines.items() if address.startswith(f"{book}/")
    ]
    terms = moves.outline.edition.book.terms.values()
    numbers = (
        moves.outline.edition.dialect.parse_number(term.see, moves.outline.default_chapter)
        for term in terms
        if term.see
    )
    newest = project.shelf.find_outline(book)
    if len(outlines) < 2 or not newest or not any(n and moves.new_number(n) is not n for n in numbers):
        return ""
    follow = "are changed" if newest is moves.outline else "are left as they are"
    return f"The terms in content/{book}/rulebook.yml hold for all editions; they {follow}, after the newest."


def new_problems(
    before: CheckedProject,
    after: CheckedProject,
    about: Callable[[Problem], str] = lambda problem: problem.subject,
) -> list[Problem]:
    """The problems that are new. `about`: the new name of the thing that an old one is about.

    That an example of the numbering is written after no more is none: a last rule may move.
    """
    known = Counter((problem.code, about(problem)) for problem in before.problems)
    problems: list[Problem] = []
    for problem in after.problems:
        known[problem.code, problem.subject] -= 1
        new = known[problem.code, problem.subject] < 0 and problem.is_failure
        if new and problem.code != NOTHING.code:
            problems.append(problem)
    return problems


def _refuse_unread(folder: ContentFolder, project: CheckedProject, moves: RenumberPlan) -> None:
    """Raise Refusal where a file cannot be read that may hold references to what is moved."""
    book = moves.outline.edition.address.partition("/")[0]
    index = project.shelf
    games = [a for a, outline in index.outlines.items() if moves.outline in index.with_series(outline)]
    unread = {page.name for page in project.manuscripts if page.problems and not page.text}
    for name in sorted(project.library.faulty | unread):
        in_game = name.startswith(tuple(f"content/{address}/" for address in games))
        if (
            in_game
            or name.startswith(f"content/{book}/")
            or f"[[{book}".encode() in folder.texts.get(name, b"")
        ):
            raise UserError(
                f"{name} cannot be read whole, so that references in it may be missed; mend it first"
            )
