"""Reader from YAML trees to the typed model, which reports all problems at once.

The types of the model declare the keys. A problem never stops the reading: the invalid part is left out, and
everything around it is still read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, fields
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

from rulewright.files import limits
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.problems import (
    Problem,
    ProblemType,
    Severity,
    did_you_mean,
    nearest_option,
    problem_type,
    quote_short,
)
from rulewright.files.safe_integers import parse_count
from rulewright.schema.colours import COLOUR
from rulewright.schema.figure_placement import NO_SIDE, NO_SIDE_MESSAGE
from rulewright.schema.inline_images import SIDE
from rulewright.schema.rulebook import SETS
from rulewright.schema.step import DO, YES
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.yaml_fields import field_type, key_of, yaml_keys

UNKNOWN_KEY = problem_type(
    "unknown-key", "A key that this sort of entry does not have. The nearest one that it has is named."
)
MISSING_KEY = problem_type(
    "missing-key", "A key that this sort of entry must have is not there, or has no value."
)
WRONG_TYPE = problem_type(
    "wrong-type", "A value is a list where text belongs, or text where a list belongs, and so on."
)
UNKNOWN_WORD = problem_type("unknown-word", "A value that must be one of a few words is another word.")
LONG_TEXT = problem_type("text-too-long", f"{limits.TEXT} Split it, into rules for instance.")
LONG_LIST = problem_type("list-too-long", f"{limits.LIST} Further items are not read.")
COUNT = problem_type(
    "count-malformed", "How many there are of something is no whole number, or one out of range."
)
NO_DATE = problem_type("date-malformed", "A date is not written as year-month-day: 2020-08-09.")
NO_COLOUR = problem_type("colour-malformed", "A colour is not written as #rrggbb.", Severity.WARNING)

ANSWERS = {"yes": YES, "true": YES, "on": YES, "y": YES, "no": "", "false": "", "off": "", "n": ""}
"""The words that YAML takes for yes and no, as a key holds them that takes either `yes` or words."""

T = TypeVar("T")

_NAMES = {
    "GameRulebook": "rulebook",
    "GameSequence": "sequence",
    "KnownNumbers": "list",
    "PlaySequence": "sequence",
}
"""Names of parts in messages, where they are not those of their types in words."""

_DATE = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")

_FORMS = (
    ("date", _DATE, NO_DATE, "is no date; write it as year-month-day, like 2020-08-09"),
    ("width", SIDE, NO_SIDE, NO_SIDE_MESSAGE.format("width")),
    ("colour", COLOUR, NO_COLOUR, "is no colour; write it as #rrggbb, like #37474f"),
)
"""Flags of fields whose value has a form: the flag, the form, and the problem of another value."""


@cache
def choice_field(model: Any) -> Field[Any] | None:
    """Return the field that takes the value of the key for the kind of step, where the model type has one."""
    return next((f for f in fields(model) if f.metadata.get("by_kind")), None)


@cache
def exclusive_keys(model: Any) -> tuple[str, ...]:
    """Return the keys of a model type of which exactly one must be given, where it has such."""
    return tuple(name for name, f in yaml_keys(model).items() if f.metadata.get("either"))


@cache
def kind_field(model: Any) -> str:
    """Return the field of a model type that takes the key which was chosen out of `either`, where it has
    one.
    """
    return next((f.name for f in fields(model) if f.metadata.get("sort")), "")


@cache
def headed_of(model: Any) -> str:
    """Return the list of a model type whose entries are keys with numbers and titles, if it has one."""
    lists = (name for name, f in yaml_keys(model).items() if f.metadata.get("headed") and f.default == ())
    return next(lists, "")


@cache
def may_be_empty(model: Any) -> bool:
    """Return whether a part needs no keys: `legend:` without a value."""
    return not required_fields(model) and not exclusive_keys(model)


@cache
def may_be_word_only(model: Any, name: str) -> bool:
    """Return whether the word for a type of part is valid alone, such as `legend`."""
    if name not in exclusive_keys(model):
        return False
    part = field_type(model, yaml_keys(model)[name].name)
    return not (part is LocatedText or get_origin(part)) and may_be_empty(part)


@cache
def _made_of(field_type: Any) -> tuple[Any, Any]:
    """Take a type apart: whether it is a tuple or a mapping, and the type of its items."""
    origin, inner = get_origin(field_type), get_args(field_type)
    return origin, inner[0 if origin is tuple else 1] if origin else None


def type_title(model: type) -> str:
    """Return the name of a part in messages: that of its type, in words."""
    name = _NAMES.get(model.__name__, model.__name__)
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", re.sub("(?<=.)(?:Block|File|Spec)$", "", name)).lower()


def kind_key(entries: Iterable[LocatedText], model: Any) -> LocatedText | None:
    """Return the key of a step that is its kind: the first that is no key of a step.

    A usual kind wins over other words, which are misspelt keys then.
    """
    known = yaml_keys(model)
    keys = list(entries)
    words = [k for k in keys if k not in known and k not in ("title", "<<")]
    if usual := next((k for k in words if k in (DO, *KINDS)), None):
        return usual
    chosen = choice_field(model)
    if words and words[0] is keys[0] and chosen and chosen.metadata.get("must"):
        return words[0]
    return next((k for k in words if not nearest_option(k.strip(), [*known])), None)


def read_model(node: Node, model: type[T]) -> tuple[T | None, list[Problem]]:
    """Return a tree as an instance of a model type, or None if it cannot be one, and what is wrong."""
    reading = _ModelReader()
    return reading.value(node, model, {}, f"this {type_title(model)}"), reading.problems


@cache
def required_fields(model: Any) -> tuple[Field[Any], ...]:
    """Return the fields of a model type whose key is required."""
    keyed = (choice_field(model), *yaml_keys(model).values())
    return tuple(f for f in keyed if f and f.metadata.get("must"))


class _ModelReader:
    """One reading and the problems met so far.

    A method that makes a value returns None if it cannot, and has then reported why.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def value(self, node: Node | None, field_type: Any, meta: Mapping[str, Any], name: str) -> Any:
        """Return the node as a value of the expected type. `name` is what messages call it."""
        if node is None:
            return None
        if field_type is LocatedText:
            return self.text(node, meta, name)
        origin, inner = _made_of(field_type)
        if origin is tuple:
            return self.items(node, inner, meta, name)
        if isinstance(node, YamlMapping):
            return self.table(node, inner, meta) if origin else self.model(node, field_type)
        if isinstance(node, LocatedText) and not origin and (expanded := self.expand_word(node, field_type)):
            return expanded
        if node == "":
            self.no_value(node, name)
        elif isinstance(node, LocatedText) and not origin and kind_field(field_type):
            self.no_such(node, field_type)
        else:
            self.wrong(node, name, YamlMapping, "a name" if origin else self.key_before(node, field_type))
        return None

    def expand_word(self, node: LocatedText, model: Any) -> Any:
        """Return a part that is only its type, `legend` or `legend:`, or the text of its main key."""
        if node == "":
            return model() if may_be_empty(model) else None
        if main_field := next((f for f in fields(model) if f.metadata.get("whole")), None):
            text = self.text(node, main_field.metadata, main_field.name)
            return text and model(**{main_field.name: text})
        if not kind_field(model) or not may_be_word_only(model, str(node)):
            return None
        name = yaml_keys(model)[node].name
        return model(**{kind_field(model): node, name: field_type(model, name)()})

    def no_such(self, node: LocatedText, model: Any) -> None:
        """Report a word that is no sort of the part, or a sort that needs more than its name."""
        message = (
            f"there is no {type_title(model)} {quote_short(node)}{did_you_mean(node, exclusive_keys(model))}"
        )
        if node in exclusive_keys(model):
            message = f"this {type_title(model)} says nothing but {node}; write {node}: and what it shows"
        self.report(UNKNOWN_KEY, node, message, node)

    def text(self, node: Node, meta: Mapping[str, Any], name: str) -> LocatedText | None:
        if isinstance(node, LocatedText) and ("phrase_for_no" in meta or meta.get("words") == YES):
            answer = ANSWERS.get(node.strip().casefold(), node)
            if answer != node:
                return LocatedText.from_source(answer, node.file, node.start, node.end, node.style)
        allowed = SETS[meta["words"]] if "words" in meta else ()
        if not isinstance(node, LocatedText):
            self.wrong(node, name, LocatedText)
        elif len(node) > limits.TEXT.maximum:
            message = f"{name} has {len(node):,} letters, and {limits.TEXT.describe}; split it"
            self.report(LONG_TEXT, node, message, name)
        elif not node.strip():
            self.no_value(node, name)
        elif allowed and node not in allowed:
            message = f"{name} cannot be {quote_short(node)}{did_you_mean(node, allowed)}"
            self.report(UNKNOWN_WORD, node, message, node)
        elif "count" in meta and parse_count(node, meta["count"]) is None:
            message = f"{name} cannot be {quote_short(node)}; write a whole number from 1 to {meta['count']}"
            self.report(COUNT, node, message, node)
        else:
            for flag, form, malformed, fault in _FORMS:
                if flag in meta and not form.fullmatch(node):
                    self.report(malformed, node, f"{quote_short(node)} {fault}", node)
                    return None
            return node
        return None

    def items(self, node: Node, inner: Any, meta: Mapping[str, Any], name: str) -> tuple[Any, ...] | None:
        if node == "" or (isinstance(node, YamlSequence) and not node.items and meta.get("must")):
            self.no_value(node, name)
            return None
        if not isinstance(node, YamlSequence):
            if not meta.get("lone"):
                self.wrong(node, name, YamlSequence)
                return None
            node = YamlSequence(node.file, node.start, node.end, items=[node])
        item_name = name if inner is LocatedText else f"an entry of {name}"
        read = (self.value(item, inner, meta, item_name) for item in self.bounded(node.items, name))
        return tuple(value for value in read if value is not None)

    def bounded(self, items: Sequence[Any], name: str) -> Sequence[Any]:
        """As many entries of a list or a set of names as there may be."""
        limit = limits.LIST.maximum
        if len(items) > limit:
            message = (
                f"{name} has {len(items):,} entries, and {limits.LIST.describe}; leave out those from here on"
            )
            self.report(LONG_LIST, items[limit], message, name)
        return items[:limit]

    def table(self, node: YamlMapping, inner: Any, meta: Mapping[str, Any]) -> dict[LocatedText, Any]:
        """Return names with a value each. A name whose value is faulty is known nevertheless."""
        names = self.bounded([*node.entries], "this")
        of_each = {"lone": meta.get("lone")}
        read = {name: self.value(node.entries[name], inner, of_each, name) for name in names}
        if get_origin(inner):
            return {name: value or () for name, value in read.items()}
        musts = [] if inner is LocatedText else [f.name for f in required_fields(inner)]
        for name, value in read.items():
            if value is None and inner is LocatedText:
                read[name] = LocatedText.from_source("", name.file, name.start, name.end)
            elif value is None:
                read[name] = inner(**dict.fromkeys(musts, name))
        return read

    def model(self, node: YamlMapping, model: Any) -> Any:
        known, chosen, either = yaml_keys(model), choice_field(model), exclusive_keys(model)
        step_kinds = (DO, *KINDS) if chosen else ()
        kind = kind_key(node.entries, model) if chosen else None
        title, values = type_title(model), dict[str, Any]()
        for k in node.duplicates:
            message = f"{quote_short(node.shorthand_key or k)} contains the {k} already; keep one of them"
            self.report(UNKNOWN_KEY, k, message, k)
        headed = headed_of(model)
        unknown = [(k, child) for k, child in node.entries.items() if headed and k == headed]
        for k, child in getattr(model, "expand_shorthand", dict)(node.entries).items():
            if k in known:
                f = known[k]
                values[f.name] = self.value(child, field_type(model, f.name), f.metadata, k)
            elif chosen and k is kind:
                values["kind"] = k
                values[chosen.name] = self.value(child, LocatedText, chosen.metadata, k)
                similar = nearest_option(k.strip(), step_kinds, cutoff=0.8)
                if similar and similar != k:
                    message = f"{quote_short(k)} is no kind of step; did you mean {similar}?"
                    self.report(UNKNOWN_KEY, k, message, k)
            elif kind and k in step_kinds:
                message = f"this is a {kind} already; make the {k} a step of its own"
                self.report(UNKNOWN_KEY, k, message, k)
            else:
                unknown.append((k, child))
        options = [*step_kinds, *(k for k in known if not known[k].metadata.get("headed"))]
        options += getattr(model, "short_keys", tuple)()
        # The required keys that the unknown ones seem to mean are not reported as missing.
        likely_keys = {self.unknown(k, child, model, options) for k, child in unknown}
        if chosen and likely_keys.intersection(step_kinds):
            likely_keys.add(chosen.name)
        chosen_keys = [k for k in node.entries if k in either]
        sort = kind_field(model)
        if chosen_keys and sort:
            values[sort] = chosen_keys[0]
        for k in chosen_keys[1:]:
            message = f"there is {chosen_keys[0]} here already; make the {k} a {title} of its own"
            self.report(UNKNOWN_KEY, k, message, k)
        if either and not chosen_keys and not likely_keys.intersection(("<<", *either)):
            message = f"this {title} needs one of the keys {', '.join(either)}"
            self.report(MISSING_KEY, node, message, node.file.name)
        # A part of two sorts is none.
        counted_keys = () if sort and chosen_keys[1:] else chosen_keys
        is_complete = not either or any(values.get(known[k].name) for k in counted_keys)
        for f in required_fields(model):
            if f.name not in values and not likely_keys.intersection(("<<", key_of(f), f.name)):
                lack = f"a kind and a title, such as {DO}: …" if f is chosen else f"the key {key_of(f)}"
                self.report(MISSING_KEY, node, f"this {title} needs {lack}", node.file.name)
            is_complete = is_complete and values.get(f.name) not in (None, ())
        return model(**{k: v for k, v in values.items() if v is not None}) if is_complete else None

    def unknown(self, k: LocatedText, value: Node | None, model: type, options: list[str]) -> str:
        """Report a key that the model type does not have. Returns the key that seems to be meant."""
        suggestion = nearest_option(k.strip(), options) or ""
        name = type_title(model)
        message = f"{quote_short(k)} is no key of {'an' if name[0] in 'aeiou' else 'a'} {name}"
        if k == "<<" and not k.style:
            return k  # reported already; it may mean any key
        without_colon = isinstance(value, LocatedText) and value.end == k.end
        first = re.split("[ :]", k, maxsplit=1)[0]
        if without_colon and first in options:  # {number "1.1"} or {number:"1.1"}
            lack = "a space is missing after the colon of" if f"{first}:" in k else "a colon is missing after"
            suggestion, message = first, f"{lack} {first}"
        elif without_colon:  # {title: a, b}
            message += "; a comma ends the words there: put them in quotes"
        elif k == headed_of(model):
            message += '; write each rule under its number and title: "12.5 Fuel": …'
        elif choice_field(model) and k == "title":
            suggestion = DO
            message += f"; write the title after its kind, such as {DO}: …"
        else:
            message += did_you_mean(k, options) or "; delete it"
        self.report(UNKNOWN_KEY, k, message, k)
        return suggestion

    def no_value(self, node: Node, name: str) -> None:
        hint = ""
        text = node.file.text if isinstance(node, LocatedText) else ""
        if isinstance(node, LocatedText) and node.style in ("|", ">"):
            hint = f"; text that begins with {node.style} must be in quotes"
        elif text[: node.start].rstrip().endswith(name):
            hint = "; a comma ends the words there: put them in quotes"
        elif text[node.start :].lstrip(" \t").startswith("#"):
            hint = "; text that begins with # must be in quotes"
        self.report(MISSING_KEY, node, f"{name} has no value{hint}", node.file.name)

    def key_before(self, node: Node, model: Any) -> str:
        """Return the key that text, or the list of a file, lacks to be an entry of a model type."""
        required = required_fields(model)
        if isinstance(node, YamlSequence):
            lists = [f for f in required if get_origin(field_type(model, f.name)) is tuple]
            return key_of(lists[-1]) if lists else ""
        return DO if choice_field(model) else next(iter([*map(key_of, required), *yaml_keys(model)]), "")

    def wrong(self, node: Node, name: str, expected: type, key: str = "") -> None:
        """Report a value of the wrong type. `key`: the key that is missing above it or before it."""
        is_list = isinstance(node, YamlSequence)
        if expected is YamlSequence:
            cure = "begin each entry with a -"
        elif expected is LocatedText:
            is_block = isinstance(node, YamlSequence) and not node.flow
            cure = "leave out the -" if is_block else "put the text in quotes"
        elif is_list and key and name.startswith("this "):
            cure = f"write {key}: above it"
        else:
            cure = f"write {key}: …" if key else "leave out the -"
        names = {LocatedText: "text", YamlMapping: "keys with values", YamlSequence: "a list"}
        subject = name if name.startswith(("this ", "an entry of ")) else f"the value of {name}"
        message = f"{subject} must be {names[expected]}, not {names[type(node)]}; {cure}"
        self.report(WRONG_TYPE, node, message, node.file.name)

    def report(self, kind: ProblemType, node: Node, message: str, about: str) -> None:
        self.problems.append(kind.problem(node.place, message, about))
