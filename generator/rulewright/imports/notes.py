"""Notes of rules: which blocks are one, of which kind, as their first words say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulewright.imports.blocks import Admonition, Notes, SourceBlock, after, plain
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
_QUOTES = ("", "quote", "blockquote")
_MAX_WORDS = 7


def note_kind(words: str) -> str:
    """Return the kind of note that words name: `Design Note` is a design note, `Supply` is none."""
    kinds = [_KINDS.get(word, "") for word in re.split(r"[\s-]+", words.lower().replace("’", "'"))]
    return min(filter(None, kinds), key=_RANKS.index, default="")


def _lead(block: SourceBlock) -> tuple[str, str, int]:
    """Return the kind of note that a paragraph is, the words that name it, and where its text begins: at 0 if
    these words say more than the kind.

    The words are set off in bold or italics, unless they are only `Example:`, `Note:` and the like.
    """
    match = _LEAD.match(block.text) if block.kind == "paragraph" else None
    first = next((run for run in block.runs if run.text.strip(" \n*_(")), None)
    if not match or first is None:
        return "", "", 0
    words, following = " ".join(match["words"].split()), block.text[match.end("words") :].lstrip()[:1]
    names_only = bool(_PLAIN.fullmatch(words) or _NUMBERED.fullmatch(words))
    is_set_off = first.strong or first.emphasis or (names_only and following == ":")
    is_lead = is_set_off and words.count(" ") < _MAX_WORDS and (names_only or following != ".")
    return note_kind(words) if is_lead else "", words, match.end() if names_only else 0


def _is_italic(block: SourceBlock) -> bool:
    """Return whether a paragraph is in italics except for a word or two."""
    italic = sum(len(run.text.strip()) for run in block.runs if run.emphasis)
    return 0 < sum(len(run.text.strip()) for run in block.runs) <= italic / 0.7


@dataclass(slots=True)
class _OpenNote:
    """A note that the next block may continue: the same note of the source, or its text goes on.

    Text goes on with pictures, in italics if it is in italics, and with a list that it announces.
    """

    note: Note
    admonition: Admonition | None
    is_italic: bool = False
    has_list: bool = False

    def continues(self, block: SourceBlock, inside: Admonition | None) -> bool:
        if inside or self.admonition:
            return inside == self.admonition
        if block.kind == "item" or block.depth:
            return self.has_list or self.is_italic
        is_picture = block.kind == "paragraph" and not plain(block.runs)
        return is_picture or (self.is_italic and _is_italic(block))

    def add(self, block: SourceBlock) -> None:
        """Add a block, with what is upright in italics, and what is in italics upright."""
        if self.is_italic:
            block = replace(
                block,
                runs=tuple(replace(run, emphasis=not (run.emphasis or run.picture)) for run in block.runs),
            )
        self.note.blocks.append(block)


def split_notes(blocks: Sequence[SourceBlock], report: Notes) -> tuple[list[SourceBlock], list[Note]]:
    """Return the blocks of a rule's text, and its notes."""
    text: list[SourceBlock] = []
    notes: list[Note] = []
    opened: _OpenNote | None = None
    for source_block in blocks:
        block = _as_aside(source_block, report)
        inside, block = block.admonition, replace(block, admonition=None)
        lead, words, end = _lead(block)
        if lead:
            is_italic = not inside and _is_italic(block)
            if end:
                report.leave_out(block, words, f"kind: {lead}")
                block = replace(block, runs=after(block.runs, end))
            else:
                message = f"“{words}” is taken for a note of the kind {lead}; its words remain"
                report.guess(block, message)
            has_list = not block.runs or plain(block.runs).endswith(":")
            opened = _OpenNote(Note(lead, []), inside, is_italic, has_list)
            notes.append(opened.note)
        elif not (opened and opened.continues(block, inside)):
            opened = None
            if inside and inside.kind not in _QUOTES:
                opened = _OpenNote(Note(note_kind(inside.kind) or "important", []), inside)
                notes.append(opened.note)
        if opened:
            opened.add(block)
        else:
            text.append(block)
    return text, notes


def _as_aside(block: SourceBlock, report: Notes) -> SourceBlock:
    """Return a table of one cell, or of a word such as Note and one cell, as the note that it is."""
    cells = [cell for row in block.rows for cell in row]
    filled = [cell for cell in cells if plain(cell.runs)]
    if not filled or block.caption:
        return block
    words = plain(filled[0].runs).rstrip(":. ")
    kind = note_kind(words) if len(filled) == 2 and words.count(" ") < 2 else ""
    if not (kind or (len(filled) == 1 and len(cells) < 5)):
        return block
    if kind:
        report.leave_out(block, words, f"kind: {kind}")
    pictures = (run for cell in cells if cell not in filled for run in cell.runs if run.picture)
    runs = (*pictures, *filled[-1].runs)
    return replace(block, kind="paragraph", runs=runs, rows=(), admonition=Admonition(kind or "note"))
