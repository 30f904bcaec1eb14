"""Documents of Word as HTML, by mammoth, with the numbers that Word counts written into their paragraphs."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring, tostring

from rulewright.files.errors import UserError
from rulewright.files.install_origin import missing_extra
from rulewright.files.safe_integers import parse_int
from rulewright.imports.reading.html import MARKER, list_mark
from rulewright.imports.reading.unreadable import UnreadableDocument, open_archive

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_UNWRAPPED = frozenset("ins moveTo smartTag sdt sdtContent customXml fldSimple oMath oMathPara".split())  # noqa: SIM905
_DROPPED = frozenset("del moveFrom sdtPr sdtEndPr customXmlPr smartTagPr fldData".split())  # noqa: SIM905
_IN_PARAGRAPH = ("p", "r", "txbxContent", "tbl")
_SIMPLE = re.compile(r"\w{1,6}[.)]")
_BACK = re.compile(r'\s*<a href="#(?:foot|end)note-ref-\d+">↑</a>')
_NOTE = re.compile(r'<li id="((?:foot|end)note)-(\d+)">\s*<p>\s*(.*?)</li>', re.DOTALL)
_NOTES = re.compile(r'<ol>(?=<li id="(?:foot|end)note-\d+">)(.*)</ol>\s*\Z', re.DOTALL)
_FORMATS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
_MOST_DEPTH = 200
_STYLES = "\n".join(
    f"p:{kind}-list({level}) => {'ul|ol > li > ' * (level - 1)}{tag} > li:fresh"
    for kind, tag in (("unordered", "ul"), ("ordered", "ol"))
    for level in range(1, 10)
)


def docx_to_html(path: Path) -> tuple[str, str]:
    """Return a document as HTML, a line for each block, and its words read from its XML alone.

    Raises UnreadableDocument.
    """
    import mammoth

    with open_archive(path, "document of Word") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
        prepared, words = _with_printed_numbers(parts)
        html = mammoth.convert_to_html(BytesIO(prepared), style_map=_STYLES).value
    html = _BACK.sub("", html)
    if notes := _NOTES.search(html):
        html = html[: notes.start()] + _NOTE.sub(r'<p id="\1-\2">[\2] \3', notes[1])
    return re.sub(r"(?=<(?:p|h[1-6]|li|tr)\b)", "\n", html), words


def require_mammoth() -> None:
    """Raise UserError if mammoth is not installed. Loaded once, it need not be loaded by each process."""
    if needs := missing_extra("a DOCX", "import", "mammoth"):
        raise UserError(needs)
    import mammoth  # noqa: F401


def _with_printed_numbers(parts: dict[str, bytes]) -> tuple[bytes, str]:
    """Return a document with the numbers that Word prints, and the words of its original XML."""
    trees: dict[str, Element] = {}
    for name in ("word/document.xml", "word/numbering.xml", "word/styles.xml"):
        if name in parts:
            if b"<!DOCTYPE" in parts[name] or b"<!ENTITY" in parts[name]:
                raise UnreadableDocument("declares entities, as no document of Word does")
            trees[name] = fromstring(parts[name])
    document = trees["word/document.xml"]
    _unwrap(document, 0)
    words = _shown_words(document)
    counters = _Counters(trees.get("word/numbering.xml"), trees.get("word/styles.xml"))
    for paragraph in document.iter(f"{_W}p"):
        if printed := counters.label(paragraph):
            run = Element(f"{_W}r")
            text = Element(f"{_W}t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"})
            text.text = printed
            run.append(text)
            paragraph.insert(0 if paragraph.find(f"{_W}pPr") is None else 1, run)
    parts["word/document.xml"] = tostring(document)
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue(), words


def _unwrap(element: Element, depth: int) -> None:
    """Replace elements that mammoth does not read by what is in them; drop what Word does not show."""
    if depth > _MOST_DEPTH:
        raise UnreadableDocument("has elements nested too deep")
    index = 0
    while index < len(element):
        child = element[index]
        name = child.tag.rpartition("}")[2]
        if name == "AlternateContent":
            child = _shown_alternative(child)
        if name in _DROPPED and not (name in ("del", "ins") and element.tag.endswith("Pr")):
            element.remove(element[index])
        elif name == "AlternateContent" or (name in _UNWRAPPED and not element.tag.endswith("Pr")):
            element[index : index + 1] = list(child)
        elif name == "r" and not child.tag.startswith(_W):  # of an equation
            child.tag = f"{_W}r"
            for inner in child:
                inner.tag = _W + inner.tag.rpartition("}")[2]
            index += 1
        else:
            _unwrap(child, depth + 1)
            index += 1


def _shown_alternative(element: Element) -> Element:
    """Return the branch that mammoth can read."""
    branches = {child.tag.rpartition("}")[2]: child for child in element}
    choice, fallback = branches.get("Choice"), branches.get("Fallback")
    if choice is None or (fallback is not None and choice.find(f".//{_W}txbxContent") is not None):
        choice = fallback
    return choice if choice is not None else Element("none")


def _shown_words(document: Element) -> str:
    """Return the words of a document, a line for each paragraph."""
    parts: list[str] = []

    def walk(element: Element) -> None:
        name = element.tag.rpartition("}")[2]
        parts.append("\n" if name == "p" else " " if name in ("tab", "br", "txbxContent") else "")
        parts.append(element.text or "" if name == "t" else "")
        for child in element:
            walk(child)
        parts.append("\n" if name == "p" else "")

    walk(document)
    return "".join(parts)


class _Counters:
    """Counts the lists of a document as Word does."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self.lists: dict[str, tuple[str, Mapping[int, tuple[str, str, int]], Mapping[int, int]]] = {}
        self.counts: dict[str, dict[int, int]] = {}
        self.begun: set[tuple[str, int]] = set()
        self.styles: dict[str, Element] = {}
        if numbering is None:
            return
        kinds = {kind.get(f"{_W}abstractNumId", ""): kind for kind in numbering.iter(f"{_W}abstractNum")}
        for num in numbering.iter(f"{_W}num"):
            kind = _value(num, "abstractNumId")
            starts = {
                _count(override.get(f"{_W}ilvl")): _count(_value(override, "startOverride"))
                for override in num.iter(f"{_W}lvlOverride")
                if override.find(f"{_W}startOverride") is not None
            }
            levels: dict[int, tuple[str, str, int]] = {}
            for level in kinds[kind].iter(f"{_W}lvl") if kind in kinds else ():
                form, text = _value(level, "numFmt", "decimal"), _value(level, "lvlText")
                levels[_count(level.get(f"{_W}ilvl"))] = form, text, _count(_value(level, "start", "1"))
            self.lists[num.get(f"{_W}numId", "")] = kind, levels, starts
        for style in styles.iter(f"{_W}style") if styles is not None else ():
            element_found = style.find(f"{_W}pPr/{_W}numPr")
            if element_found is not None:
                self.styles[style.get(f"{_W}styleId", "")] = element_found

    def label(self, paragraph: Element) -> str:
        """Return what Word prints in front of a paragraph; the number of an item is between markers."""
        properties = paragraph.find(f"{_W}pPr")
        if properties is None:
            return ""
        style = _value(properties, "pStyle")
        number = properties.find(f"{_W}numPr")
        number = self.styles.get(style) if number is None else number
        list_id = _value(number, "numId", "0") if number is not None else "0"
        if number is None or list_id not in self.lists:
            return ""
        level = _count(_value(number, "ilvl", "0"))
        kind, levels, starts = self.lists[list_id]
        form, text, start = levels.get(level, ("bullet", "", 1))
        if form in ("bullet", "none"):
            return ""
        counts = self.counts.setdefault(kind, {})
        if (list_id, level) not in self.begun and level in starts:
            counts.pop(level, None)
            start = starts[level]
        self.begun.add((list_id, level))
        counts[level] = counts.get(level, start - 1) + 1
        for deeper in [inner for inner in counts if inner > level]:
            del counts[deeper]
        for inner in range(level, -1, -1):
            inner_form, _, first = levels.get(inner, ("decimal", "", 1))
            count = counts.get(inner, first)
            text = text.replace(f"%{inner + 1}", list_mark(count, _FORMATS.get(inner_form, "1")))
        is_heading = style.lower().startswith(("heading", "title"))
        numbers_rules = is_heading or any(pattern.count("%") > 1 for _, pattern, _ in levels.values())
        if _SIMPLE.fullmatch(text) and not numbers_rules:
            return f"{MARKER}{text}{MARKER}"
        for element_found in properties.findall(f"{_W}numPr"):
            properties.remove(element_found)
        if number in self.styles.values():
            numbered = Element(f"{_W}numPr")
            numbered.append(Element(f"{_W}numId", {f"{_W}val": "0"}))
            properties.append(numbered)
        return f"{text} "


def _value(element: Element, name: str, otherwise: str = "") -> str:
    element_found = element.find(f"{_W}{name}")
    return otherwise if element_found is None else element_found.get(f"{_W}val", otherwise)


def _count(text: str | None) -> int:
    return min(max(parse_int(text or "") or 0, 0), 100_000)
