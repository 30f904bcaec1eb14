"""Fates of the errata of an edition in a newer one: taken in, not taken in, or said otherwise.

Editions are compared as amended. So an erratum that the next edition has taken in is no change of its rule,
and is told here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry, reference_texts_of_table
from rulewright.compare.field_diff import FieldDiff
from rulewright.compare.item_change import ItemChange
from rulewright.compare.matching import EditionSide
from rulewright.compare.word_diff import DiffWord, diff_words, references_as_rules, tokenize
from rulewright.files.located_text import LocatedText
from rulewright.references.edition_texts import edition_texts
from rulewright.schema.amended_text import COME, GONE, KEPT, AmendedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.sequence_step import SequenceStep

AROUND = 3
"""How many words before and behind those of an erratum are looked for with them."""


class ErratumOutcome(StrEnum):
    """Whether the newer edition says what an erratum does."""

    TAKEN_IN = "taken in"
    NOT_TAKEN_IN = "not taken in"  # the newer edition says what the older one printed
    OTHERWISE = "said otherwise"


@dataclass(frozen=True, slots=True)
class ErratumChange:
    """An erratum of the older edition, its fate in the newer one, and the rule, step or table there."""

    errata_entry: ErrataEntry
    fate: ErratumOutcome
    target: RuleEntry | SequenceStep | TableEntry


def errata_outcomes(wording: FieldDiff, changes: Iterable[ItemChange[Any]]) -> list[ErratumChange]:
    """Fates of the errata that amend the older edition, but of rules that are gone or unknown."""
    old, new = wording.old, wording.new
    heirs = {change.old: change.successor for change in changes}
    remarks = {
        entry.erratum: entry
        for entry in old.shelf.errata_entries[old.outline.edition.address]
        if entry.erratum
    }
    found: dict[ErrataEntry, ErratumChange] = {}
    for source, texts, chapter in edition_texts(old.outline, old.tables):
        thing = heirs.get(source)
        for text, _ in texts if isinstance(thing, RuleEntry | SequenceStep | TableEntry) else ():
            if isinstance(text, AmendedText) and isinstance(thing, RuleEntry | SequenceStep | TableEntry):
                says = [
                    _keys(references_as_rules(new.words(text), wording.meant[1]))
                    for text in _says(thing, new)
                ]
                for erratum in text.errata if any(says) else ():
                    if fate := _fate(text, erratum, chapter, says, wording):
                        found.setdefault(remarks[erratum], ErratumChange(remarks[erratum], fate, thing))
    return [found[entry] for entry in remarks.values() if entry in found]


def _says(thing: RuleEntry | SequenceStep | TableEntry, side: EditionSide) -> Iterator[LocatedText]:
    part = thing.step if isinstance(thing, SequenceStep) else getattr(thing, "rule", None)
    table = None if isinstance(thing, SequenceStep) else side.shelf.tables_by_target.get(thing)
    return (
        text
        for text, _ in (
            *(reference_texts(part) if part else ()),
            *(reference_texts_of_table(table) if table else ()),
        )
    )


def _fate(
    text: AmendedText, erratum: Erratum, chapter: str, says: Sequence[Sequence[str]], wording: FieldDiff
) -> ErratumOutcome | None:
    """Fate of an erratum in one of the texts that it amends; None where its words cannot tell."""
    side = wording.old
    runs_without = (
        run._replace(change=KEPT, erratum=None) if run.erratum is erratum else run
        for run in text.runs
        if run.erratum is not erratum or run.change == GONE
    )
    without = AmendedText.from_runs(text.printed, runs_without)
    resolved = side.shelf.resolve(without, side.outline, chapter)
    was, now = (
        references_as_rules(words, wording.meant[0])
        for words in (tokenize(without, resolved), side.words(text))
    )
    pieces = diff_words(was, now)
    stretches: Mapping[str, list[list[str]]] = {GONE: [], COME: []}
    runs = [list(run) for _, run in groupby(pieces, lambda piece: bool(piece.change))]
    for at, run in enumerate(runs):
        if not run[0].change:
            continue
        before = _keys(runs[at - 1][-1].words)[-AROUND:] if at else []
        behind = _keys(runs[at + 1][0].words)[:AROUND] if at + 1 < len(runs) else []
        for sign, found in stretches.items():
            own = [key for piece in run if piece.change == sign for key in _keys(piece.words)]
            found.append([*before, *own, *behind])
    if not stretches[COME]:
        return None
    if all(_holds(says, stretch) for stretch in stretches[COME]):
        return ErratumOutcome.TAKEN_IN
    return (
        ErratumOutcome.NOT_TAKEN_IN
        if all(_holds(says, one) for one in stretches[GONE])
        else ErratumOutcome.OTHERWISE
    )


def _keys(words: Iterable[DiffWord]) -> list[str]:
    return [word.key.casefold() for word in words]


def _holds(says: Iterable[Sequence[str]], stretch: Sequence[str]) -> bool:
    length = len(stretch)
    return any(list(say[at : at + length]) == stretch for say in says for at in range(len(say) - length + 1))
