"""Style and scripts as they are sent to readers: one file of each, without comments and indents.

What many files say alike is said once when they are compressed, and a page asks twice instead of ten times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mkdocs.config.defaults import MkDocsConfig

from rulewright.source.resources import THEME

_COMMENT = re.compile(
    r"""^[ \t]*(?:/\*.*?\*/|//[^\n]*)|(?<=[;{},)])[ ]//[^\n"'`]*$|(?<=\{)[ ]/\*[^\n"'`]*?\*/""",
    re.MULTILINE | re.DOTALL,
)
_INDENT = re.compile(r"\n\s+")
_CSS_SPACE = re.compile(r"""("[^"\n]*"|'[^'\n]*'|url\([^)]*\))|\s*([{};,>])\s*|(:)\s+""")
"""In a style sheet: what has to stay as it is, and signs that need no space around or behind them."""
_JS_SPACE = re.compile(
    r"""
      ( "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'                          # a string
      | `(?:[^`$\\]|\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|\$)*`          # with words to fill in
      | (?<=[(=,:!&|?][ ])/(?![/ *])(?:[^/\\\n\[]|\\.|\[[^\]\n]*\])+/     # an expression
      | (?<=[(!])/(?![/ *])(?:[^/\\\n\[]|\\.|\[[^\]\n]*\])+/ )
    | \s*([{(,;:?<>]|[=!&|<>]+=?>?)\s* | \s*([)}])[ ]? | [ ]([+*%])[ ](?![+])
    """,
    re.VERBOSE,
)


class Bundle(NamedTuple):
    """Several files of the theme in one. `name`: of the first, whose place it takes; `names`: of all."""

    name: str
    names: tuple[str, ...]
    text: str


_STYLES = "rulewright reading bar sequence tables aids jump cards editions errata play report paper forced"
STYLES = tuple(f"assets/{name}.css" for name in _STYLES.split())
_SCRIPTS = "rulewright drawer place cards tools editions errata offline"
SCRIPTS = tuple(f"assets/{name}.js" for name in _SCRIPTS.split())
_LATER = "jump find contents games play roller toolbar report"
LATER = tuple(f"assets/{name}.js" for name in _LATER.split())
"""Scripts that a page asks for when it needs them: `data-script="play"`, or `rulewright.load("play")`."""
FRONT = ("assets/door.css", "assets/door.js")
"""Style and script of the front pages alone, of the site and of each edition."""


def bundles(config: MkDocsConfig) -> list[Bundle]:
    """Bundle the theme's styles and scripts, as overridden, and name those of all pages in the settings."""
    folders = [Path(folder) for folder in (config.theme.custom_dir, THEME) if folder]

    def bundle(names: tuple[str, ...]) -> Bundle:
        files = (next(folder / name for folder in folders if (folder / name).is_file()) for name in names)
        texts = tuple(file.read_text("utf-8") for file in files)
        return Bundle(names[0], names, _minified(texts, names[0].endswith(".css")))

    for setting, names in (("extra_css", STYLES), ("extra_javascript", SCRIPTS)):
        config[setting] = [names[0], *(asset for asset in config[setting] if str(asset) not in names)]
    return [bundle(names) for names in (STYLES, SCRIPTS, *((name,) for name in (*LATER, *FRONT)))]


@lru_cache(maxsize=64)  # while serving they seldom change
def _minified(texts: tuple[str, ...], are_styles: bool) -> str:
    return minify_css(strip_comments(texts)) if are_styles else minify_js(strip_comments(texts))


def strip_comments(texts: Iterable[str]) -> str:
    """Texts without comments, but those in the midst of a line, and without what indents a line."""
    return "".join(_INDENT.sub("\n", _COMMENT.sub("", text)).lstrip() for text in texts)


def minify_css(style: str) -> str:
    """A style sheet without the spaces that say nothing."""
    return _CSS_SPACE.sub(lambda match: match[1] or match[2] or match[3], style)


def minify_js(script: str) -> str:
    """A script without the spaces that say nothing."""
    return _JS_SPACE.sub(lambda match: match[match.lastindex or 0], script)
