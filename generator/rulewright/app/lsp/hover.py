"""Hover: the text of a rule, step, table or term, and the description of a key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import Field
from typing import Any

from rulewright.app.lsp.file_view import FileView
from rulewright.book.content_files import MODELS, sort_of
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.references.citable_items import ListItem, full_name
from rulewright.references.glossary import TermEntry
from rulewright.references.name_spans import Target
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema import position
from rulewright.schema.model_reader import type_title
from rulewright.schema.problem_reports import join_some, plural
from rulewright.schema.rulebook import SETS
from rulewright.schema.text_document import MARK
from rulewright.sequence.sequence_step import SequenceStep

MAX_LENGTH = 1_500
"""Maximum length of the text that is shown."""

MAX_SOURCES = 8
"""Maximum number of rules and steps that are named as sources of references."""


def hover(view: FileView, offset: int) -> tuple[str, int, int] | None:
    """Return Markdown for the name or key at an offset, and its span."""
    span = view.span_at(offset)
    if span and (current := view.offsets.to_new(span.start, span.end)):
        return (describe_target(span.target, view.content.project.index), *current)
    model = MODELS.get(sort_of(view.name) or "")
    place = position.at(view.lines.text, offset, model) if model else None
    if place and place.model and (key := re.compile(r"\w[\w -]*").match(view.lines.text, place.start)):
        keys = position.keys_of(place.model)
        if key[0] in keys:
            return (describe_key(place.model, key[0], keys[key[0]][0]), *key.span())
    return None


def describe_target(target: Target, index: ReferenceIndex) -> str:
    """Return the name, edition, text and sources of a target in Markdown."""
    edition = f" · {_escaped(target.edition.short)}"
    match target:
        case RuleEntry():
            paragraphs = [*_rule_paragraphs(target, edition)]
        case SequenceStep():
            paragraphs = [f"**{_escaped(target.step.title)}** · {target.step.kind}", _escaped(target.path)]
            paragraphs += [_as_markdown(target.step.narrative or target.step.note)]
        case TableEntry():
            paragraphs = [f"**{_escaped(str(target))}**{edition}"]
        case ListItem():
            paragraphs = [f"**{_escaped(str(target))}**{edition}", _escaped(target.words)]
        case TermEntry():
            rule = _escaped(f" ({target.rule})" if target.rule else "")
            means = index.plain_text_in(target.term.means, target.edition)
            paragraphs = [f"**{_escaped(target.words)}**{rule}", _as_markdown(means)]
    if isinstance(target, RuleEntry | TableEntry):
        if entry := index.tables_by_target.get(target):
            rolls = f"rolled with {_escaped(entry.table.roll)}, " if entry.table.roll else ""
            paragraphs.append(f"Table, {rolls}{plural(len(entry.table.rows), 'row')}")
        if sources := index.cited_by.get(target):
            names = join_some([*map(full_name, sources)], MAX_SOURCES)
            paragraphs.append(f"*Cited by {_escaped(names)}*")
    return "\n\n".join(filter(None, paragraphs))


def _rule_paragraphs(entry: RuleEntry, edition: str) -> Iterator[str]:
    yield f"**{_escaped(str(entry))}**{edition}"
    if retired := entry.retired:
        instead = f"; now {', '.join(map(str, retired.replaced_by))}" if retired.replaced_by else ""
        yield f"*Retired{_escaped(instead)}.*"
    if entry.rule is None:
        yield "*Listed, not transcribed.*"
        return
    yield _as_markdown(entry.rule.text)
    if not entry.rule.text:
        yield "\n".join(f"- {_escaped(str(child))}" for child in entry.children[:12])
    yield _as_markdown(entry.rule.closing)


def _as_markdown(text: str | None) -> str:
    """Convert a text to Markdown: write explicit marks as plain words and cut long texts."""
    words = MARK.sub(lambda m: m[1] or m[2] or "", text or "").replace("&", "&amp;").replace("<", "&lt;")
    return words if len(words) <= MAX_LENGTH else f"{words[:MAX_LENGTH].rpartition(' ')[0]} …"


def describe_key(model: Any, key: str, field: Field[Any]) -> str:
    """Return Markdown for a key: its meaning, whether it is required and its allowed words."""
    must = " · required" if field.metadata.get("must") else ""
    paragraphs = [f"**{key}** · {type_title(model)}{must}", field.metadata["meaning"]]
    if word_set := field.metadata.get("words"):
        paragraphs.append(" | ".join(f"`{word}`" for word in SETS[word_set]))
    return "\n\n".join(paragraphs)


def _escaped(words: str) -> str:
    return re.sub(r"([\\`*_\[\]<>&#])", r"\\\1", words)
