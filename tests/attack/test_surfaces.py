"""The standing attack as every change runs it: what once broke something, and so many new inputs."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import yaml

from rulewright.book.content_files import MODELS
from rulewright.model.reader import read
from rulewright.model.rulebook import SETS
from rulewright.source.tree import load
from tests.amount import TIMES
from tests.attack.content import example, places_of
from tests.attack.driver import drive, findings_of, made_ready
from tests.attack.mutation import Mutator
from tests.attack.surface import CORPUS, LONGEST, Hang, Surface, Trial, surfaces

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes have no such bounds there")


@pytest.fixture(scope="module")
def ready() -> Iterator["subprocess.Popen[str]"]:
    with made_ready() as process:
        yield process


@pytest.mark.parametrize("name", surfaces())
def test_nothing_breaks_it(ready: "subprocess.Popen[str]", name: str) -> None:
    tries = surfaces()[name].tries * TIMES
    tally = drive(name, inputs=len(surfaces()[name].corpus()) + tries, worker=ready)
    assert not tally.findings, "\n".join(findings_of(tally))
    assert tally.inputs >= tries


def test_every_input_that_was_found_is_tried() -> None:
    assert {folder.name for folder in CORPUS.iterdir() if folder.is_dir()} <= set(surfaces())


def test_every_sort_of_content_is_attacked() -> None:
    assert set(MODELS) <= set(surfaces())
    assert all(map(places_of, MODELS))


@pytest.mark.parametrize("sort", MODELS)
def test_every_key_is_attacked(sort: str) -> None:
    """The example that mutations begin from has every key there is."""
    for choice in range(12):
        text = yaml.safe_dump(example(MODELS[sort], {}, choice))
        tree, faults = load("content/x.yml", text.encode())
        assert tree is not None
        assert not faults
        faults = read(tree, MODELS[sort], {**SETS, "steps": ("phase",)})[1]
        assert {problem.code for problem in faults} <= {"wrong-type"}, list(map(str, faults))


def test_inputs_are_the_same_each_time() -> None:
    surface = surfaces()["chapter"]
    one, other = ([*islice(Mutator(surface, 7).inputs(), 300)] for _ in range(2))
    assert one == other
    assert len(set(one)) > 200
    assert max(map(len, one)) <= LONGEST


# That the attack finds what it is to find: a surface that does harm, of each kind.


def _raises(data: bytes, folder: Path) -> None:
    if b"x" in data:
        raise ValueError


def _hangs(data: bytes, folder: Path) -> None:
    while b"x" in data:
        pass


def _writes(data: bytes, folder: Path) -> None:
    (folder / "own").write_bytes(data)
    if b"x" in data:
        (folder.parent / "other").write_bytes(data)


def _asks(data: bytes, folder: Path) -> None:
    import socket

    if b"x" in data:
        socket.create_connection(("localhost", 9))


@pytest.fixture
def own_process() -> Iterator[None]:
    """A trial bounds its whole process: what it changes is put back."""
    import os
    import tempfile

    kept, before = dict(os.environ), (tempfile.tempdir, sys.dont_write_bytecode)
    yield
    os.environ.clear()
    os.environ.update(kept)
    tempfile.tempdir, sys.dont_write_bytecode = before


@contextmanager
def _bounded() -> Iterator[None]:
    """Raise Hang in what runs more than so many lines: a bound that is the same on every machine."""
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        lines += 1
        if lines > 5000:
            raise Hang
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.parametrize(
    ("attack", "what"),
    [(_raises, "ValueError"), (_hangs, "Hang"), (_writes, "Outside: open"), (_asks, "Outside: socket.")],
)
def test_what_does_harm_is_found(own_process: None, attack: object, what: str) -> None:
    here = Path.cwd()
    trial = Trial(Surface("made up", attack, list), _bounded)  # type: ignore[arg-type]
    assert trial.run(b"abc") is None
    found = trial.run(b"abcxdef" * 3)
    assert found.what.startswith(what)
    assert trial.smaller(found).data == b"x"
    assert Path.cwd() == here


def test_what_needs_too_much_memory_is_found(tmp_path: Path) -> None:
    """In a process of its own, which is what bounds it."""
    script = (
        "from tests.attack.driver import bound; bound()\n"
        "from tests.attack.surface import Surface, Trial\n"
        "print(Trial(Surface('m', lambda data, folder: bytes(2 * 10**9), list)).run(b'x').what)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=CORPUS.parents[2]
    )
    assert done.stdout.strip() == ("MemoryError" if sys.platform == "linux" else "None"), done.stderr
