"""A player aid as data, which `templates/print/sheet.typ` sets.

    parts of the aid ──placed on sides and panels──► blocks as data ──Typst──► pages

A block is {"sort": "sequence", "title": [...], "see": [[...], ...], "name": "…", "wide": false, "starts": "",
"split": false} with what the function of its sort here adds; the template of that name in `blocks/` sets it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rulewright.book import roles, shapes
from rulewright.book.outline import Entry
from rulewright.book.roles import Actor
from rulewright.book.shapes import BACK
from rulewright.book.sheet import Plan, Sheet
from rulewright.book.tables import TableEntry
from rulewright.citations import addresses
from rulewright.citations.blocks import Panel, amended_by, pictures_of
from rulewright.citations.blocks.part import Part
from rulewright.citations.facts import FACTS
from rulewright.citations.prose import plain
from rulewright.model.colours import WHITE, amounts, colour, legible
from rulewright.model.keys import texts_of
from rulewright.numbers.insets import picture_of
from rulewright.print import imposition, steps, tables
from rulewright.print.words import Node, Words
from rulewright.site import diagram, drawings, sketches
from rulewright.site.context import Desk
from rulewright.source import bounds
from rulewright.source.amounts import counted
from rulewright.source.text import Text

UNPLAYED = ("design", "restored")
"""Kinds of note that a sheet leaves out."""

TOLD = tuple(name for name in FACTS if name not in UNPLAYED)
"""Facts of a step that a sheet tells."""

QUIET = 2
"""Width of the light edge that a QR code has in its picture, in modules; the paper adds the rest."""

_PARTED = re.compile(r"[\s/\u00ad\u200b–—]+|(?<=\w)-(?=\w)")
"""Where a line may end."""

_FRACTIONS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}


@dataclass(frozen=True)
class SheetData:
    """A sheet to set as `plan` says. `site`: where the site will stand; `stamp`: words across each page."""

    sheet: Sheet
    panels: tuple[Panel, ...]
    desk: Desk
    plan: Plan
    site: str = ""
    mark: str = ""
    stamp: str = ""
    words: Words = field(init=False)

    def __post_init__(self) -> None:
        outline = self.desk.shelf.outlines[self.sheet.edition.address]
        words = Words(self.desk, outline, self.where, _fractions, told=TOLD)
        object.__setattr__(self, "words", words)

    def where(self, entry: Entry) -> Mapping[str, str]:
        """Where a reference leads: to its page of the site, where that has an address."""
        return {"url": addresses.below(self.site, *addresses.of(entry))} if self.site else {}

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """All that the template sets."""
        sheet, plan, margins = self.sheet, self.plan, imposition.margins_of(self.plan)
        errata = amended_by(self.panels)
        url = addresses.below(self.site, self.sheet.address) if self.site else ""
        return {
            "title": plain(sheet.aid.title),
            "about": plain(sheet.aid.about or sheet.aid.title),
            "edition": sheet.edition.title,
            "amended": str(errata[-1].date) if errata else "",
            "mark": self.mark,
            "stamp": self.stamp,
            "url": url,
            "code": _code(url) if url else [],
            "paper": {"width": plan.paper.width, "height": plan.paper.height, "bleed": plan.bleed},
            "margins": {
                "top": margins.top, "side": margins.side, "foot": margins.foot, "gap": margins.gap,
            },
            "columns": plan.columns,
            "pages": self.pages,
            "smallest": plan.smallest,
            "largest": plan.largest,
            "colours": self._colours(),
            "spots": self._spots(),
            "sides": _bracketed(list(self._sides())),
            "tab": self._tab(),
        }  # fmt: skip

    @cached_property
    def sides(self) -> tuple[imposition.SheetSide, ...]:
        """The sides of the sheet, with the blocks on them."""
        return imposition.sides(self.sheet, self.panels, self.plan)

    @cached_property
    def explained(self) -> set[str]:
        """The results that a block explains, so that their tables need not."""
        every = (part for panel in self.panels for part in panel.parts)
        return {str(name) for part in every for name, _ in getattr(part, "results", ())}

    @property
    def pages(self) -> int:
        """How many pages it has: what is cut out takes as many as it needs, unless the file says how many."""
        cut = any(side.cut for side in self.sides)
        return len(self.sides) if cut and not self.sheet.aid.pages else self.plan.pages

    @cached_property
    def pictures(self) -> list[str]:
        """The files of its pictures."""
        there = self.sheet.edition.files | self.sheet.edition.shared
        return [
            name for name in dict.fromkeys((*pictures_of(self.panels), *self.words.pictures)) if name in there
        ]

    def _colours(self) -> Mapping[str, list[float]]:
        """The colours of who acts, in inks, by style."""
        black = self.plan.ink == "black"
        own = {"phasing": (0.08, 1, 0.95, 0.22), "non-phasing": (1, 0.62, 0.05, 0.2)}
        own |= {"side-1": own["phasing"], "side-2": own["non-phasing"]}
        made = {} if black else {name: list(inks) for name, inks in own.items()}
        for name, (said, _) in roles.colours(self.sheet.edition.book).items() if not black else ():
            if found := colour(said):
                red, green, blue = (part / 255 for part in legible(found, WHITE))
                made[name] = list(amounts((red, green, blue)))
        return made

    def _spots(self) -> Mapping[str, Any]:
        """The spot inks of who acts, by style."""
        inks, book = self.plan.inks if self.plan.ink != "black" else (), self.sheet.edition.book
        return {roles.actor(ink.key, book).style: {"name": ink.name, "cmyk": list(ink.cmyk)} for ink in inks}

    def _sides(self) -> Iterator[dict[str, Any]]:
        for side in self.sides:
            yield {
                "title": side.title,
                "cut": self._cut(side.cut) if side.cut else None,
                "runs": [self._run(run, side.named) for run in side.runs],
                "panels": [
                    {
                        "name": panel.name, "x": panel.x, "y": panel.y, "width": panel.width,
                        "height": panel.height, "head": panel.head, "front": panel.front,
                        "left": panel.to_left + (self.plan.bleed if panel.at_left else 0),
                        "right": panel.to_right + (self.plan.bleed if panel.at_right else 0),
                        "runs": [self._run(run) for run in panel.runs],
                    }
                    for panel in side.panels
                ],
            }  # fmt: skip

    def _cut(self, cut: imposition.CutSide) -> dict[str, Any]:
        """Pieces to cut out: what each shows once, and all their places."""
        order = {piece: at for at, piece in enumerate(dict.fromkeys(piece for piece, _, _ in cut.pieces))}
        place, size = cut.part.block.sort.place, cut.part.size
        show = PIECES[cut.part.sort]
        return {
            "template": cut.part.sort,
            "place": [place.file, place.line, place.column],
            "back": cut.back,
            "backs": cut.part.backs,
            "width": size.width,
            "height": size.height,
            "gap": cut.part.gap,
            "across": list(cut.cuts[0]),
            "down": list(cut.cuts[1]),
            "faces": [show(cut.part, piece, cut.back, self) for piece in order],
            "pieces": [[order[piece], x, y] for piece, x, y in cut.pieces],
        }

    def inks_of(self, style: str, own: Text | None) -> list[float]:
        """The inks of a piece: its own colour, that of who it is of, else black."""
        found = colour(own) if own else None
        if found and self.plan.ink != "black":
            red, green, blue = (part / 255 for part in legible(found, WHITE))
            return list(amounts((red, green, blue)))
        return list(self._colours().get(style, (0, 0, 0, 1)))

    def _tab(self) -> dict[str, Any]:
        """The tab at the edge of its pages, and its place among those of the edition's sheets."""
        tabs = [one.tab for one in self.sheet.edition.aids if one.tab]
        own = self.sheet.aid.tab
        return {"title": self.words.name(own), "at": tabs.index(own), "of": len(tabs)} if own else {}

    def _run(self, run: imposition.BlockRun, named: Part | None = None) -> dict[str, Any]:
        """Blocks side by side. `named`: the one that has given its title to the page."""
        blocks = [self.block(part) | ({"title": []} if part is named else {}) for part in run.parts]
        return {"wide": run.wide, "blocks": blocks}

    def block(self, part: Part) -> dict[str, Any]:
        """A block: what all have, and what its sort adds."""
        block, words = part.block, self.words
        show: Callable[[Any, SheetData], dict[str, Any]] = BLOCKS.get(part.sort, _said)
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
            "longest": _longest(made),
            **made,
        }

    def counter(self, name: str, cut: bool = False) -> Iterator[Node]:
        """A counter; `cut`: without its edge, as it is printed to be cut out."""
        if found := drawings.of_sign(name, self.sheet.edition, cut):
            yield self.words.drawing(found)


def _said(part: Part, sheet: SheetData) -> dict[str, Any]:
    """Words of the texts that a block holds itself."""
    return {"words": [sheet.words.inline(text) for text, _ in texts_of(part.said)]}


def _sequence(part: Part, sheet: SheetData) -> dict[str, Any]:
    return {
        "text": sheet.words.blocks(part.text) if part.text else [],
        "steps": steps.steps(part.steps, sheet.words, part.shown),
    }


def _turn(part: Part, sheet: SheetData) -> dict[str, Any]:
    return {"strip": steps.strip(part.steps, sheet.words)}


def _narrative(part: Part, sheet: SheetData) -> dict[str, Any]:
    return {"told": steps.told(part.steps, sheet.words)}


def _tables(part: Part, sheet: SheetData) -> dict[str, Any]:
    made = [tables.table(_played(one), sheet.words) for one in part.tables]
    for grid in (grid for one in made for grid in one["grids"]):
        said = {name for name, _ in grid["results"]}
        if said <= sheet.explained:
            grid["results"] = []
    return {"tables": made}


def _played(one: TableEntry) -> TableEntry:
    """A table without notes of the design or the editor, which nobody needs at the table."""
    notes = tuple(note for note in one.table.notes if note.kind not in UNPLAYED)
    return replace(one, table=replace(one.table, notes=notes))


def _rules(part: Part, sheet: SheetData) -> dict[str, Any]:
    return {"rules": [one for entry in part.rules for one in _rule(entry, sheet.words, 0)]}


def _rule(entry: Entry, words: Words, level: int) -> Iterator[dict[str, Any]]:
    """A rule and those inside it, without notes that nobody needs at the table."""
    if (rule := entry.rule) is None:
        return
    notes = [
        {
            "label": tables.KINDS_OF_NOTE.get(str(note.kind), str(note.kind)),
            "body": [*words.blocks(note.text), *(words.diagram(note.diagram) if note.diagram else ())],
        }
        for note in rule.notes
        if note.kind not in UNPLAYED
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


def _list(part: Part, sheet: SheetData) -> dict[str, Any]:
    said = part.block.list
    assert said
    return {"items": [sheet.words.inline(item) for item in said.items], "numbered": bool(said.numbered)}


def _notes(part: Part, sheet: SheetData) -> dict[str, Any]:
    assert part.block.notes
    return {"body": sheet.words.blocks(part.block.notes)}


def _picture(part: Part, sheet: SheetData) -> dict[str, Any]:
    said = part.block.picture
    assert said
    there = picture_of(said) in sheet.sheet.edition.files
    return {"figures": [sheet.words.figure(picture_of(said), said)] if there else []}


def _diagram(part: Part, sheet: SheetData) -> dict[str, Any]:
    assert part.block.diagram
    drawing = [node for node in sheet.words.diagram(part.block.diagram) if isinstance(node, dict)]
    return {
        "drawing": [node for node in drawing if "list" not in node],
        "callouts": [node for node in drawing if "list" in node],
        "beside": bool(part.block.diagram.counter),
    }


def _results(part: Any, sheet: SheetData) -> dict[str, Any]:
    return {"results": [[sheet.words.name(name), sheet.words.inline(means)] for name, means in part.results]}


def _track(part: Any, sheet: SheetData) -> dict[str, Any]:
    across = part.block.track.across
    return {
        "across": counted(across, bounds.TRACK.most) or 0 if across else 0,
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


def _card(part: Any, at: int, back: bool, sheet: SheetData) -> dict[str, Any]:
    """A side of a card, its blocks in one run."""
    _, front, behind = part.faces[at]
    face = behind if back else front
    if face is None:
        return {}
    said = face.said
    actor = roles.actor(said.of, sheet.sheet.edition.book) if said.of else None
    sign = drawings.of_sign(said.sign, sheet.sheet.edition) if said.sign else None
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


def _aside(block: dict[str, Any]) -> dict[str, Any]:
    """A block whose list has the references at the end of its items apart, for the right edge of a card."""
    return block | {"items": [_item(one) for one in block["items"]]} if "items" in block else block


def _item(nodes: list[Any]) -> dict[str, Any]:
    """An entry with the references that stand in parentheses at its end apart."""
    at = next((i for i in range(len(nodes) - 1, -1, -1) if isinstance(nodes[i], str) and "(" in nodes[i]), 0)
    begins, *inner, ends = nodes[at:] if nodes[at + 2 :] else ["", ""]
    between = (one.strip(" ,") for one in inner if isinstance(one, str))
    if not inner or ends not in (")", ").") or not begins.endswith("(") or {*between} - {"", "and", "to"}:
        return {"words": nodes, "see": []}
    return {"words": [*nodes[:at], begins[:-1].rstrip() + ends[1:]], "see": inner}


def _counter(part: Any, name: str, back: bool, sheet: SheetData) -> dict[str, Any]:
    """A side of a counter; where it has no back, its ground."""
    book = sheet.sheet.edition.book
    found = shapes.counter(name, book)
    bare = back and not (found and found.counter.back)
    fill = sketches.painted(found, book).fill if found else "#ffffff"
    return {"fill": fill, "drawn": [] if bare else list(sheet.counter(name + BACK * back, cut=True))}


PIECES: Mapping[str, Callable[[Any, Any, bool, SheetData], dict[str, Any]]] = {
    "cards": _card,
    "counters": _counter,
}
"""What a side of a piece of each block shows that is cut out."""


def _legend(part: Any, sheet: SheetData) -> dict[str, Any]:
    signs = part.legend
    return {
        "everyone": [_actor(one) for one in signs.everyone],
        "fighters": [one.style for one in signs.fighters],
        "any": signs.any_order,
        "never": signs.never,
    }


def _matrix(part: Any, sheet: SheetData) -> dict[str, Any]:
    made = part.matrix
    return {
        "of": _and([plain(turn.step.title) for turn in made.turns]),
        "columns": [diagram.short(phase) for phase in made.columns],
        "rows": [
            {
                "title": row.title,
                "cells": [{"never": c.never, "marks": [_actor(one) for one in c.actors]} for c in row.cells],
            }
            for row in made.rows
        ],
    }


def _checklist(part: Any, sheet: SheetData) -> dict[str, Any]:
    made, said = part.checklist, part.block.checklist
    header = [sheet.words.name(one) for one in said.header] or ["Game", "Turn", "Date"]
    return {
        "header": header,
        "turns": made.turns,
        "players": [_actor(one) for one in made.columns],
        "groups": [
            {
                "title": " / ".join(plain(turn.step.title) for turn in group.turns),
                "ticks": [_tick(tick, sheet.words) for tick in group.ticks],
            }
            for group in made.groups
        ],
    }


def _tick(tick: Any, words: Words) -> dict[str, Any]:
    step = tick.step
    return {
        "level": tick.level,
        "marks": [_actor(one) for one in roles.acting(step, tick.turn)] if tick.level == 0 else [],
        "label": " / ".join(words.name(label) for label in tick.labels),
        "title": words.inline(step.step.title),
        "combat": roles.style(step, tick.turn) if step.combat else "",
        "see": words.see(step.step.see),
        "boxes": list(tick.boxes),
    }


BLOCKS: Mapping[str, Callable[[Any, SheetData], dict[str, Any]]] = {
    "sequence": _sequence,
    "turn": _turn,
    "narrative": _narrative,
    "tables": _tables,
    "rules": _rules,
    "list": _list,
    "notes": _notes,
    "picture": _picture,
    "diagram": _diagram,
    "results": _results,
    "track": _track,
    "legend": _legend,
    "matrix": _matrix,
    "checklist": _checklist,
}
"""What each sort of block adds to its data; one that is not here shows the words of its texts."""


def _actor(one: Actor) -> dict[str, str]:
    return {"mark": one.mark, "style": one.style, "title": one.title}


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _code(url: str) -> list[str]:
    """A QR code, row by row: 1 for a dark module."""
    import segno

    rows = segno.make(url, error="m", micro=False).matrix_iter(border=QUIET)
    return ["".join("1" if bit else "0" for bit in row) for row in rows]


def _bracketed(node: Any) -> Any:
    """Nodes in which a reference that stands alone in parentheses stands in brackets, as sheets have it."""
    if isinstance(node, dict):
        return {name: _bracketed(value) for name, value in node.items()}
    if not isinstance(node, list):
        return node
    made = [_bracketed(one) for one in node]
    for at in range(1, len(made) - 1):
        before, one, behind = made[at - 1 : at + 2]
        alone = isinstance(one, dict) and "ref" in one and isinstance(before, str) and isinstance(behind, str)
        if alone and before.endswith("(") and behind.startswith(")"):
            made[at - 1], made[at], made[at + 1] = before[:-1], {"b": ["[", one, "]"]}, behind[1:]
    return made


def _fractions(words: str) -> str:
    """Words with fractions as one sign."""
    for said, sign in _FRACTIONS.items():
        if said in words:
            words = re.sub(rf"(?<![\d/]){said}(?![\d/])", sign, words)
    return words


def lines(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Words of a sheet, line by line, however it is laid out."""
    since = (f"{data['edition']} · with errata of {data['amended']}",) if data["amended"] else ()
    return (*since, *(line for side in data["sides"] for line in _lines(side) if line))


def _lines(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield " ".join(node.split())
    elif isinstance(node, Mapping):
        if "picture" in node:
            yield f"[{node['alt']}]"
        for name, value in node.items():
            if name in _NAMES and isinstance(value, list) and all(isinstance(one, str) for one in value):
                yield from value
            elif isinstance(value, list | Mapping) and name not in _UNSAID:
                yield from _lines(value)
            elif isinstance(value, str) and name in _SAID:
                yield " ".join(value.split())
    elif isinstance(node, list) and node and all(_is_inline(one) for one in node):
        yield " ".join(_text(node).split())
    elif isinstance(node, list):
        for one in node:
            yield from _lines(one)


_SAID = ("title", "date", "label", "number", "again", "instead", "mark", "roll", "value", "tab", "of")
"""Names of strings that are words."""

_NAMES = ("header", "columns", "over")
"""Names of lists of which each string is a line."""

_UNSAID = ("place", "letters", "begins", "boxes", "fighters", "longest")
"""Names of lists that hold no words, or those of others once more."""


def _longest(made: Mapping[str, Any]) -> list[str]:
    """The words with most letters, one of which is the widest."""
    words = {part for line in _lines(made) for part in _PARTED.split(line)}
    return sorted(words, key=lambda word: (-len(word), word))[:3]


def _is_inline(node: Any) -> bool:
    return isinstance(node, str) or (isinstance(node, dict) and not {"b", "i", "ref"}.isdisjoint(node))


def _text(nodes: Iterable[Any]) -> str:
    return "".join(
        one if isinstance(one, str) else _text(next(one[key] for key in ("b", "i", "ref") if key in one))
        for one in nodes
    )
