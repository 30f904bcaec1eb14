"""One content file, from its bytes to its model type."""

from __future__ import annotations

from typing import TypeVar

from generator.problems import Place, Problem, Severity, kind
from generator.reader import Words, read
from generator.source import Keys
from generator.tree import load

NO_SCHEMA = kind(
    "schema-not-named",
    "A content file does not name its schema in its first line, so editors' tools complete nothing in it.",
    Severity.NOTE,
)

T = TypeVar("T")


def read_file(name: str, data: bytes, model: type[T], words: Words) -> tuple[T | None, list[Problem]]:
    """One file as its model type, and what is wrong with it."""
    tree, problems = load(name, data)
    if tree is None:
        return None, problems
    value, more = read(tree, model, words)
    problems += more
    if isinstance(tree, Keys) and "$schema=" not in tree.file.text.partition("\n")[0]:
        message = "the first line does not name the schema; `rulewright schema` writes it there"
        problems.append(NO_SCHEMA.at(Place(name), message, name))
    return value, problems
