"""The front matter of a page, in YAML, TOML or JSON."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from rulewright.source.problems import File, Place, Problem, kind, shown

try:
    from yaml import CSafeLoader as Loader
except ImportError:  # PyYAML built without libyaml
    from yaml import SafeLoader as Loader  # type: ignore[assignment]

UNREADABLE = kind(
    "hugo-front-matter",
    """The front matter of a Hugo page, or Hugo's configuration, cannot be read: it is not the YAML, TOML or
    JSON that it begins as, it never ends, or it holds no keys. Mend it at the place that is named.""",
)

_FENCES = {"---": "YAML", "+++": "TOML"}
_OPENING = re.compile(r"\ufeff?\s*(?:(?P<fence>---|\+\+\+)[ \t]*(?:\r\n|\n|\r)|(?P<json>\{)(?!\{))")
_MOST_VALUES, _MOST_DEPTH = 100_000, 100
_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a page: its values by key, in small letters, and where the page's words begin."""

    values: Mapping[str, Any] = field(default_factory=dict)
    start: int = 0


def front_matter_of(file: File) -> tuple[FrontMatter, list[Problem]]:
    """The front matter of a page, and what is wrong with it. A page that has none is all words."""
    opening = _OPENING.match(file.text)
    if opening is None:
        return FrontMatter(), []
    if opening["json"]:
        return _json(file, opening.start("json"))
    fence = opening["fence"]
    closing = re.compile(rf"^{re.escape(fence)}[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
    end = closing.search(file.text, opening.end())
    if end is None and fence == "---" and not _looks_like_keys(file.text, opening.end()):
        return FrontMatter(), []  # a line across the page
    if end is None:
        message = f"the front matter begins with {fence} and never ends; close it with another {fence}"
        return FrontMatter(), [UNREADABLE.at(file.place(opening.start("fence")), message, file.name)]
    values, problems = parsed(file, _FENCES[fence], opening.end(), end.start())
    return FrontMatter(values, end.end()), problems


def parsed(file: File, language: str, start: int, end: int) -> tuple[dict[str, Any], list[Problem]]:
    """The keys and values in a part of a file that is written in YAML, TOML or JSON, and its faults."""
    text = file.text[start:end]
    try:
        values = _PARSERS[language](text)
        _bound(values, [_MOST_VALUES])
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = start + (mark.index if mark else 0)
        message = " ".join(filter(None, (error.context, error.problem)))
        return {}, [_unreadable(file, file.place(at), language, message)]
    except tomllib.TOMLDecodeError as error:
        m = _TOML_PLACE.search(str(error))
        row, column = (int(m[1]), int(m[2])) if m and m[1] else (text.count("\n"), 1)
        place = file.place(start)
        message = _TOML_PLACE.sub("", str(error))
        return {}, [_unreadable(file, Place(file.name, place.line + row - 1, column), language, message)]
    except json.JSONDecodeError as error:
        return {}, [_unreadable(file, file.place(start + error.pos), language, error.msg)]
    except Exception as error:  # a month 13, a number of 5,000 digits, `!!int ""`: PyYAML lets all through
        return {}, [_unreadable(file, file.place(start), language, shown(str(error), 80))]
    if values is None:
        return {}, []
    if not isinstance(values, dict):
        message = "it holds no keys; write `title: …`"
        return {}, [_unreadable(file, file.place(start), language, message)]
    return {str(key).lower(): value for key, value in values.items()}, []


def _bound(value: Any, left: list[int]) -> None:
    """Raise ValueError where there is too much to be gone through, as aliases of aliases make it, or a number
    is too long to be written. `left`: how many values there may be.
    """
    left[0] -= 1
    if left[0] < 0:
        raise ValueError("it holds too many values")
    if isinstance(value, int):
        str(value)
    elif isinstance(value, dict | list | tuple | set):
        for one in [*value, *(value.values() if isinstance(value, dict) else ())]:
            _bound(one, left)


def _json(file: File, start: int) -> tuple[FrontMatter, list[Problem]]:
    try:
        _, end = json.JSONDecoder().raw_decode(file.text, start)
    except (ValueError, RecursionError):
        _, problems = parsed(file, "JSON", start, len(file.text))
        return FrontMatter(), problems
    values, problems = parsed(file, "JSON", start, end)
    return FrontMatter(values, end), problems


def _looks_like_keys(text: str, start: int) -> bool:
    return re.compile(r"[\w-]+[ \t]*:(?:\s|$)").match(text, start) is not None


def _unreadable(file: File, place: Place, language: str, why: str) -> Problem:
    hint = ""
    if "mapping values are not allowed" in why:
        hint = "; a value with a colon in it must be in quotes"
    return UNREADABLE.at(place, f"this cannot be read as {language}: {why}{hint}", file.name)


class BoundedLoader(Loader):
    """Reads YAML whose merged keys, which may merge others again and again, are only so many."""

    merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        super().flatten_mapping(node)
        self.merged += len(node.value)
        if self.merged > _MOST_VALUES:
            raise ValueError("it holds too many values")


def in_yaml(text: str, loader: type[BoundedLoader] = BoundedLoader) -> Any:
    """Read YAML. Raises ValueError where it is nested so deep that libyaml would end the process."""
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MOST_DEPTH:
            raise ValueError("it is nested too deep")
    values = yaml.load(text, Loader=loader)
    _bound(values, [_MOST_VALUES])
    return values


_PARSERS: Mapping[str, Any] = {"YAML": in_yaml, "TOML": tomllib.loads, "JSON": json.loads}
