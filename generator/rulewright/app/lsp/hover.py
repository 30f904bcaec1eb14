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
        said = hover_for_usage(view.reading, spot)
        return (said, spot.start, spot.end) if said else None
    if (sort := sort_of(view.name)) and (
        found := yaml_cursor.key_at_offset(view.lines, index, MODELS[sort], words)
    ):
        name, where = found
        fields = {key: field for key, field, _ in yaml_cursor.fields_of(where.model, words)}
        if name in fields:
            start = view.lines.text.rfind(name, 0, index + len(name))
            return key_documentation(where.model, name, fields[name], words), start, start + len(name)
    return None


def hover_for_usage(reading: IndexedContent, spot: NameSpan) -> str:
    """Tell of the thing that a spot names, and who cites it."""
    if spot.target is None:
        return ""
    thing = spot.target
    said = [thing_summary(_amended(reading, thing), reading.shelf)]
    tables = reading.shelf.tables.get(thing.edition.address, ())
    said += [_rolled(table) for table in tables if table.entry is thing]
    if named := reading.named.get(thing):
        rules = dict.fromkeys(reference.standing for reference in named)
        shown = ", ".join([*rules][:8])
        more = f" and {len(rules) - 8} more" if len(rules) > 8 else ""
        said.append(f"*Cited {plural(len(named), 'time')}: {_escaped(shown)}{more}*")
    return "\n\n".join(said)


def _amended(reading: IndexedContent, thing: Thing) -> Thing:
    if isinstance(thing, RuleEntry):
        outline = reading.examined.shelf.outlines.get(thing.edition.address)
        return (outline.entries.get(thing.key) if outline else None) or thing
    return thing


def thing_summary(thing: Thing, shelf: ReferenceIndex) -> str:
    """A thing in Markdown: its name, where it belongs, and its words."""
    match thing:
        case RuleEntry():
            lines = [*_rule(thing)]
        case SequenceStep():
            lines = [f"**{_escaped(thing.step.title)}** · {thing.step.kind}", _escaped(thing.path)]
            lines += [_prose(thing.step.narrative or thing.step.note)]
        case TableEntry():
            lines = [f"**{_escaped(str(thing))}** · {_escaped(thing.edition.short)}", _rolled(thing)]
        case ListItem():
            lines = [f"**{_escaped(str(thing))}** · {_escaped(thing.edition.short)}", _escaped(thing.words)]
        case TermEntry():
            rule = f" ({thing.rule})" if thing.rule else ""
            means = shelf.plain(thing.term.means, thing.edition)
            lines = [f"**{_escaped(thing.words)}**{_escaped(rule)}", _prose(means)]
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


def _rolled(one: TableEntry) -> str:
    rolls = f"rolled with {_escaped(one.table.roll)}, " if one.table.roll else ""
    return f"Table, {rolls}{plural(len(one.table.rows), 'row')}"


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
    said = [f"**{name}** · {type_title(model)}{must}", field.metadata["meaning"]]
    if chosen := field.metadata.get("words"):
        said.append(" | ".join(f"`{word}`" for word in words[chosen]))
    return "\n\n".join(said)


def _escaped(words: str) -> str:
    return re.sub(r"([\\`*_\[\]<>&#])", r"\\\1", words)
