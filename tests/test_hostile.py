"""Hostile content: a problem with its place, with effort that grows no faster than the content does.

What one file can do to the reading is told in the cases; here is what takes a system to do, or much of it.
"""

import os
import sys
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.book.library import read_library
from rulewright.checks.examine import examine
from rulewright.model.reader import read
from rulewright.model.rulebook import Rulebook
from rulewright.source import folder as module
from rulewright.source.folder import Folder, gather
from rulewright.source.tree import load
from tests.commands.duel import write
from tests.effort import LINEAR, growth

BOOK = {
    "content/h/rulebook.yml": 'title: H\nnumbers: "1.1a"\nchapters: "1.0"\nsides:\n  blue: {title: B}\n',
    "content/h/1/edition.yml": 'edition: "1"\n',
}
RULES, KNOWN = "content/h/1/rules/1.yml", "content/h/1/known.yml"
SEQUENCE, PAGE = "content/h/1/sequence.yml", "content/h/1/faq.md"
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="no such files there")


def project(where: Path, files: Mapping[str, str]) -> Path:
    write(where, {**BOOK, **files})
    return where


def told(where: Path) -> list[str]:
    return [str(p) for p in examine(where).problems]


def rules(*lines: str) -> dict[str, str]:
    return {RULES: 'chapter: "1.0"\n' + "".join(f"{line}\n" for line in lines)}


def steps(*lines: str) -> dict[str, str]:
    return {SEQUENCE: "title: S\nsteps:\n" + "".join(f"  - {line}\n" for line in lines)}


def number(at: int) -> str:
    return f"{at // 900 + 1}.{at % 900 + 1}"


GROWING: Mapping[str, Callable[[int], dict[str, str]]] = {
    "open brackets": lambda n: {RULES: "a: " + "[" * n},
    "open braces": lambda n: {RULES: "{a: " * n},
    "closed brackets": lambda n: {RULES: "a: " + "]" * n},
    "lists in lists": lambda n: {RULES: "- " * n},
    "keys of keys": lambda n: {RULES: "? " * n},
    "one long line": lambda n: {RULES: 'chapter: "1.0"\ntext: ' + "word " * 10 * n},
    "spaces": lambda n: {RULES: 'chapter: "1.0"\ntext: |2\n  ' + " " * 100 * n},
    "open parentheses": lambda n: steps(f'do: "{"(" * 10 * n}"'),
    "escapes": lambda n: {RULES: 'chapter: "1.0"\ntext: "' + "\\x41" * n + ' see 1.9"\n'},
    "aliases": lambda n: {RULES: "a: &x 1\n" + "".join(f"k{i}: *x\n" for i in range(n))},
    "keys": lambda n: {RULES: "".join(f"k{i}: 1\n" for i in range(n))},
    "keys that stand twice": lambda n: {RULES: "".join(f"k{i % (n // 2)}: 1\n" for i in range(n))},
    "words": lambda n: {RULES: "chapter: '1.0'\nnotes:\n" + "- {kind: k, text: x}\n" * n},
    "rules": lambda n: rules(*(f'"{number(i)}":' for i in range(n))),
    "rules backwards": lambda n: rules(*(f'"{number(n - i)}":' for i in range(n))),
    "rules that are there": lambda n: rules(*(f'"1.1 Rule {i}":' for i in range(n))),
    "malformed rules": lambda n: rules(*(f'"{i}-x": {{"1.{i}": }}' for i in range(n))),
    "a malformed number": lambda n: rules(f'number: "{"1.1a" * n}"'),
    "known numbers": lambda n: {KNOWN: "known:\n" + "".join(f"- number: {number(i)}\n" for i in range(n))},
    "known backwards": lambda n: {
        KNOWN: "lists: everything\nknown:\n" + "".join(f"- number: {number(n - i)}\n" for i in range(n))
    },
    "known and broken": lambda n: {
        KNOWN: "known:\n" + "".join(f"- number: {number(i)}\n" for i in range(n)) + ": : :"
    },
    "known between rules": lambda n: (
        rules(*(f'"{number(2 * i)}":' for i in range(n // 2)))
        | {KNOWN: "known:\n" + "".join(f"- number: {number(i)}\n" for i in range(n))}
    ),
    "references to nothing": lambda n: {
        RULES: 'chapter: "1.0"\ntext: |\n' + "".join(f"  See {number(i)}x.\n" for i in range(n))
    },
    "marks of books": lambda n: {
        RULES: 'chapter: "1.0"\ntext: |\n' + "".join(f"  [[x{i}:1.1]]\n" for i in range(n))
    },
    "steps of one name": lambda n: steps(*["do: Row"] * n),
    "steps of one id": lambda n: steps(*["{do: Row, id: row}"] * n),
    "steps at the wrong level": lambda n: steps("do: Row\n    steps:\n" + "      - phase: Row\n" * n),
    "repeats of what they are in": lambda n: steps(
        "phase: Row\n    id: row\n    steps:\n" + "      - {do: Row, repeats: row}\n" * n
    ),
    "a chain of repeats": lambda n: steps(*(f"{{do: Row, id: i{i}, repeats: i{i + 1}}}" for i in range(n))),
    "repeats of nothing": lambda n: steps(*(f"{{do: Row, id: i{i}, repeats: j{i}}}" for i in range(n))),
    "unknown sides": lambda n: steps(*(f"{{do: Row, by: s{i}, phasing: t{i}}}" for i in range(n))),
    "figures": lambda n: {
        RULES: 'chapter: "1.0"\nfigures:\n' + "".join(f"- {{file: {i}.png, alt: x}}\n" for i in range(n))
    },
    "excuses": lambda n: {
        "content/h/1/edition.yml": "edition: '1'\nexcused:\n"
        + "".join(f"- {{code: number-gap, at: '{i}', because: x}}\n" for i in range(n))
    },
    "files": lambda n: {f"content/h/1/x{i}.yml": "a: 1" for i in range(n // 10)},
    "editions": lambda n: {f"content/h/{i}/edition.yml": "edition: x\nfollows: y\n" for i in range(n // 10)},
}
"""Content of which there can be any amount."""

FEWEST = {"repeats of nothing": 500}
"""How much there is at first where 150 are too few: a name is held against each of some hundreds at most."""


@pytest.mark.parametrize("what", GROWING)
def test_effort_grows_no_faster_than_the_content(what: str, tmp_path: Path) -> None:
    def checked(count: int) -> Callable[[], object]:
        where = project(tmp_path / str(count), GROWING[what](count))
        return lambda: examine(where)

    assert growth(checked, FEWEST.get(what, 150)) < LINEAR


def test_two_hundred_thousand_brackets(tmp_path: Path) -> None:
    for at, text in enumerate(["[", "{", "- ", "? ", "{a: ", "[{", '"', "&a ", "!a ", "* "]):
        lines = told(project(tmp_path / str(at), {RULES: text * 200_000}))
        assert lines
        assert all(line.startswith(f"{RULES}:1:") and len(line) < 300 for line in lines[:100])


def test_an_alias_bomb(tmp_path: Path) -> None:
    letters = "abcdefghi"
    bomb = "".join(f"{b}: &{b} [{f'*{a}, ' * 9}*{a}]\n" for a, b in pairwise(letters))
    lines = told(project(tmp_path, {RULES: f"a: &a [x, x]\n{bomb}"}))
    assert len(lines) < 120
    assert "error: text that begins with & must be in quotes" in "".join(lines)


@on_unix
def test_what_is_no_file(tmp_path: Path) -> None:
    """A pipe would be waited for, and a device has no end."""
    project(tmp_path, {})
    os.mkfifo(tmp_path / "content/h/1/known.yml")
    os.mkfifo(tmp_path / "content/h/1/ship.png")
    assert told(tmp_path) == [
        "content/h/1/known.yml:1:1: error: known.yml is no ordinary file; delete it [file-unreadable]",
        "content/h/1/ship.png:1:1: error: ship.png is no ordinary file; delete it [file-unreadable]",
    ]


@on_unix
@pytest.mark.parametrize("name", [b"caf\xe9.yml", b"a\nb.md", b"a\x1b[31m.png"])
def test_names_that_cannot_be_printed(name: bytes, tmp_path: Path) -> None:
    project(tmp_path, {})
    try:
        (Path(os.fsdecode(os.fsencode(tmp_path / "content") + b"/" + name))).write_bytes(b"")
    except OSError:
        pytest.skip("this file system takes no such name")
    (line,) = told(tmp_path)
    assert line.isprintable()
    assert line.endswith("its name holds characters that cannot be printed; rename it [file-unreadable]")


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, {KNOWN: "known: []", PAGE: "See 1.1."})

    def refuse(path: str, mode: str) -> object:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(module, "open", refuse, raising=False)
    lines = told(tmp_path)
    assert f"{KNOWN}:1:1: error: cannot be opened (Permission denied) [file-unreadable]" in lines
    assert len(lines) == 4


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, rules('"1.1":') | {PAGE: "See 1.1 and 7.7."})
    scan = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("rules"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert told(tmp_path) == [
        "content/h/1/rules:1:1: error: cannot be opened (Permission denied) [file-unreadable]"
    ]


def test_a_file_that_goes_away_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, {KNOWN: "known: []"})
    exists = os.path.exists
    monkeypatch.setattr(
        os.path, "exists", lambda path: (Path(path).unlink(), True)[1] if exists(path) else False
    )
    assert {problem.code for problem in gather(tmp_path).problems} == {"file-unreadable"}


@given(st.text(st.sampled_from("1aAiI.-()[]{}§#| 2x\\^$*+?é"), min_size=1, max_size=12), st.text(max_size=8))
@settings(max_examples=3 * settings().max_examples)
def test_any_example_is_a_dialect_or_reported(example: str, chapter: str) -> None:
    def quoted(text: str) -> str:
        return "'" + text.replace("'", "''") + "'"

    book = f"title: H\nnumbers: {quoted(example)}\nchapters: [{quoted(chapter)}]\n".encode()
    tree, problems = load("content/h/rulebook.yml", book)
    texts = {
        "content/h/rulebook.yml": book,
        "content/h/1/edition.yml": b'edition: "1"',
        "content/h/1/rules/1.yml": b"chapter: '1.0'\ntext: See 1.1a (A1.1), 12.5 and 1-a.\n",
    }
    library = read_library(Folder(texts))
    assert library.editions or library.problems
    if tree is not None and not problems:
        value, faults = read(tree, Rulebook)
        assert value or faults
