"""All texts of an edition, each with its source: the rule, step, table, aid or errata entry of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulewright.book import aid_plan, errata_targets
from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import find_outline
from rulewright.book.table_entries import Source, TableEntry, reference_texts_of_table
from rulewright.files.located_text import LocatedText
from rulewright.schema.yaml_fields import reference_texts


def edition_texts(
    outline: Outline,
    tables: Iterable[TableEntry],
    sheets: Iterable[AidSheet] = (),
    errata_entries: Iterable[ErrataEntry] = (),
) -> Iterator[tuple[Source, Iterable[tuple[LocatedText, bool]], str]]:
    """Yield each source with its texts, whether each text is a `see:`, and the chapter for its references."""
    for entry in outline.entries.values():
        for part in filter(None, (entry.rule, entry.listed_rule)):
            yield entry, reference_texts(part), entry.context_key
    if outline.edition.sequence and outline.sequence.root:
        yield outline.sequence.root, reference_texts(outline.edition.sequence), outline.default_chapter
    for step in outline.sequence.iter_steps():
        yield step, reference_texts(step.own_keys), outline.default_chapter
    for table in tables:
        chapter = table.entry.context_key if table.entry else outline.default_chapter
        yield table.cited_as, reference_texts_of_table(table), chapter
    for sheet in sheets:
        yield sheet, aid_plan.aid_texts(sheet), outline.default_chapter
    for errata_entry in errata_entries:
        yield (
            errata_entry,
            errata_targets.errata_texts(errata_entry),
            errata_targets.entry_chapter(errata_entry, outline),
        )


def term_texts(
    outline: Outline, outlines: Mapping[str, Outline]
) -> Iterator[tuple[LocatedText, LocatedText, bool, Outline | None]]:
    """Yield each term of a book with each of its texts, whether that is a `see:`, and the outline of its
    numbers.

    That is the newest edition with the term, of the book in whose file it is: a game has the terms of its
    series.
    """
    for name, term in outline.edition.book.terms.items():
        _, book, *_ = name.file.name.split("/")  # content/BOOK/rulebook.yml
        editions = [other for address, other in outlines.items() if address.startswith(f"{book}/")]
        having = [other for other in editions if name in other.edition.book.terms]
        newest = find_outline(book, outlines)
        home = newest if newest in having or not having else having[-1]
        for text, is_see_key in reference_texts(term):
            yield name, text, is_see_key, home


REPLACES, ADDS, VOIDS = "replaces", "adds to", "voids"


def override_texts(outline: Outline) -> Iterator[tuple[RuleEntry, str, LocatedText]]:
    """Yield each rule that overrides rules of its series, with the action and the text that names them."""
    for entry in outline.ordered_entries:
        for rule in filter(None, (entry.rule, entry.listed_rule)):
            for action, texts in ((REPLACES, rule.replaces), (ADDS, rule.adds_to), (VOIDS, rule.voids)):
                yield from ((entry, action, text) for text in texts)
