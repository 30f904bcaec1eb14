"""Pictures that stand in a text are seen wherever the text is: on the site and on paper."""

import io
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from printing import RULEBOOK, book, order

from rulewright.app.build_pipeline import build
from rulewright.checks.load_and_check import CheckedProject
from rulewright.print.print_job import PrintOptions
from rulewright.print.rulebook_job import RulebookJob
from rulewright.render.render_context import RenderContext
from tests.commands.duel import write


def _no_file(name: str) -> bytes:
    raise FileNotFoundError(name)


PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
RULES = """chapter: "1.0"
title: Depots
text: |
  A depot ![D](../pictures/d.svg) is marked ![no picture](../pictures/gone.svg).

  ![A depot](../pictures/depot.svg "Full & <new>"){width=120 height=50%}

  ![Elsewhere](../../../../outside.svg)
"""


@pytest.fixture
def examined(tmp_path: Path) -> CheckedProject:
    names = ("pictures/d.svg", "pictures/depot.svg", "../../../outside.svg")
    write(tmp_path / "content/game/1", dict.fromkeys(names, PIXEL))
    return book(tmp_path, 'title: Card\nblocks:\n  - rules: ["1.0"]\n', **{"rules/1": RULES})


def shown(html: str) -> list[str]:
    """The pictures of a page and what stands in their place, in order."""
    found = re.findall(r"<img(?! class=.code.)[^<>]*>|<figcaption>[^<>]*|marked [^<>.]*", html)
    return [re.sub(r' loading="lazy"| class="icon"|(?<=")/', "", one) for one in found]


def pictures(folder: str) -> list[str]:
    return [
        f'<img src="{folder}d.svg" alt="D">',
        "marked no picture",
        f'<img src="{folder}depot.svg" alt="A depot" style="width: 120px; height: 50%; object-fit: contain">',
        "<figcaption>Full &amp; &lt;new&gt;",
        "<figcaption>Elsewhere",
    ]


def test_on_the_site(examined: CheckedProject, tmp_path: Path) -> None:
    page = next(page for page in build(tmp_path).pages if page.path == "game/1/1-depots")
    assert shown(page.html) == pictures("../pictures/")


def test_in_the_book(examined: CheckedProject, tmp_path: Path) -> None:
    def read(name: str) -> bytes:
        return (tmp_path / name).read_bytes()

    order = RulebookJob(
        examined.index.outlines["game/1"], RenderContext(examined.index), PrintOptions(), read
    )
    assert [*order.pictures] == [f"content/game/1/pictures/{name}.svg" for name in ("d", "depot")]
    made = order.make()
    assert made.problems == ()
    said = " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(made.pdf))
    for words in ("is marked no picture.", "Full & <new>", "Elsewhere"):
        assert words in " ".join(said.split())
    with pikepdf.open(io.BytesIO(made.pdf)) as pdf:
        alts = [str(one.Alt) for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and "/Alt" in one]
    assert sorted(alts) == ["A depot", "D"]


def test_a_picture_that_cannot_be_read_keeps_its_book_from_the_press(examined: CheckedProject) -> None:
    outline = examined.index.outlines["game/1"]
    made = RulebookJob(
        outline, RenderContext(examined.index), PrintOptions(), lambda name: b"no picture"
    ).make()
    assert not made.pdf
    assert {problem.code for problem in made.problems} == {"book-not-printable"}
    assert "depot.svg" in " ".join(problem.message for problem in made.problems)


def test_on_a_sheet(examined: CheckedProject, tmp_path: Path) -> None:
    sheet = order(examined, folder=tmp_path)
    assert [*sheet.pictures] == [f"content/game/1/pictures/{name}.svg" for name in ("d", "depot")]


TABLE = "id: {0}\ntitle: {0}\ncolumns: [Die, Loss]\nrows: [{{Die: '1', Loss: {0}-loss}}]\n"
TABLED = """chapter: "1.0"
title: Depots
text: |
  First, of ![wet](../tables/wet.yml).

  ![dry](../tables/dry.yml)

  Between.

  ![wet](../tables/wet.yml)

  Last ![gone](../tables/wett.yml).
"""
IN_PLACE = ["First", "dry-loss", "Between", "wet-loss", "Last"]


def test_a_table_stands_where_a_text_names_its_file(tmp_path: Path) -> None:
    files = {f"tables/{name}": TABLE.format(name) for name in ("dry", "wet")}
    made = book(tmp_path, 'title: Card\nblocks:\n  - rules: ["1.0"]\n', **{"rules/1": TABLED}, **files)
    wrong = [one.message for one in made.problems if one.code == "figure-not-found"]
    assert wrong == ["there is no table ../tables/wett.yml; did you mean wet.yml?"]
    ordered = RulebookJob(
        made.index.outlines["game/1"],
        RenderContext(made.index),
        PrintOptions(),
        lambda name: (tmp_path / name).read_bytes(),
    ).make()
    pages = pypdfium2.PdfDocument(ordered.pdf)
    printed = " ".join(page.get_textpage().get_text_range() for page in pages)
    page = next(page.html for page in build(tmp_path).pages if page.path == "game/1/1-depots")
    for words in (page, printed[printed.index("First") :]):
        assert re.findall("First|(?:dry|wet)-loss|Between|Last", words)[:5] == IN_PLACE
    assert re.search(r'<a [^<>]*href="[^"]*tables[^"]*#wet"[^<>]*>', page)
    assert [*order(made).pictures] == []


def test_what_closes_a_rule_comes_behind_the_rules_inside_it(tmp_path: Path) -> None:
    rules = """chapter: "1.0"
closing: Ends the chapter.
"1.1":
  closing: Ends 1.1.
  "1.1.1": First.
  "1.1.2": {text: Second., closing: Ends 1.1.2.}
"1.2": Third.
"""
    chapters = {"rules/1": rules, "rules/2": 'chapter: "2.0"\nclosing: Ends the book.\n'}
    made = book(tmp_path, rulebook=RULEBOOK.replace('"1.1"', '"1.1.1"'), **chapters)
    outline = made.index.outlines["game/1"]
    words = " ".join(RulebookJob(outline, RenderContext(made.index), PrintOptions(), _no_file).lines)
    said = re.findall(r"First|Second|Third|Ends [\d.]*\d|Ends the \w+", words)
    assert said == ["First", "Second", "Ends 1.1.2", "Ends 1.1", "Third", "Ends the chapter", "Ends the book"]
