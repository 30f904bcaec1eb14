"""The budgets: how much a project may hold of each thing, and the problem that stands where it holds more.

All figures stand here and nowhere else. Whatever reads something foreign looks here first, so that what is
beyond a bound is told with its place and left out, and never makes a build hang. The page of problem codes
and SECURITY.md list them as they are here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Bound:
    """How many there may be. `says`: a sentence, with `{}` for the figure; `code`: the problem beyond it."""

    most: int
    says: str
    code: str

    @property
    def clause(self) -> str:
        """The sentence as a part of another."""
        return f"{self.says[:1].lower()}{str(self)[1:-1]}"

    def __str__(self) -> str:
        in_megabytes = "{} MB" in self.says
        return self.says.format(f"{self.most // 1_000_000 if in_megabytes else self.most:,}")


FILES = Bound(20_000, "The content has at most {} files.", "files-too-many")
FOLDERS = Bound(16, "Folders of the content lie at most {} deep in each other.", "folder-too-deep")
CONTENT = Bound(64_000_000, "All texts and inventories together have at most {} MB.", "content-too-large")
FILE = Bound(4_000_000, "A YAML file or an inventory has at most {} MB.", "file-too-large")
PAGE = Bound(1_000_000, "A Markdown page has at most {} MB.", "file-too-large")
DOWNLOAD = Bound(50_000_000, "A picture or a download has at most {} MB.", "file-too-large")
PIXELS = Bound(100_000_000, "A picture that is printed has at most {} pixels.", "aid-not-printable")
NAME = Bound(200, "The name of a file or a folder has at most {} bytes.", "file-name-unusable")

NESTING = Bound(40, "Lists and keys of YAML lie at most {} deep in each other.", "yaml-too-deep")
KEY = Bound(1_024, "A key of YAML has at most {} letters.", "yaml-syntax")
TEXT = Bound(100_000, "A text, such as that of a rule or a cell, has at most {} letters.", "text-too-long")
KNOWN = Bound(50_000, "A list of printed numbers has at most {} entries.", "list-too-long")
ROWS = Bound(2_000, "A table has at most {} rows.", "list-too-long")
COLUMNS = Bound(100, "A table has at most {} columns.", "list-too-long")
ERRATA = Bound(5_000, "An edition has at most {} errata.", "list-too-long")
SITES = Bound(50, "At most {} other sites are linked to.", "list-too-long")
LIST = Bound(5_000, "Any other list or set of names has at most {} entries.", "list-too-long")

COUNTERS = Bound(2_000, "A book has at most {} counters, and as many symbols.", "list-too-long")
CALLOUTS = Bound(60, "A diagram has at most {} callouts.", "list-too-long")
HEXES = Bound(1_000, "The area of a diagram has at most {} hexes.", "diagram-too-large")
DRAWN = Bound(600, "A diagram names at most {} hexes, hexsides and counters.", "diagram-too-large")

TRACK = Bound(400, "A track has at most {} boxes.", "list-too-long")
CARDS = Bound(500, "A block has at most {} cards.", "list-too-long")
PIECES = Bound(2_000, "A block prints at most {} cards or counters.", "list-too-long")

EDITIONS = Bound(200, "The content has at most {} editions.", "editions-too-many")
RULES = Bound(30_000, "An edition has at most {} rules and printed numbers.", "rules-too-many")
REFERENCES = Bound(
    1_000, "A rule, a step, a table or an aid has at most {} references.", "references-too-many"
)
SHEETS = Bound(100, "An edition has at most {} player aids.", "aids-too-many")
STOPS = Bound(4_000, "A game turn has at most {} steps, repeated ones counted each time.", "turn-too-long")
REPEATS = Bound(50, "At most {} steps repeat each other in a row.", "turn-too-long")
ALIASES = Bound(100, "A term has at most {} aliases.", "aliases-too-many")
ERRATA_OF_ONE = Bound(200, "A rule, a table, a step or an aid has at most {} errata.", "errata-too-many")
EXTENDED = Bound(16, "At most {} editions extend each other in a row.", "series-not-found")
EXAMPLES = Bound(20, "A book has at most {} examples of its numbers.", "dialect-example")
EXAMPLE = Bound(40, "An example of a book's numbers has at most {} letters.", "dialect-example")
OLD_ADDRESS = Bound(1_000, "An old address has at most {} letters.", "redirect-malformed")
INVENTORY = Bound(32_000_000, "An inventory unpacks to at most {} MB.", "inventory-unreadable")

BOUNDS = tuple(value for value in [*globals().values()] if isinstance(value, Bound))
"""Every bound there is, in the order in which they are told."""
