"""The text in pieces: headings with their labels and places, paragraphs, and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from rulewright.importers.outline.labels import Label, label_of
from rulewright.source.problems import File

KINDS = r"(?:Game[ -]Turns?|Player[ -]Turns?|Phases?|Segments?)"
"""The words that say which kind of step a heading names."""

_INDENT = re.compile(
    r"(?P<space>[ \t]*)(?P<quote>(?:>[ \t]*)*)(?P<hash>\#{1,6}[ \t]+)?(?P<bullet>[-*•–·▪◦][ \t]+)?"
)
_NOTE = re.compile(
    r"(?:Design |Play |Designer's )?(?:Notes?|EXC?|Exceptions?|Examples?)\s*[:.]", re.IGNORECASE
)
_ENDS = re.compile(r"""[.!?:;]['"’”)\]*_]*\Z""")
_SMALL = {
    "a",
    "an",
    "and",
    "as",
    "at",
    "by",
    "for",
    "from",
    "in",
    "of",
    "on",
    "or",
    "the",
    "to",
    "vs",
    "with",
}
_RUN = re.compile(
    rf"(?:[A-Z][\w&/'’-]*|&|/|and|of)(?:[ ](?:[A-Z][\w&/'’-]*|&|/|and|of))*?[ ]{KINDS}(?=[ ]|\Z)"
)
_AGAIN = re.compile(r"\b(?:repeat|same as)", re.IGNORECASE)
_MOST_WORDS = 9
_LONGEST_LABEL = 60
_LONGEST_RUN = 1_000
"""How long a line may be in which several headings were run together."""

_LONGEST_WORD = 60
_LAST = 20
"""How many characters may end a sentence at most: a full stop with brackets and quotes behind it."""

_WRAPS = 45
"""A shorter line that ends without a full stop is not likely to be the first of several."""


@dataclass(slots=True)
class Heading:
    """A line that names a step. `depth`: how far in it stands; `said`: all behind its label; `run`: it stood
    in one line with others; `marked`: a bullet or # says that it is one.
    """

    line: int
    column: int
    label: Label | None
    said: str
    depth: tuple[int, int] = (1, 0)
    run: bool = False
    marked: bool = False
    mended: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Paragraph:
    """Words below a heading, joined from their lines. `note`: they begin by saying that they are one."""

    line: int
    text: str
    note: bool = False
    mended: list[str] = field(default_factory=list)


Piece = Heading | Paragraph


@dataclass(slots=True)
class _Line:
    number: int
    column: int
    depth: tuple[int, int]
    text: str
    marked: bool


def pieces(file: File) -> list[Piece]:
    """The pieces of a text, in its order. Every line with a letter or a digit in it is in one of them."""
    found: list[Piece] = []
    labels: list[Label] = []
    parted = True  # by an empty line, or by the top of the text
    lines = [_line(number, raw) for number, raw in enumerate(re.split(r"\r\n|\n|\r", file.text), 1)]
    for line, behind in pairwise([*lines, _line(len(lines) + 1, "")]):
        if not re.search(r"\w", line.text):
            parted = parted or not line.text
            continue
        last = found[-1] if found else None
        if last and _is_open(last, parted) and _goes_on(line, parted, last, labels):
            _join(last, line.text)
            parted = False
            continue
        for piece in _split(
            line, parted, last, goes_on=behind.text[:1].islower() and not label_of(behind.text)
        ):
            before = found[-1] if found else None
            if isinstance(piece, Heading):
                labels += [piece.label] if piece.label else []
                found.append(piece)
            elif isinstance(before, Paragraph) and not (parted or piece.note):
                _join(before, piece.text)
            else:
                found.append(piece)
        parted = False
    return found


def _is_open(piece: Piece, parted: bool) -> bool:
    """Whether a piece ends in the middle of a sentence, so that the next line may belong to it."""
    if isinstance(piece, Paragraph):
        return not _ENDS.search(piece.text[-_LAST:])
    return not (parted or _ENDS.search(piece.said[-_LAST:]))


def _line(number: int, raw: str) -> _Line:
    m = _INDENT.match(raw)
    assert m
    text = _plain(raw[m.end() :].strip())
    bullet = m["bullet"] or ""
    if bullet.startswith("-") and label_of(text):
        bullet = ""  # a dash in front of a number is neither
    indent = len(m["space"].expandtabs(4)) + 4 * m["quote"].count(">")
    depth = (0, len(m["hash"].strip())) if m["hash"] else (1, indent)
    return _Line(number, m.end() + 1, depth, text, bool(m["hash"] or bullet))


def _plain(text: str) -> str:
    """A line without where its links lead, and without the signs of emphasis around what it begins with."""
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)", r"\1", text)
    text = re.sub(r"^(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?=\W|$)", r"\2", text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"^\*\*(.+)$", r"\1", text) if text.count("**") == 1 else text


def _goes_on(line: _Line, parted: bool, last: Piece, labels: list[Label]) -> bool:
    """Whether a line goes on with a sentence that the line above has not ended."""
    labelled = label_of(line.text)
    if line.text[0].islower() and not labelled:
        return True
    if parted or line.marked or (_is_title(line.text) and re.search(rf"{KINDS}\b", line.text)):
        return False
    if isinstance(last, Heading) and (len(last.said) < _WRAPS or _is_title(last.said)):
        return False
    if labelled is None:
        return True
    label = labelled[0]
    known = any(label.follows(one) or label.beside(one) or label.lies_in(one) for one in labels)
    return not (known or label.is_first)


def _split(line: _Line, parted: bool, last: Piece | None, goes_on: bool) -> Iterator[Piece]:
    """What stands in one line: a heading, several that were run together, or words.

    `goes_on`: the next line goes on with a sentence that begins here.
    """
    labelled = label_of(line.text)
    if labelled:
        yield from _labelled(line, *labelled)
        return
    together = _RUN.findall(line.text) if len(line.text) <= _LONGEST_RUN else []
    after = parted or isinstance(last, Heading) or last is None or bool(_ENDS.search(last.text[-_LAST:]))
    is_heading = _is_title(line.text) or (not goes_on and _is_brief(line.text))
    if len(together) > 1 and " ".join(together) == line.text:
        for part in together:
            yield Heading(line.number, line.column, None, part, line.depth, True, line.marked)
    elif line.marked or (after and is_heading):
        yield Heading(line.number, line.column, None, line.text, line.depth, marked=line.marked)
    else:
        yield Paragraph(line.number, line.text, bool(_NOTE.match(line.text)))


def _labelled(line: _Line, label: Label, start: int) -> Iterator[Heading]:
    """A heading with its label, and those in the same line whose labels follow on it."""
    at, run = 0, False
    for m in re.finditer(r"(?<=[\w.;,)])\s+(?=\S)", line.text):
        if m.start() < start:
            continue
        following = label_of(line.text[m.end() : m.end() + _LONGEST_LABEL])
        if following and following[0].follows(label) and not following[0].parts:
            said = line.text[start : m.start()].strip()
            yield Heading(line.number, line.column + at, label, said, line.depth, run, line.marked)
            at, run = m.end(), True
            label, start = following[0], m.end() + following[1]
    yield Heading(
        line.number, line.column + at, label, line.text[start:].strip(), line.depth, run, line.marked
    )


def _is_title(text: str) -> bool:
    """Whether a line without a label reads like a title: few words, in capitals or with capitals."""
    words = re.findall(r"[^\W\d_][\w'’/&-]*", re.sub(r"\([^()]*\)", "", text))
    if not words or len(words) > _MOST_WORDS or re.search(r"[.;,!?]['\"’”)*]*\Z|[.;] ", text):
        return False
    large = [word for word in words if word[0].isupper() or word.lower() in _SMALL]
    return len(large) == len(words) and text[0].isupper()


def _is_brief(text: str) -> bool:
    """Whether a line without a label is as short as what a list names: Cast off."""
    is_sentence = re.search(r"[.;:,!?]['\"’”)*]*\Z|[.;:] ", text) or _AGAIN.search(text)
    return text[0].isupper() and len(text.split()) <= _MOST_WORDS and not is_sentence


def _join(piece: Piece, words: str) -> None:
    """Add a further line to a piece. A word that the line's end has parted is mended."""
    text = piece.said if isinstance(piece, Heading) else piece.text
    m = re.search(r"(\w+)-\Z", text[-_LONGEST_WORD:]) if text.endswith("-") else None
    behind = re.match(r"[a-z]+", words)
    if m and behind and m[1][-1].islower():
        piece.mended.append(f"{m[1]}-{behind.group()}")
        text = text[:-1] + words
    else:
        is_parted = bool(m and words[0].isalpha())  # non-Phasing
        text = f"{text}{words}" if is_parted else f"{text} {words}"
    if isinstance(piece, Heading):
        piece.said = text
    else:
        piece.text = text
