"""The files of a site: pages as text, everything else by name, front matter, and what cannot be read."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from rulewright.files import limits
from rulewright.files.content_folder import natural_sort_key
from rulewright.files.problems import (
    Problem,
    ProblemType,
    SourceFile,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.files.yaml_tree import FastSafeLoader

NOT_TEXT = problem_type(
    "hugo-page-not-text",
    """A page of a Hugo site is no text: it is not UTF-8, or it holds characters that no text has. Save it as
    UTF-8, or give the file the ending of what it is.""",
)
NOT_MARKDOWN = problem_type(
    "hugo-page-not-markdown",
    "A page of a Hugo site is not written in Markdown, so it is not imported. Write it as Markdown.",
)
UNREADABLE = problem_type(
    "hugo-file-unreadable",
    """A file or folder of a Hugo site cannot be read: a link leads back to a folder that it lies in, out of
    the site, or to nothing; permissions forbid it; or it is larger than any page.""",
)
FRONT_MATTER = problem_type(
    "hugo-front-matter",
    """The front matter of a Hugo page, or Hugo's configuration, cannot be read: it is not the YAML, TOML or
    JSON that it begins as, it never ends, or it holds no keys. Mend it at the place that is named.""",
)

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
_OTHER_PAGES = (".html", ".htm", ".adoc", ".asciidoc", ".org", ".rst", ".pandoc", ".pdc")
"""The endings of pages that only Hugo can read."""

_OPENING = re.compile(r"\ufeff?\s*(?:(?P<fence>---|\+\+\+)[ \t]*(?:\r\n|\n|\r)|(?P<json>\{)(?!\{))")
_FENCE = re.compile(rb"\s*(?:---|\+\+\+|\{)")
_KEY = re.compile(r"[\w-]+[ \t]*:(?:\s|$)")
_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")
_MOST_VALUES, _MOST_DEPTH = 100_000, 100


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a page: its values by key, in small letters, and where the page's words begin."""

    values: Mapping[str, Any] = field(default_factory=dict)
    start: int = 0


@dataclass(frozen=True, slots=True)
class PageFile:
    """A page's file. `name`: below the content folder; `stem`: without folders, language and ending."""

    name: str
    file: SourceFile
    stem: str
    language: str = ""


@dataclass(frozen=True)
class Files:
    """The pages of a folder in an order of names, and the paths of its other files by name."""

    texts: list[PageFile] = field(default_factory=list)
    other_files: dict[str, Path] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def gather(top: Path, called: str, below: str, within: Path, languages: Collection[str] = ()) -> Files:
    """Gather every file in a folder, hidden ones left out, along the links that stay inside.

    `called`: how messages name the folder; `below`: what stands in front of each file's name; `languages`:
    what may stand between a page's name and its ending, as in `modes.en.md`; `within`: what all of it has to
    lie in, wherever links and settings lead.
    """
    found, root = Files(), os.path.realpath(within)

    def named(path: Path) -> str:
        return f"{called}/{path.relative_to(top).as_posix()}".removesuffix("/.")

    def report(kind: ProblemType, path: Path, message: str) -> None:
        name = "".join(c if c.isprintable() else "\ufffd" for c in named(path))
        found.problems.append(kind.problem(SourceLocation(name), message, name))

    def enter(path: Path, name: str, around: tuple[str, ...]) -> None:
        real, why = os.path.realpath(path), ""
        if path != top and not path.name.isprintable():
            why = "its name holds characters that cannot be printed; rename it"
        elif not os.path.exists(path):
            why = f"{path.name} is a link that leads to nothing; delete it"
        elif not f"{real}{os.sep}".startswith(f"{root}{os.sep}"):
            link = "leads out of the site" if path == top else f"is a link that leads out of {called}"
            why = f"{path.name} {link}; put a copy in its place"
        elif real in around:
            why = f"{path.name} is a link to a folder that it lies in, so it has no end; delete it"
        elif not path.is_dir() and not path.is_file():
            why = f"{path.name} is no ordinary file; delete it"
        try:
            if why:
                report(UNREADABLE, path, why)
            elif path.is_dir():
                for one in sorted(os.listdir(path), key=natural_sort_key):
                    if not one.startswith("."):
                        enter(path / one, f"{name}/{one}".lstrip("/"), (*around, real))
            else:
                enter_file(path, name)
        except OSError as error:
            report(UNREADABLE, path, f"cannot be opened ({error.strerror})")

    def enter_file(path: Path, name: str) -> None:
        ending, end = path.suffix.lower(), path.name
        if ending in _OTHER_PAGES:
            with path.open("rb") as opened:
                if _FENCE.match(opened.read(200)):
                    why = f"{end} is not written in Markdown; rewrite it as {path.stem}.md"
                    report(NOT_MARKDOWN, path, why)
                    return
        if ending not in MARKDOWN:
            found.other_files[name] = path
            return
        if path.stat().st_size > limits.FILE.maximum:
            report(UNREADABLE, path, f"{end} is larger than {limits.FILE.maximum // 1_000_000} MB; split it")
            return
        data = path.read_bytes()
        try:
            text = data.decode("utf-8-sig")
            wrong = text.find("\0")
            message = f"{end} holds characters that no text has; it may be a picture or a program"
        except UnicodeDecodeError as error:
            text = data[: error.start].decode("utf-8-sig")
            wrong, message = len(text), f"{end} is not UTF-8 text; save it as UTF-8, if it is text at all"
        file = SourceFile(named(path), text)
        if wrong >= 0:
            found.problems.append(NOT_TEXT.problem(file.location(wrong), message, file.name))
            return
        stem, _, language = path.stem.rpartition(".")
        if language.lower() not in languages or not stem:
            stem, language = path.stem, ""
        found.texts.append(PageFile(name, file, stem, language.lower()))

    enter(top, below, ())
    return found


def front_matter_of(file: SourceFile) -> tuple[FrontMatter, list[Problem]]:
    """The front matter of a page, and what is wrong with it. A page that has none is all words."""
    opening = _OPENING.match(file.text)
    if opening is None:
        return FrontMatter(), []
    if opening["json"]:
        start = opening.start("json")
        try:
            _, end = json.JSONDecoder().raw_decode(file.text, start)
        except (ValueError, RecursionError):
            return FrontMatter(), parsed(file, "JSON", start)[1]
        values, problems = parsed(file, "JSON", start, end)
        return FrontMatter(values, end), problems
    fence, start = opening["fence"], opening.end()
    ends = re.compile(rf"^{re.escape(fence)}[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
    closing = ends.search(file.text, start)
    if closing is None and fence == "---" and not _KEY.match(file.text, start):
        return FrontMatter(), []  # a line across the page
    if closing is None:
        message = f"the front matter begins with {fence} and never ends; close it with another {fence}"
        return FrontMatter(), [
            FRONT_MATTER.problem(file.location(opening.start("fence")), message, file.name)
        ]
    values, problems = parsed(file, "YAML" if fence == "---" else "TOML", start, closing.start())
    return FrontMatter(values, closing.end()), problems


def parsed(
    file: SourceFile, language: str, start: int = 0, end: int | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The keys and values in a part of a file that is written in YAML, TOML or JSON, and its faults."""
    text = file.text[start:end]
    place = file.location(start)
    try:
        values = _PARSERS[language](text)
        _bound(values, [_MOST_VALUES])
        if isinstance(values, dict) or values is None:
            return {str(key).lower(): value for key, value in (values or {}).items()}, []
        why = "it holds no keys; write `title: …`"
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = file.location(start + (mark.index if mark else 0))
        why = " ".join(filter(None, (error.context, error.problem)))
    except tomllib.TOMLDecodeError as error:
        m = _TOML_PLACE.search(str(error))
        row, column = (int(m[1]), int(m[2])) if m and m[1] else (text.count("\n"), 1)
        place = SourceLocation(file.name, place.line + row - 1, column)
        why = _TOML_PLACE.sub("", str(error))
    except json.JSONDecodeError as error:
        place, why = file.location(start + error.pos), error.msg
    except Exception as error:  # a month 13, a number of 5,000 digits, `!!int ""`: PyYAML lets all through
        why = quote_short(str(error), 80)
    if "mapping values are not allowed" in why:
        why += "; a value with a colon in it must be in quotes"
    return {}, [FRONT_MATTER.problem(place, f"this cannot be read as {language}: {why}", file.name)]


def _bound(value: Any, left: list[int]) -> None:
    """Raise ValueError at too many values (`left`), as aliases of aliases make, or too long a number."""
    left[0] -= 1
    if left[0] < 0:
        raise ValueError("it holds too many values")
    if isinstance(value, int):
        str(value)
    elif isinstance(value, dict | list | tuple | set):
        for one in [*value, *(value.values() if isinstance(value, dict) else ())]:
            _bound(one, left)


class _BoundedLoader(FastSafeLoader):
    """Reads YAML whose merged keys, which may merge others again and again, are only so many."""

    merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        super().flatten_mapping(node)
        self.merged += len(node.value)
        if self.merged > _MOST_VALUES:
            raise ValueError("it holds too many values")


def in_yaml(text: str, loader: Any = _BoundedLoader) -> Any:
    """Read YAML. Raises ValueError where it is nested so deep that libyaml would end the process."""
    depth = 0
    for event in yaml.parse(text, Loader=FastSafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MOST_DEPTH:
            raise ValueError("it is nested too deep")
    values = yaml.load(text, Loader=loader)
    _bound(values, [_MOST_VALUES])
    return values


_PARSERS: Mapping[str, Callable[[str], Any]] = {"YAML": in_yaml, "TOML": tomllib.loads, "JSON": json.loads}
