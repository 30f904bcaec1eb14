"""Every text of all books and pages that holds references, with what is needed to read it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.citations import Resolved, Shelf
from generator.manuscript import Manuscript
from generator.meaning import written_in
from generator.outline import Entry, Outline
from generator.overrides import said_in
from generator.problems import File, Place
from generator.source import Text


class Passage(NamedTuple):
    """A text with its references, the edition it belongs to, and the chapter it stands in.

    `page`: it is a whole Markdown page.
    """

    text: str
    resolved: Sequence[Resolved]
    outline: Outline | None
    chapter: str
    source: Entry | None = None
    cued: bool = False
    page: File | None = None

    def place(self, offset: int) -> Place:
        """Where a character of it is written."""
        if isinstance(self.text, Text):
            return self.text.place_of(offset)
        assert self.page
        return self.page.place(offset)

    @property
    def file(self) -> str:
        return self.text.file.name if isinstance(self.text, Text) else self.place(0).file


def passages(shelf: Shelf, manuscripts: Sequence[Manuscript]) -> Iterator[Passage]:
    """Every text of all books and pages that holds references."""
    for address, citations in shelf.citations.items():
        outline = shelf.outlines[address]
        for said in said_in(outline, shelf):
            series = shelf.around(outline)[1]
            yield Passage(said.text, said.resolved, series, series.home, None, True)
        for one in citations:
            if not written_in(one.text, outline.edition):
                continue  # it stands in a file of the series, and is revised there
            entry = one.source if isinstance(one.source, Entry) else getattr(one.source, "entry", None)
            chapter = entry.chapter.number.labels[0] if entry else outline.home
            yield Passage(one.text, one.resolved, outline, chapter, entry, one.cites)
    books = dict.fromkeys(address.rpartition("/")[0] for address in shelf.outlines)
    for newest in filter(None, map(shelf.named, books)):
        for words, term in newest.edition.book.terms.items():
            if not written_in(words, newest.edition):
                continue
            for text, cued in ((term.means, False), (term.see, True)):
                if text and (resolved := shelf.resolve(text, newest, newest.home, cued)):
                    yield Passage(text, resolved, newest, newest.home, None, cued)
    for page in manuscripts:
        home = shelf.outlines[page.edition.address] if page.edition else None
        if page.resolved:
            file = File(page.name, page.text)
            yield Passage(page.text, page.resolved, home, home.home if home else "", page=file)
