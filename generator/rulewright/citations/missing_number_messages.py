"""Messages for a number that no rule has: where the book ends there, and what it has instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.book.outline import Outline
from rulewright.numbers.numbering_scheme import RuleNumber
from rulewright.source.problems import nearest_option as nearest_of
from rulewright.source.problems import quote_short

FEW = 8
"""Of how few rules all are named."""


def missing_rule_message(number: RuleNumber, outlines: Sequence[Outline]) -> str:
    """Says that a game and its series have no such rule, and where the one ends in which it would lie."""
    if len(outlines) == 1:
        return nearest_rule_message(number, outlines[0])
    if series := next((outline.edition for outline in outlines[1:] if number.key in outline.entries), None):
        return f"{number.key} is a rule of {series.short}; name {series.address} for it"
    *names, last = (outline.edition.short for outline in outlines)
    none = f"neither {names[0]} nor {last}" if len(names) == 1 else f"none of {', '.join(names)} and {last}"
    message = f"{none} has {number.key}"
    outline = next(
        (
            outline
            for outline in outlines
            if outline.nearest_ancestor(number) or number.key in outline.former_numbers
        ),
        None,
    )
    if outline is None:
        return f"{message}, nor a chapter {number.labels[0]}"
    return (
        f"{message}; in {outline.edition.short}, {nearest_rule_message(number, outline).partition('; ')[2]}"
    )


def nearest_rule_message(number: RuleNumber, outline: Outline) -> str:
    """Says that there is no such rule, and where the book ends or what it has instead."""
    if entry := outline.former_numbers.get(number.key):
        return f"no rule {number.key}; it is {entry.display_number} now"
    above = outline.nearest_ancestor(number)
    for ancestor in outline.edition.dialect.ancestors(number):
        if ancestor.key in outline.former_numbers:
            return f"no rule {number.key}; {ancestor.key} is {outline.former_numbers[ancestor.key].key} now"
    if above is None:
        return f"no rule {number.key}{_meant(number.key, outline.entries)}"
    if not above.children:
        return f"no rule {number.key}; {above.display_number} has no rules inside it"
    last = above.children[-1]
    if number.ordinals > last.number.ordinals:
        return f"no rule {number.key}; {above.display_number} ends at {last.display_number}"
    return f"no rule {number.key}{_meant(number.key, [e.display_number for e in above.iter_subtree()])}"


def _meant(key: str, options: Iterable[str]) -> str:
    """A clause with the number that may be meant by a slip, else with the few that there are, or nothing."""
    options = [*options]
    slips = [option for option in options if _is_slip(key, option)]
    if slips:
        nearest = nearest_of(key, slips) or slips[0]
        return f"; did you mean {quote_short(nearest)}?"
    return f"; it may be {', '.join(map(quote_short, options))}" if 0 < len(options) <= FEW else ""


def _is_slip(key: str, option: str) -> bool:
    """Return whether one character is missing, added or changed, or two neighbours are swapped."""
    pairs = enumerate(zip(key, option, strict=False))
    same = next((index for index, (x, y) in pairs if x != y), min(len(key), len(option)))
    a, b = key[same:], option[same:]
    return b in (a[1:], a[1::-1] + a[2:]) or b[1:] in (a, a[1:])
