"""How much work is done, counted in lines of Python that run: the same on any machine, however busy."""

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

FACTOR = 4
"""How many times as much is given to work whose effort has to stay in proportion."""


def effort(work: Callable[[], object]) -> int:
    """Count the lines that run, one for each turn of a loop and each item of a comprehension.

    No garbage is collected meanwhile: what other tests left behind may run lines of its own when it goes.
    Nor is any beforehand, which takes a second where thousands of tests have left something.
    """
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        lines += 1
        return count

    before = sys.gettrace()
    gc.disable()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
        gc.enable()
    return lines


def growth(work: Callable[[int], Callable[[], object]], small: int) -> float:
    """Tell how many times the effort FACTOR times as much takes: about FACTOR, or its square.

    `work` makes ready what is then counted. What is done once for a whole process is done beforehand, in an
    amount of either kind: some of it is done only for much.
    """
    work(small // 2)()
    work(FACTOR * small)()
    return effort(work(FACTOR * small)) / effort(work(small))


LINEAR = 1.5 * FACTOR
"""What a growth stays below that is not of the square, nor of something near to it."""
