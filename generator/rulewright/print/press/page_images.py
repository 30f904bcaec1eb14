"""Pictures of the pages of a finished PDF as PNG, drawn by an engine that had no part in making it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

WIDTH = 1200
"""Width of a picture for the site in pixels: sharp on a phone held sideways, and small enough for many."""

DPI = 300
"""Resolution of a picture for a printer."""


def render_page_images(pdf: bytes, count: int) -> tuple[bytes, ...]:
    """Return the first pages of a PDF, cut to their trim, in few colours, so that they load quickly."""
    images = _pages(pdf, count, lambda page: page.get_trimbox(), None)
    return tuple(_png(image.quantize(colors=64, method=2, dither=0)) for image in images)


def render_press_images(pdf: bytes) -> tuple[bytes, ...]:
    """Return all pages of a PDF with their bleed, at the resolution of print."""
    return tuple(
        _png(image, dpi=(DPI, DPI)) for image in _pages(pdf, 10_000, lambda p: p.get_bleedbox(), DPI)
    )


def _pages(pdf: bytes, count: int, box_of: Any, dpi: int | None) -> Iterator[Any]:
    import pypdfium2

    engine: Any = pypdfium2
    with engine.PdfDocument(pdf) as document:
        for index in range(min(count, len(document))):
            page = document[index]
            left, bottom, right, top = box_of(page) or page.get_mediabox()
            page.set_cropbox(left, bottom, right, top)
            scale = dpi / 72 if dpi else WIDTH / (right - left)
            yield page.render(scale=scale).to_pil().convert("RGB")


def _png(image: Any, **options: Any) -> bytes:
    image.save(file := io.BytesIO(), "PNG", **options)
    return file.getvalue()
