"""Outside files with their citations: looked into, written anew, noted in their lock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.book.outline import Outline
from rulewright.checks.examine import Examined
from rulewright.citations.foreign import Foreign, foreign, read
from rulewright.citations.predecessor import line_of
from rulewright.citations.resolving import NOT_FOUND, Resolved
from rulewright.compare.drift import MOVED
from rulewright.compare.lock import Meanings
from rulewright.edit.outside import Outside, Rewriter
from rulewright.edit.outside_lock import NAME, Lines, OutsideLock, Spot
from rulewright.model.reports import several
from rulewright.numbers.evidence import Cue
from rulewright.numbers.finder import Found
from rulewright.source import disk
from rulewright.source.edits import Edit, applied
from rulewright.source.problems import Problem
from rulewright.source.refusal import Refusal
from rulewright.source.turns import Busy


@dataclass(frozen=True)
class Looked:
    """A file with its citations, of which `news` has not been accepted.

    `old`: the edition that it was written for; `new`: the one that it is to be right for.
    """

    name: str
    text: Foreign | None
    old: Outline
    new: Outline
    citations: Sequence[Outside] = ()
    news: Sequence[Problem] = ()

    @property
    def left(self) -> list[Problem]:
        """The news that stay when the file is written anew."""
        mended = {
            problem
            for one in self.citations
            if one.words is not None
            for problem in one.problems
            if problem.code == MOVED.code
        }
        return [problem for problem in self.news if problem not in mended]

    def counted(self) -> str:
        """How many citations the file has and how they fare, in words."""
        codes = Counter(problem.code for one in self.citations for problem in one.problems)
        fare = [f"{count} {code.removeprefix('reference-')}" for code, count in sorted(codes.items())]
        accepted = codes.total() - len(self.news)
        ways = f"{self.old.edition.address}, in {self.new.edition.address}"
        said = f"{self.name}: {several(len(self.citations), 'citation')} of {ways}"
        return f"{said}; {', '.join(fare) or 'all as they were'}" + (
            f"; {accepted} accepted" if self.text and accepted else ""
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """Its citations for programs: place, the number then and now, what is told; or why it has none."""
        for one in self.citations:
            assert self.text
            was, now = one.heir.one.number, one.heir.number
            row = {"file": self.name, "start": one.start, "end": one.end}
            row |= {"text": self.text.file.text[one.start : one.end]}
            row |= {"was": was and was.key, "target": now and now.key}
            row |= {"fix": one.words} if one.words is not None else {}
            yield row | {"problems": [*map(_object, one.problems)]}
        if not self.text:
            yield {"file": self.name, "problems": [*map(_object, self.news)]}


def _object(problem: Problem) -> dict[str, str]:
    return {"code": problem.code, "message": problem.message}


class OutsideFiles:
    """Files that cite a book, and their lock in a folder. `written_for`: the edition that they cite."""

    def __init__(self, examined: Examined, book: str, written_for: str, folder: Path) -> None:
        self.shelf = examined.shelf
        book = book or written_for.partition("/")[0]
        named = written_for if "/" in written_for else f"{book.partition('/')[0]}/{written_for}"
        self.old, self.new = examined.outline(named), examined.outline(book)
        self.line = line_of(self.new, self.shelf.outlines)
        if self.old not in self.line:
            raise Refusal(f"{named} and {self.new.edition.address} are no editions of one book")
        self.lock = OutsideLock(folder / NAME, Meanings(self.shelf))
        self._rewriters: dict[str, Rewriter] = {}

    def _rewriter(self, old: Outline) -> Rewriter:
        address = old.edition.address
        if address not in self._rewriters:
            self._rewriters[address] = Rewriter(self.shelf, old, self.new)
        return self._rewriters[address]

    def look(self, name: str) -> Looked:
        """Read a file, or standard input, and find what becomes of its citations."""
        data, problem = read(name)
        text = problem or foreign(name, data)
        if isinstance(text, Problem):
            return Looked(name, None, self.old, self.new, (), (text,))
        noted = self.shelf.outlines.get(self.lock.edition_of(name, data))
        old = max(self.old, noted, key=self.line.index) if noted in self.line and noted else self.old
        left = [*self._left_in(text)]
        taken = {at for one in left for at in range(one.start, one.end)}
        found = self._rewriter(old).citations(text.file, text.prose)
        citations = [*left, *(one for one in found if taken.isdisjoint(range(one.start, one.end)))]
        citations.sort(key=lambda one: one.start)
        return Looked(name, text, old, self.new, citations, [*self.lock.news(name, citations)])

    def _left_in(self, text: Foreign) -> Iterator[Outside]:
        """The citations of a file that `--fix` left, told again as those of their own edition."""
        left = self.lock.left_in(text.file.name, text.data)
        lines = Lines(text.file.text) if left else None
        for spot, (key, address) in left.items():
            where, was = lines and lines.find(spot), self.shelf.outlines.get(address)
            number = was.edition.dialect.parse(key, was.home) if was else None
            if not where or not was or not number:
                continue
            entry, found = was.entries.get(key), Found(*where, number, Cue.WORD)
            fault = None if entry else NOT_FOUND
            (heir,) = self._rewriter(was).heirs.all_of(
                [Resolved(found, entry, number, (), fault, f"no rule {key}")]
            )
            place = text.file.place(where[0])
            problems = [kind.at(place, f"{said}; write it by hand", key) for kind, said in heir.told]
            yield Outside(*where, heir, problems)

    def accept(self, every: Iterable[Looked]) -> int:
        """Note in the lock all that is told of the files; give how much that is."""
        count = sum(self.lock.accept(one.name, one.citations) for one in every)
        self.lock.save()
        return count

    def fix(self, every: Iterable[Looked]) -> Iterator[str]:
        """Write the new numbers into the files, all or none. Say what was written.

        Raises Busy where a file is another than it was, Refusal where its encoding lacks a sign.
        """
        made: dict[str, bytes] = {}
        texts = [(one, one.text) for one in every if one.text]
        for one, text in texts:
            edits = [Edit(*each[:2], each.words) for each in one.citations if each.words is not None]
            written = applied(text.file.text, edits)
            try:
                made[one.name] = text.bytes_of(written)
            except UnicodeEncodeError:
                raise Refusal(f"{one.name} lacks a sign in its encoding; save it as UTF-8") from None
            addresses = one.old.edition.address, self.new.edition.address
            self.lock.rewritten(one.name, text.data, *addresses, self._left(one, text, written))
        for one, text in texts:
            if Path(one.name).read_bytes() != text.data:
                raise Busy((), f"{one.name} has been changed meanwhile; nothing was written, try again")
        # First the lock: if a kill comes between, a file that is not written yet is known by its bytes.
        self.lock.save()
        for one, text in texts:
            if made[one.name] != text.data:
                disk.write(Path(one.name), made[one.name])
            for each in (each for each in one.citations if each.words is not None and each.heir.number):
                was = text.file.text[each.start : each.end]
                yield f"{text.file.place(each.start)}: {was} is {each.words} now"

    def _left(self, looked: Looked, text: Foreign, written: str) -> dict[Spot, tuple[str, str]]:
        """The citations that are still of an earlier edition in what was written, since they have no heir."""
        before, after, ahead = Lines(text.file.text), Lines(written), 0
        found: dict[Spot, tuple[str, str]] = {}
        noted = self.lock.left_in(looked.name, text.data)
        for one in looked.citations:
            start, end = one.start + ahead, one.end + ahead
            if one.words is not None:
                end += len(one.words) - (one.end - one.start)
                ahead += len(one.words) - (one.end - one.start)
            was, now = one.heir.one.number, one.heir.number
            if was and one.problems and (now is None or (one.words is None and now.key != was.key)):
                own = was.key, looked.old.edition.address
                found[after.spot(start, end)] = noted.get(before.spot(one.start, one.end), own)
        return found
