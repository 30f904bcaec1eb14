"""Writer of nodes as HTML, with links that start from one page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from html import escape
from json import dumps
from typing import TYPE_CHECKING, assert_never

import markupsafe

from rulewright.book.table_entries import Source
from rulewright.document.nodes import (
    Block,
    BodyCellNode,
    BoldNode,
    Change,
    DeletedNode,
    DrawingNode,
    ErrataMarkNode,
    ExternalNode,
    FigureNode,
    GridNode,
    HeaderCellNode,
    ImageNode,
    Inline,
    InsertedNode,
    ItalicNode,
    Line,
    ListNode,
    ModifierNode,
    NameNode,
    NoteNode,
    ParagraphNode,
    RangeNode,
    ReferenceNode,
    RetirementNode,
    SymbolNode,
    TableLinkNode,
    TableNode,
)
from rulewright.document.targets import Target, TargetId
from rulewright.references import site_paths
from rulewright.references.edition_texts import ADDS, REPLACES, VOIDS
from rulewright.render.drawings import diagram_html, find_symbol, symbol_html
from rulewright.render.exports.table_export import table_data
from rulewright.render.screen_reader_text import (
    screen_reader_html,
    spoken_mark,
    spoken_number,
)
from rulewright.render.text_writer import inline_text
from rulewright.schema.text_document import SIGNED

if TYPE_CHECKING:
    from rulewright.render.render_context import RenderContext

NOTE_KINDS = {
    "design": "Design note",
    "play": "Play note",
    "example": "Example",
    "important": "Important",
    "exception": "Exception",
}
"""Headings of the kinds of note."""

OVERRIDDEN = {REPLACES: "replaced by", ADDS: "extended by", VOIDS: "voided by"}
"""What a rule of a game does to a rule of the series, in words that follow the latter."""
OVERRIDING = {REPLACES: "Replaces", ADDS: "Adds to", VOIDS: "Voids"}
OVERRIDE_SIGNS = {REPLACES: "→", ADDS: "+", VOIDS: "×"}

_PLACES = {
    "centre": "; margin-inline: auto; text-align: center",
    "left": "; float: left; margin: .3rem 0 .6rem; margin-right: 1rem",
    "right": "; float: right; margin: .3rem 0 .6rem; margin-left: 1rem",
}
"""Styles of figures by their places."""

_UNSAFE_IN_SCRIPT = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}


def text_html(words: str) -> str:
    """Return words as they are between tags."""
    return escape(words, quote=False)


def attribute(words: str) -> str:
    """Return words as they are in an attribute."""
    return str(markupsafe.escape(words))


def builtin(words: str) -> str:
    """Return words of the program, which are English; a page in English loses the mark at its end."""
    return f'<span lang="en">{words}</span>'


def trim_lines(html: str) -> str:
    """Return HTML without white space around it and its lines."""
    return "\n".join(line.strip() for line in html.strip().split("\n"))


@dataclass(frozen=True, slots=True)
class HtmlWriter:
    """Writer for one page."""

    path: str
    """The page from which links start."""
    context: RenderContext
    page_link: str = ""
    """The link to the page with the nodes; empty if that is `path`."""
    has_anchors: bool = False
    """The items of lists have anchors, as on the page of their chapter."""

    errata: dict[TargetId, None] = field(default_factory=dict, repr=False)
    """The errata whose marks it has written."""

    def for_page(self, page_link: str) -> HtmlWriter:
        """Return the writer of a chapter's page beside `path`. `page_link`: the link to that page."""
        return replace(self, page_link=page_link, has_anchors=True)

    # Links

    def href(self, target: Target | Source) -> str:
        """Return the link to an object."""
        page, fragment = self.context.page_and_fragment(target)
        return fragment if page == self.path else site_paths.relative_link(self.path, page) + fragment

    def file_link(self, name: str) -> str:
        """Return the link to a file of the content folder."""
        return site_paths.relative_link(self.path, name.removeprefix("content/")).rstrip("/")

    # Words

    def inline(self, inline: Iterable[Inline]) -> str:
        """Return nodes in one line."""
        return trim_lines(self.words(inline))

    def references(self, references: Iterable[Line]) -> str:
        """Return a list of references."""
        return ", ".join(map(self.words, references))

    def words(self, inline: Iterable[Inline]) -> str:
        """Return nodes in the middle of a line."""
        return "".join(map(self._inline_node, inline))

    def _inline_node(self, node: Inline) -> str:
        match node:
            case str():
                return text_html(node)
            case ReferenceNode():
                return self._reference(node)
            case NameNode():
                target = self.context.targets.find(node.target)
                href, title = attribute(self.href(target)), attribute(self.context.name(target))
                return f'<a class="named" href="{href}" title="{title}">{text_html(node.words)}</a>'
            case BoldNode():
                return f"<strong>{self.words(node.inline)}</strong>"
            case ItalicNode():
                return f"<em>{self.words(node.inline)}</em>"
            case RangeNode():
                return '<span aria-hidden="true">–</span>'.join(map(self.words, node.ends))
            case TableLinkNode():
                href = attribute(self.href(self.context.targets.find(node.target)))
                return f'<a class="to-table" href="{href}">{attribute(node.words)}</a>'
            case ExternalNode():
                title = attribute(f"{node.title} ({node.site})")
                return (
                    f'<a class="ref away" rel="external" href="{attribute(node.href)}" title="{title}">'
                    f"{text_html(node.words)}</a>"
                )
            case ImageNode():
                return self._image(node, ' class="icon"') if node.file else f"[{attribute(node.words)}]"
            case SymbolNode():
                return self._symbol(node)
            case DeletedNode():
                return self._changed_words("del", "printed", node.inline)
            case InsertedNode():
                return self._changed_words("ins", "now", node.inline)
            case ErrataMarkNode():
                return "".join(map(self._errata_link, node.errata))
        assert_never(node)

    def _reference(self, node: ReferenceNode) -> str:
        rule, words, number = self.context.targets.rule(node.target), node.words, node.number
        title = self.context.name(rule).replace(rule.key, number, 1)
        is_listed = not (rule.rule or rule in self.context.index.tables_by_target)
        # Heard alone, (B) is 14.7d B, and the end of a range says that it is one.
        spoken = spoken_number(number) if number.endswith(words) else ""
        spoken = f"to {spoken or number}" if node.ends_range else "" if spoken == words else spoken
        classes = (
            f"ref{' listed' if is_listed else ''}{' whole' if '-' in words and ' ' not in words else ''}"
        )
        title += " (number only)" if is_listed else ""
        overrides = self._overrides(node) if node.shows_overrides else ""
        return (
            f'<a class="{classes}" href="{attribute(self.href(rule))}" title="{attribute(title)}"'
            f' data-ref="{attribute(f"{node.target.edition}:{rule.key}")}"'
            f"{_optional('aria-label', '' if node.has_label else spoken)}>{text_html(words)}</a>{overrides}"
        )

    def _overrides(self, node: ReferenceNode) -> str:
        """Return the rules of the game that override a rule of its series."""
        game = self.context.index.outlines["/".join(self.path.split("/")[:2])].edition
        links = [
            f' <span aria-hidden="true">{OVERRIDE_SIGNS[override.sort]}</span>'
            f'<span class="spoken" lang="en">{OVERRIDDEN[override.sort]} </span>'
            f'<a class="ref" href="{attribute(self.href(override.by))}" title="'
            f"{attribute(self.context.game_name(override.by.edition))}: {OVERRIDDEN[override.sort]} "
            f'{attribute(self.context.name(override.by))}">{attribute(override.by.printed)}</a>'
            for override in self.context.overrides.in_game(self.context.targets.rule(node.target), game)
        ]
        return f'<span class="instead">{"".join(links)}</span>' if links else ""

    def _symbol(self, node: SymbolNode) -> str:
        edition = self.context.index.outlines[node.edition].edition
        symbol = find_symbol(node.name, edition)
        assert symbol
        if symbol.file not in edition.shared:
            return (
                attribute(symbol.words)
                if symbol.file
                else symbol_html(symbol, stands_alone=node.stands_alone)
            )
        href = attribute(self.file_link(symbol.file))
        return f'<img class="icon" src="{href}" alt="{attribute(symbol.words)}">'

    def _image(self, node: ImageNode, classes: str = "") -> str:
        style = f"width: {_length(node.width)}; " if node.width else ""
        if node.width or node.height:
            style += f"height: {_length(node.height) if node.height else 'auto'}"
        style += "; object-fit: contain" if node.width and node.height else ""
        return self._img(node.file, node.alt or node.caption, style, classes)

    def _img(self, file: str, alt: str, style: str, classes: str = "") -> str:
        src = attribute(self.file_link(file))
        return f'<img{classes} src="{src}" alt="{attribute(alt)}"{_optional("style", style)} loading="lazy">'

    def _changed_words(self, tag: str, state: str, inline: Line) -> str:
        return (
            f'<{tag} class="erratum"><span class="spoken" lang="en">[{state}: </span>'
            f'<span class="w">{self.words(inline)}</span><span class="spoken">]</span></{tag}>'
        )

    def _errata_link(self, target: TargetId) -> str:
        self.errata[target] = None
        entry = self.context.targets.erratum(target)
        assert entry.erratum
        number = entry.erratum.number
        title = attribute(f"{entry}, {entry.erratum.date}")
        sign = f"E{number}" if number[:1].isdigit() else str(number)
        return (
            f'<a class="erratum-sign" href="{attribute(self.href(entry))}" title="{title}">'
            f'<span class="spoken" lang="en">{attribute(str(entry))}</span>'
            f'<span aria-hidden="true">{attribute(sign)}</span></a>'
        )

    # Blocks

    def blocks(self, blocks: Iterable[Block]) -> str:
        """Return blocks below each other."""
        return "\n".join(filter(None, map(self._block, blocks)))

    def text(self, blocks: Iterable[Block], classes: str = "text") -> str:
        """Return the blocks of a text."""
        return f'<div class="{classes}">\n{self.blocks(blocks)}\n</div>\n'

    def _block(self, node: Block) -> str:
        match node:
            case ParagraphNode():
                if node.heading:
                    anchor = _optional("id", node.heading if self.has_anchors else "")
                    return f'<h6 class="heading"{anchor}>{self.inline(node.inline)}</h6>'
                return f"<p{self._change(node.change)}>{self.inline(node.inline)}</p>"
            case ListNode():
                return self._list(node)
            case FigureNode():
                return self.figure(node)
            case DrawingNode():
                return self.drawing(node)
            case NoteNode():
                title = f" <b>{self.inline(node.title)}</b>" if node.title else ""
                kind = builtin(NOTE_KINDS.get(node.kind, attribute(node.kind)))
                drawing = f"{self.drawing(node.drawing)}\n" if node.drawing else ""
                return (
                    f'<div class="note {attribute(node.kind)}" role="note">\n'
                    f'<p class="label">{kind}{title}</p>\n{self.blocks(node.blocks)}\n{drawing}</div>'
                )
            case ImageNode():
                caption = attribute(node.caption) if node.file else self._missing_picture(node.words)
                caption = f"<figcaption>{caption}</figcaption>" if caption else ""
                return f'<figure class="inset">{self._image(node) if node.file else ""}{caption}</figure>'
            case SymbolNode():
                return self._symbol(node)
            case TableNode():
                return f'<div class="table-entry">\n{self.table(node, is_main=False)}</div>'
        assert_never(node)

    def _change(self, change: Change) -> str:
        if not change:
            return ""
        return f' class="erratum {"gone" if change == "deleted" else "come"}"'

    def _list(self, node: ListNode) -> str:
        items = []
        for item in node.items:
            anchor = _optional("id", item.anchor if self.has_anchors else "")
            inner = "".join(map(self._block, item.blocks))
            items.append(f"<li{anchor}{self._change(item.change)}>{self.inline(item.inline)}{inner}</li>")
        tag = "ol" if node.first > 0 else "ul"
        start = f' start="{node.first}"' if node.first > 1 else ""
        labelled = ' data-signed=""' if node.first == SIGNED else ""
        return f"<{tag}{start}{self._change(node.change)}{labelled}>{''.join(items)}</{tag}>"

    def _missing_picture(self, words: str) -> str:
        return f"{builtin('Picture:')} {attribute(words)}"

    def figure(self, node: FigureNode) -> str:
        """Return a picture; its text alternative if there is no such file."""
        if not node.file:
            caption = f"<figcaption>{self._missing_picture(node.alt)}</figcaption>"
            return f"<figure{_placement(node)}>{caption}</figure>"
        style = "width: 100%; height: auto" if node.width else ""
        caption = f"<figcaption>{self.inline(node.caption)}</figcaption>" if node.caption else ""
        return f"<figure{_placement(node)}>{self._img(node.file, node.alt, style)}{caption}</figure>"

    def drawing(self, node: DrawingNode) -> str:
        """Return a diagram with the legend of its areas and its caption."""
        edition = self.context.index.outlines[node.edition].edition
        caption = f"<figcaption>{self.inline(node.caption)}</figcaption>\n" if node.caption else ""
        diagram = diagram_html(node.diagram, edition)
        return f'<figure class="drawn"{_placement(node)}>\n{diagram}{caption}</figure>'

    def retirement(self, node: RetirementNode) -> str:
        """Return the statement that a rule is no longer in force."""
        words = builtin("This rule holds no more")
        if node.replaced_by:
            words += f"{builtin('; in its place:')} {self.references(node.replaced_by)}"
        reason = f" {self.inline(node.reason)}" if node.reason else ""
        mark = '<strong lang="en">Retired.</strong>'
        return f'<p class="notice retired" role="note">{mark} {words}.{reason}</p>\n'

    # Tables

    def table(self, node: TableNode, *, is_main: bool = True) -> str:
        """Return a table. `is_main`: on its own page or its rule's, with files to download and dice."""
        html = self.text(node.blocks) if node.blocks else ""
        html += f'<div class="tabled"{" data-table" if is_main else ""}>\n'
        html += "".join(self._grid(node, grid, has_dice=is_main and bool(grid.roll)) for grid in node.grids)
        if node.notes:
            notes = (self._table_note(node, index) for index in range(len(node.notes)))
            html += f'<ul class="table-notes">\n{"".join(notes)}</ul>\n'
        if is_main:
            files = f"{node.target.edition}/tables/{node.target.key}"
            link = site_paths.relative_link(self.path, f"{files}.csv").rstrip("/")
            html += '<p class="downloads" lang="en"><span class="label">Download</span>'
            html += f' <a href="{attribute(link)}" download>CSV</a></p>\n'
            if any(grid.roll for grid in node.grids):
                data = table_data(self.context.targets.table(node.target))
                script = dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE_IN_SCRIPT)
                html += f'<script type="application/json">{script}</script>\n'
        html += "</div>\n"
        return html

    def _table_note(self, table: TableNode, index: int) -> str:
        note, mark = table.notes[index], ""
        if note.mark:
            mark = (
                f'<span class="note-mark"><span aria-hidden="true">{attribute(note.mark)}</span>'
                f'<span class="spoken" lang="en">Note {attribute(spoken_mark(note.mark))}: </span></span>'
            )
        anchor = attribute(f"{table.target.key}-note-{index + 1}")
        return f'<li id="{anchor}">{mark}<div>{self.blocks(note.blocks)}</div></li>\n'

    def _note_signs(self, table: TableNode, indexes: Iterable[int]) -> str:
        signs = ""
        for index in indexes:
            mark, anchor = table.notes[index].mark, f"{table.target.key}-note-{index + 1}"
            signs += f'<sup><a class="note-sign" href="{self.page_link}#{attribute(anchor)}" '
            signs += f'aria-label="Note {attribute(spoken_mark(mark))}">{attribute(mark)}</a></sup>'
        return signs

    def _grid(self, table: TableNode, grid: GridNode, *, has_dice: bool) -> str:
        is_second = grid is not table.grids[0]
        unseen, language = ("", ' lang="en"') if is_second else (' class="spoken"', "")
        label = f'<span class="tab"{language}>{attribute(grid.label)}</span> ' if grid.label else ""
        roll = f' <span class="dice">{attribute(grid.roll)}</span>' if grid.roll else ""
        html = [
            f'<div class="board" data-grid="{"then" if is_second else "first"}">\n',
            f'<p class="chooser">{"" if is_second else roll}</p>\n',  # here the script adds a choice
            '<div class="table-scroll" tabindex="0" role="group" aria-label="Table">\n',
            f"<table{_table_style(grid)}>\n<caption{unseen}><span>{label}{attribute(grid.title)}</span>",
            f"{roll if is_second else ''}</caption>\n<thead>\n",
        ]
        for line in grid.headings:
            cells = "".join(self._header_cell(table, cell) for cell in line)
            html.append(f"<tr>{cells}</tr>\n")
        html.append("</thead>\n")
        for body in grid.bodies:
            html.append("<tbody>\n")
            for row in body:
                cells = "".join(self._body_cell(table, grid, cell) for cell in row.cells)
                html.append(f'<tr data-row="{row.index}">{cells}</tr>\n')
            html.append("</tbody>\n")
        html.append("</table>\n</div>\n")
        if grid.results:
            html.append('<dl class="results">\n')
            html += (
                f"<div><dt>{attribute(result.name)}</dt><dd>{self.inline(result.meaning)}</dd></div>\n"
                for result in grid.results
            )
            html.append("</dl>\n")
        if grid.modifiers:
            html.append(f'<ul class="modifiers{" live" if has_dice else ""}" aria-label="Modifiers">\n')
            html += (self._modifier(modifier, has_dice=has_dice) for modifier in grid.modifiers)
            html.append("</ul>\n")
        if has_dice:
            html.append(self.roller(grid.roll))
        html.append("</div>\n")
        return "".join(html)

    def roller(self, roll: str) -> str:
        """Return the dice as the script has them; without one they are hidden."""
        return (
            f'<div class="roller" lang="en" data-roller data-script="roller"><div class="act">'
            f'<button type="button">Roll {attribute(roll)}</button><label class="by-hand">or your own dice '
            '<input type="number"></label><span class="faces" aria-hidden="true"></span><output></output>'
            "</div></div>\n"
        )

    def _header_cell(self, table: TableNode, cell: HeaderCellNode) -> str:
        words = self.inline(cell.inline)
        if all(isinstance(node, str) for node in cell.inline):
            words = str(screen_reader_html(markupsafe.Markup(words)))
        words += self._note_signs(table, cell.notes)
        language = ' lang="en"' if cell.is_builtin else ""
        return f'<th{language} scope="{cell.scope}"{_spans(cell)}>{words}</th>'

    def _body_cell(self, table: TableNode, grid: GridNode, cell: BodyCellNode) -> str:
        tag, scope = ("th", f' scope="{cell.scope}"') if cell.scope else ("td", "")
        rolls = " rolls" if cell.has_rolls else ""
        column = ""
        if cell.repeats_row_header:
            classes = f' class="again{rolls}" aria-hidden="true"'
        else:
            classes = f' class="{"first" if cell.is_first else ""}{rolls}"' if cell.is_first or rolls else ""
            if grid.roll:
                column = f' data-column="{attribute(cell.column)}"'
        words = self._cell_words(grid, cell)
        signs = self._note_signs(table, cell.notes)
        return f"<{tag}{scope}{_spans(cell)}{classes}{column}>{words}{signs}</{tag}>"

    def _cell_words(self, grid: GridNode, cell: BodyCellNode) -> str:
        """Return the words of a cell; of a result for both sides, A1 / D1, the second is below the first."""
        words = self.inline(cell.inline)
        if cell.has_rolls and not cell.is_amended:
            return words if cell.repeats_row_header else str(screen_reader_html(markupsafe.Markup(words)))
        parts = [words]
        if grid.results and not cell.is_amended and "<" not in words:
            parts = words.split(" / ")
        first = str(screen_reader_html(markupsafe.Markup(parts[0]), grid.nothing))
        return first + "".join(f" <br><b>{part}</b>" for part in parts[1:])

    def _modifier(self, modifier: ModifierNode, *, has_dice: bool) -> str:
        see = f' <span class="refs">[{self.references(modifier.see)}]</span>' if modifier.see else ""
        comma = ", " if modifier.of and modifier.when else ""
        condition = f"{self.inline(modifier.of)}{comma}{self.inline(modifier.when)}{see}"
        value = f"<b>{attribute(modifier.value.replace('-', '−'))}</b>"
        if has_dice:
            minimum = "-99" if "±" in modifier.value else "0"
            kind = 'type="checkbox"'
            if modifier.of:
                kind = f'type="number" value="0" step="1" min="{minimum}" max="99" inputmode="numeric"'
            value = f"<label><input {kind}>{value}</label>"
        return f'<li>{value} <span class="why">{condition}</span></li>\n'


def _optional(name: str, value: str) -> str:
    """Return an attribute; nothing if it has no value."""
    return f' {name}="{attribute(value)}"' if value else ""


def _table_style(grid: GridNode) -> str:
    """Return the attributes of a table by which a phone lays it out."""
    columns = sum(cell.column_span for cell in grid.headings[0])
    rows = (row for body in grid.bodies for row in body)
    is_wordy = any(len(inline_text(cell.inline)) > 24 for row in rows for cell in row.cells)
    classes = " odds" if grid.has_odds else ""
    classes += " many-columns" if columns > 4 else ""  # more than a phone has room for
    classes += " wordy" if is_wordy else ""
    group = dumps(f"{inline_text(grid.headings[0][0].inline)} ", ensure_ascii=False)
    return f' class="{classes}" style="--columns: {columns}; --group: {attribute(group)}"'


def _spans(cell: HeaderCellNode | BodyCellNode) -> str:
    spans = f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
    return spans + (f' rowspan="{cell.row_span}"' if cell.row_span > 1 else "")


def _length(side: str) -> str:
    return side if side.endswith("%") else f"{side}px"


def _placement(node: FigureNode | DrawingNode) -> str:
    """Return the style of a figure: its greatest width and its place."""
    if not (node.width or node.place):
        return ""
    width = f"width: {_length(node.width)}; " if node.width else ""
    maximum = "48%" if node.place in ("left", "right") and not node.width else "100%"
    style = f"{width}max-width: {maximum}{_PLACES.get(node.place, '')}"
    return _optional("style", style)
