"""Types of content files: the model of each, and its location in the content folder."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.book.series_inheritance import GameRulebook, GameSequence
from rulewright.files.content_folder import CONTENT, OF_EDITION
from rulewright.schema.aid import Aid
from rulewright.schema.erratum import Errata, Questions
from rulewright.schema.redirects import Redirects
from rulewright.schema.rulebook import Chapter, EditionFile, KnownNumbers
from rulewright.schema.table import Table

MODELS: Mapping[str, type] = {
    "rulebook": GameRulebook,
    "edition": EditionFile,
    "known": KnownNumbers,
    "chapter": Chapter,
    "sequence": GameSequence,
    "table": Table,
    "aid": Aid,
    "redirects": Redirects,
    "errata": Errata,
    "questions": Questions,
}
"""Model of each type of content file."""

_FOLDERS = {"rules": "chapter", "tables": "table", "aids": "aid"}


def sort_of(file: str) -> str | None:
    """Return the type of the content file at a path such as `content/ocs/4.3/known.yml`, or None."""
    folder, *names = file.split("/")
    if folder != CONTENT or not file.endswith(".yml"):
        return None
    match names:
        case [_, "rulebook.yml"]:
            return "rulebook"
        case [_, _, name] if name in OF_EDITION:
            return name.removesuffix(".yml")
        case [_, _, place, _]:
            return _FOLDERS.get(place)
    return None


def path_pattern(kind: str) -> str:
    """Return the glob pattern of the files of a type: content/*/*/rules/*.yml."""
    if kind == "rulebook":
        return f"{CONTENT}/*/rulebook.yml"
    folder = next((folder for folder, kind_inside in _FOLDERS.items() if kind_inside == kind), None)
    return f"{CONTENT}/*/*/{f'{folder}/*' if folder else kind}.yml"
