"""Writer of tables as HTML, with the dice and files that a table has on its own page or in its rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from json import dumps
from typing import TYPE_CHECKING

import markupsafe

from rulewright.document.nodes import BodyCellNode, GridNode, HeaderCellNode, ModifierNode, TableNode
from rulewright.references import site_paths
from rulewright.render.exports.table_export import table_data
from rulewright.render.html_escaping import attribute
from rulewright.render.screen_reader_text import screen_reader_html, spoken_mark
from rulewright.render.text_writer import inline_text

if TYPE_CHECKING:
    from rulewright.render.html_writer import HtmlWriter

_UNSAFE_IN_SCRIPT = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}


@dataclass(frozen=True, slots=True)
class TableHtml:
    """Writer of the tables of one page. `writer`: writes the words in their cells."""

    writer: HtmlWriter

    def table(self, node: TableNode, *, is_main: bool = True) -> str:
        """Return a table. `is_main`: on its own page or its rule's, with files to download and dice."""
        html = self.writer.text(node.blocks) if node.blocks else ""
        html += f'<div class="tabled"{" data-table" if is_main else ""}>\n'
        html += "".join(self._grid(node, grid, has_dice=is_main and bool(grid.roll)) for grid in node.grids)
        if node.notes:
            notes = (self._table_note(node, index) for index in range(len(node.notes)))
            html += f'<ul class="table-notes">\n{"".join(notes)}</ul>\n'
        if is_main:
            files = f"{node.target.edition}/tables/{node.target.key}"
            link = site_paths.relative_link(self.writer.path, f"{files}.csv").rstrip("/")
            html += '<p class="downloads" lang="en"><span class="label">Download</span>'
            html += f' <a href="{attribute(link)}" download>CSV</a></p>\n'
            if any(grid.roll for grid in node.grids):
                data = table_data(self.writer.context.targets.table(node.target))
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
        return f'<li id="{anchor}">{mark}<div>{self.writer.blocks(note.blocks)}</div></li>\n'

    def _note_signs(self, table: TableNode, indexes: Iterable[int]) -> str:
        signs = ""
        for index in indexes:
            mark, anchor = table.notes[index].mark, f"{table.target.key}-note-{index + 1}"
            signs += f'<sup><a class="note-sign" href="{self.writer.page_link}#{attribute(anchor)}" '
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
                f"<div><dt>{attribute(result.name)}</dt><dd>{self.writer.inline(result.meaning)}</dd></div>\n"
                for result in grid.results
            )
            html.append("</dl>\n")
        if grid.modifiers:
            html.append(f'<ul class="modifiers{" live" if has_dice else ""}" aria-label="Modifiers">\n')
            html += (self._modifier(modifier, has_dice=has_dice) for modifier in grid.modifiers)
            html.append("</ul>\n")
        if has_dice:
            html.append(roller_html(grid.roll))
        html.append("</div>\n")
        return "".join(html)

    def _header_cell(self, table: TableNode, cell: HeaderCellNode) -> str:
        words = self.writer.inline(cell.inline)
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
        words = self.writer.inline(cell.inline)
        if cell.has_rolls and not cell.is_amended:
            return words if cell.repeats_row_header else str(screen_reader_html(markupsafe.Markup(words)))
        parts = [words]
        if grid.results and not cell.is_amended and "<" not in words:
            parts = words.split(" / ")
        first = str(screen_reader_html(markupsafe.Markup(parts[0]), grid.nothing))
        return first + "".join(f" <br><b>{part}</b>" for part in parts[1:])

    def _modifier(self, modifier: ModifierNode, *, has_dice: bool) -> str:
        see = f' <span class="refs">[{self.writer.references(modifier.see)}]</span>' if modifier.see else ""
        comma = ", " if modifier.of and modifier.when else ""
        condition = f"{self.writer.inline(modifier.of)}{comma}{self.writer.inline(modifier.when)}{see}"
        value = f"<b>{attribute(modifier.value.replace('-', '−'))}</b>"
        if has_dice:
            minimum = "-99" if "±" in modifier.value else "0"
            kind = 'type="checkbox"'
            if modifier.of:
                kind = f'type="number" value="0" step="1" min="{minimum}" max="99" inputmode="numeric"'
            value = f"<label><input {kind}>{value}</label>"
        return f'<li>{value} <span class="why">{condition}</span></li>\n'


def roller_html(roll: str) -> str:
    """Return the dice as the script has them; without one they are hidden."""
    return (
        f'<div class="roller" lang="en" data-roller data-script="roller"><div class="act">'
        f'<button type="button">Roll {attribute(roll)}</button><label class="by-hand">or your own dice '
        '<input type="number"></label><span class="faces" aria-hidden="true"></span><output></output>'
        "</div></div>\n"
    )


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
