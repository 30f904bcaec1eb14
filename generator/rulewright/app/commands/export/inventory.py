"""Write only the inventory, by which other sites link to the rules.

The files objects.inv and inventory.json, as Sphinx and mkdocstrings read them.

example:
  rulewright export inventory ../elsewhere
"""

from __future__ import annotations

from pathlib import Path

from rulewright.app.exporting import export_files, into_folder
from rulewright.app.registry import command


@command
@into_folder
def run(project: Path, folder: str, force: bool) -> int:
    from rulewright.site.exports.bodies import INVENTORY

    export_files(project, Path(folder), force, lambda files: {name: files[name] for name in INVENTORY})
    print(f"{' and '.join(INVENTORY)} in {Path(folder)}")
    return 0
