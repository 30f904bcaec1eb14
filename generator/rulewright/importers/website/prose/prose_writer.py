"""Words of a page as the prose of a rule: emphasis as stars, lists, links as plain references.

A reference is left plain where it is found again without help, and gets a mark `[[…]]` where it would not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.citations.prose import plain
from rulewright.importers.website.pages.hyphens import MendedWord, Vocabulary
from rulewright.importers.website.pages.page_blocks import WORD, TextPiece
from rulewright.importers.website.prose.links import OUTSIDE, Links
from rulewright.importers.website.prose.picture_files import Pictures
from rulewright.importers.website.rules.rule_tree import Line
from rulewright.importers.website.site.site import Page
from rulewright.numbers.evidence import Cue
from rulewright.numbers.finder import Finder
from rulewright.source.writing import Brief, Prose, Remarked, Value

_ESCAPED = re.compile(
    r"\*|\[(?=\[)|(?<=[\[!])\[|\\(?=[\\*\[\]:])|(?<![\w:\\/]):(?=[^\W_][\w/-]{0,60}:(?![\w:/]))"
)
_SIGNS = re.compile(r"[\\*\[\]]")
_STRAY = re.compile(r"(?<![\w*])\*{2,}(?=\w)|(?<=[\w.,;)])\*{2,}(?![\w*])|(?<!\S)\*{2,}(?!\S)")
_SPACES = re.compile(r"\s+")
_DASHES = re.compile(r"(?<!-)---?(?!-)")
_NOT_WORDS = {"kind", "file", "id", "repeats", "phasing", "by", "activity", "shows", "optional"}


@dataclass(slots=True)
class WritingRecord:
    """A record of the writing: words mended, references that no link marked, signs left out."""

    mended: list[tuple[Page, MendedWord]] = field(default_factory=list)
    unlinked: list[tuple[Page, int, str]] = field(default_factory=list)
    linked: int = 0
    marks: int = 0
    guesses: list[tuple[Page, int, str]] = field(default_factory=list)
    added: list[tuple[Page, int, str, str]] = field(default_factory=list)


class ProseWriter:
    """Writes the words of a book's pages. `written` collects what it met."""

    def __init__(self, vocabulary: Vocabulary, links: Links, finder: Finder, pictures: Pictures) -> None:
        self.vocabulary, self.links, self.finder, self.pictures = vocabulary, links, finder, pictures
        self.written = WritingRecord()

    def prose(self, page: Page, lines: Sequence[Line], chapter: str = "", up: str = "../") -> str:
        """Paragraphs and lists as prose, each in one line. `up`: from its file to the edition's folder."""
        made: list[str] = []
        before: Line | None = None
        for line in lines:
            words = self.words(page, line.pieces, chapter, up)
            if not words:
                continue
            if before is not None:
                made.append("\n" if before.bullet and line.bullet and not line.opens else "\n\n")
            # A line that only looks like an item of a list is none.
            safe = f"–{words[1:]}" if not line.bullet and words.startswith("- ") else words
            made.append(f"{'  ' * (line.depth - 1)}{line.bullet}{safe}")
            before = line
        return "".join(made)

    def inline(self, page: Page, pieces: Sequence[TextPiece], chapter: str = "") -> str:
        """Words in one line without bold, as a title has them."""
        bare = (replace(p, bold=False, italic=False, colour="") for p in pieces if not p.picture)
        return self.words(page, list(bare), chapter)

    def words(self, page: Page, pieces: Sequence[TextPiece], chapter: str = "", up: str = "../") -> str:
        """Words in one line, with emphasis, references and pictures."""
        found = _whole_links(pieces)
        line = found[0].line if found else 0
        found, mended = self.vocabulary.mend(found)
        self.written.mended += [(page, one) for one in mended]
        found = [p.saying(_DASHES.sub(_dash, p.text)) if "--" in p.text else p for p in found]
        found = self._without_strays(page, found)
        runs = [(p, self._picture(page, p, up) if p.picture else self._linked(page, p)) for p in found]
        text, spans = _assembled(runs)
        lost = self._check(page, line, text, spans, chapter)
        if lost:
            runs = [(p, _marked(words) if at in lost else words) for at, (p, words) in enumerate(runs)]
            self.written.marks += len(lost)
            text, _ = _assembled(runs)
        if "*" in text:
            bare = [(replace(p, bold=False, italic=False, colour=""), words) for p, words in runs]
            unstressed, _ = _assembled(bare)
            if plain(text) != plain(unstressed):
                self.written.guesses.append((page, line, "emphasis inside of a word is left out"))
                return unstressed
        return text

    def _picture(self, page: Page, piece: TextPiece, up: str) -> str:
        """A picture as prose has it. Where its author gave it no words, the name of its file does."""
        assert piece.picture
        name, _ = self.pictures.named(page, piece.picture.address, piece.line)
        self.pictures.attached += 1
        words = piece.text
        if not words and not piece.picture.caption:
            words = " ".join(re.split(r"[\W_]+", posixpath.splitext(posixpath.basename(name))[0])).strip()
            self.written.added.append((page, piece.line, words, "words for a picture that has none"))
        caption = piece.picture.caption.replace('"', "”")
        below = f' "{_escaped(caption)}"' if caption else ""
        size = f"{{{piece.picture.size}}}" if piece.picture.size else ""
        return f"![{_SIGNS.sub(_backslash, words)}]({up}{name}{below}){size}"

    def _linked(self, page: Page, piece: TextPiece) -> str:
        """The words of a piece; where it is a link, what stands for that."""
        if not piece.link:
            return _SPACES.sub(" ", _escaped(piece.text))
        judged = self.links.of(page, piece, piece.link)
        if judged.verdict == OUTSIDE and judged.becomes != judged.text:
            address = judged.becomes.removeprefix(judged.text)
            self.written.added.append((page, piece.line, address, "the address of a link"))
        words = judged.becomes if judged.becomes.startswith("[[") else _escaped(judged.becomes)
        before = " " if piece.text[:1].isspace() else ""
        after = " " if piece.text[-1:].isspace() and piece.text.strip() else ""
        return f"{before}{words}{after}"

    def _check(
        self, page: Page, line: int, text: str, spans: Sequence[tuple[int, int, int]], chapter: str
    ) -> set[int]:
        """Which links would not be found as references; counts those that are, and those that nobody
        linked."""
        if not any(map(str.isdigit, text)):
            return set()
        found = [f for f in self.finder.find(text, chapter) if f.number or f.mark]
        lost: set[int] = set()
        claimed: set[int] = set()
        for start, end, at in spans:
            inside = [f for f in found if start <= f.start and f.end <= end]
            claimed.update(f.start for f in inside)
            number = self.links.number(text[start:end])
            self.written.linked += 1
            if number and not any(f.number == number and f.cue is not Cue.NEVER for f in inside):
                lost.add(at)
        for one in found:
            is_cited = one.cue is not Cue.NEVER and not one.mark and one.start not in claimed
            if is_cited and one.number and self.links.is_known(one.number):
                self.written.unlinked.append((page, line, one.number.key))
        return lost

    def _without_strays(self, page: Page, pieces: list[TextPiece]) -> list[TextPiece]:
        """Pieces without stars that were meant as emphasis and have no partner, each of which is told."""
        made = []
        for at, piece in enumerate(pieces):
            text = piece.text
            if "*" in text and not piece.link and not piece.picture:
                before = pieces[at - 1] if at else None
                behind = pieces[at + 1] if at + 1 < len(pieces) else None
                text = _STRAY.sub("", text)
                if behind and (behind.bold or behind.italic) and text.endswith("*"):
                    text = text.rstrip("*")
                if before and (before.bold or before.italic) and text.startswith("*"):
                    text = text.lstrip("*")
                if text != piece.text:
                    near = _near(piece.text, filter(None, (before, behind)))
                    message = f"the stars at “{near}” have no partner and are left out"
                    self.written.guesses.append((page, piece.line, message))
            made.append(piece if text == piece.text else piece.saying(text))
        return [p for p in made if p.text or p.picture]


def _near(text: str, around: Iterable[TextPiece]) -> str:
    words = text if text.strip(" *") else "".join(p.text for p in around)
    at = max(words.find("*"), 0)
    return " ".join(words[max(0, at - 15) : at + 20].split())


def _whole_links(pieces: Sequence[TextPiece]) -> list[TextPiece]:
    """Pieces where each link is one, however its words look, and colour is emphasis."""
    made: list[TextPiece] = []
    for piece in pieces:
        if piece.colour:
            piece = replace(piece, bold=piece.bold or not piece.italic, colour="")
        if made and piece.link and made[-1].link == piece.link:
            made[-1] = made[-1].saying(made[-1].text + piece.text)
        else:
            made.append(piece)
    return made


def _escaped(text: str) -> str:
    return _ESCAPED.sub(_backslash, text)


def _dash(m: re.Match[str]) -> str:
    """The dash that two or three hyphens are to Hugo."""
    return "–" if len(m.group()) == 2 else "—"


def _backslash(m: re.Match[str]) -> str:
    return f"\\{m.group()}"


def _marked(words: str) -> str:
    bare = words.strip()
    return words.replace(bare, f"[[{bare}]]")


def _assembled(runs: Sequence[tuple[TextPiece, str]]) -> tuple[str, list[tuple[int, int, int]]]:
    """The words of runs with stars around those that are emphasised; and where each link stands in it."""
    text = ""
    spans: list[tuple[int, int, int]] = []
    opened = ""
    for at, (piece, words) in enumerate(runs):
        sign = "*" * (2 * piece.bold + piece.italic)
        bare = words.strip()
        if not bare:
            text += words
            continue
        lead, tail = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
        if sign != opened:
            text, closing = _closed(text, opened)
            text += closing + lead + sign
        else:
            text += lead
        opened = sign
        start = len(text)
        text += bare
        if piece.link:
            spans.append((start, len(text), at))
        text += tail
    text, closing = _closed(text, opened)
    text += closing
    whole = _SPACES.sub(" ", text)
    if whole != text or text != text.strip():
        spans = [(len(_SPACES.sub(" ", text[:s])), len(_SPACES.sub(" ", text[:e])), at) for s, e, at in spans]
        gap = len(whole) - len(whole.lstrip())
        spans = [(s - gap, e - gap, at) for s, e, at in spans]
        text = whole.strip()
    return text, spans


def _closed(text: str, sign: str) -> tuple[str, str]:
    """A text whose emphasis ends in front of the white space at its end, and that white space."""
    bare = text.rstrip()
    return (f"{bare}{sign}", text[len(bare) :]) if sign else (text, "")


def written_words(value: Value) -> Iterator[str]:
    """The words of a content file, without its keys and without values that are no words of the book."""
    if isinstance(value, Remarked | Brief):
        yield from written_words(value.value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in _NOT_WORDS:
                yield from written_words(inner)
    elif isinstance(value, str):
        is_marked = isinstance(value, Prose) or any(sign in value for sign in ("*", "[[", "!["))
        yield from WORD.findall(plain(value) if is_marked else value)
    else:
        for inner in value:
            yield from written_words(inner)
