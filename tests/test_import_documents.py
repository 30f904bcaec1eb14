"""Rulebooks in one document: what is known of each beforehand is found in its rules."""

import re
import tempfile
from base64 import b64encode
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.importers.document import read_document
from rulewright.importers.website.site_import import Import, Request, import_site
from tests.plain_chapter import plain_chapter


def imported(text: str | bytes, name: str = "book.md", dialect: tuple[str, ...] = ()) -> Import:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return import_site(read_document(path), Request("b", "1", "T", dialect), "x", lambda *_: None)


def chapters(made: Import) -> list[Any]:
    assert not made.refused, [str(one) for one in made.refused]
    return [plain_chapter(data) for name, data in sorted(made.files.items()) if "/rules/" in name]


def numbers(made: Import) -> list[str]:
    def walk(rule: Any) -> Any:
        yield str(rule.get("number", rule.get("chapter")))
        for inner in rule.get("rules", ()):
            yield from walk(inner)

    return [number for chapter in chapters(made) for number in walk(chapter)]


LABELS = st.lists(
    st.tuples(
        st.sampled_from(["", "", "", "Rule ", "Appendix ", "§", "[", "("]),
        st.lists(
            st.sampled_from([*"0129AaBbIiVv", "10", "12", "II", "iv", "01", "702"]), min_size=1, max_size=5
        ),
        st.sampled_from([".", ".", "-", ":", "", "("]),
        st.booleans(),
    ).map(lambda one: (one[0] + one[2].join(one[1]), one[3])),
    min_size=1,
    max_size=8,
)


@given(LABELS, st.sampled_from([(), ("1.1",), ("1.1.1", "I.1.1"), ("A1a", "1.1a")]))
@settings(
    max_examples=8 * settings().max_examples // 3, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_whatever_the_labels_are_there_is_a_book_or_a_problem(labels: Any, dialect: Any) -> None:
    text = "".join(f"## {one} Title\n\nWords.\n\n" if big else f"**{one}** Words.\n\n" for one, big in labels)
    made = imported(text, dialect=dialect)
    assert made.refused or (made.files and not made.receipt.lost)
    assert made.refused or not any(account.gained for account in made.receipt.accounts)


@pytest.mark.parametrize("form", ["**{}** Words of it.", "## {} Title"])
@pytest.mark.parametrize(
    "labels",
    ["9.2.2.1 9.2.2.2 I.12.2 I.12.3", "1.1 1.2 A1 A2", "1.1 1.2 I.12.2 I.12.3 II.1", "1a 1b I.1 I.2"],
)
def test_a_further_row_of_chapters_that_no_heading_names(labels: str, form: str) -> None:
    made = imported("# Book\n\n" + "\n\n".join(map(form.format, labels.split())))
    assert {*labels.split()} <= {*numbers(made)}
    assert not [one for one in made.receipt.checked if not one.code.startswith("number-")]


@pytest.mark.parametrize(
    ("word", "heads"),
    [("", "A B C"), ("", "A. B. C."), ("Article ", "A: B: C:"), ("Appendix ", "A B C"), ("", "I II III")],
)
def test_chapters_of_another_shape_behind_the_first(word: str, heads: str) -> None:
    firsts = [head.strip(".:") for head in heads.split()]
    rules = "".join(f"**{{0}}.{at}** Words (see {firsts[0]}.1).\n\n" for at in (1, 2, 3, 4))
    text = "".join(f"## {n} Part\n\n{rules.format(n)}" for n in (1, 2))
    for head, first in zip(heads.split(), firsts, strict=True):
        text += f"## {word}{head} Other\n\n**{first}.1** Words (see 1.1).\n\n**{first}.2** More.\n\n"
    made = imported(f"# Races\n\n{text}")
    assert len(chapters(made)) == 5
    assert {f"{first}.2" for first in firsts} <= {*numbers(made)}
    assert made.receipt.counts["references"] == 11
    assert not made.receipt.excused
    assert not made.receipt.checked


def test_no_excuse_for_a_number_that_the_source_prints_as_a_label() -> None:
    made = imported(
        "# 1 Part\n\n## 1.1 One\n\nSee 3.1 and 1.9.\n\n## 1.2 Two\n\nWords.\n\n**3.1** No rule here.\n"
    )
    excuses = yaml.safe_load(made.files["content/b/1/edition.yml"]).get("excused", [])
    assert numbers(made) == ["1", "1.1", "1.2"]
    assert [one["at"] for one in excuses] == ["1.9"]
    assert "3.1" in {one.about for one in made.receipt.checked}


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
    assert made.receipt.counts["references"] == 1
    assert not made.receipt.lost


@pytest.mark.parametrize("body", ["## 5.1 Roads\n\nWords.\n", "**5.1** Words.\n", "Words alone.\n"])
def test_a_number_in_the_title_of_a_chapter_is_one(body: str, tmp_path: Path) -> None:
    for number, name in ((5, "a"), (6, "b")):
        text = f"# {number} Part\n\n{body}\n## {number}.2 More\n\nWords.\n".replace("5.1", f"{number}.1")
        (tmp_path / f"{name}.md").write_text(text)
    made = import_site(read_document(tmp_path), Request("b", "1"), "x", lambda *_: None)
    assert [chapter["chapter"] for chapter in chapters(made)] == ["5", "6"]


NAMES = "rules rules-001 1 01 2 7-rules 2025 v1.2 1.1 1-1 A B-2 I IV chapter-3 section4 general points 12.5"


@pytest.mark.parametrize("text", [BOOK.format(title="Carts"), BOOK.split("\n\n", 1)[1], FLAT[11:]])
@pytest.mark.parametrize("ending", [".md", ".txt"])
def test_the_name_of_a_file_says_nothing_of_its_rules(text: str, ending: str) -> None:
    text = text if ending == ".md" else text.replace("#", "").replace("\n ", "\n")
    made = [imported(text, name + ending).files for name in NAMES.split()]
    assert made[0]
    assert [files for files in made if files != made[0]] == []


def test_a_number_in_a_name_counts_in_a_folder_of_several_and_never_against_the_text(tmp_path: Path) -> None:
    pages = {
        "rules-001": "## 1.1 A\n\nOne.\n\n## 1.2 B\n",
        "rules-002": "Two.\n",
        "rules-009": "## 3.1 C\n\nX.\n",
    }
    for name, text in pages.items():
        (tmp_path / f"{name}.md").write_text(text)
    made = import_site(read_document(tmp_path), Request("b", "1"), "x", lambda *_: None)
    assert [chapter["chapter"] for chapter in chapters(made)] == ["1", "2", "3"]


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
    made = import_site(read_document(tmp_path / "a/rules/book.md"), Request("b", "1"), "x", lambda *_: None)
    assert sorted(path.read_text() for path in made.copies.values()) == sorted(places)
    assert len({name.casefold() for name in made.copies}) == len(places)
    assert [address for _, _, address in made.receipt.missing] == ["../../far.png", "none.png"]


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
    assert not made.receipt.lost
    assert not any(account.gained for account in made.receipt.accounts)


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
    assert not made.receipt.lost
    assert not made.receipt.checked
    assert not any(account.gained for account in made.receipt.accounts)


RULES = "# Fens\n\n## 1 Ground\n\n### 1.1 Reeds\n\nCarts wait.\n\n{}\n\nMore is said in 1.2.\n\n"
RULES += "### 1.2 Ponds\n\nDeep.\n\n### 1.3 Carts\n\nSlow.\n"


@pytest.mark.parametrize(
    "table",
    [
        "| A | B |\n|---|---|\n| 1 | 2 |",
        "|   |   |\n|---|---|\n| Reeds | 2 |",
        "| Odds |\n|---|\n| 1 |\n| 2 |",
        "<table><tr><th>Odds</th><td>2</td></tr></table>",
    ],
)
def test_a_small_table_stays_a_table(table: str) -> None:
    made = imported(RULES.format(table))
    assert "notes" not in chapters(made)[0]["rules"][0]


@pytest.mark.parametrize("ends", ["  ", "\\"])
@pytest.mark.parametrize("label", ["{}) ", "({}) ", "{}. "])
def test_items_behind_hard_breaks_are_items(label: str, ends: str) -> None:
    lines = f"{ends}\n".join(f"{label.format(sign)}A road costs {sign}." for sign in "abc")
    made = imported(RULES.format(f"These hold:\n\n{lines}"))
    assert "A road costs a. b" not in str(chapters(made))
    text = next(data for name, data in made.files.items() if "/rules/" in name).decode()
    assert len(re.findall(r"A road costs [abc]\.\n", text)) == 3


def test_a_hard_break_in_a_sentence_joins_it() -> None:
    made = imported(RULES.format("A road  \nthat is long."))
    assert "A road that is long." in str(chapters(made))


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
        ("rules.xlsx", "rulewright import table rules.xlsx"),
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


@pytest.mark.parametrize(
    ("source", "numbered"), [(r"\section{Ground}", True), (r"\section{1.1 Ground}", False)]
)
def test_a_pandoc_reads_the_rest_and_counts_what_has_no_numbers(
    source: str, numbered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "".join(f"<h2>1.{at} Part</h2><p>Words (1.1).</p>" for at in range(1, 6))
    tool = tmp_path / "pandoc"
    tool.write_text(f'#!/bin/sh\necho "$*" > {tmp_path}/said\necho "<h1>1 Ground</h1>{rules}"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    made = imported(source, "rules.tex")
    assert numbers(made) == ["1", *(f"1.{at}" for at in range(1, 6))]
    assert ("--number-sections" in (tmp_path / "said").read_text()) is numbered


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
    assert not made.receipt.lost


@pytest.mark.parametrize("form", ["![A pond]({})", "<img alt='A pond' src='{}'>"])
def test_a_picture_in_a_data_uri_of_markdown_comes_along(form: str) -> None:
    text = form.format(f"data:image/png;base64,{b64encode(PIXEL).decode()}")
    made = imported(RULES.format(text))
    assert [path.read_bytes() for path in made.copies.values()] == [PIXEL]
    assert "![A pond](../pictures/picture-1.png)" in str(chapters(made))


def test_data_that_is_none_is_no_picture() -> None:
    html = '<h3>1.1 Part</h3><p>Words.<img src="data:image/png;base64,a"></p><h3>1.2 Part</h3><p>So.</p>'
    assert not imported(html, "book.html").copies
