"""A small book for the commands, and the messages about its errors."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.files.problems import SourceLocation
from rulewright.references.content_page import MARK, LinkedPage, PageReference
from rulewright.render.build_artifacts import Artifacts, Counts, NavItem, PageSection
from tests.page_fixtures import site_page

BOOK = {
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\n',
    "content/duel/1/edition.yml": 'edition: "1"\n',
    "content/duel/1/known.yml": (
        'known:\n  - {number: "1.0", title: Swords}\n  - {number: "1.1", title: Parry}\n'
        '  - {number: "1.1a"}\n  - {number: "1.2", title: Lunge}\n'
    ),
    "content/duel/1/sequence.yml": 'title: Order\nsteps:\n  - phase: Fight\n    see: "1.1"\n',
}
FAULTY = 'title: Order\nsteps:\n  - phase: Fight\n    see: "1.1, 1.9"\n'
MISSING = "content/duel/1/sequence.yml:4:16: error: no rule 1.9; 1.0 ends at 1.2 [reference-not-found]\n"


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def printed(output: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """Return the standard output of a command that ends with a code."""
    assert main([*words]) == code
    return output.readouterr().out


def errors_of(output: pytest.CaptureFixture[str], *words: str, code: int = 1) -> str:
    """Return the standard error of a command, mostly its problems."""
    assert main([*words]) == code
    return output.readouterr().err


PAGE = site_page(
    "duel/1",
    "Duel 1",
    "<h1>Duel 1</h1>",
    (PageSection("a", "A", 1, "words"),),
    SourceLocation("content/duel/1/edition.yml", 2),
)
BUILT = Artifacts(
    pages=(site_page("", "Home", "<h1>Home</h1>"), PAGE),
    linked_pages={
        "content/duel/faq.md": LinkedPage(f"See {MARK.format(0)}\n", (PageReference("../1/#1.1", "1.1"),))
    },
    files={"r/duel/1/1.1/index.html": "<p>", "map.svg": b"<svg/>"},
    nav=(NavItem("Duel 1", "duel/1", (NavItem("FAQ", "duel/faq"),)),),
    counts=Counts(3, 4, 5),
)
