"""Measures as options of commands have them: a paper and a length."""

from __future__ import annotations

import click

from rulewright.model.paper import PAPERS, Paper, parse_length, parse_paper
from rulewright.source.problems import did_you_mean


def parse_paper_option(written: str) -> Paper:
    """A paper by its name, with the way it lies or without, or by two lengths."""
    found = parse_paper(written)
    if found is None:
        hint = did_you_mean(written, PAPERS)
        raise click.BadParameter(f"there is no paper {written}{hint or '; write two lengths: 148x210mm'}")
    return found


def parse_length_option(written: str) -> float:
    """A length, in mm."""
    found = parse_length(written)
    if found is None:
        raise click.BadParameter(f"{written} is no length; write 3mm or 1/8in")
    return found
