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
from typing import Any, assert_never

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.document import nodes
from rulewright.files.located_text import LocatedText
from rulewright.print.typographic_signs import set_words
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
    drawings_by_name: dict[str, bytes] = field(default_factory=dict)

    def words(self, words: str) -> str:
        """Return words with typographic signs, and with places where a long word may be broken."""
        return set_words(_SPACE.sub(" ", words), self.outline.edition.language)

    def name(self, text: object) -> str:
        """Return a text without markup, such as a number or a label; empty if there is none."""
        return "" if text is None else self.words(str(text))

    # Texts

    def inline(self, text: LocatedText | None, until: int | None = None) -> list[Json]:
        """Return a text in one line."""
        return self.line(self.builder.inline(text, until))

    def title(self, text: LocatedText | None) -> list[Json]:
        """Return a text in one line whose references lead nowhere."""
        return without_links(self.inline(text))

    def blocks(self, text: LocatedText | None) -> list[Json]:
        """Return the blocks of a text."""
        return self.block_nodes(self.builder.blocks(text))

    def see(self, texts: Iterable[LocatedText]) -> list[list[Json]]:
        """Return the references of a `see:`."""
        return self.references(self.builder.references(texts))

    @property
    def builder(self) -> Any:
        return self.context.builders[self.outline.edition.address]

    # Nodes in a line

    def line(self, inline: Iterable[nodes.Inline]) -> list[Json]:
        """Return nodes in one line, without white space around it."""
        line = self._bracketed(self._nodes(inline)) if self.brackets else self._nodes(inline)
        if line and isinstance(line[0], str):
            line[0] = line[0].lstrip()
        if line and isinstance(line[-1], str):
            line[-1] = line[-1].rstrip()
        return [node for node in line if node]

    def references(self, references: Iterable[tuple[nodes.Inline, ...]]) -> list[list[Json]]:
        return [self._nodes(reference) for reference in references]

    def _nodes(self, inline: Iterable[nodes.Inline]) -> list[Json]:
        made: list[Json] = []
        for node in inline:
            for part in self._node(node):
                if isinstance(part, str) and made and isinstance(made[-1], str):
                    made[-1] += part
                else:
                    made.append(part)
        return made

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
                for index, end in enumerate(node.ends):
                    yield from ["–"] * bool(index)
                    yield from self._nodes(end)
            case nodes.NameNode():
                yield self._name(node)
            case nodes.TableLinkNode():
                yield self.words(node.words)
            case nodes.ExternalNode():
                yield {"ref": [self.words(node.words)], "url": node.href, "site": node.site}
            case nodes.ImageNode():
                yield self._image(node) if node.file else self.words(node.words)
            case nodes.SymbolNode():
                yield self._symbol(node)
            case nodes.InsertedNode():
                yield from self._nodes(node.inline)
            case nodes.DeletedNode() | nodes.ErrataMarkNode():
                return
            case _:
                assert_never(node)

    def _reference(self, node: nodes.ReferenceNode) -> Iterator[Json]:
        target, own = self.context.targets.rule(node.target), self.outline.edition
        yield {"ref": [self.words(node.words)], **self.link_target(target)}
        if target.edition not in own.with_series:
            yield f" of {target.edition.short}"
        for other in self.context.overrides.in_game(target, own) if node.shows_overrides else ():
            yield f" {OVERRIDE_SIGNS[other.sort]}"
            yield {"ref": [str(other.by.printed)], **self.link_target(other.by)}

    def _name(self, node: nodes.NameNode) -> Json:
        """Return a name; that of a table or an item leads to its rule."""
        target = self.context.targets.find(node.target)
        rule = target.entry if isinstance(target, TableEntry | ListItem) else None
        words = self.words(node.words)
        return {"ref": [words], **self.link_target(rule)} if rule else words

    def _symbol(self, node: nodes.SymbolNode) -> Json:
        edition = self.context.index.outlines[node.edition].edition
        drawing = drawings.symbol_drawing(node.name, edition)
        return self.drawing(drawing) | {"em": drawing.height} if drawing else f":{node.name}:"

    def _image(self, node: nodes.ImageNode) -> JsonObject:
        self.pictures[node.file] = None
        alt = node.alt or node.caption or node.file.rpartition("/")[2]
        caption = [self.words(node.caption)] if node.caption else []
        sides = {"width": node.width, "height": node.height, "caption": caption}
        return {"picture": node.file, "alt": alt} | {key: value for key, value in sides.items() if value}

    def drawing(self, drawing: drawings.Drawing) -> JsonObject:
        """Return a drawing, whose SVG is kept for Typst."""
        if drawing.data:
            self.drawings_by_name[drawing.name] = drawing.data
        else:
            self.pictures[drawing.name] = None
        return {"picture": drawing.name, "alt": drawing.words}

    @staticmethod
    def _bracketed(line: list[Json]) -> list[Json]:
        for index in range(1, len(line) - 1):
            before, node, after = line[index - 1 : index + 2]
            if not isinstance(node, dict) or not isinstance(before, str) or not isinstance(after, str):
                continue
            if "ref" in node and before.endswith("(") and after.startswith(")"):
                line[index - 1 : index + 2] = before[:-1], {"b": ["[", node, "]"]}, after[1:]
        return line

    # Blocks

    def block_nodes(self, blocks: Iterable[nodes.Block]) -> list[Json]:
        """Return blocks below each other."""
        return [made for node in blocks for made in self._block(node)]

    def _block(self, node: nodes.Block) -> Iterator[JsonObject]:
        match node:
            case nodes.ParagraphNode():
                if node.change != "deleted":
                    yield {"p": self.line(node.inline), **self._errata(node.inline)}
            case nodes.ListNode():
                if node.change != "deleted":
                    items: list[list[Json]] = []
                    for item in node.items:
                        if item.change != "deleted":
                            first = {"p": self.line(item.inline), **self._errata(item.inline)}
                            items.append([first, *self.block_nodes(item.blocks)])
                    yield {"list": items, "first": node.first}
            case nodes.FigureNode():
                if node.file:
                    yield {"figures": [self.figure(node)]}
            case nodes.DrawingNode():
                yield from self.diagram(node)
            case nodes.NoteNode():
                yield self.note(node)
            case nodes.ImageNode():
                yield {"figures": [self._image(node) if node.file else self.words(node.words)]}
            case nodes.SymbolNode():
                yield {"figures": [self._symbol(node)]}
            case nodes.TableNode():
                yield self.table_block(node)
            case _:
                assert_never(node)

    def _errata(self, inline: tuple[nodes.Inline, ...]) -> JsonObject:
        entries = map(self.context.targets.find, self.builder.errata_in(inline))
        errata = [entry.erratum for entry in entries if isinstance(entry, ErrataEntry)]
        numbers = [str(erratum.number) for erratum in errata if erratum]
        return {"errata": numbers} if numbers else {}

    def figure(self, node: nodes.FigureNode) -> JsonObject:
        """Return a picture that belongs to a rule or a sheet."""
        self.pictures[node.file] = None
        sides = {"width": node.width, "place": node.place, "caption": self.line(node.caption)}
        return {"picture": node.file, "alt": node.alt} | {k: value for k, value in sides.items() if value}

    def diagram(self, node: nodes.DrawingNode) -> Iterator[JsonObject]:
        """Yield a diagram and its caption."""
        edition = self.context.index.outlines[node.edition].edition
        if drawing := drawings.diagram_drawing_of(node.diagram, edition):
            yield {"figures": [self.drawing(drawing) | {"width": node.width or "100%"}]}
        if node.caption:
            yield {"p": self.line(node.caption)}

    def note(self, node: nodes.NoteNode) -> JsonObject:
        """Return a note with its label."""
        label = NOTE_KINDS.get(node.kind, node.kind)
        if node.title:
            label += f": {line_text(self.line(node.title))}"
        drawing = list(self.diagram(node.drawing)) if node.drawing else []
        return {"note": node.kind, "label": label, "body": [*self.block_nodes(node.blocks), *drawing]}

    # Tables

    def table_block(self, node: nodes.TableNode) -> JsonObject:
        """Return a table as a block."""
        return {"table": self.table(node)}

    def table(self, node: nodes.TableNode) -> JsonObject:
        """Return a table: its tab, title, grids, text and notes."""
        marks = [self.words(note.mark) for note in node.notes]
        notes = [{"mark": self.words(n.mark), "body": self.block_nodes(n.blocks)} for n in node.notes]
        grids = [self._grid(grid, marks) for grid in node.grids]
        for grid, made in zip(node.grids[1:], grids[1:], strict=True):
            made["title"] = [self.words(grid.title)]
        return {
            "tab": self.words(node.number),
            "title": without_links(self.line(node.title)),
            "grids": grids,
            "text": self.block_nodes(node.blocks),
            "notes": notes,
        }

    def _grid(self, grid: nodes.GridNode, marks: list[str]) -> JsonObject:
        """Return a grid; `letters` are those of the longest cell of each column, `begins` groups of rows."""
        rows = [row for body in grid.bodies for row in body]
        results = [line_text(self.line(cell.inline)) for row in rows for cell in row.cells if not cell.scope]
        is_stacked = bool(grid.results) and any(" / " in result for result in results)
        losses = _losses(results) if is_stacked else {}
        letters: dict[tuple[str, bool], int] = {}
        made: list[list[JsonObject]] = []
        for row in rows:
            made.append([])
            for cell in row.cells:
                words = self.line(cell.inline)
                if cell.column_span == 1:
                    column = (cell.column, cell.repeats_row_header)
                    letters[column] = max(letters.get(column, 0), len(line_text(words)))
                scope = {"heads": cell.scope} if cell.scope else {}
                loss = losses.get(line_text(words), 0) if not cell.scope else 0
                again = {"again": True} if cell.repeats_row_header else {}
                made[-1].append({"words": words, **scope, **again, **_spans(cell, marks)})
                made[-1][-1] |= {"loss": loss} if loss else {}
        head: list[list[JsonObject]] = []
        count = 0
        for line in grid.headings:
            head.append([{"words": without_links(self.line(c.inline)), **_spans(c, marks)} for c in line])
            count = max(count, sum(cell.column_span for cell in line))
        widths = [*letters.values(), *[0] * (count - len(letters))][: max(count, 1)]
        for cells in head:
            for index, heading in enumerate(cells if len(cells) == len(widths) else ()):
                longest = max(map(len, line_text(heading["words"]).split()), default=0)
                widths[index] = max(widths[index], longest)
        return {
            "roll": self.words(grid.roll),
            "head": head,
            "rows": made,
            "begins": [body[0].index for body in grid.bodies[1:]],
            "letters": widths,
            "results": [[self.words(one.name), self.line(one.meaning)] for one in grid.results],
            "stacked": is_stacked,
            "modifiers": [self._modifier(modifier) for modifier in grid.modifiers],
        }

    def _modifier(self, node: nodes.ModifierNode) -> JsonObject:
        of, when = self.line(node.of), self.line(node.when)
        return {
            "value": node.value.replace("-", "−"),
            "words": [*of, *[", "] * bool(of and when), *when],
            "see": self.references(node.see),
            "shift": is_shift(node.value),
        }

    def table_of(self, entry: TableEntry) -> JsonObject:
        """Return a table of the edition."""
        return self.table(self.builder.table(entry))


def _spans(cell: nodes.HeaderCellNode | nodes.BodyCellNode, marks: list[str]) -> JsonObject:
    spans = {"across": cell.column_span, "down": cell.row_span}
    signs = {"signs": [marks[note] for note in cell.notes]} if cell.notes else {}
    return {name: count for name, count in spans.items() if count > 1} | signs


def _losses(results: list[str]) -> dict[str, float]:
    """Return how much the side that is named last loses by each result, as a share of the most.

    Its code is the most frequent after a stroke: D in `A1 / D1 R1`.
    """
    codes = Counter(found[1] for result in results if (found := _LAST_RESULT.search(result)))
    code = codes.most_common(1)[0][0] if codes else ""
    losses: dict[str, float] = {}
    for result in results:
        first, _, last = result.rpartition(" / ")
        lost = re.search(rf"(?<![^\W\d_]){re.escape(code)}(\d+)", last) if code else None
        losses[result] = 2 * int(lost[1]) - bool(first) if lost else 0
    most = max(losses.values(), default=0) or 1
    return {result: round(loss / most, 2) for result, loss in losses.items() if loss > 0}


def line_text(line: Iterable[Json]) -> str:
    """Return the words of nodes in a line."""
    words = ""
    for node in line:
        words += node if isinstance(node, str) else line_text(_inner(node))
    return words


def _inner(node: JsonObject) -> list[Json]:
    found: list[Json] = node.get("b") or node.get("i") or node.get("ref") or []
    return found


def without_links(line: Iterable[Json]) -> list[Json]:
    """Return nodes with the words of references instead of these."""
    made: list[Json] = []
    for node in line:
        if isinstance(node, str):
            made.append(node)
        elif "ref" in node:
            made += without_links(node["ref"])
        else:
            key = "b" if "b" in node else "i"
            made.append({key: without_links(node[key])} if key in node else node)
    return made


def joined(lists: Iterable[list[Json]]) -> list[Json]:
    """Join lists of nodes with commas."""
    return [node for index, line in enumerate(lists) for node in ([", "] * bool(index) + line)]


# The words of a document for its record

_NO_WORDS = {
    "to", "url", "site", "key", "rule", "anchor", "picture", "width", "height", "place", "note", "is",
    "style", "template", "name", "starts", "letters", "begins", "errata", "longest", "fighters", "shape",
    "way", "loss", "heads", "path", "unit", "fill", "ink", "inks", "band", "alt",
}  # fmt: skip
"""Keys whose values are no words."""


def word_lines(node: Any) -> Iterator[str]:
    """Yield the words of JSON in lines, however it is laid out."""
    if isinstance(node, str):
        yield " ".join(node.split())
    elif isinstance(node, Mapping):
        for key, value in node.items():
            if key == "alt" and "picture" in node:
                yield f"[{value}]"
            elif key not in _NO_WORDS and isinstance(value, str | list | Mapping):
                yield from word_lines(value)
    elif isinstance(node, list):
        if node and all(isinstance(one, str) or (isinstance(one, dict) and _inner(one)) for one in node):
            yield " ".join(line_text(node).split())
        else:
            for one in node:
                yield from word_lines(one)
