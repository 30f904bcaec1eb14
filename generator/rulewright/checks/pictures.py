"""Checks of pictures and signs: that each is there, a file inside the edition."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rulewright.book.library import Edition
from rulewright.book.outline import Entry
from rulewright.book.tables import TableEntry, table_in
from rulewright.citations.corpus import texts_in
from rulewright.citations.resolving import written_in
from rulewright.citations.shelf import Shelf
from rulewright.model.aid import Block
from rulewright.model.keys import parts_of
from rulewright.model.placed import NO_SIDE, NO_SIDE_SAID
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Kind, Problem, did_you_mean, kind, nearest, shown
from rulewright.text.insets import beside, insets

if TYPE_CHECKING:
    from rulewright.model.drawn import Diagram

NOT_FOUND = kind("figure-not-found", "A figure's file is not there, beside the file that names it.")
FORMAT = kind(
    "figure-not-a-picture",
    "A figure's file is none that browsers and printers show: png, jpg, gif, webp, svg.",
)
WORDLESS = kind(
    "picture-without-words",
    "A picture in a text says nothing to readers who do not see it: write what it shows in its brackets.",
)
LEAVES = kind(
    "path-leaves-edition", "A path leads out of the edition's folder, is absolute, or has a backslash."
)

NO_SYMBOL = kind(
    "symbol-unknown",
    "A sign such as :die: in a text is none that the book or every book has. Mere words are `\\:so:`.",
)

OURS = (".yml", ".md")
FORMATS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")


def figures(shelf: Shelf) -> Iterator[Problem]:
    """Figures whose file is missing or lies outside of the edition."""
    for outline in shelf.outlines.values():
        edition = outline.edition
        for entry in outline.entries.values():
            for figure in entry.rule.figures if entry.rule else ():
                if fault := fault_of(figure.file, figure.file.file.name, edition):
                    kind, message = fault
                    yield kind.at(figure.file.place, message, entry.key)


def in_texts(shelf: Shelf) -> Iterator[Problem]:
    """Pictures in texts whose file is missing or lies outside of the edition."""
    for address, outline in shelf.outlines.items():
        for source, texts, _ in texts_in(outline, shelf.tables[address], shelf.sheets[address]):
            for text in (text for text, _ in texts if "!" in text and written_in(text, outline.edition)):
                for inset in filter(lambda one: not one.sign, insets(text)):
                    about = source.key if isinstance(source, Entry) else str(source)
                    if not inset.words:
                        message = f"say what it shows, as in ![A depot]({shown(inset.file)})"
                        yield WORDLESS.at(text.place_of(inset.start), message, about)
                    if inset.wrong:
                        at = text.index(f"{inset.wrong}=", text.index(f"]({inset.file}", inset.start))
                        said = f"this {NO_SIDE_SAID.format(inset.wrong)}"
                        yield NO_SIDE.at(text.place_of(at), said, about)
                    if inset.is_table:
                        fault = _no_table(
                            shelf.tables[address], beside(text.file.name, inset.file), inset.file
                        )
                    else:
                        fault = fault_of(inset.file, text.file.name, outline.edition)
                    if fault:
                        kind, message = fault
                        at = text.index(f"]({inset.file}", inset.start) + 2
                        yield kind.at(text.place_of(at), message, about)


def signs(shelf: Shelf) -> Iterator[Problem]:
    """Signs in texts that no book has."""
    for address, outline in shelf.outlines.items():
        edition = outline.edition
        for source, texts, _ in texts_in(outline, shelf.tables[address], shelf.sheets[address]):
            for text in (text for text, _ in texts if ":" in text and written_in(text, edition)):
                for one in insets(text):
                    if not one.sign:
                        continue
                    from rulewright.book import shapes  # late: few texts have signs

                    known = dict.fromkeys(shapes.sign_names(edition.book))
                    if one.sign not in known and not shapes.sign(one.sign, edition.book):
                        near = did_you_mean(one.sign, known)
                        about = source.key if isinstance(source, Entry) else str(source)
                        message = f"there is no symbol :{one.sign}:{near}"
                        yield NO_SYMBOL.at(text.place_of(one.start), message, about)


def diagrams_in(shelf: Shelf) -> Iterator[tuple[Diagram, Edition, str]]:
    """The diagrams of rules, notes and sheets, each with its edition and what it belongs to."""
    for outline in shelf.outlines.values():
        for entry in outline.entries.values():
            rule = entry.rule
            for one in (*rule.diagrams, *(note.diagram for note in rule.notes)) if rule else ():
                if one:
                    yield one, outline.edition, entry.key
    for sheets in shelf.sheets.values():
        for sheet in sheets:
            for part in parts_of(sheet.aid):
                if isinstance(part, Block) and part.diagram:
                    yield part.diagram, sheet.edition, sheet.name


def _no_table(tables: Iterable[TableEntry], name: str, file: str) -> tuple[Kind, str] | None:
    if table_in(tables, name):
        return None
    files = (one.table.title.file.name.rpartition("/")[2] for one in tables)
    near = did_you_mean(name.rpartition("/")[2], files)
    return NOT_FOUND, f"there is no table {shown(file, 80)}{near}"


def fault_of(
    file: str, named_by: str, edition: Edition, what: str = "picture", formats: tuple[str, ...] = FORMATS
) -> tuple[Kind, str] | None:
    """Fault of the path of a picture, or of `what` else a file names: the kind of problem, its message."""
    home = f"{CONTENT}/{edition.address}/"
    beside = posixpath.dirname(named_by)
    path = posixpath.normpath(posixpath.join(beside, file))
    if "\\" in file:
        return LEAVES, f"{shown(file)} has a backslash; write / between folders"
    if not path.startswith(home) or "://" in file:
        return LEAVES, f"{shown(file)} leads out of {home}; put the {what} inside"
    if path not in edition.files or path.endswith(OURS):
        others = (name for name in sorted(edition.files) if not name.endswith(OURS))
        near = nearest(path, (name for name in others if what == "picture" or name.endswith(formats)))
        meant = f"; did you mean {posixpath.relpath(near, beside)}?" if near else ""
        return NOT_FOUND, f"there is no {what} {shown(path, 80)}{meant}"
    if not path.lower().endswith(formats):
        return FORMAT, f"{shown(file)} is no {what}; it may be {', '.join(formats)}"
    return None
