"""Report the impact of an edit: what changed between two states of the content, and what that breaks.

two contents ──load and check──► changes of items, new and fixed problems, lost addresses, texts to review
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter
from typing import Any, NamedTuple

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.edition_diff import EditionDiff, compare_states
from rulewright.compare.field_diff import GONE
from rulewright.compare.item_change import ChangeKind, ItemChange, item_location
from rulewright.compare.stale_references import CHANGED
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
    join_names,
    shortened_pieces,
    write_lines,
)
from rulewright.render.exports.export_formats import TEXT, OutputFormat, StyledRun
from rulewright.render.render_context import RenderContext
from rulewright.render.text_writer import markdown_words
from rulewright.schema.problem_reports import to_dict, to_json_text

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
    "Cited rules whose text is deleted": ("cited rule without its text", "cited rules without their texts"),
    "References that mean another rule now": (
        "reference that means another rule",
        "references that mean other rules",
    ),
    "Lost addresses": ("lost address", "lost addresses"),
}
"""Titles of the sections of what breaks, with singular and plural for the heading."""


@dataclass(frozen=True, slots=True)
class TextToReview:
    """A text that refers to changed rules or tables."""

    name: str
    place: SourceLocation
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetargetedReference:
    """A reference in unchanged words that leads to another rule now."""

    name: str
    place: SourceLocation
    number: str
    former_target: str
    """Current number of the rule that it led to."""


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
        diffs = compare_states(self.before.index, self.after.index)
        changed = ((diff, map(attrgetter("address"), diff.new.edition.with_series)) for diff in diffs)
        return [diff for diff, addresses in changed if faulty.isdisjoint(addresses)]

    @cached_property
    def changes(self) -> Mapping[str, list[tuple[EditionDiff, ItemChange[Any]]]]:
        """All changes by item type."""
        result: dict[str, list[tuple[EditionDiff, ItemChange[Any]]]] = {name: [] for name in SECTIONS}
        for diff in self.diffs:
            for name, changes in (*diff.changes_by_type.items(), ("errata", diff.errata_changes)):
                result[name] += ((diff, change) for change in changes)
        return result

    @cached_property
    def new_editions(self) -> list[Edition]:
        return _editions_only_in(self.after, self.before)

    @cached_property
    def removed_editions(self) -> list[Edition]:
        """Removed editions, without those that cannot be read."""
        folders = {"/".join(name.split("/")[1:3]) for name in self.after.library.texts}
        removed = _editions_only_in(self.before, self.after)
        return [edition for edition in removed if edition.address not in folders]

    @cached_property
    def edited(self) -> set[object]:
        """Items whose words were edited, and so reviewed; tables as their targets."""
        changes = (change for rows in self.changes.values() for _, change in rows)
        items = (change.new for change in changes if change.parts or change.old is None)
        return {getattr(item, "cited_as", item) for item in items if item}

    @cached_property
    def successors(self) -> dict[object, object]:
        """New items by their predecessors, of the editions that changed and of all others."""
        result: dict[object, object] = {}
        for address, outline in self.before.index.outlines.items():
            if self.after.index.outlines.get(address) is outline:
                result |= {item: item for item in (*outline.entries.values(), *outline.sequence.iter_steps())}
                result |= {table: table for table in self.before.index.editions[address].tables}
        for rows in self.changes.values():
            result |= {change.old: change.successor for _, change in rows if change.old and change.successor}
        return result

    @cached_property
    def lost(self) -> list[LostAddress]:
        faulty = self.before.faulty | self.after.faulty
        lost = lost_addresses(self.before, self.after, self.successors)
        compared = {diff.new.edition.address for diff in self.diffs}
        unread = {
            address
            for address, outline in self.after.index.outlines.items()
            if address not in compared and outline is not self.before.index.outlines.get(address)
        }
        return [
            address
            for address in lost
            if "/".join(address.address.split("/")[:2]) not in unread
            and not (address.old_location and address.old_location.file in faulty)
        ]

    @cached_property
    def references(self) -> list[LocatedReference]:
        return [*iter_references(self.after.index, self.after.manuscripts)]

    @cached_property
    def emptied_rules(self) -> list[RuleEntry]:
        """Cited rules whose text was deleted, without those that a problem reports."""
        emptied: set[object] = set()
        for _, change in self.changes["rules"]:
            if change.old and change.new and change.old.is_transcribed and not change.new.is_transcribed:
                emptied.add(change.new)
        emptied -= {finding.reference.target for finding in self.after.drift.findings}
        targets = dict.fromkeys(reference.target for reference in self.references) if emptied else ()
        return [target for target in targets if isinstance(target, RuleEntry) and target in emptied]

    @cached_property
    def retargeted_references(self) -> list[RetargetedReference]:
        """Unreported references in unchanged lines whose number leads to another rule now."""
        if not self.diffs:
            return []
        targets: dict[tuple[str, str, str], object] = {}
        for reference in iter_references(self.before.index, self.before.manuscripts):
            if isinstance(reference.target, RuleEntry):
                targets[_line_key(reference)] = reference.target
        name = RenderContext(self.after.index).name
        reported = {finding.reference.place for finding in self.after.drift.findings}
        retargeted: dict[SourceLocation, RetargetedReference] = {}
        for reference in self.references:
            former = targets.get(_line_key(reference))
            successor = self.successors.get(former)
            is_same = successor is reference.target or reference.shows or reference.place in reported
            if former and isinstance(reference.target, RuleEntry) and not is_same:
                number = reference.passage.text[reference.start : reference.end]
                owner = reference.passage.owner
                text = reference.standing if isinstance(owner, str) else name(owner)
                former_target = successor.display_number if isinstance(successor, RuleEntry) else GONE
                retargeted[reference.place] = RetargetedReference(
                    text, reference.place, number, former_target
                )
        return [retargeted[place] for place in sorted(retargeted)]

    @cached_property
    def texts_to_review(self) -> list[TextToReview]:
        """Texts that refer to a reworded rule or table, without edited ones or those a lock accepts."""
        reworded = {
            getattr(change.new, "cited_as", change.new)
            for name in ("rules", "tables")
            for _, change in self.changes[name]
            if change.new and REVIEWED_KINDS.intersection(change.kinds)
        }
        findings = self.after.drift.findings
        stale = {finding.reference.place for finding in findings if finding.kind is CHANGED}
        name = RenderContext(self.after.index).name
        cited_names: dict[tuple[str, SourceLocation], dict[str, None]] = {}
        for reference in self.references if reworded else ():
            owner = reference.passage.owner
            shows_rule = isinstance(owner, AidSheet | ErrataEntry) and reference.passage.is_reference_only
            is_edited = (owner.aid if isinstance(owner, AidSheet) else owner) in self.edited
            if reference.shows or (shows_rule and isinstance(owner, AidSheet)):
                continue
            if reference.place not in stale if reference.lock_folder in self.after.drift.locks else is_edited:
                continue
            for target in (reference.target, *reference.inside):
                if target and target in reworded and target is not owner:
                    text = reference.standing if isinstance(owner, str) else name(owner)
                    cited_names.setdefault((text, reference.place), {})[name(target)] = None
        texts = [TextToReview(*text, tuple(cites)) for text, cites in cited_names.items()]
        return sorted(texts, key=lambda text: text.place)

    @cached_property
    def new_problems(self) -> list[Problem]:
        return _problems_only_in(self.after, self.before)

    @cached_property
    def fixed_problems(self) -> list[Problem]:
        return _problems_only_in(self.before, self.after)

    @property
    def breaks(self) -> bool:
        """Whether the edit breaks something."""
        broken = self.lost or self.emptied_rules or self.retargeted_references
        return bool(broken) or any(problem.is_failure for problem in self.new_problems)


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
    known = other.index.outlines
    return [outline.edition for address, outline in project.index.outlines.items() if address not in known]


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
    name: str, description: str, place: SourceLocation | None, old_base: str = "", *lines: str
) -> ReportItem:
    where = f"{place}: " if place else ""
    where = f"{old_base}:{where}" if old_base and place else where
    return ReportItem(f"{where}{name}: {description}", [[StyledRun(line)] for line in lines if line])


def _lost_item(lost: LostAddress, base: str) -> ReportItem:
    description = f"leads to {lost.current_name} now" if lost.current_name else "leads nowhere"
    description += f", with {len(lost.inside)} more in it" if lost.inside else ""
    moved = f"it is at {lost.new_address} now" if lost.new_address else ""
    name = f"{lost.address} ({lost.name})"
    return _item(name, description, lost.old_location, base, moved, lost.cure)


def _change_item(diff: EditionDiff, change: ItemChange[Any], base: str) -> ReportItem:
    present = change.present_item
    description = ", ".join(words for _, words in _describe_kinds(change))
    description += f", with {change.inside} in it" if change.inside else ""
    edition = diff.new.edition.short
    group = f"{edition}, {item_name(present.chapter)}" if isinstance(present, RuleEntry) else edition
    lines = [
        [StyledRun(f"{part.name.replace('_', ' ')}: "), *_spaced(shortened_pieces(part))]
        for part in change.parts
    ]
    old_base = base if change.new is None else ""
    made = _item(item_name(present), description, item_location(present), old_base)
    return made._replace(lines=lines, group=group)


def report_sections(report: ImpactReport, base: str) -> list[tuple[str, str, list[ReportItem]]]:
    """List the titles, summaries and items of the sections, those about what breaks first."""

    def problem_item(problem: Problem, old_base: str = "") -> ReportItem:
        return _item(str(problem.severity), f"{problem.message} [{problem.code}]", problem.place, old_base)

    def retargeted_item(reference: RetargetedReference) -> ReportItem:
        is_deleted = reference.former_target == GONE
        former = "a rule that was deleted" if is_deleted else f"what is {reference.former_target}"
        return _item(reference.name, f"{reference.number} meant {former} now", reference.place)

    sections: list[tuple[str, str, list[ReportItem]]] = []

    def add(title: str, items: Iterable[ReportItem], kinds: Counter[str] | None = None) -> None:
        rows = list(items)
        summary = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) if kinds else str(len(rows))
        if rows:
            sections.append((title, summary, rows))

    failures = [problem for problem in report.new_problems if problem.is_failure]
    rules = report.emptied_rules
    emptied = (_item(item_name(rule), "is only a listed number now", item_location(rule)) for rule in rules)
    lost = (_lost_item(address, base) for address in report.lost)
    broken = (map(problem_item, failures), emptied, map(retargeted_item, report.retargeted_references), lost)
    for title, items in zip(BREAKAGE, broken, strict=True):
        add(title, items)
    editions = [(edition, "added", "") for edition in report.new_editions]
    editions += [(edition, "removed", base) for edition in report.removed_editions]
    add("Editions", (_item(e.title, status, item_location(e), old) for e, status, old in editions))
    for name, title in SECTIONS.items():
        changes = [(diff, change) for diff, change in report.changes[name] if change.is_reported]
        kinds = Counter(kind for _, change in changes for kind, _ in _describe_kinds(change))
        add(title, (_change_item(*change, base) for change in changes), kinds)
    typography = ((diff, diff.typography) for diff in report.diffs)
    add("Typography alone", (_item(d.new.edition.short, join_names(c), None) for d, c in typography if c))
    texts = report.texts_to_review
    add("To be reviewed", (_item(text.name, f"cites {', '.join(text.cites)}", text.place) for text in texts))
    others = ((name, status) for name, status in report.files.items() if not name.endswith((".yml", LOCK)))
    add("Pages and other files", (_item(name, status, None) for name, status in others))
    notes = [p for p in report.new_problems if not p.is_failure and p.code != CHANGED.code]
    add("New notes", map(problem_item, notes))
    add("Fixed problems", (problem_item(problem, base) for problem in report.fixed_problems))
    return sections


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

_ITEM_LIMITS = (200, 60, 20, 6, 2, 1, 0)
"""Numbers of items per section to try, until the Markdown is short enough."""


def _lines(report: ImpactReport, base: str, limit: int | None = None) -> Iterator[DiffLine]:
    """Yield the lines of the report, with at most `limit` items in each section."""
    sections = report_sections(report, base.split()[0])
    counts = {title: len(items) for title, _, items in sections if title in BREAKAGE}
    broken = ", ".join(f"{count} {BREAKAGE[title][count != 1]}" for title, count in counts.items())
    heading = f"Broken: {broken}." if broken else "Nothing is broken."
    if not sections:
        heading = "Only comments, order or layout have changed; readers see no difference."
        heading = heading if report.files else "Nothing in the content has changed."
    yield DiffLine([StyledRun(heading)], 3, True)
    if sections:
        yield DiffLine([StyledRun(f"Compared with {base}.")])
    for title, summary, items in sections:
        yield DiffLine([StyledRun(f"{title}: {summary}")], 4, True)
        group = ""
        for item in items[:limit]:
            if item.group != group:
                group = item.group
                yield DiffLine([StyledRun(group)], 1)
            level = 2 if group else 1
            yield DiffLine([StyledRun(item.words)], level)
            yield from (DiffLine(line, level + 1) for line in item.lines[: limit and max(limit, 1)])
        if limit is not None and len(items) > limit:
            yield DiffLine([StyledRun(f"… and {len(items) - limit} more")], 1)


def impact_text(report: ImpactReport, base: str) -> str:
    """Return the report as plain text, with deletions as [-…-] and insertions as {+…+}."""
    return write_lines(_lines(report, base), "changes.txt", TEXT)


def impact_markdown(report: ImpactReport, base: str) -> str:
    """Return the report as Markdown that is short enough for a GitHub comment."""
    text = ""
    for limit in _ITEM_LIMITS:
        text = f"{MARKER}\n{write_lines(_lines(report, base, limit), 'changes.md', COMMENT)}"
        if len(text) <= MAX_MARKDOWN_LENGTH:
            break
    return text


def impact_json(report: ImpactReport, base: str) -> str:
    """Return the report as JSON, with places as `file:line:column`."""
    editions: list[dict[str, Any]] = []
    for diff in report.diffs:
        edition: dict[str, Any] = {}
        for name, changes in (*diff.changes_by_type.items(), ("errata", diff.errata_changes)):
            edition[name] = []
            for change in filter(lambda change: change.kinds, changes):
                place = {"place": item_location(change.present_item)}
                edition[name].append(change_object(change) | place)
        if any(edition.values()):
            editions.append({"address": diff.new.edition.address, **edition})
    problem = partial(to_dict, always="place severity code message")
    data: dict[str, Any] = {
        "base": base,
        "breaks": report.breaks,
        "files": report.files,
        "editions": editions,
        "new editions": [edition.address for edition in report.new_editions],
        "removed editions": [edition.address for edition in report.removed_editions],
        "lost": [
            to_dict(lost, "address name was=old_location inside now=current_name moved=new_address mend=cure")
            for lost in report.lost
        ],
        "elsewhere": [
            to_dict(reference, "name place number meant=former_target")
            for reference in report.retargeted_references
        ],
        "again": [to_dict(text, "name place cites") for text in report.texts_to_review],
        "emptied": [{"name": item_name(rule), "place": item_location(rule)} for rule in report.emptied_rules],
        "problems": [problem(one) for one in report.new_problems],
        "mended": [problem(one) for one in report.fixed_problems],
    }
    return to_json_text(data)


Format = Callable[[ImpactReport, str], str]

FORMATS: Mapping[str, Format] = {"text": impact_text, "markdown": impact_markdown, "json": impact_json}
"""Formats of the report by the value of `--format`."""
