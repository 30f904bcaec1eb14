"""Settings of mkdocs.yml that checks depend on; `mkdocs_settings_faults` reports its problems.

The file is composed to nodes and not constructed as a whole, because MkDocs has tags of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import yaml

from rulewright.files.content_folder import SETTINGS
from rulewright.files.mkdocs_settings import EXTENSIONS
from rulewright.files.problems import SourceLocation

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

UNKNOWN = object()
"""A value that only MkDocs can read."""


@dataclass(frozen=True)
class SiteSettings:
    """Settings that the links of pages depend on."""

    nav: tuple[tuple[SourceLocation, str], ...] = ()
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

    def anchors(self, page: bytes) -> Mapping[str, str] | None:
        """Return the anchors of a page; None if they depend on extensions of the project."""
        from rulewright.references.redirect_targets import anchors_of

        return None if self.has_own_extensions else anchors_of(page)


def read_site_settings(data: bytes) -> SiteSettings:
    """Return the settings of a site, or the defaults if the file is missing or unreadable."""
    keys = dict(named_values(compose_settings(data)))
    plugins = dict(named_values(keys.get("plugins")))
    own_options = value_of(plugins.get(PLUGIN))
    others = {name.rpartition("/")[2] for name in plugins} - _PLUGINS_WITHOUT_PAGES - {PLUGIN}
    base = "/"
    with suppress(ValueError):
        base = urlsplit(str(value_of(keys.get("site_url")) or "")).path.rstrip("/") + "/"
    patterns = [value_of(keys.get(key)) for key in ("exclude_docs", "draft_docs")]
    return SiteSettings(
        tuple(_navigation_entries(keys.get("nav"), set())),
        base,
        not others and not keys.keys() & {"hooks", "INHERIT"},
        any(
            options is not None or name not in EXTENSIONS
            for name, options in named_values(keys.get("markdown_extensions"))
        ),
        isinstance(own_options, dict) and own_options.get("trusted") is True,
        tuple(line for text in patterns if isinstance(text, str) for line in text.splitlines()),
    )


def compose_settings(data: bytes) -> yaml.Node | None:
    """Return the nodes of mkdocs.yml; None if it is empty or no valid YAML."""
    try:
        return yaml.compose(data.decode("utf-8-sig"), Loader=yaml.SafeLoader)
    except (ValueError, RecursionError, yaml.YAMLError):
        return None


def named_nodes(node: yaml.Node | None) -> Iterator[tuple[yaml.Node, yaml.Node | None]]:
    """Yield the keys of a mapping, or the names in a list, with their values."""
    for item in node.value if isinstance(node, yaml.SequenceNode) else [node]:
        if isinstance(item, yaml.MappingNode):
            yield from item.value
        elif isinstance(item, yaml.ScalarNode):
            yield item, None


def named_values(node: yaml.Node | None) -> Iterator[tuple[str, yaml.Node | None]]:
    """Yield the names of `named_nodes` as text, with their values."""
    for key, value in named_nodes(node):
        yield str(key.value), value


def value_of(node: yaml.Node | None) -> Any:
    """Return a value as plain Python; `UNKNOWN` if only MkDocs can read it, and None if it is missing."""
    try:
        return yaml.SafeLoader("").construct_document(node) if node else None
    except (ValueError, RecursionError, yaml.YAMLError):
        return UNKNOWN


def location_of(node: yaml.Node) -> SourceLocation:
    return SourceLocation(SETTINGS, node.start_mark.line + 1, node.start_mark.column + 1)


def _navigation_entries(node: yaml.Node | None, seen: set[int]) -> Iterator[tuple[SourceLocation, str]]:
    """Yield the pages of the navigation; `seen`: the nodes already read, which an alias may repeat."""
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        if isinstance(entry := value_of(node), str):
            yield location_of(node), entry
        return
    children = node.value if isinstance(node, yaml.SequenceNode) else [value for _, value in node.value]
    for child in children:
        yield from _navigation_entries(child, seen)
