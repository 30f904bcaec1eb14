"""Notes of rules: which blocks are one, of which kind, as their first words say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, groupby

from rulewright.imports.blocks import Admonition, Notes, Runs, SourceBlock, after, cut, plain, raw_text, strip
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
_MOST_WORDS = 7


def note_kind(words: str) -> str | None:
    """Return the kind of note that words name: `Design Note` is a design note, `Supply` is none."""
    found = [_KINDS[word] for word in re.split(r"[\s-]+", words.lower().replace("’", "'")) if word in _KINDS]
    return min(found, key=_RANKS.index) if found else None


def _names_kind_only(words: str) -> bool:
    return bool(_PLAIN.fullmatch(words.strip()) or _NUMBERED.fullmatch(words.strip()))


def _lead(runs: Runs) -> tuple[str, str, int] | None:
    """Return the kind of note that a paragraph is, the words that say so, and where its text begins.

    The words are set off in bold or italics, unless they are nothing but `Example:`, `Note:` and the like.
    """
    text = raw_text(runs)
    match = _LEAD.match(text)
    first = next((run for run in runs if not run.picture and run.text.strip(" \n*_(")), None)
    if not match or first is None:
        return None
    words, following = " ".join(match["words"].split()), text[match.end("words") :].lstrip()[:1]
    names_only = _names_kind_only(words)
    if not (first.strong or first.emphasis) and not (names_only and following == ":"):
        return None
    kind = note_kind(words) if words.count(" ") < _MOST_WORDS else None
    return None if kind is None or (following == "." and not names_only) else (kind, words, match.end())


def _is_italic(runs: Runs) -> bool:
    """Return whether a paragraph is in italics but for a word or two."""
    lengths = [(run.emphasis, len(run.text.strip())) for run in runs if not run.picture]
    total = sum(length for _, length in lengths)
    return bool(total) and sum(length for italic, length in lengths if italic) >= 0.7 * total


def split_notes(blocks: Sequence[SourceBlock], report: Notes) -> tuple[list[SourceBlock], list[Note]]:
    """Return the blocks of a rule's text, and its notes."""
    text: list[SourceBlock] = []
    notes: list[Note] = []
    is_open = waits = is_italic = False

    def begin(kind: str) -> None:
        notes.append(Note(kind, ()))

    def add(block: SourceBlock) -> None:
        notes[-1] = replace(notes[-1], blocks=(*notes[-1].blocks, block))

    def take(block: SourceBlock, lead: tuple[str, str, int] | None) -> None:
        nonlocal is_open, waits, is_italic
        runs, is_italic = block.runs, _is_italic(block.runs)
        if lead:
            kind, words, end = lead
            if _names_kind_only(words):
                report.leave_out(block.page, block.line, words, f"kind: {kind}")
                runs = after(runs, end)
            else:
                message = f"“{words}” is taken for a note of the kind {kind}; its words are kept"
                report.guess(block.page, block.line, message)
            begin(kind)
        is_open, waits = True, not runs or plain(runs).endswith(":")
        if is_italic:  # what was upright in it is in italics now
            runs = tuple(
                replace(run, emphasis=not run.emphasis and run.text.strip().isalpha()) for run in runs
            )
        if runs:
            add(replace(block, kind="paragraph", runs=runs, marker="", depth=0))

    grouped = groupby((_as_aside(block, report) for block in blocks), key=lambda block: block.admonition)
    for admonition, group in grouped:
        own = list(group)
        if admonition is not None:
            lead = _lead(own[0].runs) if own[0].kind == "paragraph" else None
            named = note_kind(admonition.kind) or ("important" if admonition.kind else None)
            if lead or (named and admonition.kind not in ("quote", "blockquote")):
                if lead:
                    take(own[0], lead)
                else:
                    begin(named or "important")
                for block in own[1 if lead else 0 :]:
                    add(replace(block, admonition=None))
                is_open = waits = is_italic = False
                continue
        for block in own:
            block = replace(block, admonition=None)
            is_paragraph = block.kind == "paragraph"
            if is_open and is_paragraph and block.runs and not plain(block.runs):
                add(block)  # a picture alone
            elif is_paragraph and (lead := _lead(block.runs)):
                take(block, lead)
            elif is_open and is_italic and is_paragraph and _is_italic(block.runs):
                take(block, None)
            elif (
                is_open and (waits or is_italic) and (block.kind == "item" or (is_paragraph and block.depth))
            ):
                add(block)
            else:
                is_open = waits = is_italic = False
                text.append(block)
    return text, notes


def _as_aside(block: SourceBlock, report: Notes) -> SourceBlock:
    """Return a table of one cell, or of a word such as Note and one cell, as the note that it is."""
    if block.kind != "table" or block.caption:
        return block
    cells = [cell for row in block.rows for cell in row]
    filled = [cell for cell in cells if plain(cell.runs)]
    words = plain(filled[0].runs).rstrip(":. ") if filled else ""
    kind = note_kind(words) if len(filled) == 2 and words.count(" ") < 2 else None
    if not (kind or (len(filled) == 1 and len(cells) < 5)):
        return block
    icons = " ".join(run.text for cell in cells if cell not in filled for run in cell.runs)
    report.leave_out(
        block.page, block.line, f"{icons} {words if kind else ''}", f"kind: {kind or 'important'}"
    )
    admonition = Admonition(-id(block), kind or "note")
    return replace(block, kind="paragraph", runs=filled[-1].runs, rows=(), admonition=admonition)


def split_exception(blocks: list[SourceBlock], report: Notes) -> Note | None:
    """Return the exception in parentheses that ends a rule's text as a note, and take it from the text."""
    if len(blocks) == 0 or blocks[-1].kind != "paragraph" or any(b.kind == "heading" for b in blocks):
        return None
    last = blocks[-1]
    text = last.text.rstrip()
    for match in _EXCEPTION.finditer(text):
        start = match.start("open")
        depths = [*accumulate((sign == "(") - (sign == ")") for sign in text[start:])]
        closing = len(text) - start - (2 if text.endswith(").") else 1)
        if start and text.endswith((")", ").")) and 0 not in depths[:closing]:
            before, inside = cut(last.runs, start)
            inner = after(cut(inside, closing)[0], match.end() - start)
            blocks[-1] = replace(last, runs=strip(before))
            report.leave_out(last.page, last.line, match["word"], "kind: exception")
            line = inner[0].line if inner else last.line
            return Note("exception", (replace(last, runs=inner, line=line, ids=()),))
    return None
