"""Whether finder and oracle agree: how many numbers of made-up books were tried, and how many are wrong."""

from random import Random

from tests.oracle.books import BOOKS, invented
from tests.oracle.trial import Tally, Trial

SHARE = 0.06
"""How many of all pairs of rules are tried, each in every spelling: together more than 250,000 numbers."""
INVENTED = 40


def main() -> str:
    tallies = [Trial(book).run(Random(book.name), SHARE) for book in BOOKS]
    more = [Trial(book).run(Random(book.name), SHARE) for book in map(invented, range(INVENTED))]
    columns = ("aside", "texts", "numbers", "problems", "wrong", "silent")
    lines = [f"  {'book':<26}" + "".join(f"{column:>10}" for column in columns)]
    lines += [_row(tally.book, [tally]) for tally in tallies]
    lines += [_row(f"{INVENTED} invented dialects", more), _row("together", [*tallies, *more])]
    told = [f"  {one}" for tally in (*tallies, *more) for one in tally.disagreements[:3]]
    return "\n".join(["oracle", *lines, *told])


def _row(name: str, tallies: list[Tally]) -> str:
    counts = zip(
        *((t.aside, t.texts, t.numbers, t.problems, t.wrong, t.silent) for t in tallies), strict=True
    )
    return f"  {name:<26}" + "".join(f"{sum(column):>10,}" for column in counts)
