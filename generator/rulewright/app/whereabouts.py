"""The project that a command is about: the folder that is named, or the nearest one above."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from rulewright.source.refusal import Refusal
from rulewright.source.transaction import recover
from rulewright.source.turns import Busy


def find_project(named: str | None = None) -> Path:
    """The folder that holds `content/`. Raises Refusal where there is none.

    A change of its content that was interrupted is undone first, and told on standard error.
    """
    project = _project(named)
    with suppress(Busy):
        if said := recover(project):
            print(f"rulewright: {said}", file=sys.stderr)
    return project


def _project(named: str | None) -> Path:
    if named is not None:
        if not (Path(named) / "content").is_dir() and not (Path(named) / "mkdocs.yml").is_file():
            raise Refusal(f"{named} is no project: it has neither content/ nor mkdocs.yml")
        return Path(named)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").is_file() and (folder / "content").is_dir():
            return folder
    lacks = f"neither {here} nor a folder above it has mkdocs.yml and content/"
    begin = "begin one with a folder content/ and a copy of the mkdocs.yml of Rulewright"
    raise Refusal(f"no project here: {lacks}; go to one, name it with --project DIR, or {begin}")
