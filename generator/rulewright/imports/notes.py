"""Notes of rules: which blocks are one, of which kind, as their first words say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

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
    r"(?<=\S)\s*\(\s*(?P<word>Exceptions?|Ausnahmen?|Excepción|EXC)\s*:\s*"
    r"(?P<text>(?:[^()]|\([^()]*\))*)\)\.?\s*\Z",
    re.IGNORECASE,
)
_QUOTES = ("", "quote", "blockquote")
_MAX_WORDS = 7


def note_kind(words: str) -> str | None:
    """Return the kind of note that words name: `Design Note` is a design note, `Supply` is none."""
    kinds = [_KINDS.get(word, "") for word in re.split(r"[\s-]+", words.lower().replace("’", "'"))]
    return min(filter(None, kinds), key=_RANKS.index, default=None)


def _names_kind_only(words: str) -> bool:
    return bool(_PLAIN.fullmatch(words) or _NUMBERED.fullmatch(words))


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
    is_set_off = first.strong or first.emphasis or (names_only and following == ":")
    kind = note_kind(words) if is_set_off and words.count(" ") < _MAX_WORDS else None
    return (kind, words, match.end()) if kind and (names_only or following != ".") else None


def _is_italic(runs: Runs) -> bool:
    """Return whether a paragraph is in italics except for a word or two."""
    lengths = [(run.emphasis, len(run.text.strip())) for run in runs if not run.picture]
    total = sum(length for _, length in lengths)
    return bool(total) and sum(length for italic, length in lengths if italic) >= 0.7 * total


def split_notes(blocks: Sequence[SourceBlock], report: Notes) -> tuple[list[SourceBlock], list[Note]]:
    """Return the blocks of a rule's text, and its notes.

    A note of the source holds all its blocks. Another one continues with pictures, in italics if it is in
    italics, and with a list that it announces.
    """
    text: list[SourceBlock] = []
    notes: list[Note] = []
    note: list[SourceBlock] | None = None  # the blocks of the note that may continue
    admonition: Admonition | None = None
    is_italic = has_list = False
    for source_block in blocks:
        block = _as_aside(source_block, report)
        inside = block.admonition
        continues = inside == admonition
        if not inside and not admonition:
            is_list = block.kind == "item" or (block.kind == "paragraph" and block.depth)
            is_picture = block.kind == "paragraph" and block.runs and not plain(block.runs)
            in_italics = is_italic and block.kind == "paragraph" and _is_italic(block.runs)
            continues = bool(is_picture or in_italics or (is_list and (has_list or is_italic)))
        kind = note_kind(inside.kind) or "important" if inside and inside.kind not in _QUOTES else ""
        admonition, block = inside, replace(block, admonition=None)
        if lead := _lead(block):
            kind, words, end = lead
            is_italic = not inside and _is_italic(block.runs)
            if _names_kind_only(words):
                report.leave_out(block.page, block.line, words, f"kind: {kind}")
                block = replace(block, runs=after(block.runs, end))
            else:
                message = f"“{words}” is taken for a note of the kind {kind}; its words are kept"
                report.guess(block.page, block.line, message)
            has_list = not block.runs or plain(block.runs).endswith(":")
            note = [_upright(block)] if is_italic else [block] if block.runs else []
            notes.append(Note(kind, note))
        elif note is not None and continues:
            note.append(_upright(block) if is_italic else block)
        elif kind:
            note, is_italic, has_list = [block], False, False
            notes.append(Note(kind, note))
        else:
            note = None
            text.append(block)
    return text, notes


def _upright(block: SourceBlock) -> SourceBlock:
    """Return a paragraph in italics with what was upright in it in italics."""
    runs: list[Run] = []
    for run in block.runs:
        runs.append(replace(run, emphasis=not run.emphasis and run.text.strip().isalpha()))  # noqa: PERF401
    return replace(block, runs=tuple(runs))


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
    match = _EXCEPTION.search(last.text) if last and last.kind == "paragraph" else None
    if not last or not match or any(block.kind == "heading" for block in blocks):
        return None
    text, _ = cut(last.runs, match.end("text"))
    before, _ = cut(text, match.start())
    runs = after(text, match.start("text"))
    blocks[-1] = replace(last, runs=strip(before))
    report.leave_out(last.page, last.line, match["word"], "kind: exception")
    line = runs[0].line if runs else last.line
    return Note("exception", [replace(last, runs=runs, line=line, ids=())])
