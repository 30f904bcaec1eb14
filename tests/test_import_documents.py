"""Rulebooks in one document: what is known of each beforehand is found in its rules."""

import shutil
import tempfile
from base64 import b64encode
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from rulewright.files.errors import ContentErrors
from rulewright.imports.pipeline import ImportRequest, ImportResult, import_source
from rulewright.imports.reading.documents import read_document
from tests.plain_chapter import plain_chapter


def needs_poppler(name: str) -> None:
    if name.endswith("pdf") and not shutil.which("pdftotext"):
        pytest.skip("pdftotext (poppler-utils) is not installed")


def imported(text: str | bytes, name: str = "book.md", dialect: tuple[str, ...] = ()) -> ImportResult:
    needs_poppler(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return import_source(read_document(path), ImportRequest("b", "1", "T", dialect), "x")


def chapters(result: ImportResult) -> list[Any]:
    return [plain_chapter(data) for name, data in sorted(result.files.items()) if "/rules/" in name]


def numbers(result: ImportResult) -> list[str]:
    def walk(rule: Any) -> Any:
        yield str(rule.get("number", rule.get("chapter")))
        for inner in rule.get("rules", ()):
            yield from walk(inner)

    return [number for chapter in chapters(result) for number in walk(chapter)]


BOOK = (
    "# {title}\n\n## 1 General\n\n### 1.1 Wheels\n\nTwo (see 2.1).\n\n### 1.2 Horses\n\nOne.\n\n"
    "## 2 Points\n\n### 2.1 Wins\n\nThree.\n"
)


def test_pictures_come_along_from_where_the_file_says(tmp_path):
    places = ["pond.png", "img/reed.png", "img/deep/b c.png", "../art/boat.PNG", "Img/Pond.png", "u.svg"]
    for place in [*places, "other.png", "../../far.png"]:
        (tmp_path / "a/rules" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "a/rules" / place).write_bytes(place.encode())
    shown = "![Pond](pond.png) ![Reed](img/reed.png) ![B](<img/deep/b c.png>) ![Boat](../art/boat.PNG 'x') "
    shown += (
        '<img src="Img/Pond.png" alt="other"> ![U][u] ![Far](../../far.png) ![No](none.png)\n\n[u]: u.svg\n'
    )
    text = f"## 1.1 Ground\n\n{shown}\n\n## 1.2 Ponds\n\nWords.\n"
    (tmp_path / "a/rules/book.md").write_text(text)
    result = import_source(read_document(tmp_path / "a/rules/book.md"), ImportRequest("b", "1"), "x")
    assert sorted(data.decode() for data in result.copies.values()) == sorted(places)
    assert len({name.casefold() for name in result.copies}) == len(places)
    assert [picture.message for picture in result.report.missing] == ["../../far.png", "none.png"]


CELLS = [
    "[Mill](https://mill.example/a)",
    "**[Mill](https://mill.example/a)** [Mill](https://mill.example/a)",
    "`code words`",
    "![](pic.png)",
    "[![pic](p.png)](https://w.example/v)",
    "[](https://empty.example/e)",
    "<https://auto.example/x>",
    "a[^1]",
    "[1.1](#11-roads) and [m](mailto:a@b.example)",
    "so\u00adft ~~gone~~ *it* a<br>b",
    '<a href="https://q.example/z">Zed</a>',
]


@pytest.mark.parametrize("cell", CELLS)
def test_all_text_of_cells_titles_and_items_is_accounted_for(cell):
    table = f"| {cell} | Maker |\n|--|--|\n| track | {cell} |\n| {cell} | x |\n"
    rest = f"- {cell}\n- b {cell}\n\n> Note: {cell}\n\n**{cell}**\n\n[^1]: Note words.\n"
    result = imported(
        f"# 1 Moving\n\n## 1.1 Roads {cell}\n\nA road.\n\n{table}\n{rest}\n## 1.2 Fords\n\nTwo.\n"
    )
    assert not result.report.lost


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("rules.adoc", "asciidoctor -o rules.html rules.adoc"),
        ("rules.tex", "pandoc --number-sections rules.tex -o rules.docx"),
        ("rules.rst", "pandoc rules.rst -o rules.docx"),
        ("rules.odt", "pandoc rules.odt -o rules.docx"),
        ("rules.typ", "pandoc --number-sections rules.typ -o rules.docx"),
        ("rules.doc", "soffice --headless --convert-to docx rules.doc"),
        ("rules.csv", "rulewright import table rules.csv"),
        ("rules.xlsx", "save it as CSV and try rulewright import table rules.xlsx"),
        ("rules.png", "save it as DOCX, HTML, Markdown, PDF or plain text"),
    ],
)
def test_what_is_not_read_is_refused_with_what_helps(name, advice, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ContentErrors) as refused:
        imported("Carts wait.\n", name)
    (problem,) = refused.value.problems
    assert problem.code == "import-document-unreadable"
    assert advice in problem.message


PIXEL = b"\x89PNG\r\n\x1a\n" + bytes(range(9)) * 9


@pytest.mark.parametrize("width", [20, 76, 1000])
@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_a_picture_in_a_data_uri_comes_along(kind, width):
    data = "\n".join(wrap(b64encode(PIXEL).decode(), width))
    rules = "".join(f"<h3>1.{at} Part</h3>\n<p>Words (1.1).</p>\n" for at in range(1, 4))
    shown = f'<p><img alt="A pond" src="data:image/{kind};base64,{data}"></p>\n<p>Last.</p>'
    html = f"<h2>1 Ground</h2>\n{rules}{shown}"
    result = imported(html, "book.html")
    ((name, data),) = result.copies.items()
    assert data == PIXEL
    assert name.endswith("/pictures/picture-1." + kind.replace("jpeg", "jpg"))
    assert "![A pond](../pictures/picture-1." in str(chapters(result))
    assert not result.report.lost
