"""Problems that an editor knows of and that are right as they are: data, with a reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from rulewright.book.library import BookLibrary, Edition
from rulewright.checks.check_registry import all_problem_types
from rulewright.model.rulebook import Suppression
from rulewright.source.problems import KINDS, Problem, Severity, nearest_option, problem_type, quote_short

UNUSED = problem_type(
    "excuse-unused",
    "An excuse in edition.yml excuses nothing: what it was for is mended, or its `at:` names something else.",
    Severity.WARNING,
)
NO_CODE = problem_type("excuse-of-nothing", "An excuse in edition.yml names a code that no problem has.")


def apply_suppressions(
    problems: Iterable[Problem], library: BookLibrary
) -> tuple[list[Problem], list[tuple[Problem, Suppression]]]:
    """The problems without the excused ones, and those with their excuses.

    An excuse holds in its own edition, for the code and the thing that it names. One that excuses
    nothing is a problem itself.
    """
    kept: list[Problem] = []
    excused: list[tuple[Problem, Suppression]] = []
    excuses: dict[str, dict[tuple[str, str], Suppression]] = {  # of two with one aim the first
        edition.address: {(one.code, one.at): one for one in reversed(edition.edition_file.excused)}
        for edition in library.editions.values()
    }
    left: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for problem in problems:
        edition = library.edition_of(problem.place.file)
        found = excuses[edition.address].get((problem.code, problem.subject)) if edition else None
        if found:
            excused.append((problem, found))
        else:
            kept.append(problem)
            left[edition.address if edition else "", problem.code].append(problem.subject)
    used = {one for _, one in excused}
    kept += [problem for edition in library.editions.values() for problem in _idle(edition, used, left)]
    return kept, sorted(excused, key=lambda pair: pair[0])


def _idle(
    edition: Edition, used: set[Suppression], left: Mapping[tuple[str, str], list[str]]
) -> Iterator[Problem]:
    """Unused excuses. `left`: subjects of the problems without an excuse, by edition and code."""
    for one in edition.edition_file.excused:
        if one.code not in KINDS and one.code not in all_problem_types():
            yield one.code.unknown_name_problem(
                NO_CODE, f"no problem has the code {quote_short(one.code)}", KINDS, one.code
            )
        elif one not in used:
            near = nearest_option(one.at, left.get((edition.address, one.code), ()))
            mend = f"did you mean {quote_short(near)}?" if near else "delete the excuse"
            yield UNUSED.problem(
                one.at.place, f"there is no {one.code} at {quote_short(one.at)}; {mend}", one.at
            )
