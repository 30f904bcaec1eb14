"""Problems of the references in a text: faults, misspelt numbers, invisible characters and retired rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.files.invisible_characters import UNSEEN, first_invisible, invisible_character_message
from rulewright.files.problems import Problem, Severity, SourceLocation, problem_type, quote_short
from rulewright.references.reference_resolver import MISWRITTEN
from rulewright.references.reference_types import FaultyReference, Reference, RuleReference
from rulewright.schema.step import YES

TO_RETIRED = problem_type(
    "reference-to-retired",
    "A reference leads to a retired rule. The message names the rules that replaced it.",
    Severity.WARNING,
)

Locate = Callable[[int], SourceLocation]
"""Returns the location of an offset in a text."""


def reference_problems(
    resolved: Iterable[Reference], text: str, locate: Locate, page: str = ""
) -> Iterator[Problem]:
    """Yield the problems of the references in a text, without those to retired rules.

    `page`: the name of a content page, which is the subject of faults without a number.
    """
    for reference in resolved:
        about = reference.about(text)  # locations are found for problems only, since that takes long
        if isinstance(reference, FaultyReference):
            subject = page if page and not reference.match.number else about
            yield reference.fault.problem(locate(reference.match.start), reference.message, subject)
        elif isinstance(reference, RuleReference) and reference.match.miswritten:
            message = reference.miswritten(text)
            yield MISWRITTEN.problem(locate(reference.match.start), message, about)
        start, end = reference.span
        if not text.isascii() and (invisible := first_invisible(words := text[start:end])):
            message = invisible_character_message(invisible[1], words)
            yield UNSEEN.problem(locate(start + invisible[0]), message, about)


def retired_problems(resolved: Iterable[Reference], locate: Locate) -> Iterator[Problem]:
    """Yield a problem for each reference to a retired rule."""
    for reference in resolved:
        if isinstance(reference, RuleReference) and (retirement := reference.target.retired):
            instead = (
                f": {quote_short(retirement.retired)}"
                if retirement.retired and retirement.retired != YES
                else ""
            )
            if retirement.replaced_by:
                instead = f"; {', '.join(retirement.replaced_by)} replaced it"
            message = f"{reference.target.display_number} is retired{instead}"
            yield TO_RETIRED.problem(locate(reference.match.start), message, reference.target.key)
