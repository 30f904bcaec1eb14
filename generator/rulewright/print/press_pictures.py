"""Pictures in the inks of the press, before Typst sets them."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from rulewright.files import limits
from rulewright.files.sanitizer import sanitize_svg


class PictureError(Exception):
    """A picture cannot be read."""


def press_picture(name: str, content: bytes, *, is_black: bool) -> tuple[str, bytes]:
    """Return the ending and the content of a picture for the press. Raises PictureError.

    Drawings keep their colours, which are converted in the finished PDF. A picture with too many pixels is
    not unpacked.
    """
    if name.lower().endswith(".svg"):
        if sanitize_svg(content) is None:
            raise PictureError(f"{name} is no drawing that can be read")
        return ".svg", content
    return _in_inks(name, content, is_black)


@lru_cache(128)
def _in_inks(name: str, content: bytes, is_black: bool) -> tuple[str, bytes]:
    from PIL import Image, ImageChops, ImageOps

    try:
        with Image.open(BytesIO(content)) as image:
            if image.width * image.height > limits.PIXELS.maximum:
                raise PictureError(f"{name}: {limits.PIXELS.describe}")
            picture: Image.Image = ImageOps.exif_transpose(image).copy()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise PictureError(f"{name} is no picture that can be read") from None
    is_cmyk, file = picture.mode == "CMYK", BytesIO()
    if not is_cmyk:
        paper = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(paper, picture.convert("RGBA")).convert("RGB")
    red, green, blue = picture.split()[:3]
    if is_black or (not is_cmyk and red == green == blue):
        picture.convert("L").save(file, "PNG")
        return ".png", file.getvalue()
    if not is_cmyk:
        lightest = ImageChops.lighter(red, ImageChops.lighter(green, blue))
        inks = [ImageChops.subtract(lightest, band) for band in (red, green, blue)]
        picture = Image.merge("CMYK", [*inks, ImageChops.invert(lightest)])
    picture.save(file, "JPEG", quality=95, subsampling=0)
    return ".jpg", file.getvalue()
