"""Makes the PDFs that the preflight is tried on: one that keeps every promise, and others that break one.

Nothing but pikepdf has a hand in it, and its font is drawn here: each letter fills a box that is 0.5 of the
size of type wide and 0.7 high, so that every position in a test can be worked out by head.
"""

import io
from collections.abc import Callable, Mapping

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from rulewright.print.preflight import Expected

PT = 72 / 25.4
WIDTH, HEIGHT, BLEED, SLUG = 100.0, 80.0, 3.0, 10.0
"""The trim, the bleed and how far the media reaches beyond the trim, in mm."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.:"
ADDRESS = "https://rules.example/r/12.5/"

PROMISE = Expected(
    pages=1,
    trim=(WIDTH, HEIGHT),
    bleed=BLEED,
    marks=True,
    ink="black",
    smallest=7.5,
    folds=((50.0,),),
    families=frozenset({"Boxes Sans"}),
    title="A card",
    language="en",
    targets=frozenset({ADDRESS}),
    linked=frozenset({ADDRESS}),
    bookmarks=True,
    tagged=True,
)

Change = Callable[[Pdf], object]


def letters() -> bytes:
    """The program of the font."""
    builder = FontBuilder(1000, isTTF=True)
    names = [".notdef", "space", *(f"uni{ord(letter):04X}" for letter in LETTERS)]
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 700), (500, 700), (500, 0)):
        pen.lineTo(corner)
    pen.closePath()
    box, blank = pen.glyph(), TTGlyphPen(None).glyph()
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({32: "space"} | {ord(letter): f"uni{ord(letter):04X}" for letter in LETTERS})
    builder.setupGlyf({name: blank if name == "space" else box for name in names})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    names_of = {"familyName": "Boxes Sans", "styleName": "Regular", "psName": "Boxes-Sans"}
    builder.setupNameTable({**names_of, "fullName": "Boxes Sans"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    file = io.BytesIO()
    builder.font.save(file)
    return file.getvalue()


def glyphs(text: str) -> str:
    """A text as the numbers of its glyphs, in hexadecimal digits."""
    numbers = [1 if letter == " " else 2 + LETTERS.index(letter) for letter in text]
    return "".join(f"{number:04X}" for number in numbers)


def words(text: str, x: float, y: float, size: float = 10, font: str = "/F") -> str:
    """A text whose baseline begins at a place in mm from the upper left corner of the trim."""
    return f"BT {font} {size} Tf {x * PT:.4f} {(HEIGHT - y) * PT:.4f} Td <{glyphs(text)}> Tj ET\n"


def box(x: float, y: float, width: float, height: float, paint: str = "f") -> str:
    """A rectangle by its upper left corner, in mm."""
    return f"{x * PT:.4f} {(HEIGHT - y - height) * PT:.4f} {width * PT:.4f} {height * PT:.4f} re {paint}\n"


def marks(gap: float = BLEED, length: float = 4.0) -> str:
    """The eight crop marks, as thin boxes that begin beyond the trim by a gap."""
    thin = 0.1
    parts: list[str] = []
    for y in (0.0, HEIGHT):
        parts += [box(x, y - thin / 2, length, thin) for x in (-gap - length, WIDTH + gap)]
    for x in (0.0, WIDTH):
        parts += [box(x - thin / 2, y, thin, length) for y in (-gap - length, HEIGHT + gap)]
    return "".join(parts)


def artifact(content: str) -> str:
    return f"/Artifact BMC\n{content}EMC\n"


def tagged(tag: str, number: int, content: str) -> str:
    return f"/{tag} <</MCID {number}>> BDC\n{content}EMC\n"


PARTS: Mapping[str, str] = {
    "marks": artifact("0 0 0 1 k\n" + marks()),
    "ground": artifact("0 0 0 0.1 k\n" + box(-BLEED, -BLEED, WIDTH + 2 * BLEED, 12)),
    "black": "0 0 0 1 k\n",
    "heading": tagged("H1", 0, words("Sequence", 10, 8, 14)),
    "text": tagged("P", 1, words("see ", 10, 20)),
    "link": tagged("Link", 2, words("12.5", 24, 20)),
}


def rectangle(left: float, top: float, right: float, bottom: float) -> Array:
    """A box of a page by its edges, in mm from the upper left corner of the trim."""
    return Array([left * PT, (HEIGHT - bottom) * PT, right * PT, (HEIGHT - top) * PT])


def beyond(by: float) -> Array:
    return rectangle(-by, -by, WIDTH + by, HEIGHT + by)


def font_of(pdf: Pdf) -> Object:
    return pdf.pages[0].obj.Resources.Font.F


def program_of(pdf: Pdf) -> Object:
    return font_of(pdf).DescendantFonts[0].FontDescriptor


def add_font(pdf: Pdf) -> Dictionary:
    """The font as a composite one, its codes being the numbers of its glyphs."""
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name("/ABCDEF+Boxes-Sans"),
        FontFamily=String("Boxes Sans"),
        Flags=4,
        FontBBox=Array([0, 0, 500, 700]),
        ItalicAngle=0,
        Ascent=800,
        Descent=-200,
        CapHeight=700,
        StemV=80,
        FontFile2=pdf.make_indirect(Stream(pdf, letters())),
    )
    child = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name("/ABCDEF+Boxes-Sans"),
        DW=500,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
        CIDToGIDMap=Name.Identity,
    )
    texts = "\n".join(f"<{glyphs(letter)}> <{ord(letter):04X}>" for letter in f" {LETTERS}")
    to_unicode = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{len(LETTERS) + 1} beginbfchar\n{texts}\nendbfchar endcmap end end"
    )
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=Name("/ABCDEF+Boxes-Sans"),
            Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(child)]),
            ToUnicode=Stream(pdf, to_unicode.encode()),
        )
    )


def structure(pdf: Pdf, page: Object, link: Object) -> None:
    """The tags: a heading, and a paragraph with a link in it."""

    def element(kind: str, *kids: Object | int) -> Dictionary:
        made = Dictionary(Type=Name.StructElem, S=Name(f"/{kind}"), Pg=page, K=Array(kids))
        for kid in kids:
            if isinstance(kid, Dictionary) and "/S" in kid:
                kid.P = made
        return pdf.make_indirect(made)

    held = Dictionary(Type=Name.OBJR, Obj=link, Pg=page)
    linked = element("Link", 2, held)
    heading, text = element("H1", 0), element("P", 1, linked)
    document = element("Document", heading, text)
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, K=document))
    document.P, heading.P, text.P, linked.P = root, document, document, text
    root.ParentTree = Dictionary(Nums=Array([0, Array([heading, text, linked]), 1, linked]))
    root.ParentTreeNextKey = 2
    page.StructParents, link.StructParent = 0, 1
    pdf.Root.StructTreeRoot = root
    pdf.Root.MarkInfo = Dictionary(Marked=True)


def sheet(change: Change | None = None, **parts: str) -> bytes:
    """A PDF of one page that keeps PROMISE, but for `parts` of its content and a `change` made last."""
    pdf = Pdf.new()
    pdf.add_blank_page()
    page = pdf.pages[0].obj
    page.MediaBox, page.TrimBox, page.BleedBox = beyond(SLUG), beyond(0), beyond(BLEED)
    page.Resources = Dictionary(Font=Dictionary(F=add_font(pdf)))
    page.Contents = Stream(pdf, "".join((PARTS | parts).values()).encode())
    page.Tabs = Name.S
    action = Dictionary(S=Name.URI, URI=String(ADDRESS))
    link = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Link,
            Rect=rectangle(24, 17, 34, 21),
            Border=Array([0, 0, 0]),
            F=4,
            Contents=String("rule 12.5"),
            A=action,
        )
    )
    page.Annots = Array([link])
    structure(pdf, page, link)
    pdf.Root.Lang = String("en")
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
    with pdf.open_outline() as outline:
        from pikepdf import OutlineItem

        outline.root.append(OutlineItem("Sequence", 0))
    with pdf.open_metadata(set_pikepdf_as_editor=False) as metadata:
        metadata["dc:title"] = "A card"
        metadata["{http://www.aiim.org/pdfua/ns/id/}part"] = "1"
    if change:
        change(pdf)
    file = io.BytesIO()
    pdf.save(file, deterministic_id=True)
    return file.getvalue()
