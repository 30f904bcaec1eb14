"""Writer of nodes as JSON for Typst, which `templates/print/words.typ` and `tables.typ` set.

An inline node is a string or one of

    {"b": [...]}, {"i": [...]}                                bold, italic
    {"ref": [...], "to": "12.5"} or {"ref": [...], "url": …}  a reference
    {"picture": "content/…/depot.png", "alt": "…", "width": "120", "height": "50%"}

and a block one of

    {"p": [...]}, {"list": [[block, ...], ...], "first": 1}, {"figures": [picture, ...]}, {"table": …}

with "errata" where errata changed its words: the numbers of those. No word is ever Typst markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, assert_never

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.document import nodes
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.targets import TargetId
from rulewright.files.located_text import LocatedText
from rulewright.print.typographic_signs import longest_segments, set_words
from rulewright.references.citable_items import ListItem
from rulewright.render import drawings
from rulewright.render.html_writer import NOTE_KINDS, OVERRIDE_SIGNS
from rulewright.render.render_context import RenderContext
from rulewright.schema.table import is_shift

JsonObject = dict[str, Any]
Json = str | JsonObject
LinkTarget = Callable[[RuleEntry], Mapping[str, str]]
"""Returns where a reference to a rule leads: `to` a place in the document, or a `url`; empty for nowhere."""

_SPACE = re.compile(r"\s+")
_LEFT, _RIGHT = re.compile(r"(.*?) *(?:L|left)\Z"), re.compile(r"(.*?) *(?:R|right)\Z")
"""Shifts of columns: `1L`, `2 right`."""

_ENDING_NUMBER = re.compile(r"[^\s\d]*\d\S*$")
"""Number after the title of a table."""
_LAST_RESULT = re.compile(r" / ([^\W\d_]+)\d+")


@dataclass(slots=True)
class NodeWriter:
    """Writer for one document."""

    context: RenderContext
    outline: Outline
    link_target: LinkTarget
    brackets: bool = False
    """References alone in parentheses are in brackets, as on sheets."""
    pictures: dict[str, None] = field(default_factory=dict)
    """Names of the pictures of the content that the document shows."""
    texts: set[str] = field(default_factory=set)
    """All words of the document."""
    drawings_by_name: dict[str, bytes] = field(default_factory=dict)
    errata: dict[TargetId, None] = field(default_factory=dict)
    """The errata that changed what the document shows."""

    @property
    def builder(self) -> DocumentBuilder:
        return self.context.builders[self.outline.edition.address]

    def words(self, words: str) -> str:
        """Return words with typographic signs, and with places where a long word may be broken."""
        text = set_words(_SPACE.sub(" ", words), self.outline.edition.language)
        self.texts.add(text)
        return text

    def name(self, text: object) -> str:
        """Return a text without markup, such as a number or a label; empty if there is none."""
        return "" if text is None else self.words(str(text))

    # Texts

    def inline(self, text: LocatedText | None) -> list[Json]:
        """Return a text in one line."""
        return self.line(self.builder.inline(text))

    def blocks(self, text: LocatedText | None) -> list[Json]:
        """Return the blocks of a text."""
        return self.block_nodes(self.builder.blocks(text))

    def see(self, texts: Iterable[LocatedText]) -> list[list[Json]]:
        """Return the references of a `see:`."""
        return self.references(self.builder.references(texts))

    # Nodes in a line

    def line(self, inline: Iterable[nodes.Inline]) -> list[Json]:
        """Return nodes in one line, without white space around it."""
        line = self._nodes(inline)
        if self.brackets:
            _put_in_brackets(line)
        match line:
            case [str(first), *rest]:
                line = [first.lstrip(), *rest]
        match line:
            case [*rest, str(last)]:
                line = [*rest, last.rstrip()]
        return [node for node in line if node]

    def references(self, references: Iterable[nodes.Line]) -> list[list[Json]]:
        return [self._nodes(reference) for reference in references]

    def _nodes(self, inline: Iterable[nodes.Inline]) -> list[Json]:
        line: list[Json] = []
        for node in inline:
            for part in self._node(node):
                if isinstance(part, str) and line and isinstance(line[-1], str):
                    line[-1] += part
                else:
                    line.append(part)
        return line

    def _node(self, node: nodes.Inline) -> Iterator[Json]:
        match node:
            case str():
                yield self.words(node)
            case nodes.BoldNode():
                yield {"b": self._nodes(node.inline)}
            case nodes.ItalicNode():
                yield {"i": self._nodes(node.inline)}
            case nodes.ReferenceNode():
                yield from self._reference(node)
            case nodes.RangeNode():
                for position, end in enumerate(node.ends):
                    yield "–" if position else ""
                    yield from self._nodes(end)
            case nodes.NameNode():
                yield self._name(node)
            case nodes.TableLinkNode():
                number = _ENDING_NUMBER.search(node.words)
                yield self.words(_ENDING_NUMBER.sub("", node.words))
                yield {"ref": [number[0]]} if number else ""
            case nodes.ExternalNode():
                yield {"ref": [self.words(node.words)], "url": node.href, "site": node.site}
            case nodes.ImageNode():
                yield self.image(node)
            case nodes.SymbolNode():
                edition = self.context.index.outlines[node.edition].edition
                drawing = drawings.symbol_drawing(node.name, edition)
                yield self.drawing(drawing) | {"em": drawing.height} if drawing else f":{node.name}:"
            case nodes.InsertedNode():
                yield from self._nodes(node.inline)
            case nodes.ErrataMarkNode():
                self.errata |= dict.fromkeys(node.errata)
            case nodes.DeletedNode():
                return
            case _:
                assert_never(node)

    def _reference(self, node: nodes.ReferenceNode) -> Iterator[Json]:
        target, edition = self.context.targets.rule(node.target), self.outline.edition
        yield {"ref": [self.words(node.words)], **self.link_target(target)}
        if target.edition not in edition.with_series:
            yield f" of {target.edition.short}"
        for override in self.context.overrides.in_game(target, edition) if node.shows_overrides else ():
            yield f" {OVERRIDE_SIGNS[override.sort]}\u00a0"
            yield {"ref": [str(override.by.printed)], **self.link_target(override.by)}

    def _name(self, node: nodes.NameNode) -> Json:
        """Return a name; that of a table or an item leads to its rule."""
        target = self.context.targets.find(node.target)
        rule = target.entry if isinstance(target, TableEntry | ListItem) else None
        words = self.words(node.words)
        return {"ref": [words], **self.link_target(rule)} if rule else words

    def _picture(self, node: nodes.ImageNode | nodes.FigureNode, caption: list[Json], **keys: str) -> Json:
        self.pictures[node.file] = None
        alt = node.alt or line_text(caption) or node.file.rpartition("/")[2]
        return {"picture": node.file, "alt": alt} | _drop_empty(width=node.width, caption=caption, **keys)

    def image(self, node: nodes.ImageNode) -> Json:
        """Return a picture; its words if the edition has no such file."""
        if not node.file:
            return self.words(node.words)
        caption: list[Json] = [self.words(node.caption)] if node.caption else []
        return self._picture(node, caption, height=node.height)

    def drawing(self, drawing: drawings.Drawing) -> JsonObject:
        """Return a drawing, and keep its SVG for Typst."""
        if drawing.data:
            self.drawings_by_name[drawing.name] = drawing.data
        else:
            self.pictures[drawing.name] = None
        return {"picture": drawing.name, "alt": drawing.words}

    # Blocks

    def block_nodes(self, blocks: Iterable[nodes.Block]) -> list[Json]:
        """Return blocks below each other."""
        return [block for node in blocks for block in self._block(node)]

    def _block(self, node: nodes.Block) -> Iterator[JsonObject]:
        self.errata |= dict.fromkeys(self.builder.errata_in(node))
        match node:
            case nodes.ParagraphNode(change="deleted") | nodes.ListNode(change="deleted"):
                return
            case nodes.ParagraphNode():
                yield self._paragraph(node.inline)
            case nodes.ListNode():
                items = (item for item in node.items if item.change != "deleted")
                inner = [[self._paragraph(item.inline), *self.block_nodes(item.blocks)] for item in items]
                yield {"list": inner, "first": node.first}
            case nodes.FigureNode():
                if node.file:
                    yield {"figures": [self._picture(node, self.line(node.caption), place=node.place)]}
            case nodes.DrawingNode():
                yield from self.diagram(node)
            case nodes.NoteNode():
                yield self.note(node)
            case nodes.ImageNode() | nodes.SymbolNode():
                yield {"figures": [*self._node(node)]}
            case nodes.TableNode():
                yield {"table": self.table(node)}
            case _:
                assert_never(node)

    def _paragraph(self, inline: nodes.Line) -> JsonObject:
        entries = self.context.errata_of(self.builder.errata_in(inline))
        numbers = [str(entry.erratum.number) for entry in entries if entry.erratum]
        return {"p": self.line(inline)} | _drop_empty(errata=numbers)

    def diagram(self, node: nodes.DrawingNode) -> Iterator[JsonObject]:
        """Yield a diagram with its caption."""
        edition = self.context.index.outlines[node.edition].edition
        if drawing := drawings.diagram_drawing_of(node.diagram, edition):
            keys = _drop_empty(width=node.width or "100%", caption=self.line(node.caption))
            yield {"figures": [self.drawing(drawing) | keys]}

    def note(self, node: nodes.NoteNode) -> JsonObject:
        """Return a note with its label."""
        label = NOTE_KINDS.get(node.kind, node.kind)
        if node.title:
            label += f": {line_text(self.line(node.title))}"
        drawing = list(self.diagram(node.drawing)) if node.drawing else []
        return {"note": node.kind, "label": label, "body": [*self.block_nodes(node.blocks), *drawing]}

    # Tables

    def table(self, node: nodes.TableNode) -> JsonObject:
        """Return a table: its number, title, grids, text and notes."""
        notes: list[JsonObject] = [
            {"mark": self.words(note.mark), "body": self.block_nodes(note.blocks)} for note in node.notes
        ]
        marks = [note["mark"] for note in notes]
        return {
            "number": self.words(node.number),
            "title": self.line(node.title),
            "grids": [self._grid(grid, marks) for grid in node.grids],
            "text": self.block_nodes(node.blocks),
            "notes": notes,
        }

    def _grid(self, grid: nodes.GridNode, marks: list[str]) -> JsonObject:
        """Return a grid; `begins` are groups of rows.

        `letters`: those of the longest cell or of the longest word of the heading of each column, `needs`:
        those of its longest segment in which no line ends, `wants`: those of its longest cell.
        """
        rows = [self._cells(row.cells, marks) for row in chain.from_iterable(grid.bodies)]
        results = [cell for row in rows for cell in row if "scope" not in cell]
        is_stacked = bool(grid.results) and any(" / " in line_text(cell["words"]) for cell in results)
        if is_stacked:
            _shade_losses(results)
        head = [self._cells(line, marks) for line in grid.headings]
        count = 1
        for line in grid.headings:
            count = max(count, sum(heading.column_span for heading in line))
        cells = [*head, *rows]
        letters = _longest_by_column(rows, count, lambda words: [words])
        return {
            "title": [self.words(grid.title)],
            "roll": self.words(grid.roll),
            "head": head,
            "rows": rows,
            "begins": [body[0].index for body in grid.bodies[1:]],
            "letters": list(map(max, letters, _longest_by_column(head, count, str.split))),
            "needs": _longest_by_column(cells, count, lambda words: longest_segments([words], 1)),
            "wants": _longest_by_column(cells, count, lambda words: [words]),
            "results": [
                {"value": self.words(result.name), "words": self.line(result.meaning)}
                for result in grid.results
            ],
            "stacked": is_stacked,
            "modifiers": [self._modifier(modifier) for modifier in grid.modifiers],
        }

    def _cells(
        self, cells: Iterable[nodes.HeaderCellNode | nodes.BodyCellNode], marks: list[str]
    ) -> list[JsonObject]:
        row: list[JsonObject] = []
        for cell in cells:
            words = self.line(cell.inline)
            if isinstance(cell, nodes.HeaderCellNode):
                keys: JsonObject = {"words": words}
            else:
                keys = {"words": words} | _drop_empty(scope=cell.scope, again=cell.repeats_row_header)
            spans = {"across": cell.column_span, "down": cell.row_span}
            keys |= {name: count for name, count in spans.items() if count > 1}
            row.append(keys | _drop_empty(signs=[marks[note] for note in cell.notes]))
        return row

    def _modifier(self, node: nodes.ModifierNode) -> JsonObject:
        of, when = self.line(node.of), self.line(node.when)
        value, shifts = node.value.replace("-", "−"), is_shift(node.value)
        if shifts:
            value = _RIGHT.sub(r"\1 →", _LEFT.sub(r"← \1", value))
        elif value in ("+", "−"):
            value += " n"
        return {
            "value": value,
            "words": [*of, ", ", *when] if of and when else [*of, *when],
            "see": self.references(node.see),
            "shift": shifts,
        }


def _drop_empty(**values: Any) -> JsonObject:
    """Return the values that are not empty."""
    return {name: value for name, value in values.items() if value}


def _put_in_brackets(line: list[Json]) -> None:
    """Put references alone in parentheses in brackets and in bold."""
    for start in range(len(line) - 2):
        match line[start : start + 3]:
            case [str(before), {"ref": _} as node, str(after)]:
                if before.endswith("(") and after.startswith(")"):
                    line[start : start + 3] = before[:-1], {"b": ["[", node, "]"]}, after[1:]


def _longest_by_column(
    rows: list[list[JsonObject]], count: int, segments: Callable[[str], Iterable[str]]
) -> list[int]:
    """Return the length of the longest segment of the cells of each column, counted from the right.

    A cell across columns is shared by them.
    """
    longest = [0] * count
    for row in rows:
        column = count
        for cell in reversed(row):
            across = cell.get("across", 1)
            column -= across
            length = max(map(len, segments(line_text(cell["words"]))), default=0)
            for position in range(max(column, 0), column + across):
                longest[position] = max(longest[position], length // across)
    return longest


def _shade_losses(results: list[JsonObject]) -> None:
    """Add to cells how much the side that is named last loses, as a share of the most.

    Its code is the most frequent after a stroke: D in `A1 / D1 R1`.
    """
    texts = [line_text(cell["words"]) for cell in results]
    codes = Counter(chain.from_iterable(map(_LAST_RESULT.findall, texts)))
    for code, _ in codes.most_common(1):
        pattern = re.compile(rf"(?<![^\W\d_]){re.escape(code)}([1-9]\d*)")
        losses: dict[int, int] = {}
        for index, text in enumerate(texts):
            first, _, last = text.rpartition(" / ")
            if loss := pattern.search(last):
                losses[index] = 2 * int(loss[1]) - bool(first)
        for index, amount in losses.items():
            results[index]["loss"] = round(amount / max(losses.values()), 2)


def line_text(line: Iterable[Json]) -> str:
    """Return the words of nodes in a line."""
    words = ""
    for node in line:
        words += node if isinstance(node, str) else line_text(inner_nodes(node))
    return words


def inner_nodes(node: JsonObject) -> list[Json]:
    """Return the nodes inside an inline node."""
    inner: list[Json] = node.get("b") or node.get("i") or node.get("ref") or []
    return inner


# The words of a document for its record

_NO_WORDS = {
    "to", "url", "site", "key", "rule", "anchor", "picture", "width", "height", "place", "note", "kind",
    "style", "template", "name", "starts", "errata", "longest", "alt",
}  # fmt: skip
"""Keys whose values are no words."""


def word_lines(node: Any) -> Iterator[str]:
    """Yield the words of JSON in lines, however it is laid out."""
    if isinstance(node, str):
        yield " ".join(node.split())
    elif isinstance(node, Mapping):
        if "picture" in node:
            yield f"[{node['alt']}]"
        for key, value in node.items():
            if key not in _NO_WORDS:
                yield from word_lines(value)
    elif isinstance(node, list):
        if node and all(
            isinstance(part, str) or (isinstance(part, dict) and inner_nodes(part)) for part in node
        ):
            yield " ".join(line_text(node).split())
        else:
            for part in node:
                yield from word_lines(part)
