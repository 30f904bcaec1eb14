"""Differences between two editions as text, with signs for deleted and inserted words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import ChangeKind, ItemChange, WordDifference
from rulewright.compare.word_diff import DiffWord
from rulewright.render.exports.change_groups import by_chapter
from rulewright.render.exports.export_formats import TEXT, StyledRun
from rulewright.schema.aid import Aid
from rulewright.schema.problem_reports import plural
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep

MAX_CONTEXT = 6
"""Unchanged words that are shown on each side of a change."""

MAX_LISTED = 40
"""Maximum of rules whose numbers are listed: those that only one edition has."""

_TYPES: Mapping[type, str] = {RuleEntry: "rule", SequenceStep: "step"}

Item = RuleEntry | SequenceStep | TableEntry | Aid | Edition | ErrataEntry


def diff_to_text(difference: EditionDiff) -> str:
    """Return what differs as text."""
    return "\n".join(_lines(difference)).strip("\n") + "\n"


def _title(item: Item) -> str | None:
    if isinstance(item, ErrataEntry):
        return item.name
    if isinstance(item, SequenceStep):
        return plain_text(item.path)
    title = item.title if isinstance(item, RuleEntry | Aid | Edition) else item.table.title
    return plain_text(title) if title else None


def _lines(difference: EditionDiff) -> Iterator[str]:
    old, new = difference.old.edition, difference.new.edition
    yield from _heading(f"{old.title} → {new.edition_file.edition}", "=")
    if not difference.reported_changes:
        yield "Nothing has changed."
        return
    chapters = by_chapter(difference)
    if chapters or difference.one_sided_rules:
        yield from _heading("Rules", "-")
    for chapter, changes in chapters.items():
        yield f"\n{item_name(chapter)}"
        yield from (line for change in changes for line in _change(change))
    yield from _one_sided(difference)
    other_names: dict[str, Sequence[ItemChange[Any]]] = {
        "Sequence of play": difference.steps,
        "Tables": difference.tables,
        "Player aids": difference.aids,
        "Rulebook": difference.book,
        "Errata and questions": difference.errata_changes,
    }
    for title, items in other_names.items():
        if lines := [line for change in items for line in _change(change)]:
            yield from _heading(title, "-")
            yield from lines


def _heading(words: str, underline: str) -> Iterator[str]:
    yield f"\n{words}"
    yield underline * len(words)


def _one_sided(difference: EditionDiff) -> Iterator[str]:
    """Yield how many rules only one of the editions is known to have, and which if they are few."""
    for edition, other, rules in difference.one_sided_rules:
        name, other_name = edition.edition_file.edition, other.edition_file.edition
        numbers = ", ".join(entry.display_number for entry in rules)
        number_list = f": {numbers}" if len(rules) <= MAX_LISTED else ""
        count = plural(len(rules), "rule")
        yield f"{count} of {name} not found in {other_name}, as far as the texts here tell{number_list}."


def _change(change: ItemChange[Any]) -> Iterator[str]:
    if not change.is_reported:
        return
    words = f"{item_name(change.present_item)}: {', '.join(change_phrases(change))}"
    if change.inside:
        words += f", with {plural(change.inside, _TYPES[type(change.present_item)])} in it"
    yield f"  {words}"
    for part in change.parts:
        pieces = f"{part.name.replace('_', ' ')}: {TEXT.write(shortened_pieces(part))}"
        yield indent(pieces, "    ", lambda line: True)


def change_phrases(change: ItemChange[Any]) -> Iterator[str]:
    """Yield words for the change of an item."""
    other_names = ", ".join(map(item_name, change.related))
    old_place, new_place = _place(change.old), _place(change.new)
    for kind in change.kinds:
        if kind in (ChangeKind.MOVED, ChangeKind.RENUMBERED) and old_place != new_place:
            yield f"{kind} from {old_place}"
        elif kind is ChangeKind.SPLIT:
            yield f"split, also into {other_names}" if change.old else f"split off {other_names}"
        elif kind is ChangeKind.MERGED:
            yield f"merged with {other_names}" if change.new else f"merged into {other_names}"
        elif kind is ChangeKind.ONLY:
            yield f"only in {change.present_item.edition.edition_file.edition}"
        else:
            yield str(kind)


def _place(item: Item | None) -> str | None:
    if isinstance(item, RuleEntry | TableEntry):
        return item.display_number
    if isinstance(item, SequenceStep):
        return plain_text(item.path)
    return _title(item) if item else None


def item_name(item: Item) -> str:
    """Return the name of an item for people: of a rule number and title, of a step its path."""
    entry = item.entry if isinstance(item, TableEntry) else item
    number = entry.display_number if isinstance(entry, RuleEntry) else ""
    return " ".join(filter(None, (number, _title(item))))


def shortened_pieces(part: WordDifference) -> Iterator[StyledRun]:
    """Yield the words of a part; of many unchanged words only the first and the last."""
    last = len(part.pieces) - 1
    for index, piece in enumerate(part.pieces):
        yield StyledRun(piece.gap if index else "")
        if piece.change or len(piece.words) <= 2 * MAX_CONTEXT + 2:
            yield StyledRun(piece.text, piece.change)
            continue
        start = _joined(piece.words[:MAX_CONTEXT]) + " " if index else ""
        end = " " + _joined(piece.words[-MAX_CONTEXT:]) if index < last else ""
        yield StyledRun(f"{start}…{end}")


def _joined(words: Sequence[DiffWord]) -> str:
    return "".join(word.gap * bool(position) + word.words for position, word in enumerate(words))
