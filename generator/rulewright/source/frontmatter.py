"""Front matter of content pages: keys with a meaning for the site, and their allowed values.

All other keys are up to the page. A value of the wrong type would break the rendering of the page.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

from rulewright.source.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.source.problems import Problem, Severity, SourceFile, problem_type, quote_short
from rulewright.source.resources import THEME, material_templates
from rulewright.source.yaml_tree import load_yaml_tree

FAULTY = problem_type(
    "front-matter-value",
    "A value in the front matter of a page is invalid, so it is ignored. The message names valid ones.",
    Severity.WARNING,
)

FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
"""Keys and values at the beginning of a page."""

_FENCED = re.compile(r"\A---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_UNFENCED = re.compile(r"([A-Za-z0-9_-]+)[ \t]*:[ \t]*([^\n]*)\n?")
"""A line at the top of a page that MkDocs reads as key and value, without a fence around it."""
_NAMES = {
    "template": (r"[\w-]+(?:/[\w-]+)*\.html", "the name of a template, such as main.html"),
    "icon": (r"[\w-]+(?:/[\w-]+)+", "the name of an icon, such as material/sword"),
}
_WORDS = ("title", "description", "author", "status", *_NAMES)
_LISTS = ("hide", "tags")


def invalid_keys(
    values: Mapping[Any, Any], exists: Callable[[str], bool] = lambda name: True
) -> Iterator[tuple[Any, str]]:
    """Yield keys with an invalid value, and what is valid. `exists`: whether the theme has a file."""
    for key, value in values.items():
        if value is None or value == "":
            continue
        if key in _WORDS and isinstance(value, Mapping | list | tuple):
            yield key, "words"
        elif key in _NAMES and not re.fullmatch(_NAMES[key][0], str(value)):
            yield key, _NAMES[key][1]
        elif key in _NAMES and not exists(f".icons/{value}.svg" if key == "icon" else value):
            yield key, f"{_NAMES[key][1]}, that is there"
        elif key in _LISTS and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            yield key, f"a list of words, such as [{'navigation' if key == 'hide' else 'supply'}]"
        elif key == "search" and not isinstance(value, Mapping):
            yield key, "keys with values, such as {exclude: true}"


def check_front_matter(name: str, text: str) -> list[Problem]:
    """Return the problems of the front matter of a page."""
    fenced = _FENCED.match(text)
    if not fenced or not fenced[1].strip():
        file = SourceFile(name, text)
        lines = {key: (value, offset) for key, value, offset in _lines(text)}
        wrong = invalid_keys({key: value for key, (value, _) in lines.items()})
        return [
            FAULTY.problem(
                file.location(lines[key][1]),
                f"{key} cannot be {quote_short(lines[key][0])}; write {right}",
                name,
            )
            for key, right in wrong
        ]
    tree, problems = load_yaml_tree(name, f"\n{fenced[1]}".encode())
    if not isinstance(tree, YamlMapping):
        return problems
    keys = {str(key): key for key in tree.entries}
    for key, right in invalid_keys({str(key): _value(node) for key, node in tree.entries.items()}):
        node = tree.entries[keys[key]] or keys[key]
        message = (
            quote_short(node)
            if isinstance(node, LocatedText)
            else "a list"
            if isinstance(node, YamlSequence)
            else "keys"
        )
        problems.append(FAULTY.problem(node.place, f"{key} cannot be {message}; write {right}", name))
    return problems


def _value(node: Node | None) -> Any:
    """Return a node as plain Python: a dict, a list or a string, without nested values."""
    if isinstance(node, YamlMapping):
        return dict.fromkeys(map(str, node.entries))
    if isinstance(node, YamlSequence):
        return [str(item) if isinstance(item, LocatedText) else None for item in node.items]
    return node and str(node)


def theme_files(text: str, own_templates: Container[str] = ()) -> Iterator[tuple[int, str, str]]:
    """Yield icons and templates that a page uses and no theme has: offset, name, and what is valid.

    `own_templates`: those of the project.
    """
    fenced = _FENCED.match(text)
    start, end = fenced.span(1) if fenced else (0, text.find("\n\n") + 1 or len(text))
    for key, value, offset in _lines(text[start:end]):
        template = value.split(" #")[0].strip().strip("\"'")
        if key in _NAMES and template and re.fullmatch(_NAMES[key][0], template):
            name = f".icons/{template}.svg" if key == "icon" else template
            candidates = (folder / name for folder in (THEME, material_templates()) if folder)
            if name not in own_templates and not any(map(os.path.isfile, candidates)):
                yield start + offset, f"{key} {quote_short(template)}", _NAMES[key][1]


def _lines(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the keys at the beginning of a text, each with its value and offset."""
    offset = 0
    while m := _UNFENCED.match(text, offset):
        yield m[1].lower(), m[2].strip(), offset
        offset = m.end()
