"""Imports a Hugo book of 25 pages, and one of 500, with all that stands on the pages of a real one."""

import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.run import Row
from tests.rulebooks import imported as import_into

SECTIONS = 7
WORDS = (
    "The player moves a stack of units along the road and pays for each hex, as [{c}.{s}](#{c}{s}-section) "
    "says; a unit that has no supply ([{o}.2a](../{o}/#{o}2-section)) may **not** move at\nall unless it is "
    "inde-\npendent. "
)


def page(chapter: int, other: int) -> str:
    """A page of some 20 kB, as real ones are: sections, lettered rules, items, notes, tables, links."""
    text = f'---\ntitle: "{chapter}.0 Chapter"\nweight: {chapter}\n---\n'
    for section in range(1, SECTIONS + 1):
        words = WORDS.format(c=chapter, s=section, o=other)
        text += f"\n## {chapter}.{section} Section\n\n{words * 2}\n"
        for letter in "abc":
            text += f"\n**{chapter}.{section}{letter} Rule.** {words}\n* **A)** {words}\n* **B)** {words}\n"
        text += (
            f"\n***Design Note:** {words}*\n\n| Roll | Result |\n|---|---|\n| 1-3 | Miss |\n| 4-6 | Hit |\n"
        )
    return text


def book(folder: Path, pages: int) -> None:
    """A section of so many pages."""
    for chapter in range(1, pages + 1):
        (folder / f"{chapter}.md").write_text(page(chapter, chapter % pages + 1), "utf-8")


def main() -> list[Row]:
    rows: list[Row] = []
    for pages, limit in ((25, 3.0), (500, 60.0)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            book(folder, pages)
            if not rows:
                rows.append(Row("25 pages, their words counted", timed(counted, folder)))
            rows.append(Row(f"{pages} pages imported", timed(imported, folder), limit))
    return rows


def counted(folder: Path) -> int:
    return sum(len(re.findall(r"\w+", path.read_text("utf-8"))) for path in folder.glob("*.md"))


def imported(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as project:
        (Path(project) / "content").mkdir()
        import_into(folder, Path(project))


def timed(work: Callable[[Path], object], folder: Path) -> float:
    begin = time.perf_counter()
    work(folder)
    return time.perf_counter() - begin
