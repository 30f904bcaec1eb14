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

from rulewright.files.problems import Problem, quote_short
from rulewright.imports.website.page_block_types import DroppedWords, Link
from rulewright.imports.sources.source_site import SourcePage
from rulewright.schema.problem_reports import plural

Spot = tuple[SourcePage, int, str]
"""A page, a line of it, and words or a message."""


class LinkVerdict(StrEnum):
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


_WRONG = (
    LinkVerdict.BROKEN,
    LinkVerdict.DISAGREES,
    LinkVerdict.MALFORMED,
    LinkVerdict.NO_FILE,
    LinkVerdict.SHORT,
)


class WordsChanged(NamedTuple):
    """Words of the source that became something else: `result_words`, or a sign, a kind, a place."""

    page: SourcePage
    line: int
    source_words: str
    result_words: str
    change_kind: str


class MendedWord(NamedTuple):
    """A word that a line end had parted.

    `joined_word`: the whole word; `is_certain`: the book itself shows that.
    """

    line: int
    split_word: str
    joined_word: str
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class JudgedLink:
    """A link and what came of it. `says` and `target_number`: the numbers of its words and of its target.

    `becomes`: the words that stand for it; `fault`: what is wrong with its address; `proposal`: what its
    author may want to do.
    """

    page: SourcePage
    link: Link
    text: str
    verdict: LinkVerdict
    says: str = ""
    target_number: str = ""
    becomes: str = ""
    proposal: str = ""
    fault: str = ""


class LostWords(NamedTuple):
    """Words of a line of the source that are nowhere in what was made.

    `context`: all words of that line, or of a long one those around them.
    """

    words: str
    page: SourcePage
    line: int
    context: str

    @property
    def size(self) -> int:
        return self.words.count(" ") + 1

    def __str__(self) -> str:
        is_all = self.words == self.context
        return (
            f"“{quote_short(self.context, 90)}”"
            if is_all
            else f"“{self.words}” of “{quote_short(self.context, 90)}”"
        )


@dataclass(slots=True)
class WordAccount:
    """Word counts of pages of one file. `lost` (by lines) and `gained` words should be none."""

    pages: list[SourcePage]
    words: int = 0
    kept_words: int = 0
    changed_words: int = 0
    joined_words: int = 0
    dropped: int = 0
    lost: list[LostWords] = field(default_factory=list)
    gained: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class ImportReport:
    """The report of an import. `unlinked`: references that no link marked; `missing`: pictures not found.

    `published`: the files of the old site, by address, each with its new name if it is copied;
    `displaced_files`: files that were there already, with why they cannot stay; `clashing`: old addresses
    that lead elsewhere already; `other_problems`: problems that the import brings to other files. `unread`:
    lines that begin like labels and are none, by the reason.
    """

    source: str = ""
    dialect: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    accounts: list[WordAccount] = field(default_factory=list)
    changed_words: list[WordsChanged] = field(default_factory=list)
    joined_words: list[tuple[SourcePage, MendedWord]] = field(default_factory=list)
    dropped: list[tuple[SourcePage, DroppedWords]] = field(default_factory=list)
    links: list[JudgedLink] = field(default_factory=list)
    unlinked: list[Spot] = field(default_factory=list)
    missing: list[Spot] = field(default_factory=list)
    guesses: list[Spot] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    checked: list[Problem] = field(default_factory=list)
    suppressed: list[Problem] = field(default_factory=list)
    published: list[tuple[str, str]] = field(default_factory=list)
    displaced_files: dict[str, str] = field(default_factory=dict)
    clashing: list[str] = field(default_factory=list)
    other_problems: list[Problem] = field(default_factory=list)
    unread: dict[str, list[Spot]] = field(default_factory=dict)

    def note_changed(self, page: SourcePage, line: int, was: str, now: str, what: str) -> None:
        self.changed_words.append(WordsChanged(page, line, was, now, what))

    def note_guess(self, page: SourcePage, line: int, message: str) -> None:
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
        return bool(self.lost) or any(problem.is_failure for problem in self.checked)

    def for_page(self, *verdicts: LinkVerdict) -> list[JudgedLink]:
        return [link for link in self.links if link.verdict in verdicts]

    def wrong(self) -> list[JudgedLink]:
        return self.for_page(*_WRONG)

    def verdicts(self) -> dict[str, int]:
        return dict(sorted(Counter(link.verdict for link in self.links).items()))


ASIDE = "set-aside"
"""The folder, beside that of the content, where files go that an import leaves no place for."""


def import_report_data(receipt: ImportReport, files: Mapping[str, str]) -> dict[str, Any]:
    """The receipt for programs. `files`: what was written, with the sums by which a later import knows it."""
    return {
        "source": receipt.source,
        "dialect": receipt.dialect,
        "counts": receipt.counts,
        "words": [
            {
                "pages": [page.file.name for page in account.pages],
                "words": account.words,
                "kept": account.kept_words,
                "turned": account.changed_words,
                "mended": account.joined_words,
                "dropped": account.dropped,
                "lost": [
                    _at(lost.page, lost.line, words=lost.words, whole=lost.context) for lost in account.lost
                ],
                "gained": dict(sorted(account.gained.items())),
            }
            for account in receipt.accounts
        ],
        "links": {
            "verdicts": receipt.verdicts(),
            "wrong": [_link(judged) for judged in receipt.wrong()],
            "pages not here": [_link(judged) for judged in receipt.for_page(LinkVerdict.ABSENT)],
        },
        "references without a link": [_at(page, line, rule=key) for page, line, key in receipt.unlinked],
        "turned": [
            _at(t.page, t.line, was=t.source_words, now=t.result_words, what=t.change_kind)
            for t in receipt.changed_words
        ],
        "mended": [
            _at(page, m.line, was=m.split_word, now=m.joined_word)
            for page, m in receipt.joined_words
            if m.is_certain
        ],
        "hyphens left": [
            _at(page, m.line, was=m.split_word) for page, m in receipt.joined_words if not m.is_certain
        ],
        "dropped": [_at(page, d.line, words=d.words, why=d.reason) for page, d in receipt.dropped],
        "pictures not found": [_at(page, line, address=address) for page, line, address in receipt.missing],
        "guesses": [_at(page, line, guess=message) for page, line, message in receipt.guesses],
        "problems": [str(problem) for problem in (*receipt.problems, *receipt.checked)],
        "excused": [str(problem) for problem in receipt.suppressed],
        "files at old addresses": [{"address": a, "now": now} for a, now in receipt.published],
        "set aside": receipt.displaced_files,
        "addresses left out": receipt.clashing,
        "problems elsewhere": [str(problem) for problem in receipt.other_problems],
        "files": dict(sorted(files.items())),
    }


def _at(page: SourcePage, line: int, **more: str) -> dict[str, Any]:
    return {"file": page.file.name, "line": line, **more}


def _link(judged: JudgedLink) -> dict[str, Any]:
    return {
        **_at(judged.page, judged.link.line),
        "column": judged.link.column,
        "text": judged.text,
        "address": judged.link.href,
        "verdict": judged.verdict,
        "says": judged.says,
        "leads": judged.target_number,
        "fault": judged.fault,
        "proposal": judged.proposal,
    }


def import_report_markdown(receipt: ImportReport) -> str:
    """The receipt for the editor, as the template words it."""
    # Imported here: only this needs templates.
    from rulewright.render.templating import environment

    made = environment()
    made.filters["oneline"] = lambda words: " ".join(str(words).split())
    places: dict[str, list[str]] = {}  # of the links to each page that is not here
    for judged in receipt.for_page(LinkVerdict.ABSENT):
        address = judged.link.href.partition("#")[0]
        places.setdefault(address, []).append(f"{judged.page.file.name}:{judged.link.line}")
    text = made.get_template("import/report.md").render(
        receipt=receipt,
        turned=Counter(word.change_kind.partition(":")[0] for word in receipt.changed_words).most_common(),
        absent=sorted(places.items()),
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def counts_text(receipt: ImportReport) -> str:
    """How much was made of what: `1 page, 12 rules, 3 links recovered`."""
    each = ((count, *name.partition(" ")[::2]) for name, count in receipt.counts.items() if count)
    return ", ".join(f"{plural(count, noun.removesuffix('s'))} {more}".strip() for count, noun, more in each)


def review_lines(receipt: ImportReport, most: int) -> Iterator[str]:
    """The places that need a look, a line each, and of every sort no more than so many."""
    for judged in receipt.wrong()[:most]:
        link = judged.link
        leads = f", leads to {judged.target_number}" if judged.target_number else ""
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
    for name, why in receipt.displaced_files.items():
        yield f"{name}: set aside in {ASIDE}/: {why}"
    if receipt.clashing:
        yield f"old addresses that lead elsewhere, left out: {len(receipt.clashing)}"


def label_summary(receipt: ImportReport) -> Iterator[str]:
    """Lines that begin like labels and are none, by the reason, and how many links are broken."""
    for why, places in receipt.unread.items():
        named = [
            f"“{quote_short(words, 40)}” ({page.name}:{line})" for page, line, words in places[:_MOST_SHOWN]
        ]
        more = f" and {len(places) - _MOST_SHOWN} more" if len(places) > _MOST_SHOWN else ""
        count = plural(len(places), "label-like beginning")
        yield f"{count} no label, because {why}: {', '.join(named)}{more}"
    if broken := receipt.for_page(LinkVerdict.BROKEN, LinkVerdict.NO_FILE):
        first = broken[0]
        place = f"{first.page.file.name}:{first.link.line}"
        yield f"{plural(len(broken), 'broken link')}, their words are kept: first “{first.text}” ({place})"


_MOST_SHOWN = 3
