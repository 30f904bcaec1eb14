"""Measures as options of commands have them: a paper and a length."""

from __future__ import annotations

import click

from rulewright.model.paper import PAPERS, Paper, length, paper_of
from rulewright.source.problems import did_you_mean


def paper_named(written: str) -> Paper:
    """A paper by its name, with the way it lies or without, or by two lengths."""
    found = paper_of(written)
    if found is None:
        hint = did_you_mean(written, PAPERS)
        raise click.BadParameter(f"there is no paper {written}{hint or '; write two lengths: 148x210mm'}")
    return found


def length_of(written: str) -> float:
    """A length, in mm."""
    found = length(written)
    if found is None:
        raise click.BadParameter(f"{written} is no length; write 3mm or 1/8in")
    return found
