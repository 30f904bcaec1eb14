"""The rulebook of an edition as an EPUB 3.3, for e-readers: the printed book's text, a file a chapter.

    volume ──its HTML──► tree ──split──► chapters ──links and anchors──► XHTML files ──► one archive

An anchor is the rule's number; XML wants one to begin with a letter and to have no brackets, so it is spelt
anew here. https://www.w3.org/TR/epub-33/
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from urllib.parse import unquote
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as Xml

import tinyhtml5  # type: ignore[import-untyped]
from markupsafe import Markup

from rulewright.print.engine import ADDRESS
from rulewright.print.volume import Volume
from rulewright.site.compositor import environment
from rulewright.source.resources import TEMPLATES

XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
KINDS = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
"""The kinds of picture that every e-reader shows, by the ends of their names (EPUB 3.3, 3.2)."""

FIRST = (1980, 1, 1, 0, 0, 0)
"""The date of every file in it, so that the same book gives the same bytes."""

_HEADING = re.compile(rf"{re.escape(XHTML)}h([2-6])")


@dataclass(frozen=True, slots=True)
class ContentDocument:
    """A file of the book: a chapter or what follows them. `headings`: those listed below it, with anchors."""

    file: str
    title: str
    body: Xml.Element
    headings: tuple[tuple[str, str], ...] = ()
    kind: str = "bodymatter"

    @property
    def drawn(self) -> bool:
        """Whether a drawing stands in it, which an e-reader has to be told."""
        return any(one.tag == f"{SVG}svg" for one in self.body.iter())


def ebook(volume: Volume, pictures: Mapping[str, bytes]) -> bytes:
    """Pack the book as an EPUB archive. `pictures`: those of the rules by their names in the content."""
    shown = {name: data for name, data in pictures.items() if posixpath.splitext(name)[1].lower() in KINDS}
    files = {name: f"pictures/{at}{posixpath.splitext(name)[1].lower()}" for at, name in enumerate(shown, 1)}
    leaves = list(_leaves(volume))
    places = {one.get("id", ""): leaf.file for leaf in leaves for one in leaf.body.iter() if one.get("id")}
    for leaf in leaves:
        _mend(leaf.body, leaf.file, places, files)
    given = {
        "volume": volume,
        "edition": volume.outline.edition,
        "leaves": leaves,
        "pictures": [(file, KINDS[posixpath.splitext(file)[1]]) for file in files.values()],
        "id": uuid5(NAMESPACE_URL, f"{volume.site or 'rulewright:'}{volume.outline.edition.address}"),
        "spelt": spelt,
    }
    pages = {leaf.file: _render("page.xhtml", leaf=leaf, body=_xhtml(leaf.body), **given) for leaf in leaves}
    parts: dict[str, str | bytes] = {
        "META-INF/container.xml": _render("container.xml"),
        "book/package.opf": _render("package.opf", **given),
        "book/contents.xhtml": _render("contents.xhtml", **given),
        "book/book.css": (TEMPLATES / "epub/book.css").read_text("utf-8"),
        **{f"book/{file}": page for file, page in pages.items()},
        **{f"book/{files[name]}": data for name, data in shown.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        # First and as it is, so that what a file is can be told from its first bytes (EPUB 3.3, 4.2.3).
        archive.writestr(_entry("mimetype"), "application/epub+zip")
        for name, data in parts.items():
            archive.writestr(_entry(name), data, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def spelt(anchor: str) -> str:
    """A rule's number as an identifier of XML: 12.5c(B) is n12.5c_28_B_29_."""
    return "n" + re.sub(r"[^A-Za-z0-9.-]", lambda sign: f"_{ord(sign[0]):x}_", anchor)


def _leaves(volume: Volume) -> Iterator[ContentDocument]:
    """The files in their order, each with its part of the printed book's tree."""
    tree = tinyhtml5.parse(volume.html({}))
    sections = {
        name: one for one in tree.iter(f"{XHTML}section") for name in (one.get("class") or "").split()[:1]
    }
    yield ContentDocument("cover.xhtml", "Cover", sections["cover"], kind="frontmatter")
    heads = {head.get("id"): section for section, head in _headed(tree)}
    for at, chapter in enumerate(volume.chapters, 1):
        title = f"{chapter.printed} {chapter.title or ''}".strip()
        inner = tuple((one.key, f"{one.printed} {one.title}") for one in chapter.children if one.title)
        yield ContentDocument(f"chapter-{at}.xhtml", title, heads[chapter.key], inner)
    for part in volume.parts:
        yield ContentDocument(f"{part.anchor}.xhtml", part.title, heads[part.anchor], kind="backmatter")


def _headed(tree: Xml.Element) -> Iterator[tuple[Xml.Element, Xml.Element]]:
    """The chapters and what follows them, with their headings."""
    for section in tree.iter(f"{XHTML}section"):
        if {"chapter", "back"} & set((section.get("class") or "").split()):
            yield section, next(section.iter(f"{XHTML}h2"))


def _mend(body: Xml.Element, file: str, places: Mapping[str, str], pictures: Mapping[str, str]) -> None:
    """Make links and anchors hold between files, and take out attributes that e-readers have no use for."""
    for one in body.iter():
        for name in [name for name in one.attrib if name.startswith("data-") or name in ("style", "loading")]:
            if name != "style" or one.tag != f"{XHTML}img":
                del one.attrib[name]
        link = one.get("href")
        if link is not None and link.startswith("#"):
            anchor = unquote(link[1:])
            if there := places.get(anchor):
                one.set("href", f"{'' if there == file else there}#{spelt(anchor)}")
            else:
                del one.attrib["href"]
        if source := one.get("src"):
            one.set("src", pictures.get(source.removeprefix(ADDRESS), ""))
        if anchor := one.get("id", ""):
            one.set("id", spelt(anchor))
        if depth := _HEADING.fullmatch(str(one.tag)):
            # A chapter is a section of the printed book and a file here, which begins at the first level.
            one.tag = f"{XHTML}h{int(depth[1]) - 1}"
    for above in list(body.iter()):
        for child in [one for one in above if one.tag == f"{XHTML}img" and not one.get("src")]:
            above.remove(child)


def _xhtml(body: Xml.Element) -> Markup:
    """An element as XHTML, without the prefixes that the library would give it."""
    plain = deepcopy(body)
    for one in plain.iter():
        if isinstance(one.tag, str) and one.tag.startswith(XHTML):
            one.tag = one.tag.removeprefix(XHTML)
    return Markup(Xml.tostring(plain, "unicode"))


def _render(template: str, **given: object) -> str:
    return environment().get_template(f"epub/{template}").render(given)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, FIRST)
    entry.external_attr = 0o644 << 16
    return entry
