"""`rulewright export zip`: the site to unpack and open from a disk."""

from __future__ import annotations

import argparse
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from rulewright.app.commands import Usage, deliver, may_replace, vacant
from rulewright.app.commands.build import site_files
from rulewright.model.reports import several
from rulewright.site.portable import portable

FIRST = (1980, 1, 1, 0, 0, 0)
"""The date of every file in it, so that the same site gives the same bytes."""


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Make the site and pack it into one file. Unpacked, it opens from a disk with no server and no "
        "network: open index.html in the folder. Links, search and previews work there too."
    )
    parser.epilog = "example:\n  rulewright export zip rules.zip"
    parser.add_argument("file", metavar="FILE.zip", help="the file to write")
    may_replace(parser)
    parser.add_argument("--no-print", action="store_true", help="leave the PDFs of aids and rulebooks out")


def run(arguments: argparse.Namespace) -> int:
    """Make the site aside and pack it.

    Raises Usage where the file cannot be one, Refused where the site cannot be made.
    """
    target = Path(arguments.file)
    if target.suffix.lower() != ".zip":
        raise Usage(f"{target} does not end in .zip; say {target.name}.zip")
    if target.is_dir():
        raise Usage(f"{target} is a folder; name a file")
    vacant(target, arguments)
    files = site_files(arguments.project, prints=not arguments.no_print)
    packed = pack(portable(files), target.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    deliver(packed, target, arguments)
    pages = several(sum(name.endswith(".html") and not name.startswith("r/") for name in files), "page")
    print(f"{target}: {pages}, {len(packed) / 1e6:.1f} MB. Unpack it and open {target.stem}/index.html.")
    return 0


def pack(files: Mapping[str, bytes], folder: str) -> bytes:
    """Files as a zip, all in one folder."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            file = zipfile.ZipInfo(f"{folder}/{path}", FIRST)
            file.external_attr = 0o644 << 16  # as Unix knows it; else nobody may read what is unpacked
            archive.writestr(file, files[path], zipfile.ZIP_DEFLATED)
    return packed.getvalue()
