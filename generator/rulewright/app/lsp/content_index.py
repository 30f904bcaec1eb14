"""Index of the content for editor requests: names and references in each file, their targets and usages."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.book.table_entries import TableEntry
from rulewright.checks.check_visitor import LoadedProject
from rulewright.files.located_text import LocatedText, TextSlice
from rulewright.references.citable_items import ListItem, TermName
from rulewright.references.glossary import Glossary, TermEntry
from rulewright.references.reference_inventory import LocatedReference, iter_references
from rulewright.references.reference_types import CitableReference
from rulewright.schema.text_document import Document
from rulewright.schema.yaml_fields import all_texts_of, texts_with_flag
from rulewright.sequence.sequence_step import SequenceStep

Target = RuleEntry | TableEntry | SequenceStep | TermEntry | ListItem
"""Everything that has a definition and can be referred to."""


_SENTENCE = re.compile(r"[^.,:;!?]+[.,:;!?]*\s*")


class NameSpan(NamedTuple):
    """A span of a file that names a target."""

    start: int
    end: int
    target: Target | None
    reference: LocatedReference | None = None
    """The reference as the check resolves it."""

    declares: bool = False
    """The span is the definition of the target."""


class IndexedContent:
    """The last content that could be read. `values`: the model of each YAML file."""

    def __init__(self, loaded: LoadedProject, values: Mapping[str, Any]) -> None:
        self.loaded, self.folder, self.values = loaded, loaded.folder, values
        self.shelf = loaded.shelf
        self.symbols_by_file: dict[str, list[Any]] = {}
        """Set by `document_symbols`."""
        self._texts: dict[str, str] = {}
        self._spans: dict[str, list[NameSpan]] = {}
        self._texts_by_file: dict[str, list[LocatedText]] = {}
        self._glossaries: dict[str, Glossary] = {}
        self._outlines: dict[str, Outline | None] = {}
        self.references_by_target: Mapping[Target, list[LocatedReference]] = defaultdict(list)
        self.references_by_file: Mapping[str, list[LocatedReference]] = defaultdict(list)
        for reference in iter_references(self.shelf, self.loaded.manuscripts):
            self.references_by_file[reference.passage.file].append(reference)
            for target in (reference.target, *reference.inside):
                if target:
                    self.references_by_target[target].append(reference)

    def text(self, name: str) -> str:
        """Return a decoded file; offsets in it exclude a BOM."""
        if name not in self._texts:
            self._texts[name] = self.folder.texts.get(name, b"").decode("utf-8-sig", "replace")
        return self._texts[name]

    def outline_of(self, name: str) -> Outline | None:
        """Return the edition of a file, or the one that the front matter of a page names."""
        if name not in self._outlines:
            pages = {page.name: page.edition for page in self.loaded.manuscripts}
            edition = pages.get(name) or self.loaded.library.edition_of(name)
            self._outlines[name] = self.shelf.outlines.get(edition.address) if edition else None
        return self._outlines[name]

    def glossary(self, outline: Outline) -> Glossary:
        address = outline.edition.address
        if address not in self._glossaries:
            self._glossaries[address] = Glossary(outline, self.shelf)
        return self._glossaries[address]

    # -- by file

    def spans_in_file(self, name: str) -> list[NameSpan]:
        """Return the names and definitions in a file, in order and without overlaps."""
        if name not in self._spans:
            reference_spans = [
                NameSpan(*reference_span_in_file(reference), self._target_of(reference), reference)
                for reference in self.references_by_file.get(name, ())
            ]
            declarations = [
                NameSpan(*unquoted_span(text), target, None, True) for text, target in self.declarations(name)
            ]
            spans = [*declarations, *reference_spans, *self._name_key_spans(name)]
            spans.sort(key=lambda span: span[:2])
            disjoint_spans: list[NameSpan] = []
            for span in spans:
                if not disjoint_spans or span.start >= disjoint_spans[-1].end:
                    disjoint_spans.append(span)
            self._spans[name] = disjoint_spans
        return self._spans[name]

    def _target_of(self, located_reference: LocatedReference) -> Target | None:
        """Return the target of a reference; explicit marks to terms have none in the inventory."""
        for reference in located_reference.passage.resolved if located_reference.target is None else ():
            if reference.match.start != located_reference.start:
                continue
            if isinstance(reference, CitableReference) and isinstance(name := reference.citable, TermName):
                glossary = self.glossary(self.shelf.outlines[name.edition.address])
                return next((term for term in glossary.terms if term.words == name.words), None)
        return located_reference.target

    def declarations(self, name: str) -> Iterator[tuple[LocatedText, Target]]:
        """Yield the texts of a file that define a number or name, with their targets."""
        outline = self.outline_of(name)
        named_items = self.named_items(outline) if outline else ()
        return ((text.printed, target) for text, target in named_items if text.file.name == name)

    def named_items(self, outline: Outline) -> Iterator[tuple[LocatedText, Target]]:
        """Yield all targets of an edition, each with the text that defines its number or name."""
        edition = outline.edition
        for entry in outline.ordered_entries:
            yield entry.printed, entry
            if entry.listed_rule and entry.rule:
                yield entry.listed_rule.number, entry
        for table in self.shelf.editions[edition.address].tables:
            yield table.table.number or table.table.title, table.cited_as
        for step in outline.sequence.iter_steps():
            if step.difference in ("", "added"):
                yield step.step.title, step
        if self.shelf.newest.get(edition.address.partition("/")[0]) is edition:
            yield from ((term.words, term) for term in self.glossary(outline).terms)

    def _name_key_spans(self, name: str) -> Iterator[NameSpan]:
        """Yield the values of keys that take the name of a step or table."""
        outline, value = self.outline_of(name), self.values.get(name)
        if outline is None or value is None:
            return
        known = {reference.passage.key for reference in self.references_by_file.get(name, ())}
        for text, field in texts_with_flag(value, "names"):
            if text.key not in known and text.file.name == name:
                name_kind = field.metadata["names"]
                targets: list[Target] = []
                if name_kind in ("step", "id", "activity"):
                    for series_outline in with_series(outline, self.shelf.outlines):
                        targets += series_outline.sequence.steps_named(text)
                elif name_kind == "table" and (table := self.shelf.find_table(outline.edition, text)):
                    targets.append(table.cited_as)
                if targets:
                    yield NameSpan(*unquoted_span(text), targets[0])

    def span_at(self, name: str, index: int) -> NameSpan | None:
        """Return the name at an index, or the step or term mentioned in the text there."""
        spans = self.spans_in_file(name)
        preceding = bisect_right(spans, index, key=lambda span: span.start) - 1
        if preceding >= 0 and spans[preceding].start <= index <= spans[preceding].end:
            return spans[preceding]
        text, outline = self.text_at(name, index), self.outline_of(name)
        if text is None or outline is None:
            return None
        above = (span.target for span in reversed(spans[: preceding + 1]) if span.declares and span.target)
        owner = next(above, None) or outline.sequence.root
        if owner is None or isinstance(owner, ListItem):
            return None
        for sentence in _SENTENCE.finditer(text):  # the glossary links only the first mention in a text
            if index <= text.file_offset(sentence.end()):
                for match in self.glossary(outline).find(Document(sentence[0]), owner):
                    start, end = text.file_span(sentence.start() + match.start, sentence.start() + match.end)
                    if start <= index <= end:
                        return NameSpan(start, end, match.target)
                break
        return None

    def text_at(self, name: str, index: int) -> LocatedText | None:
        if name not in self._texts_by_file:
            file_texts = (text for text in all_texts_of(self.values.get(name)) if text.file.name == name)
            self._texts_by_file[name] = sorted(file_texts, key=lambda text: text.start)
        texts = self._texts_by_file[name]
        preceding = bisect_right(texts, index, key=lambda text: text.start) - 1
        return texts[preceding] if preceding >= 0 and index <= texts[preceding].end else None

    # -- by target

    def place_of(self, target: Target) -> tuple[str, int, int]:
        """Return the file and span that define a target's number or name."""
        match target:
            case RuleEntry():
                text = target.printed
            case TableEntry():
                text = target.table.number or target.table.title.printed
            case SequenceStep():
                text = target.step.title.printed
            case TermEntry():
                text = target.words
            case ListItem():
                return (target.text.file.name, *target.text.file_span(target.start, target.end))
        return (text.file.name, *unquoted_span(text))

    def usages_of(self, target: Target) -> Iterator[tuple[str, int, int]]:
        """Yield the file and span of every reference to a target, including ranges that contain it."""
        for reference in self.references_by_target.get(target, ()):
            yield (reference.passage.file, *reference_span_in_file(reference))
        if isinstance(target, SequenceStep | TermEntry):
            yield from self._iter_mentions(target)

    def _iter_mentions(self, target: SequenceStep | TermEntry) -> Iterator[tuple[str, int, int]]:
        outline = self.shelf.outlines[target.edition.address]
        for _, text, matches in self.glossary(outline).naming_texts():
            for match in matches:
                if match.target is target:
                    yield (text.file.name, *text.file_span(match.start, match.end))
        for name in outline.edition.files if isinstance(target, SequenceStep) else ():
            for span in self._name_key_spans(name):
                if span.target is target:
                    yield name, span.start, span.end


def reference_span_in_file(reference: LocatedReference) -> tuple[int, int]:
    """Return the span of a reference in its file; of an explicit mark, the span of its number."""
    text = reference.passage.text
    return (
        text.file_span(reference.start, reference.end)
        if isinstance(text, LocatedText)
        else (reference.start, reference.end)
    )


def unquoted_span(text: LocatedText) -> tuple[int, int]:
    """Return the span of a scalar in its file, without its quotes."""
    quotes = 1 if text.style in ("'", '"') and not isinstance(text, TextSlice) else 0
    return text.start + quotes, text.end - quotes
