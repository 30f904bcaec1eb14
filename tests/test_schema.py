"""The JSON Schema: that it takes what the reader takes, and that what is kept of it is up to date."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.book.schema import FOLDER, MODELS, naming, schemas, sort_of
from rulewright.book.schema_files import outdated
from rulewright.model.reader import read
from rulewright.model.rulebook import SETS
from rulewright.source.folder import gather
from rulewright.source.tree import load

TOP = Path(__file__).parents[1]
LINE = b"# yaml-language-server: $schema=../../.schema/known.json"
KNOWN = "content/ocs/4.3/known.yml"


def faults(value: Any, schema: Mapping[str, Any], whole: Mapping[str, Any], at: str = "$") -> Iterator[str]:
    """What is wrong with a value by a schema: as much of JSON Schema as ours use."""
    known = {
        "$schema",
        "$defs",
        "title",
        "description",
        "type",
        "properties",
        "additionalProperties",
        "required",
    }
    known |= {
        "oneOf",
        "anyOf",
        "enum",
        "items",
        "minItems",
        "minLength",
        "$ref",
        "maxItems",
        "maxLength",
        "maxProperties",
        "patternProperties",
    }
    assert schema.keys() <= known, schema.keys() - known
    if "$ref" in schema:
        yield from faults(value, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], whole, at)
    types = {"string": str, "number": int | float, "boolean": bool, "array": list, "object": dict}
    types["null"] = type(None)
    wanted = schema.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if wanted and not any(isinstance(value, types[name]) for name in wanted):
        yield f"{at}: not {wanted}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: none of {schema['enum']}"
    if isinstance(value, str | list) and len(value) < schema.get(
        "minLength" if isinstance(value, str) else "minItems", 0
    ):
        yield f"{at}: empty"
    most = {str: "maxLength", list: "maxItems", dict: "maxProperties"}
    if isinstance(value, (*most,)) and len(value) > schema.get(most[type(value)], len(value)):
        yield f"{at}: too long"
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from faults(item, schema["items"], whole, f"{at}[{index}]")
    for word, most in (("anyOf", 99), ("oneOf", 1)):
        good = sum(not list(faults(value, option, whole, at)) for option in schema.get(word, ()))
        if word in schema and not 1 <= good <= most:
            yield f"{at}: {good} of {word}"
    if isinstance(value, dict):
        yield from (f"{at}: needs {key}" for key in schema.get("required", ()) if key not in value)
        more = schema.get("additionalProperties", True)
        for key, inner in value.items():
            if key in schema.get("properties", {}):
                yield from faults(inner, schema["properties"][key], whole, f"{at}.{key}")
            elif fits := [s for p, s in schema.get("patternProperties", {}).items() if re.search(p, key)]:
                yield from faults(inner, fits[0], whole, f"{at}.{key}")
            elif isinstance(more, dict):
                yield from faults(inner, more, whole, f"{at}.{key}")
            elif not more:
                yield f"{at}: unknown {key}"


def check(sort: str, text: str) -> list[str]:
    """The faults that an editor's tool finds in a file, read with YAML's own idea of numbers."""
    schema = schemas()[sort]
    return list(faults(yaml.safe_load(text), schema, schema))


def test_what_is_kept_is_up_to_date() -> None:
    assert outdated(TOP, gather(TOP)) == {}


def test_the_real_content_agrees() -> None:
    seen = set()
    for name, data in gather(TOP).texts.items():
        if sort := sort_of(name):
            assert check(sort, data.decode()) == [], name
            seen.add(sort)
    assert seen == set(MODELS) - {"elsewhere"}, "our books lead to no other site"


@pytest.mark.parametrize("sort", MODELS)
def test_each_schema_explains_itself(sort: str) -> None:
    schema = json.loads((TOP / FOLDER / f"{sort}.json").read_text("utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for part in (schema, *schema.get("$defs", {}).values()):
        assert part["title"]
        assert part["description"]
        assert part["additionalProperties"] is False
        for name, value in part["properties"].items():
            assert value["title"], name
            assert value["description"], name


EITHER = [
    ("sequence", "title: A\nsteps:\n  - phase: One\n    see: '1.0'\n  - do: Two\n    see: ['1.0', '2.0']"),
    ("sequence", "title: A\nsteps:\n  - phase: One\n    any order:\n      - do: Two\n        limit: 3"),
    ("known", "lists: cited\nknown:\n  - {number: '12.10', title: 1986}"),
    ("chapter", "chapter: '1.0'\nrules:\n  - number: '1.1'\n    notes:\n      - {kind: play, text: x}"),
    ("chapter", "chapter: '1.0'\n1.1 Ships:\n  play: x\n  1.1a: y\n  1.1b Oars:\n  notes: [{play: x}]"),
    ("chapter", "chapter: '1.0'\n'A | Ships':\n  example: {title: x, text: y}\n  design: [x, {text: y}]"),
    (
        "rulebook",
        "title: A\nnumbers: 1.1a(A)\nroles:\n  phasing: {title: P}\nterms:\n  DG: {means: x, see: '1.0'}",
    ),
    ("table", "title: A\nid: a\nroll: 1d6\ncolumns: [B]\nrows:\n  - {roll: 1-6, B: 3}\nresults: {3: x}"),
    ("edition", "edition: '4.3'\nnot-references: [x]\nexcused:\n  - {code: a, at: b, because: c}"),
]
NEITHER = [
    ("sequence", "title: A\nsteps:\n  - phase: One\n    segment: Two", "oneOf"),
    ("sequence", "title: A\nsteps:\n  - see: '1.0'", "oneOf"),
    ("sequence", "title: A\nsteps:\n  - phase: One\n    sea: '1.0'", "unknown sea"),
    ("aid", "title: A\nblocks: []", "empty"),
    ("sequence", "steps:\n  - phase: One", "needs title"),
    ("sequence", "title: A\nsteps:\n  - phase: One\n    steps: {phase: Two}", "not ['array']"),
    ("known", "lists: evrything\nknown:\n  - number: '1.0'", "none of"),
    ("known", "known:\n  - {number: '1.0', text: x}", "unknown text"),
    ("known", "known:\n  - {number: ''}", "empty"),
    ("chapter", "number: '1.0'", "needs chapter"),
    ("chapter", "chapter: '1.0'\nrules:\n  - {number: '1.1', notes: [{kind: pla, text: x}]}", "none of"),
    ("rulebook", "title: A\nnumbers: 1.1\nroles: [phasing]", "not ['object']"),
    ("table", "title: A\nid: a\ncolumns: [B]\nrows: []", "empty"),
    ("edition", "edition: '4.3'\nexcused:\n  - {code: a, at: b}", "needs because"),
]


@pytest.mark.parametrize(("sort", "text"), EITHER)
def test_takes_what_the_reader_takes(sort: str, text: str) -> None:
    tree, _ = load(KNOWN, text.encode())
    assert tree is not None
    assert read(tree, MODELS[sort])[1] == []
    assert check(sort, text) == []


@pytest.mark.parametrize(("sort", "text", "fault"), NEITHER)
def test_refuses_what_the_reader_refuses(sort: str, text: str, fault: str) -> None:
    tree, _ = load(KNOWN, text.encode())
    assert tree is not None
    assert read(tree, MODELS[sort])[1] != []
    assert any(fault in found for found in check(sort, text)), check(sort, text)


def test_rule_numbers_have_to_be_quoted() -> None:
    assert check("known", "known:\n  - number: 12.10") == ["$.known[0].number: not ['string']"]
    assert check("sequence", "title: A\nsteps:\n  - {phase: One, see: 12.10}") == [
        "$.steps[0].see: 0 of anyOf"
    ]


def test_a_book_may_have_kinds_of_step_of_its_own() -> None:
    whole = schemas(("impulse", "phase"))["sequence"]
    step = whole["$defs"]["step"]
    assert {"required": ["impulse"]} in step["oneOf"]
    assert "impulse" in step["properties"]
    assert list(faults({"title": "A", "steps": [{"impulse": "One"}]}, whole, whole)) == []
    assert {"required": [SETS["steps"][0]]} not in step["oneOf"]


@pytest.mark.parametrize(
    ("file", "data", "expected"),
    [
        (KNOWN, b"known:\n- x\n", LINE + b"\nknown:\n- x\n"),
        (KNOWN, LINE + b"\nknown: x", LINE + b"\nknown: x"),
        (KNOWN, b"# yaml-language-server: $schema=../known.json\nknown: x\n", LINE + b"\nknown: x\n"),
        (KNOWN, b"#yaml-language-server:$schema=http://x\r\nknown: x\r\n", LINE + b"\r\nknown: x\r\n"),
        (KNOWN, b"# ours\r\nknown: x\r\n", LINE + b"\r\n# ours\r\nknown: x\r\n"),
        (KNOWN, b"known: x", LINE + b"\nknown: x"),
        (KNOWN, b"\xef\xbb\xbfknown: x\n", b"\xef\xbb\xbf" + LINE + b"\nknown: x\n"),
        (KNOWN, b"", LINE + b"\n"),
        (KNOWN, b"\xff\xfek\x00", b"\xff\xfek\x00"),
        ("content/credits.md", b"# Credits\n", b"# Credits\n"),
        ("content/ocs/4.3/notes.yml", b"a: b\n", b"a: b\n"),
    ],
)
def test_the_first_line_names_the_schema_and_all_else_stays(file: str, data: bytes, expected: bytes) -> None:
    assert naming(file, data) == expected
    assert naming(file, expected) == expected


@pytest.mark.parametrize(
    ("file", "sort"),
    [
        ("content/ocs/rulebook.yml", "rulebook"),
        ("content/ocs/4.3/edition.yml", "edition"),
        ("content/ocs/4.3/sequence.yml", "sequence"),
        ("content/ocs/4.3/rules/2-sequence.yml", "chapter"),
        ("content/ocs/4.3/rules/deep/x.yml", None),
        ("content/rulebook.yml", None),
    ],
)
def test_the_place_of_a_file_says_its_sort(file: str, sort: str | None) -> None:
    assert sort_of(file) == sort
    if sort:
        named = re.search(rb"schema=(\S+)", naming(file, b""))
        assert (Path("/p") / file).parent.joinpath(named[1].decode()).resolve() == Path(
            "/p"
        ) / FOLDER / f"{sort}.json"
