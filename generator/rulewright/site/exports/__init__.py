"""The sequence of play as people and programs pass it on.

    lines     a step as one line that knows no medium
    written   plain text, Markdown, HTML
    data      JSON

Each format is a function of an outline, the shelf that its references were resolved on, and `base`, the
site's address, below which links lead; without it they lead from the site's root.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.book.outline import Outline
from rulewright.citations.shelf import Shelf
from rulewright.site.exports.data import json
from rulewright.site.exports.written import html, markdown, text

Format = Callable[[Outline, Shelf, str], str]

FORMATS: Mapping[str, Format] = {"text": text, "markdown": markdown, "html": html, "json": json}
"""The formats of an outline, by the name that `--format` takes."""
