"""What can be said of a link that an author made by hand."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.importers.hugo.blocks import Link
from rulewright.importers.hugo.site import Page

AGREES, MALFORMED, DISAGREES, BROKEN = "agrees", "malformed", "disagrees", "broken"
ABSENT, OUTSIDE, FILE, WORDS = "page not here", "leaves the site", "file", "no rule"
NO_FILE, SHORT = "file not here", "falls short"
"""What can be said of a link. `page not here`: its page is not among those that were read. `falls short`: it
leads to the top of a page, and its words name a rule that has a heading there."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A link and what came of it. `says` and `leads`: the numbers of its words and of its target.

    `becomes`: the words that stand for it; `fault`: what is wrong with its address; `proposal`: what its
    author may
    want to do.
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
