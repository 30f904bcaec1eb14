"""Pictures that stand in a text: `![what it shows](../pictures/depot.png "caption"){width=120}`, and signs.

Alone in a paragraph such a picture is a figure, in a sentence it is an icon. A sign is `:die:`; the book says
what that shows. Nothing in either is a reference.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from rulewright.source.lazy_regex import Regex
from rulewright.source.located_text import LocatedText

SIDE = Regex(r"[1-9][0-9]{0,3}%?")
"""How wide or high a picture is: pixels or percent."""

_INSET = Regex(
    r"""!\[(?P<alt>(?:[^\[\]\\\n]|\\[^\n]|\n(?![ \t]*\n)){0,1000})\]
    \((?P<file>[^\s()<>"]{1,500})(?:\s+"(?P<caption>[^"]{0,1000})")?\)
    (?:\{(?P<size>[ \t\w=.%"]{0,80})\})?
    | (?<![\w:\\/]):(?P<sign>[^\W_][\w/-]{0,60}):(?![\w:/])""",
    re.VERBOSE,
)
_SIDE = Regex(r'\b(width|height)="?([^\s"]*)')
_ESCAPE = Regex(r"\\([\\*\[\]])")
_SEEN = Regex(r"\S")


class InlineImage(NamedTuple):
    """A picture; `file` is beside the text's.

    Sizes: `120`, `50%`; `invalid_side`: the side whose size is none.
    """

    start: int
    end: int
    file: str
    alt: str
    caption: str = ""
    width: str = ""
    height: str = ""
    sign: str = ""
    invalid_side: str = ""

    @property
    def is_table(self) -> bool:
        """Return whether it is a table of the edition in its place: `![Hunger](../tables/4.3.yml)`."""
        return self.file.endswith(".yml")

    @property
    def words(self) -> str:
        """Words in its place where no picture can stand; of a sign its name."""
        if self.sign:
            return self.sign
        return ". ".join(dict.fromkeys(filter(None, (self.alt, self.caption))))


def inline_images(text: str) -> Iterator[InlineImage]:
    """Yield the pictures and signs in a text, in order."""
    for m in _INSET.finditer(text) if ":" in text or "![" in text else ():
        if m["sign"]:
            yield InlineImage(*m.span(), "", "", sign=m["sign"])
            continue
        alt, caption = (" ".join(_ESCAPE.sub(r"\1", m[name] or "").split()) for name in ("alt", "caption"))
        given = written_sides(m["size"] or "")
        sides = {name: value for name, value in given.items() if SIDE.fullmatch(value)}
        width, height = (sides.get(name, "") for name in ("width", "height"))
        wrong = next((name for name in given if name not in sides), "")
        yield InlineImage(*m.span(), m["file"], alt, caption, width, height, invalid_side=wrong)


def written_sides(attributes: str) -> dict[str, str]:
    """Return the width and the height that stand among attributes, in pixels or percent where they are
    any.
    """
    return {name: value.removesuffix("px") for name, value in _SIDE.findall(attributes)}


def image_file_names(text: LocatedText) -> Iterator[str]:
    """Return the names in the content folder of the files of the pictures in a text."""
    images = (inset for inset in inline_images(text) if inset.file and not inset.is_table)
    return (sibling_name(text.file.name, inset.file) for inset in images)


def blank_images(text: str) -> str:
    """Return a text with its pictures blanked out, character for character: no number in them is a
    reference.
    """
    if ":" not in text and "![" not in text:
        return text
    return _INSET.sub(lambda m: _SEEN.sub("\x00", m.group()), text)


def picture_of(figure: Any) -> str:
    """Return the name in the content folder of the file of a figure or of a picture on a player aid."""
    return sibling_name(figure.file.file.name, figure.file)


def sibling_name(name: str, file: str) -> str:
    """Return the name in the content folder of a file that another one names, whose own name is given."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
