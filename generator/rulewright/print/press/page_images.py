"""Pictures of a printed sheet: its pages as PNG, drawn by an engine that had no part in making them."""

from __future__ import annotations

import io
from typing import Any

WIDTH = 1200
"""Width in pixels: sharp on a phone held sideways, and small enough for a page of many."""


def render_page_images(pdf: bytes, most: int) -> tuple[bytes, ...]:
    """The first pages of a PDF, cut to their trim, as PNG in so few colours that they are quickly there."""
    import pypdfium2

    engine: Any = pypdfium2
    document = engine.PdfDocument(pdf)
    try:
        made = []
        for at in range(min(most, len(document))):
            page = document[at]
            left, bottom, right, top = page.get_trimbox() or page.get_mediabox()
            page.set_cropbox(left, bottom, right, top)
            image = page.render(scale=WIDTH / (right - left)).to_pil().convert("RGB")
            buffer = io.BytesIO()
            image.quantize(colors=128, dither=0).save(buffer, "PNG")
            made.append(buffer.getvalue())
        return tuple(made)
    finally:
        document.close()
