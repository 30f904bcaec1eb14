"""An edition for other programs: `book.json` with its document tree.

It is on the site below the page of the edition; content/docs/data.md documents its form.
"""

from __future__ import annotations

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline
from rulewright.document import nodes
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.nodes import rules_with_level
from rulewright.document.step_builder import StepBuilder
from rulewright.references.glossary import TermEntry
from rulewright.render.exports.table_export import table_data
from rulewright.render.json_writer import JsonObject, JsonWriter
from rulewright.render.render_context import RenderContext
from rulewright.render.search_index import compress_json
from rulewright.schema.problem_reports import to_dict

FORMAT = "rulewright book 4"
"""Name and version of the format; a reader of another version must reject it."""

_LINEAGE = "was formerly retired replaced_by replaces adds_to voids"
_ERRATUM = "status component severity rule part table row column step particular aid of replace insert delete"


def edition_to_json(context: RenderContext, address: str) -> str:
    """Return an edition as JSON, with links from the root of the site."""
    outline, index = context.index.outlines[address], context.index
    builder, writer, edition = context.builders[address], JsonWriter(context), outline.edition
    rules = (found for chapter in outline.chapters for found in rules_with_level(builder.chapter(chapter)))
    entries = index.editions[address].errata_entries
    data: JsonObject = {
        "format": FORMAT,
        "address": address,
        **to_dict(edition.book, "title", "subtitle short publisher"),
        "language": edition.language,
        **to_dict(edition.edition_file, "edition", "date follows extends"),
        "rules": [_rule(rule, level, context, writer) for rule, level in rules],
        "former": {number: entry.key for number, entry in outline.former_numbers.items()},
        **({"sequence": _sequence(outline, builder, writer)} if edition.sequence else {}),
        "tables": [
            table_data(table) | {"href": writer.href(table.cited_as)}
            for table in index.editions[address].tables
        ],
        "terms": [_term(term, builder, writer) for term in context.glossaries[address].terms],
        "errata": [_erratum(entry, writer) for entry in entries if entry.erratum],
        "questions": [_question(entry, builder, writer) for entry in entries if entry.question],
    }
    return compress_json(data) + "\n"


def _rule(rule: nodes.RuleTreeNode, level: int, context: RenderContext, writer: JsonWriter) -> JsonObject:
    entry = context.targets.rule(rule.target)
    stated = entry.rule or entry.listed_rule
    return {
        "number": entry.key,
        "level": level,
        **({"in": entry.parent.key} if entry.parent else {}),
        "href": writer.href(entry),
        **(to_dict(stated, "", _LINEAGE) if stated else {}),
        **writer.fields(rule, "printed", "title", "is_transcribed", "blocks", "attachments", "closing"),
        **({"table": rule.table.target.key} if rule.table else {}),
    }


def _sequence(outline: Outline, builder: DocumentBuilder, writer: JsonWriter) -> JsonObject:
    sequence = outline.edition.sequence
    assert sequence
    steps = [step for step in outline.sequence.narrative_steps if step.step.narrative]
    return {
        "title": sequence.title,
        **({"text": writer.value(builder.blocks(sequence.text))} if sequence.text else {}),
        "groups": writer.value(StepBuilder(builder).groups(outline.sequence.steps)),
        "narrative": [
            {"step": writer.href(step), "blocks": writer.value(builder.blocks(step.step.narrative))}
            for step in steps
            if not step.origin or step.origin.step.narrative != step.step.narrative
        ],
    }


def _term(term: TermEntry, builder: DocumentBuilder, writer: JsonWriter) -> JsonObject:
    return {
        "term": term.words,
        **to_dict(term.term, "", "aliases"),
        "means": writer.value(builder.term_meaning(term)),
        **({"defined_by": term.rule.key} if term.rule else {}),
        "href": writer.href(term),
    }


def _erratum(entry: ErrataEntry, writer: JsonWriter) -> JsonObject:
    return {
        **to_dict(entry.erratum, "number date", f"source {_ERRATUM} after before new says reason"),
        "applied": entry.is_applied,
        "href": writer.href(entry),
    }


def _question(entry: ErrataEntry, builder: DocumentBuilder, writer: JsonWriter) -> JsonObject:
    question = entry.question
    assert question
    return {
        **to_dict(question, "", "number date source rules"),
        "question": writer.value(builder.blocks(question.question)),
        "answer": writer.value(builder.blocks(question.answer)),
        "href": writer.href(entry),
    }
