"""Typst: a template of `templates/print/` with data and pictures, set as a PDF.

    template + data.json + pictures ──a temporary folder──► Typst ──► PDF/UA-1

Nothing of the content is ever a template, no font of the machine is used, and there is no clock: the same
data gives the same bytes. Typst caches what it has laid out, so that an edit costs little.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from rulewright.files.install_origin import missing_extra
from rulewright.files.resources import TEMPLATES

PRINT = TEMPLATES / "print"
FONTS = PRINT / "fonts"
_NO_GLYPH = re.compile(r'the text `"([^"`]+)"` could not be displayed')


Standard = Literal["ua-1", "1.4", "1.7"]


@cache
def missing() -> str:
    """Say what printing needs and how to install it; return "" if nothing is missing."""
    return missing_extra("printing", "pdf", "typst", "pikepdf", "pypdfium2", "segno", "PIL")


@dataclass(frozen=True, slots=True)
class CompiledPdf:
    """PDF of Typst before it is finished for the press.

    `metadata`: what its template reports with the label <report>.
    """

    pdf: bytes
    pages: int
    metadata: tuple[Any, ...] = ()


class TypstError(Exception):
    """Typst cannot set a template, or warns of something; `missing_glyphs`: characters that no font has."""

    def __init__(self, message: str, diagnostic: str = "") -> None:
        super().__init__(message)
        self.missing_glyphs = sorted(set("".join(_NO_GLYPH.findall(diagnostic))))


@cache
def font_files() -> Any:
    """The fonts of print."""
    import typst

    return typst.Fonts(False, False, [FONTS])


@cache
def template_files() -> Mapping[str, bytes]:
    """Return the templates by name."""
    return {file.name: file.read_bytes() for file in PRINT.glob("*.typ")}


def compile_pdf(
    template: str,
    data: Mapping[str, Any],
    files: Mapping[str, bytes],
    standard: Standard = "ua-1",
) -> CompiledPdf:
    """Set a template as a PDF, which has tags only as PDF/UA-1. Raises TypstError if Typst reports anything.

    `files`: pictures, and templates of the project, which replace those of the same name.
    """
    import pypdfium2
    import typst

    staged = {**template_files(), **files, "data.json": json.dumps(data).encode()}
    with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        root = Path(folder).resolve()
        for name, content in staged.items():  # Typst takes only text from memory
            (root / name).write_bytes(content)
        given: dict[str, Any] = {"root": root, "font_paths": font_files()}
        try:
            pdf, warnings = typst.compile_with_warnings(
                root / template, timestamp=0, pdf_standards=standard, pdf_tags=standard == "ua-1", **given
            )
            # Typst knows the pages that it has just laid out.
            report = typst.query(root / template, "<report>", field="value", **given)
        except typst.TypstError as error:
            raise TypstError("; ".join((error.message, *error.hints)), error.diagnostic) from None
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # no Exception, and without a name to import
                raise
            raise TypstError(f"Typst panics: {error}") from None
    if warnings:
        raise TypstError("; ".join(dict.fromkeys(warning.message for warning in warnings)))
    return CompiledPdf(pdf, len(pypdfium2.PdfDocument(pdf)), tuple(json.loads(report)))
