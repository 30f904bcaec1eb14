"""Checks of how much there is of each thing: what is beyond a bound is told, and nothing of it is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright.citations.shelf import Shelf
from rulewright.source import bounds
from rulewright.source.bounds import Bound
from rulewright.source.problems import Problem, kind

EDITIONS = kind("editions-too-many", f"{bounds.EDITIONS} Keep old ones in a project of their own.")
RULES = kind("rules-too-many", f"{bounds.RULES} Make two books of it.")
REFERENCES = kind("references-too-many", f"{bounds.REFERENCES} Split it, or cite whole sections.")
SHEETS = kind("aids-too-many", f"{bounds.SHEETS} Put several on one sheet.")


def budgets(shelf: Shelf) -> Iterator[Problem]:
    """Report things of which a project has too many; of each edition the first that is beyond a bound."""
    for at, outline in enumerate(shelf.outlines.values()):
        edition, file = outline.edition, outline.edition.file.edition
        if at == bounds.EDITIONS.most:
            yield EDITIONS.at(file.place, _too_many(len(shelf.outlines), bounds.EDITIONS), edition.address)
        if len(outline.entries) > bounds.RULES.most:
            beyond = [*outline.entries.values()][bounds.RULES.most]
            yield RULES.at(beyond.printed.place, _too_many(len(outline.entries), bounds.RULES), beyond.key)
        if len(sheets := shelf.sheets[edition.address]) > bounds.SHEETS.most:
            title = sheets[bounds.SHEETS.most].aid.title
            yield SHEETS.at(title.place, _too_many(len(sheets), bounds.SHEETS), title)
        yield from _references(shelf, edition.address)


def _references(shelf: Shelf, address: str) -> Iterator[Problem]:
    """The text of each rule, step, table or aid with which it comes to have too many references."""
    counted: Counter[object] = Counter()
    for citation in shelf.citations[address]:
        before = counted[citation.source]
        counted[citation.source] += len(citation.resolved)
        if before <= bounds.REFERENCES.most < counted[citation.source]:
            first = citation.resolved[bounds.REFERENCES.most - before]
            place = citation.text.place_of(first.found.start)
            about = getattr(citation.source, "key", address)
            yield REFERENCES.at(place, _too_many(counted[citation.source], bounds.REFERENCES), about)


def _too_many(count: int, bound: Bound) -> str:
    return f"{bound.clause}; here are {count:,}"
