"""Short URLs of rules and tables: a small page at each, which leads to the newest rule of the number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulewright.references import site_paths
from rulewright.render.build_artifacts import Content
from rulewright.render.html_writer import attribute
from rulewright.render.render_context import RenderContext


def short_url_pages(desk: RenderContext, folder: str) -> Iterator[tuple[str, Content]]:
    """The pages at the short addresses of the book in a folder, by their files."""
    for path, to in site_paths.short_urls(desk.index, folder):
        yield f"{path}/index.html", partial(_page, path, to, desk)


def _page(path: str, to: site_paths.ShortUrl, desk: RenderContext) -> str:
    page, fragment = desk.page_and_fragment(to.target) if to.target else (to.edition.address, "")
    href = attribute(site_paths.relative_link(path, page) + fragment)
    title = attribute(f"{desk.name(to.target)}, {to.edition.title}" if to.target else to.edition.title)
    newest = ""
    if to.newest:
        name = attribute(str(to.newest.edition_file.edition))
        newest = f". The newest edition, {name}, has nothing of that number."
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">"""
        f'<meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url={href}">'
        f'<link rel="canonical" href="{href}"><link rel="icon" href="data:,"><title>{title}</title>'
        f'<p><a href="{href}">{title}</a>{newest}</p></html>'
    )
