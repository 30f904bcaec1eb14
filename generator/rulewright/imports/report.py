"""The report of an import: words that were lost, links judged, beginnings that are no label, guesses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.files.problems import Problem, quote_short
from rulewright.imports.blocks import Guess, LeftOutWords
from rulewright.imports.links import WRONG, JudgedLink, LinkVerdict
from rulewright.imports.prose import JoinedWord
from rulewright.imports.sources.source_site import SourcePage
from rulewright.schema.problem_reports import plural

SET_ASIDE = "set-aside"
"""The folder beside the content for files that an import leaves no place for."""

_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class LostWords:
    """Words of a line of the source that are nowhere in what was written."""

    words: str
    page: SourcePage
    line: int
    context: str
    """All words of that line, or those around the lost ones."""

    @property
    def size(self) -> int:
        return self.words.count(" ") + 1

    def __str__(self) -> str:
        context = f"“{quote_short(self.context, 90)}”"
        return context if self.words == self.context else f"“{self.words}” of {context}"


@dataclass(frozen=True, slots=True)
class WordAccount:
    """The words of the source beside those that were written."""

    words: Mapping[str, int] = field(default_factory=dict)
    """Number of words by page."""

    left_out: int = 0
    lost: tuple[LostWords, ...] = ()
    gained: Mapping[str, int] = field(default_factory=dict)
    """Words that were written more often than the source has them and the import added them."""

    out_of_order: tuple[str, ...] = ()
    """Pairs of words that follow each other in the result and nowhere in the source."""


@dataclass(frozen=True, slots=True)
class PassedLabel:
    """A beginning like a label that is none: why, and the number that it may mean."""

    page: SourcePage
    line: int
    words: str
    reason: str
    fits: str = ""

    def __str__(self) -> str:
        question = f", is it {self.fits}?" if self.fits else ""
        return f"“{quote_short(self.words, 40)}”{question} ({self.page.name}:{self.line})"


@dataclass(slots=True)
class ImportReport:
    """Report of an import for the editor: words, links, labels, problems."""

    source: str = ""
    dialect: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    account: WordAccount = field(default_factory=WordAccount)
    dropped: list[LeftOutWords] = field(default_factory=list)
    """Words that the readers left out."""

    turned: list[LeftOutWords] = field(default_factory=list)
    """Words that became keys, numbers and titles, or are those of a list of contents."""

    joined_words: list[JoinedWord] = field(default_factory=list)
    links: list[JudgedLink] = field(default_factory=list)
    unlinked: list[tuple[SourcePage, int, str]] = field(default_factory=list)
    """References without a link."""

    missing: list[tuple[SourcePage, int, str]] = field(default_factory=list)
    """Pictures that were not found."""

    passed: list[PassedLabel] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    checked: list[Problem] = field(default_factory=list)
    """Problems that `check` has with what was written."""

    suppressed: list[Problem] = field(default_factory=list)
    published: list[tuple[str, str]] = field(default_factory=list)
    """Files of the old site by address, each with its new name if it is copied."""

    displaced_files: dict[str, str] = field(default_factory=dict)
    clashing: list[str] = field(default_factory=list)
    """Old addresses that already lead elsewhere."""

    other_problems: list[Problem] = field(default_factory=list)
    """Problems that the import causes in other files."""

    @property
    def lost(self) -> tuple[LostWords, ...]:
        return self.account.lost

    @property
    def words_lost(self) -> int:
        return sum(lost.size for lost in self.lost)

    @property
    def is_refused(self) -> bool:
        """Return whether a word is lost or out of order, or `check` refuses what was written."""
        is_broken = bool(self.lost or self.account.out_of_order)
        return is_broken or any(problem.is_failure for problem in (*self.problems, *self.checked))

    def links_with(self, *verdicts: LinkVerdict) -> list[JudgedLink]:
        return [link for link in self.links if link.verdict in verdicts]

    def wrong(self) -> list[JudgedLink]:
        return self.links_with(*WRONG)

    def verdicts(self) -> dict[str, int]:
        return dict(sorted(Counter(link.verdict for link in self.links).items()))


def import_report_data(report: ImportReport, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the report for programs. `files`: those that were written, with their digests."""
    return {
        "source": report.source,
        "dialect": report.dialect,
        "counts": report.counts,
        "words": {
            "pages": dict(report.account.words),
            "left out": report.account.left_out,
            "lost": [_at(one.page, one.line, words=one.words, whole=one.context) for one in report.lost],
            "added": dict(sorted(report.account.gained.items())),
            "out of order": list(report.account.out_of_order),
        },
        "labels passed over": [
            _at(one.page, one.line, words=one.words, why=one.reason, fits=one.fits) for one in report.passed
        ],
        "links": {
            "verdicts": report.verdicts(),
            "wrong": [_link(judged) for judged in report.wrong()],
            "pages not here": [_link(judged) for judged in report.links_with(LinkVerdict.ABSENT)],
        },
        "references without a link": [_at(page, line, rule=key) for page, line, key in report.unlinked],
        "turned": [_at(one.page, one.line, words=one.words, what=one.reason) for one in report.turned],
        "hyphens": [
            _at(one.page, one.line, was=one.split_word, now=one.joined_word, certain=one.is_certain)
            for one in report.joined_words
        ],
        "dropped": [_at(one.page, one.line, words=one.words, why=one.reason) for one in report.dropped],
        "pictures not found": [_at(page, line, address=address) for page, line, address in report.missing],
        "guesses": [_at(one.page, one.line, guess=one.message) for one in report.guesses],
        "problems": [str(problem) for problem in (*report.problems, *report.checked)],
        "excused": [str(problem) for problem in report.suppressed],
        "files at old addresses": [{"address": a, "now": now} for a, now in report.published],
        "set aside": report.displaced_files,
        "addresses left out": report.clashing,
        "problems elsewhere": [str(problem) for problem in report.other_problems],
        "files": dict(sorted(files.items())),
    }


def _at(page: SourcePage, line: int, **more: object) -> dict[str, Any]:
    return {"file": page.file.name, "line": line, **more}


def _link(judged: JudgedLink) -> dict[str, Any]:
    return _at(
        judged.page,
        judged.link.line,
        column=judged.link.column,
        text=judged.text,
        address=judged.link.href,
        verdict=judged.verdict,
        says=judged.says,
        leads=judged.target_number,
        fault=judged.fault,
    )


def import_report_markdown(report: ImportReport) -> str:
    """Return the report for the editor."""
    # Imported here: only this needs templates.
    from rulewright.render.templating import environment

    templates = environment()
    templates.filters["oneline"] = lambda words: " ".join(str(words).split())
    absent: dict[str, list[str]] = {}
    for judged in report.links_with(LinkVerdict.ABSENT):
        address = judged.link.href.partition("#")[0]
        absent.setdefault(address, []).append(f"{judged.page.file.name}:{judged.link.line}")
    turned = Counter(one.reason.partition(":")[0] for one in report.turned).most_common()
    text = templates.get_template("import/report.md").render(
        report=report, turned=turned, absent=sorted(absent.items())
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def counts_text(report: ImportReport) -> str:
    """Return how much was made: `1 page, 12 rules, 3 links recovered`."""
    each = ((count, *name.partition(" ")[::2]) for name, count in report.counts.items() if count)
    return ", ".join(f"{plural(count, noun.removesuffix('s'))} {more}".strip() for count, noun, more in each)


def review_lines(report: ImportReport, most: int = _MOST_SHOWN) -> Iterator[str]:
    """Yield the places to review, of every kind no more than so many."""
    reasons: dict[str, list[PassedLabel]] = {}
    for passed in report.passed:
        reasons.setdefault(passed.reason, []).append(passed)
    for reason, places in reasons.items():
        named = ", ".join(map(str, places[:most]))
        more = f" and {len(places) - most} more" if len(places) > most else ""
        yield f"{plural(len(places), 'label-like beginning')} no label, because {reason}: {named}{more}"
    if broken := report.links_with(LinkVerdict.BROKEN, LinkVerdict.NO_FILE):
        place = f"{broken[0].page.file.name}:{broken[0].link.line}"
        first = f"first “{broken[0].text}” ({place})"
        yield f"{plural(len(broken), 'broken link')}, their words stay in the text: {first}"
    for judged in report.wrong()[:most]:
        leads = f", leads to {judged.target_number}" if judged.target_number else ""
        leads += f", {judged.fault}" if judged.fault else ""
        says = f"says {judged.says}{leads}" if judged.says else f"“{judged.text}”{leads}"
        place = f"{judged.page.file.name}:{judged.link.line}:{judged.link.column}"
        yield f"{place}: link {judged.verdict}: {says}"
    if (count := len(report.wrong()) - most) > 0:
        yield f"and {count} more links like these"
    for lost in report.lost[:most]:
        yield f"{lost.page.file.name}:{lost.line}: lost: {lost}"
    if (count := len(report.lost) - most) > 0:
        yield f"and {count} more lines with words that are lost"
    if broken_order := report.account.out_of_order:
        yield f"{plural(len(broken_order), 'place')} out of order: {', '.join(broken_order[:most])}"
    for name, why in report.displaced_files.items():
        yield f"{name}: set aside in {SET_ASIDE}/: {why}"
    if report.clashing:
        yield f"old addresses that lead elsewhere, left out: {len(report.clashing)}"
