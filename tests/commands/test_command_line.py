"""What is asked for wrongly, where the project is found, and how a process ends."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from rulewright.app.cli import create_program, main
from rulewright.checks import load_and_check
from tests.commands.duel import FAULTY, errors_of, printed, write

TOP = Path(__file__).parents[2]
COMMANDS = create_program().list_commands(click.Context(create_program()))


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["chekc"], "No such command 'chekc'."),
        (["check", "dule"], "no book dule here; did you mean duel?"),
        (["check", "duel/2"], "no book duel/2 here; did you mean duel/1?"),
        (["check", "--format", "jsno"], "'jsno' is not one of 'text', 'github', 'json'"),
        (["export", "outline"], "Missing argument 'NAME'"),
        (["export", "outline", "dul"], "no book dul here; did you mean duel?"),
        (["refs", "dual", "mkdocs.yml"], "no book dual here; did you mean duel?"),
        (["refs", "duel", "nothing.txt"], "there is no file nothing.txt"),
        (["refs", "duel"], "no file; name at least one"),
        (["check", "--fromat", "json"], "No such option '--fromat'. Did you mean '--format'?"),
        (["check", "duel", "x"], "more than one argument; only --accept takes several"),
        (["export", "outlin", "x"], "'outlin' is not one of 'outline', 'zip'"),
        (["export", "--project", ".", "zpi", "x"], "'zpi' is not one of 'outline', 'zip'"),
        (["import", "hug", "x"], "'hug' is not one of 'hugo'"),
        (["serve", "--port", "70000"], "70000 is not in the range 1<=x<=65535"),
        (["--project", "nowhere", "check"], "nowhere is not a project"),
    ],
)
def test_says_what_is_wrong_and_ends_with_2(output, words, answer):
    assert main(words) == 2
    out, err = output.readouterr()
    assert out == ""
    assert answer in err
    assert "Traceback" not in err


def test_a_build_wants_the_plugin(project, output):
    write(project, {"mkdocs.yml": "site_name: Duel\ndocs_dir: content\n"})
    assert "mkdocs.yml does not name rulewright among its plugins" in errors_of(output, "build", code=2)


def test_there_are_few_enough_commands_and_options_to_read(output):
    options = sum(printed(output, command, "--help").count("\n  --") for command in COMMANDS)
    assert len(COMMANDS) <= 16
    assert options - 2 * len(COMMANDS) <= 70  # each has --project and --help


@pytest.mark.parametrize("where", [0, 1])
def test_quiet_says_only_what_is_wrong(project, output, where):
    words = ["check"]
    words.insert(where, "--quiet")
    assert main(words) == 0
    assert output.readouterr() == ("", "")
    write(project, {"content/duel/1/sequence.yml": FAULTY})
    assert main(words) == 1
    out, err = output.readouterr()
    assert "[reference-not-found]" in out
    assert err == ""
    assert "Checked everything" in errors_of(output, "check")  # the next command line has default settings


def test_colour_is_for_terminals_unless_the_environment_says_otherwise(project, output, monkeypatch):
    write(project, {"content/duel/1/sequence.yml": FAULTY})
    main(["check"])
    assert "\x1b" not in output.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    for coloured, setting in ((True, ""), (False, "1")):
        monkeypatch.setenv("NO_COLOR", setting)
        main(["check"])
        assert ("\x1b[31merror\x1b[0m" in output.readouterr().out) is coloured


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_helps_with_an_example(output, command):
    assert f"example:\n    rulewright {command}" in printed(output, command, "--help")


def completed(words: str, monkeypatch: pytest.MonkeyPatch, output: pytest.CaptureFixture[str]) -> list[str]:
    """Return the completions of a command line in a shell."""
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    monkeypatch.setenv("_RULEWRIGHT_COMPLETE", "bash_complete")
    assert main([]) == 0
    return [line.partition(",")[2] for line in output.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("rulewright re", ["refs", "renumber"]),
        ("rulewright import m", ["markdown"]),
        ("rulewright --project . export outline duel/1 --ba", ["--base"]),
        ("rulewright check --format js", ["json"]),
    ],
)
def test_a_shell_completes(output, monkeypatch, words, answers):
    assert completed(words, monkeypatch, output) == answers


WITHOUT = {"lsp", "new", "preflight"}
"""The commands without a project, or with one in a later argument."""


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - WITHOUT))
def test_elsewhere_there_is_no_project(tmp_path, capsys, monkeypatch, command):
    """Never the books that the tool comes with, be they as near as they like."""
    words = {"refs": "ocs x", "diff": "ocs/3.0 ocs/4.3", "insert": "ocs 1.1"}
    words |= {"renumber": "ocs 1 2", "import": "hugo x content/a/b", "export": "zip x.zip"}
    (tmp_path / "content").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main([command, *words.get(command, "").split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"rulewright: no project here: neither {tmp_path} nor a parent folder has")
    assert [path.name for path in tmp_path.iterdir()] == ["content"]


def test_ctrl_c_is_quiet(output, monkeypatch):
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(load_and_check, "load_and_check_folder", interrupted)
    assert main(["check"]) == 130
    assert output.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="pipes end otherwise there")
def test_a_closed_pipe_is_quiet():
    command = [sys.executable, "-m", "rulewright", "export", "outline", "ocs/4.3"]
    process = subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141


def test_output_is_utf8_whatever_the_machine_says(project):
    write(project, {"a.txt": "see 1.1"})
    machine = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(TOP)}
    command = [sys.executable, "-m", "rulewright", "refs", "duel", "a.txt"]
    done = subprocess.run(command, cwd=project, env=machine, capture_output=True)
    assert done.stdout.decode() == f"a.txt:1:5: 1.1 → duel/1/1-swords/#1.1 Parry{os.linesep}"
    assert done.stderr == b""
