"""Typst: a template of `templates/print/` with data and pictures, set as a PDF.

    template + data.json + pictures ──a folder for a moment──► Typst ──► PDF/UA-1

Nothing of the content is ever a template, no typeface of the machine is used, and there is no clock: the same
data gives the same bytes. Typst keeps what it has laid out for the next time, so that an edit costs little.
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
FACES = PRINT / "fonts"
_UNSETTLED = "did not converge"


@cache
def missing() -> str:
    """Say what printing needs and how to install it; return "" if nothing is missing."""
    return missing_extra("printing", "pdf", "typst", "pikepdf", "pypdfium2", "segno", "PIL")


@dataclass(frozen=True, slots=True)
class CompiledPdf:
    """A PDF as Typst made it, without what the press wants of it; `metadata`: what its template tells of
    it.
    """

    pdf: bytes
    pages: int
    metadata: tuple[Any, ...] = ()


class TypstError(Exception):
    """Typst can make nothing of it.

    `messages` are its complaints; `did_not_converge`: pages chase one another.
    """

    def __init__(self, said: tuple[str, ...]) -> None:
        super().__init__("; ".join(said))
        self.messages = said

    @property
    def did_not_converge(self) -> bool:
        return any(_UNSETTLED in message for message in self.messages)


@cache
def font_files() -> Any:
    """The typefaces of print."""
    import typst

    return typst.Fonts(False, False, [FACES])


@cache
def available_glyphs() -> frozenset[str]:
    """Return every character that one of the families has."""
    return frozenset(chr(code) for file in FACES.glob("*-Regular.ttf") for code in _codes(file.read_bytes()))


def _codes(font: bytes) -> Iterator[int]:
    """Iterate the codes of a typeface of ours: the ranges of its first `cmap` subtable, in format 4."""
    (cmap,) = unpack_from(">I", font, font.index(b"cmap", 12) + 8)
    table = cmap + unpack_from(">I", font, cmap + 8)[0]
    count = unpack_from(">H", font, table + 6)[0] // 2
    ends = unpack_from(f">{count}H", font, table + 14)
    starts = unpack_from(f">{count}H", font, table + 16 + 2 * count)
    for first, last in zip(starts[:-1], ends[:-1], strict=True):  # the last range ends the table
        yield from range(first, last + 1)


def compile_pdf(
    template: str,
    data: Mapping[str, Any],
    pictures: Mapping[str, bytes],
    label: str = "",
    standard: Literal["ua-1", "1.4", "1.7"] = "ua-1",
    own_templates: Mapping[str, bytes] = MappingProxyType({}),
) -> CompiledPdf:
    """Set a template as a PDF. Raises TypstError if Typst complains of anything.

    `label`: the label of the metadata that the template writes about its pages. `standard`: a PDF standard;
    only PDF/UA-1 has tags.
    `own_templates`: templates of the project, which replace those of the same name.
    """
    import pypdfium2
    import typst

    with _staged(template, data, pictures, own_templates) as main:
        made, warnings = typst.compile_with_warnings(
            main,
            timestamp=0,
            format="pdf",
            pdf_standards=standard,
            pdf_tags=bool(label),
            **_around(main),
        )
        if warnings:
            raise TypstError(tuple(dict.fromkeys(warning.message for warning in warnings)))
        # Typst knows the pages that it has just laid out.
        told = json.loads(typst.query(main, f"<{label}>", field="value", **_around(main))) if label else ()
    return CompiledPdf(made, len(pypdfium2.PdfDocument(made)), tuple(told))


def _around(main: Path) -> dict[str, Any]:
    return {"root": main.parent, "font_paths": font_files()}


@cache
def template_files() -> Mapping[str, bytes]:
    """Return the templates by their names."""
    return {file.relative_to(PRINT).as_posix(): file.read_bytes() for file in PRINT.rglob("*.typ")}


@contextmanager
def _staged(
    template: str,
    data: Mapping[str, Any],
    pictures: Mapping[str, bytes],
    own_templates: Mapping[str, bytes],
) -> Iterator[Path]:
    """Write a template with its data into a temporary folder: Typst takes only text from memory."""
    import typst

    with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        root = Path(folder).resolve()
        for name, content in {**template_files(), **own_templates}.items():
            path = root / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        (root / "data.json").write_text(json.dumps(data, ensure_ascii=False), "utf-8")
        for name, content in pictures.items():
            path = (root / name).resolve()
            if path.is_relative_to(root):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        try:
            yield root / template
        except typst.TypstError as error:
            raise TypstError(
                (f"{error.message} ({'; '.join(error.hints)})" if error.hints else error.message,)
            ) from None
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # which is no Exception, and has no name to import
                raise
            raise TypstError((f"Typst stumbles over it: {error}",)) from None
