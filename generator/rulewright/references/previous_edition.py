"""Earlier editions of a book, and the rules and steps of the previous one that `was:` names.

`follows:` names the edition that an edition directly follows. `was:` has the numbers or names that a rule or
a step had in that edition. The address of an edition is `book/edition`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from rulewright.book.edition_order import order_editions
from rulewright.book.outline import Outline, RuleEntry
from rulewright.files.located_text import LocatedText
from rulewright.schema.rulebook import NEW
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep


def is_next_edition(new: Outline, old: Outline) -> bool:
    """Return whether `new` directly follows `old`."""
    book, _, name = old.edition.address.partition("/")
    return _book_name(new) == book and new.edition.edition_file.follows == name


def followed_edition(outline: Outline, outlines: Mapping[str, Outline]) -> Outline | None:
    """Return the edition that an edition directly follows, if the project has it."""
    followed = outlines.get(f"{_book_name(outline)}/{outline.edition.edition_file.follows}")
    return None if followed is outline else followed  # an edition may name itself by mistake


def book_editions(outline: Outline, outlines: Mapping[str, Outline]) -> list[Outline]:
    """Return all editions of the book of an edition, oldest first."""
    book = _book_name(outline)
    editions = [other.edition for other in outlines.values() if _book_name(other) == book]
    files = {edition.address: edition.edition_file for edition in editions}
    return list(map(outlines.__getitem__, order_editions(files)))


def earlier_editions(outline: Outline, outlines: Mapping[str, Outline]) -> list[Outline]:
    """Return all earlier editions of the book of an edition, newest first."""
    editions = book_editions(outline, outlines)
    oldest_first = takewhile(lambda other: other.edition is not outline.edition, editions)
    return [*oldest_first][::-1]


def _book_name(outline: Outline) -> str:
    return outline.edition.address.partition("/")[0]


def rules_with_previous_numbers(outline: Outline) -> Iterator[tuple[RuleEntry, tuple[LocatedText, ...]]]:
    """Yield each listed and then each transcribed rule with a `was:`, with the numbers in it."""
    listed_rules = outline.edition.known.known if outline.edition.known else ()  # the `known:` of known.yml
    for listed_rule in listed_rules:
        if listed_rule.was and (entry := outline.find(listed_rule.number)):
            yield entry, listed_rule.was
    for entry in outline.ordered_entries:
        if entry.rule and entry.rule.was:
            yield entry, entry.rule.was


def steps_with_previous_name(previous_name: LocatedText | None, previous: Outline) -> list[SequenceStep]:
    """Return the steps of the previous edition that the `was:` of a step names; none if the step is new.

    A step with this id or anchor takes precedence over steps with this title, in which case is ignored.
    """
    if not previous_name or previous_name == NEW:
        return []
    title = plain_text(previous_name).casefold()
    steps = list(previous.sequence.iter_steps())
    matches = [step for step in steps if previous_name in (step.anchor, step.step.id)]
    return matches or [step for step in steps if plain_text(step.step.title).casefold() == title]
