"""Chapters written in short forms: rules under their numbers and titles, notes under their kinds.

Lines are moved and what wraps them is left out; every word, comment and empty line stays. What has no
short form stays as it is written, and so does a file that would be read otherwise.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.model.keys import names_of
from rulewright.model.reader import read
from rulewright.model.rulebook import SETS, Chapter
from rulewright.model.short import head_written, is_head
from rulewright.source.edits import line_end
from rulewright.source.text import Items, Keys, Node, Text, value_at
from rulewright.source.tree import load

_LINE_BREAK = re.compile("[\r\n\x85\u2028\u2029]")
_LINES = re.compile(r"(?<=[\n])|(?<=\r)(?!\n)")
_KINDS = SETS["notes"]


def formatted(name: str, data: bytes) -> bytes:
    """A chapter's file in short forms, its byte order mark kept; as it is where it is no UTF-8."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return mark + shortened(name, data.removeprefix(mark).decode()).encode()
    except UnicodeDecodeError:
        return data


def shortened(name: str, text: str) -> str:
    """A chapter's file in short forms; as it is where it has none, or has a fault."""
    root, problems = load(name, text.encode())
    if problems or not isinstance(root, Keys) or root.flow or "chapter" not in root.entries:
        return text
    before, problems = read(root, Chapter)
    if problems:
        return text
    made = _Shortening(root).made()
    again, problems = load(name, made.encode())
    if problems or not isinstance(again, Keys):
        return text
    after, problems = read(again, Chapter)
    return made if not problems and repr(after) == repr(before) else text


@dataclass(frozen=True)
class _Part:
    """A key with its value, and the text from the one up to the next key."""

    key: Text
    value: Node | None
    end: int


class _Shortening:
    def __init__(self, root: Keys) -> None:
        self.root, self.text = root, root.file.text
        self.newline = line_end(self.text)
        self.known = names_of(Chapter)

    def made(self) -> str:
        parts = self.parts(self.root, len(self.text))
        return self.text[: parts[0].key.start] + "".join(self.keys(parts, 0, 0))

    def column(self, at: int) -> int:
        return self.root.file.place(at).column - 1

    def line_start(self, at: int) -> int:
        return at - self.column(at)

    def behind(self, node: Node) -> int:
        """Where the line ends in which a node has its last sign, its line end included."""
        m = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)").match(self.text, len(self.text[: node.end].rstrip()))
        assert m
        return max(m.end(), node.start)

    def parts(self, keys: Keys, end: int) -> list[_Part]:
        """The parts of keys that stand in lines of their own; `end`: where the last one ends."""
        names = list(keys.entries)
        ends = [*(self.line_start(key.start) for key in names[1:]), end]
        return [_Part(key, keys.entries[key], at) for key, at in zip(names, ends, strict=True)]

    def moved(self, start: int, end: int, by: int) -> str:
        """A stretch of the text with its further lines moved to the left or the right."""
        first, *further = _LINES.split(self.text[start:end])
        if by < 0:
            return first + "".join(re.sub(rf"\A {{0,{-by}}}", "", line) for line in further)
        return first + "".join(" " * by + line if line.strip("\r\n") else line for line in further)

    def keys(self, parts: Sequence[_Part], column: int, to: int) -> Iterator[str]:
        """Keys that begin in a column, written in another one."""
        names = [part.key for part in parts]
        for part in parts:
            key, value = part.key, part.value
            written: Sequence[str] = ()
            if key == "rules":
                written = self.list_of(value, self.rule, part, to)
            elif key == "notes":
                written = self.notes(value, part, names, to)
            if written:
                yield from written
            elif (
                is_head(key, self.known) and key not in _KINDS and isinstance(value, Keys) and not value.flow
            ):
                yield " " * to + self.text[key.start : key.end] + ":"
                inner = self.parts(value, part.end)
                yield from self.inside(
                    inner, self.column(inner[0].key.start), to, self.text[key.end + 1 : inner[0].key.start]
                )
            else:
                yield " " * to + self.moved(key.start, part.end, to - column)

    def list_of(self, value: Node | None, write: Any, part: _Part, to: int) -> list[str]:
        """The entries of a list, each written by a function, without the list; none where one cannot be."""
        if not isinstance(value, Items) or value.flow or not value.items:
            return []
        dashes = [self.text.rfind("-", 0, item.start) for item in value.items]
        made = [self.comments(part.key.end + 1, dashes[0], to)]
        for at, item in enumerate(value.items):
            end = self.behind(item)
            written = write(item, end, to)
            if written is None:
                return []
            made.append(written)
            beyond = self.line_start(dashes[at + 1]) if at + 1 < len(dashes) else part.end
            made.append(self.between(end, beyond, to))
        return made

    def comments(self, start: int, end: int, to: int) -> str:
        found = re.findall(r"#[^\r\n]*", self.text[start:end])
        return "".join(f"{' ' * to}{one}{self.newline}" for one in found)

    def between(self, start: int, end: int, to: int) -> str:
        lines = _LINES.split(self.text[start:end])
        return "".join(" " * to + line.lstrip(" ") if line.strip() else line.lstrip(" ") for line in lines)

    def rule(self, item: Node, end: int, to: int) -> str | None:
        """An entry of the list of rules as a key; None where it has no short form."""
        if not isinstance(item, Keys):
            return None
        number, title = (value_at(item, name) for name in ("number", "title"))
        if not isinstance(number, Text) or not isinstance(title, Text | None):
            return None
        head = head_written(number, title, self.known)
        return head and self.entry(item, end, to, head, ("number", "title"))

    def entry(self, item: Keys, end: int, to: int, head: str, said: Sequence[str]) -> str | None:
        """An entry of a list under a head that says some of its keys."""
        if item.flow:
            others = [(key, value) for key, value in item.entries.items() if key not in said]
            whole = self.text[item.start : item.end]
            if (_LINE_BREAK.search(whole) and "#" in whole) or any(not value for _, value in others):
                return None
            by, rest = to - self.column(self.text.rfind("-", 0, item.start)), self.text[item.end : end]
            if [key for key, _ in others] == ["text"] and isinstance(value := others[0][1], Text):
                return f"{' ' * to}{head}: {self.moved(value.start, value.end, by)}{rest}"
            inside = ", ".join(
                self.moved(key.start, value.end, by) for key, value in others if value is not None
            )
            return f"{' ' * to}{head}:{f' {{{inside}}}' if inside else ''}{rest}"
        parts = self.parts(item, end)
        left = [part for part in parts if part.key not in said]
        comments = ""
        for part in parts:
            if part.key in said and isinstance(part.value, Text):
                comments += self.comments(part.value.end, part.end, to)
        column = self.column(parts[0].key.start)
        body = "".join(self.inside(left, column, to, "")) if left else self.newline
        return f"{comments}{' ' * to}{head}:{body}"

    def inside(self, parts: Sequence[_Part], column: int, to: int, gap: str) -> Iterator[str]:
        """The keys of an entry behind its head, or its text where it has nothing else."""
        (first, *others) = parts
        value = first.value
        if first.key == "text" and not others and isinstance(value, Text) and "#" not in gap:
            between = self.text[first.key.end : value.start]
            if "#" not in between:
                yield " " + self.moved(value.start, first.end, to - column)
                return
        yield (gap.rstrip(" ") if "#" in gap else self.newline)
        yield from self.keys(parts, column, to + 2)

    def notes(self, value: Node | None, part: _Part, beside: Sequence[Text], to: int) -> list[str]:
        """Notes as keys of their rule, or in their list where one kind stands there twice."""
        if not isinstance(value, Items) or not all(isinstance(item, Keys) for item in value.items):
            return []
        kinds = [value_at(item, "kind") for item in value.items if isinstance(item, Keys)]
        if len({*kinds, *beside}) == len(kinds) + len(beside):
            return self.list_of(value, self.note, part, to)
        made = self.list_of(value, self.listed_note, part, to)
        return [f"{' ' * to}notes:{self.newline}", *made] if made else []

    def note(self, item: Keys, end: int, to: int) -> str | None:
        kind = value_at(item, "kind")
        if kind not in _KINDS or "text" not in item.entries:
            return None
        return self.entry(item, end, to, str(kind), ("kind",))

    def listed_note(self, item: Keys, end: int, to: int) -> str | None:
        kind = value_at(item, "kind")
        if kind not in _KINDS or "text" not in item.entries or len(item.entries) > 2:
            return None
        made = self.entry(item, end, to + 2, str(kind), ("kind",))
        lead = " " * to
        return made and re.sub(rf"(?m)^{lead}  (?={kind}:)", f"{lead}- ", made, count=1)
