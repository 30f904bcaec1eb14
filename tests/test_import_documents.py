"""Rulebooks in one document: what is known of each beforehand is found in its rules."""

import re
import shutil
import tempfile
from base64 import b64encode
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
import yaml

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


def chapters(made: ImportResult) -> list[Any]:
    assert not made.refused, [str(one) for one in made.refused]
    return [plain_chapter(data) for name, data in sorted(made.files.items()) if "/rules/" in name]


def numbers(made: ImportResult) -> list[str]:
    def walk(rule: Any) -> Any:
        yield str(rule.get("number", rule.get("chapter")))
        for inner in rule.get("rules", ()):
            yield from walk(inner)

    return [number for chapter in chapters(made) for number in walk(chapter)]


BOOK = (
    "# {title}\n\n## 1 General\n\n### 1.1 Wheels\n\nTwo (see 2.1).\n\n### 1.2 Horses\n\nOne.\n\n"
    "## 2 Points\n\n### 2.1 Wins\n\nThree.\n"
)
FLAT = "# {title}\n\n## 1. General\n\nWords.\n\n## 2. Points\n\nMore (see 1).\n"


TITLES = (
    "2025 Rules, Rules 2025, 18 Rules, 44: The Bulge, 1066 — Hastings, Rules 2.1, 12.5 Rules, 1812, "
    "A Bridge, 2.1 Edition Rules, (1815) Rules, 3 Battles, 1 Day in June, 2 Player Game"
)


@pytest.mark.parametrize("title", TITLES.split(", "))
@pytest.mark.parametrize("body", [BOOK, BOOK.replace("## ", "# "), FLAT])
def test_a_number_in_the_title_is_no_chapter(title: str, body: str) -> None:
    made = imported(body.format(title=title))
    assert [chapter["title"] for chapter in chapters(made)] == ["General", "Points"]
    assert {str(chapter["chapter"]).strip(".") for chapter in chapters(made)} == {"1", "2"}
    assert made.report.counts["references"] == 1
    assert not made.report.lost


def test_pictures_come_along_from_where_the_file_says(tmp_path: Path) -> None:
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
    made = import_source(read_document(tmp_path / "a/rules/book.md"), ImportRequest("b", "1"), "x")
    assert sorted(path.read_text() for path in made.copies.values()) == sorted(places)
    assert len({name.casefold() for name in made.copies}) == len(places)
    assert [address for _, _, address in made.report.missing] == ["../../far.png", "none.png"]


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
def test_whatever_stands_in_cells_titles_and_items_is_accounted_for(cell: str) -> None:
    table = f"| {cell} | Maker |\n|--|--|\n| track | {cell} |\n| {cell} | x |\n"
    rest = f"- {cell}\n- b {cell}\n\n> Note: {cell}\n\n**{cell}**\n\n[^1]: Note words.\n"
    made = imported(
        f"# 1 Moving\n\n## 1.1 Roads {cell}\n\nA road.\n\n{table}\n{rest}\n## 1.2 Fords\n\nTwo.\n"
    )
    assert not made.refused
    assert not made.report.lost
    assert not made.report.account.gained


TABLE = "| Die | {0} |\n|---|---|\n| 1 | {0}miss |\n| 2 | {0}hit |\n"


@pytest.mark.parametrize(
    "between", ["", "In rain:\n\n", "- an item\n- another\n\n", "(a) One.\n\n(b) Two.\n\n"]
)
@pytest.mark.parametrize("count", [2, 3])
def test_several_tables_stand_where_they_stood_in_their_rule(between: str, count: int) -> None:
    tables = f"\n{between}".join(TABLE.format(f"kind{at}") for at in range(count))
    made = imported(
        f"## 1.1 Fire\n\nFirst.\n\n{tables}\nThen see 1.2.\n\n## 1.2 Nerve\n\n{TABLE.format('Nerve')}"
    )
    fire, nerve = chapters(made)[0]["rules"]
    texts = f"{fire['text']}{fire.get('closing', '')}"
    shown = re.findall(r"!\[Fire\]\(\.\./(tables/[\w-]+\.yml)\)", texts)
    files = [yaml.safe_load(made.files[f"content/b/1/{name}"]) for name in shown]
    assert [file["columns"][1] for file in files] == [f"kind{at}" for at in range(count)]
    assert texts.index("First.") < texts.index("![Fire]") < texts.rindex("![Fire]") < texts.index("Then see")
    assert "![" not in nerve.get("text", "")
    assert not made.report.lost
    assert not made.report.checked
    assert not made.report.account.gained


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
def test_what_is_not_read_is_refused_with_what_helps(
    name: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    (problem,) = imported("Carts wait.\n", name).refused
    assert problem.code == "import-document-unreadable"
    assert advice in problem.message


PIXEL = b"\x89PNG\r\n\x1a\n" + bytes(range(9)) * 9


@pytest.mark.parametrize("width", [20, 76, 1000])
@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_a_picture_in_a_data_uri_comes_along(kind: str, width: int) -> None:
    data = "\n".join(wrap(b64encode(PIXEL).decode(), width))
    rules = "".join(f"<h3>1.{at} Part</h3>\n<p>Words (1.1).</p>\n" for at in range(1, 4))
    shown = f'<p><img alt="A pond" src="data:image/{kind};base64,{data}"></p>\n<p>Last.</p>'
    html = f"<h2>1 Ground</h2>\n{rules}{shown}"
    made = imported(html, "book.html")
    ((name, path),) = made.copies.items()
    assert path.read_bytes() == PIXEL
    assert name.endswith("/pictures/picture-1." + kind.replace("jpeg", "jpg"))
    assert "![A pond](../pictures/picture-1." in str(chapters(made))
    assert not made.report.lost


def sound(made: ImportResult) -> None:
    """Hold an import against its promise: no word is lost, and its own check takes the book."""
    assert not made.refused, made.refused[0].message
    assert not made.report.lost
    assert not [str(one) for one in made.report.checked]
