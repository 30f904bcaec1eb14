"""Finish of a PDF for the press: what Typst cannot write.

Typst sets colours, bleed, marks and tags. Here the bleed box is added, black text is set to overprint,
drawings and grey pictures get the inks of the press, rows of tables get headers, and PDF/X-1a is declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from rulewright.print.pdf_preflight import SPEC_KEY
from rulewright.schema.colours import to_cmyk
from rulewright.schema.paper import MM

_SCREEN_COLOUR = re.compile(rb"/(\w+) (cs|CS)((?: [\d.]+){1,3}) (?:scn|SCN)\b")
_BLACK_TEXT = b"0 0 0 1 k\nBT"
"""Beginning of black text: Typst sets each run of words in a graphics state of its attribute."""


@dataclass(frozen=True, slots=True)
class FinishOptions:
    """Options of the finish of a PDF."""

    bleed: float = 0.0
    """In mm."""
    black: bool = False
    """Drawings are printed in black only."""
    x1a: bool = False
    """The file is a PDF/X-1a, without tags and links."""
    spec: str = ""
    """Print spec that preflight compares, written into the file."""


def finish_pdf(pdf: bytes, options: FinishOptions) -> bytes:
    """Return a PDF finished for the press; the same bytes for the same PDF."""
    with pikepdf.open(BytesIO(pdf)) as opened:
        tables: list[Any] = []
        for item in opened.objects:
            if isinstance(item, Stream):
                _finish_stream(item, options)
            elif isinstance(item, Dictionary) and item.get("/S") == Name.Table:
                tables.append(item)
        for page in opened.pages:
            if "/Contents" in page:
                inks = _contents_in_inks(page.Contents.read_bytes(), page.obj, options)
                page.Contents = opened.make_stream(inks)
            unit = options.bleed / MM["pt"]
            left, bottom, right, top = (float(edge) for edge in page.trimbox)
            bleed = (left - unit, bottom - unit, right + unit, top + unit)
            page.obj.TrimBox = Array([round(edge, 3) for edge in (left, bottom, right, top)])
            page.obj.BleedBox = Array([round(edge, 3) for edge in bleed])
            page.obj.CropBox = page.obj.MediaBox
        _tag_row_headers(opened, tables)
        if options.spec:
            opened.docinfo[SPEC_KEY] = String(options.spec)
        file = BytesIO()
        if options.x1a:
            _declare_x1a(opened)
            opened.save(
                file,
                deterministic_id=True,
                force_version="1.4",
                object_stream_mode=pikepdf.ObjectStreamMode.disable,
            )
        else:
            opened.save(file, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return file.getvalue()


def _finish_stream(stream: Stream, options: FinishOptions) -> None:
    """Put the inks of the press into a picture or a drawing."""
    if isinstance(stream.get("/Group"), Dictionary):
        stream.Group.CS = Name.DeviceCMYK
    if stream.get("/Subtype") == Name.Image:
        if _components(stream.get("/ColorSpace")) == 1:
            stream.ColorSpace = Name.DeviceGray
    elif stream.get("/Subtype") == Name.Form or "/PatternType" in stream:
        stream.write(_contents_in_inks(stream.read_bytes(), stream, options))


def _contents_in_inks(data: bytes, source: Object, options: FinishOptions) -> bytes:
    """Return contents with colours of the screen as inks and with black text set to overprint."""
    resources: Any = source.get("/Resources", Dictionary())
    spaces = resources.get("/ColorSpace", Dictionary())
    counts = {name[1:].encode(): _components(space) for name, space in spaces.items()}

    def ink(colour: re.Match[bytes]) -> bytes:
        values = [float(part) for part in colour[3].split()]
        if counts.get(colour[1]) != len(values):
            return colour[0]
        red, green, blue = values * 3 if len(values) == 1 else values
        inks = to_cmyk((red, green, blue), options.black)
        return f" {' '.join(f'{part:g}' for part in inks)} {'k' if colour[2] == b'cs' else 'K'}".encode()

    if any(counts.values()):
        data = _SCREEN_COLOUR.sub(ink, data)
        for name, count in counts.items():
            if count and not re.search(rb"/%s (?:cs|CS)\b" % name, data):
                del spaces[f"/{name.decode()}"]
    if _BLACK_TEXT in data:
        data = data.replace(_BLACK_TEXT, b"0 0 0 1 k /RwOverprint gs\nBT")
        if "/ExtGState" not in resources:
            resources.ExtGState = Dictionary()
        resources.ExtGState["/RwOverprint"] = Dictionary(Type=Name.ExtGState, op=True, OP=False, OPM=1)
    return data


def _components(space: object) -> int:
    """Return the number of components of a colour space of a screen, 1 or 3; 0 of any other space."""
    if isinstance(space, Array) and space[0] == Name.ICCBased:
        count = int(space[1].N)
        return count if count < 4 else 0
    return {"/DeviceGray": 1, "/DeviceRGB": 3}.get(str(space), 0)


def _declare_x1a(pdf: Pdf) -> None:
    """Declare a PDF/X-1a:2003 for coated paper. Printers replace the name of the condition."""
    condition = String("FOGRA39")
    intent = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputCondition=condition,
        OutputConditionIdentifier=condition,
        RegistryName=String("http://www.color.org"),
        Info=condition,
    )
    pdf.Root.OutputIntents = Array([pdf.make_indirect(intent)])
    for page in pdf.pages:
        if "/Annots" in page:
            del page.Annots
    pdf.docinfo["/GTS_PDFXVersion"] = String("PDF/X-1a:2003")
    pdf.docinfo["/Trapped"] = Name("/False")
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
        metadata["pdf:Trapped"] = "False"


# Row headers of tables, which Typst does not tag.


def _tag_row_headers(pdf: Pdf, tables: list[Any]) -> None:
    """Make the first cell of each row a header of the row, in tables that have a header row."""
    cells_by_id: dict[bytes, Object] = {}
    for number, table in enumerate(tables):
        rows = list(_elements(table, Name.TR))
        if not rows or any(cell.S != Name.TH for cell in _children(rows[0])):
            continue
        covered, header = 0, None
        for index, row in enumerate(rows):
            cells = _children(row)
            if covered == 0 and cells:
                first = cells.pop(0)
                covered, header = max(1, int(_table_attributes(first).get("/RowSpan", 1))), None
                if first.S == Name.TD and cells and len(first.get("/K", Array())):
                    header = String(f"row {number}.{index}")
                    first.S, first.ID, _table_attributes(first).Scope = Name.TH, header, Name.Row
            covered -= covered > 0
            for cell in cells if header is not None else ():
                attributes = _table_attributes(cell)
                attributes.Headers = Array([*attributes.get("/Headers", Array()), header])
        cells_by_id |= {bytes(cell.ID): cell for row in rows for cell in _children(row) if "/ID" in cell}
    if cells_by_id:
        names = [part for key in sorted(cells_by_id) for part in (String(key), cells_by_id[key])]
        pdf.Root.StructTreeRoot.IDTree = pdf.make_indirect(Dictionary(Names=Array(names)))


def _elements(root: Object | None, kind: Name) -> Iterator[Any]:
    """Yield the elements of a kind inside another, in order."""
    for child in _children(root):
        if kind == child.S:
            yield child
        yield from _elements(child, kind)


def _children(element: Object | None) -> list[Any]:
    kids = element.get("/K") if element is not None else None
    elements = list(kids) if isinstance(kids, Array) else [kids]
    return [kid for kid in elements if isinstance(kid, Dictionary) and "/S" in kid]


def _table_attributes(cell: Any) -> Any:
    attribute = cell.get("/A")
    elements = (
        list(attribute) if isinstance(attribute, Array) else [attribute] if attribute is not None else []
    )
    for attributes in elements:
        if attributes.get("/O") == Name.Table:
            return attributes
    cell.A = Array([Dictionary(O=Name.Table), *elements])
    return cell.A[0]
