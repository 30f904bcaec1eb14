"""Sets the texts of a whole edition as one printed document, in which references name their pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

from markupsafe import Markup

from rulewright.book.outline import Entry, Outline
from rulewright.book.tables import Source, TableEntry
from rulewright.citations import addresses, prose
from rulewright.citations.glossary import Bearer, TermEntry
from rulewright.citations.names import Named
from rulewright.citations.resolving import Resolved
from rulewright.print.engine import ADDRESS
from rulewright.site.compositor import Compositor
from rulewright.source.text import Text

Pages = Mapping[str, str]
"""On which page, counted from 1 and as it is printed, each anchor of the book stands."""

PRINTED = (Entry, TableEntry)
"""What references can lead to within a printed book."""


@dataclass(frozen=True, slots=True)
class Galley(Compositor):
    """Sets a whole edition as one document. Links lead to its own pages and say which; other books have none.

    `site` is where the site stands, to which links to other books lead; empty where nobody knows.
    """

    edition: str = ""
    pages: Pages = field(default_factory=dict)
    site: str = ""

    def href(self, source: Source | TermEntry) -> str:
        """A link within the book, or to a page of the site."""
        if source.edition.address == self.edition and isinstance(source, PRINTED):
            return addresses.relative("", "", anchor(source))
        page, end = self.desk.place(source)
        return f"{self.site}{page}/{end}" if self.site else ""

    def to(self, path: str, anchor: str = "") -> str:
        """A link to a page of the site."""
        return addresses.below(self.site, path, anchor) if self.site else ""

    def game_here(self) -> Outline | None:
        """The edition of the book, where it extends a series: what it cites of that goes without its name."""
        outline = self.desk.shelf.outlines[self.edition]
        return outline if outline.edition.base else None

    def page(self, source: Entry | TableEntry) -> str | None:
        """The page on which something of this book stands."""
        return self.pages.get(anchor(source)) if source.edition.address == self.edition else None

    def link(self, resolved: Resolved, words: str) -> str:
        """A reference with its page, or with its book or site. A faulty one is just its words."""
        if resolved.away:
            return f"{words} ({escape(resolved.away.site)})"
        target, number = resolved.target, resolved.number
        if target is None or number is None or resolved.fault:
            return words
        known = self._links.get((target, number.key, words))
        if known is None:
            page, href = self.page(target), self.href(target)
            where = ""
            if page:
                where = f' (p. <span data-at="{escape(anchor(target))}">{page}</span>)'
            game = self.game_here()
            if target.edition.address != self.edition and not (
                game and target.edition in game.edition.around
            ):
                where = f" of {escape(target.edition.short)}"
            known = f"{words}{where}"
            if href:
                kind = "ref long" if " " in words else "ref"  # a short one is not broken before its page
                known = f'<a class="{kind}" href="{escape(href)}">{known}</a>'
            self._links[target, number.key, words] = known
        return known

    def _stretches(self, names: Iterable[Named[Bearer]]) -> list[prose.Stretch]:
        """Names are not links: nobody can tap them on paper."""
        return []

    def where(self, name: str) -> str:
        return f"{ADDRESS}{name}"

    @staticmethod
    def closings(last: Entry) -> Iterator[Text]:
        """Closing texts behind a rule: its own, and that of each rule of which it is the last."""
        one = None if last.children else last
        while one:
            if one.rule and one.rule.closing:
                yield one.rule.closing
            one = one.parent if one.parent and one.parent.children[-1] is one else None

    def words(self, text: Text) -> Markup:
        """A title: its words without links, which would print a page behind them."""
        return Markup(prose.inline(text, (), lambda _, words: words))


def anchor(source: Entry | TableEntry) -> str:
    """Where something stands in the book: a rule by its number, another table by its name."""
    if isinstance(source, TableEntry) and source.entry is None:
        return f"table-{source.anchor}"
    return source.key
