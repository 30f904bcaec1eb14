"""Every kind of fault that a preflight reports, for rooms that only need to know what there is."""

from __future__ import annotations

from rulewright.source.problems import problem_type

UNREADABLE = problem_type("pdf-unreadable", "A file is no PDF, or was damaged after it was printed.")
FOREIGN = problem_type(
    "pdf-foreign",
    "A PDF holds no promise of ours: another program made it, or it was laid out on larger paper.",
)
PAGES = problem_type("pdf-pages", "A PDF has another number of pages than it has to fill.")
SIZE = problem_type("pdf-size", "A page, cut to its trim, is not of the size that was asked for.")
BLEED = problem_type("pdf-bleed", "A page's BleedBox does not reach as far beyond the trim as it should.")
OFF = problem_type(
    "pdf-off-page",
    "Text stands off the page, or a picture or drawing runs off it, so that a part of it is lost.",
)
FONT_ABSENT = problem_type(
    "pdf-font-not-embedded", "A font is not in the PDF, so a printer puts another in its place."
)
FONT_OTHER = problem_type(
    "pdf-font-substituted",
    "Text is set in a font of another family than was asked for: the right one was not found.",
)
SMALL = problem_type("pdf-type-small", "Text is smaller than the smallest size that was allowed.")
RGB = problem_type(
    "pdf-rgb", "A colour is not in the process inks but in RGB, and a printer's machine has to guess."
)
HEAVY = problem_type(
    "pdf-ink-heavy", "A colour or a picture takes more ink in one place than the paper can dry: 300 %."
)
HAIRLINE = problem_type("pdf-hairline", "A line is thinner than a plate can hold: 0.25 pt.")
COARSE = problem_type(
    "pdf-picture-coarse", "A picture has too few pixels for the size that it is printed at."
)
TAGGED = problem_type("pdf-ua", "A PDF has no tags, by which programs read it aloud.")
