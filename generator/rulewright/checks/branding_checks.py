"""Checks of the branding of a book: its files exist, and its paper and inks are valid."""

from __future__ import annotations

from rulewright.book.aid_plan import PAPER_UNKNOWN
from rulewright.book.print_requirements import INK, read_print_requirements
from rulewright.book.resolved_branding import COVERS, FONTS, INKED, LOGOS, book_paper
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.checks.image_checks import shared_file_fault
from rulewright.files.problems import Severity, problem_type, quote_short
from rulewright.schema.rulebook import Rulebook

NO_LOGO = problem_type(
    "logo-not-found", "A book's logo is not there, beside rulebook.yml, or is no picture.", Severity.WARNING
)
NO_COVER = problem_type(
    "cover-not-found",
    "The picture for a rulebook's cover is not there, beside rulebook.yml, or is no picture.",
    Severity.WARNING,
)
NO_FONT = problem_type(
    "font-not-found",
    "A book's font is not there, beside rulebook.yml, or is none that browsers read.",
    Severity.WARNING,
)


@check(Rulebook, NO_LOGO, NO_COVER, NO_FONT, PAPER_UNKNOWN)
def check_branding(book: Rulebook, scope: Scope) -> Problems:
    """Report missing files, and an invalid paper or ink."""
    look = book.look
    if look is None:
        return
    files = [(look.logo, NO_LOGO, LOGOS), (look.font, NO_FONT, tuple(FONTS))]
    if print_branding := look.book:
        paper = print_branding.paper
        if paper and book_paper(print_branding) is None:
            message = f"{quote_short(paper)} is not a paper for a book; write letter, a4, or two lengths: "
            yield PAPER_UNKNOWN.problem(paper, f"{message}8 x 10 in", paper)
        yield from read_print_requirements(print_branding)[1]
        for ink in (ink for ink in print_branding.inks if ink not in INKED):
            cure = f"write {' or '.join(INKED)}"
            yield INK.problem(ink, f"{quote_short(ink)} is no part of a book that has an ink; {cure}", ink)
        files.append((print_branding.cover, NO_COVER, COVERS))
    for file, problem_type_of_file, endings in files:
        if file and (message := shared_file_fault(file, endings, scope.edition)):
            yield problem_type_of_file.problem(file, message, file)
