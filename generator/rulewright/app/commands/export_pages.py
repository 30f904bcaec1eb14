"""`rulewright export pages` and `inventory`: the site's pages for another site engine, or its inventory."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.app.commands import Refused, Usage, has_colour, within
from rulewright.model.reports import as_json, several, text
from rulewright.site.artifacts import Artifacts, Branch
from rulewright.site.harmless import published
from rulewright.source.filenames import stays
from rulewright.source.folder import CONTENT, gather
from rulewright.source.problems import Severity
from rulewright.source.transaction import recover, replace

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
    if said := recover(folder, ""):
        print(f"rulewright: {said}", file=sys.stderr)
    if folder.is_dir() and any(folder.iterdir()) and not arguments.force:
        raise Usage(f"{folder} is not empty; --force writes to it all the same")
    made = build(arguments.project)
    if any(problem.severity is Severity.ERROR for problem in made.problems):
        raise Refused(made.problems, "nothing exported until this is mended")
    sys.stderr.write(text(made.problems, colour=has_colour(sys.stderr)))
    files = export(made, _pictures(arguments.project))
    if arguments.what == "inventory":
        files = {name: files[name] for name in INVENTORY}
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
        "sums": {name: _sum(data) for name, data in sorted(files.items())},
    }
    return files | {INDEX: as_json(index).encode()}


def _nav(branches: Sequence[Branch]) -> list[dict[str, Any]]:
    return [{"title": b.title, "path": b.path, "branches": _nav(b.branches)} for b in branches]


def _pictures(project: Path) -> dict[str, bytes]:
    """The files of the content folder that are copied."""
    files = {name: published(project, name) for name in gather(project).others}
    return {name.removeprefix(f"{CONTENT}/"): data for name, data in files.items() if data is not None}


def _put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files among what the folder holds, and delete what only an earlier export left.

    Raises Usage where a file of another is in the way of one.
    """
    sums = _earlier(folder)
    was = {name: path.read_bytes() for name in {*files, *sums} if (path := within(folder, name)).is_file()}
    ours = {name for name, data in was.items() if sums.get(name) == _sum(data)}
    ours |= {name for name in (INDEX, *INVENTORY) if name in was}  # which --force is about
    others = sorted(name for name in was.keys() & files.keys() - ours if was[name] != files[name])
    if others:
        more = f", and {several(len(others) - 1, 'more file')}" if len(others) > 1 else ""
        raise Usage(
            f"{folder / others[0]}{more} would be replaced, which no export wrote or which was edited since; "
            "move it away, or name another folder"
        )
    gone = ours - files.keys() if INDEX in files else set()
    folder.mkdir(parents=True, exist_ok=True)
    replace(folder, {**files, **dict.fromkeys(gone)}, was, "")


def _earlier(folder: Path) -> Mapping[str, str]:
    """The sums of the files that an earlier export left, as far as its index can be made sense of."""
    try:
        sums = json.loads((folder / INDEX).read_bytes())["sums"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {name: sum for name, sum in sums.items() if stays(name)} if isinstance(sums, dict) else {}


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
