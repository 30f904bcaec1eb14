"""Previous editions as declared by `follows:` and `was:`."""

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
    """Yield the transcribed and listed rules with `was:`, each with its value."""
    listed_rules = outline.edition.known.known if outline.edition.known else ()
    for listed_rule in listed_rules:
        if listed_rule.was and (entry := outline.find(listed_rule.number)):
            yield entry, listed_rule.was
    for entry in outline.ordered_entries:
        if entry.rule and entry.rule.was:
            yield entry, entry.rule.was


def is_successor(new: Outline, old: Outline) -> bool:
    """Return whether an edition directly follows another."""
    book, _, name = old.edition.address.partition("/")
    return new.edition.edition_file.follows == name and new.edition.address.partition("/")[0] == book


def followed_edition(outline: Outline, outlines: Mapping[str, Outline]) -> Outline | None:
    """Return the edition that an edition follows, if the project has it."""
    book = outline.edition.address.partition("/")[0]
    followed = outlines.get(f"{book}/{outline.edition.edition_file.follows}")
    return None if followed is outline else followed


def book_editions(outline: Outline, outlines: Mapping[str, Outline]) -> list[Outline]:
    """Return all editions of a book, oldest first."""
    book = outline.edition.address.partition("/")[0]
    editions = order_editions(
        outline.edition for address, outline in outlines.items() if address.partition("/")[0] == book
    )
    return [outlines[edition.address] for edition in editions]


def earlier_editions(outline: Outline, outlines: Mapping[str, Outline]) -> list[Outline]:
    """Return the earlier editions of a book, newest first."""
    before = takewhile(lambda other: other.edition is not outline.edition, book_editions(outline, outlines))
    return [*before][::-1]


def steps_named_exactly(name: LocatedText | None, outline: Outline) -> list[SequenceStep]:
    """Return the steps with an id or an anchor, or else with a title, ignoring case."""
    if not name or name == NEW:
        return []
    title = plain_text(name).casefold()
    steps = list(outline.iter_steps())
    matches = [step for step in steps if name in (step.anchor, step.step.id)]
    return matches or [step for step in steps if plain_text(step.step.title).casefold() == title]
