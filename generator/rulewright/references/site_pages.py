"""Resolve the links of content pages to the pages and files of the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from rulewright.files.content_folder import CONTENT
from rulewright.files.content_reader import ContentFolder
from rulewright.files.filenames import RESERVED_NAMES
from rulewright.files.problems import nearest_option
from rulewright.references.page_links import PageLink
from rulewright.references.site_paths import content_page_path
from rulewright.references.site_settings import SiteSettings

INDEX = "index.html"
_MADE_LATE = re.compile(r"\.(?:js|json|css|webp|xml|inv)\Z")
"""Generated files that authors need not know by name."""
_NUMBER = re.compile(r"[A-Z]{0,3}\.?\d[\w.()/-]*")
_ALWAYS = ("", "top")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")


class SiteTarget(NamedTuple):
    """A page or file of the site, or one that the site may have, and the anchor of a link to it."""

    path: str
    anchor: str = ""


class SitePages:
    """Pages and files of the site, by path and by the names that content pages use."""

    def __init__(
        self,
        folder: ContentFolder,
        site_files: Mapping[str, frozenset[str]],
        settings: SiteSettings,
        hidden: Collection[str],
    ) -> None:
        """`site_files`: generated files with their numbers; `hidden`: books whose pages are not all known."""
        self.texts, self.settings, self.site_files, self.hidden = folder.texts, settings, site_files, hidden
        pages = (name for name in folder.texts if name.endswith(".md"))
        files = {name.removeprefix(f"{CONTENT}/") for name in (*pages, *folder.other_files)}
        self.files = files - settings.unpublished(files)
        own_pages = (name for name in self.files if name.endswith(".md"))
        self.pages = {content_page_path(f"{CONTENT}/{name}"): f"{CONTENT}/{name}" for name in own_pages}
        folders = (posixpath.dirname(path) for path in site_files if path.endswith(f"/{INDEX}"))
        self.folders = {"", *folders}

    @property
    def page_names(self) -> list[str]:
        """Names of all pages and files as a navigation has them."""
        return [*self.files, *(f"{path or 'index'}.md" for path in self.folders)]

    def resolve(self, link: PageLink) -> SiteTarget | None:
        """Return the target of a link, or None if the site has none; a link to another site has no anchor."""
        try:
            address = urlsplit(link.to)
        except ValueError:
            return SiteTarget(link.to)
        if address.scheme or address.netloc or link.to.startswith("\\"):
            return SiteTarget(link.to)
        page_path = content_page_path(link.page)
        path, anchor = unquote(address.path), unquote(address.fragment)
        target: str | None = page_path
        if path.startswith("/"):
            if not path.startswith(self.settings.base):
                return SiteTarget(link.to)  # of another site on the same host
            target = self._find_path(path[len(self.settings.base) :])
        elif path:
            page_folder = posixpath.dirname(link.page.removeprefix(f"{CONTENT}/"))
            file = posixpath.normpath(posixpath.join(page_folder, path))
            target = None if link.is_html else self._find_file(file)
            target = self._find_path(posixpath.join(page_path, path)) if target is None else target
        return None if target is None else SiteTarget(target, anchor)

    def has_page(self, entry: str) -> bool:
        """Return whether an entry of the navigation leads to another site or to a page."""
        address = urlsplit(entry)
        is_elsewhere = bool(address.scheme or address.netloc or entry.startswith("/"))
        return is_elsewhere or self._find_file(posixpath.normpath(entry)) is not None

    def _find_file(self, file: str) -> str | None:
        """Return the path of a page or file that a content page names, relative to the content folder."""
        if file in self.files:
            return content_page_path(file) if file.endswith(".md") else file
        page = "" if file == "index.md" else file.removesuffix(".md")
        if page != file and (page in self.folders or self._may_exist(file)):
            return page
        return file if file in self.site_files or self._may_exist(file) else None

    def _find_path(self, path: str) -> str | None:
        """Return the page or file at a path below the root of the site, as a browser resolves it."""
        path = posixpath.normpath(f"/{path}").lstrip("/").removesuffix(INDEX).rstrip("/")
        is_file = path in self.site_files or (path in self.files and not path.endswith(".md"))
        is_there = is_file or path in self.pages or path in self.folders or self._may_exist(path)
        return path if is_there else None

    def _may_exist(self, path: str) -> bool:
        """Return whether the existence of a path is unknown here."""
        first = path.partition("/")[0].removesuffix(".md")
        is_guide = first == "guide" and f"{CONTENT}/docs/troubleshooting.md" in self.texts
        is_unknown = is_guide or first in RESERVED_NAMES or first in self.hidden
        return is_unknown or _MADE_LATE.search(path) is not None

    def other_anchors(self, target: SiteTarget) -> Sequence[str]:
        """Return the anchors of a page that lacks that of a link; empty if it has it or they are unknown."""
        page, anchor = target
        if anchor in _ALWAYS or anchor.startswith(":~:"):
            return []
        if name := self.pages.get(page):
            known = self.settings.anchors(self.texts[name])
            has_anchor = known is None or anchor in known or (not page and anchor == "books")
            return [] if has_anchor else [*(known or ()), "top"]
        numbers = self.site_files.get(f"{page}/{INDEX}", frozenset())
        is_number = _NUMBER.fullmatch(anchor) and "-note-" not in anchor
        return [*numbers] if is_number and anchor not in numbers else []

    def nearest_link(self, link: PageLink) -> str:
        """Return the file with the most similar name, as Markdown links it; empty if there is none."""
        own_name = link.page.removeprefix(f"{CONTENT}/")
        names = [name for name in self.page_names if name != own_name]
        if link.is_picture:
            names = [name for name in names if name.lower().endswith(_PICTURES)]
        relative_names = (posixpath.relpath(f"/{name}", f"/{posixpath.dirname(own_name)}") for name in names)
        farthest_first = sorted(relative_names, key=lambda name: (name.count("/"), name), reverse=True)
        by_stem = {_stem(name): name for name in farthest_first}
        path, hash_sign, anchor = link.to.partition("#")
        nearest = None if link.is_html else nearest_option(_stem(unquote(path).rstrip("/")), by_stem)
        return by_stem[nearest].replace(" ", "%20") + hash_sign + anchor if nearest else ""


def _stem(path: str) -> str:
    """Return the name of a file or folder without its ending."""
    return posixpath.splitext(posixpath.basename(path))[0]
