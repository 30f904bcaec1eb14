"""The page with the terms of an edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.library import Edition
from rulewright.book.outline import Outline
from rulewright.book.sequence import TOP
from rulewright.citations import addresses
from rulewright.citations.glossary import TermEntry
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.pages.page import page
from rulewright.text.document import plain


def terms_of(desk: Desk, edition: Edition) -> list[TermEntry]:
    """The terms of an edition in the order of the alphabet."""
    return sorted(
        desk.glossaries[edition.address].terms, key=lambda term: (term.words.casefold(), term.words)
    )


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page with the terms of an edition."""
    terms: list[TermEntry] = given["terms"]
    sections = [Section(TOP, "Glossary"), *map(_section, terms)]
    place = terms[0].words.file.place(0)
    yield page(desk, "glossary", addresses.glossary_path(outline.edition.address), place, sections, **given)


def _section(term: TermEntry) -> Section:
    """A term with what it means; the search finds it by its aliases as well."""
    aliases = ", ".join(map(plain, term.term.aliases))
    words = plain(term.term.means)
    return Section(term.anchor, plain(term.words), 2, f"{aliases}: {words}" if aliases else words)
