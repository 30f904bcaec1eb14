"""Hover: a rule with its words, a step, a table, a term, and what a key is for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import Field
from typing import Any

from rulewright.app.lsp import cursor
from rulewright.app.lsp.reading import Reading, Spot, Thing
from rulewright.app.lsp.views import View
from rulewright.book.cited_things import ListItem
from rulewright.book.content_files import MODELS, sort_of
from rulewright.book.outline import Entry
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import TableEntry
from rulewright.citations.glossary import TermEntry
from rulewright.citations.shelf import Shelf
from rulewright.model.reader import Words, called
from rulewright.model.reports import several
from rulewright.text.document import MARK

MOST = 1_500
"""How many letters of a rule are shown."""


def hover(view: View, index: int, words: Words) -> tuple[str, int, int] | None:
    """Tell in Markdown of what stands at a place, and from where to where that is written."""
    if spot := view.at(index):
        said = of_spot(view.reading, spot)
        return (said, spot.start, spot.end) if said else None
    if (sort := sort_of(view.name)) and (found := cursor.key_at(view.lines, index, MODELS[sort], words)):
        name, where = found
        fields = {key: field for key, field, _ in cursor.fields_of(where.model, words)}
        if name in fields:
            start = view.lines.text.rfind(name, 0, index + len(name))
            return explained(where.model, name, fields[name], words), start, start + len(name)
    return None


def of_spot(reading: Reading, spot: Spot) -> str:
    """Tell of the thing that a spot names, and who cites it."""
    if spot.thing is None:
        return ""
    thing = spot.thing
    said = [summary(_amended(reading, thing), reading.shelf)]
    tables = reading.shelf.tables.get(thing.edition.address, ())
    said += [_rolled(one) for one in tables if one.entry is thing]
    if named := reading.named.get(thing):
        rules = dict.fromkeys(one.standing for one in named)
        shown = ", ".join([*rules][:8])
        more = f" and {len(rules) - 8} more" if len(rules) > 8 else ""
        said.append(f"*Cited {several(len(named), 'time')}: {_escaped(shown)}{more}*")
    return "\n\n".join(said)


def _amended(reading: Reading, thing: Thing) -> Thing:
    if isinstance(thing, Entry):
        outline = reading.examined.shelf.outlines.get(thing.edition.address)
        return (outline.entries.get(thing.key) if outline else None) or thing
    return thing


def summary(thing: Thing, shelf: Shelf) -> str:
    """A thing in Markdown: its name, where it belongs, and its words."""
    match thing:
        case Entry():
            lines = [*_rule(thing)]
        case StepEntry():
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


def _rule(entry: Entry) -> Iterator[str]:
    title = f" {_escaped(entry.title)}" if entry.title else ""
    yield f"**{entry.shown}{title}** · {_escaped(entry.edition.short)}"
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
    return f"Table, {rolls}{several(len(one.table.rows), 'row')}"


def _prose(text: str | None) -> str:
    """A text as Markdown, which it nearly is: marks become their words, and what is long is cut."""
    if text is None:
        return ""
    words = MARK.sub(lambda m: m[1] or m[2] or "", text)
    words = re.sub(r"[<&]", lambda m: {"<": "&lt;", "&": "&amp;"}[m[0]], words)
    return words if len(words) <= MOST else f"{words[:MOST].rpartition(' ')[0]} …"


def explained(model: Any, name: str, field: Field[Any], words: Words) -> str:
    """A key in Markdown: what it is for, whether it must be there, the words that it may be."""
    must = " · required" if field.metadata.get("must") else ""
    said = [f"**{name}** · {called(model)}{must}", field.metadata["meaning"]]
    if chosen := field.metadata.get("words"):
        said.append(" | ".join(f"`{word}`" for word in words[chosen]))
    return "\n\n".join(said)


def _escaped(words: str) -> str:
    return re.sub(r"([\\`*_\[\]<>&#])", r"\\\1", words)
