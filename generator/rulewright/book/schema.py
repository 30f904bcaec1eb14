"""The JSON Schema of each sort of content file, made from the types in `model`.

Editors' tools complete and check from it while someone types. It is a help and not the judge: the reader
takes every scalar as text, whereas such a tool reads `12.10` as a number before the schema sees it. So
rule numbers have to be text, that is quoted, and other values may be whatever YAML makes of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import Field
from typing import Any, get_args, get_origin

from rulewright.book.elsewhere import Elsewhere
from rulewright.book.series import GameRulebook, GameSequence
from rulewright.model.aid import Aid
from rulewright.model.erratum import Errata, Questions
from rulewright.model.reader import (
    Words,
    called,
    chosen_of,
    either_of,
    keys_of,
    kinds,
    needs_nothing,
    sort_of_part,
    words_for,
)
from rulewright.model.redirects import Redirects
from rulewright.model.rulebook import SETS, Chapter, EditionFile, Known, Note, Rule
from rulewright.model.step import DO, FREE
from rulewright.model.table import Table
from rulewright.source import bounds
from rulewright.source.folder import CONTENT, SCHEMAS
from rulewright.source.text import Text

_HEADED, _KIND = "rule under its number", "note under its kind"
"""Parts of a chapter in their short forms."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"
FOLDER = f"{CONTENT}/{SCHEMAS}"
"""Where the schemas lie, so that every content file can name its own by a relative path."""

MODELS: Mapping[str, type] = {
    "rulebook": GameRulebook,
    "edition": EditionFile,
    "known": Known,
    "chapter": Chapter,
    "sequence": GameSequence,
    "table": Table,
    "aid": Aid,
    "elsewhere": Elsewhere,
    "redirects": Redirects,
    "errata": Errata,
    "questions": Questions,
}
"""The type of each sort of content file, by the name of its schema."""

_PLACES = (
    ("rulebook", re.compile(rf"{CONTENT}/[^/]+/rulebook\.yml")),
    ("chapter", re.compile(rf"{CONTENT}/[^/]+/[^/]+/rules/[^/]+\.yml")),
    ("table", re.compile(rf"{CONTENT}/[^/]+/[^/]+/tables/[^/]+\.yml")),
    ("aid", re.compile(rf"{CONTENT}/[^/]+/[^/]+/aids/[^/]+\.yml")),
    ("edition", re.compile(rf"{CONTENT}/[^/]+/[^/]+/edition\.yml")),
    ("known", re.compile(rf"{CONTENT}/[^/]+/[^/]+/known\.yml")),
    ("redirects", re.compile(rf"{CONTENT}/[^/]+/[^/]+/redirects\.yml")),
    ("errata", re.compile(rf"{CONTENT}/[^/]+/[^/]+/errata\.yml")),
    ("questions", re.compile(rf"{CONTENT}/[^/]+/[^/]+/questions\.yml")),
    ("sequence", re.compile(rf"{CONTENT}/[^/]+/[^/]+/sequence\.yml")),
    ("elsewhere", re.compile(rf"{CONTENT}/elsewhere\.yml")),
)
_NAMES_SCHEMA = re.compile(rb"#\s*yaml-language-server\s*:\s*\$schema=.*")
_BOM = b"\xef\xbb\xbf"


def schemas(steps: Sequence[str] = SETS["steps"]) -> dict[str, dict[str, Any]]:
    """The schema of each sort of content file. `steps`: the kinds of step that the project's books have."""
    words = {**SETS, "steps": tuple(steps)}
    return {name: _schema(model, words) for name, model in MODELS.items()}


def sort_of(file: str) -> str | None:
    """Which sort of content file stands at a path such as `content/ocs/4.3/known.yml`, or None."""
    return next((name for name, place in _PLACES if place.fullmatch(file)), None)


def naming(file: str, data: bytes) -> bytes:
    """A content file with a first line that names its schema, and all else as it is, byte for byte."""
    sort = sort_of(file)
    try:
        data.decode()
    except UnicodeDecodeError:
        sort = None  # a line in UTF-8 would break it even more
    if sort is None:
        return data
    mark = _BOM if data.startswith(_BOM) else b""
    first, end, rest = _first_line(data.removeprefix(mark))
    up = "../" * (file.count("/") - 1)
    line = f"# yaml-language-server: $schema={up}.schema/{sort}.json".encode()
    if first.strip() == line:
        return data
    if _NAMES_SCHEMA.match(first):
        return mark + line + end + rest
    return mark + line + (end or b"\n") + first + end + rest


def _first_line(data: bytes) -> tuple[bytes, bytes, bytes]:
    """The first line of a file, what ends it, and what follows."""
    m = re.search(rb"\r\n|\n|\r", data)
    return (data[: m.start()], m.group(), data[m.end() :]) if m else (data, b"", b"")


def _schema(model: type, words: Words) -> dict[str, Any]:
    parts: dict[str, dict[str, Any]] = {}
    whole = _model(model, words, parts)
    return {"$schema": DRAFT, **whole, **({"$defs": dict(sorted(parts.items()))} if parts else {})}


def _model(model: type, words: Words, parts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The schema of a model type. Those of the types inside it are entered in `parts`."""
    properties: dict[str, Any] = {}
    chosen = chosen_of(model)
    heads = kinds(words) if chosen else ()
    if chosen:
        for head in heads:
            sort = "the innermost kind of step" if head == DO else f"a {head}"
            meaning = f"{chosen.metadata['meaning']} This key makes it {sort}."
            properties[head] = {"title": _titled(head), "description": meaning, **_scalar(chosen)}
    for name, (f, wanted) in keys_of(model).items():
        value = _value(wanted, f, words, parts)
        properties[name] = {"title": _titled(name), "description": f.metadata["meaning"], **value}
    made: dict[str, Any] = {
        "title": _titled(called(model)),
        "description": " ".join((model.__doc__ or "").split()),
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    if required := [name for name, (f, _) in keys_of(model).items() if f.metadata.get("must")]:
        made["required"] = required
    if issubclass(model, Note):
        made.pop("required")
        said = keys_of(Note)["text"][0]
        made["properties"] |= {kind: _noted(kind, [_scalar(said)]) for kind in words["notes"]}
        made["anyOf"] = [{"required": [*one]} for one in (("kind", "text"), *((k,) for k in words["notes"]))]
    if issubclass(model, Rule):
        _add_short_forms(made, words, parts)
    if choice := either_of(model) or (heads if chosen and chosen.metadata.get("must") else ()):
        made["oneOf"] = [{"required": [name]} for name in choice]
    return made


def _add_short_forms(made: dict[str, Any], words: Words, parts: dict[str, dict[str, Any]]) -> None:
    """Add the rules that are keys of a rule, by number and title, and the notes that are, by their kind."""
    text = _scalar(keys_of(Rule)["text"][0])
    for name, model in ((_HEADED, Rule), (_KIND, Note)):
        if name not in parts:
            parts[name] = {}  # ahead of its own parts, among which it may be itself
            whole = _model(model, words, parts)
            said = {"number", "title"} if model is Rule else {"kind", *words["notes"]}
            left = {name: value for name, value in whole["properties"].items() if name not in said}
            whole = {name: value for name, value in whole.items() if name not in ("required", "anyOf")}
            parts[name].update(whole, properties=left)
            if model is Note:
                parts[name]["required"] = ["text"]
    noted = [text, {"$ref": f"#/$defs/{_KIND}"}]
    noted.append({"type": "array", "items": {"anyOf": noted[:]}})
    made["properties"] |= {kind: _noted(kind, noted) for kind in words["notes"]}
    made["patternProperties"] = {
        "[0-9]|^[^a-z]": {"anyOf": [{"type": "null"}, text, {"$ref": f"#/$defs/{_HEADED}"}]}
    }


def _noted(kind: str, options: list[dict[str, Any]]) -> dict[str, Any]:
    """The schema of a key that is a kind of note."""
    about = {"title": _titled(kind), "description": f"A note of this kind: {kind}."}
    return {**about, **(options[0] if len(options) == 1 else {"anyOf": options})}


def _value(wanted: Any, f: Field[Any], words: Words, parts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The schema of a key's value."""
    if wanted is Text and "or_keys" in f.metadata:
        return {"anyOf": [_scalar(f), _value(f.metadata["or_keys"], f, words, parts)]}
    if wanted is Text:
        allowed: list[object] = list(words[f.metadata["words"]]) if "words" in f.metadata else []
        allowed += ["no", True, False] if allowed == [FREE] else []
        return {"enum": allowed} if allowed else _scalar(f)
    if get_origin(wanted) is tuple:
        item = _value(get_args(wanted)[0], f, words, parts)
        if f.metadata.get("or_listed"):
            item = {"anyOf": [item, {"type": "array", "items": _scalar(f)}]}
        items = {"type": "array", "items": item, **({"minItems": 1} if f.metadata.get("must") else {})}
        items["maxItems"] = bounds.LIST.most
        if f.metadata.get("or_named"):
            return {"anyOf": [items, {"type": "object", "additionalProperties": items}]}
        return {"anyOf": [item, items]} if f.metadata.get("lone") else items
    if get_origin(wanted) is not None:
        inside = _value(get_args(wanted)[1], f, words, parts)
        return {"type": "object", "additionalProperties": inside, "maxProperties": bounds.LIST.most}
    name = called(wanted)
    if name not in parts:
        parts[name] = {}  # ahead of its own parts, among which it may be itself
        parts[name] |= _model(wanted, words, parts)
    part = {"$ref": f"#/$defs/{name}"}
    bare: list[dict[str, Any]] = [{"type": "null"}] if needs_nothing(wanted) else []
    bare += [{"enum": list(words_for(wanted))}] if sort_of_part(wanted) else []
    return {"anyOf": [part, *bare]} if bare else part


def _scalar(f: Field[Any]) -> dict[str, Any]:
    """Text; a rule number has to be quoted, anything else need not."""
    is_number = f.name in ("number", "formerly") or f.metadata.get("cites") or f.metadata.get("of_series")
    return {
        "type": "string" if is_number else ["string", "number", "boolean"],
        "minLength": 1,
        "maxLength": bounds.TEXT.most,
    }


def _titled(name: str) -> str:
    return name[:1].upper() + name[1:]
