"""Write an impact report as text, Markdown for a pull request, or JSON.

The sections about what breaks come first. Each format is a function of the report and of the revision that
the content is compared with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import Any, NamedTuple

from rulewright.book.outline import RuleEntry
from rulewright.compare.edition_diff import EditionDiff, PhaseChanges
from rulewright.compare.field_diff import GONE
from rulewright.compare.item_change import ChangeKind, ItemChange, WordDifference
from rulewright.compare.stale_references import CHANGED
from rulewright.edit.impact.content_snapshot import ContentEdits, item_location
from rulewright.edit.impact.impact_analysis import ImpactReport, LostAddress
from rulewright.edit.impact.print_impact import PrintChange, SheetFit
from rulewright.edit.impact.review_list import ErrataChange, ErratumEffect, RetargetedReference
from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import Problem, SourceLocation
from rulewright.render.exports.diff_export import (
    change_object,
    change_phrases,
    item_name,
    join_names,
    shortened_pieces,
)
from rulewright.render.exports.export_formats import TEXT, OutputFormat, StyledRun, markdown_words
from rulewright.render.templating import environment
from rulewright.schema.problem_reports import plural, to_dict, to_json_text
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep

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
    description: str = ""  # effect on the item
    place: SourceLocation | None = None
    is_old_location: bool = False  # whether the place is in the old content
    parts: Sequence[WordDifference] = ()
    lines: Sequence[str] = ()  # further lines, such as cures
    group: str = ""  # heading above the item


class ReportSection(NamedTuple):
    """Affected items of one type."""

    title: str
    items: Sequence[ReportItem]
    kinds: Mapping[Any, int] = MappingProxyType({})  # number of items by kind of change

    @property
    def summary(self) -> str:
        return ", ".join(f"{count} {kind}" for kind, count in self.kinds.items()) or str(len(self.items))

    @property
    def broken(self) -> str:
        count = len(self.items)
        return f"{count} {BREAKAGE_TITLES[self.title][count != 1]}" if self.title in BREAKAGE_TITLES else ""


def report_sections(report: ImpactReport) -> list[ReportSection]:
    """List the sections with items, those about what breaks first."""
    sections = [*_breakage_sections(report), *_edit_sections(report.edits), *_effect_sections(report)]
    return [section for section in sections if section.items]


def _breakage_sections(report: ImpactReport) -> Iterator[ReportSection]:
    items_by_section = (
        [_problem_item(problem) for problem in report.new if problem.is_failure],
        [
            ReportItem(item_name(rule), "is only a listed number now", item_location(rule))
            for rule in report.emptied_rules
        ],
        [_retargeted_item(reference) for reference in report.retargeted_references],
        [_errata_item(change) for change in report.errata_changes if change.effect is ErratumEffect.VOID],
        [_sheet_item(sheet) for sheet in report.sheets if sheet.fit is SheetFit.FAILS],
        [_lost_address_item(address) for address in report.lost],
    )
    for title, items in zip(BREAKAGE_TITLES, items_by_section, strict=True):
        yield ReportSection(title, items)


def _edit_sections(edits: ContentEdits) -> Iterator[ReportSection]:
    editions = [
        *(ReportItem(edition.title, "added", edition.edition_file.edition.place) for edition in edits.new),
        *(
            ReportItem(edition.title, REMOVED, edition.edition_file.edition.place, True)
            for edition in edits.removed_editions
        ),
    ]
    yield ReportSection("Editions", editions)
    for item_type, title in CHANGE_TITLES.items():
        items: list[ReportItem] = []
        kinds: Counter[str] = Counter()
        for diff in edits.differences:
            for change in diff.changes_by_type.get(item_type, ()):
                if change.is_reported:
                    items.append(_change_item(change, diff.new.edition.short))
                    kinds.update(kind for kind, _ in _describe_kinds(change))
        yield ReportSection(title, items, kinds)
    typography = [
        ReportItem(diff.new.edition.short, join_names(diff.typography))
        for diff in edits.differences
        if diff.typography
    ]
    yield ReportSection("Typography alone", typography)


def _effect_sections(report: ImpactReport) -> list[ReportSection]:
    errata = [change for change in report.errata_changes if change.effect is not ErratumEffect.VOID]
    notes = [
        _problem_item(problem)
        for problem in report.new
        if not problem.is_failure and problem.code != CHANGED.code
    ]
    texts = [
        ReportItem(text.name, f"cites {', '.join(text.cites)}", text.place) for text in report.texts_to_review
    ]
    pages = [
        ReportItem(f"{page.title}, /{page.path}", page.status, page.place, page.status == REMOVED)
        for page in report.pages
    ]
    other_files = [
        ReportItem(name.rpartition("/")[2], status, SourceLocation(name), status == REMOVED)
        for name, status in report.changed_other_files
    ]
    return [
        ReportSection(
            "Phases of play", [_phase_item(phase, phase.phase) for phase in report.phases if phase.phase]
        ),
        ReportSection("To be read again", texts),
        ReportSection(
            "Errata and questions",
            [_errata_item(change) for change in errata],
            Counter(change.effect for change in errata),
        ),
        ReportSection(
            "To be reprinted",
            [_sheet_item(sheet) for sheet in report.sheets if sheet.fit is not SheetFit.FAILS],
        ),
        ReportSection("Pages that differ", pages),
        ReportSection("Pictures and downloads", other_files),
        ReportSection("New notes", notes),
        ReportSection("Fixed problems", [_problem_item(problem, True) for problem in report.fixed_problems]),
    ]


def report_heading(sections: Sequence[ReportSection], report: ImpactReport) -> str:
    """Return the heading of the report, which counts what breaks."""
    if not report.files:
        return "Nothing in the content has changed."
    if not sections:
        return "Only comments, order or layout have changed; readers see no difference."
    broken = [section.broken for section in sections if section.broken]
    return f"Broken: {', '.join(broken)}." if broken else "Nothing is broken."


def _problem_item(problem: Problem, is_fixed: bool = False) -> ReportItem:
    return ReportItem(str(problem.severity), f"{problem.message} [{problem.code}]", problem.place, is_fixed)


def _lost_address_item(lost: LostAddress) -> ReportItem:
    description = f"leads to {lost.current_name} now" if lost.current_name else "leads nowhere"
    description += f", with {len(lost.inside)} more in it" if lost.inside else ""
    lines = [f"it is at {lost.new_address} now"] if lost.new_address else []
    lines += [lost.cure] if lost.cure else []
    return ReportItem(f"{lost.address} ({lost.name})", description, lost.old_location, True, lines=lines)


def _retargeted_item(reference: RetargetedReference) -> ReportItem:
    is_deleted = reference.former_target == GONE
    former_target = "a rule that was deleted" if is_deleted else f"what is {reference.former_target}"
    return ReportItem(reference.name, f"{reference.number} meant {former_target} now", reference.place)


def _errata_item(change: ErrataChange) -> ReportItem:
    subjects, entry = ", ".join(change.subject_names), change.errata_entry
    if change.effect is not ErratumEffect.VOID:
        description = f"{change.effect}, {subjects}" if subjects else str(change.effect)
    elif entry.question:
        description = f"is about {subjects}, which was deleted"
    else:
        description = f"finds no words to change in {subjects}"
    is_removed = change.effect is ErratumEffect.REMOVED
    return ReportItem(
        str(entry), description, change.place, is_removed, change.parts, group=entry.edition.short
    )


def _sheet_item(change: PrintChange) -> ReportItem:
    description = change.status if change.has_new_words else "same words, different layout"
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
    """Yield each kind of a change with its phrase; added and deleted texts of rules have their own."""
    old, new = change.old, change.new
    for kind, words in zip(change.kinds, change_phrases(change), strict=True):
        if kind is ChangeKind.REWORDED and isinstance(old, RuleEntry) and not old.rule:
            yield "transcribed", "transcribed"
        elif kind is ChangeKind.REWORDED and isinstance(new, RuleEntry) and not new.rule:
            yield "emptied", "text deleted"
        else:
            yield kind, words


def _phase_item(changes: PhaseChanges, phase: SequenceStep) -> ReportItem:
    parts = [plural(len(changes.steps), "step")] if changes.steps else []
    if changes.rules:
        names = ", ".join(item_name(change.present_item) for change in changes.rules)
        parts.append(f"relevant rules: {names}")
    return ReportItem(plain_text(phase.path), "; ".join(parts), phase.step.title.place)


MARKER = "<!-- rulewright impact -->"
"""First line of the Markdown, by which a workflow finds the comment to update."""

_ACTIVE_SYNTAX = re.compile(r"(?<=[@#])(?=\w|\Z)|(?<=://)|(?<=\bwww)(?=\.)|(?<=\bGH-)(?=\d)", re.IGNORECASE)


def escape_mentions(words: str) -> str:
    """Escape words for a GitHub comment, so that they contain no mentions, links or markup."""
    one_line = re.sub(r"\s*\n\s*", " ", markdown_words(words).replace("~", "\\~"))
    return _ACTIVE_SYNTAX.sub("&#8203;", one_line)


COMMENT = OutputFormat(escape_mentions, {"-": "<del>{}</del>", "+": "<ins>{}</ins>", "#": "<b>{}</b>"})
"""Format of GitHub comments. HTML is used since stars and tildes next to a comma are no markup."""

MAX_MARKDOWN_LENGTH = 60_000
"""Maximum length of the Markdown: a GitHub comment has at most 65,536 characters."""

_ITEM_LIMITS = (200, 60, 20, 6, 2, 1, 0)
"""Numbers of items per section to try, until the Markdown is short enough."""


def impact_text(report: ImpactReport, base: str) -> str:
    """Return the report as plain text, with deletions as [-…-] and insertions as {+…+}."""
    sections = report_sections(report)
    return (
        environment()
        .get_template("impact/report.txt")
        .render(
            heading=report_heading(sections, report),
            sections=sections,
            base=base,
            commit=base.split()[0],
            written=lambda part: _write_difference(part, TEXT),
        )
    )


def impact_markdown(report: ImpactReport, base: str) -> str:
    """Return the report as Markdown: a summary table and collapsible sections."""
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
        text = template.render(context, limit=limit, part_limit=max(limit, 1))
        if len(text) <= MAX_MARKDOWN_LENGTH:
            break
    return text


def impact_json(report: ImpactReport, base: str) -> str:
    """Return the report as JSON, with places as `file:line:column`."""
    data: dict[str, Any] = {
        "base": base,
        "breaks": report.breaks,
        "files": report.files,
        "editions": [
            _edition_object(diff)
            for diff in report.edits.differences
            if any(change.kinds for change in diff.changes)
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


def _edition_object(diff: EditionDiff) -> dict[str, Any]:
    data: dict[str, Any] = {"address": diff.new.edition.address}
    for item_type, changes in diff.changes_by_type.items():
        data[item_type] = [
            change_object(change) | {"place": item_location(change.present_item)}
            for change in changes
            if change.kinds
        ]
    return data


Format = Callable[[ImpactReport, str], str]

FORMATS: Mapping[str, Format] = {"text": impact_text, "markdown": impact_markdown, "json": impact_json}
"""Formats of the report by the value of `--format`."""


def _write_difference(part: WordDifference, medium: OutputFormat) -> str:
    """Write a difference in one line, with a space between old and new words."""
    runs = list(shortened_pieces(part))
    for index, (deleted, gap, inserted) in enumerate(zip(runs, runs[1:], runs[2:], strict=False)):
        if (deleted.sign, gap.words, inserted.sign) == ("-", "", "+"):
            runs[index + 1] = StyledRun(" ")
    words = medium.words(part.name.replace("_", " "))
    return " ".join(f"{words}: {medium.write(runs)}".split())


def _write_place(item: ReportItem, commit: str) -> str:
    assert item.place
    name, line = item.place.file, item.place.line
    if "`" in name:  # a backtick would end the inline code
        return escape_mentions(f"{name}:{line}")
    if item.is_old_location:
        return f"`{commit}:{name}:{line}`"
    return f"`{name.removeprefix(f'{CONTENT}/')}:{line}`"


_JSON_KEYS = {
    "cure": "mend",
    "current_name": "now",
    "former_target": "meant",
    "new_address": "moved",
    "old_location": "was",
    "reason": "why",
    "status": "how",
    "has_new_words": "says",
}
"""JSON keys of fields with other names."""


def _to_json_object(record: Any, without: str = "") -> dict[str, Any]:
    """Return the fields of a record for JSON, with null for an empty optional text."""
    data: dict[str, Any] = {}
    for record_field in fields(record):
        name = record_field.name
        if name not in without.split():
            value = getattr(record, name)
            data[_JSON_KEYS.get(name, name)] = value or None if record_field.default == "" else value
    return data


def _problem_objects(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return [to_dict(problem, "place severity code message") for problem in problems]
