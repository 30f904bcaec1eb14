"""What is said of a number that a book does not have: what it is now, or where the book ends."""

from __future__ import annotations

from generator.numbers import Number
from generator.outline import Outline
from generator.problems import did_you_mean


def nearest(number: Number, outline: Outline) -> str:
    """Says that there is no such rule, and where the book ends or what it has instead."""
    if now := outline.former.get(number.key):
        return f"no rule {number.key}; it is {now.key} now"
    above = outline.above(number)
    for around in outline.edition.dialect.ancestors(number):
        if around.key in outline.former:
            return f"no rule {number.key}; {around.key} is {outline.former[around.key].key} now"
    if above is None:
        return f"no rule {number.key}{did_you_mean(number.key, outline.entries)}"
    if not above.children:
        return f"no rule {number.key}; {above.key} has no rules inside it"
    last = above.children[-1]
    if number.ordinals > last.number.ordinals:
        return f"no rule {number.key}; {above.key} ends at {last.key}"
    return f"no rule {number.key}{did_you_mean(number.key, [e.key for e in above.walk()])}"
