"""The files of a site: pages as text, everything else by name, and what cannot be read."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.source import bounds
from rulewright.source.folder import natural
from rulewright.source.problems import File, Kind, Place, Problem, kind

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
OTHER_PAGES = (".html", ".htm", ".adoc", ".asciidoc", ".org", ".rst", ".pandoc", ".pdc")
"""The endings of pages in Hugo: those in Markdown, and those that only Hugo can read."""

_FRONT_MATTER = re.compile(rb"\s*(?:---|\+\+\+|\{)")

NOT_TEXT = kind(
    "hugo-page-not-text",
    """A page of a Hugo site is no text: it is not UTF-8, or it holds characters that no text has. Save it as
    UTF-8, or give the file the ending of what it is.""",
)
NOT_MARKDOWN = kind(
    "hugo-page-not-markdown",
    "A page of a Hugo site is not written in Markdown, so it is not imported. Write it as Markdown.",
)
UNREADABLE = kind(
    "hugo-file-unreadable",
    """A file or folder of a Hugo site cannot be read: a link leads back to a folder that it lies in, out of
    the site, or to nothing; permissions forbid it; or it is larger than any page.""",
)


@dataclass(frozen=True, slots=True)
class PageFile:
    """A page's file. `name`: below the content folder; `stem`: without folders, language and ending."""

    name: str
    file: File
    stem: str
    language: str = ""


@dataclass(frozen=True)
class Files:
    """The pages of a folder in an order of names, and the paths of its other files by name."""

    texts: list[PageFile] = field(default_factory=list)
    others: dict[str, Path] = field(default_factory=dict)


def gather(
    folder: Path, shown: str, below: str, within: Path, languages: Collection[str] = ()
) -> tuple[Files, list[Problem]]:
    """Gather every file in a folder, hidden ones left out.

    `shown`: how messages name the folder; `below`: what stands in front of each file's name; `languages`:
    what may stand between a page's name and its ending, as in `modes.en.md`; `within`: what all of it has to
    lie in, wherever links and settings lead.
    """
    gathering = _Gathering(folder, shown, frozenset(languages), within)
    if gathering.opens(folder, ()):
        gathering.folder(folder, below, (os.path.realpath(folder),))
    return gathering.files, gathering.problems


class _Gathering:
    """One walk through a folder, along the links that stay inside of what it lies in."""

    def __init__(self, top: Path, shown: str, languages: frozenset[str], within: Path) -> None:
        self.top = top
        self.real = os.path.realpath(within)
        self.shown = shown
        self.languages = languages
        self.files = Files()
        self.problems: list[Problem] = []

    def folder(self, folder: Path, below: str, around: tuple[str, ...]) -> None:
        """Enter all that is in a folder. `around`: the real paths of it and of all that it lies in."""
        try:
            names = sorted(os.listdir(folder), key=natural)
        except OSError as error:
            self.report(UNREADABLE, folder, f"cannot be opened ({error.strerror})")
            return
        for name in names:
            path = folder / name
            if not name.startswith(".") and self.opens(path, around):
                inside = f"{below}/{name}".lstrip("/")
                if path.is_dir():
                    self.folder(path, inside, (*around, os.path.realpath(path)))
                else:
                    self.file(path, inside)

    def opens(self, path: Path, around: tuple[str, ...]) -> bool:
        """Whether a file or folder may be entered."""
        real = os.path.realpath(path)
        why = ""
        if path != self.top and not path.name.isprintable():
            why = "its name holds characters that cannot be printed; rename it"
        elif not os.path.exists(path):
            why = f"{path.name} is a link that leads to nothing; delete it"
        elif not f"{real}{os.sep}".startswith(f"{self.real}{os.sep}"):
            link = (
                "leads out of the site" if path == self.top else f"is a link that leads out of {self.shown}"
            )
            why = f"{path.name} {link}; put a copy in its place"
        elif real in around:
            why = f"{path.name} is a link to a folder that it lies in, so it has no end; delete it"
        elif not path.is_dir() and not path.is_file():
            why = f"{path.name} is no ordinary file; delete it"
        if why:
            self.report(UNREADABLE, path, why)
        return not why

    def file(self, path: Path, name: str) -> None:
        """Enter one file: a page with its text, any other by its name."""
        ending = path.suffix.lower()
        try:
            if ending in OTHER_PAGES and _FRONT_MATTER.match(_beginning(path)):
                message = f"{path.name} is not written in Markdown; rewrite it as {path.stem}.md"
                self.report(NOT_MARKDOWN, path, message)
            elif ending not in MARKDOWN:
                self.files.others[name] = path
            elif path.stat().st_size > bounds.FILE.most:
                most = bounds.FILE.most // 1_000_000
                self.report(UNREADABLE, path, f"{path.name} is larger than {most} MB; split it")
            else:
                self.text(path, name, path.read_bytes())
        except OSError as error:
            self.report(UNREADABLE, path, f"cannot be opened ({error.strerror})")

    def text(self, path: Path, name: str, data: bytes) -> None:
        file = self.named(path)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = data[: error.start].decode("utf-8-sig")
            place = File(file, before).place(len(before))
            message = f"{path.name} is not UTF-8 text; save it as UTF-8, if it is text at all"
            self.problems.append(NOT_TEXT.at(place, message, file))
            return
        if "\0" in text:
            place = File(file, text).place(text.index("\0"))
            message = f"{path.name} holds characters that no text has; it may be a picture or a program"
            self.problems.append(NOT_TEXT.at(place, message, file))
            return
        stem, _, language = path.stem.rpartition(".")
        if language.lower() not in self.languages or not stem:
            stem, language = path.stem, ""
        self.files.texts.append(PageFile(name, File(file, text), stem, language.lower()))

    def named(self, path: Path) -> str:
        """The name of a file in messages."""
        return f"{self.shown}/{path.relative_to(self.top).as_posix()}".removesuffix("/.")

    def report(self, kind: Kind, path: Path, message: str) -> None:
        name = "".join(c if c.isprintable() else "\ufffd" for c in self.named(path))
        self.problems.append(kind.at(Place(name), message, name))


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(200)
