"""From trees of text to the typed model: every key known, nothing missing, all faults at once.

The types in `model` say which keys there are. A fault never stops the reading: the part that cannot
be made is left out and what stands around it is still read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

from rulewright.model.keys import keys_of, type_of
from rulewright.model.placed import NO_SIDE, NO_SIDE_SAID
from rulewright.model.rulebook import SETS
from rulewright.model.step import DO, FREE
from rulewright.source import bounds
from rulewright.source.amounts import counted
from rulewright.source.patterns import Regex
from rulewright.source.problems import Kind, Problem, did_you_mean, kind, nearest, shown
from rulewright.source.text import Items, Keys, Node, Text
from rulewright.text.insets import SIDE

UNKNOWN_KEY = kind(
    "unknown-key", "A key that this sort of entry does not have. The nearest one that it has is named."
)
MISSING_KEY = kind("missing-key", "A key that this sort of entry must have is not there, or has no value.")
WRONG_TYPE = kind("wrong-type", "A list stands where text belongs, or text where a list belongs, and so on.")
UNKNOWN_WORD = kind("unknown-word", "A value that must be one of a few words is another word.")
LONG_TEXT = kind("text-too-long", f"{bounds.TEXT} Split it, into rules for instance.")
LONG_LIST = kind("list-too-long", f"{bounds.LIST} What is behind that is not read.")
COUNT = kind("count-malformed", "How many there are of something is no whole number, or one out of range.")
NO_DATE = kind("date-malformed", "A date is not written as year-month-day: 2020-08-09.")

ANSWERS = {"yes": FREE, "true": FREE, "on": FREE, "y": FREE, "no": "", "false": "", "off": "", "n": ""}
"""The words that YAML takes for yes and no, as a key holds them that takes either `yes` or words."""

T = TypeVar("T")
Words = Mapping[str, tuple[str, ...]]

_NAMES = {"EditionFile": "edition", "Known": "list", "Listed": "number", "GameRulebook": "rulebook"}
_NAMES |= {"TypeSizes": "type", "GameSequence": "sequence"}
_NAMES |= {"ColumnGroup": "group", "SecondRoll": "second-roll", "TableNote": "note", "HexMap": "map"}
_GONE = {"restored": "is a note of the editor's; write it as a comment, behind a #"}
"""Keys that there are no more, and what to write in their place."""
_DATE = Regex(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")


@cache
def chosen_of(model: Any) -> Field[Any] | None:
    """The field that takes the value of one key out of a set, where the model type has one."""
    return next((f for f in fields(model) if f.metadata.get("one_of")), None)


@cache
def either_of(model: Any) -> tuple[str, ...]:
    """The keys of a model type of which exactly one must be given, where it has such."""
    return tuple(name for name, f in keys_of(model).items() if f.metadata.get("either"))


@cache
def sort_of_part(model: Any) -> str:
    """The field of a model type that takes the key which was chosen out of `either`, where it has one."""
    return next((f.name for f in fields(model) if f.metadata.get("sort")), "")


@cache
def headed_of(model: Any) -> str:
    """Return the list of a model type whose entries are keys with numbers and titles, if it has one."""
    lists = (name for name, f in keys_of(model).items() if f.metadata.get("headed") and f.default == ())
    return next(lists, "")


@cache
def needs_nothing(model: Any) -> bool:
    """Whether a part may be without any key: `legend:` with nothing behind it."""
    musts = (f for f in keys_of(model).values() if f.metadata.get("must"))
    return not any(musts) and not chosen_of(model) and not either_of(model)


@cache
def may_be_bare(model: Any, name: str) -> bool:
    """Whether the word for a sort of part may stand alone, `legend`, since it needs no more."""
    if name not in either_of(model):
        return False
    part = type_of(model, keys_of(model)[name].name)
    return not (part is Text or get_origin(part)) and needs_nothing(part)


@cache
def _made_of(wanted: Any) -> tuple[Any, Any]:
    """Take a type apart: whether it is a tuple or a mapping, and the type of its items."""
    origin, inner = get_origin(wanted), get_args(wanted)
    return origin, inner[0 if origin is tuple else 1] if origin else None


def called(model: type) -> str:
    """Name of a part in messages."""
    name = model.__name__
    return _NAMES.get(name, (name.removesuffix("Block") or name).lower())


def kinds(words: Words) -> tuple[str, ...]:
    """The keys a step may stand under, outermost kind first."""
    return (*words["steps"], DO)


def read(node: Node, model: type[T], words: Words = SETS) -> tuple[T | None, list[Problem]]:
    """A tree as an instance of a model type, or None where it cannot be one, and what is wrong."""
    reading = _Reading(words)
    return reading.value(node, model, {}, f"this {called(model)}"), reading.problems


@cache
def musts(model: type, heads: tuple[str, ...]) -> tuple[tuple[str, Field[Any], tuple[str, ...]], ...]:
    """Keys that are required: as a message names them, the field, and the keys that give it."""
    chosen = chosen_of(model)
    one_of = [(f"one of the keys {', '.join(heads)}", chosen, heads)] if chosen else []
    keys = ((f"the key {k}", f, (k,)) for k, f in keys_of(model).items())
    return tuple(one for one in (*one_of, *keys) if one[1].metadata.get("must"))


def _as_keys(name: str, names: Items, inner: Any) -> str:
    """A list of names as the keys that are wanted, each with a value of the sort that it needs."""
    value = "…"
    if not get_origin(inner) and inner is not Text:
        must = next((k for k, f in keys_of(inner).items() if f.metadata.get("must")), "")
        value = f"{{{must}: …}}" if must else "{…}"
    told = [f"{shown(one)}: {value}" for one in names.items[:2] if isinstance(one, Text) and one]
    return f"{name}: {{{', '.join(told or [f'name: {value}'])}}}"


class _Reading:
    """One reading: the words that values are chosen from, and the problems met so far.

    A method that makes a value returns None where it cannot, and has then reported why.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self.problems: list[Problem] = []

    def value(self, node: Node | None, wanted: Any, meta: Mapping[str, Any], name: str) -> Any:
        """The node as a value of the wanted type. `name` is what messages call it."""
        if node is None:
            return None
        if wanted is Text and isinstance(node, Keys) and "or_keys" in meta:
            return self.model(node, meta["or_keys"])
        if wanted is Text:
            return self.text(node, meta, name)
        origin, inner = _made_of(wanted)
        if origin is tuple:
            return self.items(node, inner, meta, name)
        if isinstance(node, Keys):
            return self.table(node, inner, meta) if origin else self.model(node, wanted)
        if isinstance(node, Text) and not origin and (made := self.bare(node, wanted)):
            return made
        if node == "":
            self.no_value(node, name)
        elif isinstance(node, Text) and not origin and sort_of_part(wanted):
            self.no_such(node, wanted)
        else:
            self.wrong(node, name, Keys, "a name" if origin else self.key_before(node, wanted), inner)
        return None

    def bare(self, node: Text, model: Any) -> Any:
        """A part of which nothing is said but its sort: `legend`, or `legend:` with nothing behind it."""
        if node == "":
            return model() if needs_nothing(model) else None
        if not sort_of_part(model) or not may_be_bare(model, str(node)):
            return None
        name = keys_of(model)[node].name
        return model(**{sort_of_part(model): node, name: type_of(model, name)()})

    def no_such(self, node: Text, model: Any) -> None:
        """Report a word that is no sort of the part, or a sort that needs more than its name."""
        message = f"there is no {called(model)} {shown(node)}{did_you_mean(node, either_of(model))}"
        if node in either_of(model):
            message = f"this {called(model)} says nothing but {node}; write {node}: and what it shows"
        self.report(UNKNOWN_KEY, node, message, node)

    def text(self, node: Node, meta: Mapping[str, Any], name: str) -> Text | None:
        if isinstance(node, Text) and ("free" in meta or meta.get("words") == FREE):
            answer = ANSWERS.get(node.strip().casefold(), node)
            if answer != node:
                return Text.written(answer, node.file, node.start, node.end, node.style)
        allowed = self.words[meta["words"]] if "words" in meta else ()
        if not isinstance(node, Text):
            self.wrong(node, name, Text)
        elif len(node) > bounds.TEXT.most:
            message = f"{name} has {len(node):,} letters, and {bounds.TEXT.clause}; split it"
            self.report(LONG_TEXT, node, message, name)
        elif not node.strip():
            self.no_value(node, name)
        elif allowed and node not in allowed:
            message = f"{name} cannot be {shown(node)}{did_you_mean(node, allowed)}"
            if node in _GONE:
                message = f"{node} {_GONE[node]}"
            self.report(UNKNOWN_WORD, node, message, node)
        elif "count" in meta and counted(node, meta["count"]) is None:
            message = f"{name} cannot be {shown(node)}; write a whole number from 1 to {meta['count']}"
            self.report(COUNT, node, message, node)
        elif meta.get("date") and not _DATE.fullmatch(node):
            message = f"{shown(node)} is no date; write it as year-month-day, like 2020-08-09"
            self.report(NO_DATE, node, message, node)
        elif meta.get("width") and not SIDE.fullmatch(node):
            self.report(NO_SIDE, node, f"{shown(node)} {NO_SIDE_SAID.format('width')}", node)
        else:
            return node
        return None

    def items(self, node: Node, inner: Any, meta: Mapping[str, Any], name: str) -> tuple[Any, ...] | None:
        if node == "" or (isinstance(node, Items) and not node.items and meta.get("must")):
            self.no_value(node, name)
            return None
        if not isinstance(node, Items):
            if not meta.get("lone"):
                self.wrong(node, name, Items)
                return None
            node = Items(node.file, node.start, node.end, items=[node])
        one = name if inner is Text else f"an entry of {name}"
        read = (self.value(item, inner, meta, one) for item in self.bounded(node.items, name))
        return tuple(value for value in read if value is not None)

    def bounded(self, items: Sequence[Any], name: str) -> Sequence[Any]:
        """As many entries of a list or a set of names as there may be."""
        most = bounds.LIST.most
        if len(items) > most:
            message = (
                f"{name} has {len(items):,} entries, and {bounds.LIST.clause}; leave out those from here on"
            )
            self.report(LONG_LIST, items[most], message, name)
        return items[:most]

    def table(self, node: Keys, inner: Any, meta: Mapping[str, Any]) -> dict[Text, Any]:
        """Names with a value each. A name whose value is faulty is known nevertheless."""
        names = self.bounded([*node.entries], "this")
        of_each = {"lone": meta.get("lone")}
        read = {name: self.value(node.entries[name], inner, of_each, name) for name in names}
        if get_origin(inner):
            return {name: value or () for name, value in read.items()}
        if inner is Text:
            return {k: Text.written("", k.file, k.start, k.end) if v is None else v for k, v in read.items()}
        musts = [f.name for f in keys_of(inner).values() if f.metadata.get("must")]
        return {k: inner(**dict.fromkeys(musts, k)) if v is None else v for k, v in read.items()}

    def model(self, node: Keys, model: type) -> Any:
        known = keys_of(model)
        chosen = chosen_of(model)
        heads = kinds(self.words) if chosen else ()
        headless = chosen and chosen.metadata.get("must") and not any(k in heads for k in node.entries)
        values: dict[str, Any] = {}
        headed = headed_of(model)
        unknown = [(k, child) for k, child in node.entries.items() if headed and k == headed]
        spelt_out = getattr(model, "spelt_out", dict)
        for k in node.twice:
            message = f"the {k} stands in {shown(node.head or k)} already; keep one of them"
            self.report(UNKNOWN_KEY, k, message, k)
        for k, child in spelt_out(node.entries).items():
            if k in known:
                f = known[k]
                values[f.name] = self.value(child, type_of(model, f.name), f.metadata, k)
            elif chosen and k in heads and chosen.name in values:
                message = f"this is a {values['kind']} already; make the {k} a step of its own"
                self.report(UNKNOWN_KEY, k, message, k)
            elif chosen and k in heads:
                values["kind"] = k
                values[chosen.name] = self.value(child, Text, chosen.metadata, k)
            else:
                unknown.append((k, child))
        first = next(iter(node.entries), None)
        if headless and unknown and unknown[0][0] is first and (k := unknown[0][0]) not in ("title", "<<"):
            unknown, meant = unknown[1:], {self.no_kind(k, heads)}
        else:
            meant = set()
        if unknown:
            near = [*heads, *(k for k in known if not known[k].metadata.get("headed"))]
            near += getattr(model, "short_keys", tuple)()
            meant |= {self.unknown(k, child, model, near) for k, child in unknown}
        either = either_of(model)
        given = [k for k in node.entries if k in either] if either else []
        sort = sort_of_part(model)
        if given and sort:
            values[sort] = given[0]
        for k in given[1:]:
            message = f"{given[0]} stands here already; make the {k} a {called(model)} of its own"
            self.report(UNKNOWN_KEY, k, message, k)
        if either and not given and not meant.intersection(("<<", *either)):
            message = f"this {called(model)} needs one of the keys {', '.join(either)}"
            self.report(MISSING_KEY, node, message, node.file.name)
        # A part of two sorts is none.
        made = () if sort and given[1:] else given
        whole = not either or any(values.get(known[k].name) for k in made)
        for name, f, options in musts(model, heads):
            if f.name not in values and not meant.intersection(("<<", *options)):
                self.report(MISSING_KEY, node, f"this {called(model)} needs {name}", node.file.name)
            whole = whole and values.get(f.name) not in (None, ())
        return model(**{k: v for k, v in values.items() if v is not None}) if whole else None

    def no_kind(self, k: Text, heads: Sequence[str]) -> str:
        """Report a first key that is no kind of step. Returns the kind that is probably meant."""
        near = nearest(k.strip(), heads)
        mend = f"did you mean {near}?" if near else f"write {DO}:, or one of {', '.join(heads[:-1])}"
        self.report(UNKNOWN_KEY, k, f"{shown(k)} is no kind of step; {mend}", k)
        return near or DO

    def unknown(self, k: Text, value: Node | None, model: type, options: list[str]) -> str:
        """Report a key that the model type does not have. Returns the key that seems to be meant."""
        near = nearest(k.strip(), options) or ""
        name = called(model)
        message = f"{shown(k)} is no key of {'an' if name[0] in 'aeiou' else 'a'} {name}"
        if k == "<<" and not k.style:
            return k  # reported already; it may stand for any key
        without_colon = isinstance(value, Text) and value.end == k.end
        first = re.split("[ :]", k, maxsplit=1)[0]
        if without_colon and first in options:  # {number "1.1"} or {number:"1.1"}
            lack = (
                "a space is missing behind the colon of" if f"{first}:" in k else "a colon is missing behind"
            )
            near, message = first, f"{lack} {first}"
        elif without_colon:  # {title: a, b}
            message += "; put text with a comma in quotes"
        elif k == headed_of(model):
            message += '; write each rule under its number and title: "12.5 Fuel": …'
        elif gone := next((one for one in (k, value) if isinstance(one, str) and one in _GONE), None):
            message = f"{gone} {_GONE[gone]}"
        elif chosen_of(model) and k in ("title", *SETS["steps"]):
            near = DO
            message += f"; its title stands under one of {', '.join(kinds(self.words))}"
        else:
            message += did_you_mean(k, options)
        self.report(UNKNOWN_KEY, k, message, k)
        return near

    def no_value(self, node: Node, name: str) -> None:
        hint = ""
        if isinstance(node, Text) and node.style in ("|", ">"):
            sign = node.style
            hint = f"; text that begins with {sign} must be in quotes, text in several lines begins below it"
        elif isinstance(node, Text) and re.match(r"[ \t]*#", node.file.text[node.start : node.start + 80]):
            hint = "; text that begins with # must be in quotes"
        self.report(MISSING_KEY, node, f"{name} has no value{hint}", node.file.name)

    def key_before(self, node: Node, model: Any) -> str:
        """The key that text, or the list of a file, lacks to be an entry of a model type."""
        known = keys_of(model)
        musts = [(k, get_origin(type_of(model, f.name))) for k, f in known.items() if f.metadata.get("must")]
        lists = [k for k, origin in musts if origin is tuple]
        first = musts[0][0] if musts else next(iter(known), "")
        return "".join(lists[-1:]) if isinstance(node, Items) else DO if chosen_of(model) else first

    def wrong(self, node: Node, name: str, wanted: type, key: str = "", inner: Any = None) -> None:
        sign = node.file.text[node.start : node.start + 1]
        if wanted is Text and sign in ("[", "{"):
            hint = f"put text that begins with {sign} in quotes"
        elif wanted is Text and isinstance(node, Keys):
            hint = "put text with a colon in quotes"
        elif wanted is Text:
            hint = "leave out the -"
        elif wanted is Keys and inner and isinstance(node, Items):
            hint = f"write names with what each is: {_as_keys(name, node, inner)}"
        elif wanted is Items:
            hint = "begin each entry with a -"
        elif isinstance(node, Text):
            hint = f"write {key}: …"
        else:
            hint = f"write {key}: above it" if key and name.startswith("this ") else "leave out the -"
        names = {Text: "text", Keys: "keys with values", Items: "a list"}
        what = name if name.startswith(("this ", "an entry of ")) else f"the value of {name}"
        message = f"{what} must be {names[wanted]}, not {names[type(node)]}; {hint}"
        self.report(WRONG_TYPE, node, message, node.file.name)

    def report(self, kind: Kind, node: Node, message: str, about: str) -> None:
        self.problems.append(kind.at(node.place, message, about))
