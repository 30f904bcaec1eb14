"""First stage of an import: a site, a folder or a document of any format is read into blocks."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.files import limits
from rulewright.files.located_text import UNPRINTABLE
from rulewright.files.problems import SourceLocation, problem_type
from rulewright.files.worker_processes import run_sandboxed
from rulewright.imports.blocks import (
    WORD,
    ReadSource,
    Run,
    SourceBlock,
    SourceLine,
    plain,
)
from rulewright.imports.reading.docx import docx_to_html, require_mammoth
from rulewright.imports.reading.html import read_html
from rulewright.imports.reading.markdown import render_markdown
from rulewright.imports.reading.pdf import add_in_order, pdftotext, read_pdf_lines
from rulewright.imports.reading.shortcodes import expand_shortcodes
from rulewright.imports.reading.text import read_text
from rulewright.imports.reading.unreadable import UnreadableDocument, run_program
from rulewright.imports.sources.site_files import MARKDOWN
from rulewright.imports.sources.source_site import SourcePage, SourceSite, document_site, read_site

UNREADABLE = problem_type(
    "import-document-unreadable",
    """A document to read rules from is in a format that is not read, or is damaged or too large. The message
    names the command that converts it.""",
)

HTML, PLAIN = (".html", ".htm", ".xhtml"), (".txt", ".text")
_PANDOC = (".odt", ".rtf", ".tex", ".rst", ".org", ".typ")
"""Endings of formats that pandoc reads."""

_COUNTED = (".tex", ".typ")
"""Formats whose sections pandoc numbers, unless their source does."""

_TYPED = re.compile(rb"section\*?\{\s*[\d\xc2]|^=+\s+[\d\xc2]", re.MULTILINE)
_TABLE = "try rulewright import table {name} content/BOOK/EDITION, which takes a table"
_OTHERS = {
    ".adoc": "try asciidoctor -o {stem}.html {name}, and give it {stem}.html",
    ".doc": "try soffice --headless --convert-to docx {name}, and give it {stem}.docx",
    ".csv": _TABLE,
    ".tsv": _TABLE,
    ".xlsx": "save it as CSV and try rulewright import table {name} content/BOOK/EDITION",
}
"""Formats that are not read, and the command that helps."""


def read_hugo(folder: Path, address: str = "") -> ReadSource:
    """Read a Hugo site. `address`: of a section whose site is not at hand."""
    return _read_pages(read_site(folder, is_hugo=True, address=address))


def read_document(path: Path) -> ReadSource:
    """Read a document, or a folder of Markdown."""
    if not path.is_file():
        return _read_pages(read_site(path, is_hugo=False))
    try:
        return _read_file(path, path.suffix.lower())
    except (UnreadableDocument, ChildProcessError, OSError) as error:
        name, reason = path.as_posix(), getattr(error, "strerror", None)
        message = f"{name} {f'cannot be read ({reason})' if reason else error}"
        return ReadSource(SourceSite(problems=[UNREADABLE.problem(SourceLocation(name), message, name)]))


def _read_pages(site: SourceSite) -> ReadSource:
    source = ReadSource(site)
    for page in site.pages:
        _add_page(source, page)
    return source


def _add_page(source: ReadSource, page: SourcePage) -> None:
    """Add a page in Markdown to a source, with its title as a heading of the highest level."""
    text, start = expand_shortcodes(page, source.left_out), len(source.blocks)
    read_html(source, page, render_markdown(text, page.file.location(page.start).line))
    titles = [plain(block.runs) for block in source.blocks[start : start + 1] if block.kind == "heading"]
    if page.title and titles != [page.title]:
        source.blocks.insert(start, SourceBlock("heading", (Run(page.title, 1),), page, 1))
        source.add_line(page, 1, page.title)


def _read_file(path: Path, ending: str) -> ReadSource:
    """Read a document. Raises UnreadableDocument and ChildProcessError."""
    if path.stat().st_size > limits.CONTENT.maximum:
        raise UnreadableDocument(f"is too large; {limits.CONTENT.describe}")
    words = ""
    if ending == ".pdf":
        return _read_pdf(path)
    if ending in (*MARKDOWN, *PLAIN, *HTML):
        text = _text(path)
    elif ending == ".docx":
        require_mammoth()
        text, words = run_sandboxed(docx_to_html, path)
    elif ending in _PANDOC:
        text = _read_with_pandoc(path, ending)
    else:
        advice = _OTHERS.get(ending, "save it as DOCX, HTML, Markdown, PDF or plain text")
        raise UnreadableDocument(f"is not read; {advice.format(name=path.name, stem=path.stem)}")
    source = ReadSource(document_site(path, text))
    (page,) = source.site.pages
    if ending in MARKDOWN:
        _add_page(source, page)
    elif ending in PLAIN:
        source.blocks, words = read_text(page), text
    else:
        read_html(source, page, text)
    if words:
        source.lines = _text_lines(page, words)
    return source


def _read_pdf(path: Path) -> ReadSource:
    lines = read_pdf_lines(path)
    if not any(lines):
        raise UnreadableDocument("holds pictures of pages and no text; recognize it first (OCR)")
    # In the order in which it is drawn.
    raw = pdftotext(path, "-raw").replace("\n", " ").replace("\f", "\n")
    source = ReadSource(document_site(path, raw))
    (page,) = source.site.pages
    add_in_order(lines, page, source)
    source.lines = _text_lines(page, raw)
    return source


def _text_lines(page: SourcePage, text: str) -> list[SourceLine]:
    """Return the lines of a plain text."""
    return [SourceLine(page, number, WORD.findall(line)) for number, line in enumerate(text.split("\n"), 1)]


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(f"is no text in UTF-8 (byte {error.start}); save it in UTF-8") from None
    return UNPRINTABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _read_with_pandoc(path: Path, ending: str) -> str:
    """Return a document as pandoc reads it. Raises UnreadableDocument with the command that helps."""
    is_counted = ending in _COUNTED and not _TYPED.search(path.read_bytes())
    number = ["--number-sections"] if is_counted else []
    command = " ".join(["pandoc", *number, path.name, "-o", f"{path.stem}.docx"])
    options = ["--sandbox", "-t", "html", "--wrap=none", *number, str(path.absolute())]
    return run_program("pandoc", options, f"where it is, run {command}")
