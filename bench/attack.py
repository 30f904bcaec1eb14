"""The standing attack, for hours: every surface that reads foreign input, tried with ever new inputs.

    python3 run.py bench attack [--hours N] [--surface NAME …] [--seed S]

What is found is kept in tests/attack/corpus/, as small as it can be made, and the tests try it from then on.
Where atheris can be imported, every second round seeks inputs that reach other lines.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence

from tests.attack.driver import Tally, drive, findings_of
from tests.attack.surface import CORPUS, surfaces

ROUND = 30.0
"""Seconds that one surface is tried before it is the next one's turn."""


def main(arguments: Sequence[str] = ()) -> str:
    parser = argparse.ArgumentParser("run.py bench attack", description=__doc__)
    parser.add_argument("--hours", type=float, default=0.0, help="how long; else 30 seconds for each surface")
    parser.add_argument("--surface", action="append", metavar="NAME", choices=sorted(surfaces()))
    parser.add_argument("--seed", type=int, help="the same seed tries the same; else another each time")
    asked = parser.parse_args(arguments)
    names = asked.surface or list(surfaces())
    seed = random.randrange(10**6) if asked.seed is None else asked.seed
    until = time.monotonic() + (asked.hours * 3600 or len(names) * ROUND)
    tallies = {name: Tally(name) for name in names}
    begun, turn = time.monotonic(), 0
    try:
        while (left := until - time.monotonic()) > 0:
            name = names[turn % len(names)]
            _add(tallies, name, seed + turn, min(ROUND, left), guided=turn // len(names) % 2 == 1)
            turn += 1
    except KeyboardInterrupt:
        pass
    print(file=sys.stderr)
    return _table(tallies.values(), time.monotonic() - begun)


def _add(tallies: dict[str, Tally], name: str, seed: int, seconds: float, *, guided: bool) -> None:
    """Try a surface for so many seconds, and keep what is found."""
    tally = tallies[name]
    done = sum(one.inputs for one in tallies.values())

    def tell(now: Tally) -> None:
        open_ = sum(len(one.findings) for one in tallies.values()) + len(now.findings)
        line = f"{name:24} {now.engine:10} {done + now.inputs:>12,} inputs {open_:>4} findings"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)

    now = drive(name, seed=seed, seconds=seconds, clocked=True, guided=guided, tell=tell)
    tally.inputs += now.inputs
    tally.seconds += now.seconds
    tally.slowest, tally.memory = max(tally.slowest, now.slowest), max(tally.memory, now.memory)
    for found in now.findings:
        if tally.add(found):
            folder = CORPUS / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / found.name).write_bytes(found.data)
            print("\r" + next(findings_of(Tally(name, findings=[found]))), file=sys.stderr)


def _table(tallies: Sequence[Tally], seconds: float) -> str:
    head = f"{'surface':24} {'inputs':>12} {'seconds':>9} {'findings':>9} {'slowest':>9} {'memory':>9}"
    lines = [head]
    for one in tallies:
        figures = f"{one.inputs:>12,} {one.seconds:>9.0f} {len(one.findings):>9} {one.slowest:>7.2f} s"
        lines.append(f"{one.name:24} {figures} {one.memory / 1e6:>6.0f} MB")
    total = sum(one.inputs for one in tallies)
    lines.append(f"{'all':24} {total:>12,} {seconds:>9.0f} {sum(len(one.findings) for one in tallies):>9}")
    return "\n".join(lines)
