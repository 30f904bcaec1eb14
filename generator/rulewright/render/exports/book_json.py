"""An edition for programs: JSON with all there is to it, from which the book can be made again.

`book.json` of each edition stands on the site, `ocs/4.3/book.json`; content/docs/data.md says what is in it.
What is derived (numbers, addresses, blocks, references with what they lead to) comes first, as the edition
stands with its errata. `content` is what its files hold, as written: of YAML the values, else the text.
"""

from __future__ import annotations

import json as notation
from collections.abc import Mapping
from typing import Any

from rulewright.book.library import BookLibrary, Edition
from rulewright.book.outline import RuleEntry
from rulewright.files.content_folder import CONTENT
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.files.yaml_writer import write_yaml
from rulewright.references import site_paths
from rulewright.render.exports import sequence_json, table_export
from rulewright.render.exports.outline_lines import OutlineView
from rulewright.render.exports.table_export import JsonObject
from rulewright.render.render_context import RenderContext
from rulewright.schema.problem_reports import to_dict, to_json_text
from rulewright.schema.text_document import Block, TextList, plain_text

FORMAT = "rulewright book 1"
"""Mark and version of the form; a reader of a newer one shall say so."""

_LINEAGE = "was formerly retired replaced_by replaces adds_to voids"
_ERRATUM = "status component severity rule part table row column step particular aid of replace insert delete"


def edition_to_json(desk: RenderContext, address: str, library: BookLibrary, base: str = "") -> str:
    """An edition as JSON, with addresses below `base`."""
    outline, shelf = desk.shelf.outlines[address], desk.shelf
    view, edition = OutlineView(outline, shelf, base), outline.edition
    made: JsonObject = {
        "format": FORMAT,
        "address": address,
        **to_dict(edition.book, "title", "subtitle short publisher"),
        "language": edition.language,
        **to_dict(edition.edition_file, "edition", "date follows extends"),
        "rules": [_rule(entry, view) for chapter in outline.chapters for entry in chapter.iter_subtree()],
        "former": {number: entry.key for number, entry in outline.former_numbers.items()},
    }
    if edition.sequence:
        made["sequence"] = notation.loads(sequence_json.sequence_to_json(outline, shelf, base))
    remarks = shelf.editions[address].errata_entries
    own = (name for name in sorted(library.texts) if _is_of(name, address))
    others = (name for name in sorted(library.other_files) if _is_of(name, address))
    made |= {
        "tables": [
            table_export.table_data(table) | {"href": view.href(table)}
            for table in shelf.editions[address].tables
        ],
        "terms": [
            {"term": term.words, "aliases": term.term.aliases}
            | _said(term.term.means, "means", view, term.edition)
            | ({"defined_by": term.rule.key} if term.rule else {})
            | {"href": site_paths.absolute_link(base, *desk.page_and_fragment(term))}
            for term in desk.glossaries[address].terms
        ],
        "errata": [
            {
                **to_dict(entry.erratum, "number date", f"source {_ERRATUM} after before"),
                "applied": entry.is_applied,
            }
            | {name: words for name in ("new", "says", "reason") if (words := getattr(entry.erratum, name))}
            | {"href": view.href(entry)}
            for entry in remarks
            if entry.erratum
        ],
        "questions": [
            to_dict(entry.question, "", "number date source rules")
            | _text(entry.question.question, "question", view)
            | _text(entry.question.answer, "answer", view, "answer_refs")
            | {"href": view.href(entry)}
            for entry in remarks
            if entry.question
        ],
        "content": {name.removeprefix(f"{CONTENT}/"): _value(name, library.texts[name]) for name in own},
        "files": [name.removeprefix(f"{CONTENT}/") for name in others],
    }
    return to_json_text(made)


def content_from_json(made: Mapping[str, Any]) -> dict[str, str]:
    """The content files of an edition from its JSON, by their names below the content folder.

    Raises ValueError, TypeError or LookupError where it is none.
    """
    if made["format"] != FORMAT:
        raise ValueError(f"not {FORMAT}")
    texts = {
        str(name): value if isinstance(value, str) else write_yaml(value)
        for name, value in made["content"].items()
    }
    if not texts:
        raise ValueError("without content")
    return texts


def _is_of(name: str, address: str) -> bool:
    """Whether a file is one of an edition, or holds for all editions of its book."""
    book = f"{CONTENT}/{address.partition('/')[0]}/"
    return name.startswith(f"{CONTENT}/{address}/") or (name.startswith(book) and name.count("/") == 2)


def _value(name: str, text: bytes) -> Any:
    if not name.endswith(".yml"):
        return text.decode("utf-8", "replace")
    node, _ = load_yaml_tree(name, text)
    return _plain(node)


def _plain(node: Node | None) -> Any:
    if isinstance(node, YamlMapping):
        return {str(key): _plain(value) for key, value in node.entries.items()}
    return [_plain(item) for item in node.items] if isinstance(node, YamlSequence) else node and str(node)


def _rule(entry: RuleEntry, view: OutlineView) -> JsonObject:
    made: JsonObject = {"number": entry.key, "printed": entry.printed, "level": entry.level}
    made |= {"in": entry.parent.key} if entry.parent else {}
    made |= {"title": plain_text(entry.title)} if entry.title else {}
    made |= {
        "href": view.href(entry),
        **(to_dict(stated, "", _LINEAGE) if (stated := entry.rule or entry.listed_rule) else {}),
    }
    if entry.rule is None:
        return made | {"known": "by number only"}
    texts = [("text", entry.rule.text, None), *(("note", note.text, note) for note in entry.rule.notes)]
    texts.append(("closing", entry.rule.closing, None))
    made |= {
        "texts": [
            {"is": sort, **(to_dict(note, "kind", "title") if note else {}), **_said(text, "source", view)}
            for sort, text, note in texts
            if text
        ],
        "figures": [to_dict(figure, "file alt", "caption") for figure in entry.rule.figures],
    }
    return made


def _said(text: LocatedText, name: str, view: OutlineView, edition: Edition | None = None) -> JsonObject:
    """A text as it is shown and as it is written. `edition`: of one that means something else in each."""
    blocks = [_block(block, text) for block in view.shelf.document(text, edition).blocks]
    return {"blocks": blocks} | _text(text, name, view, edition=edition)


def _text(
    text: LocatedText, name: str, view: OutlineView, refs: str = "refs", edition: Edition | None = None
) -> JsonObject:
    """A text with its references, each with the characters that it stands at."""
    found = [
        sequence_json.reference_object(reference, text, view)
        for reference in view.shelf.references(text, edition)
    ]
    return {name: str(text)} | ({refs: found} if found else {})


def _block(block: Block, text: LocatedText) -> JsonObject:
    if isinstance(block, TextList):
        return {"list": [_block(item, text) for item in block.items], "first": block.first}
    return {
        "paragraph": " ".join("".join(one.words for one in block.inline).split()),
        **({"lists": [_block(one, text) for one in block.lists]} if block.lists else {}),
    }
