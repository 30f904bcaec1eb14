"""A few changes of files that the disk refuses, of a few commands; the attack tries each of every command."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.attack.disturbed import Disturbed
from tests.attack.tries import Tries

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(scope="module")
def runner() -> Iterator[Disturbed]:
    runner = Disturbed()
    yield runner
    runner.end()


@pytest.mark.parametrize("name", ["new", "renumber"])
def test_a_change_of_files_is_refused_once(runner: Disturbed, name: str, tmp_path: Path) -> None:
    tries = Tries(runner, name, tmp_path)
    for at in (1 + len(tries.events) // 2, len(tries.events) - 1):
        tries.refused_once("EIO", at)
