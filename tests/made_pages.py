"""Pages of the site as tests make them, and as they compare them."""

from rulewright.site.artifacts import Artifacts, Body, Page, Section, Version
from rulewright.source.problems import Place


def made_page(
    path: str,
    title: str,
    html: str,
    sections: tuple[Section, ...] = (),
    place: Place | None = None,
    description: str = "",
    versions: tuple[Version, ...] = (),
) -> Page:
    body = Body(html, sections, description)
    return Page(path, title, lambda: body, place, ways=lambda page: versions)


def changed(page: Page, *, path: str = "", title: str = "", html: str = "") -> Page:
    """A page at another address, with another title or with another body."""
    body = page.body
    path, title, html = path or page.path, title or page.title, html or body.html
    return made_page(path, title, html, body.sections, page.place, body.description)


def said(page: Page) -> tuple[object, ...]:
    """All that a page says."""
    return page.path, page.title, page.body, page.place, page.number, page.versions


def told(made: Artifacts) -> list[tuple[object, ...]]:
    return [*map(said, made.pages)]
