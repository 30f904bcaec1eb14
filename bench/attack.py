"""The standing attack, for hours: every surface that reads foreign input, tried with ever new inputs.

    python3 run.py bench attack [--hours N] [--surface NAME …] [--seed S]

What is found is kept in tests/attack/corpus/, as small as it can be made, and the tests try it from then on.
Where atheris can be imported, every second round seeks inputs that reach other lines.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from tests.attack.content import make_ready
from tests.attack.driver import Tally, Worker, bound, drive, findings_of
from tests.attack.mutation import Mutator
from tests.attack.surface import CORPUS, LONGEST, Finding, Hang, Trial, surfaces

ROUND = 30.0
"""Seconds that one surface is tried before it is the next one's turn."""

MOST_SECONDS = 2.0
"""Seconds of the processor's time that an input may take."""

SILENCE = 240.0
"""Seconds without a word after which a process is ended: some work heeds no clock inside of the process."""

EVERY = 5.0
"""Seconds after which a process says how far it is."""


@dataclass
class Timed(Tally):
    """A tally with the seconds that it took, and those of the slowest input."""

    seconds: float = 0
    slowest: float = 0


def main(arguments: Sequence[str] = ()) -> str:
    parser = argparse.ArgumentParser("run.py bench attack", description=__doc__)
    parser.add_argument("--hours", type=float, default=0.0, help="how long; else 30 seconds for each surface")
    parser.add_argument("--surface", action="append", metavar="NAME", choices=sorted(surfaces()))
    parser.add_argument("--seed", type=int, help="the same seed tries the same; else another each time")
    asked = parser.parse_args(arguments)
    names = asked.surface or list(surfaces())
    seed = random.randrange(10**6) if asked.seed is None else asked.seed
    until = time.monotonic() + (asked.hours * 3600 or len(names) * ROUND)
    tallies = {name: Timed(name) for name in names}
    begun, turn = time.monotonic(), 0
    try:
        while (left := until - time.monotonic()) > 0:
            name = names[turn % len(names)]
            _add(tallies, name, seed + turn, min(ROUND, left), guided=turn // len(names) % 2 == 1)
            turn += 1
    except KeyboardInterrupt:
        pass
    print(file=sys.stderr)
    return _table([*tallies.values()], time.monotonic() - begun)


def _add(tallies: dict[str, Timed], name: str, seed: int, seconds: float, *, guided: bool) -> None:
    """Try a surface for so many seconds, and keep what is found."""
    tally = tallies[name]
    done = sum(one.inputs for one in tallies.values())

    def tell(now: Tally) -> None:
        open_ = sum(len(one.findings) for one in tallies.values()) + len(now.findings)
        line = f"{name:24} {now.engine:10} {done + now.inputs:>12,} inputs {open_:>4} findings"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)

    begun = time.monotonic()

    def more() -> dict[str, Any]:
        left = seconds - (time.monotonic() - begun)
        return {"seconds": left, "guided": guided, "slowest": str(slowest)} if left > 0.5 else {}

    with tempfile.TemporaryDirectory(prefix="slowest-") as folder:
        slowest = Path(folder, "seconds")
        now = drive(name, seed=seed, worker="bench.attack", more=more, silence=SILENCE, tell=tell)
        if slowest.exists():
            tally.slowest = max(tally.slowest, float(slowest.read_text()))
    tally.inputs += now.inputs
    tally.seconds += time.monotonic() - begun
    tally.memory = max(tally.memory, now.memory)
    for found in now.findings:
        if tally.add(found):
            folder = CORPUS / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / found.name).write_bytes(found.data)
            print("\r" + next(findings_of(Tally(name, findings=[found]))), file=sys.stderr)


def _table(tallies: Sequence[Timed], seconds: float) -> str:
    head = f"{'surface':24} {'inputs':>12} {'seconds':>9} {'findings':>9} {'slowest':>9} {'memory':>9}"
    lines = [head]
    for one in tallies:
        figures = f"{one.inputs:>12,} {one.seconds:>9.0f} {len(one.findings):>9} {one.slowest:>7.2f} s"
        lines.append(f"{one.name:24} {figures} {one.memory / 1e6:>6.0f} MB")
    total = sum(one.inputs for one in tallies)
    lines.append(f"{'all':24} {total:>12,} {seconds:>9.0f} {sum(len(one.findings) for one in tallies):>9}")
    return "\n".join(lines)


# -- the process that tries one surface by the clock


class Clock:
    """A bound of the processor's time for an input; `slowest` is the most that one took."""

    def __init__(self) -> None:
        self.slowest = 0.0
        signal.signal(signal.SIGPROF, _hangs)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        begun = time.process_time()
        # Again and again, since a first one may be lost where nothing can be raised.
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS, 0.1)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.slowest = max(self.slowest, time.process_time() - begun)


def _hangs(signal: int, frame: FrameType | None) -> None:
    raise Hang


class ClockedWorker(Worker):
    """A worker that ends after so many seconds, finds what hangs, and makes findings small."""

    def __init__(self, words: dict[str, Any]) -> None:
        self.clock = Clock()
        super().__init__(words, lambda surface: Trial(surface, self.clock))
        self.begun = self.told = time.monotonic()

    def seek(self, mutator: Mutator) -> None:
        if not (self.words["guided"] and self.guided(mutator)):
            super().seek(mutator)

    def over(self) -> bool:
        return time.monotonic() - self.begun > self.words["seconds"]

    def say_found(self, found: Finding) -> None:
        small = found if found.what == Hang.__name__ else self.trial.smaller(found, self.say_alive)
        super().say_found(small)

    def say_alive(self) -> None:
        if time.monotonic() - self.told > EVERY:
            self.say()

    def say(self, **more: Any) -> None:
        self.told = time.monotonic()
        Path(self.words["slowest"]).write_text(str(self.clock.slowest))
        super().say(**more)

    def guided(self, mutator: Mutator) -> bool:
        """Let atheris seek inputs, if it is there; it ends the process itself."""
        try:
            import atheris
        except ImportError:
            return False
        self.engine = "atheris"

        def one(data: bytes) -> None:
            self.one(data)
            if self.over():
                self.say()
                os._exit(0)

        def custom(data: bytes, most: int, seed: int) -> bytes:
            mutator.random.seed(seed)
            return mutator.changed(data)[:most] if seed % 4 else atheris.Mutate(data, most)

        folder = Path(tempfile.mkdtemp(dir=Path(self.words["trying"]).parent))
        for at, data in enumerate(mutator.seeds):
            (folder / str(at)).write_bytes(data)
        arguments = ["attack", str(folder), f"-max_len={LONGEST}", f"-seed={self.words['seed'] + 1}"]
        arguments += ["-timeout=3600", "-rss_limit_mb=0", "-len_control=0", "-verbosity=0"]
        atheris.Setup(arguments, one, custom_mutator=custom)
        atheris.Fuzz()
        return True


if __name__ == "__main__":
    bound()
    asked = json.loads(sys.argv[1])
    with suppress(ImportError):
        if asked["guided"]:
            import atheris

            with atheris.instrument_imports(
                include=["rulewright", "yaml", "markdown", "tests.attack.content"]
            ):
                surfaces()
    make_ready()  # else templates are kept beside the folder of an input
    ClockedWorker(asked).run()
