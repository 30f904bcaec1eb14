"""Names of files and folders: which names every system can hold, and which ones the site reserves.

Content is copied to other systems, so a name must work on Windows, on case-insensitive disks and as a
command argument.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import chain, count

from rulewright.files.problems import Problem, Severity, SourceLocation, problem_type, quote_short

FOLDER_NAME = problem_type(
    "folder-name-unusable",
    """The folder of a book or an edition has a name that some systems cannot hold, that a command would take
    for an option, that differs from another only in case, or that the site reserves. URLs contain it;
    rename it.""",
)
FILE_NAME = problem_type(
    "file-name-unusable",
    """A file has a name that some systems cannot hold, that differs from another only in case, or that the
    site reserves. Rename it.""",
    Severity.WARNING,
)

RESERVED_NAMES = frozenset((
    "404.html", "assets", "checks", "index.html", 
    "problems", "search", "site.webmanifest", "sitemap.xml", "sitemap.xml.gz", "sw.js",
))  # fmt: skip
"""Names at the top of the site that no book may have."""

MAX_BYTES = 200
"""The longest name; disks hold 255, and some names get a suffix."""

_DEVICE = re.compile(r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')


def casefold_path(name: str) -> str:
    """Return a name or path as case-insensitive disks compare it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def unique_name(name: str, taken: Container[str], ending: str = "") -> str:
    """Return the name if it is free, else with the lowest number that makes it unique."""
    numbered = (f"{name}-{number}{ending}" for number in count(2))
    return next(candidate for candidate in chain([name + ending], numbered) if candidate not in taken)


def too_long(name: str) -> bool:
    """Return whether a part of a path is longer than disks can hold."""
    return any(len(part.encode("utf-8", "replace")) > MAX_BYTES for part in name.split("/"))


def is_inside(path: str) -> bool:
    """Return whether a relative path, with `/`, stays in its folder and names nothing hidden there."""
    parts = path.split("/")
    return all(parts) and not any(part.startswith(".") for part in parts) and not re.search(r"[\\\x00]", path)


def name_problem(name: str) -> str:
    """Return why some systems cannot hold a file or folder of this name, or an empty string."""
    if character := _FORBIDDEN.search(name):
        return f"some systems allow no {character[0]} in names"
    if _DEVICE.fullmatch(name):
        return "some systems know a device by this name"
    if name.endswith((".", " ")):
        return "some systems leave out a full stop or a space at the end"
    if name.startswith("-"):
        return "commands take it for an option"
    return "it is too long for some systems" if too_long(name) else ""


def file_name_problems(names: Iterable[str], top: str, is_book: Callable[[str], bool]) -> Iterator[Problem]:
    """Yield the problems of names below the folder `top`.

    `is_book`: whether a path there belongs to a book or edition.
    """
    firsts: dict[str, str] = {}
    done: dict[str, bool] = {}
    for file in names:
        parts = file.removeprefix(f"{top}/").split("/")
        for depth, name in enumerate(parts):
            path = "/".join(parts[: depth + 1])
            if path in done:
                if done[path]:
                    continue
                break  # its folder has been reported
            first = firsts.setdefault(casefold_path(path), path)
            reason = name_problem(name)
            if first != path:
                reason = f"some systems take it for {first.rpartition('/')[2]}"
            elif depth == 0 and casefold_path(name.removesuffix(".md")) in RESERVED_NAMES:
                reason = "the site needs it for pages of its own"
            done[path] = not reason
            if reason:
                name_type, noun = (FOLDER_NAME, "folder") if is_book(path) else (FILE_NAME, "file")
                noun = "folder" if depth < len(parts) - 1 else noun
                message = f"{quote_short(name)} cannot be the name of a {noun}: {reason}; rename it"
                yield name_type.problem(SourceLocation(file), message, file)
                break
