"""Settings of mkdocs.yml that checks depend on; `mkdocs_settings_faults` reports its problems.

Values with tags of MkDocs are unknown here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from rulewright.files.content_folder import SETTINGS
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.mkdocs_settings import EXTENSIONS
from rulewright.files.yaml_tree import load_yaml_tree

PLUGIN = "rulewright"
_PLUGINS_WITHOUT_PAGES = frozenset((
    "search", "offline", "privacy", "typeset", "info", "meta", "optimize", "minify", "mike", "glightbox",
    "social", "git-revision-date-localized", "git-authors", "git-committers",
))  # fmt: skip
"""Plugins that create no pages and change no links."""

REFUSED: Mapping[str, str] = {
    "i18n": "builds a site for each language, and of the pages of the books it would make none; take it out, "
    "and make a site of each language"
}
"""Incompatible plugins, with the reason."""

NULL = ("", "~", "null")
"""Values of a key that has none."""

_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class SiteSettings:
    """Settings that the links of pages depend on."""

    nav: tuple[LocatedText, ...] = ()
    """The entries of the navigation."""
    base: str = "/"
    """Path of the site's URL."""
    is_only_page_source: bool = True
    """No other plugin creates pages."""
    has_own_extensions: bool = False
    """The project has more Markdown extensions, or settings of them."""
    trusted: bool = False
    """HTML of pages is not sanitized."""
    excluded_patterns: tuple[str, ...] = ()
    """Patterns of files that are not published."""

    def unpublished(self, names: Iterable[str]) -> frozenset[str]:
        """Return which of the content files the site excludes."""
        names = [*names]
        excluded = frozenset(name for name in names if name.startswith("templates/"))
        if not self.excluded_patterns:
            return excluded
        from pathspec.gitignore import GitIgnoreSpec  # late: few sites exclude files

        try:
            return excluded.union(GitIgnoreSpec.from_lines(self.excluded_patterns).match_files(names))
        except ValueError:
            return excluded

    def anchors(self, page: bytes) -> Sequence[str] | None:
        """Return the anchors of a page; None if they depend on extensions of the project."""
        from rulewright.references.redirect_targets import anchors_of

        return None if self.has_own_extensions else anchors_of(page)


def read_site_settings(data: bytes) -> SiteSettings:
    """Return the settings of a site, or the defaults if the file is missing or unreadable."""
    root, _ = load_yaml_tree(SETTINGS, data)
    keys = named_values(root)
    plugins = named_values(keys.get("plugins"))
    others = {name.rpartition("/")[2] for name in plugins} - _PLUGINS_WITHOUT_PAGES - {PLUGIN}
    extensions = named_values(keys.get("markdown_extensions"))
    base = "/"
    with suppress(ValueError):
        base = urlsplit(_text_of(keys.get("site_url"))).path.rstrip("/") + "/"
    patterns = [_text_of(keys.get(key)) for key in ("exclude_docs", "draft_docs")]
    return SiteSettings(
        tuple(_texts(keys.get("nav"))),
        base,
        not others and not keys.keys() & {"hooks", "INHERIT"},
        any(options is not None or name not in EXTENSIONS for name, options in extensions.items()),
        boolean(named_values(plugins.get(PLUGIN)).get("trusted")) is True,
        tuple(line for text in patterns for line in text.splitlines()),
    )


def named_values(node: Node | None) -> dict[Any, Node | None]:
    """Return the values of a mapping, or of a list of names with or without values, by located text."""
    values: dict[Any, Node | None] = {}
    match node:
        case LocatedText():
            values[node] = None
        case YamlMapping():
            values |= node.entries
        case YamlSequence():
            for item in node.items:
                values |= named_values(item)
    return values


def boolean(node: Node | None) -> bool | None:
    """Return a value that is true or false, or None if it is something else."""
    if not isinstance(node, LocatedText) or node.style:
        return None
    return _BOOLEANS.get(node.lower())


def _text_of(node: Node | None) -> str:
    """Return a text, or an empty string for null and for values with tags, such as !ENV."""
    return node if isinstance(node, LocatedText) and node not in NULL else ""


def _texts(node: Node | None) -> Iterator[LocatedText]:
    """Yield the texts of a value and of the lists and mappings in it, without null."""
    match node:
        case LocatedText():
            if node not in NULL:
                yield node
        case YamlMapping() | YamlSequence():
            for child in node.items if isinstance(node, YamlSequence) else node.entries.values():
                yield from _texts(child)
