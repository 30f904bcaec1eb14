"""Entries of a list in a YAML file: where their lines are, and how they are moved, added and taken out.

A rule is an entry as well: a key of the rule around it, with its number and title.

An entry is its own lines with the comment right above it, and comments below it that are deeper in than it
is: behind another entry they could be read as words. What stands between two entries, empty lines mostly,
belongs to the list: entries that change places leave it there, so moving back restores each byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulewright.model.rulebook import Chapter
from rulewright.numbers.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.source.errors import UserError
from rulewright.source.located_text import LocatedText, Node, YamlMapping, YamlSequence, get_value
from rulewright.source.text_edits import Replacement, apply_edits, detect_line_ending
from rulewright.source.yaml_tree import load_yaml_tree

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_COMMENT = re.compile(r"(?:(?:\r\n|\n|\r)[ \t]*)+(#[^\r\n]*)")


@dataclass(frozen=True, eq=False)
class ListEntry:
    """A numbered entry: its keys, its number as written and read, and the list it stands in, if in one."""

    keys: YamlMapping
    source_number: LocatedText
    number: RuleNumber
    inside: ListEntry | None = None
    row: YamlSequence | None = None
    index: int = 0


def parse_tree(name: str, text: str) -> YamlMapping:
    """A file that can be read as a tree."""
    root, _ = load_yaml_tree(name, text.encode())
    assert isinstance(root, YamlMapping), f"{name} was read before"
    return root


def rules_in(root: YamlMapping, dialect: NumberingScheme) -> Iterator[ListEntry]:
    """Every rule of a chapter's file whose number can be read, the chapter first."""
    source_number = get_value(root, "chapter")
    number = dialect.parse_number(source_number) if isinstance(source_number, LocatedText) else None
    if isinstance(source_number, LocatedText) and number:
        pending = [ListEntry(root, source_number, number)]
        while pending:
            yield (entry := pending.pop())
            inner = Chapter.expand_shorthand(entry.keys.entries).get(LocatedText("rules"))
            pending += [*entries_of_list(inner, dialect, number.labels[0], entry)][::-1]


def entries_of_list(
    items: Node | None, dialect: NumberingScheme, chapter: str = "", parent: ListEntry | None = None
) -> Iterator[ListEntry]:
    """The numbered entries of a list."""
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
    """A key as it is written among others, to look its value up by; equal to its name as any text is."""
    return next((key for key in keys.entries if key == name), LocatedText.from_source(name, keys.file, 0, 0))


def spans(items: YamlSequence) -> list[tuple[int, int]]:
    """Start and end of each entry of a list in the text, with its comment, without its last line end."""
    text = items.file.text
    if items.flow:
        return [(item.start, item.end) for item in items.items]
    result: list[tuple[int, int]] = []
    for item in items.items:
        min_start = result[-1][1] if result else 0
        start = _line_start(text, _opening(item))
        while (above := _line_start(text, start - 1)) < start and above > min_start:
            if not text[above:start].lstrip(" \t").startswith("#"):
                break
            start = above
        result.append((start, _stop(item, _opening(item))))
    return result


def _stop(entry: Node, opening: int) -> int:
    """The end of an entry's last line, or of the last comment below it that is deeper in than its opening."""
    text = entry.file.text
    stop = _line_stop(text, max(len(text[: entry.end].rstrip()), entry.start))
    column = opening - _line_start(text, opening)
    while (match := _COMMENT.match(text, stop)) and match.start(1) - _line_start(
        text, match.start(1)
    ) > column:
        stop = match.end()
    return stop


def _opening(entry: Node) -> int:
    """Where an entry begins: its dash, or the number that it stands under."""
    is_headed = isinstance(entry, YamlMapping) and entry.shorthand_key is not None
    return entry.start if is_headed else entry.file.text.rfind("-", 0, entry.start)


def gap_after(items: YamlSequence, index: int) -> str:
    """Text between an entry of a list and the next one; empty behind the last."""
    item_spans = spans(items)
    return (
        items.file.text[item_spans[index][1] : item_spans[index + 1][0]]
        if index + 1 < len(item_spans)
        else ""
    )


def reorder_entries(items: YamlSequence, order: Sequence[int]) -> str:
    """The file's text with the entries of a list in another order; what is between them stays."""
    text, item_spans = items.file.text, spans(items)
    edits = [
        Replacement(*place, text[slice(*item_spans[index])])
        for place, index in zip(item_spans, order, strict=True)
    ]
    return apply_edits(text, (edit for edit in edits if text[edit.start : edit.end] != edit.words))


def remove_entry(entry: ListEntry) -> tuple[Replacement, str, str, int]:
    """Take a rule out of the rule around it: the edit, its words, the gap to the next rule, its column."""
    assert entry.row
    assert entry.inside
    items, text = entry.row, entry.keys.file.text
    places = spans(items)
    start, stop = places[entry.index]
    opening = _opening(entry.keys)
    words, column = text[start:stop], opening - _line_start(text, opening)
    if entry.inside.keys.flow:
        raise UserError(_in_braces(entry.inside))
    if entry.index + 1 < len(places):
        after = places[entry.index + 1][0]
        return Replacement(start, after, ""), words, text[stop:after], column
    if entry.index:
        before = places[entry.index - 1][1]
        return Replacement(before, stop, ""), words, text[before:start], column
    # The line end above goes and the one below stays: another entry may be put there at once.
    stop = _stop(entry.keys, start)
    return (
        Replacement(_line_before(text, start), stop, ""),
        text[start:stop],
        detect_line_ending(text),
        column,
    )


def insert_entry(items: YamlSequence, index: int, words: str, gap: str, column: int) -> Replacement:
    """Put an entry that begins in a column in front of the entry `at` of a list, or at its end."""
    item_spans, text = spans(items), items.file.text
    first = _opening(items.items[0])
    words = reindent(words, column, first - _line_start(text, first))
    gap = gap if gap.strip(", \t") and "," not in gap else detect_line_ending(text)
    if index < len(item_spans):
        return Replacement(item_spans[index][0], item_spans[index][0], words + gap)
    return Replacement(item_spans[-1][1], item_spans[-1][1], gap + words)


def insert_first_entry(entry: ListEntry, words: str, column: int) -> list[Replacement]:
    """Make an entry the first one in a rule that has had none."""
    text = entry.keys.file.text
    if entry.keys.flow:
        raise UserError(_in_braces(entry))
    words = reindent(words, column, _inner_column(entry.keys))
    stop = _stop(entry.keys, _opening(entry.keys) if entry.row else entry.keys.start)
    return [*_opened(entry.keys, ""), Replacement(stop, stop, f"{detect_line_ending(text)}{words}")]


def _inner_column(keys: YamlMapping) -> int:
    text, inner = keys.file.text, keys.value if keys.shorthand_key else keys
    if isinstance(inner, YamlMapping):
        first = next(iter(inner.entries))
        return first.start - _line_start(text, first.start)
    return keys.start - _line_start(text, keys.start) + 2


def _opened(keys: YamlMapping, lines_above: str) -> list[Replacement]:
    """Give the text that stands right behind a head its own key, with lines above it; its lines move in."""
    text, value = keys.file.text, keys.value
    if keys.shorthand_key is None or not isinstance(value, LocatedText) or value == "":
        return []
    end, indent = detect_line_ending(text), " " * _inner_column(keys)
    colon = text.index(":", keys.shorthand_key.end) + 1
    lines = re.compile(r"(?<=[\r\n])(?=[^\r\n])").finditer(text, value.start, _stop(keys, keys.start))
    indents = [Replacement(m.start(), m.start(), "  ") for m in lines]
    if text[colon : value.start].strip(" "):  # it begins in a line of its own
        return [
            Replacement(
                value.start,
                value.start,
                f"{lines_above.lstrip()}{end if lines_above else ''}{indent if lines_above else ''}text: ",
            ),
            *indents,
        ]
    return [
        Replacement(colon, value.start, f"{end}{lines_above}{end if lines_above else ''}{indent}text: "),
        *indents,
    ]


def _closed(keys: YamlMapping, without: LocatedText) -> list[Replacement]:
    """Put the text of an entry right behind its head again where a key that goes leaves nothing else."""
    text, value = keys.file.text, keys.value
    if (
        keys.shorthand_key is None
        or not isinstance(value, YamlMapping)
        or value.flow
        or [*value.entries] != [without, "text"]
    ):
        return []
    colon, inner = text.index(":", keys.shorthand_key.end) + 1, value.entries[list(value.entries)[1]]
    if not isinstance(inner, LocatedText) or "#" in text[colon : inner.start]:
        return []
    lines = re.compile(r"(?<=[\r\n])  (?=[^\r\n])").finditer(text, inner.start, _stop(keys, keys.start))
    return [Replacement(colon, inner.start, " "), *(Replacement(*m.span(), "") for m in lines)]


def _in_braces(entry: ListEntry) -> str:
    return (
        f"{entry.number.key} is written in braces, and what would lie in it is not; "
        "give its keys lines of their own first"
    )


def reindent(words: str, column: int, other: int) -> str:
    """Lines that begin in a column, moved to another one together with all that is deeper."""
    if other >= column:
        return re.sub(r"(?m)^(?=.*\S)", " " * (other - column), words)
    return re.sub(rf"(?m)^ {{{column - other}}}", "", words)


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n" if "\n" in text else "\r", 0, max(offset, 0)) + 1


def _line_before(text: str, offset: int) -> int:
    """The end of the line above the one that a character stands in, without what ends it."""
    start = _line_start(text, offset)
    return start - (2 if text[start - 2 : start] == "\r\n" else 1)


def _line_stop(text: str, offset: int) -> int:
    """The end of the line that a character stands in, without what ends it."""
    return next(_LINE_END.finditer(text, offset)).start()


def add_former_number(keys: YamlMapping, number: LocatedText, former: str) -> list[Replacement]:
    """Add a number to those that a rule had, the last one last."""
    text, former_numbers = keys.file.text, get_value(keys, "formerly")
    if isinstance(former_numbers, LocatedText):
        return [
            Replacement(
                former_numbers.start,
                former_numbers.end,
                f'[{text[former_numbers.start : former_numbers.end]}, "{former}"]',
            )
        ]
    if isinstance(former_numbers, YamlSequence) and former_numbers.items:
        last = former_numbers.items[-1]
        if former_numbers.flow:
            return [Replacement(last.end, last.end, f', "{former}"')]
        dash = text.rfind("-", 0, last.start)
        indent = " " * (dash - _line_start(text, dash))
        stop = _line_stop(text, last.end)
        return [Replacement(stop, stop, f'{detect_line_ending(text)}{indent}- "{former}"')]
    return add_keys(keys, number, {"formerly": f'["{former}"]'})


def add_keys(keys: YamlMapping, number: LocatedText, new_keys: Mapping[str, str]) -> list[Replacement]:
    """Add keys with their values behind the number of an entry."""
    text = keys.file.text
    if keys.shorthand_key is not None:
        return _with_keys_below(keys, new_keys)
    if keys.flow:
        return [
            Replacement(
                number.end, number.end, "".join(f", {key}: {value}" for key, value in new_keys.items())
            )
        ]
    key = next(key for key, value in keys.entries.items() if value is number)
    stop = _line_stop(text, number.end)
    indent = " " * (key.start - _line_start(text, key.start))
    lines = (f"{detect_line_ending(text)}{indent}{key}: {value}" for key, value in new_keys.items())
    return [Replacement(stop, stop, "".join(lines))]


def _with_keys_below(keys: YamlMapping, new_keys: Mapping[str, str]) -> list[Replacement]:
    text, value, end = keys.file.text, keys.value, detect_line_ending(keys.file.text)
    pairs = [f"{key}: {value}" for key, value in new_keys.items()]
    if isinstance(value, YamlMapping) and value.flow:
        first = next(iter(value.entries)).start
        return [Replacement(first, first, "".join(f"{pair}, " for pair in pairs))]
    indent = " " * _inner_column(keys)
    if isinstance(value, YamlMapping):
        first = next(iter(value.entries)).start
        return [Replacement(first, first, "".join(f"{pair}{end}{indent}" for pair in pairs))]
    lines = end.join(f"{indent}{pair}" for pair in pairs)
    if edits := _opened(keys, lines):
        return edits
    stop = _line_stop(text, keys.shorthand_key.end if keys.shorthand_key else keys.end)
    return [Replacement(stop, stop, f"{end}{lines}")]


def remove_former_number(keys: YamlMapping) -> list[Replacement]:
    """Take back the last number that a rule had."""
    text, former_numbers = keys.file.text, get_value(keys, "formerly")
    if former_numbers is None or isinstance(former_numbers, YamlMapping):
        return []
    if isinstance(former_numbers, YamlSequence) and len(former_numbers.items) > 1:
        previous, last = former_numbers.items[-2], former_numbers.items[-1]
        if former_numbers.flow:
            return [Replacement(previous.end, last.end, "")]
        return [Replacement(_line_stop(text, previous.end), _line_stop(text, last.end), "")]
    return remove_key(keys, "formerly")


def remove_key(keys: YamlMapping, name: str) -> list[Replacement]:
    """Take a key with its value out of others."""
    text, value = keys.file.text, get_value(keys, name)
    if value is None:
        return []
    if edits := _closed(keys, _key(keys, name)):
        return edits
    keys = keys.value if keys.shorthand_key is not None and isinstance(keys.value, YamlMapping) else keys
    names = list(keys.entries)
    index = names.index(_key(keys, name))
    if index == 0 and len(names) > 1:  # it opens the entry, so that what follows takes its place
        return [Replacement(names[0].start, names[1].start, "")]
    if keys.flow and len(names) == 1:
        return [Replacement(names[0].start, value.end, "")]
    if keys.flow:
        before = keys.entries[names[index - 1]]
        return [Replacement(before.end, value.end, "")] if before is not None else []
    last_sign = len(text[: value.end].rstrip())
    return [Replacement(_line_before(text, names[index].start), _line_stop(text, last_sign), "")]


def former_numbers_of(keys: YamlMapping) -> list[LocatedText]:
    """The numbers that a rule says it had."""
    value = get_value(keys, "formerly")
    if isinstance(value, YamlSequence):
        return [item for item in value.items if isinstance(item, LocatedText)]
    return [value] if isinstance(value, LocatedText) else []
