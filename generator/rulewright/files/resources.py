"""Files that the program ships besides its code: templates, styles, scripts, fonts."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


TEMPLATES = next(
    folder / "templates" for folder in (PACKAGE, *PACKAGE.parents) if (folder / "templates").is_dir()
)
"""In the package if it is installed, at the top of the repository in a checkout."""

CHECKOUT = PACKAGE.parents[1] if (PACKAGE.parents[1] / "tests" / "cases").is_dir() else None
"""The repository that the program runs from, or None if the program is installed."""

THEME = TEMPLATES / "theme"
