"""Files of a site: pages as text with their front matter, all others by name, and what cannot be read."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from rulewright.files import limits
from rulewright.files.content_folder import natural_sort_key
from rulewright.files.problems import Problem, SourceFile, SourceLocation, problem_type, quote_short

UNREADABLE = problem_type(
    "import-file-unreadable",
    """A file of a site to import cannot be read: it is no Markdown in UTF-8, it is too large, its permissions
    forbid it, or it is a link to another place. Save it as Markdown, or replace the link with a copy.""",
)
FRONT_MATTER = problem_type(
    "import-front-matter",
    """The front matter of a page, or the configuration of a site, cannot be read: it is not the YAML, TOML or
    JSON that it begins as, it never ends, or it holds no keys. Correct it at the place that is named.""",
)

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
_OTHER_PAGES = (".html", ".htm", ".adoc", ".asciidoc", ".org", ".rst", ".pandoc")
"""Endings of pages that only Hugo can read."""

_OPENING = re.compile(r"\s*(?:(?P<fence>---|\+\+\+)[ \t]*\r?\n|(?P<json>\{)(?!\{))")
_KEY = re.compile(r"[\w-]+[ \t]*:(?:\s|$)")
_TOML_PLACE = re.compile(r"\s*\(at line (\d+), column (\d+)\)")
_MAX_SETTINGS = 200_000


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a page: texts and lists by key in small letters, and where its words begin."""

    values: Mapping[str, Any] = field(default_factory=dict)
    start: int = 0


@dataclass(frozen=True, slots=True)
class SiteFiles:
    """The pages of a folder by name, in the order of names, and the paths of its other files by name."""

    texts: dict[str, SourceFile] = field(default_factory=dict)
    other_files: dict[str, Path] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def gather(top: Path, below: str = "") -> SiteFiles:
    """Gather all files in a folder except hidden ones. `below`: begins the name of each file.

    A link is followed if it leads to a file in the folder.
    """
    files, root = SiteFiles(), top.resolve()
    for path in sorted(top.rglob("*"), key=lambda path: natural_sort_key(path.as_posix())):
        inside = path.relative_to(top).as_posix()
        is_link = path.is_symlink()
        if re.search(r"(?:^|/)\.", inside) or (path.is_dir() and not is_link):
            continue
        display_name = re.sub(r"[\x00-\x1f\x7f-\x9f]", "\ufffd", path.as_posix())
        place, fault = SourceLocation(display_name), ""
        try:
            if is_link and not (path.is_file() and path.resolve().is_relative_to(root)):
                fault = "is a link to another place; put a copy in its place"
            elif path.suffix.lower() in MARKDOWN:
                text, fault = _read_page(path)
                file = SourceFile(display_name, text)
                place = file.location(len(text) if fault else 0)
                files.texts[posixpath.join(below, inside)] = file
            elif path.suffix.lower() in _OTHER_PAGES and path.read_bytes()[:3] in (b"---", b"+++"):
                fault = f"is not written in Markdown; rewrite it as {path.stem}.md"
            else:
                files.other_files[posixpath.join(below, inside)] = path
        except OSError as error:
            fault = f"cannot be opened ({error.strerror})"
        if fault:
            files.texts.pop(posixpath.join(below, inside), None)
            files.problems.append(UNREADABLE.problem(place, f"{path.name} {fault}", display_name))
    return files


def _read_page(path: Path) -> tuple[str, str]:
    """Return the text of a page up to its fault, and the fault."""
    if path.stat().st_size > limits.FILE.maximum:
        return "", f"is larger than {limits.FILE.maximum // 1_000_000} MB; split it"
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data[: error.start].decode("utf-8-sig") + "\0"
    before, null, _ = text.partition("\0")
    return before, "is no text in UTF-8; save it as UTF-8, if it is text at all" if null else ""


def front_matter_of(file: SourceFile) -> tuple[FrontMatter, list[Problem]]:
    """Return the front matter of a page, and its problems."""
    text, opening = file.text, _OPENING.match(file.text)
    fence = opening["fence"] if opening else ""
    if not opening or (fence == "---" and not _KEY.match(text, opening.end())):
        closing = re.search(r"^---[ \t]*$", text[opening.end() :], re.MULTILINE) if opening else None
        if not opening or not closing:
            return FrontMatter(), []  # at most a line across the page
    start, end, rest = opening.end(), len(text), 0
    if fence:
        ends = re.compile(rf"^{re.escape(fence)}[ \t]*(?:\r?\n|\Z)", re.MULTILINE).search(text, start)
        if ends is None:
            message = f"the front matter begins with {fence} and never ends; close it with another {fence}"
            return FrontMatter(), [FRONT_MATTER.problem(file.location(start), message, file.name)]
        end, rest = ends.span()
    else:
        start = opening.start("json")
        try:
            _, end = json.JSONDecoder().raw_decode(text, start)
            rest = end
        except (ValueError, RecursionError):
            pass  # the problem is found again below
    values, problems = parse_settings(file, {"---": ".yaml", "+++": ".toml"}.get(fence, ".json"), start, end)
    return FrontMatter(values, rest), problems


def parse_settings(
    file: SourceFile, ending: str, start: int = 0, end: int | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the keys in a part of a file in YAML, TOML or JSON, in small letters, and its problems.

    Nothing walks through the values: aliases of aliases in YAML cost nothing.
    """
    text, place = file.text[start:end], file.location(start)
    try:
        if len(text) > _MAX_SETTINGS:
            raise ValueError("it is too long")
        if ending == ".toml":
            values = tomllib.loads(text)
        else:
            values = json.loads(text) if ending == ".json" else yaml.load(text, yaml.BaseLoader)
        if isinstance(values, dict) or not values:
            return {str(key).lower(): value for key, value in (values or {}).items()}, []
        reason = "it holds no keys; write `title: …`"
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = file.location(start + (mark.index if mark else 0))
        reason = " ".join(filter(None, (error.context, error.problem)))
    except Exception as error:  # a number of 5,000 digits, values nested too deep
        reason = quote_short(str(error), 80)
        place = file.location(start + getattr(error, "pos", 0))
        if match := _TOML_PLACE.search(reason):
            place = SourceLocation(file.name, place.line + int(match[1]) - 1, int(match[2]))
    if "mapping values are not allowed" in reason:
        reason += "; a value with a colon in it must be in quotes"
    message = f"this cannot be read as {ending[1:].upper()}: {reason}"
    return {}, [FRONT_MATTER.problem(place, message, file.name)]
