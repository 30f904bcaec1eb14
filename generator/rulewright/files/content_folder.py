"""The content folder as bytes: its texts, the names of its other files, and unreadable files.

Only regular files inside the folder are opened.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from xml.parsers import expat

from rulewright.files import folder_lock, limits
from rulewright.files.dark_images import is_invisible_on_dark
from rulewright.files.located_text import CONFLICT as CONFLICT_MARK
from rulewright.files.located_text import decode_lossy
from rulewright.files.mkdocs_settings import is_trusted, setting
from rulewright.files.problems import (
    Problem,
    ProblemType,
    Severity,
    SourceFile,
    SourceLocation,
    did_you_mean,
    nearest_option,
    problem_type,
)
from rulewright.files.yaml_error_hints import CONFLICT, merge_conflict_markers

CONTENT = "content"
"""The name of the content folder in file names, wherever it is on disk."""

SETTINGS = "mkdocs.yml"

RECEIPT = "import-report"
"""Report that an import writes beside its edition. It is neither page nor download."""

_RECEIPTS = (f"{RECEIPT}.md", f"{RECEIPT}.json")
LOCK = "references.lock"
"""The file that records what cited rules and printed sheets said when they were last accepted."""

_LEFT = re.compile(
    r"(?:~|\.sw[a-z]|\.tmp|\.kate-swp|___jb_(?:tmp|old)___)$|^(?:~\$|\.#|\.~lock\.|\.goutputstream-|\.rulewright-)"
    r"|^(?:#.*#|[0-9]{4,}|\.DS_Store|Thumbs\.db|desktop\.ini)$"
)
LEFT = ("*~", "*.sw?", "*.tmp", "~$*", r"\#*#", "*___jb_*___", "Thumbs.db", "desktop.ini")
"""Patterns of swap files, locks and backups of editors and systems."""

_TEXTS = (".yml", ".yaml", ".md")
_DATE = re.compile(rb"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")

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
DARK_ALONE = problem_type(
    "drawing-dark-on-nothing",
    """A drawing has dark lines and no background, so that it would be invisible on a dark page; it gets a
    light one there. Add a white rectangle as background, or use a colour visible on both pages.""",
    Severity.NOTE,
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

    theme_files: Sequence[str] = ()
    """Names of the project's files that override the theme."""


def natural_sort_key(name: str) -> tuple[list[tuple[int, str, str]], str]:
    """Return a key that sorts file names naturally: 2-… before 12-…."""
    parts = ((digits.lstrip("0"), words) for digits, words in re.findall(r"([0-9]+)|([^0-9]+)", name))
    return [(len(digits), digits, words) for digits, words in parts], name


def is_temporary_file(name: str) -> bool:
    """Return whether a file is a swap file, lock or backup of a program."""
    return _LEFT.search(name) is not None


def file_kind(name: str) -> str:
    """Return the kind of a file by its name: `text` or `other`; "" if it is not part of the content."""
    last = name.rpartition("/")[2]
    if any(part.startswith(".") for part in name.split("/")) or last in _RECEIPTS or is_temporary_file(last):
        return ""
    if name.lower().endswith(_TEXTS) or last == LOCK:
        return "text"
    return "other"


def size_limit(name: str) -> limits.Limit:
    """Return the size limit of a file by its name."""
    if file_kind(name) == "other":
        return limits.CONTENT
    return limits.FILE


def walk_sort_key(name: str) -> list[tuple[bool, tuple[list[tuple[int, str, str]], str]]]:
    """Return a key that sorts names as `read_content_folder` does: files of a folder before its
    subfolders.
    """
    *folders, file = name.split("/")
    return [*((True, natural_sort_key(folder)) for folder in folders), (False, natural_sort_key(file))]


_RASTERS = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_PICTURE = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP", re.DOTALL)
"""The first bytes of an image in any of these formats."""
_SVG = "http://www.w3.org/2000/svg"
MAX_CACHED_DATES = 5_000
"""The number of files whose last date is cached."""


def parse_address(text: str) -> str:
    """Return the address of a book or edition, which may be written as a folder: `content/ocs/4.3/`."""
    return text.replace("\\", "/").strip("/").removeprefix(f"{CONTENT}/")


def content_dir(project: Path) -> str:
    """Return the content folder: the one in mkdocs.yml, `content`, or that of all pages."""
    try:
        settings_text = (project / SETTINGS).read_bytes()
    except OSError:
        return CONTENT
    if b"content_dir" in settings_text and (
        folder := setting(project, "plugins", "rulewright", "content_dir")
    ):
        # A folder that contains the project is reported as a problem of the settings.
        return CONTENT if contains_project(project, project / folder) else folder
    return (
        CONTENT if b"rulewright" not in settings_text or (project / CONTENT).is_dir() else docs_dir(project)
    )


def contains_project(project: Path, folder: Path) -> bool:
    """Return whether a folder is or contains a project."""
    return Path(os.path.realpath(project)).is_relative_to(os.path.realpath(folder))


def docs_dir(project: Path) -> str:
    """Return the folder of the site's pages: the one in mkdocs.yml, MkDocs' default, else `content`."""
    return setting(project, "docs_dir") or ("docs" if (project / "docs").is_dir() else CONTENT)


def content_folder(project: Path) -> Path:
    """Return the path of the content folder."""
    return project / content_dir(project)


def disk_path(project: Path, name: str) -> Path:
    """Return the path of a project file by its name, in which `content/` is the content folder."""
    inside = name.removeprefix(f"{CONTENT}/")
    return project / name if inside == name else content_folder(project) / inside


def name_of_path(project: Path, path: str) -> str:
    """Return the name of a file by its path from the project's folder."""
    home = os.path.normpath(content_dir(project)).replace(os.sep, "/")
    return f"{CONTENT}{path.removeprefix(home)}" if path.startswith(f"{home}/") else path


def read_content_folder(project: Path) -> ContentFolder:
    """Read the content folder without hidden files, sorted. Raises FolderBusy if it is being changed."""
    root = os.path.realpath(content_folder(project))
    with folder_lock.shared_lock(Path(root)):
        return _Gathering(root, project).folder()


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
    files = (data for name, data in texts.items() if name.endswith(_TEXTS[:2]))
    return current_date.decode() if any(_last_date(data) > current_date for data in files) else ""


@lru_cache(MAX_CACHED_DATES)
def _last_date(data: bytes) -> bytes:
    return max(_DATE.findall(data), default=b"")


def _svg_error(data: bytes) -> tuple[int, int, str] | None:
    """Return line, column and message of an invalid SVG, or None if it is valid."""
    names: list[str] = []
    reader = expat.ParserCreate(namespace_separator=" ")
    reader.StartElementHandler = lambda name, _: names.append(name) if not names else None
    try:
        reader.Parse(data, True)
    except expat.ExpatError as error:
        return error.lineno, error.offset + 1, expat.ErrorString(error.code)
    except ValueError as error:
        return 1, 1, str(error)
    if names[:1] == [f"{_SVG} svg"]:
        return None
    if names[:1] == ["svg"]:
        return 1, 1, f'its first tag lacks xmlns="{_SVG}"'
    return 1, 1, f"its first tag is {names[0].rpartition(' ')[2]}"


def _too_large(name: str, size: int) -> str:
    """Return the message for a file beyond its size limit, or ""."""
    if size <= (bound := size_limit(name)).maximum:
        return ""
    right = "make it smaller" if file_kind(name) == "other" else "split it"
    return f"{name.rpartition('/')[2]} has {size / 1_000_000:.1f} MB, and {bound.describe}; {right}"


class _Gathering:
    """Reader of the folder `root`."""

    def __init__(self, root: str, project: Path) -> None:
        self.root, self.project = root, project
        self.texts: dict[str, bytes] = {}
        self.other_files: list[str] = []
        self.problems: list[Problem] = []
        self.folders: dict[str, str] = {}
        self.files = self.bytes = 0

    @cached_property
    def trusted(self) -> bool:
        """Whether active content is allowed. Read only on demand, because settings are slow to read."""
        return is_trusted(self.project)

    def folder(self) -> ContentFolder:
        for folder, folders, files in os.walk(self.root, onerror=self.closed):
            linked = [name for name in folders if os.path.islink(os.path.join(folder, name))]
            folders[:] = sorted((name for name in folders if self.opens(folder, name)), key=natural_sort_key)
            for name in sorted([*files, *linked], key=natural_sort_key):
                if file_kind(name):
                    self.files += 1
                    if self.files > limits.LIST.maximum:
                        self.report(
                            MANY_FILES,
                            os.path.join(folder, name),
                            f"the content has at most {limits.LIST.maximum:,} files; delete some",
                        )
                        folders.clear()
                        break
                    self.file(os.path.join(folder, name))
        try:
            settings = (self.project / SETTINGS).read_bytes()
        except OSError:
            settings = b""
        is_only_plugin = not settings or os.path.realpath(self.project / docs_dir(self.project)) == self.root
        day = next_date_change(self.texts)
        themed = tuple(self.themed()) if b"custom_dir" in settings else ()
        return ContentFolder(
            self.texts, self.other_files, self.problems, settings, day, is_only_plugin, themed
        )

    def themed(self) -> Iterator[str]:
        """Yield the names of files in the folder that overrides the theme."""
        custom_dir = self.project / setting(self.project, "theme", "custom_dir")
        for folder, folders, files in (
            () if contains_project(self.project, custom_dir) else os.walk(custom_dir)
        ):
            folders.sort()
            yield from (Path(os.path.relpath(folder, custom_dir), name).as_posix() for name in sorted(files))

    def opens(self, folder: str, name: str) -> bool:
        path = os.path.join(folder, name)
        if name.startswith(".") or os.path.islink(path):
            return False
        if not name.isprintable():
            self.report(UNREADABLE, path, _UNPRINTABLE)
            return False
        if self.name_of(path).count("/") > limits.NESTING.maximum:
            self.report(DEEP, path, f"{limits.NESTING.describe}; move what is in {name} further up")
            return False
        if name.lower().endswith(_TEXTS):
            self.report(UNREADABLE, path, f"{name} is a folder with the name of a file; rename it")
        return True

    def file(self, path: str) -> None:
        """Add a file, or report why it cannot be read."""
        name = os.path.basename(path)
        real = self.real(path)
        if not name.isprintable():
            self.report(UNREADABLE, path, _UNPRINTABLE)
        elif not f"{real}{os.sep}".startswith(f"{self.root}{os.sep}"):
            self.report(LINK, path, f"{name} is a link that leads out of {CONTENT}/; put a copy in its place")
        elif not os.path.exists(path):
            self.report(UNREADABLE, path, f"{name} is a link that leads to nothing; delete it")
        elif os.path.isdir(path):
            self.report(
                UNREADABLE, path, f"{name} is a link to a folder, and none is followed; put a copy here"
            )
        else:
            try:
                self.ordinary(path, os.stat(path))
            except OSError as error:
                self.closed(error)

    def real(self, path: str) -> str:
        """Return the path of a file without links; that of its folder is cached."""
        if os.path.islink(path):
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        if folder not in self.folders:
            self.folders[folder] = os.path.realpath(folder)
        return os.path.join(self.folders[folder], name)

    def ordinary(self, path: str, status: os.stat_result) -> None:
        """Add an existing file. Raises OSError if it cannot be opened."""
        name = os.path.basename(path)
        sort = file_kind(self.name_of(path))
        if not stat.S_ISREG(status.st_mode):
            self.report(UNREADABLE, path, f"{name} is no ordinary file; delete it")
        elif sort == "other" and _RUNS.search(name) and not self.trusted:
            danger = "could run in a browser or on the server, or tell that what to do"
            self.report(RUNS, path, f"{name} {danger}; leave it out, or write it as Markdown")
        elif fault := _too_large(self.name_of(path), status.st_size):
            self.report(TOO_LARGE, path, fault)
        elif sort == "other":
            self.other_files.append(self.name_of(path))
            if name.lower().endswith(".svg"):
                self.drawing(path)
            elif name.lower().endswith(_RASTERS):
                self.picture(path)
        elif self.bytes + status.st_size > limits.CONTENT.maximum:
            self.report(LARGE, path, f"{limits.CONTENT.describe}; make {name} smaller")
        else:
            self.bytes += status.st_size
            with open(path, "rb") as file:
                self.texts[self.name_of(path)] = file.read()

    def drawing(self, path: str) -> None:
        """Report a merge conflict in a drawing, an invalid SVG, or a dark one."""
        with open(path, "rb") as file:
            data = file.read()
        text = SourceFile(self.name_of(path), decode_lossy(data))
        for offset in merge_conflict_markers(text.text):
            self.problems.append(CONFLICT_MARK.problem(text.location(offset), CONFLICT, text.name))
            return
        if fault := _svg_error(data):
            line, column, fault_reason = fault
            message = (
                f"this is no drawing in SVG: {fault_reason}; save it anew from the program that it was "
                f"drawn with"
            )
            self.problems.append(
                NO_DRAWING.problem(SourceLocation(text.name, line, column), message, text.name)
            )
        elif is_invisible_on_dark(data):
            message = (
                "it is dark without a background, so dark pages give it a white one; draw a "
                "background to choose your own"
            )
            self.problems.append(DARK_ALONE.problem(SourceLocation(text.name), message, text.name))

    def picture(self, path: str) -> None:
        """Report an image file with other content."""
        with open(path, "rb") as file:
            if not _PICTURE.match(file.read(12)):
                name = os.path.basename(path)
                self.report(
                    NO_PICTURE, path, f"{name} holds no picture; save it again, or put the right file here"
                )

    def closed(self, error: OSError) -> None:
        self.report(UNREADABLE, str(error.filename), f"cannot be opened ({error.strerror})")

    def name_of(self, path: str) -> str:
        """Return the name of a file or folder below the root."""
        return f"{CONTENT}{path.removeprefix(self.root)}".replace(os.sep, "/")

    def report(self, kind: ProblemType, path: str, message: str) -> None:
        name = "".join(map(_printable, self.name_of(path)))
        self.problems.append(kind.problem(SourceLocation(name), message, name))


def _printable(character: str) -> str:
    return character if character.isprintable() else "\ufffd"


_UNPRINTABLE = "its name holds characters that cannot be printed; rename it"


OF_EDITION = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "errata.yml", "questions.yml")
"""The files of an edition's folder with fixed names."""


def edition_subfolder(folder: str, name: str) -> bool:
    """Return whether a file is in a subfolder of an edition: content/ocs/4.3/rules/12-supply.yml in rules."""
    folders = name.split("/")
    return len(folders) == 5 and folders[3] == folder and name.endswith(".yml")


def unknown_file_message(name: str, books: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    """Return a message for a file of unknown purpose, with a hint where it may belong."""
    _, *folders, file = name.split("/")
    if file == LOCK:
        return f"{LOCK} belongs in the folder of an edition or book, or in {CONTENT}/"
    stem, _, suffix = file.rpartition(".")
    edition = next((e for e in books.get(folders[0], ()) if e), "<edition>") if folders else ""
    if suffix != "yml":
        right = f"{stem}.{'md' if suffix.lower() == 'md' else 'yml'}"
        hint = f"; name it {right.lower() if right.lower() in OF_EDITION else right}"
    elif not folders:
        hint = f"; a book has a folder of its own, {CONTENT}/<book>/"
    elif len(folders) == 1 and file in OF_EDITION:
        hint = f"; it belongs in the folder of an edition, {CONTENT}/{folders[0]}/{edition}/"
    elif len(folders) == 1:
        hint = did_you_mean(file, ["rulebook.yml"])
    elif len(folders) == 2 and file == "rulebook.yml":
        hint = f"; it belongs in {CONTENT}/{folders[0]}/"
    elif len(folders) == 2 and (
        suggestion := nearest_option(stem, [name.removesuffix(".yml") for name in OF_EDITION])
    ):
        hint = f"; did you mean {suggestion}.yml?"
    else:
        parts = {"rules": "chapters", "tables": "tables", "aids": "player aids"}
        folder = nearest_option("".join(folders[2:3]), parts) or "rules"
        hint = f"; {parts[folder]} stand in {CONTENT}/{'/'.join(folders[:2])}/{folder}/"
    return f"nothing says what {file} is{hint}"
