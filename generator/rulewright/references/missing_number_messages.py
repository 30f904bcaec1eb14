"""Messages for numbers that no rule has, with the last number of the section or a suggestion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rulewright.book.outline import Outline
from rulewright.files.problems import nearest_option, quote_short
from rulewright.numbering.numbering_scheme import RuleNumber

FEW = 8
"""Maximum number of rules that a message lists."""


def missing_rule_message(number: RuleNumber, outlines: Sequence[Outline]) -> str:
    """Return the message for a number that neither an edition nor its series has."""
    key = number.key
    if len(outlines) == 1:
        hint = _hint(number, outlines[0])
        return f"no rule {key}; {hint}" if hint else f"no rule {key}"
    if series := next((outline.edition for outline in outlines[1:] if key in outline.entries), None):
        return f"{key} is a rule of {series.short}; name {series.address} for it"
    message = f"neither {' nor '.join(outline.edition.short for outline in outlines)} has {key}"
    for outline in outlines:
        if outline.nearest_ancestor(number) or key in outline.former_numbers:
            return f"{message}; in {outline.edition.short}, {_hint(number, outline)}"
    return message


def _hint(number: RuleNumber, outline: Outline) -> str:
    """Return what the number is now, where its section ends, or a similar number."""
    former, above = outline.former_numbers, outline.nearest_ancestor(number)
    if entry := former.get(number.key):
        return f"it is {entry.display_number} now"
    for ancestor in outline.edition.dialect.ancestors(number):
        if ancestor.key in former:
            return f"{ancestor.key} is {former[ancestor.key].key} now"
    if above and not above.children:
        return f"{above.display_number} has no rules inside it"
    if above and number.ordinals > above.children[-1].number.ordinals:
        return f"{above.display_number} ends at {above.children[-1].display_number}"
    rules = [*(above.iter_subtree() if above else outline.ordered_entries)]
    variants = _variants(number.key)
    similar = [rule.display_number for rule in rules if not variants.isdisjoint(_variants(rule.key))]
    if similar:
        return f"did you mean {quote_short(nearest_option(number.key, similar) or similar[0])}?"
    options = ", ".join(quote_short(rule.display_number) for rule in rules[:FEW])
    return f"it may be {options}" if 0 < len(rules) <= FEW else ""


@lru_cache(maxsize=4_096)
def _variants(key: str) -> frozenset[str]:
    """Return a number, and the number without each of its characters; those of a typo overlap with it."""
    return frozenset((key, *(key[:index] + key[index + 1 :] for index in range(len(key)))))
