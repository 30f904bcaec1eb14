"""Checks of `was:`: the rule, step or table exists in the previous edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.book.outline import Outline
from rulewright.book.table_entries import find_table
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
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


def check_previous_names(index: ReferenceIndex) -> Iterator[Problem]:
    """Report a `was:` whose target is unknown, ambiguous or named twice."""
    for outline in index.outlines.values():
        previous_names = [*_iter_previous_names(outline, index)]
        file = outline.edition.edition_file
        old = followed_edition(outline, index.outlines)
        if old:
            yield from _check_names(previous_names, old, index)
        elif not file.follows:  # one that is not there has a problem of its own
            for _, name, about in previous_names:
                if name != NEW:
                    message = f"{outline.edition.short} follows no edition; name one in edition.yml"
                    yield NOT_FOUND.problem(name.place, message, about)


def _iter_previous_names(outline: Outline, index: ReferenceIndex) -> Iterator[tuple[str, LocatedText, str]]:
    """Names declared with `was:`: sort of thing, name, and what the name is of."""
    for entry, names in rules_with_previous_numbers(outline):
        yield from (("rule", name, entry.key) for name in names)
    for step in outline.sequence.iter_steps():
        if step.step.was:
            yield "step", step.step.was, step.anchor
    for table in index.editions[outline.edition.address].tables:
        if table.table.was:
            yield "table", table.table.was, table.anchor


def _check_names(
    previous_names: Iterable[tuple[str, LocatedText, str]], old: Outline, index: ReferenceIndex
) -> Iterator[Problem]:
    first: dict[object, tuple[LocatedText, str]] = {}
    for sort, name, about in previous_names:
        if name == NEW:
            continue
        matches, options = _find_matches(sort, name, old, index)
        if len(matches) > 1:
            anchors = " and ".join(str(getattr(match, "anchor", match)) for match in matches[:2])
            message = (
                f"{len(matches)} steps of {old.edition.short} are called {quote_short(name)}; name one of "
                f"{anchors}"
            )
            yield NOT_FOUND.problem(name.place, message, about)
        elif not matches:
            yield name.unknown_name_problem(
                NOT_FOUND, f"{old.edition.short} has no {sort} {quote_short(name)}", options, about
            )
        elif matches[0] in first:
            before, other = first[matches[0]]
            if before is not name and not (sort == "rule" and other == about):
                location = f"line {before.place.line}" if before.file is name.file else before.place
                message = (
                    f"{quote_short(name)} was {quote_short(other)} already, in {location}; it can be only "
                    f"one of them"
                )
                yield TWICE.problem(name.place, message, about)
        else:
            first[matches[0]] = name, about


def _find_matches(
    sort: str, name: LocatedText, old: Outline, index: ReferenceIndex
) -> tuple[list[object], list[str]]:
    if sort == "rule":
        entry = old.find(name)
        return [entry] if entry else [], list(old.entries)
    if sort == "step":
        return [*steps_with_previous_name(name, old)], [
            str(step.step.title) for step in old.sequence.iter_steps()
        ]
    tables = index.editions[old.edition.address].tables
    table = find_table(tables, name)
    return [table] if table else [], [
        word for table in tables for word in (table.anchor, str(table.table.title))
    ]
