"""The short addresses of rules and tables: a tiny page each, which leads on to where its subject stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.citations import addresses
from rulewright.site.compositor import environment
from rulewright.site.context import Desk


def short_addresses(desk: Desk) -> Iterator[tuple[str, str]]:
    """The pages at all short addresses, by their files."""
    template: Any = environment().get_template("site/short.html").module
    for path, to in addresses.short(desk.shelf):
        page, end = desk.place(to.target) if to.target else (to.edition.address, "")
        href = addresses.relative(path, page) + end
        name = desk.name(to.target) if to.target else ""
        yield f"{path}/index.html", str(template.short(href, name, to.edition, to.newest))
