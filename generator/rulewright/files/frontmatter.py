"""Checks of the front matter of ordinary pages.

Only the keys that MkDocs or its theme reads are checked, since a value of another type in them would stop the
build. All other keys belong to the page and may have any value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any, NamedTuple

from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.problems import Problem, Severity, SourceFile, problem_type, quote_short
from rulewright.files.resources import THEME, material_templates
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

_KEY_LINE = re.compile(r"([A-Za-z0-9_-]+)[ \t]*:[ \t]*([^\n]*)\n?")
"""A line with a key and its value. MkDocs reads such lines at the top of a page without fences too."""


class _ThemeFileName(NamedTuple):
    """Form of the names of icons or templates of the theme."""

    pattern: str
    description: str  # the words for a valid name in messages


_THEME_FILE_KEYS = {
    "template": _ThemeFileName(r"[\w-]+(?:/[\w-]+)*\.html", "the name of a template, such as main.html"),
    "icon": _ThemeFileName(r"[\w-]+(?:/[\w-]+)+", "the name of an icon, such as material/sword"),
}
_TEXT_KEYS = ("title", "description", "author", "status", *_THEME_FILE_KEYS)
_LIST_KEYS = ("hide", "tags")


def invalid_keys(
    values: Mapping[Any, Any], exists: Callable[[str], bool] = lambda file_name: True
) -> Iterator[tuple[Any, str]]:
    """Yield each key with an invalid value, with a description of valid ones.

    `exists`: whether the theme has a file of this name; by default, only the form of the names is checked.
    """
    for key, value in values.items():
        if value is None or value == "":
            continue
        theme_file = _THEME_FILE_KEYS.get(key)
        if key in _TEXT_KEYS and isinstance(value, Mapping | list | tuple):
            yield key, "words"
        elif theme_file and not re.fullmatch(theme_file.pattern, str(value)):
            yield key, theme_file.description
        elif theme_file and not exists(_theme_file(key, value)):
            yield key, f"{theme_file.description}, that is there"
        elif key in _LIST_KEYS and not (
            isinstance(value, list) and all(isinstance(item, str) for item in value)
        ):
            yield key, f"a list of words, such as [{'navigation' if key == 'hide' else 'supply'}]"
        elif key == "search" and not isinstance(value, Mapping):
            yield key, "keys with values, such as {exclude: true}"


def check_front_matter(name: str, text: str) -> list[Problem]:
    """Return the problems of the front matter of a page, with or without fences."""
    fenced = _YAML_FRONT_MATTER.match(text)
    if not fenced or not fenced[1].strip():
        return _check_unfenced(name, text)
    # The line end replaces the fence, so that the lines have the same numbers as in the page.
    tree, problems = load_yaml_tree(name, f"\n{fenced[1]}".encode())
    if not isinstance(tree, YamlMapping):
        return problems
    located_keys = {str(key): key for key in tree.entries}
    values = {str(key): _plain_value(node) for key, node in tree.entries.items()}
    for key, valid in invalid_keys(values):
        node = tree.entries[located_keys[key]] or located_keys[key]
        value = "a list" if isinstance(node, YamlSequence) else "keys"
        if isinstance(node, LocatedText):
            value = quote_short(node)
        message = f"{key} cannot be {value}; write {valid}"
        problems.append(INVALID_VALUE.problem(node.place, message, name))
    return problems


def _check_unfenced(name: str, text: str) -> list[Problem]:
    file = SourceFile(name, text)
    lines = {line.key: line for line in _key_lines(text)}
    values = {key: line.value for key, line in lines.items()}
    problems: list[Problem] = []
    for key, valid in invalid_keys(values):
        message = f"{key} cannot be {quote_short(values[key])}; write {valid}"
        problems.append(INVALID_VALUE.problem(file.location(lines[key].offset), message, name))
    return problems


def _plain_value(node: Node | None) -> Any:
    """Return a value as a plain dict, list or str. What is nested deeper becomes None: only types matter."""
    if isinstance(node, YamlMapping):
        return dict.fromkeys(map(str, node.entries))
    if isinstance(node, YamlSequence):
        return [str(item) if isinstance(item, LocatedText) else None for item in node.items]
    return node and str(node)


class MissingThemeFile(NamedTuple):
    """An icon or a template that a page names and neither the project nor the theme has."""

    offset: int  # of the key, in the text of the page
    key_and_value: str  # as a message quotes them
    valid: str  # the description of a valid value


def missing_theme_files(text: str, project_files: Container[str] = ()) -> Iterator[MissingThemeFile]:
    """Yield the icons and templates that the front matter of a page names and that do not exist.

    `project_files`: the names of the theme files that the project has itself.
    """
    fenced = _YAML_FRONT_MATTER.match(text)
    # Without fences, the front matter ends at the first empty line.
    start, end = fenced.span(1) if fenced else (0, text.find("\n\n") + 1 or len(text))
    for line in _key_lines(text[start:end]):
        value = line.value.split(" #")[0].strip().strip("\"'")
        theme_file = _THEME_FILE_KEYS.get(line.key)
        if theme_file and value and re.fullmatch(theme_file.pattern, value):
            file_name = _theme_file(line.key, value)
            candidates = (folder / file_name for folder in (THEME, material_templates()) if folder)
            if file_name not in project_files and not any(map(os.path.isfile, candidates)):
                key_and_value = f"{line.key} {quote_short(value)}"
                yield MissingThemeFile(start + line.offset, key_and_value, theme_file.description)


def _theme_file(key: str, value: str) -> str:
    """Return the file in the templates of the theme that the value of a key names."""
    return f".icons/{value}.svg" if key == "icon" else value


class _KeyLine(NamedTuple):
    """A line of front matter."""

    key: str  # in lower case, as MkDocs reads it
    value: str
    offset: int  # of the line


def _key_lines(text: str) -> Iterator[_KeyLine]:
    """Yield the lines at the beginning of a text that have a key and a value."""
    offset = 0
    while m := _KEY_LINE.match(text, offset):
        yield _KeyLine(m[1].lower(), m[2].strip(), offset)
        offset = m.end()
