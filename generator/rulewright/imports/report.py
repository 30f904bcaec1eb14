"""The report of an import: words that were lost, links judged, beginnings that are no label, guesses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from rulewright.files.problems import Problem
from rulewright.imports.account import WordAccount
from rulewright.imports.blocks import Guess, LeftOutWords, SourceBlock
from rulewright.imports.labels import Candidate
from rulewright.imports.links import WRONG, JudgedLink
from rulewright.imports.sources.source_site import SourcePage
from rulewright.schema.problem_reports import plural


@dataclass(slots=True)
class ImportReport:
    """Report of an import for the editor: words, links, labels, problems."""

    source: str = ""
    dialect: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    account: WordAccount = field(default_factory=WordAccount)
    left_out: Sequence[LeftOutWords] = ()
    """Words that are for a browser, became keys, numbers and titles, or are those of a list of contents."""

    links: Sequence[JudgedLink] = ()
    missing: Sequence[Guess] = ()
    """The addresses of pictures that were not found."""

    passed: Sequence[Candidate] = ()
    guesses: Sequence[Guess] = ()
    problems: list[Problem] = field(default_factory=list)
    checked: Sequence[Problem] = ()
    """Problems that `check` has with the book once the import is in its place."""

    suppressed: Sequence[Problem] = ()

    @property
    def lost(self) -> Sequence[LeftOutWords]:
        return self.account.lost

    @property
    def words_lost(self) -> int:
        return sum(len(lost.words.split()) for lost in self.lost)

    @property
    def is_refused(self) -> bool:
        """Return whether a word is lost or out of order, or `check` refuses what was written."""
        failures = [problem for problem in (*self.problems, *self.checked) if problem.is_failure]
        return bool(failures or self.account.lost or self.account.out_of_order)

    def wrong(self) -> list[JudgedLink]:
        return [link for link in self.links if link.verdict in WRONG]


def import_report_data(report: ImportReport, files: Mapping[str, str]) -> dict[str, Any]:
    """Return the report for programs. `files`: those that were written, with their digests."""
    data = {entry.name: _data(getattr(report, entry.name)) for entry in fields(report)}
    return {**data, "links": _data(report.wrong()), "files": dict(sorted(files.items()))}


def _data(value: Any) -> Any:
    """Return a part of the report for programs. A page is the name of its file."""
    if isinstance(value, SourcePage):
        return value.file.name
    if isinstance(value, SourceBlock):
        return value.page.file.name
    if isinstance(value, Problem):
        return str(value)
    if isinstance(value, list | tuple):
        return [_data(item) for item in value]
    if is_dataclass(value):
        return {entry.name: _data(getattr(value, entry.name)) for entry in fields(value)}
    return value


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


def review_text(report: ImportReport) -> str:
    """Return how much an editor should review: `1 lost word, 2 wrong links, 3 problems`; empty if nothing."""
    counts = {
        "lost word": report.words_lost,
        "misplaced word": len(report.account.out_of_order),
        "passed label": len(report.passed),
        "wrong link": len(report.wrong()),
        "guessed place": len(report.guesses),
        "problem": len(report.problems) + len(report.checked),
    }
    return ", ".join(plural(count, noun) for noun, count in counts.items() if count)
