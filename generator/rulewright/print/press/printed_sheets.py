"""Record of printing: the words of every sheet that `rulewright aids` has made, kept in the repository.

A sheet is a text file in its edition's folder `printed/`, so that a commit shows what a printing changed and
two of them merge as any text does. No file says when or by whom. Against these the sheets of today are held.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.source.folder import content_folder

FOLDER = "printed"
LETTERS = 8
_HEAD = re.compile(r"# (?P<title>.*) · (?P<mark>[0-9a-f]{8})")


def mark_of(words: Iterable[str]) -> str:
    """The short hash that a sheet carries: the same as long as the sheet says the same."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:LETTERS]


@dataclass(frozen=True, slots=True)
class StaleSheet:
    """A sheet that was printed and says something else today: `now` is empty where there is no such sheet."""

    address: str
    title: str
    was: str
    now: str
    diff: str


def written(title: str, words: tuple[str, ...]) -> str:
    """The file of a printed sheet."""
    return "\n".join((f"# {' '.join(title.split())} · {mark_of(words)}", *words, ""))


def file_of(project: Path, address: str) -> Path:
    """Where the words of a printed sheet are kept: `content/ocs/4.3/printed/aids/sequence.txt`."""
    book, edition, name = address.split("/", 2)
    return content_folder(project) / book / edition / FOLDER / f"{name}.txt"


def printed(project: Path) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every sheet that was printed: its address, its title then, and what it said. Raises OSError."""
    content = content_folder(project)
    inside = os.path.join(os.path.realpath(content), "")
    for path in sorted(content.glob(f"*/*/{FOLDER}/**/*.txt")):
        if not (os.path.realpath(path).startswith(inside) and path.is_file()):
            continue  # a link to what was never printed
        first, *lines = path.read_text("utf-8", errors="replace").splitlines() or [""]
        head = _HEAD.fullmatch(first)
        book, edition, _, *name = path.relative_to(content).with_suffix("").parts
        address = "/".join((book, edition, *name))
        yield address, head["title"] if head else address, tuple(line for line in lines if line)


def stale(project: Path, now: Mapping[str, tuple[str, tuple[str, ...]]]) -> list[StaleSheet]:
    """The sheets that were printed and have changed since. `now`: title and words by address."""
    found = []
    for address, title, was in printed(project):
        new_title, words = now.get(address, (title, ()))
        if address in now and words == was:
            continue
        before, after = mark_of(was), mark_of(words) if address in now else ""
        lines = difflib.unified_diff(
            was,
            words,
            f"{address}, printed as {before}",
            f"{address}, today {after or 'gone'}",
            n=1,
            lineterm="",
        )
        found.append(StaleSheet(address, new_title, before, after, "".join(f"{line}\n" for line in lines)))
    return found
