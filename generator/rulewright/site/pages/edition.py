"""The page of an edition, with links to all that it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page of an edition."""
    edition = outline.edition
    yield page(desk, "edition", edition.address, edition.file.edition.place, **given)
