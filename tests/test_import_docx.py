"""Documents of Word, put together of parts of which all is known: words, numbers, what is out of bounds."""

import re
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

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

from rulewright.importers.reader.word import html_of_docx
from tests.effort import FACTOR, growth
from tests.test_import_documents import chapters, imported, numbers

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
    "equation": "<m:oMath><m:r><m:t>{}</m:t></m:r></m:oMath>",
    "alternate": f"<mc:AlternateContent><mc:Choice Requires='x'>{RUN}</mc:Choice>"
    "<mc:Fallback><w:r><w:t>fallback</w:t></w:r></mc:Fallback></mc:AlternateContent>",
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
    made = docx.Document()
    content = parse_xml(f"<w:body {SPACES}>{body}</w:body>")
    for at, one in enumerate([*content]):
        made.element.body.insert(at, one)
    for one in list(parse_xml(f"<w:numbering {SPACES}>{numbering}</w:numbering>")):
        made.part.numbering_part.element.append(one)
    for one in list(parse_xml(f"<w:styles {SPACES}>{styles}</w:styles>")):
        made.styles.element.append(one)
    if notes:
        inner = "".join(
            f"<w:footnote w:id='{at}'>{PARAGRAPH.format(one)}</w:footnote>" for at, one in enumerate(notes)
        )
        kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
        blob = (
            f"<w:footnotes {SPACES}><w:footnote w:type='separator' w:id='-1'/>{inner}</w:footnotes>".encode()
        )
        part = Part(PackURI("/word/footnotes.xml"), kind, blob, made.part.package)
        made.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    kept = BytesIO()
    made.save(kept)
    return kept.getvalue()


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*AROUND]), st.lists(st.sampled_from([*INLINE, "hidden"]), min_size=1, max_size=4)
        ),
        max_size=5,
    )
)
@settings(
    max_examples=2 * settings().max_examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_every_word_that_word_shows_is_in_its_rule_in_order(parts: Any) -> None:
    body, known = [titled("1.0", 1)], []
    for at, (around, inline) in enumerate(parts, 1):
        words = [f"w{at}x{n}" for n, kind in enumerate(inline) if kind != "hidden"]
        fresh = iter(words)
        runs = [HIDDEN if kind == "hidden" else INLINE[kind].format(next(fresh)) for kind in inline]
        apart = "<w:r><w:t xml:space='preserve'> </w:t></w:r>"
        body += [titled(f"1.{at}"), AROUND[around].format(apart.join(runs))]
        known.append(words)
    body += [titled("2.0", 1), titled("2.1"), titled("2.2")]
    made = imported(document("".join(body)), "book.docx")
    text = "\n".join(str(one) for one in chapters(made)) + "".join(
        data.decode() for name, data in made.files.items() if "/tables/" in name
    )
    assert not made.receipt.lost
    assert not re.search("deleted|movedaway|fallback", text)
    for words in known:
        assert re.findall("|".join(words), text) == words if words else True


def test_notes_of_word_stand_in_their_rule_and_are_counted() -> None:
    cites = "<w:p><w:r><w:t>Words</w:t><w:footnoteReference w:id='{}'/></w:r></w:p>"
    body = (
        titled("1.0", 1) + titled("1.1") + cites.format(1) + titled("1.2") + cites.format(0) + titled("1.3")
    )
    made = imported(document(body, notes=[RUN.format("alpha"), RUN.format("beta")]), "book.docx")
    one, two, _ = chapters(made)[0]["rules"]
    assert "beta" in one["text"]
    assert "alpha" in two["text"]
    assert not made.receipt.lost


def test_a_word_that_is_not_read_is_told(tmp_path: Path) -> None:
    body = (
        titled("1.0", 1)
        + titled("1.1")
        + "<w:p><w:r><w:ruby><w:t>stray</w:t></w:ruby></w:r></w:p>"
        + titled("1.2")
    )
    made = imported(document(body), "book.docx")
    (lost,) = made.receipt.lost
    assert (lost.words, lost.line, lost.whole) == ("stray", 3, "stray")


def test_items_of_another_sort_lie_in_the_item_before_them() -> None:
    said = ("(a) Roads.", "(b) Tracks:", "(1) by day;", "(2) by night.", "At dusk it is night.", "(c) Fords.")
    paragraphs = "".join(PARAGRAPH.format(RUN.format(words)) for words in said)
    made = imported(document(titled("1.0", 1) + titled("1.1") + paragraphs + titled("1.2")), "book.docx")
    items = chapters(made)[0]["rules"][0]["rules"]
    assert [one["number"] for one in items] == ["1.1(a)", "1.1(b)", "1.1(c)"]
    assert [one["number"] for one in items[1]["rules"]] == ["1.1(b)(1)", "1.1(b)(2)"]
    assert "At dusk" in str(items[1])
    assert not made.receipt.lost


LEVELS = (("lowerLetter", "(%1)"), ("decimal", "(%1.%2)"))
KIND = "<w:abstractNum w:abstractNumId='70'>" + "".join(
    f"<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{sort}'/><w:lvlText w:val='{text}'/>"
    "{}</w:lvl>"
    for at, (sort, text) in enumerate(LEVELS)
)
KIND += "</w:abstractNum>"


def listed(number: int, level: int = 0) -> str:
    look = f"<w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{number}'/></w:numPr></w:pPr>"
    return f"<w:p>{look}{RUN.format('item')}</w:p>"


def lists(*starts: int | None, restarts: str = "") -> str:
    made = KIND.format("", restarts)
    for number, start in enumerate(starts, 71):
        said = (
            f"<w:lvlOverride w:ilvl='0'><w:startOverride w:val='{start}'/></w:lvlOverride>" if start else ""
        )
        made += f"<w:num w:numId='{number}'><w:abstractNumId w:val='70'/>{said}</w:num>"
    return made


def labels(body: str, numbering: str, tmp_path: Path) -> list[str]:
    (tmp_path / "a.docx").write_bytes(document(body, numbering))
    return re.findall(r"<strong>(\(.*?\))</strong> item", html_of_docx(tmp_path / "a.docx")[0])


@given(st.lists(st.tuples(st.sampled_from([None, 1, 3]), st.integers(1, 4)), min_size=1, max_size=6))
@settings(
    max_examples=4 * settings().max_examples // 3,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_list_begins_again_where_word_begins_it_again(tmp_path: Path, runs: Any) -> None:
    expected, count = [], 0
    for start, items in runs:
        count = start - 1 if start else count
        expected += [f"({chr(96 + count + at)})" for at in range(1, items + 1)]
        count += items
    body = "".join(listed(number) * items for number, (_, items) in enumerate(runs, 71))
    assert labels(body, lists(*(start for start, _ in runs)), tmp_path) == expected


@pytest.mark.parametrize(
    ("restarts", "expected"),
    [
        ("", "(a) (a.1) (a.2) (b) (b.1)"),
        ("<w:lvlRestart w:val='0'/>", "(a) (a.1) (a.2) (b) (b.3)"),
        ("<w:lvlRestart w:val='1'/>", "(a) (a.1) (a.2) (b) (b.1)"),
    ],
)
def test_a_level_begins_again_behind_one_above_it(restarts: str, expected: str, tmp_path: Path) -> None:
    body = "".join(listed(71, level) for level in (0, 1, 1, 0, 1))
    assert labels(body, lists(None, restarts=restarts), tmp_path) == expected.split()


def test_a_restarted_list_is_cited_and_nothing_is_excused() -> None:
    say = PARAGRAPH.format(RUN.format("These hold (see 1.2(a)):"))
    body = titled("1.0", 1) + titled("1.1") + say + listed(71) * 2 + titled("1.2") + say + listed(72) * 2
    made = imported(document(body, lists(1, 1)), "book.docx")
    assert numbers(made)[2:4] + numbers(made)[5:] == ["1.1(a)", "1.1(b)", "1.2(a)", "1.2(b)"]
    assert made.receipt.counts["references"] == 2
    assert not made.receipt.excused


HUGE = "1000000000"
LOOPS = (
    "<w:style w:type='paragraph' w:styleId='X'><w:name w:val='X'/><w:basedOn w:val='Y'/></w:style>"
    "<w:style w:type='paragraph' w:styleId='Y'><w:name w:val='Y'/><w:basedOn w:val='X'/></w:style>"
    "<w:style w:type='paragraph' w:styleId='Z'><w:name w:val='Z'/><w:basedOn w:val='Z'/></w:style>"
)
STYLED = "<w:p><w:pPr><w:pStyle w:val='{}'/></w:pPr><w:r><w:t>Words</w:t></w:r></w:p>"
SPANNED = "<w:tc><w:tcPr><w:{}/></w:tcPr>" + PARAGRAPH.format(RUN.format("Words")) + "</w:tc>"


@pytest.mark.parametrize(
    ("body", "numbering"),
    [
        (f"<w:tbl>{ROW.format(SPANNED.format(f'gridSpan w:val={chr(39)}{value}{chr(39)}') * 3)}</w:tbl>", "")
        for value in (HUGE, "9" * 5000, "-5", "0", "x", "99999", "")
    ]
    + [(STYLED.format(name), "") for name in "XYZQ"]
    + [
        (listed(71, level), lists(start))
        for level, start in ((0, 10**9), (10**9, 1), (0, 99999), (0, 10**4000))
    ]
    + [(listed(71), lists(1).replace("(%1)", "%1" * 100_000))]
    + [(listed(71), lists(1).replace("w:start w:val='1'", f"w:start w:val='{HUGE}'"))],
)
def test_no_count_and_no_chain_is_without_a_bound(body: str, numbering: str, tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(document(body, numbering, LOOPS))
    html, shown = html_of_docx(tmp_path / "a.docx")
    assert len(html) < 3_000
    assert {word for _, line in shown for word in line.split()} <= {"Words", "item"}


@pytest.mark.parametrize(
    "piece",
    [
        ROW.format(SPANNED.format(f"gridSpan w:val='{HUGE}'")),
        ROW.format(SPANNED.format("vMerge")),
        ROW.format(CELL.format("<w:tcPr><w:vMerge/></w:tcPr>")),
        ROW.format(SPANNED.format("vMerge w:val='restart'")),
    ],
)
def test_a_table_is_read_in_proportion(piece: str, tmp_path: Path) -> None:
    def size(count: int) -> int:
        first = ROW.format(CELL.format(PARAGRAPH.format(RUN.format("word " * 40 * count))))
        (tmp_path / "a.docx").write_bytes(document(f"<w:tbl>{first}{piece * count}</w:tbl>"))
        return len(html_of_docx(tmp_path / "a.docx")[0])

    assert size(200) < 12 * size(20)


def test_styles_based_on_each_other_are_read_in_proportion(tmp_path: Path) -> None:
    def work(count: int) -> Any:
        style = "<w:style w:type='paragraph' w:styleId='S{}'><w:basedOn w:val='S{}'/></w:style>"
        styles = "".join(style.format(at, at + 1) for at in range(count))
        body = "".join(STYLED.format(f"S{at}") for at in range(count))
        (tmp_path / "a.docx").write_bytes(document(body, styles=styles))
        return lambda: html_of_docx(tmp_path / "a.docx")

    assert growth(work, 100) < 2 * FACTOR


BULLETS = "".join(
    f"<w:lvl w:ilvl='{at}'><w:numFmt w:val='bullet'/><w:lvlText w:val='-'/></w:lvl>" for at in range(9)
)
BULLETED = (
    f"<w:abstractNum w:abstractNumId='80'>{BULLETS}</w:abstractNum>"
    "<w:num w:numId='80'><w:abstractNumId w:val='80'/></w:num>"
)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9))
@settings(max_examples=settings().max_examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_bullets_lie_in_each_other_as_word_says(levels: list[int]) -> None:
    depths = [levels[0] and 0]
    for level in levels[1:]:  # nothing lies more than one level below what stands in front of it
        depths.append(min(level, depths[-1] + 1))
    say = PARAGRAPH.format(RUN.format("One of these:"))
    body = titled("1.0", 1) + titled("1.1") + say + "".join(listed(80, depth) for depth in depths)
    made = imported(document(body + titled("1.2") + titled("1.3"), BULLETED), "book.docx")
    text = chapters(made)[0]["rules"][0]["text"]
    found = [len(m[1]) // 2 for m in re.finditer(r"^( *)- item$", text, re.MULTILINE)]
    assert found == depths
    assert not made.receipt.lost


WAYS = {"decimal": "1", "lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "bullet": ""}


def kinds_of(levels: Sequence[tuple[str, str]], number: int = 90, indent: int = 0) -> str:
    """A list of Word: of each level how it counts, and its pattern."""
    made = "".join(
        f"<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{sort}'/><w:lvlText w:val='{text}'/>"
        f"<w:pPr><w:ind w:left='{indent or 360 * (at + 1)}'/></w:pPr></w:lvl>"
        for at, (sort, text) in enumerate(levels)
    )
    return (
        f"<w:abstractNum w:abstractNumId='{number}'>{made}</w:abstractNum>"
        f"<w:num w:numId='{number}'><w:abstractNumId w:val='{number}'/></w:num>"
    )


def as_lists(depths: Sequence[int], sorts: Sequence[str]) -> str:
    """Items of such depths as lists of HTML, each in the one before that lies less deep."""
    made, opened = "", list[str]()
    for depth in depths:
        while len(opened) > depth + 1:
            made += f"</li></{opened.pop()}>"
        if len(opened) == depth + 1:
            made += "</li>"
        else:
            way = WAYS[sorts[depth]]
            opened.append("ol" if way else "ul")
            made += f"<ol type={way}>" if way else "<ul>"
        made += "<li>item"
    return made + "".join(f"</li></{tag}>" for tag in reversed(opened))


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=9),
    st.lists(st.sampled_from([*WAYS]), min_size=6, max_size=6)
    | st.sampled_from([*WAYS]).map(lambda one: [one] * 6),
)
@settings(
    max_examples=settings().max_examples // 4, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_lists_of_word_are_read_as_those_of_html(levels: list[int], sorts: list[str]) -> None:
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
    assert not word.receipt.lost


@pytest.mark.parametrize("sort", ["lowerLetter", "decimal"])
def test_items_of_one_sort_lie_in_each_other(sort: str) -> None:
    one, two, three = ("(1)", "(2)", "(3)") if sort == "decimal" else ("(a)", "(b)", "(c)")
    numbering = kinds_of([(sort, f"(%{at})") for at in (1, 2, 3)])
    lists = "".join(listed(90, at) for at in (0, 1, 2, 2, 1, 0))
    dusk = PARAGRAPH.format(RUN.format("At dusk it is night.")) + listed(90, 0)
    body = (
        titled("1.0", 1)
        + titled("1.1")
        + lists
        + dusk
        + titled("1.2")
        + PARAGRAPH.format(RUN.format(f"A cart halts (see 1.1{one}{two} and 1.1{one}{one}{two})."))
    )
    made = imported(document(body + titled("1.3"), numbering), "book.docx")
    inner = [f"1.1{one}{one}", f"1.1{one}{one}{one}", f"1.1{one}{one}{two}", f"1.1{one}{two}"]
    assert numbers(made)[2:-2] == [f"1.1{one}", *inner, f"1.1{two}", f"1.1{three}"]
    assert made.receipt.counts["references"] == 2
    assert not made.receipt.excused


def test_items_go_on_behind_a_paragraph_and_a_lone_one_stays_in_its_list() -> None:
    text = "## 1.1 Reeds\n\n- (a) by day\n- (b) by night\n\nThen it is late.\n\n- (c) at dusk\n\n"
    made = imported(f"# 1 Ground\n\n{text}## 1.2 Ponds\n\n- (a) alone\n\n## 1.3 Fens\n\nNone.\n", "book.md")
    assert numbers(made) == ["1", "1.1", "1.1(a)", "1.1(b)", "1.1(c)", "1.2", "1.3"]
    rules = chapters(made)[0]["rules"]
    assert "late" in str(rules[0]["rules"][1])
    assert rules[1]["text"].strip() == "- (a) alone"


def test_lists_of_one_level_lie_in_each_other_as_far_as_they_stand_in() -> None:
    numbering = "".join(
        kinds_of([("bullet", "-")], number, 360 * depth) for depth, number in enumerate((91, 92, 93), 1)
    )
    lists = "".join(listed(number) for number in (91, 92, 93, 93, 91, 92))
    body = titled("1.0", 1) + titled("1.1") + lists + titled("1.2") + titled("1.3")
    text = chapters(imported(document(body, numbering), "book.docx"))[0]["rules"][0]["text"]
    assert [len(m) // 2 for m in re.findall(r"^( *)- item$", text, re.MULTILINE)] == [0, 1, 2, 2, 0, 1]


def test_links_and_anchors_of_word_are_kept(tmp_path: Path) -> None:
    target = "<w:bookmarkStart w:id='5' w:name='near'/>"
    body = titled("1.0", 1) + titled("1.1").replace("<w:r>", f"{target}<w:r>") + titled("1.2")
    body += PARAGRAPH.format(f"<w:hyperlink w:anchor='near'>{RUN.format('as there')}</w:hyperlink>")
    (tmp_path / "a.docx").write_bytes(document(body))
    html, _ = html_of_docx(tmp_path / "a.docx")
    assert '<a href="#near">as there</a>' in html
    assert 'id="near"' in html


@pytest.mark.parametrize("strict", [False, True])
def test_both_forms_of_the_format_are_read(strict: bool, tmp_path: Path) -> None:
    data = document(titled("1.0", 1) + titled("1.1") + listed(71), lists(1))
    if strict:
        kept = BytesIO()
        with zipfile.ZipFile(BytesIO(data)) as archive, zipfile.ZipFile(kept, "w") as copy:
            for name in archive.namelist():
                part = archive.read(name).replace(
                    b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                    b"http://purl.oclc.org/ooxml/wordprocessingml/main",
                )
                copy.writestr(name, part)
        data = kept.getvalue()
    (tmp_path / "a.docx").write_bytes(data)
    html, _ = html_of_docx(tmp_path / "a.docx")
    assert "<h2>1.1 Title</h2>" in html
    assert "<strong>(a)</strong> item" in html


@pytest.mark.parametrize("sort", ["PNG", "JPEG", "GIF"])
def test_a_picture_stands_where_it_stood(sort: str) -> None:
    shown, kept = BytesIO(), BytesIO()
    Image.new("RGB", (4, 3)).save(shown, sort)
    made = docx.Document()
    for number, level in (("1.0 Ground", 1), ("1.1 Reeds", 2)):
        made.add_heading(number, level)
    made.add_paragraph("Before.")
    made.add_picture(BytesIO(shown.getvalue()))
    made.add_paragraph("Behind.")
    for number in ("1.2 Ponds", "1.3 Carts"):
        made.add_heading(number, 2)
    made.save(kept)
    book = imported(kept.getvalue(), "book.docx")
    ((name, path),) = book.copies.items()
    assert path.read_bytes() == shown.getvalue()
    assert re.search(
        rf"Before\.\s+!\[Reeds\]\(\.\./pictures/{Path(name).name}\)\s+Behind\.",
        chapters(book)[0]["rules"][0]["text"],
    )
    assert not book.receipt.lost
