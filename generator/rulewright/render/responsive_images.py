"""Pictures as readers fetch them: with their size, and as a copy in WebP.

A page says how large each picture is, so that nothing moves when it comes, and shows the copy if that is
smaller than the file. A drawing has no copy. Pictures are fetched when they are about to be seen. A file that
is not a valid picture is shown as it is.
"""

from __future__ import annotations

import io
import posixpath
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from html import escape, unescape
from urllib.parse import unquote
from xml.etree import ElementTree as Xml

try:
    from PIL import Image, ImageOps
    from PIL import __version__ as library
except ImportError:  # without the extra [pdf] pictures are shown as they are
    Image = None  # type: ignore[assignment]

from rulewright.files.disk_cache import DiskCache, cache_key
from rulewright.files.sanitizer import is_drawing
from rulewright.files.worker_processes import run_sandboxed

FORMATS = {".gif": "GIF", ".jpeg": "JPEG", ".jpg": "JPEG", ".png": "PNG", ".webp": "WEBP"}
WIDEST = 1600
"""The largest width of a copy in pixels: the column of a page, with two dots to each pixel."""

LARGEST = 50_000_000
"""Maximum pixels of a picture that is decoded; a larger one has no copy."""

_QUALITY = 80
_TAG = re.compile(r"""<img\b(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_ATTRIBUTE = re.compile(r"""\s([a-z]+)=(?:"([^"]*)"|'([^']*)')""")
_ELSEWHERE = re.compile(r"/|[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WIDE = re.compile(r"(?<![\w-])width:")
_HIGH = re.compile(r"height:(?! *auto)")
_SIDE = re.compile(r"\s*(\d*\.?\d+)(px|pt|pc|mm|cm|in|em|)\s*")
_UNITS = {"": 1, "px": 1, "pt": 96 / 72, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "em": 16}
"""Units of the sides of a drawing, in pixels."""


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """The size of a picture in pixels as it is shown."""

    width: int = 0
    """0 if it is not a picture."""
    height: int = 0
    copy: bytes = b""
    """Its copy, if it has one."""


def measure_images(
    files: Iterable[tuple[str, Callable[[], bytes]]], cache: DiskCache
) -> dict[str, ImageInfo]:
    """Return the valid pictures among files, by their paths."""
    images: dict[str, ImageInfo] = {}
    for path, read in sorted(files, key=lambda file: file[0]):
        form = FORMATS.get(posixpath.splitext(path)[1].lower(), "")
        image = ImageInfo()
        if is_drawing(path):
            image = ImageInfo(*(size_of(path, read()) or (0, 0)))
        elif form and Image:
            image = _cached_info(read(), form, cache)
        if image.width:
            images[path] = image
    return images


def _cached_info(data: bytes, form: str, cache: DiskCache) -> ImageInfo:
    """Return what is known of a picture, which another process decodes, since it may be harmful."""
    key = cache_key(
        library, form, repr((WIDEST, _QUALITY, LARGEST, [f.name for f in fields(ImageInfo)])), data
    )
    image: ImageInfo | None = cache.get_object(key)
    if image is None:
        image = ImageInfo()
        with suppress(ChildProcessError):
            image = run_sandboxed(_decode, data, form, LARGEST)
        cache.put_object(key, image)
    return image


def copy_path(path: str) -> str:
    """Return the path of the copy of a picture."""
    return f"{path}.webp"


def add_image_attributes(html: str, folder: str, images: Mapping[str, ImageInfo]) -> str:
    """Return a page with the sizes and copies of its pictures. `folder`: where its links start."""

    def dress(tag: re.Match[str]) -> str:
        attributes = {
            name: unescape(double_quoted or single_quoted)
            for name, double_quoted, single_quoted in _ATTRIBUTE.findall(tag[0])
        }
        new = {"loading": "lazy", "decoding": "async"}
        source = attributes.get("src", "")
        path = "" if _ELSEWHERE.match(source) else re.split(r"[?#]", source)[0]
        image = images.get(posixpath.normpath(posixpath.join(folder, unquote(path)))) if path else None
        html = tag[0].rstrip("/>").rstrip()
        if image:
            style, is_icon = attributes.get("style", ""), "icon" in attributes.get("class", "").split()
            has_shape = bool(_WIDE.search(style)) or not _HIGH.search(style)
            if has_shape and not is_icon and not {"width", "height"} & attributes.keys():
                new |= {"width": str(image.width), "height": str(image.height)}
            if image.copy:
                src = next(match for match in _ATTRIBUTE.finditer(html) if match[1] == "src")
                copy = copy_path(path) + source[len(path) :]
                html = f'{html[: src.start()]} src="{escape(copy)}"{html[src.end() :]}'
        added = "".join(f' {name}="{value}"' for name, value in new.items() if name not in attributes)
        return f"{html}{added}>"

    return _TAG.sub(dress, html)


def size_of(path: str, data: bytes) -> tuple[int, int] | None:
    """Return the size in pixels as a browser shows it, whatever its dpi; None if it is not a picture."""
    with suppress(Exception), warnings.catch_warnings(action="ignore"):  # whatever a harmful file raises
        if is_drawing(path):
            return _drawing_size(data)
        with Image.open(io.BytesIO(data), formats=tuple({*FORMATS.values()})) as image:
            return _turned_size(image)
    return None


def _turned_size(image: Image.Image) -> tuple[int, int]:
    """Return the size of a picture in the orientation in which it is shown."""
    is_turned = image.getexif().get(0x0112, 1) >= 5
    return (image.height, image.width) if is_turned else image.size


def _drawing_size(data: bytes) -> tuple[int, int] | None:
    """Return the sides of a drawing; if it has none, or parts of a page, those of its `viewBox`."""
    _, root = next(Xml.iterparse(io.BytesIO(data), events=("start",)))
    width, height = _length(root.get("width", "")), _length(root.get("height", ""))
    box = [float(part) for part in root.get("viewBox", "").replace(",", " ").split()]
    if len(box) == 4 and min(box[2:]) > 0:
        width = width or (height or box[3]) * box[2] / box[3]
        height = height or width * box[3] / box[2]
    return (max(1, round(width)), max(1, round(height))) if width and height else None


def _length(side: str) -> float:
    """Return a side of a drawing in pixels; 0 if it is missing or relative."""
    length = _SIDE.fullmatch(side)
    return float(length[1]) * _UNITS[length[2]] if length else 0.0


def _decode(data: bytes, form: str, largest: int) -> ImageInfo:
    """Return a picture with its copy if that is smaller than its file; an animation has none."""
    info = ImageInfo()
    with suppress(Exception), warnings.catch_warnings(action="ignore"):
        with Image.open(io.BytesIO(data), formats=(form,)) as image:
            info = ImageInfo(*_turned_size(image))
            is_small_enough = form == "WEBP" and image.width <= WIDEST
            if (
                is_small_enough
                or image.width * image.height > largest
                or getattr(image, "is_animated", False)
            ):
                return info
            has_few_colours = image.mode in ("1", "P")
            profile = image.info.get("icc_profile") if image.mode in ("P", "RGB", "RGBA") else None
            picture = ImageOps.exif_transpose(image).convert("RGBA" if image.has_transparency_data else "RGB")
        picture.thumbnail((WIDEST, picture.height), Image.Resampling.LANCZOS)
        file = io.BytesIO()
        picture.save(file, "WEBP", quality=_QUALITY, lossless=has_few_colours, icc_profile=profile or b"")
        if file.tell() < len(data):
            info = replace(info, copy=file.getvalue())
    return info
