"""The one place that an erratum changes: where its words stand, and no other erratum was before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.book.amending.quotable_texts import QuotableTexts
from rulewright.book.amending.quote_search import find_quote, nearest_quote
from rulewright.model.amended_text import COME, GONE, amended_runs
from rulewright.model.erratum import Erratum
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, problem_type, quote_short
from rulewright.source.safe_integers import parse_count

NOT_FOUND = problem_type(
    "erratum-words-not-found",
    "An erratum quotes words that are not where it says. The nearest are named; quote what stands there.",
)
AMBIGUOUS = problem_type(
    "erratum-ambiguous",
    "An erratum quotes words that stand in several places. Quote more of them, or say `which: 2`.",
)
CONFLICT = problem_type(
    "errata-conflict",
    "Two errata change the same words. Quote what they are since the first, or withdraw one of the two.",
)


class QuoteLocation(NamedTuple):
    """Where quoted words stand in a text as it is amended so far."""

    text: LocatedText
    start: int
    end: int


def locate_quote(
    erratum: Erratum, quote: LocatedText, what: QuotableTexts, now: Sequence[LocatedText], hint: bool = True
) -> QuoteLocation | Problem:
    """Find the one place of quoted words in texts as amended `now`, or why not; `hint`: say what is near."""
    spots = [QuoteLocation(text, *place) for text in now for place in find_quote(quote, text)]
    if not spots:
        return _not_found(erratum, quote, what, now, hint)
    which = erratum.which
    if which:
        if (at := parse_count(which, len(spots))) is None:
            times = "once" if len(spots) == 1 else f"{len(spots)} times"
            message = f"{what.name} says {_quoted(quote)} {times}, so which cannot be {quote_short(which)}"
            return AMBIGUOUS.problem(which.place, message, str(erratum.number))
        spots = [spots[at - 1]]
    if len(spots) > 1:
        message = (
            f"{what.name} says {_quoted(quote)} {len(spots)} times; quote more of it, or say which: 1 to "
        )
        return AMBIGUOUS.problem(quote.place, f"{message}{len(spots)}", str(erratum.number))
    spot = spots[0]
    for other in _changed_by(spot):
        if other.date == erratum.date:
            return _conflict(erratum, other, quote, "; make one erratum of the two")
    return spot


def _changed_by(spot: QuoteLocation) -> Iterator[Erratum]:
    """The errata that have changed something of these words, or between them."""
    at = 0
    for run in amended_runs(spot.text):
        length = 0 if run.change == GONE else len(run.words)
        inside = at < spot.end and spot.start < at + length
        between = run.change == GONE and spot.start < at < spot.end
        if run.erratum and ((run.change == COME and inside) or between):
            yield run.erratum
        at += length


def _not_found(
    erratum: Erratum, quote: LocatedText, what: QuotableTexts, now: Sequence[LocatedText], hint: bool
) -> Problem:
    for text in now:
        for start, end in find_quote(quote, text.printed):
            for other in _taken(text, start, end):
                since = "".join(
                    run.words for run in amended_runs(text) if run.erratum is other and run.change == COME
                )
                then = f"; since then they are {_quoted(since)}" if since else ""
                return _conflict(erratum, other, quote, then)
    message = f"{what.name} does not say {_quoted(quote)}"
    if hint and (near := nearest_quote(quote, now)):
        text, offset, words = near
        message += f"; nearest is {_quoted(words)} in {text.location_of(offset)}"
    return NOT_FOUND.problem(quote.place, message, str(erratum.number))


def _taken(text: LocatedText, start: int, end: int) -> Iterator[Erratum]:
    """The errata that changed words between two places of what was printed."""
    at = 0
    for run in amended_runs(text):
        length = 0 if run.change == COME else len(run.words)
        went = run.change == GONE and at < end and start < at + length
        if run.erratum and (went or (run.change == COME and start < at < end)):
            yield run.erratum
        at += length


def _conflict(erratum: Erratum, other: Erratum, quote: LocatedText, then: str) -> Problem:
    message = f"{other} of {other.date} changes {_quoted(quote)} as well{then}"
    return CONFLICT.problem(quote.place, message, str(erratum.number))


def _quoted(words: str) -> str:
    return f"“{quote_short(words, 60)}”"
