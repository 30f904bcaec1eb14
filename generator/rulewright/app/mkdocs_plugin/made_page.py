"""A page that the line has made, as MkDocs takes it, and Material's navigation beside it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment
from markupsafe import escape as markup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents, get_toc
from mkdocs.utils.templates import TemplateContext

from rulewright.site import artifacts
from rulewright.site.artifacts import Branch
from rulewright.site.navigation import contents


class MadePage(Page):
    """A page that the line has made. MkDocs has nothing left to read or to parse."""

    def __init__(self, made: artifacts.Page, branch: Branch | None, file: File, config: MkDocsConfig) -> None:
        super().__init__(markup((branch and branch.title) or made.title), file, config)
        self.made = made
        self.heads = bool(branch and branch.branches)

    @property
    def is_index(self) -> bool:
        """Whether Material shows it as the head of the section it lies in."""
        return self.heads or self.file.name == "index"

    def read_source(self, config: MkDocsConfig) -> None:
        """Set only the metadata that Material asks for beside the body; no file is read."""
        self.markdown = ""
        title, description = markup(self.made.title), markup(self.made.description)
        self.meta = {"title": title, "description": description, "search": {"exclude": True}}

    def render(self, config: MkDocsConfig, files: Files) -> None:
        """Take the finished HTML; no Markdown is converted."""
        self.content = self.made.html

    @property
    def toc(self) -> TableOfContents:
        """The contents beside the page, made when it is written: most are not."""
        return self._toc

    @toc.setter
    def toc(self, none: object) -> None:
        """Leave the contents as they are, where MkDocs begins with none."""

    @cached_property
    def _toc(self) -> TableOfContents:
        return get_toc(contents(self.made.sections))  # type: ignore[arg-type]

    @property
    def present_anchor_ids(self) -> set[str]:  # type: ignore[override]
        """Anchors that Markdown pages can link to here. Looked for only when one does."""
        return set(re.findall(r'\bid="([^"]*)"', self.made.html))


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
