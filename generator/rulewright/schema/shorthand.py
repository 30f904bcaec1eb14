"""Rules and notes under their keys: number and title, or the kind; every text keeps its source location.

"12.5 Fuel":                    a rule in its rule, by its number and its title
  text: |
    Trucks burn fuel.
  play: Fill up early.          a note in its rule, by its kind
  "12.5a": Mules burn none.     a rule with only a text

"Rule 1 Case A | Fuel": …       a number with a space is separated from its title by |
notes: [{play: Fill up early.}] a note in a list, by its kind
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from rulewright.files.located_text import LocatedText, Node, TextSlice, YamlMapping, YamlSequence
from rulewright.files.problems import SourceFile, nearest_option
from rulewright.files.yaml_writer import QuotedString

Entries = dict[LocatedText, Node | None]
"""Keys of a part with their values."""

HEAD = re.compile(
    r"\s*(?P<number>[^|]*?[^|\s])\s*\|\s*(?P<title>.*?)\s*|\s*(?P<first>\S+)(?:\s+(?P<rest>.*?))?\s*",
    re.DOTALL,
)
"""A number, and its title if one follows."""

_LONGEST_HEAD = 900
"""YAML reads no key of more than 1,024 characters."""

_LINE_BREAK = re.compile("[\r\n\x85\u2028\u2029]")
_DIGIT = re.compile("[0-9]")


def is_shorthand_key(key: LocatedText, known: Collection[str]) -> bool:
    """Return whether a key of a rule is a number, and perhaps a title, of an inner rule."""
    if key in known or not key.strip():
        return False
    return bool(_DIGIT.search(key)) or bool(key.style and not nearest_option(key.strip(), known))


def parse_shorthand_key(key: LocatedText) -> tuple[LocatedText, LocatedText | None]:
    """Return the number and the title in a key, each where it is written."""
    m = HEAD.fullmatch(key)
    assert m, "a key has a visible character"
    number, title = ("number", "title") if m["number"] else ("first", "rest")
    title_text = TextSlice.slice_of(key, *m.span(title)) if m[title] else None
    return TextSlice.slice_of(key, *m.span(number)), title_text


def write_shorthand_key(
    number: str, title: str | None, known: Collection[str]
) -> tuple[QuotedString, dict[str, str]]:
    """Return the key of a rule, and its title as a key of its own if the reader cannot find it in the key."""
    separator = " | " if " " in number or "|" in (title or "") else " "
    words = f"{number}{separator}{title}" if title else f"{number}{separator.rstrip()}"
    is_short = len(words) <= _LONGEST_HEAD and not _LINE_BREAK.search(words)
    m = HEAD.fullmatch(words) if is_short else None
    is_read_back = m and (m["number"] or m["first"], m["title"] or m["rest"]) == (number, title)
    key = LocatedText.from_source(words, SourceFile("", ""), 0, 0, '"')
    if not title or (is_read_back and is_shorthand_key(key, known)):
        return QuotedString(words), {}
    return write_shorthand_key(number, None, known)[0], {"title": title}


def expand_rule(
    mapping: Mapping[LocatedText, Node | None], known: Collection[str], kinds: Collection[str]
) -> Entries:
    """Spell out the rules and notes that are keys of a rule as entries of its lists."""
    if all(key in known and key != "rules" for key in mapping):
        return dict(mapping)
    expanded: Entries = {}
    rules: list[Node] = []
    notes: list[Node] = []
    for key, value in mapping.items():
        if key in kinds:
            written_notes = value.items if isinstance(value, YamlSequence) else [value]
            notes += (_part(key, {"kind": key}, note) for note in written_notes)
        elif is_shorthand_key(key, known):
            number, title = parse_shorthand_key(key)
            rules.append(_part(key, {"number": number} | ({"title": title} if title else {}), value))
        elif key != "rules":  # which the reader reports
            expanded[key] = value
    listed_notes = expanded.get(LocatedText("notes"))
    if isinstance(listed_notes, YamlSequence):
        notes = sorted([*listed_notes.items, *notes], key=lambda note: note.start)
    elif listed_notes is not None:
        notes = []  # the reader reports the value of `notes`
    for name, items in (("rules", rules), ("notes", notes)):
        if items:
            first = items[0]
            key = LocatedText.from_source(name, first.file, first.start, first.start)
            expanded[key] = YamlSequence(first.file, first.start, items[-1].end, items=items)
    return expanded


def expand_note(mapping: Mapping[LocatedText, Node | None], kinds: Collection[str]) -> Entries:
    """Spell out a note whose kind is the key of its text, `play: …`, as kind and text."""
    short = next((key for key in mapping if key in kinds), None)
    if short is None or "kind" in mapping or "text" in mapping:
        return dict(mapping)
    other_entries = {key: value for key, value in mapping.items() if key is not short}
    return _entries(short, {"kind": short}, mapping[short]) | other_entries


def _part(key: LocatedText, head_entries: Mapping[str, LocatedText], value: Node | None) -> YamlMapping:
    """Return a part whose own key says some of its keys."""
    end, flow, duplicates = key.end, False, list[LocatedText]()
    if value is not None:
        end = max(end, value.end)
    if isinstance(value, YamlMapping):
        flow, duplicates = value.flow, [k for k in value.entries if k in head_entries]
    return YamlMapping(
        key.file,
        key.start,
        end,
        flow,
        entries=_entries(key, head_entries, value),
        shorthand_key=key,
        value=value,
        duplicates=duplicates,
    )


def _entries(key: LocatedText, head_entries: Mapping[str, LocatedText], value: Node | None) -> Entries:
    entries: Entries = {}
    for name, text in head_entries.items():
        entries[LocatedText.from_source(name, key.file, text.start, text.start)] = text
    if isinstance(value, YamlMapping):
        entries |= {k: entry for k, entry in value.entries.items() if k not in head_entries}
    elif value is not None and value != "":
        entries[LocatedText.from_source("text", key.file, value.start, value.start)] = value
    return entries
