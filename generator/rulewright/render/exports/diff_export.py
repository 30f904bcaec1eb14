"""Differences between two editions as text, with signs for deleted and inserted words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import indent
from typing import Any

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import ChangeKind, ItemChange
from rulewright.render.exports.change_groups import by_chapter
from rulewright.render.exports.export_formats import TEXT
from rulewright.schema.aid import Aid
from rulewright.schema.problem_reports import plural
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep

MAX_LISTED = 40
"""Maximum of rules whose numbers are listed: those that only one edition has."""

Item = RuleEntry | SequenceStep | TableEntry | Aid | Edition | ErrataEntry


def diff_to_text(difference: EditionDiff) -> str:
    """Return what differs as text."""
    title = f"{difference.old.edition.title} → {difference.new.edition.edition_file.edition}"
    if not difference.reported_changes:
        return f"{title}\n{'=' * len(title)}\nNothing has changed.\n"
    sections: dict[str, Iterable[str]] = {
        "Rules": _rule_lines(difference),
        "Sequence of play": _change_lines(difference.steps),
        "Tables": _change_lines(difference.tables),
        "Player aids": _change_lines(difference.aids),
        "Rulebook": _change_lines(difference.book),
        "Errata and questions": _change_lines(difference.errata_changes),
    }
    text = f"{title}\n{'=' * len(title)}\n"
    for heading, lines in sections.items():
        if words := "\n".join(lines):
            text += f"\n{heading}\n{'-' * len(heading)}\n{words}\n"
    return text


def _rule_lines(difference: EditionDiff) -> Iterator[str]:
    """Yield the changes of rules by chapter, and how many rules only one edition is known to have."""
    for chapter, changes in by_chapter(difference).items():
        yield f"\n{item_name(chapter)}"
        yield from _change_lines(changes)
    for edition, other, rules in difference.one_sided_rules:
        name, other_name = edition.edition_file.edition, other.edition_file.edition
        numbers = ", ".join(entry.display_number for entry in rules)
        number_list = f": {numbers}" if len(rules) <= MAX_LISTED else ""
        count = plural(len(rules), "rule")
        yield f"{count} of {name} not found in {other_name}, as far as the texts here tell{number_list}."


def _change_lines(changes: Iterable[ItemChange[Any]]) -> Iterator[str]:
    for change in changes:
        if change.is_reported:
            item = change.present_item
            words = f"  {item_name(item)}: {', '.join(change_phrases(change))}"
            inner = plural(change.inside, "rule" if isinstance(item, RuleEntry) else "step")
            yield f"{words}, with {inner} in it" if change.inside else words
            for part in change.parts:
                pieces = f"{part.name.replace('_', ' ')}: {TEXT.part(part)}"
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


def _place(item: Item | None) -> str:
    if isinstance(item, RuleEntry | TableEntry):
        return str(item.display_number)
    return item_name(item) if item else ""


def item_name(item: Item) -> str:
    """Return the name of an item for people: of a rule number and title, of a step its path."""
    match item:
        case RuleEntry():
            return f"{item.display_number} {plain_text(item.title or '')}".rstrip()
        case SequenceStep():
            return plain_text(item.path)
        case ErrataEntry():
            return item.name
        case TableEntry():
            return plain_text(str(item))
        case _:
            return plain_text(item.title or "")
