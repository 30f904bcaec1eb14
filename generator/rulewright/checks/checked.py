"""Findings of a check, and the contents that they hold for: nothing here reads a book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from rulewright.model.reports import several
from rulewright.source.folder import ELSEWHERE, Folder, stands_in
from rulewright.source.problems import Problem, Severity, did_you_mean
from rulewright.source.refusal import Refusal, Unsound
from rulewright.source.store import key, program

if TYPE_CHECKING:
    from rulewright.citations.page_links import PageLink
    from rulewright.model.rulebook import Excuse


@dataclass(frozen=True)
class Count:
    """How much there is of an edition."""

    rules: int
    steps: int
    references: int


@dataclass(frozen=True)
class Checked:
    """Findings of a check: `problems` in order, the excused ones apart.

    `counts`: of each edition by its address; `pages`: how many references each ordinary page has, by the name
    of its file; `new`: how many references the locks do not know yet; `faulty`: the names of files with an
    error that has to do with reading them; `links`: those of ordinary pages;
    `offered`: the files that the site makes of the editions, with the numbers that may be their anchors.
    """

    problems: tuple[Problem, ...] = ()
    excused: tuple[tuple[Problem, Excuse], ...] = ()
    counts: Mapping[str, Count] = field(default_factory=dict)
    pages: Mapping[str, int] = field(default_factory=dict)
    new: int = 0
    faulty: frozenset[str] = frozenset()
    links: tuple[PageLink, ...] = ()
    offered: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def references(self) -> int:
        """How many references were checked."""
        return sum(count.references for count in self.counts.values()) + sum(self.pages.values())

    @property
    def addresses(self) -> list[str]:
        """The addresses of all books and editions."""
        return [*dict.fromkeys(address.rpartition("/")[0] for address in self.counts), *self.counts]

    def problems_in(self, *files: str) -> list[Problem]:
        """The problems of files, or of folders, whose names end in a slash."""
        folders = tuple(name for name in files if name.endswith("/"))
        return [p for p in self.problems if p.place.file in files or p.place.file.startswith(folders)]

    def demand(self, problems: Iterable[Problem], left: str) -> None:
        """Raise Unsound, saying what is left undone, where one of the problems is an error."""
        if wrong := [problem for problem in problems if problem.severity is Severity.ERROR]:
            raise Unsound(wrong, left)

    def no_book(self, address: str) -> Refusal:
        """Says that there is no such book, and names the nearest."""
        return Refusal(f"no book {address} here{did_you_mean(address, self.addresses)}")

    def counted(self, address: str = "") -> str:
        """How much was checked, in words: of a book, of an edition, or of everything."""
        folder = f"{address}/" if address else ""
        every = [count for one, count in self.counts.items() if f"{one}/".startswith(folder)]
        references = sum(n for name, n in self.pages.items() if name.startswith(f"content/{folder}"))
        sums = (sum(one.rules for one in every), sum(one.steps for one in every))
        references += sum(one.references for one in every)
        return ", ".join(map(several, (*sums, references), ("rule", "step", "reference")))

    def of(self, book: str) -> Self:
        """Narrow the findings to the problems of one book or edition."""
        mine = (f"content/{book}/", f"content/{book.partition('/')[0]}/rulebook.yml")
        problems = tuple(p for p in self.problems if p.place.file.startswith(mine))
        excused = tuple((p, e) for p, e in self.excused if p.place.file.startswith(mine))
        return replace(self, problems=problems, excused=excused)


class Contents:
    """The files of a content folder by parts: folders in it, and empty for what lies beside those."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.files: dict[str, list[str]] = {"": []}
        for name in (*folder.texts, *folder.others):
            inside = name.count("/") > 1 and not name.startswith(f"{ELSEWHERE}/")
            self.files.setdefault(name.split("/")[1] if inside else "", []).append(name)
        self._marks = {part: self._mark(names) for part, names in self.files.items()}
        declared = folder.texts.get(f"{ELSEWHERE}.yml", b"")
        sites = [one for pair in sorted(folder.inventories.items()) for one in pair]
        faults = map(repr, folder.problems)
        beside = sorted(self.files[""])
        self.base = key(
            program(), folder.day, *sorted(self.files), "", *beside, "", declared, *sites, *faults
        )
        """The hash of what every part depends on: the program, which parts there are, other sites."""

    def marks(self, parts: Iterable[str]) -> Iterator[str]:
        """Some parts, each with the hash of its files."""
        return (one for part in parts for one in (part, self._marks[part]))

    def beside(self, part: str) -> list[str]:
        """The files of a part that are not read as text: pictures above all."""
        return [name for name in self.files[part] if name not in self.folder.texts]

    def beside_chapters(self, part: str) -> str:
        """The hash of all files of a part but its chapters, and of what every part depends on."""
        return key(self.base, self._mark(name for name in self.files[part] if not stands_in("rules", name)))

    def _mark(self, names: Iterable[str]) -> str:
        texts = self.folder.texts
        return key(*(one for name in sorted(names) for one in (name, texts.get(name, b"\0"))))


def failing(problems: Iterable[Problem]) -> list[Problem]:
    """The problems for which a check or a build fails."""
    return [problem for problem in problems if problem.fails]
