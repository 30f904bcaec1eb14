"""The page with the rules of an edition in order of play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.book.sequence import TOP, StepEntry, is_heading
from rulewright.citations.along import along
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.pages.page import page
from rulewright.text.document import plain


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page on which the rules stand in order of play, each once."""
    edition, laid = outline.edition, along(outline, desk.shelf)
    assert edition.sequence
    sections = [Section(TOP, "Rules in order of play")]
    heads = (step for step in outline.every_step() if is_outer(step) and laid.count(step))
    sections += (Section(step.anchor, plain(step.step.title), step.level + 2) for step in heads)
    sections += [Section("rest", "Other rules", 2)] if laid.rest else []
    place = edition.sequence.title.place
    own = {"laid": laid, "is_outer": is_outer}
    yield page(desk, "in-order", f"{edition.address}/in-order", place, sections, **{**given, **own})


def is_outer(step: StepEntry) -> bool:
    """Whether it is a turn, or a phase that lies in none but turns."""
    around = step.around
    return is_heading(step) and (around is None or around.is_turn)
