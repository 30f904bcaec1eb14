"""Short addresses of rules and tables: a small page at each, which leads on to where its subject is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from rulewright.references import site_paths
from rulewright.render.build_artifacts import Content
from rulewright.render.render_context import RenderContext
from rulewright.render.templating import environment


def short_url_pages(desk: RenderContext, folder: str) -> Iterator[tuple[str, Content]]:
    """The pages at the short addresses of the book in a folder, by their files."""
    for path, to in site_paths.short_urls(desk.shelf, folder):
        yield f"{path}/index.html", partial(_page, path, to, desk)


def _page(path: str, to: site_paths.ShortUrl, desk: RenderContext) -> str:
    page, end = desk.page_and_fragment(to.target) if to.target else (to.edition.address, "")
    name = desk.name(to.target) if to.target else ""
    template: Any = environment().get_template("site/short.html").module
    return str(template.short(site_paths.relative_link(path, page) + end, name, to.edition, to.newest))
