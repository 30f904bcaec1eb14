"""Words of blocks as the text of a rule: emphasis as stars, lists, links as plain references.

A reference stays plain if it is found again without help; otherwise it gets a mark `[[…]]`. A hyphen at a
line end is removed only if the book has the word without it and nowhere with it.
"""

from __future__ import annotations

import posixpath
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby

from rulewright.files.filenames import casefold_path, unique_name
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, ParagraphText, QuotedString, Value
from rulewright.imports.blocks import WORD, Guess, LeftOutWords, Link, Notes, Picture, Run, SourceBlock, plain
from rulewright.imports.links import LinkResolver, LinkVerdict
from rulewright.imports.sources.source_site import SourcePage, SourceSite
from rulewright.numbering.reference_cues import CueStrength
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.schema.text_document import plain_text

PICTURES = "pictures"
_DATA = re.compile(r"data:image/(?P<kind>png|jpeg|gif|webp|svg\+xml);base64,(?P<data>[\w+/=\s]*)")
_LETTERS = r"[^\W\d_]+"
_SPLIT_WORD = re.compile(rf"({_LETTERS})(?:-[ \t]*\n|\xad[ \t]*\n?)[ \t]*({_LETTERS})")
_COUNTED = re.compile(rf"{_LETTERS}(?:-{_LETTERS})*")
_TIGHT = re.compile(r"(?<=\w)([—/])[ \t]*\n[ \t]*(?=\w)")
"""Signs without spaces in a line."""

_LINK_SIGN = "\ue004"
"""Encloses the words of a link while a text is written."""

_ESCAPED = re.compile(
    r"\*|\[(?=\[)|(?<=[\[!])\[|\\(?=[\\*\[\]:])|(?<![\w:\\/]):(?=[^\W_][\w/-]{0,60}:(?![\w:/]))"
)
_SIGNS = re.compile(r"[\\*\[\]]")
_ESCAPE = r"\\\g<0>"
_STRAY = re.compile(r"(?<![\w*])\*{2,}(?=\w)|(?<=[\w.,;)])\*{2,}(?![\w*])|(?<!\S)\*{2,}(?!\S)")
_STRAY_BESIDE = re.compile(r"\\\*(?=\*{1,2}\w)|(?<=\w\*)\\\*")
"""A star without a partner beside emphasis."""

_DASHES = re.compile(r"(?<!-)---?(?!-)")
_NOT_WORDS = set("kind file id repeats phasing by activity shows optional ends decides".split())  # noqa: SIM905
"""Keys whose values are no words of the book."""


@dataclass(slots=True)
class CopiedFiles:
    """The pictures and other files that are copied, by their new names."""

    site: SourceSite
    copied: dict[str, bytes] = field(default_factory=dict)
    missing: list[Guess] = field(default_factory=list)
    picture_count: int = 0
    _names: dict[str, str] = field(default_factory=dict)

    def copy_name(self, page: SourcePage, address: str, line: int, folder: str = PICTURES) -> str:
        """Return the new name of a file that a page shows, whether or not it exists."""
        target = self.site.target(page, address)
        path = target.file if target else None
        source = str(path or (target.address if target else address))
        inside = _DATA.fullmatch(address)
        if source not in self._names:
            file_name = posixpath.basename(source)
            if inside:
                kind = inside["kind"].replace("jpeg", "jpg").removesuffix("+xml")
                file_name = f"picture-{len(self._names) + 1}.{kind}"
            name = posixpath.join(folder, re.sub(r"[^\w.+-]+", "-", file_name) or "picture")
            taken = {casefold_path(other) for other in self._names.values()}
            if casefold_path(name) in taken:
                stem, ending = posixpath.splitext(casefold_path(name))
                name = unique_name(stem, taken, ending)
            self._names[source] = name
            with suppress(OSError, ValueError):  # a file that cannot be opened, data that are damaged
                if path:
                    self.copied[name] = path.read_bytes()
                elif inside:
                    self.copied[name] = b64decode(inside["data"])
        name = self._names[source]
        if name not in self.copied:
            self.missing.append(Guess(page, line, address))
        return name


class ProseWriter:
    """Writes the words of blocks for files in a folder of the edition. `texts`: the words of the book."""

    def __init__(
        self,
        texts: Iterable[str],
        links: LinkResolver,
        finder: ReferenceFinder,
        files: CopiedFiles,
        report: Notes,
    ) -> None:
        self.links, self.finder, self.files, self.report = links, finder, files, report
        self.subject = self.chapter = ""
        self.vocabulary: set[str] = set()
        for text in texts:
            for word in _COUNTED.findall(_SPLIT_WORD.sub(" ", text).lower()):
                self.vocabulary |= {word, *word.split("-")}

    def prose(self, blocks: Sequence[SourceBlock]) -> str:
        """Return blocks as paragraphs and lists."""
        text = ""
        before: SourceBlock | None = None  # if it is an item
        depths: list[int] = []
        for block in blocks:
            is_item, runs = block.kind == "item", block.runs
            if block.kind == "heading":
                runs = tuple(replace(run, strong=True, emphasis=False) for run in runs)
            words = self.words(block.page, runs)
            if not words:
                continue
            if before and block.kind == "paragraph" and block.depth:
                text += f" {words}"
                continue
            depths = [depth for depth in depths if is_item and depth < block.depth]
            is_same_list = (
                before
                and is_item
                and (
                    depths
                    or before.depth > block.depth
                    or ((before.marker == "-") == (block.marker == "-") and block.marker not in ("1.", "1)"))
                )
            )
            text += ("\n" if is_same_list else "\n\n") if text else ""
            if is_item:
                bullet = "-" if block.marker in ("-", "") else f"{block.marker.rstrip('.)')}."
                text += f"{'  ' * len(depths)}{bullet} {words}"
                depths.append(block.depth)
            else:  # what looks like an item and is none
                text += f"–{words[1:]}" if words.startswith("- ") else words
            before = block if is_item else None
        return text

    def inline(self, page: SourcePage, runs: Sequence[Run]) -> str:
        """Return words in one line without emphasis and pictures."""
        words = [replace(run, strong=False, emphasis=False, colour="") for run in runs if not run.picture]
        return self.words(page, words)

    def words(self, page: SourcePage, runs: Sequence[Run]) -> str:
        """Return words in one line, with emphasis, references and pictures."""
        runs = [self._joined(page, run) for run in runs]
        subject = "" if plain(runs) else self.subject
        texts: list[str] = []
        for run in runs:
            if run.picture:
                texts.append(self._picture(page, run.picture, run.line, subject))
            elif run.link:
                texts.append(self._linked(page, run, run.link))
            else:
                texts.append(_escaped(run.text))
        text, upright = _emphasized(runs, texts), " ".join("".join(texts).split())
        if "*" in text and plain_text(_without_signs(text)) != plain_text(_without_signs(upright)):
            text = upright  # emphasis inside of a word
        return _STRAY_BESIDE.sub("", self._with_marks(text))

    def _with_marks(self, text: str) -> str:
        """Return a text in which a link that would not be found as a reference is a mark."""
        text_without_signs, links = _without_signs(text), self.links
        matches = (
            list(self.finder.find(text_without_signs, self.chapter)) if text_without_signs != text else []
        )
        result, end = "", 0
        for index, words in enumerate(text.split(_LINK_SIGN)):
            start, end = end, end + len(words)
            number = links.parse(words) if index % 2 else None
            inside = [m for m in matches if start <= m.start and m.end <= end and m.number == number]
            if number and all(match.cue is CueStrength.NEVER for match in inside):
                mark = words if links.book.scheme.parse_number(words) else f"{number.key}|{words}"
                words = f"[[{mark}]]"
            result += words
        return result

    def _joined(self, page: SourcePage, run: Run) -> Run:
        """Return a run in one line, with dashes, and with the words joined that line ends have split."""

        def join(match: re.Match[str]) -> str:
            first, second = match.groups()
            split, word = f"{first}-{second}", first + second
            is_word = word.lower() in self.vocabulary and split.lower() not in self.vocabulary
            if "\xad" not in match.group() and (second[0].isupper() or not is_word):
                return split
            self.report.left_out.append(
                LeftOutWords(page, run.line, split, "a word that the end of a line split")
            )
            self.report.added.append(word)
            return word

        text = _TIGHT.sub(r"\1", _SPLIT_WORD.sub(join, run.text))
        text = _DASHES.sub(lambda match: "–" if len(match.group()) == 2 else "—", text)
        return replace(run, text=text if run.link else _STRAY.sub("", text))

    def _picture(self, page: SourcePage, picture: Picture, line: int, subject: str) -> str:
        """Return a picture; its subject or the name of its file describes it if its author did not."""
        name, words = picture.address, picture.words
        if not picture.is_table:
            name = self.files.copy_name(page, picture.address, line)
            self.files.picture_count += 1
            if not words and not picture.caption:
                stem = posixpath.splitext(posixpath.basename(name))[0]
                words = subject or " ".join(re.split(r"[\W_]+", stem)).strip()
                self.report.added.append(words)
        caption = _escaped(picture.caption.replace('"', "”"))
        below = f' "{caption}"' if caption else ""
        return f"![{_SIGNS.sub(_ESCAPE, words)}](../{name}{below})"

    def _linked(self, page: SourcePage, run: Run, link: Link) -> str:
        """Return the words or the mark that a link becomes."""
        outcome = self.links.judge(page, run, link)
        words = outcome.becomes
        if outcome.verdict == LinkVerdict.OUTSIDE:
            self.report.added.append(words.removeprefix(outcome.text))
        is_mark = words.startswith("[[") and words != outcome.text
        words = words if is_mark else _escaped(words)
        if words and outcome.verdict != LinkVerdict.WORDS:
            words = f"{_LINK_SIGN}{words}{_LINK_SIGN}"
        before = " " if run.text[:1].isspace() else ""
        return f"{before}{words}{' ' if run.text[-1:].isspace() else ''}"


def _escaped(words: str) -> str:
    """Return words whose signs are no markup."""
    return _ESCAPED.sub(_ESCAPE, words)


def _without_signs(text: str) -> str:
    return text.replace(_LINK_SIGN, "")


def _emphasized(runs: Sequence[Run], texts: Sequence[str]) -> str:
    """Return the words of runs in one line with stars around emphasis."""
    parts: list[tuple[str, str]] = []
    stars = ""
    for run, words in zip(runs, texts, strict=True):
        if words.strip():
            is_strong = run.strong or (run.colour and not run.emphasis)
            stars = "*" * (2 * bool(is_strong) + run.emphasis)
        parts.append((stars, words))
    text = ""
    for stars, group in groupby(parts, key=lambda part: part[0]):
        words = "".join(words for _, words in group)
        inner = words.strip()
        text += words.replace(inner, f"{stars}{inner}{stars}", 1) if inner else words
    return " ".join(text.split())


def written_texts(value: Value) -> Iterator[str]:
    """Yield the texts of a content file: numbers and titles of rules, and the texts of the book."""
    if isinstance(value, CommentedValue | InlineCollection):
        yield from written_texts(value.value)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in _NOT_WORDS:
                yield from key.split(" ", 1) if isinstance(key, QuotedString) else ()  # number and title
                yield from written_texts(inner)
    else:
        for inner in value:
            yield from written_texts(inner)


def written_words(value: Value) -> Iterator[str]:
    """Yield the words of the texts of a content file."""
    for text in written_texts(value):
        is_marked = isinstance(text, ParagraphText) or any(sign in text for sign in ("*", "[[", "!["))
        yield from WORD.findall(plain_text(text) if is_marked else text)
