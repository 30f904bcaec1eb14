"""Types for `redirects.yml`: addresses that a book had on another site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.files.located_text import LocatedText
from rulewright.schema.yaml_fields import field_key, list_field, mapping_field


@dataclass(frozen=True, slots=True, eq=False)
class Redirect:
    """Old page, and where its content is now."""

    source: LocatedText = field_key(
        "The old page's path from the root of the site: `/rules/5-modes/`.",
        name="from",
        must=True,
        example="/old/12-0-supply/",
    )
    to: LocatedText = field_key(
        "The new target: a rule by its number, or a page of the edition, such as `sequence`, "
        "`sequence#first/supply-phase`, `tables` or `faq`; `.` is the edition's own page.",
        must=True,
        example='"12.0"',
    )
    anchors: Mapping[LocatedText, LocatedText] = mapping_field(
        "The new target of each anchor of the old page, by its name without the #.", example='{fuel: "12.5"}'
    )


@dataclass(frozen=True, slots=True, eq=False)
class Redirects:
    """`redirects.yml`: the old addresses of an edition."""

    redirects: tuple[Redirect, ...] = list_field(
        "The old pages.", must=True, one="redirect", example='[{from: /old/12-0-supply/, to: "12.0"}]'
    )
