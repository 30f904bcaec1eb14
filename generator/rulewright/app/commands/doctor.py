"""Say which versions are at work, what the project is, and what is missing, with the cure.

Ends with 1 where something is missing without which there is no site or no print.

example:
  rulewright doctor
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import click

from rulewright import __version__
from rulewright.app.registry import MANNER, command, find_project, has_colour
from rulewright.source import private
from rulewright.source.folder import SETTINGS, content_dir
from rulewright.source.refusal import Refusal
from rulewright.source.resources import CHECKOUT, TEMPLATES
from rulewright.source.settings import site_of

MATERIAL_ENDS = "2027-05-05"
"""The day until which Material is mended, by its own announcement."""

PRINTS = ("typst", "pikepdf", "pypdfium2", "segno", "fonttools")


class Finding(NamedTuple):
    """A result: its subject, what was found, the cure. `fatal`: there is no site or print without it."""

    about: str
    found: str
    cure: str = ""
    fatal: bool = False


@command
@click.pass_context
def run(ctx: click.Context) -> int:
    findings = [*_program(), *_engine(), *_printing(), *_project(ctx)]
    signs = {"": ("ok", "32"), "note": ("note", "33"), "fatal": ("missing", "31")}
    for one in findings:
        sign, colour = signs["fatal" if one.fatal else "note" if one.cure else ""]
        if one.cure or not MANNER.quiet:
            padded = f"{sign:8}"
            padded = f"\x1b[{colour}m{padded}\x1b[0m" if has_colour(sys.stdout) else padded
            print(f"{padded}{one.about:10}{one.found}{one.cure and f'; {one.cure}'}")
    return 1 if any(one.fatal for one in findings) else 0


def _program() -> Iterator[Finding]:
    where = CHECKOUT or Path(__file__).parents[2]
    yield Finding("program", f"rulewright {__version__} in {where}")
    python = f"{platform.python_version()} on {platform.platform(terse=True)}"
    cure = "its re misreads possessive patterns, which packages may use; install Python 3.11.5 or newer"
    yield Finding("python", python, cure if misreads_patterns() else "")
    if kept := private.cache(""):
        yield Finding("cache", str(kept))
    else:
        cure = "name a folder of your own in XDG_CACHE_HOME"
        yield Finding("cache", "no folder can be written to, so all is made anew each time", cure)


def misreads_patterns() -> bool:
    """Whether this Python keeps what it tried and found wrong in a possessive repeat, as 3.11.2 does."""
    ours = re.compile("(?:ab?c)+" + "+").match("aca")  # in two pieces: the program itself uses none
    return not ours or ours[0] != "ac"


def _engine() -> Iterator[Finding]:
    mkdocs, fork = _installed("mkdocs"), _installed("properdocs")
    beside = f", and properdocs {fork} as well" if fork else ""
    yield _needed("engine", "mkdocs", mkdocs, beside)
    theme = _installed("mkdocs-material")
    yield _needed("theme", "mkdocs-material", theme, f", mended until {MATERIAL_ENDS}")


def _printing() -> Iterator[Finding]:
    from rulewright.print.typesetting import FACES
    from rulewright.source.installed import installing

    found = {name: _installed(name) for name in PRINTS}
    if lacking := [name for name in PRINTS if not found[name]]:
        them = f"{', '.join(lacking)} not installed, so there are no PDFs"
        yield Finding("printing", them, f"to install: {installing()}", fatal=True)
    else:
        yield Finding("printing", ", ".join(f"{name} {one}" for name, one in found.items()))
    faces = sorted(file.stem for file in FACES.glob("*.ttf"))
    if faces:
        families = dict.fromkeys(name.partition("-")[0] for name in faces)
        yield Finding("fonts", f"{len(faces)} faces of {', '.join(families)}; none of the machine's is used")
    else:
        yield Finding("fonts", f"none in {FACES.relative_to(TEMPLATES.parent)}", _AGAIN, fatal=True)


def _project(ctx: click.Context) -> Iterator[Finding]:
    try:
        project = find_project(ctx.obj)
    except Refusal as refusal:
        yield Finding("project", "none here", str(refusal).partition("; ")[2] or str(refusal))
        return
    lacking = [name for name in (SETTINGS, content_dir(project)) if not (project / name).exists()]
    if lacking:
        yield Finding("project", str(project), f"it lacks {' and '.join(lacking)}", fatal=True)
        return
    yield Finding("project", os.path.abspath(project))
    if _installed("mkdocs") and _installed("mkdocs-material"):
        from rulewright.app.host import listening, load

        try:
            with listening(verbose=False) as heard:
                load(project, heard)
        except Refusal as refusal:
            yield Finding("settings", str(refusal), "mend that there", fatal=True)
    address = site_of(project)
    cure = "" if address else "set site_url in mkdocs.yml: QR codes, short addresses and the sitemap need it"
    yield Finding("address", address or "none", cure)


_AGAIN = "install rulewright again"


def _needed(about: str, name: str, found: str, more: str = "") -> Finding:
    if found:
        return Finding(about, f"{name} {found}{more}")
    return Finding(about, f"{name} is not installed", _AGAIN, fatal=True)


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
