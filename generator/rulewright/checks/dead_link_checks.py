"""Check links and pictures of Markdown pages against all pages and files of the site."""

from __future__ import annotations

from rulewright.checks.check_visitor import LoadedProject, Problems, check
from rulewright.files.problems import Severity, nearest_option, problem_type, quote_short
from rulewright.references.page_links import linkable_files
from rulewright.references.site_pages import SitePages

NO_PAGE = problem_type(
    "page-link-not-found",
    """A link or a picture of a Markdown page leads to a page or a file that the site will not have. Files are
    named from the page's own folder, the pages that the site makes as well: `1-movement.md`, `tables.md`.""",
    Severity.WARNING,
)
NO_ANCHOR = problem_type(
    "page-anchor-not-found",
    "A link of a Markdown page leads to an anchor that the page there does not have.",
    Severity.WARNING,
)


@check(LoadedProject, NO_PAGE, NO_ANCHOR)
def check_links_of_pages(project: LoadedProject, _: object) -> Problems:
    """Report dead links of pages, and navigation entries without a page.

    Nothing is reported if other plugins may create pages, nor for links to books with errors.
    """
    links = [(link, page.text) for page in project.manuscripts for link in page.links]
    if not project.settings.is_only_page_source or not (links or project.settings.nav):
        return
    # Faults of a book may hide pages and numbers.
    hidden = {name.split("/")[1] for name in project.library.faulty if name.endswith(".yml")}
    site_files = linkable_files(project.index, project.old_pages)
    site = SitePages(project.folder, site_files, project.settings, hidden)
    for link, text in links:
        place, target = text.location_of(link.offset), site.resolve(link)
        if target is None:
            sort = "picture" if link.is_picture else "page or file"
            hint = _hint(site.nearest_link(link))
            yield NO_PAGE.problem(place, f"there is no {sort} {quote_short(link.to, 80)}{hint}", link.page)
        elif options := site.other_anchors(target):
            hint = _hint(nearest_option(target.anchor, options) or "")
            page = target.path or "at the top"
            message = f"the page {page} has no anchor {quote_short(target.anchor)}{hint}"
            yield NO_ANCHOR.problem(place, message, link.page)
    for entry in project.settings.nav:
        if not site.has_page(entry):
            hint = _hint(nearest_option(entry, site.page_names) or "")
            yield NO_PAGE.problem(entry, f"there is no page {quote_short(entry, 80)}{hint}", entry.file.name)


def _hint(nearest: str) -> str:
    return f"; did you mean {nearest}?" if nearest else ""
