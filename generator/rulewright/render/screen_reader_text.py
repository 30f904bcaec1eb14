"""Text for screen readers, for characters of which a speech engine says too little or too much.

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
    """Return the words of a cell as HTML, with text for screen readers after characters that need it.

    `nothing`: the meaning of a dash alone. Words with links or markup are not changed.
    """

    def with_text(match: re.Match[str]) -> str:
        number, between, dash = match.groups("")
        text = Markup.escape(nothing) if dash else " to "
        language = ' lang="en"' if not dash or nothing == NOTHING else ""
        visible = f'{number}<span aria-hidden="true">{between or dash}</span>'
        return f'{visible}<span class="spoken"{language}>{text}</span>'

    html = Markup.escape(words)
    return html if "<" in html else Markup(_BETWEEN.sub(with_text, html))


def without_language_marks(html: str) -> str:
    """Return an English page, which needs no marks of the words of the program."""
    return _OURS.sub(r"\1", html).replace(' lang="en"', "")


def spoken_number(number: str) -> str:
    """Return the number of a rule as it is spoken: the letter of an item without its brackets."""
    return _ITEM.sub(r" \1", number)


def spoken_mark(mark: str) -> str:
    """Return the mark of a note as it is spoken: other characters than letters and digits by their names."""
    names = ""
    for character in mark:
        name = f" {unicodedata.name(character, character).lower()} "
        names += character if character.isalnum() else name
    return " ".join(names.split())
