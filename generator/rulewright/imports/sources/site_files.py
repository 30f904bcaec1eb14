"""Files of a site: pages as text with their front matter, all others by name, and what cannot be read."""

from __future__ import annotations

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
from rulewright.files.located_text import decode_utf8
from rulewright.files.problems import Problem, SourceFile, SourceLocation, problem_type, quote_short

UNREADABLE = problem_type(
    "import-file-unreadable",
    """A file of a site to import cannot be read: it is no Markdown, it is too large, its permissions forbid
    it, or it is a link to another place. Save it as Markdown, or replace the link with a copy.""",
)
FRONT_MATTER = problem_type(
    "import-front-matter",
    """The front matter of a page, or the configuration of a site, cannot be read: it is not the YAML, TOML or
    JSON that it begins as, it never ends, or it holds no keys. Correct it at the place that is named.""",
)

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
_OTHER_PAGES = (".html", ".htm", ".adoc", ".asciidoc", ".org", ".rst", ".pandoc")
"""Endings of pages that only Hugo can read."""

_OPENING = re.compile(
    r"\s*(?:(?P<fence>---(?=[ \t]*\n(?:[\w-]+[ \t]*:\s|[-{]))|\+\+\+(?=[ \t]*\n))[ \t]*\n|(?=\{\s*\"))"
)
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
        if re.search(r"(?:^|/)\.", inside) or (path.is_dir() and not path.is_symlink()):
            continue
        name, fault = posixpath.join(below, inside), ""
        try:
            if not (path.is_file() and path.resolve().is_relative_to(root)):
                fault = "is a link to another place; put a copy in its place"
            elif path.suffix.lower() in _OTHER_PAGES and path.read_bytes()[:3] in (b"---", b"+++"):
                fault = f"is not written in Markdown; rewrite it as {path.stem}.md"
            elif path.suffix.lower() not in MARKDOWN:
                files.other_files[name] = path
            elif path.stat().st_size > limits.FILE.maximum:
                fault = f"is larger than {limits.FILE.maximum // 1_000_000} MB; split it"
            else:
                file, problems = decode_utf8(path.as_posix(), path.read_bytes())
                files.problems.extend(problems)
                if not problems:
                    files.texts[name] = SourceFile(file.name, file.text.replace("\r\n", "\n"))
        except OSError as error:
            fault = f"cannot be opened ({error.strerror})"
        if fault:
            display_name = re.sub(r"[\x00-\x1f\x7f-\x9f]", "\ufffd", path.as_posix())
            problem = UNREADABLE.problem(SourceLocation(display_name), f"{path.name} {fault}", display_name)
            files.problems.append(problem)
    return files


def front_matter_of(file: SourceFile) -> tuple[FrontMatter, list[Problem]]:
    """Return the front matter of a page, and its problems."""
    opening = _OPENING.match(file.text)
    if not opening:
        return FrontMatter(), []
    start, fence = opening.end(), opening["fence"]
    closing_line = rf"^{re.escape(fence)}[ \t]*(?:\n|\Z)" if fence else r"(?<=\})[ \t]*(?:\n|\Z)"
    closing = re.compile(closing_line, re.MULTILINE).search(file.text, start)
    if closing is None:
        sign = fence or "}"
        message = f"the front matter begins with {fence or '{'} and never ends; close it with another {sign}"
        return FrontMatter(), [FRONT_MATTER.problem(file.location(start), message, file.name)]
    values, problems = parse_settings(file, is_toml=fence == "+++", start=start, end=closing.start())
    return FrontMatter(values, closing.end()), problems


def parse_settings(
    file: SourceFile, *, is_toml: bool, start: int = 0, end: int | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the texts and lists in a part of a file in TOML, YAML or JSON by key in small letters, and its
    problems. JSON is YAML.

    Nothing walks through other values: aliases of aliases in YAML cost nothing.
    """
    text = file.text[start:end]
    try:
        if len(text) > _MAX_SETTINGS:
            raise ValueError("it is too long")
        values = tomllib.loads(text) if is_toml else yaml.load(text, yaml.BaseLoader) or {}
        if not isinstance(values, dict):
            raise TypeError("it holds no keys; write `title: …`")
    except Exception as error:  # also a number of 5,000 digits, values nested too deep
        reason = quote_short(str(getattr(error, "problem", error)), 80)
        mark = getattr(error, "problem_mark", None)
        if "mapping values are not allowed" in reason:
            reason += "; a value with a colon in it must be in quotes"
        message = f"this cannot be read as {'TOML' if is_toml else 'YAML'}: {reason}"
        place = file.location(start + (mark.index if mark else 0))
        return {}, [FRONT_MATTER.problem(place, message, file.name)]
    texts: dict[str, Any] = {}
    for key, value in values.items():
        items = [item for item in value if isinstance(item, str)] if isinstance(value, list) else None
        texts[str(key).lower()] = items or ("" if isinstance(value, dict | list) else str(value))
    return texts, []
