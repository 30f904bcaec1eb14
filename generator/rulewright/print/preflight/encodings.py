"""The encodings of simple fonts: which name of a glyph a code has."""

from __future__ import annotations

from fontTools.agl import UV2AGL
from fontTools.encodings.MacRoman import MacRoman
from fontTools.encodings.StandardEncoding import StandardEncoding
from pikepdf import Array, Dictionary, Name, Object

from rulewright.print.preflight.geometry import number_of


def names_of(encoding: Object | None, *, own: bool) -> dict[int, str]:
    """The names that an Encoding gives to codes. `own`: the program has one that it is said against."""
    base = encoding.get("/BaseEncoding") if isinstance(encoding, Dictionary) else encoding
    names: dict[int, str] = {}
    if base == Name.WinAnsiEncoding:
        names = _win_ansi()
    elif base == Name.MacRomanEncoding:
        names = _listed(MacRoman)
    elif not own:
        names = _listed(StandardEncoding)
    differences = encoding.get("/Differences") if isinstance(encoding, Dictionary) else None
    at = 0
    for item in differences if isinstance(differences, Array) else ():
        if isinstance(item, Name):
            names[at] = str(item)[1:]
            at += 1
        else:
            at = int(number_of(item, 0))
    return names


def mac_code(name: str, otherwise: int) -> int:
    """The code of a name in the Macintosh's encoding, or another where it has none."""
    return MacRoman.index(name) if name in MacRoman else otherwise


def _listed(names: list[str]) -> dict[int, str]:
    return {code: name for code, name in enumerate(names) if name != ".notdef"}


def _win_ansi() -> dict[int, str]:
    """The names of Windows' Latin code page, in which all codes from 128 on that are free are bullets."""
    names = {}
    for code in range(32, 256):
        try:
            names[code] = UV2AGL.get(ord(bytes([code]).decode("cp1252")), "bullet")
        except UnicodeDecodeError:
            names[code] = "bullet"
    return names | {0xA0: "space", 0xAD: "hyphen", 127: "bullet"}
