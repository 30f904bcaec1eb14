"""The receipt of an import: words kept, changed and lost; links judged; guesses; problems.

Everybody who makes something of the pages enters here what came of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from rulewright.importers.website.blocks import DroppedWords, Link
from rulewright.importers.website.site import Page
from rulewright.model.reports import several
from rulewright.source.problems import Problem, shown

Spot = tuple[Page, int, str]
"""A page, a line of it, and words or a message."""


class Verdict(StrEnum):
    """The verdict on a link."""

    AGREES = "agrees"
    MALFORMED = "malformed"
    DISAGREES = "disagrees"
    BROKEN = "broken"
    ABSENT = "page not here"  # its page is not among those that were read
    OUTSIDE = "leaves the site"
    FILE = "file"
    WORDS = "no rule"
    NO_FILE = "file not here"
    SHORT = "falls short"  # at the top of a page, and its words name a rule that has a heading there


_WRONG = (Verdict.BROKEN, Verdict.DISAGREES, Verdict.MALFORMED, Verdict.NO_FILE, Verdict.SHORT)


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
    verdict: Verdict
    says: str = ""
    leads: str = ""
    becomes: str = ""
    proposal: str = ""
    fault: str = ""


class LostWords(NamedTuple):
    """Words of a line of the source that are nowhere in what was made.

    `whole`: all words of that line, or of a long one those around them.
    """

    words: str
    page: Page
    line: int
    whole: str

    @property
    def size(self) -> int:
        return self.words.count(" ") + 1

    def __str__(self) -> str:
        is_all = self.words == self.whole
        return f"“{shown(self.whole, 90)}”" if is_all else f"“{self.words}” of “{shown(self.whole, 90)}”"


@dataclass(slots=True)
class WordAccount:
    """Word counts of pages of one file. `lost` (by lines) and `gained` words should be none."""

    pages: list[Page]
    words: int = 0
    kept: int = 0
    turned: int = 0
    mended: int = 0
    dropped: int = 0
    lost: list[LostWords] = field(default_factory=list)
    gained: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Receipt:
    """The report of an import. `unlinked`: references that no link marked; `missing`: pictures not found.

    `published`: the files of the old site, by address, each with its new name if it is copied; `aside`: files
    that were there already, with why they cannot stay; `clashing`: old addresses that lead elsewhere already;
    `elsewhere`: problems that the import brings to other files. `unread`: lines that begin like labels and
    are none, by the reason.
    """

    source: str = ""
    dialect: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    accounts: list[WordAccount] = field(default_factory=list)
    turned: list[Change] = field(default_factory=list)
    mended: list[tuple[Page, MendedWord]] = field(default_factory=list)
    dropped: list[tuple[Page, DroppedWords]] = field(default_factory=list)
    links: list[JudgedLink] = field(default_factory=list)
    unlinked: list[Spot] = field(default_factory=list)
    missing: list[Spot] = field(default_factory=list)
    guesses: list[Spot] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    checked: list[Problem] = field(default_factory=list)
    excused: list[Problem] = field(default_factory=list)
    published: list[tuple[str, str]] = field(default_factory=list)
    aside: dict[str, str] = field(default_factory=dict)
    clashing: list[str] = field(default_factory=list)
    elsewhere: list[Problem] = field(default_factory=list)
    unread: dict[str, list[Spot]] = field(default_factory=dict)

    def turn(self, page: Page, line: int, was: str, now: str, what: str) -> None:
        self.turned.append(Change(page, line, was, now, what))

    def guess(self, page: Page, line: int, message: str) -> None:
        self.guesses.append((page, line, message))

    @property
    def lost(self) -> list[LostWords]:
        return [lost for account in self.accounts for lost in account.lost]

    @property
    def words_lost(self) -> int:
        return sum(lost.size for lost in self.lost)

    @property
    def is_refused(self) -> bool:
        """Whether a word is lost, or the check refuses what was made."""
        return bool(self.lost) or any(problem.fails for problem in self.checked)

    def of(self, *verdicts: Verdict) -> list[JudgedLink]:
        return [judged for judged in self.links if judged.verdict in verdicts]

    def wrong(self) -> list[JudgedLink]:
        return self.of(*_WRONG)

    def verdicts(self) -> dict[str, int]:
        return dict(sorted(Counter(judged.verdict for judged in self.links).items()))


ASIDE = "set-aside"
"""The folder, beside that of the content, where files go that an import leaves no place for."""


def data(receipt: Receipt, files: Mapping[str, str]) -> dict[str, Any]:
    """The receipt for programs. `files`: what was written, with the sums by which a later import knows it."""
    return {
        "source": receipt.source,
        "dialect": receipt.dialect,
        "counts": receipt.counts,
        "words": [
            {
                "pages": [page.file.name for page in account.pages],
                **{name: getattr(account, name) for name in ("words", "kept", "turned", "mended", "dropped")},
                "lost": [
                    _at(lost.page, lost.line, words=lost.words, whole=lost.whole) for lost in account.lost
                ],
                "gained": dict(sorted(account.gained.items())),
            }
            for account in receipt.accounts
        ],
        "links": {
            "verdicts": receipt.verdicts(),
            "wrong": [_link(judged) for judged in receipt.wrong()],
            "pages not here": [_link(judged) for judged in receipt.of(Verdict.ABSENT)],
        },
        "references without a link": [_at(page, line, rule=key) for page, line, key in receipt.unlinked],
        "turned": [_at(t.page, t.line, was=t.was, now=t.now, what=t.what) for t in receipt.turned],
        "mended": [_at(page, m.line, was=m.was, now=m.now) for page, m in receipt.mended if m.sure],
        "hyphens left": [_at(page, m.line, was=m.was) for page, m in receipt.mended if not m.sure],
        "dropped": [_at(page, d.line, words=d.words, why=d.why) for page, d in receipt.dropped],
        "pictures not found": [_at(page, line, address=address) for page, line, address in receipt.missing],
        "guesses": [_at(page, line, guess=message) for page, line, message in receipt.guesses],
        "problems": [str(problem) for problem in (*receipt.problems, *receipt.checked)],
        "excused": [str(problem) for problem in receipt.excused],
        "files at old addresses": [{"address": a, "now": now} for a, now in receipt.published],
        "set aside": receipt.aside,
        "addresses left out": receipt.clashing,
        "problems elsewhere": [str(problem) for problem in receipt.elsewhere],
        "files": dict(sorted(files.items())),
    }


def _at(page: Page, line: int, **more: str) -> dict[str, Any]:
    return {"file": page.file.name, "line": line, **more}


def _link(judged: JudgedLink) -> dict[str, Any]:
    return {
        **_at(judged.page, judged.link.line),
        "column": judged.link.column,
        "text": judged.text,
        "address": judged.link.href,
        **{name: getattr(judged, name) for name in ("verdict", "says", "leads", "fault", "proposal")},
    }


def markdown(receipt: Receipt) -> str:
    """The receipt for the editor, as the template words it."""
    # Imported here: only this needs templates.
    from rulewright.site.templating import environment

    made = environment()
    made.filters["oneline"] = lambda words: " ".join(str(words).split())
    places: dict[str, list[str]] = {}  # of the links to each page that is not here
    for judged in receipt.of(Verdict.ABSENT):
        address = judged.link.href.partition("#")[0]
        places.setdefault(address, []).append(f"{judged.page.file.name}:{judged.link.line}")
    text = made.get_template("import/report.md").render(
        receipt=receipt,
        turned=Counter(one.what.partition(":")[0] for one in receipt.turned).most_common(),
        absent=sorted(places.items()),
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def counted(receipt: Receipt) -> str:
    """How much was made of what: `1 page, 12 rules, 3 links recovered`."""
    each = ((count, *name.partition(" ")[::2]) for name, count in receipt.counts.items() if count)
    return ", ".join(f"{several(count, noun.removesuffix('s'))} {more}".strip() for count, noun, more in each)


def looks(receipt: Receipt, most: int) -> Iterator[str]:
    """The places that need a look, a line each, and of every sort no more than so many."""
    for judged in receipt.wrong()[:most]:
        link = judged.link
        leads = f", leads to {judged.leads}" if judged.leads else ""
        leads += f", {judged.fault}" if judged.fault else ""
        says = f"says {judged.says}{leads}" if judged.says else f"“{judged.text}”{leads}"
        place = f"{judged.page.file.name}:{link.line}:{link.column}"
        yield f"{place}: link {judged.verdict}: {says}; {judged.proposal}"
    if (more := len(receipt.wrong()) - most) > 0:
        yield f"and {more} more links like these"
    for lost in receipt.lost[:most]:
        yield f"{lost.page.file.name}:{lost.line}: lost: {lost}"
    if (more := len(receipt.lost) - most) > 0:
        yield f"and {more} more lines with words that are lost"
    for name, why in receipt.aside.items():
        yield f"{name}: set aside in {ASIDE}/: {why}"
    if receipt.clashing:
        yield f"old addresses that lead elsewhere, left out: {len(receipt.clashing)}"


def unlabelled(receipt: Receipt) -> Iterator[str]:
    """Lines that begin like labels and are none, by the reason, and how many links are broken."""
    for why, places in receipt.unread.items():
        named = [f"“{shown(words, 40)}” ({page.name}:{line})" for page, line, words in places[:_MOST_SHOWN]]
        more = f" and {len(places) - _MOST_SHOWN} more" if len(places) > _MOST_SHOWN else ""
        count = several(len(places), "label-like beginning")
        yield f"{count} no label, because {why}: {', '.join(named)}{more}"
    if broken := receipt.of(Verdict.BROKEN, Verdict.NO_FILE):
        first = broken[0]
        place = f"{first.page.file.name}:{first.link.line}"
        yield f"{several(len(broken), 'broken link')}, their words are kept: first “{first.text}” ({place})"


_MOST_SHOWN = 3
