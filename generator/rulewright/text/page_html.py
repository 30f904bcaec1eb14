"""An ordinary page as HTML, as the site will show it but for what is made harmless in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.source import intricacy
from rulewright.source.amounts import tamed
from rulewright.source.anchors import heading_anchor
from rulewright.source.frontmatter import FRONT_MATTER
from rulewright.source.problems import File
from rulewright.source.settings import EXTENSIONS


def page_html(page: bytes, more: Mapping[str, Any] = {}) -> str:
    """The HTML of a page; nothing of one that Markdown makes nothing of.

    `more`: extensions of Markdown that the site has beside ours, each with its settings.
    """
    from markdown import markdown  # late: most checks need no page

    text = tamed(page.decode("utf-8", "replace"))
    if intricacy.check(File("", text)):
        return ""
    configs = {**more, "toc": {"slugify": heading_anchor, **more.get("toc", {})}}
    try:
        return markdown(
            FRONT_MATTER.sub("", text), extensions=[*EXTENSIONS, *more], extension_configs=configs
        )
    except RecursionError:  # lists in lists in lists: who nests so deep is shown as it is written
        return ""
