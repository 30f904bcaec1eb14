"""YAML as text with places.

A YAML parser turns `12.10` into 12.1, `+1` into 1 and `no` into false. Here every scalar stays the
text its editor wrote, and every key and value knows its line and column. The tree is made from
PyYAML's events (C loader) with a limit on depth: composing with the C loader crashes the process on
200,000 open brackets, and pure Python reads thirty times slower.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import yaml

from generator.problems import Place, Problem, kind

try:
    from yaml import CSafeLoader as Loader
except ImportError:  # PyYAML built without libyaml: slower, but the same events
    from yaml import SafeLoader as Loader  # type: ignore[assignment]

MOST_DEPTH = 40
"""Deeper nesting is refused: a rule's items inside a chapter need about ten levels."""

NOT_UTF8 = kind("file-not-utf8", "A content file is not UTF-8 text. Save it as UTF-8.")
CONTROL = kind("control-character", "A file holds a character that no text has. Delete it.")
SYNTAX = kind("yaml-syntax", "A file is not YAML. Mostly a colon, a quote or an indent is missing.")
EMPTY = kind("file-empty", "A content file holds nothing. Write its first key, or delete the file.")
TOO_DEEP = kind("yaml-too-deep", f"Lists and keys are nested more than {MOST_DEPTH} deep.")
ALIAS = kind("yaml-alias", "YAML anchors (&) and aliases (*) are not used here: say `repeats:` or write it out.")
TAG = kind("yaml-tag", "YAML tags (!) are not used here: every value is text.")
DUPLICATE_KEY = kind("duplicate-key", "A key stands twice in one place; only one of them would be read.")
DOCUMENTS = kind("yaml-documents", "A file holds more than one YAML document (`---`). Make two files of it.")

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_ESCAPE = re.compile(r"\\(?:x..|u.{4}|U.{8}|\r\n|.)|.", re.DOTALL)
_BLANK_ESCAPES = {"\\" + c for c in "tnrvf _NLP\n\r\t"} | {"\\\r\n"}


@dataclass(eq=False)
class File:
    """A file as it was read. `name` is its path from the project's folder, with `/`."""

    name: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(m.end() for m in _LINE_END.finditer(self.text))]

    def place(self, index: int) -> Place:
        """The line and column of a character of the text, counted as editors' tools count them."""
        line = bisect.bisect_right(self._starts, index)
        return Place(self.name, line, index - self._starts[line - 1] + 1)


class Text(str):
    """A scalar: a string that knows where it stands in its file.

    `start` and `end` bound the scalar as it is written, quotes and block header included.
    """

    __slots__ = ("end", "file", "start", "style")

    file: File
    start: int
    end: int
    style: str

    @classmethod
    def written(cls, value: str, file: File, start: int, end: int, style: str = "") -> Text:
        """`value` as it was read from `file.text[start:end]`; `style` is YAML's: `'`, `"`, `|`, `>` or none."""
        text = cls(value)
        text.file, text.start, text.end, text.style = file, start, end, style
        return text

    @property
    def place(self) -> Place:
        """Where the scalar begins."""
        return self.file.place(self.start)

    def place_of(self, offset: int) -> Place:
        """Line and column of the character at `offset` of this string."""
        return self.file.place(self.index_of(offset))

    def index_of(self, offset: int) -> int:
        """Where in the file the character at `offset` of this string is written.

        Folding and indenting change only white space, so the n-th visible character of the value
        is the n-th visible one as written; one in white space stands right behind the last visible.
        """
        before = sum(not c.isspace() for c in self[:offset])
        here = offset < len(self) and not self[offset].isspace()
        last = self.start
        for seen, (start, end) in enumerate(self._visible()):
            if here and seen == before:
                return start
            last = end
            if not here and seen + 1 == before:
                break
        return last

    def _visible(self) -> Iterator[tuple[int, int]]:
        """Start and end, in the file, of what each visible character was written as."""
        raw, at = self.file.text[self.start : self.end], self.start
        if self.style in ("|", ">"):
            header = _LINE_END.search(raw)
            raw, at = (raw[header.end() :], at + header.end()) if header else ("", at)
        elif self.style:
            raw, at = raw[1:-1], at + 1
        if self.style == '"':
            tokens = ((m.start(), m.group()) for m in _ESCAPE.finditer(raw))
        elif self.style == "'":
            tokens = ((m.start(), m.group()) for m in re.finditer("''|.", raw, re.DOTALL))
        else:
            tokens = enumerate(raw)
        for start, token in tokens:
            if not token.isspace() and token not in _BLANK_ESCAPES:
                yield at + start, at + start + len(token)


@dataclass(eq=False, slots=True)
class Keys:
    """A mapping: `entries` by key, in the order written. `start` is where it begins in `file`."""

    file: File
    start: int
    entries: dict[Text, Node] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        return self.file.place(self.start)


@dataclass(eq=False, slots=True)
class Items:
    """A list: `items` in the order written. `start` is where it begins in `file`."""

    file: File
    start: int
    items: list[Node] = field(default_factory=list)

    @property
    def place(self) -> Place:
        return self.file.place(self.start)


Node = Text | Keys | Items


def decode(name: str, data: bytes) -> tuple[File, list[Problem]]:
    """A file's bytes as text. Bytes that are not UTF-8 are reported at the first bad one."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = File(name, data[: error.start].decode("utf-8", "replace"))
        message = f"this byte (0x{data[error.start]:02x}) is not UTF-8; save the file as UTF-8"
        return File(name, ""), [NOT_UTF8.at(good.place(len(good.text)), message, name)]
    file = File(name, text)
    if bad := _UNPRINTABLE.search(text):
        message = f"a control character (U+{ord(bad.group()):04X}) stands here; delete it"
        return File(name, ""), [CONTROL.at(file.place(bad.start()), message, name)]
    return file, []


def load(name: str, data: bytes) -> tuple[Node | None, list[Problem]]:
    """The tree of one YAML file, or None where there is none to speak of, and what is wrong with it.

    Anchors, aliases, tags, duplicate keys, deep nesting and a second document are refused with
    their place; nothing is raised.
    """
    file, problems = decode(name, data)
    if problems:
        return None, problems
    try:
        tree = _compose(file, problems)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = error.problem or error.context or "this is not YAML"
        return None, [*problems, SYNTAX.at(file.place(mark.index if mark else 0), what, name)]
    if tree is None and not problems:
        problems.append(EMPTY.at(Place(name), "the file is empty", name))
    return tree, problems


def _compose(file: File, problems: list[Problem]) -> Node | None:
    """The tree from the event stream. A stack of our own stands in for recursion."""
    root: Node | None = None
    stack: list[tuple[Keys | Items, list[Text]]] = []  # a container and, in a mapping, the key that waits

    def put(node: Node) -> None:
        nonlocal root
        if not stack:
            root = node
            return
        parent, waiting = stack[-1]
        if isinstance(parent, Items):
            parent.items.append(node)
        elif waiting:
            key = waiting.pop()
            if key in parent.entries:
                first = next(k for k in parent.entries if k == key)
                message = f"{key} stands here twice; first in line {first.place.line}"
                problems.append(DUPLICATE_KEY.at(key.place, message, file.name))
            else:
                parent.entries[key] = node
        elif isinstance(node, Text):
            waiting.append(node)
        else:
            problems.append(SYNTAX.at(node.place, "a key must be text", file.name))
            waiting.append(Text.written("", file, node.start, node.start))

    documents = 0
    for event in yaml.parse(file.text, Loader=Loader):
        start = event.start_mark.index
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                problems.append(DOCUMENTS.at(file.place(start), "a second document begins here", file.name))
                break
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            problems.append(ALIAS.at(file.place(start), "anchors and aliases are not used here; write it out", file.name))
        if getattr(event, "tag", None):
            problems.append(TAG.at(file.place(start), f"the tag {event.tag} is not used here; remove it", file.name))
        if isinstance(event, yaml.AliasEvent):
            put(Text.written("", file, start, start))
        elif isinstance(event, yaml.ScalarEvent):
            put(Text.written(event.value, file, start, event.end_mark.index, event.style or ""))
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(stack) == MOST_DEPTH:
                problems.append(TOO_DEEP.at(file.place(start), f"nested more than {MOST_DEPTH} deep", file.name))
                return None
            node = Keys(file, start) if isinstance(event, yaml.MappingStartEvent) else Items(file, start)
            put(node)
            stack.append((node, []))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            stack.pop()
    return None if isinstance(root, Text) and not root else root
