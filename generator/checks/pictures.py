"""Checks of pictures: that each file is there, inside the edition."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator

from generator.citations import Shelf
from generator.folder import CONTENT
from generator.problems import Kind, Problem, kind, nearest, shown
from generator.source import Text

NOT_FOUND = kind("figure-not-found", "A figure's file is not there, beside the file that names it.")
LEAVES = kind(
    "path-leaves-edition", "A path leads out of the edition's folder, is absolute, or has a backslash."
)


def figures(shelf: Shelf) -> Iterator[Problem]:
    """Figures whose file is missing or lies outside of the edition."""
    for outline in shelf.outlines.values():
        home = f"{CONTENT}/{outline.edition.address}/"
        pictures = dict.fromkeys(f for f in sorted(outline.edition.files) if not f.endswith((".yml", ".md")))
        for entry in outline.entries.values():
            for figure in entry.rule.figures if entry.rule else ():
                if fault := _fault(figure.file, home, pictures):
                    kind, message = fault
                    yield kind.at(figure.file.place, message, entry.key)


def _fault(file: Text, home: str, pictures: Collection[str]) -> tuple[Kind, str] | None:
    """What is wrong with the path of a picture."""
    beside = posixpath.dirname(file.file.name)
    path = posixpath.normpath(posixpath.join(beside, file))
    if "\\" in file:
        return LEAVES, f"{shown(file)} has a backslash; write / between folders"
    if not path.startswith(home) or "://" in file:
        return LEAVES, f"{shown(file)} leads out of {home}; put the picture inside"
    if path not in pictures:
        near = nearest(path, pictures)
        meant = f"; did you mean {posixpath.relpath(near, beside)}?" if near else ""
        return NOT_FOUND, f"there is no picture {shown(path, 80)}{meant}"
    return None
