"""Images of the pages of a finished PDF as PNG, drawn by an engine that had no part in making it."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Any

WIDTH = 1200
"""Width of an image for the site in pixels: sharp on a phone held sideways, and small enough for many."""

DPI = 300
"""Resolution of an image for a printer."""


def render_page_images(pdf: bytes, count: int) -> tuple[bytes, ...]:
    """Return images of the first pages of a PDF, cut to their trim, in few colours to load fast."""
    images = _draw_pages(pdf, "TrimBox", count)
    return tuple(_png(image.quantize(colors=64, method=2, dither=0)) for image in images)


def render_press_images(pdf: bytes) -> tuple[bytes, ...]:
    """Return images of all pages of a PDF with their bleed, at the resolution of print."""
    return tuple(_png(image, dpi=(DPI, DPI)) for image in _draw_pages(pdf, "BleedBox"))


def _draw_pages(pdf: bytes, box: str, count: int | None = None) -> Iterator[Any]:
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        for page in islice(document, count):
            left, bottom, right, top = page.get_trimbox() if box == "TrimBox" else page.get_bleedbox()
            page.set_cropbox(left, bottom, right, top)
            scale = DPI / 72 if box == "BleedBox" else WIDTH / (right - left)
            yield page.render(scale=scale).to_pil().convert("RGB")


def _png(image: Any, **options: Any) -> bytes:
    image.save(file := BytesIO(), "PNG", **options)
    return file.getvalue()
