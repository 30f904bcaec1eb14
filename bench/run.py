#!/usr/bin/env python3
"""Measurements: python bench/run.py [NAME …] runs the named files of bench/, or all.
Options after a single name are for that measurement.

A measurement is a file here with a `main()` that returns rows. The first row is its yardstick, plain Python
with the minimal work of the task: since machines and their load differ, compare between runs
the ratio of a row to the yardstick. A measurement without its program prints
a message; one that counts instead of timing returns its own table.
"""

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

BENCH = Path(__file__).resolve().parent
HELPERS = ("run", "invented_book")
"""Files here that measure nothing."""


class Row(NamedTuple):
    """A measured task: its name, its seconds, and their limit."""

    name: str
    seconds: float
    limit: float | None = None


def best(work: Callable[[], object], seconds: float = 0.5) -> float:
    """Return the shortest time of `work`, repeated for about `seconds`."""
    shortest, until = float("inf"), time.perf_counter() + seconds
    while (begin := time.perf_counter()) < until:
        work()
        shortest = min(shortest, time.perf_counter() - begin)
    return shortest


def table(name: str, rows: Sequence[Row]) -> str:
    """Return the rows as a small table, each with its ratio to the first."""
    lines = [name]
    for row in rows:
        limit = f"  limit {_with_unit(row.limit)}" if row.limit else ""
        over = "  OVER" if row.limit and row.seconds > row.limit else ""
        lines.append(
            f"  {row.name:<48} {_with_unit(row.seconds):>10} {row.seconds / rows[0].seconds:>8.1f} x"
            f"{limit}{over}"
        )
    return "\n".join(lines)


def _with_unit(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e6:.2f} µs"


def main(arguments: Sequence[str]) -> int:
    known = sorted(file.stem for file in BENCH.glob("*.py") if file.stem not in HELPERS)
    first = next((index for index, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    arguments, options = arguments[:first], arguments[first:]
    if options and len(arguments) != 1:
        print(f"{options[0]} needs exactly one measurement before it", file=sys.stderr)
        return 2
    if unknown := [name for name in arguments if name not in known]:
        print(f"no measurement {unknown[0]}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    sys.path.insert(0, str(BENCH.parent))
    for name in arguments or known:
        try:
            result = importlib.import_module(f"bench.{name}").main(*([options] if options else []))
            print(result if isinstance(result, str) else table(name, result), flush=True)
        except SystemExit as missing:
            print(f"{name}\n  {missing}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
