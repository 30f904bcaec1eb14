"""Checks of what rules, steps and tables are said to have been in the edition before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.book.outline import Outline
from rulewright.book.tables import table_named
from rulewright.citations.predecessor import called, followed, was_of
from rulewright.citations.shelf import Shelf
from rulewright.model.rulebook import NEW
from rulewright.source.problems import Problem, kind, shown
from rulewright.source.text import Text

NOT_FOUND = kind(
    "was-not-found",
    """A `was:` names a thing that is not in the edition that this one follows. It may be a rule's number, a
    step's title, id or address, or a table's number, id or title there.""",
)
TWICE = kind("was-twice", "`was:` says of two rules, steps or tables that they were the same one.")


def was(shelf: Shelf) -> Iterator[Problem]:
    """Report a `was:` that names a thing that is not there, is one of several, or was named already."""
    for outline in shelf.outlines.values():
        said = [*_said(outline, shelf)]
        file = outline.edition.file
        old = followed(outline, shelf.outlines)
        if old:
            yield from _wrong(said, old, shelf)
        elif not file.follows:  # one that is not there has a problem of its own
            for _, name, about in said:
                if name != NEW:
                    message = f"{outline.edition.short} follows no edition; name one in edition.yml"
                    yield NOT_FOUND.at(name.place, message, about)


def _said(outline: Outline, shelf: Shelf) -> Iterator[tuple[str, Text, str]]:
    """Names declared with `was:`: sort of thing, name, and what the name is of."""
    for entry, names in was_of(outline):
        yield from (("rule", name, entry.key) for name in names)
    for step in outline.every_step():
        if step.step.was:
            yield "step", step.step.was, step.anchor
    for table in shelf.tables[outline.edition.address]:
        if table.table.was:
            yield "table", table.table.was, table.anchor


def _wrong(said: Iterable[tuple[str, Text, str]], old: Outline, shelf: Shelf) -> Iterator[Problem]:
    first: dict[object, tuple[Text, str]] = {}
    for sort, name, about in said:
        if name == NEW:
            continue
        found, options = _found(sort, name, old, shelf)
        if len(found) > 1:
            anchors = " and ".join(str(getattr(one, "anchor", one)) for one in found[:2])
            message = (
                f"{len(found)} steps of {old.edition.short} are called {shown(name)}; name one of {anchors}"
            )
            yield NOT_FOUND.at(name.place, message, about)
        elif not found:
            yield name.missing(NOT_FOUND, f"{old.edition.short} has no {sort} {shown(name)}", options, about)
        elif found[0] in first:
            before, other = first[found[0]]
            if before is not name and not (sort == "rule" and other == about):
                where = f"line {before.place.line}" if before.file is name.file else before.place
                message = f"{shown(name)} was {shown(other)} already, in {where}; it can be only one of them"
                yield TWICE.at(name.place, message, about)
        else:
            first[found[0]] = name, about


def _found(sort: str, name: Text, old: Outline, shelf: Shelf) -> tuple[list[object], list[str]]:
    if sort == "rule":
        entry = old.find(name)
        return [entry] if entry else [], list(old.entries)
    if sort == "step":
        return [*called(name, old)], [str(step.step.title) for step in old.every_step()]
    tables = shelf.tables[old.edition.address]
    table = table_named(tables, name)
    return [table] if table else [], [word for one in tables for word in (one.anchor, str(one.table.title))]
