"""The content in parts: after an edit only what it reaches is read and checked again.

    Folder ──► parts ──key──► store, or ──examine──► Part ──together──► Checked

A part is a folder in the content folder, a book above all, or what lies beside those. It is examined with all
that it needs: whole parts (a series, what shares a lock with it), and others for their face alone, what marks
lead into: numbers, titles and what replaced them. Which these are is found while it is examined, and its
result is kept by the contents of all of them. What depends on more, such as a mark that names no book there
is, is examined with everything. The problems are the same as those of everything examined at once; links of
pages are looked at when all parts are together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rulewright.book.amending import amended
from rulewright.book.elsewhere import DECLARED
from rulewright.book.filing import Cache
from rulewright.book.library import Library, read_library
from rulewright.book.outline import Outline, arrange
from rulewright.book.series import NO_SERIES
from rulewright.checks.checked import Checked, Contents
from rulewright.checks.citing import NO_EDITION
from rulewright.checks.dead_links import dead_links
from rulewright.checks.examine import Around, Examined, examine_folder
from rulewright.citations.resolving import BOOK_NOT_FOUND, MOST_TOLD
from rulewright.source.filenames import folded
from rulewright.source.folder import LOCK, Folder
from rulewright.source.problems import KINDS, Problem, in_order
from rulewright.source.processes import share_out
from rulewright.source.store import Store, key

_OF_ALL = {BOOK_NOT_FOUND.code, NO_SERIES.code, NO_EDITION.code}
"""Problems that are told, or not, by what other books there are."""


@dataclass(frozen=True)
class Part:
    """One part as it was examined: with the parts `whole`, itself among them, and the faces of those `lent`.

    `seen`: the marks of the problems that were found in the others of `whole`; `told`: for how many numbers
    of each edition it was said that there is no such rule; `face`: the mark of its own face.
    """

    whole: tuple[str, ...]
    lent: tuple[str, ...]
    checked: Checked
    seen: Mapping[str, str]
    told: Mapping[str, int]
    face: str


Then = Callable[[Examined, str], Any]
"""Work on a part that was just examined, with a result such as pickle takes."""


class Parts:
    """The parts of a content folder. `cache`, kept from one to the next, saves reading unchanged files.

    `then`: what is done with a part that is examined by itself, while its outlines are at hand.
    """

    def __init__(
        self, contents: Contents, store: Store, cache: Cache | None = None, then: Then | None = None
    ) -> None:
        self.contents, self.store, self._then = contents, store, then
        self._done: dict[str, Any] = {}
        self._last: tuple[set[str], Examined] | None = None
        self.folder, self._files = contents.folder, contents.files
        self._base = key(contents.base, *sorted(KINDS))  # which an excuse may name
        self._cache: Cache = {} if cache is None else cache

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parts: folders in the content folder, and empty for what lies beside those."""
        return tuple(self._files)

    def checked(self) -> Checked:
        """All that a check finds, in each part."""
        every = [self._made[part].checked for part in self.names]
        problems = [problem for one in every for problem in one.problems]
        problems += dead_links(self.folder, every, problems)
        return Checked(
            tuple(in_order(problems)),
            tuple(sorted((pair for one in every for pair in one.excused), key=lambda pair: pair[0])),
            {address: count for one in every for address, count in one.counts.items()},
            {name: count for one in every for name, count in one.pages.items()},
            sum(one.new for one in every),
            frozenset[str]().union(*(one.faulty for one in every)),
        )

    def needs(self, part: str) -> frozenset[str]:
        """The parts that examining one reads, itself included."""
        return frozenset((*self._made[part].whole, *self._made[part].lent))

    def around(self, part: str) -> frozenset[str]:
        """A part, the books that cite it, and all that any of them needs."""
        found, more = set[str](), {part, *(one for one in self._citing if part in self.needs(one))}
        while more - found:
            found |= more
            more = {need for one in found for need in self.needs(one)}
        return frozenset(found)

    def reached(self, part: str) -> Folder:
        """The content that a change of a part may touch: its own, what cites it and what those need."""
        return self._subset(self.around(part)) if part in self._files else self.folder

    def done(self, part: str) -> Any:
        """Result of the work on a part when it was examined; None unless all around it was at hand."""
        return self._done.get(part) if part not in self._citing or self.around(part) == {part} else None

    def size(self, part: str) -> int:
        """How many bytes of text a part has."""
        return sum(len(self.folder.texts.get(name, b"")) for name in self._files[part])

    def key(self, part: str) -> str:
        """The hash of all that the problems and the outlines of a part depend on."""
        made = self._made[part]
        faces = (self._made[name].face for name in made.lent)
        return self._key(part, made.whole, made.lent, faces)

    def examined(self, parts: Iterable[str]) -> Examined:
        """Some parts with all that they need, examined for whoever works on their outlines.

        What was examined the last time is given again where it holds these.
        """
        wanted, more = set[str](), set(parts)
        while more - wanted:
            wanted |= more
            more = {need for part in wanted for need in self.needs(part)}
        if self._last is None or not wanted <= self._last[0]:
            around = Around(set(self.names) - wanted)
            self._last = wanted, examine_folder(self._subset(wanted), None, self._cache, around)
        return self._last[1]

    # -- what is there already

    def _key(self, part: str, whole: Iterable[str], lent: Iterable[str], faces: Iterable[str]) -> str:
        return key(self._base, "part", part, *self.contents.marks(whole), "", *lent, "", *faces)

    @cached_property
    def _made(self) -> dict[str, Part]:
        """Every part, from the store or examined."""
        if self._is_one or (made := self._each()) is None:
            examined = examine_folder(self.folder, None, self._cache)
            made = {part: self._part(part, {*self.names}, set(), examined) for part in self.names}
        return made

    def _each(self) -> dict[str, Part] | None:
        """Every part by itself; None where that is not the same as all at once."""
        needs: dict[str, Needs] = {}
        faces: dict[str, str] = {}
        for part in self.names:
            known = self.store.load(key(self._base, "needs", *self.contents.marks([part])))
            if isinstance(known, tuple) and self._linked(known[0]) <= {*known[0]}:
                needs[part] = known
                face = self.store.get(key(self._base, "face", *self.contents.marks([part, *known[0]])))
                faces |= {part: face.decode()} if face else {}
        made: dict[str, Part] = {}
        wider: dict[str, set[str]] = {part: {part} for part in self.names}
        todo = [part for part in self.names if part not in faces]
        while True:
            for part, one, done in self._examine(todo, wider):
                made[part], faces[part], self._done[part] = one, one.face, done
                needs[part] = one.whole, one.lent
            for part in todo:
                self._keep(part, made[part], faces)
            todo = []
            for part in self.names:
                if part not in made:
                    whole, lent = needs[part]
                    one = self.store.load(self._key(part, whole, lent, [faces[name] for name in lent]))
                    if isinstance(one, Part):
                        made[part] = one
                    else:
                        todo.append(part)
            if todo:
                continue
            if self._too_much(made):
                return None
            for part, by in _disputed(made):
                wider[part] |= {*made[part].whole, by}
            todo = [part for part, whole in wider.items() if not whole <= {*made[part].whole}]
            if not todo:
                return made

    def _keep(self, part: str, one: Part, faces: Mapping[str, str]) -> None:
        self.store.keep(key(self._base, "needs", *self.contents.marks([part])), (one.whole, one.lent))
        self.store.put(key(self._base, "face", *self.contents.marks([part, *one.whole])), one.face.encode())
        self.store.keep(self._key(part, one.whole, one.lent, [faces[name] for name in one.lent]), one)

    def _too_much(self, made: Mapping[str, Part]) -> bool:
        """Whether a bound on all books is met, which no part can tell by itself."""
        told = Counter[str]()
        for one in made.values():
            told.update(one.told)
        return any(count >= MOST_TOLD for count in told.values())

    # -- examining

    @cached_property
    def _is_one(self) -> bool:
        """Whether names of parts are taken for the same by some system, or by a mark that means a site."""
        firsts = {name.split("/")[1] for names in self._files.values() for name in names}
        sites = read_library(self._subset(()), self._cache).sites
        return len({*map(folded, firsts)}) < len(firsts) or not sites.keys().isdisjoint(self.names)

    def _subset(self, parts: Collection[str]) -> Folder:
        names = {DECLARED, *(name for part in parts for name in self._files[part])}
        texts = {name: data for name, data in self.folder.texts.items() if name in names}
        others = [name for name in self.folder.others if name in names]
        problems = [one for one in self.folder.problems if self._part_of(one) in parts]
        return replace(self.folder, texts=texts, others=others, problems=problems)

    def _part_of(self, problem: Problem) -> str:
        first = f"{problem.place.file}/".split("/")[1]
        return first if first in self._files else ""

    def _examine(self, parts: list[str], wider: Mapping[str, set[str]]) -> Iterator[tuple[str, Part, Any]]:
        """Examine these, the largest first, on all processors where there is enough to do.

        Those that begin with the same are examined at once.
        """
        sharing: dict[frozenset[str], list[str]] = {}
        for part in parts:
            sharing.setdefault(frozenset(self._linked(wider[part])), []).append(part)
        sizes = {one: sum(map(self.size, one)) for one in sharing}
        wholes = sorted(sharing, key=lambda one: -sizes[one])

        def work(at: int) -> list[tuple[str, Part, Any]]:
            return self._by_themselves(sharing[wholes[at]], wholes[at])

        beside = sum(sizes.values()) - max(sizes.values(), default=0)
        for _, made in share_out(work, len(wholes), beside):
            yield from made

    def _by_themselves(
        self, parts: Iterable[str], with_these: Collection[str]
    ) -> list[tuple[str, Part, Any]]:
        """Examine parts, again with more as long as it turns out that they need more."""
        whole, lent = {*with_these}, set[str]()
        while True:
            library = self._lend(lent)
            books = (arrange(one) for one in library.editions.values() if _book_of(one.address) not in whole)
            left_out = {*self.names} - whole
            around = Around(left_out, {one.edition.address: one for one in books})
            examined = examine_folder(self._subset(whole), None, self._cache, around)
            reached = {*examined.shelf.reached, *examined.printed.shelf.reached}
            more = self._extended(examined.library) | self._led_over(examined)
            locked = any(name.endswith(f"/{LOCK}") for one in whole for name in self._files[one])
            if locked or library.faulty or examined.library.faulty:
                more |= reached
            if more <= whole and reached <= whole | lent:
                told = [*examined.problems, *(one for one, _ in examined.excused)]
                told += [one for page in examined.manuscripts for one in page.problems]
                files = {one.place.file for one in told if one.code in _OF_ALL}
                if not files or not left_out:
                    lent -= whole
                    return [
                        (part, self._part(part, whole, lent, examined), self._do(part, whole, lent, examined))
                        for part in parts
                    ]
                texts = [self.folder.texts.get(name, b"") for name in files]
                named = {one for one in left_out if one and any(one.encode() in text for text in texts)}
                more |= named or left_out
            whole = self._linked(whole | more)
            lent = (lent | reached) - whole

    def _do(self, part: str, whole: Collection[str], lent: Collection[str], examined: Examined) -> Any:
        """Do what is then done with a part that was examined alone, unless a game extends it."""
        alone = {*whole} == {part} and not (part in self._citing and (lent or part in self._extended_ones))
        return self._then(examined, part) if self._then and alone else None

    @cached_property
    def _citing(self) -> set[str]:
        """The parts that can have editions: what lies beside the books cites, and is told by none of them."""
        return {
            part
            for part, names in self._files.items()
            if part and not all(name.endswith(".md") for name in names)
        }

    @cached_property
    def _extended_ones(self) -> set[str]:
        """The parts that others seem to extend: a guess, to do nothing in vain."""
        texts = self.folder.texts
        editions = {name: texts[name] for name in texts if name.endswith("/edition.yml")}
        return {
            part
            for part in self.names
            for name, data in editions.items()
            if f"{part}/".encode() in data and not name.startswith(f"content/{part}/")
        }

    def _part(self, part: str, whole: Collection[str], lent: Collection[str], examined: Examined) -> Part:
        of = {name: self._of(examined, name) for name in whole}
        told = {address: len(said) for address, said in examined.shelf.told.items()}
        own = of.pop(part)
        seen = {name: _mark(checked) for name, checked in of.items()}
        face = _face(one for a, one in examined.shelf.outlines.items() if _book_of(a) == part)
        return Part(tuple(sorted(whole)), tuple(sorted(lent)), own, seen, told, face)

    def _of(self, examined: Examined, part: str) -> Checked:
        """Select the findings in one part."""
        return Checked(
            tuple(one for one in examined.problems if self._part_of(one) == part),
            tuple((one, why) for one, why in examined.excused if self._part_of(one) == part),
            {address: count for address, count in examined.counts.items() if _book_of(address) == part},
            {name: count for name, count in examined.pages.items() if name in self._names[part]},
            sum(count for home, count in examined.drift.new.items() if _book_of(home) == part),
            frozenset(examined.faulty & self._names[part]),
            tuple(link for link in examined.links if link.page in self._names[part]),
            {path: anchors for path, anchors in examined.offered.items() if _book_of(path) == part},
        )

    @cached_property
    def _names(self) -> dict[str, set[str]]:
        return {part: set(names) for part, names in self._files.items()}

    # -- what a part needs

    def _lend(self, lent: Collection[str]) -> Library:
        """The books of some parts, with the series that they stand on."""
        more = {*lent}
        while True:
            parts, library = more, amended(read_library(self._subset(more), self._cache))[0]
            more = parts | self._extended(library)
            if more == parts:
                return library

    def _extended(self, library: Library) -> set[str]:
        """The parts that hold what games extend, where that was left out."""
        lacks = {_book_of(one.about) for one in library.problems if one.code == NO_SERIES.code}
        return lacks & {*self.names}

    def _led_over(self, examined: Examined) -> set[str]:
        """The parts with whose pages old addresses may clash."""
        listed = [one.edition.redirects for one in examined.shelf.outlines.values() if one.edition.redirects]
        firsts = {
            folded(one.source.strip("/").partition("/")[0]) for each in listed for one in each.redirects
        }
        beside = {folded(name.split("/")[1]) for name in self._files[""]}
        beside |= {first.removesuffix(".md") for first in beside}
        found = {part for part in self.names if part and folded(part) in firsts}
        return found | ({""} if firsts & beside else set())

    @cached_property
    def _links(self) -> dict[str, set[str]]:
        """The parts that hold for each other: where locks remember the same books, and lists of redirects."""
        links: dict[str, set[str]] = {}
        listing = {
            part for part, names in self._files.items() if any(n.endswith("/redirects.yml") for n in names)
        }
        for part in listing:
            links.setdefault(part, set()).update(listing)
        for part, names in self._files.items():
            for data in (self.folder.texts.get(name, b"") for name in names if name.endswith(f"/{LOCK}")):
                for other in self.names:
                    if other and f"{other}/".encode() in data:
                        links.setdefault(part, set()).add(other)
                        links.setdefault(other, set()).add(part)
        return links

    def _linked(self, parts: Collection[str]) -> set[str]:
        """Some parts with all that hold for each other."""
        found, more = set[str](), {*parts}
        while more:
            found |= more
            more = {other for part in more for other in self._links.get(part, ())} - found
        return found


Needs = tuple[tuple[str, ...], tuple[str, ...]]
"""The parts that one is examined with: those that are whole, and those of which it has the faces."""


def _book_of(address: str) -> str:
    return address.partition("/")[0]


def _disputed(made: Mapping[str, Part]) -> Iterator[tuple[str, str]]:
    """Parts with another that finds more or less in them than they do, without having seen it."""
    for part, one in made.items():
        for other, mark in one.seen.items():
            if part not in made[other].whole and mark != _mark(made[other].checked):
                yield other, part


def _mark(checked: Checked) -> str:
    excused = (words for one, why in checked.excused for words in (repr(one), why.because))
    return key(*map(repr, checked.problems), "", *excused)


def _face(outlines: Iterable[Outline]) -> str:
    """The mark of what marks into some editions depend on: how they number rules, and all their numbers."""
    seen: list[str] = []
    for outline in outlines:
        seen += ["", outline.edition.address, outline.home]
        for one in outline.edition.around:
            seen += [one.address, one.book.title.file.text, one.file.edition.file.text]
        for entry in outline.in_order:
            says = entry.retired
            gone = (says.retired or "", *says.replaced_by) if says else ()
            held = f"{entry.transcribed} {bool(entry.children)}"
            seen += [entry.key, entry.printed, entry.title or "", held, *gone]
        seen += [words for old, entry in outline.former.items() for words in (old, entry.key)]
    return key(*seen)
