"""A document of any kind as the text of a page: Markdown as it is, everything else as HTML."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

from rulewright.importers.reader import Damaged, RawLines, unpacked
from rulewright.importers.reader.lines import html_of, of_text
from rulewright.importers.reader.page import cleaned, page_text, raw_lines
from rulewright.importers.reader.pdf import html_of_pdf
from rulewright.importers.reader.word import html_of_docx
from rulewright.source import bounds
from rulewright.source.processes import apart

MARKDOWN, HTML, PLAIN = (".md", ".markdown", ".mdx"), (".html", ".htm", ".xhtml"), (".txt", ".text")
_PANDOC = {
    ".odt": "odt",
    ".rtf": "rtf",
    ".tex": "latex",
    ".latex": "latex",
    ".rst": "rst",
    ".org": "org",
    ".typ": "typst",
    ".mediawiki": "mediawiki",
    ".docbook": "docbook",
}
"""What a pandoc reads for us, by endings."""
_COUNTED = ("latex", "typst")
"""Of these, what has numbers that its source does not say."""
_TYPED = re.compile(r"section\*?\{\s*[\d§]|^=+\s+[\d§]", re.MULTILINE)
_OTHERS = {
    ".adoc": "asciidoctor -o {stem}.html {name}, and give it {stem}.html",
    ".asciidoc": "asciidoctor -o {stem}.html {name}, and give it {stem}.html",
    ".doc": "soffice --headless --convert-to docx {name}, and give it {stem}.docx",
    ".csv": "rulewright import table {name} content/BOOK/EDITION, which takes a table",
    ".tsv": "rulewright import table {name} content/BOOK/EDITION, which takes a table",
    ".xlsx": "rulewright import table {name} content/BOOK/EDITION, which takes a table",
}
"""What is not read, and the command that helps."""
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_ADDRESS = re.compile(r"""(?P<before>\s(?P<key>id|href)=["'])(?P<value>[^"'<>]*)""")
AS_LINES = (*HTML, ".docx", ".pdf", ".epub", ".odt", ".rtf", ".doc", ".csv", ".tsv", ".xlsx")
"""Endings of documents that are no lines of text themselves."""
_MOST_SECONDS = 60
_UNSEEN = re.compile(r"\x1b\[[\d;]*[A-Za-z]|[^\n\x08]\x08|[\0-\x08\x0b\x0e-\x1f\x7f]")
"""What colours words on a terminal, what is struck over, and signs that show nothing."""


class ReadDocument(NamedTuple):
    """The text of a page; its title, where it is known; the lines of its source, where that is no text."""

    text: str
    title: str = ""
    raw: RawLines = ()


def read(path: Path) -> ReadDocument:
    """Read a document by the ending of its name. Raises Damaged."""
    ending = path.suffix.lower()
    if path.stat().st_size > bounds.CONTENT.most:
        raise Damaged(f"is too large; {bounds.CONTENT.clause}")
    if ending in MARKDOWN:
        return ReadDocument(_text(path))
    html, raw = _html(path, ending)
    return ReadDocument(*page_text(html), raw)


def _html(path: Path, ending: str) -> tuple[str, RawLines]:
    try:
        if ending == ".docx":
            return apart(html_of_docx, path)
        if ending == ".pdf":
            return apart(html_of_pdf, path)
    except ChildProcessError as error:
        raise Damaged(f"{error}; save it again, or in parts") from None
    if ending in PLAIN:
        return html_of([*of_text(_text(path))], joined=False), [*enumerate(_text(path).split("\n"), 1)]
    if ending in HTML:
        return cleaned(_text(path)), raw_lines(_text(path))
    if ending == ".epub":
        pages = _of_epub(path)
        return "\n".join(map(cleaned, pages)), raw_lines("\n".join(pages))
    if ending in _PANDOC:
        return _of_pandoc(path, _PANDOC[ending]), ()
    advice = _OTHERS.get(ending, "save it as DOCX, HTML, Markdown, PDF or plain text")
    names = {"name": path.name, "stem": path.stem}
    said = f"is not read; try {advice}" if ending in _OTHERS else f"is not read; {advice}"
    raise Damaged(said.format(**names))


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Damaged(f"is no text in UTF-8 (byte {error.start}); save it in UTF-8") from None
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _of_epub(path: Path) -> list[str]:
    """The pages of an EPUB in the order of its spine."""
    with unpacked(path, "EPUB") as archive:
        package = next(name for name in archive.namelist() if name.endswith(".opf"))
        root = fromstring(archive.read(package))
        items = {one.get("id"): one for one in root.iterfind("{*}manifest/{*}item")}
        spine = [items[one.get("idref")] for one in root.iterfind("{*}spine/{*}itemref")]
        names = [
            posixpath.join(posixpath.dirname(package), unquote(one.get("href", "")))
            for one in spine
            if "nav" not in one.get("properties", "").split()
        ]
        names = [posixpath.normpath(name) for name in names]
        return _together({name: archive.read(name).decode("utf-8", "replace") for name in names})


def _together(pages: Mapping[str, str]) -> list[str]:
    """Pages that are read as one: links from page to page lead inside of it, and no id comes twice."""
    taken: dict[str, str] = {}
    for name, html in pages.items():
        ids = (m["value"] for tag in _TAG.findall(html) for m in _ADDRESS.finditer(tag) if m["key"] == "id")
        for own in (name, *ids):
            taken.setdefault(own, name)

    def put(m: re.Match[str], name: str) -> str:
        is_link = m["key"] == "href"
        path, _, own = unquote(m["value"]).partition("#") if is_link else ("", "", m["value"])
        page = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if page not in pages:
            return m.group()
        own = (own if taken.get(own) in (page, None) else f"{page}-{own}") if own else page
        return f"{m['before']}{'#' * is_link}{own}"

    def within(name: str, html: str) -> str:
        return _TAG.sub(lambda tag: _ADDRESS.sub(lambda m: put(m, name), tag.group()), html)

    return [f'<div id="{escape(name)}"></div>{within(name, html)}' for name, html in pages.items()]


def _of_pandoc(path: Path, form: str) -> str:
    """A document as the pandoc on this machine reads it; else the command that makes a DOCX is told."""
    source = path.read_bytes().decode("utf-8", "replace") if form in _COUNTED else ""
    number = ["--number-sections"] if form in _COUNTED and not _TYPED.search(source) else []
    pandoc = shutil.which("pandoc")
    if pandoc is None:
        command = " ".join(["pandoc", *number, path.name, "-o", f"{path.stem}.docx"])
        raise Damaged(f"is read by pandoc, which is not installed here; where it is, run {command}")
    arguments = [pandoc, "--sandbox", "-f", form, "-t", "html", "--wrap=none", *number, str(path.absolute())]
    try:
        made = subprocess.run(arguments, capture_output=True, check=True, timeout=_MOST_SECONDS).stdout
    except subprocess.TimeoutExpired:
        raise Damaged(f"takes pandoc longer than {_MOST_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise Damaged(f"cannot be read by pandoc: {said}") from None
    html = made.decode("utf-8", "replace")
    return cleaned(re.sub(r'<span class="header-section-number">(.*?)</span>', r"\1", html))
