"""What is said of references that no longer mean what they meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rulewright.compare.drift.finding import ANOTHER, CHANGED, MOVED, Finding, place_of_rule
from rulewright.compare.drift.meaning import Meanings, Target
from rulewright.source.problems import Problem

MOST_PLACES = 5
"""How many references to a changed rule a note names."""


def told(findings: Iterable[Finding], meanings: Meanings) -> Iterator[Problem]:
    """What is said of the findings: at each reference, but of a rule to be read again once, at the rule."""
    changed: defaultdict[Target, list[Finding]] = defaultdict(list)
    for one in findings:
        target = one.reference.target
        if one.kind is CHANGED and target:
            changed[target].append(one)
        else:
            yield one.kind.at(one.reference.place, _said(one, meanings), one.reference.named)
    for target, every in changed.items():
        yield CHANGED.at(place_of_rule(target), _again(target, every), target.key)


def _said(one: Finding, meanings: Meanings) -> str:
    """What is said at a reference."""
    named, was = one.reference.named, f"{one.was.key} {one.was.title}".strip()
    target = one.reference.target
    title = meanings.title(target) if target else ""
    key = one.reference.number.key if one.reference.number else named
    taken = f"; {key} is {title or 'another rule'} now" if target else ""
    if one.now and one.now.edition is not one.reference.into.edition:
        book = one.now.edition
        mend = f"; `rulewright check --fix` writes {one.now.shown} of {book.short} here" if one.number else ""
        return f"{was} of {book.short} was meant here{taken}{mend}"
    if one.kind is MOVED and one.now and one.number:
        known = one.was.key == one.now.key  # the lock calls it by its new number already
        meant = f"{one.was.title or 'another rule'} was meant here, which is {one.heir}"
        what = meant if known else f"{was} has become {one.heir}"
        return f"{what}{taken}; `rulewright check --fix` writes {one.heir} here"
    if one.kind is ANOTHER:
        what = f"{key} is {title} now" if title else f"{key} is another rule now"
        meant = f"{one.was.title} was meant" if one.was.title else "something else was meant"
        return f"{what}; when this was read, {meant}, which is no longer here"
    return f"{was} was meant here, and no rule is {named} any more"


def _again(target: Target, every: Sequence[Finding]) -> str:
    """What is said at a rule that says something else than it did."""
    named = where(every)
    differs = next((one.differs for one in every if one.differs), "")
    count = f"{len(every)} references to it were" if len(every) > 1 else "a reference to it was"
    return (
        f"{target.shown} has changed since {count} read: {differs}. "
        f"Read {named} again, then `rulewright accept {target.edition.address}:{target.shown}`"
    )


def where(every: Iterable[Finding]) -> str:
    """What references stand in, the first of many: 1.1, 1.2b and faq.md."""
    sources = list(dict.fromkeys(one.reference.standing for one in every))
    more = len(sources) - MOST_PLACES
    *first, last = [*sources[:MOST_PLACES], f"{more} more"] if more > 0 else sources
    return f"{', '.join(first)} and {last}" if first else last
