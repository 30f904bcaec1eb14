"""Files made of the finished site: what search finds, what devices keep, what a server is to send."""

from __future__ import annotations

import os
from copy import copy
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs import utils
from mkdocs.config.defaults import MkDocsConfig

from rulewright.app.serving import Serving
from rulewright.site import offline
from rulewright.site.artifacts import Artifacts
from rulewright.site.headers import netlify
from rulewright.site.navigation import every
from rulewright.site.policy import sent
from rulewright.site.searching import search_indexes
from rulewright.source import disk


def write_search(config: MkDocsConfig, artifacts: Artifacts, serving: Serving | None) -> None:
    """Write an index for each edition, and one of all other pages, in the place of Material's."""
    search = config.plugins.get("material/search")
    if search and search.config.enabled:
        empty = copy(search.search_index)
        empty.entries = []
        others, none = search.search_index.entries, empty.generate_search_index(None)
        for edition, index in search_indexes(artifacts.search, others, none):
            path = f"{edition or 'search'}/search_index.json"
            if not (edition and serving and serving.unchanged(path, index)):
                utils.write_file(index.encode(), os.path.join(config.site_dir, path))


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
