"""Typst: a template of `templates/print/` with data and pictures, set as a PDF.

    template + data.json + pictures ──a temporary folder──► Typst ──► PDF/UA-1

Nothing of the content is ever a template, no font of the machine is used, and there is no clock: the same
data gives the same bytes. Typst caches what it has laid out, so that an edit costs little.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from struct import unpack_from
from types import MappingProxyType
from typing import Any, Literal

from rulewright.files.install_origin import missing_extra
from rulewright.files.resources import TEMPLATES

PRINT = TEMPLATES / "print"
FONTS = PRINT / "fonts"


@cache
def missing() -> str:
    """Say what printing needs and how to install it; return "" if nothing is missing."""
    return missing_extra("printing", "pdf", "typst", "pikepdf", "pypdfium2", "segno", "PIL")


@dataclass(frozen=True, slots=True)
class CompiledPdf:
    """PDF of Typst before it is finished for the press; `metadata`: what its template reports."""

    pdf: bytes
    pages: int
    metadata: tuple[Any, ...] = ()


class TypstError(Exception):
    """Typst cannot set a template, or warns of something."""


@cache
def font_files() -> Any:
    """The fonts of print."""
    import typst

    return typst.Fonts(False, False, [FONTS])


@cache
def available_glyphs() -> frozenset[str]:
    """Return every character that one of the font families has."""
    return frozenset(chr(code) for file in FONTS.glob("*-Regular.ttf") for code in _codes(file.read_bytes()))


def _codes(font: bytes) -> Iterator[int]:
    """Yield the codes of a font: the ranges of its first `cmap` subtable, in format 4."""
    (cmap,) = unpack_from(">I", font, font.index(b"cmap", 12) + 8)
    table = cmap + unpack_from(">I", font, cmap + 8)[0]
    count = unpack_from(">H", font, table + 6)[0] // 2
    ends = unpack_from(f">{count}H", font, table + 14)
    starts = unpack_from(f">{count}H", font, table + 16 + 2 * count)
    for first, last in zip(starts[:-1], ends[:-1], strict=True):  # the last range ends the table
        yield from range(first, last + 1)


@cache
def template_files() -> Mapping[str, bytes]:
    """Return the templates by name."""
    return {file.name: file.read_bytes() for file in PRINT.glob("*.typ")}


def compile_pdf(
    template: str,
    data: Mapping[str, Any],
    pictures: Mapping[str, bytes],
    label: str = "",
    standard: Literal["ua-1", "1.4", "1.7"] = "ua-1",
    own_templates: Mapping[str, bytes] = MappingProxyType({}),
) -> CompiledPdf:
    """Set a template as a PDF. Raises TypstError if Typst reports anything.

    `label`: the label of the metadata that the template reports; without it the PDF has no tags.
    `own_templates`: templates of the project, which replace those of the same name.
    """
    import pypdfium2
    import typst

    with _staged({**template_files(), **own_templates}, data, pictures) as root:
        given: dict[str, Any] = {"root": root, "font_paths": font_files()}
        try:
            pdf, warnings = typst.compile_with_warnings(
                root / template, timestamp=0, pdf_standards=standard, pdf_tags=bool(label), **given
            )
            # Typst knows the pages that it has just laid out.
            report = typst.query(root / template, f"<{label}>", field="value", **given) if label else "[]"
        except typst.TypstError as error:
            raise TypstError("; ".join((error.message, *error.hints))) from None
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # no Exception, and without a name to import
                raise
            raise TypstError(f"Typst panics: {error}") from None
    if warnings:
        raise TypstError("; ".join(dict.fromkeys(warning.message for warning in warnings)))
    return CompiledPdf(pdf, len(pypdfium2.PdfDocument(pdf)), tuple(json.loads(report)))


@contextmanager
def _staged(
    templates: Mapping[str, bytes], data: Mapping[str, Any], pictures: Mapping[str, bytes]
) -> Iterator[Path]:
    """Write all files into a temporary folder: Typst takes only text from memory."""
    with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        root = Path(folder).resolve()
        content = json.dumps(data, ensure_ascii=False).encode()
        for name, file in {**templates, "data.json": content, **pictures}.items():
            path = (root / name).resolve()
            if path.is_relative_to(root):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file)
        yield root
