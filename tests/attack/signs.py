"""All in a text in HTML that could run, that fetches something from elsewhere, or that is not closed."""

import re
from html.parser import HTMLParser

ADDRESSES = {"href", "src", "xlink:href", "action", "formaction", "data", "srcset", "poster"}
_EMPTY = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    "path", "circle", "rect", "line",
))  # fmt: skip
_OPTIONAL = frozenset((
    "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "html", "head", "body",
))  # fmt: skip
"""Tags that end by themselves."""


class _Signs(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.shape: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_data = tag == "script" and ("type", "application/json") in attrs
        if not is_data and tag in ("script", "iframe", "object", "embed", "form", "base"):
            self.found.append(tag)
        for name, value in attrs:
            address = re.sub(r"[\x00-\x20]", "", value or "")
            scheme = re.match(r"([a-z][a-z0-9+.-]*):|//", address, re.IGNORECASE)
            allowed = {"a": ("http", "https"), "link": ("http", "https", "data")}.get(tag, ("data", "print"))
            is_foreign = name in ADDRESSES and scheme and scheme[1] not in allowed
            if name.startswith("on") or is_foreign:
                self.found.append(f"{tag} {name}={value}")
        self.shape.append(" ".join((tag, *(name for name, _ in attrs))))
        if tag not in _EMPTY | _OPTIONAL:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY | _OPTIONAL:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        self.shape.append(f"/{tag}")
        if tag in _EMPTY | _OPTIONAL:
            return
        if self.open[-1:] == [tag]:
            self.open.pop()
        else:
            self.found.append(f"</{tag}> in {self.open[-3:]}")


def _read(html: str) -> _Signs:
    signs = _Signs()
    signs.feed(html)
    signs.close()
    return signs


def wrong(html: str) -> list[str]:
    """All in a text in HTML that could run, or fetch something from elsewhere."""
    return [one for one in _read(html).found if not one.startswith("</")]


def broken(html: str) -> list[str]:
    """The same, and every tag that is not closed where it should be."""
    signs = _read(html)
    return [*signs.found, *(f"<{tag}> stays open" for tag in signs.open)]


def shape(html: str) -> list[str]:
    """The tags of a text in their order, each with the names of what it has."""
    return _read(html).shape
