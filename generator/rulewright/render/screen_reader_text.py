"""Signs in words, for readers who hear a page: of a sign a speech engine says too little or too much.

4–8 ──► 4 to 8      2:1 ──► 2 to 1      – ──► none      14.7d(A) ──► 14.7d A      † ──► dagger
"""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup

_BETWEEN = re.compile(r"(?<![\w.:–-])(\d+)([–:-])(?=\d+(?![\w.:–-]))|^([–—-])$")
_OURS = re.compile(r'<span lang="en">([^<]*)</span>')
_ITEM = re.compile(r"\((\w+)\)")


NOTHING = "none"
"""What a dash alone means where a table does not say it."""


def screen_reader_html(words: str, nothing: str = NOTHING) -> Markup:
    """The words of a cell as HTML; what the eye gets from a sign stands behind it in words not shown.

    `nothing`: what a dash alone means. Words that hold links or signs of their own stay as they are.
    """

    def with_words(found: re.Match[str]) -> str:
        number, between, alone = found.groups("")
        said = Markup.escape(nothing) if alone else " to "
        ours = ' lang="en"' if not alone or nothing == NOTHING else ""
        shown = f'{number}<span aria-hidden="true">{between or alone}</span>'
        return f'{shown}<span class="spoken"{ours}>{said}</span>'

    html = Markup.escape(words)
    return html if "<" in html else Markup(_BETWEEN.sub(with_words, html))


def without_language_marks(html: str) -> str:
    """A page in English, which has no use for marks of our own words."""
    return _OURS.sub(r"\1", html).replace(' lang="en"', "")


def spoken_number(number: str) -> str:
    """A rule's number as it is said: an item's letter in brackets is no article in an aside."""
    return _ITEM.sub(r" \1", number)


def spoken_mark(mark: str) -> str:
    """The mark of a note as it is said: letters and digits as they are, other signs by their names."""
    names = (one if one.isalnum() else f" {unicodedata.name(one, one).lower()} " for one in mark)
    return " ".join("".join(names).split())
