"""The patterns of the program: none holds what Debian 12's Python (3.11.2) misreads."""

import ast
import importlib
import re
import warnings
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]

import pytest

from tests.test_house import MODULES, PACKAGE, ROOT

MISREAD = (_constants.POSSESSIVE_REPEAT, _constants.ATOMIC_GROUP)
"""Of such a repeat or group, 3.11.2 may keep what it tried and found wrong."""

FILES = sorted([*PACKAGE.rglob("*.py"), *ROOT.glob("bench/*.py"), ROOT / "run.py"])


def is_misread(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether 3.11.2 may read a pattern otherwise than it is meant; what is no pattern is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parts = _parser.parse(pattern, flags)
    except (re.error, OverflowError, ValueError):  # a piece of a pattern, or words
        quoted = repr(pattern).replace(r"\\", "\\")
        return bool(re.search(r"[^\\][)\]][*+?]\+|[^\\\"'][)\]]\{\d*,?\d*\}\+|\(\?>", quoted))
    return holds(parts)


def holds(part: object) -> bool:
    if isinstance(part, _parser.SubPattern):
        return any(map(holds, part.data))
    if isinstance(part, list | tuple):
        return bool(part) and (part[0] in MISREAD or any(map(holds, part)))
    return False


def texts(tree: ast.AST) -> Iterator[tuple[int, str | bytes]]:
    """Every text in a file and its line; x stands for each value that is put in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            yield (
                node.lineno,
                "".join(
                    getattr(one, "value", "x") if isinstance(one, ast.Constant) else "x"
                    for one in node.values
                ),
            )


@pytest.mark.parametrize(
    "pattern",
    [
        "a*+",
        "a++b",
        r"(?:\d|x)?+",
        r"\s{2,3}+",
        "(?>ab)",
        "[ab]*+",
        "(?:a(b(c++)))",
        b"x++",
        "(?=a|(?!b*+))",
        "(?:(?>a)",
        "((?:a)*+",
    ],
)
def test_what_is_misread_is_found(pattern: str | bytes) -> None:
    assert is_misread(pattern)


@pytest.mark.parametrize("pattern", [r"a\++", "[*+]+", r"\*\+", "a+?", "(?P<x>a)(?P=x)", "[?+]+b", "(a"])
def test_what_is_read_rightly_is_not(pattern: str) -> None:
    assert not is_misread(pattern)


def test_no_text_of_the_program_is_a_pattern_that_is_misread() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text!r}"
        for file in FILES
        for line, text in texts(ast.parse(file.read_bytes()))
        if is_misread(text) or is_misread(text, re.VERBOSE)
    ]
    assert not found


def test_no_pattern_put_together_of_pieces_is_misread() -> None:
    known = 0
    for name in MODULES:
        for given in vars(importlib.import_module(name)).values():
            for pattern in given if isinstance(given, list | tuple) else (given,):
                if isinstance(pattern, re.Pattern):
                    known += 1
                    assert not is_misread(pattern.pattern, pattern.flags), f"{name}: {pattern.pattern!r}"
    assert known > 100
