"""Whether finder and oracle agree: how many numbers of made-up books were tried, and how many are wrong."""

from __future__ import annotations

from random import Random

from tests.oracle.books import BOOKS
from tests.oracle.trial import Trial

SHARE = 0.1
"""How many of all pairs of rules are tried, each in every spelling: together more than 200,000 numbers."""


def main() -> str:
    tallies = [Trial(book).run(Random(book.name), SHARE) for book in BOOKS]
    lines = [f"  {'book':<20}{'texts':>10}{'numbers':>10}{'problems':>10}{'wrong':>8}{'silent':>8}"]
    rows = [(t.book, t.texts, t.numbers, t.ambiguous, t.wrong, t.silent) for t in tallies]
    rows.append(("together", *map(sum, zip(*(row[1:] for row in rows), strict=True))))
    for name, texts, numbers, problems, wrong, silent in rows:
        lines.append(f"  {name:<20}{texts:>10,}{numbers:>10,}{problems:>10,}{wrong:>8,}{silent:>8,}")
    told = [str(one) for tally in tallies for one in tally.disagreements[:3]]
    return "\n".join(["oracle", *lines, *told])
