"""The fonts of a PDF: their names, whether they are embedded, and which codes have no glyph in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from math import inf
from struct import Struct

from pikepdf import Dictionary, Name, Object, Stream, String

from rulewright.print.preflight.objects import entry, listed
from rulewright.print.preflight.streams import unpacked

PROGRAMS = {
    "/FontFile": (b"%!", b"\x80\x01"),
    "/FontFile2": (b"\0\1\0\0", b"true", b"ttcf", b"OTTO"),
    "/FontFile3": (b"\1\0", b"OTTO", b"\0\1\0\0"),
}
"""The entries that hold a font, and how what stands in them may begin."""

MOST_GLYPHS = 65_536

_CODE = Struct(">H")
_KERNING = re.compile(rb"\)[-+.0-9\s]*\(")
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_READABLE = ("/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding")


class PdfFont:
    """A font as a page uses it."""

    def __init__(self, source: Dictionary) -> None:
        self.source = source
        self.kind = str(source.get("/Subtype", "/Type1"))[1:]
        self.name = _SUBSET.sub("", str(source.get("/BaseFont", source.get("/Name", "/unnamed")))[1:])
        self.child = next(iter(listed(source.get("/DescendantFonts"))), source)
        descriptor = entry(self.child, "/FontDescriptor")
        self.descriptor = descriptor if isinstance(descriptor, Dictionary) else Dictionary()
        self.entry = next((e for e in PROGRAMS if isinstance(self.descriptor.get(e), Stream)), None)
        self.replaces = _replaces(source.get("/ToUnicode"))
        """Whether something set in it may read as the sign that stands for a lost one."""
        self.cost: int | None = None
        """The operators that its dearest glyph takes, of a Type 3 font that was gone through."""
        self.pixels = inf
        """The fewest pixels for each unit of type that a glyph has which is a picture."""

    @property
    def embedded(self) -> bool:
        """Whether its glyphs are in the PDF; those of a Type 3 font always are."""
        return self.entry is not None or self.kind == "Type3"

    @cached_property
    def program(self) -> bytes | None:
        """The embedded font program; None where it is no font, or unpacks to more than one."""
        try:
            data = unpacked(self.descriptor[self.entry]) if self.entry else b""
        except Exception:  # whatever a damaged stream is read with
            return None
        return None if self.entry and not data.startswith(PROGRAMS[self.entry]) else data

    @property
    def families(self) -> frozenset[str]:
        """The names that it may be known by: its own and that of its family."""
        return frozenset({self.name, str(self.descriptor.get("/FontFamily", self.name))})

    @property
    def readable(self) -> bool:
        """Whether its codes can be turned into text: by a table of its own or an encoding that all know."""
        encoding = self.source.get("/Encoding")
        base = entry(encoding, "/BaseEncoding") or encoding
        return "/ToUnicode" in self.source or (self.kind != "Type0" and str(base) in _READABLE)

    @cached_property
    def _absent(self) -> frozenset[int]:
        """The codes of a simple font that certainly have no glyph."""
        drawn = entry(self.source, "/CharProcs")
        there = {*drawn.keys()} if isinstance(drawn, Dictionary) else set()
        named, code = dict[int, str](), 0
        for one in listed(entry(self.source, "/Encoding", "/Differences")):
            if isinstance(one, Name):
                named[code] = str(one)
                code += 1
            elif isinstance(one, int):
                code = one
        if self.kind == "Type3":
            return frozenset(code for code in range(256) if named.get(code) not in there)
        return frozenset(code for code, name in named.items() if name == "/.notdef")

    @cached_property
    def _glyphs(self) -> bytes:
        """The numbers of a composite font's glyphs, two bytes for each code; empty where they are equal."""
        table = entry(self.child, "/CIDToGIDMap")
        try:
            return unpacked(table) if isinstance(table, Stream) else b""
        except Exception:  # whatever a damaged stream is read with
            return b""

    @cached_property
    def _count(self) -> int:
        """The number of glyphs in a TrueType font, by its table maxp; the most there can be in any other."""
        data = self.program if self.entry == "/FontFile2" else None
        for at in range(12, 12 + 16 * int.from_bytes(data[4:6]), 16) if data else ():
            if data and data[at : at + 4] == b"maxp":
                start = int.from_bytes(data[at + 8 : at + 12])
                return int.from_bytes(data[start + 4 : start + 6])
        return MOST_GLYPHS

    @cached_property
    def _told(self) -> bool:
        """Whether anything is known of which codes have no glyph."""
        if self.kind != "Type0":
            return bool(self._absent)
        return str(self.source.get("/Encoding")) in ("/Identity-H", "/Identity-V")

    def lacking(self, shown: Sequence[bytes]) -> list[int]:
        """Which operands, of operators that show text, have a code that certainly has no glyph."""
        if not self._told or not self._lacks(shown):
            return []
        return [at for at, raw in enumerate(shown) if self._lacks([raw])]

    def _lacks(self, shown: Sequence[bytes]) -> bool:
        """Whether any operand of some has such a code. Kerning goes first: most strings are parted by it."""
        joined = b"".join(map(_unkerned, shown))
        try:
            parts = listed(Object.parse(b"[" + joined + b"]"))
        except Exception:  # whatever damaged operands are read with: one by one, the others are told of
            return len(shown) > 1
        texts = [bytes(one) for part in parts for one in listed(part) or [part] if isinstance(one, String)]
        if self.kind != "Type0":
            return any(code in self._absent for code in set(b"".join(texts)))
        codes = {code for text in texts for (code,) in _CODE.iter_unpack(text[: len(text) // 2 * 2])}
        if not self._glyphs:
            return any(not 0 < code < self._count for code in codes)
        return any(self._glyphs[2 * code : 2 * code + 2] in (b"", b"\0\0") for code in codes)


def _unkerned(raw: bytes) -> bytes:
    """Operands of one string, where that certainly means the same."""
    found = _KERNING.sub(b"", raw)
    return raw if b"\\(" in raw or b"\\)" in raw or found.count(b"(") != 1 else found


def _replaces(table: Object | None) -> bool:
    try:
        return not isinstance(table, Stream) or b"FFFD" in unpacked(table).upper()
    except Exception:  # whatever a damaged stream is read with
        return True
