"""A new rule entered in its files, and a rule that says it is retired."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import slug
from rulewright.edit.placing import Placing
from rulewright.edit.rows import Row, put_first, put_in, spans, with_keys
from rulewright.edit.spelling import USUAL, Speller, Style
from rulewright.numbers import items
from rulewright.numbers.dialect import Number
from rulewright.source.edits import Edit, applied
from rulewright.source.refusal import Refusal

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


@dataclass(frozen=True)
class Addition:
    """A new rule: its number, the style in which that is printed, and its title."""

    number: Number
    title: str | None
    speller: Speller
    style: Style

    def printed(self, chapter: str = "") -> str:
        """Its number as it is written in a chapter, or where no number can leave its chapter out."""
        return self.speller.write(self.number, self.style, chapter)

    def __str__(self) -> str:
        number = self.speller.write(self.number, self.style._replace(bracket=False))
        return f"{number} {self.title}" if self.title else number


def addition(outline: Outline, number: Number, written: str, title: str | None) -> Addition:
    """A new rule whose number is printed as the nearest beside it is; where there is none, as `written`."""
    dialect = outline.edition.dialect
    above, speller = dialect.parent(number), Speller(dialect)
    row = outline.entries[above.key].children if above and above.key in outline.entries else outline.chapters
    beside = [one for one in row if items.beside(one.number, number)]
    beside.sort(key=lambda one: abs(one.number.ordinals[-1] - number.ordinals[-1]))
    forms = [(str(one.printed), one.number, number.labels[0]) for one in beside]
    styles = (speller.style(*form) for form in (*forms, (written.strip(), number, outline.home)))
    return Addition(number, title, speller, next(filter(None, styles), USUAL))


def enter(placing: Placing, new: Addition) -> None:
    """Add an empty rule: to its rule's file where that is transcribed, and to the list of known numbers."""
    above = placing.dialect.parent(new.number)
    if above is None:
        _chapter(placing, new)
    elif parent := placing.rule(above.key):
        rules = [row for row in placing.rows(parent.keys.file.name) if row.inside is parent]
        _add(placing, parent, rules, new)
    if placing.list:
        rows = placing.rows(placing.list)
        _put(placing, rows, placing.place_for(rows, new.number), new)


def _chapter(placing: Placing, new: Addition) -> None:
    """Make the file of a new chapter, unless the book merely lists its chapters."""
    edition = placing.moves.outline.edition
    untranscribed = any(not chapter.transcribed for chapter in placing.moves.outline.chapters)
    if untranscribed and placing.list:
        return
    label = new.number.labels[0].lower()
    name = f"content/{edition.address}/rules/{label}{f'-{slug(new.title)}' if new.title else ''}.yml"
    if name in placing.texts:
        raise Refusal(f"{name} is there already; rename it first")
    lines = ["# yaml-language-server: $schema=../../../.schema/chapter.json", f'chapter: "{new.printed()}"']
    placing.texts[name] = "\n".join([*lines, *([f"title: {scalar(new.title)}"] if new.title else []), ""])


def _add(placing: Placing, parent: Row, rules: list[Row], new: Addition) -> None:
    """Add a rule to the rules in another one."""
    chapter = new.number.labels[0]
    if not rules:
        words = "\n".join(_lines(new, chapter, flow=parent.keys.flow))
        name = parent.keys.file.name
        placing.texts[name] = applied(placing.texts[name], [put_first(parent, words, 0)])
        return
    alike = [at for at, row in enumerate(rules) if row.number.shape == new.number.shape]
    lower = [at for at in alike if rules[at].number.ordinals < new.number.ordinals]
    higher = [at for at in alike if at not in lower]
    at = lower[-1] + 1 if lower else higher[0] if higher else len(rules)
    _put(placing, rules, at, new, chapter)


def _put(placing: Placing, rows: Sequence[Row], at: int, new: Addition, chapter: str = "") -> None:
    """Put a new entry in front of one of the rows of a list, written as that is written."""
    beside = rows[min(at, len(rows) - 1)]
    items, text = beside.row, beside.keys.file.text
    assert items
    places = spans(items)
    place = rows[at].at if at < len(rows) else rows[-1].at + 1
    lines = _lines(new, chapter, flow=beside.keys.flow)
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


def _lines(new: Addition, chapter: str, *, flow: bool) -> list[str]:
    """The lines of a new entry, its dash in the first column."""
    number = f'number: "{new.printed(chapter)}"'
    if flow:
        return [f"- {{{number}{f', title: {scalar(new.title)}' if new.title else ''}}}"]
    return [f"- {number}", *([f"  title: {scalar(new.title)}"] if new.title else [])]


def scalar(words: str) -> str:
    """Words as a value in YAML."""
    return words if _PLAIN.fullmatch(words) else json.dumps(words, ensure_ascii=False)


def retire(placing: Placing, entry: Entry, instead: Sequence[Entry]) -> None:
    """Say of a rule that it is retired, and which rules hold in its place. Raises Refusal."""
    row = placing.home_of(entry, entry.number)
    if row is None or not (entry.rule or entry.listed):
        raise Refusal(
            f"{entry.shown} is neither transcribed nor listed, so nothing can say that it is retired"
        )
    more = {"retired": '"yes"'}
    if instead:
        numbers = ", ".join(f'"{one.shown}"' for one in instead)
        more["replaced by"] = f"[{numbers}]" if len(instead) > 1 else numbers
    name = row.keys.file.name
    placing.texts[name] = applied(placing.texts[name], [with_keys(row.keys, row.written, more)])
