"""Short URLs of rules and tables: a small page at each, which leads to the newest rule of the number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from posixpath import dirname

from rulewright.references import site_paths
from rulewright.render.build_artifacts import Content
from rulewright.render.html_writer import attribute
from rulewright.render.render_context import RenderContext


def short_url_pages(context: RenderContext, book: str) -> Iterator[tuple[str, Content]]:
    """Yield the pages at the short URLs of a book with their files, and those of former chapters.

    A short URL is a file, since a folder for each of some thousand numbers takes longer than all else.
    """
    for path, target in site_paths.short_urls(context.index, book):
        file = f"{path}.html" if path.startswith("r/") else f"{path}/index.html"
        yield file, partial(_page, file, target, context)


def _page(file: str, short: site_paths.ShortUrl, context: RenderContext) -> str:
    page, fragment, title = short.edition.address, "", short.edition.title
    if short.target:
        page, fragment = context.page_and_fragment(short.target)
        title = f"{context.name(short.target)}, {title}"
    title = attribute(title)
    href = attribute(site_paths.relative_link(dirname(file), page) + fragment)
    newest = ""
    if short.newest:
        name = attribute(str(short.newest.edition_file.edition))
        newest = f". The newest edition, {name}, has nothing of that number."
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">"""
        f'<meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url={href}">'
        f'<link rel="canonical" href="{href}"><link rel="icon" href="data:,"><title>{title}</title>'
        f'<p><a href="{href}">{title}</a>{newest}</p></html>'
    )
