"""Report the impact of an edit: what changed between two states of the content, and what that breaks.

two contents ──load and check──► changes of items, new and fixed problems, lost addresses, texts to review
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.edition_diff import EditionDiff, compare_states
from rulewright.compare.field_diff import GONE
from rulewright.compare.item_change import ChangeKind, ItemChange, item_location
from rulewright.compare.stale_reference_problems import CHANGED
from rulewright.edit.change_proposal import problems_beside
from rulewright.edit.lost_addresses import LostAddress, lost_addresses
from rulewright.files.content_folder import LOCK
from rulewright.files.content_reader import ContentFolder
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, SourceLocation
from rulewright.references.reference_inventory import LocatedReference, iter_references
from rulewright.render.exports.diff_export import (
    change_phrases,
    item_name,
)
from rulewright.render.exports.export_formats import TEXT, OutputFormat
from rulewright.render.render_context import RenderContext
from rulewright.render.templating import environment
from rulewright.render.text_writer import markdown_words
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


Section = tuple[str, str, Mapping[str, list[ItemChange[Any]]]]
"""Title and summary of a section, and its changes by edition and chapter."""


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
            for name, changes in diff.changes_by_type.items():
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
        before = iter_references(self.before.index, self.before.manuscripts) if self.diffs else ()
        former = {key: reference.target for key, reference in _references_by_line(before)}
        reported = {finding.reference.place for finding in self.after.drift.findings}
        retargeted: list[AffectedText] = []
        for key, reference in _references_by_line(self.references) if former else ():
            if key not in former or reference.shows or reference.place in reported:
                continue
            successor = self.successor_of(former[key])
            if successor is not reference.target:
                number = reference.passage.text[reference.start : reference.end]
                meant = successor.display_number if isinstance(successor, RuleEntry) else GONE
                text = AffectedText(self._owner_name(reference), reference.place, (meant,), number)
                retargeted.append(text)
        return sorted(retargeted, key=lambda text: text.place)

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
            owner, has_lock = reference.passage.owner, reference.lock_folder in locks
            is_edited = getattr(owner, "aid", owner) in edited
            if reference.shows or (reference.place not in stale if has_lock else is_edited):
                continue
            for target in (reference.target, *reference.inside):
                if target and target in reworded and target is not owner:
                    text = reference.place, self._owner_name(reference)
                    cited_names.setdefault(text, {})[name(target)] = None
        return [
            AffectedText(text, place, tuple(cited_names[place, text])) for place, text in sorted(cited_names)
        ]

    @cached_property
    def sections(self) -> list[Section]:
        """Sections of changes."""
        sections: list[Section] = []
        for name, title in SECTIONS.items():
            groups: defaultdict[str, list[ItemChange[Any]]] = defaultdict(list)
            kinds: Counter[str] = Counter()
            for diff, change in self.changes[name]:
                if change.is_reported:
                    item = change.present_item
                    chapter = f", {item_name(item.chapter)}" if isinstance(item, RuleEntry) else ""
                    groups[f"{diff.new.edition.short}{chapter}"].append(change)
                    kinds.update(change.kinds)
            if groups:
                summary = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
                sections.append((title, summary, groups))
        return sections

    @property
    def other_files(self) -> Mapping[str, str]:
        """Status of each file that is neither YAML nor a lock, and of each edition that is new or gone."""
        return {
            name: status
            for name, status in self.files.items()
            if not name.endswith((".yml", LOCK)) or (name.endswith("/edition.yml") and status != "changed")
        }

    @cached_property
    def new_problems(self) -> list[Problem]:
        return _problems_only_in(self.after, self.before)

    @cached_property
    def fixed_problems(self) -> list[Problem]:
        return _problems_only_in(self.before, self.after)

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


def _problems_only_in(project: CheckedProject, other: CheckedProject) -> list[Problem]:
    """Return the problems of a project that another state has not; the line does not matter."""
    return problems_beside(map(_problem_key, other.problems), project.problems, _problem_key)


def _problem_key(problem: Problem) -> tuple[str, str, str]:
    return problem.place.file, problem.code, problem.subject or problem.message


def _references_by_line(
    references: Iterable[LocatedReference],
) -> Iterator[tuple[tuple[str, ...], LocatedReference]]:
    """Yield the references to rules, each after its edition, number and line.

    A text that is only a number is identified by the step, aid or term around it.
    """
    for reference in references:
        text = reference.passage.text
        line = text[text.rfind("\n", 0, reference.start) + 1 :].partition("\n")[0]
        source = reference.source if line == text[reference.start : reference.end] else ""
        if isinstance(reference.target, RuleEntry):
            yield (reference.target_outline.edition.address, reference.name, line, source), reference


# The report


_ACTIVE_SYNTAX = re.compile(r"(?<=[@#])(?=\w|\Z)|(?<=://)|(?<=\bwww)(?=\.)|(?<=\bGH-)(?=\d)", re.IGNORECASE)


def escape_mentions(words: str) -> str:
    """Escape words for a GitHub comment, so that they contain no mentions, links or markup."""
    return _ACTIVE_SYNTAX.sub("&#8203;", markdown_words(" ".join(words.split("\n"))).replace("~", "\\~"))


COMMENT = OutputFormat(escape_mentions, "<del>{}</del>", "<ins>{}</ins>")
"""Format of GitHub comments. HTML is used since stars and tildes next to a comma are no markup."""

MAX_MARKDOWN_LENGTH = 60_000
"""Maximum length of the Markdown: a GitHub comment has at most 65,536 characters."""


def _render(report: ImpactReport, base: str, medium: OutputFormat) -> str:
    return (
        environment()
        .get_template("exports/impact.txt")
        .render(
            report=report,
            base=base,
            markdown=medium is COMMENT,
            write=medium.part,
            say=medium.words,
            location=item_location,
            item_name=item_name,
            phrases=change_phrases,
        )
    )


def impact_text(report: ImpactReport, base: str) -> str:
    """Return the report as plain text, with deletions as [-…-] and insertions as {+…+}."""
    return _render(report, base, TEXT)


def impact_markdown(report: ImpactReport, base: str) -> str:
    """Return the report as Markdown, with as many lines as a GitHub comment takes."""
    text = _render(report, base, COMMENT)
    end = text.rfind("\n", 0, MAX_MARKDOWN_LENGTH) if len(text) > MAX_MARKDOWN_LENGTH else len(text)
    left_out = text.count("\n", end + 1)
    return f"{text[:end]}\n\n… and {left_out} more lines\n" if left_out else text


Format = Callable[[ImpactReport, str], str]

FORMATS: Mapping[str, Format] = {"text": impact_text, "markdown": impact_markdown}
"""Formats of the report by the value of `--format`."""
