"""Images of the pages of a finished PDF as PNG, drawn by an engine that had no part in making it."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import Any

WIDTH = 1200
"""Width of an image for the site in pixels: sharp on a phone held sideways, and small enough for many."""

DPI = 300
"""Resolution of an image for a printer."""


def render_page_images(pdf: bytes, count: int) -> tuple[bytes, ...]:
    """Return images of the first pages of a PDF, cut to their trim, in few colours to load fast."""
    import pypdfium2

    images = []
    with pypdfium2.PdfDocument(pdf) as document:
        for page in islice(document, count):
            box = page.get_trimbox()
            image = _draw(page, box, WIDTH / (box[2] - box[0]))
            images.append(_png(image.quantize(colors=64, method=2, dither=0)))
    return tuple(images)


def render_press_images(pdf: bytes) -> list[bytes]:
    """Return images of all pages of a PDF with their bleed, at the resolution of print."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        return [_png(_draw(page, page.get_bleedbox(), DPI / 72), dpi=(DPI, DPI)) for page in document]


def _draw(page: Any, box: tuple[float, float, float, float], scale: float) -> Any:
    page.set_cropbox(*box)
    return page.render(scale=scale, rev_byteorder=True).to_pil().convert("RGB")


def _png(image: Any, **options: Any) -> bytes:
    image.save(file := BytesIO(), "PNG", compress_level=4, **options)  # 6 takes twice as long for 3 %
    return file.getvalue()
