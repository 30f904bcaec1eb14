"""Write the pages as plain HTML, for another site engine.

The body of every page as index.html in the page's own folder, with links relative to it, the Markdown pages
with their references linked, the pictures, and pages.json: navigation, titles, sections.

example:
  rulewright export pages ../hugo/content/rules
"""

from __future__ import annotations

from pathlib import Path

from rulewright.app.exporting import export_files, into_folder
from rulewright.app.registry import command


@command
@into_folder
def run(project: Path, folder: str, force: bool) -> int:
    from rulewright.model.reports import several
    from rulewright.site.exports.bodies import INDEX

    pages = export_files(project, Path(folder), force, dict)
    print(f"{several(pages, 'page')} and {INDEX} in {Path(folder)}")
    return 0
