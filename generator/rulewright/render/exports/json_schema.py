"""JSON Schema of each type of content file, for editors that complete and check YAML.

The schema is for writing: it proposes keys and values and marks what no file may contain. What a value means,
such as a number that is no rule, only `check` finds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any, get_args, get_origin

from rulewright.book.content_files import MODELS
from rulewright.files.located_text import LocatedText
from rulewright.schema.model_reader import (
    choice_field,
    exclusive_keys,
    headed_of,
    may_be_empty,
    may_be_word_only,
)
from rulewright.schema.rulebook import SETS, RuleNote
from rulewright.schema.step import DO
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.yaml_fields import field_type, yaml_keys

DRAFT = "http://json-schema.org/draft-07/schema#"
"""The version of JSON Schema that YAML language servers support."""

_SCALAR = {"type": ["string", "number", "boolean"]}
"""A text; YAML reads 12.5 and 2020 without quotes as numbers."""

_NUMBER = r"[0-9A-Z.()\[\]§]|^.{1,3}$"
"""Matches a key that may be the number and title of a rule; all other keys of a rule are words."""

JsonSchema = dict[str, Any]


def schema_files() -> dict[str, str]:
    """Return the JSON Schema of each type of content file, by the name of the schema's own file."""
    return {
        f"{kind}.json": f"{json.dumps(json_schema(model), ensure_ascii=False)}\n"
        for kind, model in MODELS.items()
    }


def json_schema(model: Any) -> JsonSchema:
    """Return the JSON Schema of a content file that is read as a type of the model."""
    definitions: dict[str, JsonSchema] = {}
    root = _part(model, definitions)
    return {"$schema": DRAFT, **root, "definitions": definitions}


def _part(model: Any, definitions: dict[str, JsonSchema]) -> JsonSchema:
    """Return a link to the definition of a part; add the definition, and those of its parts, if missing."""
    name = model.__name__
    if name not in definitions:
        definitions[name] = {}  # a part may contain itself
        definitions[name] = _mapping(model, definitions)
    link: JsonSchema = {"$ref": f"#/definitions/{name}"}
    forms = [link]
    if any(f.metadata.get("whole") for f in fields(model)):
        forms.append(_SCALAR)
    if may_be_empty(model):
        forms.append({"type": "null"})
    if words := [key for key in exclusive_keys(model) if may_be_word_only(model, key)]:
        forms.append({"enum": words})
    return link if len(forms) == 1 else {"anyOf": forms}


def _mapping(model: Any, definitions: dict[str, JsonSchema]) -> JsonSchema:
    """Return the schema of the keys of a part."""
    headed = headed_of(model)
    properties: dict[str, JsonSchema] = {}
    required: list[str] = []
    for key, f in yaml_keys(model).items():
        if not f.metadata.get("headed"):
            properties[key] = _described(f, _value(f.metadata, field_type(model, f.name), definitions))
            required += [key] if f.metadata.get("must") else []
    additional: JsonSchema | bool = False
    if kind := choice_field(model):
        properties |= {word: _described(kind, _SCALAR) for word in (DO, *KINDS)}
        additional = _SCALAR
    if headed:
        rule = _part(field_type(model, headed).__args__[0], definitions)
        additional = {"anyOf": [rule, _SCALAR, {"type": "null"}]}
    if headed or model is RuleNote:
        note = _part(RuleNote, definitions)
        for word in SETS["notes"]:
            properties[word] = {
                "anyOf": [_SCALAR, note, {"type": "array", "items": {"anyOf": [_SCALAR, note]}}]
            }
        required = [] if model is RuleNote else required
    schema: JsonSchema = {"type": "object", "properties": properties, "additionalProperties": additional}
    if headed:
        schema["propertyNames"] = {"anyOf": [{"enum": [*properties]}, {"pattern": _NUMBER}]}
    if required:
        schema["required"] = required
    if either := exclusive_keys(model):
        schema["anyOf"] = [{"required": [key]} for key in either]
    return schema


def _described(f: Field[Any], schema: JsonSchema) -> JsonSchema:
    """Add the meaning and the example of a key to the schema of its value."""
    return {"description": f.metadata["meaning"], "examples": [f.metadata["example"]], **schema}


def _value(meta: Mapping[str, Any], kind: Any, definitions: dict[str, JsonSchema]) -> JsonSchema:
    """Return the schema of a value: a list, a mapping with names as keys, a part or a text."""
    if get_origin(kind) is tuple:
        item = _value(meta, get_args(kind)[0], definitions)
        if meta.get("or_listed"):
            item = {"anyOf": [item, {"type": "array", "items": _SCALAR}]}
        several: JsonSchema = {"type": "array", "items": item}
        if meta.get("or_named"):
            return {"anyOf": [several, {"type": "object", "additionalProperties": several}]}
        return {"anyOf": [several, item]} if meta.get("lone") else several
    if get_origin(kind):
        inner = _value({"lone": meta.get("lone")}, get_args(kind)[1], definitions)
        return {"type": "object", "additionalProperties": inner}
    if kind is not LocatedText:
        return _part(kind, definitions)
    if words := SETS.get(meta.get("words", "")):
        numbers = [int(word) for word in words if word.isdigit()]
        return {"enum": [*words, *numbers, *((True,) if words == ("yes",) else ())]}
    return _SCALAR
