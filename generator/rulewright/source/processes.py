"""Work shared out among the processors, where this process may be copied."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Made = TypeVar("Made")

_work: Callable[[int], Any] | None = None
"""Work of the processes that are forked from this one: they find it here, so nothing has to be packed."""


WORTHWHILE = 200_000
"""From how many bytes of content on, beside the largest piece, other processes are worth their beginning."""


def share_out(work: Callable[[int], Made], count: int, size: int = WORTHWHILE) -> Iterator[tuple[int, Made]]:
    """Do work number 0 to `count` - 1, each once; yield its number and its result as it is done.

    `size`: how many bytes of content it is about, beside the largest piece, where that is known. What a
    piece raises is raised here. The results have to be such as pickle takes; the work itself need not.
    """
    global _work
    processors = min(len(os.sched_getaffinity(0)), count) if size >= WORTHWHILE and _may_fork() else 1
    if processors < 2:
        yield from ((at, work(at)) for at in range(count))
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    _work = work
    with ProcessPoolExecutor(processors, get_context("fork"), end_with_parent) as pool:
        waiting = {pool.submit(_do, at): at for at in range(count)}
        try:
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)
            _work = None


def _may_fork() -> bool:
    """Tell whether this process has one thread alone, those of libraries counted.

    A fork has none of the others: it waits for ever where one of them held a lock, or was to do work (Typst
    hands its own to threads that it keeps). Where threads cannot be counted, nothing is forked.
    """
    try:
        return len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:
        return False


def _do(at: int) -> Any:
    assert _work
    return _work(at)


def end_with_parent() -> None:
    """Let a process of the pool end when the one that it serves was killed, and with it the turns it has."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    assert parent

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
