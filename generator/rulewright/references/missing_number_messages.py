"""Messages for numbers that no rule has, with the last number of the section or a suggestion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice

from rulewright.book.outline import Outline, RuleEntry
from rulewright.files.problems import nearest_option as nearest_of
from rulewright.files.problems import quote_short
from rulewright.numbering.numbering_scheme import RuleNumber

FEW = 8
"""Maximum number of rules that a message lists."""


def missing_rule_message(number: RuleNumber, outlines: Sequence[Outline]) -> str:
    """Return the message for a number that neither a game nor its series has."""
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
    """Return the message for a number that an edition does not have."""
    if entry := outline.former_numbers.get(number.key):
        return f"no rule {number.key}; it is {entry.display_number} now"
    above = outline.nearest_ancestor(number)
    for ancestor in outline.edition.dialect.ancestors(number):
        if ancestor.key in outline.former_numbers:
            return f"no rule {number.key}; {ancestor.key} is {outline.former_numbers[ancestor.key].key} now"
    if above is None:
        return f"no rule {number.key}{_suggestion(number.key, outline, None)}"
    if not above.children:
        return f"no rule {number.key}; {above.display_number} has no rules inside it"
    last = above.children[-1]
    if number.ordinals > last.number.ordinals:
        return f"no rule {number.key}; {above.display_number} ends at {last.display_number}"
    return f"no rule {number.key}{_suggestion(number.key, outline, above)}"


def _suggestion(key: str, outline: Outline, above: RuleEntry | None) -> str:
    """Return a clause with the rule in `above` that a typo may mean, else with all rules if they are few."""
    by_variant = _rules_by_variant(outline)
    similar = {entry for variant in _variants(key) for entry in by_variant.get(variant, ())}
    within = [e for e in similar if above is None or above in e.self_and_ancestors()]
    within.sort(key=lambda entry: entry.position)
    typos = [option for option in (_option(entry, above) for entry in within) if _is_typo(key, option)]
    if typos:
        nearest = nearest_of(key, typos) or typos[0]
        return f"; did you mean {quote_short(nearest)}?"
    entries = above.iter_subtree() if above else outline.ordered_entries
    options = [_option(entry, above) for entry in islice(entries, FEW + 1)]
    return f"; it may be {', '.join(map(quote_short, options))}" if 0 < len(options) <= FEW else ""


def _option(entry: RuleEntry, above: RuleEntry | None) -> str:
    return entry.display_number if above else entry.key


def _variants(key: str) -> set[str]:
    """Return a number, and the number without each of its characters; those of a typo overlap with it."""
    return {key, *(key[:index] + key[index + 1 :] for index in range(len(key)))}


@lru_cache(maxsize=2)
def _rules_by_variant(outline: Outline) -> Mapping[str, list[RuleEntry]]:
    """Return the rules by the variants of their numbers."""
    rules: defaultdict[str, list[RuleEntry]] = defaultdict(list)
    for entry in outline.ordered_entries:
        variants = _variants(entry.key)
        if entry.printed != entry.key:
            variants |= _variants(entry.display_number)
        for variant in variants:
            rules[variant].append(entry)
    return rules


def _is_typo(key: str, option: str) -> bool:
    """Return whether one character is missing, added or changed, or two adjacent ones are swapped."""
    pairs = enumerate(zip(key, option, strict=False))
    same = next((index for index, (x, y) in pairs if x != y), min(len(key), len(option)))
    a, b = key[same:], option[same:]
    return b in (a[1:], a[1::-1] + a[2:]) or b[1:] in (a, a[1:])
