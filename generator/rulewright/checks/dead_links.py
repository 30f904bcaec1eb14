"""Check links and pictures of Markdown pages against all pages and files of the site."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from rulewright.checks import site_settings
from rulewright.citations.site_paths import content_page_path
from rulewright.source.content_folder import CONTENT, ContentFolder
from rulewright.source.filenames import RESERVED_NAMES
from rulewright.source.lazy_regex import Regex
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, Severity, nearest_option, problem_type, quote_short

if TYPE_CHECKING:
    from rulewright.citations.page_links import PageLink
    from rulewright.citations.redirect_targets import OldPage
    from rulewright.citations.reference_index import ReferenceIndex

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
_MADE_LATE = Regex(r"\.(?:js|json|css|webp|xml|inv)\Z")
"""Generated files that authors need not know by name."""
_NUMBER = Regex(r"[A-Z]{0,3}\.?\d[\w.()/-]*")
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
        from rulewright.citations.page_links import (
            linkable_files,  # late: a small game has no pages of its own
        )

        site = _Site(folder, linkable_files(index, moved), problems, settings)
        for link in links:
            yield from site.fault(link)
        for entry in settings.nav:
            yield from site.unlisted(entry)


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
        self.unsure = {
            problem.place.file.split("/")[1]
            for problem in problems
            if problem.severity is Severity.ERROR
            and problem.place.file.endswith(".yml")
            and "/" in problem.place.file
        }
        self.made = site_pages
        pages = (name for name in folder.texts if name.endswith(".md"))
        files = {name.removeprefix(f"{CONTENT}/") for name in (*pages, *folder.other_files)}
        self.files = files - settings.unpublished(files)
        self.pages = {
            content_page_path(f"{CONTENT}/{name}"): f"{CONTENT}/{name}"
            for name in self.files
            if name.endswith(".md")
        }
        self.folders = {"", *(posixpath.dirname(path) for path in self.made if path.endswith(f"/{INDEX}"))}
        self._anchors: dict[str, Mapping[str, str] | None] = {}

    def fault(self, link: PageLink) -> Iterator[Problem]:
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
            target = self.at(path[len(self.settings.base) :])
        else:
            page_folder = posixpath.dirname(link.page.removeprefix(f"{CONTENT}/"))
            target = (
                None if link.is_html else self.named(posixpath.normpath(posixpath.join(page_folder, path)))
            )
            target = self.at(posixpath.join(page_path, path)) if target is None else target
        if target is None:
            sort = "picture" if link.is_picture else "page or file"
            right = self.right(link, path)
            message = (
                f"there is no {sort} {quote_short(link.to, 80)}{f'; did you mean {right}?' if right else ''}"
            )
            yield NO_PAGE.problem(link.place, message, link.page)
        elif (
            anchor not in _ALWAYS and not anchor.startswith(":~:") and (options := self.lacks(target, anchor))
        ):
            nearest = nearest_option(anchor, options)
            words = f"the page {target or 'at the top'} has no anchor {quote_short(anchor)}"
            yield NO_ANCHOR.problem(
                link.anchored, f"{words}{f'; did you mean {nearest}?' if nearest else ''}", link.page
            )

    def unlisted(self, entry: LocatedText) -> Iterator[Problem]:
        """The problem of an entry of the navigation, if it leads to a page that is not there."""
        address = urlsplit(entry)
        if (
            not (address.scheme or address.netloc or entry.startswith("/"))
            and self.named(posixpath.normpath(entry)) is None
        ):
            nearest = nearest_option(
                entry, [*self.files, *(f"{path or 'index'}.md" for path in self.folders)]
            )
            message = (
                f"there is no page {quote_short(entry, 80)}{f'; did you mean {nearest}?' if nearest else ''}"
            )
            yield NO_PAGE.problem(entry.place, message, entry.file.name)

    def named(self, file: str) -> str | None:
        """The page or file that a page of the content means by a file's name, from the content folder."""
        if file in self.files:
            return content_page_path(file) if file.endswith(".md") else file
        page = "" if file == "index.md" else file.removesuffix(".md")
        if page != file and (page in self.folders or self._may_be(file)):
            return page
        return file if file in self.made or self._may_be(file) else None

    def at(self, path: str) -> str | None:
        """The page or file at an address below the top of the site, where a browser ends up."""
        path = posixpath.normpath(f"/{path}").lstrip("/").removesuffix(INDEX).rstrip("/")
        is_file = path in self.made or (path in self.files and not path.endswith(".md"))
        return path if is_file or path in self.pages or path in self.folders or self._may_be(path) else None

    def _may_be(self, path: str) -> bool:
        """Whether something may be at an address that nothing here knows."""
        first = path.partition("/")[0].removesuffix(".md")
        guide = first == "guide" and f"{CONTENT}/docs/mistakes.md" in self.texts  # made of our own examples
        return (
            guide or first in RESERVED_NAMES or first in self.unsure or (_MADE_LATE.search(path) is not None)
        )

    def lacks(self, page: str, anchor: str) -> Sequence[str]:
        """The anchors of a page that has not this one; empty where it has it, or where that is not known."""
        if name := self.pages.get(page):
            if name not in self._anchors:
                self._anchors[name] = self.settings.anchors(self.texts[name])
            known = self._anchors[name]
            return (
                []
                if known is None or anchor in known or (not page and anchor == "books")
                else [*known, "top"]
            )
        numbers = self.made.get(f"{page}/{INDEX}")
        return (
            [*numbers]
            if numbers and anchor not in numbers and _NUMBER.fullmatch(anchor) and "-note-" not in anchor
            else []
        )

    def right(self, link: PageLink, path: str) -> str:
        """The nearest address that leads somewhere, as this page would write it."""
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
