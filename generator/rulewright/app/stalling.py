"""A watchdog: where a build stalls, what it is busy with is told, so that it can be reported.

It needs no thread, next to which no process could be forked: see `processes`.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

STALLED = 300.0
"""Seconds without progress after which a build counts as stalled, and again after as many."""

_SAID = (
    "rulewright: nothing has come of this build for {:.0f} seconds; the lines above say where it is. It goes "
    "on; Ctrl-C ends it and leaves the site as it was."
)


class _Watch:
    seconds = 0.0


def progress() -> None:
    """Say that a build has come on a step, if one is watched."""
    if _Watch.seconds:
        signal.setitimer(signal.ITIMER_REAL, _Watch.seconds, _Watch.seconds)


@contextmanager
def watched(seconds: float = STALLED) -> Iterator[None]:
    """Print what every thread is doing where nothing comes of what is done here.

    For the main thread; on Windows, and where standard error is no file, nothing is watched.
    """
    before = getattr(signal, "SIGALRM", None) and signal.signal(signal.SIGALRM, _say)
    with suppress(AttributeError, OSError, RuntimeError, ValueError):
        faulthandler.register(signal.SIGALRM, sys.stderr, chain=True)
        _Watch.seconds = seconds
    progress()
    try:
        yield
    finally:
        if _Watch.seconds:
            signal.setitimer(signal.ITIMER_REAL, 0)
            faulthandler.unregister(signal.SIGALRM)
        if before is not None:
            signal.signal(signal.SIGALRM, before)
        _Watch.seconds = 0.0


def _say(number: int, frame: FrameType | None) -> None:
    print(_SAID.format(_Watch.seconds), file=sys.stderr, flush=True)
