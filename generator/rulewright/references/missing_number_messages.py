"""Messages for numbers that no rule has, with the last number of the section or a suggestion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice

from rulewright.book.outline import Outline, RuleEntry
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
    rules = _rules_by_variant(outline)
    similar = {entry for variant in _variants(number.key) for entry in rules.get(variant, ())}
    ordered = sorted(similar, key=lambda entry: entry.position)
    if typos := [e.display_number for e in ordered if above is None or above in e.self_and_ancestors()]:
        return f"did you mean {quote_short(nearest_option(number.key, typos) or typos[0])}?"
    few = [*islice(above.iter_subtree() if above else outline.ordered_entries, FEW + 1)]
    options = ", ".join(quote_short(entry.display_number) for entry in few)
    return f"it may be {options}" if 0 < len(few) <= FEW else ""


def _variants(key: str) -> set[str]:
    """Return a number, and the number without each of its characters; those of a typo overlap with it."""
    return {key, *(key[:index] + key[index + 1 :] for index in range(len(key)))}


@lru_cache(maxsize=2)
def _rules_by_variant(outline: Outline) -> Mapping[str, list[RuleEntry]]:
    """Return the rules by the variants of their numbers."""
    rules: defaultdict[str, list[RuleEntry]] = defaultdict(list)
    for entry in outline.ordered_entries:
        for variant in _variants(entry.key) | _variants(entry.display_number):
            rules[variant].append(entry)
    return rules
