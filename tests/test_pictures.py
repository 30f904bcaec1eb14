"""Pictures of the site: their sizes, their copies, and files that are no sound pictures."""

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from web import reader, served

from rulewright.files.disk_cache import DiskCache
from rulewright.files.resources import TEMPLATES
from rulewright.render import responsive_images as room
from rulewright.render.responsive_images import ImageInfo, add_image_attributes, measure_images


def drawn(size: tuple[int, int], form: str = "PNG", mode: str = "RGB", **how: object) -> bytes:
    """A picture that is large as a file: nothing in it is like what stands beside it."""
    file = io.BytesIO()
    noise = Image.effect_noise(size, 90)
    noise.convert(mode).save(file, form, **how)  # type: ignore[arg-type]
    return file.getvalue()


def made(files: dict[str, bytes], kept: Path | None = None) -> dict[str, ImageInfo]:
    return measure_images(((path, lambda data=data: data) for path, data in files.items()), DiskCache(kept))  # type: ignore[misc]


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def claiming(width: int, height: int) -> bytes:
    """A PNG that says how large it is and holds next to nothing."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 99))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(("form", "end"), [("PNG", "png"), ("JPEG", "jpg"), ("WEBP", "webp")])
def test_a_large_picture_has_a_copy_that_is_smaller(form, end):
    data = drawn((2000, 1000), form)
    picture = made({f"a/map.{end}": data})[f"a/map.{end}"]
    assert (picture.width, picture.height) == (2000, 1000)
    with Image.open(io.BytesIO(picture.copy)) as image:
        assert (image.format, image.size) == ("WEBP", (1600, 800))
    assert len(picture.copy) < len(data)


def test_nothing_too_large_is_decoded(monkeypatch):
    files = {"a.png": drawn((600, 500)), "b.png": drawn((700, 500))}
    monkeypatch.setattr(room, "LARGEST", 300_000)
    assert [bool(image.copy) for image in made(files).values()] == [True, False]


KNOWN = {"g/1/p/map 1.png": ImageInfo(1000, 500, b"WEBP"), "g/1/p/sign.png": ImageInfo(60, 40)}
LATE = 'loading="lazy" decoding="async"'
SIZED = f'{LATE} width="1000" height="500"'
MAP, SIGN = 'src="../p/map%201.png"', 'src="../p/sign.png"'


@pytest.mark.parametrize(
    ("tag", "more"),
    [
        (f'<img {SIGN} alt="a > b">', f'{LATE} width="60" height="40"'),
        (f"<img {MAP}>", SIZED),
        (f"<img {MAP} />", SIZED),
        (f'<img style="width: 40%; height: auto" {MAP}>', SIZED),
        (f'<img style="height: 40px" {MAP}>', LATE),
        (f'<img style="max-width: 4em; max-height: 3em" {MAP}>', LATE),
        (f'<img width="90" {MAP}>', LATE),
        (f'<img class="icon" {MAP}>', LATE),
        (f"<img alt='a src=\"b\"' {MAP}>", SIZED),
        ('<img src="https://a.example/p/map%201.png">', LATE),
        ('<img src="//[" loading="eager">', 'decoding="async"'),
        ('<img src="../../../../../p/sign.png">', LATE),
    ],
)
def test_a_tag_says_what_is_known(tag, more):
    shown = tag.replace(MAP, 'src="../p/map%201.png.webp"')
    becomes = f"{shown.rstrip('/>').rstrip()} {more}>"
    assert (
        add_image_attributes(f"<image><p>{tag}&lt;img></p>", "g/1/2-x", KNOWN)
        == f"<image><p>{becomes}&lt;img></p>"
    )


def test_a_phone_fetches_only_what_it_sees(browser, tmp_path):
    """A page of many large pictures: the copies of the first of them come, and nothing moves."""
    files = {f"p{n}.png": drawn((1600, 800)) for n in range(9)}
    found = made(files)
    for path, data in files.items():
        (tmp_path / path).write_bytes(data)
        (tmp_path / room.copy_path(path)).write_bytes(found[path].copy)
    style = "<style>img {max-width: 100%; height: auto} p {height: 300vh}</style>"
    tags = "".join(f'<img src="{path}" alt="" id="i{n}"><p>.</p>' for n, path in enumerate(files))
    page_html = f"<!doctype html><link rel=icon href=data:,>{style}{tags}"
    (tmp_path / "index.html").write_text(add_image_attributes(page_html, "", found))
    phone = {"viewport": {"width": 390, "height": 800}, "device_scale_factor": 2}
    with served(tmp_path) as address, reader(browser, address, **phone) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        page.goto(f"{address}/")
        page.wait_for_function("() => document.querySelector('#i0').naturalWidth")
        assert "p0.png.webp" in asked
        assert not {name for name in asked if name.endswith(".png")}
        assert not {name for name in asked if name.startswith("p8.")}
        boxes = page.evaluate("[...document.images].map(one => one.offsetWidth / one.offsetHeight)")
        assert {round(one, 1) for one in boxes} == {2.0}


def test_a_picture_that_ends_its_reader_takes_no_other_along(monkeypatch):
    """Whichever reads it dies; the rest have their copies."""
    drawings = [drawn((size, 500)) for size in (600, 700, 800)]
    real = room.run_sandboxed

    def apart(work, data, *options):  # type: ignore[no-untyped-def]
        if data == drawings[1]:
            raise ChildProcessError("it breaks its reader")
        return real(work, data, *options)

    monkeypatch.setattr(room, "run_sandboxed", apart)
    found = made({f"{at}.png": data for at, data in enumerate(drawings)})
    assert [bool(image.copy) for image in found.values()] == [True, True]
    assert "1.png" not in found


def svg(inside: str, more: str = "") -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"{more}>{inside}</svg>'.encode()


@pytest.mark.parametrize(
    ("ground", "ink", "dark"),
    [
        ((0, 0, 0, 0), "black", True),
        ((255, 255, 255, 255), "black", False),
        ((0, 0, 0, 0), "white", False),
        ((0, 0, 0, 255), "black", False),
    ],
)
@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_a_picture_that_is_dark_on_nothing_is_known(form, ground, ink, dark):
    image, file = Image.new("RGBA", (200, 100), ground), io.BytesIO()
    ImageDraw.Draw(image).line((0, 0, 200, 100), ink, 12)
    image.save(file, form)
    assert made({f"a.{form.lower()}": file.getvalue()})[f"a.{form.lower()}"].dark == dark


def test_a_dark_page_puts_a_ground_behind_what_is_dark(browser, tmp_path):
    known = {"a.svg": ImageInfo(10, 10, dark=True), "b.svg": ImageInfo(10, 10)}
    css = (TEMPLATES / "theme/assets/rulewright.css").read_text()
    body = add_image_attributes('<img src="a.svg" alt=""><img src="b.svg" alt="">', "", known)
    page = browser.new_page()
    for scheme, first in [("slate", "rgb(255, 255, 255)"), ("default", "rgba(0, 0, 0, 0)")]:
        page.set_content(f'<style>{css}</style><body data-md-color-scheme="{scheme}">{body}</body>')
        grounds = page.evaluate("[...document.images].map(one => getComputedStyle(one).backgroundColor)")
        assert grounds == [first, "rgba(0, 0, 0, 0)"]
    page.close()
