"""Facts of a step beside its title: its keys in the order in which they are shown, and the words for them.

Pages, the turn as it is played, sheets and outlines all take their words from here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields

from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry, is_called
from rulewright.model.step import FREE, Every, Particulars
from rulewright.model.step_kinds import KINDS
from rulewright.source.patterns import Regex
from rulewright.source.text import Text
from rulewright.text.document import plain

_SAID = {f.name: f.metadata for f in fields(Particulars) if f.metadata.get("said")}
FACTS = tuple(_SAID)
"""The keys of a step that are facts, in the order in which they are shown."""

ASKED = ("may_occur", "optional", "must", "every", "when", "skip_when", "second_time_when")
"""The facts that say whether a step is done at all."""

NAMING = ("during", "swaps")
"""The facts whose values may be the names of other steps."""

# Values that say by themselves how they are meant: "at noon", "if a tug is near", "+3 MP", "any number".
# German is what else is imported.
_CLAUSE = Regex(
    r"(?:after|as|at|before|by|each|every|from|if|in|on|once|only|throughout|unless|until|when|whenever|where|"
    r"while|during|bei|bis|falls|nach|sobald|vor|während|wenn)\b",
    re.IGNORECASE,
)
_PLAIN = {
    "when": _CLAUSE,
    "during": _CLAUSE,
    "lasts": _CLAUSE,
    "limit": Regex(r"[+×±½¼¾⅓⅔−–-]|\d|(?:all|any|at|full|half|no|none|one|two|three|up to)\b", re.IGNORECASE),
    "moves": Regex(r"[×½¼¾⅓⅔]|\d|(?:all|full|half)\b", re.IGNORECASE),
    "cost": Regex(r"[+]"),
}
_LIMITED = Regex(r"by\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fact:
    """A key of a step as a phrase: words before and after its values, `join` between the last two."""

    key: str
    before: str
    after: str
    values: tuple[Text, ...]
    join: str

    @property
    def plain(self) -> str:
        *others, last = map(plain, self.values or ("",))
        values = f"{', '.join(others)} {self.join} {last}" if others else last
        return f"{self.before}{values}{self.after}"


def sentence(words: str) -> str:
    """Words with a capital first letter."""
    return words[:1].upper() + words[1:]


def said(entry: StepEntry, name: str) -> tuple[Text, ...]:
    """The texts of a key of a step; keys that stand in the place of words are put in words."""
    value = getattr(entry.step, name)
    if isinstance(value, Every):
        turn = (entry.edition.book.steps or KINDS)[0]
        words = str(turn) if value.turns == "1" else f"{value.turns} {turn}s"
        words += f", from {turn} {value.start}" if value.start else ""
        return (Text.written(words, value.turns.file, value.turns.start, value.turns.end),)
    return (value,) if value and isinstance(value, Text) else value or ()


def facts(entry: StepEntry, names: Collection[str] = FACTS) -> Iterator[Fact]:
    """The facts of a step, those of some names; none that its title says in the same words."""
    title = plain(entry.step.title).casefold()
    return (fact for fact in _facts(entry, names) if fact.plain.casefold() not in title)


def is_bare(entry: StepEntry) -> bool:
    """Whether a step says no more than its title and the rules for it."""
    step = entry.step
    more = entry.children or entry.difference or entry.repeated or step.note or step.narrative or step.label
    return not more and next(facts(entry), None) is None


def _facts(entry: StepEntry, names: Collection[str]) -> Iterator[Fact]:
    for name, meta in _SAID.items():
        values = said(entry, name) if name in names else ()
        join, words = str(meta.get("join", "and")), str(meta["said"])
        if not values:
            if entry.difference == "changed" and name in names and getattr(entry.step, name) == "":
                yield Fact(name, str(meta["free"]), "", (), join)
            continue
        if "free" in meta and values == (FREE,):
            yield Fact(name, words.removesuffix(" if {}"), "", (), join)
            continue
        if name in _PLAIN and _PLAIN[name].match(values[0]):
            words = "{}"
        elif name == "limit" and _LIMITED.match(values[0]):
            words = "limited {}"
        before, after = words.split("{}")
        yield Fact(name, before, after, values, join)


def beside(step: StepEntry, outline: Outline) -> list[StepEntry]:
    """The other steps of its row, as they are gone through."""
    row = step.around.played if step.around else outline.steps
    return [one for one in row if one is not step]


def named(step: StepEntry, name: str, outline: Outline) -> StepEntry | None:
    """The step that another one names among its facts: one beside it or else, by id or title, any."""
    found = [one for one in beside(step, outline) if is_called(one, name)] or outline.called(name)
    return found[0] if len(found) == 1 and found[0] is not step else None


def host(step: StepEntry, outline: Outline) -> StepEntry | None:
    """The step beside it in which a step is played, though the sequence lists it apart."""
    kept = step.origin.step.during if step.difference == "changed" and step.origin else None
    name = step.step.during or kept
    found = named(step, name, outline) if name else None
    return found if found and found.around is step.around else None
