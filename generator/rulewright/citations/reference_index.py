"""Index of all resolved references, in both directions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from rulewright.book import aid_plan, errata_targets
from rulewright.book.aid_plan import AidSheet
from rulewright.book.citable_items import ListItem, citable_names, citables_named, full_name
from rulewright.book.errata_entries import ErrataEntry, errata_entries
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.book.table_entries import Source, TableEntry, build_table_entries, find_table
from rulewright.citations.edition_texts import edition_texts, override_texts
from rulewright.citations.external_works import ExternalWorkFinder
from rulewright.citations.reference_resolver import (
    NOT_A_NUMBER,
    UNCLEAR,
    ReferenceResolver,
    ResolutionCache,
    ResolvedReference,
    is_written_in,
    parse_document,
)
from rulewright.citations.step_and_item_references import add_step_and_item_references
from rulewright.model.amended_text import AmendedText
from rulewright.model.yaml_fields import reference_texts
from rulewright.source.located_text import LocatedText, TextKey
from rulewright.source.memoize import Cache, memoize
from rulewright.source.problems import did_you_mean, quote_short
from rulewright.text.text_document import Document, plain_paragraphs, plain_text


@dataclass(frozen=True, slots=True)
class TextReferences:
    """A text with its references."""

    source: Source  # the owner of the text
    text: LocatedText
    resolved: tuple[ResolvedReference, ...]
    chapter: str  # the label of the chapter in which its numbers are read
    is_see_key: bool  # whether the text is the value of `see:`


_Key = tuple[TextKey, str]
_Known = dict[_Key, tuple[Document, tuple[ResolvedReference, ...]]]
"""Documents and references by text, and by edition for texts that mean something else in each edition."""


@dataclass(slots=True, repr=False)  # its objects refer to each other, so a repr would not end
class ReferenceIndex(ReferenceResolver):
    """All references of all books, what cites what, and the tables, aids and errata of each edition.

    Mappings by edition have the address of the edition as their key.
    """

    tables: dict[str, list[TableEntry]] = field(default_factory=dict)
    aid_sheets: dict[str, list[AidSheet]] = field(default_factory=dict)
    errata_entries: dict[str, list[ErrataEntry]] = field(default_factory=dict)
    """The errata and answered questions of each edition."""

    entries_by_thing: dict[errata_targets.Thing, list[ErrataEntry]] = field(default_factory=dict)
    """The errata entries that a rule, a table, a step or an aid shows."""

    tables_by_citation: Mapping[RuleEntry | TableEntry, TableEntry] = field(init=False)
    """Tables by the object that is cited for them: the rule, if the table is a rule."""

    citations: dict[str, list[TextReferences]] = field(init=False, default_factory=dict)
    """The texts with references of each edition."""

    texts: dict[str, list[tuple[LocatedText, Sequence[ResolvedReference]]]] = field(
        init=False, default_factory=dict
    )
    """All texts of each edition with their references."""

    cited_by: dict[RuleEntry | TableEntry, list[Source]] = field(init=False, default_factory=dict)
    """The sources that cite a rule or a table, except aids, which repeat what the rules say."""

    _known: _Known = field(init=False, default_factory=dict)
    _unresolved: dict[_Key, Callable[[], Iterable[ResolvedReference]]] = field(
        init=False, default_factory=dict
    )
    _works: dict[str, ExternalWorkFinder] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        ReferenceResolver.__post_init__(self)
        self.tables_by_citation = {
            table.cited_as: table for tables in self.tables.values() for table in tables
        }

    def resolve(
        self,
        text: str,
        outline: Outline | None,
        chapter: str = "",
        is_cued: bool = False,
        rule: RuleEntry | None = None,
    ) -> list[ResolvedReference]:
        """Return every reference in a text like `ReferenceResolver.resolve`, and references to other objects.

        `rule`: the rule of the text. References by name are resolved each time: only numbers are cached.
        """
        resolved = ReferenceResolver.resolve(self, text, outline, chapter, is_cued)
        home = self.edition_of_numbers(text, outline) if outline and outline.edition.base else outline
        if resolved and "[[" in text:
            resolved = [self._resolve_name(reference, text, home) for reference in resolved]
        if home is None or is_cued:
            return resolved
        works = self._work_finder(home.edition) if home.edition.book.books else None
        if citations := list(works.find(text)) if works else []:
            resolved = ExternalWorkFinder.resolve_external(citations, text, resolved, self, home)
        may_cite = resolved or "tep" in text or "tem" in text or "oint" in text
        if not may_cite and "age" not in text and "p." not in text:
            return resolved  # fast path for most texts
        spans = [(citation.start, citation.end) for citation in citations]
        return add_step_and_item_references(text, resolved, self, home, rule, spans)

    def _work_finder(self, edition: Edition) -> ExternalWorkFinder:
        if edition.address not in self._works:
            self._works[edition.address] = ExternalWorkFinder(edition.book)
        return self._works[edition.address]

    def _resolve_name(
        self, reference: ResolvedReference, text: str, home: Outline | None
    ) -> ResolvedReference:
        """Resolve an explicit mark without a number by name, to a table, a step or a term."""
        name = text[reference.match.start : reference.match.end]
        outline = self.marked_edition(reference.match.book, home) if reference.match.book else home
        if reference.fault is not NOT_A_NUMBER or outline is None or not any(map(str.isalpha, name)):
            return reference
        outlines = self.with_series(outline)
        candidates = (
            citables_named(name, outline, self.tables.get(outline.edition.address, ()))
            for outline in outlines
        )
        citables = next(filter(None, candidates), [])
        if len(citables) == 1:
            return ResolvedReference(reference.match, citable=citables[0])
        if citables:
            tables = (f"table {table.key}" for table in citables if isinstance(table, TableEntry))
            full_names = (full_name(citable) for citable in citables if not isinstance(citable, TableEntry))
            listing = " and ".join(dict.fromkeys((*tables, *full_names)))
            count, edition = len(citables), outline.edition.short
            message = f"{quote_short(name)} is ambiguous: {edition} has {count} of this name, {listing}"
            message += "; write the id of one"
            return ResolvedReference(reference.match, fault=UNCLEAR, message=message)
        names = (
            n
            for outline in outlines
            for n in citable_names(outline, self.tables.get(outline.edition.address, ()))
        )
        return reference._replace(
            message=f"{reference.message}, nor a table, step or term of it{did_you_mean(name, names)}"
        )

    def references(self, text: LocatedText, edition: Edition | None = None) -> tuple[ResolvedReference, ...]:
        """Return the stored references of a text.

        `edition`: for a text that means something else in each of several editions.
        """
        key = text.key, edition.address if edition else ""
        if resolve := self._unresolved.get(key):
            self.store_references(text, resolve(), edition)
            self._unresolved.pop(key, None)  # only after storing: other threads may read meanwhile
        known = self._known.get(key)
        return known[1] if known else ()

    def store_lazily(
        self, text: LocatedText, resolve: Callable[[], Iterable[ResolvedReference]], edition: Edition
    ) -> None:
        """Store a function that resolves the references of a text when they are first needed."""
        self._unresolved[text.key, edition.address] = resolve

    def store_references(
        self, text: LocatedText, resolved: Iterable[ResolvedReference], edition: Edition | None = None
    ) -> tuple[ResolvedReference, ...]:
        """Store the references of a text and return them."""
        references = tuple(resolved)
        if references:
            self._known[text.key, edition.address if edition else ""] = (
                parse_document(text, references),
                references,
            )
        return references

    def document(self, text: LocatedText, edition: Edition | None = None) -> Document:
        key = text.key, edition.address if edition else ""
        if key in self._unresolved:
            self.references(text, edition)
        if key not in self._known:
            self._known[key] = Document(text), ()
        return self._known[key][0]

    def plain(self, text: LocatedText, edition: Edition) -> str:
        """Return a text of several editions as plain text, as one of them shows it."""
        if not self.references(text, edition):
            return plain_text(text)
        words: list[str] = []
        for _, inline in plain_paragraphs(self.document(text, edition).blocks):
            words += "".join(run.words for run in inline).split()
        return " ".join(words)

    @property
    def one_edition_per_book(self) -> list[Edition]:
        """The last edition of each book, for data that its editions share."""
        books = {address.partition("/")[0]: outline.edition for address, outline in self.outlines.items()}
        return [*books.values()]

    def find_table(self, edition: Edition, name: str) -> TableEntry | None:
        """Return the table with a number, an id or a title; if a game has none, the table of its series."""
        for member in edition.with_series:
            if table := find_table(self.tables.get(member.address, []), name):
                return table
        return None

    def table_number_used(self, step: SequenceStep, table: TableEntry) -> str:
        """Return the number, after a space, of a table that a step uses: Combat Results Table 9.9.

        Return an empty string if the table has no number or the step cites it in `see:`.
        """
        cited = (reference.target for text in step.step.see for reference in self.references(text))
        return "" if table.entry is None or table.entry in cited else f" {table.display_number}"

    def terms(self, outline: Outline) -> Iterator[tuple[LocatedText, bool, Outline | None]]:
        """Yield the texts of terms, whether each is a `see:`, and the edition in which it is read."""
        for term in outline.edition.book.terms.values():
            for text, cites in reference_texts(term):
                yield text, cites, self.find_outline(text.file.name.split("/")[1])

    def sequence_outline(self, outline: Outline) -> Outline:
        """Return the outline with the sequence of play: the game's or, if it has none, that of its series."""
        return next((candidate for candidate in self.with_series(outline) if candidate.steps), outline)


class _EditionObjects(NamedTuple):
    """The objects of an edition in addition to its rules and steps."""

    tables: list[TableEntry]
    sheets: list[AidSheet]
    errata: list[ErrataEntry]
    entry_pairs: list[tuple[errata_targets.Thing, ErrataEntry]]
    """Pairs of an object and an errata entry that it shows."""


class _EditionReferences(NamedTuple):
    """All references in the texts of one edition."""

    citations: list[TextReferences]
    texts: list[tuple[LocatedText, Sequence[ResolvedReference]]]
    known: _Known
    target_outlines: tuple[Outline, ...]  # the outlines that the references lead to


def build_reference_index(
    outlines: Mapping[str, Outline],
    resolution_cache: ResolutionCache | None = None,
    cache: Cache | None = None,
) -> ReferenceIndex:
    """Resolve the references of all editions and index what cites what.

    `resolution_cache`: references resolved before; `cache`: results of the last run for each edition.
    """
    cache = {} if cache is None else cache
    objects_by_edition = {
        address: memoize(cache, f" things {address}", (outline,), partial(_edition_objects, outline))
        for address, outline in outlines.items()
    }
    index = ReferenceIndex(
        outlines,
        {address: objects.tables for address, objects in objects_by_edition.items()},
        {address: objects.sheets for address, objects in objects_by_edition.items()},
        {address: objects.errata for address, objects in objects_by_edition.items()},
        memo=resolution_cache or ResolutionCache(),
    )
    for objects in objects_by_edition.values():
        for citable, errata_entry in objects.entry_pairs:
            index.entries_by_thing.setdefault(citable, []).append(errata_entry)
    entered: set[tuple[RuleEntry | TableEntry, Source]] = set()

    def enter(cited: RuleEntry | TableEntry, source: Source) -> None:
        if source in index.entries_by_thing.get(cited, ()):
            return  # the rule shows the entry in full
        if source is not cited and (cited, source) not in entered:
            entered.add((cited, source))
            index.cited_by.setdefault(cited, []).append(source)

    for address, outline in outlines.items():
        name, inputs = f" cited {address}", (*index.with_series(outline), *index.memo.numbering)
        references = memoize(cache, name, inputs, partial(_edition_references, outline, index))
        if any(outlines.get(target.edition.address) is not target for target in references.target_outlines):
            del cache[name]
            references = memoize(cache, name, inputs, partial(_edition_references, outline, index))
        index.citations[address], index.texts[address] = references.citations, references.texts
        index._known.update(references.known)
        for citation in index.citations[address]:
            if isinstance(citation.source, AidSheet) or not is_written_in(citation.text, outline.edition):
                continue
            for resolved in citation.resolved:
                for entry in (resolved.target, *resolved.rules_in_range):
                    if entry:
                        enter(entry, citation.source)
                if resolved.citable and isinstance(resolved.citable, ListItem):
                    enter(resolved.citable.entry, citation.source)
                elif resolved.citable and isinstance(resolved.citable, TableEntry):
                    enter(resolved.citable.cited_as, citation.source)
        for step in outline.iter_steps():
            for used in step.step.uses:
                if is_written_in(used, outline.edition) and (
                    table := index.find_table(outline.edition, used)
                ):
                    enter(table.cited_as, step)
    return index


def _edition_objects(outline: Outline) -> _EditionObjects:
    tables, sheets = build_table_entries(outline), aid_plan.aid_sheets(outline.edition)
    errata = list(errata_entries(outline.edition))
    return _EditionObjects(
        tables, sheets, errata, list(errata_targets.entries_by_thing(errata, outline, tables, sheets))
    )


def _edition_references(outline: Outline, index: ReferenceIndex) -> _EditionReferences:
    known, index._known = index._known, {}
    texts: dict[tuple[str, int, str], tuple[LocatedText, Sequence[ResolvedReference]]] = {}
    citations = list(_citations(outline, index, texts))
    stored, index._known = index._known, known
    references = [reference for _, resolved in stored.values() for reference in resolved]
    citables = (
        citable
        for reference in references
        for citable in (reference.target, reference.citable, *reference.rules_in_range)
    )
    addresses = {citable.edition.address: None for citable in citables if citable}
    # An unknown name in a book may become known when that book changes.
    books = {reference.match.book for reference in references if reference.fault and reference.match.book}
    marked = (marked_outline for book in books if (marked_outline := index.marked_edition(book, outline)))
    addresses |= {marked_outline.edition.address: None for marked_outline in marked}
    target_outlines = tuple(index.outlines[address] for address in addresses)
    return _EditionReferences(citations, [*texts.values()], stored, target_outlines)


def _citations(
    outline: Outline,
    index: ReferenceIndex,
    texts_by_place: dict[tuple[str, int, str], tuple[LocatedText, Sequence[ResolvedReference]]],
) -> Iterator[TextReferences]:
    """Resolve every text of an edition, as amended and as printed, and yield the texts with references.

    Every text is added to `texts_by_place` with its references.
    """
    edition = outline.edition
    sheets, errata = index.aid_sheets.get(edition.address, ()), index.errata_entries.get(edition.address, ())
    for source, texts, chapter in edition_texts(
        outline, index.tables.get(edition.address, ()), sheets, errata
    ):
        for text, cites in texts:
            rule = source if isinstance(source, RuleEntry) else None
            resolved = index.store_references(text, index.resolve(text, outline, chapter, cites, rule))
            texts_by_place[text.file.name, text.start, text] = text, resolved
            if resolved or cites:
                yield TextReferences(source, text, resolved, chapter, cites)
            if isinstance(text, AmendedText):
                index.store_references(
                    text.printed, index.resolve(text.printed, outline, chapter, cites, rule)
                )
    for text, cites, term_outline in index.terms(outline):
        if term_outline in index.with_series(outline):
            resolved = index.store_references(
                text, index.resolve(text, outline, outline.default_chapter, cites), edition
            )
            if term_outline is outline:
                texts_by_place[text.file.name, text.start, text] = text, resolved
    for series in index.with_series(outline)[1:2]:
        for _, _, text in override_texts(outline):
            references = index.resolve(str(text), series, series.default_chapter, is_cued=True)
            index.store_references(text, references, series.edition)
