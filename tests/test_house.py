"""The house: the rooms keep their order, a check loads nothing heavy, files are named for what they are."""

import subprocess
import sys
from pathlib import Path

from rulewright.app.cli import main

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator/rulewright"

MODULES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if path.name != "__main__.py"
)
"""Every module by its name as it is imported."""

HEAVY = {
    "jinja2", "markdown", "markdown_it", "mkdocs", "material", "pydantic", "livereload", "babel", "requests",
    "nh3", "typst", "pikepdf", "PIL", "segno", "email",
}  # fmt: skip
"""What a check of a new game, which has to be quick, does without."""


def test_every_room_imports_only_downward():
    """The contracts in pyproject.toml: the order of the rooms, MkDocs only in the app, no circles."""
    linted = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_each_slow_test_is_there():
    """A name that no test has any more would let the test that has taken its place be quick."""
    for name in (ROOT / "tests/slow.txt").read_text("utf-8").split():
        file, _, test = name.partition("::")
        assert f"def {test}(" in (ROOT / file).read_text("utf-8"), name


def test_a_check_of_a_new_game_imports_only_what_it_has(tmp_path):
    game = tmp_path / "game"
    assert main(["new", str(game)]) == 0
    script = "import sys; from rulewright.app.cli import main; main(['check']); print(*sys.modules)"
    imported = set(_run(script, game).split())
    assert not {module.partition(".")[0] for module in imported} & HEAVY


def _run(script: str, project: Path) -> str:
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=project, capture_output=True, text=True, check=True
    )
    return run.stdout
