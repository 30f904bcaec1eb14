"""First stage of an import: a site, a folder or a document of any format is read into blocks."""

from __future__ import annotations

import posixpath
import re
import shutil
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from urllib.parse import unquote

from rulewright.files import limits
from rulewright.files.problems import SourceFile, SourceLocation, problem_type
from rulewright.files.worker_processes import run_sandboxed
from rulewright.imports.blocks import WORD, LeftOutWords, ReadSource, Run, SourceBlock, SourceLine, plain
from rulewright.imports.reading.docx import docx_to_html, require_mammoth
from rulewright.imports.reading.html import read_html, shown_lines
from rulewright.imports.reading.markdown import place_footnotes, render_markdown
from rulewright.imports.reading.pdf import order_blocks, raw_pdf_words, read_pdf_lines
from rulewright.imports.reading.shortcodes import expand_shortcodes
from rulewright.imports.reading.text import read_text
from rulewright.imports.reading.unreadable import UnreadableDocument, run_program
from rulewright.imports.sources.site_files import MARKDOWN, FrontMatter, front_matter_of
from rulewright.imports.sources.source_site import SourcePage, SourceSite, document_page, read_site

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
    ".rst": "rst",
    ".org": "org",
    ".typ": "typst",
    ".mediawiki": "mediawiki",
}
"""Formats that pandoc reads, by the endings of names."""

_COUNTED = (".tex", ".typ")
"""Formats with numbers that their source does not contain."""

_TYPED = re.compile(r"section\*?\{\s*[\d§]|^=+\s+[\d§]", re.MULTILINE)
_TABLE = "is not read; try rulewright import table {name} content/BOOK/EDITION, which takes a table"
_OTHERS = {
    ".adoc": "is not read; try asciidoctor -o {stem}.html {name}, and give it {stem}.html",
    ".doc": "is not read; try soffice --headless --convert-to docx {name}, and give it {stem}.docx",
    ".csv": _TABLE,
    ".tsv": _TABLE,
    ".xlsx": "is not read; save it as CSV and try rulewright import table {name} content/BOOK/EDITION",
}
"""Formats that are not read, and the command that helps."""

_PICTURE_KINDS = {"png": "png", "jpeg": "jpg", "gif": "gif", "webp": "webp", "svg+xml": "svg"}
_DATA = re.compile(
    rf"""(?P<opens>\bsrc=["'])data:image/(?P<kind>{"|".join(map(re.escape, _PICTURE_KINDS))});base64,"""
    r"""(?P<data>[\w+/=\s]*)(?P<ends>["'])"""
)
_PICTURE = re.compile(r"""\bsrc\s*=\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'<>]+))""", re.IGNORECASE)
_UNSEEN = re.compile(r"\x1b\[[\d;]*[A-Za-z]|[^\n\x08]\x08|[\0-\x08\x0b\x0e-\x1f\x7f]")
"""Colours of a terminal, characters that are struck over, and characters that show nothing."""


def read_hugo(folder: Path, address: str = "") -> ReadSource:
    """Read a Hugo site. `address`: of a section whose site is not at hand."""
    return _read_pages(read_site(folder, is_hugo=True, address=address))


def read_document(path: Path) -> ReadSource:
    """Read a document, or a folder of Markdown."""
    if not path.is_file():
        return _read_pages(read_site(path, is_hugo=False))
    display_name = path.as_posix()
    try:
        return _read_file(path, path.suffix.lower())
    except (UnreadableDocument, ChildProcessError, OSError) as error:
        reason = (
            f"cannot be read ({error.strerror})" if isinstance(error, OSError) and error.strerror else error
        )
        problem = UNREADABLE.problem(SourceLocation(display_name), f"{display_name} {reason}", display_name)
        return ReadSource(SourceSite(problems=[problem]), problems=[problem])


def _read_pages(site: SourceSite) -> ReadSource:
    """Read the pages of a site, each with its title as a heading of the highest level."""
    blocks: list[SourceBlock] = []
    lines: list[SourceLine] = []
    left_out: list[LeftOutWords] = []
    for page in site.pages:
        text, dropped = expand_shortcodes(page)
        html = render_markdown(text, site.slugs(), page.file.location(page.start).line)
        page_blocks, hidden = read_html(page, html, site.slugs(), is_markdown=True)
        first = page_blocks[0] if page_blocks else None
        if page.title and not (first and first.kind == "heading" and plain(first.runs) == page.title):
            blocks.append(SourceBlock("heading", (Run(page.title, 1),), page, 1))
            lines.append(SourceLine(page, 1, WORD.findall(page.title)))
        blocks += place_footnotes(page_blocks, text)
        left_out += [*dropped, *hidden]
        lines += [*shown_lines(page, html), *_marker_lines(page_blocks)]
    return ReadSource(site, blocks, left_out, problems=site.problems, lines=tuple(lines))


def _marker_lines(blocks: list[SourceBlock]) -> Iterator[SourceLine]:
    """Yield the numbers of items, which are no words of the source."""
    return (SourceLine(block.page, block.line, WORD.findall(block.marker)) for block in blocks)


def _read_file(path: Path, ending: str) -> ReadSource:
    if path.stat().st_size > limits.CONTENT.maximum:
        raise UnreadableDocument(f"is too large; {limits.CONTENT.describe}")
    if ending in MARKDOWN:
        file = SourceFile(path.as_posix(), _text(path))
        matter, problems = front_matter_of(file)
        page = document_page(path, file, matter)
        text = expand_shortcodes(page)[0]
        pictures = dict(_pictures(render_markdown(text, _site(page).slugs()), path.parent))
        return replace(_read_pages(_site(page, pictures)), problems=problems)
    if ending == ".pdf":
        return _read_pdf(path)
    if ending in PLAIN:
        page = document_page(path, SourceFile(path.as_posix(), _text(path)), FrontMatter())
        return ReadSource(_site(page), read_text(page), lines=tuple(_text_lines(page, page.file.text)))
    words = ""
    if ending == ".docx":
        require_mammoth()
        html, words = run_sandboxed(docx_to_html, path)
    elif ending in HTML:
        html = _text(path)
    elif ending in _PANDOC:
        html = _read_with_pandoc(path, ending)
    else:
        advice = _OTHERS.get(ending, "is not read; save it as DOCX, HTML, Markdown, PDF or plain text")
        raise UnreadableDocument(advice.format(name=path.name, stem=path.stem))
    html, pictures = _store_pictures(html, path.absolute().parent.name)
    page = document_page(path, SourceFile(path.as_posix(), html), FrontMatter())
    pictures |= dict(_pictures(html, path.parent))
    site = _site(page, pictures)
    blocks, left_out = read_html(page, html, site.slugs())
    lines = [*(_text_lines(page, words) if words else shown_lines(page, html)), *_marker_lines(blocks)]
    return ReadSource(site, blocks, left_out, lines=tuple(lines))


def _read_pdf(path: Path) -> ReadSource:
    lines = read_pdf_lines(path)
    if not any(lines):
        raise UnreadableDocument("holds pictures of pages and no text; recognize it first (OCR)")
    text = "\n".join(line.text for page in lines for line in page)
    page = document_page(path, SourceFile(path.as_posix(), text), FrontMatter())
    blocks, running, broken = order_blocks(lines, page)
    reason = "a line that each page has"
    left_out = [LeftOutWords(page, line.page, line.text, reason) for line in running]
    raw = raw_pdf_words(path).replace("\n", " ").replace("\f", "\n")
    return ReadSource(
        _site(page), blocks, left_out, lines=tuple(_text_lines(page, raw)), broken_sentences=broken
    )


def _text_lines(page: SourcePage, text: str) -> Iterator[SourceLine]:
    """Yield the lines of a plain text."""
    for number, line in enumerate(text.split("\n"), 1):
        yield SourceLine(page, number, WORD.findall(line))


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(f"is no text in UTF-8 (byte {error.start}); save it in UTF-8") from None
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _site(page: SourcePage, pictures: dict[str, Path] | None = None) -> SourceSite:
    return SourceSite([page], pictures or {}, served=False)


def _read_with_pandoc(path: Path, ending: str) -> str:
    """Return a document as pandoc reads it. Raises UnreadableDocument with the command that helps."""
    source = path.read_bytes().decode("utf-8", "replace") if ending in _COUNTED else ""
    number = ["--number-sections"] if ending in _COUNTED and not _TYPED.search(source) else []
    pandoc = shutil.which("pandoc")
    if pandoc is None:
        command = " ".join(["pandoc", *number, path.name, "-o", f"{path.stem}.docx"])
        raise UnreadableDocument(
            f"is read by pandoc, which is not installed here; where it is, run {command}"
        )
    options = ["--sandbox", "-f", _PANDOC[ending], "-t", "html", "--wrap=none", *number]
    html = run_program([pandoc, *options, str(path.absolute())])
    return re.sub(r'<span class="header-section-number">(.*?)</span>', r"\1", html)


@cache
def _temporary_folder() -> TemporaryDirectory[str]:
    """Folder for pictures that are inside documents; it is deleted when the program ends."""
    return TemporaryDirectory(prefix="rulewright-")


def _store_pictures(html: str, folder_name: str) -> tuple[str, dict[str, Path]]:
    """Return HTML whose pictures in data URIs are files, and these by their addresses."""
    pictures: dict[str, Path] = {}
    folder = Path(mkdtemp(dir=_temporary_folder().name)) if _DATA.search(html) else Path()

    def store(match: re.Match[str]) -> str:
        try:
            data = b64decode(match["data"])
        except ValueError:
            return match.group()
        name = f"picture-{len(pictures) + 1}.{_PICTURE_KINDS[match['kind']]}"
        (folder / name).write_bytes(data)
        pictures[f"/{folder_name}/{name}"] = folder / name
        return f"{match['opens']}{name}{match['ends']}" + "\n" * match.group().count("\n")

    return _DATA.sub(store, html), pictures


def _pictures(html: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the pictures that a document names in its folder or one beside it, by their addresses."""
    folder = folder.absolute()
    top = folder.parent.resolve()
    for match in _PICTURE.finditer(html):
        name = posixpath.normpath(posixpath.join(folder.name, unquote(next(filter(None, match.groups())))))
        path = folder.parent / name
        with suppress(OSError, ValueError):  # a name that no disk takes
            is_below = "/" in name and not name.startswith(("/", ".."))
            if is_below and path.resolve().is_relative_to(top) and path.is_file():
                yield f"/{name}", path
