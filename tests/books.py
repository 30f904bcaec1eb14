"""Checked books for the tests, from the texts of their files."""

from collections.abc import Mapping

from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.files.content_reader import ContentFolder


def folder_of_texts(texts: Mapping[str, str | bytes]) -> ContentFolder:
    """Return a content folder of texts by their names, with or without `content/`."""
    files = {}
    for name, text in texts.items():
        path = name if name.startswith("content/") else f"content/{name}"
        files[path] = text.encode() if isinstance(text, str) else text
    return ContentFolder(files)


def checked(texts: Mapping[str, str | bytes]) -> CheckedProject:
    """Load and check content that is given as texts by the names of files."""
    return load_and_check_folder(folder_of_texts(texts))
