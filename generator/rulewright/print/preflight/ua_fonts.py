"""The conditions of PDF/UA-1 on fonts: that what is shown can be drawn and read by any machine."""

from __future__ import annotations

from collections.abc import Iterator

from fontTools.agl import AGL2UV
from pikepdf import Array, Dictionary, Name, Stream

from rulewright.print.preflight.conditions import Condition, collect
from rulewright.print.preflight.font_programs import TrueType
from rulewright.print.preflight.fonts import SYMBOLIC, Font
from rulewright.print.preflight.geometry import number_of
from rulewright.print.preflight.structure_tree import Structure
from rulewright.source.problems import shown

CONDITIONS: list[Condition] = []
condition = collect(CONDITIONS)

ALLOWED = 1.5
"""Tolerance for a glyph's width, in thousandths: 31-016 says one, and both are rounded."""


def _fonts(structure: Structure) -> object:
    return structure.fonts


def _composite(structure: Structure) -> list[Font]:
    return [font for font, _ in structure.fonts if font.composite]


def _true_type(structure: Structure) -> list[Font]:
    return [font for font, _ in structure.fonts if font.kind == "TrueType"]


def _symbolic(font: Font) -> bool:
    return bool(int(number_of(font.descriptor.get("/Flags"), 0)) & SYMBOLIC)


def _plain(structure: Structure) -> list[Font]:
    return [font for font in _true_type(structure) if not _symbolic(font)]


def _peculiar(structure: Structure) -> list[Font]:
    return [font for font in _true_type(structure) if _symbolic(font)]


def _ordering(font: Font) -> Iterator[tuple[str, object, object]]:
    """Collections that an embedded CMap and the CIDs declare, entry by entry."""
    encoding, own = font.source.get("/Encoding"), font.child.get("/CIDSystemInfo")
    system = encoding.get("/CIDSystemInfo") if isinstance(encoding, Stream) else None
    if isinstance(system, Array):
        system = system[0] if len(system) else None
    if isinstance(system, Dictionary) and isinstance(own, Dictionary):
        for key in ("/Registry", "/Ordering", "/Supplement"):
            yield key, system.get(key), own.get(key)


def _differs(structure: Structure, key: str) -> Iterator[str]:
    for font in _composite(structure):
        for name, there, here in _ordering(font):
            if name != key:
                continue
            if key == "/Supplement":
                wrong = number_of(here, 0) < number_of(there, 0)
            else:
                wrong = str(there) != str(here)
            if wrong:
                yield shown(font.name)


@condition("31-001", "a font and its CMap are of different registries", _composite)
def registries(structure: Structure) -> Iterator[str]:
    yield from _differs(structure, "/Registry")


@condition("31-002", "a font and its CMap are of different orderings", _composite)
def orderings(structure: Structure) -> Iterator[str]:
    yield from _differs(structure, "/Ordering")


@condition("31-003", "a font's supplement is older than its CMap's", _composite)
def supplements(structure: Structure) -> Iterator[str]:
    yield from _differs(structure, "/Supplement")


def _embedded_type2(structure: Structure) -> list[Font]:
    return [f for f in _composite(structure) if f.child.get("/Subtype") == Name.CIDFontType2 and f.embedded]


@condition("31-004", "a font's map from CIDs to glyphs is neither a stream nor Identity", _embedded_type2)
def strange_map(structure: Structure) -> Iterator[str]:
    for font in _embedded_type2(structure):
        mapped = font.child.get("/CIDToGIDMap")
        if mapped is not None and not isinstance(mapped, Stream) and mapped != Name.Identity:
            yield shown(font.name)


@condition("31-005", "a font has no map from CIDs to glyphs", _embedded_type2)
def no_map(structure: Structure) -> Iterator[str]:
    yield from (shown(f.name) for f in _embedded_type2(structure) if "/CIDToGIDMap" not in f.child)


PREDEFINED = frozenset(
    f"{name}-{way}"
    for name in [
        "GB-EUC",
        "GBpc-EUC",
        "GBK-EUC",
        "GBKp-EUC",
        "GBK2K",
        "UniGB-UCS2",
        "UniGB-UTF16",
        "B5pc",
        "HKscs-B5",
        "ETen-B5",
        "ETenms-B5",
        "CNS-EUC",
        "UniCNS-UCS2",
        "UniCNS-UTF16",
        "83pv-RKSJ",
        "90ms-RKSJ",
        "90msp-RKSJ",
        "90pv-RKSJ",
        "Add-RKSJ",
        "EUC",
        "Ext-RKSJ",
        "UniJIS-UCS2",
        "UniJIS-UCS2-HW",
        "UniJIS-UTF16",
        "KSC-EUC",
        "KSCms-UHC",
        "KSCms-UHC-HW",
        "KSCpc-EUC",
        "UniKS-UCS2",
        "UniKS-UTF16",
        "Identity",
    ]
    for way in "HV"
) | {"H", "V"}
"""The CMaps that every reader has: ISO 32000-1, table 118."""


@condition("31-006", "a CMap is neither embedded nor one that all readers have", _composite)
def unknown_map(structure: Structure) -> Iterator[str]:
    for font in _composite(structure):
        encoding = font.source.get("/Encoding")
        if not isinstance(encoding, Stream) and str(encoding)[1:] not in PREDEFINED:
            yield f"{shown(str(encoding))} of {shown(font.name)}"


@condition("31-008", "a CMap builds on one that not all readers have", _composite)
def foreign_map(structure: Structure) -> Iterator[str]:
    for font in _composite(structure):
        encoding = font.source.get("/Encoding")
        used = encoding.get("/UseCMap") if isinstance(encoding, Stream) else None
        if isinstance(used, Name) and str(used)[1:] not in PREDEFINED:
            yield f"{shown(str(used))} of {shown(font.name)}"


@condition("31-009", "a font is not embedded", _fonts)
def not_embedded(structure: Structure) -> Iterator[str]:
    yield from (shown(font.name) for font, _ in structure.fonts if not font.embedded)


@condition("31-011", "an embedded font lacks a glyph that is shown", _fonts)
def lacking(structure: Structure) -> Iterator[str]:
    for font, codes in structure.fonts:
        if font.program is None:
            continue
        for code in codes:
            key = font.key(code)
            if font.known[code].missing and key is not None and not font.program.has(key):
                yield f"code {code:#x} of {shown(font.name)}"


@condition("31-016", "the width of a glyph differs between a font and its dictionary", _fonts)
def widths(structure: Structure) -> Iterator[str]:
    for font, codes in structure.fonts:
        if not isinstance(font.program, TrueType) or "hmtx" not in font.program.font:
            continue
        metrics = font.program.font["hmtx"].metrics
        for code in codes:
            key = font.key(code)
            if isinstance(key, int) and font.program.has(key):
                own = metrics[font.program.font.getGlyphName(key)][0] * font.program.scale
                if abs(own - font.known[code].width) > ALLOWED:
                    yield f"code {code:#x} of {shown(font.name)}: {font.known[code].width:.0f}, not {own:.0f}"


@condition("31-017", "a plain TrueType font has no plain table of characters", _plain)
def tableless(structure: Structure) -> Iterator[str]:
    for font in _plain(structure):
        if isinstance(font.program, TrueType) and not {(3, 1), (1, 0), (0, 3)} & set(font.program.maps):
            yield shown(font.name)


@condition("31-019", "a plain TrueType font has no encoding", _plain)
def unencoded(structure: Structure) -> Iterator[str]:
    yield from (shown(font.name) for font in _plain(structure) if "/Encoding" not in font.source)


def _base(font: Font) -> object:
    encoding = font.source.get("/Encoding")
    return encoding.get("/BaseEncoding") if isinstance(encoding, Dictionary) else encoding


@condition("31-020", "a plain TrueType font's encoding has no base", _plain)
def baseless(structure: Structure) -> Iterator[str]:
    for font in _plain(structure):
        if "/Encoding" in font.source and _base(font) is None:
            yield shown(font.name)


@condition("31-021", "a plain TrueType font's encoding has another base than MacRoman or WinAnsi", _plain)
def other_base(structure: Structure) -> Iterator[str]:
    for font in _plain(structure):
        if _base(font) not in (None, Name.MacRomanEncoding, Name.WinAnsiEncoding):
            yield f"{shown(font.name)} has {_base(font)}"


@condition("31-022", "a plain TrueType font's encoding names glyphs that nobody knows", _plain)
def strange_names(structure: Structure) -> Iterator[str]:
    for font in _plain(structure):
        encoding = font.source.get("/Encoding")
        listed = encoding.get("/Differences") if isinstance(encoding, Dictionary) else None
        for item in listed if isinstance(listed, Array) else ():
            if isinstance(item, Name) and str(item)[1:] not in AGL2UV and str(item) != "/.notdef":
                yield f"{shown(str(item)[1:])} of {shown(font.name)}"


@condition("31-024", "a symbolic TrueType font has an encoding", _peculiar)
def encoded(structure: Structure) -> Iterator[str]:
    yield from (shown(font.name) for font in _peculiar(structure) if "/Encoding" in font.source)


@condition("31-025", "a symbolic TrueType font has no table of characters", _peculiar)
def symbol_tableless(structure: Structure) -> Iterator[str]:
    for font in _peculiar(structure):
        if isinstance(font.program, TrueType) and not font.program.maps:
            yield shown(font.name)


@condition("31-026", "a symbolic TrueType font has several tables and none for symbols", _peculiar)
def no_symbols(structure: Structure) -> Iterator[str]:
    for font in _peculiar(structure):
        maps = font.program.maps if isinstance(font.program, TrueType) else {}
        if len(maps) > 1 and (3, 0) not in maps:
            yield shown(font.name)


@condition("31-027", "a font does not say which characters its glyphs are", _fonts)
def silent(structure: Structure) -> Iterator[str]:
    for font, codes in structure.fonts:
        if font.to_unicode is None and any(font.known[code].text is None for code in codes):
            yield shown(font.name)


def _mapped(structure: Structure, *wrong: str) -> Iterator[str]:
    for font, _ in structure.fonts:
        texts = font.to_unicode.texts if font.to_unicode else {}
        if any(one in text for text in texts.values() for one in wrong):
            yield shown(font.name)


@condition("31-028", "a glyph is said to be the character zero", _fonts)
def zero(structure: Structure) -> Iterator[str]:
    yield from _mapped(structure, "\0")


@condition("31-029", "a glyph is said to be no character at all", _fonts)
def no_character(structure: Structure) -> Iterator[str]:
    yield from _mapped(structure, "\ufeff", "\ufffe")


@condition("31-030", "a glyph is shown that stands for missing ones", _fonts)
def notdef(structure: Structure) -> Iterator[str]:
    for font, codes in structure.fonts:
        for code in codes:
            if font.known[code].missing and (font.kind == "Type3" or font.key(code) in (None, 0, ".notdef")):
                yield f"code {code:#x} of {shown(font.name)}"
