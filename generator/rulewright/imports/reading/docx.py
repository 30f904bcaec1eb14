"""Documents of Word as HTML, by mammoth, with the numbers that Word counts written into their paragraphs."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
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
        if printed := counters.label(paragraph):
            run = Element(f"{_W}r")
            text = SubElement(run, f"{_W}t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"})
            text.text = printed
            paragraph.insert(1, run)  # after its properties


@dataclass(slots=True)
class _ListLevel:
    """The form, pattern and start of the numbers of a level."""

    form: str
    pattern: str
    start: int
    restart: int | None = None
    """The number with which the list begins again at its first item."""


class _Counters:
    """Counts the lists of a document as Word does."""

    def __init__(self, numbering: Element, styles: Element) -> None:
        self.lists: dict[str, tuple[str, dict[int, _ListLevel]]] = {}
        self.counts: dict[str, dict[int, int]] = {}
        kinds = {kind.get(f"{_W}abstractNumId", ""): kind for kind in numbering.iter(f"{_W}abstractNum")}
        for num in numbering.iter(f"{_W}num"):
            kind = _value(num, "abstractNumId")
            levels: dict[int, _ListLevel] = {}
            for level in kinds[kind].iter(f"{_W}lvl") if kind in kinds else ():
                form, pattern = _value(level, "numFmt", "decimal"), _value(level, "lvlText")
                start = _count(_value(level, "start", "1"))
                levels[_count(level.get(f"{_W}ilvl"))] = _ListLevel(form, pattern, start)
            for override in num.iter(f"{_W}lvlOverride"):
                index, restart = _count(override.get(f"{_W}ilvl")), _value(override, "startOverride")
                if index in levels and restart:
                    levels[index].restart = _count(restart)
            self.lists[num.get(f"{_W}numId", "")] = kind, levels
        numbered = ((style, style.find(f"{_W}pPr/{_W}numPr")) for style in styles.iter(f"{_W}style"))
        self.styles = {
            style.get(f"{_W}styleId", ""): number for style, number in numbered if number is not None
        }

    def label(self, paragraph: Element) -> str:
        """Return what Word prints in front of a paragraph; the number of an item is between markers."""
        properties = paragraph.find(f"{_W}pPr")
        if properties is None:
            return ""
        style = _value(properties, "pStyle")
        own_number = properties.find(f"{_W}numPr")
        number = self.styles.get(style) if own_number is None else own_number
        if number is None:
            return ""
        kind, levels = self.lists.get(_value(number, "numId"), ("", {}))
        index = _count(_value(number, "ilvl"))
        level = levels.get(index)
        if level is None or level.form in ("bullet", "none"):
            return ""
        counts = self.counts.setdefault(kind, {})
        start = counts.get(index, level.start - 1) + 1
        counts[index], level.restart = start if level.restart is None else level.restart, None
        for deeper in [inner for inner in counts if inner > index]:
            del counts[deeper]
        text = level.pattern
        for inner, outer in levels.items():
            if inner <= index:
                mark = list_mark(counts.get(inner, outer.start), _FORMATS.get(outer.form, "1"))
                text = text.replace(f"%{inner + 1}", mark)
        is_heading = style.lower().startswith(("heading", "title"))
        numbers_rules = is_heading or any(other.pattern.count("%") > 1 for other in levels.values())
        if _SIMPLE.fullmatch(text) and not numbers_rules:
            return f"{_MARKER}{text}{_MARKER}"
        for element in properties.findall(f"{_W}numPr"):
            properties.remove(element)
        # Else the style would number the paragraph.
        SubElement(SubElement(properties, f"{_W}numPr"), f"{_W}numId", {f"{_W}val": "0"})
        return f"{text} "


def _value(element: Element, name: str, otherwise: str = "") -> str:
    inner = element.find(f"{_W}{name}")
    return otherwise if inner is None else inner.get(f"{_W}val", otherwise)


def _count(text: str | None) -> int:
    return min(max(parse_int(text or "") or 0, 0), 100_000)
