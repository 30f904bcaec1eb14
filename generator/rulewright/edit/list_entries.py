"""Entries of a list in a YAML file: where their lines are, and how they are moved, added and taken out.

An entry is its own lines with the comment right above it. What stands between two entries, empty lines
mostly, belongs to the list: entries that change places leave it there, so moving back restores each byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulewright.numbers.dialect import Dialect, Number
from rulewright.source.edits import Edit, applied, line_end
from rulewright.source.refusal import Refusal
from rulewright.source.text import Items, Keys, Node, Text
from rulewright.source.tree import load

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")


@dataclass(frozen=True, eq=False)
class ListEntry:
    """A numbered entry: its keys, its number as written and read, and the list it stands in, if in one."""

    keys: Keys
    written: Text
    number: Number
    inside: ListEntry | None = None
    row: Items | None = None
    at: int = 0


def tree_of(name: str, text: str) -> Keys:
    """A file that can be read as a tree."""
    root, _ = load(name, text.encode())
    assert isinstance(root, Keys), f"{name} was read before"
    return root


def rules_in(root: Keys, dialect: Dialect) -> Iterator[ListEntry]:
    """Every rule of a chapter's file whose number can be read, the chapter first."""
    written = root.entries.get(_key(root, "chapter"))
    number = dialect.parse(written) if isinstance(written, Text) else None
    if isinstance(written, Text) and number:
        waiting = [ListEntry(root, written, number)]
        while waiting:
            yield (row := waiting.pop())
            inner = row.keys.entries.get(_key(row.keys, "rules"))
            waiting += [*rows_in(inner, dialect, number.labels[0], row)][::-1]


def rows_in(
    items: Node | None, dialect: Dialect, chapter: str = "", inside: ListEntry | None = None
) -> Iterator[ListEntry]:
    """The numbered entries of a list."""
    for at, keys in enumerate(items.items if isinstance(items, Items) else ()):
        written = keys.entries.get(_key(keys, "number")) if isinstance(keys, Keys) else None
        number = dialect.parse(written, chapter) if isinstance(written, Text) else None
        if isinstance(keys, Keys) and isinstance(items, Items) and isinstance(written, Text) and number:
            yield ListEntry(keys, written, number, inside, items, at)


def _key(keys: Keys, name: str) -> Text:
    """A key as it is written among others, to look its value up by; equal to its name as any text is."""
    return next((key for key in keys.entries if key == name), Text.written(name, keys.file, 0, 0))


def spans(items: Items) -> list[tuple[int, int]]:
    """Start and end of each entry of a list in the text, with its comment, without its last line end."""
    text = items.file.text
    if items.flow:
        return [(item.start, item.end) for item in items.items]
    found: list[tuple[int, int]] = []
    for item in items.items:
        least = found[-1][1] if found else 0
        dash = text.rfind("-", least, item.start)
        begin = _line_start(text, dash)
        while (above := _line_start(text, begin - 1)) < begin and above > least:
            if not text[above:begin].lstrip(" \t").startswith("#"):
                break
            begin = above
        last = len(text[: item.end].rstrip())
        found.append((begin, _line_stop(text, max(last, item.start))))
    return found


def gap_behind(items: Items, at: int) -> str:
    """Text between an entry of a list and the next one; empty behind the last."""
    places = spans(items)
    return items.file.text[places[at][1] : places[at + 1][0]] if at + 1 < len(places) else ""


def reordered(items: Items, order: Sequence[int]) -> str:
    """The file's text with the entries of a list in another order; what is between them stays."""
    text, places = items.file.text, spans(items)
    edits = [Edit(*place, text[slice(*places[at])]) for place, at in zip(places, order, strict=True)]
    return applied(text, (edit for edit in edits if text[edit.start : edit.end] != edit.words))


def taken_out(row: ListEntry) -> tuple[Edit, str, str, int]:
    """Take an entry out of its list: the edit, its words, what parted it from the next, its column."""
    assert row.row
    assert row.inside
    items, text = row.row, row.keys.file.text
    places = spans(items)
    start, stop = places[row.at]
    dash = text.rfind("-", start, row.keys.start)
    words, column = text[start:stop], dash - _line_start(text, dash)
    if items.flow:
        words, column = f"- {words}", 0
        if "\n" in words:
            raise Refusal(
                f"{row.number.key} stands in brackets over several lines; write it without them first"
            )
    if row.at + 1 < len(places):
        after = places[row.at + 1][0]
        return Edit(start, after, ""), words, text[stop:after], column
    if row.at:
        before = places[row.at - 1][1]
        return Edit(before, stop, ""), words, text[before:start], column
    if row.inside.keys.flow:
        names = list(row.inside.keys.entries)
        at = names.index(_key(row.inside.keys, "rules"))
        front = row.inside.keys.entries[names[at - 1]] if at else None
        if front is None:
            raise Refusal(_in_braces(row.inside))
        return Edit(front.end, items.end, ""), words, line_end(text), column
    begin, end = _key(row.inside.keys, "rules").start, _next_line(text, stop)
    # A file that ends without a line end goes on doing so.
    begin = _line_before(text, begin) if end == stop else _line_start(text, begin)
    return Edit(begin, end, ""), words, line_end(text), column


def put_in(items: Items, at: int, words: str, gap: str, column: int) -> Edit:
    """Put an entry, its dash in a column, in front of the entry `at` of a list, or at its end."""
    if items.flow:
        line = items.file.place(items.start).line
        raise Refusal(
            f"the list in line {line} of {items.file.name} stands in brackets; write it without them first"
        )
    places, text = spans(items), items.file.text
    first = text.rfind("-", 0, items.items[0].start)
    words = shifted(words, column, first - _line_start(text, first))
    gap = gap if gap.strip(", \t") and "," not in gap else line_end(text)
    if at < len(places):
        return Edit(places[at][0], places[at][0], words + gap)
    return Edit(places[-1][1], places[-1][1], gap + words)


def put_first(row: ListEntry, words: str, column: int) -> Edit:
    """Make an entry the first one in a rule that has had none."""
    text = row.keys.file.text
    if row.keys.flow:
        last = list(row.keys.entries.values())[-1]
        if last is None or not words.startswith("- {") or "\n" in words:
            raise Refusal(_in_braces(row))
        return Edit(last.end, last.end, f", rules: [{words[2:]}]")
    end = line_end(text)
    key = next(iter(row.keys.entries))
    own = key.start - _line_start(text, key.start)
    stop = _line_stop(text, len(text[: row.keys.end].rstrip()))
    words = shifted(words, column, own + 2)
    return Edit(stop, stop, f"{end}{' ' * own}rules:{end}{words}")


def _in_braces(row: ListEntry) -> str:
    return (
        f"{row.number.key} is written in braces, and what would lie in it is not; "
        "give its keys lines of their own first"
    )


def shifted(words: str, column: int, other: int) -> str:
    """Lines that begin in a column, moved to another one together with all that is deeper."""
    if other >= column:
        return re.sub(r"(?m)^(?=.*\S)", " " * (other - column), words)
    return re.sub(rf"(?m)^ {{{column - other}}}", "", words)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n" if "\n" in text else "\r", 0, max(at, 0)) + 1


def _line_before(text: str, at: int) -> int:
    """The end of the line above the one that a character stands in, without what ends it."""
    start = _line_start(text, at)
    return start - (2 if text[start - 2 : start] == "\r\n" else 1)


def _line_stop(text: str, at: int) -> int:
    """The end of the line that a character stands in, without what ends it."""
    return next(_LINE_END.finditer(text, at)).start()


def _next_line(text: str, at: int) -> int:
    return next(_LINE_END.finditer(text, at)).end()


def with_former(keys: Keys, number: Text, former: str) -> Edit:
    """Add a number to those that a rule had, the last one last."""
    text, written = keys.file.text, keys.entries.get(_key(keys, "formerly"))
    if isinstance(written, Text):
        return Edit(written.start, written.end, f'[{text[written.start : written.end]}, "{former}"]')
    if isinstance(written, Items) and written.items:
        last = written.items[-1]
        if written.flow:
            return Edit(last.end, last.end, f', "{former}"')
        dash = text.rfind("-", 0, last.start)
        indent = " " * (dash - _line_start(text, dash))
        stop = _line_stop(text, last.end)
        return Edit(stop, stop, f'{line_end(text)}{indent}- "{former}"')
    return with_keys(keys, number, {"formerly": f'["{former}"]'})


def with_keys(keys: Keys, number: Text, more: Mapping[str, str]) -> Edit:
    """Add keys with their values behind the number of an entry."""
    text = keys.file.text
    if keys.flow:
        return Edit(number.end, number.end, "".join(f", {key}: {value}" for key, value in more.items()))
    key = next(key for key, value in keys.entries.items() if value is number)
    stop = _line_stop(text, number.end)
    indent = " " * (key.start - _line_start(text, key.start))
    lines = (f"{line_end(text)}{indent}{key}: {value}" for key, value in more.items())
    return Edit(stop, stop, "".join(lines))


def without_former(keys: Keys) -> Edit | None:
    """Take back the last number that a rule had."""
    text, written = keys.file.text, keys.entries.get(_key(keys, "formerly"))
    if written is None or isinstance(written, Keys):
        return None
    if isinstance(written, Items) and len(written.items) > 1:
        left, last = written.items[-2], written.items[-1]
        if written.flow:
            return Edit(left.end, last.end, "")
        return Edit(_line_stop(text, left.end), _line_stop(text, last.end), "")
    return without_key(keys, "formerly")


def without_key(keys: Keys, name: str) -> Edit | None:
    """Take a key with its value out of others."""
    text, written = keys.file.text, keys.entries.get(_key(keys, name))
    if written is None:
        return None
    names = list(keys.entries)
    at = names.index(_key(keys, name))
    if at == 0:  # it opens the entry, so that what follows takes its place
        return Edit(names[0].start, names[1].start, "")
    if keys.flow:
        before = keys.entries[names[at - 1]]
        return Edit(before.end, written.end, "") if before is not None else None
    last_sign = len(text[: written.end].rstrip())
    return Edit(_line_before(text, names[at].start), _line_stop(text, last_sign), "")


def formers(keys: Keys) -> list[Text]:
    """The numbers that a rule says it had."""
    written = keys.entries.get(_key(keys, "formerly"))
    if isinstance(written, Items):
        return [one for one in written.items if isinstance(one, Text)]
    return [written] if isinstance(written, Text) else []
