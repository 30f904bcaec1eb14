# Seeds and words stand in one line each.
# ruff: noqa: E501
"""Surfaces of documents: DOCX, PDF, HTML, EPUB and what only has such a name, each imported as a rulebook.

A DOCX is folded as folders are: a line `=== word/document.xml` opens a part of it. Its parts are damaged as
bytes before that, and here as trees, by changes that the data itself decides upon.
"""

import random
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from io import BytesIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

from rulewright.importers.document import read_document
from rulewright.importers.website.page_blocks import read_page
from tests.attack.importing import call, folded, project
from tests.attack.surface import Surface

_FILE = re.compile(rb"^=== ([^\n]*)\n", re.MULTILINE)
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATED = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
BOMB = b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + at, b"&%c;" % (97 + at) * 20) for at in range(9)
)
BOMB += b"]>"
VALUES = (
    *(
        "",
        "0",
        "1",
        "-1",
        "9",
        "99",
        "1000000000",
        "9" * 5000,
        "x",
        "1.5",
        "NaN",
        "none",
        "bullet",
        "Heading1",
    ),
    *(
        "lowerRoman",
        "upperLetter",
        "decimalZero",
        "%1%2%3%4%5%6%7%8%9",
        "%9.",
        "(%1)",
        "%" * 4000,
        "\x85",
        "&#0;",
    ),
    *(
        "../../x",
        "/etc/passwd",
        "http://x/",
        "a" * 5000,
        "1.1",
        "١",
        "²",
        "continue",
        "restart",
        "begin",
        "true",
    ),
)
DEEP = (2, 10, 100, 900, 5_000)
MANY = (2, 5, 50, 200)
_MOST = 3_000
"""How many elements a part has at most that grows further."""
_MOST_BYTES = 200_000


def attack_docx(data: bytes, folder: Path) -> None:
    """A DOCX of parts that are damaged, as XML or as a ZIP, or are not there."""
    chance = random.Random(zlib.crc32(data))
    _imported(docx_of(data, chance), folder / "book.docx", chance)


def docx_of(data: bytes, chance: random.Random) -> bytes:
    """The DOCX that folded parts are, with further changes."""
    parts, sound = _parts(data), _parts(chance.choice(docx_seeds()))
    if chance.random() < 0.85:  # what is no XML is told at once, so mostly something else is to be wrong
        parts |= {name: sound[name] for name, text in parts.items() if name in sound and not _is_xml(text)}
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        _change(parts, chance)
    return _zipped(parts, chance)


def _parts(data: bytes) -> dict[str, bytes]:
    names = _FILE.split(data)[1:]
    return {name.decode("utf-8", "replace"): text for name, text in zip(names[::2], names[1::2], strict=True)}


def _is_xml(text: bytes) -> bool:
    try:
        fromstring(text)
    except (ParseError, ValueError, LookupError):
        return False
    return True


def _imported(data: bytes, file: Path, chance: random.Random) -> None:
    """Read a document in this process, as the one beside it would, and now and then make what is made of it."""
    file.write_bytes(data)
    with (
        TemporaryDirectory(dir=file.parent) as pictures,
        patch("rulewright.importers.document._kept", lambda: SimpleNamespace(name=pictures)),
        patch("rulewright.importers.reader.document.apart", _here),
        patch("rulewright.importers.tables.apart", _here),
    ):
        what = chance.choice(("", "", "", "", "", "markdown", "markdown", "dialect", "table", "outline"))
        if what == "markdown":
            own = project(file.parent)
            call("--project", own, "import", what, file, own / "content/duel/2")
        elif what:
            call("--project", file.parent, "import", what, file)
        else:
            for page in read_document(file).pages:
                read_page(page)


def _here(work: Callable[..., Any], *given: object) -> Any:
    return work(*given)


def _change(parts: dict[str, bytes], chance: random.Random) -> None:
    """Change one part of a document, or which there are."""
    if not parts:
        return
    inner = [name for name in parts if name.startswith("word/") and name.endswith(".xml")] or [*parts]
    name = chance.choice(inner if chance.random() < 0.8 else [*parts])
    how = chance.randrange(24)
    other = chance.choice([*parts])
    if how == 0:
        del parts[name]
    elif how == 1:
        parts[name], parts[other] = parts[other], parts[name]
    elif how == 2:
        parts[name] = BOMB + re.sub(rb">[^<>]+<", b">&j;<", parts[name], count=3)
    elif how == 3:
        parts[name] = (
            parts[name]
            .decode("utf-8", "replace")
            .encode(chance.choice(("utf-16", "utf-32", "cp500")), "replace")
        )
    elif how == 4:
        parts[
            chance.choice(
                ("x.xml", "../x.xml", "word/media/a.png", "word/" + "a/" * 90, "[Content_Types].xml")
            )
        ] = parts[other]
    else:
        with suppress(ParseError, ValueError, RecursionError, LookupError):  # bytes have damaged it before
            root = fromstring(parts[name])
            for _ in range(chance.choice((1, 1, 2, 5, 20))):
                _grow(root, chance)
            text = tostring(root)
            deep = re.sub(rb"<(ns\d+:\w+|\w+) deep=\"(\d+)\" ?/>", _deep, text)
            parts[name] = deep if len(deep) < _MOST_BYTES else text


def _deep(m: re.Match[bytes]) -> bytes:
    deep = int(m[2][:4])
    return b"<%b>" % m[1] * deep + b"deep" + b"</%b>" % m[1] * deep


def _grow(root: Element, chance: random.Random) -> None:
    """Change a tree in one place."""
    every = [*islice(root.iter(), _MOST)]
    if len(every) == _MOST:
        return
    one, other = chance.choice(every), chance.choice(every)
    around = next((each for each in every if one in [*each]), root)
    how = chance.randrange(9)
    if how == 0 and one is not root:
        around.remove(one)
    elif how == 1 and len([*one.iter()]) < 50:
        around.extend([fromstring(tostring(one)) for _ in range(chance.choice(MANY))])
    elif how == 2 and len([*other.iter()]) < 50:
        one.append(fromstring(tostring(other)))
    elif how == 3:
        one.append(Element(other.tag, {"deep": str(chance.choice(DEEP))}))
    elif how == 4:
        one.tag = other.tag
    elif how == 5:
        one.text = chance.choice((*VALUES, "<w:p>", "1.1 Roads", "see 1.1a", "\t\n")).replace(
            "\x85", "\u0085"
        )
    elif how == 6 and one is not root:
        around.insert(
            0, Element(other.tag, {key: chance.choice(VALUES) for key in (*other.attrib, *one.attrib)})
        )
    else:
        keys = [*one.attrib] or [*other.attrib] or [f"{{{W}}}val"]
        one.set(chance.choice(keys), chance.choice(VALUES))


def _zipped(parts: dict[str, bytes], chance: random.Random) -> bytes:
    """Parts as a ZIP, now and then damaged itself."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in parts.items():
            way = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED))
            archive.writestr(zipfile.ZipInfo(name[:1_000].replace("\0", "") or "x"), text, way)
    data = made.getvalue()
    for _ in range(chance.choice((0,) * 8 + (1, 3))):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + chance.choice((1, 2, 4, 40, 4_000)))
        part = data[at:to]
        new = (
            b"",
            part * 2,
            bytes(byte ^ 1 << chance.randrange(8) for byte in part),
            b"\xff" * len(part),
            part[::-1],
        )
        data = data[:at] + chance.choice(new) + data[to:]
    return data


def attack_pdf(data: bytes, folder: Path) -> None:
    """A PDF."""
    _imported(data, folder / "book.pdf", random.Random(zlib.crc32(data)))


def attack_document(data: bytes, folder: Path) -> None:
    """HTML, the pages of an EPUB, or either by a name that says otherwise."""
    chance = random.Random(zlib.crc32(data))
    ending = chance.choice(
        ("html", "html", "epub", "epub", "odt", "rtf", "xlsx", "docx", "txt", "csv", "htm", "tex")
    )
    if ending in ("epub", "xlsx") and chance.random() < 0.8:
        data = _zipped({**PACKAGE, **_parts(b"=== a.xhtml\n" + data)}, chance)
    _imported(data, folder / f"book.{ending}", chance)


PACKAGE = {
    "META-INF/container.xml": b'<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    "book.opf": (
        b'<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml"/></manifest>'
        b'<spine><itemref idref="a"/></spine></package>'
    ),
    "_rels/.rels": f'<R><a Id="r" Type="{R}/officeDocument" Target="xl/workbook.xml"/></R>'.encode(),
    "xl/workbook.xml": f'<w xmlns:r="{R}"><sheets><sheet name="1.1 Odds" r:id="r1"/></sheets></w>'.encode(),
    "xl/_rels/workbook.xml.rels": f'<R><a Id="r1" Type="{R}/worksheet" Target="sheet.xml"/></R>'.encode(),
    "xl/sheet.xml": b'<w><sheetData><row><c r="A1"><v>Die</v></c><c r="B1"><v>x</v></c></row>'
    b'<row><c r="A2"><v>1</v></c><c r="B2" t="s"><v>0</v></c></row></sheetData></w>',
}


def _paragraph(words: str, style: str = "", listed: str = "") -> str:
    look = f'<w:pStyle w:val="{style}"/>' if style else ""
    if listed:
        number, level = listed.split()
        look += f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f'<w:p><w:pPr>{look}</w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">{words}</w:t></w:r></w:p>\n'


@cache
def docx_seeds() -> Sequence[bytes]:
    return [*_docx_seeds()]


def _docx_seeds() -> Iterable[bytes]:
    cells = "".join(
        f'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="{span}"/><w:vMerge{how}/></w:tcPr>{_paragraph("1-2")}</w:tc>'
        f"<w:tc>{_paragraph('A1')}</w:tc></w:tr>\n"
        for span, how in ((1, ' w:val="restart"'), (1, ""), (2, ' w:val="restart"'))
    )
    around = (
        "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>\n"
        "<w:p><w:hyperlink w:anchor='near' r:id='r9'><w:r><w:t>see 1.1a</w:t></w:r></w:hyperlink><w:r><w:tab/></w:r>"
        "<w:bookmarkStart w:id='5' w:name='near'/><w:fldSimple w:instr=' SEQ T '><w:r><w:t>4</w:t></w:r></w:fldSimple>"
        "<w:ins w:id='1'><w:r><w:t>new</w:t><w:br/><w:tab/><w:footnoteReference w:id='2'/></w:r></w:ins>"
        "<w:del w:id='2'><w:r><w:delText>old</w:delText></w:r></w:del></w:p>\n"
        "<w:p><w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r></w:p>\n"
    ).format(_paragraph("1.3 Held"), _paragraph("boxed"))
    lists = "".join(_paragraph("item", listed=f"{n} {at}") for n in (1, 2, 3) for at in (0, 1, 2, 1, 0))
    typed = (
        _paragraph("1.0 Ground", "Heading1")
        + _paragraph("1.1 Reeds", "Heading2")
        + _paragraph("1.1a A cart halts (see 1.2).")
        + _paragraph("(a) by day")
        + _paragraph("(b) by night")
        + _paragraph("1.2 Ponds", "Heading2")
    )
    counted = "".join(
        _paragraph(words, listed=f"4 {at}")
        for words, at in (("Ground", 0), ("Reeds", 1), ("A cart", 2), ("Ponds", 1))
    )
    levels = (("decimal", "%1."), ("lowerLetter", "(%2)"), ("lowerRoman", "%3)")), [("bullet", "-")] * 3
    levels = (*levels, [("decimal", "(%1)"), ("decimal", "(%2)"), ("decimal", "(%3)")])
    levels = (*levels, [("decimal", "%1.0"), ("decimal", "%1.%2"), ("lowerLetter", "%1.%2%3")])
    numbering = "".join(
        f'<w:abstractNum w:abstractNumId="{n}">'
        + "".join(
            f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{sort}"/><w:lvlText w:val="{text}"/>'
            f'<w:lvlRestart w:val="{at}"/><w:pPr><w:ind w:left="{360 * at}"/></w:pPr></w:lvl>\n'
            for at, (sort, text) in enumerate(own)
        )
        + f'</w:abstractNum>\n<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="2"/></w:lvlOverride></w:num>\n'
        for n, own in enumerate(levels, 1)
    )
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{at}"><w:name w:val="heading {at}"/><w:basedOn w:val="Normal"/>'
        "</w:style>\n"
        for at in (1, 2, 3)
    )
    styles += (
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>\n'
    )
    note = (
        f'<w:footnote w:type="separator" w:id="-1"/><w:footnote w:id="2">{_paragraph("a note")}</w:footnote>'
    )
    kinds = ("styles", "numbering", "footnotes")
    for body in (
        typed + around + _paragraph("1.4 Last", "Heading2"),
        typed + lists + f"<w:tbl>{cells}</w:tbl>\n",
        counted + lists + around,
    ):
        made = {
            "_rels/.rels": f'{RELATED}<Relationship Id="r" Type="{R}/officeDocument" Target="word/document.xml"/></Relationships>\n',
            "word/_rels/document.xml.rels": RELATED
            + "".join(f'<Relationship Id="{one}" Type="{R}/{one}" Target="{one}.xml"/>\n' for one in kinds)
            + f'<Relationship Id="r9" Type="{R}/hyperlink" Target="http://a.example/1.1"/></Relationships>\n',
            "[Content_Types].xml": "<Types><Default Extension='xml' ContentType='application/xml'/></Types>\n",
        }
        for name, text in (
            ("document", f"<w:body>\n{body}</w:body>"),
            ("styles", styles),
            ("numbering", numbering),
            ("footnotes", note),
        ):
            made[f"word/{name}.xml"] = f'<w:{name} xmlns:w="{W}" xmlns:r="{R}">\n{text}</w:{name}>\n'
        yield folded(made)


def pdf_seeds() -> Iterable[bytes]:
    """Pages that are written by hand, so that what is damaged in them means something."""
    lines = [
        "1.0 Ground",
        "1.1 Reeds",
        "A cart halts (see 1.2).",
        "1.1a By day it goes on.",
        "1.2 Ponds",
        "A pond.",
    ]
    one = "".join(f"1 0 0 1 72 {700 - 20 * at} Tm ({words}) Tj\n" for at, words in enumerate(lines))
    two = one + one.replace("1 0 0 1 72", "1 0 0 1 330").replace("(1.", "(2.")
    arrays = "14 TL\n" + "".join(f"[({words[:3]}) -30 ({words[3:]})] TJ T*\n" for words in lines)
    for content, pages in ((one, 1), (two, 2), (f"72 700 Td\n{arrays}", 3)):
        stream = f"BT /F1 11 Tf\n{content}ET"
        parts = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{'3 0 R ' * pages}] /Count {pages} >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
            " /Resources << /Font << /F1 5 0 R >> >> >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        ]
        text, places = "%PDF-1.4\n", []
        for at, part in enumerate(parts, 1):
            places.append(len(text))
            text += f"{at} 0 obj\n{part}\nendobj\n"
        table = "".join(f"{place:010} 00000 n \n" for place in places)
        table = f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n{table}"
        text += f"{table}trailer << /Size {len(parts) + 1} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
        yield text.encode("latin-1")


def html_seeds() -> Iterable[bytes]:
    rules = (
        "<h1>1.0 Ground</h1>\n<h2 id=r11>1.1 Reeds</h2>\n<p><b>1.1a</b> A cart halts, see <a href='#r12'>there</a>.</p>\n"
        "<ol type=a start=2><li value=3>by day<ul><li>at dusk</li></ul></li></ol>\n<h2 id=r12>1.2 Ponds</h2>\n"
        "<table><caption>1.3 Odds</caption><tr><th>Die<th colspan=2>x</tr><tr><td rowspan=2>1<td>A<td>B</tr></table>\n"
    )
    yield f"<!doctype html><html><head><style>p.x{{}}</style></head><body><nav>1.1</nav>{rules}</body></html>".encode()
    yield f"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body>{rules}</body></html>".encode()
    yield f"{rules}<!-- c --><script>1.1</script><svg><text>1.9</text></svg><img src='data:image/png;base64,iVBOR'>".encode()
    yield b"".join(b"=== %s\n%s\n" % (name.encode(), text) for name, text in PACKAGE.items())
    yield b'Die,1-1,2-1\n1,A1,"D,1"\n2-3,x,y\n'
    yield b"1.0 Ground\n==========\n\n1.1 Reeds\n---------\n\nA cart halts (1.2).\n\n  * a\n    * b\n\n1.2 Ponds\n"


TAGS = (
    b"<w:p>", b"</w:p>", b"<w:tbl>", b"<w:tr>", b"<w:tc>", b"<w:r><w:t>", b"<w:sdt><w:sdtContent>", b"<w:txbxContent>",
    b'<w:numId w:val="2"/>', b'w:val="', b"&j;", b"]]>", b"<![CDATA[", b"<!DOCTYPE a>", b"<?xml version='1.1'?>", b"xmlns:w='x'",
    b"\n=== word/document.xml\n", b"\n=== word/numbering.xml\n", b"<w:AlternateContent>", b"<w:hyperlink r:id='x'>",
)  # fmt: skip
OPERATORS = (
    b"<<", b">>", b"[", b"(", b" Tm ", b" Tj", b" TJ", b" T*", b"BT", b"ET", b" cm ", b"q ", b"Q ", b"endstream", b"endobj", b" 0 R",
    b"/Kids", b"/Count 99999999", b"/Length -1", b"/Filter /FlateDecode", b"99999999999", b"-0.0000001", b"1e9", b"\\377", b"xref",
)  # fmt: skip
ELEMENTS = (
    b"<table>", b"<td rowspan=999999999>", b"<ol start=9999999999>", b"<li value=-1 type=i>", b"<ul>", b"<div>", b"<h1>", b"</head>",
    b"<nav>", b"<template>", b"<title>", b"<!--", b"<![CDATA[", b"<a id=a href=#a>", b"<svg>", b"{{<", b"{%", b"&#x", b"<br>", b"<dl><dt>",
    b"src=data:image/png;base64,", b"\n=== book.opf\n", b"<p style='color:", b"<blockquote>", b"<pre>", b"<summary>",
)  # fmt: skip

SURFACES = (
    Surface("docx", attack_docx, docx_seeds, TAGS, tries=60),
    Surface("pdf", attack_pdf, pdf_seeds, OPERATORS, tries=30),
    Surface("other document", attack_document, html_seeds, ELEMENTS, tries=30),
)
