"""Hover: the text of a rule, step, table or term, and the description of a key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import Field
from typing import Any

from rulewright.app.lsp import yaml_cursor
from rulewright.app.lsp.content_index import IndexedContent, NameSpan, Target
from rulewright.app.lsp.open_files import FileView
from rulewright.book.content_files import MODELS, sort_of
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.references.citable_items import ListItem
from rulewright.references.glossary import TermEntry
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.model_reader import type_title
from rulewright.schema.problem_reports import plural
from rulewright.schema.rulebook import SETS
from rulewright.schema.text_document import MARK
from rulewright.sequence.sequence_step import SequenceStep

MAX_LENGTH = 1_500
"""Maximum length of the text that is shown."""


def hover(view: FileView, index: int) -> tuple[str, int, int] | None:
    """Return Markdown for the name or key at an index, and its span."""
    if span := view.span_at(index):
        summary = hover_for_usage(view.content, span)
        return (summary, span.start, span.end) if summary else None
    if (file_kind := sort_of(view.name)) and (
        key_match := yaml_cursor.key_at_offset(view.lines, index, MODELS[file_kind])
    ):
        name, cursor = key_match
        fields = {key: field for key, field, _ in yaml_cursor.fields_of(cursor.model)}
        if name in fields:
            start = view.lines.text.rfind(name, 0, index + len(name))
            return key_documentation(cursor.model, name, fields[name]), start, start + len(name)
    return None


def hover_for_usage(content: IndexedContent, span: NameSpan) -> str:
    """Return Markdown for the target of a name, with the rules that refer to it."""
    if span.target is None:
        return ""
    target = span.target
    paragraphs = [target_summary(target, content.shelf)]
    tables = content.shelf.editions[target.edition.address].tables
    paragraphs += [_table_summary(table) for table in tables if table.entry is target]
    if references := content.references_by_target.get(target):
        rules = dict.fromkeys(reference.standing for reference in references)
        sources = ", ".join([*rules][:8])
        more = f" and {len(rules) - 8} more" if len(rules) > 8 else ""
        paragraphs.append(f"*Cited {plural(len(references), 'time')}: {_escaped(sources)}{more}*")
    return "\n\n".join(paragraphs)


def target_summary(target: Target, shelf: ReferenceIndex) -> str:
    """Return the name, edition and text of a target in Markdown."""
    match target:
        case RuleEntry():
            lines = [*_rule_paragraphs(target)]
        case SequenceStep():
            lines = [f"**{_escaped(target.step.title)}** · {target.step.kind}", _escaped(target.path)]
            lines += [_as_markdown(target.step.narrative or target.step.note)]
        case TableEntry():
            lines = [
                f"**{_escaped(str(target))}** · {_escaped(target.edition.short)}",
                _table_summary(target),
            ]
        case ListItem():
            lines = [
                f"**{_escaped(str(target))}** · {_escaped(target.edition.short)}",
                _escaped(target.words),
            ]
        case TermEntry():
            rule = f" ({target.rule})" if target.rule else ""
            means = shelf.plain_text_in(target.term.means, target.edition)
            lines = [f"**{_escaped(target.words)}**{_escaped(rule)}", _as_markdown(means)]
    return "\n\n".join(filter(None, lines))


def _rule_paragraphs(entry: RuleEntry) -> Iterator[str]:
    title = f" {_escaped(entry.title)}" if entry.title else ""
    yield f"**{entry.display_number}{title}** · {_escaped(entry.edition.short)}"
    if retired := entry.retired:
        instead = f"; now {', '.join(map(str, retired.replaced_by))}" if retired.replaced_by else ""
        yield f"*Retired{_escaped(instead)}.*"
    if entry.rule is None:
        yield "*Listed, not transcribed.*"
    else:
        yield _as_markdown(entry.rule.text)
        if entry.children and not entry.rule.text:
            yield "\n".join(f"- {_escaped(str(child))}" for child in entry.children[:12])
        yield _as_markdown(entry.rule.closing)


def _table_summary(table: TableEntry) -> str:
    rolls = f"rolled with {_escaped(table.table.roll)}, " if table.table.roll else ""
    return f"Table, {rolls}{plural(len(table.table.rows), 'row')}"


def _as_markdown(text: str | None) -> str:
    """Convert a text to Markdown: write explicit marks as plain words and cut long texts."""
    if text is None:
        return ""
    words = MARK.sub(lambda m: m[1] or m[2] or "", text)
    words = re.sub(r"[<&]", lambda m: {"<": "&lt;", "&": "&amp;"}[m[0]], words)
    return words if len(words) <= MAX_LENGTH else f"{words[:MAX_LENGTH].rpartition(' ')[0]} …"


def key_documentation(model: Any, name: str, field: Field[Any]) -> str:
    """Return Markdown for a key: its meaning, whether it is required and its allowed words."""
    must = " · required" if field.metadata.get("must") else ""
    paragraphs = [f"**{name}** · {type_title(model)}{must}", field.metadata["meaning"]]
    if word_set := field.metadata.get("words"):
        paragraphs.append(" | ".join(f"`{word}`" for word in SETS[word_set]))
    return "\n\n".join(paragraphs)


def _escaped(words: str) -> str:
    return re.sub(r"([\\`*_\[\]<>&#])", r"\\\1", words)
