"""Checks of how a book wants its pages to look: its colours can be read, its files are there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from rulewright.book.aid_plan import PAPER_UNKNOWN
from rulewright.book.library import Edition
from rulewright.book.print_requirements import INK, read_print_requirements
from rulewright.book.resolved_branding import COVERS, FONTS, INKED, LOGOS, book_paper, file_of
from rulewright.checks.player_colour_checks import colour_problem, contrast_problem
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, Severity, nearest_option, problem_type, quote_short

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


def check_branding(shelf: ReferenceIndex) -> Iterator[Problem]:
    """Colours that are none or too light, and files that are not there."""
    for edition in shelf.one_edition_per_book:
        look = edition.book.look
        if look is None:
            continue
        for name, text in (("colour", look.colour), ("accent", look.accent)):
            yield from colour_problem(text, name) if text else ()
        if look.accent and (message := contrast_problem(look.accent)):
            yield TOO_LIGHT.problem(look.accent.place, message, "accent")
        own = look.book
        if own and own.paper and book_paper(own) is None:
            message = (
                f"no paper for a book: {quote_short(own.paper)}; write letter, a4, or two lengths: 8 x 10 in"
            )
            yield PAPER_UNKNOWN.problem(own.paper.place, message, own.paper)
        files = [(look.logo, NO_LOGO, LOGOS), (look.font, NO_FONT, tuple(FONTS))]
        if own:
            yield from read_print_requirements(own)[1]
            for ink in (ink for ink in own.inks if ink not in INKED):
                message = (
                    f"{quote_short(ink)} is no part of a book that has an ink; write {' or '.join(INKED)}"
                )
                yield INK.problem(ink.place, message, ink)
            files.append((own.cover, NO_COVER, COVERS))
        for text, kind_, ends in files:
            if text and (message := _missing(text, ends, edition)):
                yield kind_.problem(text.place, message, text)


def _missing(said: LocatedText, ends: Sequence[str], edition: Edition) -> str:
    path = file_of(said)
    if not path.lower().endswith(tuple(ends)):
        return f"{quote_short(said)} does not end in {', '.join(ends)}"
    if path not in edition.shared:
        home = posixpath.dirname(said.file.name)
        near = nearest_option(
            path, sorted(name for name in edition.shared if name.lower().endswith(tuple(ends)))
        )
        meant = f"; did you mean {posixpath.relpath(near, home)}?" if near else f"; put it in {home}/"
        return f"there is no {quote_short(path, 80)}{meant}"
    return ""
