"""Write only the inventory, by which other sites link to the rules.

The files objects.inv and inventory.json, as Sphinx and mkdocstrings read them.

example:
  rulewright export inventory ../elsewhere
"""

from __future__ import annotations

from rulewright.app.exporting import into_folder
from rulewright.app.registry import command


@command
@into_folder
def run(files: dict[str, bytes], pages: int) -> tuple[dict[str, bytes], str]:
    from rulewright.site.exports.bodies import INVENTORY

    return {name: files[name] for name in INVENTORY}, " and ".join(INVENTORY)
