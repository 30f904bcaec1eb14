"""The offline copy: files of the site that a reader's device caches.

The worker, a script that a browser runs beside the pages, gets every file with a digest, grouped: what all
pages need is cached from the first visit, an edition whole as soon as one of its pages is read. What is only
downloaded stays out, and so does what leads on to other pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulewright.render.templating import environment

WORKER = "sw.js"
"""At the root of the site, since a worker answers for the folder that it lies in."""

MANIFEST = "site.webmanifest"

COMMON = ""
"""The group of what all pages need."""

_INDEX = re.compile(r"(?<![^/])index\.html\Z")
_DOWNLOADS = (".csv", ".gz", ".inv", ".map", ".pdf", ".zip", "/book.json", "/all/index.html")
"""Files that are only downloaded, and large ones that say again what others say."""
_FOR_MACHINES = ("r/", "robots.txt", "sitemap.xml", WORKER)
"""Pages that lead on to others, and files that no page shows."""


def is_cached_offline(path: str) -> bool:
    """Return whether devices cache a file of the site, by its path from the root."""
    is_hidden = "/." in f"/{path}"
    return not (is_hidden or path.endswith(_DOWNLOADS) or path.startswith(_FOR_MACHINES))


def service_worker_script(files: Mapping[str, str], folders: Sequence[str]) -> str:
    """Return the worker's script. `files`: digests of cached files by path.

    `folders`: those that are cached as a whole, each before the folders in it.
    """
    groups: dict[str, dict[str, str]] = {COMMON: {}}
    for path in sorted(files):
        group = next((folder for folder in folders if path.startswith(f"{folder}/")), COMMON)
        groups.setdefault(group, {})[_INDEX.sub("", path)] = files[path]
    return environment().get_template("offline/worker.js").render(groups=groups)
