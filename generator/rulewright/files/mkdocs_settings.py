"""Settings of mkdocs.yml that other modules need, such as the site's URL."""

from __future__ import annotations

from pathlib import Path

import yaml

EXTENSIONS = [
    "admonition", "attr_list", "def_list", "fenced_code", "footnotes", "md_in_html", "sane_lists", "tables",
    "toc",
]  # fmt: skip
"""Python-Markdown's extensions on every site; those that mkdocs.yml names are added to them."""


def site_url(project: Path) -> str:
    """Return the URL of the site with a trailing slash, or "" if mkdocs.yml has none."""
    return with_trailing_slash(setting(project, "site_url"))


def is_trusted(project: Path) -> bool:
    """Return whether the plugin has `trusted: true`: the content may contain active content."""
    return setting(project, "plugins", "rulewright", "trusted").lower() in ("true", "yes", "on")


def with_trailing_slash(address: str | None) -> str:
    """Return a site URL with one trailing slash, or "" if it is empty."""
    return f"{address.rstrip('/')}/" if address and address.strip("/~ ") and address != "null" else ""


def setting(project: Path, *keys: str) -> str:
    """Return the value of nested keys; lists in between are searched."""
    try:
        # Composed, not constructed, because MkDocs has custom tags.
        node = yaml.compose((project / "mkdocs.yml").read_text("utf-8"), Loader=yaml.SafeLoader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return ""
    for key in keys:
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        pairs = [pair for item in items if isinstance(item, yaml.MappingNode) for pair in item.value]
        node = next((value for name, value in reversed(pairs) if name.value == key), None)
    return node.value if isinstance(node, yaml.ScalarNode) and "\0" not in node.value else ""
