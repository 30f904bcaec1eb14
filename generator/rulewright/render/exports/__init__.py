"""The sequence of play as people and programs pass it on.

    lines     a step as one line that knows no medium
    written   plain text, Markdown, HTML
    data      JSON

Each format is a function of an outline, the index of its references, and `base`, the
site's address, below which links lead; without it they lead from the site's root.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.book.outline import Outline
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.exports.outline_text import outline_as_html, outline_as_markdown, outline_as_text
from rulewright.render.exports.sequence_json import sequence_to_json

Format = Callable[[Outline, ReferenceIndex, str], str]

FORMATS: Mapping[str, Format] = {
    "text": outline_as_text,
    "markdown": outline_as_markdown,
    "html": outline_as_html,
    "json": sequence_to_json,
}
"""The formats of an outline, by the name that `--format` takes."""
