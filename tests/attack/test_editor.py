"""The language server at odd places, of odd files: an answer to each request, and no fault of the server."""

import shutil
from pathlib import Path

import pytest

from tests.amount import TIMES
from tests.attack.requests_of_editors import ask, type_on

BOOK = Path(__file__).parent / "book"
NAME = "content/duel/2/rules/1.yml"


def made(project: Path) -> str:
    """The project, and the text of a chapter there with signs of more than one code unit."""
    shutil.copytree(BOOK, project)
    (project / "mkdocs.yml").write_text("site_name: x\n")
    return (project / NAME).read_text("utf-8").replace("text: ", "text: 🜂🜂 é ", 3)


@pytest.mark.parametrize("seed", range(TIMES))
def test_every_request_is_answered_wherever_it_is_about(tmp_path: Path, seed: int) -> None:
    project = tmp_path.resolve() / "project"
    text = made(project)
    asked, faults = ask(project, text, NAME, 600, seed)
    assert asked >= 600
    assert not faults, "\n".join(faults[:5])


@pytest.mark.parametrize("seed", range(TIMES))
def test_whatever_is_typed_and_asked_in_turn(tmp_path: Path, seed: int) -> None:
    project = tmp_path.resolve() / "project"
    text = made(project)
    said, faults = type_on(project, text, NAME, 150, seed)
    assert said >= 150
    assert not faults, "\n".join(faults[:5])
