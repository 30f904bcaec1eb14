"""A text file that someone names, which need not be in any project."""

from __future__ import annotations

from pathlib import Path

from rulewright.source import bounds
from rulewright.source.problems import File, Problem
from rulewright.source.refusal import Refusal
from rulewright.source.text import decode


def read_given(name: str, what: str) -> tuple[File, list[Problem]]:
    """The text of a file, and what is wrong with its bytes. `what`: which no such thing is larger than.

    Raises Refusal where there is no file or it is too large, and OSError.
    """
    path = Path(name)
    if not path.exists():
        raise Refusal(f"there is no file {name}")
    with open(path, "rb") as file:  # which may be a pipe: its size is known when it has been read
        data = file.read(bounds.FILE.most + 1)
    if len(data) > bounds.FILE.most:
        raise Refusal(f"{name} is larger than {bounds.FILE.most // 1_000_000} MB, which no {what} is")
    return decode(path.as_posix(), data)
