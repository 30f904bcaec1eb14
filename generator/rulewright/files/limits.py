"""Limits that protect the machine, and the problem that is reported beyond each.

Code that reads untrusted content checks these limits: content beyond a limit is reported with its place and
left out, so that a build never hangs. The page of problem codes and SECURITY.md list them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Limit:
    """A maximum size."""

    maximum: int
    """The highest allowed number."""

    message: str
    """A sentence with `{}` for the number; with `{} MB` the number is bytes."""

    code: str
    """The problem code that is reported beyond it."""

    @property
    def describe(self) -> str:
        return f"{self.message[:1].lower()}{str(self)[1:-1]}"

    def __str__(self) -> str:
        in_megabytes = "{} MB" in self.message
        return self.message.format(f"{self.maximum // 1_000_000 if in_megabytes else self.maximum:,}")


FILE = Limit(4_000_000, "A text file has at most {} MB.", "file-too-large")
CONTENT = Limit(64_000_000, "All texts together, or one download, have at most {} MB.", "content-too-large")
TEXT = Limit(100_000, "A text, such as that of a rule or a cell, has at most {} letters.", "text-too-long")
LIST = Limit(20_000, "A list, or what is counted in it, has at most {} entries.", "list-too-long")
NESTING = Limit(40, "Lists, keys and folders are nested at most {} deep.", "yaml-too-deep")
PIXELS = Limit(100_000_000, "A picture that is printed has at most {} pixels.", "aid-not-printable")
PAGES = Limit(64, "A player aid has at most {} pages.", "count-malformed")
STEPS = Limit(2_000_000, "Reading a Markdown page takes at most {} steps.", "page-too-intricate")

BOUNDS = tuple(value for value in [*globals().values()] if isinstance(value, Limit))
"""All limits in the order of the documentation."""
