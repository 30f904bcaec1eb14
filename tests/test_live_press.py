"""Sheets under `serve`: printed when they are asked for, of what the content says then, and no more often."""

from pathlib import Path
from typing import Any

import pytest

from rulewright.app.dev_server import DevServer
from rulewright.app.on_demand_printing import OnDemandPrinter
from rulewright.checks.load_and_check import load_and_check
from rulewright.print import typst_compiler
from rulewright.render.build_artifacts import PrintedFiles
from rulewright.render.render_context import RenderContext
from tests.commands.duel import write
from tests.test_press import BOOK

pytestmark = pytest.mark.skipif(bool(typst_compiler.missing()), reason=typst_compiler.missing())

CARD, RULEBOOK = "duel/1/aids/card", "duel/1/rulebook"
NUMBERED = {"content/duel/1/aids/card-2.yml": "title: Second\nblocks:\n  - notes: A bow ends it.\n"}


@pytest.fixture
def project(tmp_path):
    return write(tmp_path, BOOK | NUMBERED)


def take(press: OnDemandPrinter, project: Path) -> PrintedFiles:
    """Have a press print of what a project's content says now; all that it promises."""
    examined = load_and_check(project)
    return press.set_content(RenderContext(examined.index), lambda: examined.problems)


@pytest.fixture
def set_pages(monkeypatch):
    """The templates that were set, one entry each time."""
    done: list[str] = []
    compile_ = typst_compiler.compile_pdf

    def counted(template: str, *rest: Any, **how: Any) -> Any:
        done.append(template)
        return compile_(template, *rest, **how)

    monkeypatch.setattr(typst_compiler, "compile_pdf", counted)
    return done


def test_a_sheet_is_set_when_it_is_asked_for_and_once(project, set_pages):
    press = OnDemandPrinter(project)
    promised = take(press, project)
    assert promised.sheets == {CARD: 1, f"{CARD}-2": 1, RULEBOOK: 0}
    assert set_pages == []
    first = press.respond(f"{CARD}.pdf")
    assert (first.type, first.data[:4]) == ("application/pdf", b"%PDF")
    set_first = [*set_pages]  # once more if there is room for larger type
    picture = press.respond(f"{CARD}.png")
    assert (picture.type, picture.data[1:4]) == ("image/png", b"PNG")
    assert set_pages == set_first
    assert {*set_first} == {"sheet.typ"}
    for unknown in (f"{CARD}-3.png", "duel/1/aids/other.pdf", "duel/1/index.html", "../secret.pdf", ""):
        assert press.respond(unknown) is None
    assert press.respond(f"{CARD}-2.png") != picture


def test_what_cannot_be_printed_says_so_where_it_would_be_seen(project):
    text = f"title: Card\npaper: a5\ncolumns: 2\nblocks:\n  - notes: {'W' * 200}\n"
    write(project, {"content/duel/1/aids/card.yml": text})
    serving = DevServer()
    serving.root = project / "site"
    serving.press = OnDemandPrinter(project)
    take(serving.press, project)
    serving.render = lambda name, words: f"<p>{name}: {[str(p) for p in words['problems']]}</p>"
    sent: list[Any] = []
    app = serving.wsgi_app(lambda environ, start: [b"the site"], base_path="/rules/")

    def get(path: str) -> tuple[str, dict[str, str], str]:
        body = b"".join(app({"PATH_INFO": path}, lambda *given: sent.append(given)))
        status, headers = sent[-1]
        return status, dict(headers), body.decode("utf-8", "replace")

    status, headers, body = get(f"/rules/{CARD}.png")
    assert status.startswith("422")
    assert "aid-too-wide" in body
    status, headers, body = get(f"/rules/{CARD}.pdf")
    assert status.startswith("422")
    assert "problems.html" in body
    assert "aid-too-wide" in (project / "site/problems/index.html").read_text("utf-8")
    assert serving.banner
    status, headers, _ = get(f"/rules/{CARD}-2.pdf")
    assert (status, headers["Content-Type"], headers["Cache-Control"]) == (
        "200 OK",
        "application/pdf",
        "no-store",
    )
