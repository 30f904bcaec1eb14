"""Without the extras the program checks and builds; a command that needs one says which to install."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest

from rulewright.app.cli import main
from run import ROOT
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
def game(tmp_path: Path) -> Path:
    assert main(["new", str(tmp_path / "game")]) == 0
    return tmp_path / "game"


def test_base_dependencies_are_the_nine() -> None:
    assert {name_of(one) for one in PROJECT["dependencies"]} == {
        "click", "jinja2", "markdown", "markdown-it-py", "mdit-py-plugins", "mkdocs", "mkdocs-material",
        "nh3", "pyyaml",
    }  # fmt: skip


def test_the_base_checks_and_builds(game: Path) -> None:
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
def test_a_command_names_the_extra_that_it_needs(command: str, extra: str, game: Path) -> None:
    for name in ("rules.pdf", "rules.docx"):
        (game / name).write_bytes(b"Any")
    done = run_base(*command.split(), project=game)
    assert done.returncode
    (line,) = done.stderr.splitlines()
    assert re.search(rf" needs the extra \[{extra}\]: pip install '\S+\[{extra}\]\S*'$", line)
