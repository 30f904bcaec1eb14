"""Suppress problems that an editor has accepted with a reason."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from rulewright.book.library import Edition
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
    library = project.library
    remaining: list[Problem] = []
    suppressed: list[tuple[Problem, Suppression]] = []
    suppressions: dict[tuple[str, str, str], Suppression] = {}
    words: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for address, edition in library.editions.items():
        for suppression in edition.edition_file.excused:
            suppressions.setdefault((address, suppression.code, suppression.at), suppression)
        if f"{CONTENT}/{address}/edition.yml" in library.faulty:
            text = edition.edition_file.edition.file.text
            words[address] = frozenset(re.split(r"[\s\"',{}]+", text))
    read = set(library.problems)
    subjects: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for problem in problems:
        edition_of_problem = library.edition_of(problem.place.file)
        address = edition_of_problem.address if edition_of_problem else ""
        if match := suppressions.get((address, problem.code, problem.subject)):
            suppressed.append((problem, match))
        elif problem in read or not {problem.code, problem.subject} <= words[address]:
            remaining.append(problem)
            subjects[address, problem.code].append(problem.subject)
    used = {suppression for _, suppression in suppressed}
    for address, edition in library.editions.items():
        if address not in project.unreadable.editions and not project.unreadable.hides(
            f"{CONTENT}/{address}/"
        ):
            remaining += _check_unused(edition, used, subjects)
    return remaining, sorted(suppressed, key=lambda pair: pair[0])


def _check_unused(
    edition: Edition, used: set[Suppression], left: Mapping[tuple[str, str], list[str]]
) -> Iterator[Problem]:
    """Report unused suppressions; `remaining` are subjects of problems by edition and code."""
    for suppression in edition.edition_file.excused:
        if suppression.code not in KINDS and suppression.code not in all_problem_types():
            yield suppression.code.unknown_name_problem(
                NO_CODE, f"no problem has the code {quote_short(suppression.code)}", KINDS, suppression.code
            )
        elif suppression not in used:
            nearest = nearest_option(suppression.at, left.get((edition.address, suppression.code), ()))
            cure = f"did you mean {quote_short(nearest)}?" if nearest else "delete the excuse"
            yield UNUSED.problem(
                suppression.at,
                f"there is no {suppression.code} at {quote_short(suppression.at)}; {cure}",
                suppression.at,
            )
