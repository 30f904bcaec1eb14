"""Every text that holds references, and every number that names a rule where no text does.

Texts are those of rules, steps, tables, player aids, terms and pages. Numbers alone stand in redirects, in
player aids, and in what an edition says with `was:` of the one before. What a game has from its series is a
text of the series, and is none of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark
from rulewright.book.tables import Source, anchor_of, table_named
from rulewright.book.targets import chapter_of, quoted, rule_of
from rulewright.citations.manuscript import Manuscript
from rulewright.citations.overrides import said_in
from rulewright.citations.predecessor import followed, was_of
from rulewright.citations.resolving import Resolved, written_in
from rulewright.citations.shelf import Shelf
from rulewright.model.keys import marked
from rulewright.source.problems import File, Place
from rulewright.source.text import Text

TABLES = "tables#"
"""How a redirect begins that leads to a table on the page of all."""


class Passage(NamedTuple):
    """A text with its references, the edition whose numbers it holds, and the chapter it stands in.

    `owner`: what it belongs to, of a term its name. What a rule of a game says of those of its series has the
    numbers of the series. `page`: it is a whole Markdown page.
    """

    text: str
    resolved: Sequence[Resolved]
    outline: Outline | None
    chapter: str
    owner: Source | str = ""
    cued: bool = False
    page: File | None = None

    @property
    def source(self) -> Entry | None:
        """The rule of that edition that it stands in, or that it is of."""
        if isinstance(self.owner, Remark):
            return rule_of(self.owner, self.outline) if self.outline else None
        entry = self.owner if isinstance(self.owner, Entry) else getattr(self.owner, "entry", None)
        return entry if entry and self.outline and entry.edition is self.outline.edition else None

    def place(self, offset: int) -> Place:
        """Where a character of it is written."""
        if isinstance(self.text, Text):
            return self.text.place_of(offset)
        assert self.page
        return self.page.place(offset)

    @property
    def file(self) -> str:
        return self.text.file.name if isinstance(self.text, Text) else self.place(0).file

    def leads(self, one: Resolved, shelf: Shelf) -> Outline | None:
        """The edition that a reference of it leads into."""
        own = self.outline and shelf.outlines[self.outline.edition.address]
        if one.target:
            return shelf.outlines[one.target.edition.address]
        return shelf.by_mark(one.found.book, own) if one.found.book else own


def passages(shelf: Shelf, manuscripts: Sequence[Manuscript]) -> Iterator[Passage]:
    """Every text of all books and pages that holds references."""
    for address, citations in shelf.citations.items():
        outline = shelf.outlines[address]
        for said in said_in(outline, shelf):
            series = shelf.around(outline)[1]
            yield Passage(said.text, said.resolved, series, series.home, said.by, True)
        for one in citations:
            if not written_in(one.text, outline.edition):
                continue
            entry = one.source if isinstance(one.source, Entry) else getattr(one.source, "entry", None)
            chapter = entry.chapter.number.labels[0] if entry else outline.home
            if isinstance(one.source, Remark):
                chapter = chapter_of(one.source, outline)
            yield Passage(one.text, one.resolved, outline, chapter, one.source, one.cites)
        for remark in shelf.remarks[address]:
            for words in quoted(remark):
                chapter = chapter_of(remark, outline)
                yield Passage(words, shelf.resolve(words, outline, chapter), outline, chapter, remark)
    books = dict.fromkeys(address.rpartition("/")[0] for address in shelf.outlines)
    for newest in filter(None, map(shelf.named, books)):
        for name, term in newest.edition.book.terms.items():
            if not written_in(name, newest.edition):
                continue
            for text, cued in ((term.means, False), (term.see, True)):
                if text and (resolved := shelf.references(text, newest.edition)):
                    yield Passage(text, resolved, newest, newest.home, str(name), cued)
    for page in manuscripts:
        home = shelf.outlines[page.edition.address] if page.edition else None
        if page.resolved:
            file = File(page.name, page.text)
            yield Passage(page.text, page.resolved, home, home.home if home else "", page=file)


class Name(NamedTuple):
    """A text that may be the number of a rule of the edition `into`, from `start` on. `owner`: what it is in.

    `was`: it says what the owner was there.
    """

    text: Text
    start: int
    owner: str
    into: Outline
    was: bool = False


def names(outline: Outline, shelf: Shelf) -> Iterator[Name]:
    """The numbers in an edition that name a rule of it, of its series, or of the one it follows."""
    edition = outline.edition
    for redirect in edition.redirects.redirects if edition.redirects else ():
        for anchor, text in (("", redirect.to), *redirect.anchors.items()):
            start = len(TABLES) if text.startswith(TABLES) else 0
            yield Name(text, start, f"redirect {redirect.source}{anchor and '#'}{anchor}", outline)
    for sheet in shelf.sheets[edition.address]:
        for text, f in marked(sheet.aid, "names"):
            into = None
            if f.metadata["names"] == "table":
                into = _numbered(text, outline, shelf)
            elif f.metadata["names"] == "activity" and not outline.called(text):
                into = next((one for one in shelf.around(outline) if one.find(text)), outline)
            if into:
                yield Name(text, 0, f"aid {sheet.name}", into)
    for erratum in edition.errata.errata if edition.errata else ():
        if erratum.table and _numbered(erratum.table, outline, shelf) is outline:
            yield Name(erratum.table, 0, str(erratum), outline)
    if before := followed(outline, shelf.outlines):
        for entry, texts in was_of(outline):
            yield from (Name(text, 0, f"rule {entry.key}", before, was=True) for text in texts)
        for table in edition.tables:
            if table.was:
                yield Name(table.was, 0, f"table {anchor_of(table, outline)}", before, was=True)


def _numbered(name: str, outline: Outline, shelf: Shelf) -> Outline | None:
    """The edition in which a player aid means a table by its number, the game before its series."""
    for one in shelf.around(outline):
        entry = one.find(name, one.home)
        # An id or a title that looks like a number is none: only tables that have a number are meant by it.
        if entry and entry.key in {anchor_of(table, one) for table in one.edition.tables if table.number}:
            return one
        if one.find(name) or table_named(shelf.tables[one.edition.address], name):
            return None
    return None
