"""The bodies of the pages, for another site engine, with links relative to each and an index of all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.model.reports import as_json
from rulewright.site.artifacts import Artifacts, Branch
from rulewright.site.harmless import published
from rulewright.source.filenames import stays
from rulewright.source.folder import CONTENT, gather

INDEX = "pages.json"
INVENTORY = ("objects.inv", "inventory.json")


def export(made: Artifacts, pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """The pages without what stands around them, with all that they need, each file by its path."""
    pages = {page.path: f"{page.path}/index.html".lstrip("/") for page in made.pages}
    prose = {name.removeprefix(f"{CONTENT}/"): page.filled() for name, page in made.prose.items()}
    files = {name: data.encode() if isinstance(data, str) else data for name, data in made.files.items()}
    files |= pictures
    files |= {name: markdown.encode() for name, markdown in prose.items()}
    files |= {pages[page.path]: page.html.encode() for page in made.pages}
    index = {
        "nav": _nav(made.nav),
        "pages": [
            {
                "path": page.path,
                "file": pages[page.path],
                "title": page.title,
                "description": page.description,
                "source": {"file": page.place.file, "line": page.place.line} if page.place else None,
                "versions": [
                    {"name": v.name, "standing": v.standing, "path": v.path}
                    | {"same": v.is_same, "moves": v.moves}
                    for v in page.versions
                ],
                "sections": [
                    {"anchor": s.anchor, "title": s.title, "level": s.level, "text": s.text}
                    for s in page.sections
                ],
            }
            for page in made.pages
        ],
        "markdown": sorted(prose),
        "files": sorted(files),
    }
    return files | {INDEX: as_json(index).encode()}


def _nav(branches: Sequence[Branch]) -> list[dict[str, Any]]:
    return [{"title": b.title, "path": b.path, "branches": _nav(b.branches)} for b in branches]


def pictures(project: Path) -> dict[str, bytes]:
    """The files of the content folder that are copied."""
    files = {name: published(project, name) for name in gather(project).others}
    return {name.removeprefix(f"{CONTENT}/"): data for name, data in files.items() if data is not None}


def earlier(folder: Path) -> set[str]:
    """The files of an earlier export into a folder, as far as its index can be made sense of."""
    try:
        files = json.loads((folder / INDEX).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    names = {name for name in files if isinstance(name, str)} if isinstance(files, list) else set()
    return {name for name in names if stays(name)}
