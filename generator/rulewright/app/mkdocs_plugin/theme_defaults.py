"""Default settings of the site, so that mkdocs.yml only needs to name the plugin."""

from __future__ import annotations

import logging
import os
import posixpath
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import ConfigurationError
from mkdocs.theme import Theme
from mkdocs.utils import reduce_list
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

from rulewright.files.anchors import heading_anchor
from rulewright.files.mkdocs_settings import EXTENSIONS
from rulewright.references import site_settings
from rulewright.render.templating import Compiled

MATERIAL = "material"
SEARCH_PLUGINS = ("material/search", "search")
"""Plugins that Rulewright's search box replaces."""

_COLOURS = {"primary": "blue grey", "accent": "deep orange"}
SETTINGS: Mapping[str, Any] = {
    "font": False,  # system fonts: no requests to other hosts
    "icon": {"logo": "material/book-open-page-variant"},
    "palette": [
        {
            "media": "(prefers-color-scheme)",
            "toggle": {"icon": "material/brightness-auto", "name": "Switch to light mode"},
        },
        {
            "media": "(prefers-color-scheme: light)",
            "scheme": "default",
            **_COLOURS,
            "toggle": {"icon": "material/brightness-7", "name": "Switch to dark mode"},
        },
        {
            "media": "(prefers-color-scheme: dark)",
            "scheme": "slate",
            **_COLOURS,
            "toggle": {"icon": "material/brightness-4", "name": "Follow the system"},
        },
    ],
    "features": [
        "content.action.edit",
        "navigation.footer",
        "navigation.indexes",
        "navigation.top",
        "toc.follow",
    ],
}
"""Defaults of the theme."""


def apply_theme_defaults(config: MkDocsConfig, compiled: Compiled, *, is_docs_dir: bool) -> None:
    """Complete the settings of mkdocs.yml. Raises ConfigurationError if the theme is not Material."""
    settings_data = Path(config.config_file_path).read_bytes()
    settings = yaml_load(settings_data.decode(), get_yaml_loader())
    theme = settings.get("theme") or {}
    theme = {"name": theme} if isinstance(theme, str) else theme
    if config.theme.custom_dir:
        theme["custom_dir"] = config.theme.custom_dir
    if theme.get("name", MATERIAL) != MATERIAL:
        raise ConfigurationError(
            f"theme: {theme['name']} is not supported; delete the theme from mkdocs.yml, or name material"
        )
    for name in config.plugins.keys() & site_settings.REFUSED:
        raise ConfigurationError(f"plugins: {name} {site_settings.REFUSED[name]}")
    icons = {**SETTINGS["icon"], **(theme.get("icon") or {})}
    config.theme = Theme(**{**SETTINGS, **theme, "name": MATERIAL, "icon": icons})
    get_env = partial(_environment, config.theme.get_env, compiled)
    config.theme.get_env = get_env  # type: ignore[method-assign]
    config.markdown_extensions = reduce_list([*config.markdown_extensions, *EXTENSIONS])
    config.mdx_configs.setdefault("toc", {"permalink": True}).setdefault("slugify", heading_anchor)
    if "validation" not in settings:
        links = config.validation.links
        if (
            is_docs_dir and site_settings.read_site_settings(settings_data).is_only_page_source
        ):  # the check reports them with the line
            links.not_found = links.anchors = links.unrecognized_links = logging.INFO
        else:
            links.anchors = links.unrecognized_links = logging.WARNING
    for plugin in filter(None, (config.plugins.pop(name, None) for name in SEARCH_PLUGINS)):
        for methods in config.plugins.events.values():
            methods[:] = [method for method in methods if getattr(method, "__self__", None) is not plugin]


class _VisibleFilesLoader(FileSystemLoader):
    """Loader that lists no hidden folders: MkDocs would examine each of ten thousand icons."""

    def list_templates(self) -> list[str]:
        templates: set[str] = set()
        for top in self.searchpath:
            for folder, folders, names in os.walk(top):
                folders[:] = [name for name in folders if not name.startswith(".")]
                inside = Path(folder).relative_to(top).as_posix()
                templates.update(posixpath.normpath(posixpath.join(inside, name)) for name in names)
        return sorted(templates)


def _environment(get_env: Callable[[], Environment], compiled: Compiled) -> Environment:
    """Return the template environment with a bytecode cache and without hidden folders."""
    env = get_env()
    env.bytecode_cache = compiled
    if type(env.loader) is FileSystemLoader:
        env.loader = _VisibleFilesLoader(env.loader.searchpath)
    return env
