"""Pages of the site written by all processors at once."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from jinja2 import Environment
from mkdocs.commands.build import _build_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.nav import Navigation

from rulewright.app.mkdocs_plugin.made_page import MadePage
from rulewright.source.processes import share_out

SEVERAL = 40
"""Number of pages from which on it is worth while to have all processors write them."""

SHARES = 8
"""Number of the shares of pages that processors take, one after the other."""


def alone(plugin: object, config: MkDocsConfig) -> bool:
    """Whether no other plugin, hook or setting takes part in making pages."""
    handlers = (method for methods in config.plugins.events.values() for method in methods)
    if not all(getattr(method, "__self__", None) is plugin for method in handlers):
        return False
    settings = Path(config.config_file_path).read_bytes()
    return not (config.hooks or b"!ENV" in settings or b"INHERIT" in settings or b"snippets" in settings)


def written(
    pages: Sequence[MadePage],
    listed: Sequence[File],
    navigation: Navigation,
    env: Environment,
    config: MkDocsConfig,
) -> list[MadePage]:
    """Write pages on all processors as MkDocs does, but for those of which it has something to say."""
    if len(pages) < SEVERAL:
        return []
    share = -(-len(pages) // SHARES)
    shares = [pages[at : at + share] for at in range(0, len(pages), share)]

    def write(at: int) -> bool:
        with _overheard() as said:
            try:
                for page in shares[at]:
                    own = page.canonical_url  # which the sitemap is still to name
                    _build_page(page, config, listed, navigation, env)
                    page.canonical_url = own
            except Exception:
                return False
            return not said

    return [page for at, done in share_out(write, len(shares)) if done for page in shares[at]]


@contextmanager
def _overheard() -> Iterator[list[logging.LogRecord]]:
    """Capture the warnings of MkDocs."""
    said: list[logging.LogRecord] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record)

    mkdocs = logging.getLogger("mkdocs")
    handlers, propagate = mkdocs.handlers, mkdocs.propagate
    mkdocs.handlers, mkdocs.propagate = [Ear(logging.WARNING)], False
    try:
        yield said
    finally:
        mkdocs.handlers, mkdocs.propagate = handlers, propagate
