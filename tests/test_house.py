"""The house: the rooms keep their order, a check loads nothing heavy, files are named for what they are."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator/rulewright"

MODULES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if path.name != "__main__.py"
)
"""Every module by its name as it is imported."""

HEAVY = (
    "jinja2", "markdown", "mkdocs", "material", "pydantic", "livereload", "babel", "requests",
    "nh3", "typst", "pikepdf", "fontTools", "PIL", "segno",
)  # fmt: skip
"""What a check, which has to be quick, does without."""

VAGUE = ("utils", "util", "helpers", "common", "misc")


def test_every_room_imports_only_downward() -> None:
    """The contracts in pyproject.toml: the order of the rooms, MkDocs only in the app, no circles."""
    linted = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_nothing_is_found_by_its_place_in_memory() -> None:
    """A text is found by its `key`, which holds in another process and after the content is read anew."""
    found = {
        path.name for path in PACKAGE.rglob("*.py") if re.search(r"\bid\(|\(id,", path.read_text("utf-8"))
    }
    assert found == set()


def test_no_file_is_a_box_for_odds_and_ends() -> None:
    assert {name.rpartition(".")[2] for name in MODULES}.isdisjoint(VAGUE)


def test_a_check_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    script = (
        "import sys; from pathlib import Path; from rulewright.checks.examine import examine;"
        "examine(Path(sys.argv[1])); print(*sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not {module.partition(".")[0] for module in run.stdout.split()}.intersection(HEAVY)
