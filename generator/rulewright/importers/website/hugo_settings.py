"""The settings of a Hugo site that decide its addresses; all others are its theme's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rulewright.importers.website.front_matter import parsed
from rulewright.importers.website.heading_ids import GITHUB, Slugs
from rulewright.source.problems import File, Problem

LANGUAGES = {".toml": "TOML", ".yaml": "YAML", ".yml": "YAML", ".json": "JSON"}
_NAMES = ("hugo", "config")
_OF_PRODUCTION = ("_default", "production")
"""The folders in config/ that count when a site is published, the later ones first in rank."""


@dataclass(frozen=True)
class Settings:
    """Hugo's settings by their names in small letters, nested as Hugo nests them."""

    values: Mapping[str, Any] = field(default_factory=dict)

    def get(self, *names: str, default: Any = None) -> Any:
        """A setting by its names from the outside in: `get("markup", "goldmark")`."""
        value: Any = self.values
        for name in names:
            value = value.get(name) if isinstance(value, Mapping) else None
        return default if value is None else value

    def on(self, *names: str, default: bool = False) -> bool:
        """A setting that is on or off."""
        value = self.get(*names)
        return value if isinstance(value, bool) else default

    def slugs(self) -> Slugs:
        """A fresh Slugs for the headings of one page."""
        parser = ("markup", "goldmark", "parser")
        # Since Hugo 0.144 the setting has another name, and the older one still counts.
        style = self.get(*parser, "autoheadingidtype") or self.get(*parser, "autoidtype")
        return Slugs(
            str(style or GITHUB).lower(),
            self.on(*parser, "autoheadingid", default=True),
            self.on(*parser, "attribute", "title", default=True),
        )

    @property
    def host(self) -> str:
        """The host that the site stands on, empty where the configuration does not say."""
        return urlsplit(str(self.get("baseurl", default=""))).netloc

    @property
    def base(self) -> str:
        """The path of the site on its host: `/` or `/games/`."""
        path = urlsplit(str(self.get("baseurl", default=""))).path
        return f"/{path.strip('/')}/" if path.strip("/") else "/"

    @property
    def language(self) -> str:
        """The language whose pages have no language in their names."""
        return str(self.get("defaultcontentlanguage", default="en")).lower()

    @property
    def others(self) -> frozenset[str]:
        """The site's other languages."""
        languages = self.get("languages", default={})
        names = languages if isinstance(languages, Mapping) else {}
        return frozenset(map(str, names)) - {self.language}

    @property
    def content(self) -> str:
        """The folder that holds the pages."""
        own = self.get("languages", self.language, "contentdir")
        return str(own or self.get("contentdir", default="content")).strip("/")

    @property
    def prefix(self) -> str:
        """The beginning of every address of the usual language: nothing, or `en/`."""
        return f"{self.language}/" if self.on("defaultcontentlanguageinsubdir") and self.others else ""

    def static(self) -> list[str]:
        """The folders whose files are published as they are."""
        named = self.get("staticdir", default="static")
        return [str(name).strip("/") for name in (named if isinstance(named, list) else [named])]


def settings_of(root: Path, shown: str) -> tuple[Settings, list[Problem]]:
    """The settings of a site, and what cannot be read of them. `shown` is how messages name its folder."""
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for path, names in _files(root):
        name = f"{shown}/{path.relative_to(root).as_posix()}"
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            text = "\0"  # which none of the languages allows, so that the file is reported as unreadable
        file = File(name, text)
        read, faults = parsed(file, LANGUAGES[path.suffix], 0, len(text))
        problems += faults
        for key in reversed(names):
            read = {key: read}
        values = _merged(values, _lowered(read))
    return Settings(values), problems


def is_root(folder: Path) -> bool:
    """Whether a folder is the top of a Hugo site: its configuration stands in it."""
    return next(_files(folder), None) is not None


def _files(root: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files of the configuration, the weakest first, and the keys that all in a file belongs under."""
    for environment in _OF_PRODUCTION:
        folder = root / "config" / environment
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.suffix in LANGUAGES and path.is_file():
                # languages.en.toml holds languages.en, hugo.toml and config.toml the whole
                names = tuple(path.stem.lower().split("."))
                yield path, () if names[0] in _NAMES else names
    for stem in _NAMES:
        for suffix in LANGUAGES:
            if (path := root / f"{stem}{suffix}").is_file():
                yield path, ()
                return


def _lowered(value: Any) -> Any:
    """Keys in small letters: large and small ones are the same to Hugo."""
    if isinstance(value, Mapping):
        return {str(key).lower(): _lowered(inner) for key, inner in value.items()}
    return value


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two sets of settings as one; where both say something, the other holds."""
    both = dict(one)
    for key, value in other.items():
        mine = both.get(key)
        nested = isinstance(mine, Mapping) and isinstance(value, Mapping)
        both[key] = _merged(mine, value) if nested else value  # type: ignore[arg-type]
    return both
