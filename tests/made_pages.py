"""Pages of the site as tests make them, and as they compare them."""

from rulewright.files.problems import SourceLocation
from rulewright.render.build_artifacts import Artifacts, EditionVersion, PageBody, PageSection, SitePage


def made_page(
    path: str,
    title: str,
    html: str,
    sections: tuple[PageSection, ...] = (),
    place: SourceLocation | None = None,
    description: str = "",
    versions: tuple[EditionVersion, ...] = (),
) -> SitePage:
    body = PageBody(html, sections, description)
    return SitePage(path, title, lambda: body, place, ways=lambda page: versions)


def changed(page: SitePage, *, path: str = "", title: str = "", html: str = "") -> SitePage:
    """A page at another address, with another title or with another body."""
    body = page.body
    path, title, html = path or page.path, title or page.title, html or body.html
    return made_page(path, title, html, body.sections, page.place, body.description)


def said(page: SitePage) -> tuple[object, ...]:
    """All that a page says."""
    return page.path, page.title, page.body, page.place, page.number, page.versions


def told(made: Artifacts) -> list[tuple[object, ...]]:
    return [*map(said, made.pages)]
