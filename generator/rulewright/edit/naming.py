"""Numbers that name a rule or a table where no text does: in redirects, in player aids, and in what follows.

An edition that follows the one whose numbers move says with `was:` what its rules and tables were there.
"""

from __future__ import annotations

from rulewright.citations.shelf import Shelf
from rulewright.compare.passages import names
from rulewright.edit.moves import Moves
from rulewright.edit.number_style import Speller
from rulewright.source.edits import Edits


def rename(moves: Moves, shelf: Shelf, edits: Edits) -> None:
    """Enter the edits of all such numbers that move."""
    dialect, home = moves.outline.edition.dialect, moves.outline.home
    speller = Speller(dialect)
    for outline in shelf.outlines.values():
        for name in names(outline, shelf):
            written = name.text[name.start :]
            number = dialect.parse(written.strip(), home) if name.into is moves.outline else None
            if number and (new := moves.of(number)) is not number:
                words = speller.rewritten(written, number, new, home, "") or speller.write(new)
                edits.rewrite(name.text, name.start, len(name.text), words)
