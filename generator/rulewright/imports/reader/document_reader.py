"""A document of any kind as the text of a page: Markdown as it is, everything else as HTML."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from rulewright.files import limits
from rulewright.files.worker_processes import run_sandboxed
from rulewright.imports.reader import RawLines, UnreadableDocument
from rulewright.imports.reader.docx_reader import html_of_docx
from rulewright.imports.reader.html_reader import clean_html, html_to_page, raw_lines
from rulewright.imports.reader.pdf_reader import html_of_pdf
from rulewright.imports.reader.plain_text_reader import lines_to_html, parse_text_lines

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
AS_LINES = (*HTML, ".docx", ".pdf", ".odt", ".rtf", ".doc", ".csv", ".tsv", ".xlsx")
"""Endings of documents that are no lines of text themselves."""
_MOST_SECONDS = 60
_UNSEEN = re.compile(r"\x1b\[[\d;]*[A-Za-z]|[^\n\x08]\x08|[\0-\x08\x0b\x0e-\x1f\x7f]")
"""What colours words on a terminal, what is struck over, and signs that show nothing."""


class ReadDocument(NamedTuple):
    """The text of a page; its title, where it is known; the lines of its source, where that is no text."""

    text: str
    title: str = ""
    raw: RawLines = ()


def read_source_document(path: Path) -> ReadDocument:
    """Read a document by the ending of its name. Raises Damaged."""
    ending = path.suffix.lower()
    if path.stat().st_size > limits.CONTENT.maximum:
        raise UnreadableDocument(f"is too large; {limits.CONTENT.describe}")
    if ending in MARKDOWN:
        return ReadDocument(_text(path))
    html, raw = _html(path, ending)
    return ReadDocument(*html_to_page(html), raw)


def _html(path: Path, ending: str) -> tuple[str, RawLines]:
    try:
        if ending == ".docx":
            return run_sandboxed(html_of_docx, path)
        if ending == ".pdf":
            return run_sandboxed(html_of_pdf, path)
    except ChildProcessError as error:
        raise UnreadableDocument(f"{error}; save it again, or in parts") from None
    if ending in PLAIN:
        return lines_to_html([*parse_text_lines(_text(path))], joined=False), [
            *enumerate(_text(path).split("\n"), 1)
        ]
    if ending in HTML:
        return clean_html(_text(path)), raw_lines(_text(path))
    if ending in _PANDOC:
        return _of_pandoc(path, _PANDOC[ending]), ()
    advice = _OTHERS.get(ending, "save it as DOCX, HTML, Markdown, PDF or plain text")
    names = {"name": path.name, "stem": path.stem}
    said = f"is not read; try {advice}" if ending in _OTHERS else f"is not read; {advice}"
    raise UnreadableDocument(said.format(**names))


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(f"is no text in UTF-8 (byte {error.start}); save it in UTF-8") from None
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _of_pandoc(path: Path, form: str) -> str:
    """A document as the pandoc on this machine reads it; else the command that makes a DOCX is told."""
    source = path.read_bytes().decode("utf-8", "replace") if form in _COUNTED else ""
    number = ["--number-sections"] if form in _COUNTED and not _TYPED.search(source) else []
    pandoc = shutil.which("pandoc")
    if pandoc is None:
        command = " ".join(["pandoc", *number, path.name, "-o", f"{path.stem}.docx"])
        raise UnreadableDocument(
            f"is read by pandoc, which is not installed here; where it is, run {command}"
        )
    arguments = [pandoc, "--sandbox", "-f", form, "-t", "html", "--wrap=none", *number, str(path.absolute())]
    try:
        made = subprocess.run(arguments, capture_output=True, check=True, timeout=_MOST_SECONDS).stdout
    except subprocess.TimeoutExpired:
        raise UnreadableDocument(f"takes pandoc longer than {_MOST_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise UnreadableDocument(f"cannot be read by pandoc: {said}") from None
    html = made.decode("utf-8", "replace")
    return clean_html(re.sub(r'<span class="header-section-number">(.*?)</span>', r"\1", html))
