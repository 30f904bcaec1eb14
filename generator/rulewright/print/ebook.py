"""The rulebook of an edition as an EPUB 3.3, for e-readers: the printed book's nodes, a file a chapter.

    volume ──its data──► chapters and parts ──templates/epub──► XHTML files ──► one archive

An anchor is the rule's number; XML wants one to begin with a letter and to have no brackets, so it is spelt
anew here. https://www.w3.org/TR/epub-33/
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from rulewright.print.volume import Volume
from rulewright.site.templating import environment
from rulewright.source.resources import TEMPLATES

KINDS = {
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}
"""The kinds of picture that every e-reader shows, by the ends of their names (EPUB 3.3, 3.2)."""

MOVING = (".gif", ".webp")
"""The kinds that may hold several pictures, which may flash."""

FIRST = (1980, 1, 1, 0, 0, 0)
"""The date of every file in it, so that the same book gives the same bytes."""


@dataclass(frozen=True, slots=True)
class ContentDocument:
    """A file of the book: the cover, a chapter or what follows them. `headings`: those listed below it."""

    file: str
    title: str
    part: Mapping[str, Any] = field(default_factory=dict)
    headings: tuple[tuple[str, str], ...] = ()
    kind: str = "bodymatter"


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where one file of the book leads: `places` are the files of all anchors, `files` those of pictures."""

    file: str
    places: Mapping[str, str]
    files: Mapping[str, str]

    def href(self, node: Mapping[str, Any]) -> str:
        """The link of a reference; empty where it leads nowhere."""
        there = self.places.get(node.get("to", ""))
        own = "" if there == self.file else there
        return f"{own}#{spelt(node['to'])}" if there else str(node.get("url", ""))

    def picture(self, name: str) -> str:
        return self.files.get(name, "")

    @staticmethod
    def id(key: str) -> str:
        return spelt(key)


def ebook(volume: Volume, pictures: Mapping[str, bytes], certifier: str = "") -> bytes:
    """Pack the book as an EPUB archive. `pictures`: those of the rules by their names in the content.

    `certifier`: who has found that it keeps WCAG 2.2 AA, which the book then says.
    """
    leaves = list(_leaves(volume))
    pictures = {**pictures, **volume.words.drawn}
    shown = {name: data for name, data in pictures.items() if posixpath.splitext(name)[1].lower() in KINDS}
    files = {name: f"pictures/{at}{posixpath.splitext(name)[1].lower()}" for at, name in enumerate(shown, 1)}
    places = {key: leaf.file for leaf in leaves for key in _anchors(leaf.part)}
    given = {
        "book": volume.data,
        "edition": volume.outline.edition,
        "leaves": leaves,
        "pictures": [(file, KINDS[posixpath.splitext(file)[1]]) for file in files.values()],
        "id": uuid5(NAMESPACE_URL, f"{volume.site or 'rulewright:'}{volume.outline.edition.address}"),
        "spelt": spelt,
        "features": [
            "structuralNavigation",
            "tableOfContents",
            "readingOrder",
            "displayTransformability",
            *(["alternativeText"] if shown else []),
            *(["index"] if any(one["key"] == "index" for one in volume.data["parts"]) else []),
        ],
        "hazard": "unknown" if any(file.endswith(MOVING) for file in files.values()) else "none",
        "certifier": certifier,
    }
    pages = {
        leaf.file: _render("page.xhtml", leaf=leaf, at=Leaf(leaf.file, places, files), **given)
        for leaf in leaves
    }
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
    """The files in their order."""
    yield ContentDocument("cover.xhtml", "Cover", kind="frontmatter")
    for at, (entry, data) in enumerate(zip(volume.chapters, volume.data["chapters"], strict=True), 1):
        inner = tuple((one.key, f"{one.printed} {one.title}") for one in entry.children if one.title)
        title = f"{entry.printed} {entry.title or ''}".strip()
        yield ContentDocument(f"chapter-{at}.xhtml", title, data, inner)
    for at, part in enumerate(volume.data["parts"], 1):
        yield ContentDocument(f"part-{at}.xhtml", part["title"], part, kind="backmatter")


def _anchors(part: Mapping[str, Any]) -> Iterator[str]:
    """The rules that stand in a chapter or a part, itself the first."""
    if part:
        yield part["key"]
    for node in part.get("blocks", ()):
        if "rule" in node:
            yield node["rule"]
        elif "chapter" in node:
            yield node["chapter"]["key"]
        yield from (one["key"] for one in node.get("row", ()))


def _render(template: str, **given: object) -> str:
    return environment().get_template(f"epub/{template}").render(given)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, FIRST)
    entry.external_attr = 0o644 << 16
    return entry
