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
from generator.lookup import anchor_of, named
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
    for one in shelf.outlines.values():
        if outline not in shelf.around(one):
            continue
        nearer = shelf.around(one)[: shelf.around(one).index(outline)]  # a game, whose own names come first
        for block in (block for aid in one.edition.aids for block in aid.blocks):
            for text in block.tables:
                taken = any(
                    game.find(text) or named(shelf.tables[game.edition.address], text) for game in nearer
                )
                if not taken and (entry := outline.find(text, outline.home)) and entry.key in numbered:
                    yield text, 0
            for activity in block.matrix.activities if block.matrix else ():
                names = (name for name in activity.steps if not one.called(name))
                yield from ((name, 0) for name in names if not any(game.find(name) for game in nearer))
    for later in shelf.outlines.values():
        if later is not outline and followed(later, shelf.outlines) is outline:
            said = (text for _, texts in was_of(later) for text in texts)
            yield from ((text, 0) for text in said)
            yield from ((one.was, 0) for one in later.edition.tables if one.was)
