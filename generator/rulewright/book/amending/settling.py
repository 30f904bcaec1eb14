"""The one place that an erratum changes: where its words stand, and no other erratum was before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.book.amending.finding import nearest, places
from rulewright.book.amending.quoting import Quotable
from rulewright.model.amended import COME, GONE, runs_of
from rulewright.model.erratum import Erratum
from rulewright.source.amounts import counted
from rulewright.source.problems import Problem, kind, shown
from rulewright.source.text import Text

NOT_FOUND = kind(
    "erratum-words-not-found",
    "An erratum quotes words that are not where it says. The nearest are named; quote what stands there.",
)
AMBIGUOUS = kind(
    "erratum-ambiguous",
    "An erratum quotes words that stand in several places. Quote more of them, or say `which: 2`.",
)
CONFLICT = kind(
    "errata-conflict",
    "Two errata change the same words. Quote what they are since the first, or withdraw one of the two.",
)


class Spot(NamedTuple):
    """Where quoted words stand in a text as it is amended so far."""

    text: Text
    start: int
    end: int


def settle(
    erratum: Erratum, quote: Text, what: Quotable, now: Sequence[Text], hint: bool = True
) -> Spot | Problem:
    """Find the one place of quoted words in texts as amended `now`, or why not; `hint`: say what is near."""
    spots = [Spot(text, *place) for text in now for place in places(quote, text)]
    if not spots:
        return _not_found(erratum, quote, what, now, hint)
    which = erratum.which
    if which:
        if (at := counted(which, len(spots))) is None:
            times = "once" if len(spots) == 1 else f"{len(spots)} times"
            message = f"{what.name} says {_quoted(quote)} {times}, so which cannot be {shown(which)}"
            return AMBIGUOUS.at(which.place, message, str(erratum.number))
        spots = [spots[at - 1]]
    if len(spots) > 1:
        message = (
            f"{what.name} says {_quoted(quote)} {len(spots)} times; quote more of it, or say which: 1 to "
        )
        return AMBIGUOUS.at(quote.place, f"{message}{len(spots)}", str(erratum.number))
    spot = spots[0]
    for other in _changed_by(spot):
        if other.date == erratum.date:
            return _conflict(erratum, other, quote, "; make one erratum of the two")
    return spot


def _changed_by(spot: Spot) -> Iterator[Erratum]:
    """The errata that have changed something of these words, or between them."""
    at = 0
    for one in runs_of(spot.text):
        length = 0 if one.sign == GONE else len(one.words)
        inside = at < spot.end and spot.start < at + length
        between = one.sign == GONE and spot.start < at < spot.end
        if one.erratum and ((one.sign == COME and inside) or between):
            yield one.erratum
        at += length


def _not_found(erratum: Erratum, quote: Text, what: Quotable, now: Sequence[Text], hint: bool) -> Problem:
    for text in now:
        for start, end in places(quote, text.printed):
            for other in _taken(text, start, end):
                since = "".join(
                    one.words for one in runs_of(text) if one.erratum is other and one.sign == COME
                )
                then = f"; since then they are {_quoted(since)}" if since else ""
                return _conflict(erratum, other, quote, then)
    message = f"{what.name} does not say {_quoted(quote)}"
    if hint and (near := nearest(quote, now)):
        text, offset, words = near
        message += f"; nearest is {_quoted(words)} in {text.place_of(offset)}"
    return NOT_FOUND.at(quote.place, message, str(erratum.number))


def _taken(text: Text, start: int, end: int) -> Iterator[Erratum]:
    """The errata that changed words between two places of what was printed."""
    at = 0
    for one in runs_of(text):
        length = 0 if one.sign == COME else len(one.words)
        went = one.sign == GONE and at < end and start < at + length
        if one.erratum and (went or (one.sign == COME and start < at < end)):
            yield one.erratum
        at += length


def _conflict(erratum: Erratum, other: Erratum, quote: Text, then: str) -> Problem:
    message = f"{other} of {other.date} changes {_quoted(quote)} as well{then}"
    return CONFLICT.at(quote.place, message, str(erratum.number))


def _quoted(words: str) -> str:
    return f"“{shown(words, 60)}”"
