"""Files made of the finished site: what search finds, what devices keep, what a server is to send."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs import utils
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page

from rulewright.app.mkdocs_plugin.made_page import MadePage
from rulewright.site import offline
from rulewright.site.artifacts import Artifacts
from rulewright.site.headers import netlify
from rulewright.site.navigation import every
from rulewright.site.policy import sent
from rulewright.site.searching import search_entries, search_indexes
from rulewright.source import disk


def searches(
    config: MkDocsConfig, artifacts: Artifacts, pages: Callable[[], Iterable[Page]] | None = None
) -> dict[str, Callable[[], str]]:
    """Makers of the index of each edition, and of all other pages, by path, in the place of Material's.

    `pages`: those that Material has not met, since they are written when they are asked for.
    """
    search = config.plugins.get("material/search")
    if not (search and search.config.enabled):
        return {}
    index = copy(search.search_index)
    index.entries = []
    none = index.generate_search_index(None)

    def others() -> Any:
        for page in pages() if pages else ():
            if isinstance(page, MadePage):
                index.entries += () if page.edition else search_entries(page.made, page.url)
            else:
                index.add_entry_from_context(page)
        return index.entries if pages else search.search_index.entries

    made = search_indexes(artifacts.search, others, none)
    return {f"{edition or 'search'}/search_index.json": one for edition, one in made}


def write_last(config: MkDocsConfig, artifacts: Artifacts, headers: bool, trusted: bool) -> None:
    """Write the worker that keeps the site on devices, and with `headers` what a server sends."""
    site = Path(config.site_dir)
    paths = (path for path, _ in disk.walk(site) if offline.is_kept(path))
    files = {path: sha256((site / path).read_bytes()).hexdigest()[:12] for path in paths}
    folders = [branch.path for branch in every(artifacts.nav) if branch.path and branch.branches]
    outermost = [one for one in folders if not one.startswith(tuple(f"{other}/" for other in folders))]
    utils.write_file(offline.worker(files, outermost).encode(), str(site / offline.WORKER))
    if headers:
        base = urlsplit(config.site_url or "").path or "/"
        policy = sent((page.read_bytes() for page in site.rglob("*.html")), trusted)
        utils.write_file(netlify(policy, base).encode(), str(site / "_headers"))
