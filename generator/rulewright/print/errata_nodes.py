"""Errata and answered questions as nodes: what each is of, when and how sure it is, and what it changes."""

from __future__ import annotations

from rulewright.book.errata_entries import ErrataEntry
from rulewright.print.node_writer import Json as Node
from rulewright.print.node_writer import JsonObject as TemplateData
from rulewright.print.node_writer import NodeWriter
from rulewright.schema.erratum import Erratum


def errata_entry_node(one: ErrataEntry, words: NodeWriter) -> TemplateData:
    """An entry: its `name`, what it is `of`, its `facts` in a line, and its `body`, a list of blocks."""
    part = one.source
    of = [words.context.name(thing) for thing in words.context.targets_by_entry.get(one, ())]
    facts = [words.name(part.date)] if part.date else []
    if isinstance(part, Erratum):
        of += [words.name(part.of)] if part.of else []
        facts.append(part.severity_or_default)
        body = _change(part, words)
        if not part.is_official:
            facts.append(words.name(part.status))
        elif part.quotes_text and not one.is_applied and not one.is_future:
            facts.append("not applied")
    else:
        body = [
            *_said("Question: ", words.blocks(part.question)),
            *_said("Answer: ", words.blocks(part.answer)),
        ]
    facts += [words.name(part.source)] if part.source else []
    facts += [f"in force from {part.since}"] if one.is_future else []
    return {"name": str(one), "of": ", ".join(of), "facts": " · ".join(facts), "body": body}


def _change(part: Erratum, words: NodeWriter) -> list[Node]:
    place = ", ".join(words.name(text) for text in (part.row, part.column, part.particular) if text)
    where = f"{place}: " if place else ""
    if part.says:
        made = _said(where, words.blocks(part.says))
    elif part.insert:
        beside = part.after or part.before
        side = f"{'After' if part.after else 'Before'} “{words.name(beside)}”" if beside else "At the end"
        made = _said(f"{where}{side} add: ", words.blocks(part.insert))
    elif part.replace:
        new = words.blocks(part.new) if part.new else []
        made = _said(f"{where}“{words.name(part.replace)}” becomes: ", new)
    else:
        made = [{"p": [f"{where}Delete “{words.name(part.delete)}”."]}]
    reason = words.blocks(part.reason) if part.reason else []
    return made + [
        {"p": [{"i": one["p"]}]} if isinstance(one, dict) and "p" in one else one for one in reason
    ]


def _said(lead: str, blocks: list[Node]) -> list[Node]:
    """Blocks that begin with some words, in the line of the first where that is a paragraph."""
    first = blocks[0] if blocks else ""
    if lead and isinstance(first, dict) and "p" in first:
        return [{**first, "p": [lead, *first["p"]]}, *blocks[1:]]
    return [{"p": [lead.strip()]}, *blocks] if lead else blocks
