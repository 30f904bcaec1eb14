"""Content pages as HTML, as the site renders them before sanitizing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.files import markdown_complexity
from rulewright.files.anchors import heading_anchor
from rulewright.files.frontmatter import FRONT_MATTER
from rulewright.files.mkdocs_settings import EXTENSIONS
from rulewright.files.problems import SourceFile
from rulewright.files.safe_integers import escape_long_entities


def page_html(page: bytes, more: Mapping[str, Any] = {}) -> str:
    """Return the HTML of a page, or "" if it is too complex.

    `more`: other Markdown extensions of the site with their settings.
    """
    from markdown import markdown  # late: most checks need no page

    text = escape_long_entities(page.decode("utf-8", "replace"))
    if markdown_complexity.check_complexity(SourceFile("", text)):
        return ""
    configs = {**more, "toc": {"slugify": heading_anchor, **more.get("toc", {})}}
    try:
        return markdown(
            FRONT_MATTER.sub("", text), extensions=[*EXTENSIONS, *more], extension_configs=configs
        )
    except RecursionError:  # lists nested too deep
        return ""
