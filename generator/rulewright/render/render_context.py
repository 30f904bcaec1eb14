"""Context of all pages of a run, each thing worked out once: names, addresses, differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from rulewright.book.errata_entries import ErrataEntry, errata_sort_key
from rulewright.book.errata_targets import ErratumTarget
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.history import Counterparts
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.targets import TargetId, TargetIndex
from rulewright.document.text_names import LazyTable, TextNames
from rulewright.files.located_text import TextKey
from rulewright.references import site_paths
from rulewright.references.citable_items import ListItem
from rulewright.references.glossary import TermEntry
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.series_overrides import OverrideIndex
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep

ENGLISH = "en"
"""The language of our own words."""


class SequenceChange(NamedTuple):
    """Step that a game adds, changes or drops."""

    kind: str
    """added, changed or dropped"""
    step: SequenceStep
    """The step of the game; a dropped one is that of the series."""
    series_step: SequenceStep | None = None
    """The step of the series that is changed."""


class RenderContext:
    """The reference index with what pages need; values that take long are computed on first use.

    `glossaries` by edition; `targets_by_entry`: what an errata entry is of; `overrides` what games
    do to the rules of their series; `names`: those in texts; `targets`: what nodes lead to; `builders` of the
    nodes of each edition. `language`: that of pages whose book does not say one.
    """

    def __init__(self, index: ReferenceIndex, language: str = ENGLISH) -> None:
        self.index, self.language = index, language
        self.targets_by_entry: dict[ErrataEntry, list[ErratumTarget]] = {}
        for target, entries in index.errata_by_target.items():
            for errata_entry in entries:
                self.targets_by_entry.setdefault(errata_entry, []).append(target)
        self.names = TextNames(index)
        self.glossaries = self.names.glossaries
        self.targets = TargetIndex()
        self.builders = LazyTable(
            lambda address: DocumentBuilder(index.outlines[address], index, self.names, self.targets)
        )
        self.name, self.page_and_fragment = cache(self._find_name), cache(self._find_page_and_fragment)
        self.series_steps = cache(self._find_series_steps)

    def is_english(self, edition: Edition | None = None) -> bool:
        """Whether the pages of an edition, or of none, are in English, as our own words are."""
        return str((edition and edition.book.language) or self.language) == ENGLISH

    @cached_property
    def overrides(self) -> OverrideIndex:
        return OverrideIndex(self.index)

    @cached_property
    def counterparts(self) -> Counterparts:
        return Counterparts(self.index)

    def is_revised(self, target: RuleEntry | TableEntry) -> bool:
        """Whether a rule or a table has a change bar."""
        difference = self.difference(self.index.outlines[target.edition.address])
        return difference is not None and difference.has_bar(target)

    def difference(self, outline: Outline) -> EditionDiff | None:
        return self.counterparts.since_previous(outline)

    def games(self, outline: Outline) -> list[Outline]:
        return [other for other in self.index.outlines.values() if other.edition.base is outline.edition]

    def errata_of(self, targets: Iterable[TargetId]) -> list[ErrataEntry]:
        """Return errata by their ids, in the order in which they are applied."""
        entries = [self.targets.erratum(target) for target in dict.fromkeys(targets)]
        return sorted(entries, key=lambda entry: errata_sort_key(entry.source))  # type: ignore[arg-type]

    def game_name(self, edition: Edition) -> str:
        """Return the name of a game, with its edition if there are several."""
        book = edition.address.partition("/")[0]
        several = sum(address.partition("/")[0] == book for address in self.index.outlines) > 1
        return edition.short if several else str(edition.book.short or edition.book.title)

    def _find_series_steps(self, address: str) -> Mapping[TextKey, SequenceStep]:
        """The steps of a series by the places of their titles."""
        steps = self.index.outlines[address].sequence.iter_steps()
        return {step.own_keys.title.key: step for step in steps if not step.difference}

    def series_difference(self, step: SequenceStep) -> tuple[str, SequenceStep | None]:
        """How a step of a game is not that of its series: added, or changed and from which; else nothing."""
        derived, base, title = step.edition.derived, step.edition.base, step.own_keys.title.key
        if derived and title in derived.added:
            return "added", None
        if derived and base and not step.difference and title in derived.changed:
            return "changed", self.series_steps(base.address)[derived.changed[title]]
        return "", None

    def played(self, outline: Outline) -> list[SequenceChange]:
        """Return the steps of its series that a game changes or drops, and those that it adds."""
        derived, base = outline.edition.derived, outline.edition.base
        changes = []
        for step in outline.sequence.iter_steps():
            kind, series_step = self.series_difference(step)
            if kind:
                changes.append(SequenceChange(kind, step, series_step))
        if derived and base:
            series_steps = self.series_steps(base.address)
            changes += (SequenceChange("dropped", series_steps[title]) for title in derived.dropped)
        return changes

    def _find_name(self, source: Source | TermEntry | ListItem) -> str:
        """Return the name of an object: of a rule its number and title, of a term what it means."""
        match source:
            case RuleEntry():
                return rule_title(source)
            case TermEntry():
                return self.index.plain_text_in(source.term.means, source.edition)
            case ListItem():
                return f"{rule_title(source.entry)}, {source.number}: {plain_text(source.words)}"
            case SequenceStep():
                return plain_text(source.path)
        return plain_text(str(source))

    def _find_page_and_fragment(self, source: Source | TermEntry | ListItem) -> tuple[str, str]:
        """Return page and fragment, `#12.5c`; of a term those of its rule if that has its text here."""
        if not isinstance(source, TermEntry):
            page, anchor = site_paths.path_and_anchor(source)
        elif source.rule and (source.rule.rule or source.rule in self.index.tables_by_target):
            return self.page_and_fragment(source.rule)
        else:
            page, anchor = site_paths.glossary_path(source.edition.address), source.anchor
        return page, site_paths.relative_link(page, page, anchor)


def rule_title(entry: RuleEntry) -> str:
    """A rule's number with its title, or with that of the rule it lies in: `12.5a Fuel Supply`."""
    titled: RuleEntry | None = entry
    while titled and not titled.title:
        titled = titled.parent
    return (
        f"{entry.display_number} {plain_text(titled.title)}"
        if titled and titled.title
        else entry.display_number
    )
