"""The edition before, as editors say it: which one an edition follows, and what a thing was there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from rulewright.book.edition_order import order_editions
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.model.rulebook import NEW
from rulewright.source.located_text import LocatedText
from rulewright.text.text_document import plain_text


def rules_with_previous(outline: Outline) -> Iterator[tuple[RuleEntry, tuple[LocatedText, ...]]]:
    """Rules of an edition that say what they were before, transcribed or listed."""
    listed_rules = outline.edition.known.known if outline.edition.known else ()
    for listed_rule in listed_rules:
        if listed_rule.was and (entry := outline.find(listed_rule.number)):
            yield entry, listed_rule.was
    for entry in outline.ordered_entries:
        if entry.rule and entry.rule.was:
            yield entry, entry.rule.was


def is_successor(new: Outline, old: Outline) -> bool:
    """Whether an edition is the one after another."""
    book, _, name = old.edition.address.partition("/")
    return new.edition.edition_file.follows == name and new.edition.address.partition("/")[0] == book


def followed_edition(outline: Outline, outlines: Mapping[str, Outline]) -> Outline | None:
    """The edition that an edition says it follows, if it is there."""
    book = outline.edition.address.partition("/")[0]
    followed = outlines.get(f"{book}/{outline.edition.edition_file.follows}")
    return None if followed is outline else followed


def book_editions(outline: Outline, outlines: Mapping[str, Outline]) -> list[Outline]:
    """All editions of a book, the oldest first."""
    book = outline.edition.address.partition("/")[0]
    editions = order_editions(
        outline.edition for address, outline in outlines.items() if address.partition("/")[0] == book
    )
    return [outlines[edition.address] for edition in editions]


def earlier_editions(outline: Outline, outlines: Mapping[str, Outline]) -> list[Outline]:
    """Earlier editions of a book, the nearest first."""
    before = takewhile(lambda other: other.edition is not outline.edition, book_editions(outline, outlines))
    return [*before][::-1]


def steps_named_exactly(name: LocatedText | None, outline: Outline) -> list[SequenceStep]:
    """The steps that have a title, an id or an address, as someone writes it."""
    if not name or name == NEW:
        return []
    title = plain_text(name).casefold()
    steps = list(outline.iter_steps())
    matches = [step for step in steps if name in (step.anchor, step.step.id)]
    return matches or [step for step in steps if plain_text(step.step.title).casefold() == title]
