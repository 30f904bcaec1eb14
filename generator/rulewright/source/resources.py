"""The files that the program brings along besides its code: templates, styles, scripts, typefaces."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def _templates() -> Path:
    for folder in (PACKAGE / "templates", PACKAGE.parents[1] / "templates"):
        if (folder / "theme").is_dir():
            return folder
    raise SystemExit(f"rulewright: {PACKAGE} is installed without its templates; install Rulewright again")


TEMPLATES = _templates()
"""Inside of the package where it is installed, at the top of the repository in a checkout."""

CHECKOUT = PACKAGE.parents[1] if (PACKAGE.parents[1] / "tests" / "cases").is_dir() else None
"""The repository that the program is run from; none where it is installed."""

THEME = TEMPLATES / "theme"


def material_templates() -> Path | None:
    """Return the templates of the theme that our pages are shown in, found without being imported."""
    spec = find_spec("material")
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0], "templates") if folders else None


def is_installed(module: str) -> bool:
    """Return whether a module may be imported for a check: it is no file of the folder that we run in.

    Settings name modules, and who only checks the changes of others runs no code of theirs.
    """
    try:
        spec = find_spec(module.partition(".")[0])
    except (ImportError, ValueError):
        return True  # there is none
    places = [spec.origin, *(spec.submodule_search_locations or ())] if spec else []
    working_folder, environment_folder = Path.cwd().resolve(), Path(sys.prefix).resolve()
    files = [Path(place).resolve() for place in places if place and os.path.exists(place)]
    return all(
        file.is_relative_to(environment_folder) or not file.is_relative_to(working_folder) for file in files
    )
