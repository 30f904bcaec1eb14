"""Work shared out among processors is done once each, and never by a copy of a process that has threads."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rulewright.source.processes import apart, share_out

ALONE = """
import os, sys
from rulewright.source.processes import share_out
if "typst" in sys.argv:
    from rulewright.print.typesetting import PRINT
    import typst
    typst.compile(b"Set in this process.")
done = sorted(share_out(lambda at: (at * at, os.getpid()), 40))
assert [(at, square) for at, (square, _) in done] == [(at, at * at) for at in range(40)]
print(len({pid for _, (_, pid) in done} - {os.getpid()}))
"""
LINUX = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir() or len(os.sched_getaffinity(0)) < 2,
    reason="threads are counted in /proc, and one processor does all itself",
)


def others(*arguments: str) -> int:
    """The number of other processes that did a part of the work."""
    ran = subprocess.run(
        [sys.executable, "-c", ALONE, *arguments], capture_output=True, text=True, check=True, timeout=100
    )
    return int(ran.stdout)


@LINUX
def test_a_process_of_one_thread_lets_others_help() -> None:
    assert others() > 0


def test_a_process_in_which_typst_set_a_page_does_all_itself() -> None:
    """Its threads would be missing in a copy, which then waits for them for ever."""
    assert others("typst") == 0


def test_a_process_with_threads_does_all_itself() -> None:
    held = threading.Event()
    other = threading.Thread(target=held.wait)
    other.start()
    try:
        assert {pid for _, pid in share_out(lambda at: os.getpid(), 9)} == {os.getpid()}
    finally:
        held.set()
        other.join()


def test_a_fault_of_a_piece_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        list(share_out(lambda at: 1 // (at - 2), 5))


def test_no_work_is_done_at_once() -> None:
    assert list(share_out(lambda at: at, 0)) == []


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
        apart(work, seconds=2, memory=300_000_000)


def test_work_apart_gives_its_result():
    assert apart(sorted, [3, 1, 2]) == [1, 2, 3]


DIES = """
import os
from rulewright.source.processes import share_out
def work(at):
    if at == {dies}:
        {how}
    return os.getpid()
try:
    done = dict(share_out(work, {count}, foreign=True))
    print(os.getpid() in done.values(), len(done))
except ChildProcessError:
    print("dead")
except MemoryError:
    print("bounded")
"""


@LINUX
@pytest.mark.parametrize(
    ("count", "how", "said"),
    [
        (1, "pass", "False 1"),
        (6, "pass", "False 6"),
        (0, "pass", "False 0"),
        (1, "os.abort()", "dead"),
        (6, "os.abort()", "dead"),
        (6, "bytes(8 * 10**9)", "bounded"),
    ],
)
def test_foreign_files_are_read_in_other_processes_with_a_bound(count: int, how: str, said: str) -> None:
    script = DIES.format(dies=0, count=count, how=how)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.stdout.strip() == said, ran.stderr
