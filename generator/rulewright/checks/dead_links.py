"""Check links and pictures of Markdown pages against all pages and files of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from rulewright.checks import site_settings
from rulewright.files.content_folder import CONTENT
from rulewright.files.content_reader import ContentFolder
from rulewright.files.filenames import RESERVED_NAMES
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, nearest_option, problem_type, quote_short
from rulewright.references.site_paths import content_page_path

if TYPE_CHECKING:
    from rulewright.references.page_links import PageLink
    from rulewright.references.redirect_targets import OldPage
    from rulewright.references.reference_index import ReferenceIndex

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

INDEX = "index.html"
_MADE_LATE = re.compile(r"\.(?:js|json|css|webp|xml|inv)\Z")
"""Generated files that authors need not know by name."""
_NUMBER = re.compile(r"[A-Z]{0,3}\.?\d[\w.()/-]*")
_ALWAYS = ("", "top")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")


def check_links_of_pages(
    folder: ContentFolder,
    links: Collection[PageLink],
    index: ReferenceIndex,
    moved: Iterable[OldPage],
    problems: Iterable[Problem],
    settings: site_settings.SiteSettings,
) -> Iterator[Problem]:
    """Report dead links of pages, and navigation entries without a page.

    Nothing is reported if other plugins may create pages, nor for links to books with errors.
    """
    if not settings.is_only_page_source:
        return
    if links or settings.nav:
        from rulewright.references.page_links import (
            linkable_files,  # late: a small game has no pages of its own
        )

        site = _Site(folder, linkable_files(index, moved), problems, settings)
        for link in links:
            yield from site.check_link(link)
        for entry in settings.nav:
            yield from site.check_navigation_entry(entry)


class _Site:
    """Pages and files of the site, by path and by the names that content pages use."""

    def __init__(
        self,
        folder: ContentFolder,
        site_pages: Mapping[str, frozenset[str]],
        problems: Iterable[Problem],
        settings: site_settings.SiteSettings,
    ) -> None:
        self.texts, self.settings = folder.texts, settings
        self.books_with_errors = {
            problem.place.file.split("/")[1]
            for problem in problems
            if problem.severity is Severity.ERROR
            and problem.place.file.endswith(".yml")
            and "/" in problem.place.file
        }
        self.site_pages = site_pages
        pages = (name for name in folder.texts if name.endswith(".md"))
        files = {name.removeprefix(f"{CONTENT}/") for name in (*pages, *folder.other_files)}
        self.files = files - settings.unpublished(files)
        self.pages = {
            content_page_path(f"{CONTENT}/{name}"): f"{CONTENT}/{name}"
            for name in self.files
            if name.endswith(".md")
        }
        self.folders = {
            "",
            *(posixpath.dirname(path) for path in self.site_pages if path.endswith(f"/{INDEX}")),
        }
        self._anchors: dict[str, Mapping[str, str] | None] = {}

    def check_link(self, link: PageLink) -> Iterator[Problem]:
        """Report a link without a target, or with an unknown anchor."""
        try:
            address = urlsplit(link.to)
        except ValueError:
            return
        if address.scheme or address.netloc or link.to.startswith("\\"):
            return
        page_path = content_page_path(link.page)
        path, anchor = unquote(address.path), unquote(address.fragment)
        if not path:
            target: str | None = page_path
        elif path.startswith("/"):
            if not path.startswith(self.settings.base):
                return  # of another site on the same host
            target = self.resolve_path(path[len(self.settings.base) :])
        else:
            page_folder = posixpath.dirname(link.page.removeprefix(f"{CONTENT}/"))
            target = (
                None
                if link.is_html
                else self.resolve_file(posixpath.normpath(posixpath.join(page_folder, path)))
            )
            target = self.resolve_path(posixpath.join(page_path, path)) if target is None else target
        if target is None:
            sort = "picture" if link.is_picture else "page or file"
            right = self.suggest_link(link, path)
            message = (
                f"there is no {sort} {quote_short(link.to, 80)}{f'; did you mean {right}?' if right else ''}"
            )
            yield NO_PAGE.problem(link.place, message, link.page)
        elif (
            anchor not in _ALWAYS
            and not anchor.startswith(":~:")
            and (options := self.anchor_options(target, anchor))
        ):
            nearest = nearest_option(anchor, options)
            words = f"the page {target or 'at the top'} has no anchor {quote_short(anchor)}"
            yield NO_ANCHOR.problem(
                link.anchored, f"{words}{f'; did you mean {nearest}?' if nearest else ''}", link.page
            )

    def check_navigation_entry(self, entry: LocatedText) -> Iterator[Problem]:
        """Report a navigation entry whose page does not exist."""
        address = urlsplit(entry)
        if (
            not (address.scheme or address.netloc or entry.startswith("/"))
            and self.resolve_file(posixpath.normpath(entry)) is None
        ):
            nearest = nearest_option(
                entry, [*self.files, *(f"{path or 'index'}.md" for path in self.folders)]
            )
            message = (
                f"there is no page {quote_short(entry, 80)}{f'; did you mean {nearest}?' if nearest else ''}"
            )
            yield NO_PAGE.problem(entry.place, message, entry.file.name)

    def resolve_file(self, file: str) -> str | None:
        """Return the path of a page or file that a content page names, relative to the content folder."""
        if file in self.files:
            return content_page_path(file) if file.endswith(".md") else file
        page = "" if file == "index.md" else file.removesuffix(".md")
        if page != file and (page in self.folders or self._may_exist(file)):
            return page
        return file if file in self.site_pages or self._may_exist(file) else None

    def resolve_path(self, path: str) -> str | None:
        """Return the page or file at a path below the root of the site, as a browser resolves it."""
        path = posixpath.normpath(f"/{path}").lstrip("/").removesuffix(INDEX).rstrip("/")
        is_file = path in self.site_pages or (path in self.files and not path.endswith(".md"))
        return (
            path if is_file or path in self.pages or path in self.folders or self._may_exist(path) else None
        )

    def _may_exist(self, path: str) -> bool:
        """Return whether the existence of a path is unknown here."""
        first = path.partition("/")[0].removesuffix(".md")
        guide = first == "guide" and f"{CONTENT}/docs/troubleshooting.md" in self.texts
        return (
            guide
            or first in RESERVED_NAMES
            or first in self.books_with_errors
            or (_MADE_LATE.search(path) is not None)
        )

    def anchor_options(self, page: str, anchor: str) -> Sequence[str]:
        """Return the anchors of a page that lacks an anchor; empty if it has the anchor or they are
        unknown.
        """
        if name := self.pages.get(page):
            if name not in self._anchors:
                self._anchors[name] = self.settings.anchors(self.texts[name])
            known = self._anchors[name]
            return (
                []
                if known is None or anchor in known or (not page and anchor == "books")
                else [*known, "top"]
            )
        numbers = self.site_pages.get(f"{page}/{INDEX}")
        return (
            [*numbers]
            if numbers and anchor not in numbers and _NUMBER.fullmatch(anchor) and "-note-" not in anchor
            else []
        )

    def suggest_link(self, link: PageLink, path: str) -> str:
        """Return the most similar link with a target, as the page would write it."""
        page_folder = posixpath.dirname(link.page.removeprefix(f"{CONTENT}/"))
        stem = posixpath.splitext(posixpath.basename(path.rstrip("/")))[0]
        other_files = self.files - {link.page.removeprefix(f"{CONTENT}/")}
        files = sorted(
            other for other in other_files if not link.is_picture or other.lower().endswith(_PICTURES)
        )
        files += [] if link.is_picture else sorted(f"{folder or 'index'}.md" for folder in self.folders)
        by_stem: dict[str, list[str]] = {}
        for file in files:
            by_stem.setdefault(posixpath.splitext(posixpath.basename(file))[0], []).append(file)
        candidates = by_stem.get(stem) or by_stem.get(nearest_option(stem, by_stem) or "")
        if not candidates:
            return ""
        best = min(
            candidates, key=lambda file: (len(posixpath.relpath(file, page_folder or ".").split("/")), file)
        )
        anchor = link.to.partition("#")[2]
        if link.is_html:
            to = f"{content_page_path(best)}/" if best.endswith(".md") else best
            suggestion = posixpath.relpath(to, content_page_path(link.page) or ".") + (
                "/" if to.endswith("/") else ""
            )
        else:
            suggestion = posixpath.relpath(best, page_folder or ".")
        return f"{suggestion.replace(' ', '%20')}{f'#{anchor}' if anchor else ''}"
