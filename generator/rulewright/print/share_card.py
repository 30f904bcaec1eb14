"""Share cards: the pictures that other sites and messengers show beside a link to an edition."""

from __future__ import annotations

import io

from rulewright.book.looks import words_on
from rulewright.model.colours import Colour, colour, written
from rulewright.print import typesetting
from rulewright.source.store import Store, key, program

WIDTH, HEIGHT = 1200, 630
"""In pixels, as those who show such pictures want them."""

GROUND: Colour = (55, 71, 79)
"""The ground of a book that declares no colour."""

_INKS = 16
"""How many colours a card is kept with: it is type on a ground, so more would only weigh."""

_LONGEST = 300
"""Signs of a title or description that could stand on a card."""


def share_card(title: str, about: str, site: str, ground: str, store: Store) -> bytes:
    """A card as a PNG, from the store or made; empty where what prints is missing, or it cannot be set.

    `ground`: its colour as a style sheet says it, or empty.
    """
    from PIL import Image

    if typesetting.missing():
        return b""
    data = {name: words[:_LONGEST] for name, words in (("title", title), ("about", about), ("site", site))}
    behind = colour(ground) or GROUND
    data |= {"ground": written(behind), "words": written(words_on(behind))}
    kept = key(program(), "card", *data.values())
    known = store.get(kept)
    if known is None:
        try:
            (made,) = typesetting.pictured("card.typ", data, {}, ppi=72)
        except typesetting.Refused:
            return b""
        small = io.BytesIO()
        with Image.open(io.BytesIO(made)) as image:
            image.convert("RGB").quantize(_INKS).save(small, "PNG", optimize=True)
        known = small.getvalue()
        store.put(kept, known)
    return known
