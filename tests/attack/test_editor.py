"""The language server at odd places, of odd files: an answer to each request, and no fault of the server."""

import shutil
from pathlib import Path

import pytest

from tests.amount import TIMES
from tests.attack.requests_of_editors import PLACES, Asking, ask, type_on

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


def test_an_action_comes_back_with_any_place(tmp_path: Path) -> None:
    project = tmp_path.resolve() / "project"
    text, here = made(project), Asking(project)
    document = {"uri": (project / NAME).as_uri(), "languageId": "yaml", "version": 1, "text": text}
    here.send("textDocument/didOpen", {"textDocument": document})
    actions = [{"title": "x", "data": {"project": str(project), "at": place}} for place in PLACES]
    here.all([("codeAction/resolve", action) for action in actions])
    here.end()
    assert not here.faults
