"""Pack the whole site to unpack and open from a disk.

Unpacked, it opens with no server and no network: open index.html in the folder. Links, search and previews
work there too.

example:
  rulewright export zip rules.zip
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.registry import command, flag, may_replace
from rulewright.source.refusal import Refusal


@command
@click.argument("file", metavar="FILE.zip", help="the file to write")
@may_replace
@flag("--no-print", help="leave the PDFs of aids and rulebooks out")
def run(project: Path, file: str, force: bool, no_print: bool) -> int:
    from rulewright.app.host import site_files
    from rulewright.model.reports import several
    from rulewright.site.portable import pack, portable
    from rulewright.source.output import deliver, vacant

    target = Path(file)
    if target.suffix.lower() != ".zip":
        raise Refusal(f"{target} does not end in .zip; say {target.name}.zip")
    if target.is_dir():
        raise Refusal(f"{target} is a folder; name a file")
    vacant(target, force)
    files = site_files(project, prints=not no_print)
    packed = pack(portable(files), target.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    deliver(packed, target, force)
    pages = several(sum(name.endswith(".html") and not name.startswith("r/") for name in files), "page")
    print(f"{target}: {pages}, {len(packed) / 1e6:.1f} MB. Unpack it and open {target.stem}/index.html.")
    return 0
