"""Checks of pictures: that each file is there, inside the edition."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from generator.citations import Shelf
from generator.problems import Problem, did_you_mean, kind

NOT_FOUND = kind("figure-not-found", "A figure's file is not there. It is looked for beside the file that names it.")
LEAVES = kind("path-leaves-edition", "A path leads out of the edition's folder, or is absolute.")


def figures(shelf: Shelf) -> Iterator[Problem]:
    """Figures whose file is missing or lies outside of the edition."""
    for outline in shelf.outlines.values():
        home = f"content/{outline.edition.address}/"
        for entry in outline.entries.values():
            for figure in entry.rule.figures if entry.rule else ():
                path = posixpath.normpath(posixpath.join(posixpath.dirname(figure.file.file.name), figure.file))
                if not path.startswith(home) or "\\" in figure.file:
                    message = f"{figure.file} leads out of {home}; put the picture inside"
                    yield LEAVES.at(figure.file.place, message, entry.key)
                elif path not in outline.edition.files:
                    pictures = [f for f in outline.edition.files if not f.endswith((".yml", ".md"))]
                    message = f"no file {path}{did_you_mean(path, pictures)}"
                    yield NOT_FOUND.at(figure.file.place, message, entry.key)
