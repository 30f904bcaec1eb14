"""An edition for programs: JSON with everything in it, from which the book can be made again.

`book.json` of each edition is on the site, `ocs/4.3/book.json`; content/docs/data.md documents its form.
Texts are written from the document tree. `content` has the files of the book and the edition as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import BookLibrary
from rulewright.document import nodes
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.nodes import rules_with_level
from rulewright.files.content_folder import CONTENT
from rulewright.references.glossary import TermEntry
from rulewright.render.exports import sequence_json, table_export
from rulewright.render.exports.table_export import JsonObject
from rulewright.render.json_writer import JsonWriter, without_empty
from rulewright.render.render_context import RenderContext
from rulewright.schema.problem_reports import to_dict

FORMAT = "rulewright book 2"
"""Name and version of the format; a reader of another version must reject it."""

_LINEAGE = "was formerly retired replaced_by replaces adds_to voids"
_ERRATUM = "status component severity rule part table row column step particular aid of replace insert delete"


def edition_to_json(context: RenderContext, address: str, library: BookLibrary, base: str = "") -> str:
    """Return an edition as JSON, with links below `base`, the URL of the site."""
    outline, index = context.index.outlines[address], context.index
    builder, writer, edition = context.builders[address], JsonWriter(context, base), outline.edition
    rules = (found for chapter in outline.chapters for found in rules_with_level(builder.chapter(chapter)))
    data: JsonObject = {
        "format": FORMAT,
        "address": address,
        **to_dict(edition.book, "title", "subtitle short publisher"),
        "language": edition.language,
        **to_dict(edition.edition_file, "edition", "date follows extends"),
        "rules": [_rule(rule, level, context, writer) for rule, level in rules],
        "former": {number: entry.key for number, entry in outline.former_numbers.items()},
    }
    if edition.sequence:
        data["sequence"] = sequence_json.sequence_data(outline, index, base)
    entries = index.editions[address].errata_entries
    names = (name for name in sorted(library.texts) if _is_of(name, address))
    others = (name for name in sorted(library.other_files) if _is_of(name, address))
    data |= {
        "tables": [
            table_export.table_data(table) | {"href": writer.href(table.cited_as)}
            for table in index.editions[address].tables
        ],
        "terms": [_term(term, builder, writer) for term in context.glossaries[address].terms],
        "errata": [_erratum(entry, writer) for entry in entries if entry.erratum],
        "questions": [_question(entry, builder, writer) for entry in entries if entry.question],
        "content": {
            name.removeprefix(f"{CONTENT}/"): library.texts[name].decode("utf-8", "replace") for name in names
        },
        "files": [name.removeprefix(f"{CONTENT}/") for name in others],
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def content_from_json(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the content files of an edition from its JSON, by their names below the content folder.

    Raises ValueError, TypeError or LookupError if it has no content.
    """
    if data["format"] != FORMAT:
        raise ValueError(f"not {FORMAT}")
    texts = dict(data["content"])
    if not (texts and all(isinstance(text, str) for text in texts.values())):
        raise ValueError("without content")
    return texts


def _is_of(name: str, address: str) -> bool:
    """Return whether a file belongs to an edition, or to all editions of its book."""
    book = f"{CONTENT}/{address.partition('/')[0]}/"
    return name.startswith(f"{CONTENT}/{address}/") or (name.startswith(book) and name.count("/") == 2)


def _rule(rule: nodes.RuleTreeNode, level: int, context: RenderContext, writer: JsonWriter) -> JsonObject:
    entry = context.targets.rule(rule.target)
    stated = entry.rule or entry.listed_rule
    return without_empty({
        "number": entry.key,
        "printed": rule.printed,
        "level": level,
        "in": entry.parent.key if entry.parent else "",
        "title": rule.plain_title,
        "href": writer.href(entry),
        **(to_dict(stated, "", _LINEAGE) if stated else {}),
        "known": "" if rule.is_transcribed else "by number only",
        "text": writer.blocks(rule.blocks),
        "attachments": writer.blocks(rule.attachments),
        "table": rule.table.target.key if rule.table else "",
        "closing": writer.blocks(rule.closing),
    })  # fmt: skip


def _term(term: TermEntry, builder: DocumentBuilder, writer: JsonWriter) -> JsonObject:
    return without_empty({
        "term": term.words,
        "aliases": term.term.aliases,
        "means": writer.inline(builder.term_meaning(term)),
        "defined_by": term.rule.key if term.rule else "",
        "href": writer.href(term),
    })  # fmt: skip


def _erratum(entry: ErrataEntry, writer: JsonWriter) -> JsonObject:
    erratum = entry.erratum
    return {
        **to_dict(erratum, "number date", f"source {_ERRATUM} after before new says reason"),
        "applied": entry.is_applied,
        "href": writer.href(entry),
    }


def _question(entry: ErrataEntry, builder: DocumentBuilder, writer: JsonWriter) -> JsonObject:
    question = entry.question
    assert question
    return {
        **to_dict(question, "", "number date source rules"),
        "question": writer.blocks(builder.blocks(question.question)),
        "answer": writer.blocks(builder.blocks(question.answer)),
        "href": writer.href(entry),
    }
