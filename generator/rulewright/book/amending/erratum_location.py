"""Locate the words that an erratum quotes, and detect errata that change the same words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.book.amending.quotable_texts import QuotableTexts
from rulewright.book.amending.quote_search import find_quote, nearest_quote
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.files.safe_integers import parse_count
from rulewright.schema.amended_text import INSERTED, amended_runs
from rulewright.schema.erratum import Erratum

NOT_FOUND = problem_type(
    "erratum-words-not-found",
    "An erratum quotes words that its target does not have. Quote the text exactly; the message suggests "
    "the most similar words.",
)
AMBIGUOUS = problem_type(
    "erratum-ambiguous",
    "An erratum quotes words that occur several times. Quote more of them, or add `which: 2`.",
)
CONFLICT = problem_type(
    "errata-conflict",
    "Two errata change the same words. Quote what they are since the first, or withdraw one of the two.",
)


class QuoteLocation(NamedTuple):
    """Location of quoted words in a text as amended so far."""

    text: LocatedText
    start: int
    end: int


def locate_quote(
    erratum: Erratum,
    quote: LocatedText,
    quotable: QuotableTexts,
    texts: Sequence[LocatedText],
    hint: bool = True,
) -> QuoteLocation | Problem:
    """Return the only location of a quotation in the amended `texts`, or the problem.

    `hint`: the problem suggests the most similar words.
    """
    locations = [QuoteLocation(text, *place) for text in texts for place in find_quote(quote, text)]
    count = len(locations)
    if not count:
        return _not_found_problem(erratum, quote, quotable, texts, hint)
    subject = str(erratum.number)
    if which := erratum.which:
        if (occurrence := parse_count(which, count)) is None:
            message = f"which cannot be {quote_short(which)}; write a number up to {count}"
            return AMBIGUOUS.problem(which.place, message, subject)
        location = locations[occurrence - 1]
    elif count > 1:
        message = f"{quotable.name} says {_quoted(quote)} {count} times; quote more of it, or say which: 1"
        return AMBIGUOUS.problem(quote.place, f"{message} to {count}", subject)
    else:
        location = locations[0]
    return location


def _errata_between(text: LocatedText, start: int, end: int) -> Iterator[Erratum]:
    """Yield the errata that changed the words between two offsets of the printed text."""
    offset = 0
    for run in amended_runs(text):
        if run.change == INSERTED:
            is_between = start < offset < end
        else:
            is_between = offset < end and start < offset + len(run.words)
            offset += len(run.words)
        if run.erratum and is_between:
            yield run.erratum


def _not_found_problem(
    erratum: Erratum, quote: LocatedText, quotable: QuotableTexts, texts: Sequence[LocatedText], hint: bool
) -> Problem:
    for text in texts:
        for start, end in find_quote(quote, text.printed):
            for other in _errata_between(text, start, end):
                message = f"{other} of {other.date} changes {_quoted(quote)} as well; quote its words"
                return CONFLICT.problem(quote.place, message, str(erratum.number))
    message = f"{quotable.name} does not say {_quoted(quote)}"
    if hint and (nearest := nearest_quote(quote, texts)):
        text, offset, words = nearest
        message += f"; nearest is {_quoted(words)} in {text.location_of(offset)}"
    return NOT_FOUND.problem(quote.place, message, str(erratum.number))


def _quoted(words: str) -> str:
    return f"“{quote_short(words, 60)}”"
