"""Images in a text, `![what it shows](../pictures/depot.png "caption"){width=120}`, and symbols.

Alone in a paragraph an image is a figure, in a sentence it is an icon. A symbol is `:die:`; the book declares
what it shows. Nothing in either is a reference.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

SIDE = re.compile(r"[1-9][0-9]{0,3}%?")
"""Width or height of an image: pixels or percent."""

_INSET = re.compile(
    r"""!\[(?P<alt>(?:[^\[\]\\\n]|\\[^\n]|\n(?![ \t]*\n)){0,1000})\]
    \((?P<file>[^\s()<>"]{1,500})(?:\s+"(?P<caption>[^"]{0,1000})")?\)
    (?:\{(?P<size>[ \t\w=.%"]{0,80})\})?
    | (?<![\w:\\/]):(?P<sign>[^\W_][\w/-]{0,60}):(?![\w:/])""",
    re.VERBOSE,
)
_SIDE = re.compile(r'\b(width|height)="?([^\s"]*)')
_ESCAPE = re.compile(r"\\([\\*\[\]])")
_SEEN = re.compile(r"\S")


class InlineImage(NamedTuple):
    """Image or symbol; `file` is relative to the file of the text.

    Sizes: `120`, `50%`; `invalid_side`: the side with an invalid size.
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
        """Whether it is a table of the edition: `![Hunger](../tables/4.3.yml)`."""
        return self.file.endswith(".yml")

    @property
    def words(self) -> str:
        """Text that replaces an image; for a symbol its name."""
        if self.sign:
            return self.sign
        return ". ".join(dict.fromkeys(filter(None, (self.alt, self.caption))))


def inline_images(text: str) -> Iterator[InlineImage]:
    """Yield the images and symbols in a text, in order."""
    for m in _INSET.finditer(text) if ":" in text or "![" in text else ():
        if m["sign"]:
            yield InlineImage(*m.span(), "", "", sign=m["sign"])
            continue
        alt, caption = (" ".join(_ESCAPE.sub(r"\1", m[name] or "").split()) for name in ("alt", "caption"))
        attributes = written_sides(m["size"] or "")
        sides = {name: value for name, value in attributes.items() if SIDE.fullmatch(value)}
        width, height = (sides.get(name, "") for name in ("width", "height"))
        wrong = next((name for name in attributes if name not in sides), "")
        yield InlineImage(*m.span(), m["file"], alt, caption, width, height, invalid_side=wrong)


def written_sides(attributes: str) -> dict[str, str]:
    """Return the width and height among attributes, without the unit px."""
    return {name: value.removesuffix("px") for name, value in _SIDE.findall(attributes)}


def blank_images(text: str) -> str:
    """Return a text with its images blanked out, keeping all offsets: no number in them is a reference."""
    if ":" not in text and "![" not in text:
        return text
    return _INSET.sub(lambda m: _SEEN.sub("\x00", m.group()), text)


def picture_of(figure: Any) -> str:
    """Return the file name, in the content folder, of a figure or of a picture on a player aid."""
    return sibling_name(figure.file.file.name, figure.file)


def sibling_name(name: str, file: str) -> str:
    """Return the name in the content folder of a file that the file `name` refers to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
