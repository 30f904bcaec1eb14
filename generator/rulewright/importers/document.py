"""A rulebook in one document, Markdown, DOCX or plain text, read as a page of Markdown."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from rulewright.importers.docx import NUMBERED, Damaged, markdown_of, shown_in
from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.files import FrontMatter, PageFile, front_matter_of
from rulewright.importers.website.markdown_folder import page_of, read_markdown
from rulewright.importers.website.site import Site
from rulewright.importers.website.word_accounts import shown_words
from rulewright.source import bounds
from rulewright.source.problems import File, Place, kind

UNREADABLE = kind(
    "import-document-unreadable",
    "A document to read rules from is no Markdown, DOCX or text in UTF-8, or is damaged or too large.",
)

MARKDOWN, DOCX, PLAIN = (".md", ".markdown"), ".docx", (".txt", ".text")

_CHAPTER = re.compile(
    r"(?:(?:chapter|section|part|appendix)\s+)?(?:\d{1,3}|[A-Z])(?:\.0?)?[.):]?\s+(?=\S)", re.IGNORECASE
)
_PICTURE = re.compile(
    r"""(?:\]\(|\]:|\bsrc\s*=)\s*(?:<([^<>\n]+)>|"([^"\n]+)"|'([^'\n]+)'|([^\s"'<>]+\.(?:png|jpe?g|gif|webp|svg)\b))""",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?;:,]$")
_MOST_TITLE = 70
_SIGNS = re.compile(r"([\\`*_<>#|\[\]])")


class _Unreadable(ValueError):
    """A document that cannot be read, and why."""


def read_document(path: Path) -> Site:
    """The page of a document, or the pages of a folder of Markdown; a problem where there is none.

    The pictures that a page of Markdown names come along from its folder, and from those beside that.
    """
    if path.is_dir():
        return read_markdown(path)
    shown = path.as_posix()
    try:
        if path.stat().st_size > bounds.CONTENT.most:
            raise _Unreadable(f"is too large; {bounds.CONTENT.clause}")
        file = File(shown, _text(path))
    except _Unreadable as why:
        return Site(problems=[UNREADABLE.at(Place(shown), f"{shown} {why}", shown)])
    is_markdown = path.suffix.lower() in MARKDOWN
    matter, problems = front_matter_of(file) if is_markdown else (FrontMatter(), [])
    folder = path.absolute().parent
    found = PageFile(f"{folder.name}/{path.name}", file, path.stem)
    page = replace(page_of(found, matter), name=path.name, address=f"/{folder.name}/", kind="home", called="")
    if path.suffix.lower() == DOCX:
        unread = Counter(WORD.findall(shown_in(path)))
        unread.subtract(word for word, _ in shown_words(file.text, 1))
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


def _text(path: Path) -> str:
    ending = path.suffix.lower()
    if ending == DOCX:
        try:
            return markdown_of(path)
        except Damaged as why:
            raise _Unreadable(str(why)) from None
    if ending not in (*MARKDOWN, *PLAIN):
        raise _Unreadable("ends in no .md, .docx or .txt; save it as one of these")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _Unreadable(f"is no text in UTF-8 (byte {error.start}); save it in UTF-8") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if ending in MARKDOWN else "\n".join(_of_plain(text.split("\n")))


def _of_plain(lines: Iterable[str]) -> Iterator[str]:
    """Plain text as Markdown: chapters become headings, and a rule begins a paragraph."""
    for line in lines:
        words = line.strip()
        written = _SIGNS.sub(r"\\\1", words)
        is_title = len(words) <= _MOST_TITLE and not _SENTENCE.search(words)
        if _CHAPTER.match(words) and not NUMBERED.match(words) and is_title:
            yield from ("", f"# {written}", "")
        elif NUMBERED.match(words):
            bold = NUMBERED.sub(r"**\1**\2", written, count=1)
            yield from ("", f"## {written}", "") if is_title else ("", bold)
        else:
            yield line[: len(line) - len(line.lstrip())][:3] + written
