"""The press while someone edits: each sheet is set once, and again when it is made of something else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from rulewright.app.cli import main
from rulewright.app.commands import aids
from rulewright.app.serving import Serving
from rulewright.print import typesetting
from tests.test_press import BOOK

pytestmark = pytest.mark.skipif(bool(typesetting.missing()), reason=typesetting.missing() or "-")

BACK = "title: Two Pages\npaper: 105 x 148 mm\npages: 2\nblocks:\n  - sequence\n"
BACK += "  - notes: Parry.\n    starts: page\n"
CARD, TWO, WHOLE = "duel/1/aids/card", "duel/1/aids/two", "duel/1/rulebook"


class Served:
    """A project that is served, without a server: rebuilt after each edit, and asked for files."""

    def __init__(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project, self.set = project, list[str]()
        self.serving = Serving()
        self.serving.root = project / "served"
        compile = typesetting.compile

        def counted(template, data, pictures):
            self.set.append(data["title"] if template == "sheet.typ" else "the book")
            return compile(template, data, pictures)

        monkeypatch.setattr(typesetting, "compile", counted)

        def missing(environ, start):
            start("404 Not Found", [])
            return [b""]

        self.app = self.serving.app(missing, mount="/rules/")

    def get(self, path: str) -> bytes:
        said: dict[str, str] = {}

        def start(status, headers):
            said.update(headers, status=status)

        body = b"".join(self.app({"PATH_INFO": f"/rules/{path}"}, start))
        return body if said["status"] == "200 OK" else b""

    def write(self, name: str, old: str, new: str) -> None:
        path = self.project / "content/duel" / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Served:
    for name, text in (BOOK | {"content/duel/1/aids/two.yml": BACK}).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    made = Served(tmp_path, monkeypatch)
    made.serving.run(tmp_path, "https://duel.example/rules/")
    assert not made.serving.fault
    assert not [p for p in made.serving.artifacts.problems if p.fails]
    return made


def page_of(served: Served, path: str) -> str:
    return next(page.html for page in served.serving.artifacts.pages if page.path == path)


def test_a_sheet_is_set_when_it_is_asked_for_and_once(served: Served) -> None:
    assert served.set == []
    assert served.get(f"{CARD}.pdf").startswith(b"%PDF")
    assert served.get(f"{CARD}.png")[1:4] == b"PNG"
    assert served.set == ["Card"]
    assert len(PdfDocument(served.get(f"{WHOLE}.pdf"))) > 1
    assert served.set == ["Card", "the book"]
    assert served.get("duel/1/aids/none.pdf") == served.get("content/secret.pdf") == b""


def test_its_page_shows_a_picture_of_each_of_its_pages_beside_the_pdf(served: Served) -> None:
    page = page_of(served, TWO)
    assert page.count("<img") == 2
    for file in ("two.pdf", "two.png", "two-2.png"):
        assert f"../{file}" in page or f"aids/{file}" in page
        assert served.get(f"duel/1/aids/{file}")
    assert served.get(f"{TWO}.png") != served.get(f"{TWO}-2.png")
    assert served.get(f"{TWO}-3.png") == b""


def test_an_edit_sets_again_what_shows_it_and_nothing_else(served: Served) -> None:
    served.serving.press.catch_up(lambda: None, quiet=0).join()
    assert sorted(served.set) == ["Card", "Two Pages", "the book"]
    before = served.get(f"{TWO}-2.png")
    served.set.clear()
    served.write("1/aids/two.yml", "Parry", "Thrust")
    served.serving.run(served.project, "https://duel.example/rules/")
    assert served.get(f"{TWO}-2.png") != before
    assert served.get(f"{CARD}.pdf").startswith(b"%PDF")
    served.serving.press.catch_up(lambda: None, quiet=0).join()
    assert served.set == ["Two Pages"]


def test_what_cannot_be_printed_is_told_when_the_background_has_found_out(served: Served) -> None:
    served.write("1/aids/card.yml", "  - sequence", f"  - notes: {'A long duel. ' * 3000}")
    served.serving.run(served.project, "https://duel.example/rules/")
    shown = []
    served.serving.press.catch_up(lambda: shown.append(len(served.serving.press.problems)), quiet=0).join()
    assert [problem.code for problem in served.serving.press.problems] == ["aid-does-not-fit"]
    assert shown == [1, 1]
    assert served.get(f"{CARD}.pdf") == b""
    assert served.get(f"{TWO}.pdf").startswith(b"%PDF")


def test_watching_prints_again_what_an_edit_changes(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card = served.project / "print/duel/1/aids/two.pdf"
    seen: list[tuple[list[str], bytes]] = []

    def edits(project: Path) -> Iterator[None]:
        for new in ("Parry", "Thrust", "[unclosed\n  x: [", "Lunge"):
            path = project / "content/duel/1/aids/two.yml"
            path.write_text(BACK.replace("Parry", new), "utf-8")
            served.set.clear()
            yield
            seen.append((sorted(served.set), card.read_bytes()))

    monkeypatch.setattr(aids, "edits", edits)
    command = ["--project", str(served.project), "aids", "duel", "--watch"]
    assert main(command) == 0
    (first, one), (second, two), (broken, kept), (mended, three) = seen
    assert first == ["Card", "Two Pages", "the book"]
    assert second == mended == ["Two Pages"]
    assert broken == []
    assert kept == two
    assert len({one, two, three}) == 3
    said = capsys.readouterr()
    assert "1 sheet not printed, for the reasons above" in said.err
    assert said.out.count("two.pdf\n") == 3
    assert said.out.count("card.pdf\n") == 1
    assert not (served.project / "content/duel/1/printed").exists()


def test_edits_are_noticed_but_not_what_printing_records(tmp_path: Path) -> None:
    folder = tmp_path / "content/duel/1"
    (folder / "printed").mkdir(parents=True)
    (folder / "rules.yml").write_text("a")
    noticed: list[str] = []
    watched = aids.edits(tmp_path)
    next(watched)
    times = iter(["printed/card.txt", "", "rules.yml"])

    def wait(seconds: float) -> None:
        if name := next(times):
            (folder / name).write_text("edited")
        noticed.append(name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aids.time, "sleep", wait)
        next(watched)
    assert noticed == ["printed/card.txt", "", "rules.yml"]
