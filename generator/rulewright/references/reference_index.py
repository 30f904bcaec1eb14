"""Index of all resolved references: from each text to what it cites, and from each rule to what cites it.

`build_reference_index` resolves the texts of each edition and stores them in a `ReferenceIndex`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from rulewright.book import aid_plan, errata_targets
from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry, errata_entries
from rulewright.book.errata_targets import ErratumTarget
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source, TableEntry, build_table_entries, find_table
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import did_you_mean, quote_short
from rulewright.references.citable_items import ListItem, citable_names, citables_named, full_name
from rulewright.references.edition_texts import edition_texts, override_texts
from rulewright.references.external_works import ExternalWorkFinder
from rulewright.references.reference_resolver import (
    NOT_A_NUMBER,
    UNCLEAR,
    ReferenceResolver,
    ResolutionCache,
)
from rulewright.references.reference_types import (
    CitableReference,
    FaultyReference,
    Reference,
    RuleReference,
    parse_document,
)
from rulewright.references.step_and_item_references import add_step_and_item_references
from rulewright.schema.amended_text import AmendedText
from rulewright.schema.text_document import Document, plain_paragraphs, plain_text
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class TextReferences:
    """A text with its references."""

    source: Source  # the rule, step, table, aid or errata entry that the text belongs to
    text: LocatedText
    resolved: tuple[Reference, ...]
    chapter: str  # the label of the chapter that numbers in the text may leave out
    is_see_key: bool  # whether the text is a value of `see:` or a similar key that has only references


_TextInEdition = tuple[TextKey, str]
"""A text and the address of an edition; no address if its references are the same in all editions."""

_ParsedTexts = dict[_TextInEdition, tuple[Document, tuple[Reference, ...]]]
"""Parsed texts with their references."""

_TextsByPlace = dict[tuple[str, int, str], tuple[LocatedText, Sequence[Reference]]]
"""Texts with their references, by file, start and words."""

_HINTS_OF_OTHER_REFERENCES = ("tep", "tem", "oint", "age", "p.")
"""Parts of Step, step, Item, item, Point, point, Page and page, one of which a reference to these has."""


@dataclass(slots=True, repr=False)  # its objects refer to each other, so a repr would not end
class ReferenceIndex(ReferenceResolver):
    """All references of all books, what cites what, and the tables, aids and errata of each edition.

    Mappings by edition have the address of the edition as their key.
    """

    tables: dict[str, list[TableEntry]] = field(default_factory=dict)
    aid_sheets: dict[str, list[AidSheet]] = field(default_factory=dict)
    errata_entries: dict[str, list[ErrataEntry]] = field(default_factory=dict)
    """The errata and answered questions of each edition."""

    errata_by_target: dict[ErratumTarget, list[ErrataEntry]] = field(default_factory=dict)
    """The errata entries about a rule, a table, a step or an aid, which shows them in full."""

    tables_by_target: Mapping[RuleEntry | TableEntry, TableEntry] = field(init=False)
    """Tables by the target of references to them: the rule that has their number or else the table itself."""

    citations: dict[str, list[TextReferences]] = field(init=False, default_factory=dict)
    """The texts of each edition that have references, and all its `see:` texts, for checks and counts."""

    texts: dict[str, list[tuple[LocatedText, Sequence[Reference]]]] = field(init=False, default_factory=dict)
    """All texts of each edition, with references or without."""

    cited_by: dict[RuleEntry | TableEntry, list[Source]] = field(init=False, default_factory=dict)
    """The sources that cite a rule or a table, except aids, which repeat what the rules say."""

    _parsed_texts: _ParsedTexts = field(init=False, default_factory=dict)
    """What `references` and `document` return; texts without references are added when first needed."""

    _lazy_references: dict[_TextInEdition, Callable[[], Iterable[Reference]]] = field(
        init=False, default_factory=dict
    )
    """Functions that resolve the references of texts which `store_lazily` has stored."""

    _work_finders: dict[str, ExternalWorkFinder] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        ReferenceResolver.__post_init__(self)
        self.tables_by_target = {table.cited_as: table for tables in self.tables.values() for table in tables}

    def resolve(
        self,
        text: str,
        outline: Outline | None,
        chapter: str = "",
        is_cued: bool = False,
        rule: RuleEntry | None = None,
    ) -> list[Reference]:
        """Return every reference in a text like `resolve_numbers`, and references to other objects.

        `rule`: the rule that the text belongs to; the other parameters are those of that method. References
        by name are resolved each time: only numbers are cached.
        """
        resolved: list[Reference] = [*self.resolve_numbers(text, outline, chapter, is_cued)]
        # The outline whose numbers the text uses: texts that a game inherits use those of the series.
        own_outline = self.edition_of_numbers(text, outline) if outline and outline.edition.base else outline
        if resolved and "[[" in text:
            resolved = [self._resolve_name(reference, text, own_outline) for reference in resolved]
        if own_outline is None or is_cued:
            return resolved
        finder = self._work_finder(own_outline.edition) if own_outline.edition.book.books else None
        if external_citations := list(finder.find(text)) if finder else []:
            resolved = ExternalWorkFinder.resolve_external(
                external_citations, text, resolved, self, own_outline
            )
        if not resolved and not any(hint in text for hint in _HINTS_OF_OTHER_REFERENCES):
            return resolved  # fast path for most texts
        external_spans = [(citation.start, citation.end) for citation in external_citations]
        return add_step_and_item_references(text, resolved, self, own_outline, rule, external_spans)

    def _work_finder(self, edition: Edition) -> ExternalWorkFinder:
        if edition.address not in self._work_finders:
            self._work_finders[edition.address] = ExternalWorkFinder(edition.book)
        return self._work_finders[edition.address]

    def _resolve_name(self, reference: Reference, text: str, own_outline: Outline | None) -> Reference:
        """Resolve an explicit mark by the name of a table, step or term; return others unchanged."""
        name = text[reference.match.start : reference.match.end]
        book = reference.match.book
        outline = self.marked_edition(book, own_outline) if book else own_outline
        if not isinstance(reference, FaultyReference) or reference.fault is not NOT_A_NUMBER:
            return reference
        if outline is None or not any(map(str.isalpha, name)):
            return reference
        outlines = self.with_series(outline)
        candidates = (
            citables_named(name, outline, self.tables.get(outline.edition.address, ()))
            for outline in outlines
        )
        citables = next(filter(None, candidates), [])
        if len(citables) == 1:
            return CitableReference(reference.match, citables[0])
        if citables:
            tables = (f"table {table.key}" for table in citables if isinstance(table, TableEntry))
            full_names = (full_name(citable) for citable in citables if not isinstance(citable, TableEntry))
            listing = " and ".join(dict.fromkeys((*tables, *full_names)))
            count, edition = len(citables), outline.edition.short
            message = f"{quote_short(name)} is ambiguous: {edition} has {count} of this name, {listing}"
            message += "; write the id of one"
            return FaultyReference(reference.match, UNCLEAR, message)
        names = (
            n
            for outline in outlines
            for n in citable_names(outline, self.tables.get(outline.edition.address, ()))
        )
        message = f"{reference.message}, nor a table, step or term of it{did_you_mean(name, names)}"
        return replace(reference, message=message)

    def references(self, text: LocatedText, edition: Edition | None = None) -> tuple[Reference, ...]:
        """Return the stored references of a text; resolve them first if they were stored lazily.

        `edition`: only for a text whose references have another target in each edition, such as a term.
        """
        key = text.key, edition.address if edition else ""
        if resolve := self._lazy_references.get(key):
            self.store_references(text, resolve(), edition)
            self._lazy_references.pop(key, None)  # only after storing: other threads may read meanwhile
        parsed = self._parsed_texts.get(key)
        return parsed[1] if parsed else ()

    def store_lazily(
        self, text: LocatedText, resolve: Callable[[], Iterable[Reference]], edition: Edition
    ) -> None:
        """Store a function that resolves the references of a text when they are first needed."""
        self._lazy_references[text.key, edition.address] = resolve

    def store_references(
        self, text: LocatedText, resolved: Iterable[Reference], edition: Edition | None = None
    ) -> tuple[Reference, ...]:
        """Store the references of a text and return them; `edition` as in `references`."""
        references = tuple(resolved)
        if references:
            self._parsed_texts[text.key, edition.address if edition else ""] = (
                parse_document(text, references),
                references,
            )
        return references

    def document(self, text: LocatedText, edition: Edition | None = None) -> Document:
        """Return a text parsed with its references; `edition` as in `references`."""
        key = text.key, edition.address if edition else ""
        if key in self._lazy_references:
            self.references(text, edition)
        if key not in self._parsed_texts:
            self._parsed_texts[key] = Document(text), ()
        return self._parsed_texts[key][0]

    def plain_text_in(self, text: LocatedText, edition: Edition) -> str:
        """Return the plain text of a text that several editions share, as one of them shows it."""
        if not self.references(text, edition):
            return plain_text(text)
        words: list[str] = []
        for _, inline in plain_paragraphs(self.document(text, edition).blocks):
            words += "".join(run.words for run in inline).split()
        return " ".join(words)

    @property
    def one_edition_per_book(self) -> list[Edition]:
        """One edition of each book, the last loaded, for data that all editions of a book share."""
        edition_by_book = {
            address.partition("/")[0]: outline.edition for address, outline in self.outlines.items()
        }
        return [*edition_by_book.values()]

    def find_table(self, edition: Edition, name: str) -> TableEntry | None:
        """Return the table with a number, an id or a title; if a game has none, the table of its series."""
        for member in edition.with_series:
            if table := find_table(self.tables.get(member.address, []), name):
                return table
        return None

    def table_number_used(self, step: SequenceStep, table: TableEntry) -> str:
        """Return a space and the number to show after the title of a table that a step uses, such as " 9.9".

        Return an empty string if the table has no number or the `see:` of the step shows it already.
        """
        cited = (
            reference.target
            for text in step.step.see
            for reference in self.references(text)
            if isinstance(reference, RuleReference)
        )
        return "" if table.entry is None or table.entry in cited else f" {table.display_number}"

    def term_texts(self, outline: Outline) -> Iterator[tuple[LocatedText, bool, Outline | None]]:
        """Yield the texts of the terms of a book, whether each is a `see:`, and the outline of its numbers.

        That is the newest edition with the term, of the book in whose file it is: a game has the terms of
        its series.
        """
        for name, term in outline.edition.book.terms.items():
            for text, is_see_key in reference_texts(term):
                yield text, is_see_key, self.term_outline(name)

    def term_outline(self, name: LocatedText) -> Outline | None:
        """Return the newest edition with a term, of the book in whose file the term is."""
        _, book, *_ = name.file.name.split("/")  # content/BOOK/rulebook.yml
        newest = self.find_outline(book)
        editions = [outline for address, outline in self.outlines.items() if address.startswith(f"{book}/")]
        having = [outline for outline in editions if name in outline.edition.book.terms]
        return newest if newest in having or not having else having[-1]

    def sequence_outline(self, outline: Outline) -> Outline:
        """Return the outline with the sequence of play: the game's or, if it has none, that of its series."""
        return next(
            (candidate for candidate in self.with_series(outline) if candidate.sequence.steps), outline
        )


class _EditionObjects(NamedTuple):
    """The objects of an edition that its outline does not have."""

    tables: list[TableEntry]
    sheets: list[AidSheet]
    errata: list[ErrataEntry]
    targets_with_errata: list[tuple[ErratumTarget, ErrataEntry]]
    """Each errata entry with each object that it is about."""


class _EditionReferences(NamedTuple):
    """All references in the texts of one edition, as they are cached for the next run."""

    citations: list[TextReferences]
    texts: list[tuple[LocatedText, Sequence[Reference]]]
    parsed_texts: _ParsedTexts
    target_outlines: tuple[Outline, ...]
    """The outlines that the references lead to; if one has changed, the references are out of date."""


def build_reference_index(
    outlines: Mapping[str, Outline],
    resolution_cache: ResolutionCache | None = None,
    cache: Cache | None = None,
) -> ReferenceIndex:
    """Resolve the references of all editions and index what cites what.

    `resolution_cache`: references by the words of a text; `cache`: the objects and the references of each
    edition in the last run, which are valid while its outline and those of their targets are the same.
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
        for target, errata_entry in objects.targets_with_errata:
            index.errata_by_target.setdefault(target, []).append(errata_entry)
    for address, outline in outlines.items():
        name, inputs = f" cited {address}", (*index.with_series(outline), *index.memo.numbering)
        references = memoize(cache, name, inputs, partial(_edition_references, outline, index))
        if any(outlines.get(target.edition.address) is not target for target in references.target_outlines):
            del cache[name]
            references = memoize(cache, name, inputs, partial(_edition_references, outline, index))
        index.citations[address], index.texts[address] = references.citations, references.texts
        index._parsed_texts.update(references.parsed_texts)
    _index_sources(index)
    return index


def _index_sources(index: ReferenceIndex) -> None:
    """Fill `cited_by`: each source once, without errata entries that the cited rule shows in full."""
    sources_by_cited: dict[RuleEntry | TableEntry, dict[Source, None]] = {}
    for address, outline in index.outlines.items():
        for cited, source in _cited_with_sources(index.citations[address], outline, index):
            if source is not cited and source not in index.errata_by_target.get(cited, ()):
                sources_by_cited.setdefault(cited, {})[source] = None
    index.cited_by |= {cited: [*sources] for cited, sources in sources_by_cited.items()}


def _cited_with_sources(
    citations: Iterable[TextReferences], outline: Outline, index: ReferenceIndex
) -> Iterator[tuple[RuleEntry | TableEntry, Source]]:
    """Yield every rule and table that an edition cites or whose table a step uses, with the source."""
    for citation in citations:
        if isinstance(citation.source, AidSheet) or not outline.edition.has_written(citation.text):
            continue
        for resolved in citation.resolved:
            match resolved:
                case RuleReference():
                    for entry in (resolved.target, *resolved.rules_in_range):
                        yield entry, citation.source
                case CitableReference(citable=ListItem() as list_item):
                    yield list_item.entry, citation.source
                case CitableReference(citable=TableEntry() as cited_table):
                    yield cited_table.cited_as, citation.source
    for step in outline.sequence.iter_steps():
        for used in step.step.uses:
            if outline.edition.has_written(used) and (table := index.find_table(outline.edition, used)):
                yield table.cited_as, step


def _edition_objects(outline: Outline) -> _EditionObjects:
    tables, sheets = build_table_entries(outline), aid_plan.aid_sheets(outline.edition)
    errata = list(errata_entries(outline.edition))
    return _EditionObjects(
        tables, sheets, errata, list(errata_targets.targets_with_entries(errata, outline, tables, sheets))
    )


def _edition_references(outline: Outline, index: ReferenceIndex) -> _EditionReferences:
    """Resolve the references of an edition, and store them apart from those of the other editions."""
    other_texts, index._parsed_texts = index._parsed_texts, {}
    texts: _TextsByPlace = {}
    citations = list(_resolve_texts(outline, index, texts))
    parsed_texts, index._parsed_texts = index._parsed_texts, other_texts
    references = [reference for _, resolved in parsed_texts.values() for reference in resolved]
    addresses: dict[str, None] = {}  # an ordered set
    for reference in references:
        match reference:
            case RuleReference():
                addresses |= {
                    entry.edition.address: None for entry in (reference.target, *reference.rules_in_range)
                }
            case CitableReference():
                addresses[reference.citable.edition.address] = None
            case FaultyReference() if reference.match.book:
                # An unknown name in a book may become known when that book changes.
                if marked_outline := index.marked_edition(reference.match.book, outline):
                    addresses[marked_outline.edition.address] = None
    target_outlines = tuple(index.outlines[address] for address in addresses)
    return _EditionReferences(citations, [*texts.values()], parsed_texts, target_outlines)


def _resolve_texts(
    outline: Outline,
    index: ReferenceIndex,
    texts_by_place: _TextsByPlace,
) -> Iterator[TextReferences]:
    """Resolve and store every text of an edition, as amended and as printed; yield those with references.

    Every text as amended is also added to `texts_by_place`. In a `see:`, every number is a reference.
    """
    edition = outline.edition
    sheets, errata = index.aid_sheets.get(edition.address, ()), index.errata_entries.get(edition.address, ())
    for source, texts, chapter in edition_texts(
        outline, index.tables.get(edition.address, ()), sheets, errata
    ):
        rule = source if isinstance(source, RuleEntry) else None
        for text, is_see_key in texts:
            resolved = index.store_references(text, index.resolve(text, outline, chapter, is_see_key, rule))
            texts_by_place[text.file.name, text.start, text] = text, resolved
            printed = resolved
            if isinstance(text, AmendedText):
                printed = index.store_references(
                    text.printed, index.resolve(text.printed, outline, chapter, is_see_key, rule)
                )
            if resolved or printed or is_see_key:
                yield TextReferences(source, text, resolved, chapter, is_see_key)
    for text, is_see_key, term_outline in index.term_texts(outline):
        if term_outline in index.with_series(outline):
            resolved = index.store_references(
                text, index.resolve(text, outline, outline.default_chapter, is_see_key), edition
            )
            if term_outline is outline:
                texts_by_place[text.file.name, text.start, text] = text, resolved
    for series in index.with_series(outline)[1:2]:  # `replaces:` and the like cite the nearest series
        for _, _, text in override_texts(outline):
            references = index.resolve(str(text), series, series.default_chapter, is_cued=True)
            index.store_references(text, references, series.edition)
