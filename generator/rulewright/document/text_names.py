"""Names of steps and terms in the texts of all editions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rulewright.book.table_entries import Source
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.references.glossary import Bearer, Glossary, TermEntry
from rulewright.references.name_finder import NameMatch
from rulewright.references.reference_index import ReferenceIndex

T = TypeVar("T")


class LazyTable(dict[str, T]):
    """Values by the address of an edition or a book, each created when it is first looked up."""

    def __init__(self, create: Callable[[str], T]) -> None:
        self.create = create

    def __missing__(self, address: str) -> T:
        self[address] = value = self.create(address)
        return value


class TextNames:
    """The glossaries of all editions, and the names that their texts use."""

    def __init__(self, index: ReferenceIndex) -> None:
        self.index = index
        self.glossaries = LazyTable(lambda address: Glossary(index.outlines[address], index))
        self._sources = LazyTable(self._sources_in)
        self._users = LazyTable(self._users_in)
        self._matches: dict[tuple[str, TextKey], Sequence[NameMatch[Bearer]]] = {}

    def names_in(self, text: LocatedText, address: str) -> Sequence[NameMatch[Bearer]]:
        """Return the names in a text as an edition has them, or else the edition of the text."""
        matches = self._find(text, address)
        if matches is None:
            matches = self._find(text, "/".join(text.file.name.split("/")[1:3]))
        return matches or ()

    def users(self, term: TermEntry) -> Sequence[Source]:
        """Return the sources whose texts name a term of their edition, once each."""
        return self._users[term.edition.address].get(term, ())

    def _sources_in(self, address: str) -> dict[TextKey, Source]:
        sources: dict[TextKey, Source] = {}
        for source, text in self.glossaries[address].searched_texts():
            sources.setdefault(text.key, source)
        return sources

    def _users_in(self, address: str) -> dict[TermEntry, list[Source]]:
        users: dict[TermEntry, list[Source]] = {}
        for source, text in self.glossaries[address].searched_texts():
            for target in (name.target for name in self._find(text, address) or ()):
                if isinstance(target, TermEntry):
                    using = users.setdefault(target, [])
                    if source not in using[-1:]:
                        using.append(source)
        return users

    def _find(self, text: LocatedText, address: str) -> Sequence[NameMatch[Bearer]] | None:
        """Return the names in a text of an edition, or None if the edition does not have the text."""
        source = self._sources[address].get(text.key) if address in self.index.outlines else None
        if source is None:
            return None
        key = address, text.key
        if key not in self._matches:
            self._matches[key] = self.glossaries[address].find(self.index.document(text), source)
        return self._matches[key]
