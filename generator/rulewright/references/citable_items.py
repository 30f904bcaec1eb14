"""Citable items other than rules: list items, steps, tables and terms.

The anchor of a list item extends that of its rule: `9.1/2`, and `9.1/2/1` for an item inside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry, bare_table_name
from rulewright.files.filenames import unique_name
from rulewright.files.located_text import LocatedText
from rulewright.schema.rulebook import Term
from rulewright.schema.text_document import SIGNED, Block, Document, TextList
from rulewright.sequence.sequence_step import TOP, SequenceStep, title_slug
from rulewright.sequence.step_names import abbreviation_of, nearest_step, spoken_title

_LABEL = r"\(?([0-9]{1,3}|[ivxlc]{1,6}|[IVXLC]{1,6}|[^\W\d_]{1,2})[.)]"
_LABELLED = re.compile(rf"(?:\A|\n)[ ]*(?:[-*] +)?{_LABEL}[ ]+\S")
_SIGN = re.compile(_LABEL)


class ListItem(NamedTuple):
    """Item of a numbered or lettered list in a rule."""

    entry: RuleEntry
    labels: tuple[str, ...]
    """Labels of the items around it, then its own."""
    anchor: str
    text: LocatedText
    start: int
    end: int

    @property
    def edition(self) -> Edition:
        return self.entry.edition

    @property
    def number(self) -> str:
        if all(map(str.isdigit, self.labels)):
            return ".".join(self.labels)
        return "".join(f"({label})" for label in self.labels)

    @property
    def words(self) -> str:
        """Return the text of the item without its inner items."""
        return self.text[self.start : self.end].strip()

    def __str__(self) -> str:
        return f"{self.entry.display_number}, {self.number}"


class TermName(NamedTuple):
    """Term of a book in the edition that is cited; its anchor is that in the glossary."""

    words: LocatedText
    edition: Edition
    anchor: str

    def __str__(self) -> str:
        return str(self.words)


Citable = ListItem | SequenceStep | TableEntry | TermName
"""Citable item other than a rule."""


@lru_cache(maxsize=64)
def list_items_of(entry: RuleEntry) -> tuple[ListItem, ...]:
    """Return the items of all numbered and lettered lists of a rule, in order.

    If two lists have the same number, the second item gets the next free anchor: `9.1/2-2`.
    """
    items: list[ListItem] = []
    rule = entry.rule
    for text in (rule.text, rule.closing) if rule else ():
        if text and _LABELLED.search(text):
            taken = {rule.key for rule in entry.iter_subtree()} | {list_item.anchor for list_item in items}
            items += _iter_items(entry, text, Document(text).blocks, (), taken)
    return tuple(items)


def _iter_items(
    entry: RuleEntry, text: LocatedText, blocks: Iterable[Block], above: tuple[str, ...], taken: set[str]
) -> Iterator[ListItem]:
    for block in blocks:
        if not isinstance(block, TextList):
            continue
        for number, item in enumerate(block.items, max(block.first, 1)):
            sign = _SIGN.match(text, item.start) if block.first == SIGNED else None
            labels = (*above, sign[1] if sign else str(number)) if block.first > 0 or sign or above else ()
            if labels:
                anchor = unique_name("/".join((entry.key, *labels)), taken)
                taken.add(anchor)
                yield ListItem(entry, labels, anchor, text, item.start, item.end)
            yield from _iter_items(entry, text, item.lists, labels, taken)


def inner_steps(step: SequenceStep, outline: Outline) -> Sequence[SequenceStep]:
    """Return the steps inside a step as played; for the root of the sequence, the outermost steps."""
    return outline.sequence.steps if step is outline.sequence.root else step.inner


def step_at(steps: Sequence[SequenceStep], label: str) -> SequenceStep | None:
    """Return the step with a label such as 2 or B; if no step has a number, 2 means the second step."""
    labels = [re.sub(r"\W", "", str(step.step.label or "")) for step in steps]
    if label in labels:
        return steps[labels.index(label)]
    counts = label.isdigit() and not any(map(str.isdigit, labels)) and 0 < int(label) <= len(steps)
    return steps[int(label) - 1] if counts else None


@lru_cache(maxsize=16)
def steps_by_name(outline: Outline) -> dict[str, list[SequenceStep]]:
    """Index the steps of an edition by all their names, case-folded."""
    steps: dict[str, list[SequenceStep]] = {}
    for step in (*([outline.sequence.root] if outline.sequence.root else ()), *outline.sequence.iter_steps()):
        if step.difference == "dropped":
            continue
        title = spoken_title(step)
        names = (title, f"{title} {step.step.kind}", abbreviation_of(step), step.step.id, step.step.title)
        for name in dict.fromkeys(" ".join(name.split()).casefold() for name in names if name):
            steps.setdefault(name, []).append(step)
    return steps


@lru_cache(maxsize=16)
def rules_by_title(outline: Outline) -> dict[str, list[RuleEntry]]:
    """Index the rules of an edition by case-folded title."""
    titled: dict[str, list[RuleEntry]] = {}
    for entry in outline.ordered_entries:
        if entry.title:
            titled.setdefault(" ".join(entry.title.split()).casefold(), []).append(entry)
    return titled


def citables_named(name: str, outline: Outline, tables: Iterable[TableEntry]) -> list[Citable]:
    """Return the tables, steps and terms of a name; several if it is ambiguous.

    Full names take precedence over partial names, and tables and steps over terms.
    """
    folded_name, bare_name = " ".join(name.split()).casefold(), bare_table_name(name)
    citables: list[Citable] = []
    tables_by_part: list[TableEntry] = []
    for table in tables:
        names = [str(n) for n in (table.table.number, table.table.id, table.table.title) if n]
        if folded_name in map(str.casefold, names):
            citables.append(table)
        if bare_name in map(bare_table_name, names):
            tables_by_part.append(table)
    steps = steps_by_name(outline).get(folded_name, [])
    citables += [step] if (step := nearest_step(steps)) else steps
    if not citables:
        for term_name, term in term_names(outline.edition):
            if folded_name in map(str.casefold, (term_name.words, *term.aliases)):
                citables.append(term_name)
    return citables or [*tables_by_part]


def term_names(edition: Edition) -> Iterator[tuple[TermName, Term]]:
    """Yield the terms of an edition's book with their names and anchors in the glossary."""
    taken = {TOP}
    for words, term in edition.book.terms.items():
        anchor = unique_name(title_slug(words) if re.search(r"[^\W_]", words) else "sign", taken)
        taken.add(anchor)
        yield TermName(words, edition, anchor), term


def citable_names(outline: Outline, tables: Iterable[TableEntry]) -> Iterator[str]:
    """Yield the names of the tables, steps and terms of an edition as printed."""
    yield from (str(table.table.title) for table in tables)
    yield from dict.fromkeys(
        spoken_title(step) for step in outline.sequence.iter_steps() if step.difference != "dropped"
    )
    yield from map(str, outline.edition.book.terms)


def full_name(item: object) -> str:
    """Return the name of an item in messages: the path of a step, the rule and number of a list item."""
    return item.path if isinstance(item, SequenceStep) else str(item)
