"""Numbers that a rule has by its place: in ordered lists, under headings without numbers, in parts.

As Markdown, Typst, LaTeX and Word show them, the second item of the list below heading 3 is 3.2. A book whose
parts each begin at 1 cites them with the part in front: I.1.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulewright.imports.website.import_report import ImportReport
from rulewright.imports.website.label_tree import NOTE_MARK
from rulewright.imports.website.page_block_types import (
    Block,
    PageHeading,
    PageList,
    PageListItem,
    PageParagraph,
    ParsedPage,
    TextPiece,
    iter_blocks,
    pieces_text,
)

_PRINTED = re.compile(r"\W*(?P<number>\d{1,9}(?:\.\d{1,9})*)(?:\.0)?(?=[.):]?(?:\s|$))")
_PART = re.compile(
    r"\W*(?:part|book|volume|teil|buch|band|partie|livre|parte|libro|deel)\s+"
    r"(?P<label>[IVXLC]+|[A-Z]|\d+)(?=\W|$)",
    re.IGNORECASE,
)
_APPENDIX = re.compile(
    r"\W*(?:appendix|annex|annexe|anhang|anlage|bijlage|apéndice|appendice|allegato)\s+(?P<label>[A-Z])(?=\W|$)",
    re.IGNORECASE,
)
_REVISED = re.compile(
    r"^[^\w\n]*(?:[^\W\d_]+\.?[ \t]+)?(?P<number>[A-Z]?\d+(?:\.\d+)*)(?P<revision>/\d{1,2})(?=[\s.:)]|$)",
    re.MULTILINE,
)
_OF_HUNDRED = re.compile(r"[1-9]\d\d[.)]")
_MOST_DEPTH, _FEW = 8, 3
_ENDS = (".", "!", "?", ":", ")")


@dataclass(frozen=True, slots=True)
class ImpliedNumber:
    """A heading, or an item of an ordered list, with the number that its place gives it."""

    block: PageHeading | PageListItem
    number: str


def implied_numbers(read: ParsedPage) -> Iterator[ImpliedNumber]:
    """The places of a page that have no printed number; a list that begins anew under a heading has none."""
    headings = [block for block in read.blocks if isinstance(block, PageHeading)]
    is_printed = any(_PRINTED.match(pieces_text(heading.pieces)) for heading in headings)
    top = min((heading.level for heading in headings), default=0)
    alone = [heading for heading in headings if heading.level == top]
    title = alone[0] if len(alone) == 1 and len(headings) > 1 else None
    path: list[int] = []
    levels: list[int] = []
    taken: set[str] = set()
    for block in read.blocks:
        if isinstance(block, PageHeading) and block is not title:
            m = _PRINTED.match(pieces_text(block.pieces))
            if m:
                path, levels = [int(part) for part in m["number"].split(".")], []
            elif is_printed:
                continue  # a heading inside of a rule
            else:
                inner = [at for at, level in enumerate(levels) if level < block.level]
                count = path[len(inner)] + 1 if len(inner) < len(path) else 1
                levels = [*(levels[at] for at in inner), block.level]
                path = [*path[: len(inner)], count]
                yield ImpliedNumber(block, ".".join(map(str, path)))
        elif isinstance(block, PageList) and path:
            yield from _in_list(block, path, taken)


def _in_list(block: PageList, path: Sequence[int], taken: set[str]) -> Iterator[ImpliedNumber]:
    for item in block.items:
        sign = item.marker.rstrip(".)")
        if not sign.isdigit() or len(path) > _MOST_DEPTH:
            return
        own = [*path, int(sign)]
        number = ".".join(map(str, own))
        if number in taken:
            return
        taken.add(number)
        yield ImpliedNumber(item, number)
        for inner in item.blocks:
            if isinstance(inner, PageList):
                yield from _in_list(inner, own, taken)


def number_by_place(read: ParsedPage, told: ImportReport) -> None:
    """Write the numbers of places in front of their words."""
    for one in [*implied_numbers(read)]:
        block, line = one.block, one.block.line
        piece = TextPiece(f"{one.number} ", line, bold=True)
        if isinstance(block, PageHeading):
            block.pieces = [replace(piece, bold=False), *block.pieces]
            told.note_changed(read.page, line, "", one.number, "a number by its place")
            continue
        first = block.blocks[0] if block.blocks else None
        if isinstance(first, PageParagraph):
            first.pieces = [piece, *first.pieces]
        else:
            block.blocks.insert(0, PageParagraph([piece], line))
        told.note_changed(read.page, line, block.marker, one.number, "a number by its place")
        block.marker = ""


def number_by_part(read: ParsedPage, told: ImportReport) -> None:
    """Write the part in front of each number of a book whose parts begin anew, and that cites rules so.

    Appendices with letters whose numbers begin anew behind chapters that have them need no citation.
    """
    words = " ".join(pieces_text(run) for run in read.runs())
    found = _under(read, _PART)
    numbers = [{number for _, number in own} for label, own in found.items() if label]
    is_cited = any(
        re.search(rf"(?<![\w.]){label}\.{re.escape(number)}(?!\w)", words)
        for label, own in found.items()
        for _, number in own
        if label
    )
    if len(numbers) >= 2 and is_cited and set.intersection(*numbers[:2]):
        _put_parts(read, found, told)
    found = _under(read, _APPENDIX)
    before = {number for _, number in found.get("", ())}
    if before and all(before & {number for _, number in own} for own in found.values()):
        _put_parts(read, found, told)


def _under(
    read: ParsedPage, part: re.Pattern[str]
) -> dict[str, list[tuple[PageHeading | PageParagraph, str]]]:
    """The numbers that stand out on a page, by the label of the part that they lie in, empty in front."""
    found: dict[str, list[tuple[PageHeading | PageParagraph, str]]] = {}
    heads = {
        at: m["label"]
        for at, block in enumerate(iter_blocks(read.blocks))
        if isinstance(block, PageHeading) and (m := part.match(pieces_text(block.pieces)))
    }
    last = {label: at for at, label in heads.items()}  # a list of contents names it before
    label = ""
    for at, block in enumerate(iter_blocks(read.blocks)):
        if at in heads:
            label = heads[at] if last[heads[at]] == at else label
        elif isinstance(block, PageHeading | PageParagraph) and block.pieces:
            opens = isinstance(block, PageHeading) or block.pieces[0].bold
            opens = opens and not NOTE_MARK.fullmatch(pieces_text(block.pieces))
            if opens and (m := _PRINTED.match(pieces_text(block.pieces))):
                found.setdefault(label, []).append((block, m["number"]))
    return found


def _put_parts(
    read: ParsedPage,
    found: Mapping[str, Sequence[tuple[PageHeading | PageParagraph, str]]],
    told: ImportReport,
) -> None:
    for label, block, number in ((label, *one) for label, own in found.items() if label for one in own):
        piece = block.pieces[0]
        at = piece.text.find(number[:1])
        block.pieces[0] = replace(piece, text=f"{piece.text[:at]}{label}.{piece.text[at:]}")
        told.note_changed(read.page, block.line, "", label, "the part in front of a number")


def leave_out_revisions(read: ParsedPage, told: ImportReport) -> None:
    """Take the revision off labels of which each has one and no number comes twice: Rule 101/4 is 101."""
    found = [
        (block, at, m)
        for block in iter_blocks(read.blocks)
        if isinstance(block, PageHeading | PageParagraph)
        for at, piece in enumerate(block.pieces)
        for m in _REVISED.finditer(piece.text)
        if not piece.picture and _begins_line(piece.text[: m.start()], is_first=at == 0)
        if isinstance(block, PageHeading) or piece.bold or len(m["number"]) > 2
    ]
    if len(found) < _FEW or len({m["number"] for *_, m in found}) < len(found):
        return
    for block, at, m in reversed(found):
        piece = block.pieces[at]
        text = piece.text[: m.start("revision")] + piece.text[m.end("revision") :]
        block.pieces[at] = replace(piece, text=text)
        told.note_changed(
            read.page, block.line, m["revision"], "", "the revision of a rule, behind its number"
        )


def _begins_line(before: str, *, is_first: bool) -> bool:
    """Whether what stands in front of a number in its piece of text ends a line and a sentence."""
    return before.rstrip().endswith(_ENDS) if before.strip() else is_first is not bool(before)


def unlisted(blocks: Sequence[Block]) -> None:
    """Give back to the words what Markdown takes for the number of an item and is a label: 101. Halt."""
    for block in iter_blocks(blocks):
        for item in block.items if isinstance(block, PageList) else ():
            first = item.blocks[0] if item.blocks else None
            if _OF_HUNDRED.fullmatch(item.marker) and isinstance(first, PageParagraph):
                first.pieces = [TextPiece(f"{item.marker} ", item.line), *first.pieces]
                item.marker = ""
