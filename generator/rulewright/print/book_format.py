"""Paper, inks and columns of a printed book, as its look asks for them."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.book.print_requirements import PrintRequirements, read_print_requirements
from rulewright.book.resolved_branding import INKED, book_paper
from rulewright.schema.branding import PrintBranding
from rulewright.schema.paper import PAPERS, Paper

_MARGIN = 16.0
_COLUMN = 68.0  # the least width of a column of text, in mm


@dataclass(frozen=True, slots=True)
class BookFormat(PrintRequirements):
    """Paper and inks of a printed book; `columns` of text on a page.

    `type` is serif or sans; `chapters`: where one begins, on a new `page`, in a new `column` or below.
    """

    columns: int = 0
    type: str = "serif"
    chapters: str = ""

    @classmethod
    def from_branding(
        cls, look: PrintBranding | None, paper: Paper | None = None, ink: str = "", bleed: float | None = None
    ) -> BookFormat:
        """The format that a book declares, on another paper and in another ink where some is given."""
        work = read_print_requirements(look)[0] if look else PrintRequirements()
        return cls(
            paper or book_paper(look) or PAPERS["letter"],
            ink=ink or work.ink,
            columns=int(look.columns) if look and look.columns in ("1", "2", "3") else 0,
            type="sans" if look and look.type == "sans" else "serif",
            chapters=str(look.chapters) if look and look.chapters else "",
            bleed=work.bleed if bleed is None else bleed,
            inks=tuple(ink for ink in work.inks if ink.key in INKED),
        )

    @property
    def across(self) -> int:
        """How many columns stand side by side: as many as are declared, or as have room for words."""
        return self.columns or max(1, min(3, int((self.paper.width - 2 * _MARGIN) // _COLUMN)))
