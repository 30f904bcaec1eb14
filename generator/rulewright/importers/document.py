"""A rulebook in one document, read as the only page of a site."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from rulewright.importers.reader import Damaged
from rulewright.importers.reader.document import HTML, MARKDOWN, read
from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.files import FrontMatter, PageFile, front_matter_of
from rulewright.importers.website.receipt import shown_words
from rulewright.importers.website.site import Site, page_of, read_markdown
from rulewright.source.problems import File, Place, kind

UNREADABLE = kind(
    "import-document-unreadable",
    """A document to read rules from is in a format that is not read, or is damaged or too large. The message
    says the command that makes another of it.""",
)

_PICTURE = re.compile(
    r"""(?:\]\(|\]:|\bsrc\s*=)\s*(?:<([^<>\n]+)>|"([^"\n]+)"|'([^'\n]+)'|([^\s"'<>]+\.(?:png|jpe?g|gif|webp|svg)\b))""",
    re.IGNORECASE,
)


def read_document(path: Path) -> Site:
    """The page of a document, or a folder's Markdown with its pictures; a problem where there is none."""
    if not path.is_file():
        return read_markdown(path)
    shown, ending = path.as_posix(), path.suffix.lower()
    try:
        made = read(path)
    except (Damaged, OSError) as why:
        what = why if isinstance(why, Damaged) else f"cannot be read ({why.strerror})"
        return Site(problems=[UNREADABLE.at(Place(shown), f"{shown} {what}", shown)])
    file = File(shown, made.text)
    matter, problems = front_matter_of(file) if ending in MARKDOWN else (FrontMatter(), [])
    if made.title:
        matter = FrontMatter({"title": made.title})
    folder = path.absolute().parent
    found = PageFile(f"{folder.name}/{path.name}", file, path.stem)
    page = replace(page_of(found, matter), name=path.name, address=f"/{folder.name}/", kind="home", called="")
    unread = Counter(WORD.findall(made.raw))
    unread.subtract(word for word, _ in shown_words(made.text, 1) if made.raw)
    page = replace(page, unread=tuple((+unread).elements()))
    pictures = dict(_pictures(file.text, folder)) if ending in (*MARKDOWN, *HTML) else {}
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
