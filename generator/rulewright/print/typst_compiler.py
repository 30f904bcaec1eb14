"""Typst: a template of `templates/print/` with data and pictures, set as a PDF.

    template + data.json + pictures ──a folder for a moment──► Typst ──► PDF/UA-1

Nothing of the content is ever a template, no typeface of the machine is used, and there is no clock: the same
data gives the same bytes. Typst keeps what it has laid out for the next time, so that an edit costs little.
"""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Any

from rulewright.files import limits
from rulewright.files.content_folder import CONTENT
from rulewright.files.install_origin import missing_extra
from rulewright.files.resources import TEMPLATES
from rulewright.files.sanitizer import sanitize_svg
from rulewright.render.responsive_images import size_of

PRINT = TEMPLATES / "print"
FACES = PRINT / "fonts"
DRAWN = "drawn"
"""The folder of pictures that are drawn from data."""

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
) -> CompiledPdf:
    """Set a template as a PDF/UA-1. Raises Refused where Typst complains of anything.

    `label`: that of the metadata in which the template tells of its pages.
    """
    import pypdfium2
    import typst

    with _staged(template, data, pictures) as main:
        made, warnings = typst.compile_with_warnings(
            main, timestamp=0, format="pdf", pdf_standards=["ua-1"], **_around(main)
        )
        if warnings:
            raise TypstError(tuple(dict.fromkeys(warning.message for warning in warnings)))
        # Typst knows the pages that it has just laid out.
        told = json.loads(typst.query(main, f"<{label}>", field="value", **_around(main))) if label else ()
    return CompiledPdf(made, len(pypdfium2.PdfDocument(made)), tuple(told))


def repair_image(name: str, content: bytes) -> bytes:
    """A picture that Typst reads: a PNG with wrong checksums, which most programs pass over, is written anew.

    Raises Refused for one that cannot be shown: Typst would complain, and not say of which. One of too many
    pixels is not unpacked.
    """
    from PIL import Image

    if name.lower().endswith(".svg"):
        if sanitize_svg(content) is None:
            raise TypstError((f"{name} is no drawing that can be read",))
        return content
    try:
        with Image.open(io.BytesIO(content)) as image:
            if image.width * image.height > limits.PIXELS.maximum:
                raise TypstError((f"{name}: {limits.PIXELS.describe}",))
            image.load()
            if image.format != "PNG" or _verified(content):
                return content
            image.save(made := io.BytesIO(), "PNG")
            return made.getvalue()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise TypstError((f"{name} is no picture that can be read",)) from None


def _verified(content: bytes) -> bool:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content)) as image:
            image.verify()
    except (OSError, SyntaxError, ValueError):
        return False
    return True


def _around(main: Path) -> dict[str, Any]:
    return {"root": main.parent, "font_paths": font_files()}


@contextmanager
def _staged(template: str, data: Mapping[str, Any], pictures: Mapping[str, bytes]) -> Iterator[Path]:
    """A template in a folder of its own: what is given in memory has to be text, which no picture is."""
    import typst

    with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        root = Path(folder).resolve()
        for file in PRINT.rglob("*.typ"):
            path = root / file.relative_to(PRINT)
            path.parent.mkdir(exist_ok=True)
            shutil.copyfile(file, path)
        # Of itself Typst would take a picture for as large as the dots to the inch that its file speaks of.
        sizes = {name: size for name, content in pictures.items() if (size := size_of(name, content))}
        (root / "data.json").write_text(json.dumps({**data, "sizes": sizes}, ensure_ascii=False), "utf-8")
        for name, content in pictures.items():
            path = (root / name).resolve()
            if path.is_relative_to(root / CONTENT) or path.is_relative_to(root / DRAWN):
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
