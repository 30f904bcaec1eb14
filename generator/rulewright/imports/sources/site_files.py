"""Files of a site: pages as text with their front matter, all others by name, and what cannot be read."""

from __future__ import annotations

import posixpath
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from rulewright.files import limits
from rulewright.files.content_folder import natural_sort_key
from rulewright.files.located_text import decode_utf8
from rulewright.files.problems import (
    Problem,
    SourceFile,
    SourceLocation,
    problem_type,
    quote_short,
    single_line,
)

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


@dataclass(slots=True)
class SiteFiles:
    """The pages of a folder by name, in the order of names, and the paths of its other files by name."""

    texts: dict[str, SourceFile] = field(default_factory=dict)
    other_files: dict[str, Path] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def gather(self, top: Path, root: Path, below: str = "") -> None:
        """Gather all files in a folder except hidden ones. `below`: begins the name of each file.

        A link is followed if it leads to a file in the folder `root`.
        """
        for path in sorted(top.rglob("*"), key=lambda path: natural_sort_key(path.as_posix())):
            inside = path.relative_to(top).as_posix()
            if "/." in f"/{inside}" or (path.is_dir() and not path.is_symlink()):
                continue
            try:
                fault = self._add(posixpath.join(below, inside), path, root)
            except OSError as error:
                fault = f"cannot be opened ({error.strerror})"
            if fault:
                display_name = single_line(path.as_posix())
                self.problems.append(
                    UNREADABLE.problem(SourceLocation(display_name), f"{path.name} {fault}", display_name)
                )

    def _add(self, name: str, path: Path, root: Path) -> str:
        """Add a file. Return what is wrong with it."""
        ending = path.suffix.lower()
        if not (path.is_file() and path.resolve().is_relative_to(root.resolve())):
            return "is a link to another place; put a copy in its place"
        if ending in _OTHER_PAGES and path.read_bytes().startswith((b"---", b"+++")):
            return f"is not written in Markdown; rewrite it as {path.stem}.md"
        if ending not in MARKDOWN:
            self.other_files[name] = path
        elif path.stat().st_size > limits.FILE.maximum:
            return f"is larger than {limits.FILE.maximum // 1_000_000} MB; split it"
        else:
            file, problems = decode_utf8(path.as_posix(), path.read_bytes())
            self.problems += problems
            if not problems:
                self.texts[name] = SourceFile(file.name, file.text.replace("\r\n", "\n"))
        return ""


def front_matter_of(file: SourceFile) -> tuple[dict[str, Any], int, list[Problem]]:
    """Return the front matter of a page by key in small letters, where its words begin, and its problems."""
    opening = _OPENING.match(file.text) if file.name.lower().endswith(MARKDOWN) else None
    if not opening:
        return {}, 0, []
    start, fence = opening.end(), opening["fence"]
    closing_line = rf"^{re.escape(fence)}[ \t]*(?:\n|\Z)" if fence else r"(?<=\})[ \t]*(?:\n|\Z)"
    closing = re.compile(closing_line, re.MULTILINE).search(file.text, start)
    if closing is None:
        message = f"the front matter never ends; close it with {fence or '}'}"
        return {}, 0, [FRONT_MATTER.problem(file.location(start), message, file.name)]
    values, problems = parse_settings(file, is_toml=fence == "+++", start=start, end=closing.start())
    return values, closing.end(), problems


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
