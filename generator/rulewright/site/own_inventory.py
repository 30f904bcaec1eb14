"""The site's own inventory: every chapter, rule, table and step that has an address, by a name for others.

    ocs/4.3:12.5c                    a rule, chapter or numbered table; `ocs:12.5c` in the newest edition
    ocs/4.3:9.1/2                    item 2 of the numbered list in 9.1
    ocs/3.0:tables/air-unit-movement a table without a number
    ocs/4.3:sequence                 the sequence of play
    ocs/4.3:sequence/first/movement  a step of it

All are labels of Sphinx's standard domain: `:ref:` and `:external:` find those, and so do mkdocstrings and
autorefs. Sphinx itself ranks labels with -1, behind what has a name of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.book.cited_things import ListItem, items_of
from rulewright.book.outline import Outline
from rulewright.book.tables import Source
from rulewright.citations import addresses
from rulewright.site.artifacts import Content, settled
from rulewright.site.context import Desk
from rulewright.source import inventory
from rulewright.source.inventory import Item
from rulewright.text.document import plain

PROJECT = "Rulewright"
"""Name of the site in its inventory, as Sphinx shows it beside a link: (in Rulewright)."""


def items(desk: Desk, outline: Outline) -> Iterator[Item]:
    """Everything of an edition, in the order of the site; names of the newest edition come twice."""
    edition = outline.edition
    book = edition.address.partition("/")[0]
    labelled = [
        (label, addresses.relative("", page, anchor), title)
        for label, title, page, anchor in _labelled(desk, outline)
    ]
    for name in (edition.address, *([book] if desk.shelf.newest[book] is edition else [])):
        yield from (Item(f"{name}:{label}", uri, title) for label, uri, title in labelled)


def share(desk: Desk, outlines: Iterable[Outline]) -> tuple[str, str]:
    """The share of some editions in the inventory, as `objects.inv` and as JSON have it."""
    found = [item for outline in outlines for item in items(desk, outline)]
    return inventory.lines_of(found), inventory.objects_of(found)


def files(shares: Iterable[tuple[str, str] | Callable[[], tuple[str, str]]]) -> dict[str, Content]:
    """The inventory as the files that others look for at a site's root."""
    made = [*shares]

    def packed() -> bytes:
        return inventory.packed(PROJECT, "".join(settled(one)[0] for one in made))

    def as_json() -> str:
        return inventory.as_json(PROJECT, [settled(one)[1] for one in made]) + "\n"

    return {"objects.inv": packed, "inventory.json": as_json}


def _labelled(desk: Desk, outline: Outline) -> Iterator[tuple[str, str, str, str]]:
    """Label, title, page and anchor of all that has an address in an edition."""
    sources: list[tuple[str, Source | ListItem]] = [*outline.entries.items()]
    unnumbered = (one for one in desk.shelf.tables[outline.edition.address] if not one.entry)
    sources += ((f"tables/{one.anchor}", one) for one in unnumbered)
    if outline.root and outline.edition.sequence:
        page, anchor = addresses.of(outline.root)
        yield "sequence", plain(outline.edition.sequence.title), page, anchor
    sources += ((f"sequence/{step.anchor}", step) for step in outline.every_step())
    sources += ((one.anchor, one) for entry in outline.in_order for one in items_of(entry))
    for label, source in sources:
        yield label, desk.name(source), *addresses.of(source)
