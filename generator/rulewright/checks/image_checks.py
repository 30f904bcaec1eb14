"""Checks of pictures and symbols: each exists, and pictures are files of the edition."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from rulewright.book import drawing_shapes
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.resolved_branding import file_of
from rulewright.book.table_entries import TableEntry, table_of_file
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.content_folder import CONTENT
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import (
    ProblemType,
    did_you_mean,
    nearest_option,
    problem_type,
    quote_short,
)
from rulewright.schema.figure_placement import NO_SIDE, NO_SIDE_MESSAGE
from rulewright.schema.inline_images import inline_images, sibling_name

NOT_FOUND = problem_type("figure-not-found", "A figure's file is not there, beside the file that names it.")
FORMAT = problem_type(
    "figure-not-a-picture",
    "A figure's file is none that browsers and printers show: png, jpg, gif, webp, svg.",
)
WORDLESS = problem_type(
    "picture-without-words",
    "A picture in a text says nothing to readers who do not see it: write what it shows in its brackets.",
)
LEAVES = problem_type(
    "path-leaves-edition", "A path leads out of the edition's folder, is absolute, or has a backslash."
)

NO_SYMBOL = problem_type(
    "symbol-unknown",
    "A sign such as :die: in a text is none that the book or every book has. Mere words are `\\:so:`.",
)

OURS = (".yml", ".md")
FORMATS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")


@check(RuleEntry, NOT_FOUND, FORMAT, LEAVES)
def check_figures(entry: RuleEntry, scope: Scope) -> Problems:
    """Report figures whose file is missing or outside the edition."""
    for figure in entry.rule.figures if entry.rule else ():
        if fault := image_path_problem(figure.file, figure.file.file.name, scope.edition):
            yield fault[0].problem(figure.file, fault[1])


@check(LocatedText, NO_SYMBOL, WORDLESS, NO_SIDE)
def check_inline_images(text: LocatedText, scope: Scope) -> Problems:
    """Report unknown symbols, and inline pictures without words or a file of the edition."""
    edition = scope.edition
    for image in inline_images(text) if "!" in text or ":" in text else ():
        if image.sign:
            known = dict.fromkeys(drawing_shapes.symbol_names(edition.book))
            if image.sign not in known and not drawing_shapes.inline_symbol(image.sign, edition.book):
                message = f"there is no symbol :{image.sign}:{did_you_mean(image.sign, known)}"
                yield NO_SYMBOL.problem(text.location_of(image.start), message)
            continue
        if not image.words:
            message = f"say what it shows, as in ![A depot]({quote_short(image.file)})"
            yield WORDLESS.problem(text.location_of(image.start), message)
        file_offset = text.index(f"]({image.file}", image.start)
        if image.invalid_side:
            offset = text.index(f"{image.invalid_side}=", file_offset)
            yield NO_SIDE.problem(
                text.location_of(offset), f"this {NO_SIDE_MESSAGE.format(image.invalid_side)}"
            )
        if image.is_table:
            name = sibling_name(text.file.name, image.file)
            fault = _table_problem(scope.references.tables, name, image.file)
        else:
            fault = image_path_problem(image.file, text.file.name, edition)
        if fault:
            yield fault[0].problem(text.location_of(file_offset + 2), fault[1])


def _table_problem(tables: Iterable[TableEntry], name: str, file: str) -> tuple[ProblemType, str] | None:
    if table_of_file(tables, name):
        return None
    files = (posixpath.basename(table.table.title.file.name) for table in tables)
    suggestion = did_you_mean(posixpath.basename(name), files)
    return NOT_FOUND, f"there is no table {quote_short(file, 80)}{suggestion}"


def image_path_problem(file: str, named_by: str, edition: Edition) -> tuple[ProblemType, str] | None:
    """Return the problem type and message for the path of a picture that a file names."""
    home = f"{CONTENT}/{edition.address}/"
    folder = posixpath.dirname(named_by)
    path = posixpath.normpath(posixpath.join(folder, file))
    if "\\" in file:
        return LEAVES, f"{quote_short(file)} has a backslash; write / between folders"
    if not path.startswith(home) or "://" in file:
        return LEAVES, f"{quote_short(file)} leads out of {home}; put the picture inside"
    pictures = [name for name in sorted(edition.files) if not name.endswith(OURS)]
    if path not in pictures:
        nearest = nearest_option(path, pictures)
        suggestion = f"; did you mean {posixpath.relpath(nearest, folder)}?" if nearest else ""
        return NOT_FOUND, f"there is no picture {quote_short(path, 80)}{suggestion}"
    if not path.lower().endswith(FORMATS):
        return FORMAT, f"{quote_short(file)} is no picture; it may be {', '.join(FORMATS)}"
    return None


def shared_file_fault(file_text: LocatedText, endings: Sequence[str], edition: Edition) -> str:
    """Return what is wrong with a file beside rulebook.yml; empty if it is there."""
    path, home = file_of(file_text), posixpath.dirname(file_text.file.name)
    if not path.lower().endswith(tuple(endings)):
        return f"{quote_short(file_text)} does not end in {', '.join(endings)}"
    if path not in edition.shared:
        files = sorted(name for name in edition.shared if name.lower().endswith(tuple(endings)))
        nearest = nearest_option(path, files)
        hint = f"; did you mean {posixpath.relpath(nearest, home)}?" if nearest else f"; put it in {home}/"
        return f"there is no {quote_short(path, 80)}{hint}"
    return ""
