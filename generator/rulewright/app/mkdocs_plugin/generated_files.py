"""Files passed to MkDocs: published files of the content, and generated pages and files."""

from __future__ import annotations

import logging
import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import SimpleNamespace

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel, file_sort_key, get_files
from pathspec.gitignore import GitIgnoreSpec

from rulewright.app.mkdocs_plugin.bundle import Bundle
from rulewright.app.mkdocs_plugin.generated_page import GeneratedPage, LazyPage
from rulewright.files import user_folders
from rulewright.files.content_folder import CONTENT
from rulewright.files.disk_cache import DiskCache
from rulewright.files.sanitizer import is_drawing, sanitize_svg
from rulewright.references.site_paths import content_page_path
from rulewright.render.build_artifacts import Artifacts, Content, NavItem, as_bytes
from rulewright.render.navigation import FOOT, insert_pages, iter_branches, remove_pages
from rulewright.render.responsive_images import ImageInfo, copy_path, measure_images

log = logging.getLogger("mkdocs.plugins.rulewright")  # below "mkdocs", which --strict listens to

SEARCH = ("assets/javascripts/lunr/", "assets/javascripts/workers/")
"""Folders of Material's search, which Rulewright's search box replaces."""

_HEADING = re.compile(r"(<h1[^>]*>)(.*?)(</h1>)", re.DOTALL)
_BOOKS = re.compile(r'<h2 class="label" id="books">|<p>There is no book')


def page_path(file: File) -> str:
    """Return the path of a page as the build pipeline writes it."""
    return posixpath.dirname(file.dest_uri) if file.dest_uri.endswith("index.html") else file.dest_uri


def add_content(files: Files, config: MkDocsConfig, root: str, excluded: GitIgnoreSpec) -> None:
    """Add the files of a content folder outside `docs_dir`; existing files take precedence."""
    docs_dir, exclude_docs = config.docs_dir, config.exclude_docs
    config.docs_dir, config.exclude_docs = root, excluded
    try:
        content_files = [file for file in get_files(config) if file.inclusion is not InclusionLevel.EXCLUDED]
    finally:
        config.docs_dir, config.exclude_docs = docs_dir, exclude_docs
    existing = {file.dest_uri for file in files}
    for file in content_files:
        if file.dest_uri in existing:
            log.warning(f"{CONTENT}/{file.src_uri}:1:1: left out, since {docs_dir} has a file with this path")
        else:
            file.edit_uri = posixpath.normpath(f"{_relative_root(root, docs_dir)}/{file.src_uri}")
            files.append(file)


def _relative_root(root: str, docs: str) -> str:
    return os.path.relpath(root, docs).replace(os.sep, "/")


def filter_files(
    files: Files, config: MkDocsConfig, root: str, display_path: Callable[[File], str], *, trusted: bool
) -> None:
    """Remove files that are links out of the content, and sanitize SVG images."""
    roots = {top: os.path.join(os.path.realpath(top), "") for top in (config.docs_dir, root)}
    for file in [file for file in files if file.src_dir in roots and file.abs_src_path]:
        name = display_path(file)
        data: bytes | None = None
        if not os.path.realpath(file.abs_src_path or "").startswith(roots[file.src_dir or ""]):
            log.warning(f"{name}:1:1: left out, since its path leads out of the content through a link")
        elif trusted or not is_drawing(file.src_uri):
            continue
        elif (data := sanitize_svg(file.content_bytes)) is None:
            log.warning(f"{name}:1:1: left out, since it is not a valid SVG image")
        files.remove(file)
        if data is not None:
            files.append(File.generated(config, file.src_uri, content=data))


def footer_links(files: Files, editor_pages: Iterable[str]) -> SimpleNamespace:
    """Return the links of the footer, omitting missing pages."""
    pages = {page_path(file): file.page for file in files.documentation_pages() if file.page}

    def links(paths: Iterable[str]) -> list[tuple[str, str]]:
        return [(pages[path].title, pages[path].url) for path in paths if path in pages]

    return SimpleNamespace(readers=links(FOOT), editors=links((*editor_pages, "checks")))


def remove_theme_search(files: Files) -> None:
    """Remove the files of Material's search."""
    for file in [file for file in files if file.src_uri.startswith(SEARCH)]:
        files.remove(file)


def add_pages(
    files: Files, config: MkDocsConfig, artifacts: Artifacts, root: str, is_deferred: bool, is_alone: bool
) -> None:
    """Add generated pages; they replace Markdown pages with the same path.

    `is_deferred`: render bodies on demand; `is_alone`: also those of Markdown pages.
    """
    site_pages = {page.path: page for page in artifacts.pages}
    for file in files.documentation_pages():
        if not page_path(file):
            site_pages.pop("", None)  # merged with the generated one, see `merge_index_page`
        elif page_path(file) in site_pages:
            name = f"{CONTENT}/{file.src_uri}" if file.src_dir == root else file.src_uri
            log.warning(f"{name}:1:1: replaced by a generated page with the same path")
            files.remove(file)
    relative_root = _relative_root(root, config.docs_dir)
    branches = {branch.path: branch for branch in iter_branches(navigation_entries(files, artifacts))}
    for file in files.documentation_pages() if is_alone else ():
        if branch := branches.get(page_path(file)):
            LazyPage(branch.title, file, config)
    for path, page in site_pages.items():
        file = File.generated(config, f"{path or 'index'}.md", content="")
        inside = page.place.file.removeprefix(f"{CONTENT}/") if page.place else ""
        if page.place and inside != page.place.file:
            file.edit_uri = posixpath.normpath(f"{relative_root}/{inside}#L{page.place.line}")
            # Plugins that show dates need the source file for git.
            file.abs_src_path, file.generated_by = os.path.join(root, inside), None
        file.inclusion = InclusionLevel.INCLUDED if path in branches else InclusionLevel.NOT_IN_NAV
        GeneratedPage(page, branches.get(path), file, config, is_deferred)
        files.append(file)


def navigation_entries(files: Files, artifacts: Artifacts) -> Sequence[NavItem]:
    """Return the navigation of generated and Markdown pages."""
    markdown_files = [
        file for file in files.documentation_pages() if not isinstance(file.page, GeneratedPage)
    ]
    markdown_files.sort(key=file_sort_key)
    excluded = {content_page_path(name) for name in artifacts.linked_pages} - {
        page_path(file) for file in markdown_files
    }
    unlisted = InclusionLevel.NOT_IN_NAV
    pages = [NavItem("", page_path(file)) for file in markdown_files if file.inclusion != unlisted]
    return insert_pages(remove_pages(artifacts.nav, excluded), pages)


def nav_titles(nav: object) -> Iterator[tuple[str, str]]:
    """Yield the titles and file names of pages in the `nav` of mkdocs.yml."""
    for item in nav if isinstance(nav, list) else [nav]:
        for title, inner in item.items() if isinstance(item, dict) else ():
            if isinstance(inner, str):
                yield str(title), inner
            else:
                yield from nav_titles(inner)


def merge_index_page(home_html: str, page_html: str) -> str:
    """Merge an index page into the home page: replace the heading, insert the rest before the books."""
    heading = _HEADING.search(page_html)
    if heading:
        home_html = _HEADING.sub(lambda match: f"{match[1]}{heading[2]}{match[3]}", home_html, count=1)
        page_html = page_html.replace(heading[0], "", 1)
    books = _BOOKS.search(home_html)
    position = books.start() if books else len(home_html)
    return f'{home_html[:position]}<div class="own">{page_html}</div>{home_html[position:]}'


def add_files(files: Files, config: MkDocsConfig, contents: Mapping[str, Content], is_deferred: bool) -> None:
    """Add generated files; they replace files of the content. `is_deferred`: MkDocs does not write them."""
    for path, content in contents.items():
        if content_file := files.src_uris.get(path):
            files.remove(content_file)
        data = b"" if is_deferred and callable(content) else as_bytes(content)
        files.append(File.generated(config, path, content=data))


def add_pictures(files: Files, config: MkDocsConfig) -> Mapping[str, ImageInfo]:
    """Add scaled copies of images. Return the image information by path."""
    image_files = [file for file in files if not file.dest_uri.startswith("assets/")]
    reading = ((file.dest_uri, partial(getattr, file, "content_bytes")) for file in image_files)
    images = measure_images(reading, DiskCache(user_folders.cache_folder("pictures")))
    for path, picture in images.items():
        if picture.copy and copy_path(path) not in files.src_uris:
            files.append(File.generated(config, copy_path(path), content=picture.copy))
    return images


def replace_bundled(files: Files, config: MkDocsConfig, bundles: Iterable[Bundle]) -> None:
    """Replace the files of each bundle."""
    for bundle in bundles:
        for name in bundle.names:
            files.remove(files.src_uris[name])
        files.append(File.generated(config, bundle.name, content=bundle.text))
