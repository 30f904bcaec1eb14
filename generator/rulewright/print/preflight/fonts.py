"""The fonts of a PDF: the glyphs that the codes of a shown text reach, how wide they are and what they fill.

Measures are in thousandths of the size of type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from fontTools.agl import AGL2UV, toUnicode
from pikepdf import Array, Dictionary, Name, Object, Stream

from rulewright.print.preflight.cmaps import MOST, CMap, cmap_of
from rulewright.print.preflight.encodings import mac_code, names_of
from rulewright.print.preflight.geometry import Box, Matrix, number_of, rectangle
from rulewright.print.preflight.programs import Compact, Key, Program, TrueType, program
from rulewright.print.preflight.streams import Effort, TooMuch, unpacked

PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
SUBSET = re.compile(r"^[A-Z]{6}\+")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
SYMBOLIC = 4
"""The bit of a descriptor's flags that says that a font has an encoding of its own."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A glyph that a code reaches. `box` is None where it paints nothing; `missing`: its font has none."""

    code: int
    width: float
    box: Box | None
    missing: bool
    text: str | None
    space: bool = False
    """Whether word spacing applies to it."""


class Font:
    """A font as a page uses it. What is damaged in it is passed over and makes `damaged` true."""

    def __init__(self, source: Dictionary, effort: Effort) -> None:
        self.source, self.effort = source, effort
        self.kind = str(source.get("/Subtype", "/Type1"))[1:]
        self.composite = self.kind == "Type0"
        self.child = _descendant(source) if self.composite else source
        descriptor = self.child.get("/FontDescriptor")
        self.descriptor = descriptor if isinstance(descriptor, Dictionary) else Dictionary()
        self.entry = next((e for e in PROGRAMS if isinstance(self.descriptor.get(e), Stream)), None)
        self.name = SUBSET.sub("", str(source.get("/BaseFont", source.get("/Name", "/unnamed")))[1:])
        self.known: dict[int, Glyph] = {}

    @property
    def embedded(self) -> bool:
        """Whether its glyphs are in the PDF; those of a Type 3 font always are."""
        return self.entry is not None or self.kind == "Type3"

    @property
    def damaged(self) -> bool:
        """Whether its program is embedded but cannot be read."""
        return self.entry is not None and self.program is None

    @cached_property
    def program(self) -> Program | None:
        if self.entry is None:
            return None
        try:
            data = unpacked(self.descriptor[self.entry])
        except Exception:  # whatever a damaged stream is read with
            return None
        return program(self.entry, data, self.effort)

    @cached_property
    def families(self) -> frozenset[str]:
        """The names that it may be known by: its own and that of its family."""
        family = self.descriptor.get("/FontFamily")
        return frozenset({self.name, *([str(family)] if family is not None else [])})

    @cached_property
    def to_unicode(self) -> CMap | None:
        return cmap_of(self.source.get("/ToUnicode"), self.effort)

    @cached_property
    def matrix(self) -> Matrix:
        """From the space of glyphs to that of text, for a Type 3 font."""
        found = self.source.get("/FontMatrix")
        if isinstance(found, Array) and len(found) == 6:
            a, b, c, d, e, f = (number_of(value, 0.0) for value in found)
            return a, b, c, d, e, f
        return 0.001, 0.0, 0.0, 0.001, 0.0, 0.0

    @cached_property
    def vertical(self) -> bool:
        encoding = self.source.get("/Encoding")
        return self.composite and isinstance(encoding, Name) and str(encoding).endswith("-V")

    def glyphs(self, text: bytes) -> Iterator[Glyph]:
        """The glyphs of a shown text in order."""
        for code, length in self.codes(text):
            glyph = self.known.get(code)
            if glyph is None:
                glyph = self.known[code] = self._glyph(code, length)
            yield glyph

    def codes(self, text: bytes) -> Iterator[tuple[int, int]]:
        """The codes of a shown text, each with how many bytes it has."""
        if not self.composite:
            yield from ((byte, 1) for byte in text)
        elif self.encoding_map is not None:
            yield from self.encoding_map.split(text)
        else:
            yield from ((int.from_bytes(text[at : at + 2]), 2) for at in range(0, len(text), 2))

    @cached_property
    def encoding_map(self) -> CMap | None:
        """The embedded CMap of a composite font; the predefined ones are taken for two bytes a code."""
        return cmap_of(self.source.get("/Encoding"), self.effort) if self.composite else None

    def key(self, code: int) -> Key | None:
        """What the glyph of a code is called in the program; None where it has none, or is not known."""
        if self.composite:
            return self._composite_key(code)
        if isinstance(self.program, TrueType):
            return self._true_type_key(code, self.program)
        name = self.encoding.get(code)
        if name is None and self.program is not None:
            own = self.program.encoding
            name = own[code] if code < len(own) else None
        return name

    def _glyph(self, code: int, length: int) -> Glyph:
        space = length == 1 and code == 32
        text = self._text(code)
        if self.kind == "Type3":
            missing = self.encoding.get(code) not in self._drawings
            return Glyph(code, self._width(code), self._type3_box, missing, text, space)
        key = self.key(code)
        if self.program is None:
            width = self._width(code)
            blank = space or text == " "
            return Glyph(code, width, None if blank else (0.0, -200.0, width, 750.0), False, text, space)
        missing = key in (None, 0, ".notdef") or not self.program.has(key)
        try:
            box = self.program.box(0 if missing else key) if key is not None else None
        except TooMuch:
            raise
        except Exception:  # a damaged glyph, whatever fontTools says of it
            box, missing = None, True
        # The space is often left out of a subset: nothing is missing where nothing would be seen.
        if missing and text in (" ", "\N{NO-BREAK SPACE}") and key not in (0, ".notdef"):
            missing = False
        return Glyph(code, self._width(code), box, missing, text, space)

    def _composite_key(self, code: int) -> Key | None:
        cid = self.encoding_map.number(code) if self.encoding_map is not None else code
        if cid is None:
            return 0
        mapped = self.child.get("/CIDToGIDMap")
        if isinstance(self.program, TrueType) and isinstance(mapped, Stream):
            table = self._gids
            return int.from_bytes(table[2 * cid : 2 * cid + 2])
        if isinstance(self.program, TrueType) and "CFF " in self.program.font:
            cff = self.program.font["CFF "].cff[0]
            if hasattr(cff, "ROS"):
                return self.program.number(f"cid{cid:05d}") if f"cid{cid:05d}" in cff.CharStrings else 0
        return cid

    @cached_property
    def _gids(self) -> bytes:
        try:
            return unpacked(self.child["/CIDToGIDMap"])
        except Exception:  # whatever a damaged stream is read with
            return b""

    def _true_type_key(self, code: int, font: TrueType) -> Key | None:
        """The glyph of a code in a simple TrueType font, as ISO 32000-1, 9.6.6.4 finds it."""
        name = self.encoding.get(code)
        symbolic = bool(int(number_of(self.descriptor.get("/Flags"), 0)) & SYMBOLIC)
        if name is not None and not (symbolic and "/Encoding" not in self.source):
            unicode = AGL2UV.get(name) or (ord(u) if len(u := toUnicode(name)) == 1 else None)
            if unicode is not None and (glyph := font.maps.get((3, 1), {}).get(unicode)):
                return font.number(glyph)
            if (1, 0) in font.maps and (glyph := font.maps[1, 0].get(mac_code(name, code))):
                return font.number(glyph)
            if name in font.names:
                return font.number(name)
        for table in (font.maps.get((3, 0), {}), font.maps.get((1, 0), {})):
            for spot in (code, 0xF000 + code, 0xF100 + code, 0xF200 + code):
                if glyph := table.get(spot):
                    return font.number(glyph)
        return 0

    @cached_property
    def encoding(self) -> Mapping[int, str]:
        """The names that the font dictionary gives to codes; without those that only the program gives."""
        own = self.program is not None and not isinstance(self.program, TrueType)
        return names_of(self.source.get("/Encoding"), own=own or self.kind == "Type3")

    def _text(self, code: int) -> str | None:
        """What a code says, by the font's ToUnicode or by the name of its glyph."""
        if self.to_unicode is not None and (text := self.to_unicode.text(code)) is not None:
            return text
        if self.composite:
            return None
        name = self.encoding.get(code)
        if name is None and isinstance(self.program, Compact) and code < len(self.program.encoding):
            name = self.program.encoding[code]
        return (toUnicode(name) or None) if name else None

    def _width(self, code: int) -> float:
        if not self.composite:
            return self._widths.get(code, self._default)
        cid = self.encoding_map.number(code) if self.encoding_map is not None else code
        return self._widths.get(cid or 0, self._default)

    @cached_property
    def _default(self) -> float:
        if self.composite:
            return number_of(self.child.get("/DW"), 1000.0)
        unknown = 0.0 if self.embedded else 500.0
        return number_of(self.descriptor.get("/MissingWidth"), unknown)

    @cached_property
    def _widths(self) -> Mapping[int, float]:
        found: dict[int, float] = {}
        if not self.composite:
            first, listed = int(number_of(self.source.get("/FirstChar"), 0)), self.source.get("/Widths")
            scale = 1000 * self.matrix[0] if self.kind == "Type3" else 1.0
            for at, width in enumerate(listed if isinstance(listed, Array) else ()):
                found[first + at] = number_of(width, 0.0) * scale
            return found
        given = self.child.get("/W")
        items = iter(list(given) if isinstance(given, Array) else [])
        for start, to in zip(items, items, strict=False):
            at = int(number_of(start, 0))
            if isinstance(to, Array):
                found.update((at + more, number_of(width, 0.0)) for more, width in enumerate(to))
            else:
                end = min(int(number_of(to, 0)) + 1, at + MOST - len(found))
                found.update(dict.fromkeys(range(at, end), number_of(next(items, None), 0.0)))
        return found

    @cached_property
    def _drawings(self) -> frozenset[str]:
        drawn = self.source.get("/CharProcs")
        return frozenset(str(key)[1:] for key in drawn) if isinstance(drawn, Dictionary) else frozenset()

    @cached_property
    def _type3_box(self) -> Box | None:
        box = rectangle(self.source.get("/FontBBox"))
        if box is None:
            return None
        a, b, c, d, _, _ = self.matrix
        if b or c:
            return 0.0, 0.0, 1000.0, 1000.0
        edges = sorted((1000 * a * box[0], 1000 * a * box[2])), sorted((1000 * d * box[1], 1000 * d * box[3]))
        return edges[0][0], edges[1][0], edges[0][1], edges[1][1]

    def drawing(self, code: int) -> Object | None:
        """The content that draws a glyph of a Type 3 font."""
        drawn, name = self.source.get("/CharProcs"), self.encoding.get(code)
        found = drawn.get(f"/{name}") if isinstance(drawn, Dictionary) and name else None
        return found if isinstance(found, Stream) else None


def _descendant(source: Dictionary) -> Dictionary:
    children = source.get("/DescendantFonts")
    child = children[0] if isinstance(children, Array) and len(children) else None
    return child if isinstance(child, Dictionary) else Dictionary()
