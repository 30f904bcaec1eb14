"""Foreign words planted in every field of every sort of file, as deep as the checks let them.

The fields are read from the model itself, so that a new one is attacked from the day that it is there.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, get_args, get_origin

import yaml

from rulewright.book.content_files import MODELS, sort_of
from rulewright.checks.examine import examine_folder
from rulewright.model.keys import typed_keys
from rulewright.model.reader import chosen_of
from rulewright.source.folder import Folder
from rulewright.source.kept import Cache
from rulewright.source.problems import Severity
from rulewright.source.text import Text

STYLES = (
    "<script>ran()</script>",
    "<img src=x onerror=ran()>",
    "<svg onload=ran()><set attributeName=href to=javascript:ran()></svg>",
    '"><a href="javascript:ran()" autofocus onfocus="ran()">go</a>',
    "' onmouseover='ran()' x='",
    "</script></title></textarea></style><script>ran()</script>",
    "<iframe srcdoc='<script>parent.ran()</script>'></iframe>",
    "<details open ontoggle=ran()><summary>s</summary></details>",
    "{{ ''.__class__ }}{% include 'x' %}${ran()}",
    "&lt;img src=x onerror=ran()&gt;&#60;script&#62;ran()",
)
"""Ten ways to smuggle a program into a page."""

REFUSES = {
    "Aid": ("bleed", "columns", "pages", "paper", "profile", "sides"),
    "Block": ("results",),
    "Chapter": ("chapter", "formerly", "was"),
    "ChecklistBlock": ("depth", "turns"),
    "Difference": ("by", "optional", "phasing", "repeats", "swaps"),
    "EditionFile": ("extends", "follows"),
    "Erratum": ("after", "before", "replace", "which"),
    "Excuse": ("code",),
    "Figure": ("file", "width"),
    "GameRulebook": ("alphabet", "joins", "numbers", "suffixes", "terrain"),
    "Listed": ("formerly", "number", "was"),
    "Look": ("accent", "colour", "font", "logo"),
    "MatrixBlock": ("of",),
    "Modifier": ("value",),
    "NarrativeBlock": ("depth", "of"),
    "PictureBlock": ("file", "width"),
    "Redirect": ("anchors", "anchors <name>", "from", "to"),
    "Role": ("colour",),
    "Rule": ("formerly", "number", "was"),
    "SecondRoll": ("merged", "roll", "rolls across", "rolls down", "row groups", "rows"),
    "SequenceBlock": ("depth",),
    "Site": ("address", "inventory"),
    "Step": ("swaps", "was"),
    "Table": ("merged", "number", "roll", "rolls across", "was"),
    "TypeSizes": ("largest", "smallest"),
}
"""Fields that take only a size, a number, an address, or the name of what is there."""

Field = tuple[str, str]
"""A model type and one of its keys; `<name>` for the names of a table, `<kind>` for a key out of a set."""


def styles(first: int) -> str:
    """All ten, beginning with another each time: what comes first may swallow what is behind it."""
    at = first % len(STYLES)
    return " ".join((*STYLES[at:], *STYLES[:at]))


def inner(wanted: Any) -> Any:
    """The type of the values in lists and tables of a field."""
    while get_origin(wanted):
        wanted = get_args(wanted)[0 if get_origin(wanted) is tuple else 1]
    return wanted


def models() -> dict[str, type]:
    """Every type that a sort of file describes, by its name."""
    found: dict[str, type] = {}
    waiting = list(MODELS.values())
    while waiting:
        model = waiting.pop()
        if found.setdefault(model.__name__, model) is model:
            inside = (inner(wanted) for _, wanted in typed_keys(model).values())
            waiting += (one for one in inside if one is not Text and one.__name__ not in found)
    return found


def fields_of(model: type) -> Iterator[Field]:
    """The fields of a type that hold text, and the tables whose names are text."""
    for name, (_, wanted) in typed_keys(model).items():
        if inner(wanted) is Text:
            yield model.__name__, name
        if get_origin(wanted) not in (None, tuple):
            yield model.__name__, f"{name} <name>"
    if chosen_of(model):
        yield model.__name__, "<kind>"


@dataclass
class Part:
    """A mapping of a content file that is one of a model type."""

    model: type
    held: dict[str, Any]


def parts(value: Any, wanted: Any) -> Iterator[Part]:
    """Each part of a content file with its type."""
    if get_origin(wanted) is tuple:
        for one in value if isinstance(value, list) else [value]:
            yield from parts(one, get_args(wanted)[0])
    elif get_origin(wanted):
        for one in value.values() if isinstance(value, dict) else ():
            yield from parts(one, get_args(wanted)[1])
    elif wanted is not Text and isinstance(value, dict):
        yield Part(wanted, value)
        for name, (_, type_of_value) in typed_keys(wanted).items():
            if name in value:
                yield from parts(value[name], type_of_value)


def exchanged(value: Any, was: str, now: str) -> Any:
    """The same with each text and each name that is `was` made `now`."""
    if isinstance(value, dict):
        return {now if name == was else name: exchanged(one, was, now) for name, one in value.items()}
    if isinstance(value, list):
        return [exchanged(one, was, now) for one in value]
    return now if value == was else value


class Planting:
    """Content with foreign words in each field that takes them.

    `taken` and `refused`: the fields of which the checks did and did not let them through. `asked`: the
    fields to try; else all but those that are known to refuse them.
    """

    def __init__(self, folder: Folder, asked: Iterable[Field] = ()) -> None:
        self.folder = folder
        self.cache: Cache = {}
        self.taken: set[Field] = set()
        self.refused: set[Field] = set()
        self.files: dict[str, Any] = {
            name: yaml.load(data, yaml.BaseLoader) for name, data in folder.texts.items() if sort_of(name)
        }
        self.plant(sorted(asked or every() - closed()))

    def plant(self, fields: Sequence[Field]) -> None:
        """Plant in some fields at once, or where the checks refuse that, in half of them at a time."""
        files = deepcopy(self.files)
        for field in fields:
            put(files, field, styles(hash_of(field)))
        if self.holds(files):
            self.taken.update(fields)
        elif len(fields) > 1:
            self.plant(fields[: len(fields) // 2])
            self.plant(fields[len(fields) // 2 :])
        elif any(self.holds(files) for files in self.ways(fields[0])):
            self.taken.update(fields)
        else:
            self.refused.update(fields)

    def ways(self, field: Field) -> Iterator[dict[str, Any]]:
        """The content with words in one field, in each way that there is."""
        for words in (
            styles(hash_of(field)),
            STYLES[hash_of(field) % len(STYLES)],
            "'onfocus='ran()'autofocus='",
        ):
            for way in (put, put_everywhere, put_anew):
                files = deepcopy(self.files)
                if made := way(files, field, words):
                    yield made

    def holds(self, files: dict[str, Any]) -> bool:
        """Whether the checks let this content through; it is then what is planted in next.

        Its pages, which stay as they are, are not read each time: a build of the whole does that.
        """
        written = {name: json.dumps(data, ensure_ascii=False).encode() for name, data in files.items()}
        folder = replace(self.folder, texts=written)
        if any(one.severity is Severity.ERROR for one in examine_folder(folder, cache=self.cache).problems):
            return False
        self.folder, self.files = replace(folder, texts={**self.folder.texts, **written}), files
        return True


def hash_of(field: Field) -> int:
    """A number of a field, the same each time."""
    return sum(map(ord, "".join(field)))


def found(files: dict[str, Any], field: Field) -> list[Part]:
    """The parts that have a field, those with the most in them first."""
    every = [one for name in files for one in parts(files[name], MODELS[sort_of(name) or ""])]
    return sorted((one for one in every if one.model.__name__ == field[0]), key=lambda one: -len(one.held))


def put(files: dict[str, Any], field: Field, words: str) -> dict[str, Any]:
    """The content with words behind the first text of a field, or as that where it is nowhere."""
    name = field[1]
    if name == "<kind>" or name.endswith(" <name>"):
        return put_everywhere(files, field, words)
    for part in found(files, field):
        if was := next(texts(part, name), None):
            part.held[name] = exchanged(part.held[name], was, f"{was} {words}")
            return files
    return put_anew(files, field, words)


def put_everywhere(files: dict[str, Any], field: Field, words: str) -> dict[str, Any]:
    """The content with words behind a text of a field, wherever else that stands."""
    was = next((one for part in found(files, field) for one in texts(part, field[1])), None)
    if was:
        for name, data in files.items():
            files[name] = exchanged(data, was, f"{was} {words}")
    return files if was else {}


def put_anew(files: dict[str, Any], field: Field, words: str) -> dict[str, Any]:
    """The content with words in a field that was left out."""
    name, _, table = field[1].partition(" <name>")
    part = next((one for one in found(files, field) if name not in one.held and name != "<kind>"), None)
    if part is None:
        return {}
    sort, text = get_origin(typed_keys(part.model)[name][1]), f"x {words}"
    part.held[name] = {text: "x"} if table else [text] if sort is tuple else {"x": text} if sort else text
    return files


def closed() -> set[Field]:
    """The fields that take no foreign words; most say so by themselves."""
    named = {(model, key) for model, keys in REFUSES.items() for key in keys}
    narrow = {"words", "date", "cites", "of_series"}
    return named | {
        (name, key)
        for name, model in models().items()
        for key, (f, _) in typed_keys(model).items()
        if f.metadata.keys() & narrow
    }


def texts(part: Part, name: str) -> Iterator[str]:
    """The texts that stand in one field of a part."""
    key, _, table = name.partition(" <name>")
    if name == "<kind>":
        key = next((one for one in part.held if one not in typed_keys(part.model)), "")
    value = part.held.get(key)
    if table:
        yield from value if isinstance(value, dict) else ()
        return
    waiting = [value]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, str) and one:
            yield one
        waiting += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()


def every() -> set[Field]:
    """Each field of each sort of file that text can stand in."""
    return {field for model in models().values() for field in fields_of(model)}
