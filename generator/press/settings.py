"""Where the site will stand, as mkdocs.yml says it: a printed sheet leads to its page there."""

from __future__ import annotations

from pathlib import Path

import yaml

SETTING = "site_url"


def site_of(project: Path) -> str:
    """The address of the site with a slash at its end; empty where mkdocs.yml is not there or has none."""
    try:
        # Composed, not constructed: MkDocs has tags of its own, and none of them matters here.
        settings = yaml.compose((project / "mkdocs.yml").read_text("utf-8"), Loader=yaml.SafeLoader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return ""
    pairs = settings.value if isinstance(settings, yaml.MappingNode) else ()
    found = [
        value.value for key, value in pairs if key.value == SETTING and isinstance(value, yaml.ScalarNode)
    ]
    return slashed(found[-1]) if found else ""


def slashed(address: str | None) -> str:
    """An address of a site with one slash at its end; empty where there is none."""
    return f"{address.rstrip('/')}/" if address and address.strip("/~ ") and address != "null" else ""
