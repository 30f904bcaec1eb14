"""Writer of the blocks of a player aid as JSON, which `templates/print/blocks.typ` sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain
from typing import Any

from rulewright.book import drawing_shapes
from rulewright.book.library import Edition
from rulewright.book.print_palette import legible_inks
from rulewright.document.blocks.block_content import BlockContent
from rulewright.document.blocks.checklist_block import ChecklistContent, ChecklistLine
from rulewright.document.blocks.cut_out_blocks import CardsContent, CutOutContent
from rulewright.document.blocks.matrix_block import MatrixContent
from rulewright.document.blocks.reference_blocks import (
    ErrataContent,
    ResultsContent,
    RulesContent,
    TablesContent,
)
from rulewright.document.blocks.sequence_blocks import NarrativeContent, SequenceContent, TurnContent
from rulewright.document.blocks.track_block import TrackContent
from rulewright.document.nodes import DrawingNode, NoteNode, RuleTreeNode
from rulewright.document.step_builder import StepBuilder
from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.files.safe_integers import parse_count
from rulewright.print.errata_writer import write_errata_entry
from rulewright.print.node_writer import Json, JsonObject, NodeWriter, word_lines
from rulewright.print.step_writer import write_groups, write_marks, write_narrative, write_steps, write_strip
from rulewright.print.typographic_signs import longest_segments
from rulewright.render import drawings
from rulewright.render.diagram_renderer import counter_drawing
from rulewright.schema.aid_blocks import TrackMark
from rulewright.schema.colours import BLACK, WHITE, Colour, colour, mix, to_cmyk
from rulewright.schema.diagram_model import SymbolSpec
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import Actor, find_actor
from rulewright.sequence.sequence_step import SequenceStep

SIGNS = ("done", "may", "combat", "never")
"""Signs that a legend explains besides those of who acts."""

COUNTER_TEXTS = ("top", "size", "left", "right", "values", "words")


@dataclass(frozen=True, slots=True)
class BlockWriter:
    """Writer of the blocks of a sheet."""

    words: NodeWriter
    edition: Edition
    explained_results: frozenset[str]
    """The results that a block explains, so that tables need not."""
    palette: Mapping[str, list[float]]
    is_black: bool
    """It is printed in black only."""

    def block(self, part: BlockContent) -> JsonObject:
        """Return a block with its heading and what a template needs to place it."""
        block, content = part.block, self._content(part)
        own_titles = [table.table.title for table in part.tables]
        if isinstance(part, SequenceContent):
            own_titles = [step.edition.sequence.title for step in part.steps[:1] if step.edition.sequence]
        titles = list(map(plain_text, [block.title] if block.title else own_titles))
        is_narrow = bool(block.title) and part.block_kind in ("legend", "turn")
        return {
            "template": part.block_kind,
            "title": self.words.inline(block.title),
            "see": self.words.see(getattr(part.yaml_value, "see", ())),
            "name": ", ".join(titles) or part.block_kind,
            "place": place_of(part),
            "starts": str(block.starts or ""),
            "split": bool(block.split),
            "wide": bool(block.wide) or (part.wide and not is_narrow),
            "headed": True,
            "longest": longest_segments(word_lines(content), 3),
            **content,
        }

    def explain_signs(self, areas: Sequence[list[JsonObject]], actors: Iterable[Actor]) -> None:
        """Let the legends of some areas show the signs that are used there.

        Without a legend one is added: in the area that begins with a sequence of play, before it, else at
        the end of the first.
        """
        blocks = list(chain.from_iterable(areas))
        used = set(_signs_used(blocks))
        acting = write_marks(actor for actor in actors if f"{actor.style} {actor.mark}" in used)
        legends = [block for block in blocks if block["template"] == "legend"]
        if acting and not legends:
            added: JsonObject = {"template": "legend", "name": "legend", "place": blocks[0]["place"]}
            added |= dict.fromkeys(("title", "see", "longest"), ())
            added |= {"starts": "", "split": False, "wide": True, "headed": True, "added": True}
            legends = [added]
            home = next((area for area in areas if area and area[0]["template"] == "sequence"), None)
            if home:
                home.insert(0, added)
            else:
                areas[0].append(added)
        for block in legends:
            block["legend"] = {"actors": acting, **{sign: sign in used for sign in SIGNS}}

    def _content(self, part: BlockContent) -> JsonObject:
        words, block = self.words, part.block
        match part:
            case SequenceContent():
                groups = StepBuilder(words.builder, part.displayed_steps).groups(part.steps)
                return {"text": words.blocks(part.text), "steps": write_groups(groups, words)}
            case NarrativeContent():
                return {"steps": write_narrative(part.steps, words)}
            case TurnContent():
                return {"steps": write_strip(part.steps, words)}
            case TablesContent():
                return {"tables": self._tables(part)}
            case RulesContent():
                rules = [words.builder.rule(entry) for entry in part.rules]
                return {"rules": [rule for node in rules for rule in self._rules(node)]}
            case ResultsContent():
                results = [{"value": words.name(name), "words": words.inline(t)} for name, t in part.results]
                return {"results": results}
            case ErrataContent():
                return {"entries": [write_errata_entry(entry, words) for entry in part.errata_entries]}
            case MatrixContent():
                return {"matrices": self._json(part.matrices)}
            case ChecklistContent():
                header = list(map(words.name, part.yaml_value.header)) or ["Game", "Turn", "Date"]
                return {"header": header, "checklist": self._json(part.checklist)}
            case TrackContent():
                across = parse_count(part.yaml_value.across or "", limits.LIST.maximum)
                return {"across": across or 0, "boxes": self._json(part.boxes)}
        if block.list:
            items = [words.inline(item) for item in block.list.items]
            return {"items": items, "numbered": bool(block.list.numbered)}
        if block.picture:
            return {"body": words.block_nodes([words.builder.figure(block.picture)])}
        if block.diagram:
            return {"body": words.block_nodes([words.builder.drawing(block.diagram)])}
        return {"body": words.blocks(block.notes)}

    def _json(self, value: Any) -> Any:
        """Return a value of a block: fields by name, texts as lines, steps by their names."""
        match value:
            case LocatedText():
                return self.words.inline(value)
            case str():
                return self.words.words(value)
            case SequenceStep():
                step = write_steps([value], self.words)[0]
                return {"name": step["name"], "title": step["title"]}
            case Actor():
                return write_marks([value])[0]
            case ChecklistLine():
                return self._checklist_line(value)
            case TrackMark():
                return {"text": self.words.inline(value.text), "counters": [*self._symbol(value.counter)]}
            case tuple():
                return list(map(self._json, value))
            case frozenset():
                return sorted(value)
        if is_dataclass(value):
            return {part.name: self._json(getattr(value, part.name)) for part in fields(value)}
        return value

    def _symbol(self, name: str | None) -> Iterator[Json]:
        if name and (drawing := drawings.symbol_drawing(name, self.edition)):
            yield self.words.drawing(drawing)

    def _tables(self, part: BlockContent) -> list[JsonObject]:
        tables = [self.words.table(self.words.builder.table(table)) for table in part.tables]
        for grid in (grid for table in tables for grid in table["grids"]):
            if {result["value"] for result in grid["results"]} <= self.explained_results:
                grid["results"] = []
        return tables

    def _rules(self, node: RuleTreeNode) -> Iterator[JsonObject]:
        """Yield a rule and those inside it, without design notes."""
        if not node.is_transcribed:
            return
        notes = [note for note in node.attachments if isinstance(note, NoteNode) and note.kind != "design"]
        drawn = [drawing for drawing in node.attachments if isinstance(drawing, DrawingNode)]
        yield {
            "number": self.words.words(node.printed),
            "title": self.words.line(node.title),
            "body": self.words.block_nodes((*node.blocks, *drawn)),
            "notes": list(map(self.words.note, notes)),
        }
        for inner in node.rules:
            yield from self._rules(inner)
        if node.closing:
            yield {"number": "", "title": [], "body": self.words.block_nodes(node.closing), "notes": []}

    def _checklist_line(self, line: ChecklistLine) -> JsonObject:
        labels = " / ".join(map(self.words.name, line.labels))
        rounds = line.step.rounds
        return {
            **write_steps([line.step], self.words)[0],
            "level": line.level,
            "marks": write_marks(line.actors if line.level == 0 else ()),
            "label": labels,
            "shape": line.shape,
            "words": self.words.words(line.words),
            "ending": self.words.words(line.ending),
            "rows": [write_marks(filter(None, [actor])) for actor in line.rows],
            "rounds": [rounds.minimum, rounds.maximum] if rounds and line.rows else [],
            "boxes": list(line.boxes),
        }

    # Pieces to cut out

    def piece(self, part: CutOutContent, key: Any, is_back: bool) -> JsonObject:
        """Return one side of a piece; empty for a card without a back."""
        if not isinstance(part, CardsContent):
            return self._counter(key, is_back)
        card = part.cards[key]
        face = card.back if is_back else card.front
        if face is None:
            return {}
        spec, words = face.yaml_value, self.words
        actor = find_actor(spec.of, self.edition.book) if spec.of else None
        return {
            "title": words.inline(spec.title),
            "name": plain_text(spec.title or part.block.title or "") or part.block_kind,
            "over": words.inline(spec.over) if spec.over else [actor.title] if actor else [],
            "inks": self._card_inks(actor.style if actor else "", spec.colour),
            "sign": [*self._symbol(spec.sign)],
            "see": words.see(spec.see),
            "foot": words.inline(spec.foot),
            "number": key + 1,
            "blocks": list(map(self.block, face.block_contents)),
        }

    def _card_inks(self, style: str, own_colour: LocatedText | None) -> list[float]:
        """Return the inks of a card: its own colour, that of its owner, else black."""
        value = colour(own_colour) if own_colour else None
        if value and not self.is_black:
            return legible_inks(value)
        default = self.palette["house"] if style in ("phasing", "non-phasing") else [0.0, 0.0, 0.0, 1.0]
        return self.palette.get(style, default)

    def _inks(self, value: Colour) -> list[float]:
        red, green, blue = (part / 255 for part in value)
        return list(to_cmyk((red, green, blue), self.is_black))

    def _counter(self, name: str, is_back: bool) -> JsonObject:
        """Return a side of a counter; only its ground where it has no back."""
        book = self.edition.book
        counter = drawing_shapes.find_counter(name, book)
        assert counter
        is_blank = is_back and not counter.back
        drawn = counter_drawing(name, counter, book, is_back and not is_blank)
        face, ground = drawn.face, colour(drawn.fill) or WHITE
        if is_blank:
            return {"fill": self._inks(ground)}
        letters = BLACK if face.unit else colour(f"#{drawn.ink[1:] * 2}") or BLACK
        sign = [*self._symbol(str(face.unit))] if isinstance(drawn.unit, SymbolSpec) else []
        if isinstance(drawn.unit, drawing_shapes.DrawingShape):
            sign = [self.words.drawing(drawings.unit_drawing(drawn.unit, self.edition))]
        return {
            **{key: str(getattr(face, key) or "") for key in COUNTER_TEXTS},
            "fill": self._inks(ground),
            "ink": self._inks(letters),
            "band": self._inks(mix(ground, WHITE, 65)) if is_back and face.unit else None,
            "lines": [] if face.unit else list(drawn.lines),
            "sign": sign,
        }


def _signs_used(node: Any) -> Iterator[str]:
    """Yield the marks and the signs that JSON of blocks shows."""
    if isinstance(node, dict):
        if "mark" in node and "style" in node:
            yield f"{node['style']} {node['mark']}"
        if node.get("combat"):
            yield "combat"
        elif node.get("kind") in ("segment", "action") and not {"shape", "body"} & node.keys():
            yield "may" if node["may"] else "done"
        if node.get("is_forbidden"):
            yield "never"
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from _signs_used(part)


def place_of(part: BlockContent) -> list[Any]:
    """Return the file, line and column of a block."""
    place = part.block.sort.place
    return [place.file, place.line, place.column]
