"""Files generated from the finished site: search data and service worker."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from markupsafe import Markup
from mkdocs import utils
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.contrib.search.search_index import ContentParser
from mkdocs.structure.pages import Page

from rulewright.app.mkdocs_plugin.generated_files import page_path
from rulewright.app.mkdocs_plugin.generated_page import GeneratedPage
from rulewright.app.mkdocs_plugin.markdown_page import walk_headings
from rulewright.files import atomic_write
from rulewright.files.worker_processes import run_parallel
from rulewright.references import site_paths
from rulewright.render import offline, search_index
from rulewright.render.build_artifacts import Artifacts, PageSection
from rulewright.render.navigation import iter_branches

NO_EDITION = "search"
"""Name of the search data of pages outside editions."""
EMPTY_DATA: dict[str, Any] = {
    "loose": False,
    **{key: [] for key in ("cues", "chapters", "former", "removed", "others")},
}


def search_file_makers(
    artifacts: Artifacts, pages: Callable[[], Iterable[Page]], language: str
) -> dict[str, Callable[[], str]]:
    """Return functions that create the search data of each edition and of other pages, by path.

    `pages`: pages outside editions, requested only after they are rendered.
    `language`: language of these pages, and of books without a language.
    """
    languages = {
        edition: artifacts.languages.get(edition.partition("/")[0], language) for edition in artifacts.search
    }

    def content_entries(edition: str) -> Iterator[search_index.Row]:
        for page in pages():
            path = page_path(page.file)
            folder = "/".join(path.split("/")[:2])
            if edition == (folder if folder in artifacts.search else ""):
                entries = search_index.page_rows(Markup(page.title or "").striptags(), path, _sections(page))
                yield from map(search_index.trim_row, entries)

    def build_script(edition: str) -> str:
        data = artifacts.search[edition]() if edition else EMPTY_DATA
        path = site_paths.search_data_path(edition or NO_EDITION)
        entries = [*data["others"], *content_entries(edition)]
        return search_index.data_script(
            path, {**data, "language": languages.get(edition, language), "others": entries}
        )

    stems = map(search_index.stemmer_script, {language, *languages.values()})
    makers: dict[str, Callable[[], str]] = {path: partial(str, stem) for path, stem in stems}
    for edition in ("", *artifacts.search):
        makers[site_paths.search_data_path(edition or NO_EDITION)] = partial(build_script, edition)
    return makers


def _sections(page: Page) -> Iterator[PageSection]:
    """Yield the sections of a page with their texts."""
    if isinstance(page, GeneratedPage):
        yield from page.site_page.sections
        return
    parser = ContentParser()
    parser.feed(page.content or "")
    parser.close()
    titles = {heading.id: Markup(heading.title).striptags() for heading in walk_headings(page.toc)}
    sections = [section for section in parser.data if section.id in titles]
    if not sections:
        yield PageSection("", "", 1, _join_words(parser.stripped_html))
    for section in sections:
        anchor, level = str(section.id), 1 + (section is not sections[0])
        yield PageSection(anchor, titles[anchor], level, _join_words(" ".join(section.text)))


def _join_words(words: str) -> str:
    """Join the texts of elements in one line, without spaces before punctuation."""
    return re.sub(r"\s+([.,;:!?)])", r"\1", " ".join(words.split()))


def write_in_parallel(writers: Mapping[str, Callable[[], object]], editions: Collection[str]) -> None:
    """Run the writers of files in processes, those of an edition together.

    If one fails, all are run in this process, which raises what went wrong with its place in a template.
    """
    shares: dict[str, list[Callable[[], object]]] = {}
    for path, write in writers.items():
        edition = "/".join(path.split("/")[:2])
        shares.setdefault(edition if edition in editions else "", []).append(write)
    ordered = [*shares.values()]

    def write_share(number: int) -> None:
        for write in ordered[number]:
            write()

    try:
        list(run_parallel(write_share, len(ordered)))
    except Exception:  # of a template or of the disk
        for number in range(len(ordered)):
            write_share(number)


def write_service_worker(config: MkDocsConfig, artifacts: Artifacts) -> None:
    """Write the script that stores the site on a device, with a digest of each file."""
    site = Path(config.site_dir)
    paths = (path for path, _ in atomic_write.walk_files(site) if offline.is_cached_offline(path))
    files = {path: sha256((site / path).read_bytes()).hexdigest()[:12] for path in paths}
    folders = [branch.path for branch in iter_branches(artifacts.nav) if branch.path and branch.branches]
    utils.write_file(offline.service_worker_script(files, folders).encode(), str(site / offline.WORKER))
