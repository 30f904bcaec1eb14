"""A new rule entered in its files, and a rule that says it is retired."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from generator.editing import Refusal
from generator.editing.placing import Placing
from generator.editing.rows import Row, put_first, put_in, spans, with_keys
from generator.edits import Edit, applied
from generator.numbers import Number
from generator.outline import Entry, Outline
from generator.sequence import slug

_PLAIN = re.compile(r"[A-Za-z][\w' ()/-]*[\w)]")


def check_room(outline: Outline, number: Number) -> None:
    """Raise Refusal where a new rule of a number would lie in none, or in no file."""
    above = outline.edition.dialect.parent(number)
    listed = outline.edition.known is not None
    if above is None:
        return
    parent = outline.entries.get(above.key)
    if parent is None:
        raise Refusal(f"{number.key} would lie in {above.key}, and there is none; insert {above.key} first")
    if not (parent.rule or listed):
        raise Refusal(f"{parent.key} is not transcribed, and there is no known.yml to list {number.key} in")


def enter(placing: Placing, number: Number, title: str | None) -> None:
    """Add an empty rule: to its rule's file where that is transcribed, and to the list of known numbers."""
    above = placing.dialect.parent(number)
    if above is None:
        _chapter(placing, number, title)
    elif parent := placing.rule(above.key):
        rules = [row for row in placing.rows(parent.keys.file.name) if row.inside is parent]
        _add(placing, parent, rules, number, title)
    if placing.list:
        rows = placing.rows(placing.list)
        at = placing.place_for(rows, number)
        _put(placing, rows, at, number, title)


def _chapter(placing: Placing, number: Number, title: str | None) -> None:
    """Make the file of a new chapter, unless the book merely lists its chapters."""
    edition = placing.moves.outline.edition
    untranscribed = any(not chapter.transcribed for chapter in placing.moves.outline.chapters)
    if untranscribed and placing.list:
        return
    label = number.labels[0].lower()
    name = f"content/{edition.address}/rules/{label}{f'-{slug(title)}' if title else ''}.yml"
    if name in placing.texts:
        raise Refusal(f"{name} is there already; rename it first")
    lines = ["# yaml-language-server: $schema=../../../.schema/chapter.json", f'chapter: "{number.key}"']
    placing.texts[name] = "\n".join([*lines, *([f"title: {_scalar(title)}"] if title else []), ""])


def _add(placing: Placing, parent: Row, rules: list[Row], number: Number, title: str | None) -> None:
    """Add a rule to the rules in another one."""
    if not rules:
        words = "\n".join(_lines(number, title, flow=parent.keys.flow))
        name = parent.keys.file.name
        placing.texts[name] = applied(placing.texts[name], [put_first(parent, words, 0)])
        return
    lower = [at for at, row in enumerate(rules) if row.number.shape == number.shape]
    lower = [at for at in lower if rules[at].number.ordinals < number.ordinals]
    higher = [at for at, row in enumerate(rules) if row.number.shape == number.shape and at not in lower]
    at = lower[-1] + 1 if lower else higher[0] if higher else len(rules)
    _put(placing, rules, at, number, title)


def _put(placing: Placing, rows: Sequence[Row], at: int, number: Number, title: str | None) -> None:
    """Put a new entry in front of one of the rows of a list, written as that is written."""
    beside = rows[min(at, len(rows) - 1)]
    items, text = beside.row, beside.keys.file.text
    assert items
    places = spans(items)
    place = rows[at].at if at < len(rows) else rows[-1].at + 1
    lines = _lines(number, title, flow=beside.keys.flow)
    if items.flow:
        words, start = lines[0].removeprefix("- "), places[min(place, len(places) - 1)]
        edit = (
            Edit(start[0], start[0], f"{words}, ")
            if place < len(places)
            else Edit(start[1], start[1], f", {words}")
        )
    else:
        gap = text[places[place - 1][1] : places[place][0]] if 0 < place < len(places) else ""
        edit = put_in(items, place, "\n".join(lines), "" if gap.strip() else gap, 0)
    name = beside.keys.file.name
    placing.texts[name] = applied(placing.texts[name], [edit])


def _lines(number: Number, title: str | None, *, flow: bool) -> list[str]:
    """The lines of a new entry, its dash in the first column."""
    if flow:
        return [f'- {{number: "{number.key}"{f", title: {_scalar(title)}" if title else ""}}}']
    return [f'- number: "{number.key}"', *([f"  title: {_scalar(title)}"] if title else [])]


def _scalar(words: str) -> str:
    """Words as a value in YAML."""
    return words if _PLAIN.fullmatch(words) else json.dumps(words, ensure_ascii=False)


def retire(placing: Placing, entry: Entry, instead: Sequence[str]) -> None:
    """Say of a rule that it is retired, and which rules hold in its place. Raises Refusal."""
    row = placing.home_of(entry, entry.number)
    if row is None or not (entry.rule or entry.listed):
        raise Refusal(f"{entry.key} is neither transcribed nor listed, so nothing can say that it is retired")
    more = {"retired": '"yes"'}
    if instead:
        numbers = ", ".join(f'"{number}"' for number in instead)
        more["replaced by"] = f"[{numbers}]" if len(instead) > 1 else numbers
    name = row.keys.file.name
    placing.texts[name] = applied(placing.texts[name], [with_keys(row.keys, row.written, more)])
