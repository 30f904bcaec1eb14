"""Problems: each where it is, once, in words that say what is wrong and what mends it."""

import importlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.checks.check_registry import MODULES as MODULES_OF_CHECKS
from rulewright.checks.check_visitor import CHECKS
from rulewright.checks.load_and_check import load_and_check
from rulewright.files.problems import KINDS, ProblemType
from tests.casefiles import Case, cases
from tests.test_house import MODULES

CASES = [*cases("reading"), *cases("checks")]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_problems(case, tmp_path):
    write(case, tmp_path)
    problems = load_and_check(tmp_path).problems
    assert len({(problem.place, problem.message) for problem in problems}) == len(problems)
    assert list(problems) == sorted(problems)
    assert all(problem.subject and problem.code in KINDS for problem in problems)
    case.agrees("\n".join(map(str, problems)), case.text("expect"))


def write(case: Case, project: Path) -> None:
    """The files of a case: the words after a block's fence are its type and its path.

    `yaml` and `markdown` are text, `bytes` has Python's escapes (`\\u00a0` in UTF-8, `\\x0c` a byte),
    `link` holds what a symbolic link leads to, `size` how many bytes a file has, `absent` no file.
    """
    for what, path, text in files(case):
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if what == "absent":
            file.unlink()
        elif what == "link":
            file.symlink_to(text.strip())
        elif what == "size":
            file.write_bytes(b"\x89PNG".ljust(int(text), b"#"))
        elif what == "bytes":
            file.write_bytes(unescaped(text))
        else:
            file.write_text(text, encoding="utf-8", newline="\n")


def files(case: Case) -> Iterator[tuple[str, str, str]]:
    """What a file of a case is, its path and its text."""
    for info, text in case.blocks:
        what, _, path = info.partition(" ")
        if path:
            yield what, path, text


def unescaped(text: str) -> bytes:
    """Text with Python's escapes as bytes."""
    hexed = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), text).encode()
    return re.sub(rb"\\(?:x([0-9a-f]{2})|([tr0]))", _byte, hexed)


def _byte(m: re.Match[bytes]) -> bytes:
    return bytes.fromhex(m[1].decode()) if m[1] else {b"t": b"\t", b"r": b"\r", b"0": b"\0"}[m[2]]


def test_every_kind_of_problem_has_a_case():
    """A kind that no case can show, such as one of a command, is named in a test."""
    for name in MODULES:
        importlib.import_module(name)
    shown = "\n".join(text for case in cases(".") for _, text in case.blocks)
    codes = set(re.findall(r"\[([a-z0-9]+(?:-[a-z0-9]+)+)\]$", shown, re.MULTILINE))
    tests = "\n".join(file.read_text("utf-8") for file in Path(__file__).parent.rglob("test_*.py"))
    assert codes <= set(KINDS)
    assert {
        code for code in set(KINDS) - codes if f'"{code}"' not in tests and f"[{code}]" not in tests
    } == set()


def test_each_type_of_problem_that_checks_know_belongs_to_one_check():
    claims = Counter(kind.code for row in CHECKS.values() for one in row for kind in one.types)
    known = {
        value.code
        for module in MODULES_OF_CHECKS
        for value in vars(module).values()
        if isinstance(value, ProblemType)
    }
    assert {code: claims[code] for code in known} == dict.fromkeys(known, 1)


def test_meanings_are_sentences():
    for kind in KINDS.values():
        assert re.fullmatch(r"[A-Z`].*\.", kind.meaning), kind.code
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", kind.code)


def test_problems_are_the_same_in_whatever_order_a_folder_lists_its_files(tmp_path, monkeypatch):
    for case in CASES:
        write(case, tmp_path / str(CASES.index(case)))
    walk = os.walk

    def reversed_walk(*args: object, **more: object) -> Iterator[tuple[str, list[str], list[str]]]:
        for folder, folders, names in walk(*args, **more):  # type: ignore[call-overload]
            folders.reverse()
            names.reverse()
            yield folder, folders, names

    for project in tmp_path.iterdir():
        once = load_and_check(project)
        with monkeypatch.context() as patched:
            patched.setattr(os, "walk", reversed_walk)
            again = load_and_check(project)
        assert again.problems == once.problems
        assert list(again.library.editions) == list(once.library.editions)
        assert [list(o.entries) for o in again.index.outlines.values()] == [
            list(o.entries) for o in once.index.outlines.values()
        ]
