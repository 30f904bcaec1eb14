"""Suppress follow-up errors, so that only their cause is reported.

All other problems are reported at once: a file that cannot be read hides no independent problem.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from rulewright.book.library import UNMARKED, BookLibrary, Edition
from rulewright.book.series_inheritance import NO_SERIES
from rulewright.checks.aid_checks import MANY_STEPS
from rulewright.checks.number_checks import DISORDER, GAP, MALFORMED, OUTSIDE, WRONG
from rulewright.checks.reference_checks import NO_EDITION
from rulewright.checks.step_checks import NO_REPEAT
from rulewright.checks.suppressions import UNUSED
from rulewright.checks.table_checks import NO_TABLE
from rulewright.document.blocks.block_content import EMPTY, NO_STEP
from rulewright.files.content_folder import CONTENT
from rulewright.files.content_reader import LINK, TOO_LARGE, UNREADABLE
from rulewright.files.located_text import CONTROL, NOT_UTF8
from rulewright.files.problems import Problem, ProblemType, problem_type
from rulewright.files.yaml_tree import EMPTY as EMPTY_FILE
from rulewright.references.reference_resolver import BOOK_NOT_FOUND, NOT_FOUND, UNCLEAR
from rulewright.references.reference_resolver import UNREADABLE as UNREADABLE_NUMBER
from rulewright.sequence.turn_difference_checks import NOT_FOUND as NO_BASE_STEP

NO_CHAPTERS = problem_type(
    "no-chapters",
    "An edition has references, and neither chapters, each a file in its `rules/`, nor a list of numbers.",
)

_OF_NUMBERS = (MALFORMED, DISORDER, GAP, OUTSIDE, NOT_FOUND, UNREADABLE_NUMBER, UNCLEAR)
"""Problem types that a wrong numbering scheme causes."""

_RULES = re.compile(rf"{CONTENT}/([^/]+/[^/]+)(?:/known\.yml|/(?:rules|tables)(?:/[^/]+\.yml)?)?")
"""Files and folders that may hold numbers of an edition."""

_LOST = re.compile(rf"{CONTENT}/([^/]+/[^/]+)/(?:[^/]+/.*|known\.y.*|known\.Y.*)")
"""Files that may hold numbers but are not read: in an unknown folder, or with a wrong ending."""

_PARTS = re.compile(rf"{CONTENT}/[^/]+/[^/]+/(?:sequence\.yml|rules.*|tables.*)")
"""Files and folders without which a player aid may have nothing to show."""


def drop_follow_up_errors(problems: Iterable[Problem], library: BookLibrary) -> list[Problem]:
    """Return the problems without those caused by an error of reading in the library."""
    problems = list(problems)
    unreliable = _UnreliableParts(
        library, {p.place.file.split("/")[1] for p in problems if _has_type(p, WRONG)}
    )
    read = set(library.problems)
    left = [problem for problem in problems if problem in read or not unreliable.explain(problem)]
    return list(_merge_missing_chapters(left, library))


def _merge_missing_chapters(problems: Iterable[Problem], library: BookLibrary) -> Iterator[Problem]:
    """Replace all unresolved references of an edition without chapters by a single problem."""
    reported: set[str] = set()
    for problem in problems:
        edition = library.edition_of(problem.place.file) if _has_type(problem, NOT_FOUND) else None
        if edition is None or edition.base or ":" in problem.subject or _has_chapters(edition, library):
            yield problem
        elif edition.address not in reported:
            reported.add(edition.address)
            name = edition.edition_file.edition.file.name
            example = f"{CONTENT}/{edition.address}/rules/1-….yml"
            message = f"this edition has no chapters, so no reference of it leads anywhere; write {example}"
            yield NO_CHAPTERS.problem(edition.edition_file.edition.place, message, name)


def _has_chapters(edition: Edition, library: BookLibrary) -> bool:
    """Return whether an edition has chapters or listed numbers, or unreadable files of them."""
    folder = f"{CONTENT}/{edition.address}/"
    faulty = (name.removeprefix(folder) for name in library.faulty if name.startswith(folder))
    return bool(edition.chapters or edition.known) or any(
        name == "known.yml" or name.startswith("rules/") for name in faulty
    )


class _UnreliableParts:
    """Parts of a library that are unreliable because their files have errors."""

    def __init__(self, library: BookLibrary, misread: Collection[str] = ()) -> None:
        self.library = library
        self.misread = misread
        self.faulty = library.faulty
        self.books = {name.split("/")[1] for name in self.faulty if name.endswith("/rulebook.yml")}
        of_books = [n for n in self.faulty if not n.endswith(".md")]
        self.editions = {"/".join(name.split("/")[1:3]) for name in of_books}
        self.without_parts = {"/".join(n.split("/")[1:3]) for n in self.faulty if _PARTS.fullmatch(n)}
        self.lacks_books = any(
            "/" in address and address not in library.editions for address in self.editions
        )
        closed = [p for p in library.problems if _has_type(p, TOO_LARGE, LINK, UNREADABLE, EMPTY_FILE)]
        self.without_numbers = {m[1] for p in closed if (m := _RULES.fullmatch(p.place.file))}
        unmarked = (p for p in library.problems if _has_type(p, UNMARKED))
        lost = {m[1] for p in unmarked if (m := _LOST.fullmatch(p.place.file))}
        self.without_numbers |= lost
        self.without_parts |= lost
        files = {a: e.edition_file.edition.file for a, e in library.editions.items() if a in self.editions}
        # The words of edition.yml, whether it can be read or not.
        self.suppressed_words = {
            a: frozenset(re.split(r"[\s\"',{}]+", file.text)) for a, file in files.items()
        }

    def explain(self, problem: Problem) -> bool:
        """Return whether a problem is caused by an error of reading."""
        file = problem.place.file
        edition = self.library.edition_of(file)
        address = edition.address if edition else ""
        editions = [*edition.with_series] if edition else []
        if _has_type(problem, NOT_UTF8, CONTROL):
            return False
        if file.split("/")[1] in self.books:
            return True
        if file.split("/")[1] in self.misread and _has_type(problem, *_OF_NUMBERS):
            return True
        if _has_type(problem, BOOK_NOT_FOUND, NO_EDITION, NO_SERIES):
            return self.lacks_books
        if _has_type(problem, UNUSED):
            return address in self.editions
        if _has_type(problem, NO_REPEAT):
            return file in self.faulty
        if _has_type(problem, NO_STEP, MANY_STEPS, NO_TABLE, EMPTY):
            return any(edition.address in self.without_parts for edition in editions)
        if _has_type(problem, NO_BASE_STEP):  # of the series, in the sequence of play of a game
            return any(edition.address in self.without_parts for edition in editions[1:])
        if _has_type(problem, NOT_FOUND, GAP):
            marked_edition = self.library.find_edition(problem.subject.rpartition(":")[0])
            if marked_edition:
                editions = [marked_edition]
            if any(edition.address in self.without_numbers for edition in editions):
                return True
        if f"{CONTENT}/{address}/edition.yml" in self.faulty:
            # It may well be excused there.
            return {problem.code, problem.subject} <= self.suppressed_words[address]
        return False


def _has_type(problem: Problem, *kinds: ProblemType) -> bool:
    return any(problem.code == kind.code for kind in kinds)
