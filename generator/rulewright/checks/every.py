"""The checks: each a generator that is given a shelf and yields the problems that it finds.

A kind of problem is declared beside the check that reports it, and the page that documents all codes is
made from those declarations. Faults of reading (YAML, keys, files) are reported where they are met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.checks import (
    aids,
    citing,
    differences,
    drawn,
    followed,
    labels,
    looks,
    naming,
    numbering,
    pictures,
    played,
    rolls,
    series,
    shades,
    sheets,
    steps,
    succession,
    tables,
)
from rulewright.citations.shelf import Shelf
from rulewright.source.problems import Problem

Check = Callable[[Shelf], Iterator[Problem]]

CHECKS: Sequence[Check] = (
    numbering.dialects,
    numbering.labels,
    numbering.duplicates,
    numbering.capitals,
    numbering.parents,
    numbering.order,
    citing.references,
    citing.marks,
    citing.terms,
    citing.editions,
    citing.dates,
    succession.formers,
    succession.retired,
    steps.levels,
    steps.repeats,
    steps.ids,
    steps.actors,
    steps.choices,
    steps.conditions,
    steps.names,
    differences.differences,
    followed.was,
    labels.labels,
    naming.terms,
    naming.abbreviations,
    pictures.figures,
    pictures.in_texts,
    drawn.signs,
    drawn.books,
    drawn.diagrams,
    played.played,
    shades.colours,
    looks.looks,
    tables.names,
    tables.columns,
    tables.modifiers,
    tables.results,
    tables.used,
    rolls.covered,
    aids.titles,
    aids.blocks,
    sheets.papers,
    sheets.panels,
    series.newer,
    series.overrides,
    series.voided,
    series.ambiguous,
    series.sequences,
)
"""Every check, in no order that matters: problems are put in order by place."""


def run(shelf: Shelf) -> Iterator[Problem]:
    """All problems of all editions on the shelf."""
    for check in CHECKS:
        yield from check(shelf)
