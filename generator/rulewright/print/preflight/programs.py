"""The programs of fonts, as they are embedded in a PDF: which glyphs there are, and what box each fills.

A glyph is asked for by its number, its name or its CID. Boxes are in thousandths of the size of type.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from rulewright.print.preflight.geometry import Box

Key = int | str


class TrueType:
    """A TrueType program, or an OpenType one. A glyph's key is its number."""

    def __init__(self, data: bytes) -> None:
        self.font = TTFont(io.BytesIO(data), lazy=True, fontNumber=0)
        self.scale = 1000 / self.font["head"].unitsPerEm
        self.count: int = self.font["maxp"].numGlyphs
        try:
            self.font.getGlyphOrder()
        except Exception:  # a damaged table of names, which nobody needs
            self.font.setGlyphOrder([f"glyph{number:05d}" for number in range(self.count)])

    def has(self, key: Key) -> bool:
        return isinstance(key, int) and 0 <= key < self.count

    def box(self, key: Key) -> Box | None:
        if not isinstance(key, int) or not self.has(key):
            return None
        if "glyf" in self.font:
            glyph = self.font["glyf"][self.font.getGlyphName(key)]
            if not glyph.numberOfContours:
                return None
            edges: tuple[float, float, float, float] | None = (glyph.xMin, glyph.yMin, glyph.xMax, glyph.yMax)
        else:
            edges = _drawn(self.font.getGlyphSet()[self.font.getGlyphName(key)])
        return _scaled(edges, self.scale)

    @cached_property
    def maps(self) -> Mapping[tuple[int, int], Mapping[int, str]]:
        """Its tables from codes to glyphs, by platform and encoding."""
        try:
            return {(table.platformID, table.platEncID): table.cmap for table in self.font["cmap"].tables}
        except Exception:  # there is no such table, or a damaged one
            return {}

    def number(self, name: str) -> int:
        return int(self.font.getGlyphID(name))

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(self.font.getGlyphOrder())


class Compact:
    """A CFF program. A glyph's key is its name, or its CID where the program is one of CIDs."""

    def __init__(self, data: bytes) -> None:
        from fontTools.cffLib import CFFFontSet

        fonts = CFFFontSet()
        fonts.decompile(io.BytesIO(data), None)
        self.top = fonts[0]
        self.by_cid = hasattr(self.top, "ROS")
        self.strings = self.top.CharStrings
        matrix = getattr(self.top, "FontMatrix", None) or [0.001]
        self.scale = 1000 * float(matrix[0]) if matrix[0] else 1.0

    def name(self, key: Key) -> str | None:
        if not isinstance(key, int):
            return key if key in self.strings else None
        if key == 0:
            return ".notdef"
        if self.by_cid:
            name = f"cid{key:05d}"
        else:  # a CID is the number of the glyph where the program has no CIDs
            name = self.top.charset[key] if key < len(self.top.charset) else ""
        return name if name in self.strings else None

    def has(self, key: Key) -> bool:
        return self.name(key) is not None

    def box(self, key: Key) -> Box | None:
        name = self.name(key)
        return _scaled(_drawn(self.strings[name]), self.scale) if name else None

    @cached_property
    def encoding(self) -> list[str]:
        """The names of its glyphs by code."""
        from fontTools.encodings.StandardEncoding import StandardEncoding

        found = getattr(self.top, "Encoding", "StandardEncoding")
        return StandardEncoding if isinstance(found, str) else list(found)


class Type1:
    """A Type 1 program. A glyph's key is its name."""

    def __init__(self, data: bytes) -> None:
        from fontTools import t1Lib

        font: Any = t1Lib.T1Font.__new__(t1Lib.T1Font)
        if b"0" * 64 not in data:  # which ends the encrypted part, and a PDF may leave out
            data += b"\n" + (b"0" * 64 + b"\n") * 8 + b"cleartomark\n"
        chunks = t1Lib.findEncryptedChunks(data)
        font.encoding = "ascii"
        font.data = b"".join(
            t1Lib.deHexString(chunk) if hidden and t1Lib.isHex(chunk[:4]) else chunk
            for hidden, chunk in chunks
        )
        font.parse()
        self.strings = font.font["CharStrings"]
        self.glyphs = font.getGlyphSet()
        self.scale = 1000 * float((font.font.get("FontMatrix") or [0.001])[0])
        self.encoding = [str(name) for name in font.font.get("Encoding") or []]

    def has(self, key: Key) -> bool:
        return key in self.strings

    def box(self, key: Key) -> Box | None:
        return _scaled(_drawn(self.glyphs[key]), self.scale) if self.has(key) else None


Program = TrueType | Compact | Type1

MAKERS: Mapping[str, Callable[[bytes], Program]] = {
    "/FontFile": Type1,
    "/FontFile2": TrueType,
    "/FontFile3": lambda data: (TrueType if data[:4] in (b"OTTO", b"\0\1\0\0", b"true") else Compact)(data),
}


def program(entry: str, data: bytes) -> Program | None:
    """The program that a font's descriptor holds at an entry; None where it is damaged."""
    try:
        return MAKERS[entry](data)
    except Exception:  # fontTools raises whatever the bytes lead it to
        return None


def _drawn(glyph: Any) -> tuple[float, float, float, float] | None:
    pen = BoundsPen(None)
    glyph.draw(pen)
    return pen.bounds  # type: ignore[no-any-return]


def _scaled(edges: tuple[float, float, float, float] | None, scale: float) -> Box | None:
    if edges is None:
        return None
    left, low, right, high = edges
    return left * scale, low * scale, right * scale, high * scale
