"""Time of `rulewright check` in its own process: without a cache, with nothing changed, after an edit."""

import os
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path

from bench.peers import CHAPTER, EDITED, as_content, library
from bench.run import Row, best
from tests.commands.duel import write

LIMITS = {1: (0.8, 0.3, 0.8), 10: (1.5, 0.3, 0.8)}
"""For numbers of books of 1,775 rules: seconds of a check without a cache, again, and after an edit."""


def main() -> list[Row]:
    rows = [Row("yardstick: a Python that does nothing", best(lambda: _python(Path(), "-c", "")))]
    with tempfile.TemporaryDirectory() as folder:
        rows.append(Row("edited check of a new game", _small(Path(folder, "game")), 20 * rows[0].seconds))
    for books, limits in LIMITS.items():
        with tempfile.TemporaryDirectory() as folder:
            seconds = _three(Path(folder), books)
        states = ("without a cache", "nothing changed", "a word edited")
        names = (f"check of {1_775 * books:,} rules, {state}" for state in states)
        rows += map(Row, names, seconds, limits)
    return rows


def _small(project: Path) -> float:
    """Return the seconds of a check of a new game with one file edited."""
    _python(Path(), "-P", "-m", "rulewright", "new", str(project))
    chapter = project / "content/game/1/rules/1-movement.yml"
    words, turns = chapter.read_text("utf-8"), count(1)

    def edited() -> None:
        chapter.write_text(f"{words}# {next(turns)}\n", "utf-8")
        _check(project, "cache")

    edited()
    return best(edited, 6)


def _three(project: Path, books: int) -> list[float]:
    """Return the seconds of a check without a cache, of the same again, and of a check after an edit."""
    write(project, as_content(library(books)))
    chapter = project / f"content/b1/1/rules/{CHAPTER}.yml"
    words, turns = chapter.read_text("utf-8"), count(1)

    def edited() -> None:
        chapter.write_text(words.replace(EDITED.format(0), EDITED.format(next(turns))), "utf-8")
        _check(project, "cache")

    first = best(lambda: _check(project, f"cache-{next(turns)}"), 3)
    _check(project, "cache")
    return [first, best(lambda: _check(project, "cache"), 3), best(edited, 3)]


def _check(project: Path, cache: str) -> None:
    _python(project, "-P", "-m", "rulewright", "check", XDG_CACHE_HOME=str(project / cache))


def _python(folder: Path, *words: str, **environment: str) -> None:
    """Run Python in a process; exit code 1 means that a check found problems, which is not an error here."""
    environ = {**os.environ, **environment}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # no user compiles the program at each start
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, env=environ, check=False)
    assert done.returncode in (0, 1), done.stderr
