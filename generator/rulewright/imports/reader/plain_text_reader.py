"""Lines of plain text or of a PDF as HTML: headings, items of lists, paragraphs, each where it began."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from rulewright.imports.reader import NUMBERED

_OPENS = re.compile(
    rf"(?:§+\s?\d|{NUMBERED.pattern}|(?:[a-zA-Z]|\d{{1,3}}|[ivxIVX]{{2,5}})[.)]\s+\S|\(\w{{1,4}}\)\s+\S)"
)
_BULLET = re.compile(r"(?:[-*•▪‣◦–]\s+|\+\s+(?=[^\d]))(?=\S)")
_UNDERLINE = re.compile(r"([-=~^\"'`*+#:.])\1{2,}")
_MARKED = re.compile(r"(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?")
_CHAPTER = re.compile(
    r"(?:(?i:chapter|section|part|rule|article|annex|appendix|art\.)\s+|§+ ?)?"
    r"(?:\d{1,3}|[IVXLC]{2,7}|[A-Z])(?:\.0?)?[.):]?\s+(?=\S)"
)
_LETTER = re.compile(r"[A-Z]\s")
_GOES_ON = re.compile(
    r"(?:[,(]|\b(?:and|or|to|in|of|by|per|the|an?|see|under|from|with|than|through|rules?|sections?|cases?))$",
    re.IGNORECASE,
)
"""Words behind which a number at the head of the next line is cited."""
_SENTENCE = re.compile(r"[.;:,]$")
_COUNTED = re.compile(r"(\d{1,3})\.(?=\s+\S)")
_MOST_TITLE = 70
_FEW = 5
"""Paragraphs with a number from which on these may be all that a text is numbered with."""


@dataclass(slots=True)
class TextLine:
    """A line. `place`: where it stands; `level`: of a heading; `bold`: how much of its beginning is.

    `has_space_above`: it stands off from the one above; `indent`: how far in it begins.
    """

    words: str
    place: int
    level: int = 0
    bold: int = 0
    has_space_above: bool = False
    indent: int = 0


def parse_text_lines(text: str) -> Iterator[TextLine]:
    """Lines of plain text. What is underlined, marked, or a short line with a number, is a heading."""
    lines = [line.expandtabs(4).rstrip() for line in text.split("\n")]
    lengths = sorted(len(line) for line in lines if line) or [0]
    width = lengths[len(lengths) * 9 // 10]  # a few lines are longer than those that are wrapped
    letters = {line[0] for line in map(str.strip, lines) if _LETTER.match(line) and _is_title(line)}
    signs: list[str] = []  # that headings are underlined with, the highest first
    apart = True
    for at, line in enumerate(lines):
        words = line.strip()
        below = lines[at + 1].strip() if at + 1 < len(lines) else ""
        above = lines[at - 1].strip() if at else ""
        if not words or (_UNDERLINE.fullmatch(words) and (above or below)):
            apart = True
            continue
        level = 0
        is_wrapped = len(line) + len(below.partition(" ")[0]) >= width or below[:1].islower()
        is_cited = bool(above and not apart and _GOES_ON.search(above))
        goes_on = below and not _OPENS.match(below) and is_wrapped
        is_title = _is_title(words) and not goes_on and not is_cited
        if (
            (m := _UNDERLINE.fullmatch(below))
            and len(below) >= len(words) * 0.7
            and len(words) < 2 * _MOST_TITLE
        ):
            signs += [m[1]] if m[1] not in signs else []
            level = min(signs.index(m[1]) + 1, 6)
        elif apart and (m := _MARKED.fullmatch(line)):
            level, words = len(m[1]), m[2]
        elif is_title and (m := NUMBERED.match(words)) and not words[m.end() :].lstrip()[:1].islower():
            level = 2
        elif _LETTER.match(words) and not {"A", "B"} <= letters:  # an article
            pass
        elif is_title and _CHAPTER.match(words) and ((apart and not below) or NUMBERED.match(below)):
            level = 1
        yield TextLine(words, at + 1, level, 0, apart, len(line) - len(line.lstrip()))
        apart = bool(level)


def _is_title(words: str) -> bool:
    return len(words) <= _MOST_TITLE and not _SENTENCE.search(words)


def lines_to_html(lines: Sequence[TextLine], *, joined: bool) -> str:
    """HTML of lines. `joined`: words that are parted at the end of a line are put together again."""
    blocks: list[list[TextLine]] = []
    for line in _counted(lines):
        last = blocks[-1][-1] if blocks else None
        is_cited = bool(last and _GOES_ON.search(last.words))
        begins = (
            line.has_space_above or _BULLET.match(line.words) or (_OPENS.match(line.words) and not is_cited)
        )
        if last and line.level == last.level and not begins and (line.level == 0 or joined):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    known = {*re.findall(r"\w+(?:-\w+)*", " ".join(line.words for line in lines))} if joined else set()
    made, place, depths = [""], 1, list[int]()
    for block in blocks:
        first = block[0]
        if joined and len(block) == 1 and not first.level and NUMBERED.match(first.words):
            first.level = 2 * _is_title(first.words)
        bullet = _BULLET.match(first.words)
        while depths and (not bullet or depths[-1] > first.indent):
            depths.pop()
            made.append("</li></ul>")
        made.append("\n" * (first.place - place))
        place = max(place, first.place)
        if bullet:
            made.append("<li>" if depths and depths[-1] == first.indent else "<ul><li>")
            depths += [first.indent] if depths[-1:] != [first.indent] else []
        tag = f"h{first.level}" if first.level else "p"
        words = _words(block, bullet.end() if bullet else 0, known)
        place += words.count("\n")
        made.append(f"<{tag}>{words}</{tag}>")
    return "".join([*made, "</li></ul>" * len(depths)])


def _counted(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """Lines whose whole numbers are headings where each comes once, in order, and all else lies in them."""
    found = {
        at: m for at, line in enumerate(lines) if line.has_space_above and (m := _COUNTED.match(line.words))
    }
    numbers = [int(m[1]) for m in found.values()]
    if len(found) < _FEW or numbers[0] > 1 or numbers != [*range(numbers[0], numbers[0] + len(found))]:
        return lines
    chapter = ""
    for at, line in enumerate(lines):
        if at in found:
            chapter = found[at][1]
        elif line.level == 1 and (m := _CHAPTER.match(line.words)):
            chapter = re.findall(r"\w+", m[0])[-1]
        elif (
            line.has_space_above
            and NUMBERED.match(line.words)
            and not re.match(rf"\W*{chapter}\b", line.words)
        ):
            return lines
    made = list[TextLine]()
    for at, line in enumerate(lines):
        if not (m := found.get(at)) or line.level:
            made.append(line)
        elif _is_title(line.words.rstrip(".")) and (at + 1 == len(lines) or lines[at + 1].has_space_above):
            made.append(replace(line, level=1))
        else:
            rest = line.words[m.end() :].lstrip()
            made += [replace(line, words=m[0], level=1), replace(line, words=rest, has_space_above=True)]
    return made


def _words(block: Sequence[TextLine], start: int, known: Iterable[str]) -> str:
    first, *rest = block
    bold = max(first.bold - start, 0)
    words = first.words[start:]
    if not first.level and not bold and not start and (m := NUMBERED.match(words)):
        bold = m.end()
    end = words
    made = f"<strong>{escape(words[:bold])}</strong>{escape(words[bold:])}" if bold else escape(words)
    for line in rest:
        parts = re.search(r"(\w+)-$", end), re.match(r"\w+", line.words)
        if known and parts[0] and parts[1] and line.words[0].islower():
            is_one = f"{parts[0][1]}-{parts[1][0]}" not in known
            made = f"{made.removesuffix('-')}{escape(line.words)}" if is_one else made + escape(line.words)
        else:
            made += ("\n" * (line.place - first.place - made.count("\n")) or " ") + escape(line.words)
        end = line.words
    return made
