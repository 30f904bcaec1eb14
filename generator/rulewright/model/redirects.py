"""Types that `redirects.yml` is read into: addresses that a book had on another site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.model.keys import key, many, table
from rulewright.source.text import Text


@dataclass(frozen=True, slots=True, eq=False)
class Redirect:
    """An old page, and where what stood on it is found now."""

    source: Text = key(
        "The old page's address, from the site's top: `/rules/5-modes/`.", name="from", must=True
    )
    to: Text = key(
        "Where it leads: a rule by its number, or a page of the edition, such as `sequence`, "
        "`sequence#first/supply-phase`, `tables` or `faq`; `.` is the edition's own page.",
        must=True,
    )
    anchors: Mapping[Text, Text] = table(
        "Where each anchor of the old page leads, by its name without the #."
    )


@dataclass(frozen=True, slots=True, eq=False)
class Redirects:
    """`redirects.yml`: the old addresses of an edition."""

    redirects: tuple[Redirect, ...] = many("The old pages.", must=True, one="redirect")
