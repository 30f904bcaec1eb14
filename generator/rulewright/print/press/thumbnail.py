"""Pictures of a printed sheet: its pages as PNG, drawn by an engine that had no part in making it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

WIDTH = 1200
"""Width in pixels: sharp on a phone held sideways, and small enough for a page of many."""


def thumbnails(pdf: bytes, width: int = WIDTH) -> Iterator[bytes]:
    """The pages of a PDF, each cut to its trim, as PNG in so few colours that it is quickly there."""
    import pypdfium2

    engine: Any = pypdfium2
    document = engine.PdfDocument(pdf)
    try:
        for page in document:
            left, bottom, right, top = page.get_trimbox() or page.get_mediabox()
            page.set_cropbox(left, bottom, right, top)
            image = page.render(scale=width / (right - left)).to_pil().convert("RGB")
            buffer = io.BytesIO()
            image.quantize(colors=128, dither=0).save(buffer, "PNG")
            yield buffer.getvalue()
    finally:
        document.close()
