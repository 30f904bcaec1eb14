"""The language server at odd places, of odd files: an answer to each request, and no fault of the server."""

import shutil
from pathlib import Path

import pytest

from tests.amount import TIMES
from tests.attack.requests_of_editors import ask

BOOK = Path(__file__).parent / "book"
NAME = "content/duel/2/rules/1.yml"


@pytest.mark.parametrize("seed", range(TIMES))
def test_every_request_is_answered_wherever_it_is_about(tmp_path: Path, seed: int) -> None:
    project = tmp_path.resolve() / "project"
    shutil.copytree(BOOK, project)
    (project / "mkdocs.yml").write_text("site_name: x\n")
    text = (project / NAME).read_text("utf-8").replace("text: ", "text: 🜂🜂 é ", 3)
    asked, faults = ask(project, text, NAME, 600, seed)
    assert asked >= 600
    assert not faults, "\n".join(faults[:5])
