"""What of a page the site leaves out, and drawings that are none, is told by the check at its place."""

from pathlib import Path

import pytest

from rulewright.checks.content_check import check_content
from rulewright.files.content_reader import read_content_folder
from rulewright.files.disk_cache import project_cache
from tests.projects import new_project


@pytest.fixture
def base(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "base"
    new_project(folder)
    capsys.readouterr()
    return folder


def told(folder: Path, name: str, text: str) -> list[str]:
    (folder / "content" / name).write_bytes(text.encode())
    found = check_content(read_content_folder(folder), project_cache("examined", folder), folder).problems
    return [str(one).removeprefix(f"content/{name}:") for one in found]


LEFT_OUT = {
    "A.\n\n<script>x</script>\n": ("3:1", "script"),
    "A <a href='#' onclick='x'>b</a>.\n": ("1:3", "onclick of a"),
    "A.\n\n<iframe src='https://example.org'></iframe>\n": ("3:1", "iframe"),
    "![a](https://example.org/a.png)\n": ("1:6", "src of img"),
    "![a](//example.org/a.png)\n": ("1:6", "src of img"),
    "![a](data:image/png;base64,iVBORw0KGgo=)\n": ("1:6", "src of img"),
    "A <img alt='a' src='https://example.org/a.png'>.\n": ("1:3", "src of img"),
    "[a](javascript:alert)\n": ("1:5", "href of a"),
    "A [b][c].\n\n[c]: vbscript:x\n": ("3:6", "href of a"),
    "# A {: onclick=1 }\n": ("1:5", "onclick of h1"),
    "<pre><script></pre>\n": ("1:6", "script"),
    "A \\<script>x</script>.\n": ("1:1", "script"),
    "<div>\n\n<style>a{}</style>\n</div>\n": ("3:1", "style"),
}
KEPT = (
    "# A {: #own .wide title=t }\n",
    "A <kbd>x</kbd>, H<sub>2</sub>O, <br> b.\n",
    "<details open markdown='1'><summary>More</summary>\nWords.\n</details>\n",
    "[a](mailto:a@example.org) [b](tel:123) [c](https://example.org/) <https://example.org/>\n",
    "`<script>` and\n\n```\n<script>\n```\n",
    "{{ words }} {% more %}\n",
    "Less < more > less.\n",
    "<!-- <script> -->\n",
)


@pytest.mark.parametrize("text", LEFT_OUT)
def test_what_is_left_out_is_told_at_its_place(text: str, base: Path) -> None:
    place, what = LEFT_OUT[text]
    (said,) = told(base, "notes.md", text)
    assert said.startswith(f"{place}: warning: the site leaves out {what}, since it could run something")
    assert said.endswith("[page-markup-left-out]")


@pytest.mark.parametrize("text", KEPT)
def test_what_is_kept_is_not_told(text: str, base: Path) -> None:
    assert not told(base, "notes.md", text)


def test_nothing_is_left_out_where_the_content_is_trusted(base: Path) -> None:
    (base / "mkdocs.yml").write_text("site_name: B\nplugins: [{rulewright: {trusted: true}}]\n")
    assert not told(base, "notes.md", "A.\n\n<script>x</script>\n")


FRONT = {
    "---\nicon: material/nope\n---\n# A\n": "2:7: warning: icon material/nope is not there",
    "---\ntitle: A\ntemplate: 'nope.html'\n---\n# A\n": "3:11: warning: template nope.html is not there",
    "icon: nope\n\n# A\n": "1:1: warning: icon cannot be nope; write the name of an icon",
    "title: A\nhide: nav\n\n# A\n": "2:1: warning: hide cannot be nav; write a list of words",
    "Template: gone.html\n\n# A\n": "1:1: warning: template gone.html is not there",
}


@pytest.mark.parametrize("text", FRONT)
def test_what_the_theme_has_not_is_told_in_front_matter(text: str, base: Path) -> None:
    (said,) = told(base, "notes.md", text)
    assert said.startswith(FRONT[text])


@pytest.mark.parametrize(
    "text", ["---\nicon: material/sword\n---\n", "---\ntemplate: main.html # ours\n---\n"]
)
def test_what_it_has_is_not(text: str, base: Path) -> None:
    assert not told(base, "notes.md", text)


@pytest.mark.parametrize(
    "text", ["![](map.png)", "<img src='map.png'>", "![ ](map.png)", "a ![](<map.png>) b"]
)
def test_a_picture_without_words_is_noted(text: str, base: Path) -> None:
    (base / "content/map.png").write_bytes(b"\x89PNG")
    (said,) = [one for one in told(base, "index.md", f"{text}\n") if "words" in one]
    assert "note: say what it shows" in said
    assert said.endswith("[page-picture-without-words]")


@pytest.mark.parametrize(
    "text", ["![a](map.png)", "<img src='map.png' alt=''>", "<img src=map.png role=none>"]
)
def test_one_that_needs_none_is_not(text: str, base: Path) -> None:
    (base / "content/map.png").write_bytes(b"\x89PNG")
    assert not told(base, "index.md", f"{text}\n")


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
NO_DRAWINGS = {
    "hello": "1:1: warning: this is no drawing in SVG: syntax error",
    "": "1:1: warning: this is no drawing in SVG: no element found",
    "<svg viewBox='0 0 9 9'/>": '1:1: warning: this is no drawing in SVG: its first tag lacks xmlns="http',
    "<html></html>": "1:1: warning: this is no drawing in SVG: its first tag is html",
    SVG.format("\n<g>"): "2:6: warning: this is no drawing in SVG: mismatched tag",
    SVG.format("&nbsp;"): "1:59: warning: this is no drawing in SVG: undefined entity",
    SVG.format("<a"): "1:61: warning: this is no drawing in SVG: not well-formed",
    SVG.format("<!--"): "1:59: warning: this is no drawing in SVG: unclosed token",
    SVG.format("")[:20]: "1:1: warning: this is no drawing in SVG: unclosed token",
    SVG.format("") * 2: "1:65: warning: this is no drawing in SVG: junk after document element",
}


@pytest.mark.parametrize("text", NO_DRAWINGS)
def test_what_is_no_drawing_is_told(text: str, base: Path) -> None:
    (said,) = told(base, "map.svg", text)
    assert said.startswith(NO_DRAWINGS[text])
    assert said.endswith("[drawing-unreadable]")


@pytest.mark.parametrize(
    "text",
    [
        SVG.format("<path d='M0 0' fill='red'/>"),
        f'\ufeff<?xml version="1.0"?>\n<!-- a -->\n{SVG.format("")}',
        SVG.format("<script>x</script>"),
        f'<!DOCTYPE svg [<!ENTITY a "b">]>{SVG.format("&a;")}',
    ],
)
def test_a_drawing_is_none_of_these(text: str, base: Path) -> None:
    assert not told(base, "map.svg", text)


def test_a_drawing_that_a_dark_page_would_not_show_is_noted(base: Path) -> None:
    (said,) = told(base, "map.svg", SVG.format("<path d='M0 0'/>"))
    assert said.startswith("1:1: note: it is dark without a background")
    assert said.endswith("[drawing-dark-on-nothing]")


@pytest.mark.parametrize("name", ["map.png", "map.jpg", "map.JPEG", "map.gif", "map.webp"])
@pytest.mark.parametrize("text", ["", "hello", "<svg/>", "version https://git-lfs.example/spec/v1"])
def test_a_file_that_holds_no_picture_is_told(name: str, text: str, base: Path) -> None:
    (said,) = told(base, name, text)
    assert said.startswith(f"1:1: warning: {name} holds no picture; save it again")
    assert said.endswith("[picture-unreadable]")


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a", b"RIFF\x10\0\0\0WEBPVP8 "]
)
def test_which_picture_it_is_does_not_matter(data: bytes, base: Path) -> None:
    (base / "content/map.png").write_bytes(data)
    assert not told(base, "notes.md", "![a](map.png)\n")
