"""Every number and name in the files of the content that leads to a rule, table, step, term or list item.

An editor asks what is at an offset of a file, and where else that is named.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.book.table_entries import TableEntry
from rulewright.files.located_text import LocatedText, TextSlice
from rulewright.files.memoize import Cache, memoize
from rulewright.references.citable_items import Citable, ListItem, TermName
from rulewright.references.content_page import ContentPage
from rulewright.references.glossary import Glossary, TermEntry, term_entries
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import iter_number_keys, iter_referencing_texts
from rulewright.references.reference_types import CitableReference, RuleReference
from rulewright.schema.yaml_fields import texts_with_flag
from rulewright.sequence.sequence_step import SequenceStep

Target = RuleEntry | TableEntry | SequenceStep | TermEntry | ListItem
"""What has a definition and can be referred to."""

Place = tuple[str, int, int]
"""File, start and end of a number or name."""


@dataclass(frozen=True, slots=True)
class NameSpan:
    """Number or name in a file that leads to a target."""

    file: str
    start: int
    end: int
    target: Target
    definition: Place
    """Where the target has its number or name. It is the same for a step and its copies."""
    definitions_in_range: tuple[Place, ...] = ()
    """Definitions of the rules between the ends of the range that it ends."""

    @property
    def place(self) -> Place:
        return self.file, self.start, self.end

    @property
    def is_definition(self) -> bool:
        return self.place == self.definition


@dataclass(frozen=True, slots=True)
class NameSpans:
    """The numbers and names of each file, in order and without overlaps."""

    by_file: Mapping[str, Sequence[NameSpan]] = field(default_factory=dict)

    def at(self, file: str, offset: int) -> NameSpan | None:  # plain: ok
        """Return the number or name at an offset of a file, or directly before it."""
        spans = self.by_file.get(file, ())
        index = bisect_right(spans, offset, key=lambda span: span.start) - 1
        return spans[index] if index >= 0 and offset <= spans[index].end else None

    def naming(self, definition: Place) -> list[NameSpan]:
        """Return all numbers and names that lead to a definition, with the definition itself."""
        return [
            span
            for spans in self.by_file.values()
            for span in spans
            if span.definition == definition or definition in span.definitions_in_range
        ]


def build_name_spans(index: ReferenceIndex, pages: Iterable[ContentPage], cache: Cache) -> NameSpans:
    """Find the numbers and names of all files; names in unchanged editions come from the cache."""
    spans = [*_spans_of_references(index, [*pages])]
    for address, outline in index.outlines.items():
        inputs = (index.editions[address], *with_series(outline, index.outlines))
        spans += memoize(cache, f" names {address}", inputs, partial(_spans_of_edition, outline, index))
    spans_by_file: dict[str, dict[int, NameSpan]] = {}
    for span in spans:
        spans_by_file.setdefault(span.file, {}).setdefault(span.start, span)
    return NameSpans({file: _without_overlaps(spans.values()) for file, spans in spans_by_file.items()})


def _without_overlaps(spans: Iterable[NameSpan]) -> list[NameSpan]:
    disjoint: list[NameSpan] = []
    for span in sorted(spans, key=lambda span: span.start):
        if not disjoint or span.start >= disjoint[-1].end:
            disjoint.append(span)
    return disjoint


def _spans_of_edition(outline: Outline, index: ReferenceIndex) -> list[NameSpan]:
    """Return the names in the files of an edition, and the numbers of what it defines."""
    edition, glossary = outline.edition, Glossary(outline, index)
    spans: list[NameSpan] = []
    for text, target in (*_definitions(outline, index, glossary), *_names_in_keys(outline, index)):
        if edition.has_written(text):
            spans.append(NameSpan(*_place_of_text(text), target, _definition(target)))
    for source, text in glossary.searched_texts():
        if edition.has_written(text):
            for match in glossary.find_all(index.document(text.printed), source):
                start, end = text.printed.file_span(match.start, match.end)
                spans.append(NameSpan(text.file.name, start, end, match.target, _definition(match.target)))
    return spans


def _spans_of_references(index: ReferenceIndex, pages: Sequence[ContentPage]) -> Iterator[NameSpan]:
    """Yield the references in all texts, and the keys that are numbers."""
    for passage in iter_referencing_texts(index, pages):
        for reference in passage.resolved:
            target: Target | None = None
            in_range: tuple[Place, ...] = ()
            if isinstance(reference, RuleReference):
                target, in_range = reference.target, tuple(map(_definition, reference.rules_in_range))
            elif isinstance(reference, CitableReference):
                target = _cited_target(reference.citable, index)
            if target:
                place = passage.text.file_span(reference.match.start, reference.match.end)
                yield NameSpan(passage.file, *place, target, _definition(target), in_range)
    for outline in index.outlines.values():
        for number in iter_number_keys(outline, index):
            if number.target:
                place = number.passage.text.file_span(number.start, number.end)
                yield NameSpan(number.passage.file, *place, number.target, _definition(number.target))


def _cited_target(citable: Citable, index: ReferenceIndex) -> Target | None:
    match citable:
        case TableEntry():
            return citable.cited_as
        case TermName():
            terms = term_entries(index.outlines[citable.edition.address], index)
            return next((term for term in terms if term.words == citable.words), None)
    return citable


def _definitions(
    outline: Outline, index: ReferenceIndex, glossary: Glossary
) -> Iterator[tuple[LocatedText, Target]]:
    """Yield the number or name of everything that an edition defines, also where it is repeated."""
    edition = outline.edition
    for entry in outline.ordered_entries:
        yield entry.printed, entry
        if entry.listed_rule and entry.rule:
            yield entry.listed_rule.number, entry
    for table in index.editions[edition.address].tables:
        yield table.table.number or table.table.title, table.cited_as
    for step in outline.sequence.iter_steps():
        if step.difference in ("", "added"):
            yield step.step.title, step
    if index.newest.get(edition.address.partition("/")[0]) is edition:
        for term in glossary.terms:
            for spelling in (term.words, *term.term.aliases):
                yield spelling, term


def _names_in_keys(outline: Outline, index: ReferenceIndex) -> Iterator[tuple[LocatedText, Target]]:
    """Yield the names of steps and tables that are the whole value of a key."""
    edition = outline.edition
    outlines = with_series(outline, index.outlines)
    parts = [edition.sequence, *(sheet.aid for sheet in index.editions[edition.address].aid_sheets)]
    for text, key in (pair for part in filter(None, parts) for pair in texts_with_flag(part, "names")):
        kind = key.metadata["names"]
        if kind == "table" and (table := index.find_table(edition, text)):
            yield text, table.cited_as
        elif kind in ("step", "id", "activity"):
            steps = [step for member in outlines for step in member.sequence.steps_named(text)]
            yield from ((text, step) for step in steps[:1])


def _definition(target: Target) -> Place:
    """Return where a target has its number or name."""
    match target:
        case ListItem():
            return (target.text.file.name, *target.text.file_span(target.start, target.end))
        case RuleEntry():
            return _place_of_text(target.printed)
        case TableEntry():
            return _place_of_text(target.table.number or target.table.title)
        case SequenceStep():
            return _place_of_text(target.step.title)
    return _place_of_text(target.words)


def _place_of_text(text: LocatedText) -> Place:
    """Return where a scalar is in its file, without quotes."""
    text = text.printed
    quotes = 1 if text.style in ("'", '"') and not isinstance(text, TextSlice) else 0
    return text.file.name, text.start + quotes, text.end - quotes
