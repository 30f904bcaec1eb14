"""Surfaces driven by processes of their own, each within its bounds, so that nothing an input does ends more
than that process.

A process says a line of JSON now and then. What it is trying lies in a file: so what ended it is known.
"""

import gc
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.attack.mutation import Mutator
from tests.attack.surface import LONGEST, MOST_BYTES, Finding, Surface, Trial, surfaces

ROOT = Path(__file__).parent.parent.parent
EVERY = 500
"""A process says how far it is when it has tried so many inputs more."""
ENDED = "the process that was split off ended with"


@dataclass
class Tally:
    """What was tried on a surface."""

    name: str
    inputs: int = 0
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
    worker: "str | subprocess.Popen[str]",
    more: Callable[[], dict[str, Any]] = dict,
    silence: float | None = None,
    tell: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Try so many inputs on a surface, beside those of its corpus.

    `worker`: the module that is run as a process, with a `Worker`, or a process of `made_ready`; `more`:
    words for it, asked ahead of each round; none ends a drive that has no number of inputs. `silence`: the
    seconds without a word after which a process is ended.
    """
    tally, rounds = Tally(name), 0
    with tempfile.TemporaryDirectory(prefix="trying-") as folder:
        trying = Path(folder, "input")
        while (wishes := more()) or not rounds or tally.inputs < inputs:
            words: dict[str, Any] = {"name": name, "seed": seed + 1_000_000 * rounds, "trying": str(trying)}
            words |= {"inputs": inputs and inputs - tally.inputs, "corpus": not rounds} | wishes
            before = tally.inputs
            if isinstance(worker, str):
                process = _begun(worker, json.dumps(words))
            else:
                process = worker
                print(json.dumps(words), file=process.stdin, flush=True)
            code = _follow(process, tally, silence, tell)
            rounds += 1
            if code:
                data = trying.read_bytes() if trying.exists() else b""
                tally.inputs = max(tally.inputs, before + 1)
                tally.add(Finding(f"the process ended with {code}", "?", data))
                if not trying.exists() or rounds > 20:
                    break
            elif inputs and tally.inputs == before:
                break
    return tally


@contextmanager
def made_ready() -> Iterator["subprocess.Popen[str]"]:
    """A process that has imported everything, and from which one is split off for each drive."""
    process = _begun("tests.attack.driver")
    yield process
    process.communicate()


def _begun(worker: str, *words: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-P", "-m", worker, *words]
    # This checkout, wherever Rulewright is installed.
    path = os.pathsep.join((str(ROOT), str(ROOT / "generator")))
    around = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, env=around, stdin=pipe, stdout=pipe, text=True)


def _follow(
    process: "subprocess.Popen[str]", tally: Tally, silence: float | None, tell: Callable[[Tally], None]
) -> int | str:
    """Have one process try inputs until it ends, and enter what it says; what it ended with."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout
        for line in process.stdout:
            lines.put(line)
            if ENDED in line:
                return
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    before = tally.inputs
    try:
        while line := lines.get(timeout=silence):
            said = json.loads(line)
            if ENDED in said:
                return int(said[ENDED])
            tally.inputs = before + said["inputs"]
            tally.memory = max(tally.memory, said["memory"])
            tally.engine = said["engine"]
            if "what" in said:
                tally.add(Finding(said["what"], said["where"], bytes.fromhex(said["data"])))
            tell(tally)
    except queue.Empty:
        process.kill()
        process.wait()
        return f"a kill after {silence} seconds"
    except BaseException:
        process.kill()
        raise
    return process.wait()


# -- the process


class Worker:
    """One surface tried in this process as `words` say; what is found is said as JSON, a line each."""

    def __init__(self, words: dict[str, Any], trial: Callable[[Surface], Trial] = Trial) -> None:
        self.words = words
        self.said = os.fdopen(os.dup(1), "w", buffering=1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2) if not os.environ.get("ATTACK_DEBUG") else None
        self.surface: Surface = surfaces()[words["name"]]
        self.trial = trial(self.surface)
        self.trying = open(words["trying"], "wb", buffering=0)  # noqa: SIM115
        self.known: set[tuple[str, str]] = set()
        self.count, self.engine = 0, "mutations"

    def run(self) -> None:
        for path in self.surface.corpus() if self.words["corpus"] else ():
            self.one(path.read_bytes())
        self.seek(Mutator(self.surface, self.words["seed"]))
        self.say()

    def seek(self, mutator: Mutator) -> None:
        """Try new inputs, as many as are wanted."""
        inputs = mutator.inputs()
        while not self.over():
            self.one(next(inputs)[:LONGEST])

    def over(self) -> bool:
        return bool(self.words["inputs"]) and self.count >= self.words["inputs"]

    def one(self, data: bytes) -> None:
        """Try one input, and say what is found."""
        self.trying.seek(0)
        self.trying.truncate()
        self.trying.write(data)
        found = self.trial.run(data)
        self.count += 1
        if found and found[:2] not in self.known:
            self.known.add(found[:2])
            self.say_found(found)
        self.say_alive()

    def say_found(self, found: Finding) -> None:
        self.say(what=found.what, where=found.where, data=found.data.hex())

    def say_alive(self) -> None:
        if self.count % EVERY == 0:
            self.say()

    def say(self, **more: Any) -> None:
        told = {"inputs": self.count, "memory": peak(), "engine": self.engine}
        print(json.dumps(told | more), file=self.said)


def peak() -> int:
    """Most memory that this process has had, in bytes."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def bound() -> None:
    """Let this process have no more memory than an input may need."""
    import resource

    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))


def findings_of(tally: Tally) -> Iterator[str]:
    """A line for each finding."""
    for found in tally.findings:
        yield f"{tally.name}: {found.what} at {found.where}, {len(found.data)} bytes: {found.data[:160]!r}"


def _split() -> None:
    """Split a process off for each line of words, and say what it ended with."""
    from tests.attack.content import make_ready

    surfaces()
    make_ready()
    gc.freeze()  # else each looks through all of it, and so copies it
    for line in sys.stdin:
        if not (pid := os.fork()):
            code = 1
            try:
                bound()
                Worker(json.loads(line)).run()
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        print(json.dumps({ENDED: os.waitstatus_to_exitcode(status)}), flush=True)


if __name__ == "__main__":
    _split()
