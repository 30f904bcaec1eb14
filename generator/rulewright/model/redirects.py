"""Types that `redirects.yml` is read into: addresses that a book had on another site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.model.yaml_fields import field_key, list_field, mapping_field
from rulewright.source.located_text import LocatedText


@dataclass(frozen=True, slots=True, eq=False)
class Redirect:
    """An old page, and where what stood on it is found now."""

    source: LocatedText = field_key(
        "The old page's address, from the site's top: `/rules/5-modes/`.", name="from", must=True
    )
    to: LocatedText = field_key(
        "Where it leads: a rule by its number, or a page of the edition, such as `sequence`, "
        "`sequence#first/supply-phase`, `tables` or `faq`; `.` is the edition's own page.",
        must=True,
    )
    anchors: Mapping[LocatedText, LocatedText] = mapping_field(
        "Where each anchor of the old page leads, by its name without the #."
    )


@dataclass(frozen=True, slots=True, eq=False)
class Redirects:
    """`redirects.yml`: the old addresses of an edition."""

    redirects: tuple[Redirect, ...] = list_field("The old pages.", must=True, one="redirect")
