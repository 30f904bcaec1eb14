"""Context of all pages of a run, each thing worked out once: names, addresses, differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.errata_targets import ErratumTarget
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.edition_diff import EditionDiff, successive_diffs
from rulewright.compare.history import OLD, Absent, CounterpartResult, Counterparts, Histories
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.references import site_paths
from rulewright.references.citable_items import Citable, ListItem, TermName
from rulewright.references.glossary import Bearer, Glossary, TermEntry
from rulewright.references.name_finder import NameMatch
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.series_overrides import OverrideIndex
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep

T = TypeVar("T")

ENGLISH = "en"
"""The language of our own words."""


@dataclass(frozen=True, slots=True)
class SequenceChanges:
    """Steps that a game adds, changes (each with the step of the series that it stands for) or drops."""

    added: list[SequenceStep] = field(default_factory=list)
    changed: list[tuple[SequenceStep, SequenceStep]] = field(default_factory=list)
    dropped: list[SequenceStep] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.dropped)


class _Each(dict[str, T]):
    """Something for each edition or book, by its address, made when it is first asked for."""

    def __init__(self, make: Callable[[str], T]) -> None:
        self.make = make

    def __missing__(self, address: str) -> T:
        self[address] = made = self.make(address)
        return made


class RenderContext:
    """The shelf, ready to be set as pages; what takes long is worked out when it is first asked for.

    `glossaries` by edition; `remarks`: the entries of errata, `targets_by_entry` what a remark is of;
    `differences` those between editions that follow each other; `histories` of rules; `overrides` what games
    do to the rules of their series, `series_steps` the steps there that games go through;
    `rendered_texts_by_page` what each page has set so far, for whoever sets more of it. `language`: that of
    pages whose book does not say one.
    """

    def __init__(self, shelf: ReferenceIndex, language: str = ENGLISH) -> None:
        self.shelf, self.language = shelf, language
        remarks = (remark for references in shelf.editions.values() for remark in references.errata_entries)
        self.remarks = {remark.erratum: remark for remark in remarks if remark.erratum}
        self.targets_by_entry: dict[ErrataEntry, list[ErratumTarget]] = {}
        for thing, shown in shelf.errata_by_target.items():
            for remark in shown:
                self.targets_by_entry.setdefault(remark, []).append(thing)
        self.glossaries = _Each(lambda address: Glossary(shelf.outlines[address], shelf))
        self._sources = _Each(self._sources_in)
        self._users = _Each(self._users_in)
        self._named: dict[tuple[str, TextKey], Sequence[NameMatch[Bearer]]] = {}
        derived = (
            outline for outline in shelf.outlines.values() if outline.edition.derived and outline.edition.base
        )
        self.series_steps = {
            step.step: step
            for address in {outline.edition.base.address for outline in derived if outline.edition.base}
            for step in shelf.outlines[address].sequence.iter_steps()
        }
        self.rendered_texts_by_page: dict[str, tuple[Any, ...]] = {}
        self._lacks: dict[str, list[tuple[Edition, Absent]]] = {}
        self._names: dict[Source | TermEntry | ListItem, str] = {}
        self._places: dict[Source | TermEntry | ListItem, tuple[str, str]] = {}

    def is_english(self, edition: Edition | None = None) -> bool:
        """Whether the pages of an edition, or of none, are in English, as our own words are."""
        return str((edition and edition.book.language) or self.language) == ENGLISH

    @cached_property
    def overrides(self) -> OverrideIndex:
        return OverrideIndex(self.shelf)

    def _sources_in(self, address: str) -> dict[TextKey, Source]:
        sources: dict[TextKey, Source] = {}
        for source, text in self.glossaries[address].searched_texts():
            sources.setdefault(text.key, source)
        return sources

    def _users_in(self, address: str) -> dict[TermEntry, list[Source]]:
        users: dict[TermEntry, list[Source]] = {}
        for source, text in self.glossaries[address].searched_texts():
            for target in (name.target for name in self._names_in(text, address) or ()):
                if isinstance(target, TermEntry):
                    using = users.setdefault(target, [])
                    if source not in using[-1:]:
                        using.append(source)
        return users

    def _names_in(self, text: LocatedText, address: str) -> Sequence[NameMatch[Bearer]] | None:
        """The names in a text of an edition, looked for when first asked for; None if it has no such text."""
        source = self._sources[address].get(text.key) if address in self.shelf.outlines else None
        if source is None:
            return None
        key = address, text.key
        if key not in self._named:
            self._named[key] = self.glossaries[address].find(self.shelf.document(text), source)
        return self._named[key]

    def names_on_page(self, text: LocatedText, page: str) -> Sequence[NameMatch[Bearer]]:
        """The names in a text on a page: as the page's edition has them, else the one that the text is of."""
        here, own = ("/".join(path[:2]) for path in (page.split("/"), text.file.name.split("/")[1:]))
        found = self._names_in(text, here)
        return (self._names_in(text, own) if found is None else found) or ()

    def term_users(self, term: TermEntry) -> Sequence[Source]:
        """All whose texts name a term of their edition, once each."""
        return self._users[term.edition.address].get(term, ())

    @cached_property
    def differences(self) -> list[EditionDiff]:
        return list(successive_diffs(self.shelf))

    @cached_property
    def histories(self) -> Histories:
        return Histories(self.differences)

    @cached_property
    def counterparts(self) -> Counterparts:
        return Counterparts(self.shelf, self.differences)

    def is_revised(self, thing: RuleEntry | TableEntry) -> bool:
        """Whether a rule or a table has a change bar."""
        difference = self.difference(self.shelf.outlines[thing.edition.address])
        return difference is not None and difference.has_bar(thing)

    def difference(self, outline: Outline) -> EditionDiff | None:
        return next((difference for difference in self.differences if difference.new is outline), None)

    def games(self, outline: Outline) -> list[Outline]:
        return [one for one in self.shelf.outlines.values() if one.edition.base is outline.edition]

    def played(self, outline: Outline) -> SequenceChanges:
        """The steps that a game adds to the sequence of play of its series, changes there and drops."""
        derived, base = outline.edition.derived, outline.edition.base
        played = SequenceChanges()
        if derived is None or base is None:
            return played
        for step in outline.sequence.iter_steps():
            if step.step in derived.added:
                played.added.append(step)
            elif step.step in derived.changed:
                played.changed.append((step, self.series_steps[derived.origin[step.step]]))
        played.dropped.extend(self.series_steps[step] for _, step in derived.dropped)
        return played

    def newest_counterpart(self, entry: RuleEntry) -> tuple[Edition, CounterpartResult] | None:
        """The newest edition and what a rule of an older one is there."""
        outline = self.shelf.outlines[entry.edition.address]
        if self.counterparts.standing(outline) != OLD:
            return None
        newest = self.counterparts.newest(outline)
        return newest.edition, self.counterparts.counterpart_of(entry, newest)

    def absent_rules(self, near: RuleEntry) -> list[tuple[Edition, list[Source]]]:
        """Rules that other editions have and this one lacks, those that would stand nearest to a rule."""
        return [(other, lacks[near]) for other, lacks in self._lacking(near.edition) if near in lacks]

    def certainly_lacks(self, edition: Edition, source: Source) -> bool:
        """Whether an edition surely lacks something; never sure of an edition that is known in part."""
        return self.counterparts.counterpart_of(source, self.shelf.outlines[edition.address]).is_certain

    def absent_steps(self, edition: Edition) -> list[tuple[Edition, list[tuple[Source, SequenceStep]]]]:
        """The steps of other editions that this one lacks, each with the nearest that it has."""
        found = []
        for other, lacks in self._lacking(edition):
            steps = [(step, lack) for lack in lacks if isinstance(lack, SequenceStep) for step in lacks[lack]]
            found += [(other, steps)] if steps else []
        return found

    def _lacking(self, edition: Edition) -> list[tuple[Edition, Absent]]:
        """The other editions of a book, the newest first, with what they have that one lacks."""
        known = self._lacks.get(edition.address)
        if known is None:
            outline, counterparts = self.shelf.outlines[edition.address], self.counterparts
            others = counterparts.other_editions(outline)
            known = [(other.edition, counterparts.missing_by_neighbour(outline, other)) for other in others]
            self._lacks[edition.address] = known
        return known

    absent_anchor = staticmethod(site_paths.missing_anchor)

    def cited(self, thing: Citable) -> SequenceStep | TableEntry | TermEntry | ListItem:
        """A thing that a text cites, as it stands in the pages: of a term its entry in the glossary."""
        if isinstance(thing, TermName):
            return next(
                term for term in self.glossaries[thing.edition.address].terms if term.words == thing.words
            )
        return thing

    def name(self, source: Source | TermEntry | ListItem) -> str:
        """A rule by number and title, a step by its path, a table by its title, a term by what it means."""
        known = self._names.get(source)
        if known is None:
            if isinstance(source, RuleEntry):
                known = rule_title(source)
            elif isinstance(source, TermEntry):
                known = self.shelf.plain_text_in(source.term.means, source.edition)
            elif isinstance(source, ListItem):
                known = f"{rule_title(source.entry)}, {source.number}: {plain_text(source.words)}"
            else:
                known = plain_text(source.path if isinstance(source, SequenceStep) else str(source))
            self._names[source] = known
        return known

    def page_and_fragment(self, source: Source | TermEntry | ListItem) -> tuple[str, str]:
        """Page and fragment, `#12.5c`; a term has those of its rule where that has its text here."""
        known = self._places.get(source)
        if known is None:
            if isinstance(source, TermEntry):
                if source.rule and (source.rule.rule or source.rule in self.shelf.tables_by_target):
                    return self.page_and_fragment(source.rule)
                page, anchor = site_paths.glossary_path(source.edition.address), source.anchor
            else:
                page, anchor = site_paths.path_and_anchor(source)
            known = self._places[source] = page, site_paths.relative_link(page, page, anchor)
        return known


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
