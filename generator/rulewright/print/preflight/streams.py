"""Unpacking of a PDF's streams within bounds: a few bytes can unpack to more than any memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pikepdf import Array, Name, Object, Stream, settings

MOST_BYTES = 256_000_000
"""Most bytes that a stream may unpack to: a picture of a large map has as many."""

MOST_CONTENT = 32_000_000
"""Most of these bytes that may be content to paint."""

_LIMITS = dict.fromkeys(
    ("flate_max_memory", "run_length_max_memory", "png_max_memory", "tiff_max_memory", "dct_max_memory"),
    MOST_BYTES,
) | {"dct_max_progressive_scans": 100, "max_stream_filters": 4}
_MOST_LZW = 256_000
"""Most bytes that qpdf may unpack by LZW, for which it has no bound: two thousand can come of one."""

_NO_ENDS = bytes(set(range(256)) - set(b"\0\t\n\f\r ()<>[]{}/%"))
"""The bytes behind which no word of content begins."""


class TooMuch(Exception):
    """Raised where a PDF asks for more than one of its size has to."""


class Effort:
    """Budget for reading and drawing a PDF, in words of content and in glyphs."""

    def __init__(self, size: int) -> None:
        self.left = 300_000 + 8 * size

    def take(self, count: int) -> None:
        """Spend from the budget. Raises TooMuch where nothing is left."""
        self.left -= count
        if self.left < 0:
            raise TooMuch("it is drawn again and again, more than a PDF of its size can need")


@contextmanager
def bounded() -> Iterator[None]:
    """Let qpdf unpack no more than the bounds. They hold for all of the process, so they are put back."""
    before = settings.set_qpdf_limits(**_LIMITS)  # type: ignore[arg-type]
    try:
        yield
    finally:
        settings.set_qpdf_limits(**before)  # type: ignore[arg-type]


def unpacked(stream: Object) -> bytes:
    """The bytes of a stream. Raises whatever a damaged or too large one is read with."""
    filters = stream.get("/Filter")
    named = list(filters) if isinstance(filters, Array) else [filters]
    if Name.LZWDecode in named:
        before = named[: named.index(Name.LZWDecode)]
        if len(stream.read_raw_bytes()) > _MOST_LZW or not {*map(str, before)} <= {
            "/ASCII85Decode",
            "/ASCIIHexDecode",
        }:
            raise _too_large()
    try:
        return stream.read_bytes()
    except RuntimeError as error:
        raise (_too_large() if "limit" in str(error) else error) from None


def content(source: Object, effort: Effort) -> bytes:
    """The content of a stream, or of all of a page's. Raises TooMuch, and whatever damage is read with."""
    listed = source.get("/Contents") if not isinstance(source, Stream) else source
    streams = [one for one in (listed if isinstance(listed, Array) else [listed]) if isinstance(one, Stream)]
    parts, size = list[bytes](), 0
    for stream in streams:
        data = unpacked(stream)
        size += len(data)
        effort.take(40 + len(data.translate(None, _NO_ENDS)))
        if size > MOST_CONTENT:
            raise _too_large()
        parts.append(data)
    return b"\n".join(parts)


def _too_large() -> ValueError:
    return ValueError("a stream unpacks to more than anybody prints")
