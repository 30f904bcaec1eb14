"""Escape settings of mkdocs.yml for templates: Material's templates do not escape most of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from mkdocs.config.base import Config
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.theme import Theme

from rulewright.app.mkdocs_plugin.markdown_page import as_text
from rulewright.files.sanitizer import sanitize_html

ADDRESSES = ("site_url", "repo_url", "edit_uri", "edit_uri_template")
"""Settings from which URLs are built before any template is rendered."""

_IN_HTML = ("copyright", "description", "note")
"""Settings that can contain HTML: footer, consent and feedback."""

_UNSAFE_CHARACTERS = re.compile(r"""[\s<>"'`\\^]""")
_SCRIPT_URL = re.compile(r"(?:java|vb)script:|data:(?!image/)", re.IGNORECASE)
_IGNORED_CHARACTERS = re.compile(r"[\x00-\x20]+")
"""Characters that browsers ignore in URLs."""


class EscapedSettings(Mapping[str, Any]):
    """View of settings or theme settings with escaped text. `trusted`: settings with HTML stay unchanged."""

    def __init__(self, settings: Any, *, trusted: bool) -> None:
        self._settings, self._trusted = settings, trusted

    def __getattr__(self, name: str) -> Any:
        return self._escape(name, getattr(self._settings, name))

    def __getitem__(self, name: str) -> Any:
        return self._escape(name, self._settings[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._settings)

    def __len__(self) -> int:
        return len(self._settings)

    def _escape(self, name: str, value: Any) -> Any:
        if isinstance(value, Config | Theme):
            return EscapedSettings(value, trusted=self._trusted)
        if type(value) is dict:
            return {key: self._escape(str(key), inner) for key, inner in value.items()}
        if type(value) is list:
            return [self._escape(name, inner) for inner in value]
        if not isinstance(value, str):
            return value
        if name in _IN_HTML:
            return value if self._trusted else sanitize_html(value)
        return as_text("" if is_script_url(value) else value)


def is_script_url(address: str) -> bool:
    """Return whether a URL would run a script."""
    return _SCRIPT_URL.match(_IGNORED_CHARACTERS.sub("", address)) is not None


def safe_url(url: str) -> str:
    """Escape a URL for an attribute; return an empty string for a script URL."""
    return "" if is_script_url(url) else _UNSAFE_CHARACTERS.sub(lambda match: quote(match[0]), url)


def escape_titles(nav: Navigation) -> None:
    """Escape the titles of sections and links, and the URLs of links."""
    items = list(nav.items)
    while items:
        item = items.pop()
        if isinstance(item, Section | Link):
            item.title = as_text(item.title)
        if isinstance(item, Link):
            item.url = safe_url(item.url)
        items += item.children or ()
