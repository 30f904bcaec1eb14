"""What a number means in an edition, and in a game, whose own rules come before those of its series.

Where both have a rule of one number, the game's is meant, unless the series is named in front ("OCS 12.5",
"series rule 12.5") or a mark says so. Of a range both ends lie in one of them, the game if it has both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rulewright.book.elsewhere import Away
from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.series import called
from rulewright.numbers.dialect import Number
from rulewright.numbers.evidence import CUES
from rulewright.numbers.finder import JOINS, THROUGH, Found
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Kind, did_you_mean, kind, shown
from rulewright.source.text import Text

BACKWARDS = kind("range-backwards", "A range of rules ends before it begins. Turn its ends round.")
EMPTY = kind("range-empty", "A range begins and ends with the same rule. Name that rule alone.")
LONGEST = 80
"""How far a name may stand from its number."""


class Resolved(NamedTuple):
    """A number found in a text and what it means.

    `target`: the rule; `number`: what the text names, which lies deeper than the target where it is an
    item of a rule that is not transcribed. `inside`: the rules between the ends of a range that
    ends here. `away`: where a mark leads that names another site, and then there is no target. `fault`
    and `message`: what is wrong.
    """

    found: Found
    target: Entry | None = None
    number: Number | None = None
    inside: tuple[Entry, ...] = ()
    fault: Kind | None = None
    message: str = ""
    away: Away | None = None

    @property
    def shown(self) -> str:
        """The number as its rule prints it, unless it lies deeper than that; empty where it is none."""
        key = self.number.key if self.number else ""
        return self.target.shown if self.target and self.target.key == key else key

    def about(self, text: str) -> str:
        """What a problem with it is about: the number, with its book where a mark names one, or the words."""
        number = self.number.key if self.number else text[self.found.start : self.found.end]
        return f"{self.found.book}:{number}" if self.found.book and self.number else number

    def miswritten(self, text: str) -> str:
        """Says how a reference is written and how the book writes its number."""
        written = text[self.found.start : self.found.end]
        key = self.number.key if self.number else ""
        if written == key:  # what is wrong stands beside it
            return f"write {key} with a space on either side"
        return f"{shown(written)} is read as {key}; write {key}, as this book does"


def rule_of(number: Number, outline: Outline) -> Entry | None:
    """The rule of a number; of an item in brackets, 12.5c(B), the rule it lies in if that lists none."""
    if (entry := outline.entries.get(number.key)) or len(number.labels) < 3:
        return entry
    dialect = outline.edition.dialect
    own, last = dialect.shapes[number.shape], dialect.parts_of(number.labels, number.shape)[-1]
    above = dialect.parent(number) if last is own[-1] and last.after else None
    entry = outline.entries.get(above.key) if above else None
    return entry if entry and not entry.transcribed and not entry.children else None


def meant_in(number: Number, partner: Number | None, outlines: Sequence[Outline]) -> Outline:
    """In which of several editions a number is meant, the first going first.

    `partner`: the other end of its range.
    """
    own = outlines[0]
    if len(outlines) == 1:
        return own
    have = [one for one in outlines if rule_of(number, one)]
    both = (one for one in have if partner and rule_of(partner, one))
    parents = ((one, one.edition.dialect.parent(number)) for one in outlines)
    near = (one for one, parent in parents if parent and parent.key in one.entries)
    return next(both, None) or next(iter(have), None) or next(near, own)


def range_end(one: Found, number: Number, first: Entry, last: Entry, outline: Outline) -> Resolved:
    """The end of a range, with what lies between its ends."""
    if last is first:
        message = f"the range from {first.shown} to {last.shown} holds one rule; name it alone"
        return Resolved(one, last, number, fault=EMPTY, message=message)
    if last.position < first.position:
        message = f"the range ends at {last.shown}, which comes before {first.shown}; turn it round"
        return Resolved(one, last, number, fault=BACKWARDS, message=message)
    deepest = max(first.level, last.level)
    inside = [e for e in outline.between(first, last)[1:] if e.level <= deepest and e is not last]
    return Resolved(one, last, number, tuple(inside))


def together(own: Sequence[Resolved], theirs: Iterable[Resolved]) -> list[Resolved]:
    """The references of a text read in two ways: of two that overlap, the one that means a rule."""
    found = list(theirs)
    if not own or not found:
        return [*own, *found]

    def meets(one: Resolved, others: Sequence[Resolved]) -> bool:
        return any(
            one.found.start < other.found.end and other.found.start < one.found.end for other in others
        )

    sure = [one for one in own if one.target or one.found.mark]
    found = [one for one in found if not meets(one, sure)]
    meant = [one for one in found if one.target]
    kept = [one for one in own if one in sure or not meets(one, meant)]
    more = [one for one in found if one.target or not meets(one, kept)]
    return sorted([*kept, *more], key=lambda one: one.found.start)


class SeriesNames:
    """Tells where a text of a game names its series in front of a number, and for which that holds."""

    def __init__(self, edition: Edition) -> None:
        cues = "|".join(map(re.escape, edition.book.cues or CUES))
        cued = rf"(?:\s+(?:{cues})s?)?\s*[(\[]?\Z"
        self._named = [
            (one, re.compile(rf"(?<!\w)(?:{names})(?:['’]s?)?(?:\s+v?{label})?,?{cued}", re.IGNORECASE))
            for one in edition.around
            if one is not edition
            for names, label in [("|".join(map(re.escape, called(one.book))), re.escape(one.file.edition))]
        ]
        joins = [*(edition.book.joins or JOINS), *(edition.book.through or THROUGH)]
        words = "|".join(map(re.escape, joins))
        self._goes_on = re.compile(rf"[)\]]?\s*(?:,|;|[-–—]|(?:,\s*)?(?:{words})(?!\w))\s*[(\[]?")

    def find(self, text: str, start: int, before: tuple[int, Edition | None]) -> Edition | None:
        """The edition that is named for the number at `start`.

        `before`: where the last number ended, and the edition that was named for that.
        """
        end, last = before
        if last and self._goes_on.fullmatch(text, end, start):
            return last
        back = text[max(end, start - LONGEST, 0) : start]
        return next((edition for edition, named in self._named if named.search(back)), None)


def written_in(text: str, edition: Edition) -> bool:
    """Whether a text stands in a file of an edition or of its book, not in one of the series it extends."""
    if edition.base is None or not isinstance(text, Text):
        return True
    name = text.file.name
    book = edition.address.partition("/")[0]
    return name.startswith(f"{CONTENT}/{edition.address}/") or name == f"{CONTENT}/{book}/rulebook.yml"


def missing(number: Number, outlines: Sequence[Outline]) -> str:
    """Says that a game and its series have no such rule, and where the one ends in which it would lie."""
    if len(outlines) == 1:
        return nearest(number, outlines[0])
    if theirs := next((one.edition for one in outlines[1:] if number.key in one.entries), None):
        return f"{number.key} is a rule of {theirs.short}; name {theirs.address} for it"
    *names, last = (one.edition.short for one in outlines)
    none = f"neither {names[0]} nor {last}" if len(names) == 1 else f"none of {', '.join(names)} and {last}"
    said = f"{none} has {number.key}"
    where = next((one for one in outlines if one.above(number) or number.key in one.former), None)
    if where is None:
        return f"{said}, nor a chapter {number.labels[0]}"
    return f"{said}; in {where.edition.short}, {nearest(number, where).partition('; ')[2]}"


def nearest(number: Number, outline: Outline) -> str:
    """Says that there is no such rule, and where the book ends or what it has instead."""
    if now := outline.former.get(number.key):
        return f"no rule {number.key}; it is {now.shown} now"
    above = outline.above(number)
    for around in outline.edition.dialect.ancestors(number):
        if around.key in outline.former:
            return f"no rule {number.key}; {around.key} is {outline.former[around.key].key} now"
    if above is None:
        return f"no rule {number.key}{did_you_mean(number.key, outline.entries)}"
    if not above.children:
        return f"no rule {number.key}; {above.shown} has no rules inside it"
    last = above.children[-1]
    if number.ordinals > last.number.ordinals:
        return f"no rule {number.key}; {above.shown} ends at {last.shown}"
    return f"no rule {number.key}{did_you_mean(number.key, [e.shown for e in above.walk()])}"
