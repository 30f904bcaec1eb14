"""Pictures as readers fetch them: with their size, and as a copy in WebP.

A page says how large each picture is, so that nothing moves when it comes, and shows the copy where that is
smaller than the file. A drawing has no copy, and is as large as it says or as its `viewBox` is.
Pictures are fetched when they are about to be seen. A file that is no sound picture is shown as it is.
"""

from __future__ import annotations

import io
import posixpath
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from html import escape, unescape
from struct import unpack_from
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree as Xml

try:
    from PIL import Image, ImageOps
    from PIL import __version__ as library
except ImportError:  # without the extra [pdf] pictures are shown as they are
    Image = None  # type: ignore[assignment]

from rulewright.files.dark_images import DARK, is_invisible_on_dark
from rulewright.files.disk_cache import DiskCache, cache_key
from rulewright.files.sanitizer import is_drawing
from rulewright.files.worker_processes import run_parallel, run_sandboxed

FORMATS = {".gif": "GIF", ".jpeg": "JPEG", ".jpg": "JPEG", ".png": "PNG", ".webp": "WEBP"}
WIDEST = 1600
"""The largest width of a copy in pixels: a page's column, with two dots to each pixel."""

LARGEST = 50_000_000
"""Pixels of a picture beyond which it is not unpacked, and has no copy."""
TOGETHER = 5_000_000_000
"""Pixels of all pictures of a site that are unpacked at most, in the order of their paths."""

_QUALITY = 80
_CHUNKS = 1_000
"""Parts of a WebP in which its size and orientation are sought; a moving one has one for each picture."""
_TAG = re.compile(r"""<img\b(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_ATTRIBUTE = re.compile(r"""\s([a-z]+)=(?:"([^"]*)"|'([^']*)')""")
_ELSEWHERE = re.compile(r"/|[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WIDE = re.compile(r"(?<![\w-])width:")
_HIGH = re.compile(r"height:(?! *auto)")
_SIDE = re.compile(r"\s*\+?(\d*\.?\d+(?:[eE][+-]?\d+)?)(px|pt|pc|mm|cm|in|em|)\s*")
_UNITS = {"": 1, "px": 1, "pt": 96 / 72, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16}
"""Units of the sides of a drawing, in pixels."""


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """The size of a picture in pixels, as it is shown, and its copy, if it has one.

    `dark`: it has dark paint only, and no ground.
    """

    width: int
    height: int
    copy: bytes = b""
    dark: bool = False


class DecodedImage(NamedTuple):
    """The copy of a picture, if it has one, and whether it has dark paint only and no ground."""

    copy: bytes = b""
    dark: bool = False


def measure_images(
    files: Iterable[tuple[str, Callable[[], bytes]]], store: DiskCache
) -> dict[str, ImageInfo]:
    """The sound pictures among files, by their paths. The `store` keeps copies for the next build."""
    found: dict[str, ImageInfo] = {}
    missing: list[tuple[str, str, str, Callable[[], bytes]]] = []
    left = TOGETHER
    for path, read in sorted(files, key=lambda file: file[0]):
        form = FORMATS.get(posixpath.splitext(path)[1].lower(), "") if Image else ""
        if form or is_drawing(path):
            data = read()
            if size := size_of(path, data):
                found[path] = ImageInfo(*size, b"", not form and is_invisible_on_dark(data))
            if form and size:
                left -= size[0] * size[1]
                made_of = cache_key(
                    library, form, repr((WIDEST, _QUALITY, LARGEST, DecodedImage._fields)), data
                )
                kept = store.get_object(made_of) if left >= 0 else DecodedImage()
                found[path] = ImageInfo(*size, *(kept or DecodedImage()))
                if kept is None:
                    missing.append((path, made_of, form, read))

    for at, made in _unpacked([(form, read) for _, _, form, read in missing]):
        path, made_of, *_ = missing[at]
        found[path] = replace(found[path], copy=made.copy, dark=made.dark)
        store.put_object(made_of, made)
    return found


def _unpacked(wanted: Sequence[tuple[str, Callable[[], bytes]]]) -> Iterator[tuple[int, DecodedImage]]:
    """Unpack pictures in other processes; yield the index and the result of each, empty where one crashes."""
    left = dict(enumerate(wanted))

    def work(at: int) -> DecodedImage:
        return _made(left[at][1](), left[at][0], LARGEST)

    with suppress(ChildProcessError):
        for at, made in run_parallel(work, len(wanted), foreign=True):
            del left[at]
            yield at, made
    # Where none can be forked all are given to one other process; then, where one has died, each has its own.
    some = [[*left]] if len(left) == len(wanted) else []
    for numbers in (*some, *([at] for at in [*left])):
        given = [(left[number][1](), left[number][0], LARGEST) for number in numbers if number in left]
        each = [DecodedImage()] * len(given) if len(numbers) == 1 else []
        with suppress(ChildProcessError):
            each = run_sandboxed(_each_made, given) if given else []
        for at, made in zip(numbers, each, strict=False):
            left.pop(at, None)
            yield at, made


def _each_made(given: Sequence[tuple[bytes, str, int]]) -> list[DecodedImage]:
    return [_made(*one) for one in given]


def copy_path(path: str) -> str:
    """Where the copy of a picture is."""
    return f"{path}.webp"


def add_image_attributes(html: str, folder: str, known: Mapping[str, ImageInfo]) -> str:
    """A page with what a browser wants to know of its pictures. `folder`: where its links start from."""

    def dress(tag: re.Match[str]) -> str:
        has = {name: unescape(one or other) for name, one, other in _ATTRIBUTE.findall(tag[0])}
        more = {"loading": "lazy", "decoding": "async"}
        source = "" if _ELSEWHERE.match(has.get("src", "")) else re.split(r"[?#]", has.get("src", ""))[0]
        picture = known.get(posixpath.normpath(posixpath.join(folder, unquote(source))))
        whole = tag[0]
        if source and picture:
            if picture.dark:
                more["data-dark"] = ""
            style, inline = has.get("style", ""), "icon" in has.get("class", "").split()
            shaped = _WIDE.search(style) or not _HIGH.search(style)
            if shaped and not inline and not {"width", "height"} & has.keys():
                more |= {"width": str(picture.width), "height": str(picture.height)}
            if picture.copy:
                src = next(match for match in _ATTRIBUTE.finditer(whole) if match[1] == "src")
                whole = f'{whole[: src.start()]} src="{escape(copy_path(source))}"{whole[src.end() :]}'
        said = "".join(f' {name}="{escape(value)}"' for name, value in more.items() if name not in has)
        return f"{whole.rstrip('/>').rstrip()}{said}>"

    return _TAG.sub(dress, html)


def size_of(path: str, data: bytes) -> tuple[int, int] | None:
    """Size in pixels as a browser shows it, whatever its dpi; None for no picture. Unpacks nothing."""
    with _harmless():
        if is_drawing(path):
            return _size_drawn(data)
        if data[8:12] == b"WEBP":  # of the others Pillow reads the heads in Python, of this with its decoder
            return _size_webp(data)
        with Image.open(io.BytesIO(data), formats=tuple({*FORMATS.values()} - {"WEBP"})) as image:
            return _turned(image.width, image.height, image.getexif())
    return None


def _turned(wide: int, high: int, exif: Image.Exif) -> tuple[int, int]:
    return (high, wide) if exif.get(0x0112, 1) >= 5 else (wide, high)


def _size_webp(data: bytes) -> tuple[int, int] | None:
    """The size that the head of a WebP says. Raises struct.error where it breaks off."""
    exif, size, at = Image.Exif(), None, 12
    for _ in range(_CHUNKS):
        if at + 8 > len(data):
            break
        name, length = unpack_from("<4sI", data, at)
        at += 8
        if name == b"VP8X":
            wide, high = (int.from_bytes(data[at + n : at + n + 3], "little") + 1 for n in (4, 7))
            size = wide, high
        elif name == b"VP8L" and size is None and data[at] == 0x2F:
            (bits,) = unpack_from("<I", data, at + 1)
            size = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        elif name == b"VP8 " and size is None and data[at + 3 : at + 6] == b"\x9d\x01\x2a":
            wide, high = unpack_from("<HH", data, at + 6)
            size = wide & 0x3FFF, high & 0x3FFF
        elif name == b"EXIF":
            exif.load(data[at : at + length])
        at += length + length % 2
    return _turned(*size, exif) if size and all(size) else None


def _size_drawn(data: bytes) -> tuple[int, int] | None:
    """The sides of a drawing; where it has none, or shares of a page, those of its `viewBox`."""
    _, root = next(Xml.iterparse(io.BytesIO(data), events=("start",)))
    said = (_SIDE.fullmatch(root.get(name, "")) for name in ("width", "height"))
    wide, high = (float(m[1]) * _UNITS[m[2]] if m else 0.0 for m in said)
    box = [float(part) for part in root.get("viewBox", "").replace(",", " ").split()]
    if len(box) == 4 and min(box[2:]) > 0:
        wide = wide or (high or box[3]) * box[2] / box[3]
        high = high or wide * box[3] / box[2]
    return (max(1, round(wide)), max(1, round(high))) if wide and high else None


@contextmanager
def _harmless() -> Iterator[None]:
    """Treat a malicious file as no picture, whatever reading it raises."""
    with suppress(Exception), warnings.catch_warnings(action="ignore"):
        yield


def _made(data: bytes, form: str, largest: int) -> DecodedImage:
    """The copy of a picture where it is smaller than its file, none of one that moves; whether it is dark."""
    copy, is_dark = b"", False
    with _harmless():
        with Image.open(io.BytesIO(data), formats=(form,)) as image:
            if image.width * image.height > largest or getattr(image, "is_animated", False):
                return DecodedImage()
            few = image.mode in ("1", "P")  # colours: drawn, not photographed
            profile = image.info.get("icc_profile") if image.mode not in ("CMYK", "L", "LA", "1") else None
            whole = ImageOps.exif_transpose(image).convert("RGBA" if image.has_transparency_data else "RGB")
        is_dark = whole.mode == "RGBA" and _is_dark(whole)
        if whole.width > WIDEST:
            size = WIDEST, max(1, round(whole.height * WIDEST / whole.width))
            whole = whole.resize(size, Image.Resampling.LANCZOS)
        elif form == "WEBP":
            return DecodedImage(b"", is_dark)
        tried = [data]
        for lossless in (False, True) if few else (False,):
            file = io.BytesIO()
            whole.save(file, "WEBP", quality=_QUALITY, lossless=lossless, icc_profile=profile or b"")
            tried.append(file.getvalue())
        best = min(tried, key=len)
        copy = b"" if best is data else best
    return DecodedImage(copy, is_dark)


def _is_dark(picture: Image.Image) -> bool:
    """Whether nearly all paint is dark, and nothing stands behind it."""
    small = picture.resize((64, 64), Image.Resampling.BOX)
    grey, cover = small.convert("L").getdata(), small.getchannel("A").getdata()
    seen = [shade for shade, part in zip(grey, cover, strict=True) if part > 48]
    return len(seen) < 0.95 * 64 * 64 and sum(shade < DARK for shade in seen) > 0.9 * len(seen)
