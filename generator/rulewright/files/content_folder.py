"""Names and paths of a project's files: what each file of the content folder is, and where it is on disk."""

from __future__ import annotations

import os
import re
from pathlib import Path

from rulewright.files import limits
from rulewright.files.mkdocs_settings import setting
from rulewright.files.problems import nearest_option

CONTENT = "content"
"""The name of the content folder in file names, wherever it is on disk."""

SETTINGS = "mkdocs.yml"

RECEIPT = "import-report"
"""Report that an import writes beside its edition. It is neither page nor download."""

_RECEIPTS = (f"{RECEIPT}.md", f"{RECEIPT}.json")
LOCK = "references.lock"
"""The file that records the last accepted texts of cited rules and printed sheets."""

_LEFT = re.compile(
    r"(?:~|\.sw[a-z]|\.tmp|\.kate-swp|___jb_(?:tmp|old)___)$|^(?:~\$|\.#|\.~lock\.|\.goutputstream-|\.rulewright-)"
    r"|^(?:#.*#|[0-9]{4,}|\.DS_Store|Thumbs\.db|desktop\.ini)$"
)
LEFT = ("*~", "*.sw?", "*.tmp", "~$*", r"\#*#", "*___jb_*___", "Thumbs.db", "desktop.ini")
"""Patterns of swap files, locks and backups of editors and systems."""

TEXT_SUFFIXES = (".yml", ".yaml", ".md")


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
    if name.lower().endswith(TEXT_SUFFIXES) or last == LOCK:
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


OF_EDITION = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "errata.yml", "questions.yml")
"""The files of an edition's folder with fixed names."""

RULEBOOK = "rulebook.yml"


def unknown_file_message(name: str) -> str:
    """Return a message for a file of unknown purpose, with a hint where it may belong."""
    file = name.rpartition("/")[2]
    stem, _, suffix = file.rpartition(".")
    names = (*OF_EDITION, RULEBOOK)
    if suffix != "yml":
        hint = f"name it {stem}.{'md' if suffix.lower() == 'md' else 'yml'}"
    elif file in names:
        hint = f"it belongs in the folder of {'a book' if file == RULEBOOK else 'an edition'}"
    elif similar := nearest_option(file, names, 0.75):
        hint = f"did you mean {similar}?"
    else:
        hint = "chapters belong in rules/ of an edition, tables in tables/, player aids in aids/"
    return f"nothing says what {file} is; {hint}"
