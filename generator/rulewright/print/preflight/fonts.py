"""The fonts of a PDF: their names, whether they are embedded, and which codes have no glyph in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from math import inf

from pikepdf import Array, Dictionary, Name, Object, Stream, String

from rulewright.print.preflight.streams import unpacked

PROGRAMS = {
    "/FontFile": (b"%!", b"\x80\x01"),
    "/FontFile2": (b"\0\1\0\0", b"true", b"ttcf", b"OTTO"),
    "/FontFile3": (b"\1\0", b"OTTO", b"\0\1\0\0"),
}
"""The entries that hold a font, and how what stands in them may begin."""

MOST_GLYPHS = 65_536

_SUBSET = re.compile(r"^[A-Z]{6}\+")
_READABLE = ("/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding")


class PdfFont:
    """A font as a page uses it."""

    def __init__(self, source: Dictionary) -> None:
        self.source = source
        self.kind = str(source.get("/Subtype", "/Type1"))[1:]
        self.name = _SUBSET.sub("", str(source.get("/BaseFont", source.get("/Name", "/unnamed")))[1:])
        below = source.get("/DescendantFonts")
        child = below[0] if isinstance(below, Array) and len(below) else source
        self.child = child if isinstance(child, Dictionary) else source
        descriptor = self.child.get("/FontDescriptor")
        self.descriptor = descriptor if isinstance(descriptor, Dictionary) else Dictionary()
        self.pixels = inf
        """The fewest pixels for each unit of type that a glyph has which is a picture."""
        self.entry = next((e for e in PROGRAMS if isinstance(self.descriptor.get(e), Stream)), None)

    @property
    def embedded(self) -> bool:
        """Whether its glyphs are in the PDF; those of a Type 3 font always are."""
        return self.entry is not None or self.kind == "Type3"

    @cached_property
    def damaged(self) -> bool:
        """Whether what is embedded is no font, or unpacks to more than one."""
        if self.entry is None:
            return False
        try:
            return not unpacked(self.descriptor[self.entry]).startswith(PROGRAMS[self.entry])
        except Exception:  # whatever a damaged stream is read with
            return True

    @property
    def families(self) -> frozenset[str]:
        """The names that it may be known by: its own and that of its family."""
        return frozenset({self.name, str(self.descriptor.get("/FontFamily", self.name))})

    @property
    def readable(self) -> bool:
        """Whether its codes can be turned into text: by a table of its own or an encoding that all know."""
        encoding = self.source.get("/Encoding")
        base = encoding.get("/BaseEncoding", encoding) if isinstance(encoding, Dictionary) else encoding
        return "/ToUnicode" in self.source or (self.kind != "Type0" and str(base) in _READABLE)

    @cached_property
    def _named(self) -> dict[int, str]:
        """The glyphs that the encoding gives names to, by code."""
        encoding, found, code = self.source.get("/Encoding"), dict[int, str](), 0
        differences = encoding.get("/Differences") if isinstance(encoding, Dictionary) else None
        for one in differences if isinstance(differences, Array) else ():
            if isinstance(one, Name):
                found[code] = str(one)
                code += 1
            elif isinstance(one, int):
                code = one
        return found

    @cached_property
    def _glyphs(self) -> bytes:
        """The numbers of a composite font's glyphs, two bytes for each code; empty where they are equal."""
        table = self.child.get("/CIDToGIDMap")
        try:
            return unpacked(table) if isinstance(table, Stream) else b""
        except Exception:  # whatever a damaged stream is read with
            return b""

    @cached_property
    def _count(self) -> int:
        """The number of glyphs in a TrueType font, by its table maxp; the most there can be in any other."""
        if self.entry != "/FontFile2" or self.damaged:
            return MOST_GLYPHS
        data = unpacked(self.descriptor[self.entry])
        for at in range(12, 12 + 16 * int.from_bytes(data[4:6]), 16):
            if data[at : at + 4] == b"maxp":
                start = int.from_bytes(data[at + 8 : at + 12])
                return int.from_bytes(data[start + 4 : start + 6])
        return MOST_GLYPHS

    def lacking_in(self, raw: bytes) -> int:
        """The number of codes without a glyph in the operands of an operator that shows text."""
        certain = self.kind == "Type0" and not self._glyphs and self._count == MOST_GLYPHS
        if certain and b"\\000\\000" not in raw and b"\0" not in raw and b"<" not in raw:
            return 0
        try:
            shown = Object.parse(b"[" + raw + b"]")
        except Exception:  # whatever damaged operands are read with
            return 0
        parts = [one for part in shown for one in (part if isinstance(part, Array) else [part])]
        return self.lacking([bytes(one) for one in parts if isinstance(one, String)])

    def lacking(self, texts: Sequence[bytes]) -> int:
        """The number of codes in some shown texts that certainly have no glyph."""
        if self.kind == "Type3":
            procedures = self.source.get("/CharProcs")
            drawn = set(procedures.keys()) if isinstance(procedures, Dictionary) else set()
            return sum(self._named.get(code) not in drawn for text in texts for code in text)
        if self.kind != "Type0":
            return sum(self._named.get(code) == "/.notdef" for text in texts for code in text)
        if str(self.source.get("/Encoding")) not in ("/Identity-H", "/Identity-V"):
            return 0
        codes = (int.from_bytes(text[at : at + 2]) for text in texts for at in range(0, len(text), 2))
        if not self._glyphs:
            return sum(not 0 < code < self._count for code in codes)
        return sum(self._glyphs[2 * code : 2 * code + 2] in (b"", b"\0\0") for code in codes)
