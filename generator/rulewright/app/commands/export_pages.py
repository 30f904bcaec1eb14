"""`rulewright export pages` and `inventory`: the site's pages for another site engine, or its inventory."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from rulewright.app import staging
from rulewright.app.commands import Refused, Usage, has_colour, within, write
from rulewright.model.reports import as_json, several, text
from rulewright.site.artifacts import Artifacts, Branch
from rulewright.site.harmless import published
from rulewright.source.filenames import stays
from rulewright.source.folder import CONTENT, gather
from rulewright.source.problems import Severity

INDEX = "pages.json"
INVENTORY = ("objects.inv", "inventory.json")


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write the body of every page as index.html in the page's own folder, with links relative to it, "
        "the Markdown pages with their references linked, the pictures, "
        f"and {INDEX}: navigation, titles, sections; or only the inventory, {' and '.join(INVENTORY)}, "
        "by which other sites link to the rules."
    )
    parser.epilog = "example:\n  rulewright export pages ../hugo/content/rules"
    parser.add_argument("folder", metavar="DIR", help="a folder that is empty or not there yet")
    force = "write to a folder that is not empty: replace what an earlier export left, leave all else"
    parser.add_argument("--force", action="store_true", help=force)


def run(arguments: argparse.Namespace) -> int:
    """Write the pages. Raises Usage where the folder is taken, Refused where the content has errors."""
    from rulewright.app.build import build

    folder = Path(arguments.folder)
    if folder.exists() and not folder.is_dir():
        raise Usage(f"{folder} is a file; name a folder")
    taken = folder.is_dir() and any(folder.iterdir())
    if taken and not arguments.force:
        raise Usage(f"{folder} is not empty; --force writes to it all the same")
    made = build(arguments.project)
    if any(problem.severity is Severity.ERROR for problem in made.problems):
        raise Refused(made.problems, "nothing exported until this is mended")
    sys.stderr.write(text(made.problems, colour=has_colour(sys.stderr)))
    files = export(made, _pictures(arguments.project))
    if arguments.what == "inventory":
        files = {name: files[name] for name in INVENTORY}
    if taken:
        _replace(folder, files)
    else:
        _put(folder, files)
    pages = several(len(made.pages) + len(made.prose), "page")
    print(
        f"{' and '.join(INVENTORY) if arguments.what == 'inventory' else f'{pages} and {INDEX}'} in {folder}"
    )
    return 0


def export(made: Artifacts, pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every file of the export by its path in the folder."""
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


def _pictures(project: Path) -> dict[str, bytes]:
    """The files of the content folder that are copied."""
    files = {name: published(project, name) for name in gather(project).others}
    return {name.removeprefix(f"{CONTENT}/"): data for name, data in files.items() if data is not None}


def _put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files aside, then let them be the folder. Raises OSError."""
    aside = staging.begin(folder, whole=False)
    try:
        for name, data in files.items():
            path = within(aside.folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        staging.publish(aside)
    except BaseException:
        staging.discard(aside)
        raise


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files among what the folder holds, then delete what only an earlier export left."""
    earlier = _earlier(folder) if INDEX in files else set()
    for name, data in files.items():
        path = within(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, data)
    for name in earlier - files.keys():
        path = within(folder, name)
        path.unlink(missing_ok=True)
        # Its folders go too where it was the last that they held.
        for above in path.parents[: len(PurePosixPath(name).parts) - 1]:
            if above.is_dir() and not any(above.iterdir()):
                above.rmdir()


def _earlier(folder: Path) -> set[str]:
    """The files of an earlier export into a folder, as far as its index can be made sense of."""
    try:
        files = json.loads((folder / INDEX).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    names = {name for name in files if isinstance(name, str)} if isinstance(files, list) else set()
    return {name for name in names if stays(name)}
