"""Content files written: data as YAML that an editor is glad to have, and our own reader reads back.

What goes in is plain: keys in their order, lists, and text of three sorts. `str` is a short text, quoted
only where YAML or an editor's tool would take it for something else; `Label` is a printed number or label,
also as the key of a rule, and always quoted; `Prose` is a text of paragraphs and lists, which becomes a
literal block wrapped as prose. `Remarked` puts a comment above whatever it holds, `Brief` asks for one line
where that fits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import yaml

from rulewright.source.lazy_regex import Regex
from rulewright.source.located_text import UNPRINTABLE
from rulewright.source.yaml_tree import FastSafeLoader

COLUMNS = 88
"""Where prose is wrapped, and how long a value in one line may be."""

_LEAST_WIDTH = 40
_LONG_ENTRY = 4
"""How many lines an entry has at most that needs no empty line beside it."""

_BULLET = Regex(r"[ ]*(?:[-*]|\d{1,3}\.)[ ]+")
_LOOKS_BULLET = Regex(r"(?:[-*]|\d{1,3}\.)\Z")
_WORDS = Regex(r"(?:\[\[[^\[\]]*\]\]|[^ \t\n])+")
_NO_PLAIN = Regex(r"\A[-?:,\[\]{}#&*!|>'\"%@`=<]|: |:\Z| #|\s\Z|\A\s|[\x85\u2028\u2029\ufeff\n\t]")
_NO_FLOW = Regex(r"[,\[\]{}]|:(?=\S*[\"'])")
_NO_FOLD = Regex(r"\A[ ]|  |[\n\t]|[ ]\Z")  # what folding would change
_NO_BLOCK = Regex("[\r\x85\u2028\u2029\ufeff]")


class QuotedString(str):
    """A printed number or label, which is always quoted: editors' tools read 12.10 as 12.1."""

    __slots__ = ()


class ParagraphText(str):
    """A text of paragraphs and lists: each paragraph and each item of a list one line, however long."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class InlineCollection:
    """Keys with short values, or a list of short values, in one line where that fits."""

    value: Mapping[str, Value] | Sequence[Value]


@dataclass(frozen=True, slots=True)
class CommentedValue:
    """A value with comments above it, each a sentence for the editor."""

    value: Value
    comments: Sequence[str]


Value = str | Mapping[str, "Value"] | Sequence["Value"] | InlineCollection | CommentedValue


def write_yaml(entries: Mapping[str, Value], comments: Sequence[str] = ()) -> str:
    """Return a content file: its keys in their order, below `remarks`, which are comments.

    What the file holds is read back as it was given, but for the line ends in prose.
    """
    head = [line for comment in comments for line in _comment(comment, 0)]
    return "".join(f"{line}\n" for line in (*head, *_keys(entries, 0)))


def wrap_prose(text: str, width: int = COLUMNS) -> list[str]:
    """Return the lines of a prose: paragraphs and items wrapped, items with their further lines indented.

    No line begins with what would make it an item, and no mark such as [[14.7d|Hip Shoots]] is parted.
    """
    lines: list[str] = []
    for line in text.strip("\n").split("\n"):
        bullet = _BULLET.match(line)
        first = bullet.group() if bullet else line[: len(line) - len(line.lstrip())]
        lines += _wrapped(line[len(first) :], first, " " * len(first), width)
    return lines


def _wrapped(text: str, first: str, further: str, width: int) -> Iterator[str]:
    line, is_empty = first, True
    for word in _WORDS.findall(text):
        if not is_empty and len(line) + 1 + len(word) > width and not _LOOKS_BULLET.match(word):
            yield line
            line, is_empty = further, True
        line += word if is_empty else f" {word}"
        is_empty = False
    yield line.rstrip()


def _keys(entries: Mapping[str, Value], indent: int) -> Iterator[str]:
    """Yield the keys in their order; long rules, whose keys are labels, have an empty line between them."""
    before: list[str] = []
    for name, value in entries.items():
        lines = list(_entry(f"{yaml_scalar(name, flow=True)}:", value, indent))
        is_rule = isinstance(name, QuotedString)
        if is_rule and before and max(len(before), len(lines)) > _LONG_ENTRY:
            yield ""
        yield from lines
        before = lines if is_rule else []


def _entry(head: str, value: Value, indent: int) -> Iterator[str]:
    if isinstance(value, CommentedValue):
        for comment in value.comments:
            yield from _comment(comment, indent)
        yield from _entry(head, value.value, indent)
    elif isinstance(value, str):
        yield from _text(head, value, indent)
    elif (
        (line := _line(value)) is not None
        and (isinstance(value, InlineCollection) or not isinstance(value, Mapping))
        and indent + len(head) + 1 + len(line) <= COLUMNS
    ):
        yield f"{' ' * indent}{head} {line}"
    elif isinstance(value, InlineCollection):
        yield from _entry(head, value.value, indent)
    elif isinstance(value, Mapping):
        yield f"{' ' * indent}{head}"
        yield from _keys(value, indent + 2)
    else:
        yield f"{' ' * indent}{head}"
        yield from _items(value, indent + 2)


def _text(head: str, value: str, indent: int) -> Iterator[str]:
    """Yield a text with what stands in front of it: in its line, or as a block below it."""
    is_prose = isinstance(value, ParagraphText) and bool(value.strip())
    is_long = indent + len(head) + len(value) >= COLUMNS and " " in value and not _NO_FOLD.search(value)
    if _NO_BLOCK.search(value) or UNPRINTABLE.search(value) or not (is_prose or is_long):
        yield f"{' ' * indent}{head} {yaml_scalar(value)}"
        return
    yield f"{' ' * indent}{head} {'|' if is_prose else '>-'}"
    inner = " " * (indent + 2)
    for line in wrap_prose(value.strip(), max(_LEAST_WIDTH, COLUMNS - len(inner))):
        yield f"{inner}{line}".rstrip()


def _items(items: Sequence[Value], indent: int) -> Iterator[str]:
    """Yield the items of a list; long ones have an empty line between them."""
    before: list[str] = []
    for item in items:
        lines = list(_item(item, indent))
        if before and max(len(before), len(lines)) > _LONG_ENTRY:
            yield ""
        yield from lines
        before = lines


def _item(item: Value, indent: int) -> Iterator[str]:
    inner = item
    if isinstance(inner, CommentedValue):
        for comment in inner.comments:
            yield from _comment(comment, indent)
        inner = inner.value
    if (
        isinstance(inner, InlineCollection)
        and (line := _line(inner)) is not None
        and indent + 2 + len(line) <= COLUMNS
    ):
        yield f"{' ' * indent}- {line}"
        return
    inner = inner.value if isinstance(inner, InlineCollection) else inner
    if not isinstance(inner, Mapping) or not inner:
        yield from _entry("-", inner, indent)
        return
    lines = list(_keys(inner, indent + 2))
    first = next(index for index, line in enumerate(lines) if not line.lstrip().startswith("#"))
    yield from (line[2:] for line in lines[:first])
    yield f"{' ' * indent}- {lines[first][indent + 2 :]}"
    yield from lines[first + 1 :]


def _line(value: Value) -> str | None:
    """Return a value in one line, as in `[a, b]` or `{do: Flak, see: "14.4"}`, or None if it takes more."""
    if isinstance(value, InlineCollection):
        return _line(value.value)
    if isinstance(value, CommentedValue) or (isinstance(value, ParagraphText) and "\n" in value.strip()):
        return None
    if isinstance(value, str):
        return yaml_scalar(value.strip() if isinstance(value, ParagraphText) else value, flow=True)
    if isinstance(value, Mapping):
        pairs = [(yaml_scalar(name, flow=True), _line(inner)) for name, inner in value.items()]
        if any(line is None for _, line in pairs):
            return None
        return "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"
    lines = [_line(inner) for inner in value]
    nested = any(isinstance(inner, Mapping | InlineCollection) for inner in value)
    return None if nested or None in lines else f"[{', '.join(filter(None, lines))}]"


def yaml_scalar(text: str, flow: bool = False) -> str:
    """Return a text in one line, in quotes where it needs them."""
    if isinstance(text, QuotedString) or not _is_plain(text) or (flow and _NO_FLOW.search(text)):
        quoted = json.dumps(text, ensure_ascii=False)
        return re.sub("[\x7f-\x9f\u2028\u2029\ufeff]", lambda m: f"\\u{ord(m.group()):04x}", quoted)
    return text


def _is_plain(text: str) -> bool:
    """Return whether a text may stand without quotes: it is read back as itself, by whatever reads YAML."""
    if not text or _NO_PLAIN.search(text) or UNPRINTABLE.search(text):
        return False
    # A text of words alone needs no parser to judge it; the shortest may be yes, null, 1e3 or ~.
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
