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
        body = _change(source, writer)
    else:
        body = _with_lead("Question: ", writer.blocks(source.question))
        body += _with_lead("Answer: ", writer.blocks(source.answer))
    facts += [source.source, f"in force from {source.since}" if entry.is_future else ""]
    facts_line = " · ".join(writer.name(fact) for fact in facts if fact)
    return {"name": str(entry), "of": ", ".join(subjects), "facts": facts_line, "body": body}


def _change(erratum: Erratum, writer: NodeWriter) -> list[Json]:
    quoted = {
        key: f"“{writer.name(getattr(erratum, key))}”" for key in ("after", "before", "replace", "delete")
    }
    place = (erratum.row, erratum.column, erratum.particular)
    lead = ", ".join(writer.name(text) for text in place if text)
    lead += ": " if lead else ""
    if erratum.insert:
        side = "after" if erratum.after else "before" if erratum.before else ""
        lead += f"{side.capitalize()} {quoted[side]} add: " if side else "At the end add: "
    elif erratum.replace:
        lead += f"{quoted['replace']} becomes: "
    elif erratum.delete:
        lead += f"Delete {quoted['delete']}."
    body = _with_lead(lead, writer.blocks(erratum.says or erratum.insert or erratum.new))
    for block in writer.blocks(erratum.reason):
        body.append({"p": [{"i": block["p"]}]} if isinstance(block, dict) and "p" in block else block)
    return body


def _with_lead(lead: str, blocks: list[Json]) -> list[Json]:
    """Return blocks that begin with some words, in the line of the first block if it is a paragraph."""
    first = blocks[0] if blocks else ""
    if lead and isinstance(first, dict) and "p" in first:
        return [{**first, "p": [lead, *first["p"]]}, *blocks[1:]]
    return [{"p": [lead.strip()]}, *blocks] if lead else blocks
