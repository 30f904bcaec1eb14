"""Material's navigation, drawn once for each section of the site."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext


class Sidebar:
    """Material's navigation, drawn once for all pages of a section: it is most of the work for a page.

    Two such pages differ in the one entry that is the page itself, so that entry is drawn apart and put in.
    """

    def __init__(self, env: Environment, config: MkDocsConfig) -> None:
        self.env = env
        language = env.get_template("partials/language.html").make_module({"config": config})
        self.words = {"lang": language, "features": config.theme.get("features", [])}
        self.drawn: dict[object, tuple[str, Callable[..., str]]] = {}

    def draw(self, page: Page, context: TemplateContext) -> str:
        """The navigation of a page, or nothing where Material has to draw it for this page alone."""
        if page.parent is None or page.is_index:
            return ""
        beside = posixpath.dirname(page.url.rstrip("/"))
        if (page.parent, beside) not in self.drawn:
            neighbour = SimpleNamespace(url=f"{beside}/-/", toc=(), meta={})
            page.active, page.parent.active = False, True
            navigation = self.env.get_template("material/partials/nav.html")
            whole = navigation.render(self._about(context, neighbour))
            page.active = True
            self.drawn[page.parent, beside] = whole, self._entry(context, neighbour)
        whole, entry = self.drawn[page.parent, beside]
        page.active = False
        plain = entry(page, "", 0)
        page.active = True
        return whole.replace(plain, self._entry(context, page)(page, "", 0)) if plain in whole else ""

    def _entry(self, context: TemplateContext, page: object) -> Callable[..., str]:
        module = self.env.get_template("partials/nav-item.html").make_module(self._about(context, page))
        return module.render  # type: ignore[attr-defined,no-any-return]

    def _about(self, context: TemplateContext, page: object) -> dict[str, Any]:
        return {**context, **self.words, "page": page}
