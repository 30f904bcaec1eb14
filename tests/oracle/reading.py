"""The oracle: a second reader of rule numbers, slow and simple, that shares nothing with the first.

It knows the rules of a book and every way in which each could be written, whole or cut short. A run of
numbers ("12.5c, d and 12.8-.10") is read by trying everything: at each place every rule whose number, or the
end of whose number, is there. Of all ways to read the run from end to end it takes the best:

1. A whole number is read whole, if the book has it. Where both ends of a range read as whole numbers, that
   is the range: 8.2-8.3 is never 8.2 to 8.8.3. A whole range that runs backwards is a problem.
2. A shortened number shares its beginning with the number before it. The deepest level is tried first:
   after 1.3.2 a .4 is 1.3.4 if there is such a rule, and 1.4 only if there is not. A number that leaves
   out its chapter lies in the section of the number before it, 1.3 after D1.24, or else may lie in the
   chapter of that number as well as in that of its text.
3. A reading that goes nowhere or backwards never beats one that goes forward.
4. The label of a whole chapter by itself, 12 for 12.0, is tried after a chapter, and elsewhere last.
5. Two readings that fit equally are a problem, never a guess. So is a number that can be read in no way.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from tests.oracle.numbering import Book, Rule


class Rank(IntEnum):
    """How well a reading fits, best first."""

    WHOLE = 0
    SHORT = 1
    CHAPTER = 2
    BACKWARDS = 3
    NOWHERE = 4


class Spelt(NamedTuple):
    """One way to write a rule: `level` is the first that is written.

    `bare`: nothing but a label. `signed`: it begins with the sign before its first label.
    `implied`: it leaves its chapter out.
    """

    rule: Rule
    level: int
    signed: bool = True
    bare: bool = False
    implied: bool = False


class Meant(NamedTuple):
    """What a number of a run means: a rule, or no rule at all. `through`: it ends a range."""

    rule: Rule | None
    through: bool
    rank: tuple[int, int]
    spelt: Spelt | None = None
    start: int = 0
    end: int = 0


class Reader:
    """Reads runs of numbers of one book by trying everything."""

    def __init__(self, book: Book) -> None:
        self.book = book
        words = "|".join(map(re.escape, book.joins))
        through = "|".join(map(re.escape, book.through))
        self.joins = [
            (re.compile(rf"(?:,?\s+(?:{words})\s+|\s*[,;/&]\s*)(?:-(?=\.))?"), False),
            (re.compile(rf"\s*(?:--|[-‑–—])\s*|\s+(?:{through})\s+"), True),
        ]

    @cached_property
    def spelt(self) -> dict[str, list[Spelt]]:
        """Everything that could stand for a rule, with all rules that it could stand for."""
        found: defaultdict[str, list[Spelt]] = defaultdict(list)
        for rule in self.book.rules:
            for text, spelt in self.spellings(rule):
                if spelt not in found[text]:
                    found[text].append(spelt)
        return found

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules of the book that can be cited."""
        return [rule for rule in self.book.rules if any(self.spellings(rule))]

    @cached_property
    def longest(self) -> int:
        return max(map(len, self.spelt))

    def spellings(self, rule: Rule) -> Iterator[tuple[str, Spelt]]:
        """Every way to write a rule."""
        book, labels = self.book, rule.labels
        if len(labels) == 1 and (forms := book.chapter_forms(rule.form)):
            for before, after in forms:
                yield f"{before}{labels[0]}{after}", Spelt(rule, 0, bare=not before and after in ("", "."))
            return
        for form in range(len(book.levels)):
            if book.same(form) == rule.form and len(labels) > 1:
                whole = book.tail(form, labels, 0)
                yield whole, Spelt(rule, 0, bare=whole.isdigit())
                if labels[0] == book.home and form == 0:
                    yield book.tail(form, labels, 1), Spelt(rule, 0, bare=len(labels) == 2, implied=True)
                for level in range(len(labels)):
                    if level:
                        yield book.tail(form, labels, level), Spelt(rule, level)
                    if book.levels[form][level].before.strip("( "):
                        yield book.tail(form, labels, level, False), Spelt(rule, level, False)

    def loose(self, word: str) -> Meant:
        """A number not written as the book writes its own: the rule with these labels, if it is one."""
        alike = [rule for rule in self.book.rules if labels_in(rule.key) == labels_in(word)]
        return Meant(alike[0] if len(alike) == 1 else None, False, (Rank.WHOLE, 0), start=0, end=len(word))

    def chain(self, words: str) -> Meant:
        """A number with its levels in words: section 6, case 2."""
        labels = re.findall(r"(?:^|\s)(\w{1,3})\b", words)
        alike = [rule for rule in self.book.rules if list(rule.labels) == labels]
        return Meant(alike[0] if alike else None, False, (Rank.WHOLE, 0), start=0, end=len(words))

    def level(self, label: str, chapter: str) -> Meant:
        """A label after the word for the second level: it is in the chapter of the text.

        People say section of whole chapters too. Where both fit, nobody can tell.
        """
        has_chapter = any(rule.labels == (label,) for rule in self.book.rules)
        unclear = self.book.chain[1] == "section" and has_chapter
        return self.chain("" if unclear else f"{chapter} {label}")

    def read(self, run: str) -> list[Meant]:
        """The numbers of a run and what each means: those of the best reading of all of it."""
        readings = list(self._readings(run, 0, []))
        best = min(readings, key=_ranks, default=[])
        # Of readings that cut the run alike, what comes later does not tell which is meant.
        alike = [one for one in readings if [m.end for m in one] == [m.end for m in best]]
        meanings: list[Meant] = []
        for at, one in enumerate(best):
            alike = [other for other in alike if other[at].rank == one.rank]
            agreed = all(other[at].rule == one.rule for other in alike)
            meanings.append(one if agreed and one.rank[0] != Rank.NOWHERE else one._replace(rule=None))
        return meanings

    def _readings(
        self, run: str, at: int, so_far: list[Meant], through: bool = False
    ) -> Iterator[list[Meant]]:
        """Every way to read a run from a position, after the part already read."""
        at = quiet(run, at)
        for start, end, one in self._here(run, at, so_far, through):
            reading = [*so_far, one._replace(start=start, end=end)]
            on = quiet(run, end)
            if on == len(run):
                yield reading
            for join, is_range in self.joins:
                if m := join.match(run, on):
                    yield from self._readings(run, m.end(), reading, is_range)

    def _here(
        self, run: str, at: int, so_far: list[Meant], through: bool
    ) -> Iterator[tuple[int, int, Meant]]:
        """Every number that may stand at a spot; one that is no rule's where nothing else may."""
        nothing = True
        for end in range(min(len(run), at + self.longest), at, -1):
            if run[end : end + 1].isalnum() and run[end - 1 : end].isalnum():
                continue
            for spelt in self.spelt.get(run[at:end], ()):
                if rank := self._rank(spelt, so_far, through):
                    nothing = False
                    rule = None if rank[0] == Rank.BACKWARDS and through else spelt.rule
                    yield at, end, Meant(rule, through, rank, spelt)
        if nothing:
            stops = [m.start() for join, _ in self.joins for m in join.finditer(run, at + 1)]
            for end in {*stops, len(run)}:
                yield at, end, Meant(None, through, (Rank.NOWHERE, end))

    def _rank(self, spelt: Spelt, so_far: list[Meant], through: bool) -> tuple[int, int] | None:
        """How well a spelling fits after the part already read; None if it does not fit."""
        if not so_far:
            whole = spelt.level == 0 and spelt.signed
            return (Rank.WHOLE, 0) if whole else None
        last = so_far[-1].spelt
        rule = spelt.rule
        forward = last is None or rule.at > last.rule.at
        if spelt.level == 0 and spelt.signed:
            if spelt.bare and not (last and last.bare):
                return (Rank.CHAPTER if forward else Rank.BACKWARDS, 0)
            if spelt.implied and last and last.rule.labels[0] != self.book.home:
                return (Rank.SHORT if forward or not through else Rank.BACKWARDS, -1)
            return (Rank.WHOLE, 0)
        left_out = self.book.home != "" and rule.form == 0 and spelt.level == 1 and not through
        if last is None or (rule.form != last.rule.form and not left_out):
            return None
        if not last.rule.labels[spelt.level :] and not left_out:
            return None
        if rule.labels[: spelt.level] != last.rule.labels[: spelt.level]:
            return None
        if left_out:
            return (Rank.SHORT, -2 if rule.labels[:2] == last.rule.labels[:2] else -1)
        return (Rank.SHORT if forward else Rank.BACKWARDS, -spelt.level)


def _ranks(reading: Sequence[Meant]) -> list[tuple[int, int]]:
    return [one.rank for one in reading]


def labels_in(text: str) -> list[str]:
    """The labels in a number, without the characters between them, in lower case."""
    return [label.lower() for label in re.findall(r"[0-9]+|[^\W\d_]+", text)]


def quiet(run: str, at: int) -> int:
    """Where the signs end that stand around a number and say nothing."""
    while run[at : at + 1] and run[at] in '*“”"[]':
        at += 1
    return at


def is_backwards(reading: Sequence[Meant], at: int) -> bool:
    """Whether a range of a reading ends before or where it begins."""
    one, before = reading[at], reading[at - 1] if at else None
    return bool(one.through and one.rule and before and before.rule and one.rule.at <= before.rule.at)
