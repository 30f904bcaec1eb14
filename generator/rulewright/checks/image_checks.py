"""Checks of pictures and symbols: each exists, and pictures are files of the edition."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from rulewright.book import drawing_shapes
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry, table_of_file
from rulewright.files.content_folder import CONTENT
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import (
    Problem,
    ProblemType,
    did_you_mean,
    nearest_option,
    problem_type,
    quote_short,
)
from rulewright.references.edition_texts import edition_texts
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.aid import Block
from rulewright.schema.diagram_model import DiagramSpec
from rulewright.schema.figure_placement import NO_SIDE, NO_SIDE_MESSAGE
from rulewright.schema.inline_images import InlineImage, inline_images, sibling_name
from rulewright.schema.yaml_fields import walk_parts

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


def check_figures(index: ReferenceIndex) -> Iterator[Problem]:
    """Report figures whose file is missing or outside the edition."""
    for outline in index.outlines.values():
        edition = outline.edition
        for entry in outline.entries.values():
            for figure in entry.rule.figures if entry.rule else ():
                if fault := image_path_problem(figure.file, figure.file.file.name, edition):
                    kind, message = fault
                    yield kind.problem(figure.file.place, message, entry.key)


def check_inline_images(index: ReferenceIndex) -> Iterator[Problem]:
    """Report unknown symbols, and inline pictures without words or a file of the edition."""
    for address, outline in index.outlines.items():
        tables = index.editions[address].tables
        for source, texts, _ in edition_texts(outline, tables, index.editions[address].aid_sheets):
            for text in (text for text, _ in texts if "!" in text or ":" in text):
                if outline.edition.has_written(text):
                    about = source.key if isinstance(source, RuleEntry) else str(source)
                    for image in inline_images(text):
                        if image.sign:
                            yield from _check_symbol(image, text, outline.edition, about)
                        else:
                            yield from _check_picture(image, text, outline.edition, tables, about)


def _check_picture(
    image: InlineImage, text: LocatedText, edition: Edition, tables: Sequence[TableEntry], about: str
) -> Iterator[Problem]:
    if not image.words:
        message = f"say what it shows, as in ![A depot]({quote_short(image.file)})"
        yield WORDLESS.problem(text.location_of(image.start), message, about)
    if image.invalid_side:
        offset = text.index(f"{image.invalid_side}=", text.index(f"]({image.file}", image.start))
        message = f"this {NO_SIDE_MESSAGE.format(image.invalid_side)}"
        yield NO_SIDE.problem(text.location_of(offset), message, about)
    if image.is_table:
        fault = _table_problem(tables, sibling_name(text.file.name, image.file), image.file)
    else:
        fault = image_path_problem(image.file, text.file.name, edition)
    if fault:
        kind, message = fault
        offset = text.index(f"]({image.file}", image.start) + 2
        yield kind.problem(text.location_of(offset), message, about)


def _check_symbol(image: InlineImage, text: LocatedText, edition: Edition, about: str) -> Iterator[Problem]:
    known = dict.fromkeys(drawing_shapes.symbol_names(edition.book))
    if image.sign not in known and not drawing_shapes.inline_symbol(image.sign, edition.book):
        message = f"there is no symbol :{image.sign}:{did_you_mean(image.sign, known)}"
        yield NO_SYMBOL.problem(text.location_of(image.start), message, about)


def diagrams_in(index: ReferenceIndex) -> Iterator[tuple[DiagramSpec, Edition, str]]:
    """Yield the diagrams of rules, notes and sheets, with their editions and the item that they belong to."""
    for outline in index.outlines.values():
        for entry in outline.entries.values():
            rule = entry.rule
            for diagram in (*rule.diagrams, *(note.diagram for note in rule.notes)) if rule else ():
                if diagram:
                    yield diagram, outline.edition, entry.key
    for references in index.editions.values():
        for sheet in references.aid_sheets:
            for part in walk_parts(sheet.aid):
                if isinstance(part, Block) and part.diagram:
                    yield part.diagram, sheet.edition, sheet.name


def _table_problem(tables: Iterable[TableEntry], name: str, file: str) -> tuple[ProblemType, str] | None:
    if table_of_file(tables, name):
        return None
    files = (table.table.title.file.name.rpartition("/")[2] for table in tables)
    suggestion = did_you_mean(name.rpartition("/")[2], files)
    return NOT_FOUND, f"there is no table {quote_short(file, 80)}{suggestion}"


def image_path_problem(
    file: str, named_by: str, edition: Edition, noun: str = "picture", formats: tuple[str, ...] = FORMATS
) -> tuple[ProblemType, str] | None:
    """Return the problem type and message for the path of a picture, or of another file named by `noun`."""
    home = f"{CONTENT}/{edition.address}/"
    folder = posixpath.dirname(named_by)
    path = posixpath.normpath(posixpath.join(folder, file))
    if "\\" in file:
        return LEAVES, f"{quote_short(file)} has a backslash; write / between folders"
    if not path.startswith(home) or "://" in file:
        return LEAVES, f"{quote_short(file)} leads out of {home}; put the {noun} inside"
    if path not in edition.files or path.endswith(OURS):
        other_files = (name for name in sorted(edition.files) if not name.endswith(OURS))
        nearest = nearest_option(
            path, (name for name in other_files if noun == "picture" or name.endswith(formats))
        )
        suggestion = f"; did you mean {posixpath.relpath(nearest, folder)}?" if nearest else ""
        return NOT_FOUND, f"there is no {noun} {quote_short(path, 80)}{suggestion}"
    if not path.lower().endswith(formats):
        return FORMAT, f"{quote_short(file)} is no {noun}; it may be {', '.join(formats)}"
    return None
