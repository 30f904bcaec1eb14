"""Snapshots of the content: its pages and addresses at one time, and what stands at each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rulewright.book.filing import Cache
from rulewright.book.outline import Entry
from rulewright.book.remarks import Remark
from rulewright.book.sequence import StepEntry
from rulewright.book.sheet import Sheet
from rulewright.book.tables import Source, TableEntry
from rulewright.checks.examine import Examined, examine_folder
from rulewright.citations import addresses, manuscript
from rulewright.citations.glossary import TermEntry
from rulewright.citations.redirects import Moved, anchors_of
from rulewright.model.aid import Aid
from rulewright.model.erratum import Erratum
from rulewright.print.press.orders import ReadFile
from rulewright.print.press.printed_sheets import FOLDER as PRINTED
from rulewright.site import pages, redirect_pages
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages import Leaf
from rulewright.source.folder import CONTENT, Folder
from rulewright.source.problems import Place

Thing = Source | TermEntry

_PAGE = "index.html"


class Shown(NamedTuple):
    """A page as readers see it. `looks`: all that is seen of it, `html` where it is made here."""

    title: str
    place: Place | None
    looks: object
    html: str = ""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The content as it was read. `pages` by address, `prose` are Markdown pages by file, as they are shown.

    `files`: what else the site has, `read` gives the bytes of a file of the content.
    """

    folder: Folder
    examined: Examined
    desk: Desk = field(repr=False)
    pages: Mapping[str, Page]
    files: Mapping[str, str | bytes]
    read: ReadFile

    @cached_property
    def prose(self) -> Mapping[str, manuscript.Linked]:
        return {one.name: manuscript.linked(one) for one in self.examined.manuscripts}

    @cached_property
    def leaves(self) -> Mapping[str, Leaf]:
        """The ordinary Markdown pages by their addresses."""
        made = (pages.leaf_of(name, data) for name, data in self.examined.library.pages.items())
        return {leaf.path: leaf for leaf in made}

    @cached_property
    def shown(self) -> Mapping[str, Shown]:
        """Every page by its address, ordinary Markdown pages behind the others."""
        found = {
            path: Shown(page.title, page.place, (page.title, page.description, page.html), page.html)
            for path, page in self.pages.items()
        }
        for path, leaf in self.leaves.items():
            found[path] = Shown(leaf.title, Place(leaf.name), self.prose[leaf.name])
        return found

    @cached_property
    def anchors(self) -> Mapping[str, frozenset[str]]:
        """The anchors of every page; those of Markdown pages are worked out when one asks."""
        return {
            path: frozenset(re.findall(r'\bid="([^"]*)"', page.html)) for path, page in self.pages.items()
        }

    @cached_property
    def moved(self) -> Mapping[str, Moved]:
        """Where the old addresses that editors list lead."""
        return {one.file.removesuffix(_PAGE).strip("/"): one for one in self.examined.moved}

    @cached_property
    def things(self) -> Mapping[tuple[str, str], Thing]:
        """Rules, steps and so on by page and anchor; by a former number the rule that had it."""
        found: dict[tuple[str, str], Thing] = {}
        for address, outline in self.desk.shelf.outlines.items():
            tables = self.desk.shelf.tables[address]
            every: list[Source] = [*outline.entries.values(), *outline.every_step(), *tables]
            every += self.desk.shelf.remarks[address]
            found |= {addresses.of(thing): thing for thing in every}
            terms = self.desk.glossaries[address].terms
            found |= {(addresses.glossary_path(address), term.anchor): term for term in terms}
            if outline.former:
                for path in self.pages:
                    if path.startswith(f"{address}/"):
                        here = self.anchors[path].intersection(outline.former)
                        found |= {(path, former): outline.former[former] for former in here}
        return {at: thing for at, thing in found.items() if at[1] in self.anchors.get(at[0], ())}

    def lives(self, page: str, anchor: str = "") -> bool:
        """Whether an address leads to what it says, by itself or from where that stood before."""
        if anchor:
            if page in self.pages:
                return anchor in self.anchors[page]
            if page in self.leaves:
                return anchor in anchors_of(self.examined.library.pages[self.leaves[page].name])
            old = self.moved.get(page)
            return old is not None and (anchor in old.anchors or self.lives(old.to.page, anchor))
        return page in self.shown or page in self.moved or f"{page}/{_PAGE}" in self.files

    @property
    def faulty(self) -> frozenset[str]:
        """The names of files of which not everything can be read."""
        return self.examined.library.faulty

    def has_files(self, address: str) -> bool:
        """Whether anything of an edition lies in its folder."""
        names = (*self.folder.texts, *self.folder.others)
        return any(name.startswith(f"{CONTENT}/{address}/") for name in names)

    @property
    def downloads(self) -> Iterator[str]:
        """The files that readers get from the site: those of tables, and what editors put beside the books.

        What only our own scripts fetch is nobody's address.
        """
        yield from (name for name in self.files if name.rpartition("/")[0].endswith("/tables"))
        for name in self.examined.library.others:
            if f"/{PRINTED}/" not in name and not name.startswith(f"{CONTENT}/elsewhere/"):
                yield name.removeprefix(f"{CONTENT}/")


def snapshot(folder: Folder, read: ReadFile, cache: Cache) -> Snapshot:
    """Make a snapshot of a content folder. `cache` saves reading files twice that are in another one too."""
    examined = examine_folder(folder, cache=cache)
    made, files, _ = pages.render(examined.shelf, examined.library)
    files |= redirect_pages.files(examined.moved, examined.shelf)
    return Snapshot(folder, examined, Desk(examined.shelf), {page.path: page for page in made}, files, read)


def place_of(thing: object) -> Place | None:
    """Where the text of something begins in its file."""
    if isinstance(thing, Entry):
        return thing.printed.place
    if isinstance(thing, StepEntry):
        return thing.step.title.place
    if isinstance(thing, TableEntry):
        return (thing.table.number or thing.table.title).place
    if isinstance(thing, TermEntry):
        return thing.words.place
    if isinstance(thing, Remark):
        part = thing.part
        return (part.number if isinstance(part, Erratum) else part.question).place
    if isinstance(thing, Sheet):
        return thing.aid.title.place
    return thing.title.place if isinstance(thing, Aid) else None
