"""The rooms of the house: each file imports only from rooms above its own, and none is too large."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

GENERATOR = Path(__file__).parent.parent / "generator"
MOST_LINES = 450

ROOMS = [
    "private", "turns", "disk", "amounts", "problems", "filenames", "colours", "syntax", "source", "edits",
    "tree", "writing", "inventory",
    "numbers", "kinship", "guessing", "levels", "evidence", "miswritten", "runs", "insets", "references",
    "paper", "keys", "look", "erratum", "amended", "model", "step", "table", "aid", "redirects", "dice",
    "reader",
    "settings", "folder", "repository", "elsewhere", "lineage", "dialects", "filing", "series", "derived",
    "library",
    "sequence", "outline", "roles", "sheet", "remark", "lookup", "meaning", "concerns", "texts", "citations",
    "amending", "retirement", "overrides", "addresses", "forwarding",
    "frontmatter", "manuscript", "survey", "paragraphs", "prose", "versions", "marked", "names", "glossary",
    "spellings",
    "changes",
    "passages", "drift",
    "looks", "facts", "walk", "along", "matrix", "checklist", "blocks",
    "checks", "excuses", "consequences",
    "reports", "layout", "exports", "schema", "preflight",
    "artifacts", "policy", "coverage", "diagram", "desk", "relations", "compositor", "proof",
    "navigation", "catalogue",
    "jump", "pages",
    "guide", "harmless", "signposts", "offline", "portable",
    "imposition", "pictures", "printer", "aids", "measure", "fitting", "galley", "volume", "ebook", "press",
    "build", "impact", "editing", "staging", "safekeeping", "serving", "site",
    "transcript", "hugo",
    "commands", "cli",
]  # fmt: skip
"""Every room in its order. A folder is one room; inside of it any order will do that is no circle."""

HEAVY = (
    "jinja2", "markdown", "mkdocs", "material", "pydantic", "livereload", "babel", "requests",
    "nh3", "weasyprint", "pikepdf", "fontTools", "PIL", "segno",
)  # fmt: skip
"""What a check, which has to be quick, does without."""

RIM = {"site", "serving", "commands.build", "commands.serve"}
"""Where the host that serves the pages is known."""

VAGUE = ("utils", "util", "helpers", "common", "misc")


def modules() -> dict[str, Path]:
    """Every file of the generator by its name as it is imported, without `generator.`."""
    found = {}
    for path in sorted(GENERATOR.rglob("*.py")):
        name = ".".join(path.relative_to(GENERATOR).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    found.pop("__init__")
    return found


MODULES = modules()


@cache
def imported(name: str) -> list[tuple[str, int]]:
    """The modules that a module imports, wherever in it, with their lines."""
    found: list[tuple[str, int]] = []
    for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
    return found


def own(name: str) -> Iterator[tuple[str, int]]:
    """The generator's own modules that a module imports."""
    for what, line in imported(name):
        within = what.removeprefix("generator.")
        if what != within:
            yield within if within in MODULES else within.rpartition(".")[0], line


def room(name: str) -> str:
    return name.partition(".")[0]


def test_every_room_is_declared() -> None:
    assert {room(name) for name in MODULES} <= set(ROOMS), "ROOMS lists every room in its order"


def test_imports_only_from_rooms_above() -> None:
    place = {name: at for at, name in enumerate(ROOMS)}
    back = [
        f"{name}, line {line}: {other} is no room above"
        for name in MODULES
        for other, line in own(name)
        if room(other) != room(name) and place[room(other)] > place[room(name)]
    ]
    assert not back, "\n".join(back)


def test_imports_go_in_no_circle() -> None:
    try:
        TopologicalSorter({name: {other for other, _ in own(name)} for name in MODULES}).prepare()
    except CycleError as circle:
        pytest.fail(" imports ".join(reversed(circle.args[1])))


def test_only_the_rim_knows_the_host() -> None:
    rim = [
        name for name in MODULES if any(room(what) in ("mkdocs", "material") for what, _ in imported(name))
    ]
    assert {name if room(name) == "commands" else room(name) for name in rim} <= RIM


def test_every_file_can_be_seen_at_once() -> None:
    lines = {name: len(path.read_text("utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}
    assert {name.rpartition(".")[2] for name in MODULES}.isdisjoint(VAGUE)


def test_a_check_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "content").mkdir()
    script = (
        "import sys; from pathlib import Path; from generator.build import examine;"
        "examine(Path(sys.argv[1])); print(*sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=GENERATOR.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {room(module) for module in run.stdout.split()}.intersection(HEAVY)
