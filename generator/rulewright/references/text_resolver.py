"""Resolver of all references in a text: numbers, marks, names, external works, counted steps and items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import edition_of_numbers, marked_edition, with_series
from rulewright.book.table_entries import TableEntry
from rulewright.files.problems import did_you_mean, quote_short
from rulewright.references.citable_items import citable_names, citables_named, full_name
from rulewright.references.external_works import resolve_external, work_finder
from rulewright.references.reference_resolver import NOT_A_NUMBER, UNCLEAR, NumberReference, NumberResolver
from rulewright.references.reference_types import CitableReference, FaultyReference, Reference
from rulewright.references.step_and_item_references import add_step_and_item_references

_HINTS_OF_OTHER_REFERENCES = ("tep", "tem", "oint", "age", "p.")
"""Parts of Step, step, Item, item, Point, point, Page and page, one of which a reference to these has."""


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
        if not resolved and not any(hint in text for hint in _HINTS_OF_OTHER_REFERENCES):
            return resolved  # fast path for most texts
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
