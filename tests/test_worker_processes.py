"""Work in a process of its own has bounds of time and memory, and gives its result."""

import pytest

from rulewright.files.worker_processes import run_sandboxed


def _too_much() -> int:
    return len(bytearray(4_000_000_000))


def _too_long() -> int:
    while True:
        pass


def _raising() -> int:
    raise ValueError("not so")


@pytest.mark.parametrize(
    ("work", "fault", "why"),
    [
        (_too_much, ChildProcessError, "memory"),
        (_too_long, ChildProcessError, "longer|breaks"),
        (_raising, ValueError, "not so"),
    ],
)
def test_work_apart_has_bounds(work, fault, why):
    with pytest.raises(fault, match=why):
        run_sandboxed(work, seconds=2, memory=300_000_000)


def test_work_apart_gives_its_result():
    assert run_sandboxed(sorted, [3, 1, 2]) == [1, 2, 3]
