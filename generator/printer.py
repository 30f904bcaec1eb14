"""The only file that knows the PDF engine: HTML is laid out, measured, and printed as tagged PDF/UA-1.

    html ──lay_out──► Laid ──measured by `fitting`; Laid.print──► Printed

HTML names styles and pictures by addresses that begin with `print:/`: a face as `print:/fonts/NAME`, any
other file by its name among the `files` that come with the HTML. Nothing else can be fetched, from a disk or
a network, and no font of the machine is used, so that the same HTML gives the same bytes everywhere.

The engine falls back in silence or with a warning; here every warning is a fault that the caller reports.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FONTS = Path(__file__).resolve().parent.parent / "templates" / "aids" / "fonts"
ADDRESS = "print:/"
VARIANT = "pdf/ua-1"

MM = 96 / 25.4
"""How many units of the engine, which are CSS pixels, a millimetre has."""

SLUG = 8.0
"""How far the paper reaches beyond the bleed where there are crop marks, in mm."""

MARK_GAP, MARK_LENGTH, HAIRLINE = 2.0, 5.0, 0.25
"""Crop marks: how far from the bleed they begin and how long they are, in mm; how thick, in points."""

INSTALL = "pip install 'rulewright[pdf]'"

Files = Mapping[str, bytes]


@cache
def missing() -> str:
    """What lacks for printing and the one command that installs it; empty where nothing does."""
    try:
        _engine()
    except ImportError:
        return f"WeasyPrint, which prints sheets, is not installed; to install it: {INSTALL}"
    except OSError as error:
        library = str(error).split("'")[1] if "'" in str(error) else "pango"
        return (
            f"the library {library}, which WeasyPrint sets type with, is not installed; to install it: "
            "apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 (macOS: brew install pango)"
        )
    from weasyprint.text import ffi

    if ffi.harfbuzz_subset is None:  # fonts would be cut by other code, with another result every time
        return "HarfBuzz's subsetter is not installed; to install it: apt install libharfbuzz-subset0"
    return ""


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished PDF: its bytes, how many pages it has, and what the engine complained of."""

    pdf: bytes
    pages: int
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edges:
    """What surrounds the trimmed page: `bleed` in mm, and crop marks; `black` draws them with black alone."""

    bleed: float = 0.0
    marks: bool = False
    black: bool = False

    @property
    def around(self) -> float:
        """How far the paper reaches beyond the trim, in mm."""
        return self.bleed + (SLUG if self.marks else 0)


@dataclass(frozen=True, slots=True)
class Box:
    """A box as it was laid out, in mm from the left and top trim of its page.

    `tag`, `classes` and `data` are its element's (`data` holds the attributes `data-…`); `words`: those of a
    run of text, `size` its type in points and `style` its weight and slant.
    """

    page: int
    x: float
    y: float
    width: float
    height: float
    tag: str
    classes: frozenset[str] = frozenset()
    data: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    size: float = 0.0
    parents: tuple[Box, ...] = ()

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def within(self, name: str) -> str:
        """The nearest value of an attribute `data-NAME` of the box or of one around it; empty where none."""
        return next((box.data[name] for box in (self, *reversed(self.parents)) if name in box.data), "")


@dataclass(slots=True)
class Laid:
    """HTML as it is laid out on pages. `faults` are the engine's complaints so far."""

    document: Any
    edges: Edges
    faults: tuple[str, ...]

    @property
    def pages(self) -> int:
        return len(self.document.pages)

    @property
    def anchors(self) -> dict[str, int]:
        """On which page, counted from 1, each element with an id begins."""
        found: dict[str, int] = {}
        for number, page in enumerate(self.document.pages, 1):
            for name in page.anchors:
                found.setdefault(name, number)
        return found

    def boxes(self) -> Iterator[Box]:
        """Every box of every page, each behind those around it."""
        for number, page in enumerate(self.document.pages):
            yield from _boxes(page._page_box, number, ())

    def glyphs_missing(self) -> Iterator[tuple[str, Box]]:
        """The characters that the faces do not have, each with the run of text it first stands in."""
        known, seen = characters(), set()
        for box in self.boxes():
            for character in sorted(set(box.words) - known - seen):
                seen.add(character)
                yield character, box

    def print(self) -> Printed:
        """The PDF of what is laid out."""
        with _complaints() as said:
            pdf = self.document.write_pdf(
                pdf_variant=VARIANT, finisher=self._finish, uncompressed_pdf=False, full_fonts=False
            )
        return Printed(pdf, self.pages, (*self.faults, *said))

    def _finish(self, document: Any, pdf: Any) -> None:
        """Set the bleed that the engine guesses, and draw crop marks, which it would draw in RGB."""
        pages = [one for one in pdf.objects if isinstance(one, dict) and one.get("Type") == "/Page"]
        for page in pages:
            trim = [float(edge) for edge in page["TrimBox"]]
            bleed = self.edges.bleed * 72 / 25.4
            left, bottom, right, top = trim[0] - bleed, trim[1] - bleed, trim[2] + bleed, trim[3] + bleed
            page["BleedBox"][:] = [left, bottom, right, top]
            if self.edges.marks:
                import pydyf

                marks = pydyf.Stream([_crop_marks(trim, self.edges)], compress=True)
                pdf.add_object(marks)
                page["Contents"] = pydyf.Array([page["Contents"], marks.reference])


def lay_out(
    html: str, styles: tuple[str, ...] = (), files: Files | None = None, edges: Edges = Edges()
) -> Laid:  # noqa: B008
    """Lay HTML out with style sheets, which are texts. `missing()` has to be empty.

    `files`: the pictures, by the names that addresses end with. Reports by `Laid.faults`.
    """
    weasyprint = _engine()
    fetcher = _fetcher()(files or {})
    with _complaints() as said:
        sheets = [_style(text) for text in styles]
        around = weasyprint.CSS(string=f"@page {{ bleed: {edges.around:.4f}mm }}")
        document = weasyprint.HTML(string=html, base_url=ADDRESS, url_fetcher=fetcher).render(
            stylesheets=[*sheets, around], font_config=_fonts(), pdf_variant=VARIANT
        )
    return Laid(document, edges, tuple(said))


def print_pdf(
    html: str,
    styles: tuple[str, ...] = (),
    files: Files | None = None,
    edges: Edges = Edges(),  # noqa: B008
) -> Printed:
    """HTML as PDF, in one go. Its language, title and author stand in the HTML's head."""
    return lay_out(html, styles, files, edges).print()


@cache
def characters() -> frozenset[str]:
    """The characters that every face has, and those that show nothing."""
    from fontTools.ttLib import TTFont

    cmaps = [set(TTFont(path, lazy=True).getBestCmap()) for path in sorted(FONTS.glob("*.woff2"))]
    return frozenset(map(chr, set.intersection(*cmaps))) | frozenset("\n\t\r\u00ad\u200b\u200d\u2060\ufeff")


@cache
def _engine() -> Any:
    """WeasyPrint, imported so that it sees no font of the machine and says nothing of that."""
    with _own_fonts(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import weasyprint
    return weasyprint


@cache
def _fonts() -> Any:
    """The faces, read once a run."""
    from weasyprint.text.fonts import FontConfiguration

    with _own_fonts():
        return FontConfiguration()


@contextmanager
def _own_fonts() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in ("FONTCONFIG_FILE", "FONTCONFIG_PATH")}
    os.environ.update(FONTCONFIG_FILE=str(FONTS / "fonts.conf"), FONTCONFIG_PATH=str(FONTS))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@cache
def _style(text: str) -> Any:
    """A style sheet, parsed once a run. It may name faces and no other file."""
    return _engine().CSS(string=text, font_config=_fonts(), url_fetcher=_fetcher()({}), base_url=ADDRESS)


@cache
def _fetcher() -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Fetcher(URLFetcher):  # type: ignore[misc]
        """Knows the faces and the files that came with the HTML, and nothing else in the world."""

        def __init__(self, files: Files) -> None:
            super().__init__(allowed_protocols=())
            self.files = files

        def fetch(self, url: str, headers: Any = None) -> Any:
            name = url.removeprefix(ADDRESS)
            face = FONTS / name.removeprefix("fonts/")
            if name.startswith("fonts/") and face.parent == FONTS and face.is_file():
                return URLFetcherResponse(url, face.read_bytes())
            if name == url or name not in self.files:
                raise ValueError("only faces and the files of the project are printed")
            return URLFetcherResponse(url, self.files[name])

    return Fetcher


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@contextmanager
def _complaints() -> Iterator[list[str]]:
    """Whatever the engine warns of meanwhile."""
    listener, loggers = _Listener(), [logging.getLogger(name) for name in ("weasyprint", "fontTools")]
    before = [(logger, logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.addHandler(listener)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
    try:
        yield listener.said
    finally:
        for logger, level, propagate in before:
            logger.removeHandler(listener)
            logger.setLevel(level)
            logger.propagate = propagate


def _boxes(box: Any, page: int, parents: tuple[Box, ...]) -> Iterator[Box]:
    box = getattr(box, "_box", box)  # a positioned box stands in a placeholder
    element = box.element
    attributes = {} if element is None else element.attrib
    wide, high = box.width, box.height
    if isinstance(wide, str) or isinstance(high, str) or wide is None or high is None:
        wide = high = 0.0
    words = getattr(box, "text", "")
    one = Box(
        page,
        box.position_x / MM,
        box.position_y / MM,
        (box.margin_width() if not words else wide) / MM if wide or words else 0.0,
        (box.margin_height() if not words else high) / MM if high or words else 0.0,
        str(box.element_tag or ""),
        frozenset(attributes.get("class", "").split()),
        {name[5:]: value for name, value in attributes.items() if name.startswith("data-")},
        words,
        box.style["font_size"] * 0.75 if words else 0.0,
        parents,
    )
    yield one
    for child in getattr(box, "children", ()):
        yield from _boxes(child, page, (*parents, one))


def _crop_marks(trim: list[float], edges: Edges) -> bytes:
    """Two strokes at each corner of the trim, outside the bleed; in all inks unless only black is printed."""
    unit = 72 / 25.4
    near, far = (edges.bleed + MARK_GAP) * unit, (edges.bleed + MARK_GAP + MARK_LENGTH) * unit
    left, bottom, right, top = trim
    strokes = []
    for x, outward in ((left, -1), (right, 1)):
        for y in (bottom, top):
            strokes.append((x + outward * near, y, x + outward * far, y))
    for y, outward in ((bottom, -1), (top, 1)):
        for x in (left, right):
            strokes.append((x, y + outward * near, x, y + outward * far))
    ink = "0 0 0 1 K" if edges.black else "1 1 1 1 K"
    lines = (f"{x1:.3f} {y1:.3f} m {x2:.3f} {y2:.3f} l S" for x1, y1, x2, y2 in strokes)
    return " ".join(("/Artifact BMC q", f"{HAIRLINE} w", ink, *lines, "Q EMC")).encode("ascii")
