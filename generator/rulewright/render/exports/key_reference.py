"""The reference of all keys in Markdown: for each part of a content file a table of its keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, is_dataclass
from typing import Any, get_args, get_origin

from rulewright.book import drawing_shapes
from rulewright.book.content_files import MODELS, path_pattern
from rulewright.files.content_folder import CONTENT
from rulewright.schema.model_reader import choice_field, type_title
from rulewright.schema.rulebook import SETS
from rulewright.schema.step import DO
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.yaml_fields import keys_with_types

MAX_WORDS = 12
"""Maximum number of allowed words that are listed."""

HEAD = "| key | meaning | value | if left out | example |\n|---|---|---|---|---|\n"

_LEFT_OUT = re.compile(r"; ([^;.]+) if left out|; if left out, ([^;.]+)")
"""The default of a key, in its meaning."""

DRAWN = {
    "terrain": drawing_shapes.TERRAIN,
    "hexsides": drawing_shapes.HEXSIDES,
    "ways": drawing_shapes.WAYS,
    "arrows": drawing_shapes.ARROWS,
    "units": drawing_shapes.UNITS,
    "symbols in texts": drawing_shapes.SIGNS,
}
"""What drawings can show, by the name of its family of shapes."""


def key_reference() -> str:
    """Return the reference of all keys, by part of a content file, and of the shapes in drawings."""
    places: dict[Any, str] = {}
    for kind, model in MODELS.items():
        _add_places(model, path_pattern(kind).removeprefix(f"{CONTENT}/*/").removeprefix("*/"), places)
    text = ""
    for model, place in places.items():
        if keys_with_types(model):
            meaning = " ".join(model.__doc__.partition("\n\n")[0].split())
            text += f"\n## {place}\n\n{meaning}\n\n{HEAD}{''.join(_rows(model, places))}"
    text += "\n## Shapes\n\n| what | names |\n|---|---|\n"
    for title, family in DRAWN.items():
        names = dict.fromkeys(shape.name for shape in drawing_shapes.shapes()[family].values())
        text += f"| {title} | {', '.join(names)} |\n"
    return text


def _add_places(model: Any, place: str, places: dict[Any, str]) -> None:
    """Add the place of a part, and those of the parts inside it: file and keys, joined by colons."""
    if model not in places:
        places[model] = place
        for key, (_, kind) in keys_with_types(model).items():
            if is_dataclass(inner := _innermost(kind)):
                _add_places(inner, f"{place}: {key}", places)


def _innermost(kind: Any) -> Any:
    while get_origin(kind):
        kind = get_args(kind)[-1 if get_origin(kind) is Mapping else 0]
    return kind


def _rows(model: Any, places: Mapping[Any, str]) -> Iterator[str]:
    if kind := choice_field(model):
        yield _row(", ".join(f"`{word}`" for word in (*KINDS, DO)), kind, "text")
    for key, (f, value_type) in keys_with_types(model).items():
        yield _row(f"`{key}`", f, _value(f, value_type, places))


def _row(key: str, f: Field[Any], value: str) -> str:
    meaning, example = f.metadata["meaning"], f.metadata["example"]
    left_out = _LEFT_OUT.search(meaning)
    default = "required" if f.metadata.get("must") else "–"
    if left_out:
        default, meaning = left_out[1] or left_out[2], _LEFT_OUT.sub("", meaning)
    if (phrase := f.metadata.get("phrase", "{}")) != "{}":
        meaning += f" Shown as “{phrase.format(example)}”."
    cells = (key, meaning, value, default, f"`{example}`")
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |\n"


def _value(f: Field[Any], value_type: Any, places: Mapping[Any, str]) -> str:
    """Return what may be written as the value of a key."""
    words, inner, single = SETS.get(f.metadata.get("words", ""), ()), _innermost(value_type), "text"
    if 0 < len(words) <= MAX_WORDS:
        single = ", ".join(f"`{word}`" for word in words)
    elif "count" in f.metadata:
        single = f"a number from 1 to {f.metadata['count']}"
    elif f.metadata.get("date"):
        single = "a date"
    elif f.metadata.get("cites"):
        single = "a reference"
    elif inner in places:
        # Python-Markdown gives headings such anchors.
        anchor = re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", places[inner]))
        single = f"[{type_title(inner)}](#{anchor})" if keys_with_types(inner) else "nothing"
    if get_origin(value_type) is tuple:
        return f"{single}, or a list" if f.metadata.get("lone") else f"list of {single}"
    return f"names, each with {single}" if get_origin(value_type) else single
