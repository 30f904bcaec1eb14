"""The data of the blocks of a player aid, a function for each sort; `templates/print/blocks/` sets them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from rulewright.book import drawing_shapes
from rulewright.book.library import Edition
from rulewright.document.blocks.block_content import BlockContent
from rulewright.document.nodes import DrawingNode, NoteNode, RuleTreeNode
from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.files.safe_integers import parse_count
from rulewright.print import errata_nodes, step_nodes, unit_symbols
from rulewright.print.node_writer import Json as Node
from rulewright.print.node_writer import JsonObject as TemplateData
from rulewright.print.node_writer import NodeWriter, word_lines
from rulewright.print.typographic_signs import longest_segments
from rulewright.render import diagram_renderer, drawings, turn_diagram
from rulewright.schema.colours import BLACK, WHITE, Colour, colour, mix
from rulewright.schema.diagram_model import SymbolSpec
from rulewright.schema.problem_reports import join_some
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence import actors


@dataclass(frozen=True, slots=True)
class BlockData:
    """Makes the data of blocks. `explained`: the results that a block explains, so that no table has to;
    `inks_of`: the inks of a piece by who it is of and its own colour; `inks`: those of a colour."""

    words: NodeWriter
    edition: Edition
    explained: Set[str]
    inks_of: Callable[[str, LocatedText | None], list[float]]
    inks: Callable[[Colour], list[float]]

    def block(self, part: BlockContent) -> TemplateData:
        """A block: what all have, and what its sort adds."""
        block, words = part.block, self.words
        show: Callable[[Any, BlockData], TemplateData] = BLOCKS.get(part.block_kind, _texts)
        made = show(part, self)
        place = block.sort.place
        governed = getattr(part.yaml_value, "see", ())
        return {
            "template": part.block_kind if part.block_kind in BLOCKS else "said",
            "title": words.title(block.title) if block.title else [],
            "see": words.see(governed),
            "name": self.name_of(part),
            "place": [place.file, place.line, place.column],
            "starts": str(block.starts or ""),
            "split": bool(block.split),
            "longest": longest_segments(word_lines(made), 3),
            **made,
        }

    def name_of(self, part: BlockContent) -> str:
        """Return what a message calls a block."""
        titles = [plain_text(table.table.title) for table in getattr(part, "tables", ())]
        return plain_text(part.block.title) if part.block.title else ", ".join(titles) or part.block_kind

    def counter(self, name: str) -> Iterator[Node]:
        if found := drawings.symbol_drawing(name, self.edition):
            yield self.words.drawing(found)


def _texts(part: BlockContent, sheet: BlockData) -> TemplateData:
    return {"words": [sheet.words.inline(text) for text, _ in reference_texts(part.yaml_value)]}


def _sequence(part: BlockContent, sheet: BlockData) -> TemplateData:
    return {
        "text": sheet.words.blocks(part.text) if part.text else [],
        "steps": step_nodes.step_nodes(part.steps, sheet.words, part.displayed_steps),
    }


def _tables(part: BlockContent, sheet: BlockData) -> TemplateData:
    made = [sheet.words.table_of(table) for table in part.tables]
    for grid in (grid for one in made for grid in one["grids"]):
        said = {name for name, _ in grid["results"]}
        if said <= sheet.explained:
            grid["results"] = []
    return {"tables": made}


def _rule(node: RuleTreeNode, words: NodeWriter, level: int) -> Iterator[TemplateData]:
    """Yield a rule and those inside it, without notes that nobody needs at the table."""
    if not node.is_transcribed:
        return
    notes = [note for note in node.attachments if isinstance(note, NoteNode) and note.kind != "design"]
    drawings = [drawing for drawing in node.attachments if isinstance(drawing, DrawingNode)]
    yield {
        "number": words.words(node.printed),
        "title": words.line(node.title),
        "level": level,
        "body": words.block_nodes((*node.blocks, *drawings)),
        "notes": list(map(words.note, notes)),
    }
    for inner in node.rules:
        yield from _rule(inner, words, level + 1)
    if node.closing:
        body = words.block_nodes(node.closing)
        yield {"number": "", "title": [], "level": level, "body": body, "notes": []}


def _list(part: BlockContent, sheet: BlockData) -> TemplateData:
    said = part.block.list
    assert said
    return {"items": [sheet.words.inline(item) for item in said.items], "numbered": bool(said.numbered)}


def _results(part: Any, sheet: BlockData) -> TemplateData:
    return {"results": [[sheet.words.name(name), sheet.words.inline(means)] for name, means in part.results]}


def _track(part: Any, sheet: BlockData) -> TemplateData:
    across = part.block.track.across
    return {
        "across": parse_count(across, limits.LIST.maximum) or 0 if across else 0,
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
    _, front, behind = part.cards[at]
    face = behind if back else front
    if face is None:
        return {}
    said = face.yaml_value
    actor = actors.find_actor(said.of, sheet.edition.book) if said.of else None
    sign = drawings.symbol_drawing(said.sign, sheet.edition) if said.sign else None
    return {
        "title": sheet.words.title(said.title) if said.title else [],
        "name": plain_text(said.title or part.block.title or "") or part.block_kind,
        "over": sheet.words.title(said.over) if said.over else [actor.title] if actor else [],
        "inks": sheet.inks_of(actor.style if actor else "", said.colour),
        "sign": [sheet.words.drawing(sign)] if sign else [],
        "see": sheet.words.see(said.see),
        "foot": sheet.words.inline(said.foot) if said.foot else [],
        "at": at + 1,
        "runs": [{"wide": True, "blocks": [_aside(sheet.block(part)) for part in face.block_contents]}],
    }


def _aside(block: TemplateData) -> TemplateData:
    """A block whose list has the references at the end of its items apart, for the right edge of a card."""
    return block | {"items": [_item(one) for one in block["items"]]} if "items" in block else block


def _item(nodes: list[Any]) -> TemplateData:
    """Return an item with the references at its end apart."""
    ending = nodes[-1].strip() if nodes and isinstance(nodes[-1], str) else ""
    before = nodes[:-1] if ending in ("", ".") and nodes and isinstance(nodes[-1], str) else nodes
    last = before[-1] if before else ""
    if isinstance(last, dict) and last.get("b", [""])[0] == "[":
        *words, lead = before[:-1] or [""]
        lead = lead.rstrip() + ending if isinstance(lead, str) else lead
        return {"words": [*words, lead], "see": [last["b"][1]]}
    at = next((i for i in range(len(nodes) - 1, -1, -1) if isinstance(nodes[i], str) and "(" in nodes[i]), 0)
    begins, *inner, ends = nodes[at:] if nodes[at + 2 :] else ["", ""]
    between = (one.strip(" ,") for one in inner if isinstance(one, str))
    if not inner or ends not in (")", ").") or not begins.endswith("(") or {*between} - {"", "and", "to"}:
        return {"words": nodes, "see": []}
    return {"words": [*nodes[:at], begins[:-1].rstrip() + ends[1:]], "see": inner}


def _counter(part: Any, name: str, back: bool, sheet: BlockData) -> TemplateData:
    """A side of a counter, which the template draws. A counter without a back has its ground there."""
    counter = drawing_shapes.find_counter(name, sheet.edition.book)
    assert counter
    is_blank = back and not counter.back
    drawn = diagram_renderer.counter_drawing(name, counter, sheet.edition.book, back and not is_blank)
    face, ground = drawn.face, colour(drawn.fill) or WHITE
    is_reduced = back and not is_blank and bool(face.unit)
    unit = drawn.unit if not is_blank else None
    own = drawings.symbol_drawing(str(face.unit), sheet.edition) if isinstance(unit, SymbolSpec) else None
    return dict.fromkeys(COUNTER_TEXTS, "") | {
        "fill": sheet.inks(ground),
        "ink": sheet.inks(colour(f"#{drawn.ink[1:] * 2}") or BLACK) if not face.unit else [0, 0, 0, 1],
        "band": sheet.inks(mix(ground, WHITE, 65)) if is_reduced else None,
        "lines": [] if is_blank or face.unit else list(drawn.lines),
        "sign": [sheet.words.drawing(own)] if own else [],
        "unit": unit_symbols.unit_parts(unit) if isinstance(unit, drawing_shapes.DrawingShape) else [],
        **({} if is_blank else {key: str(getattr(face, key) or "") for key in COUNTER_TEXTS}),
    }


COUNTER_TEXTS = ("top", "size", "left", "right", "values", "words")

PIECES: Mapping[str, Callable[[Any, Any, bool, BlockData], TemplateData]] = {
    "cards": _card,
    "counters": _counter,
}
"""Contents of one side of a piece, for each block whose pieces are cut out."""


def _legend(part: Any, sheet: BlockData) -> TemplateData:
    signs = part.legend
    return {
        "everyone": step_nodes.actor_nodes(signs.everyone),
        "fighters": [fighter.style for fighter in signs.fighters],
        "ways": sorted(signs.list_signs),
        "never": signs.never,
    }


def _matrix(part: Any, sheet: BlockData) -> TemplateData:
    matrices = []
    for matrix in part.matrices:
        rows = []
        for row in matrix.rows:
            cells = [{"never": c.is_forbidden, "marks": step_nodes.actor_nodes(c.actors)} for c in row.cells]
            rows.append({"title": row.title, "cells": cells})
        titles = [plain_text(turn.step.title) for turn in matrix.turns]
        columns = [turn_diagram.step_short_title(phase) for phase in matrix.columns]
        matrices.append({"of": join_some(titles), "columns": columns, "rows": rows})
    return {"matrices": matrices}


def _checklist(part: Any, sheet: BlockData) -> TemplateData:
    made, said = part.checklist, part.block.checklist
    header = [sheet.words.name(one) for one in said.header] or ["Game", "Turn", "Date"]
    return {
        "header": header,
        "turns": made.turns,
        "players": step_nodes.actor_nodes(made.columns),
        "groups": [
            {
                "title": " / ".join(plain_text(turn.step.title) for turn in group.turns),
                "ticks": [_tick(tick, sheet.words) for tick in group.ticks],
            }
            for group in made.groups
        ],
    }


def _tick(tick: Any, words: NodeWriter) -> TemplateData:
    step = tick.step
    return {
        "level": tick.level,
        "marks": step_nodes.actor_nodes(tick.actors) if tick.level == 0 else [],
        "label": " / ".join(words.name(label) for label in tick.labels) or tick.letter,
        "title": words.inline(step.step.title),
        "combat": actors.actor_style(step) if step.is_combat else "",
        "shape": tick.shape,
        "words": words.words(tick.words),
        "ending": words.words(tick.ending),
        "rounds": [
            {
                "marks": step_nodes.actor_nodes(filter(None, [actor])),
                "minimum": step.rounds.minimum,
                "maximum": step.rounds.maximum,
            }
            for actor in tick.rows
        ],
        "see": words.see(step.step.see),
        "boxes": list(tick.boxes),
    }


BLOCKS: Mapping[str, Callable[[Any, BlockData], TemplateData]] = {
    "sequence": _sequence,
    "turn": lambda part, sheet: {"strip": step_nodes.turn_strip_nodes(part.steps, sheet.words)},
    "narrative": lambda part, sheet: {"told": step_nodes.narrative_nodes(part.steps, sheet.words)},
    "tables": _tables,
    "rules": lambda part, sheet: {
        "rules": [
            one for entry in part.rules for one in _rule(sheet.words.builder.rule(entry), sheet.words, 0)
        ]
    },
    "list": _list,
    "notes": lambda part, sheet: {"body": sheet.words.blocks(part.block.notes)},
    "picture": lambda part, sheet: {
        "body": sheet.words.block_nodes([sheet.words.builder.figure(part.block.picture)])
    },
    "diagram": lambda part, sheet: {
        "body": sheet.words.block_nodes([sheet.words.builder.drawing(part.block.diagram)])
    },
    "results": _results,
    "errata": lambda part, sheet: {
        "remarks": [errata_nodes.errata_entry_node(entry, sheet.words) for entry in part.errata_entries]
    },
    "track": _track,
    "legend": _legend,
    "matrix": _matrix,
    "checklist": _checklist,
}
"""Additions of each sort of block to its data; one that is not here shows the words of its texts."""
