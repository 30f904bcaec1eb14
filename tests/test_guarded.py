"""All that a build reads and writes has a check that guards it, and nothing else is read or written."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.content_check import check
from rulewright.source.folder import gather
from rulewright.source.store import of_project
from tests.guarded import PROJECT, READ, WRITTEN, Guarded

_WATCHED = """
import os, sys, json
opened, top = set(), os.path.join(os.path.realpath("."), "")
def hook(event, given):
    if event == "open" and isinstance(given[0], (str, bytes)) and not set(str(given[1])) & set("wax+"):
        path = os.path.realpath(os.fsdecode(given[0]))
        if path.startswith(top):
            opened.add(path.removeprefix(top))
sys.addaudithook(hook)
from rulewright.app.cli import main
code = main(["build", "--strict", "--no-print"])
print(json.dumps([code, sorted(opened)]))
"""


def make(folder: Path) -> Path:
    assert main(["new", str(folder)]) == 0
    write(folder, PROJECT)
    assert main(["check", "--project", str(folder), "--accept"]) in (0, None)
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[str]]:
    """What a build of a project with everything opened in it, and what it left."""
    folder = make(tmp_path_factory.mktemp("guarded") / "base")
    done = subprocess.run([sys.executable, "-c", _WATCHED], cwd=folder, capture_output=True, text=True)
    code, opened = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stdout + done.stderr
    site = folder / "site"
    left = [path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()]
    made = (f"{os.path.basename(site)}/", ".site.")
    return [name for name in opened if not name.startswith(made)], left


def unlisted(names: list[str], entries: tuple[Guarded, ...]) -> Iterator[str]:
    patterns = {one.files for one in entries}
    for name in names:
        # A star stands for folders too: what matters is that somebody thought of the file.
        if not any(fnmatchcase(name, pattern.replace("**/", "*")) for pattern in patterns):
            yield name


def test_all_that_is_read_is_on_the_list(built: tuple[list[str], list[str]]) -> None:
    opened, _ = built
    assert {*PROJECT} - {*opened} == {"content/table.txt"} - {*opened}
    others = tuple(one for one in READ if one.files != "content/**")
    assert {*unlisted(opened, others)} <= {"content/own.css", "content/table.txt"}


def test_all_that_is_written_is_on_the_list(built: tuple[list[str], list[str]]) -> None:
    _, left = built
    assert [*unlisted(left, WRITTEN)] == [".rulewright-site"]


def test_every_entry_is_met(built: tuple[list[str], list[str]]) -> None:
    opened, left = built
    for entries, names in ((READ, [*opened, *PROJECT]), (WRITTEN, left)):
        for one in entries:
            pattern = one.files.replace("**/", "*")
            met = [*names, *one.wrong] if entries is READ else names
            if not one.files.endswith("moved.json"):  # which only a book with an older edition has
                assert any(fnmatchcase(name, pattern) for name in met), one


@pytest.mark.parametrize("one", [*READ, *WRITTEN], ids=lambda one: f"{one.files} {one.what}")
def test_every_entry_has_a_check(one: Guarded, tmp_path: Path) -> None:
    folder = make(tmp_path / "base")
    assert not [
        str(problem)
        for problem in check(gather(folder), of_project("examined", folder), folder).problems
        if problem.fails
    ]
    write(folder, one.wrong)
    found = check(gather(folder), of_project("examined", folder), folder).problems
    assert one.codes & {problem.code for problem in found if problem.fails}, list(map(str, found))
