"""Surfaces driven by processes of their own, each within its bounds, so that nothing an input does ends more
than that process.

A process says a line of JSON now and then. What it is trying lies in a file: so what ended it is known.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from tests.attack.mutation import Mutator
from tests.attack.surface import LONGEST, MOST_BYTES, MOST_SECONDS, Finding, Surface, Trial, surfaces

ROOT = Path(__file__).parent.parent.parent
SILENCE = 240
"""Seconds without a word after which a process is ended: some work heeds no clock inside of the process."""

EVERY = 5.0
"""Seconds after which a process says how far it is."""


@dataclass
class Tally:
    """What was tried on a surface."""

    name: str
    inputs: int = 0
    seconds: float = 0
    slowest: float = 0
    memory: int = 0
    engine: str = ""
    findings: list[Finding] = field(default_factory=list)

    def add(self, found: Finding) -> bool:
        """Keep a finding unless one like it is there."""
        is_new = all(found[:2] != other[:2] for other in self.findings)
        if is_new:
            self.findings.append(found)
        return is_new


def drive(
    name: str,
    *,
    seed: int = 0,
    inputs: int = 0,
    seconds: float = 0,
    clocked: bool = False,
    guided: bool = False,
    tell: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Try so many inputs on a surface, beside those of its corpus, or as many as so many seconds allow.

    `clocked`: an input that takes long is a finding, and findings are made small; `guided`: inputs are sought
    that reach other lines of our code, where atheris can be imported.
    """
    tally, begun, rounds = Tally(name), time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="trying-") as folder:
        trying = Path(folder, "input")
        while not rounds or (inputs and tally.inputs < inputs) or time.monotonic() - begun < seconds:
            left = seconds and max(1.0, seconds - (time.monotonic() - begun))
            words: dict[str, Any] = {"name": name, "seed": seed + 1_000_000 * rounds, "trying": str(trying)}
            words |= {"inputs": inputs and inputs - tally.inputs, "seconds": left, "clocked": clocked}
            words |= {"guided": guided, "corpus": not rounds}
            before = tally.inputs
            code = _follow(words, tally, tell)
            rounds += 1
            if code:
                data = trying.read_bytes() if trying.exists() else b""
                tally.inputs = max(tally.inputs, before + 1)
                tally.add(Finding(f"the process ended with {code}", "?", data))
                if not trying.exists() or rounds > 20:
                    break
            elif inputs and tally.inputs == before:
                break
    tally.seconds = time.monotonic() - begun
    return tally


def _follow(words: dict[str, Any], tally: Tally, tell: Callable[[Tally], None]) -> int | str:
    """Run one process until it ends, and enter what it says; what it ended with."""
    command = [sys.executable, "-P", "-m", "tests.attack.driver", json.dumps(words)]
    path = os.pathsep.join(
        (str(ROOT), str(ROOT / "generator"))
    )  # this checkout, wherever Rulewright is installed
    around = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    process = subprocess.Popen(command, cwd=ROOT, env=around, stdout=subprocess.PIPE, text=True)
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout
        for line in process.stdout:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    before = tally.inputs
    try:
        while line := lines.get(timeout=SILENCE):
            said = json.loads(line)
            tally.inputs = before + said["inputs"]
            tally.slowest, tally.memory = (
                max(tally.slowest, said["slowest"]),
                max(tally.memory, said["memory"]),
            )
            tally.engine = said["engine"]
            if "what" in said:
                tally.add(Finding(said["what"], said["where"], bytes.fromhex(said["data"])))
            tell(tally)
    except queue.Empty:
        process.kill()
        process.wait()
        return f"a kill after {SILENCE} seconds"
    except BaseException:
        process.kill()
        raise
    return process.wait()


# -- the process


class _Worker:
    def __init__(self, words: dict[str, Any]) -> None:
        self.words = words
        self.said = os.fdopen(os.dup(1), "w", buffering=1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2) if not os.environ.get("ATTACK_DEBUG") else None
        self.surface: Surface = surfaces()[words["name"]]
        self.trial = Trial(self.surface, MOST_SECONDS if words["clocked"] else 0)
        self.trying = open(words["trying"], "wb", buffering=0)  # noqa: SIM115
        self.known: set[tuple[str, str]] = set()
        self.count, self.begun, self.engine = 0, time.monotonic(), "mutations"
        self.told = self.begun

    def run(self) -> None:
        for path in self.surface.corpus() if self.words["corpus"] else ():
            self.one(path.read_bytes())
        mutator = Mutator(self.surface, self.words["seed"])
        if not (self.words["guided"] and self.guided(mutator)):
            inputs = mutator.inputs()
            for data in islice(inputs, self.words["inputs"] or None):
                self.one(data[:LONGEST])
                if self.over():
                    break
        self.say()

    def over(self) -> bool:
        most = self.words["seconds"]
        return bool(most) and time.monotonic() - self.begun > most

    def one(self, data: bytes) -> None:
        """Try one input, and say what is found."""
        self.trying.seek(0)
        self.trying.truncate()
        self.trying.write(data)
        found = self.trial.run(data)
        self.count += 1
        if found and found[:2] not in self.known:
            self.known.add(found[:2])
            if self.words["clocked"] and found.what != "Hang":
                found = self.trial.smaller(found, self.say_alive)
            self.say(what=found.what, where=found.where, data=found.data.hex())
        self.say_alive()

    def say_alive(self) -> None:
        if time.monotonic() - self.told > EVERY:
            self.say()

    def say(self, **more: Any) -> None:
        self.told = time.monotonic()
        told = {"inputs": self.count, "slowest": self.trial.slowest, "memory": peak(), "engine": self.engine}
        print(json.dumps(told | more), file=self.said)

    def guided(self, mutator: Mutator) -> bool:
        """Let atheris seek inputs, if it is there; it ends the process itself."""
        try:
            import atheris
        except ImportError:
            return False
        self.engine = "atheris"

        def one(data: bytes) -> None:
            self.one(data)
            if self.over() or self.count == self.words["inputs"]:
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


def peak() -> int:
    """Most memory that this process has had, in bytes."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _bound() -> None:
    """Let this process have no more memory than an input may need."""
    import resource

    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))


def findings_of(tally: Tally) -> Iterator[str]:
    """A line for each finding."""
    for found in tally.findings:
        yield f"{tally.name}: {found.what} at {found.where}, {len(found.data)} bytes: {found.data[:160]!r}"


if __name__ == "__main__":
    _bound()
    asked = json.loads(sys.argv[1])
    if asked["guided"]:
        try:
            import atheris
        except ImportError:
            pass
        else:
            with atheris.instrument_imports(
                include=["rulewright", "yaml", "markdown", "tests.attack.content"]
            ):
                surfaces()
    _Worker(asked).run()
