"""The offline copy: files of the site that a reader's device caches.

The worker, a script that a browser runs beside the pages, gets every file with a digest, grouped: what all
pages need is cached from the first visit, an edition whole as soon as one of its pages is read. What is only
downloaded stays out, and so does what leads on to other pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from rulewright.render.templating import environment

WORKER = "sw.js"
"""At the root of the site, since a worker answers for the folder that it lies in."""

MANIFEST = "site.webmanifest"

COMMON = ""
"""The group of what all pages need."""

_DOWNLOADS = {".csv", ".gz", ".inv", ".map", ".pdf", ".zip"}
_SHORT = "r/"
_REPEATED = ("/book.json", "/all/index.html")
"""Large files that say again what others say."""
_UNUSED = ("robots.txt", "sitemap.xml", WORKER)
"""Files for machines."""


def is_cached_offline(path: str) -> bool:
    """Return whether devices cache a file of the site, by its path from the root."""
    name = PurePosixPath(path)
    hidden = any(part.startswith(".") for part in name.parts)
    unused = name.suffix in _DOWNLOADS or path.endswith(_REPEATED)
    return not (hidden or unused or path.startswith((_SHORT, *_UNUSED)))


def service_worker_script(files: Mapping[str, str], editions: Iterable[str]) -> str:
    """Return the worker's script. `files`: digests of cached files by path; `editions`: all addresses."""
    groups: dict[str, dict[str, str]] = {COMMON: {}, **{address: {} for address in editions}}
    for path in sorted(files):
        above = (parent.as_posix() for parent in PurePosixPath(path).parents)
        group = next((one for one in above if one in groups), COMMON)
        address = path.removesuffix("index.html") if PurePosixPath(path).name == "index.html" else path
        groups[group][address] = files[path]
    return environment().get_template("offline/worker.js").render(groups=groups)
