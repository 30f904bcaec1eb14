"""Settings of mkdocs.yml that matter elsewhere: where the site will stand, whether its content is trusted."""

from __future__ import annotations

from pathlib import Path

EXTENSIONS = [
    "admonition", "attr_list", "def_list", "fenced_code", "footnotes", "md_in_html", "sane_lists", "tables",
    "toc",
]  # fmt: skip
"""Python-Markdown's extensions on every site; those that mkdocs.yml names are added to them."""


def site_url(project: Path) -> str:
    """Return the address of the site with a slash at its end; empty if mkdocs.yml is not there or has
    none.
    """
    return with_trailing_slash(setting(project, "site_url"))


def is_trusted(project: Path) -> bool:
    """Return whether mkdocs.yml says `trusted: true` of the plugin: the content may hold what runs in a
    browser.
    """
    return setting(project, "plugins", "rulewright", "trusted").lower() in ("true", "yes", "on")


def has_setting(project: Path, key: str) -> bool:
    """Return whether mkdocs.yml has a setting of its own."""
    return bool(setting(project, key))


def with_trailing_slash(address: str | None) -> str:
    """Return an address of a site with one slash at its end; empty if there is none."""
    return f"{address.rstrip('/')}/" if address and address.strip("/~ ") and address != "null" else ""


def setting(project: Path, *keys: str) -> str:
    """Return the value under some keys, each in the one before or in an item of it."""
    import yaml  # late: most commands need no setting

    try:
        # Composed, not constructed: MkDocs has tags of its own, and none of them matters here.
        node = yaml.compose((project / "mkdocs.yml").read_text("utf-8"), Loader=yaml.SafeLoader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return ""
    for key in keys:
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        pairs = [pair for item in items if isinstance(item, yaml.MappingNode) for pair in item.value]
        node = next((value for name, value in reversed(pairs) if name.value == key), None)
    return node.value if isinstance(node, yaml.ScalarNode) and "\0" not in node.value else ""
