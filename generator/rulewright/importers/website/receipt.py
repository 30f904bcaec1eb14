"""The receipt of an import: words kept, changed and lost; links judged; guesses; problems.

Everybody who makes something of the pages enters here what came of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.importers.website.blocks import DroppedWords, Link
from rulewright.importers.website.site import Page
from rulewright.source.problems import Problem

AGREES, MALFORMED, DISAGREES, BROKEN = "agrees", "malformed", "disagrees", "broken"
ABSENT, OUTSIDE, FILE, WORDS = "page not here", "leaves the site", "file", "no rule"
NO_FILE, SHORT = "file not here", "falls short"
"""The verdicts on a link. `page not here`: its page is not among those that were read. `falls short`: it
leads to the top of a page, and its words name a rule that has a heading there."""

_WRONG = (BROKEN, DISAGREES, MALFORMED, NO_FILE, SHORT)


class Change(NamedTuple):
    """Words of the source that became something else: `now`, or a sign, a kind, a place."""

    page: Page
    line: int
    was: str
    now: str
    what: str


class MendedWord(NamedTuple):
    """A word that a line end had parted. `now`: the whole word; `sure`: the book itself shows that."""

    line: int
    was: str
    now: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class JudgedLink:
    """A link and what came of it. `says` and `leads`: the numbers of its words and of its target.

    `becomes`: the words that stand for it; `fault`: what is wrong with its address; `proposal`: what its
    author may want to do.
    """

    page: Page
    link: Link
    text: str
    verdict: str
    says: str = ""
    leads: str = ""
    becomes: str = ""
    proposal: str = ""
    fault: str = ""


@dataclass(slots=True)
class WordAccount:
    """A count of the words of some pages that belong together: kept, changed, dropped.

    `lost` and `gained` should be empty: words of the source that are nowhere, with the places where each
    stands, and words that came from nowhere.
    """

    pages: list[Page]
    words: int = 0
    kept: int = 0
    turned: int = 0
    mended: int = 0
    dropped: int = 0
    lost: list[tuple[str, Page, list[int]]] = field(default_factory=list)
    gained: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Receipt:
    """The report of an import. `unlinked`: references that no link marked; `missing`: pictures not found.

    `published`: the files of the old site, by address, each with its new name if it is copied; `aside`: files
    that were there already, with why they cannot stay; `clashing`: old addresses that lead elsewhere already;
    `elsewhere`: problems that the import brings to other files.
    """

    source: str = ""
    dialect: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    accounts: list[WordAccount] = field(default_factory=list)
    turned: list[Change] = field(default_factory=list)
    mended: list[tuple[Page, MendedWord]] = field(default_factory=list)
    dropped: list[tuple[Page, DroppedWords]] = field(default_factory=list)
    links: list[JudgedLink] = field(default_factory=list)
    unlinked: list[tuple[Page, int, str]] = field(default_factory=list)
    missing: list[tuple[Page, int, str]] = field(default_factory=list)
    guesses: list[tuple[Page, int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    checked: list[Problem] = field(default_factory=list)
    excused: list[Problem] = field(default_factory=list)
    published: list[tuple[str, str]] = field(default_factory=list)
    aside: dict[str, str] = field(default_factory=dict)
    clashing: list[str] = field(default_factory=list)
    elsewhere: list[Problem] = field(default_factory=list)

    def turn(self, page: Page, line: int, was: str, now: str, what: str) -> None:
        """Enter words that became something else."""
        self.turned.append(Change(page, line, was, now, what))

    def guess(self, page: Page, line: int, message: str) -> None:
        self.guesses.append((page, line, message))

    @property
    def lost(self) -> list[tuple[str, Page, list[int]]]:
        return [lost for account in self.accounts for lost in account.lost]

    def of(self, *verdicts: str) -> list[JudgedLink]:
        """The links of some verdicts, in the order of the pages."""
        return [judged for judged in self.links if judged.verdict in verdicts]

    def wrong(self) -> list[JudgedLink]:
        return self.of(*_WRONG)
