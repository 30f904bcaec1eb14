"""Contents of the blocks of a player aid: steps, tables, rules, found and in order, for a template to set.

A kind of block is a field of `model.aid.Block`, which says what its keys name, and a template in
`templates/aids/blocks/`. One that shows more than it says itself has a file here, both named for its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from rulewright.book.remarks import in_turn
from rulewright.book.sheet import Sheet, panels_of
from rulewright.book.tables import table_texts
from rulewright.citations.blocks.part import Making, Part, Said
from rulewright.citations.shelf import Shelf
from rulewright.model.amended import Amended
from rulewright.model.erratum import Erratum
from rulewright.model.keys import marked, parts_of, texts_of
from rulewright.source.text import Text
from rulewright.text.insets import beside, insets_of, picture_of


@dataclass(frozen=True, slots=True)
class Panel:
    """The blocks of a panel; those ahead of the first one, or of a sheet without any, have no name."""

    name: str | None
    parts: tuple[Part, ...]


def parts(sheet: Sheet, shelf: Shelf) -> list[Panel]:
    """Contents of the blocks of a sheet, by panel."""
    making = Making(sheet, shelf, lambda block, making: _kind(str(block.sort)).of(block, making))
    panels = [
        (name and str(name), [making.part(block) for block in blocks])
        for name, blocks in panels_of(sheet.aid)
    ]
    every = [part for _, made in panels for part in made]
    return [Panel(name, tuple(part.beside(every, making) for part in made)) for name, made in panels]


@cache
def _kind(sort: str) -> type[Part]:
    """The kind of block by its key, imported when a sheet has such a block."""
    name = f"{__name__}.{sort}"
    kind: type[Part] = import_module(name).Shown if find_spec(name) else Said
    return kind


def amended_by(panels: Iterable[Panel]) -> list[Erratum]:
    """The errata as amended by which a sheet says what it says, in the order in which they hold."""
    found: set[Erratum] = set()
    for part in (part for panel in panels for part in panel.parts):
        for text in _texts(part):
            if isinstance(text, Amended):
                found.update(text.errata)
    return sorted(found, key=in_turn)


def pictures_of(panels: Iterable[Panel]) -> list[str]:
    """The names of the picture files that a sheet shows, those in its texts among them."""
    found: dict[str, None] = {}
    for part in (part for panel in panels for part in panel.parts):
        files = [text for text, f in marked(part.block, "names") if f.metadata["names"] == "picture"]
        found |= dict.fromkeys(beside(file.file.name, file) for file in files)
        figures = (figure for one in part.entries if one.rule for figure in one.rule.figures)
        found |= dict.fromkeys(map(picture_of, figures))
        found |= dict.fromkeys(name for text in _texts(part) for name in insets_of(text))
    return list(found)


def _texts(part: Part) -> Iterator[Text]:
    steps, rules = (step.step for step in part.shown), (one.rule for one in part.entries)
    yield from filter(None, [part.text])
    for one in (*parts_of(part.block), *steps, *rules):
        yield from (text for text, _ in texts_of(one))
    for table in part.tables:
        yield from (text for text, _ in table_texts(table))
        for grid in table.grids():
            yield from grid.columns
            yield from (cell for row in grid.rows for cell in row.values())
