"""Finished pages on the paper of a press: cards side by side to be cut, booklets to be folded and stapled.

    pages of one size ──gang──► as many as fit, cut marks around, backs mirrored
                      ──stitch──► spreads in the order in which sheets lie in one another

Pages keep their fonts, inks and bleed. Links and tags are left out: nobody reads a sheet that is not cut yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Pdf

from rulewright.files.errors import UserError
from rulewright.print.page_geometry import Box, PdfPage, expand_box, multiply_matrices, pdf_pages, rectangle
from rulewright.print.pdf_finishing import EVERY_INK, HAIRLINE, MARK_LENGTH, SLUG, corner_marks, every_ink
from rulewright.schema.paper import MM, WAYS, Paper

EDGE = 6.0
"""Least distance of pages from the edge of the paper, which holds their marks and the grip, in mm."""

GAP = 1.0
"""Distance of a mark from the bleed, in mm."""

ALIKE = 0.5
"""Most by which the sizes of pages may differ, in mm."""

_PT = 1 / MM["pt"]

Line = Box
"""A mark from one point to another, in mm from the upper left corner of the paper."""


@dataclass(frozen=True, slots=True)
class ImposedPage:
    """A page at a place of the paper; `room` is what it may cover, bleed included. In mm from the corner."""

    page: PdfPage
    x: float
    y: float
    room: Line


@dataclass(frozen=True, slots=True)
class PressSheetSide:
    """One side of an uncut sheet. `trim`: where it is cut, if that is one cut; else none."""

    paper: Paper
    imposed_pages: Sequence[ImposedPage]
    marks: Sequence[Line]
    trim: Line | None = None
    folds: Sequence[Line] = field(default=())


def n_up(pdf: bytes, paper: Paper, *, backs: bool = False) -> bytes:
    """Lay pages side by side, as many as fit on a paper, with cut marks. Raises Refusal.

    Adjacent pages share a cut, and their bleed ends there. `backs`: every second page is the back of the one
    before it and is printed behind it.
    """
    with pikepdf.open(BytesIO(pdf)) as source:
        pages = _alike(source)
        wide, high = pages[0].size
        turned = [paper] if paper.orientation else [paper.turned(way) for way in WAYS]
        counts = {one: (_fit(one.width, wide), _fit(one.height, high)) for one in turned}
        best = max(turned, key=lambda one: counts[one][0] * counts[one][1])
        across, down = counts[best]
        if not across * down:
            raise UserError(
                f"a page of {wide:.0f} x {high:.0f} mm has no room with its marks on {paper.name}, "
                f"{paper.width:.0f} x {paper.height:.0f} mm; name larger paper"
            )
        if backs and len(pages) % 2:
            raise UserError(
                f"it has {len(pages)} pages, so one has no back; add its back, or print without backs"
            )
        grid = _Grid(best, wide, high, across, down, _bleed(pages))
        fronts, behind = (pages[::2], pages[1::2]) if backs else (pages, [])
        each = across * down
        flats = []
        for start in range(0, len(fronts), each):
            flats.append(grid.flat(fronts[start : start + each]))
            if backs:
                flats.append(grid.flat(behind[start : start + each], mirrored=True))
        return _written(source, flats)


def saddle_stitch(pdf: bytes, *, sheet: float = 0.0) -> bytes:
    """Impose a booklet that is folded once and stapled in the fold. Raises Refusal.

    `sheet` is the thickness of the paper in mm: inner sheets stick out by so much each, so their pages are
    moved towards the fold to keep margins equal.
    """
    with pikepdf.open(BytesIO(pdf)) as source:
        pages = _alike(source)
        wide, high = pages[0].size
        bleed = _bleed(pages)
        flat = Paper("the sheet", 2 * (wide + bleed + SLUG), high + 2 * (bleed + SLUG))
        x, y = flat.width / 2, (flat.height - high) / 2
        full: list[PdfPage | None] = [*pages, *[None] * (-len(pages) % 4)]
        reach = bleed + GAP, bleed + GAP + MARK_LENGTH
        marks = list(corner_marks((x - wide, y, x + wide, y + high), *reach))
        folds = [(x, y - reach[0], x, y - reach[1]), (x, y + high + reach[0], x, y + high + reach[1])]
        flats = []
        for at, (left, right) in enumerate(_spreads(full)):
            creep = sheet * (at // 2)
            if wide <= creep:
                raise UserError(
                    f"{len(full) // 4} sheets of {sheet:g} mm are too many to be stapled in a fold"
                )
            placed = []
            if left:
                room = (x - wide - bleed, y - bleed, x, y + high + bleed)
                placed.append(ImposedPage(left, x - wide + creep, y, room))
            if right:
                room = (x, y - bleed, x + wide + bleed, y + high + bleed)
                placed.append(ImposedPage(right, x - creep, y, room))
            flats.append(PressSheetSide(flat, placed, marks, (x - wide, y, x + wide, y + high), folds))
        return _written(source, flats)


def _spreads(pages: Sequence[PdfPage | None]) -> Iterator[tuple[PdfPage | None, PdfPage | None]]:
    """Pairs of pages side by side, from the outermost sheet in, its outside before its inside."""
    for first in range(0, len(pages) // 2, 2):
        last = len(pages) - 1 - first
        yield pages[last], pages[first]
        yield pages[first + 1], pages[last - 1]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Places for pages of one size in the middle of a paper."""

    paper: Paper
    wide: float
    high: float
    across: int
    down: int
    bleed: float

    def flat(self, pages: Sequence[PdfPage], mirrored: bool = False) -> PressSheetSide:
        """A side with its pages by rows. `mirrored`: from the right, since the sheet is turned over."""
        columns = _places(self.paper.width, self.wide, self.across)
        rows = _places(self.paper.height, self.high, self.down)
        whole = columns[0], rows[0], columns[-1] + self.wide, rows[-1] + self.high
        most = expand_box(whole, self.bleed)
        placed = []
        for at, page in enumerate(pages):
            row, column = divmod(at, self.across)
            x, y = columns[self.across - 1 - column if mirrored else column], rows[row]
            left, top, right, foot = x, y, x + self.wide, y + self.high
            if x == whole[0]:
                left = most[0]
            if y == whole[1]:
                top = most[1]
            if x == columns[-1]:
                right = most[2]
            if y == rows[-1]:
                foot = most[3]
            placed.append(ImposedPage(page, x, y, (left, top, right, foot)))
        near, far = expand_box(most, GAP), expand_box(most, GAP + MARK_LENGTH)
        marks = []
        for x in sorted({round(edge, 4) for left in columns for edge in (left, left + self.wide)}):
            marks += [(x, near[1], x, far[1]), (x, near[3], x, far[3])]
        for y in sorted({round(edge, 4) for top in rows for edge in (top, top + self.high)}):
            marks += [(near[0], y, far[0], y), (near[2], y, far[2], y)]
        return PressSheetSide(self.paper, placed, marks)


def _places(room: float, size: float, count: int) -> list[float]:
    return [(room - size * count) / 2 + size * at for at in range(count)]


def _fit(room: float, size: float) -> int:
    return max(0, int((room - 2 * EDGE + 1e-6) // size))


def _alike(source: Pdf) -> list[PdfPage]:
    """Its pages, which have to be of one size."""
    pages = list(pdf_pages(source))
    wide, high = pages[0].size
    for page in pages:
        if max(abs(page.size[0] - wide), abs(page.size[1] - high)) > ALIKE:
            raise UserError(
                f"page {page.number} is {page.size[0]:.0f} x {page.size[1]:.0f} mm and page 1 {wide:.0f} x "
                f"{high:.0f} mm; what is printed side by side has one size"
            )
    return pages


def _bleed(pages: Sequence[PdfPage]) -> float:
    """The bleed that all pages have, on all sides, in mm."""
    least = min(
        min(-page.bleed[0], -page.bleed[1], page.bleed[2] - page.trim[2], page.bleed[3] - page.trim[3])
        for page in pages
    )
    return min(max(least, 0.0), SLUG)


def _written(source: Pdf, flats: Sequence[PressSheetSide]) -> bytes:
    with pikepdf.new() as pdf:
        forms: dict[int, pikepdf.Object] = {}
        for flat in flats:
            for one in flat.imposed_pages:
                if one.page.number not in forms:
                    forms[one.page.number] = _form(pdf, one.page)
            page = pdf.add_blank_page(page_size=(flat.paper.width * _PT, flat.paper.height * _PT))
            names = {f"/P{at}": forms[one.page.number] for at, one in enumerate(flat.imposed_pages)}
            page.obj.Resources = Dictionary(
                XObject=Dictionary(names), ColorSpace=Dictionary({EVERY_INK: every_ink()})
            )
            page.obj.Contents = pdf.make_stream("\n".join(_painting(flat)).encode("ascii"))
            if flat.trim:
                left, top, right, foot = (edge * _PT for edge in flat.trim)
                height = flat.paper.height * _PT
                page.obj.TrimBox = Array([left, height - foot, right, height - top])
        for key in ("/OutputIntents", "/OCProperties"):  # what its inks mean, and which layers are seen
            if key in source.Root:
                value = source.Root[key]
                pdf.Root[key] = pdf.copy_foreign(value if value.is_indirect else source.make_indirect(value))
        if "/Title" in source.docinfo:
            pdf.docinfo["/Title"] = str(source.docinfo["/Title"])
        file = BytesIO()
        pdf.save(file, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return file.getvalue()


def _form(made: Pdf, page: PdfPage) -> pikepdf.Object:
    form = pikepdf.Page(page.source).as_form_xobject(handle_transformations=False)
    form.BBox = Array([*rectangle(pikepdf.Page(page.source).mediabox)])
    if "/StructParents" in form:
        del form.StructParents
    return made.copy_foreign(form)


def _painting(flat: PressSheetSide) -> Iterator[str]:
    height = flat.paper.height
    for at, one in enumerate(flat.imposed_pages):
        left, top, right, foot = one.room
        to_paper = (_PT, 0.0, 0.0, -_PT, one.x * _PT, (height - one.y) * _PT)
        matrix = multiply_matrices(one.page.matrix, to_paper)
        room = (left * _PT, (height - foot) * _PT, (right - left) * _PT, (foot - top) * _PT)
        yield f"q {_numbers(room)} re W n {_numbers(matrix)} cm /P{at} Do Q"
    yield f"q {HAIRLINE} w {EVERY_INK} CS 1 SCN"
    for lines, dashes in ((flat.marks, "[] 0 d"), (flat.folds, "[2 2] 0 d")):
        yield dashes
        for x1, y1, x2, y2 in lines:
            start, end = (x1 * _PT, (height - y1) * _PT), (x2 * _PT, (height - y2) * _PT)
            yield f"{_numbers(start)} m {_numbers(end)} l S"
    yield "Q"


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:.5f}" for value in values)
