"""Words of blocks as the text of a rule: emphasis as stars, lists, links as plain references.

A reference stays plain if it is found again without help; otherwise it gets a mark `[[…]]`. A hyphen at a
line end is removed only if the book has the word without it and nowhere with it.
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
from rulewright.imports.blocks import WORD, Notes, Run, Runs, SourceBlock
from rulewright.imports.links import LinkResolver, LinkVerdict
from rulewright.imports.sources.source_site import SourcePage, SourceSite
from rulewright.numbering.reference_cues import CueStrength
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.schema.text_document import plain_text

_LETTERS = r"[^\W\d_]+"
_AT_LINE_END = re.compile(rf"({_LETTERS})-[ \t]*\n[ \t]*({_LETTERS})")
_COUNTED = re.compile(rf"{_LETTERS}(?:-{_LETTERS})*")
_SOFT = re.compile(rf"({_LETTERS})\xad[ \t]*\n?[ \t]*({_LETTERS})")
_TIGHT = re.compile(r"(?<=\w)([—/])[ \t]*\n[ \t]*(?=\w)")
"""Signs without spaces in a line."""

_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class JoinedWord:
    """A word that a line end had split. `is_certain`: the book has the joined word."""

    page: SourcePage
    line: int
    split_word: str
    joined_word: str
    is_certain: bool = True
    context: str = ""
    """The text around it, which distinguishes words of a page of a PDF."""


class Vocabulary:
    """The words of a book, and those with hyphens, with how often each occurs."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.words: Counter[str] = Counter()
        self.hyphened: Counter[str] = Counter()
        for text in texts:
            whole = _AT_LINE_END.sub(" ", _SOFT.sub(r"\1\2", text))
            for word in _COUNTED.findall(whole.lower()):
                if "-" in word:
                    self.hyphened[word] += 1
                    self.words.update(word.split("-"))
                else:
                    self.words[word] += 1

    def join(self, run: Run, page: SourcePage, joined: list[JoinedWord]) -> str:
        """Return the text of a run with the words joined that line ends have split."""
        if run.picture or not re.search("-[ \t]*\n|\xad|[—/][ \t]*\n", run.text):
            return run.text

        def join(match: re.Match[str], joined_word: str, *, is_certain: bool = True) -> str:
            line = run.line + match.string.count("\n", 0, match.start())
            joined.append(
                JoinedWord(page, line, f"{match[1]}-{match[2]}", joined_word, is_certain, match.string)
            )
            return joined_word

        def at_line_end(match: re.Match[str]) -> str:
            whole, split = match[1] + match[2], f"{match[1]}-{match[2]}"
            with_hyphen, without = self.hyphened[split.lower()], self.words[whole.lower()]
            if match[2][0].isupper() or (with_hyphen and not without):
                return split
            is_certain = bool(without and not with_hyphen)
            return join(match, whole if is_certain else split, is_certain=is_certain)

        text = _SOFT.sub(lambda match: join(match, match[1] + match[2]), run.text)
        return _TIGHT.sub(r"\1", _AT_LINE_END.sub(at_line_end, text))


PICTURES = "pictures"
_THEME = (".css", ".scss", ".js", ".map", ".woff", ".woff2", ".ttf", ".yml", ".yaml", ".toml", ".json", "")


@dataclass(slots=True)
class CopiedFiles:
    """The pictures and other files that are copied, by their new names."""

    site: SourceSite
    copied: dict[str, Path] = field(default_factory=dict)
    missing: list[tuple[SourcePage, int, str]] = field(default_factory=list)
    picture_count: int = 0
    _names: dict[str, str] = field(default_factory=dict)

    def copy_name(
        self, page: SourcePage, address: str, line: int, folder: str = PICTURES
    ) -> tuple[str, bool]:
        """Return the new name of a file that a page shows, and whether it exists."""
        target = self.site.target(page, address)
        path = (target.file if target else None) or self._similar(address)
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
            self.missing.append((page, line, address))
        return name, path is not None

    def published(self) -> list[tuple[str, str]]:
        """Return the files with an address on the old site, each with its new name if it is copied."""
        names = {path: name for name, path in self.copied.items()}
        shown = ((address, path) for address, path in self.site.files.items() if self.site.served)
        return sorted(
            (address, names.get(path, "")) for address, path in shown if path.suffix.lower() not in _THEME
        )

    def _similar(self, address: str) -> Path | None:
        """Return the only file whose path ends as an address does: a section may not know its site."""
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
_STRAY = re.compile(r"(?<![\w*])\*{2,}(?=\w)|(?<=[\w.,;)])\*{2,}(?![\w*])|(?<!\S)\*{2,}(?!\S)")
_DASHES = re.compile(r"(?<!-)---?(?!-)")


class ProseWriter:
    """Writes the words of blocks."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        links: LinkResolver,
        finder: ReferenceFinder,
        files: CopiedFiles,
        report: Notes,
    ) -> None:
        self.vocabulary, self.links, self.finder = vocabulary, links, finder
        self.files, self.report = files, report
        self.joined: dict[JoinedWord, None] = {}
        self.unlinked: list[tuple[SourcePage, int, str]] = []

    def prose(
        self, blocks: Sequence[SourceBlock], chapter: str = "", up: str = "../", *, as_page: bool = False
    ) -> str:
        """Return blocks as paragraphs and lists. `up`: path to the folder of the edition."""
        parts: list[str] = []
        before: SourceBlock | None = None
        depths: list[int] = []
        for block in blocks:
            is_item = block.kind == "item"
            words = self.words(block.page, block.runs, chapter, up, code=as_page)
            if block.kind == "code":
                words = f"```\n{block.text}\n```" if as_page else words
            if not words and not (is_item and block.marker != "-"):
                continue
            continues = (
                before is not None and before.kind == "item" and block.kind == "paragraph" and block.depth
            )
            if continues:
                parts.append(f" {words}")
                continue
            if is_item:
                while depths and depths[-1] > block.depth:
                    depths.pop()
                depths += [block.depth] if not depths or depths[-1] < block.depth else []
            else:
                depths = []
            bullet = "- " if block.marker in ("-", "") else f"{block.marker.rstrip('.)')}. "
            if block.kind == "heading" and not as_page:
                bold = [replace(run, strong=True, emphasis=False) for run in block.runs]
                words = self.words(block.page, bold, chapter, up)
            if parts:
                new_list = before and len(depths) == 1 and (before.marker == "-") != (block.marker == "-")
                starts = (
                    len(depths) == 1
                    and block.marker in ("1.", "1)")
                    and before
                    and before.depth == block.depth
                )
                tight = (
                    is_item and before is not None and before.kind == "item" and not new_list and not starts
                )
                parts.append("\n" if tight else "\n\n")
            if is_item:
                indent = ("    " if as_page else "  ") * (len(depths) - 1)
                parts.append(f"{indent}{bullet}{words}")
            else:  # what looks like an item and is none
                parts.append(f"–{words[1:]}" if words.startswith("- ") else words)
            before = block
        return "".join(parts)

    def inline(self, page: SourcePage, runs: Sequence[Run], chapter: str = "") -> str:
        """Return words in one line without emphasis and pictures."""
        bare = [replace(r, strong=False, emphasis=False, colour="") for r in runs if not r.picture]
        return self.words(page, bare, chapter)

    def words(
        self, page: SourcePage, runs: Sequence[Run], chapter: str = "", up: str = "../", *, code: bool = False
    ) -> str:
        """Return words in one line, with emphasis, references and pictures."""
        found = _whole_links(runs)
        line = found[0].line if found else 0
        joined: list[JoinedWord] = []
        found = [
            replace(run, text=re.sub(r"[ \t]*\n[ \t]*", " ", self.vocabulary.join(run, page, joined)))
            if not run.picture
            else run
            for run in found
        ]
        self.joined.update(dict.fromkeys(joined))
        found = self._without_strays(page, found)
        texts = [
            self._picture(page, run, up) if run.picture else self._linked(page, run, words, code=code)
            for run, words in zip(found, _escaped_runs(found), strict=True)
        ]
        text, spans = _assemble(found, texts)
        for at in self._unfound(page, line, text, spans, chapter):
            link = found[at].link
            if link and self.links.judge(page, found[at], link).verdict == LinkVerdict.WORDS:
                continue  # it leads to a note at the foot of a page
            cited = texts[at].strip()
            number = None if self.links.book.scheme.parse_number(cited) else self.links.parse(cited)
            texts[at] = texts[at].replace(cited, f"[[{f'{number.key}|{cited}' if number else cited}]]")
        text, _ = _assemble(found, texts)
        if "*" in text:
            bare = [replace(run, strong=False, emphasis=False, colour="") for run in found]
            unstressed, _ = _assemble(bare, texts)
            if plain_text(text) != plain_text(unstressed):
                self.report.guess(page, line, "emphasis inside of a word is left out")
                return unstressed
        return text

    def _picture(self, page: SourcePage, run: Run, up: str) -> str:
        """Return a picture; the name of its file describes it if its author did not."""
        picture, words = run.picture, run.text
        assert picture
        if picture.is_table:
            return f"![{_SIGNS.sub(_escape, words)}]({up}{picture.address})"
        name, _ = self.files.copy_name(page, picture.address, run.line)
        self.files.picture_count += 1
        if not words and not picture.caption:
            stem = posixpath.splitext(posixpath.basename(name))[0]
            words = " ".join(re.split(r"[\W_]+", stem)).strip()
            self.report.added.append(words)
        caption = picture.caption.replace('"', "”")
        below = f' "{_ESCAPED.sub(_escape, caption)}"' if caption else ""
        size = f"{{{picture.size}}}" if picture.size else ""
        return f"![{_SIGNS.sub(_escape, words)}]({up}{name}{below}){size}"

    def _linked(self, page: SourcePage, run: Run, words: str, *, code: bool) -> str:
        if code and run.code:
            return f"`{run.text}`"
        if not run.link:
            return _SPACES.sub(" ", words)
        judged = self.links.judge(page, run, run.link)
        becomes = judged.becomes
        if code:
            becomes = self.page_link(page, run, judged.becomes, judged.verdict)
        elif judged.verdict == LinkVerdict.OUTSIDE and becomes != judged.text:
            self.report.added.append(becomes.removeprefix(judged.text))
        is_mark = code or (becomes.startswith("[[") and becomes != judged.text)
        if judged.text and not WORD.search(becomes) and WORD.search(judged.text):
            self.report.leave_out(page, run.line, judged.text, "the words of a link to itself")
        words = becomes if is_mark else _ESCAPED.sub(_escape, becomes)
        before = " " if run.text[:1].isspace() else ""
        return f"{before}{words}{' ' if run.text[-1:].isspace() and run.text.strip() else ''}"

    def page_link(self, page: SourcePage, run: Run, becomes: str, verdict: LinkVerdict) -> str:
        """Return a link of a page without rules; `UnnumberedPages` knows the names of the others."""
        return becomes

    def _unfound(
        self, page: SourcePage, line: int, text: str, spans: Sequence[tuple[int, int, int]], chapter: str
    ) -> Iterator[int]:
        """Yield the links that would not be found as references; note the references without a link."""
        if not any(map(str.isdigit, text)):
            return
        found = [match for match in self.finder.find(text, chapter) if match.number or match.mark_span]
        claimed: set[int] = set()
        for start, end, at in spans:
            inside = [match for match in found if start <= match.start and match.end <= end]
            claimed.update(match.start for match in inside)
            number = self.links.parse(text[start:end])
            if number and not any(m.number == number and m.cue is not CueStrength.NEVER for m in inside):
                yield at
        for match in found:
            is_cited = (
                match.cue is not CueStrength.NEVER and not match.mark_span and match.start not in claimed
            )
            if is_cited and match.number and self.links.is_known(match.number):
                self.unlinked.append((page, line, match.number.key))

    def _without_strays(self, page: SourcePage, runs: list[Run]) -> list[Run]:
        """Return runs with dashes, and without stars that have no partner."""
        made: list[Run] = []
        for index, run in enumerate(runs):
            if run.picture or run.code:
                made.append(run)
                continue
            text = dashed = _DASHES.sub(lambda match: "–" if len(match.group()) == 2 else "—", run.text)
            if "*" in text and not run.link:
                before = runs[index - 1] if index else None
                following = runs[index + 1] if index + 1 < len(runs) else None
                text = _STRAY.sub("", text)
                if following and (following.strong or following.emphasis):
                    text = text.rstrip("*")
                if before and (before.strong or before.emphasis):
                    text = text.lstrip("*")
                if text != dashed:
                    around = "".join(one.text for one in (before, following) if one)
                    near = dashed if dashed.strip(" *") else around
                    start = max(near.find("*"), 0)
                    near = " ".join(near[max(0, start - 15) : start + 20].split())
                    self.report.guess(
                        page, run.line, f"the stars at “{near}” have no partner and are left out"
                    )
            made.append(run if text == run.text else replace(run, text=text))
        return [run for run in made if run.text or run.picture]


def _escape(match: re.Match[str]) -> str:
    return f"\\{match.group()}"


def _whole_links(runs: Sequence[Run]) -> list[Run]:
    """Return runs in which each link is one, and colour is emphasis."""
    made: list[Run] = []
    for run in runs:
        if run.colour:
            run = replace(run, strong=run.strong or not run.emphasis, colour="")
        if made and run.link and made[-1].link == run.link:
            last = made[-1]
            strong, emphasis = last.strong and run.strong, last.emphasis and run.emphasis
            made[-1] = replace(last, text=last.text + run.text, strong=strong, emphasis=emphasis)
        else:
            made.append(run)
    return made


def _escaped_runs(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the words of runs with escapes before signs, also before those that several runs share."""
    whole = "".join(run.text for run in runs)
    spots, at = {match.start() for match in _ESCAPED.finditer(whole)}, 0
    for run in runs:
        yield "".join(f"\\{sign}" if index in spots else sign for index, sign in enumerate(run.text, at))
        at += len(run.text)


def _assemble(runs: Sequence[Run], texts: Sequence[str]) -> tuple[str, list[tuple[int, int, int]]]:
    """Return the words of runs with stars around emphasis, and the span of each link with its index."""
    text, opened = "", ""
    spans: list[tuple[int, int, int]] = []
    for at, (run, words) in enumerate(zip(runs, texts, strict=True)):
        sign, bare = "*" * (2 * run.strong + run.emphasis), words.strip()
        if not bare:
            text += words
            continue
        lead, tail = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
        if sign != opened:
            text = _close(text, opened) + lead + sign
        else:
            text += lead
        opened, start = sign, len(text)
        text += bare
        if run.link:
            spans.append((start, len(text), at))
        text += tail
    text = _close(text, opened)
    whole = text.strip() if "```" in text else _SPACES.sub(" ", text)
    if whole != text or text != text.strip():
        gap = len(whole) - len(whole.lstrip())
        spans = [
            (len(_SPACES.sub(" ", text[:s])) - gap, len(_SPACES.sub(" ", text[:e])) - gap, at)
            for s, e, at in spans
        ]
    return whole.strip(), spans


def _close(text: str, sign: str) -> str:
    """Return a text whose emphasis ends before the white space at its end."""
    bare = text.rstrip()
    return f"{bare}{sign}{text[len(bare) :]}" if sign else text


_NOT_WORDS = {
    "kind",
    "file",
    "id",
    "repeats",
    "phasing",
    "by",
    "activity",
    "shows",
    "optional",
    "ends",
    "decides",
}


def written_words(value: Value) -> Iterator[str]:
    """Yield the words of a content file: numbers and titles of rules, and the texts of the book."""
    if isinstance(value, CommentedValue | InlineCollection):
        yield from written_words(value.value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "rows" and isinstance(inner, list):  # whose keys are heads of columns
                rows = (row.value if isinstance(row, InlineCollection) else row for row in inner)
                cells = (cell for row in rows if isinstance(row, Mapping) for cell in row.values())
                yield from (word for cell in cells for word in written_words(cell))
            elif key not in _NOT_WORDS:
                if isinstance(key, QuotedString):  # number and title of a rule
                    yield from (word for part in key.split(" ", 1) for word in written_words(part))
                yield from written_words(inner)
    elif isinstance(value, str):
        is_marked = isinstance(value, ParagraphText) or any(sign in value for sign in ("*", "[[", "!["))
        yield from WORD.findall(plain_text(value) if is_marked else value)
    else:
        for inner in value:
            yield from written_words(inner)


Emphasized = Runs
