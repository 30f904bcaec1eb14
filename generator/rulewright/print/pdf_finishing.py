"""Finish of a PDF for the press: what Typst cannot write.

Typst sets colours, bleed, marks and tags. Here the bleed box is added, black text is set to overprint,
drawings and grey pictures get the inks of the press, rows of tables get headers, and PDF/X-1a is declared.
"""

from __future__ import annotations

import re
from io import BytesIO
from itertools import chain
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf, Stream, String

from rulewright.print.print_spec import SPEC_KEY
from rulewright.schema.colours import to_cmyk
from rulewright.schema.paper import MM

_BLACK_TEXT = b"0 0 0 1 k\nBT"
"""Beginning of black text: Typst sets each run of words in a graphics state of its attribute."""


def finish_pdf(
    pdf: bytes, *, bleed: float = 0.0, black: bool = False, x1a: bool = False, spec: str = ""
) -> bytes:
    """Return a PDF finished for the press; the same bytes for the same PDF.

    `bleed`: in mm. `black`: drawings are in black only. `x1a`: the file is a PDF/X-1a, without tags and
    links. `spec`: print spec that preflight compares, written into the file.
    """
    with pikepdf.open(BytesIO(pdf)) as opened:
        for item in opened.objects:
            if isinstance(item, Stream):
                _finish_stream(item, black)
            elif isinstance(item, Dictionary) and item.get("/S") == Name.Table:
                _tag_row_headers(item)
        for page in opened.pages:
            if "/Contents" in page:
                _put_in_inks(page.Contents, page.obj, black)
            trim = [float(edge) for edge in page.trimbox]
            reach = [edge + sign * bleed / MM["pt"] for edge, sign in zip(trim, (-1, -1, 1, 1), strict=True)]
            page.obj.TrimBox = Array([round(edge, 3) for edge in trim])
            page.obj.BleedBox = Array([round(edge, 3) for edge in reach])
            page.obj.CropBox = page.obj.MediaBox
        if spec:
            opened.docinfo[SPEC_KEY] = String(spec)
        if x1a:
            _declare_x1a(opened)
        opened.save(
            file := BytesIO(),
            deterministic_id=True,
            force_version="1.4" if x1a else "",
            object_stream_mode=ObjectStreamMode.disable if x1a else ObjectStreamMode.generate,
        )
    return file.getvalue()


def _finish_stream(stream: Stream, black: bool) -> None:
    """Put the inks of the press into a picture or a drawing."""
    if isinstance(stream.get("/Group"), Dictionary):
        stream.Group.CS = Name.DeviceCMYK
    if stream.get("/Subtype") == Name.Image:
        if screen_components(stream.get("/ColorSpace")) == 1:
            stream.ColorSpace = Name.DeviceGray
    elif stream.get("/Subtype") == Name.Form or "/PatternType" in stream:
        _put_in_inks(stream, stream, black)


def _put_in_inks(contents: Any, owner: Any, black: bool) -> None:
    """Write contents with colours of the screen as inks and with black text set to overprint."""
    data, resources = contents.read_bytes(), owner.get("/Resources", Dictionary())

    def ink(colour: re.Match[bytes]) -> bytes:
        values = [float(part) for part in colour[2].split()]
        red, green, blue = values * 3 if len(values) == 1 else values
        inks = to_cmyk((red, green, blue), black)
        return f" {' '.join(f'{part:g}' for part in inks)} {'k' if colour[1] == b'cs' else 'K'}".encode()

    spaces = resources.get("/ColorSpace", Dictionary())
    for name, space in dict(spaces).items():
        if screen_components(space):
            colour = rb"%s (cs|CS)((?: [\d.]+)+) (?:scn|SCN)\b" % name.encode()
            data = re.sub(colour, ink, data)
            if f"{name} ".encode() not in data:
                del spaces[name]
    if _BLACK_TEXT in data:
        data = data.replace(_BLACK_TEXT, b"0 0 0 1 k /RwOverprint gs\nBT")
        state = Dictionary(Type=Name.ExtGState, op=True, OP=False, OPM=1)
        resources.ExtGState = resources.get("/ExtGState", Dictionary())
        resources.ExtGState["/RwOverprint"] = state
    contents.write(data)


def screen_components(space: object) -> int:
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


def _tag_row_headers(table: Any) -> None:
    """Make the first cell of each row a header of the row, if the table has a header row."""
    head, *bodies = _children(table)
    covered = 0  # rows that the first cell above spans
    rows = [*chain.from_iterable(map(_children, bodies))] if str(head.S) == "/THead" else []
    for row in rows:
        first, *data_cells = _children(row)
        if not covered:
            attributes = first.A[0]  # Typst writes those of the table first
            covered = int(attributes.get("/RowSpan", 1))
            if first.S == Name.TD and data_cells and len(first.get("/K", Array())):
                first.S, attributes.Scope = Name.TH, Name.Row
        covered -= 1


def _children(element: Any) -> list[Any]:
    return [kid for kid in element.get("/K", Array()) if isinstance(kid, Dictionary) and "/S" in kid]
