"""The sequence of play for programs: JSON with all there is to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from rulewright.book.cited_things import called_in_full
from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry
from rulewright.citations.facts import said
from rulewright.citations.resolving import Resolved
from rulewright.citations.shelf import Shelf
from rulewright.model.reports import as_json, told
from rulewright.model.step import Step
from rulewright.site.exports.lines import View
from rulewright.site.exports.tables import JsonObject
from rulewright.source.text import Text
from rulewright.text.document import plain

_OWN = {"kind", "title", "by", "steps", "any_order", "exceptions"}
"""Fields of a step that are told in another way than as they were written."""

_PLAYER = "title mark", "colour"


def json(outline: Outline, shelf: Shelf, base: str = "") -> str:
    """The sequence of play as JSON: every key of every step as it was written, and what it means.

    A step's `refs` are the references in its texts: the `key` (of a list also the `item`, counted from 0),
    the characters `start` to `end` of it, and the rule that is meant: `edition`, `target`, `href`, `title`.
    The end of a range has the rules between its ends in `through`.
    """
    view = View(outline, shelf, base)
    book, sequence = outline.edition.book, outline.edition.sequence
    made: JsonObject = {
        "book": book.title,
        "edition": outline.edition.file.edition,
        "address": outline.edition.address,
        "title": sequence.title if sequence else "",
    }
    if view.intro:
        made["text"] = view.intro
        made["refs"] = [reference(one, view.intro, view) for one in view.shelf.references(view.intro)]
    made["roles"] = {name: told(role, *_PLAYER) for name, role in book.roles.items()}
    made["sides"] = {name: told(side, *_PLAYER) for name, side in book.sides.items()}
    made["steps"] = [_step(entry, view) for entry in outline.steps]
    return as_json(made)


def _step(entry: StepEntry, view: View) -> JsonObject:
    step = entry.step
    made: JsonObject = {
        **told(step, "kind title"),
        "path": entry.path,
        **_link(entry, view),
        **told(entry, "by combat any_order"),
        **told(step, "", " ".join(f.name for f in fields(Step) if f.name not in _OWN)),
    }
    if step.every:
        made["every"] = said(entry, "every")[0]
    if entry.repeated:
        made["repeats"] = {"id": entry.repeated.step.id, **_link(entry.repeated, view)}
    if entry.dropped:
        made["without"] = [plain(one.step.title) for one in entry.dropped]
    if entry.difference:
        made["difference"] = entry.difference
    if tables := [table for name in step.uses if (table := view.table(name))]:
        made["tables"] = [{"key": t.key, "title": plain(t.table.title), "href": view.href(t)} for t in tables]
    made["refs"] = list(_references(step, view))
    made["steps"] = [_step(row, view) for row in entry.rows]
    return made


def _link(entry: StepEntry, view: View) -> JsonObject:
    return {"anchor": entry.anchor, "href": view.href(entry)}


def _references(step: Step, view: View) -> Iterator[Mapping[str, Any]]:
    for f in fields(Step):
        value = getattr(step, f.name)
        listed = isinstance(value, tuple) and f.name not in _OWN
        for item, text in enumerate(value if listed else [value] if isinstance(value, Text) else ()):
            where = {"key": f.name, "item": item} if listed else {"key": f.name}
            yield from ({**where, **reference(one, text, view)} for one in view.shelf.references(text))


def reference(one: Resolved, text: Text, view: View) -> JsonObject:
    """A reference as JSON. One whose fault is excused has no target, nor has one to what is no rule."""
    start, end = one.found.start, one.found.end
    made: JsonObject = {"start": start, "end": end, "text": text[start:end]}
    if one.away:
        made |= told(one.away, "site href title")
    if one.thing:
        made |= {"href": view.href(one.thing), "title": plain(called_in_full(one.thing))}
    if one.target and one.number and not one.fault:
        made |= {"edition": one.target.edition.address, "target": one.number.key}
        made |= {"href": view.href(one.target), **told(one.target, "", "title")}
        made |= {"through": [entry.key for entry in one.inside]} if one.found.through else {}
    return made
