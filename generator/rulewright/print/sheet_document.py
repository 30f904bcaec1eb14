"""A player aid as data, which `templates/print/sheet.typ` sets.

    parts of the aid ──placed on sides and panels──► blocks as data ──Typst──► pages

A block is {"sort": "sequence", "title": [...], "see": [[...], ...], "name": "…", "wide": false, "starts": "",
"split": false} with what the function of its sort here adds; the template of that name in `blocks/` sets it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rulewright.book.aid_plan import AidPlan, AidSheet
from rulewright.book.outline import RuleEntry
from rulewright.document.blocks import Panel, errata_shown, pictures_of
from rulewright.document.blocks.block_content import BlockContent
from rulewright.files.located_text import LocatedText
from rulewright.print import block_placement
from rulewright.print.node_writer import JsonObject as TemplateData
from rulewright.print.node_writer import NodeWriter
from rulewright.print.palette import house_palette, legible_inks, print_date
from rulewright.print.sheet_blocks import PIECES, BlockData
from rulewright.references import site_paths
from rulewright.render.render_context import RenderContext
from rulewright.schema.colours import Colour, colour, to_cmyk
from rulewright.schema.text_document import plain_text
from rulewright.sequence import actors

QUIET = 2
"""Width of the light edge that a QR code has in its picture, in modules; the paper adds the rest."""


@dataclass(frozen=True)
class SheetDocument:
    """A sheet to set as `plan` says. `site`: the address of the site."""

    sheet: AidSheet
    panels: tuple[Panel, ...]
    context: RenderContext
    plan: AidPlan
    site: str = ""
    words: NodeWriter = field(init=False)

    def __post_init__(self) -> None:
        outline = self.context.index.outlines[self.sheet.edition.address]
        words = NodeWriter(self.context, outline, self.link_target, brackets=True)
        object.__setattr__(self, "words", words)

    def link_target(self, entry: RuleEntry) -> Mapping[str, str]:
        """Where a reference leads: to its page of the site, where that has an address."""
        return (
            {"url": site_paths.absolute_link(self.site, *site_paths.path_and_anchor(entry))}
            if self.site
            else {}
        )

    @cached_property
    def data(self) -> Mapping[str, Any]:
        sheet, plan, margins = self.sheet, self.plan, block_placement.margins_of(self.plan)
        errata = errata_shown(self.panels)
        url = site_paths.absolute_link(self.site, self.sheet.address) if self.site else ""
        return {
            "title": plain_text(sheet.aid.title),
            "about": plain_text(sheet.aid.about or sheet.aid.title),
            "edition": sheet.edition.title,
            "game": self.words.name(sheet.edition.book.title),
            "rules": f"Rules {self.words.name(sheet.edition.edition_file.edition)}",
            "language": sheet.edition.language,
            "amended": str(errata[-1].date) if errata else "",
            "date": print_date(str(errata[-1].date) if errata else "", sheet.edition),
            "url": url,
            "code": _code(url) if url else [],
            "paper": {"width": plan.paper.width, "height": plan.paper.height, "bleed": plan.bleed},
            "margins": {
                "top": margins.top, "side": margins.side, "foot": margins.foot, "gap": margins.gap,
            },
            "columns": plan.columns,
            "folds": [list(folds) for folds in plan.folds] if plan.fold != "none" else [[], []],
            "pages": self.pages,
            "type": plan.type,
            "palette": self.palette,
            "spots": self._spots(),
            "sides": list(self._sides()),
            "tab": self._tab(),
        }  # fmt: skip

    @cached_property
    def sides(self) -> tuple[block_placement.SheetSide, ...]:
        return block_placement.place_blocks(self.sheet, self.panels, self.plan)

    @cached_property
    def explained_results(self) -> set[str]:
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
        there = self.sheet.edition.files | self.sheet.edition.shared
        return [
            name for name in dict.fromkeys((*pictures_of(self.panels), *self.words.pictures)) if name in there
        ]

    @cached_property
    def palette(self) -> Mapping[str, list[float]]:
        """The inks of the house style and of who acts, by name and style."""
        palette = house_palette(self.sheet.edition.book, is_black=self.plan.ink == "black")
        if self.plan.ink != "black":
            palette |= {"side-1": [0.8, 0.2, 0.9, 0.5], "side-2": [0.6, 0.9, 0, 0.25]}  # as on pages
            for name, (said, _) in actors.actor_colours(self.sheet.edition.book).items():
                if found := colour(said):
                    palette[name] = legible_inks(found)
        return palette

    def _spots(self) -> Mapping[str, Any]:
        inks, book = self.plan.inks if self.plan.ink != "black" else (), self.sheet.edition.book
        return {
            actors.find_actor(ink.key, book).style: {"name": ink.name, "cmyk": list(ink.cmyk)} for ink in inks
        }

    def _sides(self) -> Iterator[TemplateData]:
        for side in self.sides:
            yield {
                "title": side.title,
                "cut": self._cut(side.cut) if side.cut else None,
                "runs": [self._run(run, side.titled_by) for run in side.runs],
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

    def _cut(self, cut: block_placement.CutSide) -> TemplateData:
        order = {piece: at for at, piece in enumerate(dict.fromkeys(piece for piece, _, _ in cut.pieces))}
        place, size = cut.part.block.sort.place, cut.part.size
        show = PIECES[cut.part.block_kind]
        return {
            "template": cut.part.block_kind,
            "place": [place.file, place.line, place.column],
            "back": cut.back,
            "backs": cut.part.backs,
            "width": size.width,
            "height": size.height,
            "gap": cut.part.gap,
            "across": list(cut.cuts[0]),
            "down": list(cut.cuts[1]),
            "faces": [show(cut.part, piece, cut.back, self.blocks) for piece in order],
            "pieces": [[order[piece], x, y] for piece, x, y in cut.pieces],
        }

    @cached_property
    def blocks(self) -> BlockData:
        is_black = self.plan.ink == "black"

        def inks(value: Colour) -> list[float]:
            return list(to_cmyk((value[0] / 255, value[1] / 255, value[2] / 255), is_black))

        return BlockData(self.words, self.sheet.edition, self.explained_results, self.inks_of, inks)

    def inks_of(self, style: str, own: LocatedText | None) -> list[float]:
        """The inks of a piece: its own colour, that of who it is of, else black."""
        found = colour(own) if own else None
        if found and self.plan.ink != "black":
            return legible_inks(found)
        usual = self.palette["house"] if style in ("phasing", "non-phasing") else [0, 0, 0, 1]
        return list(self.palette.get(style, usual))

    def _tab(self) -> TemplateData:
        tabs = [aid.tab for aid in self.sheet.edition.aids if aid.tab]
        own = self.sheet.aid.tab
        return {"title": self.words.name(own), "at": tabs.index(own), "of": len(tabs)} if own else {}

    def _run(self, run: block_placement.BlockRun, named: BlockContent | None = None) -> TemplateData:
        """Blocks side by side. `named`: the one that has given its title to the page."""
        blocks = [self.blocks.block(part) | ({"title": []} if part is named else {}) for part in run.parts]
        return {"wide": run.wide, "blocks": blocks}


def _code(url: str) -> list[str]:
    """A QR code, row by row: 1 for a dark module."""
    import segno

    rows = segno.make(url, error="m", micro=False).matrix_iter(border=QUIET)
    return ["".join("1" if bit else "0" for bit in row) for row in rows]
