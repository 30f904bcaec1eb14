"""Citations outside of the books, in program code, on cards, in posts, written anew for another edition.

    text ──units──► citations ──heirs──► what each is today ──written anew, read again──► text

A text is taken in units of a few lines, which no list of references goes beyond, so that the work grows with
the text and no faster. A unit is written anew only where it is then read as what it means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.book.outline import Outline
from rulewright.citations.manuscript import LEADS_ON
from rulewright.citations.shelf import Shelf
from rulewright.compare.drift import MOVED
from rulewright.compare.heirs import Heir, Heirs
from rulewright.edit.moves import Speller
from rulewright.source.edits import Edit, applied
from rulewright.source.problems import File, Problem

UNIT, LONGEST = 20, 200
"""How many lines a unit has where it can end, and at most."""

SHORT, WHOLE, LEFT = range(3)
"""How a number is written: as short as it was, in full, or not anew at all."""

Words = Sequence[str | None]


class Outside(NamedTuple):
    """A citation of a text: where it stands, what becomes of it, its problems, its new words if any."""

    start: int
    end: int
    heir: Heir
    problems: Sequence[Problem]
    words: str | None = None


class Rewriter:
    """Reads texts that were written for the edition `old`, and writes them anew for `new`."""

    def __init__(self, shelf: Shelf, old: Outline, new: Outline) -> None:
        self.shelf, self.old, self.new = shelf, old, new
        self.heirs = Heirs(shelf, old, new)

    def citations(self, file: File, prose: str) -> Iterator[Outside]:
        """The citations of a file, in order. `prose`: its text with all blanked out that cites nothing."""
        for start, end in units(prose, UNIT):
            for at, heir, words in self._of_unit(prose, start, end):
                spot, to = at + heir.one.found.start, at + heir.one.found.end
                about = heir.one.number.key if heir.one.number else file.text[spot:to]
                hand = "--fix writes that here" if words is not None else "write it by hand, in full"
                told = ((k, f"{said}; {hand}" if k is MOVED else said) for k, said in heir.told)
                problems = [kind.at(file.place(spot), said, about) for kind, said in told]
                yield Outside(spot, to, heir, problems, words)

    def _of_unit(self, prose: str, start: int, end: int) -> Iterator[tuple[int, Heir, str | None]]:
        unit = prose[start:end]
        heirs = [*self.heirs.all_of(self.shelf.resolve(unit, self.old, self.old.home))]
        words = self._words(unit, heirs)
        lines = [*units(unit, 1)] if words is None else []
        if len(lines) > 1:  # what one line does not take need not keep the others as they are
            for first, last in lines:
                yield from self._of_unit(prose, start + first, start + last)
        else:
            for heir, new in zip(heirs, words or [None] * len(heirs), strict=True):
                yield start, heir, new

    def _words(self, unit: str, heirs: Sequence[Heir]) -> Words | None:
        """New words for each citation of a unit; None where they would not be read as what they mean."""
        ways = [SHORT] * len(heirs)
        while any(words := self._written(unit, heirs, ways)):
            wrong = self._misread(unit, heirs, words)
            if not wrong:
                break
            if all(ways[at] == LEFT for at in wrong):
                return None
            ways = [min(way + (at in wrong), LEFT) for at, way in enumerate(ways)]
        return words

    def _written(self, unit: str, heirs: Sequence[Heir], ways: Sequence[int]) -> Words:
        made: list[str | None] = []
        last = None
        for heir, way in zip(heirs, ways, strict=True):
            one, number = heir.one, heir.number or heir.one.number
            if one.number is None or number is None or way == LEFT:
                made.append(None)
                last = one.number
                continue
            written = unit[one.found.start : one.found.end]
            edition = (heir.target or one.target or self.new).edition
            speller, words = Speller(edition.dialect), written
            if way == WHOLE:
                words = speller.write(number)
            elif number.key != one.number.key:
                words = (
                    speller.rewritten(written, one.number, number, self.old.home, self.new.home)
                    or speller.shortened(written, one.number, number, last)
                    or speller.write(number)
                )
            same = words == written and number.key == one.number.key
            made.append(None if same else words)
            last = number
        return made

    def _misread(self, unit: str, heirs: Sequence[Heir], words: Words) -> set[int]:
        """The citations that, in these words, do not mean in the new edition what they ought to."""
        edits = [
            Edit(*heir.one.found[:2], new) for heir, new in zip(heirs, words, strict=True) if new is not None
        ]
        text, wrong, ahead = applied(unit, edits), set[int](), 0
        read = {one.found.start: one for one in self.shelf.resolve(text, self.new, self.new.home)}
        for at, (heir, new) in enumerate(zip(heirs, words, strict=True)):
            start, end = heir.one.found[:2]
            one = read.get(start + ahead)
            ahead += len(new) - (end - start) if new is not None else 0
            wanted = heir.number or heir.one.number
            same = one and one.number and wanted and one.number.key == wanted.key
            if heir.number:
                led = one and one.target and heir.target and one.target.edition is heir.target.edition
                wrong.update([] if same and led and one and not one.fault else [at])
            elif wanted and one and one.number and not same:
                wrong.add(at)  # what is gone must not become something else
        return wrong


def units(prose: str, most: int) -> Iterator[tuple[int, int]]:
    """Stretches of whole lines, of about so many, between which no list of references goes on."""
    start = end = count = 0
    for line in prose.splitlines(keepends=True):
        end, count = end + len(line), count + 1
        if not line.strip() or count == LONGEST or (count >= most and not LEADS_ON.search(line[-40:])):
            yield start, end
            start, count = end, 0
    if start < end:
        yield start, end
