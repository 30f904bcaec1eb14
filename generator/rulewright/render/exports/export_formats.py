"""Formats of reports of changes: how words, links, deletions and insertions are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rulewright.render.text_writer import markdown_words


class StyledRun(NamedTuple):
    """Words of a line.

    `sign`: `-` deleted, `+` inserted, `#` a name. `href`: the link of the words.
    """

    words: str
    sign: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How the words of a run are written; a sign that it has no form for is left out."""

    words: Callable[[str], str]
    signs: Mapping[str, str]
    has_links: bool = False

    def write(self, runs: Iterable[StyledRun]) -> str:
        """Return a line."""
        line = ""
        for run in runs:
            words = self.words(run.words)
            words = f"[{words}]({run.href})" if run.href and self.has_links else words
            line += self.signs.get(run.sign, "{}").format(words)
        return line


TEXT = OutputFormat(str, {"-": "[-{}-]", "+": "{{+{}+}}"})
MARKDOWN = OutputFormat(
    markdown_words, {"-": "<del>{}</del>", "+": "<ins>{}</ins>", "#": "**{}**"}, has_links=True
)
