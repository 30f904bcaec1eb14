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

from rulewright.book.filing import Cache
from rulewright.book.library import read_library
from rulewright.book.outline import arrange
from rulewright.checks.examine import Examined, examine_folder
from rulewright.citations.shelf import cite
from rulewright.compare.passages import passages
from rulewright.edit.citing import Reviser, Rewriting
from rulewright.edit.keeping import locks_after
from rulewright.edit.moves import Moves
from rulewright.edit.naming import rename
from rulewright.edit.placing import Placing
from rulewright.edit.rereading import read_otherwise
from rulewright.edit.spelling import Speller
from rulewright.edit.whereabouts import moved
from rulewright.model.rulebook import numbers_in
from rulewright.source.edits import Edits, applied
from rulewright.source.folder import Folder
from rulewright.source.problems import Place, Problem
from rulewright.source.refusal import Refusal
from rulewright.source.text import Text

Files = Mapping[str, bytes | None]
"""Files by name; None where one is no more."""


@dataclass(slots=True)
class Proposal:
    """A change worked out. `files`: what becomes of each file that differs.

    `references`: how many are changed, by file; `otherwise`: how many of them are written in another way now.
    `again`: what an editor ought to read again. `problems`:
    those that are new. `shared`: what is to be said of terms that other editions have too.
    """

    moves: Moves
    files: Files
    references: Counter[str] = field(default_factory=Counter)
    otherwise: int = 0
    again: list[tuple[Place, str]] = field(default_factory=list)
    renamed: Mapping[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    shared: str = ""


Finish = Callable[[Placing], None]


def propose(
    folder: Folder,
    examined: Examined,
    moves: Moves,
    finish: Finish,
    cache: Cache,
    added: Sequence[str] = (),
) -> Proposal:
    """What moving numbers makes of the content. `finish` does to the moved files what else belongs to it.

    `added` are rules of the edition that it cites there. Raises Refusal where it cannot be made.
    """
    examined = examined.printed
    _refuse_unread(folder, examined, moves)
    making = _Making(folder, moves, finish)
    numbers = Edits()
    making.number(numbers)
    rename(moves, examined.shelf, numbers)
    books = read_library(replace(folder, texts=making.files(numbers)), cache)
    now = cite({address: arrange(edition) for address, edition in books.editions.items()}, books.sites)
    rewritings = list(_rewritings(Reviser(moves, examined.shelf, now), examined))
    for one in rewritings:
        _enter(numbers, one)
    made = making.files(numbers)
    kept = {name: made.pop(name) for name in examined.library.locks}  # nothing there is true yet
    after = examine_folder(replace(folder, texts=made), cache=cache)
    if kept:
        made |= kept
        made |= locks_after(examined, after.printed, moves, added)
        after = examine_folder(replace(folder, texts=made), cache=cache)
    names = {*folder.texts, *made}
    differing = {n: made.get(n) for n in sorted(names) if made.get(n) != folder.texts.get(n)}
    proposal = Proposal(moves, differing, renamed=making.renamed)
    for one in rewritings:
        proposal.references[one.passage.file] += one.references
        proposal.otherwise += one.otherwise
        proposal.again += ((_then(place, folder, proposal), said) for place, said in one.again)
    proposal.again += read_otherwise(examined, after.printed, moves, added, rewritings)
    proposal.again.sort()
    proposal.shared = _shared(examined, moves)
    proposal.problems = _new(examined, after, moves, making.renamed)
    return proposal


class _Making:
    """The files of a content folder with edits made and rules put in place."""

    def __init__(self, folder: Folder, moves: Moves, finish: Finish) -> None:
        self.folder, self.moves, self.finish = folder, moves, finish
        self.renamed = dict(_renamed(folder, moves))

    def number(self, edits: Edits) -> None:
        """Enter the edits of the numbers themselves, and of what in edition.yml names them."""
        edition = self.moves.outline.edition
        speller = Speller(edition.dialect)
        labels: list[tuple[Text, str]] = []
        for chapter in edition.chapters:
            number = edition.dialect.parse(chapter.number)
            labels += ((label, number.labels[0] if number else "") for label in numbers_in(chapter))
        labels += ((one.number, "") for one in (edition.known.known if edition.known else ()))
        labels += ((table.number, "") for table in edition.tables if table.number)
        labels += ((excuse.at, "") for excuse in edition.file.excused)
        for text, home in labels:
            number = edition.dialect.parse(text, home)
            if text in self.renamed:
                edits.rewrite(text, 0, len(text), self.renamed[text])
            elif number and (new := self.moves.of(number)) is not number:
                other = new.labels[0] if home else ""
                words = speller.rewritten(text, number, new, home, other) or speller.write(new)
                edits.rewrite(text, 0, len(text), words)

    def files(self, edits: Edits) -> dict[str, bytes]:
        """All texts as they will be."""
        marks = {name for name in self.folder.texts if self.folder.texts[name].startswith(codecs.BOM_UTF8)}
        touched = {*edits, *self._own()}
        texts = {
            name: applied(self.folder.texts[name].decode("utf-8-sig"), edits.of(name)) for name in touched
        }
        placing = Placing(texts, self.moves)
        placing.place()
        self.finish(placing)
        encoded = {n: (codecs.BOM_UTF8 if n in marks else b"") + text.encode() for n, text in texts.items()}
        whole = {**self.folder.texts, **encoded}
        return {self.renamed.get(name, name): data for name, data in whole.items()}

    def _own(self) -> Iterator[str]:
        """The files of the edition that hold numbers."""
        edition = self.moves.outline.edition
        yield from (chapter.number.file.name for chapter in edition.chapters)
        yield from (table.number.file.name for table in edition.tables if table.number)
        if edition.known:
            yield edition.known.known[0].number.file.name


def _renamed(folder: Folder, moves: Moves) -> Iterator[tuple[str, str]]:
    """The files whose names begin with a number that moves: a chapter's and a table's."""
    edition = moves.outline.edition
    found: dict[str, str] = {}
    for chapter in edition.chapters:
        number = edition.dialect.parse(chapter.number)
        if number and (new := moves.of(number)) is not number:
            found |= _with_name(chapter.number.file.name, number.labels[0].lower(), new.labels[0].lower())
    for table in edition.tables:
        number = edition.dialect.parse(table.number) if table.number else None
        if table.number and number and (new := moves.of(number)) is not number:
            found |= _with_name(table.number.file.name, number.key, new.key)
    left = {*folder.texts, *folder.others}.difference(found)
    yield from ((old, new) for old, new in found.items() if new not in left)


def _with_name(file: str, old: str, new: str) -> dict[str, str]:
    """A file's name with another number in front, if it has one there."""
    path, _, name = file.rpartition("/")
    if not re.match(rf"{re.escape(old)}(?=[-_ ]|\.yml$)", name):
        return {}
    return {file: f"{path}/{new}{name[len(old) :]}"}


def _rewritings(reviser: Reviser, examined: Examined) -> Iterator[Rewriting]:
    """What becomes of each text that changes. A text that several steps share is written once."""
    done: set[int] = set()
    for passage in passages(examined.shelf, examined.manuscripts):
        if id(passage.text) not in done and (made := reviser.revise(passage)):
            done.add(id(passage.text))
            if made.unsure:
                number = passage.text[made.changes[0].start : made.changes[0].end]
                raise Refusal(
                    f"{made.unsure[0]}: {number} cannot be renumbered so that it is read as what it means; "
                    "write it as a mark, [[…]], first"
                )
            yield made


def _enter(edits: Edits, one: Rewriting) -> None:
    """Enter the edits that a passage's changes are in its file."""
    for start, end, words, _ in one.changes:
        if isinstance(one.passage.text, Text):
            edits.rewrite(one.passage.text, start, end, words)
        else:
            edits.add(one.passage.file, start, end, words)


def _then(place: Place, folder: Folder, proposal: Proposal) -> Place:
    """Where something will stand that stands in a file as it is."""
    name = proposal.renamed.get(place.file, place.file)
    old, new = folder.texts[place.file], proposal.files.get(name)
    return moved(place, old.decode("utf-8-sig"), new.decode("utf-8-sig"), name) if new else place


def _shared(examined: Examined, moves: Moves) -> str:
    """What is to be said of the terms that a book's editions have in common, if they cite what is moved."""
    book = moves.outline.edition.address.partition("/")[0]
    others = [one for address, one in examined.shelf.outlines.items() if address.startswith(f"{book}/")]
    terms = moves.outline.edition.book.terms.values()
    numbers = (
        moves.outline.edition.dialect.parse(term.see, moves.outline.home) for term in terms if term.see
    )
    newest = examined.shelf.named(book)
    if len(others) < 2 or not newest or not any(n and moves.of(n) is not n for n in numbers):
        return ""
    follow = "are changed" if newest is moves.outline else "are left as they are"
    return f"The terms in content/{book}/rulebook.yml hold for all editions; they {follow}, after the newest."


def _new(before: Examined, after: Examined, moves: Moves, renamed: Mapping[str, str]) -> list[Problem]:
    """The problems that were not there before, by what they are about."""
    dialect = moves.outline.edition.dialect
    base = f"content/{moves.outline.edition.address}/"
    known: Counter[tuple[str, str]] = Counter()
    for problem in before.problems:
        about = renamed.get(problem.about, problem.about)
        number = dialect.parse(about) if problem.place.file.startswith(base) else None
        known[problem.code, moves.of(number).key if number else about] += 1
    found: list[Problem] = []
    for problem in after.problems:
        known[problem.code, problem.about] -= 1
        if known[problem.code, problem.about] < 0 and problem.fails:
            found.append(problem)
    return found


def _refuse_unread(folder: Folder, examined: Examined, moves: Moves) -> None:
    """Raise Refusal where a file cannot be read that may hold references to what is moved."""
    book = moves.outline.edition.address.partition("/")[0]
    shelf = examined.shelf
    games = [a for a, one in shelf.outlines.items() if moves.outline in shelf.around(one)]
    unread = {page.name for page in examined.manuscripts if page.problems and not page.text}
    for name in sorted(examined.library.faulty | unread):
        in_game = name.startswith(tuple(f"content/{address}/" for address in games))
        if (
            in_game
            or name.startswith(f"content/{book}/")
            or f"[[{book}".encode() in folder.texts.get(name, b"")
        ):
            raise Refusal(
                f"{name} cannot be read whole, so that references in it may be missed; mend it first"
            )
