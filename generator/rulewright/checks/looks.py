"""Checks of how a book wants its pages to look: its colours can be read, its files are there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from rulewright.book.library import Edition
from rulewright.book.looks import COVERS, FONTS, INKED, LOGOS, book_paper, file_of
from rulewright.book.presswork import INK, presswork
from rulewright.book.sheet import PAPER_UNKNOWN
from rulewright.checks.aids import NO_PROFILE, PROFILES
from rulewright.checks.shades import malformed, too_light
from rulewright.citations.shelf import Shelf
from rulewright.source.problems import Problem, Severity, kind, nearest, shown
from rulewright.source.text import Text

TOO_LIGHT = kind(
    "accent-too-light",
    "A book's accent could not be read on white. Words have the darker shade that is named.",
    Severity.NOTE,
)
NO_LOGO = kind(
    "logo-not-found", "A book's logo is not there, beside rulebook.yml, or is no picture.", Severity.WARNING
)
NO_COVER = kind(
    "cover-not-found",
    "The picture for a rulebook's cover is not there, beside rulebook.yml, or is no picture.",
    Severity.WARNING,
)
NO_FONT = kind(
    "font-not-found",
    "A book's font is not there, beside rulebook.yml, or is none that browsers read.",
    Severity.WARNING,
)


def looks(shelf: Shelf) -> Iterator[Problem]:
    """Colours that are none or too light, and files that are not there."""
    for edition in shelf.of_each_book:
        look = edition.book.look
        if look is None:
            continue
        for name, said in (("colour", look.colour), ("accent", look.accent)):
            yield from malformed(said, name) if said else ()
        if look.accent and (message := too_light(look.accent)):
            yield TOO_LIGHT.at(look.accent.place, message, "accent")
        own = look.book
        if own and own.paper and book_paper(own) is None:
            message = f"no paper for a book: {shown(own.paper)}; write letter, a4, or two lengths: 8 x 10 in"
            yield PAPER_UNKNOWN.at(own.paper.place, message, own.paper)
        files = [(look.logo, NO_LOGO, LOGOS), (look.font, NO_FONT, tuple(FONTS))]
        if own:
            yield from presswork(own)[1]
            for ink in (ink for ink in own.inks if ink not in INKED):
                message = f"{shown(ink)} is no part of a book that has an ink; write {' or '.join(INKED)}"
                yield INK.at(ink.place, message, ink)
            files += [(own.cover, NO_COVER, COVERS), (own.profile, NO_PROFILE, PROFILES)]
        for said, kind_, ends in files:
            if said and (message := _missing(said, ends, edition)):
                yield kind_.at(said.place, message, said)


def _missing(said: Text, ends: Sequence[str], edition: Edition) -> str:
    path = file_of(said)
    if not path.lower().endswith(tuple(ends)):
        return f"{shown(said)} does not end in {', '.join(ends)}"
    if path not in edition.shared:
        home = posixpath.dirname(said.file.name)
        near = nearest(path, sorted(name for name in edition.shared if name.lower().endswith(tuple(ends))))
        meant = f"; did you mean {posixpath.relpath(near, home)}?" if near else f"; put it in {home}/"
        return f"there is no {shown(path, 80)}{meant}"
    return ""
