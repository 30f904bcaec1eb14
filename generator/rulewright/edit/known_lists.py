"""Lists of known numbers without those that are rules or tables of the edition.

A number whose text is here needs no list: with one, a rule that is deleted would still be known, and one that
is retitled would keep its old title there. What says more of a number than its title stays, and so does a
whole list without which the numbers would stand in another order, or that is written in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from rulewright.book.library import Edition, read_library
from rulewright.book.outline import arrange
from rulewright.model.rulebook import Known, Listed
from rulewright.source.edits import Edit, changed, line_end
from rulewright.source.folder import CONTENT, Folder
from rulewright.source.text import Items, value_at
from rulewright.source.tree import load

_REST = re.compile(r"[ \t]*(#[^\r\n]*)?(?:\r\n|\n|\r|\Z)")


def shortened_lists(content: Folder) -> Iterator[tuple[str, bytes | None]]:
    """The lists from which something goes, by name; None for one in which nothing is left."""
    library = read_library(content)
    for address, edition in library.editions.items():
        name = f"{CONTENT}/{address}/known.yml"
        if edition.known and name not in library.faulty and (needless := _needless(edition, edition.known)):
            if len(needless) < len(edition.known.known):
                yield name, _without(name, content.texts[name], needless)
            elif edition.known.lists != "cited":  # which says that the rest of the book is not here
                yield name, None


def _needless(edition: Edition, known: Known) -> Collection[Listed]:
    """The entries of rules and tables that are here, if the book's order is the same without them."""
    outline = arrange(edition)
    tables = {outline.find(table.number) for table in edition.tables if table.number}

    def goes(one: Listed) -> bool:
        entry = outline.find(one.number)
        is_here = entry and (entry.transcribed or entry in tables) and entry.listed is one
        return bool(is_here) and not any((one.was, one.formerly, one.retired, one.replaced_by))

    left = tuple(one for one in known.known if not goes(one))
    after = arrange(replace(edition, known=replace(known, known=left) if left else None))
    same = [one.key for one in after.in_order] == [one.key for one in outline.in_order]
    return {*known.known} - {*left} if same else ()


def _without(name: str, data: bytes, needless: Collection[Listed]) -> bytes:
    """A list without some of its entries; what stands behind them after a # has lines of its own then."""
    root, _ = load(name, data)
    items = value_at(root, "known")
    if not isinstance(items, Items) or items.flow:
        return data
    numbers, text, edits = {one.number.start for one in needless}, items.file.text, list[Edit]()
    for item in items.items:
        if any(item.start <= one < item.end for one in numbers):
            dash = text.rfind("-", 0, item.start)
            start = dash - items.file.place(dash).column + 1
            end = len(text[: item.end].rstrip())
            rest = _REST.match(text, end)
            notes = re.findall(r"#[^\r\n]*", text[start : rest.end() if rest else end])
            words = "".join(f"{text[start:dash]}{note}{line_end(text)}" for note in notes)
            edits.append(Edit(start, rest.end() if rest else end, words))
    return changed(data, edits)
