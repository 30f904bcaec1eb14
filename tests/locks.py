"""Content whose references have all been read."""

from collections.abc import Mapping

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.edit.lock_updates import record_references
from rulewright.files.content_reader import ContentFolder


def accepted(folder: ContentFolder) -> ContentFolder:
    """A folder with everything recorded."""
    examined = load_and_check_folder(folder)
    homes = ["", *examined.index.newest, *examined.index.outlines]
    result = record_references(examined, homes, lambda _: True)
    return with_files(folder, result.files)


def with_files(folder: ContentFolder, files: Mapping[str, bytes | None]) -> ContentFolder:
    texts = {**folder.texts, **files}
    return ContentFolder({name: data for name, data in texts.items() if data is not None}, folder.other_files)
