"""Types of content files: the model of each, and its location in the content folder."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.book.series_inheritance import GameRulebook, GameSequence
from rulewright.model.aid import Aid
from rulewright.model.erratum import Errata, Questions
from rulewright.model.redirects import Redirects
from rulewright.model.rulebook import Chapter, EditionFile, KnownNumbers
from rulewright.model.table import Table
from rulewright.source.content_folder import CONTENT, OF_EDITION

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
