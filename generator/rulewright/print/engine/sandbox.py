"""WeasyPrint in a sandbox: without the machine's fonts and any network, its warnings collected."""

from __future__ import annotations

import gc
import logging
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from rulewright.source.resources import FONTS

ADDRESS = "print:/"

Files = Mapping[str, bytes]


@cache
def characters() -> frozenset[str]:
    """The characters that every face has, and those that show nothing."""
    from fontTools.ttLib import TTFont

    cmaps = [set(TTFont(path, lazy=True).getBestCmap()) for path in sorted(FONTS.glob("*.woff2"))]
    return frozenset(map(chr, set.intersection(*cmaps))) | frozenset("\n\t\r\u00ad\u200b\u200d\u2060\ufeff")


@cache
def engine() -> Any:
    """WeasyPrint, imported so that it sees no font of the machine and says nothing of that."""
    with _own_fonts(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import weasyprint
    return weasyprint


@cache
def fonts() -> Any:
    """The faces, read once a run."""
    from weasyprint.text.fonts import FontConfiguration

    with _own_fonts():
        return FontConfiguration()


@contextmanager
def _own_fonts() -> Iterator[None]:
    before = {name: os.environ.get(name) for name in ("FONTCONFIG_FILE", "FONTCONFIG_PATH")}
    os.environ.update(FONTCONFIG_FILE=str(FONTS / "fonts.conf"), FONTCONFIG_PATH=str(FONTS))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Disable garbage collection: in a long book that takes a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@cache
def faces() -> str:
    """The style sheet that names the faces. Without any face the engine loses all measure."""
    return (FONTS.parent / "fonts.css").read_text("utf-8")


@lru_cache(maxsize=2)
def read(html: str, files: tuple[tuple[str, bytes], ...]) -> Any:
    """HTML as a tree, which is laid out several times. `files` are pictures by name."""
    return engine().HTML(string=html, base_url=ADDRESS, url_fetcher=fetcher()(dict(files)))


@lru_cache(maxsize=32)
def style(text: str) -> Any:
    """A style sheet, parsed once. It may name faces and no other file."""
    return engine().CSS(string=text, font_config=fonts(), url_fetcher=fetcher()({}), base_url=ADDRESS)


@cache
def fetcher() -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class Fetcher(URLFetcher):  # type: ignore[misc]
        """Fetches the faces and the files that came with the HTML, and refuses any other address."""

        def __init__(self, files: Files) -> None:
            super().__init__(allowed_protocols=())
            self.files = files

        def fetch(self, url: str, headers: Any = None) -> Any:
            name = url.removeprefix(ADDRESS)
            face = FONTS / name.removeprefix("fonts/")
            if name.startswith("fonts/") and face.parent == FONTS and face.is_file():
                return URLFetcherResponse(url, face.read_bytes())
            if name == url or name not in self.files:
                raise ValueError("only faces and the files of the project are printed")
            return URLFetcherResponse(url, self.files[name])

    return Fetcher


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Collect the warnings of the engine instead of logging them."""
    listener, loggers = _Listener(), [logging.getLogger(name) for name in ("weasyprint", "fontTools")]
    before = [(logger, logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.addHandler(listener)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
    try:
        yield listener.said
    finally:
        for logger, level, propagate in before:
            logger.removeHandler(listener)
            logger.setLevel(level)
            logger.propagate = propagate
