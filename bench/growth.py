"""How long hostile content takes, and whether four times as much takes longer than it should.

The tests count lines of Python; how long a regular expression takes within one line is seen here alone.
"""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import starmap
from pathlib import Path

from bench.run import Row, best
from rulewright.checks.examine import examine
from rulewright.citations.manuscript import prose_of
from rulewright.compare.edition_changes import compare
from rulewright.text.document import plain
from tests import test_changes_hostile, test_hostile, test_manuscript, test_names, test_prose, test_references

FACTOR = 4
MOST = 3 * FACTOR
"""How many times as long the larger may take: by the square it would be 16 times."""

LEAST = 0.01
"""Seconds below which a time says nothing about how it grows."""

Work = Callable[[int], Callable[[], object]]
"""Of so much content, what is measured."""


def main() -> list[Row]:
    yardstick = Row("yardstick: a list of 5,000 strings", best(lambda: [str(at) for at in range(5_000)]))
    with tempfile.TemporaryDirectory() as folder:
        return [yardstick, *starmap(_grown, _works(Path(folder)))]


def _grown(what: str, work: Work, small: int) -> Row:
    few = best(work(small), 0.1)
    return Row(what, best(work(FACTOR * small), 0.1), MOST * max(few, LEAST))


def _works(folder: Path) -> Iterator[tuple[str, Work, int]]:
    for what in test_hostile.GROWING:
        yield f"check: {what}", partial(_check, folder, what), 1_200
    for what in test_changes_hostile.GROWING:
        yield f"difference: {what}", partial(_difference, what), 600
    for name, finder in test_references.FINDERS.items():
        yield from _texts(f"references, {name}", test_references.HOSTILE, finder.find)
    names = partial(test_names.NAMES.find, taken=[], meant=test_names.first)
    yield from _texts("names", test_names.HOSTILE, names)
    yield from _texts("pages", test_manuscript.HOSTILE, prose_of)
    yield from _texts("prose", test_prose.HOSTILE, plain)


def _texts(
    what: str, hostile: tuple[str, ...], work: Callable[[str], object]
) -> Iterator[tuple[str, Work, int]]:
    for text in hostile:
        yield f"{what}: {text!r}", lambda n, text=text: partial(work, text * (n // len(text))), 15_000


def _check(folder: Path, what: str, count: int) -> Callable[[], object]:
    return partial(
        examine, test_hostile.project(folder / what / str(count), test_hostile.GROWING[what](count))
    )


def _difference(what: str, count: int) -> Callable[[], object]:
    shelf = test_changes_hostile.two(*test_changes_hostile.GROWING[what](count))
    return partial(compare, *shelf.outlines.values(), shelf)
