"""Every kind of fault that a preflight reports, for rooms that only need to know what there is."""

from __future__ import annotations

from rulewright.source.problems import kind

UNREADABLE = kind("pdf-unreadable", "A file is no PDF, or was damaged after it was printed.")
FOREIGN = kind(
    "pdf-foreign",
    "A PDF holds no promise of ours: another program made it, or it was laid out on larger paper.",
)
PAGES = kind("pdf-pages", "A PDF has another number of pages than it has to fill.")
SIZE = kind("pdf-size", "A page, cut to its trim, is not of the size that was asked for.")
BOXES = kind(
    "pdf-boxes", "A page has no TrimBox, or its boxes do not lie in one another: trim, bleed, media."
)
BLEED = kind("pdf-bleed", "A page's BleedBox does not reach as far beyond the trim as it should.")
BLEED_SHORT = kind(
    "pdf-bleed-short",
    "A ground or a picture reaches the trim but not the bleed, so that a cut that is off leaves white.",
)
MARKS = kind("pdf-marks", "The mark of a cut or of a fold is missing on a page that has to have them.")
OFF = kind(
    "pdf-off-page",
    "Text stands off the page, or a picture or drawing runs off it, so that a part of it is lost.",
)
FONT_ABSENT = kind(
    "pdf-font-not-embedded", "A font is not in the PDF, so a printer puts another in its place."
)
FONT_OTHER = kind(
    "pdf-font-substituted",
    "Text is set in a font of another family than was asked for: the right one was not found.",
)
SMALL = kind("pdf-type-small", "Text is smaller than the smallest size that was allowed.")
EDGE = kind("pdf-text-near-edge", "Text stands too near the trim, where the cut may take it.")
OVERLAP = kind("pdf-text-on-text", "Text lies on other text, so that neither can be read.")
FOLD = kind("pdf-text-near-fold", "Text stands too near a fold.")
RGB = kind("pdf-rgb", "A colour is not in the process inks but in RGB, and a printer's machine has to guess.")
SPOT = kind("pdf-spot", "A colour asks for a spot ink, which is a plate of its own and a cost of its own.")
RICH = kind(
    "pdf-text-not-pure-black",
    "Black text is made of several inks, which blurs as soon as the plates do not meet exactly.",
)
COLOUR = kind("pdf-colour-in-black", "A sheet for black alone asks for cyan, magenta or yellow.")
HEAVY = kind(
    "pdf-ink-heavy", "A colour or a picture takes more ink in one place than the paper can dry: 300 %."
)
WHITE = kind(
    "pdf-white-overprint", "White is set to overprint, so that it is not seen where anything lies below it."
)
HAIRLINE = kind("pdf-hairline", "A line is thinner than a plate can hold: 0.25 pt.")
EXCHANGE = kind(
    "pdf-exchange",
    "A PDF/X-4 lacks the profile of the press or what it says of itself, or has links on its sheets.",
)
COARSE = kind("pdf-picture-coarse", "A picture has too few pixels for the size that it is printed at.")
LINK = kind("pdf-link-broken", "A link or a bookmark of a PDF leads nowhere.")
BOOKMARKS = kind("pdf-bookmarks", "A PDF has no bookmarks.")
TITLE = kind("pdf-title", "A PDF has no title, or does not show it.")
LANGUAGE = kind("pdf-language", "A PDF does not say what language it is in.")
TAGGED = kind(
    "pdf-ua", "A PDF keeps something of PDF/UA-1 from readers with other programs: tags, words, order."
)
