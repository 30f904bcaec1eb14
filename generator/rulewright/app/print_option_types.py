"""Option types of commands: paper size and length."""

from __future__ import annotations

import click

from rulewright.files.problems import did_you_mean
from rulewright.schema.paper import PAPERS, Paper, parse_length, parse_paper


def parse_paper_option(text: str) -> Paper:
    """Parse a paper name, with or without orientation, or two lengths. Raises BadParameter."""
    paper = parse_paper(text)
    if paper is None:
        hint = did_you_mean(text, PAPERS)
        raise click.BadParameter(f"there is no paper {text}{hint or '; write two lengths: 148x210mm'}")
    return paper


def parse_length_option(text: str) -> float:
    """Parse a length and return it in mm. Raises BadParameter."""
    length = parse_length(text)
    if length is None:
        raise click.BadParameter(f"{text} is not a length; write 3mm or 1/8in")
    return length
