"""Short addresses of rules and tables: a tiny page at each, or one table that the page for lost readers asks.

The table serves any host that shows our 404.html, below a path too. It has two parts: the page of all rules
whose address begins with this, as `r/ocs/4.3/12`, and where addresses lead of which that is not true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from json import dumps
from typing import Any

from rulewright.citations import addresses
from rulewright.site.artifacts import settled
from rulewright.site.context import Desk
from rulewright.site.templating import environment

TABLE = "r/short.js"


def pages(desk: Desk, folder: str = "") -> Iterator[tuple[str, str]]:
    """The pages at all short addresses, or at those of the book in a folder, by their files."""
    template: Any = environment().get_template("site/short.html").module
    for path, to, page, end in _led(desk, folder):
        href = addresses.relative(path, page) + end
        name = desk.name(to.target) if to.target else ""
        yield f"{path}/index.html", str(template.short(href, name, to.edition, to.newest))


Table = tuple[Mapping[str, str], Mapping[str, str]]


def fallback(tables: Iterable[Table | Callable[[], Table]]) -> str:
    """The table of all short addresses, as a script, from those of books."""
    begin: dict[str, str] = {}
    leads: dict[str, str] = {}
    for one in map(settled, tables):
        begin |= one[0]
        leads |= one[1]
    told = dumps((begin, leads), ensure_ascii=False, separators=(",", ":"))
    return f'rulewright.take("{TABLE}",{told});\n'


def table(desk: Desk, folder: str = "") -> tuple[dict[str, str], dict[str, str]]:
    """The two parts of the table, or of the book in a folder."""
    begin: dict[str, str] = {}
    leads: dict[str, str] = {}
    for path, to, page, end in _led(desk, folder):
        leads[path] = f"{page}/{end}"
        folder, _, name = path.rpartition("/")
        if end != addresses.relative(page, page, name) or _page_of(path, begin) == page:
            continue
        label = name if to.target is None else to.target.key.partition(".")[0]
        begin.setdefault(f"{folder}/{label}" if name.startswith(label) else path, page)
    # A beginning that came later may lead elsewhere what was led by a shorter one.
    return begin, {path: href for path, href in leads.items() if led(path, begin) != href}


def led(path: str, begin: Mapping[str, str]) -> str:
    """Where an address leads by its beginning; empty where that is not known."""
    page, name = _page_of(path, begin), path.rpartition("/")[2]
    return f"{page}/{addresses.relative(page, page, name)}" if page else ""


def _page_of(path: str, begin: Mapping[str, str]) -> str:
    return next((begin[path[:end]] for end in range(len(path), 0, -1) if path[:end] in begin), "")


def _led(desk: Desk, folder: str) -> Iterator[tuple[str, addresses.Short, str, str]]:
    for path, to in addresses.short(desk.shelf, folder):
        yield path, to, *(desk.place(to.target) if to.target else (to.edition.address, ""))
