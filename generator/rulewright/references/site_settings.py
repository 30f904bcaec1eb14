"""Settings of mkdocs.yml that checks depend on; `mkdocs_settings_faults` reports its problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import yaml

from rulewright.files.content_folder import SETTINGS
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence, get_value
from rulewright.files.mkdocs_settings import EXTENSIONS
from rulewright.files.problems import Problem
from rulewright.files.resources import is_installed
from rulewright.files.yaml_tree import ALIAS, COMMENT, TAG, load_yaml_tree

PLUGIN = "rulewright"
_MAKES_NOTHING = frozenset((
    "search", "offline", "privacy", "typeset", "info", "meta", "optimize", "minify", "mike", "glightbox",
    "social", "git-revision-date-localized", "git-authors", "git-committers",
))  # fmt: skip
"""Plugins that create no pages and change no links."""

REFUSED: Mapping[str, str] = {
    "i18n": "builds a site for each language, and of the pages of the books it would make none; take it out, "
    "and make a site of each language"
}
"""Incompatible plugins, with the reason."""


@dataclass(frozen=True)
class SiteSettings:
    """Settings that the links of pages depend on."""

    nav: tuple[LocatedText, ...] = ()
    base: str = "/"
    """Path of the site's URL."""
    is_only_page_source: bool = True
    """No other plugin creates pages."""
    extra_extensions: Mapping[str, Any] | None = field(default_factory=dict)
    """Markdown extensions of the project; None if unknown."""
    trusted: bool = False
    """HTML of pages is not sanitized."""
    excluded_patterns: tuple[str, ...] = ()
    """Patterns of files that are not published."""

    @property
    def usable(self) -> Mapping[str, Any]:
        """Return the installed extensions, whose code a check may run."""
        more = self.extra_extensions or {}
        return {name: more[name] for name in more if all(map(is_installed, extension_modules(name)))}

    def unpublished(self, names: Iterable[str]) -> frozenset[str]:
        """Return which of the content files the site excludes."""
        names = [*names]
        excluded = frozenset(name for name in names if name.startswith("templates/"))
        if not self.excluded_patterns:
            return excluded
        from pathspec.gitignore import GitIgnoreSpec  # late: few sites keep anything back

        try:
            return excluded.union(GitIgnoreSpec.from_lines(self.excluded_patterns).match_files(names))
        except ValueError:
            return excluded

    def anchors(self, page: bytes) -> Mapping[str, str] | None:
        """Return the anchors of a page; None if they depend on an unknown extension."""
        if self.extra_extensions is None or self.usable.keys() < self.extra_extensions.keys():
            return None
        from rulewright.references.redirect_targets import anchors_of

        try:
            return anchors_of(page, self.extra_extensions)
        except Exception:  # of an extension of others
            return None


@lru_cache(8)
def load_settings_tree(data: bytes) -> tuple[YamlMapping | None, Sequence[Problem], frozenset[int]]:
    """Return the tree of mkdocs.yml, its problems, and the lines with tags and aliases, which it may have."""
    tree, problems = load_yaml_tree(SETTINGS, data)
    passed = {ALIAS.code, TAG.code, COMMENT.code}
    tagged = frozenset(problem.place.line for problem in problems if problem.code in (TAG.code, ALIAS.code))
    keys = tree if isinstance(tree, YamlMapping) else None
    return keys, [problem for problem in problems if problem.code not in passed], tagged


def read_site_settings(data: bytes) -> SiteSettings:
    """Return the settings of a site, or the defaults if the file is missing or unreadable."""
    tree, _, tagged = load_settings_tree(data) if data else (None, (), frozenset())
    if tree is None:
        return SiteSettings()
    plugins = {name.rpartition("/")[2] for name, _ in named_options(get_value(tree, "plugins"))}
    plugin_options = [
        options for name, options in named_options(get_value(tree, "plugins")) if name == PLUGIN
    ]
    address = get_value(tree, "site_url")
    base = "/"
    with suppress(ValueError):
        base = urlsplit(address).path.rstrip("/") + "/" if isinstance(address, LocatedText) else "/"
    makes_all = not plugins - _MAKES_NOTHING - {PLUGIN} and not {*tree.entries} & {"hooks", "INHERIT"}
    return SiteSettings(
        () if is_none(get_value(tree, "nav")) else tuple(_navigation_entries(get_value(tree, "nav"))),
        base,
        makes_all,
        None
        if "markdown_extensions" in unread_keys(tree, tagged)
        else _extra_extensions(get_value(tree, "markdown_extensions")),
        any(value_of(get_value(node, "trusted")) is True for node in plugin_options),
        tuple(
            line
            for key in ("exclude_docs", "draft_docs")
            if isinstance(text := get_value(tree, key), LocatedText) and not is_none(text)
            for line in text.splitlines()
        ),
    )


def unread_keys(tree: YamlMapping, lines: frozenset[int]) -> set[str]:
    """Return the keys with values that only MkDocs can read."""
    keys, unread = [*tree.entries], set[str]()
    for key, after in zip(keys, [*keys[1:], None], strict=True):
        end = after.place.line if after else max(lines, default=0) + 1
        if key.place.line in lines or not lines.isdisjoint(range(key.place.line, end)):
            unread.add(str(key))
    return unread


def named_options(node: Node | None) -> Iterator[tuple[LocatedText, Node | None]]:
    """Yield the names in a list or mapping with their options."""
    for item in node.items if isinstance(node, YamlSequence) else [node]:
        if isinstance(item, LocatedText):
            yield item, None
        elif isinstance(item, YamlMapping):
            yield from item.entries.items()


def _navigation_entries(node: Node | None) -> Iterator[LocatedText]:
    if isinstance(node, LocatedText):
        yield node
    for item in (
        node.items
        if isinstance(node, YamlSequence)
        else node.entries.values()
        if isinstance(node, YamlMapping)
        else ()
    ):
        yield from _navigation_entries(item)


def _extra_extensions(node: Node | None) -> Mapping[str, Any] | None:
    more = {}
    for name, options in named_options(node):
        try:
            settings = to_python(options)
        except (yaml.YAMLError, ValueError):
            return None
        if settings or name not in EXTENSIONS:
            more[str(name)] = settings or {}
    return more


def to_python(node: Node | None) -> Any:
    """Convert a node to plain Python.

    Raises:
        YAMLError, ValueError: the value is invalid.
    """
    if isinstance(node, YamlMapping):
        return {str(key): to_python(value) for key, value in node.entries.items()}
    if isinstance(node, YamlSequence):
        return [to_python(item) for item in node.items]
    if node is None:
        return None
    # What begins with no sign of a number, a date, a flag or nothing is a text.
    is_text = node.style or node[:1] not in yaml.SafeLoader.yaml_implicit_resolvers
    return str(node) if is_text else yaml.safe_load(node)


def extension_modules(name: str) -> Iterator[str]:
    """Yield the modules that may define a Markdown extension."""
    from importlib.metadata import entry_points

    yield name.partition(":")[0]
    yield from (entry_point.module for entry_point in entry_points(group="markdown.extensions", name=name))


def value_of(node: Node | None) -> Any:
    """Convert a node to plain Python; return None if it is invalid."""
    try:
        return to_python(node)
    except (yaml.YAMLError, ValueError):
        return None


def is_none(node: Node | None) -> bool:
    """Return whether a value is missing or null."""
    return node is None or (isinstance(node, LocatedText) and not node.style and value_of(node) is None)
