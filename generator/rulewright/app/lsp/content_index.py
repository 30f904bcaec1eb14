"""The content as it was read last, asked by places: what stands in a file, what that means, what names it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rulewright.book.citable_items import ListItem, TermName
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.book.table_entries import TableEntry
from rulewright.checks.load_and_check import CheckedProject
from rulewright.citations.glossary import Glossary, TermEntry
from rulewright.compare.reference_inventory import LocatedReference, iter_references
from rulewright.model.model_reader import Words
from rulewright.model.rulebook import SETS
from rulewright.model.yaml_fields import all_texts_of, texts_with_flag
from rulewright.source.content_folder import ContentFolder
from rulewright.source.located_text import LocatedText, TextSlice
from rulewright.text.text_document import Document

Thing = RuleEntry | TableEntry | SequenceStep | TermEntry | ListItem
"""Things that have a place of their own and are named elsewhere."""


_SENTENCE = re.compile(r"[^.,:;!?]+[.,:;!?]*\s*")


class NameSpan(NamedTuple):
    """A stretch of a file that names a thing or `declares` its name. `reference`: what the check resolves."""

    start: int
    end: int
    target: Thing | None
    reference: LocatedReference | None = None
    declares: bool = False


class IndexedContent:
    """The content as it was read. `values`: the model type of each file that was read as one."""

    def __init__(self, folder: ContentFolder, examined: CheckedProject, values: Mapping[str, Any]) -> None:
        self.folder, self.examined, self.values = folder, examined, values
        self.printed = examined.printed
        self.shelf = self.printed.shelf
        self.parts: dict[str, list[Any]] = {}
        """Symbols of each file, by its name."""
        self._texts: dict[str, str] = {}
        self._spots: dict[str, list[NameSpan]] = {}
        self._every: dict[str, list[LocatedText]] = {}
        self._glossaries: dict[str, Glossary] = {}
        self._outlines: dict[str, Outline | None] = {}
        self.named, self.of_file = self._related()
        """Names of things, and the references in each file."""

    def text(self, name: str) -> str:
        """A file's text as places in it are counted."""
        if name not in self._texts:
            self._texts[name] = self.folder.texts.get(name, b"").decode("utf-8-sig", "replace")
        return self._texts[name]

    def outline_of(self, name: str) -> Outline | None:
        """The edition that a file lies in, or whose numbers a page says that it has."""
        if name not in self._outlines:
            pages = {page.name: page.edition for page in self.printed.manuscripts}
            edition = pages.get(name) or self.printed.library.edition_of(name)
            self._outlines[name] = self.shelf.outlines.get(edition.address) if edition else None
        return self._outlines[name]

    def glossary(self, outline: Outline) -> Glossary:
        address = outline.edition.address
        if address not in self._glossaries:
            self._glossaries[address] = Glossary(outline, self.shelf)
        return self._glossaries[address]

    def _related(self) -> tuple[Mapping[Thing, list[LocatedReference]], Mapping[str, list[LocatedReference]]]:
        named: defaultdict[Thing, list[LocatedReference]] = defaultdict(list)
        of_file: defaultdict[str, list[LocatedReference]] = defaultdict(list)
        for reference in iter_references(self.shelf, self.printed.manuscripts):
            of_file[reference.passage.file].append(reference)
            for thing in (reference.target, *reference.inside):
                if thing:
                    named[thing].append(reference)
        return named, of_file

    # -- what stands in a file

    def spans_in_file(self, name: str) -> list[NameSpan]:
        """All that names something in a file, or gives it its name, in order; none meets another."""
        if name not in self._spots:
            found = [
                NameSpan(*reference_span_in_file(reference), self._meant(reference), reference)
                for reference in self.of_file.get(name, ())
            ]
            declared = [
                NameSpan(*unquoted_span(text), thing, None, True) for text, thing in self.declared(name)
            ]
            every = sorted([*declared, *found, *self._called(name)], key=lambda one: one[:2])
            kept: list[NameSpan] = []
            for one in every:
                if not kept or one.start >= kept[-1].end:
                    kept.append(one)
            self._spots[name] = kept
        return self._spots[name]

    def _meant(self, one: LocatedReference) -> Thing | None:
        """The thing that a reference leads to; a term is what a mark names, which no lock keeps."""
        for reference in one.passage.resolved if one.target is None else ():
            if reference.match.start == one.start and isinstance(reference.citable, TermName):
                glossary = self.glossary(self.shelf.outlines[reference.citable.edition.address])
                return next((term for term in glossary.terms if term.words == reference.citable.words), None)
        return one.target

    def declared(self, name: str) -> Iterator[tuple[LocatedText, Thing]]:
        """The words of a file that give something its number or its name."""
        outline = self.outline_of(name)
        every = self.named_items(outline) if outline else ()
        return ((text, thing) for text, thing in every if text.file.name == name)

    def named_items(self, outline: Outline) -> Iterator[tuple[LocatedText, Thing]]:
        """All of an edition that has a place of its own, by the words that give it its number or its name."""
        edition = outline.edition
        for entry in outline.ordered_entries:
            yield entry.printed, entry
            if entry.listed_rule and entry.rule:
                yield entry.listed_rule.number, entry
        for table in self.shelf.tables[edition.address]:
            yield table.table.number or table.table.title, table.cited_as
        for step in outline.iter_steps():
            if step.difference in ("", "added"):
                yield step.step.title, step
        if self.shelf.newest.get(edition.address.partition("/")[0]) is edition:
            yield from ((term.words, term) for term in self.glossary(outline).terms)

    def _called(self, name: str) -> Iterator[NameSpan]:
        """The words of a file that name a step or a table, by the keys that take such."""
        outline, value = self.outline_of(name), self.values.get(name)
        if outline is None or value is None:
            return
        known = {reference.passage.key for reference in self.of_file.get(name, ())}
        for text, field in texts_with_flag(value, "names"):
            if text.key not in known and text.file.name == name:
                sort = field.metadata["names"]
                things: list[Thing] = []
                if sort in ("step", "activity"):
                    things += [
                        step for one in self.shelf.with_series(outline) for step in one.steps_named(text)
                    ]
                elif sort == "table" and (table := self.shelf.find_table(outline.edition, text)):
                    things.append(table.cited_as)
                if things:
                    yield NameSpan(*unquoted_span(text), things[0])

    def span_at(self, name: str, index: int) -> NameSpan | None:
        """The spot at a place, or the step or term that is named in the prose there."""
        spots = self.spans_in_file(name)
        near = bisect_right(spots, index, key=lambda one: one.start) - 1
        if near >= 0 and spots[near].start <= index <= spots[near].end:
            return spots[near]
        text, outline = self.text_at(name, index), self.outline_of(name)
        if text is None or outline is None:
            return None
        above = (spot.target for spot in reversed(spots[: near + 1]) if spot.declares and spot.target)
        owner = next(above, None) or outline.sequence_root
        if owner is None or isinstance(owner, ListItem):
            return None
        for sentence in _SENTENCE.finditer(text):  # of several in a text the glossary tells the first
            if index <= text.file_offset(sentence.end()):
                for one in self.glossary(outline).find(Document(sentence[0]), owner):
                    start, end = text.file_span(sentence.start() + one.start, sentence.start() + one.end)
                    if start <= index <= end:
                        return NameSpan(start, end, one.target)
                break
        return None

    def text_at(self, name: str, index: int) -> LocatedText | None:
        if name not in self._every:
            own = (text for text in all_texts_of(self.values.get(name)) if text.file.name == name)
            self._every[name] = sorted(own, key=lambda text: text.start)
        every = self._every[name]
        near = bisect_right(every, index, key=lambda text: text.start) - 1
        return every[near] if near >= 0 and index <= every[near].end else None

    # -- where a thing stands

    def place_of(self, thing: Thing) -> tuple[str, int, int]:
        """The file and the stretch that gives a thing its number or name."""
        match thing:
            case RuleEntry():
                text = thing.printed
            case TableEntry():
                text = thing.table.number or thing.table.title
            case SequenceStep():
                text = thing.step.title
            case TermEntry():
                text = thing.words
            case ListItem():
                return (thing.text.file.name, *thing.text.file_span(thing.start, thing.end))
        return (text.file.name, *unquoted_span(text))

    def usages_of(self, thing: Thing) -> Iterator[tuple[str, int, int]]:
        """The places that name a thing, those of ranges around it included."""
        for reference in self.named.get(thing, ()):
            yield (reference.passage.file, *reference_span_in_file(reference))
        if isinstance(thing, SequenceStep | TermEntry):
            yield from self._spoken_of(thing)

    def _spoken_of(self, thing: SequenceStep | TermEntry) -> Iterator[tuple[str, int, int]]:
        outline = self.shelf.outlines[thing.edition.address]
        for _, text, named in self.glossary(outline).naming_texts():
            for match in named:
                if match.target is thing:
                    yield (text.file.name, *text.file_span(match.start, match.end))
        for name in outline.edition.files if isinstance(thing, SequenceStep) else ():
            for spot in self._called(name):
                if spot.target is thing:
                    yield name, spot.start, spot.end


def reference_span_in_file(one: LocatedReference) -> tuple[int, int]:
    """Where in its file a reference stands; of a mark, its number."""
    text = one.passage.text
    return text.file_span(one.start, one.end) if isinstance(text, LocatedText) else (one.start, one.end)


def unquoted_span(text: LocatedText) -> tuple[int, int]:
    """Where in its file a scalar stands, without its quotes."""
    quotes = 1 if text.style in ("'", '"') and not isinstance(text, TextSlice) else 0
    return text.start + quotes, text.end - quotes


def edition_vocabulary(outline: Outline | None) -> Words:
    """The words that values are chosen from in an edition, whose book may have kinds of step of its own."""
    steps = tuple(outline.edition.book.steps) if outline else ()
    return {**SETS, "steps": steps or SETS["steps"]}
