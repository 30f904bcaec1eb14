"""Numbers that name a rule or a table where no text does: in redirects, in player aids, and in what follows.

An edition that follows the one whose numbers move says with `was:` what its rules and tables were there.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.changes.said import followed, was_of
from generator.citations import Shelf
from generator.editing.moves import Moves
from generator.editing.spelling import Speller
from generator.edits import Edits
from generator.lookup import anchor_of
from generator.outline import Outline
from generator.source import Text

TABLES = "tables#"
"""How a redirect begins that leads to a table on the page of all."""


def rename(moves: Moves, shelf: Shelf, edits: Edits) -> None:
    """Enter the edits of all such numbers that move."""
    dialect, home = moves.outline.edition.dialect, moves.outline.home
    speller = Speller(dialect)
    for text, start in _names(moves.outline, shelf):
        written = text[start:]
        number = dialect.parse(written.strip(), home)
        if number and (new := moves.of(number)) is not number:
            words = speller.rewritten(written, number, new, home, "") or speller.write(new)
            edits.rewrite(text, start, len(text), words)


def _names(outline: Outline, shelf: Shelf) -> Iterator[tuple[Text, int]]:
    """Each text that may be a number of the edition, and where in it the number begins."""
    edition = outline.edition
    for redirect in edition.redirects.redirects if edition.redirects else ():
        for text in (redirect.to, *redirect.anchors.values()):
            yield text, len(TABLES) if text.startswith(TABLES) else 0
    # An id or a title that looks like a number is none: only tables that have a number are renamed.
    numbered = {anchor_of(table, outline) for table in edition.tables if table.number}
    for aid in edition.aids:
        for text in (name for block in aid.blocks for name in block.tables):
            if (entry := outline.find(text, outline.home)) and entry.key in numbered:
                yield text, 0
        for block in aid.blocks:
            for activity in block.matrix.activities if block.matrix else ():
                yield from ((name, 0) for name in activity.steps if not outline.called(name))
    for erratum in edition.errata.errata if edition.errata else ():
        if erratum.table and (entry := outline.find(erratum.table, outline.home)) and entry.key in numbered:
            yield erratum.table, 0
    for later in shelf.outlines.values():
        if later is not outline and followed(later, shelf.outlines) is outline:
            said = (text for _, texts in was_of(later) for text in texts)
            yield from ((text, 0) for text in said)
            yield from ((one.was, 0) for one in later.edition.tables if one.was)
