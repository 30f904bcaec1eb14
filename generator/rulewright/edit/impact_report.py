"""Report the impact of an edit: what changed between two states of the content, and what that breaks.

two contents ──load and check──► changes of items, new and fixed problems, lost addresses, texts to review
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

from rulewright.book.aid_plan import AidSheet
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.edition_diff import EditionDiff, compare_states
from rulewright.compare.field_diff import GONE
from rulewright.compare.item_change import ChangeKind, ItemChange, item_location
from rulewright.compare.stale_reference_problems import CHANGED
from rulewright.edit.lost_addresses import LostAddress, lost_addresses
from rulewright.files.content_folder import LOCK
from rulewright.files.content_reader import ContentFolder
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, SourceLocation
from rulewright.references.reference_inventory import LocatedReference, iter_references
from rulewright.render.exports.diff_export import (
    DiffLine,
    change_object,
    change_phrases,
    item_name,
    shortened_pieces,
    write_lines,
)
from rulewright.render.exports.export_formats import TEXT, OutputFormat, StyledRun
from rulewright.render.render_context import RenderContext
from rulewright.render.text_writer import markdown_words
from rulewright.schema.problem_reports import to_dict, to_json_text
from rulewright.sequence.sequence_step import SequenceStep

REVIEWED_KINDS = {ChangeKind.REWORDED, ChangeKind.SPLIT, ChangeKind.MERGED, ChangeKind.CHANGED}
"""Kinds of change of a rule or table after which texts that refer to it need a review."""

SECTIONS = {
    "rules": "Rules",
    "steps": "Sequence of play",
    "tables": "Tables",
    "aids": "Player aids, as in their files",
    "book": "Whole book",
    "errata": "Errata and questions",
}
"""Titles of the sections of changes by item type."""

BREAKAGE = {
    "New problems": ("new problem", "new problems"),
    "References that mean another rule now": (
        "reference that means another rule",
        "references that mean other rules",
    ),
    "Lost addresses": ("lost address", "lost addresses"),
}
"""Titles of the sections of what breaks, with singular and plural for the heading."""


@dataclass(frozen=True, slots=True)
class AffectedText:
    """A text that refers to changed rules or tables, or whose number leads to another rule now."""

    name: str
    place: SourceLocation
    targets: tuple[str, ...]
    """Names of the changed rules, or the current number of the rule that was meant."""
    number: str = ""
    """The number that leads to another rule."""


@dataclass(frozen=True, eq=False)
class ImpactReport:
    """Two states of the content and what differs."""

    before: CheckedProject
    after: CheckedProject
    files: Mapping[str, str]
    """Status of each file that differs: added, removed or changed."""

    @cached_property
    def diffs(self) -> list[EditionDiff]:
        """Changes of the editions of both states; editions with unreadable files are left out."""
        faulty = {"/".join(name.split("/")[1:3]) for name in self.before.faulty | self.after.faulty}
        faulty |= {name.split("/")[1] for name in self.after.faulty if name.endswith("/rulebook.yml")}
        return [
            diff
            for diff in compare_states(self.before.index, self.after.index)
            if faulty.isdisjoint(edition.address for edition in diff.new.edition.with_series)
        ]

    @cached_property
    def changes(self) -> Mapping[str, list[tuple[EditionDiff, ItemChange[Any]]]]:
        """All changes by item type."""
        result: dict[str, list[tuple[EditionDiff, ItemChange[Any]]]] = {name: [] for name in SECTIONS}
        for diff in self.diffs:
            for name, changes in (*diff.changes_by_type.items(), ("errata", diff.errata_changes)):
                result[name] += ((diff, change) for change in changes)
        return result

    @cached_property
    def _successors(self) -> Mapping[object, object]:
        changes = (change for rows in self.changes.values() for _, change in rows)
        return {change.old: change.successor for change in changes if change.old and change.successor}

    def successor_of(self, item: Any) -> object:
        """Return the new item of an old one, which is the same object in an unchanged edition."""
        address = item.edition.address if isinstance(item, RuleEntry | SequenceStep | TableEntry) else ""
        is_unchanged = self.before.index.outlines.get(address) is self.after.index.outlines.get(address)
        return item if is_unchanged else self._successors.get(item)

    @cached_property
    def lost(self) -> list[LostAddress]:
        return [*lost_addresses(self.before, self.after, self.diffs, self.successor_of)]

    @cached_property
    def references(self) -> list[LocatedReference]:
        return [*iter_references(self.after.index, self.after.manuscripts)]

    def _owner_name(self, reference: LocatedReference) -> str:
        owner = reference.passage.owner
        return reference.standing if isinstance(owner, str) else RenderContext(self.after.index).name(owner)

    @cached_property
    def retargeted_references(self) -> list[AffectedText]:
        """Unreported references in unchanged lines whose number leads to another rule now."""
        targets: dict[tuple[str, str, str], RuleEntry] = {}
        for reference in iter_references(self.before.index, self.before.manuscripts) if self.diffs else ():
            if isinstance(reference.target, RuleEntry):
                targets[_line_key(reference)] = reference.target
        reported = {finding.reference.place for finding in self.after.drift.findings}
        retargeted: dict[SourceLocation, AffectedText] = {}
        for reference in self.references if targets else ():
            former = targets.get(_line_key(reference))
            if not former or reference.shows or reference.place in reported:
                continue
            successor = self.successor_of(former)
            if isinstance(reference.target, RuleEntry) and successor is not reference.target:
                number = reference.passage.text[reference.start : reference.end]
                meant = successor.display_number if isinstance(successor, RuleEntry) else GONE
                text = AffectedText(self._owner_name(reference), reference.place, (meant,), number)
                retargeted[reference.place] = text
        return [retargeted[place] for place in sorted(retargeted)]

    @cached_property
    def texts_to_review(self) -> list[AffectedText]:
        """Texts that refer to a reworded rule or table, without edited ones or those a lock accepts."""
        reworded, edited = set[object](), set[object]()
        for section, rows in self.changes.items():
            for _, change in rows:
                item = getattr(change.new, "cited_as", change.new)
                if change.parts or change.old is None:
                    edited.add(item)
                if section in ("rules", "tables") and REVIEWED_KINDS.intersection(change.kinds):
                    reworded.add(item)
        findings, locks = self.after.drift.findings, self.after.drift.locks
        stale = {finding.reference.place for finding in findings if finding.kind is CHANGED}
        name = RenderContext(self.after.index).name
        cited_names: dict[tuple[SourceLocation, str], dict[str, None]] = {}
        for reference in self.references if reworded else ():
            owner = reference.passage.owner
            is_shown = reference.shows or (
                isinstance(owner, AidSheet) and reference.passage.is_reference_only
            )
            is_edited = (owner.aid if isinstance(owner, AidSheet) else owner) in edited
            is_accepted = reference.lock_folder in locks and reference.place not in stale
            if is_shown or is_accepted or (is_edited and reference.lock_folder not in locks):
                continue
            for target in (reference.target, *reference.inside):
                if target and target in reworded and target is not owner:
                    text = reference.place, self._owner_name(reference)
                    cited_names.setdefault(text, {})[name(target)] = None
        return [
            AffectedText(text, place, tuple(cited_names[place, text])) for place, text in sorted(cited_names)
        ]

    @cached_property
    def new_problems(self) -> list[Problem]:
        return _problems_only_in(self.after, self.before)

    @property
    def failures(self) -> list[Problem]:
        return [problem for problem in self.new_problems if problem.is_failure]

    @property
    def breaks(self) -> bool:
        """Whether the edit breaks something."""
        return bool(self.lost or self.retargeted_references or self.failures)


def analyse_impact(
    before: ContentFolder, after: ContentFolder, changed_other_files: Iterable[str] = ()
) -> ImpactReport:
    """Compare two contents; `changed_other_files` are pictures and downloads that differ."""
    cache: Cache = {}
    old, new = (load_and_check_folder(folder, cache=cache) for folder in (before, after))
    old_files, new_files = (
        {**folder.texts, **dict.fromkeys(folder.other_files, b"")} for folder in (before, after)
    )
    changed = set(changed_other_files)
    files: dict[str, str] = {}
    for name in {**new_files, **old_files}:
        if name not in old_files or name not in new_files:
            files[name] = "removed" if name in old_files else "added"
        elif old_files[name] != new_files[name] or name in changed:
            files[name] = "changed"
    return ImpactReport(old, new, files)


def _editions_only_in(project: CheckedProject, other: CheckedProject) -> list[Edition]:
    """Return the editions of a project of which another state has no file."""
    folders = {"/".join(name.split("/")[1:3]) for name in other.library.texts}
    outlines = project.index.outlines.items()
    return [outline.edition for address, outline in outlines if address not in folders]


def _problems_only_in(project: CheckedProject, other: CheckedProject) -> list[Problem]:
    """Return the problems of a project that another state has not; the line does not matter."""
    known = Counter(map(_problem_key, other.problems))
    result: list[Problem] = []
    for problem in project.problems:
        known[_problem_key(problem)] -= 1
        if known[_problem_key(problem)] < 0:
            result.append(problem)
    return result


def _problem_key(problem: Problem) -> tuple[str, str, str]:
    return problem.place.file, problem.code, problem.subject or problem.message


def _line_key(reference: LocatedReference) -> tuple[str, str, str]:
    """Return the edition and the number that a reference names, and the line of its text."""
    text = reference.passage.text
    line = text[text.rfind("\n", 0, reference.start) + 1 :].partition("\n")[0]
    return reference.target_outline.edition.address, reference.name, line


# The report


class ReportItem(NamedTuple):
    """An item of a section: its line, further lines below it, and the heading above it."""

    words: str
    lines: Sequence[Sequence[StyledRun]] = ()
    group: str = ""


def _item(
    name: str, description: str, place: SourceLocation | None, base: str = "", *lines: str
) -> ReportItem:
    """Return an item; `base` names the state of the content in which its place is, if it is the older one."""
    location = "".join(f"{part}:" for part in (base, place) if place and part)
    words = f"{location} {name}: {description}".strip()
    return ReportItem(words, [[StyledRun(line)] for line in lines if line])


def _lost_item(lost: LostAddress, base: str) -> ReportItem:
    description = f"leads to {lost.current_name} now" if lost.current_name else "leads nowhere"
    description += f", with {len(lost.inside)} more in it" if lost.inside else ""
    moved = f"it is at {lost.new_address} now" if lost.new_address else ""
    return _item(f"{lost.address} ({lost.name})", description, lost.old_location, base, moved, lost.cure)


def _change_item(diff: EditionDiff, change: ItemChange[Any], base: str) -> ReportItem:
    present = change.present_item
    description = ", ".join(change_phrases(change))
    description += f", with {change.inside} in it" if change.inside else ""
    edition = diff.new.edition.short
    group = f"{edition}, {item_name(present.chapter)}" if isinstance(present, RuleEntry) else edition
    lines = [
        [StyledRun(f"{part.name.replace('_', ' ')}: "), *_spaced(shortened_pieces(part))]
        for part in change.parts
    ]
    old_base = base if change.new is None else ""
    item = _item(item_name(present), description, item_location(present), old_base)
    return item._replace(lines=lines, group=group)


def _problem_item(problem: Problem, base: str = "") -> ReportItem:
    return _item(str(problem.severity), f"{problem.message} [{problem.code}]", problem.place, base)


def report_sections(report: ImpactReport, base: str) -> list[tuple[str, str, list[ReportItem]]]:
    """List the titles, summaries and items of the sections, those about what breaks first."""
    sections: list[tuple[str, str, list[ReportItem]]] = []

    def add(title: str, items: Iterable[ReportItem], summary: str = "") -> None:
        if rows := list(items):
            sections.append((title, summary or str(len(rows)), rows))

    retargeted: list[ReportItem] = []
    for reference in report.retargeted_references:
        (meant,) = reference.targets
        former = "a rule that was deleted" if meant == GONE else f"what is {meant}"
        retargeted.append(_item(reference.name, f"{reference.number} meant {former} now", reference.place))
    lost = [_lost_item(address, base) for address in report.lost]
    for title, items in zip(BREAKAGE, (map(_problem_item, report.failures), retargeted, lost), strict=True):
        add(title, items)
    editions = [(edition, "added", "") for edition in _editions_only_in(report.after, report.before)]
    editions += [(edition, "removed", base) for edition in _editions_only_in(report.before, report.after)]
    add("Editions", (_item(e.title, status, item_location(e), old) for e, status, old in editions))
    for name, title in SECTIONS.items():
        changes = [(diff, change) for diff, change in report.changes[name] if change.is_reported]
        kinds = Counter(kind for _, change in changes for kind in change.kinds)
        summary = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        add(title, (_change_item(*change, base) for change in changes), summary)
    texts = report.texts_to_review
    add(
        "To be reviewed", (_item(text.name, f"cites {', '.join(text.targets)}", text.place) for text in texts)
    )
    others = ((name, status) for name, status in report.files.items() if not name.endswith((".yml", LOCK)))
    add("Pages and other files", (_item(name, status, None) for name, status in others))
    notes = [p for p in report.new_problems if not p.is_failure and p.code != CHANGED.code]
    add("New notes", map(_problem_item, notes))
    fixed = _problems_only_in(report.before, report.after)
    add("Fixed problems", (_problem_item(problem, base) for problem in fixed))
    return sections


def _spaced(runs: Iterable[StyledRun]) -> list[StyledRun]:
    """Return the words of a change in one line, with a space between old and new words."""
    spaced = [run._replace(words=re.sub(r"\s+", " ", run.words)) for run in runs]
    for index, (deleted, gap, inserted) in enumerate(zip(spaced, spaced[1:], spaced[2:], strict=False)):
        if (deleted.sign, gap.words, inserted.sign) == ("-", "", "+"):
            spaced[index + 1] = StyledRun(" ")
    return spaced


MARKER = "<!-- rulewright impact -->"
"""First line of the Markdown, by which a workflow finds the comment to update."""

_ACTIVE_SYNTAX = re.compile(r"(?<=[@#])(?=\w|\Z)|(?<=://)|(?<=\bwww)(?=\.)|(?<=\bGH-)(?=\d)", re.IGNORECASE)


def escape_mentions(words: str) -> str:
    """Escape words for a GitHub comment, so that they contain no mentions, links or markup."""
    one_line = re.sub(r"\s*\n\s*", " ", markdown_words(words).replace("~", "\\~"))
    return _ACTIVE_SYNTAX.sub("&#8203;", one_line)


COMMENT = OutputFormat(escape_mentions, {"-": "<del>{}</del>", "+": "<ins>{}</ins>"})
"""Format of GitHub comments. HTML is used since stars and tildes next to a comma are no markup."""

MAX_MARKDOWN_LENGTH = 60_000
"""Maximum length of the Markdown: a GitHub comment has at most 65,536 characters."""


def _lines(report: ImpactReport, base: str) -> Iterator[DiffLine]:
    sections = report_sections(report, base.split()[0])
    counts = {title: len(items) for title, _, items in sections if title in BREAKAGE}
    broken = ", ".join(f"{count} {BREAKAGE[title][count != 1]}" for title, count in counts.items())
    heading = f"Broken: {broken}." if broken else "Nothing is broken."
    if not sections:
        heading = "Only comments, order, layout or typography have changed."
        heading = heading if report.files else "Nothing in the content has changed."
    yield DiffLine([StyledRun(heading)], 3, True)
    if sections:
        yield DiffLine([StyledRun(f"Compared with {base}.")])
    for title, summary, items in sections:
        yield DiffLine([StyledRun(f"{title}: {summary}")], 4, True)
        group = ""
        for item in items:
            if item.group != group:
                group = item.group
                yield DiffLine([StyledRun(group)], 1)
            level = 2 if group else 1
            yield DiffLine([StyledRun(item.words)], level)
            yield from (DiffLine(line, level + 1) for line in item.lines)


def impact_text(report: ImpactReport, base: str) -> str:
    """Return the report as plain text, with deletions as [-…-] and insertions as {+…+}."""
    return write_lines(_lines(report, base), "changes.txt", TEXT)


def impact_markdown(report: ImpactReport, base: str) -> str:
    """Return the report as Markdown, with as many lines as a GitHub comment takes."""
    lines = [*_lines(report, base)]
    text, count = write_lines(lines, "changes.md", COMMENT), len(lines)
    while len(text) > MAX_MARKDOWN_LENGTH and count:
        count = count * 3 // 4
        rest = DiffLine([StyledRun(f"… and {len(lines) - count} more lines")])
        text = write_lines([*lines[:count], rest], "changes.md", COMMENT)
    return f"{MARKER}\n{text}"


def impact_json(report: ImpactReport, base: str) -> str:
    """Return the report as JSON, with places as `file:line:column`."""
    editions: dict[str, dict[str, Any]] = {}
    for name, changes in report.changes.items():
        for diff, change in changes:
            if change.kinds:
                place = {"place": item_location(change.present_item)}
                edition = editions.setdefault(diff.new.edition.address, {})
                edition.setdefault(name, []).append(change_object(change) | place)
    problem = partial(to_dict, always="place severity code message")
    data: dict[str, Any] = {
        "base": base,
        "breaks": report.breaks,
        "files": report.files,
        "editions": editions,
        "new_problems": [problem(new) for new in report.new_problems],
        "fixed_problems": [problem(fixed) for fixed in _problems_only_in(report.before, report.after)],
        "retargeted": [to_dict(text, "name place number targets") for text in report.retargeted_references],
        "lost": [
            to_dict(lost, "address name old_location inside current_name new_address cure")
            for lost in report.lost
        ],
        "to_review": [to_dict(text, "name place targets") for text in report.texts_to_review],
    }
    return to_json_text(data)


Format = Callable[[ImpactReport, str], str]

FORMATS: Mapping[str, Format] = {"text": impact_text, "markdown": impact_markdown, "json": impact_json}
"""Formats of the report by the value of `--format`."""
