"""Write an impact report as text, Markdown for a pull request, or JSON.

The sections about what breaks come first. Each format is a function of the report and of the revision that the
content is compared with.
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

CHANGE_TITLES = {
    "rules": "Rules",
    "steps": "Sequence of play",
    "tables": "Tables",
    "aids": "Player aids, as in their files",
    "book": "Whole book",
}
"""Titles of the sections of changes by item type."""

BREAKAGE_TITLES = {
    "New problems": ("new problem", "new problems"),
    "Cited rules whose text is deleted": ("cited rule without its text", "cited rules without their texts"),
    "References that mean another rule now": (
        "reference that means another rule",
        "references that mean other rules",
    ),
    "Errata and questions that no longer apply": ("void erratum or question", "void errata and questions"),
    "Player aids that do not fit any more": ("player aid that does not fit", "player aids that do not fit"),
    "Lost addresses": ("lost address", "lost addresses"),
}
"""Titles of the sections of what breaks, with singular and plural for the heading."""

REMOVED = "removed"


class ReportItem(NamedTuple):
    """One affected item."""

    name: str
    description: str = ""
    """Effect on the item."""
    place: SourceLocation | None = None
    is_old_location: bool = False
    """Whether the place is in the old content."""
    parts: Sequence[WordDifference] = ()
    lines: Sequence[str] = ()
    """Further lines, such as cures."""
    group: str = ""
    """Heading above the item."""


class ReportSection(NamedTuple):
    """Affected items of one type."""

    title: str
    items: Sequence[ReportItem]
    kinds: Mapping[Any, int]
    """Number of items by kind of change."""

    @property
    def summary(self) -> str:
        return ", ".join(f"{count} {kind}" for kind, count in self.kinds.items()) or str(len(self.items))

    @property
    def broken(self) -> str:
        count = len(self.items)
        return f"{count} {BREAKAGE_TITLES[self.title][count != 1]}" if self.title in BREAKAGE_TITLES else ""


def report_sections(report: ImpactReport) -> list[ReportSection]:
    """Sections of the report, those first that say what breaks; nothing has an empty one."""
    effective_errata = [change for change in report.errata_changes if change.effect is not ErratumEffect.VOID]
    notes = (problem for problem in report.new if not problem.is_failure and problem.code != CHANGED.code)
    items_by_title: dict[str, Iterable[ReportItem]] = dict(
        zip(
            BREAKAGE_TITLES,
            (
                (_problem_item(problem) for problem in report.new if problem.is_failure),
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
                (_errata_item(change) for change in report.errata_changes if change.effect is ErratumEffect.VOID),
                (_sheet_item(sheet) for sheet in report.sheets if sheet.fit is SheetFit.FAILS),
                map(_lost_address_item, report.lost),
            ),
            strict=True,
        )
    )
    kinds: dict[str, Mapping[Any, int]] = {"Errata and questions": Counter(change.effect for change in effective_errata)}
    edits = report.edits
    items_by_title["Editions"] = [
        *(ReportItem(edition.title, "added", edition.edition_file.edition.place) for edition in edits.new),
        *(
            ReportItem(edition.title, REMOVED, edition.edition_file.edition.place, True)
            for edition in edits.removed_editions
        ),
    ]
    for sort, title in CHANGE_TITLES.items():
        changes = [
            (diff.new.edition.short, c)
            for diff in edits.differences
            for c in diff.changes_by_type.get(sort, ())
        ]
        changes = [(name, change) for name, change in changes if change.is_reported]
        kinds[title] = Counter(kind for _, change in changes for kind, _ in _describe_kinds(change))
        items_by_title[title] = [_change_item(change, name) for name, change in changes]
    items_by_title["Typography alone"] = [
        ReportItem(diff.new.edition.short, join_names(diff.typography))
        for diff in edits.differences
        if diff.typography
    ]
    items_by_title |= {
        "Phases of play": (_phase_item(phase, phase.phase) for phase in report.phases if phase.phase),
        "To be read again": (
            ReportItem(text.name, f"cites {', '.join(text.cites)}", text.place)
            for text in report.texts_to_review
        ),
        "Errata and questions": map(_errata_item, effective_errata),
        "To be printed anew": (_sheet_item(sheet) for sheet in report.sheets if sheet.fit is not SheetFit.FAILS),
        "Pages that differ": (
            ReportItem(f"{page.title}, /{page.path}", page.status, page.place, page.status == REMOVED)
            for page in report.pages
        ),
        "Pictures and downloads": (
            ReportItem(name.rpartition("/")[2], how, SourceLocation(name), how == REMOVED)
            for name, how in report.changed_other_files
        ),
        "New notes": map(_problem_item, notes),
        "Mended problems": (_problem_item(problem, is_fixed=True) for problem in report.fixed_problems),
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


def _problem_item(problem: Problem, is_fixed: bool = False) -> ReportItem:
    return ReportItem(str(problem.severity), f"{problem.message} [{problem.code}]", problem.place, is_fixed)


def _lost_address_item(lost: LostAddress) -> ReportItem:
    description = f"leads to {lost.current_name} now" if lost.current_name else "leads nowhere"
    description += f", with {len(lost.inside)} more in it" if lost.inside else ""
    lines = [f"it is at {lost.new_address} now"] if lost.new_address else []
    return ReportItem(
        f"{lost.address} ({lost.name})",
        description,
        lost.old_location,
        True,
        lines=[*lines, *filter(None, [lost.cure])],
    )


def _errata_item(change: ErrataChange) -> ReportItem:
    subjects, entry = ", ".join(change.subject_names), change.errata_entry
    if change.effect is ErratumEffect.VOID:
        description = (
            f"is about {subjects}, which is gone"
            if entry.question
            else f"finds no words to change in {subjects}"
        )
    else:
        description = f"{change.effect}, {subjects}" if subjects else str(change.effect)
    is_removed = change.effect is ErratumEffect.REMOVED
    return ReportItem(str(entry), description, change.place, is_removed, change.parts, group=entry.edition.short)


def _sheet_item(change: PrintChange) -> ReportItem:
    description = change.status if change.has_new_words else "looks otherwise, description the same"
    if change.status != REMOVED and change.fit:
        description += f"; {change.fit}{f', since {change.reason}' if change.reason else ''}"
    if change.stale:
        description += f"; copies printed as {change.stale} are out of date"
    lines = [f"{problem.message} [{problem.code}]" for problem in change.problems]
    return ReportItem(change.title, description, change.place, change.status == REMOVED, lines=lines)


def _change_item(change: ItemChange[Any], edition: str) -> ReportItem:
    item = change.present_item
    description = ", ".join(words for _, words in _describe_kinds(change))
    description += f", with {change.inside} in it" if change.inside else ""
    group = f"{edition}, {item_name(item.chapter)}" if isinstance(item, RuleEntry) else edition
    return ReportItem(
        item_name(item), description, item_location(item), change.new is None, change.parts, group=group
    )


def _describe_kinds(change: ItemChange[Any]) -> Iterator[tuple[str, str]]:
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


def _phase_item(changes: PhaseChanges, phase: SequenceStep) -> ReportItem:
    parts = [plural(len(changes.steps), "step")] if changes.steps else []
    if changes.rules:
        names = ", ".join(item_name(change.present_item) for change in changes.rules)
        parts.append(f"relevant rules: {names}")
    return ReportItem(plain_text(phase.path), "; ".join(parts), phase.step.title.place)


MARKER = "<!-- rulewright impact -->"
"""The first line of the Markdown, by which a workflow finds the comment that it is to write anew."""

_ACTIVE_SYNTAX = re.compile(r"(?<=[@#])(?=\w|\Z)|(?<=://)|(?<=\bwww)(?=\.)|(?<=\bGH-)(?=\d)", re.IGNORECASE)


def escape_mentions(words: str) -> str:
    """Words that a comment shows as they are: they tell nobody, lead nowhere and are no markup."""
    one_line = re.sub(r"\s*\n\s*", " ", markdown_words(words).replace("~", "\\~"))
    return _ACTIVE_SYNTAX.sub("&#8203;", one_line)


COMMENT = OutputFormat(escape_mentions, {"-": "<del>{}</del>", "+": "<ins>{}</ins>", "#": "<b>{}</b>"})
"""As a comment has it. Stars and tildes are no marks to Markdown where they touch a comma."""

MAX_MARKDOWN_LENGTH = 60_000
"""How long the Markdown is at most: GitHub takes no comment with more than 65,536 characters."""

_ITEM_LIMITS = (200, 60, 20, 6, 2, 1, 0)
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
    return template.render(**context, written=lambda part: _write_difference(part, TEXT))


def impact_markdown(report: ImpactReport, base: str) -> str:
    """Markdown: a table of what is touched, and all of it below to be unfolded."""
    sections, commit = report_sections(report), base.split()[0]
    context = {
        "heading": escape_mentions(report_heading(sections, report)),
        "base": escape_mentions(base),
        "sections": sections,
        "marker": MARKER,
        "escaped": escape_mentions,
        "place": lambda item: _write_place(item, commit),
        "written": lambda part: _write_difference(part, COMMENT),
    }
    template = environment().get_template("impact/report.md")
    text = ""
    for limit in _ITEM_LIMITS:
        text = template.render(context, most=limit, most_parts=max(limit, 1))
        if len(text) <= MAX_MARKDOWN_LENGTH:
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
                "address": diff.new.edition.address,
                **{
                    sort: [
                        change_object(c) | {"place": item_location(c.present_item)}
                        for c in changes
                        if c.kinds
                    ]
                    for sort, changes in diff.changes_by_type.items()
                },
            }
            for diff in report.edits.differences
            if any(c.kinds for c in diff.changes)
        ],
        "new editions": [edition.address for edition in report.edits.new],
        "removed editions": [edition.address for edition in report.edits.removed_editions],
        "lost": [*map(_to_json_object, report.lost)],
        "elsewhere": [*map(_to_json_object, report.retargeted_references)],
        "again": [*map(_to_json_object, report.texts_to_review)],
        "emptied": [{"name": item_name(rule), "place": item_location(rule)} for rule in report.emptied_rules],
        "errata": [to_dict(change, "name place effect of=subject_names") for change in report.errata_changes],
        "pages": [*map(_to_json_object, report.pages)],
        "sheets": [
            _to_json_object(sheet, "place problems") | {"problems": _problem_objects(sheet.problems)}
            for sheet in report.sheets
        ],
        "problems": _problem_objects(report.new),
        "mended": _problem_objects(report.fixed_problems),
    }
    return to_json_text(data)


Format = Callable[[ImpactReport, str], str]

FORMATS: Mapping[str, Format] = {"text": impact_text, "markdown": impact_markdown, "json": impact_json}
"""The formats of an assessment, by the name that `--format` takes."""


def _write_difference(part: WordDifference, medium: OutputFormat) -> str:
    """Difference in one line, the old words kept apart from the new ones."""
    runs = list(shortened_pieces(part))
    for index, (deleted, gap, inserted) in enumerate(zip(runs, runs[1:], runs[2:], strict=False)):
        if (deleted.sign, gap.words, inserted.sign) == ("-", "", "+"):
            runs[index + 1] = StyledRun(" ")
    words = medium.words(part.name.replace("_", " "))
    return " ".join(f"{words}: {medium.write(runs)}".split())


def _write_place(item: ReportItem, commit: str) -> str:
    assert item.place
    name, line = item.place.file, item.place.line
    if "`" in name:  # which would end what is shown as code
        return escape_mentions(f"{name}:{line}")
    return (
        f"`{commit}:{name}:{line}`"
        if item.is_old_location
        else f"`{name.removeprefix(f'{CONTENT}/')}:{line}`"
    )


_JSON_KEYS = {
    "cure": "mend",
    "current_name": "now",
    "former_target": "meant",
    "new_address": "moved",
    "old_location": "was",
    "reason": "why",
}
"""Fields whose keys in JSON have other names."""


def _to_json_object(record: Any, without: str = "") -> dict[str, Any]:
    """Fields of a thing for JSON; null where there may be a text and there is none."""
    values = ((f, getattr(record, f.name)) for f in fields(record) if f.name not in without.split())
    return {_JSON_KEYS.get(f.name, f.name): value or None if f.default == "" else value for f, value in values}


def _problem_objects(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return [to_dict(problem, "place severity code message") for problem in problems]
