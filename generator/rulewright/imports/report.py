"""The report of an import: words that were lost, links judged, beginnings that are no label, guesses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.files.problems import Problem, quote_short
from rulewright.imports.account import LostWords, WordAccount
from rulewright.imports.blocks import Guess, LeftOutWords
from rulewright.imports.links import WRONG, JudgedLink, LinkVerdict
from rulewright.imports.sources.source_site import SourcePage
from rulewright.schema.problem_reports import plural

_MAX_LISTED = 3


@dataclass(frozen=True, slots=True)
class PassedLabel:
    """A beginning that looks like a label, why it opens no rule, and the number that it may mean."""

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
    left_out: list[LeftOutWords] = field(default_factory=list)
    """Words that are for a browser, became keys, numbers and titles, or are those of a list of contents."""

    links: list[JudgedLink] = field(default_factory=list)
    missing: list[tuple[SourcePage, int, str]] = field(default_factory=list)
    """Pictures that were not found."""

    passed: list[PassedLabel] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    checked: list[Problem] = field(default_factory=list)
    """Problems that `check` has with the book once the import is in its place."""

    suppressed: list[Problem] = field(default_factory=list)

    @property
    def lost(self) -> tuple[LostWords, ...]:
        return self.account.lost

    @property
    def words_lost(self) -> int:
        return sum(len(lost.words.split()) for lost in self.lost)

    @property
    def is_refused(self) -> bool:
        """Return whether a word is lost or out of order, or `check` refuses what was written."""
        is_broken = bool(self.lost or self.account.out_of_order)
        return is_broken or any(problem.is_failure for problem in (*self.problems, *self.checked))

    def wrong(self) -> list[JudgedLink]:
        return [link for link in self.links if link.verdict in WRONG]

    def verdicts(self) -> dict[str, int]:
        return dict(sorted(Counter(link.verdict for link in self.links).items()))

    def absent_pages(self) -> dict[str, int]:
        """Return the pages that were not imported, with how often they are linked."""
        absent = (link.link.href for link in self.links if link.verdict == LinkVerdict.ABSENT)
        return dict(sorted(Counter(href.partition("#")[0] for href in absent).items()))


def import_report_data(report: ImportReport, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the report for programs. `files`: those that were written, with their digests."""
    account = report.account
    return {
        "source": report.source,
        "dialect": report.dialect,
        "counts": report.counts,
        "words": {
            "pages": dict(account.words),
            "lost": [_entry_data(lost, "words", "context") for lost in account.lost],
            "added": dict(sorted(account.gained.items())),
            "out of order": list(account.out_of_order),
        },
        "labels passed over": [_entry_data(passed, "words", "reason", "fits") for passed in report.passed],
        "links": {
            "verdicts": report.verdicts(),
            "wrong": [
                {
                    **_entry_data(outcome, "text", "verdict", "says", "target_number", "fault"),
                    "address": outcome.link.href,
                }
                for outcome in report.wrong()
            ],
            "pages not imported": report.absent_pages(),
        },
        "left out": [_entry_data(entry, "words", "reason") for entry in report.left_out],
        "pictures not found": [
            {"file": page.file.name, "line": line, "address": address}
            for page, line, address in report.missing
        ],
        "guesses": [_entry_data(guess, "message") for guess in report.guesses],
        "problems": [str(problem) for problem in (*report.problems, *report.checked)],
        "excused": [str(problem) for problem in report.suppressed],
        "files": dict(sorted(files.items())),
    }


def _entry_data(entry: Any, *names: str) -> dict[str, Any]:
    line = entry.link.line if isinstance(entry, JudgedLink) else entry.line
    return {"file": entry.page.file.name, "line": line} | {name: getattr(entry, name) for name in names}


def import_report_markdown(report: ImportReport) -> str:
    """Return the report for the editor."""
    # Imported here: only this needs templates.
    from rulewright.render.templating import environment

    templates = environment()
    templates.filters["oneline"] = lambda words: " ".join(str(words).split())
    reasons = Counter(entry.reason.partition(":")[0] for entry in report.left_out).most_common()
    text = templates.get_template("import/report.md").render(report=report, reasons=reasons)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def counts_text(report: ImportReport) -> str:
    """Return how much was imported: `1 page, 12 rules, 3 links recovered`."""
    parts = ((count, *name.partition(" ")[::2]) for name, count in report.counts.items() if count)
    return ", ".join(f"{plural(count, noun.removesuffix('s'))} {more}".strip() for count, noun, more in parts)


def review_lines(report: ImportReport, maximum: int = _MAX_LISTED) -> Iterator[str]:
    """Yield the places to review, of every kind no more than so many."""
    reasons: dict[str, list[PassedLabel]] = {}
    for passed in report.passed:
        reasons.setdefault(passed.reason, []).append(passed)
    for reason, labels in reasons.items():
        places = ", ".join(map(str, labels[:maximum]))
        more = f" and {len(labels) - maximum} more" if len(labels) > maximum else ""
        yield f"{plural(len(labels), 'label-like beginning')} no label, because {reason}: {places}{more}"
    wrong = report.wrong()
    for outcome in wrong[:maximum]:
        place = f"{outcome.page.file.name}:{outcome.link.line}:{outcome.link.column}"
        leads = f", leads to {outcome.target_number}" if outcome.target_number else ""
        says = f" says {outcome.says}{leads}" if outcome.says else ""
        yield f"{place}: link {outcome.verdict}: “{outcome.text}”{says}; {outcome.fault}"
    if len(wrong) > maximum:
        yield f"{plural(len(wrong), 'broken or wrong link')}, their words stay in the text; see the report"
    for lost in report.lost[:maximum]:
        yield f"{lost.page.file.name}:{lost.line}: lost: {lost}"
    if len(report.lost) > maximum:
        yield f"and {len(report.lost) - maximum} more lines with words that are lost"
    if pairs := report.account.out_of_order:
        yield f"{plural(len(pairs), 'place')} out of order: {', '.join(pairs[:maximum])}"
