"""The page with the coverage of an edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page with steps without a rule, and rules that no step leads to."""
    yield page(desk, "coverage", f"{outline.edition.address}/coverage", None, **given)
