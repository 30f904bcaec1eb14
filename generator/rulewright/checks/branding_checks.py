"""Checks of the branding of a book: its colours are valid, and its files exist."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from rulewright.book.aid_plan import PAPER_UNKNOWN
from rulewright.book.library import Edition
from rulewright.book.print_requirements import INK, read_print_requirements
from rulewright.book.related_outlines import one_edition_per_book
from rulewright.book.resolved_branding import COVERS, FONTS, INKED, LOGOS, book_paper, file_of
from rulewright.checks.player_colour_checks import colour_problem, contrast_problem
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, nearest_option, problem_type, quote_short
from rulewright.references.reference_index import ReferenceIndex

TOO_LIGHT = problem_type(
    "accent-too-light",
    "A book's accent could not be read on white. Words have the darker shade that is named.",
    Severity.NOTE,
)
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


def check_branding(index: ReferenceIndex) -> Iterator[Problem]:
    """Report invalid or too light colours, and missing files."""
    for edition in one_edition_per_book(index.outlines):
        look = edition.book.look
        if look is None:
            continue
        for name, text in (("colour", look.colour), ("accent", look.accent)):
            yield from colour_problem(text, name) if text else ()
        if look.accent and (message := contrast_problem(look.accent)):
            yield TOO_LIGHT.problem(look.accent.place, message, "accent")
        print_branding = look.book
        if print_branding and print_branding.paper and book_paper(print_branding) is None:
            message = (
                f"{quote_short(print_branding.paper)} is not a paper for a book; write letter, a4, or two "
                f"lengths: 8 x 10 in"
            )
            yield PAPER_UNKNOWN.problem(print_branding.paper.place, message, print_branding.paper)
        files = [(look.logo, NO_LOGO, LOGOS), (look.font, NO_FONT, tuple(FONTS))]
        if print_branding:
            yield from read_print_requirements(print_branding)[1]
            for ink in (ink for ink in print_branding.inks if ink not in INKED):
                message = (
                    f"{quote_short(ink)} is no part of a book that has an ink; write {' or '.join(INKED)}"
                )
                yield INK.problem(ink.place, message, ink)
            files.append((print_branding.cover, NO_COVER, COVERS))
        for text, kind_, ends in files:
            if text and (message := _file_problem(text, ends, edition)):
                yield kind_.problem(text.place, message, text)


def _file_problem(file_text: LocatedText, ends: Sequence[str], edition: Edition) -> str:
    path = file_of(file_text)
    if not path.lower().endswith(tuple(ends)):
        return f"{quote_short(file_text)} does not end in {', '.join(ends)}"
    if path not in edition.shared:
        home = posixpath.dirname(file_text.file.name)
        nearest = nearest_option(
            path, sorted(name for name in edition.shared if name.lower().endswith(tuple(ends)))
        )
        hint = f"; did you mean {posixpath.relpath(nearest, home)}?" if nearest else f"; put it in {home}/"
        return f"there is no {quote_short(path, 80)}{hint}"
    return ""
