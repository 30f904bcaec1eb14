"""Hover: a rule with its words, a step, a table, a term, and what a key is for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import Field
from typing import Any

from rulewright.app.lsp import yaml_cursor
from rulewright.app.lsp.content_index import IndexedContent, NameSpan, Thing
from rulewright.app.lsp.open_files import FileView
from rulewright.book.citable_items import ListItem
from rulewright.book.content_files import MODELS, sort_of
from rulewright.book.outline import RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.book.table_entries import TableEntry
from rulewright.citations.glossary import TermEntry
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.model.model_reader import Words, type_title
from rulewright.model.problem_reports import plural
from rulewright.text.text_document import MARK

MOST = 1_500
"""How many letters of a rule are shown."""


def hover(view: FileView, index: int, words: Words) -> tuple[str, int, int] | None:
    """Tell in Markdown of what stands at a place, and from where to where that is written."""
    if spot := view.span_at(index):
        summary = hover_for_usage(view.reading, spot)
        return (summary, spot.start, spot.end) if summary else None
    if (sort := sort_of(view.name)) and (
        key_match := yaml_cursor.key_at_offset(view.lines, index, MODELS[sort], words)
    ):
        name, cursor = key_match
        fields = {key: field for key, field, _ in yaml_cursor.fields_of(cursor.model, words)}
        if name in fields:
            start = view.lines.text.rfind(name, 0, index + len(name))
            return key_documentation(cursor.model, name, fields[name], words), start, start + len(name)
    return None


def hover_for_usage(reading: IndexedContent, spot: NameSpan) -> str:
    """Tell of the thing that a spot names, and who cites it."""
    if spot.target is None:
        return ""
    target = spot.target
    paragraphs = [thing_summary(_amended(reading, target), reading.shelf)]
    tables = reading.shelf.tables.get(target.edition.address, ())
    paragraphs += [_rolled(table) for table in tables if table.entry is target]
    if references := reading.named.get(target):
        rules = dict.fromkeys(reference.standing for reference in references)
        sources = ", ".join([*rules][:8])
        more = f" and {len(rules) - 8} more" if len(rules) > 8 else ""
        paragraphs.append(f"*Cited {plural(len(references), 'time')}: {_escaped(sources)}{more}*")
    return "\n\n".join(paragraphs)


def _amended(reading: IndexedContent, target: Thing) -> Thing:
    if isinstance(target, RuleEntry):
        outline = reading.examined.shelf.outlines.get(target.edition.address)
        return (outline.entries.get(target.key) if outline else None) or target
    return target


def thing_summary(target: Thing, shelf: ReferenceIndex) -> str:
    """A thing in Markdown: its name, where it belongs, and its words."""
    match target:
        case RuleEntry():
            lines = [*_rule(target)]
        case SequenceStep():
            lines = [f"**{_escaped(target.step.title)}** · {target.step.kind}", _escaped(target.path)]
            lines += [_prose(target.step.narrative or target.step.note)]
        case TableEntry():
            lines = [f"**{_escaped(str(target))}** · {_escaped(target.edition.short)}", _rolled(target)]
        case ListItem():
            lines = [
                f"**{_escaped(str(target))}** · {_escaped(target.edition.short)}",
                _escaped(target.words),
            ]
        case TermEntry():
            rule = f" ({target.rule})" if target.rule else ""
            means = shelf.plain(target.term.means, target.edition)
            lines = [f"**{_escaped(target.words)}**{_escaped(rule)}", _prose(means)]
    return "\n\n".join(filter(None, lines))


def _rule(entry: RuleEntry) -> Iterator[str]:
    title = f" {_escaped(entry.title)}" if entry.title else ""
    yield f"**{entry.display_number}{title}** · {_escaped(entry.edition.short)}"
    if retired := entry.retired:
        instead = f"; now {', '.join(map(str, retired.replaced_by))}" if retired.replaced_by else ""
        yield f"*Retired{_escaped(instead)}.*"
    if entry.rule is None:
        yield "*Listed, not transcribed.*"
    else:
        yield _prose(entry.rule.text)
        if entry.children and not entry.rule.text:
            yield "\n".join(f"- {_escaped(str(child))}" for child in entry.children[:12])
        yield _prose(entry.rule.closing)


def _rolled(table: TableEntry) -> str:
    rolls = f"rolled with {_escaped(table.table.roll)}, " if table.table.roll else ""
    return f"Table, {rolls}{plural(len(table.table.rows), 'row')}"


def _prose(text: str | None) -> str:
    """A text as Markdown, which it nearly is: marks become their words, and what is long is cut."""
    if text is None:
        return ""
    words = MARK.sub(lambda m: m[1] or m[2] or "", text)
    words = re.sub(r"[<&]", lambda m: {"<": "&lt;", "&": "&amp;"}[m[0]], words)
    return words if len(words) <= MOST else f"{words[:MOST].rpartition(' ')[0]} …"


def key_documentation(model: Any, name: str, field: Field[Any], words: Words) -> str:
    """A key in Markdown: what it is for, whether it must be there, the words that it may be."""
    must = " · required" if field.metadata.get("must") else ""
    paragraphs = [f"**{name}** · {type_title(model)}{must}", field.metadata["meaning"]]
    if chosen := field.metadata.get("words"):
        paragraphs.append(" | ".join(f"`{word}`" for word in words[chosen]))
    return "\n\n".join(paragraphs)


def _escaped(words: str) -> str:
    return re.sub(r"([\\`*_\[\]<>&#])", r"\\\1", words)
