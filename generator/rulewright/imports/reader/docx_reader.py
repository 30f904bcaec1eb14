"""A DOCX as HTML: what Word counts and shows is written into the words, then mammoth reads them.

https://learn.microsoft.com/openspecs/office_standards/ms-oe376 describes how a paragraph's number is made:
of the counters of its list, each level in its own way of counting, put into the level's pattern `%1.%2`.
Nothing in a document is counted, repeated or followed without a bound.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from rulewright.files.errors import UserError
from rulewright.files.install_origin import missing_extra
from rulewright.imports.reader import NUMBERED, SHOWN, RawLines, open_archive
from rulewright.numbering.label_types import label_types

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|rubrik|kop|nagłówek)\s*([1-9])", re.IGNORECASE)
_MOST_COUNT = 4_000
_MOST_COLUMNS = 63  # of a table in Word
_MOST_STYLES = 30  # that are based on each other
_LONGEST = 60  # of the patterns for numbers
_DEEPEST = 9  # of the levels of a list in Word
_SORTS = label_types()
_WAYS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
"""Word's ways of counting that are not figures, by the signs of our labels."""

_UNSEEN = ("del", "moveFrom", "Fallback", "sdtPr", "sdtEndPr", "customXmlPr", "smartTagPr", "softHyphen")
"""What Word does not show: words taken out, and what stands in for something newer."""
_AROUND = frozenset(
    "sdt sdtContent customXml smartTag ins moveTo fldSimple AlternateContent Choice oMathPara".split()  # noqa: SIM905
)
"""What lies around words and says nothing of them."""
_TEXTS = {"tab": " ", "ptab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-"}
_PARTING = ("tc", "txbxContent", *_TEXTS, "footnoteReference", "endnoteReference")
_BULLETS, _COUNTED = "1", "2"
_LISTS = f'<w:numbering xmlns:w="{_WORD}">' + "".join(
    f'<w:abstractNum w:abstractNumId="{own}">'
    + "".join(f'<w:lvl w:ilvl="{at}"><w:numFmt w:val="{sort}"/></w:lvl>' for at in range(_DEEPEST))
    + f'</w:abstractNum><w:num w:numId="{own}"><w:abstractNumId w:val="{own}"/></w:num>'
    for own, sort in ((_BULLETS, "bullet"), (_COUNTED, "decimal"))
)
_LISTS += "</w:numbering>"
"""The lists that mammoth is given: it reads no more of a list than its level, and whether it counts."""
_STYLES = [f"p.rulewright-{level} => h{level}:fresh" for level in range(1, 7)] + [
    f"p:{sort}-list({at}) => {'ul|ol > li > ' * (at - 1)}{tag} > li:fresh"
    for at in range(1, _DEEPEST + 1)
    for sort, tag in (("unordered", "ul"), ("ordered", "ol"))
]
_PLACE = re.compile(
    r'((?:<(?:p|ul|ol|li|table|thead|tbody|tr|td|th|h[1-6])\b[^<>]*>)*)<a id="rulewright-(\d+)(-\w+)?"></a>'
)
_ITEM = re.compile(r"(?:[1-9]\d{0,3}|[a-z]{1,5}|[A-Z]{1,5})\.|\(\w{1,5}\)[.:]?|\w{1,5}\)")
"""The number of an item of a list: what has more parts is a rule's."""


def html_of_docx(path: Path) -> tuple[str, RawLines]:
    """The words of a DOCX as HTML, a paragraph a line, and the bare words that Word shows. Raises Damaged."""
    if needs := missing_extra("a DOCX", "import", "mammoth"):
        raise UserError(needs)
    with open_archive(path, "DOCX") as archive:
        return _read(archive)


def _read(archive: zipfile.ZipFile) -> tuple[str, RawLines]:
    import mammoth

    main = next(target for kind, target, _ in related_parts(archive, "") if kind == "officeDocument")
    parts = {kind: target for kind, target, _ in related_parts(archive, main) if target in archive.NameToInfo}
    trees = {
        kind: _tree(archive, target)
        for kind, target in parts.items()
        if kind in ("styles", "numbering", "footnotes", "endnotes")
    }
    document = _tree(archive, main)
    writer = _Writer(trees, {key for *_, key in related_parts(archive, main)})
    shown = "".join(map(_shown, (document, *writer.notes.values()))).split("\n")
    writer.write(document)
    made = BytesIO()
    own = {main: tostring(document), parts.get("numbering", "word/numbering.xml"): _LISTS.encode()}
    with zipfile.ZipFile(made, "w") as copy:
        for name in {*archive.namelist(), *own}:
            copy.writestr(name, own[name] if name in own else archive.read(name))
    html = mammoth.convert_to_html(
        made,
        include_embedded_style_map=False,
        style_map="\n".join(_STYLES),
        convert_image=mammoth.images.img_element(_picture),
    ).value
    return _placed(html), [*enumerate(shown)]


def _picture(image: Any) -> dict[str, str]:
    if image.content_type not in SHOWN:
        return {"src": f"picture.{image.content_type.rpartition('/')[2]}"}
    with image.open() as stream:
        return {"src": f"data:{image.content_type};base64,{b64encode(stream.read()).decode()}"}


def related_parts(archive: zipfile.ZipFile, name: str) -> Iterator[tuple[str, str, str]]:
    """The parts that another names: the kind, the name and the key of each."""
    folder, _, file = name.rpartition("/")
    rels = posixpath.join(folder, "_rels", f"{file}.rels")
    for one in fromstring(archive.read(rels)) if rels in archive.NameToInfo else ():
        target = one.get("Target", "")
        target = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
        yield one.get("Type", "").rpartition("/")[2], posixpath.normpath(target), one.get("Id", "")


def _tree(archive: zipfile.ZipFile, name: str) -> Element:
    return fromstring(archive.read(name).replace(_STRICT, _WORD.encode()))


def _placed(html: str) -> str:
    """HTML in which each paragraph begins in the line of its number, and what its number is stands out."""
    line = 1

    def placed(m: re.Match[str]) -> str:
        nonlocal line
        opened, place, mark = m[1], int(m[2]), m[3]
        if mark:
            value = re.sub(r"\D", "", mark)
            opened = f'{opened.removesuffix("<li>")}<li value="{value}" type="{mark[1:].rstrip(value) or 1}">'
        lines, line = place - line, max(place, line)
        return "\n" * lines + opened

    made = _PLACE.sub(placed, html)
    return re.sub(rf"^<p>{NUMBERED.pattern}", r"<p><strong>\1</strong>", made, flags=re.MULTILINE)


def _shown(element: Element) -> str:
    """The words in an element that Word shows, whatever they lie in, each paragraph in a line of its own."""
    name = _name(element)
    if name in _UNSEEN:
        return ""
    own = re.sub(r"\s", " ", element.text or "") if name == "t" else _TEXTS.get(name, "")
    words = f"{own}{''.join(map(_shown, element))}"
    if name == "p":
        return f"\n{words} "
    return f" {words} " if name in _PARTING else words


class _Look(NamedTuple):
    """How a style makes paragraphs look: the level of a heading, the list and the level in it."""

    level: int = 0
    list: str = ""
    at: int | None = None


class _Level(NamedTuple):
    """A level of a list: how it counts, its pattern, its first count, the level that lets it begin again.

    `indent`: how far in it stands.
    """

    sort: str
    pattern: str
    start: int
    after: int
    indent: int = 0


class _Number(NamedTuple):
    """The number that Word shows in front of a paragraph. `depth`: of an item of a list, in how many it lies.

    `mark`: how HTML counts the item, by the sort and the count: a3.
    """

    words: str = ""
    depth: int = -1
    mark: str = ""


class _Writer:
    """Writes what Word shows into a document's tree.

    `related`: the keys of what it may name. `notes`: its footnotes and endnotes by what cites them, `cited`:
    their numbers. `styles`: its styles by their names there, `looks`: what they give. `counts`: the counters
    of its lists, `starts`: where lists begin again once they are met. `opened`: the items that the last one
    lies in, and it, each by its list, its level and how far in it stands. `place`: the number of the last
    paragraph.
    """

    def __init__(self, trees: dict[str, Element], related: set[str]) -> None:
        self.related = related
        empty = Element("none")
        self.styles = {
            one.get(_w("styleId"), ""): one for one in trees.get("styles", empty).iter(_w("style"))
        }
        of_paragraphs = (style for style in self.styles.values() if style.get(_w("type")) == "paragraph")
        self.usual = next(
            (paragraph for paragraph in of_paragraphs if paragraph.get(_w("default")) in ("1", "true")), empty
        )
        self.looks: dict[str | None, _Look] = {}
        self.notes = {
            f"{kind}{one.get(_w('id'))}": one
            for kind in ("footnote", "endnote")
            for one in trees.get(f"{kind}s", ())
            if _w("type") not in one.attrib
        }
        self.cited: dict[str, int] = {}
        self.place = 0
        self.counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self.levels: dict[str, dict[int, _Level]] = {}
        self.starts: dict[str, dict[int, int]] = {}
        self.home: dict[str, str] = {}
        self.opened: list[tuple[str, int, int]] = []
        root = trees.get("numbering", empty)
        kinds = {one.get(_w("abstractNumId")): dict(_levels(one)) for one in root.iter(_w("abstractNum"))}
        for one in root.iter(_w("num")):
            number, home = one.get(_w("numId"), ""), _value(one, "abstractNumId")
            overrides = [*one.iter(_w("lvlOverride"))]
            own = {at: level for override in overrides for at, level in _levels(override)}
            said = [
                (_count(override.get(_w("ilvl")), 0), _value(override, "startOverride"))
                for override in overrides
            ]
            self.starts[number] = {at: _count(start, 1) for at, start in said if start}
            self.levels[number], self.home[number] = {**kinds.get(home, {}), **own}, home

    def write(self, document: Element) -> None:
        body = document.find(_w("body"))
        assert body is not None
        self.blocks(body)
        for key in self.notes:
            self.cited.setdefault(key, len(self.cited) + 1)
        for key, number in self.cited.items():
            note = self.notes[key]
            self.blocks(note)
            paragraphs = [one for one in note if _name(one) == "p"]
            if paragraphs:
                paragraphs[0].insert(2, _run(f"[{number}] "))
            body.extend(note)

    def blocks(self, around: Element, *, in_cell: bool = False) -> None:
        """Write into the paragraphs and tables of an element; text boxes follow the paragraph they lie in."""
        made: list[Element] = []
        for one in _inner(around):
            made.append(one)
            if _name(one) == "p":
                boxes = [*_boxes(one)]
                self.paragraph(one, in_cell)
                for box in boxes:
                    self.blocks(box, in_cell=in_cell)
                    made += [inner for inner in box if _name(inner) in ("p", "tbl")]
                    box.clear()
            elif _name(one) == "tbl":
                one[:] = _inner(one)
                for row in one.iterfind(_w("tr")):
                    row[:] = _inner(row)
                    for cell in row.iterfind(_w("tc")):
                        for span in cell.iterfind(f"{_w('tcPr')}/{_w('gridSpan')}"):
                            across = min(_count(span.get(_w("val")), 1), _MOST_COLUMNS)
                            span.set(_w("val"), str(max(across, 1)))
                        self.blocks(cell, in_cell=True)
        around[:] = made

    def paragraph(self, paragraph: Element, in_cell: bool) -> None:
        self.place += 1
        look = self.look(paragraph)
        number = self.number(paragraph, look)
        is_item = number.depth >= 0 and not (in_cell and number.words)
        runs = [one for one in _inner(paragraph) if _name(one) != "pPr"]
        for link in [run for run in runs if _name(run) == "hyperlink"]:
            link[:] = map(self.run, _inner(link))
            if link.get(_R, "") not in self.related:
                link.attrib.pop(_R, None)
        runs = [*map(self.run, runs)]
        is_empty = not number.words and not any(_name(one) != "rPr" for run in runs for one in run)
        look_of = Element(_w("pPr"))
        if look.level:
            SubElement(look_of, _w("pStyle"), {_w("val"): f"rulewright-{look.level}"})
        elif is_item:
            inner = SubElement(look_of, _w("numPr"))
            SubElement(inner, _w("ilvl"), {_w("val"): str(number.depth)})
            SubElement(inner, _w("numId"), {_w("val"): _COUNTED if number.mark else _BULLETS})
        if number.words and not (is_item and number.mark):
            is_bold = not look.level and not in_cell and not is_item
            runs[:0] = [_run(number.words, bold=is_bold), _run(" ")]
        if not is_item and not is_empty:
            self.opened.clear()
        name = f"rulewright-{self.place}" + (f"-{number.mark}" if is_item and number.mark else "")
        mark = [] if is_empty else [Element(_w("bookmarkStart"), {_w("name"): name})]
        paragraph[:] = [look_of, *mark, *runs]

    def run(self, run: Element) -> Element:
        """A run as mammoth reads it: notes by their numbers, equations as words, signs that it leaves out."""
        if _name(run) == "oMath":
            return _run("".join(one.text or "" for one in run.iter() if _name(one) == "t"))
        made: list[Element] = []
        for one in _inner(run):
            name = _name(one)
            key = f"{name.removesuffix('Reference')}{one.get(_w('id'))}"
            if key in self.notes:
                made.append(_text(f" [{self.cited.setdefault(key, len(self.cited) + 1)}]"))
            elif name in ("cr", "br"):
                made.append(Element(_w("br")))
            elif name in _TEXTS:
                made.append(_text(_TEXTS[name]))
            elif name == "t":
                made.append(_text(re.sub(r"\s", " ", one.text or "")))
            else:
                made.append(one)
        run[:] = made
        return run

    def look(self, paragraph: Element) -> _Look:
        """The look that a paragraph's style gives it, with those that the style is based on."""
        style = self.styles.get(_value(paragraph.find(_w("pPr")), "pStyle"), self.usual)
        own = style.get(_w("styleId"))
        if own not in self.looks:
            level, number, at = 0, "", None
            one: Element | None = style
            for _ in range(_MOST_STYLES):
                if one is None:
                    break
                name = _value(one, "name")
                if not level:
                    m = _HEADING.match(name)
                    level = min(int(m[1]), 6) if m else int(name.lower() == "title")
                if not number:
                    number, deep = _list_of(one)
                    at = deep if at is None else at
                one = self.styles.get(_value(one, "basedOn"))
            self.looks[own] = _Look(level, number, at)
        return self.looks[own]

    def number(self, paragraph: Element, look: _Look) -> _Number:
        number, at = _list_of(paragraph)
        level = (at if number or at is not None else look.at) or 0
        number = number or look.list
        levels = self.levels.get(number, {})
        if level not in levels:
            return _Number()
        counts = self.counts[self.home[number]]
        if (start := self.starts[number].pop(level, None)) is not None:
            counts[level] = start - 1
        counts[level] = counts.get(level, levels[level].start - 1) + 1
        for deeper in [count for count in counts if count > level]:
            if deeper not in levels or level < levels[deeper].after:
                del counts[deeper]
        own = levels[level]
        if own.sort == "bullet":
            return _Number(depth=self.depth(number, level, _indent(paragraph) or own.indent))

        def label(m: re.Match[str]) -> str:
            at = int(m[1]) - 1
            sort, _, start, *_ = levels.get(at, _Level("decimal", "", 1, at))
            count = counts.get(at, start)
            if sign := _WAYS.get(sort):
                return _SORTS[sign].label(count) if 0 < count < _MOST_COUNT else ""
            return "" if sort == "none" else f"{count:02}" if sort == "decimalZero" else str(count)

        words = re.sub(r"%([1-9])", label, own.pattern).strip()
        inner = (level.pattern for level in levels.values() if level.pattern.count("%") > 1)
        if look.level or not _ITEM.fullmatch(words) or any(f"%{level + 1}" in pattern for pattern in inner):
            return _Number(words)
        depth = self.depth(number, level, _indent(paragraph) or own.indent)
        if words[-1] != ".":  # (a), which says of what rule it is an item
            return _Number(words, depth)
        return _Number(words, depth, f"{_WAYS.get(own.sort, '')}{counts[level]}")

    def depth(self, number: str, level: int, indent: int) -> int:
        """How many items an item lies in: what stands in front of it in a list, or less far in."""
        home = self.home[number]
        while self.opened:
            other, above, before = self.opened[-1]
            if above < level if other == home else before < indent:
                break
            self.opened.pop()
        self.opened.append((home, level, indent))
        return min(len(self.opened), _DEEPEST) - 1


def _inner(around: Element) -> list[Element]:
    """The elements in another, as Word shows them, whatever they are wrapped in."""
    made: list[Element] = []
    for one in around:
        name = _name(one)
        if name in _AROUND:
            made += _inner(one)
        elif name not in _UNSEEN:
            made.append(one)
    return made


def _boxes(around: Element) -> Iterator[Element]:
    """The text boxes that lie in an element and in no other."""
    for one in around:
        if _name(one) == "txbxContent":
            yield one
        elif _name(one) not in _UNSEEN:
            yield from _boxes(one)


def _run(words: str, *, bold: bool = False) -> Element:
    made = Element(_w("r"))
    if bold:
        SubElement(SubElement(made, _w("rPr")), _w("b"))
    made.append(_text(words))
    return made


def _text(words: str) -> Element:
    made = Element(_w("t"))
    made.text = words
    return made


def _list_of(element: Element) -> tuple[str, int | None]:
    """The list that a paragraph or a style names itself, and the level there."""
    look = element.find(f"{_w('pPr')}/{_w('numPr')}")
    level = _value(look, "ilvl")
    return _value(look, "numId"), _count(level, 0) if level else None


def _levels(element: Element) -> Iterator[tuple[int, _Level]]:
    for one in element.findall(_w("lvl")):
        at = _count(one.get(_w("ilvl")), 0)
        start, after = _count(_value(one, "start"), 1), _count(_value(one, "lvlRestart"), at)
        sort, pattern = _value(one, "numFmt") or "decimal", _value(one, "lvlText")[:_LONGEST]
        yield at, _Level(sort, pattern, start, after, _indent(one))


def _indent(element: Element) -> int:
    """How far in a paragraph or a level of a list says itself that it stands."""
    look = element.find(f"{_w('pPr')}/{_w('ind')}")
    return 0 if look is None else _count(look.get(_w("left")) or look.get(_w("start")), 0)


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _value(element: Element | None, name: str) -> str:
    found = None if element is None else element.find(_w(name))
    return "" if found is None else found.get(_w("val")) or ""


def _count(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else otherwise


def _w(name: str) -> str:
    return f"{{{_WORD}}}{name}"
