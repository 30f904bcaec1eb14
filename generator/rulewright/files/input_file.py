"""Text files named on the command line, in a project or outside."""

from __future__ import annotations

from pathlib import Path

from rulewright.files import limits
from rulewright.files.errors import UserError
from rulewright.files.located_text import decode_utf8
from rulewright.files.problems import Problem, SourceFile


def read_input_file(name: str, noun: str) -> tuple[SourceFile, list[Problem]]:
    """Return the text of a file and the problems of its bytes. `noun`: what the file is, for messages.

    Raises UserError if there is no file or it is too large, and OSError.
    """
    path = Path(name)
    if not path.exists():
        raise UserError(f"there is no file {name}")
    with open(path, "rb") as file:  # may be a pipe, whose size is known only after reading
        data = file.read(limits.FILE.maximum + 1)
    if len(data) > limits.FILE.maximum:
        raise UserError(f"{name} is larger than {limits.FILE.maximum // 1_000_000} MB, which no {noun} is")
    return decode_utf8(path.as_posix(), data)
