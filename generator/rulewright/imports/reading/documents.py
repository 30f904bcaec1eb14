"""First stage of an import: a site, a folder or a document of any format is read into blocks."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TypeVar
from urllib.parse import unquote

from rulewright.files import limits
from rulewright.files.problems import SourceFile, SourceLocation, problem_type
from rulewright.files.worker_processes import run_sandboxed
from rulewright.imports.blocks import WORD, LeftOutWords, ReadSource, Run, SourceBlock, SourceLine, plain
from rulewright.imports.reading.block_builder import BlockBuilder, join_placed_lines
from rulewright.imports.reading.docx import docx_to_html, require_mammoth
from rulewright.imports.reading.markdown import read_markdown_page
from rulewright.imports.reading.pdf import order_blocks, raw_pdf_words, read_pdf_lines
from rulewright.imports.reading.raw_lines import html_lines, markdown_lines, text_lines
from rulewright.imports.reading.shortcodes import expand_shortcodes
from rulewright.imports.reading.text import read_text
from rulewright.imports.reading.unreadable import UnreadableDocument
from rulewright.imports.sources.hugo_site import read_site
from rulewright.imports.sources.site_files import MARKDOWN, FrontMatter, PageFile, front_matter_of
from rulewright.imports.sources.source_site import SourcePage, SourceSite, page_of, read_markdown

UNREADABLE = problem_type(
    "import-document-unreadable",
    """A document to read rules from is in a format that is not read, or is damaged or too large. The message
    names the command that converts it.""",
)

HTML, PLAIN = (".html", ".htm", ".xhtml"), (".txt", ".text")
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
    ".epub": "epub",
}
"""Formats that pandoc reads, by the endings of names."""

_COUNTED = ("latex", "typst")
"""Formats with numbers that their source does not contain."""

_TYPED = re.compile(r"section\*?\{\s*[\d§]|^=+\s+[\d§]", re.MULTILINE)
_TABLE = "rulewright import table {name} content/BOOK/EDITION, which takes a table"
_OTHERS = {
    ".adoc": "asciidoctor -o {stem}.html {name}, and give it {stem}.html",
    ".asciidoc": "asciidoctor -o {stem}.html {name}, and give it {stem}.html",
    ".doc": "soffice --headless --convert-to docx {name}, and give it {stem}.docx",
    ".csv": _TABLE,
    ".tsv": _TABLE,
    ".xlsx": _TABLE,
}
"""Formats that are not read, and the command that helps."""

AS_LINES = (*HTML, ".docx", ".pdf", ".odt", ".rtf", ".doc", ".csv", ".tsv", ".xlsx")
"""Endings of documents that are no lines of text."""

_SHOWN = {"png": "png", "jpeg": "jpg", "gif": "gif", "webp": "webp", "svg+xml": "svg"}
_DATA = re.compile(
    rf"""(?P<opens>\bsrc=["']|\]\()data:image/(?P<kind>{"|".join(map(re.escape, _SHOWN))});base64,"""
    r"""(?P<data>[\w+/=\s]*)(?P<ends>["')])"""
)
_UNSEEN = re.compile(r"\x1b\[[\d;]*[A-Za-z]|[^\n\x08]\x08|[\0-\x08\x0b\x0e-\x1f\x7f]")
"""Colours of a terminal, characters that are struck over, and characters that show nothing."""

_MOST_SECONDS = 60
_T = TypeVar("_T")


def read_hugo(folder: Path, address: str = "") -> ReadSource:
    """Read a Hugo site. `address`: of a section whose site is not at hand."""
    return read_pages(read_site(folder, address))


def read_document(path: Path) -> ReadSource:
    """Read a document, or a folder of Markdown."""
    if not path.is_file():
        return read_pages(read_markdown(path))
    shown = path.as_posix()
    try:
        return _read_file(path, path.suffix.lower())
    except (UnreadableDocument, OSError) as error:
        reason = error if isinstance(error, UnreadableDocument) else f"cannot be read ({error.strerror})"
        problem = UNREADABLE.problem(SourceLocation(shown), f"{shown} {reason}", shown)
        return ReadSource(SourceSite(problems=[problem]), problems=[problem])


def read_pages(site: SourceSite) -> ReadSource:
    """Read the pages of a site, each with its title as a heading of the highest level."""
    blocks: list[SourceBlock] = []
    lines: list[SourceLine] = []
    left_out: list[LeftOutWords] = []
    guesses = []
    for page in site.pages:
        expanded = expand_shortcodes(page)
        own, dropped, guessed = read_markdown_page(expanded, site.slugs())
        heading = next((block for block in own if block.kind == "heading"), None)
        if page.title and not (heading and own[0] is heading and plain(heading.runs) == page.title):
            blocks.append(SourceBlock("heading", (Run(page.title, 1),), page, 1))
            lines.append(SourceLine(page, 1, WORD.findall(page.title)))
        blocks += own
        left_out += dropped
        guesses += guessed
        lines += [SourceLine(page, 1, WORD.findall(title)) for _, title in expanded.asides]
        lines += markdown_lines(page, expanded.text)
    return ReadSource(site, blocks, left_out, guesses, site.problems, lines=tuple(lines))


def _read_file(path: Path, ending: str) -> ReadSource:
    if path.stat().st_size > limits.CONTENT.maximum:
        raise UnreadableDocument(f"is too large; {limits.CONTENT.describe}")
    if ending in MARKDOWN:
        file = SourceFile(path.as_posix(), _text(path))
        matter, problems = front_matter_of(file)
        page = _page(path, file, matter)
        source = read_pages(_site(page, dict(_pictures(file.text, path.parent))))
        return replace(source, problems=problems)
    if ending == ".pdf":
        return _read_pdf(path)
    if ending in PLAIN:
        file = SourceFile(path.as_posix(), _text(path))
        page = _page(path, file)
        return ReadSource(_site(page), read_text(page), lines=tuple(text_lines(page, file.text)))
    words: str | None = None
    if ending == ".docx":
        require_mammoth()
        html, words = _sandboxed(docx_to_html, path)
    elif ending in HTML:
        html = _text(path)
    elif ending in _PANDOC:
        html = _read_with_pandoc(path, _PANDOC[ending])
    else:
        advice = _OTHERS.get(ending, "save it as DOCX, HTML, Markdown, PDF or plain text")
        said = f"is not read; try {advice}" if ending in _OTHERS else f"is not read; {advice}"
        raise UnreadableDocument(said.format(name=path.name, stem=path.stem))
    html, pictures = _store_pictures(html, path.absolute().parent.name)
    file = SourceFile(path.as_posix(), html)
    page = _page(path, file)
    pictures |= dict(_pictures(html, path.parent))
    builder = BlockBuilder(page, _site(page).slugs(), tells_hidden=False)
    builder.feed_html(html, 1)
    lines = html_lines(page, html) if words is None else text_lines(page, words)
    return ReadSource(
        _site(page, pictures),
        join_placed_lines(builder.blocks, builder.places),
        builder.left_out,
        builder.guesses,
        lines=tuple(lines),
    )


def _read_pdf(path: Path) -> ReadSource:
    lines = read_pdf_lines(path)
    if not any(lines):
        raise UnreadableDocument("holds pictures of pages and no text; recognize it first (OCR)")
    text = "\n".join(" ".join(line.text for line in page) for page in lines)
    page = _page(path, SourceFile(path.as_posix(), text))
    blocks, broken = order_blocks(lines, page)
    left_out = [
        LeftOutWords(page, block.line, plain(block.runs), "a line that each page has")
        for block in blocks
        if block.kind == "running"
    ]
    raw = raw_pdf_words(path).replace("\n", " ").replace("\f", "\n")
    shown = [block for block in blocks if block.kind != "running"]
    return ReadSource(
        _site(page), shown, left_out, lines=tuple(text_lines(page, raw)), broken_sentences=broken
    )


def _sandboxed(work: Callable[[Path], _T], path: Path) -> _T:
    try:
        return run_sandboxed(work, path)
    except ChildProcessError as error:
        raise UnreadableDocument(f"{error}; save it again, or in parts") from None


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(f"is no text in UTF-8 (byte {error.start}); save it in UTF-8") from None
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _page(path: Path, file: SourceFile, matter: FrontMatter | None = None) -> SourcePage:
    """Return the page of a document, whose name says nothing about its rules."""
    folder = path.absolute().parent.name
    page = page_of(PageFile(f"{folder}/{path.name}", file, path.stem), matter or FrontMatter())
    values = page.values if matter else {}
    return replace(page, name=path.name, address=f"/{folder}/", kind="home", nav_title="", values=values)


def _site(page: SourcePage, pictures: dict[str, Path] | None = None) -> SourceSite:
    return SourceSite([page], pictures or {}, served=False)


def _read_with_pandoc(path: Path, form: str) -> str:
    """Return a document as pandoc reads it. Raises UnreadableDocument with the command that helps."""
    source = path.read_bytes().decode("utf-8", "replace") if form in _COUNTED else ""
    number = ["--number-sections"] if form in _COUNTED and not _TYPED.search(source) else []
    pandoc = shutil.which("pandoc")
    if pandoc is None:
        command = " ".join(["pandoc", *number, path.name, "-o", f"{path.stem}.docx"])
        raise UnreadableDocument(
            f"is read by pandoc, which is not installed here; where it is, run {command}"
        )
    command_line = [
        pandoc,
        "--sandbox",
        "-f",
        form,
        "-t",
        "html",
        "--wrap=none",
        *number,
        str(path.absolute()),
    ]
    try:
        html = subprocess.run(command_line, capture_output=True, check=True, timeout=_MOST_SECONDS).stdout
    except subprocess.TimeoutExpired:
        raise UnreadableDocument(f"takes pandoc longer than {_MOST_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise UnreadableDocument(f"cannot be read by pandoc: {reason}") from None
    return re.sub(r'<span class="header-section-number">(.*?)</span>', r"\1", html.decode("utf-8", "replace"))


@cache
def _temporary_folder() -> TemporaryDirectory[str]:
    """Folder for pictures that are inside documents; it is deleted when the program ends."""
    return TemporaryDirectory(prefix="rulewright-")


def _store_pictures(html: str, folder_name: str) -> tuple[str, dict[str, Path]]:
    """Return HTML whose pictures in data URIs are files, and these by their addresses."""
    found: dict[str, Path] = {}
    folder = Path(mkdtemp(dir=_temporary_folder().name)) if _DATA.search(html) else Path()

    def named(match: re.Match[str]) -> str:
        try:
            data = b64decode(match["data"])
        except ValueError:
            return match.group()
        name = f"picture-{len(found) + 1}.{_SHOWN[match['kind']]}"
        (folder / name).write_bytes(data)
        found[f"/{folder_name}/{name}"] = folder / name
        return f"{match['opens']}{name}{match['ends']}" + "\n" * match.group().count("\n")

    return _DATA.sub(named, html), found


_PICTURE = re.compile(
    r"""(?:\]\(|\]:|\bsrc\s*=)\s*(?:<([^<>\n]+)>|"([^"\n]+)"|'([^'\n]+)'|([^\s"'<>]+\.(?:png|jpe?g|gif|webp|svg)\b))""",
    re.IGNORECASE,
)


def _pictures(text: str, folder: Path) -> Iterable[tuple[str, Path]]:
    """Yield the pictures that a document names in its folder or one beside it, by their addresses."""
    folder = folder.absolute()
    top = folder.parent.resolve()
    for match in _PICTURE.finditer(text):
        name = posixpath.normpath(posixpath.join(folder.name, unquote(next(filter(None, match.groups())))))
        path = folder.parent / name
        with suppress(OSError, ValueError):  # a name that no disk takes
            is_below = "/" in name and not name.startswith(("/", ".."))
            if is_below and path.resolve().is_relative_to(top) and path.is_file():
                yield f"/{name}", path
