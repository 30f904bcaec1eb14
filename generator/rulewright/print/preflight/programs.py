"""The programs of fonts, as they are embedded in a PDF: which glyphs there are, and what box each fills.

A glyph is asked for by its number, its name or its CID. Boxes are in thousandths of the size of type.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from rulewright.print.preflight.geometry import Box
from rulewright.print.preflight.streams import Effort, TooMuch

Key = int | str
SIGNS = (b"\0\1\0\0", b"OTTO", b"true", b"ttcf")
"""What a TrueType or OpenType program begins with that is not packed in a way of its own."""

_LEAD = re.compile(rb"/lenIV\s+(\d)")
_STRING = re.compile(
    rb"(?:\bdup\s+(?P<number>\d{1,5})|/(?P<name>[^\s/(){}<>\[\]%]{1,127}))\s+(?P<length>\d{1,5})\s+(?:RD|-\|)\s"
)
_MATRIX = re.compile(rb"/FontMatrix\s*[\[{]\s*([-+.\deE]{1,30})")
_PUT = re.compile(rb"\bdup\s+(\d{1,3})\s*/([^\s/(){}<>\[\]%]{1,127})\s+put\b")


class TrueType:
    """A TrueType program, or an OpenType one. A glyph's key is its number."""

    def __init__(self, data: bytes, effort: Effort) -> None:
        if data[:4] not in SIGNS:
            raise ValueError("it is packed as for the web")
        self.effort = effort
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
            edges = _drawn(self.font["CFF "].cff[0].CharStrings[self.font.getGlyphName(key)], self.effort)
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

    def __init__(self, data: bytes, effort: Effort) -> None:
        from fontTools.cffLib import CFFFontSet

        fonts = CFFFontSet()
        fonts.decompile(io.BytesIO(data), None)
        self.effort = effort
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
        return _scaled(_drawn(self.strings[name], self.effort), self.scale) if name else None

    @cached_property
    def encoding(self) -> list[str]:
        """The names of its glyphs by code."""
        from fontTools.encodings.StandardEncoding import StandardEncoding

        found = getattr(self.top, "Encoding", "StandardEncoding")
        return StandardEncoding if isinstance(found, str) else list(found)


class Type1:
    """A Type 1 program. A glyph's key is its name.

    It is read by the forms that its parts always have, not run as the PostScript that it is.
    """

    def __init__(self, data: bytes, effort: Effort) -> None:
        from fontTools import t1Lib
        from fontTools.encodings.StandardEncoding import StandardEncoding
        from fontTools.misc import eexec
        from fontTools.misc.psCharStrings import T1CharString

        effort.take(len(data))
        if b"0" * 64 not in data:  # which ends the encrypted part, and a PDF may leave out
            data += b"\n" + (b"0" * 64 + b"\n") * 8 + b"cleartomark\n"
        plain = hidden = b""
        for is_hidden, chunk in t1Lib.findEncryptedChunks(data):
            if is_hidden:
                raw = t1Lib.deHexString(chunk) if t1Lib.isHex(chunk[:4]) else chunk
                hidden += eexec.decrypt(raw, 55665)[0][4:]
            else:
                plain += chunk
        lead = int(m[1]) if (m := _LEAD.search(hidden)) else 4
        self.strings: dict[str, Any] = {}
        subrs: dict[int, Any] = {}
        at = 0
        while m := _STRING.search(hidden, at):
            at = m.end() + int(m["length"])
            string = T1CharString(eexec.decrypt(hidden[m.end() : at], 4330)[0][lead:], subrs=subrs)
            if m["name"]:
                self.strings[m["name"].decode("latin-1")] = string
            else:
                subrs[int(m["number"])] = string
        if not self.strings:
            raise ValueError("it has no glyphs")
        self.effort = effort
        self.scale = 1000 * (float(m[1]) if (m := _MATRIX.search(plain)) else 0.001)
        self.encoding = [".notdef"] * 256 if _PUT.search(plain) else StandardEncoding
        for m in _PUT.finditer(plain):
            self.encoding[int(m[1]) % 256] = m[2].decode("latin-1")

    def has(self, key: Key) -> bool:
        return key in self.strings

    def box(self, key: Key) -> Box | None:
        return (
            _scaled(_drawn(self.strings[key], self.effort), self.scale)
            if isinstance(key, str) and self.has(key)
            else None
        )


Program = TrueType | Compact | Type1

MAKERS: Mapping[str, Callable[[bytes, Effort], Program]] = {
    "/FontFile": Type1,
    "/FontFile2": TrueType,
    "/FontFile3": lambda data, effort: (TrueType if data[:4] in SIGNS else Compact)(data, effort),
}


def program(entry: str, data: bytes, effort: Effort) -> Program | None:
    """The program that a font's descriptor holds at an entry; None where it is damaged. Raises TooMuch."""
    effort.take(5_000 + len(data) // 16)
    try:
        return MAKERS[entry](data, effort)
    except TooMuch:
        raise
    except Exception:  # fontTools raises whatever the bytes lead it to
        return None


def _drawn(string: Any, effort: Effort) -> tuple[float, float, float, float] | None:
    """The box that a glyph of a Type 1 or CFF program fills, whose parts may call one another."""
    from fontTools.misc.psCharStrings import T1CharString, T1OutlineExtractor, T2OutlineExtractor

    base = T1OutlineExtractor if isinstance(string, T1CharString) else T2OutlineExtractor

    class Bounded(base):  # type: ignore[misc, valid-type]
        def execute(self, string: Any) -> None:
            effort.take(1 + len(string.bytecode or string.program))
            super().execute(string)

    pen = BoundsPen(None)
    if base is T1OutlineExtractor:
        Bounded(pen, string.subrs).execute(string)
    else:
        string.outlineExtractor = Bounded
        string.draw(pen)
    return pen.bounds  # type: ignore[no-any-return]


def _scaled(edges: tuple[float, float, float, float] | None, scale: float) -> Box | None:
    if edges is None:
        return None
    left, low, right, high = edges
    return left * scale, low * scale, right * scale, high * scale
