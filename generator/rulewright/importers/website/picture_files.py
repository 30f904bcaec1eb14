"""The pictures and downloads of a book: found where its pages say, and given names of their own."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.importers.website.site import Page, Site

PICTURES = "pictures"
_THEME = (".css", ".scss", ".js", ".map", ".woff", ".woff2", ".ttf", ".yml", ".yaml", ".toml", ".json", "")


@dataclass(slots=True)
class Pictures:
    """The pictures and other files that are copied, by their new names; those that are not there, with
    places."""

    site: Site
    copied: dict[str, Path] = field(default_factory=dict)
    missing: list[tuple[Page, int, str]] = field(default_factory=list)
    attached: int = 0
    _names: dict[str, str] = field(default_factory=dict)

    def named(self, page: Page, address: str, line: int, folder: str = PICTURES) -> tuple[str, bool]:
        """The new name of a file that a page shows, and whether it is there."""
        target = self.site.target(page, address)
        path = target.file if target else None
        path = path or self._alike(address)
        source = str(path or (target.address if target else address))
        if source not in self._names:
            base = re.sub(r"[^\w.+-]+", "-", posixpath.basename(source.partition("?")[0])) or "picture"
            stem, ending = posixpath.splitext(base)
            name, count = f"{folder}/{base}", 1
            while name in self._names.values():
                count += 1
                name = f"{folder}/{stem}-{count}{ending}"
            self._names[source] = name
        name = self._names[source]
        if path:
            self.copied[name] = path
        else:
            self.missing.append((page, line, address))
        return name, path is not None

    def published(self) -> list[tuple[str, str]]:
        """The files that have an address on the old site, each with its new name, empty where it has none."""
        names = {path: name for name, path in self.copied.items()}
        shown = ((address, path) for address, path in self.site.files.items() if self.site.served)
        kept = [
            (address, names.get(path, "")) for address, path in shown if path.suffix.lower() not in _THEME
        ]
        return sorted(kept)

    def _alike(self, address: str) -> Path | None:
        """The only file whose path ends as an address does: a section alone does not know where its site
        begins."""
        parts = address.partition("?")[0].strip("/").split("/")
        for count in (3, 2, 1):
            tail = "/" + "/".join(parts[-count:])
            found = [path for name, path in self.site.files.items() if f"/{name.strip('/')}".endswith(tail)]
            if len(found) == 1:
                return found[0]
        return None
