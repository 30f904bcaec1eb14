"""Write the pages as plain HTML, for another site engine.

The body of every page as index.html in the page's own folder, with links relative to it, the Markdown pages
with their references linked, the pictures, and pages.json: navigation, titles, sections.

example:
  rulewright export pages ../hugo/content/rules
"""

from __future__ import annotations

from rulewright.app.exporting import into_folder
from rulewright.app.registry import command


@command
@into_folder
def run(files: dict[str, bytes], pages: int) -> tuple[dict[str, bytes], str]:
    from rulewright.model.reports import several
    from rulewright.site.exports.bodies import INDEX

    return files, f"{several(pages, 'page')} and {INDEX}"
