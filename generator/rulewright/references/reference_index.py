"""Index of all resolved references: from each text to what it cites, and from each rule to what cites it.

    outlines ──► tables, aids, errata ──► references of each edition ──► cited by, texts of all editions

`build_reference_index` makes the index, and nothing changes it afterwards. Texts outside the index, such as
those of content pages, are resolved by its `resolver`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple

from rulewright.book import aid_plan, errata_targets
from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry, errata_entries
from rulewright.book.errata_targets import ErratumTarget
from rulewright.book.library import Edition, newest_editions
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import edition_of_numbers, marked_edition, with_series
from rulewright.book.table_entries import Source, TableEntry, build_table_entries, find_table
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import did_you_mean, quote_short
from rulewright.references.citable_items import ListItem, citable_names, citables_named, full_name
from rulewright.references.edition_texts import edition_texts, override_texts, term_texts
from rulewright.references.external_works import resolve_external, work_finder
from rulewright.references.reference_resolver import (
    NOT_A_NUMBER,
    UNCLEAR,
    FoundReferences,
    NumberReference,
    NumberResolver,
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
from rulewright.sequence.sequence_step import SequenceEdition, SequenceStep

FOUND = " found"
"""Key of the cache for the numbers in texts; no file has such a name."""

MAX_CACHED_TEXTS = 200_000
"""Number of cached texts above which the next run starts with an empty cache."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TextResolver:
    """Resolver of all references in a text."""

    numbers: NumberResolver
    tables: Mapping[str, Sequence[TableEntry]]  # the tables of each edition, by its address

    @property
    def outlines(self) -> Mapping[str, Outline]:
        return self.numbers.outlines

    def resolve(
        self,
        text: str,
        outline: Outline | None,
        chapter: str = "",
        is_cued: bool = False,
        rule: RuleEntry | None = None,
    ) -> list[Reference]:
        """Return every reference in a text, in order.

        `rule`: the rule that the text belongs to; the other parameters are those of `NumberResolver.resolve`.
        References by name are resolved each time: only numbers are cached.
        """
        numbers = self.numbers.resolve(text, outline, chapter, is_cued)
        # The outline whose numbers the text uses: texts that a game inherits use those of the series.
        if outline and outline.edition.base:
            outline = edition_of_numbers(text, outline, self.outlines)
        resolved: list[Reference] = [*numbers]
        if numbers and "[[" in text:
            resolved = [self._resolve_name(reference, text, outline) for reference in numbers]
        if outline is None or is_cued:
            return resolved
        finder = work_finder(outline.edition)
        if external_citations := list(finder.find(text)) if finder else []:
            resolved = resolve_external(external_citations, text, resolved, self.numbers, outline)
        external_spans = [(citation.start, citation.end) for citation in external_citations]
        outlines = with_series(outline, self.outlines)
        return add_step_and_item_references(text, resolved, outlines, rule, external_spans)

    def _resolve_name(self, reference: NumberReference, text: str, outline: Outline | None) -> Reference:
        """Resolve an explicit mark by the name of a table, step or term; return others unchanged."""
        if not isinstance(reference, FaultyReference) or reference.fault is not NOT_A_NUMBER:
            return reference
        name = reference.as_written(text)
        if book := reference.match.book:
            outline = marked_edition(book, outline, self.outlines)
        if outline is None or not any(map(str.isalpha, name)):
            return reference
        outlines = with_series(outline, self.outlines)
        candidates = (citables_named(name, o, self.tables[o.edition.address]) for o in outlines)
        citables = next(filter(None, candidates), [])
        if len(citables) == 1:
            return CitableReference(reference.match, citables[0])
        if citables:
            tables = (f"table {table.key}" for table in citables if isinstance(table, TableEntry))
            full_names = (full_name(citable) for citable in citables if not isinstance(citable, TableEntry))
            listing = " and ".join(dict.fromkeys((*tables, *full_names)))
            count, edition = len(citables), outline.edition.short
            message = f"{quote_short(name)} is ambiguous: {edition} has {count} of this name, {listing}"
            return FaultyReference(reference.match, UNCLEAR, f"{message}; write the id of one")
        names = (name for o in outlines for name in citable_names(o, self.tables[o.edition.address]))
        message = f"{reference.message}, nor a table, step or term of it{did_you_mean(name, names)}"
        return replace(reference, message=message)


@dataclass(frozen=True, slots=True)
class TextReferences:
    """A text with its references."""

    source: Source  # the rule, step, table, aid or errata entry that the text belongs to
    text: LocatedText
    resolved: tuple[Reference, ...]
    chapter: str  # the label of the chapter that numbers in the text may leave out
    is_see_key: bool  # whether the text is a value of `see:` or a similar key that has only references


# A text and the address of an edition; no address if its references are the same in all editions.
_TextInEdition = tuple[TextKey, str]


class ParsedText(NamedTuple):
    """A text parsed with its references."""

    document: Document
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EditionReferences:
    """The tables, aids and errata of an edition, and the references in all its texts."""

    tables: Sequence[TableEntry]
    aid_sheets: Sequence[AidSheet]
    errata_entries: Sequence[ErrataEntry]  # the errata and answered questions
    targets_with_errata: Sequence[tuple[ErratumTarget, ErrataEntry]]  # each with each object that it is about
    citations: Sequence[TextReferences]  # the texts that have references, and all `see:` texts
    texts: Sequence[tuple[LocatedText, Sequence[Reference]]]  # all texts, with references or without
    parsed_texts: Mapping[_TextInEdition, ParsedText]  # the texts that have references
    target_outlines: tuple[Outline, ...]  # the targets; if one has changed, the references are out of date


@dataclass(frozen=True, eq=False, repr=False)  # without slots, for its cached properties
class ReferenceIndex:
    """All references of all books, and what cites what. Mappings by edition have its address as their key."""

    resolver: TextResolver
    editions: Mapping[str, EditionReferences]
    # Returns the references of a term in an edition that is not the newest.
    old_term_references: Callable[[LocatedText, Edition], tuple[Reference, ...]] = lambda text, edition: ()
    _documents: dict[_TextInEdition, Document] = field(default_factory=dict)  # memo of other parsed texts

    @property
    def outlines(self) -> Mapping[str, Outline]:
        return self.resolver.outlines

    @cached_property
    def newest(self) -> Mapping[str, Edition]:
        """The newest edition of each book."""
        return newest_editions(outline.edition for outline in self.outlines.values())

    @cached_property
    def parsed_texts(self) -> Mapping[_TextInEdition, ParsedText]:
        """The texts of all editions that have references."""
        return {
            key: parsed for edition in self.editions.values() for key, parsed in edition.parsed_texts.items()
        }

    @cached_property
    def errata_by_target(self) -> Mapping[ErratumTarget, Sequence[ErrataEntry]]:
        """The errata entries about a rule, a table, a step or an aid, which shows them in full."""
        found: dict[ErratumTarget, list[ErrataEntry]] = {}
        for edition in self.editions.values():
            for target, errata_entry in edition.targets_with_errata:
                found.setdefault(target, []).append(errata_entry)
        return found

    @cached_property
    def tables_by_target(self) -> Mapping[RuleEntry | TableEntry, TableEntry]:
        """Tables by the target of references to them: the rule with their number or else the table itself."""
        return {table.cited_as: table for edition in self.editions.values() for table in edition.tables}

    @cached_property
    def cited_by(self) -> Mapping[RuleEntry | TableEntry, Sequence[Source]]:
        """The sources that cite a rule or a table, each once.

        Without aids, which repeat what the rules say, and errata that the cited rule shows in full.
        """
        sources_by_cited: dict[RuleEntry | TableEntry, dict[Source, None]] = {}
        for outline in self.outlines.values():
            for cited, source in _cited_with_sources(outline, self):
                if source is not cited and source not in self.errata_by_target.get(cited, ()):
                    sources_by_cited.setdefault(cited, {})[source] = None
        return {cited: [*sources] for cited, sources in sources_by_cited.items()}

    def references(self, text: LocatedText, edition: Edition | None = None) -> tuple[Reference, ...]:
        """Return the references of a text.

        `edition`: only for a text whose references have another target in each edition, such as a term.
        """
        if parsed := self.parsed_texts.get((text.key, edition.address if edition else "")):
            return parsed.references
        return self.old_term_references(text, edition) if edition else ()

    def document(self, text: LocatedText, edition: Edition | None = None) -> Document:
        """Return a text parsed with its references; `edition` as in `references`."""
        key = text.key, edition.address if edition else ""
        if parsed := self.parsed_texts.get(key):
            return parsed.document
        if key not in self._documents:
            self._documents[key] = parse_document(text, self.references(text, edition))
        return self._documents[key]

    def plain_text_in(self, text: LocatedText, edition: Edition) -> str:
        """Return the plain text of a text that several editions share, as one of them shows it."""
        if not self.references(text, edition):
            return plain_text(text)
        words: list[str] = []
        for _, inline in plain_paragraphs(self.document(text, edition).blocks):
            words += "".join(run.words for run in inline).split()
        return " ".join(words)

    def find_table(self, edition: SequenceEdition, name: str) -> TableEntry | None:
        """Return the table with a number, an id or a title; if a game has none, the table of its series."""
        for member in edition.with_series:
            references = self.editions.get(member.address)
            if references and (table := find_table(references.tables, name)):
                return table
        return None

    def table_number_used(self, step: SequenceStep, table: TableEntry) -> str:
        """Return a space and the number to show after the title of a table that a step uses, such as " 9.9".

        Return an empty string if the table has no number or the `see:` of the step shows it already.
        """
        references = (reference for text in step.step.see for reference in self.references(text))
        cited = (reference.target for reference in references if isinstance(reference, RuleReference))
        return "" if table.entry is None or table.entry in cited else f" {table.display_number}"


def build_reference_index(outlines: Mapping[str, Outline], cache: Cache | None = None) -> ReferenceIndex:
    """Resolve the references of all editions and index what cites what.

    `cache`: the numbers in texts, and the tables and the references of each edition in the last run, which
    are valid while its outline and those of their targets are the same.
    """
    cache = {} if cache is None else cache
    numbering = tuple(outline.numbering_digest for outline in outlines.values())
    matches: FoundReferences = memoize(cache, FOUND, numbering, dict)
    if len(matches) > MAX_CACHED_TEXTS:
        matches.clear()
    tables = {
        address: memoize(cache, f" tables {address}", (outline,), partial(build_table_entries, outline))
        for address, outline in outlines.items()
    }
    resolver = TextResolver(NumberResolver(outlines, matches), tables)
    editions: dict[str, EditionReferences] = {}
    for address, outline in outlines.items():
        name, inputs = f" cited {address}", (*with_series(outline, outlines), *numbering)
        resolve = partial(_edition_references, outline, resolver)
        references = memoize(cache, name, inputs, resolve)
        if any(outlines.get(target.edition.address) is not target for target in references.target_outlines):
            del cache[name]
            references = memoize(cache, name, inputs, resolve)
        editions[address] = references
    return ReferenceIndex(resolver, editions)


def _cited_with_sources(
    outline: Outline, index: ReferenceIndex
) -> Iterator[tuple[RuleEntry | TableEntry, Source]]:
    """Yield every rule and table that an edition cites or whose table a step uses, with the source."""
    edition = outline.edition
    for citation in index.editions[edition.address].citations:
        if isinstance(citation.source, AidSheet) or not edition.has_written(citation.text):
            continue
        for reference in citation.resolved:
            match reference:
                case RuleReference():
                    for entry in (reference.target, *reference.rules_in_range):
                        yield entry, citation.source
                case CitableReference(citable=ListItem() as list_item):
                    yield list_item.entry, citation.source
                case CitableReference(citable=TableEntry() as cited_table):
                    yield cited_table.cited_as, citation.source
    for step in outline.sequence.iter_steps():
        for used in step.own_keys.uses:
            if edition.has_written(used) and (table := index.find_table(edition, used)):
                yield table.cited_as, step


def _edition_references(outline: Outline, resolver: TextResolver) -> EditionReferences:
    """Resolve every text of an edition, as amended and as printed.

    In a `see:`, every number is a reference.
    """
    edition, outlines, tables = outline.edition, resolver.outlines, resolver.tables[outline.edition.address]
    sheets, errata = aid_plan.aid_sheets(edition), list(errata_entries(edition))
    citations: list[TextReferences] = []
    texts_by_place: dict[tuple[str, int, str], tuple[LocatedText, tuple[Reference, ...]]] = {}
    parsed_texts: dict[_TextInEdition, ParsedText] = {}

    def add(text: LocatedText, references: Iterable[Reference], address: str = "") -> tuple[Reference, ...]:
        resolved = tuple(references)
        if resolved:
            parsed_texts[text.key, address] = ParsedText(parse_document(text, resolved), resolved)
        return resolved

    for source, texts, chapter in edition_texts(outline, tables, sheets, errata):
        rule = source if isinstance(source, RuleEntry) else None
        for text, is_see_key in texts:
            resolved = add(text, resolver.resolve(text, outline, chapter, is_see_key, rule))
            texts_by_place[text.file.name, text.start, text] = text, resolved
            printed = resolved
            if isinstance(text, AmendedText):
                printed = add(
                    text.printed, resolver.resolve(text.printed, outline, chapter, is_see_key, rule)
                )
            if resolved or printed or is_see_key:
                citations.append(TextReferences(source, text, resolved, chapter, is_see_key))
    for _, text, is_see_key, term_outline in term_texts(outline, outlines):
        if term_outline in with_series(outline, outlines):
            references = resolver.resolve(text, outline, outline.default_chapter, is_see_key)
            resolved = add(text, references, edition.address)
            if term_outline is outline:
                texts_by_place[text.file.name, text.start, text] = text, resolved
    for series in with_series(outline, outlines)[1:2]:  # `replaces:` and the like cite the nearest series
        for _, _, text in override_texts(outline):
            references = resolver.resolve(str(text), series, series.default_chapter, is_cued=True)
            add(text, references, series.edition.address)
    return EditionReferences(
        tables,
        sheets,
        errata,
        list(errata_targets.targets_with_entries(errata, outline, tables, sheets)),
        citations,
        [*texts_by_place.values()],
        parsed_texts,
        tuple(_target_outlines(outline, parsed_texts.values(), outlines)),
    )


def _target_outlines(
    outline: Outline, parsed_texts: Iterable[ParsedText], outlines: Mapping[str, Outline]
) -> Iterable[Outline]:
    """Return the outlines that the references of an edition lead to, each once."""
    found: dict[str, Outline | None] = {}
    for reference in (reference for parsed in parsed_texts for reference in parsed.references):
        match reference:
            case RuleReference():
                for entry in (reference.target, *reference.rules_in_range):
                    found[entry.edition.address] = outlines[entry.edition.address]
            case CitableReference():
                address = reference.citable.edition.address
                found[address] = outlines[address]
            case FaultyReference() if book := reference.match.book:
                # An unknown name in a book may become known when that book changes.
                found[f"{book}:"] = marked_edition(book, outline, outlines)
    return dict.fromkeys(filter(None, found.values()))
