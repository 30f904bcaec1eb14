"""The Python interface: its example holds, and a name is imported no earlier than it is used."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import rulewright
from tests.commands.duel import write

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


def test_the_example_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path, BOOK))
    result = doctest.testmod(rulewright, globs={})  # as a program begins, to which `print` is no room
    assert result.attempted > 8
    assert result.failed == 0


@pytest.mark.parametrize("name", rulewright.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(rulewright, name).__doc__


def test_an_unknown_name_is_no_attribute() -> None:
    for name in ("nonsense", "examine"):
        with pytest.raises(AttributeError, match=name):
            getattr(rulewright, name)


def test_importing_the_package_imports_no_room() -> None:
    script = "import sys, rulewright; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    assert [name for name in done.stdout.split() if name.startswith("rulewright")] == ["rulewright"]
