"""Pictures in the inks of the press, before Typst sets them."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from rulewright.files import limits
from rulewright.files.sanitizer import sanitize_svg

QUALITY = 95
KEPT = 128
"""Number of converted pictures that are cached."""


class PictureError(Exception):
    """A picture cannot be read."""


def press_picture(name: str, content: bytes, *, is_black: bool) -> tuple[str, bytes]:
    """Return the file name and the content of a picture for the press. Raises PictureError.

    Drawings keep their colours, which are converted in the finished PDF. A picture with too many pixels is
    not unpacked.
    """
    if name.lower().endswith(".svg"):
        if sanitize_svg(content) is None:
            raise PictureError(f"{name} is no drawing that can be read")
        return name, content
    ending, inked = _in_inks(name, content, is_black)
    return f"{name}.{ending}", inked


@lru_cache(KEPT)
def _in_inks(name: str, content: bytes, is_black: bool) -> tuple[str, bytes]:
    from PIL import Image, ImageChops, ImageOps

    try:
        with Image.open(BytesIO(content)) as image:
            if image.width * image.height > limits.PIXELS.maximum:
                raise PictureError(f"{name}: {limits.PIXELS.describe}")
            picture: Image.Image = ImageOps.exif_transpose(image).copy()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise PictureError(f"{name} is no picture that can be read") from None
    file = BytesIO()
    if picture.mode == "CMYK" and not is_black:
        picture.save(file, "JPEG", quality=QUALITY, subsampling=0)
        return "jpg", file.getvalue()
    if picture.mode not in ("1", "L", "RGB"):
        paper = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(paper, picture.convert("RGBA")).convert("RGB")
    if not is_black and picture.mode == "RGB":
        bands = picture.split()
        lightest = ImageChops.lighter(bands[0], ImageChops.lighter(bands[1], bands[2]))
        darkest = ImageChops.darker(bands[0], ImageChops.darker(bands[1], bands[2]))
        if ImageChops.subtract(lightest, darkest).getextrema()[1]:
            inks = [ImageChops.subtract(lightest, band) for band in bands]
            picture = Image.merge("CMYK", [*inks, ImageChops.invert(lightest)])
            picture.save(file, "JPEG", quality=QUALITY, subsampling=0)
            return "jpg", file.getvalue()
    picture.convert("L").save(file, "PNG")
    return "png", file.getvalue()
