"""Rewrite the references in all texts after numbers have moved.

Each text is written anew and read again as the book would read it then: what it cites must be exactly what it
cited, by its new number. Where shortened numbers no longer say that, they are written out, and where the book
would no longer take a number for a reference, it becomes a mark.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.book.outline import Outline
from rulewright.book.series import called
from rulewright.citations.manuscript import prose_of
from rulewright.citations.resolving import Resolved
from rulewright.citations.shelf import Shelf
from rulewright.compare.passages import Passage, names
from rulewright.edit.moves import Moves
from rulewright.edit.number_style import Speller
from rulewright.numbers.dialect import Number
from rulewright.source.edits import Edits
from rulewright.source.problems import Place
from rulewright.source.text import Text

MOST_BETWEEN = 12
"""How far two numbers of a run stand apart at most: "and rule"."""

NAME, MARK = "name", "mark"

Aim = tuple[str, str]
"""The rule that a reference means: the address of an edition, and the number there."""


class SeriesBook(NamedTuple):
    """A series as a text names it, and as a mark does."""

    named: str
    folder: str


class Change(NamedTuple):
    """Words in place of those from `start` to `end` of a passage. `exact`: they can be turned back."""

    start: int
    end: int
    words: str
    exact: bool = True


@dataclass(slots=True)
class Rewriting:
    """A passage rewritten: its changes, how many references they concern, and what to read again.

    `otherwise`: how many no longer tell how they were written, like "9.14b and c" that is "9.14b and 9.16a"
    now. `unsure`: where a number stands that could not be written so that it is read as what it means.
    """

    passage: Passage
    changes: list[Change] = field(default_factory=list)
    references: int = 0
    otherwise: int = 0
    again: list[tuple[Place, str]] = field(default_factory=list)
    unsure: list[Place] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Text of the passage with its changes made."""
        return rewritten(self.passage.text, self.changes)

    def enter(self, edits: Edits) -> None:
        """Enter the edits that the changes are in the passage's file."""
        for start, end, words, _ in self.changes:
            if isinstance(self.passage.text, Text):
                edits.rewrite(self.passage.text, start, end, words)
            else:
                edits.add(self.passage.file, start, end, words)


def rewritten(text: str, changes: Sequence[Change]) -> str:
    """A text with its changes made."""
    words, at = [], 0
    for change in sorted(changes):
        words += [text[at : change.start], change.words]
        at = change.end
    return "".join([*words, text[at:]])


def _ours(passage: Passage, changes: Sequence[Change], reread: Iterable[Resolved]) -> Iterator[Resolved]:
    """Of the references in a text with its changes made, those that stand where some stood.

    Another one is a number that means a rule now and meant none.
    """
    waiting, spans, ahead = deque(sorted(changes)), deque(passage.resolved), 0
    for one in reread:
        at = one.found.start
        while waiting and waiting[0].start + ahead + len(waiting[0].words) <= at:
            ahead += len(waiting[0].words) - (waiting[0].end - waiting[0].start)
            waiting.popleft()
        while spans and (spans[0].found.mark or spans[0].found)[1] <= at - ahead:
            spans.popleft()
        changed = bool(waiting) and waiting[0].start + ahead <= at
        if changed or (spans and (spans[0].found.mark or spans[0].found)[0] <= at - ahead):
            yield one


def rename_named(moves: Moves, shelf: Shelf, edits: Edits) -> None:
    """Enter the edits of numbers that name a rule or a table where no text does.

    They stand in redirects, in player aids, and behind `was:` in an edition that follows the one that moves.
    """
    dialect, home = moves.outline.edition.dialect, moves.outline.home
    speller = Speller(dialect)
    for outline in shelf.outlines.values():
        for name in names(outline, shelf):
            written = name.text[name.start :]
            number = dialect.parse(written.strip(), home) if name.into is moves.outline else None
            if number and (new := moves.of(number)) is not number:
                words = speller.rewritten(written, number, new, home, "") or speller.write(new)
                edits.rewrite(name.text, name.start, len(name.text), words)


class Reviser:
    """Writes passages anew. `shelf` and `now` are the books before and after the numbers have moved."""

    def __init__(self, moves: Moves, shelf: Shelf, now: Shelf) -> None:
        self.moves, self.shelf, self.now = moves, shelf, now
        self.address = moves.outline.edition.address
        self._spellers: dict[str, Speller] = {}

    def revise(self, passage: Passage) -> Rewriting | None:
        """Rewrite a passage, or return None where nothing changes."""
        aims = [self._aim(passage, one) for one in passage.resolved]
        chapter = self._chapter(passage)
        if (
            chapter == passage.chapter
            and not self._is_shadowed(passage)
            and all(aim == self._meant(passage, r) for aim, r in zip(aims, passage.resolved, strict=True))
            and not any(r.inside for r in passage.resolved)
        ):
            return None
        wanted = [aim for aim in aims if aim]
        made = Rewriting(passage)
        for short, implied, sign in ((1, 1, ""), (0, 1, ""), (0, 0, ""), (0, 0, NAME), (0, 0, MARK)):
            changes = self._changes(passage, chapter, short=bool(short), implied=bool(implied), sign=sign)
            reread = list(_ours(passage, changes, self._reread(passage, changes, chapter)))
            if [aim for one in reread if (aim := self._read(passage, one))] == wanted:
                made.changes = changes
                break
        else:
            made.changes = self._changes(passage, chapter)
            made.unsure = [passage.place(change.start) for change in made.changes[:1]]
            return made
        made.references = sum(
            aim != self._meant(passage, r) for aim, r in zip(aims, passage.resolved, strict=True)
        )
        made.otherwise = sum(not change.exact for change in changes)
        made.references = max(made.references, made.otherwise)
        if len(reread) == len(passage.resolved):
            made.again = list(self._again(passage, reread))
        return made

    def _is_shadowed(self, passage: Passage) -> bool:
        """Whether a text of a game cites a number of its series that will be one of the game as well."""
        if not passage.outline or not passage.outline.edition.base:
            return False
        own = self.now.outlines[passage.outline.edition.address]
        theirs = (one for one in passage.resolved if one.target and not one.found.mark)
        return any(
            one.number.key in own.entries
            for one in theirs
            if one.number and passage.leads(one, self.shelf) is not passage.outline
        )

    def _meant(self, passage: Passage, one: Resolved) -> Aim | None:
        outline = passage.leads(one, self.shelf)
        return (outline.edition.address, one.number.key) if outline and one.number else None

    def _aim(self, passage: Passage, one: Resolved) -> Aim | None:
        """The rule that a reference has to mean afterwards."""
        outline = self._leads(passage, one)
        if not outline or not one.number:
            return None
        return outline.edition.address, self._becomes(passage, one, one.number, outline).key

    def _leads(self, passage: Passage, one: Resolved) -> Outline | None:
        """The edition, as it was, that a reference has to lead into."""
        return passage.leads(one, self.shelf)

    def _becomes(self, passage: Passage, one: Resolved, number: Number, outline: Outline) -> Number:
        """The number that a reference has to have afterwards."""
        return self.moves.of(number) if outline.edition.address == self.address else number

    def _read(self, passage: Passage, one: Resolved) -> Aim | None:
        outline = passage.leads(one, self.now)
        return (outline.edition.address, one.number.key) if outline and one.number else None

    def _chapter(self, passage: Passage) -> str:
        """The chapter that a passage will stand in."""
        if not passage.outline or passage.outline.edition.address != self.address:
            return passage.chapter
        if passage.source:
            return self.moves.of(passage.source.number).labels[0]
        return self.now.outlines[self.address].home

    def _speller(self, outline: Outline) -> Speller:
        address = outline.edition.address
        return self._spellers.setdefault(address, Speller(outline.edition.dialect))

    def _changes(
        self, passage: Passage, chapter: str, *, short: bool = True, implied: bool = True, sign: str = ""
    ) -> list[Change]:
        """The changes of a passage. Numbers are shortened, or leave out their chapter, where they may.

        `sign`: by what a number is told that would be read as something else, the name of a series or a mark.
        """
        changes: list[Change] = []
        last: Number | None = None
        touched = self._touched(passage)
        for one, is_touched in zip(passage.resolved, touched, strict=True):
            outline, number = self._leads(passage, one), one.number
            if not outline or not number:
                last = None
                continue
            new = self._becomes(passage, one, number, outline)
            start, end = one.found.start, one.found.end
            written = passage.text[start:end]
            here = passage.chapter, chapter if implied or not is_touched else ""
            if one.found.book:
                here = outline.home, self.now.outlines[outline.edition.address].home
            speller = self._speller(outline)
            words = speller.rewritten(written, number, new, *here)
            exact = words is not None and speller.rewritten(words, new, number, *reversed(here)) == written
            if words is None:
                may_be = short or not is_touched
                words = speller.shortened(written, number, new, last) if may_be else None
                exact = words is not None
                words = words or speller.write(new)
            if sign and not one.found.mark and (book := self._series_of(outline, passage, new)):
                words = f"{book.named} {words}" if sign == NAME else f"[[{book.folder}:{new.key}]]"
                exact = False
            elif sign == MARK and not one.found.mark and not passage.cued and new.key != number.key:
                words, exact = f"[[{new.key}]]", False
            if words != written:
                changes.append(Change(start, end, words, exact))
            if one.found.mark and one.found.label and new is not number:
                changes += self._label(one, number, new, speller, here)
            last = new
        return changes

    def _series_of(self, outline: Outline, passage: Passage, number: Number) -> SeriesBook | None:
        """How a text of a game names its series, where a number that it cites will be one of both."""
        if not passage.outline or outline.edition.address == passage.outline.edition.address:
            return None
        if number.key not in self.now.outlines[passage.outline.edition.address].entries:
            return None
        return SeriesBook(called(outline.edition.book)[0], outline.edition.address.partition("/")[0])

    def _touched(self, passage: Passage) -> list[bool]:
        """For each reference, whether it or another one of its run changes."""
        runs: list[list[bool]] = []
        end = 0
        for one in passage.resolved:
            between = passage.text[end : one.found.start]
            goes_on = runs and (one.found.through or (len(between) < MOST_BETWEEN and "." not in between))
            changes = self._aim(passage, one) != self._meant(passage, one)
            runs[-1:] = [[*runs[-1], changes]] if goes_on else [*runs[-1:], [changes]]
            end = one.found.end
        return [any(run) for run in runs for _ in run]

    @staticmethod
    def _label(
        one: Resolved, number: Number, new: Number, speller: Speller, here: tuple[str, str]
    ) -> Iterator[Change]:
        """The words of a mark, where they are the number that it leads to."""
        _, end = one.found.mark or (0, 0)
        label = (one.found.label or "").strip()
        start = end - 2 - len((one.found.label or "").lstrip())
        said = speller.dialect.parse(label, here[0])
        if said and said.key == number.key and (words := speller.rewritten(label, number, new, *here)):
            yield Change(start, start + len(label), words)

    def _reread(self, passage: Passage, changes: Sequence[Change], chapter: str) -> list[Resolved]:
        """The references that a passage will hold."""
        text = rewritten(passage.text, changes)
        outline = passage.outline and self.now.outlines[passage.outline.edition.address]
        return self.now.resolve(prose_of(text) if passage.page else text, outline, chapter, passage.cued)

    def _again(self, passage: Passage, reread: Sequence[Resolved]) -> Iterator[tuple[Place, str]]:
        """Ranges whose ends are out of order now, or that hold other rules than they held."""
        for first, old, new in zip([None, *passage.resolved], passage.resolved, reread, strict=False):
            outline = passage.leads(old, self.shelf)
            if not (first and old.found.through and outline and outline.edition.address == self.address):
                continue
            place = passage.place(old.found.start)
            held = {self.moves.of(entry.number).key for entry in old.inside}
            holds = {entry.key for entry in new.inside}
            if new.fault and not old.fault:
                yield place, new.message
            elif held != holds:
                gone, come = sorted(held - holds), sorted(holds - held)
                said = [f"no longer holds {', '.join(gone)}"] if gone else []
                said += [f"now holds {', '.join(come)} as well"] if come else []
                yield (place, f"the range that ends at {new.number and new.number.key} {' and '.join(said)}")
