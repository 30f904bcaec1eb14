"""Reader of the content folder: its texts, the names of its other files, and problems of unreadable files.

Only regular files inside the folder are opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path

from rulewright.files import folder_lock, limits
from rulewright.files.content_folder import (
    CONTENT,
    SETTINGS,
    TEXT_SUFFIXES,
    content_folder,
    docs_dir,
    file_kind,
    natural_sort_key,
    size_limit,
    walk_sort_key,
)
from rulewright.files.mkdocs_settings import is_trusted
from rulewright.files.problems import (
    Problem,
    ProblemType,
    Severity,
    SourceLocation,
    problem_type,
)
from rulewright.files.svg_syntax import svg_error

TOO_LARGE = problem_type("file-too-large", f"{limits.FILE} {limits.CONTENT} Split it, or make it smaller.")
MANY_FILES = problem_type(
    "files-too-many",
    f"The content has at most {limits.LIST.maximum:,} files. Further files are not read.",
)
DEEP = problem_type("folder-too-deep", f"{limits.NESTING} Anything deeper is not read.")
LARGE = problem_type("content-too-large", f"{limits.CONTENT} Further files are not read.")
LINK = problem_type("link-leaves-content", "A link leads out of the content folder. Put a copy in its place.")
UNREADABLE = problem_type(
    "file-unreadable",
    """A file or folder cannot be read: its permissions forbid it, it is a link to nothing or to a folder, it
    is no ordinary file, or its name holds characters that cannot be printed.""",
)

NO_DRAWING = problem_type(
    "drawing-unreadable",
    """A file that ends in .svg is no drawing in SVG: it breaks off, a tag is not closed, or its first tag is
    another. It is left out of the site.""",
    Severity.WARNING,
)
NO_PICTURE = problem_type(
    "picture-unreadable",
    "A file that is called .png, .jpg, .gif or .webp holds no picture: it is empty, or something else.",
    Severity.WARNING,
)
RUNS = problem_type(
    "file-that-runs",
    """A file of the content can hold a program that a reader's browser or the site's server would run: HTML,
    XML, a script; or it tells the server what to do: `_redirects`, `web.config`. Write the page as Markdown,
    or offer the file in an archive. Where you vouch for all content yourself, `trusted: true` of the plugin
    in mkdocs.yml lets it through.""",
)
_RUNS = re.compile(
    r"\.(?:[dmpsx]?html?|xht|xml|xslt?|xsd|rdf|rss|atom|mathml|mml|svgz|[cm]?js|wasm|hta|swf"
    r"|php|phar|aspx?|ashx|jspx?|cgi|fcgi|cfm)\d?$"
    r"|^(?:_headers|_redirects|_routes\.json|web\.config|CNAME|(?:netlify|fly)\.toml|vercel\.json"
    r"|(?:staticwebapp\.config|firebase)\.json)$",
    re.IGNORECASE,
)
_RASTERS = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_PICTURE = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP", re.DOTALL)
"""The first bytes of an image in any of these formats."""

_DATE = re.compile(rb"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


@dataclass(frozen=True)
class ContentFolder:
    """Content folder as read."""

    texts: Mapping[str, bytes]
    """YAML, Markdown and lock files by name."""

    other_files: Sequence[str] = ()
    problems: Sequence[Problem] = ()
    settings: bytes = b""
    """mkdocs.yml, or empty."""

    today: str = ""
    """The date (year-month-day) for comparisons; empty if the content has no future dates, so that the same
    content gives the same result on any day."""

    is_only_plugin: bool = True
    """Whether it is also the folder of all pages of the site."""


def read_content_folder(project: Path) -> ContentFolder:
    """Read the content folder without hidden files, sorted. Raises FolderBusy if it is being changed."""
    root = os.path.realpath(content_folder(project))
    with folder_lock.shared_lock(Path(root)):
        return _FolderReader(root, project).read()


def with_drafts(folder: ContentFolder, drafts: Mapping[str, bytes]) -> ContentFolder:
    """Return the folder as it would be read with some texts saved, by name."""
    texts, drafts = dict(folder.texts), {name: drafts[name] for name in drafts if file_kind(name) == "text"}
    problems = [
        problem
        for problem in folder.problems
        if problem.code != TOO_LARGE.code or problem.subject not in drafts
    ]
    closed = {problem.subject for problem in problems}
    for name, data in drafts.items():
        texts.pop(name, None)
        if fault := _too_large(name, len(data)):
            problems.append(TOO_LARGE.problem(SourceLocation(name), fault, name))
        elif name not in closed:
            texts[name] = data
    if list(texts) != list(folder.texts):
        texts = {name: texts[name] for name in sorted(texts, key=walk_sort_key)}
    return replace(folder, texts=texts, problems=problems, today=folder.today or next_date_change(drafts))


def today() -> str:
    """Return the UTC date, or that of SOURCE_DATE_EPOCH for reproducible builds."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    with suppress(ValueError, OverflowError, OSError):
        return str(datetime.fromtimestamp(int(epoch), UTC).date())
    return str(datetime.now(UTC).date())


def next_date_change(texts: Mapping[str, bytes]) -> str:
    """Return today if the content has a future date, else ""."""
    current_date = today().encode()
    files = (data for name, data in texts.items() if name.endswith(TEXT_SUFFIXES[:2]))
    return current_date.decode() if any(_last_date(data) > current_date for data in files) else ""


@lru_cache(5_000)
def _last_date(data: bytes) -> bytes:
    return max(_DATE.findall(data), default=b"")


def _too_large(name: str, size: int) -> str:
    """Return the message for a file beyond its size limit, or ""."""
    if size <= (bound := size_limit(name)).maximum:
        return ""
    right = "make it smaller" if file_kind(name) == "other" else "split it"
    return f"{name.rpartition('/')[2]} has {size / 1_000_000:.1f} MB, and {bound.describe}; {right}"


class _FolderReader:
    """Reader of the folder `root`."""

    def __init__(self, root: str, project: Path) -> None:
        self.root, self.project = root, project
        self.texts: dict[str, bytes] = {}
        self.other_files: list[str] = []
        self.problems: list[Problem] = []
        self.bytes = 0

    @cached_property
    def trusted(self) -> bool:
        """Whether active content is allowed. Read only on demand, because settings are slow to read."""
        return is_trusted(self.project)

    def read(self) -> ContentFolder:
        for path in self.walk():
            try:
                self.read_file(path)
            except OSError as error:
                self.report_closed(error)
        try:
            settings = (self.project / SETTINGS).read_bytes()
        except OSError:
            settings = b""
        return ContentFolder(
            self.texts,
            self.other_files,
            self.problems,
            settings,
            today=next_date_change(self.texts),
            is_only_plugin=not settings
            or os.path.realpath(self.project / docs_dir(self.project)) == self.root,
        )

    def walk(self) -> Iterator[str]:
        """Yield the paths of the files to read, with links to folders, which are no files."""
        count = 0
        for folder, folders, files in os.walk(self.root, onerror=self.report_closed):
            links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            folders[:] = sorted((name for name in folders if self.opens(folder, name)), key=natural_sort_key)
            for name in filter(file_kind, sorted([*files, *links], key=natural_sort_key)):
                path = os.path.join(folder, name)
                count += 1
                if count > limits.LIST.maximum:
                    message = f"the content has at most {limits.LIST.maximum:,} files; delete some"
                    self.report(MANY_FILES, path, message)
                    return
                yield path

    def opens(self, folder: str, name: str) -> bool:
        """Return whether to read a folder inside another; report why not."""
        path = os.path.join(folder, name)
        if name.startswith(".") or os.path.islink(path):
            return False
        if self.name_of(path).count("/") > limits.NESTING.maximum:
            self.report(DEEP, path, f"{limits.NESTING.describe}; move what is in {name} further up")
            return False
        return True

    def read_file(self, path: str) -> None:
        """Add a file, or report why it cannot be read. Raises OSError."""
        name, file_name = os.path.basename(path), self.name_of(path)
        kind = file_kind(file_name)
        if not file_name.isprintable():
            self.report(UNREADABLE, path, "its name holds characters that cannot be printed; rename it")
        elif os.path.islink(path) and not Path(os.path.realpath(path)).is_relative_to(self.root):
            self.report(LINK, path, f"{name} is a link that leads out of {CONTENT}/; put a copy in its place")
        elif not os.path.isfile(path):
            message = f"{name} is no ordinary file and leads to none; put a file in its place"
            self.report(UNREADABLE, path, message)
        elif kind == "other" and _RUNS.search(name) and not self.trusted:
            danger = "could run in a browser or on the server, or tell that what to do"
            self.report(RUNS, path, f"{name} {danger}; leave it out, or write it as Markdown")
        elif fault := _too_large(file_name, size := os.path.getsize(path)):
            self.report(TOO_LARGE, path, fault)
        elif kind == "other":
            self.other_files.append(file_name)
            if name.lower().endswith(".svg"):
                self.check_drawing(path)
            elif name.lower().endswith(_RASTERS):
                with open(path, "rb") as file:
                    if not _PICTURE.match(file.read(12)):
                        message = f"{name} holds no picture; save it again, or put the right file here"
                        self.report(NO_PICTURE, path, message)
        elif self.bytes + size > limits.CONTENT.maximum:
            self.report(LARGE, path, f"{limits.CONTENT.describe}; make {name} smaller")
        else:
            self.bytes += size
            self.texts[file_name] = Path(path).read_bytes()

    def check_drawing(self, path: str) -> None:
        """Report an invalid SVG."""
        if fault := svg_error(Path(path).read_bytes()):
            line, column, reason = fault
            message = f"this is no drawing in SVG: {reason}; save it again from the program that drew it"
            name = self.name_of(path)
            self.problems.append(NO_DRAWING.problem(SourceLocation(name, line, column), message, name))

    def report_closed(self, error: OSError) -> None:
        self.report(UNREADABLE, str(error.filename), f"cannot be opened ({error.strerror})")

    def name_of(self, path: str) -> str:
        """Return the name of a file or folder below the root."""
        return f"{CONTENT}{path.removeprefix(self.root)}".replace(os.sep, "/")

    def report(self, kind: ProblemType, path: str, message: str) -> None:
        name = self.name_of(path)
        for character in name:
            if not character.isprintable():
                name = name.replace(character, "\ufffd")
        self.problems.append(kind.problem(SourceLocation(name), message, name))
