"""Checks of the front matter of ordinary pages.

Only the keys that MkDocs or its theme reads are checked, since a value of another type in them would stop the
build. All other keys belong to the page and may have any value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulewright.files.located_text import Node, YamlMapping, YamlSequence
from rulewright.files.problems import Problem, Severity, problem_type, quote_short
from rulewright.files.yaml_tree import load_yaml_tree

INVALID_VALUE = problem_type(
    "front-matter-value",
    "A key in the front matter of a page has an invalid value. It is left out. The message says what may.",
    Severity.WARNING,
)

FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
"""Front matter of a page with its fences: YAML between `---` or, as Hugo has it, TOML between `+++`."""

_YAML_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
"""Front matter as MkDocs finds it, where `...` may end it too; group 1 is the YAML between the fences."""

_TEMPLATE = re.compile(r"[\w-]+(?:/[\w-]+)*\.html")
_ICON = re.compile(r"[\w-]+(?:/[\w-]+)+")
_TEXT_KEYS = ("title", "description", "author", "status", "template", "icon")


def invalid_keys(values: Mapping[Any, Any], exists: Callable[[str], bool]) -> Iterator[tuple[Any, str]]:
    """Yield each key with an invalid value, with a description of valid ones.

    `exists`: whether the theme has a file of this name.
    """
    for key, value in values.items():
        words = str(value)
        if value is None or value == "":
            continue
        if key in _TEXT_KEYS and isinstance(value, Mapping | list | tuple):
            yield key, "words"
        elif key == "template" and not (_TEMPLATE.fullmatch(words) and exists(words)):
            yield key, "the name of a template, such as main.html"
        elif key == "icon" and not (_ICON.fullmatch(words) and exists(f".icons/{words}.svg")):
            yield key, "the name of an icon, such as material/sword"
        elif key in ("hide", "tags") and not (
            isinstance(value, list) and all(isinstance(item, str) for item in value)
        ):
            yield key, f"a list of words, such as [{'navigation' if key == 'hide' else 'supply'}]"
        elif key == "search" and not isinstance(value, Mapping):
            yield key, "keys with values, such as {exclude: true}"


def check_front_matter(name: str, text: str) -> list[Problem]:
    """Return the problems of the front matter of a page."""
    fenced = _YAML_FRONT_MATTER.match(text)
    if not fenced or not fenced[1].strip():
        return []
    # The line end replaces the fence, so that the lines have the same numbers as in the page.
    tree, problems = load_yaml_tree(name, f"\n{fenced[1]}".encode())
    entries = tree.entries if isinstance(tree, YamlMapping) else {}
    values = {str(key): _plain_value(node) for key, node in entries.items()}
    places = {str(key): (node or key).place for key, node in entries.items()}
    nouns: dict[type, str] = {list: "a list", dict: "keys"}
    for key, valid in invalid_keys(values, bool):  # any name may exist
        quoted = nouns.get(type(values[key])) or quote_short(values[key])
        problems.append(INVALID_VALUE.problem(places[key], f"{key} cannot be {quoted}; write {valid}", name))
    return problems


def _plain_value(node: Node | None) -> Any:
    """Return the value of a key with only its own type."""
    if isinstance(node, YamlMapping):
        return {}
    return list(node.items) if isinstance(node, YamlSequence) else node and str(node)
