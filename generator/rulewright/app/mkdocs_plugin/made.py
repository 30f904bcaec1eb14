"""A page that the line has made, as MkDocs takes it."""

from __future__ import annotations

import re

from markupsafe import escape as markup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

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
        """Nothing to read: only what Material asks for beside the body, which it writes as it is."""
        self.markdown = ""
        title, description = markup(self.made.title), markup(self.made.description)
        self.meta = {"title": title, "description": description, "search": {"exclude": True}}

    def render(self, config: MkDocsConfig, files: Files) -> None:
        """Nothing to convert."""
        self.content = self.made.html
        self.toc = get_toc(contents(self.made.sections))  # type: ignore[arg-type]

    @property
    def present_anchor_ids(self) -> set[str]:  # type: ignore[override]
        """What Markdown pages can link to here. Looked for only when one does."""
        return set(re.findall(r'\bid="([^"]*)"', self.made.html))
