"""Content pages as HTML, as the site renders them before sanitizing."""

from __future__ import annotations

from rulewright.files import markdown_complexity
from rulewright.files.anchors import heading_anchor
from rulewright.files.frontmatter import FRONT_MATTER
from rulewright.files.mkdocs_settings import EXTENSIONS
from rulewright.files.problems import SourceFile
from rulewright.files.safe_integers import escape_long_entities


def page_html(page: bytes) -> str:
    """Return the HTML of a page with the Markdown extensions of every site, or "" if it is too complex."""
    from markdown import markdown  # late: most checks need no page

    text = escape_long_entities(page.decode("utf-8", "replace"))
    if markdown_complexity.check_complexity(SourceFile("", text)):
        return ""
    configs = {"toc": {"slugify": heading_anchor}}
    try:
        return markdown(FRONT_MATTER.sub("", text), extensions=EXTENSIONS, extension_configs=configs)
    except RecursionError:  # lists nested too deep
        return ""
