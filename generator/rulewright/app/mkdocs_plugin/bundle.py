"""Bundle the style sheets and scripts of the theme, without comments.

One file compresses better than many, and a page needs two requests instead of ten.
"""

from __future__ import annotations

import re
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


class Bundle(NamedTuple):
    """Several files of the theme in one."""

    name: str
    """Name of the first file, which the bundle replaces."""

    names: tuple[str, ...]
    text: str


_STYLES = "rulewright reading bar sequence tables aids jump cards editions errata report paper forced"
STYLES = tuple(f"assets/{name}.css" for name in _STYLES.split())
_SCRIPTS = "rulewright drawer place cards tools editions errata offline"
SCRIPTS = tuple(f"assets/{name}.js" for name in _SCRIPTS.split())
_LATER = "jump find preview contents play roller toolbar report walk"
LATER = tuple(f"assets/{name}.js" for name in _LATER.split())
"""Scripts that pages load on demand: `data-script="play"`, or `rulewright.loadScript("play")`."""
FRONT = ("assets/door.css", "assets/door.js")
"""Style sheet and script of the front pages of the site and each edition."""
PLAY = ("assets/play.css", "assets/paper.css", "assets/forced.css")
"""Style sheet of the pages on which a turn is played, and those that come after all others."""


def bundles(config: MkDocsConfig) -> list[Bundle]:
    """Bundle styles and scripts, including overrides, and add those of all pages to the settings."""
    folders = [Path(folder) for folder in (config.theme.custom_dir, THEME) if folder]

    def read(name: str) -> str:
        return next(folder / name for folder in folders if (folder / name).is_file()).read_text("utf-8")

    def bundle(names: tuple[str, ...]) -> Bundle:
        return Bundle(names[0], names, strip_comments(tuple(map(read, names))))

    for setting, names in (("extra_css", STYLES), ("extra_javascript", SCRIPTS)):
        config[setting] = [names[0], *(asset for asset in config[setting] if str(asset) not in names)]
    play = bundle(PLAY)._replace(names=PLAY[:1])
    return [bundle(STYLES), bundle(SCRIPTS), *(bundle((name,)) for name in (*LATER, *FRONT)), play]


@lru_cache(maxsize=64)  # they rarely change while serving
def strip_comments(texts: tuple[str, ...]) -> str:
    """Remove comments, except inside a line, and indents; join the texts."""
    return "".join(_INDENT.sub("\n", _COMMENT.sub("", text)).lstrip() for text in texts)
