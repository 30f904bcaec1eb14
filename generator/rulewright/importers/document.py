"""A rulebook in one document, Markdown, DOCX, HTML or plain text, read as a page: its lines are its places."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from rulewright.importers.reader import Damaged
from rulewright.importers.reader.page import page_text
from rulewright.importers.reader.word import NUMBERED as _NUMBERED
from rulewright.importers.reader.word import html_of
from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.files import FrontMatter, PageFile, front_matter_of
from rulewright.importers.website.receipt import shown_words
from rulewright.importers.website.site import Site, page_of, read_markdown
from rulewright.source import bounds
from rulewright.source.problems import File, Place, kind

NUMBERED = re.compile(f"^{_NUMBERED}")

UNREADABLE = kind(
    "import-document-unreadable",
    "A document to read rules from is no Markdown, DOCX or text in UTF-8, or is damaged or too large.",
)

MARKDOWN, DOCX, HTML, PLAIN = (".md", ".markdown"), ".docx", (".html", ".htm", ".xhtml"), (".txt", ".text")

_CHAPTER = re.compile(
    r"(?:(?:chapter|section|part|appendix)\s+)?(?:\d{1,3}|[A-Z])(?:\.0?)?[.):]?\s+(?=\S)", re.IGNORECASE
)
_PICTURE = re.compile(
    r"""(?:\]\(|\]:|\bsrc\s*=)\s*(?:<([^<>\n]+)>|"([^"\n]+)"|'([^'\n]+)'|([^\s"'<>]+\.(?:png|jpe?g|gif|webp|svg)\b))""",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?;:,]$")
_MOST_TITLE = 70
_PLAIN_SIGNS = re.compile(r"([\\`*_<>#|\[\]])")


def read_document(path: Path) -> Site:
    """The page of a document, or a folder's Markdown with its pictures; a problem where there is none."""
    if path.is_dir():
        return read_markdown(path)
    shown = path.as_posix()
    try:
        if path.stat().st_size > bounds.CONTENT.most:
            raise Damaged(f"is too large; {bounds.CONTENT.clause}")
        text, title, raw = _read(path)
    except Damaged as why:
        return Site(problems=[UNREADABLE.at(Place(shown), f"{shown} {why}", shown)])
    file = File(shown, text)
    is_markdown = path.suffix.lower() in MARKDOWN
    matter, problems = front_matter_of(file) if is_markdown else (FrontMatter(), [])
    if title:
        matter = FrontMatter({"title": title})
    folder = path.absolute().parent
    found = PageFile(f"{folder.name}/{path.name}", file, path.stem)
    page = replace(page_of(found, matter), name=path.name, address=f"/{folder.name}/", kind="home", called="")
    unread = Counter(WORD.findall(raw))
    unread.subtract(word for word, _ in shown_words(text, 1) if raw)
    page = replace(page, unread=tuple((+unread).elements()))
    pictures = dict(_pictures(file.text, folder)) if is_markdown else {}
    return Site([page], pictures, problems, served=False)


def _pictures(text: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """The pictures that a page names and that lie in its folder or in one beside it, by their addresses."""
    top = folder.parent.resolve()
    for m in _PICTURE.finditer(text):
        name = posixpath.normpath(posixpath.join(folder.name, unquote(next(filter(None, m.groups())))))
        path = folder.parent / name
        is_inside = "/" in name and not name.startswith(("/", "..")) and path.resolve().is_relative_to(top)
        if is_inside and path.is_file():
            yield f"/{name}", path


def _read(path: Path) -> tuple[str, str, str]:
    """The text of a page made of a document, its title where that is known, and all words of its source."""
    ending = path.suffix.lower()
    if ending == DOCX:
        html, raw = html_of(path)
        return *page_text(html), raw
    if ending not in (*MARKDOWN, *PLAIN, *HTML):
        raise Damaged("ends in no .md, .docx, .html or .txt; save it as one of these")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Damaged(f"is no text in UTF-8 (byte {error.start}); save it in UTF-8") from None
    if ending in HTML:
        return *page_text(text), ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if ending in MARKDOWN else "\n".join(_of_plain(text.split("\n"))), "", ""


def _of_plain(lines: Iterable[str]) -> Iterator[str]:
    """Plain text as Markdown: chapters become headings, and a rule begins a paragraph."""
    for line in lines:
        words = line.strip()
        written = _PLAIN_SIGNS.sub(r"\\\1", words)
        is_title = len(words) <= _MOST_TITLE and not _SENTENCE.search(words)
        if _CHAPTER.match(words) and not NUMBERED.match(words) and is_title:
            yield from ("", f"# {written}", "")
        elif NUMBERED.match(words):
            bold = NUMBERED.sub(r"**\1**", written, count=1)
            yield from ("", f"## {written}", "") if is_title else ("", bold)
        else:
            yield line[: len(line) - len(line.lstrip())][:3] + written
