"""A document of any kind as the text of a page: Markdown as it is, everything else as HTML."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from rulewright.importers.reader import Damaged, RawLines
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
