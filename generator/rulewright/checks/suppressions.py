"""Suppress problems that an editor has accepted with a reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.book.library import BookLibrary, Edition
from rulewright.checks.check_registry import all_problem_types
from rulewright.checks.check_visitor import LoadedProject
from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import KINDS, Problem, Severity, nearest_option, problem_type, quote_short
from rulewright.schema.rulebook import Suppression

UNUSED = problem_type(
    "excuse-unused",
    "An excuse in edition.yml excuses nothing: its cause is corrected, or its `at:` names something else.",
    Severity.WARNING,
)
NO_CODE = problem_type("excuse-of-nothing", "An excuse in edition.yml names a code that no problem has.")


def apply_suppressions(
    problems: Iterable[Problem], project: LoadedProject
) -> tuple[list[Problem], list[tuple[Problem, Suppression]]]:
    """Return the remaining problems, and the suppressed ones with their suppressions.

    A suppression is valid in its edition, for its code and subject. Unused suppressions are problems. If an
    edition.yml cannot be read, each of its words may be part of a suppression.
    """
    library, read = project.library, set(project.library.problems)
    suppressions: dict[tuple[str, str, str], Suppression] = {
        (edition.address, suppression.code, suppression.at): suppression
        for edition in library.editions.values()
        for suppression in reversed(edition.edition_file.excused)
    }
    words = {
        address: {*re.split(r"[\s\"',{}]+", edition.edition_file.edition.file.text)}
        for address, edition in library.editions.items()
        if f"{CONTENT}/{address}/edition.yml" in library.faulty
    }
    remaining: list[Problem] = []
    suppressed: list[tuple[Problem, Suppression]] = []
    for problem in problems:
        edition = library.edition_of(problem.place.file)
        address = edition.address if edition else ""
        if match := suppressions.get((address, problem.code, problem.subject)):
            suppressed.append((problem, match))
        elif problem in read or not {problem.code, problem.subject} <= words.get(address, set()):
            remaining.append(problem)
    used = {suppression for _, suppression in suppressed}
    for address, edition in library.editions.items():
        is_readable = address not in project.unreadable.editions
        if is_readable and not project.unreadable.hides(f"{CONTENT}/{address}/"):
            remaining += [*_check_unused(edition, used, remaining, library)]
    return remaining, sorted(suppressed, key=lambda pair: pair[0])


def _check_unused(
    edition: Edition, used: set[Suppression], left: Sequence[Problem], library: BookLibrary
) -> Iterator[Problem]:
    """Report unused suppressions; `left` are the remaining problems."""
    for suppression in edition.edition_file.excused:
        if suppression.code not in KINDS and suppression.code not in all_problem_types():
            yield suppression.code.unknown_name_problem(
                NO_CODE, f"no problem has the code {quote_short(suppression.code)}", KINDS, suppression.code
            )
        elif suppression not in used:
            problems = (problem for problem in left if problem.code == suppression.code)
            subjects = [p.subject for p in problems if library.edition_of(p.place.file) is edition]
            nearest = nearest_option(suppression.at, subjects)
            cure = f"did you mean {quote_short(nearest)}?" if nearest else "delete the excuse"
            yield UNUSED.problem(
                suppression.at,
                f"there is no {suppression.code} at {quote_short(suppression.at)}; {cure}",
                suppression.at,
            )
