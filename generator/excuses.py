"""Problems that an editor knows of and that are right as they are: data, with a reason."""

from __future__ import annotations

from collections.abc import Iterable

from generator.library import Library
from generator.model import Excuse
from generator.problems import KINDS, Problem, Severity, did_you_mean, kind

UNUSED = kind(
    "excuse-unused", "An excuse in edition.yml excuses nothing: what it was for is mended. Delete it.", Severity.WARNING
)
NO_CODE = kind("excuse-of-nothing", "An excuse in edition.yml names a code that no problem has.")


def excuse(problems: Iterable[Problem], library: Library) -> tuple[list[Problem], list[tuple[Problem, Excuse]]]:
    """The problems without the excused ones, and those with their excuses.

    An excuse holds in its own edition, for the code and the thing that it names. One that excuses
    nothing is a problem itself.
    """
    kept: list[Problem] = []
    excused: list[tuple[Problem, Excuse]] = []
    used: set[int] = set()
    for problem in problems:
        for found in _excuses_for(problem, library):
            excused.append((problem, found))
            used.add(id(found))
            break
        else:
            kept.append(problem)
    for edition in library.editions.values():
        for one in edition.file.excused:
            if one.code not in KINDS:
                message = f"no problem has the code {one.code}{did_you_mean(one.code, KINDS)}"
                kept.append(NO_CODE.at(one.code.place, message, one.code))
            elif id(one) not in used:
                message = f"there is no {one.code} at {one.at} any more; delete the excuse"
                kept.append(UNUSED.at(one.code.place, message, one.at))
    return kept, excused


def _excuses_for(problem: Problem, library: Library) -> list[Excuse]:
    edition = library.edition_of(problem.place.file)
    excuses = edition.file.excused if edition else ()
    return [one for one in excuses if one.code == problem.code and one.at == problem.about]
