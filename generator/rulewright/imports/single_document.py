"""A rulebook in one document, read as the only page of a site."""

from __future__ import annotations

import posixpath
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from urllib.parse import unquote

from rulewright.files.problems import SourceFile, SourceLocation, problem_type
from rulewright.imports.reader import SHOWN, RawLines, UnreadableDocument
from rulewright.imports.reader.document_reader import HTML, MARKDOWN, read_source_document
from rulewright.imports.website.page_block_types import WORD
from rulewright.imports.sources.site_files import FrontMatter, PageFile, front_matter_of
from rulewright.imports.sources.source_site import SourceSite, page_of, read_markdown
from rulewright.imports.website.word_audit import lost_word_lines, shown_words

UNREADABLE = problem_type(
    "import-document-unreadable",
    """A document to read rules from is in a format that is not read, or is damaged or too large. The message
    says the command that makes another of it.""",
)

_DATA = re.compile(
    rf"""(?P<opens>\bsrc=["']|\]\()data:(?P<kind>{"|".join(map(re.escape, SHOWN))});base64,"""
    r"""(?P<data>[\w+/=\s]*)(?P<ends>["')])"""
)
_TOLD = re.compile(r"<!-- (?:navigation|on each page): (.*?) -->", re.DOTALL)
_PICTURE = re.compile(
    r"""(?:\]\(|\]:|\bsrc\s*=)\s*(?:<([^<>\n]+)>|"([^"\n]+)"|'([^'\n]+)'|([^\s"'<>]+\.(?:png|jpe?g|gif|webp|svg)\b))""",
    re.IGNORECASE,
)


def read_document(path: Path) -> SourceSite:
    """The page of a document, or a folder's Markdown with its pictures; a problem where there is none."""
    if not path.is_file():
        return read_markdown(path)
    shown, ending = path.as_posix(), path.suffix.lower()
    try:
        made = read_source_document(path)
    except (UnreadableDocument, OSError) as why:
        what = why if isinstance(why, UnreadableDocument) else f"cannot be read ({why.strerror})"
        return SourceSite(problems=[UNREADABLE.problem(SourceLocation(shown), f"{shown} {what}", shown)])
    folder = path.absolute().parent
    text, pictures = _embedded(made.text, folder.name)
    file = SourceFile(shown, text)
    matter, problems = front_matter_of(file) if ending in MARKDOWN else (FrontMatter(), [])
    if made.title:
        matter = FrontMatter({"title": made.title})
    found = PageFile(f"{folder.name}/{path.name}", file, path.stem)
    page = replace(
        page_of(found, matter), name=path.name, address=f"/{folder.name}/", kind="home", nav_title=""
    )
    page = replace(page, unread=(*_unread(made.raw, text, loose=ending == ".pdf"),))
    pictures |= _pictures(text, folder) if ending in (*MARKDOWN, *HTML) else ()
    return SourceSite([page], pictures, problems, served=False)


def _unread(raw: RawLines, text: str, *, loose: bool) -> Iterator[tuple[int, str]]:
    """The words of a source that its page neither has nor tells. `loose`: words may end elsewhere."""
    there = [word for word, _ in shown_words(text, 1)] if raw else []
    there += (word for told in _TOLD.findall(text if raw else "") for word in WORD.findall(told))
    lines = {(at, place): WORD.findall(line) for at, (place, line) in enumerate(raw)}
    lost = Counter(word for words in lines.values() for word in words)
    lost.subtract(there)
    together = "".join(there)
    for (at, place), words in lost_word_lines(lines, +lost):
        if not loose or "".join(lines[at, place]) not in together:
            yield from ((place, word) for word in words)


@cache
def _kept() -> TemporaryDirectory[str]:
    """A folder for pictures that lie in documents; it goes when the program ends."""
    return TemporaryDirectory(prefix="rulewright-")


def _embedded(text: str, beside: str) -> tuple[str, dict[str, Path]]:
    """A text whose pictures in data URIs are files, and these by their addresses."""
    found: dict[str, Path] = {}
    folder = Path(mkdtemp(dir=_kept().name)) if _DATA.search(text) else Path()

    def named(m: re.Match[str]) -> str:
        try:
            data = b64decode(m["data"])
        except ValueError:
            return m.group()
        name = f"picture-{len(found) + 1}.{SHOWN[m['kind']]}"
        (folder / name).write_bytes(data)
        found[f"/{beside}/{name}"] = folder / name
        moved = "\n_" * m.group().count("\n")  # no line moves, and none is empty
        return f"{m['opens']}{name}{m['ends']}{moved}"

    return _DATA.sub(named, text), found


def _pictures(text: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """The pictures that a page names and that lie in its folder or in one beside it, by their addresses."""
    top = folder.parent.resolve()
    for m in _PICTURE.finditer(text):
        name = posixpath.normpath(posixpath.join(folder.name, unquote(next(filter(None, m.groups())))))
        path = folder.parent / name
        with suppress(OSError, ValueError):  # a name that no disk takes
            is_below = "/" in name and not name.startswith(("/", ".."))
            if is_below and path.resolve().is_relative_to(top) and path.is_file():
                yield f"/{name}", path
