"""Bundle and minify the style sheets and scripts of the theme.

One file compresses better than many, and a page needs two requests instead of ten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mkdocs.config.defaults import MkDocsConfig

from rulewright.files.resources import THEME

_COMMENT = re.compile(
    r"""^[ \t]*(?:/\*.*?\*/|//[^\n]*)|(?<=[;{},)])[ ]//[^\n"'`]*$|(?<=\{)[ ]/\*[^\n"'`]*?\*/""",
    re.MULTILINE | re.DOTALL,
)
_INDENT = re.compile(r"\n\s+")
_CSS_SPACE = re.compile(r"""("[^"\n]*"|'[^'\n]*'|url\([^)]*\))|\s*([{};,>])\s*|(:)\s+""")
"""In a style sheet: text to keep, and characters that need no space around or after them."""
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
    """Several files of the theme in one."""

    name: str
    """Name of the first file, which the bundle replaces."""

    names: tuple[str, ...]
    text: str


_STYLES = "rulewright reading bar sequence tables aids jump cards editions errata play report paper forced"
STYLES = tuple(f"assets/{name}.css" for name in _STYLES.split())
_SCRIPTS = "rulewright drawer place cards tools editions errata offline"
SCRIPTS = tuple(f"assets/{name}.js" for name in _SCRIPTS.split())
_LATER = "jump find preview contents play roller toolbar report walk"
LATER = tuple(f"assets/{name}.js" for name in _LATER.split())
"""Scripts that pages load on demand: `data-script="play"`, or `rulewright.load("play")`."""
FRONT = ("assets/door.css", "assets/door.js")
"""Style sheet and script of the front pages of the site and each edition."""


def bundles(config: MkDocsConfig) -> list[Bundle]:
    """Bundle styles and scripts, including overrides, and add those of all pages to the settings."""
    folders = [Path(folder) for folder in (config.theme.custom_dir, THEME) if folder]

    def read(name: str) -> str:
        return next(folder / name for folder in folders if (folder / name).is_file()).read_text("utf-8")

    def bundle(names: tuple[str, ...]) -> Bundle:
        return Bundle(names[0], names, _minified(tuple(map(read, names)), names[0].endswith(".css")))

    for setting, names in (("extra_css", STYLES), ("extra_javascript", SCRIPTS)):
        config[setting] = [names[0], *(asset for asset in config[setting] if str(asset) not in names)]
    return [bundle(STYLES), bundle(SCRIPTS), *(bundle((name,)) for name in (*LATER, *FRONT))]


@lru_cache(maxsize=64)  # they rarely change while serving
def _minified(texts: tuple[str, ...], are_styles: bool) -> str:
    return minify_css(strip_comments(texts)) if are_styles else minify_js(strip_comments(texts))


def strip_comments(texts: Iterable[str]) -> str:
    """Remove comments, except inside a line, and indents; join the texts."""
    return "".join(_INDENT.sub("\n", _COMMENT.sub("", text)).lstrip() for text in texts)


def minify_css(style: str) -> str:
    """Remove insignificant spaces of a style sheet."""
    return _CSS_SPACE.sub(lambda match: match[1] or match[2] or match[3], style)


def minify_js(script: str) -> str:
    """Remove insignificant spaces of a script."""
    return _JS_SPACE.sub(lambda match: match[match.lastindex or 0], script)
