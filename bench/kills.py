"""Commands killed at random moments: how often something was not whole afterwards.

`run.py bench kills --tries 200 --seed 1` draws a command and one of the things that it does to files, kills
it there, and holds what is left against what was. `--how ENOSPC` lets the disk be full from there on.
"""

import random
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.attack.disturbed import NEEDS_ROOM, Disturbance, Disturbed
from tests.attack.tries import OPERATIONS, Tries

HOWS = ("kill", "ENOSPC", "EROFS", "EIO")


def main(options: Sequence[str] = ()) -> str:
    """The table: for each command and disturbance the tries, and how many of them left a fault."""
    parser = ArgumentParser(prog="run.py bench kills")
    parser.add_argument("--tries", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--how", choices=HOWS, default="kill")
    parser.add_argument("--only", metavar="COMMAND", action="append", choices=OPERATIONS)
    asked = parser.parse_args(options)
    draw = random.Random(asked.seed)
    names = asked.only or list(OPERATIONS)
    wanted = Counter(draw.choice(names) for _ in range(asked.tries))
    lines = [
        f"kills: {asked.how}, seed {asked.seed}",
        f"  {'command':<22}{'moments':>8}{'tries':>7}{'faults':>8}",
    ]
    told: list[str] = []
    runner = Disturbed()
    for name, count in wanted.items():
        folder = Path(tempfile.mkdtemp(prefix="rulewright-kills-"))
        tries = Tries(runner, name, folder)
        moments = [
            at
            for at, event in enumerate(tries.events, 1)
            if asked.how in ("kill", "EIO", "EROFS") or event.split()[0] in NEEDS_ROOM
        ]
        bad = 0
        for at in (draw.choice(moments) for _ in range(count)):
            ended = tries.disturbed(Disturbance(asked.how, at, lasting=asked.how in ("ENOSPC", "EROFS")))
            if found := tries.faults(ended, settled=asked.how != "kill"):
                bad += 1
                told += [f"  {name}, {at}: {tries.events[at - 1]}: {fault}" for fault in found]
        lines.append(f"  {name:<22}{len(moments):>8}{count:>7}{bad:>8}")
        print(lines[-1], file=sys.stderr, flush=True)
        shutil.rmtree(folder)
    runner.end()
    return "\n".join([*lines, f"  {'all':<22}{'':>8}{asked.tries:>7}{len(told):>8}", *told])
