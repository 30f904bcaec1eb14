"""Writer of content files: readable YAML that the reader parses to the same data.

The data is plain: ordered keys, lists, and three types of text. `str` is a short text, quoted only if YAML or
other tools would misread it; `QuotedString` is a printed number or label, or the key of a rule, always
quoted; `ParagraphText` has paragraphs and lists, and becomes a wrapped literal block. `CommentedValue` has a
comment above it, `InlineCollection` is in one line if it fits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import yaml

from rulewright.files.located_text import UNPRINTABLE
from rulewright.files.yaml_tree import FastSafeLoader

COLUMNS = 88
"""The line width of prose and of inline values."""

_LEAST_WIDTH = 40
_LONG_ENTRY = 4
"""The maximum number of lines of an entry without an empty line before it."""

_BULLET = re.compile(r"[ ]*(?:[-*]|\d{1,3}\.)[ ]+")
_LOOKS_BULLET = re.compile(r"(?:[-*]|\d{1,3}\.)\Z")
_WORDS = re.compile(r"(?:\[\[[^\[\]]*\]\]|[^ \t\n])+")
_NO_PLAIN = re.compile(r"\A[-?:,\[\]{}#&*!|>'\"%@`=<]|: |:\Z| #|\s\Z|\A\s|[\x85\u2028\u2029\ufeff\n\t]")
_NO_FLOW = re.compile(r"[,\[\]{}]|:(?=\S*[\"'])")
_NO_FOLD = re.compile(r"\A[ ]|  |[\n\t]|[ ]\Z")  # what folding would change
_NO_BLOCK = re.compile("[\r\x85\u2028\u2029\ufeff]")


class QuotedString(str):
    """Printed number or label, always quoted: other tools read 12.10 as 12.1."""

    __slots__ = ()


class ParagraphText(str):
    """Text of paragraphs and lists; each paragraph and list item is one line."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class InlineCollection:
    """Mapping or list of short values, in one line if it fits."""

    value: Mapping[str, Value] | Sequence[Value]


@dataclass(frozen=True, slots=True)
class CommentedValue:
    """Value with comments above it."""

    value: Value
    comments: Sequence[str]


Value = str | Mapping[str, "Value"] | Sequence["Value"] | InlineCollection | CommentedValue


def write_yaml(entries: Mapping[str, Value], comments: Sequence[str] = ()) -> str:
    """Return a content file with its keys in order, below comments.

    It parses to the same data except for line breaks in prose.
    """
    head = [line for comment in comments for line in _comment(comment, 0)]
    return "".join(f"{line}\n" for line in (*head, *_keys(entries, 0)))


def wrap_prose(text: str, width: int = COLUMNS) -> list[str]:
    """Return the lines of a prose, wrapped, with continuation lines of list items indented.

    No line begins like a list item, and no mark such as [[14.7d|Hip Shoots]] is broken.
    """
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        bullet = _BULLET.match(line)
        indent = bullet.group() if bullet else line[: len(line) - len(line.lstrip())]
        wrapped = ""
        for word in _WORDS.findall(line[len(indent) :]):
            is_too_long = len(indent) + len(wrapped) + 1 + len(word) > width
            if wrapped and is_too_long and not _LOOKS_BULLET.match(word):
                lines.append(indent + wrapped)
                indent, wrapped = " " * len(indent), ""
            wrapped += f" {word}" if wrapped else word
        lines.append((indent + wrapped).rstrip())
    return lines


def _keys(entries: Mapping[str, Value], indent: int) -> Iterator[str]:
    """Yield the keys in order; long rules, whose keys are labels, are separated by an empty line."""
    before: list[str] = []
    for name, value in entries.items():
        lines = list(_entry(f"{yaml_scalar(name, flow=True)}:", value, indent))
        is_rule = isinstance(name, QuotedString)
        if is_rule and before and max(len(before), len(lines)) > _LONG_ENTRY:
            yield ""
        yield from lines
        before = lines if is_rule else []


def _items(items: Sequence[Value], indent: int) -> Iterator[str]:
    """Yield the items of a list; long ones are separated by an empty line."""
    before: list[str] = []
    for item in items:
        lines = list(_entry("-", item, indent))
        if before and max(len(before), len(lines)) > _LONG_ENTRY:
            yield ""
        yield from lines
        before = lines


def _entry(head: str, value: Value, indent: int) -> Iterator[str]:
    """Yield a value after its key or the dash of a list."""
    margin = " " * indent
    if isinstance(value, CommentedValue):
        for comment in value.comments:
            yield from _comment(comment, indent)
        yield from _entry(head, value.value, indent)
        return
    if isinstance(value, str):
        yield from _text(head, value, indent)
        return
    line = None if isinstance(value, Mapping) else _line(value)
    if line is not None and indent + len(head) + 1 + len(line) <= COLUMNS:
        yield f"{margin}{head} {line}"
        return
    inner = value.value if isinstance(value, InlineCollection) else value
    is_mapping = isinstance(inner, Mapping)
    lines = list(_keys(inner, indent + 2) if isinstance(inner, Mapping) else _items(inner, indent + 2))
    if head == "-" and is_mapping and lines:
        # The first key is in the line of the dash, below its comments.
        while lines[0].lstrip().startswith("#"):
            yield lines.pop(0)[2:]
        yield f"{margin}- {lines.pop(0)[indent + 2 :]}"
    else:
        yield f"{margin}{head}"
    yield from lines


def _text(head: str, value: str, indent: int) -> Iterator[str]:
    """Yield a text after its key: in the same line, or as a block below."""
    margin = " " * indent
    is_prose = isinstance(value, ParagraphText) and bool(value.strip())
    is_long = indent + len(head) + len(value) >= COLUMNS and " " in value and not _NO_FOLD.search(value)
    if _NO_BLOCK.search(value) or UNPRINTABLE.search(value) or not (is_prose or is_long):
        yield f"{margin}{head} {yaml_scalar(value)}"
        return
    yield f"{margin}{head} {'|' if is_prose else '>-'}"
    for line in wrap_prose(value.strip(), max(_LEAST_WIDTH, COLUMNS - indent - 2)):
        yield f"{margin}  {line}".rstrip()


def _line(value: Value) -> str | None:
    """Return a value in one line, `[a, b]` or `{do: Flak, see: "14.4"}`, or None if it needs more."""
    if isinstance(value, InlineCollection):
        return _line(value.value)
    if isinstance(value, ParagraphText):
        value = value.strip()
        return None if "\n" in value else yaml_scalar(value, flow=True)
    if isinstance(value, CommentedValue):
        return None
    if isinstance(value, str):
        return yaml_scalar(value, flow=True)
    if isinstance(value, Mapping):
        pairs = [(yaml_scalar(name, flow=True), _line(inner)) for name, inner in value.items()]
        if any(line is None for _, line in pairs):
            return None
        return "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"
    lines = [_line(inner) for inner in value]
    nested = any(isinstance(inner, Mapping | InlineCollection) for inner in value)
    return None if nested or None in lines else f"[{', '.join(filter(None, lines))}]"


def yaml_scalar(text: str, flow: bool = False) -> str:
    """Return a text in one line, quoted if necessary."""
    if isinstance(text, QuotedString) or not _is_plain(text) or (flow and _NO_FLOW.search(text)):
        quoted = json.dumps(text, ensure_ascii=False)
        return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda m: f"\\u{ord(m.group()):04x}", quoted)
    return text


def _is_plain(text: str) -> bool:
    """Return whether every YAML parser reads an unquoted text back as itself."""
    if not text or _NO_PLAIN.search(text) or UNPRINTABLE.search(text):
        return False
    # Fast path: long texts that begin with a letter; short ones may be yes, null, 1e3 or ~.
    if len(text) > 12 and text[0].isalpha():
        return True
    try:
        return bool(yaml.load(str(text), Loader=FastSafeLoader) == text)
    except (yaml.YAMLError, ValueError):
        return False


def _comment(comment: str, indent: int) -> Iterator[str]:
    width = max(_LEAST_WIDTH, COLUMNS - indent - 2)
    for line in wrap_prose(" ".join(comment.split()), width):
        yield f"{' ' * indent}# {line}".rstrip()
