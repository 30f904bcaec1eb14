"""Problems of the references in a text: faults, misspelt numbers, invisible characters and retired rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.files.invisible_characters import UNSEEN, first_invisible, invisible_character_message
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, problem_type, quote_short
from rulewright.references.reference_resolver import MISWRITTEN
from rulewright.references.reference_types import FaultyReference, Reference, RuleReference
from rulewright.schema.step import YES

TO_RETIRED = problem_type(
    "reference-to-retired",
    "A reference leads to a retired rule. The message names the rules that replaced it.",
    Severity.WARNING,
)


def reference_problems(resolved: Iterable[Reference], text: LocatedText, page: str = "") -> Iterator[Problem]:
    """Yield the problems of the references in a text, without those to retired rules.

    `page`: the name of a content page, which is the subject of faults without a number.
    """
    for reference in resolved:
        about, (start, end) = reference.about(text), reference.span
        if isinstance(reference, FaultyReference):
            subject = page if page and not reference.match.number else about
            place = text.location_of(reference.match.start)
            yield reference.fault.problem(place, reference.message, subject)
        elif isinstance(reference, RuleReference) and reference.match.miswritten:
            place = text.location_of(reference.match.start)
            yield MISWRITTEN.problem(place, reference.miswritten(text), about)
        if not text.isascii() and (invisible := first_invisible(words := text[start:end])):
            message = invisible_character_message(invisible[1], words)
            yield UNSEEN.problem(text.location_of(start + invisible[0]), message, about)


def retired_problems(resolved: Iterable[Reference], text: LocatedText) -> Iterator[Problem]:
    """Yield a problem for each reference to a retired rule."""
    for reference in resolved:
        if not isinstance(reference, RuleReference) or not (retirement := reference.target.retired):
            continue
        message = f"{reference.target.display_number} is retired"
        if retirement.replaced_by:
            message += f"; {', '.join(retirement.replaced_by)} replaced it"
        elif retirement.retired and retirement.retired != YES:
            message += f": {quote_short(retirement.retired)}"
        place = text.location_of(reference.match.start)
        yield TO_RETIRED.problem(place, message, reference.target.key)
