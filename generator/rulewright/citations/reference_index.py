"""The shelf: all books with their references resolved, and what cites what."""

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
    """A text with its references.

    `source`: what it is of; `chapter`: its label; `is_see_key`: it is a `see:`.
    """

    source: Source
    text: LocatedText
    resolved: tuple[ResolvedReference, ...]
    chapter: str
    is_see_key: bool


_Key = tuple[TextKey, str]
_Known = dict[_Key, tuple[Document, tuple[ResolvedReference, ...]]]
"""References by text; of one that means something else in each of several editions, by that too."""


@dataclass(slots=True, repr=False)  # one holds the other, over and over
class ReferenceIndex(ReferenceResolver):
    """The books with all that stands beside their rules, and what cites what.

    `texts`: all of each edition with their references; `tables`: those of each edition, `tables_by_citation`
    all of them by what is cited for them: a table that is a rule is cited as that rule. `aid_sheets`: the
    player aids of each; what they cite is not told at the rule, since a sheet repeats what the rules say.
    `errata_entries`: the errata and questions of each, `entries_by_thing` those that a rule, a table, a step
    or an aid shows.
    """

    tables: dict[str, list[TableEntry]] = field(default_factory=dict)
    aid_sheets: dict[str, list[AidSheet]] = field(default_factory=dict)
    errata_entries: dict[str, list[ErrataEntry]] = field(default_factory=dict)
    entries_by_thing: dict[errata_targets.Thing, list[ErrataEntry]] = field(default_factory=dict)
    tables_by_citation: Mapping[RuleEntry | TableEntry, TableEntry] = field(init=False)
    citations: dict[str, list[TextReferences]] = field(init=False, default_factory=dict)
    texts: dict[str, list[tuple[LocatedText, Sequence[ResolvedReference]]]] = field(
        init=False, default_factory=dict
    )
    cited_by: dict[RuleEntry | TableEntry, list[Source]] = field(init=False, default_factory=dict)
    _known: _Known = field(init=False, default_factory=dict)
    _late: dict[_Key, Callable[[], Iterable[ResolvedReference]]] = field(init=False, default_factory=dict)
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
        """Every reference in a text, see `Books.resolve`, those to things that are no rules too.

        `within`: the rule that the text stands in. What things are called is looked up each time: a memo
        knows numbers alone.
        """
        resolved = ReferenceResolver.resolve(self, text, outline, chapter, is_cued)
        home = self.edition_of_numbers(text, outline) if outline and outline.edition.base else outline
        if resolved and "[[" in text:
            resolved = [self._called(reference, text, home) for reference in resolved]
        if home is None or is_cued:
            return resolved
        works = self._works_of(home.edition) if home.edition.book.books else None
        if citations := list(works.find(text)) if works else []:
            resolved = ExternalWorkFinder.resolve_external(citations, text, resolved, self, home)
        may_cite = resolved or "tep" in text or "tem" in text or "oint" in text
        if not may_cite and "age" not in text and "p." not in text:
            return resolved  # as most texts
        return add_step_and_item_references(
            text, resolved, self, home, rule, [citation[:2] for citation in citations]
        )

    def _works_of(self, edition: Edition) -> ExternalWorkFinder:
        if edition.address not in self._works:
            self._works[edition.address] = ExternalWorkFinder(edition.book)
        return self._works[edition.address]

    def _called(self, reference: ResolvedReference, text: str, home: Outline | None) -> ResolvedReference:
        """A mark that holds no number resolved by what is called so: a table, a step or a term."""
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
            others = (full_name(citable) for citable in citables if not isinstance(citable, TableEntry))
            listing = " and ".join(dict.fromkeys((*tables, *others)))
            message = (
                f"{len(citables)} things of {outline.edition.short} are called {quote_short(name)}: {listing}"
            )
            message += "; write the id of the one that is meant"
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
        """The references of a text. `edition`: of a text that means something else in each of several."""
        key = text.key, edition.address if edition else ""
        if late := self._late.get(key):  # taken out behind it, since another thread may ask
            self.store_references(text, late(), edition)
            self._late.pop(key, None)
        known = self._known.get(key)
        return known[1] if known else ()

    def store_lazily(
        self, text: LocatedText, resolve: Callable[[], Iterable[ResolvedReference]], edition: Edition
    ) -> None:
        """Store what resolves the references of a text when they are first asked for."""
        self._late[text.key, edition.address] = resolve

    def store_references(
        self, text: LocatedText, resolved: Iterable[ResolvedReference], edition: Edition | None = None
    ) -> tuple[ResolvedReference, ...]:
        """Store a text with its references."""
        references = tuple(resolved)
        if references:
            self._known[text.key, edition.address if edition else ""] = (
                parse_document(text, references),
                references,
            )
        return references

    def document(self, text: LocatedText, edition: Edition | None = None) -> Document:
        key = text.key, edition.address if edition else ""
        if key in self._late:
            self.references(text, edition)
        if key not in self._known:
            self._known[key] = Document(text), ()
        return self._known[key][0]

    def plain(self, text: LocatedText, edition: Edition) -> str:
        """The plain words of a text that holds for several editions, as they are shown in one of them."""
        if not self.references(text, edition):
            return plain_text(text)
        paragraphs = plain_paragraphs(self.document(text, edition).blocks)
        return " ".join(" ".join("".join(run.words for run in inline) for _, inline in paragraphs).split())

    @property
    def one_edition_per_book(self) -> list[Edition]:
        """An edition of each book, for what its editions have in common."""
        books = {address.partition("/")[0]: outline.edition for address, outline in self.outlines.items()}
        return [*books.values()]

    def find_table(self, edition: Edition, name: str) -> TableEntry | None:
        """The table of a number, an id or a title; where a game has none of that name, its series'."""
        for member in edition.with_series:
            if table := find_table(self.tables.get(member.address, []), name):
                return table
        return None

    def table_number_used(self, step: SequenceStep, table: TableEntry) -> str:
        """The number by which a step names a table that it uses: Combat Results Table 9.9.

        None where it has no number, or the step cites that anyway.
        """
        cited = (reference.target for text in step.step.see for reference in self.references(text))
        return "" if table.entry is None or table.entry in cited else f" {table.display_number}"

    def terms(self, outline: Outline) -> Iterator[tuple[LocatedText, bool, Outline | None]]:
        """An edition's term texts, whether each only cites, and the edition it is read in, the newest."""
        for term in outline.edition.book.terms.values():
            for text, cites in reference_texts(term):
                yield text, cites, self.find_outline(text.file.name.split("/")[1])

    def sequence_outline(self, outline: Outline) -> Outline:
        """The edition whose sequence of play holds: a game's own or, where it has none, its series'."""
        return next((candidate for candidate in self.with_series(outline) if candidate.steps), outline)


class _Things(NamedTuple):
    """The things of an edition beside its rules and steps."""

    tables: list[TableEntry]
    sheets: list[AidSheet]
    remarks: list[ErrataEntry]
    shown: list[tuple[errata_targets.Thing, ErrataEntry]]


class _Cited(NamedTuple):
    """The citations of an edition, its references by text, and the outlines that those lead to."""

    citations: list[TextReferences]
    texts: list[tuple[LocatedText, Sequence[ResolvedReference]]]
    known: _Known
    leads: tuple[Outline, ...]


def build_reference_index(
    outlines: Mapping[str, Outline],
    resolution_cache: ResolutionCache | None = None,
    cache: Cache | None = None,
) -> ReferenceIndex:
    """Resolve the references of all editions and index what cites what.

    `memo`: what was resolved before; `cache`: of the last run the editions that may be as they were.
    """
    cache = {} if cache is None else cache
    objects_by_edition = {
        address: memoize(cache, f" things {address}", (outline,), partial(_things, outline))
        for address, outline in outlines.items()
    }
    index = ReferenceIndex(
        outlines,
        {address: objects.tables for address, objects in objects_by_edition.items()},
        {address: objects.sheets for address, objects in objects_by_edition.items()},
        {address: objects.remarks for address, objects in objects_by_edition.items()},
        memo=resolution_cache or ResolutionCache(),
    )
    for objects in objects_by_edition.values():
        for citable, errata_entry in objects.shown:
            index.entries_by_thing.setdefault(citable, []).append(errata_entry)
    entered: set[tuple[RuleEntry | TableEntry, Source]] = set()

    def enter(cited: RuleEntry | TableEntry, source: Source) -> None:
        if source in index.entries_by_thing.get(cited, ()):
            return  # the rule shows it whole
        if source is not cited and (cited, source) not in entered:
            entered.add((cited, source))
            index.cited_by.setdefault(cited, []).append(source)

    for address, outline in outlines.items():
        name, made_of = f" cited {address}", (*index.with_series(outline), *index.memo.numbering)
        cited = memoize(cache, name, made_of, partial(_cited, outline, index))
        if any(outlines.get(lead.edition.address) is not lead for lead in cited.leads):
            del cache[name]
            cited = memoize(cache, name, made_of, partial(_cited, outline, index))
        index.citations[address], index.texts[address] = cited.citations, cited.texts
        index._known.update(cited.known)
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


def _things(outline: Outline) -> _Things:
    tables, sheets = build_table_entries(outline), aid_plan.aid_sheets(outline.edition)
    errata = list(errata_entries(outline.edition))
    return _Things(
        tables, sheets, errata, list(errata_targets.entries_by_thing(errata, outline, tables, sheets))
    )


def _cited(outline: Outline, index: ReferenceIndex) -> _Cited:
    known, index._known = index._known, {}
    texts: dict[tuple[str, int, str], tuple[LocatedText, Sequence[ResolvedReference]]] = {}
    citations = list(_citations(outline, index, texts))
    stored, index._known = index._known, known
    references = [reference for _, them in stored.values() for reference in them]
    citables = (
        citable
        for reference in references
        for citable in (reference.target, reference.citable, *reference.rules_in_range)
    )
    leads = {citable.edition.address: None for citable in citables if citable}
    # A name that is not there leads nowhere, and may lead to something of that book when it changes.
    books = {reference.match.book for reference in references if reference.fault and reference.match.book}
    marked = (marked_outline for book in books if (marked_outline := index.marked_edition(book, outline)))
    leads |= {marked_outline.edition.address: None for marked_outline in marked}
    return _Cited(citations, [*texts.values()], stored, tuple(index.outlines[address] for address in leads))


def _citations(
    outline: Outline,
    index: ReferenceIndex,
    texts_by_place: dict[tuple[str, int, str], tuple[LocatedText, Sequence[ResolvedReference]]],
) -> Iterator[TextReferences]:
    """Resolve every text of an edition, as it is and as it was printed. Give those that hold references.

    Each text that is met is entered in `read`, once.
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
