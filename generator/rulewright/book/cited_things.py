"""Things that texts cite and that are no rules: items of lists, steps, tables, terms.

An item has its address behind that of its rule, `9.1/2`, and one inside it behind that, `9.1/2/1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import TOP, StepEntry, slug
from rulewright.book.step_names import abbreviation_of, one_of, title_of
from rulewright.book.tables import TableEntry, bare
from rulewright.model.rulebook import Term
from rulewright.source.filenames import unlike
from rulewright.source.patterns import Regex
from rulewright.source.text import Text
from rulewright.text.document import SIGNED, Block, Document, List

_LABEL = r"\(?([0-9]{1,3}|[ivxlc]{1,6}|[IVXLC]{1,6}|[^\W\d_]{1,2})[.)]"
_LABELLED = Regex(rf"(?:\A|\n)[ ]*(?:[-*] +)?{_LABEL}[ ]+\S")
_SIGN = Regex(_LABEL)


class ListItem(NamedTuple):
    """An item of a numbered or lettered list in a rule. `labels`: its own, those of items around it first."""

    entry: Entry
    labels: tuple[str, ...]
    anchor: str
    text: Text
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
        """Its own words, without the items inside it."""
        return self.text[self.start : self.end].strip()

    def __str__(self) -> str:
        return f"{self.entry.shown}, {self.number}"


class TermName(NamedTuple):
    """A term of a book by its own words, in the edition that it is cited in; `anchor`: its address there."""

    words: Text
    edition: Edition
    anchor: str

    def __str__(self) -> str:
        return str(self.words)


Citable = ListItem | StepEntry | TableEntry | TermName
"""Thing that can be cited and is no rule."""


@lru_cache(maxsize=64)
def items_of(entry: Entry) -> tuple[ListItem, ...]:
    """The items of numbered and lettered lists in a rule's own text, and all items inside those, in order.

    The second of one number, in another list, has the first anchor that is free: `9.1/2-2`.
    """
    found: list[ListItem] = []
    rule = entry.rule
    for text in (rule.text, rule.closing) if rule else ():
        if text and _LABELLED.search(text):
            taken = {one.key for one in entry.walk()} | {one.anchor for one in found}
            found += _items(entry, text, Document(text).blocks, (), taken)
    return tuple(found)


def _items(
    entry: Entry, text: Text, blocks: Iterable[Block], above: tuple[str, ...], taken: set[str]
) -> Iterator[ListItem]:
    for block in blocks:
        if not isinstance(block, List):
            continue
        for at, one in enumerate(block.items, max(block.first, 1)):
            sign = _SIGN.match(text, one.start) if block.first == SIGNED else None
            labels = (*above, sign[1] if sign else str(at)) if block.first > 0 or sign or above else ()
            if labels:
                anchor = unlike("/".join((entry.key, *labels)), taken)
                taken.add(anchor)
                yield ListItem(entry, labels, anchor, text, one.start, one.end)
            yield from _items(entry, text, one.lists, labels, taken)


def steps_in(step: StepEntry, outline: Outline) -> Sequence[StepEntry]:
    """The steps inside a step as they are gone through; of the sequence as a whole, the outermost ones."""
    return outline.steps if step is outline.root else step.rows or step.played


def step_at(steps: Sequence[StepEntry], label: str) -> StepEntry | None:
    """The step that has a label, 2 or B, or where none has such a one the second of them."""
    labels = [re.sub(r"\W", "", str(one.step.label or "")) for one in steps]
    if label in labels:
        return steps[labels.index(label)]
    counts = label.isdigit() and not any(map(str.isdigit, labels)) and 0 < int(label) <= len(steps)
    return steps[int(label) - 1] if counts else None


@lru_cache(maxsize=16)
def steps_by_name(outline: Outline) -> dict[str, list[StepEntry]]:
    """Index the steps of an edition by all that they are called, in small letters."""
    named: dict[str, list[StepEntry]] = {}
    for step in (*([outline.root] if outline.root else ()), *outline.every_step()):
        if step.difference == "dropped":
            continue
        title = title_of(step)
        names = (title, f"{title} {step.step.kind}", abbreviation_of(step), step.step.id, step.step.title)
        for name in dict.fromkeys(" ".join(one.split()).casefold() for one in names if one):
            named.setdefault(name, []).append(step)
    return named


@lru_cache(maxsize=16)
def rules_by_title(outline: Outline) -> dict[str, list[Entry]]:
    """Index the rules of an edition by their titles, in small letters."""
    titled: dict[str, list[Entry]] = {}
    for entry in outline.in_order:
        if entry.title:
            titled.setdefault(" ".join(entry.title.split()).casefold(), []).append(entry)
    return titled


def things_called(name: str, outline: Outline, tables: Iterable[TableEntry]) -> list[Citable]:
    """The tables, steps and terms of an edition that have a name; several where it is not clear.

    A name in full goes before a part of one. A term that is called as a step or a table stands for that.
    """
    wanted, tables = " ".join(name.split()).casefold(), list(tables)
    called = [{str(n) for n in (one.table.number, one.table.id, one.table.title) if n} for one in tables]
    found: list[Citable] = [
        one for one, names in zip(tables, called, strict=True) if wanted in {n.casefold() for n in names}
    ]
    steps = steps_by_name(outline).get(wanted, [])
    found += [step] if (step := one_of(steps)) else steps
    if not found:
        found += _terms_called(wanted, outline)
    if not found:
        part = bare(name)
        found += [one for one, names in zip(tables, called, strict=True) if part in {bare(n) for n in names}]
    return found


def _terms_called(wanted: str, outline: Outline) -> Iterator[TermName]:
    for name, term in terms_of(outline.edition):
        if wanted in {one.casefold() for one in (name.words, *term.aliases)}:
            yield name


def terms_of(edition: Edition) -> Iterator[tuple[TermName, Term]]:
    """The terms of an edition's book, each with its address in the glossary."""
    taken = {TOP}
    for words, term in edition.book.terms.items():
        anchor = unlike(slug(words) if re.search(r"[^\W_]", words) else "sign", taken)
        taken.add(anchor)
        yield TermName(words, edition, anchor), term


def names_in(outline: Outline, tables: Iterable[TableEntry]) -> Iterator[str]:
    """The names that tables, steps and terms of an edition have, as they are written."""
    yield from (str(one.table.title) for one in tables)
    yield from dict.fromkeys(title_of(step) for step in outline.every_step() if step.difference != "dropped")
    yield from map(str, outline.edition.book.terms)


def called_in_full(thing: Citable) -> str:
    """The name of a thing for people: of a step where it lies, of an item its rule and its number."""
    return thing.path if isinstance(thing, StepEntry) else str(thing)
