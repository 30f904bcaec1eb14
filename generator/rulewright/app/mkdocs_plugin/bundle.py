"""Style and scripts as they are sent to readers: one file of each, without comments and indents.

What many files say alike is said once when they are compressed, and a page asks twice instead of ten times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from mkdocs.config.defaults import MkDocsConfig

from rulewright.source.resources import THEME

_COMMENT = re.compile(
    r"""^[ \t]*(?:/\*.*?\*/|//[^\n]*)|(?<=[;{},)])[ ]//[^\n"'`]*$|(?<=\{)[ ]/\*[^\n"'`]*?\*/""",
    re.MULTILINE | re.DOTALL,
)
_GAP = re.compile(r"\n\s+")
_LOOSE = re.compile(r"""("[^"\n]*"|'[^'\n]*'|url\([^)]*\))|\s*([{};,])\s*|(:)\s+""")
"""In a style sheet: what has to stay as it is, and signs that need no space around or behind them."""


_CODE = re.compile(
    r"""(?P<kept>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
    r"|(?<=[(=,:!&|?{;])[ ]?/(?![*/ ])(?:\\.|\[[^\]\n]*\]|[^/\\\n\[])+/)"
    r"|[ \t]*(?P<sign>[=?:&|<>,;()!*%]+)[ \t]*|[ \t]*(?P<brace>[{}`])"
)
_TEMPLATE = re.compile(r"(?:\\.|[^`$\\]|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
_BLANKS = re.compile(r"[ \t]*")


class Bundle(NamedTuple):
    """Several files of the theme in one. `name`: of the first, whose place it takes; `names`: of all."""

    name: str
    names: tuple[str, ...]
    text: str


STYLES = tuple(
    f"assets/{name}.css"
    for name in (
        *("rulewright", "bar", "sequence", "tables", "aids", "jump"),
        *("cards", "editions", "errata", "play", "paper"),
    )
)
SCRIPTS = tuple(
    f"assets/{name}.js"
    for name in (
        *("rulewright", "drawer", "jump", "roller", "offline"),
        *("cards", "tools", "editions", "errata", "play"),
    )
)


def bundles(config: MkDocsConfig) -> list[Bundle]:
    """Bundle the theme's styles and scripts, and name the bundles in the settings before what others add.

    A file of the same name in the project's own `custom_dir` takes the place of ours.
    """
    made = []
    folders = [Path(folder) for folder in (config.theme.custom_dir, THEME) if folder]
    for setting, names, shorter in (
        ("extra_css", STYLES, squeezed),
        ("extra_javascript", SCRIPTS, tightened),
    ):
        files = (next(folder / name for folder in folders if (folder / name).is_file()) for name in names)
        made.append(Bundle(names[0], names, shorter(bundled(file.read_text("utf-8") for file in files))))
        config[setting] = [names[0], *(one for one in config[setting] if str(one) not in names)]
    return made


def bundled(texts: Iterable[str]) -> str:
    """Texts without comments, but those in the midst of a line, and without what indents a line."""
    return "".join(_GAP.sub("\n", _COMMENT.sub("", text)).lstrip() for text in texts)


def squeezed(style: str) -> str:
    """A style sheet without the spaces that say nothing."""
    return _LOOSE.sub(lambda found: found[1] or found[2] or found[3], style)


def tightened(script: str) -> str:
    """A script without the spaces that say nothing; its lines stay, since their ends may end a statement.

    Texts, patterns and the words of template literals stay as they are, however they lie in each other.
    """
    pieces: list[str] = []
    open_braces = [0]  # of the script and of each ${…} within that is read
    at = 0
    while m := _CODE.search(script, at):
        pieces.append(script[at : m.start()])
        pieces.append(m["kept"] or m["sign"] or m["brace"])
        at = m.end()
        ends = m["brace"] == "}" and not open_braces[-1] and len(open_braces) > 1
        if ends:
            open_braces.pop()
        elif m["brace"] in ("{", "}"):
            open_braces[-1] += 1 if m["brace"] == "{" else -1
        if ends or m["brace"] == "`":
            words = _TEMPLATE.match(script, at)
            if words is None:
                break
            pieces.append(words.group())
            at = words.end()
            if words.group().endswith("`"):
                continue
            open_braces.append(0)
        if m["brace"] and (blanks := _BLANKS.match(script, at)):
            at = blanks.end()
    return "".join([*pieces, script[at:]])
