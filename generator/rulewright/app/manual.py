"""The help of every command, for the page of this repository's documentation that lists them."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from functools import cache

from rulewright.app.cli import main

PAGE = "content/docs/commands.md"
"""The page that ends with the help of every command."""

_COMMAND = re.compile(r"^ {2,4}([a-z][a-z-]*)(?:$|  )", re.MULTILINE)
"""A command in the list of a help; options begin with a hyphen, arguments are capitals."""


@cache
def helps() -> str:
    """The help of every command in Markdown, a section each, in the order in which they are listed."""
    return "".join(f"\n## {name}\n\n```text\n{said}\n```\n" for name, said in _helps())


def _helps(*words: str, around: str = "") -> Iterator[tuple[str, str]]:
    """The help of a command, and that of each command within it: import, import hugo."""
    said = _said(*words, "--help")
    if said == around:  # a line that only looks like a command
        return
    yield " ".join(words) or "rulewright COMMAND", said
    for name in _COMMAND.findall(said):
        yield from _helps(*words, name, around=said)


def _said(*words: str) -> str:
    """The words that a command line prints, on a terminal of 80 columns."""
    before, columns, said = sys.argv, os.environ.get("COLUMNS"), io.StringIO()
    sys.argv, os.environ["COLUMNS"] = ["rulewright", *words], "80"
    try:
        with redirect_stdout(said), suppress(SystemExit):
            main()
    finally:
        sys.argv = before
        if columns is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = columns
    return said.getvalue().strip()
