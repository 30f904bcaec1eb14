"""Words that go from one rule to another: a rule split in two, or made a part of the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent

from rulewright.book.outline import Entry, Outline
from rulewright.edit.list_entries import (
    ListEntry,
    key_lines,
    put_first,
    spans,
    taken_out,
    with_more,
    with_text,
)
from rulewright.edit.moves import Moves
from rulewright.edit.placement import Placement
from rulewright.model.rulebook import Chapter
from rulewright.numbers import items
from rulewright.numbers.dialect import Number
from rulewright.source.edits import Edit
from rulewright.source.problems import shown
from rulewright.source.refusal import Refusal
from rulewright.source.text import Items, Text, value_at

_CARRIED = ("closing", "figures", "diagrams", "notes", *Chapter.short_keys())
"""Keys of a rule that another has too once it is a part of that."""

_MERGED = {"number", "title", "text", "rules", "formerly", "was", *_CARRIED}
"""Keys of a rule that can become a part of another; the rest would have to say of which part it is."""

Pairs = Sequence[tuple[str, str]]


def shifted(outline: Outline, entry: Entry, target: Number) -> Pairs:
    """The pairs that put a rule in at a number: those behind go up by one, those behind its old place down.

    Raises Refusal where its old row or the new one is not a plain row of numbers.
    """
    old = _row(outline, entry.number)
    new = _row(outline, target)
    numbers = [one.number for one in new]
    if entry in new:
        if target.key not in {one.key for one in numbers}:
            raise Refusal(
                f"{target.key} is no number of that row, so that nothing has to make room; leave --taken out"
            )
        order = [one for one in new if one is not entry]
        order.insert(next(at for at, one in enumerate(numbers) if one.key == target.key), entry)
        pairs = list(zip(order, numbers, strict=True))
    else:
        at = next((at for at, one in enumerate(numbers) if one.key == target.key), len(numbers))
        step = outline.edition.dialect.step(target)
        ups = [
            (one, outline.edition.dialect.sibling(one.number, one.number.ordinals[-1] + step))
            for one in new[at:]
        ]
        if any(number is None for _, number in ups):
            raise Refusal(f"no number of this book is left behind {numbers[-1].key}")
        place = old.index(entry)
        downs = zip(old[place + 1 :], (one.number for one in old[place:]), strict=False)
        pairs = [(entry, target), *((one, number) for one, number in ups if number), *downs]
    return [(one.key, number.key) for one, number in pairs if one.key != number.key]


def _row(outline: Outline, number: Number) -> list[Entry]:
    """The rules of one form in the rule around a number."""
    above = outline.edition.dialect.parent(number)
    if above is not None and above.key not in outline.entries:
        raise Refusal(f"{number.key} would lie in {above.key}, and there is none")
    row = outline.entries[above.key].children if above else outline.chapters
    return [one for one in row if items.beside(one.number, number)]


def merged(outline: Outline, entry: Entry, into: Entry) -> Moves:
    """The moves that make a rule a part of another: it has that one's number, what is in it the next there.

    Raises Refusal where its words cannot go there.
    """
    if not (entry.rule and into.rule):
        raise Refusal(
            f"{(into if entry.rule else entry).shown} is not transcribed, so that it has no words to merge"
        )
    if entry in into.walk() or into in entry.walk() or into.position > entry.position:
        raise Refusal(
            f"{into.shown} has to stand before {entry.shown} and outside of it; merge them the other way"
        )
    dialect, roots = outline.edition.dialect, {entry.key: (entry.number, into.number)}
    taken = {*outline.entries}
    depth = len(entry.number.labels)
    for child in entry.children:
        number = items.inside(dialect, into.number, child.number, depth)
        while number is not None and number.key in taken:
            number = dialect.sibling(number, number.ordinals[-1] + 1)
        if number is None:
            raise Refusal(f"{child.shown} can be no rule in {into.shown}; renumber it first")
        taken.add(number.key)
        roots[child.key] = child.number, number
    return Moves(outline, roots, kept=frozenset({entry.key}))


def merge(placing: Placement, entry: Entry, into: Entry) -> None:
    """Put the words of a rule behind those of another, and take it out. Raises Refusal."""
    row, home = placing.rule(entry.key), placing.rule(into.key)
    assert row
    assert home
    keys = {str(key) for key in row.keys.entries}
    if row.row is None or (odd := sorted(keys - _MERGED)):
        what = (
            f"{', '.join(odd)} of {entry.shown} would have to say of which rule"
            if row.row
            else "a chapter stays one"
        )
        raise Refusal(f"{what}; move that by hand first")
    words = _text_of(row)
    words = f"**{entry.title}** {words}".rstrip() if entry.title else words
    edit, *_ = taken_out(row)
    placing.change(row.keys.file.name, edit)
    home = placing.rule(into.key)
    assert home
    if words:
        both = "\n\n".join(filter(None, (_text_of(home), words)))
        placing.change(home.keys.file.name, *with_text(home, both))
    for key in _CARRIED:
        if key in keys:
            home = placing.rule(into.key)
            assert home
            placing.change(home.keys.file.name, *_carry(row, key, home))
    if placing.list:
        gone = next((one for one in placing.rows(placing.list) if one.number.key == entry.key), None)
        if gone and gone.row and not gone.row.flow:
            start, stop = spans(gone.row)[gone.at]
            placing.change(placing.list, Edit(start, stop + 1, ""))


def _carry(row: ListEntry, key: str, home: ListEntry) -> list[Edit]:
    """Put what stands at a key of a rule behind what another has of that kind. Raises Refusal."""
    value, lines = value_at(row.keys, key), key_lines(row, key)
    there = value_at(home.keys, key)
    if there is None:
        return put_first(home, lines, 0)
    if key == "closing":
        return with_text(home, f"{_text_of(home, key)}\n\n{_text_of(row, key)}", key)
    if not isinstance(value, Items) and key in Chapter.short_keys():
        return with_more(home, "notes", f"  - {indent(lines, '    ')[4:]}")
    if not isinstance(value, Items) or value.flow or key in Chapter.short_keys():
        raise Refusal(f"{row.number.key} and {home.number.key} both have {key}; put them in one list first")
    return with_more(home, key, lines.partition("\n")[2])


def split_at(entry: Entry, words: str) -> int:
    """Where in the text of a rule the words stand with which a new one is to begin. Raises Refusal."""
    text = entry.rule.text if entry.rule else None
    if not text or text.count(words) != 1 or not text[: text.find(words)].strip():
        there = f"stands there {text.count(words)} times" if text and words in text else "is not in its text"
        if text and text.lstrip().startswith(words):
            there = "begins it, so that nothing would be left"
        raise Refusal(f"{entry.shown} cannot be split at {shown(words)}, which {there}")
    return text.find(words)


def split(placing: Placement, old: Number, new: Number, at: int) -> None:
    """Take the words from a place on out of a rule, as the text of another."""
    row = placing.rule(old.key)
    assert row
    words = _text_of(row)
    placing.change(row.keys.file.name, *with_text(row, words[:at].rstrip()))
    if (home := placing.rule(new.key)) is None:
        raise Refusal(f"{new.key} has no place for a text; transcribe the rule around it first")
    placing.change(home.keys.file.name, *with_text(home, words[at:]))


def _text_of(row: ListEntry, name: str = "text") -> str:
    text = value_at(row.keys, name)
    return text.rstrip("\n") if isinstance(text, Text) else ""
