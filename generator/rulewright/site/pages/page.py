"""One page from its template, which also says the page's title, description and sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.proof import Proof
from rulewright.site.templating import environment
from rulewright.source.problems import Place


def page(
    desk: Desk, template: str, path: str, place: Place | None, sections: Sequence[Section] = (), **given: Any
) -> Page:
    """One page from its template. `sections` are the template's own where none are given."""
    at = Proof(path, desk)
    desk.done[path] = at.done
    made: Any = environment().get_template(f"site/{template}.html").make_module({"at": at, **given})
    sections = sections or [Section(*section) for section in made.sections]
    return Page(path, made.title, str(made), tuple(sections), place, made.description)
