"""Other people's markup without what could run in a browser, or ask another host for anything."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as Xml

import nh3

from rulewright.source.content_folder import disk_path
from rulewright.source.mkdocs_settings import is_trusted

_STYLES = {
    "background-color", "border", "clear", "color", "display", "float", "font-style", "font-variant",
    "font-weight", "height", "list-style-type", "margin", "max-width", "min-width", "padding", "text-align",
    "text-decoration", "vertical-align", "white-space", "width",
}  # fmt: skip
_ATTRIBUTES = {
    **nh3.ALLOWED_ATTRIBUTES,
    "*": {"class", "dir", "id", "lang", "role", "style", "title"},
    "a": {"href", "hreflang", "rel", "target"},
    "details": {"open"},
    "img": {"align", "alt", "height", "loading", "src", "width"},
    "div": {*nh3.ALLOWED_ATTRIBUTES.get("div", ()), "data-tabs"},
    "input": {"checked", "disabled", "name", "type"},
    "label": {"for"},
}
_OURS = re.compile(r"__.*|rw-.*|rulewright|.*\$", re.DOTALL)
"""Ids by which scripts of the theme find what is theirs, and names that scripts have in common."""
_TABBED = re.compile(r"__tabbed_\d+(_\d+)?")
"""Names that pymdownx.tabbed makes up."""
_TAB = re.compile(r'<input[^>]* name="__tabbed_[^>]*>')
"""Of several tabs one is open, while what is ticked is a thing by itself."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_SPACES = re.compile(r"[\x00-\x20]+")


def _kept(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute, or None if it has to go."""
    if name in ("id", "for") and _OURS.fullmatch(value) and not _TABBED.fullmatch(value):
        return None
    if name == "name" and tag == "input" and not _TABBED.fullmatch(value):
        return None
    if name == "src" and _SCHEME.match(_SPACES.sub("", value).replace("\\", "/")):
        return None
    return value


_CLEANER = nh3.Cleaner(
    tags=nh3.ALLOWED_TAGS | {"input", "label", "section"},
    attributes=_ATTRIBUTES,
    attribute_filter=_kept,
    generic_attribute_prefixes={"aria-"},
    set_tag_attribute_values={"input": {"type": "checkbox"}},
    filter_style_properties=_STYLES,
    url_schemes={"http", "https", "mailto", "tel"},
    link_rel=None,
)


def sanitize_html(html: str) -> str:
    """Return HTML with safe elements and attributes only: text, tables, the site's pictures, links,
    folds, ticks.
    """
    return _TAB.sub(lambda tab: tab[0].replace('type="checkbox"', 'type="radio"'), _CLEANER.clean(html))


def removed_elements(before: str, after: str) -> list[str]:
    """Return each element that is no more in a text, `script`, and each attribute, `onclick of a`."""
    counter = _Signs(before).found - _Signs(after).found
    return sorted(name for name in counter if name.rpartition(" of ")[2] not in counter or " of " not in name)


class _Signs(HTMLParser):
    """Counts the elements of a text and their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: Counter[str] = Counter()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        self.found.update([tag, *(f"{name} of {tag}" for name, _ in attrs)])


_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_SHAPES = frozenset(
    re.findall(
        r"\w+",
        """a circle clipPath defs desc ellipse filter g image line linearGradient marker mask
        path pattern polygon polyline radialGradient rect stop style svg switch symbol text
        textPath title tspan use feBlend feColorMatrix feComponentTransfer feComposite
        feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood
        feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset
        fePointLight feSpecularLighting feSpotLight feTile feTurbulence""",
    )
)
_INSIDE = re.compile(r"#|data:image/(?:png|jpeg|gif|webp);base64,")
_LEADS_OUT = re.compile(r"@|\\|/\*|url\s*\((?!\s*[\"']?#)|(?:java|vb)script:", re.IGNORECASE)


def sanitize_svg(data: bytes) -> bytes | None:
    """Return an SVG with shapes, words and pictures in it only; None for what is none."""
    try:
        root = Xml.fromstring(data)
        if root.tag != f"{_SVG}svg":
            return None
        for parent in list(root.iter()):
            for child in list(parent):
                if not _is_shape(child):
                    parent.remove(child)
        for element in root.iter():
            attributes = {name.replace(_LINK, "href"): value for name, value in element.attrib.items()}
            element.tag = element.tag.removeprefix(_SVG)
            element.attrib.clear()
            element.attrib.update(
                {name: value for name, value in attributes.items() if _is_drawn(name, value)}
            )
        root.attrib = {"xmlns": _SVG.strip("{}"), **root.attrib}
        return Xml.tostring(root)
    except (Xml.ParseError, RecursionError, ValueError):
        return None


def published_bytes(project: Path, name: str) -> bytes | None:
    """Return a file of the content as readers get it; None for a drawing that is none."""
    data = disk_path(project, name).read_bytes()
    return sanitize_svg(data) if is_drawing(name) and not is_trusted(project) else data


def is_drawing(name: str) -> bool:
    """Return whether a file is an SVG by its name."""
    return name.lower().endswith(".svg")


def _is_shape(element: Xml.Element) -> bool:
    is_known = element.tag.startswith(_SVG) and element.tag.removeprefix(_SVG) in _SHAPES
    return is_known and not (element.tag == f"{_SVG}style" and _LEADS_OUT.search("".join(element.itertext())))


def _is_drawn(name: str, value: str) -> bool:
    if name == "href":
        return _INSIDE.match(value) is not None
    is_plain = not name.startswith(("{", "on")) or name == "{http://www.w3.org/XML/1998/namespace}space"
    return is_plain and not _LEADS_OUT.search(value)
