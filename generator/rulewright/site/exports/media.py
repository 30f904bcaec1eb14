"""How lines with what was deleted and inserted are written: as text, as Markdown, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from rulewright.site.exports.written import markdown_words


class Run(NamedTuple):
    """Words of a line. `sign`: `-` deleted, `+` inserted, `#` a name; `href` where they lead."""

    words: str
    sign: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Medium:
    """How the words of a run are written."""

    words: Callable[[str], str]
    deleted: str
    inserted: str
    name: str
    link: str = "{words}"

    def write(self, runs: Iterable[Run]) -> str:
        return "".join(map(self._run, runs))

    def _run(self, run: Run) -> str:
        words = self.words(run.words)
        if run.href:
            words = self.link.format(words=words, href=run.href)
        return {"-": self.deleted, "+": self.inserted, "#": self.name}.get(run.sign, "{}").format(words)


TEXT = Medium(str, "[-{}-]", "{{+{}+}}", "{}")
MARKDOWN = Medium(markdown_words, "~~{}~~", "**{}**", "**{}**", "[{words}]({href})")
HTML = Medium(escape, "<del>{}</del>", "<ins>{}</ins>", "<b>{}</b>", '<a href="{href}">{words}</a>')
