"""An assessment as people and programs pass it on: text, Markdown for a pull request, JSON.

It is told in sections of lines, those first that say what breaks. Each format is a function of the
assessment, of what it is compared with, and of the address below which the files can be seen, for links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from rulewright.book.outline import RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.compare.edition_diff import PhaseChanges
from rulewright.compare.field_diff import GONE
from rulewright.compare.item_change import ChangeKind, ItemChange, WordDifference
from rulewright.compare.stale_references import CHANGED
from rulewright.edit.impact.content_snapshot import item_location
from rulewright.edit.impact.impact_analysis import ImpactReport, LostAddress
from rulewright.edit.impact.print_impact import PrintChange, SheetFit
from rulewright.edit.impact.review_list import ErrataChange, ErratumEffect, RetargetedReference
from rulewright.model.problem_reports import plural, to_dict, to_json_text
from rulewright.site.exports.diff_export import (
    change_object,
    change_phrases,
    item_name,
    join_names,
    shortened_pieces,
)
from rulewright.site.exports.export_formats import TEXT, OutputFormat, StyledRun, markdown_words
from rulewright.site.templating import environment
from rulewright.source.content_folder import CONTENT
from rulewright.source.problems import Problem, SourceLocation
from rulewright.text.text_document import plain_text

SORTS = {
    "rules": "Rules",
    "steps": "Sequence of play",
    "tables": "Tables",
    "aids": "Player aids, as their files say them",
    "book": "What holds for the whole book",
}
"""Titles of the sections of changes."""

WRONG = {
    "New problems": ("new problem", "new problems"),
    "Cited rules whose text is deleted": ("cited rule without its text", "cited rules without their texts"),
    "References that mean another rule now": (
        "reference that means another rule",
        "references that mean other rules",
    ),
    "Errata and questions that hold no more": ("void erratum or question", "void errata and questions"),
    "Player aids that do not fit any more": ("player aid that does not fit", "player aids that do not fit"),
    "Addresses that are lost": ("lost address", "lost addresses"),
}
"""Titles of the sections of what was right before, with what one and several of those things are called."""

REMOVED = "removed"


class ReportItem(NamedTuple):
    """One thing that is touched. `group`: what it stands below, `says`: what happened to it.

    `is_old_location`: its place is one in the content as it was. `parts`: what differs in its words, `lines`:
    what else there is to say.
    """

    name: str
    says: str = ""
    place: SourceLocation | None = None
    is_old_location: bool = False
    parts: Sequence[WordDifference] = ()
    lines: Sequence[str] = ()
    group: str = ""


class ReportSection(NamedTuple):
    """Things of one sort that are touched. `kinds`: what happened to how many, where that is told."""

    title: str
    items: Sequence[ReportItem]
    kinds: Mapping[Any, int]

    @property
    def says(self) -> str:
        return ", ".join(f"{count} {kind}" for kind, count in self.kinds.items()) or str(len(self.items))

    @property
    def broken(self) -> str:
        count = len(self.items)
        return f"{count} {WRONG[self.title][count != 1]}" if self.title in WRONG else ""


def report_sections(report: ImpactReport) -> list[ReportSection]:
    """Sections of the report, those first that say what breaks; nothing has an empty one."""
    noted = [change for change in report.errata_changes if change.effect is not ErratumEffect.VOID]
    notes = (problem for problem in report.new if not problem.is_failure and problem.code != CHANGED.code)
    items_by_title: dict[str, Iterable[ReportItem]] = dict(
        zip(
            WRONG,
            (
                (_problem(problem) for problem in report.new if problem.is_failure),
                (
                    ReportItem(item_name(rule), "is only a listed number now", item_location(rule))
                    for rule in report.emptied_rules
                ),
                (
                    ReportItem(
                        reference.name, f"{reference.number} meant {_was(reference)} now", reference.place
                    )
                    for reference in report.retargeted_references
                ),
                (_noted(change) for change in report.errata_changes if change.effect is ErratumEffect.VOID),
                (_sheet(sheet) for sheet in report.sheets if sheet.fit is SheetFit.FAILS),
                map(_lost, report.lost),
            ),
            strict=True,
        )
    )
    kinds: dict[str, Mapping[Any, int]] = {"Errata and questions": Counter(change.effect for change in noted)}
    edited = report.edited
    items_by_title["Editions"] = [
        *(ReportItem(edition.title, "added", edition.edition_file.edition.place) for edition in edited.new),
        *(
            ReportItem(edition.title, REMOVED, edition.edition_file.edition.place, True)
            for edition in edited.removed_editions
        ),
    ]
    for sort, title in SORTS.items():
        changes = [
            (difference.new.edition.short, c)
            for difference in edited.differences
            for c in difference.changes_by_type.get(sort, ())
        ]
        changes = [(name, change) for name, change in changes if change.is_reported]
        kinds[title] = Counter(kind for _, change in changes for kind, _ in _happened(change))
        items_by_title[title] = [_change(change, name) for name, change in changes]
    items_by_title["Typography alone"] = [
        ReportItem(difference.new.edition.short, join_names(difference.typography))
        for difference in edited.differences
        if difference.typography
    ]
    items_by_title |= {
        "Phases of play": (_phase(phase, phase.phase) for phase in report.phases if phase.phase),
        "To be read again": (
            ReportItem(text.name, f"cites {', '.join(text.cites)}", text.place)
            for text in report.texts_to_review
        ),
        "Errata and questions": map(_noted, noted),
        "To be printed anew": (_sheet(sheet) for sheet in report.sheets if sheet.fit is not SheetFit.FAILS),
        "Pages that differ": (
            ReportItem(f"{page.title}, /{page.path}", page.how, page.place, page.how == REMOVED)
            for page in report.pages
        ),
        "Pictures and downloads": (
            ReportItem(name.rpartition("/")[2], how, SourceLocation(name), how == REMOVED)
            for name, how in report.changed_other_files
        ),
        "New notes": map(_problem, notes),
        "Mended problems": (_problem(problem, is_fixed=True) for problem in report.fixed_problems),
    }
    sections = (
        ReportSection(title, list(items), kinds.get(title, {})) for title, items in items_by_title.items()
    )
    return [section for section in sections if section.items]


def report_heading(sections: Sequence[ReportSection], report: ImpactReport) -> str:
    """Heading of the report: what breaks, or that nothing does."""
    if not report.files:
        return "Nothing in the content has changed."
    if not sections:
        return "Only comments, order or layout have changed, nothing that anyone sees."
    broken = [section.broken for section in sections if section.broken]
    return f"Broken: {', '.join(broken)}." if broken else "Nothing is broken."


def _problem(problem: Problem, is_fixed: bool = False) -> ReportItem:
    return ReportItem(str(problem.severity), f"{problem.message} [{problem.code}]", problem.place, is_fixed)


def _lost(lost: LostAddress) -> ReportItem:
    says = f"leads to {lost.current_name} now" if lost.current_name else "leads nowhere"
    says += f", with {len(lost.inside)} more in it" if lost.inside else ""
    lines = [f"it is at {lost.new_address} now"] if lost.new_address else []
    return ReportItem(
        f"{lost.address} ({lost.name})",
        says,
        lost.old_location,
        True,
        lines=[*lines, *filter(None, [lost.cure])],
    )


def _noted(change: ErrataChange) -> ReportItem:
    subjects, entry = ", ".join(change.subject_names), change.errata_entry
    if change.effect is ErratumEffect.VOID:
        says = (
            f"is about {subjects}, which is gone"
            if entry.question
            else f"finds no words to change in {subjects}"
        )
    else:
        says = f"{change.effect}, {subjects}" if subjects else str(change.effect)
    is_removed = change.effect is ErratumEffect.REMOVED
    return ReportItem(str(entry), says, change.place, is_removed, change.parts, group=entry.edition.short)


def _sheet(change: PrintChange) -> ReportItem:
    says = change.how if change.says else "looks otherwise, says the same"
    if change.how != REMOVED and change.fit:
        says += f"; {change.fit}{f', since {change.reason}' if change.reason else ''}"
    if change.stale:
        says += f"; copies printed as {change.stale} are out of date"
    lines = [f"{problem.message} [{problem.code}]" for problem in change.problems]
    return ReportItem(change.title, says, change.place, change.how == REMOVED, lines=lines)


def _change(change: ItemChange[Any], edition: str) -> ReportItem:
    item = change.present_item
    says = ", ".join(words for _, words in _happened(change))
    says += f", with {change.inside} in it" if change.inside else ""
    group = f"{edition}, {item_name(item.chapter)}" if isinstance(item, RuleEntry) else edition
    return ReportItem(
        item_name(item), says, item_location(item), change.new is None, change.parts, group=group
    )


def _happened(change: ItemChange[Any]) -> Iterator[tuple[str, str]]:
    """Kinds of a change, each with its words. The text of a rule that was only a number is transcribed."""
    old, new = change.old, change.new
    for kind, words in zip(change.kinds, change_phrases(change), strict=True):
        if kind is ChangeKind.REWORDED and isinstance(old, RuleEntry) and not old.rule:
            yield "transcribed", "transcribed"
        elif kind is ChangeKind.REWORDED and isinstance(new, RuleEntry) and not new.rule:
            yield "emptied", "its text taken out"
        else:
            yield kind, words


def _was(reference: RetargetedReference) -> str:
    return "a rule that is gone" if reference.former_target == GONE else f"what is {reference.former_target}"


def _phase(changes: PhaseChanges, phase: SequenceStep) -> ReportItem:
    parts = [plural(len(changes.steps), "step")] if changes.steps else []
    if changes.rules:
        names = ", ".join(item_name(change.present_item) for change in changes.rules)
        parts.append(f"relevant rules: {names}")
    return ReportItem(plain_text(phase.path), "; ".join(parts), phase.step.title.place)


MARKER = "<!-- rulewright impact -->"
"""The first line of the Markdown, by which a workflow finds the comment that it is to write anew."""

_ALIVE = re.compile(r"(?<=[@#])(?=\w|\Z)|(?<=://)|(?<=\bwww)(?=\.)|(?<=\bGH-)(?=\d)", re.IGNORECASE)


def escape_mentions(words: str) -> str:
    """Words that a comment shows as they are: they tell nobody, lead nowhere and are no markup."""
    one_line = re.sub(r"\s*\n\s*", " ", markdown_words(words).replace("~", "\\~"))
    return _ALIVE.sub("&#8203;", one_line)


COMMENT = OutputFormat(escape_mentions, {"-": "<del>{}</del>", "+": "<ins>{}</ins>", "#": "<b>{}</b>"})
"""As a comment has it. Stars and tildes are no marks to Markdown where they touch a comma."""

MOST_LETTERS = 60_000
"""How long the Markdown is at most: GitHub takes no comment with more than 65,536 characters."""

_MOST = (200, 60, 20, 6, 2, 1, 0)
"""How many things of a sort are listed, the most that go in."""


def impact_text(report: ImpactReport, base: str) -> str:
    """Plain text; what was deleted in [-…-], what was inserted in {+…+}."""
    sections = report_sections(report)
    context = {
        "heading": report_heading(sections, report),
        "sections": sections,
        "base": base,
        "commit": base.split()[0],
    }
    template = environment().get_template("impact/report.txt")
    return template.render(**context, written=lambda part: _written(part, TEXT))


def impact_markdown(report: ImpactReport, base: str) -> str:
    """Markdown: a table of what is touched, and all of it below to be unfolded."""
    sections, commit = report_sections(report), base.split()[0]
    context = {
        "heading": escape_mentions(report_heading(sections, report)),
        "base": escape_mentions(base),
        "sections": sections,
        "marker": MARKER,
        "escaped": escape_mentions,
        "place": lambda item: _place(item, commit),
        "written": lambda part: _written(part, COMMENT),
    }
    template = environment().get_template("impact/report.md")
    text = ""
    for limit in _MOST:
        text = template.render(context, most=limit, most_parts=max(limit, 1))
        if len(text) <= MOST_LETTERS:
            break
    return text


def impact_json(report: ImpactReport, base: str) -> str:
    """All of it for programs. Places are `file:line:column`."""
    data: dict[str, Any] = {
        "base": base,
        "breaks": report.breaks,
        "files": report.files,
        "editions": [
            {
                "address": difference.new.edition.address,
                **{
                    sort: [
                        change_object(c) | {"place": item_location(c.present_item)}
                        for c in changes
                        if c.kinds
                    ]
                    for sort, changes in difference.changes_by_type.items()
                },
            }
            for difference in report.edited.differences
            if any(c.kinds for c in difference.changes)
        ],
        "new editions": [edition.address for edition in report.edited.new],
        "removed editions": [edition.address for edition in report.edited.removed_editions],
        "lost": [*map(_object, report.lost)],
        "elsewhere": [*map(_object, report.retargeted_references)],
        "again": [*map(_object, report.texts_to_review)],
        "emptied": [{"name": item_name(rule), "place": item_location(rule)} for rule in report.emptied_rules],
        "errata": [to_dict(change, "name place effect of=subject_names") for change in report.errata_changes],
        "pages": [*map(_object, report.pages)],
        "sheets": [
            _object(sheet, "place problems") | {"problems": _problems(sheet.problems)}
            for sheet in report.sheets
        ],
        "problems": _problems(report.new),
        "mended": _problems(report.fixed_problems),
    }
    return to_json_text(data)


Format = Callable[[ImpactReport, str], str]

FORMATS: Mapping[str, Format] = {"text": impact_text, "markdown": impact_markdown, "json": impact_json}
"""The formats of an assessment, by the name that `--format` takes."""


def _written(part: WordDifference, medium: OutputFormat) -> str:
    """Difference in one line, the old words kept apart from the new ones."""
    runs = list(shortened_pieces(part))
    for index, (deleted, gap, inserted) in enumerate(zip(runs, runs[1:], runs[2:], strict=False)):
        if (deleted.sign, gap.words, inserted.sign) == ("-", "", "+"):
            runs[index + 1] = StyledRun(" ")
    words = medium.words(part.name.replace("_", " "))
    return " ".join(f"{words}: {medium.write(runs)}".split())


def _place(item: ReportItem, commit: str) -> str:
    assert item.place
    name, line = item.place.file, item.place.line
    if "`" in name:  # which would end what is shown as code
        return escape_mentions(f"{name}:{line}")
    return (
        f"`{commit}:{name}:{line}`"
        if item.is_old_location
        else f"`{name.removeprefix(f'{CONTENT}/')}:{line}`"
    )


_KEYS = {
    "cure": "mend",
    "current_name": "now",
    "former_target": "meant",
    "new_address": "moved",
    "old_location": "was",
    "reason": "why",
}
"""Fields whose keys in JSON have other names."""


def _object(record: Any, without: str = "") -> dict[str, Any]:
    """Fields of a thing for JSON; null where there may be a text and there is none."""
    values = ((f, getattr(record, f.name)) for f in fields(record) if f.name not in without.split())
    return {_KEYS.get(f.name, f.name): value or None if f.default == "" else value for f, value in values}


def _problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return [to_dict(problem, "place severity code message") for problem in problems]
