"""The bodies of the pages, for another site engine, with links relative to each and an index of all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.files.atomic_write import file_digest
from rulewright.files.content_folder import CONTENT
from rulewright.files.content_reader import read_content_folder
from rulewright.files.errors import UserError
from rulewright.files.filenames import is_inside
from rulewright.files.output_files import path_inside
from rulewright.files.sanitizer import published_bytes
from rulewright.files.transaction import replace_files
from rulewright.render.build_artifacts import Artifacts, NavItem, as_bytes
from rulewright.schema.problem_reports import plural, to_dict, to_json_text

INDEX = "pages.json"


def export_bodies(made: Artifacts, pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """The pages without what stands around them, with all that they need, each file by its path."""
    pages = {page.path: f"{page.path}/index.html".lstrip("/") for page in made.pages}
    prose = {
        name.removeprefix(f"{CONTENT}/"): page.with_html_links() for name, page in made.linked_pages.items()
    }
    files = {name: as_bytes(data) for name, data in made.files.items()}
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
                "source": to_dict(page.place, "file line") if page.place else None,
                "versions": [
                    to_dict(v, "name standing path") | {"same": v.is_same, "moves": v.moves}
                    for v in page.versions
                ],
                "sections": [to_dict(section, "anchor title level text") for section in page.sections],
            }
            for page in made.pages
        ],
        "markdown": sorted(prose),
        "files": sorted(files),
        "sums": {name: file_digest(data) for name, data in sorted(files.items())},
    }
    return files | {INDEX: to_json_text(index).encode()}


def _nav(branches: Sequence[NavItem]) -> list[dict[str, Any]]:
    return [to_dict(branch, "title path") | {"branches": _nav(branch.branches)} for branch in branches]


def content_images(project: Path) -> dict[str, bytes]:
    """The files of the content folder that are copied."""
    files = {name: published_bytes(project, name) for name in read_content_folder(project).other_files}
    return {name.removeprefix(f"{CONTENT}/"): data for name, data in files.items() if data is not None}


def put_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write an export into a folder, delete the rest of an earlier one. Raises Refusal at files of others."""
    sums = _earlier(folder)
    was = {
        name: path.read_bytes() for name in {*files, *sums} if (path := path_inside(folder, name)).is_file()
    }
    ours = {name for name, data in was.items() if sums.get(name) == file_digest(data)}
    ours |= {INDEX} & was.keys()  # which --force is about
    others = sorted(name for name in was.keys() & files.keys() - ours if was[name] != files[name])
    if others:
        more = f", and {plural(len(others) - 1, 'more file')}" if len(others) > 1 else ""
        raise UserError(
            f"{folder / others[0]}{more} would be replaced, which no export wrote or which was edited since; "
            "move it away, or name another folder"
        )
    gone = ours - files.keys() if INDEX in files else set()
    folder.mkdir(parents=True, exist_ok=True)
    replace_files(folder, {**files, **dict.fromkeys(gone)}, was, "")


def _earlier(folder: Path) -> Mapping[str, str]:
    """The sums of the files that an earlier export left, as far as its index can be made sense of."""
    try:
        sums = json.loads((folder / INDEX).read_bytes())["sums"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {name: sum for name, sum in sums.items() if is_inside(name)} if isinstance(sums, dict) else {}
