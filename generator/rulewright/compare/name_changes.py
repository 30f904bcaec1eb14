"""Renamed steps, tables and terms, and the places where texts use their former names.

A lock records each name with a digest of the other words of its item. If a recorded name no longer exists and
a new name has the same digest, the item was renamed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from rulewright.book.lock_file import UNKNOWN, RecordedName, RecordedRule
from rulewright.book.outline import Outline
from rulewright.book.related_outlines import find_outline, with_series
from rulewright.compare.stale_reference_problems import RENAMED, StaleReference
from rulewright.compare.typography import normalize_typography
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.references.content_page import ContentPage
from rulewright.references.glossary import step_spellings, steps_with_names
from rulewright.references.name_finder import NameFinder, NameSpelling
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import LocatedReference, ReferencingText
from rulewright.schema.step import INSIDE
from rulewright.schema.yaml_fields import all_texts_of, texts_with_flag
from rulewright.sequence.sequence_step import SequenceStep

Pair = tuple[NameSpelling[str], str]
"""A former name, which is its own target, and the new one."""

_DIGITS = re.compile(r"\d[\w.()]*")
_AMOUNT = re.compile(r"(?:[\d½¼¾⅓⅔⅛/.,]+\s*)?")
_NOT_COMPARED = (
    "title",
    "was",
    "id",
    "number",
    *INSIDE.values(),
    "exceptions",
    "then",
    "abbreviation",
    "since",
    "until",
)
"""Keys that name an item or hold other items."""


@dataclass(frozen=True, slots=True)
class NamedItem:
    """A step, a table or a term of an edition."""

    sort: str
    title: str
    part: Any
    context: tuple[str, str] = ("", "")
    """Names of its outer step and of the step before it."""

    def recorded(self, former_names: Mapping[str, str]) -> RecordedName:
        """Return its record, with a digest of its words without numbers and in a context of former names."""
        keys = (key.name for key in fields(self.part) if key.name not in _NOT_COMPARED)
        texts = [text for key in keys for text in all_texts_of(getattr(self.part, key))]
        outer, before = (former_names.get(name, name) for name in self.context)
        words = f"{outer} {before} {normalize_typography(_DIGITS.sub('#', ' | '.join(texts)))}"
        return RecordedName(self.sort, hashlib.sha256(words.encode()).hexdigest()[:12], self.title)


def _named_items(outline: Outline, index: ReferenceIndex) -> dict[tuple[str, str], NamedItem]:
    """Return the items of an edition by sort and name, in order; of several with a name, the first."""
    items: list[NamedItem] = []
    last_names: dict[SequenceStep | None, str] = {}
    for step in outline.sequence.iter_steps():
        title, outer = " ".join(step.step.title.split()), step.parent
        context = " ".join(outer.step.title.split()) if outer else "", last_names.get(outer, "")
        last_names[outer] = title
        if step.difference != "dropped":
            items.append(NamedItem(f"step {step.step.kind}", title, step.own_keys, context))
    tables = (table.table for table in index.editions[outline.edition.address].tables)
    items += (NamedItem("table", " ".join(table.title.split()), table) for table in tables)
    items += (NamedItem("term", str(words), term) for words, term in outline.edition.book.terms.items())
    return {(item.sort, item.title): item for item in reversed(items)}


def current_names(outline: Outline, index: ReferenceIndex) -> set[RecordedName]:
    """Return the records of all names of an edition."""
    return {item.recorded({}) for item in _named_items(outline, index).values()}


def find_renamed(
    outline: Outline, index: ReferenceIndex, records: Iterable[RecordedName]
) -> dict[RecordedName, NamedItem]:
    """Return the items that were renamed, by the records of their former names."""
    known = {(record.sort, record.name): record for record in sorted(records)}
    items = _named_items(outline, index) if known else {}
    lost = [record for key, record in known.items() if key not in items]
    new = [item for key, item in reversed(items.items()) if key not in known] if lost else []
    renamed: dict[RecordedName, NamedItem] = {}
    former_names: dict[str, str] = {}
    for item in new:
        record = item.recorded(former_names)
        equal = [old for old in lost if old not in renamed and old[:2] == record[:2]]
        if equal:
            renamed[equal[0]] = item
            former_names[item.title] = equal[0].name
    return renamed


def find_outdated_names(
    outline: Outline, index: ReferenceIndex, pages: Sequence[ContentPage], changed: Sequence[Pair]
) -> Iterator[StaleReference]:
    """Yield every place where texts of an edition, and of games that extend it, use a former name."""
    new_names = {spelling.words: name for spelling, name in changed}
    # Current names are found too, since a former name may be a part of one.
    spellings: list[NameSpelling[str]] = []
    for step in steps_with_names(outline):
        spellings += (NameSpelling(name.words, "", *name[2:]) for name in step_spellings(step))
    for spelling, new in changed:
        spellings += [NameSpelling(new, "", is_title=spelling.is_title), spelling]
    names = NameFinder(spellings)
    for passage in _passages(outline, index, pages):
        text = passage.prose
        for start, end, matches in names.certain_matches(text, ()):
            name = matches[0]
            if not all(spelling.target for spelling in matches):
                continue
            amount = _AMOUNT.match(text[start:end])
            start += amount.end() if amount and not name.words[0].isdigit() else 0
            is_mark = text[max(0, start - 2) : start] in ("[[", "") and text[end : end + 2] in ("]]", "")
            if name.is_title and " " not in name.words and not is_mark:
                continue  # it may be any word
            address, new = outline.edition.address, new_names[name.words]
            span = passage, start, end
            reference = LocatedReference(address, "", name.words, None, outline, None, *span, shows=True)
            record = RecordedRule("", new, UNKNOWN, UNKNOWN, 0)
            yield StaleReference(RENAMED, reference, record, None, _rewrite(text[start:end], name, new))


def _passages(
    outline: Outline, index: ReferenceIndex, pages: Sequence[ContentPage]
) -> Iterator[ReferencingText]:
    """Yield each text of an edition and of games that extend it, and their pages."""
    searched: set[TextKey] = set()
    for other in index.outlines.values():
        if outline not in with_series(other, index.outlines):
            continue
        edition = other.edition
        texts = [text for text in _edition_texts(other, index) if text.file.name in edition.shared]
        texts += (text for text in _edition_texts(other, index) if edition.has_written(text))
        texts += (page.text for page in pages if page.edition is edition)
        for text in texts:
            if text.key not in searched:
                searched.add(text.key)
                yield ReferencingText(text, (), other, other.default_chapter)


def _edition_texts(outline: Outline, index: ReferenceIndex) -> Iterator[LocatedText]:
    """Yield the texts of an edition, and in the newest one those of terms, without names and numbers."""
    edition = outline.edition
    parts: list[Any] = [*edition.chapters, edition.sequence, *edition.tables, *edition.aids]
    parts += [edition.errata, edition.questions]
    if find_outline(edition.address.partition("/")[0], index.outlines) is outline:
        parts += edition.book.terms.values()
    for part in filter(None, parts):
        flagged = texts_with_flag(part, "apart")
        names = {text.key for text, key in flagged if key.metadata["apart"] == "name"}
        yield from (text.printed for text in all_texts_of(part) if text.key not in names)


def _rewrite(words: str, name: NameSpelling[str], new: str) -> str:
    """Return a new name written as the former one in a text: same number, same case, same line ends."""
    old, plural = " ".join(words.split()), ""
    if len(old) == len(name.words) + 1:
        plural = "s"
    if old[:1].isupper() and name.words[:1].islower():
        new = f"{new[0].upper()}{new[1:]}"
    parts, gaps = new.split(), re.findall(r"\s+", words)
    gaps = [*gaps, *[" "] * len(parts)][: len(parts) - 1]
    return "".join(f"{part}{gap}" for part, gap in zip(parts, [*gaps, plural], strict=True))
