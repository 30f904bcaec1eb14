"""Measures as options of commands have them: a paper, a length, a size of type."""

from __future__ import annotations

from collections.abc import Callable

import click

from rulewright.model.paper import PAPERS, Paper, length, paper_of, points
from rulewright.source.problems import did_you_mean


def paper_named(written: str) -> Paper:
    """A paper by its name, with the way it lies or without, or by two lengths."""
    found = paper_of(written)
    if found is None:
        hint = did_you_mean(written, PAPERS)
        raise click.BadParameter(f"there is no paper {written}{hint or '; write two lengths: 148x210mm'}")
    return found


def _read(read: Callable[[str], float | None], wanted: str) -> Callable[[str], float]:
    def value(written: str) -> float:
        found = read(written)
        if found is None:
            raise click.BadParameter(f"{written} is no {wanted}")
        return found

    return value


length_of = _read(length, "length; write 3mm or 1/8in")
points_of = _read(points, "size of type; write it in points, such as 7.5")
