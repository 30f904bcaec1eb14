"""Problem types of printing and preflight, for modules that only need to know which exist."""

from __future__ import annotations

from rulewright.files.problems import Severity, problem_type

NO_GLYPH = problem_type(
    "no-glyph", "A text that is printed has a sign that the type lacks. Write it in words, or as a picture."
)
UNPRINTABLE = problem_type(
    "book-not-printable", "What makes PDFs complains of a rulebook, so it was not printed."
)
AID_UNPRINTABLE = problem_type(
    "aid-not-printable", "What makes PDFs complains of a player aid, so it was not printed."
)
OVERFLOWS = problem_type(
    "aid-does-not-fit",
    "A block of a player aid does not fit on the pages or the panel that the aid has.",
)
TOO_WIDE = problem_type(
    "aid-too-wide",
    "A word or a table of a player aid or a rulebook is wider than its column.",
)
UNFILLED = problem_type(
    "aid-does-not-fill",
    "A player aid fills fewer pages than it declares.",
    Severity.WARNING,
)
BROKEN = problem_type(
    "print-failed", "A sheet or a rulebook could not be put together or set. Everything else is printed."
)
LEFT_OUT = problem_type(
    "not-printed",
    "PDFs were left out, since what prints them is missing. The message has the command.",
    Severity.NOTE,
)

UNREADABLE = problem_type("pdf-unreadable", "A file is not a PDF, or was damaged after it was written.")
FOREIGN = problem_type(
    "pdf-foreign",
    "A PDF has no print spec of Rulewright: another program wrote or imposed it.",
)
PAGES = problem_type("pdf-pages", "A PDF has the wrong number of pages.")
SIZE = problem_type("pdf-size", "A page has the wrong trim size.")
BLEED = problem_type("pdf-bleed", "A page's BleedBox does not extend far enough beyond the trim.")
FONT_ABSENT = problem_type(
    "pdf-font-not-embedded", "A font is not embedded in the PDF, so a printer substitutes another."
)
SMALL = problem_type("pdf-type-small", "Text is smaller than the minimum size.")
RGB = problem_type(
    "pdf-rgb", "A colour is in RGB instead of process inks, so the printer's machine must convert it."
)
HEAVY = problem_type(
    "pdf-ink-heavy", "A colour or picture uses more ink in one place than the paper can dry: 300 %."
)
HAIRLINE = problem_type("pdf-hairline", "A line is thinner than can be printed: 0.25 pt.")
COARSE = problem_type("pdf-picture-coarse", "A picture has too few pixels for its printed size.")
TRANSPARENT = problem_type(
    "pdf-transparent", "A PDF/X-1a has a transparent drawing or picture; draw it with full colours."
)
