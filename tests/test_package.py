"""The package: its extras, where it was installed from, and its Python interface."""

import doctest
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

import rulewright
from rulewright import __version__
from rulewright.app import new_game
from rulewright.app.cli import main
from rulewright.files import install_origin
from run import ROOT
from tests.commands.duel import write
from tests.test_pictures import drawn

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BASE_ONLY = """
import json, sys
for name in json.loads(sys.argv.pop(1)):
    sys.modules.setdefault(name)  # so that its import fails
from rulewright.app.cli import main
sys.exit(main(sys.argv[1:]))
"""


def name_of(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-")


def closure(requirements: list[str]) -> Iterator[str]:
    """Iterate the names of packages that come with these requirements."""
    for requirement in requirements:
        if "extra ==" not in requirement and "_platform" not in requirement and "python_" not in requirement:
            yield name_of(requirement)
            yield from closure(requires(name_of(requirement)) or [])


def run_base(*command: str, project: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that can import the base dependencies alone."""
    base = {"rulewright", *closure(PROJECT["dependencies"])}
    others = [
        name for name, found in packages_distributions().items() if base.isdisjoint(map(name_of, found))
    ]
    script = [sys.executable, "-c", BASE_ONLY, json.dumps(others), *command]
    return subprocess.run(script, cwd=project, capture_output=True, text=True)


@pytest.fixture
def game(tmp_path):
    assert main(["new", str(tmp_path / "game")]) == 0
    return tmp_path / "game"


def test_the_base_checks_and_builds(game):
    (game / "content/map.png").write_bytes(drawn((900, 600)))
    (game / "content/map.md").write_text("# Map\n\n![The map](map.png)\n")
    for command in (["check"], ["build", "--no-print"]):
        done = run_base(*command, project=game)
        assert done.returncode == 0, done.stdout + done.stderr
    assert 'src="../map.png"' in (game / "site/map/index.html").read_text("utf-8")
    assert [file.name for file in (game / "site").glob("map.png*")] == ["map.png"]


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("aids", "pdf"),
        ("preflight rules.pdf", "pdf"),
        ("new other --from rules.docx", "import"),
        ("lsp", "editor"),
    ],
)
def test_a_command_names_the_extra_that_it_needs(command, extra, game):
    for name in ("rules.pdf", "rules.docx"):
        (game / name).write_bytes(b"Any")
    done = run_base(*command.split(), project=game)
    assert done.returncode
    (line,) = done.stderr.splitlines()
    assert re.search(rf" needs the extra \[{extra}\]: pip install '\S+\[{extra}\]\S*'$", line)


GIT = "https://example.org/rulewright.git"
CASES = {
    "": f"rulewright[pdf]=={__version__}",
    json.dumps({"url": GIT, "vcs_info": {"vcs": "git", "commit_id": "a" * 40}}): (
        f"rulewright[pdf] @ git+{GIT}@{'a' * 40}"
    ),
    json.dumps({"url": "https://example.org/r.whl", "archive_info": {}}): (
        "rulewright[pdf] @ https://example.org/r.whl"
    ),
    json.dumps({"url": "file:///srv/a%20clone", "dir_info": {}}): f"rulewright[pdf]=={__version__}",
}


@pytest.mark.parametrize(("noted", "words"), CASES.items())
def test_the_workflow_of_a_new_project_installs_the_same(noted, words, tmp_path, monkeypatch):
    """A newcomer pushes his project: the workflow gets the program from where he has it."""
    monkeypatch.setattr(
        install_origin,
        "distribution",
        lambda name: SimpleNamespace(version=__version__, read_text=lambda file: noted),
    )
    new_game.create_project(tmp_path / "g", "", "", None)
    assert f"- run: pip install '{words}'\n" in _workflow(tmp_path / "g")
    assert "references.lock merge=union" in (tmp_path / "g/.gitattributes").read_text("utf-8")
    command = f"pip install '{'/srv/a clone[pdf]' if 'file:' in noted else words}'"
    assert install_origin.missing_extra("this", "pdf", "no_such") == f"this needs the extra [pdf]: {command}"
    assert install_origin.missing_extra("this", "pdf", "json") == ""


def _workflow(project: Path) -> str:
    text = (project / ".github/workflows/rules.yml").read_text("utf-8")
    assert yaml.safe_load(text)["jobs"]
    return text


def test_one_address_is_that_of_the_project():
    """The package links to the URL of the site."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert f"site_url: {urls['Homepage']}" in (ROOT / "mkdocs.yml").read_text("utf-8")


BOOK = {
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1"\nchapters: ["1.0"]\n',
    "content/duel/1/edition.yml": 'edition: "1"\n',
    "content/duel/1/sequence.yml": 'title: Order\nsteps:\n  - phase: Fight\n    see: "1.1"\n',
    "content/duel/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Swords\n'
        '"1.1 Parry": "Parry before you lunge (1.2 or 1.3)."\n'
        '"1.2 Lunge": Lunge once a turn.\n'
    ),
}


def test_the_example_does_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(write(tmp_path, BOOK))
    result = doctest.testmod(rulewright, globs={})  # as a program begins, to which `print` is no room
    assert result.attempted > 8
    assert result.failed == 0


@pytest.mark.parametrize("name", rulewright.__all__)
def test_every_public_name_is_there_and_documented(name):
    assert getattr(rulewright, name).__doc__


def test_importing_the_package_imports_no_room():
    script = "import sys, rulewright; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    assert [name for name in done.stdout.split() if name.startswith("rulewright")] == ["rulewright"]
