"""The set-up: when it installs, what it hands over to, and that the locks are what they should be."""

import itertools
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

import run

TOP = Path(run.__file__).parent
BUILD = (run.LOCK, run.PROJECT)
ALL = (run.LOCK, run.PROJECT, run.TEST_LOCK)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of the three files that are installed from, for run.py to work in."""
    for name in ALL:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {name}\n", "utf-8")
    for name in ("VENV", "SCRIPTS", "PYTHON", "STAMP"):
        monkeypatch.setattr(run, name, tmp_path / getattr(run, name).relative_to(run.ROOT))
    monkeypatch.setattr(run, "ROOT", tmp_path)
    return tmp_path


@pytest.fixture
def attempts(checkout, monkeypatch):
    """The stages that were gone through, none of which does anything but making the folder."""
    lines: list[str] = []

    def attempt(line: str, command: Sequence[str | Path]) -> None:
        lines.append(line)
        run.PYTHON.parent.mkdir(parents=True, exist_ok=True)
        run.PYTHON.touch()

    monkeypatch.setattr(run, "attempt", attempt)
    return lines


VENV_LINE = "Creating .venv/"
LOCK_LINE, PROJECT_LINE, TESTS_LINE = (run.INSTALLS[source][0] for source in ALL)


def test_the_first_run_installs_in_order_and_the_second_nothing(attempts):
    run.set_up(*BUILD)
    assert attempts == [VENV_LINE, LOCK_LINE, PROJECT_LINE]
    run.set_up(*BUILD)
    assert len(attempts) == 3


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (run.LOCK, [VENV_LINE, LOCK_LINE, PROJECT_LINE, TESTS_LINE]),
        (run.PROJECT, [PROJECT_LINE]),
        (run.TEST_LOCK, [TESTS_LINE]),
    ],
)
def test_a_changed_file_is_installed_from_again(checkout, attempts, changed, expected):
    run.set_up(*ALL)
    attempts.clear()
    (checkout / changed).write_text("# another\n", "utf-8")
    run.set_up(*ALL)
    assert attempts == expected


SPOILED = {
    "another Python": lambda monkeypatch: monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399"),
    "no Python": lambda monkeypatch: run.PYTHON.unlink(),
    "a damaged stamp": lambda monkeypatch: run.STAMP.write_text('{"requirements.txt": ', "utf-8"),
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_an_environment_that_cannot_be_trusted_is_made_anew(attempts, monkeypatch, spoil):
    run.set_up(*BUILD)
    attempts.clear()
    spoil(monkeypatch)
    run.set_up(*BUILD)
    assert attempts == [VENV_LINE, LOCK_LINE, PROJECT_LINE]


def test_a_python_that_is_too_old_is_told_so():
    as_310 = f"import sys; sys.version_info = (3, 10, 4); import runpy; runpy.run_path({run.__file__!r})"
    result = subprocess.run([sys.executable, "-c", as_310], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.splitlines()[0] == "Rulewright needs Python 3.11 or newer; this is 3.10."


def test_a_command_is_about_where_the_caller_stands(tmp_path):
    """Also where that has a folder of the same name as ours."""
    (tmp_path / "rulewright").mkdir()
    (tmp_path / "rulewright/__main__.py").write_text("print('another')")
    command = [sys.executable, run.__file__, "check"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"no project here: neither {tmp_path} nor" in done.stderr


PIN = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; [^\\]+)?"
    r"(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n",
    re.MULTILINE,
)


def pins(lock: str) -> dict[str, str]:
    return {pin["name"]: pin["version"] for pin in PIN.finditer((TOP / lock).read_text("utf-8"))}


@pytest.mark.parametrize("lock", [run.LOCK, run.TEST_LOCK])
def test_a_lock_is_hashed_throughout_and_names_no_address(lock):
    text = (TOP / lock).read_text("utf-8")
    assert [line for line in PIN.sub("", text).splitlines() if not line.startswith("    #")] == []
    assert "//" not in text


def test_the_two_locks_agree():
    build, tests = pins(run.LOCK), pins(run.TEST_LOCK)
    shared = build.keys() & tests.keys()
    assert shared
    assert {name: build[name] for name in shared} == {name: tests[name] for name in shared}


def test_the_lock_is_made_from_what_the_project_declares():
    project = tomllib.loads((TOP / run.PROJECT).read_text("utf-8"))
    declared = {
        *project["project"]["dependencies"],
        *itertools.chain(*project["project"]["optional-dependencies"].values()),
        *project["build-system"]["requires"],
    }
    lines = (TOP / "requirements.in").read_text("utf-8").splitlines()
    assert {line for line in lines if line and not line.startswith("#")} == {
        requirement.replace("_", "-") for requirement in declared
    }
