"""The set-up: when it installs, what it hands over to, and that the locks are what they should be."""

import ast
import importlib.util
import itertools
import os
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
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
def attempts(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stages that were gone through, none of which does anything but making the folder."""
    lines: list[str] = []

    def attempt(line: str, command: Sequence[str | Path]) -> None:
        lines.append(line)
        run.PYTHON.parent.mkdir(parents=True, exist_ok=True)
        run.PYTHON.touch()

    monkeypatch.setattr(run, "attempt", attempt)
    return lines


VENV_LINE = "Making .venv/"
LOCK_LINE, PROJECT_LINE, TESTS_LINE = (run.INSTALLS[source][0] for source in ALL)


def test_the_first_run_installs_in_order_and_the_second_nothing(attempts: list[str]) -> None:
    run.set_up(*BUILD)
    assert attempts == [VENV_LINE, LOCK_LINE, PROJECT_LINE]
    run.set_up(*BUILD)
    assert len(attempts) == 3


def test_the_test_tools_come_on_top_of_what_the_build_has(attempts: list[str]) -> None:
    run.set_up(*BUILD)
    run.set_up(*ALL)
    assert attempts[3:] == [TESTS_LINE]
    run.set_up(*BUILD)
    assert len(attempts) == 4


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


def another_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399")


def python_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    run.PYTHON.unlink()


def stamp_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    run.STAMP.write_text('{"requirements.txt": ', "utf-8")


@pytest.mark.parametrize("spoil", [another_python, python_gone, stamp_damaged])
def test_an_environment_that_cannot_be_trusted_is_made_anew(attempts, monkeypatch, spoil):
    run.set_up(*BUILD)
    attempts.clear()
    spoil(monkeypatch)
    run.set_up(*BUILD)
    assert attempts == [VENV_LINE, LOCK_LINE, PROJECT_LINE]


@pytest.mark.parametrize(
    ("stopped_by", "expected"),
    [
        (KeyboardInterrupt(), [VENV_LINE, LOCK_LINE, PROJECT_LINE, TESTS_LINE]),  # who knows what is there
        (run.SetUpError("no network"), [TESTS_LINE]),  # pip took back what it had begun
    ],
)
def test_after_a_stop(attempts, monkeypatch, stopped_by, expected):
    def stop(line: str, command: Sequence[str | Path]) -> None:
        raise stopped_by

    run.set_up(*BUILD)
    with monkeypatch.context() as stopping:
        stopping.setattr(run, "attempt", stop)
        with pytest.raises(type(stopped_by)):
            run.set_up(*ALL)
    attempts.clear()
    run.set_up(*ALL)
    assert attempts == expected


def test_a_stage_that_fails_shows_the_tools_own_words(checkout, capsys):
    with pytest.raises(run.SetUpError, match="no such wheel"):
        run.attempt("Installing", [sys.executable, "-c", "import sys; sys.exit('no such wheel')"])
    assert capsys.readouterr() == ("", "Installing ...\n")


def test_a_python_without_ensurepip_is_told_the_package(attempts, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert run.main(["build"]) == run.SET_UP_FAILED
    assert "apt install python3-venv" in capsys.readouterr().err
    assert attempts == []


def test_a_python_that_is_too_old_is_told_so() -> None:
    as_310 = f"import sys; sys.version_info = (3, 10, 4); import runpy; runpy.run_path({run.__file__!r})"
    result = subprocess.run([sys.executable, "-c", as_310], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.splitlines()[0] == "Rulewright needs Python 3.11 or newer; this is 3.10."


def test_an_old_python_can_read_the_file_far_enough() -> None:
    ast.parse(Path(run.__file__).read_text("utf-8"), feature_version=(3, 7))


@pytest.mark.parametrize(
    ("words", "handed_over", "from_the_top"),
    [
        (["build", "--project", "."], ["-P", "-m", "rulewright", "build", "--project", "."], False),
        (["serve"], ["-P", "-m", "rulewright", "serve"], False),
        (["bench", "peers"], ["bench/run.py", "peers"], True),
        (["refs", "ocs/4.3", "a b.md"], ["-P", "-m", "rulewright", "refs", "ocs/4.3", "a b.md"], False),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="there it is a child process and not exec")
def test_what_is_handed_over(attempts, monkeypatch, tmp_path_factory, words, handed_over, from_the_top):
    class Replaced(Exception):
        pass

    def execve(path: Path, command: list[str], environment: dict[str, str]) -> None:
        assert path == run.PYTHON
        assert command == [str(run.PYTHON), *handed_over]
        assert environment["VIRTUAL_ENV"] == str(run.VENV)
        raise Replaced

    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(os, "execve", execve)
    with pytest.raises(Replaced):
        run.main(words)
    assert Path.cwd() == (run.ROOT if from_the_top else elsewhere)


def test_a_command_is_about_where_the_caller_stands(tmp_path: Path) -> None:
    """Also where that has a folder of the same name as ours."""
    (tmp_path / "rulewright").mkdir()
    (tmp_path / "rulewright/__main__.py").write_text("print('another')")
    command = [sys.executable, run.__file__, "check"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"no project here: neither {tmp_path} nor" in done.stderr


def test_tests_that_are_named_lie_where_the_caller_stands(attempts, monkeypatch, tmp_path):
    ran: list[Sequence[str | Path]] = []
    monkeypatch.setattr(run, "run", lambda command: ran.append(command) or 0)
    monkeypatch.setattr(run, "TEST_PACKAGES", ())
    (tmp_path / "below").mkdir()
    (tmp_path / "below/test_x.py").write_text("")
    monkeypatch.chdir(tmp_path / "below")
    assert run.main(["test", "test_x.py", "-k", "y"]) == 0
    assert ran == [[run.PYTHON, "-m", "pytest", str(tmp_path / "below/test_x.py"), "-k", "y"]]


@pytest.mark.parametrize(
    ("arguments", "tools"), [([], list(run.CHECKS)), (["--all"], list(run.CHECKS)), (["-k", "x"], ["pytest"])]
)
def test_test_runs_every_check_and_pytest_alone_when_it_has_arguments(
    attempts: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    tools: list[str],
) -> None:
    ran: list[list[str]] = []

    def fail(command: Sequence[str | Path]) -> int:
        ran.append([str(word) for word in command])
        return 1

    def fail_quietly(command: Sequence[str | Path]) -> "subprocess.CompletedProcess[str]":
        return subprocess.CompletedProcess(command, fail(command), "wrong\n")

    monkeypatch.setattr(run, "run", fail)
    monkeypatch.setattr(run, "quietly", fail_quietly)
    monkeypatch.setattr(run, "TEST_PACKAGES", ())
    monkeypatch.chdir(Path.cwd())  # so that it is undone afterwards
    assert run.main(["test", *arguments]) == 1
    assert attempts == [VENV_LINE, LOCK_LINE, PROJECT_LINE, TESTS_LINE]
    words = {**run.CHECKS, "pytest": ("pytest", *arguments)} if "-k" in arguments else run.CHECKS
    quick = run.QUICK if not arguments else ()
    assert sorted(ran) == sorted(
        [str(run.PYTHON), "-m", *words[tool], *(quick if tool == "pytest" else ())] for tool in tools
    )
    if len(tools) > 1:
        headed = [line for tool in tools for line in (f"== {tool}", *["wrong"] * (tool == run.BESIDE))]
        assert capsys.readouterr().out.splitlines() == [*headed, f"Failed: {', '.join(tools)}"]


def test_the_callers_python_path_misleads_nobody_and_his_package_index_is_kept(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PIP_TARGET", "elsewhere")
    monkeypatch.setenv("PIP_INDEX_URL", "a mirror")
    environment = run.environment()
    assert "PYTHONPATH" not in environment
    assert "PIP_TARGET" not in environment
    assert environment["PIP_INDEX_URL"] == "a mirror"
    assert environment["PATH"].startswith(str(run.SCRIPTS) + os.pathsep)


@pytest.mark.parametrize(("words", "status"), [([], 2), (["--help"], 0)])
def test_help_installs_nothing(attempts, capsys, words, status):
    assert run.main(words) == status
    assert "python3 run.py COMMAND" in capsys.readouterr().out
    assert attempts == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither users by number nor apt")
@pytest.mark.parametrize(("user", "command"), [(0, "apt install"), (1000, "sudo apt install")])
def test_a_system_package_that_cannot_be_installed_is_named_in_one_line(monkeypatch, capsys, user, command):
    """With the command as this user has to give it."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(run, "may_use_apt", lambda: False)
    run.provide([run.SystemPackage("chromium", "Browser tests", lambda: None, {})])
    assert capsys.readouterr().err == (
        f"Browser tests skipped: no chromium on this machine; to install it: {command} chromium\n"
    )


def test_apt_is_asked_only_for_what_is_missing(monkeypatch, capsys):
    asked: list[str] = []
    there = {"shell"}

    def quietly(command: Sequence[str]) -> None:
        asked.append(command[-1])
        there.add(command[-1])

    monkeypatch.setattr(run, "may_use_apt", lambda: True)
    monkeypatch.setattr(run, "quietly", quietly)
    run.provide(
        [
            run.SystemPackage("shell", "Quick browser tests", lambda: "shell" in there, {}),
            run.SystemPackage("chromium", "Browser tests", lambda: "chromium" in there, {}),
        ]
    )
    assert asked == ["update", "chromium"]
    assert capsys.readouterr().err == "Installing with apt: chromium ...\n"


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_what_tests_need_has_a_command_on_every_platform(monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    for package in run.TEST_PACKAGES:
        assert "apt" not in package.missing()


@pytest.mark.parametrize("word", ["build", "aids", "check"])
def test_no_command_for_a_book_asks_for_more_than_pip_installs(attempts, monkeypatch, word):
    asked: list[object] = []
    monkeypatch.setattr(run, "provide", asked.append)
    monkeypatch.setattr(os, "execve", lambda *command: None)
    monkeypatch.setattr(run, "run", lambda command: 0)
    monkeypatch.chdir(Path.cwd())
    run.main([word])
    assert not asked


PIN = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; [^\\]+)?"
    r"(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n",
    re.MULTILINE,
)


def pins(lock: str) -> dict[str, str]:
    return {pin["name"]: pin["version"] for pin in PIN.finditer((TOP / lock).read_text("utf-8"))}


@pytest.mark.parametrize("lock", [run.LOCK, run.TEST_LOCK])
def test_a_lock_is_hashed_throughout_and_names_no_address(lock: str) -> None:
    text = (TOP / lock).read_text("utf-8")
    assert [line for line in PIN.sub("", text).splitlines() if not line.startswith("    #")] == []
    assert "//" not in text


def test_the_two_locks_agree() -> None:
    build, tests = pins(run.LOCK), pins(run.TEST_LOCK)
    shared = build.keys() & tests.keys()
    assert shared
    assert {name: build[name] for name in shared} == {name: tests[name] for name in shared}


def test_the_lock_is_made_from_what_the_project_declares() -> None:
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
