"""Worker processes: parallel work, and sandboxes with limits of time and memory."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from traceback import format_exc
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Result = TypeVar("Result")

TURNS = 4
"""The number of successive processes per processor, which limits the memory of each."""


MEMORY = 1_500_000_000
"""The additional memory, in bytes, of a process that reads untrusted files."""


def run_parallel(work: Callable[[int], Result], count: int) -> Iterator[tuple[int, Result]]:
    """Run work number 0 to `count` - 1 and yield each number with its result when it is done.

    Exceptions are raised here. Results must be picklable; the work need not. Raises ChildProcessError if a
    process dies.
    """
    processors = min(len(os.sched_getaffinity(0)), count) if _may_fork() else 1
    if processors < 2:
        yield from ((index, work(index)) for index in range(count))
        return
    from multiprocessing import get_context
    from multiprocessing.connection import Connection, wait

    context = get_context("fork")
    share_size = -(-count // (processors * TURNS))
    shares = [range(count)[start : start + share_size] for start in range(0, count, share_size)][::-1]
    working: dict[Any, BaseProcess] = {}
    gc.freeze()  # else garbage collection copies all shared memory
    try:
        while shares or working:
            while shares and len(working) < processors:
                items = [(index,) for index in shares.pop()]
                pipe, process = _start(context, work, items, 0, 0)
                working[pipe] = process
            for ready in wait([*working]):
                assert isinstance(ready, Connection)
                death = "a process that helped was ended; there may be too little memory"
                arguments, result = _receive(ready, death)
                if arguments is None:
                    working.pop(ready).join()
                else:
                    yield arguments[0], result
    finally:
        gc.unfreeze()
        for process in working.values():
            process.kill()


def _start(context: Any, *arguments: object) -> tuple[Connection, BaseProcess]:
    """Start a process that runs `_work_through`, and return the pipe of its results."""
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_work_through, args=(writer, *arguments), daemon=True)
    process.start()
    writer.close()
    return reader, process


def _receive(pipe: Connection, death: str) -> tuple[tuple[Any, ...] | None, Any]:
    """Return the arguments and the result of the next work item; None after the last.

    Raises the exception of the work, and ChildProcessError with the message `death` if the process died.
    """
    try:
        arguments, result, error = pipe.recv()
    except EOFError:
        raise ChildProcessError(death) from None
    if error:
        raise error
    return arguments, result


def _may_fork() -> bool:
    """Return whether this process has only one thread, counting those of libraries.

    A fork has only the forking thread: it would wait forever for locks or work of others (Typst keeps a
    thread pool). If threads cannot be counted, nothing is forked.
    """
    try:
        return len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:
        return False


def _work_through(
    pipe: Connection, work: Callable[..., Any], items: Sequence[tuple[Any, ...]], memory: int, seconds: int
) -> None:
    """Call a function with each tuple of arguments in this process, and send each result or the exception."""
    _end_with_parent()
    if memory:
        _bound(memory, seconds)
    try:
        for arguments in items:
            pipe.send((arguments, work(*arguments), None))
        pipe.send((None, None, None))
    except MemoryError:
        pipe.send((None, None, ChildProcessError("takes too much memory")))
    except BaseException as error:
        error.add_note(format_exc())
        pipe.send((None, None, error))


def _end_with_parent() -> None:
    """End this process when its parent is killed, to release its locks."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    assert parent

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def run_sandboxed(
    work: Callable[..., Result], *arguments: object, seconds: int = 120, memory: int = MEMORY
) -> Result:
    """Run work on untrusted files in a process with limits of time and memory.

    Its exceptions are raised here, and ChildProcessError if it exceeds a limit or dies. `work` must be a
    module-level function, and its result picklable.
    """
    from multiprocessing import get_all_start_methods, get_context

    # Where there are threads a server forks that has none: a new interpreter takes a second.
    start_methods = ["fork"] if _may_fork() else ["forkserver", "spawn"]
    context = get_context(next(way for way in start_methods if way in get_all_start_methods()))
    pipe, process = _start(context, partial(work, *arguments), [()], memory, seconds)
    try:
        if not pipe.poll(seconds):
            raise ChildProcessError(f"takes longer than {seconds} seconds")
        _, result = _receive(pipe, "takes too much memory, or breaks its reader")
    finally:
        process.kill()
        process.join()
        pipe.close()
    return cast(Result, result)


def _bound(memory: int, seconds: int = 0) -> None:
    """Limit the additional memory and the processor time of this process."""
    with suppress(ImportError, OSError, ValueError):  # where a system knows no such bound
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + memory, resource.getrlimit(resource.RLIMIT_AS)[1]))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
