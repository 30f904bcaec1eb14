"""Notes of rules: which blocks are one, of which kind, as their first words say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, groupby

from rulewright.imports.blocks import Admonition, Notes, Run, Runs, SourceBlock, after, cut, plain, strip
from rulewright.imports.book import Note

_WORDS = {
    "example": "example examples beispiel beispiele exemple exemples ejemplo esempio voorbeeld ex",
    "exception": "exception exceptions ausnahme ausnahmen excepción eccezione uitzondering exc",
    "design": "design designer designers designer's historical history historisch historischer konzept",
    "play": "play player players player's playing hint hints tip tips tipp spiel spieltipp strategy tactics",
    "important": "note notes important warning caution clarification hinweis hinweise anmerkung "
    "anmerkungen wichtig achtung remark remarks remarque nota info attention danger erratum",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_RANKS = list(_WORDS)
_PLAIN = re.compile(
    r"(?:design(?:er)?(?:['’]?s)?|play(?:er)?(?:['’]?s)?|important)[ -]notes?|notes?|important|examples?|"
    r"exceptions?|beispiele?|ausnahmen?|hinweise?|anmerkung(?:en)?|wichtig|ex|exc",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(examples?|beispiel|exemple)\s+(?:\d{1,2}|[A-Z])", re.IGNORECASE)
_LEAD = re.compile(r"[\s*_(“\"]*(?P<words>[^\W\d_][\w'’ -]{0,60}?)\s*[:.](?P<rest>[\s*_]*)")
_EXCEPTION = re.compile(
    r"(?P<open>\()\s*(?P<word>Exceptions?|Ausnahmen?|Excepción|EXC)\s*:\s*", re.IGNORECASE
)
_MAX_WORDS = 7


def note_kind(words: str) -> str | None:
    """Return the kind of note that words name: `Design Note` is a design note, `Supply` is none."""
    kinds = [_KINDS.get(word, "") for word in re.split(r"[\s-]+", words.lower().replace("’", "'"))]
    return min(filter(None, kinds), key=_RANKS.index, default=None)


def _names_kind_only(words: str) -> bool:
    return bool(_PLAIN.fullmatch(words.strip()) or _NUMBERED.fullmatch(words.strip()))


def _lead(block: SourceBlock) -> tuple[str, str, int] | None:
    """Return the kind of note that a paragraph is, the words that name it, and where its text begins.

    The words are set off in bold or italics, unless they are only `Example:`, `Note:` and the like.
    """
    match = _LEAD.match(block.text) if block.kind == "paragraph" else None
    first = next((run for run in block.runs if not run.picture and run.text.strip(" \n*_(")), None)
    if not match or first is None:
        return None
    words, following = " ".join(match["words"].split()), block.text[match.end("words") :].lstrip()[:1]
    names_only = _names_kind_only(words)
    if not (first.strong or first.emphasis) and not (names_only and following == ":"):
        return None
    kind = note_kind(words) if words.count(" ") < _MAX_WORDS else None
    return None if kind is None or (following == "." and not names_only) else (kind, words, match.end())


def _is_italic(runs: Runs) -> bool:
    """Return whether a paragraph is in italics except for a word or two."""
    lengths = [(run.emphasis, len(run.text.strip())) for run in runs if not run.picture]
    total = sum(length for _, length in lengths)
    return bool(total) and sum(length for italic, length in lengths if italic) >= 0.7 * total


def split_notes(blocks: Sequence[SourceBlock], report: Notes) -> tuple[list[SourceBlock], list[Note]]:
    """Return the blocks of a rule's text, and its notes."""
    splitter = _NoteSplitter(report)
    asides = (_as_aside(block, report) for block in blocks)
    for admonition, group in groupby(asides, key=lambda block: block.admonition):
        splitter.add_group(admonition, [replace(block, admonition=None) for block in group])
    return splitter.text, splitter.notes


class _NoteSplitter:
    """Splits blocks into text and notes. `is_open`: the last note may continue; `waits`: its text follows."""

    def __init__(self, report: Notes) -> None:
        self.report = report
        self.text: list[SourceBlock] = []
        self.notes: list[Note] = []
        self.is_open = self.waits = self.is_italic = False

    def add_group(self, admonition: Admonition | None, blocks: Sequence[SourceBlock]) -> None:
        """Add blocks that are a note of the source, or are outside of notes."""
        kind = note_kind(admonition.kind) or "important" if admonition and admonition.kind else ""
        is_note = kind and admonition and admonition.kind not in ("quote", "blockquote")
        if admonition and (is_note or _lead(blocks[0])):
            if lead := _lead(blocks[0]):
                self.begin(blocks[0], lead)
                blocks = blocks[1:]
            else:
                self.notes.append(Note(kind, []))
            for block in blocks:
                self.continue_note(block)
            self.is_open = False
            return
        for block in blocks:
            self.add(block)

    def add(self, block: SourceBlock) -> None:
        """Add a block outside of a marked note: to the open note, or to the text."""
        is_paragraph = block.kind == "paragraph"
        is_picture = is_paragraph and block.runs and not plain(block.runs)
        is_list = block.kind == "item" or (is_paragraph and block.depth)
        if not (self.is_open and is_picture) and (lead := _lead(block)):
            self.begin(block, lead)
        elif self.is_open and is_picture:
            self.continue_note(block)
        elif self.is_open and self.is_italic and is_paragraph and _is_italic(block.runs):
            self.continue_note(self.upright(block))
        elif self.is_open and (self.waits or self.is_italic) and is_list:
            self.continue_note(block)
        else:
            self.is_open = False
            self.text.append(block)

    def begin(self, block: SourceBlock, lead: tuple[str, str, int]) -> None:
        """Begin a note with a paragraph whose first words name its kind."""
        kind, words, end = lead
        self.is_italic = _is_italic(block.runs)
        if _names_kind_only(words):
            self.report.leave_out(block.page, block.line, words, f"kind: {kind}")
            block = replace(block, runs=after(block.runs, end))
        else:
            message = f"“{words}” is taken for a note of the kind {kind}; its words are kept"
            self.report.guess(block.page, block.line, message)
        self.notes.append(Note(kind, []))
        self.is_open, self.waits = True, not block.runs or plain(block.runs).endswith(":")
        if block.runs:
            self.continue_note(self.upright(block))

    def upright(self, block: SourceBlock) -> SourceBlock:
        """Return a paragraph of a note; in italics, what was upright in it is in italics now."""
        runs: list[Run] = []
        for run in block.runs:
            emphasis = not run.emphasis and run.text.strip().isalpha() if self.is_italic else run.emphasis
            runs.append(replace(run, emphasis=emphasis))
        return replace(block, runs=tuple(runs), marker="", depth=0)

    def continue_note(self, block: SourceBlock) -> None:
        last = self.notes[-1]
        self.notes[-1] = replace(last, blocks=[*last.blocks, block])


def _as_aside(block: SourceBlock, report: Notes) -> SourceBlock:
    """Return a table of one cell, or of a word such as Note and one cell, as the note that it is."""
    cells = [cell for row in block.rows for cell in row]
    filled = [cell for cell in cells if plain(cell.runs)]
    if not filled or block.caption:
        return block
    words = plain(filled[0].runs).rstrip(":. ")
    kind = note_kind(words) if len(filled) == 2 and words.count(" ") < 2 else None
    if not (kind or (len(filled) == 1 and len(cells) < 5)):
        return block
    icons = " ".join(run.text for cell in cells if cell not in filled for run in cell.runs)
    reason = f"kind: {kind or 'important'}"
    report.leave_out(block.page, block.line, f"{icons} {words if kind else ''}", reason)
    admonition = Admonition(-id(block), kind or "note")
    return replace(block, kind="paragraph", runs=filled[-1].runs, rows=(), admonition=admonition)


def split_exception(blocks: list[SourceBlock], report: Notes) -> Note | None:
    """Return the exception in parentheses that ends a rule's text as a note, and take it from the text."""
    last = blocks[-1] if blocks else None
    if last is None or last.kind != "paragraph" or any(block.kind == "heading" for block in blocks):
        return None
    text = last.text.rstrip()
    for match in _EXCEPTION.finditer(text):
        start = match.start("open")
        depths = [*accumulate((sign == "(") - (sign == ")") for sign in text[start:])]
        closing = len(text) - start - (2 if text.endswith(").") else 1)
        if start and text.endswith((")", ").")) and 0 not in depths[:closing]:
            before, inside = cut(last.runs, start)
            runs = after(cut(inside, closing)[0], match.end() - start)
            blocks[-1:] = [replace(last, runs=strip(before))] if strip(before) else []
            report.leave_out(last.page, last.line, match["word"], "kind: exception")
            line = runs[0].line if runs else last.line
            return Note("exception", [replace(last, runs=runs, line=line, ids=())])
    return None
