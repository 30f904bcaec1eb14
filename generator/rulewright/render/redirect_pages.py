"""Pages at old addresses and at the address of a book, which lead on to where their subject is now.

A server never sees the anchor of an address, so the page reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from posixpath import dirname

from rulewright.book.outline import Outline
from rulewright.references import site_paths
from rulewright.references.redirect_targets import Destination, OldPage
from rulewright.render.build_artifacts import Content
from rulewright.render.render_context import RenderContext
from rulewright.render.templating import environment


def redirect_pages(old_pages: Iterable[OldPage], context: RenderContext) -> dict[str, Content]:
    """Return the page for each old address, by its file: `rules/5-modes/index.html`."""
    return {
        old.file: partial(_redirect_page, old.file, old.destination, old.anchors, context)
        for old in old_pages
    }


def former_chapter_pages(outline: Outline, context: RenderContext) -> dict[str, Content]:
    """Return the pages at the addresses of former chapters, by their files."""
    pages: dict[str, Content] = {}
    for path, chapter in site_paths.former_paths(outline):
        file = f"{path}/index.html"
        destination = Destination(page=site_paths.chapter_path(chapter), source=chapter)
        pages[file] = partial(_redirect_page, file, destination, {}, context)
    return pages


def book_redirect_page(book: str, context: RenderContext) -> str:
    """Return the page of a book: `ocs/` leads to the newest edition, `ocs/#12.5c` to a rule in it.

    The front page of the edition leads on to its rules; this page lists what the edition has no rule for.
    """
    newest = context.index.newest[book]
    anchors = {
        number: Destination(*site_paths.path_and_anchor(target), target)
        for number, target in site_paths.targets_beside_newest(context.index, book).items()
    }
    destination = Destination(newest.address)
    return _redirect_page(f"{book}/index.html", destination, anchors, context, "The newest edition:")


def _redirect_page(
    file: str,
    destination: Destination,
    anchors: Mapping[str, Destination],
    context: RenderContext,
    heading: str = "This has moved:",
) -> str:
    page, *links = (
        {
            "anchor": anchor,
            "href": site_paths.relative_link(dirname(file), target.page, target.anchor),
            "name": _name(target, context),
        }
        for anchor, target in {"": destination, **anchors}.items()
    )
    template = environment().get_template("site/signpost.html")
    return template.render(page=page, anchors=links, heading=heading)


def _name(target: Destination, context: RenderContext) -> str:
    if target.source:
        return context.name(target.source)
    outline = context.index.outlines.get(target.page)
    last = target.page.rpartition("/")[2]
    return outline.edition.title if outline else last.replace("-", " ").capitalize()
