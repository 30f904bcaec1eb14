"""The conditions of PDF/UA-1 on the programs of fonts: the lists of their glyphs, and the way to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pikepdf import Array, Dictionary, Name, Stream, String

from rulewright.print.preflight.conditions import Condition, collect, having
from rulewright.print.preflight.fonts import SYMBOLIC, Font
from rulewright.print.preflight.geometry import number_of
from rulewright.print.preflight.programs import Compact, TrueType, Type1
from rulewright.print.preflight.streams import unpacked
from rulewright.print.preflight.structure import Structure
from rulewright.source.problems import shown

CONDITIONS: list[Condition] = []
condition = collect(CONDITIONS)


def _embedded_maps(structure: Structure) -> list[Font]:
    return [f for f, _ in structure.fonts if f.composite and isinstance(f.source.get("/Encoding"), Stream)]


@condition("17-003", "a character of a formula cannot be told in Unicode", having("Formula"))
def mute(structure: Structure) -> Iterator[str]:
    inside = {content for e in structure.elements if e.within("Formula") for content in e.contents}
    for page, painting in zip(structure.pages, structure.paintings, strict=True):
        for text in painting.texts:
            if (page.source.objgen[0], text.tag.content) in inside and any(
                letter.glyph.text is None for letter in text.letters
            ):
                yield f"a character of {shown(text.font.name)} on page {page.number}"


@condition("31-007", "a CMap says two different things of its direction", _embedded_maps)
def directions(structure: Structure) -> Iterator[str]:
    for font in _embedded_maps(structure):
        encoding = font.source["/Encoding"]
        inside = re.search(rb"/WMode\s+(\d)", unpacked(encoding))
        if int(number_of(encoding.get("/WMode"), 0)) != (int(inside[1]) if inside else 0):
            yield shown(font.name)


def _listing(structure: Structure) -> Iterator[tuple[Font, set[str], set[str]]]:
    """Type 1 fonts with a list of their glyphs: the names listed, and those in the program."""
    for font, _ in structure.fonts:
        listed, program = font.descriptor.get("/CharSet"), font.program
        if not font.composite and isinstance(listed, String) and isinstance(program, Type1 | Compact):
            yield font, set(re.findall(r"/([^/\s]+)", str(listed))), set(map(str, program.strings.keys()))


def _has_listing(structure: Structure) -> object:
    return list(_listing(structure))


@condition("31-012", "a glyph of a font is not in the list of its glyphs", _has_listing)
def unlisted(structure: Structure) -> Iterator[str]:
    for font, listed, own in _listing(structure):
        yield from (f"{shown(name)} of {shown(font.name)}" for name in sorted(own - listed - {".notdef"}))


@condition("31-013", "a glyph that a font lists is not in it", _has_listing)
def absent(structure: Structure) -> Iterator[str]:
    for font, listed, own in _listing(structure):
        yield from (f"{shown(name)} of {shown(font.name)}" for name in sorted(listed - own))


def _sets(structure: Structure) -> Iterator[tuple[Font, set[int], set[int]]]:
    """Fonts with a set of their CIDs: the CIDs in the set, and those in the program."""
    for font, _ in structure.fonts:
        stream = font.descriptor.get("/CIDSet")
        if not font.composite or not isinstance(stream, Stream) or font.program is None:
            continue
        bits = unpacked(stream)[: 65_536 // 8]
        listed = {8 * at + bit for at, byte in enumerate(bits) for bit in range(8) if byte & 0x80 >> bit}
        if isinstance(font.program, Compact) and font.program.by_cid:
            own = {0, *(int(name[3:]) for name in font.program.strings.keys() if name.startswith("cid"))}  # noqa: SIM118
        elif isinstance(font.program, Compact):
            own = set(range(len(font.program.strings)))
        elif isinstance(font.program, TrueType) and font.child.get("/CIDToGIDMap") == Name.Identity:
            own = set(range(font.program.count))
        else:  # a map of its own decides, and the set may name what the map leads to
            own = listed
        yield font, listed, own


def _has_sets(structure: Structure) -> object:
    return list(_sets(structure))


@condition("31-014", "a glyph of a font is not in the set of its CIDs", _has_sets)
def outside(structure: Structure) -> Iterator[str]:
    for font, listed, own in _sets(structure):
        yield from (f"{cid} of {shown(font.name)}" for cid in sorted(own - listed))


@condition("31-015", "the set of a font's CIDs has one that is not in it", _has_sets)
def beyond(structure: Structure) -> Iterator[str]:
    for font, listed, own in _sets(structure):
        yield from (f"{cid} of {shown(font.name)}" for cid in sorted(listed - own))


def _plain(structure: Structure) -> list[tuple[Font, frozenset[int]]]:
    return [
        (font, codes)
        for font, codes in structure.fonts
        if font.kind == "TrueType" and not int(number_of(font.descriptor.get("/Flags"), 0)) & SYMBOLIC
    ]


@condition("31-018", "a glyph of a plain TrueType font is in none of its tables of characters", _plain)
def untold(structure: Structure) -> Iterator[str]:
    for font, codes in _plain(structure):
        if isinstance(font.program, TrueType):
            yield from (
                f"code {code:#x} of {shown(font.name)}"
                for code in sorted(codes)
                if font.key(code) in (None, 0)
            )


@condition(
    "31-023",
    "a plain TrueType font's encoding differs from its base, and there is no table of Unicode",
    _plain,
)
def differing(structure: Structure) -> Iterator[str]:
    for font, _ in _plain(structure):
        encoding = font.source.get("/Encoding")
        differs = isinstance(encoding, Dictionary) and isinstance(encoding.get("/Differences"), Array)
        if differs and isinstance(font.program, TrueType) and (3, 1) not in font.program.maps:
            yield shown(font.name)
