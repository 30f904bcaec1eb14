"""An edition for programs: JSON with all there is to it, from which the book can be made again.

`book.json` of each edition stands on the site, `ocs/4.3/book.json`; content/docs/data.md says what is in it.
What is derived (numbers, addresses, blocks, references with what they lead to) comes first, as the edition
stands with its errata. `content` is what its files hold, as written: of YAML the values, else the text.
"""

from __future__ import annotations

import json as notation
from collections.abc import Mapping
from typing import Any

from rulewright.book.library import Edition, Library
from rulewright.book.outline import Entry
from rulewright.citations import addresses
from rulewright.model.reports import as_json, told
from rulewright.site.context import Desk
from rulewright.site.exports import data, tables
from rulewright.site.exports.lines import View
from rulewright.site.exports.tables import JsonObject
from rulewright.source.folder import CONTENT
from rulewright.source.text import Items, Keys, Node, Text
from rulewright.source.tree import load
from rulewright.source.writing import written
from rulewright.text.document import Block, List, Paragraph, plain

FORMAT = "rulewright book 1"
"""Mark and version of the form; a reader of a newer one shall say so."""

_LINEAGE = "was formerly retired replaced_by replaces adds_to voids"
_ERRATUM = "status component severity at part table row column step particular aid of replace insert delete"


def json(desk: Desk, address: str, library: Library, base: str = "") -> str:
    """An edition as JSON, with addresses below `base`."""
    outline, shelf = desk.shelf.outlines[address], desk.shelf
    view, edition = View(outline, shelf, base), outline.edition
    made: JsonObject = {
        "format": FORMAT,
        "address": address,
        **told(edition.book, "title", "subtitle short publisher"),
        "language": edition.language,
        **told(edition.file, "edition", "date follows extends"),
        "rules": [_rule(entry, view) for chapter in outline.chapters for entry in chapter.walk()],
        "former": {number: entry.key for number, entry in outline.former.items()},
    }
    if edition.sequence:
        made["sequence"] = notation.loads(data.json(outline, shelf, base))
    made["tables"] = [tables.data(one) | {"href": view.href(one)} for one in shelf.tables[address]]
    made["terms"] = [
        {"term": term.words, "aliases": term.term.aliases}
        | _said(term.term.means, "means", view, term.edition)
        | ({"defined_by": term.rule.key} if term.rule else {})
        | {"href": addresses.below(base, *desk.place(term))}
        for term in desk.glossaries[address].terms
    ]
    remarks = shelf.remarks[address]
    made["errata"] = [
        {**told(one.erratum, "number date", f"source {_ERRATUM} after before"), "applied": one.is_applied}
        | {name: words for name in ("new", "says", "because") if (words := getattr(one.erratum, name))}
        | {"href": view.href(one)}
        for one in remarks
        if one.erratum
    ]
    made["questions"] = [
        told(one.question, "", "number date source rules")
        | _text(one.question.question, "question", view)
        | _text(one.question.answer, "answer", view, "answer_refs")
        | {"href": view.href(one)}
        for one in remarks
        if one.question
    ]
    own = (name for name in sorted(library.texts) if _is_of(name, address))
    made["content"] = {name.removeprefix(f"{CONTENT}/"): _value(name, library.texts[name]) for name in own}
    others = (name for name in sorted(library.others) if _is_of(name, address))
    made["files"] = [name.removeprefix(f"{CONTENT}/") for name in others]
    return as_json(made)


def again(made: Mapping[str, Any]) -> dict[str, str]:
    """The content files of an edition from its JSON, by their names below the content folder.

    Raises ValueError, TypeError or LookupError where it is none.
    """
    if made["format"] != FORMAT:
        raise ValueError(f"not {FORMAT}")
    texts = {
        str(name): value if isinstance(value, str) else written(value)
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
    node, _ = load(name, text)
    return _plain(node)


def _plain(node: Node | None) -> Any:
    if isinstance(node, Keys):
        return {str(key): _plain(value) for key, value in node.entries.items()}
    return [_plain(one) for one in node.items] if isinstance(node, Items) else node and str(node)


def _rule(entry: Entry, view: View) -> JsonObject:
    made: JsonObject = {"number": entry.key, "printed": entry.printed, "level": entry.level}
    made |= {"in": entry.parent.key} if entry.parent else {}
    made |= {"title": plain(entry.title)} if entry.title else {}
    made |= {
        "href": view.href(entry),
        **(told(stated, "", _LINEAGE) if (stated := entry.rule or entry.listed) else {}),
    }
    if entry.rule is None:
        return made | {"known": "by number only"}
    texts = [("text", entry.rule.text, None), *(("note", one.text, one) for one in entry.rule.notes)]
    texts.append(("closing", entry.rule.closing, None))
    made["texts"] = [
        {"is": sort, **(told(note, "kind", "title") if note else {}), **_said(text, "source", view)}
        for sort, text, note in texts
        if text
    ]
    made |= {"figures": [told(one, "file alt", "caption") for one in entry.rule.figures]}
    return made


def _said(text: Text, name: str, view: View, edition: Edition | None = None) -> JsonObject:
    """A text as it is shown and as it is written. `edition`: of one that means something else in each."""
    blocks = [_block(one, text) for one in view.shelf.document(text, edition).blocks]
    return {"blocks": blocks} | _text(text, name, view, edition=edition)


def _text(
    text: Text, name: str, view: View, refs: str = "refs", edition: Edition | None = None
) -> JsonObject:
    """A text with its references, each with the characters that it stands at."""
    found = [data.reference(one, text, view) for one in view.shelf.references(text, edition)]
    return {name: str(text)} | ({refs: found} if found else {})


def _block(block: Block, text: Text) -> JsonObject:
    if isinstance(block, List):
        return {"list": [_block(one, text) for one in block.items], "first": block.first}
    return {
        "paragraph": _words(block),
        **({"lists": [_block(one, text) for one in block.lists]} if block.lists else {}),
    }


def _words(block: Paragraph) -> str:
    return " ".join("".join(one.words for one in block.inline).split())
