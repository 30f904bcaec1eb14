"""The checks: each a generator that is given a shelf and yields the problems that it finds.

A kind of problem is declared beside the check that reports it, and the page that documents all codes is
made from those declarations. Faults of reading (YAML, keys, files) are reported where they are met.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pkgutil import walk_packages

from rulewright.checks import (
    aids,
    citing,
    differences,
    followed,
    labels,
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
from rulewright.source.problems import Kind, Problem

_ROOMS = ("source", "model", "numbers", "book", "citations", "compare", "checks")
"""The rooms that declare kinds of problems of the content."""

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
    citing.unseen_in_names,
    citing.terms,
    citing.works,
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
    steps.twice,
    steps.names,
    differences.differences,
    followed.was,
    labels.labels,
    naming.terms,
    naming.abbreviations,
    pictures.figures,
    pictures.in_texts,
    pictures.signs,
    played.played,
    shades.colours,
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
"""The checks of what most books have, in no order that matters: problems are put in order by place."""


def run(shelf: Shelf) -> Iterator[Problem]:
    """All problems of all editions on the shelf."""
    for check in (*CHECKS, *_rare(shelf)):
        yield from check(shelf)


def _rare(shelf: Shelf) -> Iterator[Check]:
    """The checks of what few books have, imported where one has it."""
    books = [edition.book for edition in shelf.of_each_book]
    if any(book.look for book in books):
        from rulewright.checks import looks

        yield looks.looks
    draws = any(book.symbols or book.counters or book.terrain for book in books)
    if draws or any(pictures.diagrams_in(shelf)):
        from rulewright.checks import drawn

        yield from (drawn.books, drawn.diagrams)


def kinds() -> Mapping[str, Kind]:
    """Every kind of problem that a check or a print may find, by code; all that declares one is imported.

    Those of imports are left out, whether or not this process has imported any.
    """
    for room in _ROOMS:
        path = import_module(f"rulewright.{room}").__path__
        for found in walk_packages(path, f"rulewright.{room}."):
            import_module(found.name)
    rooms = tuple(f"rulewright.{room}." for room in (*_ROOMS, "print"))
    modules = [module for name, module in sys.modules.items() if name.startswith(rooms)]
    values = (one for module in modules for one in vars(module).values())
    return {one.code: one for one in values if isinstance(one, Kind)}
