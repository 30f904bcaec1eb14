"""Text edits that move, add and remove the entries of YAML lists, and their keys.

An entry is an item of a list, or a rule in shorthand: a key of its parent, with number and title. It includes
the comment directly above it and the deeper indented comments below it, which could become part of another
entry's text. The gap between two entries, mostly empty lines, belongs to the list: moved entries leave it
in place, so moving back restores every byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulewright.files.errors import UserError
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence, get_value
from rulewright.files.text_edits import Replacement, apply_edits, detect_line_ending
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.schema.rulebook import Chapter

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_COMMENT = re.compile(r"(?:(?:\r\n|\n|\r)[ \t]*)+(#[^\r\n]*)")
_COMMENT_LINE = re.compile(r"([ \t]*)#")


@dataclass(frozen=True, eq=False)
class ListEntry:
    """A numbered entry of a list, or the mapping of a whole file."""

    keys: YamlMapping
    source_number: LocatedText
    number: RuleNumber
    parent: ListEntry | None = None
    items: YamlSequence | None = None  # list that contains the entry, at `index`
    index: int = 0


def parse_tree(name: str, text: str) -> YamlMapping:
    """Parse a file that is known to be a valid mapping."""
    root, _ = load_yaml_tree(name, text.encode())
    assert isinstance(root, YamlMapping), f"{name} was read before"
    return root


def iter_rules(root: YamlMapping, dialect: NumberingScheme) -> Iterator[ListEntry]:
    """Yield the rules of a chapter's file with a valid number, in book order, the chapter first."""
    source_number = get_value(root, "chapter")
    number = dialect.parse_number(source_number) if isinstance(source_number, LocatedText) else None
    if isinstance(source_number, LocatedText) and number:
        pending = [ListEntry(root, source_number, number)]
        while pending:
            yield (entry := pending.pop())
            inner = Chapter.expand_shorthand(entry.keys.entries).get(LocatedText("rules"))
            pending += [*iter_list_entries(inner, dialect, number.labels[0], entry)][::-1]


def iter_list_entries(
    items: Node | None, dialect: NumberingScheme, chapter: str = "", parent: ListEntry | None = None
) -> Iterator[ListEntry]:
    """Yield the numbered entries of a list."""
    for index, keys in enumerate(items.items if isinstance(items, YamlSequence) else ()):
        source_number = get_value(keys, "number")
        number = (
            dialect.parse_number(source_number, chapter) if isinstance(source_number, LocatedText) else None
        )
        if (
            isinstance(keys, YamlMapping)
            and isinstance(items, YamlSequence)
            and isinstance(source_number, LocatedText)
            and number
        ):
            yield ListEntry(keys, source_number, number, parent, items, index)


def _key(keys: YamlMapping, name: str) -> LocatedText:
    """Return a key of a mapping by name; a missing key gets an artificial location."""
    return next((key for key in keys.entries if key == name), LocatedText.from_source(name, keys.file, 0, 0))


def entry_spans(items: YamlSequence) -> list[tuple[int, int]]:
    """Return start and end of each entry, including its comments, without its last line end."""
    text = items.file.text
    if items.flow:
        return [(item.start, item.end) for item in items.items]
    result: list[tuple[int, int]] = []
    for item in items.items:
        min_start = result[-1][1] if result else 0
        start = _line_start(text, _find_start(item))
        column = _find_start(item) - start
        while (line_above := _line_start(text, start - 1)) < start and line_above > min_start:
            comment = _COMMENT_LINE.match(text, line_above)
            if not comment or len(comment[1]) > column:  # a deeper one belongs to the text above
                break
            start = line_above
        result.append((start, _find_end(item, _find_start(item))))
    return result


def _find_end(entry: Node, start: int) -> int:
    """Return the end of an entry's last line, or of the last comment below it that is indented deeper."""
    text = entry.file.text
    end = _line_end(text, max(len(text[: entry.end].rstrip()), entry.start))
    while (match := _COMMENT.match(text, end)) and _column(text, match.start(1)) > _column(text, start):
        end = match.end()
    return end


def _find_start(entry: Node) -> int:
    """Return the offset of an entry's dash, or of its shorthand key."""
    is_shorthand = isinstance(entry, YamlMapping) and entry.shorthand_key is not None
    return entry.start if is_shorthand else entry.file.text.rfind("-", 0, entry.start)


def gap_after(items: YamlSequence, index: int) -> str:
    """Return the text between an entry and the next one; empty for the last entry."""
    spans = entry_spans(items)
    return items.file.text[spans[index][1] : spans[index + 1][0]] if index + 1 < len(spans) else ""


def reorder_entries(items: YamlSequence, order: Sequence[int]) -> str:
    """Return the file's text with the entries in another order; the gaps stay."""
    text, spans = items.file.text, entry_spans(items)
    edits = [Replacement(*span, text[slice(*spans[index])]) for span, index in zip(spans, order, strict=True)]
    return apply_edits(text, (edit for edit in edits if text[edit.start : edit.end] != edit.words))


def remove_entry(entry: ListEntry) -> tuple[Replacement, str, str, int]:
    """Remove a rule from its parent; return the edit, the rule's text, the gap after it and its column."""
    assert entry.items
    items, text = entry.items, entry.keys.file.text
    spans = entry_spans(items)
    start, end = spans[entry.index]
    column = _column(text, _find_start(entry.keys))
    if entry.parent and entry.parent.keys.flow:
        raise UserError(_flow_message(entry.parent))
    if entry.index + 1 < len(spans):
        next_start = spans[entry.index + 1][0]
        return Replacement(start, next_start, ""), text[start:end], text[end:next_start], column
    if entry.index:
        previous_end = spans[entry.index - 1][1]
        return Replacement(previous_end, end, ""), text[start:end], text[previous_end:start], column
    # Delete the line end above and keep the one below: the same change may insert another entry there.
    end = _find_end(entry.keys, start)
    edit = Replacement(_previous_line_end(text, start), end, "")
    return edit, text[start:end], detect_line_ending(text), column


def insert_entry(items: YamlSequence, index: int, words: str, gap: str, column: int) -> Replacement:
    """Insert an entry, written at a column, before the entry at an index or at the end of a list."""
    spans, text = entry_spans(items), items.file.text
    words = reindent(words, column, _column(text, _find_start(items.items[0])))
    gap = gap if gap.strip(", \t") and "," not in gap else detect_line_ending(text)
    if index < len(spans):
        return Replacement(spans[index][0], spans[index][0], words + gap)
    return Replacement(spans[-1][1], spans[-1][1], gap + words)


def insert_first_entry(entry: ListEntry, words: str, column: int) -> list[Replacement]:
    """Insert the first nested entry of a rule."""
    text = entry.keys.file.text
    if entry.keys.flow:
        raise UserError(_flow_message(entry))
    words = reindent(words, column, _inner_column(entry.keys))
    end = _find_end(entry.keys, _find_start(entry.keys) if entry.items else entry.keys.start)
    return [*_add_text_key(entry.keys, ""), Replacement(end, end, f"{detect_line_ending(text)}{words}")]


def _inner_column(keys: YamlMapping) -> int:
    text, inner = keys.file.text, keys.value if keys.shorthand_key else keys
    if isinstance(inner, YamlMapping):
        return _column(text, next(iter(inner.entries)).start)
    return _column(text, keys.start) + 2


def _add_text_key(keys: YamlMapping, lines_above: str) -> list[Replacement]:
    """Move the text after a shorthand key to a `text` key below `lines_above`, indented."""
    text, value = keys.file.text, keys.value
    if keys.shorthand_key is None or not isinstance(value, LocatedText) or value == "":
        return []
    end, indent = detect_line_ending(text), " " * _inner_column(keys)
    colon = text.index(":", keys.shorthand_key.end) + 1
    lines = re.compile(r"(?<=[\r\n])(?=[^\r\n])").finditer(text, value.start, _find_end(keys, keys.start))
    indents = [Replacement(line.start(), line.start(), "  ") for line in lines]
    lines_above += end if lines_above else ""
    if text[colon : value.start].strip(" "):  # the text starts on its own line
        words = f"{lines_above.lstrip()}{indent if lines_above else ''}text: "
        return [Replacement(value.start, value.start, words), *indents]
    return [Replacement(colon, value.start, f"{end}{lines_above}{indent}text: "), *indents]


def _remove_text_key(keys: YamlMapping, removed_key: LocatedText) -> list[Replacement]:
    """Move the value of `text` after the shorthand key if no other key remains."""
    text, value = keys.file.text, keys.value
    if (
        keys.shorthand_key is None
        or not isinstance(value, YamlMapping)
        or value.flow
        or [*value.entries] != [removed_key, "text"]
    ):
        return []
    colon, inner = text.index(":", keys.shorthand_key.end) + 1, value.entries[list(value.entries)[1]]
    if not isinstance(inner, LocatedText) or "#" in text[colon : inner.start]:
        return []
    lines = re.compile(r"(?<=[\r\n])  (?=[^\r\n])").finditer(text, inner.start, _find_end(keys, keys.start))
    return [Replacement(colon, inner.start, " "), *(Replacement(*line.span(), "") for line in lines)]


def _flow_message(entry: ListEntry) -> str:
    return f"{entry.number.key} is written in braces; write its keys on separate lines first"


def reindent(words: str, column: int, new_column: int) -> str:
    """Return lines with their indentation changed from one column to another."""
    if new_column >= column:
        return re.sub(r"(?m)^(?=.*\S)", " " * (new_column - column), words)
    return re.sub(rf"(?m)^ {{{column - new_column}}}", "", words)


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n" if "\n" in text else "\r", 0, max(offset, 0)) + 1


def _column(text: str, offset: int) -> int:
    return offset - _line_start(text, offset)


def _previous_line_end(text: str, offset: int) -> int:
    """Return the end of the previous line, before its line end characters."""
    start = _line_start(text, offset)
    return start - (2 if text[start - 2 : start] == "\r\n" else 1)


def _line_end(text: str, offset: int) -> int:
    """Return the end of a line, before its line end characters."""
    return next(_LINE_END.finditer(text, offset)).start()


def add_former_number(keys: YamlMapping, number: LocatedText, former: str) -> list[Replacement]:
    """Append a number to the former numbers of a rule."""
    text, former_numbers = keys.file.text, get_value(keys, "formerly")
    if isinstance(former_numbers, LocatedText):
        start, end = former_numbers.start, former_numbers.end
        return [Replacement(start, end, f'[{text[start:end]}, "{former}"]')]
    if isinstance(former_numbers, YamlSequence) and former_numbers.items:
        last = former_numbers.items[-1]
        if former_numbers.flow:
            return [Replacement(last.end, last.end, f', "{former}"')]
        dash = text.rfind("-", 0, last.start)
        indent = " " * _column(text, dash)
        end = _line_end(text, last.end)
        return [Replacement(end, end, f'{detect_line_ending(text)}{indent}- "{former}"')]
    return add_keys(keys, number, {"formerly": f'["{former}"]'})


def add_keys(keys: YamlMapping, number: LocatedText, new_keys: Mapping[str, str]) -> list[Replacement]:
    """Add keys with their values after the number of an entry."""
    text = keys.file.text
    if keys.shorthand_key is not None:
        return _add_keys_below(keys, new_keys)
    if keys.flow:
        words = "".join(f", {key}: {value}" for key, value in new_keys.items())
        return [Replacement(number.end, number.end, words)]
    key = next(key for key, value in keys.entries.items() if value is number)
    end = _line_end(text, number.end)
    indent = " " * _column(text, key.start)
    lines = (f"{detect_line_ending(text)}{indent}{key}: {value}" for key, value in new_keys.items())
    return [Replacement(end, end, "".join(lines))]


def _add_keys_below(keys: YamlMapping, new_keys: Mapping[str, str]) -> list[Replacement]:
    text, value, line_ending = keys.file.text, keys.value, detect_line_ending(keys.file.text)
    pairs = [f"{key}: {value}" for key, value in new_keys.items()]
    if isinstance(value, YamlMapping) and value.flow:
        first = next(iter(value.entries)).start
        return [Replacement(first, first, "".join(f"{pair}, " for pair in pairs))]
    indent = " " * _inner_column(keys)
    if isinstance(value, YamlMapping):
        first = next(iter(value.entries)).start
        return [Replacement(first, first, "".join(f"{pair}{line_ending}{indent}" for pair in pairs))]
    lines = line_ending.join(f"{indent}{pair}" for pair in pairs)
    if edits := _add_text_key(keys, lines):
        return edits
    end = _line_end(text, keys.shorthand_key.end if keys.shorthand_key else keys.end)
    return [Replacement(end, end, f"{line_ending}{lines}")]


def remove_former_number(keys: YamlMapping) -> list[Replacement]:
    """Remove the last former number of a rule."""
    text, former_numbers = keys.file.text, get_value(keys, "formerly")
    if former_numbers is None or isinstance(former_numbers, YamlMapping):
        return []
    if isinstance(former_numbers, YamlSequence) and len(former_numbers.items) > 1:
        previous, last = former_numbers.items[-2], former_numbers.items[-1]
        if former_numbers.flow:
            return [Replacement(previous.end, last.end, "")]
        return [Replacement(_line_end(text, previous.end), _line_end(text, last.end), "")]
    return remove_key(keys, "formerly")


def remove_key(keys: YamlMapping, name: str) -> list[Replacement]:
    """Remove a key with its value."""
    text, value = keys.file.text, get_value(keys, name)
    if value is None:
        return []
    if edits := _remove_text_key(keys, _key(keys, name)):
        return edits
    keys = keys.value if keys.shorthand_key is not None and isinstance(keys.value, YamlMapping) else keys
    names = list(keys.entries)
    index = names.index(_key(keys, name))
    if index == 0 and len(names) > 1:  # the next key takes its place after the dash
        return [Replacement(names[0].start, names[1].start, "")]
    if keys.flow and len(names) == 1:
        return [Replacement(names[0].start, value.end, "")]
    if keys.flow:
        before = keys.entries[names[index - 1]]
        return [Replacement(before.end, value.end, "")] if before is not None else []
    last_character = len(text[: value.end].rstrip())
    return [Replacement(_previous_line_end(text, names[index].start), _line_end(text, last_character), "")]


def former_numbers_of(keys: YamlMapping) -> list[LocatedText]:
    """Return the former numbers of a rule as they are written."""
    value = get_value(keys, "formerly")
    if isinstance(value, YamlSequence):
        return [item for item in value.items if isinstance(item, LocatedText)]
    return [value] if isinstance(value, LocatedText) else []
