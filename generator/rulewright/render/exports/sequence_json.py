"""The sequence of play for programs: JSON with all there is to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rulewright.book.outline import Outline
from rulewright.book.table_entries import Source, TableEntry
from rulewright.files.located_text import LocatedText
from rulewright.references import site_paths
from rulewright.references.citable_items import Citable, full_name
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    Reference,
    RuleReference,
)
from rulewright.render.exports.table_export import JsonObject
from rulewright.schema.problem_reports import to_dict, to_json_text
from rulewright.schema.step import INSIDE, Step
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import ANY_ORDER, ONE_OF, SequenceStep

_OWN = {"kind", "title", "by", "condition", "rounds", *INSIDE.values(), "exceptions"}
_ORDERS = {"steps": "given", ANY_ORDER: "any", ONE_OF: "one"}
"""Fields of a step that are told in another way than as they were written."""

_PLAYER = "title mark", "colour"


@dataclass(frozen=True, slots=True)
class OutlineView:
    """An outline as it is exported, with links below `base`."""

    outline: Outline
    index: ReferenceIndex
    base: str

    def href(self, target: Source | Citable) -> str:
        """Return the link to a rule, a step or a table."""
        return site_paths.absolute_link(self.base, *site_paths.path_and_anchor(target))

    def table(self, name: LocatedText) -> TableEntry | None:
        """Return the table that a step uses if the text is its name and no reference."""
        is_name = not self.index.references(name)
        return self.index.find_table(self.outline.edition, name) if is_name else None


def sequence_to_json(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """Return the sequence of play as JSON."""
    return to_json_text(sequence_data(outline, index, base))


def sequence_data(outline: Outline, index: ReferenceIndex, base: str = "") -> JsonObject:
    """Return the sequence of play for JSON: every key of every step as it was written, and what it means.

    A step's `refs` are the references in its texts: the `key` (of a list also the `item`, counted from 0),
    the characters `start` to `end` of it, and the rule that is meant: `edition`, `target`, `href`, `title`.
    The end of a range has the rules between its ends in `through`.
    """
    view = OutlineView(outline, index, base)
    book, sequence = outline.edition.book, outline.edition.sequence
    data: JsonObject = {
        "book": book.title,
        "edition": outline.edition.edition_file.edition,
        "address": outline.edition.address,
        "title": sequence.title if sequence else "",
    }
    intro = sequence.text if sequence else None
    if intro:
        data |= {
            "text": intro,
            "refs": [reference_object(reference, intro, view) for reference in index.references(intro)],
        }
    data |= {
        "roles": {name: to_dict(role, *_PLAYER) for name, role in book.roles.items()},
        "sides": {name: to_dict(side, *_PLAYER) for name, side in book.sides.items()},
        "orders": {name: to_dict(order, *_PLAYER) for name, order in book.orders.items()},
        "steps": [_step(entry, view) for entry in outline.sequence.steps],
    }
    return data


def _step(entry: SequenceStep, view: OutlineView) -> JsonObject:
    step = entry.step
    data: JsonObject = {
        **to_dict(step, "kind title"),
        "path": entry.path,
        **_link(entry, view),
        "by": list(entry.actors),
        **to_dict(entry, "combat=is_combat"),
        **to_dict(step, "", " ".join(f.name for f in fields(Step) if f.name not in _OWN)),
        **to_dict(step, "", "if=condition"),
    }
    if rounds := entry.rounds:
        until = rounds.until.removeprefix("until ") or None
        data["rounds"] = {
            "least": rounds.minimum,
            "most": rounds.maximum,
            "noun": rounds.noun,
            "until": until,
        }
    if entry.repeats_step:
        data["repeats"] = {"id": entry.repeats_step.step.id, **_link(entry.repeats_step, view)}
    if entry.left_out:
        data["without"] = [plain_text(step.step.title) for step in entry.left_out]
    if entry.difference:
        data["difference"] = entry.difference
    if tables := [table for name in step.uses if (table := view.table(name))]:
        data["tables"] = [
            {"key": t.key, "title": plain_text(t.table.title), "href": view.href(t)} for t in tables
        ]
    return data | {
        "refs": list(_references(step, view)),
        **({"order": _ORDERS[entry.ordered[0].way]} if entry.ordered else {}),
        "steps": [_step(row, view) for row in entry.ordered],
        **({"at_any_time": [_step(row, view) for row in entry.interruptions]} if entry.interruptions else {}),
    }


def _link(entry: SequenceStep, view: OutlineView) -> JsonObject:
    """The address of a step; that of a copy which has no place on the page is where it is written."""
    return {"anchor": entry.page_anchor, "href": view.href(entry)}


def _references(step: Step, view: OutlineView) -> Iterator[Mapping[str, Any]]:
    for f in fields(Step):
        value = getattr(step, f.name)
        listed = isinstance(value, tuple) and f.name not in _OWN
        for item, text in enumerate(value if listed else [value] if isinstance(value, LocatedText) else ()):
            name = f.metadata.get("name", f.name)
            where = {"key": name, "item": item} if listed else {"key": name}
            yield from (
                {**where, **reference_object(reference, text, view)}
                for reference in view.index.references(text)
            )


def reference_object(reference: Reference, text: LocatedText, view: OutlineView) -> JsonObject:
    """Return a reference as JSON; it has no target if its fault is excused."""
    start, end = reference.match.start, reference.match.end
    data: JsonObject = {"start": start, "end": end, "text": text[start:end]}
    match reference:
        case ExternalReference():
            data |= to_dict(reference, "site href title")
        case CitableReference():
            data |= {"href": view.href(reference.citable), "title": plain_text(full_name(reference.citable))}
        case RuleReference():
            data |= {"edition": reference.target.edition.address, "target": reference.number.key}
            data |= {"href": view.href(reference.target), **to_dict(reference.target, "", "title")}
            data |= (
                {"through": [entry.key for entry in reference.rules_in_range]}
                if reference.match.ends_range
                else {}
            )
    return data
