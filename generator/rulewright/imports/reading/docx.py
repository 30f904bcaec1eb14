"""Documents of Word as HTML, by mammoth, with the numbers that Word counts written into their paragraphs."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from rulewright.files.errors import UserError
from rulewright.files.install_origin import missing_extra
from rulewright.files.safe_integers import parse_int
from rulewright.imports.reading.html import list_mark
from rulewright.imports.reading.unreadable import UnreadableDocument

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SIMPLE = re.compile(r"\w{1,6}[.)]")
_MARKER = "\ue002"
"""Encloses the number of an item."""

_ITEM = re.compile(rf"<li>((?:<[^>]*>){{0,9}}){_MARKER}(\w{{1,6}}[.)]){_MARKER}")
_BACK = re.compile(r'\s*<a href="#(?:foot|end)note-ref-\d+">↑</a>')
_NOTE = re.compile(r'<li id="((?:foot|end)note)-(\d+)">\s*<p>')
_FORMATS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}


def docx_to_html(path: Path) -> tuple[str, str]:
    """Return a document as HTML, a line for each block, and its words read from its XML alone.

    Raises UnreadableDocument. It is called in a process whose memory and time are limited.
    """
    import mammoth

    try:
        with zipfile.ZipFile(path) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        document, numbering, styles = (
            fromstring(parts.get(f"word/{name}.xml", b"<none/>"))
            for name in ("document", "numbering", "styles")
        )
        _unwrap(document)
        _write_numbers(document, _Counters(numbering, styles))
        parts["word/document.xml"] = tostring(document)
        prepared = BytesIO()
        with zipfile.ZipFile(prepared, "w") as target:
            for name, content in parts.items():
                target.writestr(name, content)
        html = mammoth.convert_to_html(prepared).value
    except Exception as error:  # a damaged archive may raise anything
        raise UnreadableDocument(
            f"is no document of Word that can be read ({type(error).__name__}); "
            "save it again as one, without protection"
        ) from None
    html = _NOTE.sub(r'</ol><p id="\1-\2">[\2] ', _BACK.sub("", html))
    html = _ITEM.sub(r'<li data-marker="\2">\1', html).replace(_MARKER, " ")
    return re.sub(r"(?=<(?:p|h[1-6]|li|tr)\b)", "\n", html), _shown_words(document)


def require_mammoth() -> None:
    """Raise UserError if mammoth is not installed. Loaded once, it need not be loaded by each process."""
    if needs := missing_extra("a DOCX", "import", "mammoth"):
        raise UserError(needs)
    import mammoth  # noqa: F401


def _unwrap(element: Element) -> None:
    """Replace elements that mammoth does not read by what is in them."""
    children: list[Element] = []
    for child in element:
        _unwrap(child)
        name = child.tag.rpartition("}")[2]
        if name == "AlternateContent":
            children += child[-1] if len(child) else ()
        elif name in ("fldSimple", "moveTo") or (child.tag.startswith(_MATH) and name not in ("r", "t")):
            children += child
        elif name != "moveFrom":
            child.tag = child.tag.replace(_MATH, _W)
            children.append(child)
    element[:] = children


def _shown_words(element: Element) -> str:
    """Return the words of a document, a line for each paragraph."""
    name = element.tag.rpartition("}")[2]
    words = (element.text or "" if name == "t" else "") + "".join(map(_shown_words, element))
    ends = {"p": "\n", "tab": " ", "br": " ", "txbxContent": " "}.get(name, "")
    return f"{ends}{words}{ends}"


def _write_numbers(document: Element, counters: _Counters) -> None:
    """Write the number that Word prints in front of a paragraph into it."""
    for paragraph in document.iter(f"{_W}p"):
        properties = paragraph.find("{*}pPr")
        if properties is not None and (printed := counters.label(properties)):
            run = Element(f"{_W}r")
            SubElement(run, f"{_W}t").text = printed
            paragraph.insert(1, run)  # after its properties


class _Counters:
    """Counts the lists of a document as Word does."""

    def __init__(self, numbering: Element, styles: Element) -> None:
        self.lists: dict[str, tuple[str, dict[int, Element]]] = {}
        """The kind and the levels of each list."""

        self.restarts: dict[tuple[str, int], int] = {}
        """The numbers with which levels of lists begin again at their first item."""

        self.counts: dict[str, dict[int, int]] = {}
        kinds: dict[str, dict[int, Element]] = {}
        for kind in numbering.findall("{*}abstractNum"):
            levels = {_count(_get(level, "ilvl")): level for level in kind.findall("{*}lvl")}
            kinds[_get(kind, "abstractNumId")] = levels
        for items in numbering.findall("{*}num"):
            name, kind_name = _get(items, "numId"), _value(items, "abstractNumId")
            self.lists[name] = kind_name, kinds.get(kind_name, {})
            for override in items.findall("{*}lvlOverride"):
                if restart := _value(override, "startOverride"):
                    self.restarts[name, _count(_get(override, "ilvl"))] = _count(restart)
        self.styles = {_get(style, "styleId"): style.find("{*}pPr/{*}numPr") for style in styles}

    def label(self, properties: Element) -> str:
        """Return what Word prints in front of a paragraph; the number of an item is between markers."""
        style = _value(properties, "pStyle")
        number = properties.find("{*}numPr")
        if number is None:
            number = self.styles.get(style)
        if number is None:
            return ""
        name, index = _value(number, "numId"), _count(_value(number, "ilvl"))
        kind, levels = self.lists.get(name, ("", {}))
        if index not in levels or _value(levels[index], "numFmt") in ("bullet", "none"):
            return ""
        starts = {depth: _count(_value(level, "start", "1")) for depth, level in levels.items()}
        counts = self.counts.get(kind, {})
        count = self.restarts.pop((name, index), counts.get(index, starts[index] - 1) + 1)
        counts = {depth: last for depth, last in counts.items() if depth < index} | {index: count}
        self.counts[kind], numbers = counts, starts | counts
        text = _value(levels[index], "lvlText")
        for depth, level in levels.items():
            mark = list_mark(numbers[depth], _FORMATS.get(_value(level, "numFmt"), "1"))
            text = text.replace(f"%{depth + 1}", mark)
        is_heading = style.lower().startswith(("heading", "title"))
        numbers_rules = any(_value(level, "lvlText").count("%") > 1 for level in levels.values())
        if _SIMPLE.fullmatch(text) and not is_heading and not numbers_rules:
            return f"{_MARKER}{text}{_MARKER}"
        unnumbered = Element(f"{_W}numPr")  # for mammoth
        SubElement(unnumbered, f"{_W}numId", {f"{_W}val": "0"})
        properties.insert(0, unnumbered)
        return f"{text} "


def _get(element: Element, name: str) -> str:
    """Return an attribute of an element."""
    return element.get(f"{_W}{name}", "")


def _value(element: Element, name: str, otherwise: str = "") -> str:
    inner = element.find(f"{{*}}{name}")
    return otherwise if inner is None else _get(inner, "val") or otherwise


def _count(text: str) -> int:
    return min(max(parse_int(text) or 0, 0), 100_000)
