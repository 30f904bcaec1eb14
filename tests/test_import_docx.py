"""Documents of Word, put together of parts of which all is known: words, numbers, what is out of bounds."""

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.test_import_documents import chapters, imported

SPACES = (
    f"{nsdecls('w')} xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math' "
    "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'"
)
RUN = "<w:r><w:t>{}</w:t></w:r>"
INLINE = {
    "plain": RUN,
    "inserted": f"<w:ins w:id='1'>{RUN}</w:ins>",
    "moved": f"<w:moveTo w:id='1'>{RUN}</w:moveTo>",
    "link": f"<w:hyperlink w:anchor='a'>{RUN}</w:hyperlink>",
    "tag": f"<w:smartTag w:element='x'>{RUN}</w:smartTag>",
    "control": f"<w:sdt><w:sdtContent>{RUN}</w:sdtContent></w:sdt>",
    "controls": f"<w:sdt><w:sdtContent><w:ins w:id='1'>{RUN}</w:ins></w:sdtContent></w:sdt>",
    "field": f"<w:fldSimple w:instr=' SEQ Table '>{RUN}</w:fldSimple>",
    "long field": "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText> SEQ T </w:instrText></w:r>"
    f"<w:r><w:fldChar w:fldCharType='separate'/></w:r>{RUN}<w:r><w:fldChar w:fldCharType='end'/></w:r>",
    "equation": "<m:oMath><m:f><m:num><m:r><m:t>{}</m:t></m:r></m:num></m:f></m:oMath>",
    "alternate": f"<mc:AlternateContent><mc:Choice Requires='x'><w:r><w:t>choice</w:t></w:r></mc:Choice>"
    f"<mc:Fallback>{RUN}</mc:Fallback></mc:AlternateContent>",
    "xml": f"<w:customXml w:element='x'>{RUN}</w:customXml>",
}
HIDDEN = (
    "<w:del w:id='1'><w:r><w:delText>deleted</w:delText></w:r></w:del>"
    "<w:moveFrom w:id='2'><w:r><w:t>movedaway</w:t></w:r></w:moveFrom>"
)
PARAGRAPH = "<w:p>{}</w:p>"
BOX = "<w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r>"
ROW = "<w:tr>{}</w:tr>"
CELL = "<w:tc>{}</w:tc>"
CONTROL = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
TABLE = f"<w:tbl>{ROW.format(CELL)}</w:tbl>"
AROUND = {
    "plain": PARAGRAPH,
    "control": CONTROL.format(PARAGRAPH),
    "xml": f"<w:customXml w:element='x'>{CONTROL.format(PARAGRAPH)}</w:customXml>",
    "box": PARAGRAPH.format(BOX.format(PARAGRAPH)),
    "cell": TABLE.format(PARAGRAPH),
    "inserted row": f"<w:tbl><w:tr><w:trPr><w:ins w:id='3'/></w:trPr>{CELL.format(PARAGRAPH)}</w:tr></w:tbl>",
    "wrapped row": f"<w:tbl>{CONTROL.format(ROW.format(CELL.format(PARAGRAPH)))}</w:tbl>",
    "table in a cell": TABLE.format(TABLE.format(PARAGRAPH)),
}


def titled(number: str, level: int = 2) -> str:
    style = f"<w:pPr><w:pStyle w:val='Heading{level}'/></w:pPr>"
    return f"<w:p>{style}<w:r><w:t>{number} Title</w:t></w:r></w:p>"


def document(body: str, numbering: str = "", styles: str = "", notes: Sequence[str] = ()) -> bytes:
    word = docx.Document()
    content = parse_xml(f"<w:body {SPACES}>{body}</w:body>")
    for at, one in enumerate([*content]):
        word.element.body.insert(at, one)
    for one in list(parse_xml(f"<w:numbering {SPACES}>{numbering}</w:numbering>")):
        word.part.numbering_part.element.append(one)
    for one in list(parse_xml(f"<w:styles {SPACES}>{styles}</w:styles>")):
        word.styles.element.append(one)
    if notes:
        inner = "".join(
            f"<w:footnote w:id='{at}'>{PARAGRAPH.format(one)}</w:footnote>" for at, one in enumerate(notes)
        )
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
        blob = (
            f"<w:footnotes {SPACES}><w:footnote w:type='separator' w:id='-1'/>{inner}</w:footnotes>".encode()
        )
        part = Part(PackURI("/word/footnotes.xml"), kind, blob, word.part.package)
        word.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    buffer = BytesIO()
    word.save(buffer)
    return buffer.getvalue()


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*AROUND]), st.lists(st.sampled_from([*INLINE, "hidden"]), min_size=1, max_size=4)
        ),
        max_size=5,
    )
)
@settings(
    max_examples=settings().max_examples // 4, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_every_word_that_word_shows_is_in_its_rule_in_order(parts):
    body, known = [titled("1.0", 1)], []
    for at, (around, inline) in enumerate(parts, 1):
        words = [f"w{at}x{n}" for n, kind in enumerate(inline) if kind != "hidden"]
        fresh = iter(words)
        runs = [HIDDEN if kind == "hidden" else INLINE[kind].format(next(fresh)) for kind in inline]
        apart = "<w:r><w:t xml:space='preserve'> </w:t></w:r>"
        body += [titled(f"1.{at}"), AROUND[around].format(apart.join(runs))]
        known.append(words)
    body += [titled("2.0", 1), titled("2.1"), titled("2.2")]
    result = imported(document("".join(body)), "book.docx")
    text = "\n".join(str(one) for one in chapters(result)) + "".join(
        data.decode() for name, data in result.files.items() if "/tables/" in name
    )
    assert not result.report.lost
    assert not re.search("deleted|movedaway|choice", text)
    for words in known:
        assert re.findall("|".join(words), text) == words if words else True


def listed(number: int, level: int = 0) -> str:
    look = f"<w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{number}'/></w:numPr></w:pPr>"
    return f"<w:p>{look}{RUN.format('item')}</w:p>"


WAYS = {"decimal": "1", "lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "bullet": ""}


def kinds_of(levels: Sequence[tuple[str, str]], number: int = 90, indent: int = 0) -> str:
    """A list of Word: of each level how it counts, and its pattern."""
    items = "".join(
        f"<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{sort}'/><w:lvlText w:val='{text}'/>"
        f"<w:pPr><w:ind w:left='{indent or 360 * (at + 1)}'/></w:pPr></w:lvl>"
        for at, (sort, text) in enumerate(levels)
    )
    return (
        f"<w:abstractNum w:abstractNumId='{number}'>{items}</w:abstractNum>"
        f"<w:num w:numId='{number}'><w:abstractNumId w:val='{number}'/></w:num>"
    )


def as_lists(depths: Sequence[int], sorts: Sequence[str]) -> str:
    """Items of such depths as lists of HTML, each in the one before that lies less deep."""
    html, opened = "", list[str]()
    for depth in depths:
        while len(opened) > depth + 1:
            html += f"</li></{opened.pop()}>"
        if len(opened) == depth + 1:
            html += "</li>"
        else:
            way = WAYS[sorts[depth]]
            opened.append("ol" if way else "ul")
            html += f"<ol type={way}>" if way else "<ul>"
        html += "<li>item"
    return html + "".join(f"</li></{tag}>" for tag in reversed(opened))


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=9),
    st.lists(st.sampled_from([*WAYS]), min_size=6, max_size=6)
    | st.sampled_from([*WAYS]).map(lambda one: [one] * 6),
)
@settings(
    max_examples=settings().max_examples // 4, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_lists_of_word_are_read_as_those_of_html(levels, sorts):
    depths = [0]
    for level in levels[1:]:
        depths.append(min(level, depths[-1] + 1))
    numbering = kinds_of([(sort, f"%{at}.") for at, sort in enumerate(sorts, 1)])
    say = PARAGRAPH.format(RUN.format("One of these:"))
    around = titled("1.0", 1) + titled("1.1") + say, titled("1.2") + titled("1.3")
    word = imported(document("".join(listed(90, at) for at in depths).join(around), numbering), "book.docx")
    html = "<h1>1.0 Title</h1><h2>1.1 Title</h2><p>One of these:</p>{}<h2>1.2 Title</h2><h2>1.3 Title</h2>"
    plain = imported(html.format(as_lists(depths, sorts)).encode(), "book.html")
    assert chapters(word) == chapters(plain)
    assert not word.report.lost


@pytest.mark.parametrize("sort", ["PNG"])
def test_a_picture_remains_in_its_place(sort):
    shown, buffer = BytesIO(), BytesIO()
    Image.new("RGB", (4, 3)).save(shown, sort)
    word = docx.Document()
    for number, level in (("1.0 Ground", 1), ("1.1 Reeds", 2)):
        word.add_heading(number, level)
    word.add_paragraph("Before.")
    word.add_picture(BytesIO(shown.getvalue()))
    word.add_paragraph("After.")
    for number in ("1.2 Ponds", "1.3 Carts"):
        word.add_heading(number, 2)
    word.save(buffer)
    book = imported(buffer.getvalue(), "book.docx")
    ((name, data),) = book.copies.items()
    assert data == shown.getvalue()
    assert re.search(
        rf"Before\.\s+!\[Reeds\]\(\.\./pictures/{Path(name).name}\)\s+After\.",
        chapters(book)[0]["rules"][0]["text"],
    )
    assert not book.report.lost
