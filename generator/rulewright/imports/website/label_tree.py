"""Which of the label-like beginnings of a book's lines are labels: those that form its tree.

Labels of a book come once and in order, and their depths nest; what else begins with a number is a line of a
list of contents, a step that is counted anew, a roll, an amount. A list of contents is the same tree earlier,
without text. Headings and bold beginnings are labels unless a rule has their number already; any others only
where they go on with the tree.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from rulewright.imports.website.import_report import ImportReport
from rulewright.imports.website.page_block_types import (
    Admonition,
    Block,
    PageHeading,
    PageList,
    PageListItem,
    PageParagraph,
    ParsedPage,
    TextPiece,
    iter_blocks,
    pieces_text,
    strip_pieces,
)
from rulewright.imports.website.rule_tree import OpeningLabel, parse_opening_label
from rulewright.numbering.numbering_scheme import NumberingScheme

_LEADER = re.compile(r"(?:(?:\s*[.·…_–—-]){3,}\s*|\t\s*|\s{2,}|\s+)(?:\d{1,4}|[ivxl]+)?\s*$")
NOTE_MARK = re.compile(r"\W*\(\d+\)\s*")
"""A heading that is no more than the sign of a note."""
_FILLED = re.compile(r"(?:\s*[.·…_–—-]){3,}\s*\w*\s*$|(?:\t|\s{3,})\d{1,4}\s*$")
CONTENTS_TITLE = re.compile(
    r"(?:table of )?contents:?|(?:the )?list of rules|index|inhalt(?:sverzeichnis)?|sommaire|"
    r"table des matières|índice|indice|toc",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?;:)\]”\"']\s*$")
_SUFFIXED = re.compile(r"(\w+(?:[.-]\w+)*?)(\++|\*+|'+|bis|ter|quater)")
_LETTERS = re.compile(r"\W+")
_HEADING, _BOLD, _PLAIN = 6, 5, 2
CITED = "it names a rule that is there already"
CONTENTS = "it is a line of a list of contents, which is left out"
TAKEN = "a rule before has the number already"
NOT_NEXT = "no number before leads up to it"
_MOSTLY = 0.8
_LONG_LINE = 120
_FEW_LINES = 5
_FROM_HERE, _NEAR = 20, 9
"""How many labels show how a book counts, and how far two that stand beside each other may lie apart."""
_SOON = 3
"""Among how many labels behind a chapter's one of its rules stands at least."""
_MOST_BETWEEN = 60
"""How many letters stand between two lines of a list of contents at most, on the average."""


@dataclass(slots=True, eq=False)
class LabelCandidate:
    """A line that opens with what reads as a label.

    `offset`: where in its block; `weight`: how it stands out.

    `text`: words of its own follow; `blocks_between`: what stands between the label before and it;
    `rejection`: why it is no label, once that is settled.
    """

    read: ParsedPage
    block: PageHeading | PageParagraph
    offset: int
    words: str
    line: int
    label: OpeningLabel
    weight: int
    is_link: bool
    text: bool = False
    blocks_between: Sequence[Block] = ()
    rejection: str = ""

    @property
    def order(self) -> tuple[float, ...]:
        return self.label.number.order

    @property
    def length(self) -> int:
        return sum(len(_words(block)) for block in self.blocks_between)

    @property
    def title(self) -> str:
        return _squashed(_without_leader(self.words[self.label.end :]))


def choose_labels(
    pages: Sequence[ParsedPage], dialect: NumberingScheme, told: ImportReport, titles: Sequence[Block | None]
) -> set[int]:
    """Settle for each block whether it opens a rule, and leave lists of contents out, which is told.

    `titles`: headings whose numbers are none. Where there are examples of the dialect whose labels are hardly
    ever part of the tree, these are given back, and nothing is settled.
    """
    folders: dict[str, list[LabelCandidate]] = defaultdict(list)
    for read in pages:
        own = (
            candidate
            for candidate in _openings(read, dialect)
            if not any(candidate.block is title for title in titles)
        )
        folders[posixpath.dirname(read.page.file.name)] += own
    of_shape, in_tree = Counter[int](), Counter[int]()
    for folder in folders.values():
        tree = _settled(folder)
        weighed = {
            (candidate.label.number.shape, candidate.order)
            for candidate in folder
            if candidate.rejection != CONTENTS and candidate.weight
        }
        of_shape.update(shape for shape, _ in weighed)
        in_tree.update(candidate.label.number.shape for candidate in tree)
    alien = {shape for shape, count in of_shape.items() if in_tree[shape] * 2 <= count}
    if not alien or len(alien) == len(dialect.shapes):
        for read in pages:
            mine = [candidate for found in folders.values() for candidate in found if candidate.read is read]
            _apply(read, mine, told)
        return set()
    return alien


def score_scheme(pages: Sequence[ParsedPage], dialect: NumberingScheme) -> int:
    """How many labels of the pages form a tree in a dialect, each counted by how it stands out."""
    return sum(
        not candidate.rejection
        for candidate in _settled([candidate for read in pages for candidate in _openings(read, dialect)])
    )


def _settled(found: Sequence[LabelCandidate]) -> list[LabelCandidate]:
    """The openings that form the tree, once it is settled of each whether it is a label."""
    _mark_contents(found)
    weighed = [candidate for candidate in found if not candidate.rejection and candidate.weight]
    tree = _tree(weighed)
    _settle(weighed, tree)
    return tree


def label_candidates(pages: Sequence[ParsedPage]) -> Iterator[tuple[str, bool]]:
    """List headings and lines in order, each with whether it is a heading; any may begin with a label."""
    for read in pages:
        yield read.page.title, True
        for block in iter_blocks(read.blocks):
            if isinstance(block, PageHeading):
                yield pieces_text(block.pieces), True
            elif isinstance(block, PageParagraph) and not _is_link(block.pieces):
                for line in "".join(p.text for p in block.pieces if not p.picture).split("\n"):
                    yield line.strip(), False


def suffixes(pages: Sequence[ParsedPage], dialect: NumberingScheme) -> list[str]:
    """Find the suffixes of labels: + where both 5b and 5b+ are labels."""
    tokens = [words.split()[0].strip("[]().:") for words, _ in label_candidates(pages) if words.split()]
    known = {number.key for token in tokens if (number := dialect.parse_number(token))}
    found = (m for token in dict.fromkeys(tokens) if (m := _SUFFIXED.fullmatch(token)))
    return sorted({m[2] for m in found if (number := dialect.parse_number(m[1])) and number.key in known})


def _openings(read: ParsedPage, dialect: NumberingScheme) -> list[LabelCandidate]:
    made: list[LabelCandidate] = []
    between: list[Block] = []
    for block in iter_blocks(read.blocks):
        if isinstance(block, PageList | Admonition):
            continue
        own = [*_in(read, block, dialect)] if isinstance(block, PageHeading | PageParagraph) else []
        if own:
            own[0].blocks_between, between = between, []
            made += own
            continue
        between.append(block)
        if made and not isinstance(block, PageHeading) and not has_dot_leader(_words(block)):
            made[-1].text = True
    for candidate, then in pairwise(made):  # a line that names a chapter is one where its first rule follows
        is_above = len(candidate.label.number.labels) == 1 and len(then.label.number.labels) > 1
        if (
            is_above
            and not candidate.weight
            and not candidate.text
            and then.weight
            and _comes_next(candidate, then)
        ):
            candidate.weight = _PLAIN
    return made


def _words(block: Block) -> str:
    """The words of a block without a label; of any table a long line."""
    return (
        pieces_text(block.pieces) if isinstance(block, PageHeading | PageParagraph) else " " * _LONG_LINE * 2
    )


def _in(
    read: ParsedPage, block: PageHeading | PageParagraph, dialect: NumberingScheme
) -> Iterator[LabelCandidate]:
    pieces = strip_pieces([p for p in block.pieces if not p.picture])
    text = "".join(p.text for p in pieces)
    if isinstance(block, PageHeading):
        label = parse_opening_label(pieces_text(pieces), dialect)
        if label and not NOTE_MARK.fullmatch(pieces_text(pieces)):
            yield LabelCandidate(read, block, 0, pieces_text(pieces), block.line, label, _HEADING, False)
        return
    bold = "".join(p.text for p in takewhile(lambda piece: piece.bold and not piece.link, pieces))
    is_link = _is_link(pieces)
    if bold.strip():
        if label := parse_opening_label(bold, dialect):
            rest = text[len(bold) :].strip()
            is_text = bool(rest) or len(bold) > _LONG_LINE
            weight = _BOLD if _is_clear(label) else 0
            yield LabelCandidate(read, block, 0, text, block.line, label, weight, False, text=is_text)
        return
    start, before = 0, ""
    for line in text.split("\n"):
        label = (
            parse_opening_label(line, dialect)
            if start == 0 or _SENTENCE.search(before) or 0 < len(before.strip()) < 60
            else None
        )
        is_closed = start == 0 and label and line[: label.end].rstrip().endswith((")", "]", ":"))
        if label and (is_closed or not line[label.end : label.end + 1].islower()):
            rest = line[label.end :].strip()
            is_text = bool(_SENTENCE.search(rest)) or len(rest) > _LONG_LINE
            is_cited = start == 0 and (is_link or (pieces[0].link and label.end < len(pieces[0].text)))
            weight = _PLAIN if _is_clear(label) and not is_cited else 0
            at = block.line + text.count("\n", 0, start)
            yield LabelCandidate(read, block, start, line, at, label, weight, is_link, text=is_text)
        start, before = start + len(line) + 1, line


def _is_link(pieces: Sequence[TextPiece]) -> bool:
    """Whether words are a link as a whole, as a line of contents is; a label alone may be one to itself."""
    return all(piece.link or not piece.text.strip() for piece in pieces)


def _is_clear(label: OpeningLabel) -> bool:
    """Whether a label is more than a count, which anything may begin with."""
    return len(label.number.labels) > 1 or label.printed.strip("[]").endswith(".0")


def _mark_contents(found: Sequence[LabelCandidate]) -> None:
    """Mark the lines of lists of contents. One that words follow, and that comes nowhere else, is a rule."""
    for run in _contents_in(found):
        for candidate in run:
            candidate.rejection = CONTENTS
    left = {one.label.number.key for one in found if not one.rejection and one.weight}
    for candidate, then in pairwise(found):
        if (
            candidate.rejection
            and then.length
            and candidate.weight
            and candidate.label.number.key not in left
        ):
            candidate.rejection = ""


def _contents_in(found: Sequence[LabelCandidate]) -> Iterator[list[LabelCandidate]]:
    """Runs of lines in order with hardly a word between them that come again: lists of contents.

    They come again later, or have come before where they are filled up with dots.
    """
    places: dict[str, list[LabelCandidate]] = defaultdict(list)
    for candidate in found:
        places[candidate.label.number.key].append(candidate)
    opened = Counter(_squashed(_without_leader(each.words)) for each in found)
    run: list[LabelCandidate] = []
    letters: dict[str, str] = {}
    passed = set[str]()
    for one in [*found, None]:
        if run and (one is None or not _goes_on(run[-1], one)):
            keys = {each.label.number.key for each in run}
            is_behind = len(keys & passed) >= _MOSTLY * len(run) and _filled(run) >= _MOSTLY * len(run)
            if is_behind or _is_contents(run, places, letters, opened):
                yield run
            passed |= keys
            run = []
        if one is not None:
            places[one.label.number.key].pop(0)
            run.append(one)


def _goes_on(before: LabelCandidate, one: LabelCandidate) -> bool:
    return before.order < one.order and one.length <= _LONG_LINE * 3


def _is_contents(
    run: Sequence[LabelCandidate],
    later: Mapping[str, Sequence[LabelCandidate]],
    letters: dict[str, str],
    opened: Mapping[str, int],
) -> bool:
    """Whether a run is a list of contents. `letters`: those of pages by name; `opened`: those of lines."""
    length = sum(candidate.length for candidate in run[1:]) + sum(
        max(len(candidate.words) - _LONG_LINE, 0) for candidate in run
    )
    again = [
        candidate for candidate in run if any(other.weight for other in later[candidate.label.number.key])
    ]
    same = sum(
        any(_is_same(candidate, other) for other in later[candidate.label.number.key]) for candidate in again
    )
    if len(run) < 2 or length >= _MOST_BETWEEN * len(run):
        return False
    if len(again) < _MOSTLY * len(run):
        return len(run) > _FEW_LINES and _are_captions(run, letters, opened)
    return _filled(run) * 2 >= len(run) or (same * 2 >= len(run) and len(run) > 2)


def _filled(run: Sequence[LabelCandidate]) -> int:
    return sum(has_dot_leader(candidate.words) or candidate.is_link for candidate in run)


def _are_captions(run: Sequence[LabelCandidate], letters: dict[str, str], opened: Mapping[str, int]) -> bool:
    """Whether a run lists what stands elsewhere behind another word: Table 1.7. Losses."""
    read = run[0].read
    if read.page.name not in letters:
        letters[read.page.name] = _squashed(" ".join(map(pieces_text, read.runs())))
    lines = [_squashed(_without_leader(candidate.words)) for candidate in run if candidate.title]
    return sum(letters[read.page.name].count(line) > opened[line] for line in lines) >= _MOSTLY * len(run)


def has_dot_leader(words: str) -> bool:
    """Whether a line ends as one of a list of contents does: with dots or a gap in front of a page."""
    return bool(_FILLED.search(words[-_LONG_LINE:]))


def _without_leader(words: str) -> str:
    return words[:-_LONG_LINE] + _LEADER.sub("", words[-_LONG_LINE:])


def _squashed(words: str) -> str:
    return _LETTERS.sub("", words).casefold()


def _is_same(one: LabelCandidate, later: LabelCandidate) -> bool:
    """Whether a later line says the same title, and stands out as much."""
    stands_out = later.weight >= min(one.weight, _BOLD) and later.weight > 0
    return stands_out and bool(one.title) and later.title.startswith(one.title)


def _tree(found: Sequence[LabelCandidate]) -> list[LabelCandidate]:
    """The row of openings in order, each number once, that weighs most: what stands out, what has text."""
    orders, empty = sorted({candidate.order for candidate in found}), _empty(found)
    best: list[tuple[int, int]] = [(0, -1)] * (len(orders) + 1)  # a Fenwick tree: weight and who ends it
    behind: list[int] = []
    for at, one in enumerate(found):
        rank = bisect_left(orders, one.order)
        top, i = (0, -1), rank
        while i > 0:
            top = max(top, best[i], key=lambda each: each[0])
            i -= i & -i
        behind.append(top[1])
        weight, i = top[0] + (1 if one in empty else one.weight) + one.text, rank + 1
        while i <= len(orders):
            if weight > best[i][0]:
                best[i] = weight, at
            i += i & -i
    top, i = (0, -1), len(orders)
    while i > 0:
        top = max(top, best[i], key=lambda each: each[0])
        i -= i & -i
    row, at = [], top[1]
    while at >= 0:
        row.append(found[at])
        at = behind[at]
    return row[::-1]


def _empty(found: Sequence[LabelCandidate]) -> set[LabelCandidate]:
    """Chapters in which nothing begins, where chapters have rules: 14 in the middle of chapter 3."""
    if sum(len(candidate.order) > 2 for candidate in found) * 2 <= len(found):
        return set()
    return {
        candidate
        for at, candidate in enumerate(found)
        if len(candidate.order) == 2
        and all(then.order[:2] != candidate.order for then in found[at + 1 : at + 1 + _SOON])
    }


def _settle(found: Sequence[LabelCandidate], tree: Sequence[LabelCandidate]) -> None:
    """Say of each opening why it is no label, if it is none."""
    members = {*tree}
    first = {candidate.label.number.key: candidate for candidate in tree}
    empty = _empty(found)
    for one in found:
        if one not in members and one.weight > _PLAIN:
            if one in empty and one.label.number.key not in first:
                one.rejection = NOT_NEXT
            elif (
                first.setdefault(one.label.number.key, one) is not one
            ):  # else out of its order, and the only one
                one.rejection = CITED
        elif one not in members:
            one.rejection = NOT_NEXT
    for one, then in pairwise([*found, *found[:1]]):  # a count that begins again, or goes on
        is_first = max(one.label.number.ordinals) <= 1
        for again in (one, then) if _comes_next(one, then) else (one,) if is_first else ():
            again.rejection = TAKEN if again.rejection == CITED else again.rejection
    for before, one, then in zip(found, found[1:], found[2:], strict=False):  # in a list of what rules say
        is_listed = {before.rejection, then.rejection} <= {CITED, TAKEN} and one not in members
        if is_listed and before.weight == one.weight == then.weight == _BOLD:
            one.rejection = one.rejection or CITED
    if len(tree) >= _FROM_HERE:  # a roll or an amount that nothing leads up to and nothing follows
        orders = {candidate.order for candidate in found if not candidate.rejection}
        around = {order[:end] for order in orders for end in range(1, len(order))}
        for one in found:
            is_weighty = not one.rejection and one.weight > _PLAIN
            if is_weighty and one.order not in around and _is_lone(one.order, orders):
                one.rejection = NOT_NEXT
    steps: dict[bool, list[tuple[LabelCandidate, bool]]] = {True: [], False: []}
    kept = [candidate for candidate in found if not candidate.rejection]
    for at, one in enumerate(kept):
        if one.weight == _PLAIN:
            comes_next = _comes_next(kept[at - 1], one) if at else max(one.order[2:], default=1) <= 1
            steps[one.offset > 0].append((one, comes_next))
    for row in steps.values():  # few gaps among many are rules that are gone
        if sum(next_ for _, next_ in row) < _MOSTLY * len(row) or len(row) < 5:
            for one, comes_next in row:
                one.rejection = one.rejection or ("" if comes_next else NOT_NEXT)


def _is_lone(order: tuple[float, ...], orders: set[tuple[float, ...]]) -> bool:
    """Whether no rule is around a label or beside it."""
    if len(order) > 2 and order[:-1] in orders:
        return False
    return not any(step and (*order[:-1], order[-1] + step) in orders for step in range(-_NEAR, _NEAR + 1))


def _comes_next(before: LabelCandidate, one: LabelCandidate) -> bool:
    """Whether a label is the first inside of the one before, or the next beside it or what is around it.

    What has no rule of its own in between is skipped: B.1 comes next behind A.2, A1.1 behind A.
    """
    if before.label.number.family != one.label.number.family:
        return False
    old, new = before.label.number.ordinals, one.label.number.ordinals
    at = next((n for n, (was, now) in enumerate(zip(old, new, strict=False)) if was != now), len(old))
    if at >= len(new) or any(ordinal > 1 for ordinal in new[at + 1 :]):
        return False
    return 0 < new[at] - (old[at] if at < len(old) else 0) <= 1  # 5b+ lies between 5b and 5c


def _apply(read: ParsedPage, found: Sequence[LabelCandidate], told: ImportReport) -> None:
    """Mark the blocks that open rules, part those in which others do, and leave contents out."""
    rules = [candidate for candidate in found if not candidate.rejection and candidate.weight]
    contents = [candidate for candidate in found if candidate.rejection == CONTENTS] if rules else []
    for one in found:
        if one.rejection and (one.rejection != CONTENTS or rules):
            told.unread.setdefault(one.rejection, []).append((read.page, one.line, one.words))
    for one in rules:
        one.block.opens = one.block.opens or not one.offset
        if one.offset and isinstance(one.block, PageParagraph):
            one.block.cuts = [*one.block.cuts, one.offset]
    out: list[Block] = [content.block for content in contents]
    for before, one in pairwise(found):
        if contents and {before.rejection, one.rejection} == {CONTENTS} and _goes_on(before, one):
            out += one.blocks_between
    if out or any(rule.offset for rule in rules):
        read.blocks = [*_parted(_without(read, read.blocks, out, told))]


def _without(
    read: ParsedPage, blocks: Iterable[Block], out: Sequence[Block], told: ImportReport
) -> Iterator[Block]:
    """Blocks without the lines of a list of contents and the heading of it, all of which are told."""
    waits: list[Block] = []  # headings that may be the one of the contents
    for block in blocks:
        if isinstance(block, PageList):
            items = [(item, [*_without(read, item.blocks, out, told)]) for item in block.items]
            for item, inner in items:
                if not inner and item.blocks and item.marker:
                    told.note_changed(read.page, item.line, item.marker, "", "a line of the list of contents")
            kept = [
                PageListItem(inner, item.line, item.marker)
                for item, inner in items
                if inner or not item.blocks
            ]
            if len(kept) < len(items) and waits:
                _leave_out(read, waits, told)
            block = replace(block, items=kept) if len(kept) < len(items) else block
            if not kept:
                continue
        elif any(block is one for one in out):
            _leave_out(read, [*waits, block], told)
            waits = []
            continue
        yield from waits
        waits = []
        if isinstance(block, PageHeading | PageParagraph) and CONTENTS_TITLE.fullmatch(
            pieces_text(block.pieces)
        ):
            waits = [block]
        else:
            yield block
    yield from waits


def _leave_out(read: ParsedPage, blocks: list[Block], told: ImportReport) -> None:
    for block in blocks:
        if isinstance(block, PageHeading | PageParagraph):
            told.note_changed(
                read.page, block.line, pieces_text(block.pieces), "", "a line of the list of contents"
            )
    blocks.clear()


def _parted(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks of which each paragraph is parted where a rule begins in it."""
    for block in blocks:
        if isinstance(block, PageList):
            for item in block.items:
                item.blocks = [*_parted(item.blocks)]
        if not isinstance(block, PageParagraph) or not block.cuts:
            yield block
            continue
        rest, done = replace(block, pieces=strip_pieces(block.pieces)), 0
        for cut in block.cuts:
            before, rest = rest.split_at(cut - done)
            yield before
            done = cut
        yield rest
