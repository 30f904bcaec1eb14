"""Site pages built by hand, and the contents of pages for comparison."""

from rulewright.files.problems import SourceLocation
from rulewright.render.build_artifacts import Artifacts, PageBody, PageSection, SitePage


def site_page(
    path: str,
    title: str,
    html: str,
    sections: tuple[PageSection, ...] = (),
    place: SourceLocation | None = None,
    description: str = "",
) -> SitePage:
    body = PageBody(html, sections, description)
    return SitePage(path, title, lambda: body, place)


def changed_page(page: SitePage, *, path: str = "", title: str = "", html: str = "") -> SitePage:
    """Return a copy of a page with another address, title or body."""
    body = page.body
    path, title, html = path or page.path, title or page.title, html or body.html
    return site_page(path, title, html, body.sections, page.place, body.description)


def page_contents(artifacts: Artifacts) -> list[tuple[object, ...]]:
    """Return everything that each page shows."""
    return [
        (page.path, page.title, page.body, page.place, page.number, artifacts.versions(page.path))
        for page in artifacts.pages
    ]
