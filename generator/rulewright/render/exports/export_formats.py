"""Media of the exports: how words, emphasis, links and changes are written as text, Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import NamedTuple


class StyledRun(NamedTuple):
    """Words of a line. `sign`: `-` deleted, `+` inserted, `#` a name; or emphasis, of which it has no words.

    `href`: where they lead, with the `title` of what is there, and its `number` where they hide that.
    """

    words: str
    sign: str = ""
    href: str = ""
    title: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How the words of a run are written; a sign that it has no form for is left out."""

    words: Callable[[str], str]
    signs: Mapping[str, str]
    link: Callable[[str, StyledRun], str] = lambda words, run: words

    def write(self, runs: Iterable[StyledRun]) -> str:
        return "".join(map(self._run, runs))

    def _run(self, run: StyledRun) -> str:
        words = self.words(run.words)
        return self.signs.get(run.sign, "{}").format(self.link(words, run) if run.href else words)


def markdown_words(words: str) -> str:
    """Words that no Markdown takes for markup."""
    words = re.sub(r"([\\`*_\[\]])", r"\\\1", words)
    return re.sub(r"&(?=#?\w+;)", "&amp;", words).replace("<", "&lt;")


def _in_text(words: str, run: StyledRun) -> str:
    return f"{words} ({run.number})" if run.number else words


def _in_markdown(words: str, run: StyledRun) -> str:
    # An address may hold (B), and many a forum ends it at the first bracket.
    return f"[{words}]({run.href.replace('(', '%28').replace(')', '%29')})"


def _in_html(words: str, run: StyledRun) -> str:
    title = f' title="{escape(run.title)}"' if run.title else ""
    return f'<a href="{escape(run.href)}"{title}>{words}</a>'


_STARS = {"strong": "**", "/strong": "**", "em": "*", "/em": "*"}
_TAGS = {sign: f"<{sign}>" for sign in _STARS}

TEXT = OutputFormat(str, {"-": "[-{}-]", "+": "{{+{}+}}"}, _in_text)
MARKDOWN = OutputFormat(markdown_words, {"-": "~~{}~~", "+": "**{}**", "#": "**{}**", **_STARS}, _in_markdown)
HTML = OutputFormat(
    lambda words: escape(words, quote=False),
    {"-": "<del>{}</del>", "+": "<ins>{}</ins>", "#": "<b>{}</b>", **_TAGS},
    _in_html,
)
