"""Writer of errata and answered questions as JSON for Typst."""

from __future__ import annotations

from rulewright.book.errata_entries import ErrataEntry
from rulewright.print.node_writer import Json, JsonObject, NodeWriter
from rulewright.schema.erratum import Erratum


def write_errata_entry(entry: ErrataEntry, writer: NodeWriter) -> JsonObject:
    """Return an entry: its name, its subjects, its facts in a line, and its body, a list of blocks."""
    source = entry.source
    subjects = [writer.context.name(target) for target in writer.context.targets_by_entry.get(entry, ())]
    facts: list[object] = [source.date]
    if isinstance(source, Erratum):
        subjects += [writer.name(source.of)] if source.of else []
        facts += [source.severity_or_default, "" if source.is_official else source.status]
        if source.is_official and source.quotes_text and not entry.is_applied and not entry.is_future:
            facts.append("not applied")
        body = _with_lead(_change(source, writer), writer.blocks(source.says or source.insert or source.new))
        if source.reason:
            body.append({"p": [{"i": writer.inline(source.reason)}]})
    else:
        body = _with_lead("Question: ", writer.blocks(source.question))
        body += _with_lead("Answer: ", writer.blocks(source.answer))
    facts += [source.source, f"in force from {source.since}" if entry.is_future else ""]
    facts_line = " · ".join(writer.name(fact) for fact in facts if fact)
    return {"name": str(entry), "of": ", ".join(subjects), "facts": facts_line, "body": body}


def _change(erratum: Erratum, writer: NodeWriter) -> str:
    """Return the words before the new ones: the place in a table or a step, and what is replaced."""
    place = [writer.name(text) for text in (erratum.row, erratum.column, erratum.particular) if text]
    lead = f"{', '.join(place)}: " if place else ""
    phrases = {
        "After “{}” add: ": erratum.after,
        "Before “{}” add: ": erratum.before,
        "“{}” becomes: ": erratum.replace,
        "Delete “{}”.": erratum.delete,
    }
    for phrase, words in phrases.items():
        if words:
            return lead + phrase.format(writer.name(words))
    return f"{lead}At the end add: " if erratum.insert else lead


def _with_lead(lead: str, blocks: list[Json]) -> list[Json]:
    """Return blocks that begin with some words, in the line of the first block if it is a paragraph."""
    match blocks:
        case [dict(first), *rest] if lead and "p" in first:
            return [{**first, "p": [lead, *first["p"]]}, *rest]
    return [{"p": [lead.strip()]}, *blocks] if lead else blocks
