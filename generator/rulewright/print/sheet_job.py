"""Print job of a player aid, which `templates/print/sheet.typ` sets.

blocks of the aid ──placed on sides and panels──► JSON ──Typst──► pages
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from rulewright.book.aid_plan import SMALLEST as SMALLEST_SHEET_TYPE
from rulewright.book.aid_plan import AidPlan, AidSheet
from rulewright.book.library import Edition
from rulewright.document.blocks import Panel, block_contents
from rulewright.document.blocks.cut_out_blocks import CutOutContent
from rulewright.document.blocks.reference_blocks import ResultsContent
from rulewright.files.problems import Problem, SourceLocation
from rulewright.print import print_job
from rulewright.print.block_placement import SheetSide, SideArea, place_blocks
from rulewright.print.node_writer import JsonObject
from rulewright.print.print_job import PressPictures, PrintJob, PrintOptions, ReadFile
from rulewright.print.print_spec import PrintSpec
from rulewright.print.sheet_blocks import BlockWriter, place_of
from rulewright.print.typst_compiler import CompiledPdf, Standard
from rulewright.references import site_paths
from rulewright.render.render_context import RenderContext
from rulewright.schema import print_problems
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import all_actors, find_actor

MOST_TYPE = 13
"""Maximum size of type of a sheet that has room to spare, in points; it grows by half points."""

SMALLEST_CARD_TYPE = 8.0
"""Minimum size of type on cards, in points."""

LONG_LISTS = {"rules": "rules", "tables": "tables", "narrative": "steps", "sequence": "steps"}
"""Keys of the lists of blocks that may go on over several columns."""

QR_BORDER = 2
"""Width of the light edge of a QR code in modules; the paper adds the rest."""


@dataclass(frozen=True)
class SheetJob(PrintJob):
    """Print job of a player aid."""

    sheet: AidSheet
    context: RenderContext
    options: PrintOptions
    read: ReadFile = field(repr=False)

    template = "sheet.typ"
    fault = print_problems.AID_UNPRINTABLE
    worded = ("amended", "sides")
    has_brackets = True

    @property
    def address(self) -> str:
        return self.sheet.address

    @property
    def title(self) -> str:
        return f"{self.edition.title}: {self.sheet}"

    @property
    def place(self) -> SourceLocation:
        return self.sheet.aid.title.place

    @property
    def edition(self) -> Edition:
        return self.sheet.edition

    @cached_property
    def form(self) -> AidPlan:
        plan, options = self.sheet.plan, self.options
        plan = plan.for_paper(options.paper) if options.paper else plan
        bleed = plan.bleed if options.bleed is None else options.bleed
        return replace(plan, ink=options.ink or plan.ink, bleed=bleed)

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(block_contents(self.sheet, self.context.index))

    @cached_property
    def sides(self) -> tuple[SheetSide, ...]:
        return place_blocks(self.sheet, self.panels, self.form)

    @property
    def unchanged(self) -> SheetJob:
        options = PrintOptions(site=self.options.site)
        return self if self.options == options else replace(self, options=options)

    @property
    def image_count(self) -> int:
        """Number of pages: pieces to cut out take as many as they need if the file does not say how many."""
        has_pieces = any(side.cut for side in self.sides)
        return len(self.sides) if has_pieces and not self.sheet.aid.pages else self.form.pages

    def spec(self, pages: int) -> PrintSpec:
        form, has_pieces = self.form, any(side.cut for side in self.sides)
        has_drawings = has_pieces or bool(self.writer.drawings_by_name)
        return PrintSpec(
            form.paper.width,
            form.paper.height,
            form.bleed,
            pages=min(pages, self.image_count),
            smallest=print_job.SMALLEST_DRAWN if has_drawings else print_job.SMALLEST,
            hairline=print_job.HAIRLINE_DRAWN if has_pieces else print_job.HAIRLINE,
            x1a=self.options.x1a,
        )

    # Data of the template

    @cached_property
    def data(self) -> Mapping[str, Any]:
        sheet, plan, name = self.sheet, self.form, self.writer.name
        url = site_paths.absolute_link(self.options.site, self.address) if self.options.site else ""

        def blocks_of(side: SheetSide) -> list[list[JsonObject]]:
            return [list(map(self.blocks.block, area.blocks)) for area in side.areas]

        blocks = list(map(blocks_of, self.sides))
        actors = all_actors(self.context.index.outlines[self.edition.address].sequence)
        for areas in blocks if plan.fold == "none" else [list(chain.from_iterable(blocks))]:
            self.blocks.explain_signs(areas, actors)
        sides: list[JsonObject] = []
        for side, areas in zip(self.sides, blocks, strict=True):
            cut = self._cut(side, side.cut) if side.cut else None
            sides.append({"title": side.title, "cut": cut, "areas": list(map(self._area, side.areas, areas))})
        entries = self.context.errata_of(self.writer.errata)
        errata = [entry.erratum for entry in entries if entry.erratum]
        return {
            "title": plain_text(sheet.aid.title),
            "about": plain_text(sheet.aid.about or sheet.aid.title),
            "edition": self.edition.title,
            "game": name(self.edition.book.title),
            "rules": f"Rules {name(self.edition.edition_file.edition)}",
            "amended": str(errata[-1].date) if errata else "",
            "url": url,
            "code": _qr_code(url) if url else "",
            "columns": plan.columns,
            "folds": plan.folds if plan.fold != "none" else [[], []],
            "pages": self.image_count,
            "type": plan.type,
            "sides": sides,
        }

    def ink_name(self, key: str) -> str:
        return find_actor(key, self.edition.book).style

    def _area(self, area: SideArea, blocks: Sequence[JsonObject]) -> JsonObject:
        title = area.name
        if blocks and not area.is_front:
            titled = [block for block in blocks if block["template"] != "legend" or block["title"]]
            first = (titled or blocks)[0]
            if self.form.fold != "none":
                is_named = first["name"] != first["template"]
                title = first["name"] if is_named else plain_text(self.sheet.aid.title)
            if first["name"] == title:
                first["title"] = []  # it is the heading of the area
            is_table = first["wide"] and len(first.get("tables", ())) == 1
            first["headed"] = not is_table or bool(first["title"])
        return {
            "name": area.name,
            "front": area.is_front,
            "title": title,
            "panels": [{"x": x, "width": width} for x, width in area.panels],
            "runs": _in_runs(blocks),
        }

    def _cut(self, side: SheetSide, part: CutOutContent) -> JsonObject:
        across, down = part.grid_size(self.form.paper)
        keys = list(dict.fromkeys(side.pieces))
        return {
            "template": part.block_kind,
            "place": place_of(part),
            "back": side.is_back,
            "backs": part.backs,
            "width": part.size.width,
            "height": part.size.height,
            "gap": part.gap,
            "across": min(across, len(side.pieces)),
            "down": down,
            "faces": [self.blocks.piece(part, key, side.is_back) for key in keys],
            "pieces": [keys.index(key) for key in side.pieces],
        }

    @cached_property
    def blocks(self) -> BlockWriter:
        parts = (part for panel in self.panels for part in panel.parts if isinstance(part, ResultsContent))
        explained = frozenset(self.writer.name(name) for part in parts for name, _ in part.results)
        return BlockWriter(self.writer, self.edition, explained, self.palette, self.form.ink == "black")

    def compile(
        self, data: Mapping[str, Any], pictures: PressPictures, standard: Standard = "ua-1"
    ) -> CompiledPdf:
        """Run Typst on the template, again with type larger by 1 pt or more if the fullest area has room."""
        compiled = super().compile(data, pictures, standard)
        fullest = max((area.get("filled", 1) for area in compiled.metadata), default=1) or 1
        # What a sheet takes grows with the square of its type, or slower.
        largest = min(MOST_TYPE, data["type"] / fullest**0.5)
        sizes = range(int(2 * largest), int(2 * data["type"]) + 1, -1)
        for halves in (*sizes, 2 * data["type"]) if sizes else ():
            larger = super().compile({**data, "type": halves / 2, "grown": True}, pictures, standard)
            if not any(area["over"] for area in larger.metadata):
                return larger
        return compiled

    # Problems of the layout

    def layout_problems(self, compiled: CompiledPdf, pictures: PressPictures) -> Iterator[Problem]:
        overfull = [area for area in compiled.metadata if area["over"]]
        for area in overfull:
            over, size = area["over"], self.form.type
            name, place = over["name"], SourceLocation(*over["place"])
            if "by" in over:
                words = f"“{over['word']}”" if over["word"] else name
                message = f"{words} is {over['by']:.1f} mm wider than its column; give the sheet fewer "
                message += (
                    "columns or wider paper, let the block span all columns (`wide: yes`), or shorten it"
                )
                yield print_problems.TOO_WIDE.problem(place, message, name)
            else:
                if "cut" in area:
                    size, cure = SMALLEST_CARD_TYPE, "give all a larger `size:`, or make two cards of it"
                else:
                    cure = self._what_fits(pictures)
                message = f"{name} does not fit on {area['area']} in {size:g} pt; {cure}"
                yield print_problems.OVERFLOWS.problem(place, message, name)
        if not overfull and compiled.pages < self.image_count:
            aid = self.sheet.aid
            message = f"it fills {compiled.pages} of its {self.image_count} pages in {self.form.type:g} pt; "
            message += "give it fewer pages or larger type, or begin a block on a new page (`starts: page`)"
            place = (aid.pages or aid.sides or aid.title).place
            yield print_problems.UNFILLED.problem(place, message, self.sheet.name)

    def _what_fits(self, pictures: PressPictures) -> str:
        """Return what would make a sheet fit: smaller type, or more pages."""
        plan, pages = self.form, self.image_count
        trials: dict[str, JsonObject] = {}
        if plan.type > SMALLEST_SHEET_TYPE:
            trials[f"type: {SMALLEST_SHEET_TYPE:g} pt"] = {"type": SMALLEST_SHEET_TYPE}
        if plan.fold == "none":
            trials |= {f"pages: {count}": {"pages": count} for count in range(pages + 1, pages + 4)}
        for cure, change in trials.items():
            compiled = super().compile({**self.template_data, **change}, pictures)
            if not any(area["over"] for area in compiled.metadata):
                return f"it fits with `{cure}`"
        return "give the sheet larger paper, or take blocks out"


def _in_runs(blocks: Sequence[JsonObject]) -> list[JsonObject]:
    """Return blocks in runs that share columns; a wide block is a run of its own.

    So is a long one, below its heading over all columns, with what follows it except tables. `below` is
    whether it follows tables, so that it may be in their columns.
    """
    runs: list[JsonObject] = []
    earlier = ""
    for block in blocks:
        kind = block["template"]
        is_long = bool(block["title"]) and len(block.get(LONG_LISTS.get(kind, ""), ())) > 1
        is_wide = block["wide"] and not is_long
        is_apart = not runs or is_long or is_wide or runs[-1]["wide"]
        if is_apart or (runs[-1]["long"] and kind == "tables"):
            below = is_long and earlier == "tables" and kind != "tables"
            runs.append({"wide": is_wide, "long": is_long, "below": below, "blocks": [block]})
        else:
            runs[-1]["blocks"].append(block)
        earlier = kind
    return runs


def _qr_code(url: str) -> str:
    """Return a QR code as SVG."""
    import segno

    return str(segno.make(url, error="m", micro=False).svg_inline(border=QR_BORDER))
