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

    def __init__(self, folder: ContentFolder, checked: CheckedProject, values: Mapping[str, Any]) -> None:
        self.folder, self.examined, self.values = folder, checked, values
        self.printed = checked.printed
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
        references_by_target: defaultdict[Thing, list[LocatedReference]] = defaultdict(list)
        of_file: defaultdict[str, list[LocatedReference]] = defaultdict(list)
        for reference in iter_references(self.shelf, self.printed.manuscripts):
            of_file[reference.passage.file].append(reference)
            for target in (reference.target, *reference.inside):
                if target:
                    references_by_target[target].append(reference)
        return references_by_target, of_file

    # -- what stands in a file

    def spans_in_file(self, name: str) -> list[NameSpan]:
        """All that names something in a file, or gives it its name, in order; none meets another."""
        if name not in self._spots:
            reference_spans = [
                NameSpan(*reference_span_in_file(reference), self._meant(reference), reference)
                for reference in self.of_file.get(name, ())
            ]
            declared = [
                NameSpan(*unquoted_span(text), target, None, True) for text, target in self.declared(name)
            ]
            spans = sorted([*declared, *reference_spans, *self._called(name)], key=lambda span: span[:2])
            disjoint_spans: list[NameSpan] = []
            for span in spans:
                if not disjoint_spans or span.start >= disjoint_spans[-1].end:
                    disjoint_spans.append(span)
            self._spots[name] = disjoint_spans
        return self._spots[name]

    def _meant(self, located_reference: LocatedReference) -> Thing | None:
        """The thing that a reference leads to; a term is what a mark names, which no lock keeps."""
        for reference in located_reference.passage.resolved if located_reference.target is None else ():
            if reference.match.start == located_reference.start and isinstance(reference.citable, TermName):
                glossary = self.glossary(self.shelf.outlines[reference.citable.edition.address])
                return next((term for term in glossary.terms if term.words == reference.citable.words), None)
        return located_reference.target

    def declared(self, name: str) -> Iterator[tuple[LocatedText, Thing]]:
        """The words of a file that give something its number or its name."""
        outline = self.outline_of(name)
        named_items = self.named_items(outline) if outline else ()
        return ((text, target) for text, target in named_items if text.file.name == name)

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
                targets: list[Thing] = []
                if sort in ("step", "activity"):
                    targets += [
                        step
                        for series_outline in self.shelf.with_series(outline)
                        for step in series_outline.steps_named(text)
                    ]
                elif sort == "table" and (table := self.shelf.find_table(outline.edition, text)):
                    targets.append(table.cited_as)
                if targets:
                    yield NameSpan(*unquoted_span(text), targets[0])

    def span_at(self, name: str, index: int) -> NameSpan | None:
        """The spot at a place, or the step or term that is named in the prose there."""
        spots = self.spans_in_file(name)
        preceding = bisect_right(spots, index, key=lambda span: span.start) - 1
        if preceding >= 0 and spots[preceding].start <= index <= spots[preceding].end:
            return spots[preceding]
        text, outline = self.text_at(name, index), self.outline_of(name)
        if text is None or outline is None:
            return None
        above = (spot.target for spot in reversed(spots[: preceding + 1]) if spot.declares and spot.target)
        owner = next(above, None) or outline.sequence_root
        if owner is None or isinstance(owner, ListItem):
            return None
        for sentence in _SENTENCE.finditer(text):  # of several in a text the glossary tells the first
            if index <= text.file_offset(sentence.end()):
                for match in self.glossary(outline).find(Document(sentence[0]), owner):
                    start, end = text.file_span(sentence.start() + match.start, sentence.start() + match.end)
                    if start <= index <= end:
                        return NameSpan(start, end, match.target)
                break
        return None

    def text_at(self, name: str, index: int) -> LocatedText | None:
        if name not in self._every:
            file_texts = (text for text in all_texts_of(self.values.get(name)) if text.file.name == name)
            self._every[name] = sorted(file_texts, key=lambda text: text.start)
        texts = self._every[name]
        preceding = bisect_right(texts, index, key=lambda text: text.start) - 1
        return texts[preceding] if preceding >= 0 and index <= texts[preceding].end else None

    # -- where a thing stands

    def place_of(self, target: Thing) -> tuple[str, int, int]:
        """The file and the stretch that gives a thing its number or name."""
        match target:
            case RuleEntry():
                text = target.printed
            case TableEntry():
                text = target.table.number or target.table.title
            case SequenceStep():
                text = target.step.title
            case TermEntry():
                text = target.words
            case ListItem():
                return (target.text.file.name, *target.text.file_span(target.start, target.end))
        return (text.file.name, *unquoted_span(text))

    def usages_of(self, target: Thing) -> Iterator[tuple[str, int, int]]:
        """The places that name a thing, those of ranges around it included."""
        for reference in self.named.get(target, ()):
            yield (reference.passage.file, *reference_span_in_file(reference))
        if isinstance(target, SequenceStep | TermEntry):
            yield from self._spoken_of(target)

    def _spoken_of(self, target: SequenceStep | TermEntry) -> Iterator[tuple[str, int, int]]:
        outline = self.shelf.outlines[target.edition.address]
        for _, text, matches in self.glossary(outline).naming_texts():
            for match in matches:
                if match.target is target:
                    yield (text.file.name, *text.file_span(match.start, match.end))
        for name in outline.edition.files if isinstance(target, SequenceStep) else ():
            for spot in self._called(name):
                if spot.target is target:
                    yield name, spot.start, spot.end


def reference_span_in_file(reference: LocatedReference) -> tuple[int, int]:
    """Where in its file a reference stands; of a mark, its number."""
    text = reference.passage.text
    return (
        text.file_span(reference.start, reference.end)
        if isinstance(text, LocatedText)
        else (reference.start, reference.end)
    )


def unquoted_span(text: LocatedText) -> tuple[int, int]:
    """Where in its file a scalar stands, without its quotes."""
    quotes = 1 if text.style in ("'", '"') and not isinstance(text, TextSlice) else 0
    return text.start + quotes, text.end - quotes


def edition_vocabulary(outline: Outline | None) -> Words:
    """The words that values are chosen from in an edition, whose book may have kinds of step of its own."""
    steps = tuple(outline.edition.book.steps) if outline else ()
    return {**SETS, "steps": steps or SETS["steps"]}
