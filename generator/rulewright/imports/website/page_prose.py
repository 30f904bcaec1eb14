"""Words of a page as the prose of a rule: emphasis as stars, lists, links as plain references.

A reference is left plain where it is found again without help, and gets a mark `[[…]]` where it would not.
A hyphen that a line end left inside of a word is taken out only where the book shows that it does not belong:
the word stands elsewhere without it and nowhere with it. Where the book shows neither, it stays and is told.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright.files.filenames import casefold_path, unique_name
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, ParagraphText, QuotedString, Value
from rulewright.imports.website.import_report import ImportReport, LinkVerdict, MendedWord
from rulewright.imports.website.link_audit import LinkAudit
from rulewright.imports.website.page_block_types import WORD, TextPiece
from rulewright.imports.website.rule_tree import RuleLine
from rulewright.imports.sources.source_site import SourcePage, SourceSite
from rulewright.numbering.reference_cues import CueStrength
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.schema.text_document import plain_text

_LETTERS = r"[^\W\d_]+"
_AT_LINE_END = re.compile(rf"({_LETTERS})-[ \t]*\n[ \t]*({_LETTERS})")
_INSIDE = re.compile(rf"(?<![\w-])({_LETTERS})-({_LETTERS})(?![\w-])")
_COUNTED = re.compile(rf"{_LETTERS}(?:-{_LETTERS})*")
_SOFT = re.compile(rf"({_LETTERS})\xad[ \t]*\n?[ \t]*({_LETTERS})")
_TIGHT = re.compile(r"(?<=\w)([—/])[ \t]*\n[ \t]*(?=\w)")  # signs that have no space beside them in a line
_SPACE = re.compile(r"[ \t]*\n[ \t]*")
_MAY_PART = re.compile("[-\xad]|[—/][ \t]*\n")
_PREFIXES = frozenset([
    "non", "re", "un", "pre", "anti", "mid", "sub", "co", "self", "semi", "over", "under", "multi", "de",
    "ex", "inter", "counter", "pro", "post", "off", "on", "in", "out", "up", "by", "extra", "super",
    "cross",
])  # fmt: skip


@dataclass(slots=True)
class Vocabulary:
    """The words of a book, in small letters, and those with hyphens, each with how often it stands there."""

    words: Counter[str] = field(default_factory=Counter)
    hyphened: Counter[str] = field(default_factory=Counter)

    def count_words(self, texts: Iterable[str]) -> None:
        """Count the words of texts; those that a line end parts are left out."""
        for text in texts:
            whole = _AT_LINE_END.sub(" ", _SOFT.sub(r"\1\2", text))
            for word in _COUNTED.findall(whole.lower()):
                if "-" in word:
                    self.hyphened[word] += 1
                    self.words.update(word.split("-"))
                else:
                    self.words[word] += 1

    def join_split_words(self, pieces: Sequence[TextPiece]) -> tuple[list[TextPiece], list[MendedWord]]:
        """Join words that line ends have parted, and tell which are changed or doubtful."""
        made, mended = [], []
        for piece in pieces:
            if piece.picture:
                made.append(piece)
                continue
            text, changes = self._mend(piece.text, piece.line)
            is_changed = text != piece.text or "\n" in text
            made.append(replace(piece, text=_SPACE.sub(" ", text)) if is_changed else piece)
            mended += changes
        return made, mended

    def _mend(self, text: str, line: int) -> tuple[str, list[MendedWord]]:
        found: list[MendedWord] = []
        if not _MAY_PART.search(text):
            return text, found

        def mended(m: re.Match[str], was: str, now: str, *, sure: bool = True) -> str:
            found.append(MendedWord(line + m.string.count("\n", 0, m.start()), was, now, sure))
            return now

        def at_line_end(m: re.Match[str]) -> str:
            joined, parted = m[1] + m[2], f"{m[1]}-{m[2]}"
            with_it, without = self.hyphened[parted.lower()], self.words[joined.lower()]
            if m[2][0].isupper() or (with_it and not without):
                return parted
            is_sure = bool(without and not with_it)
            return mended(m, parted, joined if is_sure else parted, sure=is_sure)

        def inside(m: re.Match[str]) -> str:
            joined, parted = m[1] + m[2], m.group()
            stands_once = self.hyphened[parted.lower()] == 1 and self.words[m[2].lower()] == 1
            is_prefixed = m[1].lower() in _PREFIXES or not m[2].islower()
            is_whole = self.words[joined.lower()] and stands_once and not is_prefixed
            return mended(m, parted, joined) if is_whole else parted

        text = _SOFT.sub(lambda m: mended(m, f"{m[1]}-{m[2]}", m[1] + m[2]), text)
        text = _INSIDE.sub(inside, text)
        return _TIGHT.sub(r"\1", _AT_LINE_END.sub(at_line_end, text)), found


PICTURES = "pictures"
_THEME = (".css", ".scss", ".js", ".map", ".woff", ".woff2", ".ttf", ".yml", ".yaml", ".toml", ".json", "")


@dataclass(slots=True)
class Pictures:
    """The pictures and other files that are copied, by their new names."""

    site: SourceSite
    report: ImportReport
    copied: dict[str, Path] = field(default_factory=dict)
    attached: int = 0
    _names: dict[str, str] = field(default_factory=dict)

    def copy_name(
        self, page: SourcePage, address: str, line: int, folder: str = PICTURES
    ) -> tuple[str, bool]:
        """The new name of a file that a page shows, and whether it is there."""
        target = self.site.target(page, address)
        path = target.file if target else None
        path = path or self._alike(address)
        source = str(path or (target.address if target else address))
        if source not in self._names:
            base = re.sub(r"[^\w.+-]+", "-", posixpath.basename(source.partition("?")[0])) or "picture"
            stem, ending = posixpath.splitext(base)
            taken = {casefold_path(name) for name in self._names.values()}
            if casefold_path(f"{folder}/{base}") in taken:
                stem, ending = casefold_path(stem), casefold_path(ending)
            self._names[source] = unique_name(f"{folder}/{stem}", taken, ending)
        name = self._names[source]
        if path:
            self.copied[name] = path
        else:
            self.report.missing.append((page, line, address))
        return name, path is not None

    def published(self) -> list[tuple[str, str]]:
        """The files that have an address on the old site, each with its new name, empty where it has none."""
        names = {path: name for name, path in self.copied.items()}
        shown = ((address, path) for address, path in self.site.files.items() if self.site.served)
        kept = (one for one in shown if one[1].suffix.lower() not in _THEME)
        return sorted((address, names.get(path, "")) for address, path in kept)

    def _alike(self, address: str) -> Path | None:
        """The only file whose path ends as an address does: a section does not know where its site begins."""
        parts = address.partition("?")[0].strip("/").split("/")
        for count in (3, 2, 1):
            tail = "/" + "/".join(parts[-count:])
            found = [path for name, path in self.site.files.items() if f"/{name.strip('/')}".endswith(tail)]
            if len(found) == 1:
                return found[0]
        return None


_ESCAPED = re.compile(
    r"\*|\[(?=\[)|(?<=[\[!])\[|\\(?=[\\*\[\]:])|(?<![\w:\\/]):(?=[^\W_][\w/-]{0,60}:(?![\w:/]))"
)
_SIGNS = re.compile(r"[\\*\[\]]")
_ESCAPE = r"\\\g<0>"
_STRAY = re.compile(r"(?<![\w*])\*{2,}(?=\w)|(?<=[\w.,;)])\*{2,}(?![\w*])|(?<!\S)\*{2,}(?!\S)")
_SPACES = re.compile(r"\s+")
_DASHES = re.compile(r"(?<!-)---?(?!-)")
_NOT_WORDS = {"kind", "file", "id", "repeats", "phasing", "by", "activity", "shows", "optional"}


class ProseWriter:
    """Writes the words of a book's pages, and tells the receipt what it meets."""

    def __init__(
        self, vocabulary: Vocabulary, links: LinkAudit, finder: ReferenceFinder, pictures: Pictures
    ) -> None:
        self.vocabulary, self.links, self.finder, self.pictures = vocabulary, links, finder, pictures
        self.told = pictures.report

    def prose(self, page: SourcePage, lines: Sequence[RuleLine], chapter: str = "", up: str = "../") -> str:
        """Paragraphs and lists as prose, each in one line. `up`: from its file to the edition's folder."""
        made: list[str] = []
        before: RuleLine | None = None
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

    def inline(self, page: SourcePage, pieces: Sequence[TextPiece], chapter: str = "") -> str:
        bare = (replace(p, bold=False, italic=False, colour="") for p in pieces if not p.picture)
        return self.words(page, list(bare), chapter)

    def words(self, page: SourcePage, pieces: Sequence[TextPiece], chapter: str = "", up: str = "../") -> str:
        """Words in one line, with emphasis, references and pictures."""
        found = _whole_links(pieces)
        line = found[0].line if found else 0
        found, mended = self.vocabulary.join_split_words(found)
        self.told.joined_words += [(page, one) for one in mended]
        found = self._without_strays(page, found)
        runs = [
            (p, self._picture(page, p, up) if p.picture else self._linked(page, p, words))
            for p, words in zip(found, _escaped_runs(found), strict=True)
        ]
        text, spans = _assembled(runs)
        if lost := self._check(page, line, text, spans, chapter):
            for at in lost:
                piece, words = runs[at]
                if piece.link and self.links.judge_link(page, piece, piece.link).verdict == LinkVerdict.WORDS:
                    continue  # what leads to a note at the foot of a page
                cited = words.strip()
                number = None if self.links.dialect.parse_number(cited) else self.links.number(cited)
                mark = f"{number.key}|{cited}" if number else cited  # (1), which is no number as written
                runs[at] = piece, words.replace(cited, f"[[{mark}]]")
            text, _ = _assembled(runs)
        if "*" in text:
            bare = [(replace(p, bold=False, italic=False, colour=""), words) for p, words in runs]
            unstressed, _ = _assembled(bare)
            if plain_text(text) != plain_text(unstressed):
                self.told.note_guess(page, line, "emphasis inside of a word is left out")
                return unstressed
        return text

    def _picture(self, page: SourcePage, piece: TextPiece, up: str) -> str:
        """A picture as prose has it. Where its author gave it no words, the name of its file does."""
        assert piece.picture
        if piece.picture.table:
            return f"![{_SIGNS.sub(_ESCAPE, piece.text)}]({up}{piece.picture.address})"
        name, _ = self.pictures.copy_name(page, piece.picture.address, piece.line)
        self.pictures.attached += 1
        words = piece.text
        if not words and not piece.picture.caption:
            words = " ".join(re.split(r"[\W_]+", posixpath.splitext(posixpath.basename(name))[0])).strip()
            self.told.note_changed(page, piece.line, "", words, "words for a picture that has none")
        caption = piece.picture.caption.replace('"', "”")
        below = f' "{_escaped(caption)}"' if caption else ""
        size = f"{{{piece.picture.size}}}" if piece.picture.size else ""
        words = _SIGNS.sub(_ESCAPE, words)
        return f"![{words}]({up}{name}{below}){size}"

    def _linked(self, page: SourcePage, piece: TextPiece, words: str) -> str:
        if not piece.link:
            return _SPACES.sub(" ", words)
        judged = self.links.judge_link(page, piece, piece.link)
        if judged.verdict == LinkVerdict.OUTSIDE and judged.becomes != judged.text:
            address = judged.becomes.removeprefix(judged.text)
            self.told.note_changed(page, piece.line, "", address, "the address of a link")
        is_mark = judged.becomes.startswith("[[") and judged.becomes != judged.text
        words = judged.becomes if is_mark else _escaped(judged.becomes)
        before = " " if piece.text[:1].isspace() else ""
        after = " " if piece.text[-1:].isspace() and piece.text.strip() else ""
        return f"{before}{words}{after}"

    def _check(
        self, page: SourcePage, line: int, text: str, spans: Sequence[tuple[int, int, int]], chapter: str
    ) -> set[int]:
        """Which links would not be found as references. References that nobody linked are told."""
        if not any(map(str.isdigit, text)):
            return set()
        found = [f for f in self.finder.find(text, chapter) if f.number or f.mark_span]
        lost, claimed = set[int](), set[int]()
        for start, end, at in spans:
            inside = [f for f in found if start <= f.start and f.end <= end]
            claimed.update(f.start for f in inside)
            number = self.links.number(text[start:end])
            if number and not any(f.number == number and f.cue is not CueStrength.NEVER for f in inside):
                lost.add(at)
        for match in found:
            is_cited = (
                match.cue is not CueStrength.NEVER and not match.mark_span and match.start not in claimed
            )
            if is_cited and match.number and self.links.is_known(match.number):
                self.told.unlinked.append((page, line, match.number.key))
        return lost

    def _without_strays(self, page: SourcePage, pieces: list[TextPiece]) -> list[TextPiece]:
        """Pieces with dashes, and without stars that have no partner, which are told."""
        made = []
        for at, piece in enumerate(pieces):
            if "--" in piece.text:
                dashed = _DASHES.sub(lambda m: "–" if len(m.group()) == 2 else "—", piece.text)
                piece = replace(piece, text=dashed)
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
                    around = "".join(p.text for p in (before, behind) if p)
                    near = piece.text if piece.text.strip(" *") else around
                    start = max(near.find("*"), 0)
                    near = " ".join(near[max(0, start - 15) : start + 20].split())
                    message = f"the stars at “{near}” have no partner and are left out"
                    self.told.note_guess(page, piece.line, message)
            made.append(piece if text == piece.text else replace(piece, text=text))
        return [p for p in made if p.text or p.picture]


def _whole_links(pieces: Sequence[TextPiece]) -> list[TextPiece]:
    """Pieces where each link is one, however its words look, and colour is emphasis."""
    made: list[TextPiece] = []
    for piece in pieces:
        if piece.colour:
            piece = replace(piece, bold=piece.bold or not piece.italic, colour="")
        if made and piece.link and made[-1].link == piece.link:
            made[-1] = replace(made[-1], text=made[-1].text + piece.text)
        else:
            made.append(piece)
    return made


def _escaped(text: str) -> str:
    return _ESCAPED.sub(r"\\\g<0>", text)


def _escaped_runs(runs: Sequence[TextPiece]) -> Iterator[str]:
    """The words of runs with escapes in front of what means something, also where it lies in several."""
    whole = "".join(p.text for p in runs)
    spots, at = {m.start() for m in _ESCAPED.finditer(whole)}, 0
    for piece in runs:
        yield "".join(f"\\{sign}" if i in spots else sign for i, sign in enumerate(piece.text, at))
        at += len(piece.text)


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
    """The words of a content file: the numbers and titles of rules, and values that are words of the book."""
    if isinstance(value, CommentedValue | InlineCollection):
        yield from written_words(value.value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "rows" and isinstance(inner, list):  # whose keys are headings of columns
                rows = (row.value if isinstance(row, InlineCollection) else row for row in inner)
                cells = (cell for row in rows if isinstance(row, Mapping) for cell in row.values())
                yield from (word for cell in cells for word in written_words(cell))
            elif key not in _NOT_WORDS:
                if isinstance(key, QuotedString):  # a rule's number and title
                    yield from (word for part in key.split(" ", 1) for word in written_words(part))
                yield from written_words(inner)
    elif isinstance(value, str):
        is_marked = isinstance(value, ParagraphText) or any(sign in value for sign in ("*", "[[", "!["))
        yield from WORD.findall(plain_text(value) if is_marked else value)
    else:
        for inner in value:
            yield from written_words(inner)
