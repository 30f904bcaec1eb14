"""The same book in each format that is read: the same rules, items and references, and no word lost."""

from html import escape
from io import BytesIO
from textwrap import wrap
from typing import Any

import docx
import pymupdf
import pytest
import typst
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from rulewright.imports.reading import documents
from tests.test_import_documents import chapters, imported, needs_poppler, numbers

CHAPTERS = (("Movement", "Roads Tracks Fords"), ("Combat", "Odds Terrain Losses"), ("Supply", "Carts Depots"))
Part = tuple[str, str, str]
"""The number of a heading or a paragraph, what it is, and its words."""


def book() -> list[Part]:
    parts: list[Part] = []
    for chapter, (title, names) in enumerate(CHAPTERS, 1):
        parts.append((f"{chapter}.0", "chapter", title))
        for rule, name in enumerate(names.split(), 1):
            parts.append((f"{chapter}.{rule}", "rule", name))
            cited = f"{chapter % 3 + 1}.{rule % 2 + 1}a"
            parts.append(
                ("", "text", f"Of {name.lower()} more follows in its place, and in {cited} (see {cited}).")
            )
            parts += [
                (
                    f"{chapter}.{rule}{letter}",
                    "case",
                    f"A wagon on {name.lower()} of sort {letter} halts at the next ferry.",
                )
                for letter in "abc"
            ]
    return parts


def as_markdown(parts: list[Part]) -> bytes:
    forms = {"chapter": "## {} {}", "rule": "### {} {}", "case": "**{}** {}", "text": "{}{}"}
    return "\n\n".join(["# Ferries", *(forms[sort].format(n, words) for n, sort, words in parts)]).encode()


def as_html(parts: list[Part]) -> bytes:
    forms = {
        "chapter": "<h2>{} {}</h2>",
        "rule": "<h3>{} {}</h3>",
        "case": "<p><b>{}</b> {}</p>",
        "text": "<p>{}{}</p>",
    }
    body = "\n".join(forms[sort].format(n, escape(words)) for n, sort, words in parts)
    style = "<style>p.note { margin: 1.2em }\n1.1 Styles</style><script>var a = '1.3 b';</script>"
    navigation = "<nav><ol><li>1.1 Roads</li></ol></nav>"
    head = f"<!doctype html>\n<html><head><title>x</title>{style}</head>"
    return f"{head}<body>{navigation}<h1>Ferries</h1>\n{body}</body></html>".encode()


def as_text(parts: list[Part]) -> bytes:
    lines = ["Ferries", "=======", ""]
    for number, sort, words in parts:
        line = f"{number} {words}".strip()
        under = ["-" * len(line)] if sort == "chapter" else []
        lines += [*wrap(line, 50), *under, ""]
    return "\n".join(lines).encode()


def as_docx(parts: list[Part], counted: bool) -> bytes:
    word = docx.Document()
    levels = (("decimal", "%1.0"), ("decimal", "%1.%2"), ("lowerLetter", "%1.%2%3"))
    inner = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{sort}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for at, (sort, text) in enumerate(levels)
    )
    root = word.part.numbering_part.element
    root.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="77">{inner}</w:abstractNum>'))
    root.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
    word.add_paragraph("Ferries", "Title")
    styles = {"chapter": "Heading 2", "rule": "Heading 3"}
    for number, sort, words in parts:
        paragraph = word.add_paragraph(words if counted else f"{number} {words}".strip(), styles.get(sort))
        if counted and number:
            level = ["chapter", "rule", "case"].index(sort)
            own = f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr>'
            paragraph._p.get_or_add_pPr().append(parse_xml(own))
    buffer = BytesIO()
    word.save(buffer)
    return buffer.getvalue()


def as_pdf(parts: list[Part], columns: int) -> bytes:
    forms = {
        "chapter": "#text(15pt)[#strong[{} {}]]",
        "rule": "#text(12pt)[#strong[{} {}]]",
        "case": "{} {}",
        "text": "{}{}",
    }
    body = "\n\n".join(forms[sort].format(n, words) for n, sort, words in parts)
    page = '#set page(width: 400pt, height: 300pt, numbering: "1", header: [Ferries, the rules])'
    text = f"{page}\n#set par(spacing: 1.2em)\n#text(20pt)[Ferries]\n\n#columns({columns})[\n{body}\n]"
    return typst.compile(text.encode())


FORMATS = {
    "book.html": as_html,
    "book.txt": as_text,
    "typed.docx": lambda parts: as_docx(parts, counted=False),
    "counted.docx": lambda parts: as_docx(parts, counted=True),
    "one.pdf": lambda parts: as_pdf(parts, 1),
    "two.pdf": lambda parts: as_pdf(parts, 2),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_book_comes_of_each_format(name):
    known = imported(as_markdown(book()))
    result = imported(FORMATS[name](book()), name)
    assert numbers(result) == numbers(known) == [number for number, *_ in book() if number]
    assert result.report
    assert known.report
    assert result.report.counts["references"] == known.report.counts["references"] > 10
    assert not result.report.lost
    assert not [one for one in result.report.checked if one.is_failure]
    for chapter in (n for n in known.files if "/rules/" in n):
        assert result.files[chapter].decode().split() == known.files[chapter].decode().split()


PAGE = (
    "<h1>Fens</h1>\n<h2>1 Ground</h2>\n<h3>1.1 Reeds</h3>\n<p>AT&T &amp; R&D cost 2 &lt; 3 (see 1.2).</p>\n"
)
PAGE += "<h3>1.2 Ponds</h3>\n<p>Deep&nbsp;ones.</p>\n<h3>1.3 Carts</h3><p>Slow.</p>"


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "<!doctype html><html><head><title>1.9 Title</title></head><body>{}</body></html>",
        "<title>1.9 Title</title><style>h3 {{ color: red }}</style>{}",
        "<head><title>1.9 Title</title>{}",
        "<html><head><style>1.9 Style</style><body>{}<script>if (1 < 2) '1.9 Script'</script>",
        "<!-- 1.9 Comment\n\n -->{}<template><p>1.9 Template</p></template>",
        "<nav><ul><li><nav>1.9 Inner</nav>1.9 Outer</ul></nav>{}<svg><text>1.9 Drawn</text></svg>",
        "<?xml version='1.0'?>\r\n\r\n<html xmlns='x'><body\n\nclass='{{a}}'>{}</body></html>",
    ],
)
def test_of_a_page_only_what_it_shows_is_read(around):
    result = imported(around.format(PAGE), "page.html")
    assert numbers(result) == ["1", "1.1", "1.2", "1.3"]
    text = str(chapters(result))
    assert "AT&T & R&D cost 2" in text.replace("\\", "")
    assert "1.9" not in text
    assert not result.report.lost


def test_sentences_that_break_off_show_that_columns_are_not_in_order():
    needs_poppler("broken.pdf")
    pdf = pymupdf.open()
    page = pdf.new_page()
    for number in range(1, 8):
        words = f"1.{number} Tug {number} pulls the grey barge of the miller slowly past the"
        page.insert_text((40, 80 * number), words)
        page.insert_text((40, 80 * number + 14), "long mole and then the")
    found = imported(pdf.tobytes(), "broken.pdf").report.problems
    assert "import-order" in {problem.code for problem in found}


def test_lost_words_are_reported_by_line(monkeypatch):
    whole = documents.read_html

    def lose(source: Any, *arguments: Any) -> None:
        whole(source, *arguments)
        del source.blocks[2]

    monkeypatch.setattr(documents, "read_html", lose)
    result = imported("<h1>1 A</h1>\n<h2>1.1 B</h2>\n<p>Ferries are slow.</p>\n<p>Stay.</p>", "a.html")
    assert [(lost.line, lost.words) for lost in result.report.lost] == [(3, "Ferries are slow")]
