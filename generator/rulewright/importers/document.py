"""A rulebook in one document, Markdown, DOCX or plain text, read as a page of Markdown.

https://learn.microsoft.com/openspecs/office_standards/ms-oe376 describes how a paragraph's number is made:
of the counters of its list, each level in its own way of counting, put into the level's pattern `%1.%2`.
Nothing in a document is counted, repeated or followed without a bound.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.files import FrontMatter, PageFile, front_matter_of
from rulewright.importers.website.receipt import shown_words
from rulewright.importers.website.site import Site, page_of, read_markdown
from rulewright.numbers.labels import sorts
from rulewright.source import bounds
from rulewright.source.problems import File, Place, kind

NUMBERED = re.compile(
    r"^([\[(]?(?:\d{1,3}|[A-Z]\d*)(?:[.:-](?:\d{1,3}[a-z]?|[a-zA-Z]{1,4})|\(\w{1,3}\))+[\])]?\.?)(\s+\S)"
)
"""The number that a paragraph begins with, which stands out on the page that it is read from."""
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|rubrik|kop|nagłówek)\s*([1-9])", re.IGNORECASE)
_SIGNS = re.compile(r"([\\`*_<>#|\[\]~&])")
_NOTE = re.compile("\x01(\\d+)\x02")
_MOST_FILES = 5_000
_MOST_COUNT = 4_000
_MOST_COLUMNS = 63  # of a table in Word
_MOST_STYLES = 30  # that are based on each other
_LONGEST = 60  # of the patterns for numbers
_LONGEST_CELL = 200  # that stands in each row that it spans
_BULLET = "bullet"
_SORTS = sorts()
_WAYS = {"lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I"}
"""Word's ways of counting that are not figures, by the signs of our labels."""

_UNSEEN = ("del", "moveFrom", "Fallback")
"""What Word does not show: words taken out, and what stands in for something newer."""
_BOXES = ("drawing", "pict", "object")
_TEXTS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_OF_RUNS = ("t", "footnoteReference", "endnoteReference", *_TEXTS)
_PARTING = ("p", "tc", "txbxContent", "tab", "ptab", "br", "cr", "footnoteReference", "endnoteReference")


class Damaged(ValueError):
    """A document that cannot be read, and why."""


def markdown_of(path: Path) -> str:
    """The words of a DOCX as Markdown. Raises Damaged."""
    return _read(
        path, lambda one: "\n\n".join(filter(None, [*one.blocks(one.body), *one.footnotes()])) + "\n"
    )


def shown_in(path: Path) -> str:
    """The words that Word shows of a DOCX, found without what makes the Markdown. Raises Damaged."""
    return _read(path, lambda one: " ".join(map(_shown, (one.body, *one.notes.values()))))


def _read(path: Path, make: Callable[[_Reader], str]) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = [one.file_size for one in archive.infolist()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise Damaged("is no DOCX; save it again as one") from None
    if len(sizes) > _MOST_FILES or sum(sizes) > bounds.CONTENT.most:
        raise Damaged(f"unpacks to too much; {bounds.CONTENT.clause}")
    import docx

    try:
        return make(_Reader(docx.Document(str(path))))
    except Exception as error:  # whatever a damaged one is read with
        raise Damaged(f"cannot be read ({type(error).__name__}); save it again as DOCX") from None


def _shown(element: Any) -> str:
    """The words in an element that Word shows, whatever they lie in."""
    name = _name(element)
    if name in _UNSEEN:
        return ""
    own = element.text or "" if name == "t" else _TEXTS.get(name, "")
    words = f"{own}{''.join(map(_shown, element))}"
    return f" {words} " if name in _PARTING else words


class _Look(NamedTuple):
    """How a style makes paragraphs look: the level of a heading, the list and the level in it."""

    level: int = 0
    list: str = ""
    at: int | None = None


class _Level(NamedTuple):
    """A level of a list: how it counts, its pattern, its first count, the level that lets it begin again."""

    sort: str
    pattern: str
    start: int
    after: int


class _Reader:
    """Walk through a document.

    `notes`: its footnotes and endnotes by what cites them, `cited`: their numbers. `styles`: its styles by
    their names there, `looks`: what they give. `counts`: the counters of its lists, `starts`: where lists
    begin again once they are met.
    """

    def __init__(self, document: Any) -> None:
        from docx.oxml import parse_xml

        self.body = document.element.body
        root = document.styles.element
        self.styles = {one.get(_w("styleId")): one for one in root.iter(_w("style"))}
        of_paragraphs = (one for one in self.styles.values() if one.get(_w("type")) == "paragraph")
        self.usual = next((one for one in of_paragraphs if one.get(_w("default")) in ("1", "true")), None)
        self.looks: dict[Any, _Look] = {}
        self.notes: dict[str, Any] = {}
        self.cited: dict[str, int] = {}
        for relation in document.part.rels.values():
            kind = relation.reltype.rpartition("/")[2].removesuffix("s")
            for one in parse_xml(relation.target_part.blob) if kind in ("footnote", "endnote") else ():
                if _w("type") not in one.attrib:
                    self.notes[f"{kind}{one.get(_w('id'))}"] = one
        self.counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self.levels: dict[str, dict[int, _Level]] = {}
        self.starts: dict[str, dict[int, int]] = {}
        self.home: dict[str, str] = {}
        try:
            root = document.part.numbering_part.element
        except (KeyError, NotImplementedError):
            return
        kinds = {one.get(_w("abstractNumId")): dict(_levels(one)) for one in root.iter(_w("abstractNum"))}
        for one in root.iter(_w("num")):
            number, home = one.get(_w("numId")), _value(one, "abstractNumId")
            overrides = [*one.iter(_w("lvlOverride"))]
            own = {at: level for each in overrides for at, level in _levels(each)}
            said = [(_count(each.get(_w("ilvl")), 0), _value(each, "startOverride")) for each in overrides]
            self.starts[number] = {at: _count(start, 1) for at, start in said if start}
            self.levels[number], self.home[number] = {**kinds.get(home, {}), **own}, home

    def blocks(self, around: Any) -> Iterator[str]:
        for one in _seen(around, "p", "tbl"):
            yield self.table(one) if _name(one) == "tbl" else self.paragraph(one)
            for box in _seen(one, "txbxContent") if _name(one) == "p" else ():
                yield from self.blocks(box)

    def paragraph(self, paragraph: Any) -> str:
        words, number = self.words(paragraph).strip(), self.number(paragraph)
        if not words:
            return ""
        if level := self.look(paragraph).level:
            return f"{'#' * level} {number}{words.replace(chr(10), ' ')}"
        if number.strip() == "-":
            return f"- {words}"
        return f"**{number.strip()}** {words}" if number else NUMBERED.sub(r"**\1**\2", words, count=1)

    def look(self, paragraph: Any) -> _Look:
        """The look that a paragraph's style gives it, with those that the style is based on."""
        style = self.styles.get(_value(paragraph.find(_w("pPr")), "pStyle"), self.usual)
        if style not in self.looks:
            level, number, at, one = 0, "", None, style
            for _ in range(_MOST_STYLES):
                if one is None:
                    break
                name = _value(one, "name")
                if not level:
                    m = _HEADING.match(name)
                    level = min(int(m[1]), 6) if m else int(name.lower() == "title")
                if not number:
                    number, own = _list_of(one)
                    at = own if at is None else at
                one = self.styles.get(_value(one, "basedOn"))
            self.looks[style] = _Look(level, number, at)
        return self.looks[style]

    def number(self, paragraph: Any) -> str:
        """The number that Word shows in front of a paragraph, with a space; `- ` for a bullet."""
        look = self.look(paragraph)
        number, at = _list_of(paragraph)
        level = (at if number or at is not None else look.at) or 0
        number = number or look.list
        levels = self.levels.get(number, {})
        if level not in levels:
            return ""
        counts = self.counts[self.home[number]]
        if (start := self.starts[number].pop(level, None)) is not None:
            counts[level] = start - 1
        counts[level] = counts.get(level, levels[level].start - 1) + 1
        for deeper in [one for one in counts if one > level]:
            if deeper not in levels or level < levels[deeper].after:
                del counts[deeper]
        if levels[level].sort == _BULLET:
            return "- "

        def label(m: re.Match[str]) -> str:
            at = int(m[1]) - 1
            sort, _, start, _ = levels.get(at, _Level("decimal", "", 1, at))
            count = counts.get(at, start)
            if sign := _WAYS.get(sort):
                return _SORTS[sign].label(count) if 0 < count < _MOST_COUNT else ""
            return "" if sort == "none" else f"{count:02}" if sort == "decimalZero" else str(count)

        shown = re.sub(r"%([1-9])", label, levels[level].pattern).strip()
        return f"{shown} " if shown else ""

    def words(self, paragraph: Any) -> str:
        """The words of a paragraph, bold and italic as Markdown has them."""
        runs: list[tuple[str, str]] = []
        for run in _seen(paragraph, "r"):
            look = run.find(_w("rPr"))
            sign = ("**" if _is_on(look, "b") else "") + ("*" if _is_on(look, "i") else "")
            text = "".join(map(self.text, _seen(run, *_OF_RUNS)))
            if runs and (runs[-1][0] == sign or not text.strip()):
                runs[-1] = runs[-1][0], runs[-1][1] + text
            else:
                runs.append((sign, text))
        heads, made = bool(self.look(paragraph).level), ""
        for sign, text in runs:
            inner = _NOTE.sub(r"[^\1]", _SIGNS.sub(r"\\\1", text.strip()))
            sign = "" if heads or not inner else sign
            before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
            made += f"{before}{sign}{inner}{sign[::-1]}{after}" if inner else text
        return made

    def text(self, one: Any) -> str:
        """The words of a part of a run; the number of a note stands between signs that no text has."""
        name = _name(one)
        key = f"{name.removesuffix('Reference')}{one.get(_w('id'))}"
        if key in self.notes:
            return f"\x01{self.cited.setdefault(key, len(self.cited) + 1)}\x02"
        return _TEXTS.get(name) or one.text or ""

    def footnotes(self) -> Iterator[str]:
        for key in self.notes:
            self.cited.setdefault(key, len(self.cited) + 1)
        for key, number in [*self.cited.items()]:
            yield f"[^{number}]: {self.line(self.notes[key])}"

    def line(self, around: Any) -> str:
        every = around.iter(_w("p"))
        shown = (one for one in every if not any(_name(a) in _UNSEEN for a in one.iterancestors()))
        return " ".join(" ".join(map(self.words, shown)).split())

    def table(self, table: Any) -> str:
        """A table in Markdown; a cell that spans several columns stands in the first, one of rows in each."""
        rows: list[list[str]] = []
        for row in _seen(table, "tr"):
            cells: list[str] = []
            for cell in _seen(row, "tc"):
                look, at = cell.find(_w("tcPr")), len(cells)
                goes_on = look is not None and _value(look, "vMerge", "continue") == "continue"
                above = rows[-1][at] if goes_on and rows and at < len(rows[-1]) else ""
                span = min(_count(_value(look, "gridSpan"), 1), max(_MOST_COLUMNS - at, 1))
                own = self.line(cell) or (above if len(above) <= _LONGEST_CELL else "")
                cells += [own, *[""] * (span - 1)]
            rows += [cells] if cells else []
        if not rows:
            return ""
        width = max(map(len, rows))
        lines = [f"| {' | '.join(row)} |" for row in ([*rows[0], *[""] * (width - len(rows[0]))], *rows[1:])]
        return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def _list_of(element: Any) -> tuple[str, int | None]:
    """The list that a paragraph or a style names itself, and the level there."""
    look = element.find(f"{_w('pPr')}/{_w('numPr')}")
    level = _value(look, "ilvl")
    return _value(look, "numId"), _count(level, 0) if level else None


def _levels(element: Any) -> Iterator[tuple[int, _Level]]:
    for one in element.findall(_w("lvl")):
        at = _count(one.get(_w("ilvl")), 0)
        start, after = _count(_value(one, "start"), 1), _count(_value(one, "lvlRestart"), at)
        yield at, _Level(_value(one, "numFmt") or "decimal", _value(one, "lvlText")[:_LONGEST], start, after)


def _seen(around: Any, *names: str) -> Iterator[Any]:
    """The elements of some names in another, as Word shows them: whatever they are wrapped in, in order."""
    for one in around:
        name = _name(one)
        if name in names:
            yield one
        elif name not in _UNSEEN and (name not in _BOXES or "txbxContent" in names):
            yield from _seen(one, *names)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _value(element: Any, name: str, otherwise: str = "") -> str:
    """Value of an inner element; `otherwise` where it is there and says nothing."""
    found = None if element is None else element.find(_w(name))
    return "" if found is None else found.get(_w("val")) or otherwise


def _count(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 6 else otherwise


def _is_on(look: Any, name: str) -> bool:
    return _value(look, name, "on") not in ("", "0", "false", "off")


def _w(name: str) -> str:
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}"


UNREADABLE = kind(
    "import-document-unreadable",
    "A document to read rules from is no Markdown, DOCX or text in UTF-8, or is damaged or too large.",
)

MARKDOWN, DOCX, PLAIN = (".md", ".markdown"), ".docx", (".txt", ".text")

_CHAPTER = re.compile(
    r"(?:(?:chapter|section|part|appendix)\s+)?(?:\d{1,3}|[A-Z])(?:\.0?)?[.):]?\s+(?=\S)", re.IGNORECASE
)
_PICTURE = re.compile(
    r"""(?:\]\(|\]:|\bsrc\s*=)\s*(?:<([^<>\n]+)>|"([^"\n]+)"|'([^'\n]+)'|([^\s"'<>]+\.(?:png|jpe?g|gif|webp|svg)\b))""",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?;:,]$")
_MOST_TITLE = 70
_PLAIN_SIGNS = re.compile(r"([\\`*_<>#|\[\]])")


def read_document(path: Path) -> Site:
    """The page of a document, or a folder's Markdown with its pictures; a problem where there is none."""
    if path.is_dir():
        return read_markdown(path)
    shown = path.as_posix()
    try:
        if path.stat().st_size > bounds.CONTENT.most:
            raise Damaged(f"is too large; {bounds.CONTENT.clause}")
        file = File(shown, _text(path))
    except Damaged as why:
        return Site(problems=[UNREADABLE.at(Place(shown), f"{shown} {why}", shown)])
    is_markdown = path.suffix.lower() in MARKDOWN
    matter, problems = front_matter_of(file) if is_markdown else (FrontMatter(), [])
    folder = path.absolute().parent
    found = PageFile(f"{folder.name}/{path.name}", file, path.stem)
    page = replace(page_of(found, matter), name=path.name, address=f"/{folder.name}/", kind="home", called="")
    if path.suffix.lower() == DOCX:
        unread = Counter(WORD.findall(shown_in(path)))
        unread.subtract(word for word, _ in shown_words(file.text, 1))
        page = replace(page, unread=tuple((+unread).elements()))
    pictures = dict(_pictures(file.text, folder)) if is_markdown else {}
    return Site([page], pictures, problems, served=False)


def _pictures(text: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """The pictures that a page names and that lie in its folder or in one beside it, by their addresses."""
    top = folder.parent.resolve()
    for m in _PICTURE.finditer(text):
        name = posixpath.normpath(posixpath.join(folder.name, unquote(next(filter(None, m.groups())))))
        path = folder.parent / name
        is_inside = "/" in name and not name.startswith(("/", "..")) and path.resolve().is_relative_to(top)
        if is_inside and path.is_file():
            yield f"/{name}", path


def _text(path: Path) -> str:
    ending = path.suffix.lower()
    if ending == DOCX:
        return markdown_of(path)
    if ending not in (*MARKDOWN, *PLAIN):
        raise Damaged("ends in no .md, .docx or .txt; save it as one of these")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Damaged(f"is no text in UTF-8 (byte {error.start}); save it in UTF-8") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if ending in MARKDOWN else "\n".join(_of_plain(text.split("\n")))


def _of_plain(lines: Iterable[str]) -> Iterator[str]:
    """Plain text as Markdown: chapters become headings, and a rule begins a paragraph."""
    for line in lines:
        words = line.strip()
        written = _PLAIN_SIGNS.sub(r"\\\1", words)
        is_title = len(words) <= _MOST_TITLE and not _SENTENCE.search(words)
        if _CHAPTER.match(words) and not NUMBERED.match(words) and is_title:
            yield from ("", f"# {written}", "")
        elif NUMBERED.match(words):
            bold = NUMBERED.sub(r"**\1**\2", written, count=1)
            yield from ("", f"## {written}", "") if is_title else ("", bold)
        else:
            yield line[: len(line) - len(line.lstrip())][:3] + written
