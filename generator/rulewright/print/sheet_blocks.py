"""The data of the blocks of a player aid, a function for each sort; `templates/print/blocks/` sets them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from rulewright.book import roles, shapes
from rulewright.book.library import Edition
from rulewright.book.outline import Entry
from rulewright.citations.blocks.part import Part
from rulewright.model.keys import texts_of
from rulewright.model.reports import some
from rulewright.print import remark_nodes, step_nodes, table_nodes
from rulewright.print.sheet_words import widest
from rulewright.print.word_nodes import Node, TemplateData, Words
from rulewright.site import diagram, drawings, sketches
from rulewright.source import bounds
from rulewright.source.amounts import counted
from rulewright.source.text import Text
from rulewright.text.document import plain
from rulewright.text.insets import picture_of


@dataclass(frozen=True, slots=True)
class BlockData:
    """Makes the data of blocks. `explained`: the results that a block explains, so that no table has to;
    `inks_of`: the inks of a piece by who it is of and its own colour."""

    words: Words
    edition: Edition
    explained: Set[str]
    inks_of: Callable[[str, Text | None], list[float]]

    def block(self, part: Part) -> TemplateData:
        """A block: what all have, and what its sort adds."""
        block, words = part.block, self.words
        show: Callable[[Any, BlockData], TemplateData] = BLOCKS.get(part.sort, _texts)
        made = show(part, self)
        place = block.sort.place
        governed = getattr(part.said, "see", ())
        return {
            "template": part.sort if part.sort in BLOCKS else "said",
            "title": words.title(block.title) if block.title else [],
            "see": words.see(governed),
            "name": plain(block.title) if block.title else part.sort,
            "place": [place.file, place.line, place.column],
            "starts": str(block.starts or ""),
            "split": bool(block.split),
            "longest": widest(made),
            **made,
        }

    def counter(self, name: str) -> Iterator[Node]:
        if found := drawings.of_sign(name, self.edition):
            yield self.words.drawing(found)


def _texts(part: Part, sheet: BlockData) -> TemplateData:
    return {"words": [sheet.words.inline(text) for text, _ in texts_of(part.said)]}


def _sequence(part: Part, sheet: BlockData) -> TemplateData:
    return {
        "text": sheet.words.blocks(part.text) if part.text else [],
        "steps": step_nodes.steps(part.steps, sheet.words, part.shown),
    }


def _tables(part: Part, sheet: BlockData) -> TemplateData:
    made = [table_nodes.table(one, sheet.words) for one in part.tables]
    for grid in (grid for one in made for grid in one["grids"]):
        said = {name for name, _ in grid["results"]}
        if said <= sheet.explained:
            grid["results"] = []
    return {"tables": made}


def _rule(entry: Entry, words: Words, level: int) -> Iterator[TemplateData]:
    """A rule and those inside it, without notes that nobody needs at the table."""
    if (rule := entry.rule) is None:
        return
    notes = [
        {
            "label": table_nodes.KINDS_OF_NOTE.get(str(note.kind), str(note.kind)),
            "body": [*words.blocks(note.text), *(words.diagram(note.diagram) if note.diagram else ())],
        }
        for note in rule.notes
        if note.kind != "design"
    ]
    yield {
        "number": words.name(entry.printed),
        "title": words.title(entry.title) if entry.title else [],
        "level": level,
        "body": [
            *(words.blocks(rule.text) if rule.text else ()),
            *(node for one in rule.diagrams for node in words.diagram(one)),
        ],
        "notes": notes,
    }
    for child in entry.children:
        yield from _rule(child, words, level + 1)
    if rule.closing:
        yield {"number": "", "title": [], "level": level, "body": words.blocks(rule.closing), "notes": []}


def _list(part: Part, sheet: BlockData) -> TemplateData:
    said = part.block.list
    assert said
    return {"items": [sheet.words.inline(item) for item in said.items], "numbered": bool(said.numbered)}


def _notes(part: Part, sheet: BlockData) -> TemplateData:
    assert part.block.notes
    return {"body": sheet.words.blocks(part.block.notes)}


def _picture(part: Part, sheet: BlockData) -> TemplateData:
    said = part.block.picture
    assert said
    there = picture_of(said) in sheet.edition.files
    return {"figures": [sheet.words.figure(picture_of(said), said)] if there else []}


def _diagram(part: Part, sheet: BlockData) -> TemplateData:
    assert part.block.diagram
    return {"drawing": sheet.words.diagram(part.block.diagram)}


def _results(part: Any, sheet: BlockData) -> TemplateData:
    return {"results": [[sheet.words.name(name), sheet.words.inline(means)] for name, means in part.results]}


def _track(part: Any, sheet: BlockData) -> TemplateData:
    across = part.block.track.across
    return {
        "across": counted(across, bounds.LIST.most) or 0 if across else 0,
        "boxes": [
            {
                "number": box.name if box.number is not None else "",
                "title": "" if box.number is not None else box.name,
                "date": box.date,
                "words": [sheet.words.inline(mark.text) for mark in box.marks if mark.text],
                "counters": [
                    node for mark in box.marks if mark.counter for node in sheet.counter(mark.counter)
                ],
            }
            for box in part.boxes
        ],
    }


def _card(part: Any, at: int, back: bool, sheet: BlockData) -> TemplateData:
    _, front, behind = part.faces[at]
    face = behind if back else front
    if face is None:
        return {}
    said = face.said
    actor = roles.actor(said.of, sheet.edition.book) if said.of else None
    sign = drawings.of_sign(said.sign, sheet.edition) if said.sign else None
    return {
        "title": sheet.words.title(said.title) if said.title else [],
        "name": plain(said.title or part.block.title or "") or part.sort,
        "over": sheet.words.title(said.over) if said.over else [actor.title] if actor else [],
        "inks": sheet.inks_of(actor.style if actor else "", said.colour),
        "sign": [sheet.words.drawing(sign)] if sign else [],
        "see": sheet.words.see(said.see),
        "foot": sheet.words.inline(said.foot) if said.foot else [],
        "at": at + 1,
        "runs": [{"wide": True, "blocks": [_aside(sheet.block(one)) for one in face.parts]}],
    }


def _aside(block: TemplateData) -> TemplateData:
    """A block whose list has the references at the end of its items apart, for the right edge of a card."""
    return block | {"items": [_item(one) for one in block["items"]]} if "items" in block else block


def _item(nodes: list[Any]) -> TemplateData:
    """An entry with the references that stand in parentheses at its end apart."""
    at = next((i for i in range(len(nodes) - 1, -1, -1) if isinstance(nodes[i], str) and "(" in nodes[i]), 0)
    begins, *inner, ends = nodes[at:] if nodes[at + 2 :] else ["", ""]
    between = (one.strip(" ,") for one in inner if isinstance(one, str))
    if not inner or ends not in (")", ").") or not begins.endswith("(") or {*between} - {"", "and", "to"}:
        return {"words": nodes, "see": []}
    return {"words": [*nodes[:at], begins[:-1].rstrip() + ends[1:]], "see": inner}


def _counter(part: Any, name: str, back: bool, sheet: BlockData) -> TemplateData:
    """A side of a counter; where it has no back, its ground."""
    found = shapes.counter(name, sheet.edition.book)
    assert found
    fill = sketches.counter_drawing(name, found, sheet.edition.book).fill
    face = drawings.of_face(name, found, sheet.edition, back) if found.back or not back else None
    return {"fill": fill, "drawn": [sheet.words.drawing(face)] if face else []}


PIECES: Mapping[str, Callable[[Any, Any, bool, BlockData], TemplateData]] = {
    "cards": _card,
    "counters": _counter,
}
"""Contents of one side of a piece, for each block whose pieces are cut out."""


def _legend(part: Any, sheet: BlockData) -> TemplateData:
    signs = part.legend
    return {
        "everyone": step_nodes.acting(signs.everyone),
        "fighters": [one.style for one in signs.fighters],
        "any": signs.any_order,
        "never": signs.never,
    }


def _matrix(part: Any, sheet: BlockData) -> TemplateData:
    made = part.matrix
    return {
        "of": some([plain(turn.step.title) for turn in made.turns]),
        "columns": [diagram.short(phase) for phase in made.columns],
        "rows": [
            {
                "title": row.title,
                "cells": [{"never": c.never, "marks": step_nodes.acting(c.actors)} for c in row.cells],
            }
            for row in made.rows
        ],
    }


def _checklist(part: Any, sheet: BlockData) -> TemplateData:
    made, said = part.checklist, part.block.checklist
    header = [sheet.words.name(one) for one in said.header] or ["Game", "Turn", "Date"]
    return {
        "header": header,
        "turns": made.turns,
        "players": step_nodes.acting(made.columns),
        "groups": [
            {
                "title": " / ".join(plain(turn.step.title) for turn in group.turns),
                "ticks": [_tick(tick, sheet.words) for tick in group.ticks],
            }
            for group in made.groups
        ],
    }


def _tick(tick: Any, words: Words) -> TemplateData:
    step = tick.step
    return {
        "level": tick.level,
        "marks": step_nodes.acting(roles.acting(step, tick.turn)) if tick.level == 0 else [],
        "label": " / ".join(words.name(label) for label in tick.labels),
        "title": words.inline(step.step.title),
        "combat": roles.style(step, tick.turn) if step.combat else "",
        "see": words.see(step.step.see),
        "boxes": list(tick.boxes),
    }


BLOCKS: Mapping[str, Callable[[Any, BlockData], TemplateData]] = {
    "sequence": _sequence,
    "turn": lambda part, sheet: {"strip": step_nodes.strip(part.steps, sheet.words)},
    "narrative": lambda part, sheet: {"told": step_nodes.told(part.steps, sheet.words)},
    "tables": _tables,
    "rules": lambda part, sheet: {
        "rules": [one for entry in part.rules for one in _rule(entry, sheet.words, 0)]
    },
    "list": _list,
    "notes": _notes,
    "picture": _picture,
    "diagram": _diagram,
    "results": _results,
    "errata": lambda part, sheet: {
        "remarks": [remark_nodes.remark(one, sheet.words) for one in part.remarks]
    },
    "track": _track,
    "legend": _legend,
    "matrix": _matrix,
    "checklist": _checklist,
}
"""Additions of each sort of block to its data; one that is not here shows the words of its texts."""
