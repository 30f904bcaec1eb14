"""Checks of `was:`: the rule, step or table exists in the previous edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.book.outline import Outline
from rulewright.book.table_entries import TableEntry, find_table
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import problem_type, quote_short
from rulewright.references.previous_edition import (
    followed_edition,
    rules_with_previous_numbers,
    steps_with_previous_name,
)
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.rulebook import NEW

NOT_FOUND = problem_type(
    "was-not-found",
    """A `was:` names a thing that is not in the edition that this one follows. It may be a rule's number, a
    step's title, id or address, or a table's number, id or title there.""",
)
TWICE = problem_type("was-twice", "`was:` says of two rules, steps or tables that they were the same one.")


@check(Outline, NOT_FOUND, TWICE)
def check_previous_names(outline: Outline, scope: Scope) -> Problems:
    """Report a `was:` whose target is unknown, ambiguous or named twice."""
    previous = followed_edition(outline, scope.index.outlines)
    first: dict[object, tuple[LocatedText, str]] = {}
    for sort, name, about in _iter_previous_names(outline, scope.references.tables):
        if name == NEW:
            continue
        if not previous:
            if not outline.edition.edition_file.follows:  # one that is not there has a problem of its own
                message = f"{outline.edition.short} follows no edition; name one in edition.yml"
                yield NOT_FOUND.problem(name, message, about)
            continue
        edition, words = previous.edition.short, quote_short(name)
        matches, options = _find_matches(sort, name, previous, scope.index)
        if len(matches) > 1:
            anchors = " and ".join(str(getattr(match, "anchor", match)) for match in matches[:2])
            message = f"{len(matches)} steps of {edition} are called {words}; name one of {anchors}"
            yield NOT_FOUND.problem(name, message, about)
        elif not matches:
            yield name.unknown_name_problem(NOT_FOUND, f"{edition} has no {sort} {words}", options, about)
        else:
            before, other = first.setdefault(matches[0], (name, about))
            if before is not name and not (sort == "rule" and other == about):
                place = f"line {before.place.line}" if before.file is name.file else before.place
                message = f"{words} was {quote_short(other)} already, in {place}; it can be only one of them"
                yield TWICE.problem(name, message, about)


def _iter_previous_names(
    outline: Outline, tables: Iterable[TableEntry]
) -> Iterator[tuple[str, LocatedText, str]]:
    """Names declared with `was:`: sort of thing, name, and what the name is of."""
    for entry, names in rules_with_previous_numbers(outline):
        yield from (("rule", name, entry.key) for name in names)
    for step in outline.sequence.iter_steps():
        if step.step.was:
            yield "step", step.step.was, step.anchor
    for table in tables:
        if table.table.was:
            yield "table", table.table.was, table.anchor


def _find_matches(
    sort: str, name: LocatedText, old: Outline, index: ReferenceIndex
) -> tuple[list[object], list[str]]:
    if sort == "rule":
        entry = old.find(name)
        return [entry] if entry else [], list(old.entries)
    if sort == "step":
        titles = [str(step.step.title) for step in old.sequence.iter_steps()]
        return [*steps_with_previous_name(name, old)], titles
    tables = index.editions[old.edition.address].tables
    table = find_table(tables, name)
    words = [word for table in tables for word in (table.anchor, str(table.table.title))]
    return [table] if table else [], words
