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


def report_sections(found: ImpactReport) -> list[ReportSection]:
    """Sections of the report, those first that say what breaks; nothing has an empty one."""
    noted = [change for change in found.errata_changes if change.effect is not ErratumEffect.VOID]
    notes = (problem for problem in found.new if not problem.is_failure and problem.code != CHANGED.code)
    rows: dict[str, Iterable[ReportItem]] = dict(
        zip(
            WRONG,
            (
                (_problem(problem) for problem in found.new if problem.is_failure),
                (
                    ReportItem(item_name(rule), "is only a listed number now", item_location(rule))
                    for rule in found.emptied_rules
                ),
                (
                    ReportItem(
                        reference.name, f"{reference.number} meant {_was(reference)} now", reference.place
                    )
                    for reference in found.retargeted_references
                ),
                (_noted(change) for change in found.errata_changes if change.effect is ErratumEffect.VOID),
                (_sheet(sheet) for sheet in found.sheets if sheet.fit is SheetFit.FAILS),
                map(_lost, found.lost),
            ),
            strict=True,
        )
    )
    kinds: dict[str, Mapping[Any, int]] = {"Errata and questions": Counter(one.effect for one in noted)}
    edited = found.edited
    rows["Editions"] = [
        *(ReportItem(edition.title, "added", edition.edition_file.edition.place) for edition in edited.new),
        *(
            ReportItem(edition.title, REMOVED, edition.edition_file.edition.place, True)
            for edition in edited.removed_editions
        ),
    ]
    for sort, title in SORTS.items():
        every = [
            (difference.new.edition.short, c)
            for difference in edited.differences
            for c in difference.changes_by_type.get(sort, ())
        ]
        every = [(name, change) for name, change in every if change.is_reported]
        kinds[title] = Counter(kind for _, change in every for kind, _ in _happened(change))
        rows[title] = [_change(change, name) for name, change in every]
    rows["Typography alone"] = [
        ReportItem(difference.new.edition.short, join_names(difference.typography))
        for difference in edited.differences
        if difference.typography
    ]
    rows |= {
        "Phases of play": (_phase(phase, phase.phase) for phase in found.phases if phase.phase),
        "To be read again": (
            ReportItem(one.name, f"cites {', '.join(one.cites)}", one.place) for one in found.texts_to_review
        ),
        "Errata and questions": map(_noted, noted),
        "To be printed anew": (_sheet(sheet) for sheet in found.sheets if sheet.fit is not SheetFit.FAILS),
        "Pages that differ": (
            ReportItem(f"{page.title}, /{page.path}", page.how, page.place, page.how == REMOVED)
            for page in found.pages
        ),
        "Pictures and downloads": (
            ReportItem(name.rpartition("/")[2], how, SourceLocation(name), how == REMOVED)
            for name, how in found.changed_other_files
        ),
        "New notes": map(_problem, notes),
        "Mended problems": (_problem(problem, was=True) for problem in found.fixed_problems),
    }
    made = (ReportSection(title, list(items), kinds.get(title, {})) for title, items in rows.items())
    return [section for section in made if section.items]


def report_heading(made: Sequence[ReportSection], found: ImpactReport) -> str:
    """Heading of the report: what breaks, or that nothing does."""
    if not found.files:
        return "Nothing in the content has changed."
    if not made:
        return "Only comments, order or layout have changed, nothing that anyone sees."
    broken = [section.broken for section in made if section.broken]
    return f"Broken: {', '.join(broken)}." if broken else "Nothing is broken."


def _problem(problem: Problem, was: bool = False) -> ReportItem:
    return ReportItem(str(problem.severity), f"{problem.message} [{problem.code}]", problem.place, was)


def _lost(one: LostAddress) -> ReportItem:
    says = f"leads to {one.current_name} now" if one.current_name else "leads nowhere"
    says += f", with {len(one.inside)} more in it" if one.inside else ""
    lines = [f"it is at {one.new_address} now"] if one.new_address else []
    return ReportItem(
        f"{one.address} ({one.name})", says, one.old_location, True, lines=[*lines, *filter(None, [one.cure])]
    )


def _noted(one: ErrataChange) -> ReportItem:
    of, remark = ", ".join(one.subject_names), one.errata_entry
    if one.effect is ErratumEffect.VOID:
        says = f"is about {of}, which is gone" if remark.question else f"finds no words to change in {of}"
    else:
        says = f"{one.effect}, {of}" if of else str(one.effect)
    gone = one.effect is ErratumEffect.REMOVED
    return ReportItem(str(remark), says, one.place, gone, one.parts, group=remark.edition.short)


def _sheet(one: PrintChange) -> ReportItem:
    says = one.how if one.says else "looks otherwise, says the same"
    if one.how != REMOVED and one.fit:
        says += f"; {one.fit}{f', since {one.reason}' if one.reason else ''}"
    if one.stale:
        says += f"; copies printed as {one.stale} are out of date"
    lines = [f"{problem.message} [{problem.code}]" for problem in one.problems]
    return ReportItem(one.title, says, one.place, one.how == REMOVED, lines=lines)


def _change(change: ItemChange[Any], edition: str) -> ReportItem:
    here = change.present_item
    says = ", ".join(words for _, words in _happened(change))
    says += f", with {change.inside} in it" if change.inside else ""
    group = f"{edition}, {item_name(here.chapter)}" if isinstance(here, RuleEntry) else edition
    return ReportItem(
        item_name(here), says, item_location(here), change.new is None, change.parts, group=group
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


def _was(one: RetargetedReference) -> str:
    return "a rule that is gone" if one.former_target == GONE else f"what is {one.former_target}"


def _phase(one: PhaseChanges, phase: SequenceStep) -> ReportItem:
    said = [plural(len(one.steps), "step")] if one.steps else []
    if one.rules:
        said.append(
            f"rules that matter in it: {', '.join(item_name(change.present_item) for change in one.rules)}"
        )
    return ReportItem(plain_text(phase.path), "; ".join(said), phase.step.title.place)


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


def impact_text(found: ImpactReport, base: str) -> str:
    """Plain text; what was deleted in [-…-], what was inserted in {+…+}."""
    made = report_sections(found)
    given = {
        "heading": report_heading(made, found),
        "sections": made,
        "base": base,
        "commit": base.split()[0],
    }
    template = environment().get_template("impact/report.txt")
    return template.render(**given, written=lambda part: _written(part, TEXT))


def impact_markdown(found: ImpactReport, base: str) -> str:
    """Markdown: a table of what is touched, and all of it below to be unfolded."""
    made, commit = report_sections(found), base.split()[0]
    given = {
        "heading": escape_mentions(report_heading(made, found)),
        "base": escape_mentions(base),
        "sections": made,
        "marker": MARKER,
        "escaped": escape_mentions,
        "place": lambda item: _place(item, commit),
        "written": lambda part: _written(part, COMMENT),
    }
    template = environment().get_template("impact/report.md")
    written = ""
    for most in _MOST:
        written = template.render(given, most=most, most_parts=max(most, 1))
        if len(written) <= MOST_LETTERS:
            break
    return written


def impact_json(found: ImpactReport, base: str) -> str:
    """All of it for programs. Places are `file:line:column`."""
    made: dict[str, Any] = {
        "base": base,
        "breaks": found.breaks,
        "files": found.files,
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
            for difference in found.edited.differences
            if any(c.kinds for c in difference.changes)
        ],
        "new editions": [edition.address for edition in found.edited.new],
        "removed editions": [edition.address for edition in found.edited.removed_editions],
        "lost": [*map(_object, found.lost)],
        "elsewhere": [*map(_object, found.retargeted_references)],
        "again": [*map(_object, found.texts_to_review)],
        "emptied": [{"name": item_name(rule), "place": item_location(rule)} for rule in found.emptied_rules],
        "errata": [to_dict(change, "name place effect of=subject_names") for change in found.errata_changes],
        "pages": [*map(_object, found.pages)],
        "sheets": [
            _object(sheet, "place problems") | {"problems": _problems(sheet.problems)}
            for sheet in found.sheets
        ],
        "problems": _problems(found.new),
        "mended": _problems(found.fixed_problems),
    }
    return to_json_text(made)


Format = Callable[[ImpactReport, str], str]

FORMATS: Mapping[str, Format] = {"text": impact_text, "markdown": impact_markdown, "json": impact_json}
"""The formats of an assessment, by the name that `--format` takes."""


def _written(part: WordDifference, medium: OutputFormat) -> str:
    """Difference in one line, the old words kept apart from the new ones."""
    runs = list(shortened_pieces(part))
    for at, (run, gap, now) in enumerate(zip(runs, runs[1:], runs[2:], strict=False)):
        if (run.sign, gap.words, now.sign) == ("-", "", "+"):
            runs[at + 1] = StyledRun(" ")
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


def _object(one: Any, without: str = "") -> dict[str, Any]:
    """Fields of a thing for JSON; null where there may be a text and there is none."""
    rows = ((f, getattr(one, f.name)) for f in fields(one) if f.name not in without.split())
    return {_KEYS.get(f.name, f.name): value or None if f.default == "" else value for f, value in rows}


def _problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return [to_dict(problem, "place severity code message") for problem in problems]
