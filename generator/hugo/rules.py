"""The rules of a book, found on its pages: by headings with numbers, by labels that open paragraphs, by items.

A page is gone through from top to bottom. What has a label begins a rule; what follows belongs to it, until
the next begins. Rules are put inside each other by their numbers alone, once all pages are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from generator.hugo.blocks import (
    Aside,
    Block,
    Grid,
    Heading,
    Item,
    Link,
    Listing,
    Paragraph,
    Piece,
    said,
    split,
    trimmed,
)
from generator.hugo.notes import (
    exception_at_end,
    exception_words,
    is_italic,
    is_plain,
    kind_of,
    lead,
    upright,
)
from generator.hugo.numbering import Labelled, item_label, labelled, rising
from generator.hugo.site import Page
from generator.hugo.slugs import Slugs
from generator.numbers import Dialect, Number

_PARTING = re.compile(r"(?:[.:]|--?|—|–)(?=\s)\s*")
_LIKE_LABEL = re.compile(r"\d+\s?[.,:]\s?\d[\w.,]*(?:\s[a-z]\b)?")
_END = re.compile(r"[.:!?]\Z")
_MAYBE_TITLE = re.compile(
    r"\s*((?:[A-Z][\w'’/&-]*)(?:\s+(?:[A-Z][\w'’/&-]*|of|the|and|in|to|for|or)){0,4})\.\s+[A-Z]"
)


@dataclass(slots=True)
class Line:
    """A paragraph, or an item of a list: `bullet` is its sign, `depth` how many lists it lies in."""

    pieces: list[Piece]
    line: int
    bullet: str = ""
    depth: int = 0


@dataclass(slots=True)
class Picture:
    address: str
    words: str
    line: int
    given: bool = True


@dataclass(slots=True)
class Note:
    kind: str
    lines: list[Line]
    line: int


@dataclass(slots=True)
class Part:
    """What stands below a heading without a number, in the rule around it; the first has no heading."""

    title: list[Piece]
    level: int
    line: int
    lines: list[Line] = field(default_factory=list)
    closing: bool = False


@dataclass(slots=True, eq=False)
class Node:
    """A rule as found: `printed` is its number there, `item` the label that it has as an item of a rule."""

    number: Number | None
    printed: str
    page: Page
    line: int
    title: list[Piece] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    grids: list[tuple[Grid, str]] = field(default_factory=list)
    rules: list[Node] = field(default_factory=list)
    outline: Listing | None = None
    item: str = ""
    shows: str = ""
    remarks: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.number.key if self.number else self.printed

    def walk(self) -> Iterator[Node]:
        yield self
        for inner in self.rules:
            yield from inner.walk()


@dataclass(frozen=True, slots=True)
class Turned:
    """Words of the source that became something else: `now`, or a sign, a kind, a place."""

    page: Page
    line: int
    was: str
    now: str
    what: str


@dataclass(slots=True)
class Found:
    """What the pages of a book hold: rules in order, where each anchor leads, and what was made of words."""

    nodes: list[Node] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    anchors: dict[tuple[str, str], Node] = field(default_factory=dict)
    turned: list[Turned] = field(default_factory=list)
    guesses: list[tuple[Page, int, str]] = field(default_factory=list)


class PageRules:
    """One page gone through. What it holds is added to `found`.

    `is_outline`: whether a list below a heading is the sequence of play.
    """

    def __init__(
        self,
        page: Page,
        dialect: Dialect,
        found: Found,
        slugs: Slugs,
        chapter: Node | None,
        is_outline: Callable[[Listing, str], bool],
        fixed: bool = False,
    ) -> None:
        self.page, self.dialect, self.found, self.slugs, self.is_outline = (
            page,
            dialect,
            found,
            slugs,
            is_outline,
        )
        self.fixed = fixed  # the dialect is settled: an item that it has no number for stays a line of text
        self.stack: list[tuple[int, Node]] = [(0, chapter)] if chapter else []
        self.node = chapter
        self.part = self.begin_part([], 0, 1) if chapter else None
        self.note: Note | None = None
        self.waits = False  # the open note ends with a colon: a list behind it belongs to it
        self.slanted = False  # the open note is in italics as a whole
        self.behind = False  # items of the rule have been read: what follows closes it
        self.last_bold = ""  # a short bold paragraph, which may be the title of a table behind it
        self.before: list[Block] = []  # what stands in front of the page's first rule

    def take(self, blocks: Sequence[Block]) -> None:
        for block in _with_lists(blocks):
            if isinstance(block, Heading):
                self.heading(block)
            elif self.node is None and not self.opens(block):
                self.before.append(block)
            elif isinstance(block, Paragraph):
                self.paragraph(block.pieces, block.line)
            elif isinstance(block, Listing):
                self.listing(block)
            elif isinstance(block, Grid):
                self.end_note()
                assert self.node
                self.node.grids.append((block, self.last_bold))
            elif isinstance(block, Aside):
                self.aside(block)

    def opens(self, block: Block) -> bool:
        """Whether a block begins the page's first rule."""
        return isinstance(block, Paragraph) and self.label_of(block.pieces) is not None

    # Headings

    def heading(self, block: Heading) -> None:
        anchor = self.slugs.heading(block.source, block.underlined)[1]
        self.end_note()
        self.last_bold = said(block.pieces)
        label = labelled(said(block.pieces), self.dialect)
        if label is None:
            self.malformed(said(block.pieces), block.line)
        if label and self.is_rule(label, block.level):
            self.numbered(block, label)
        elif self.node is None:
            self.before.append(block)
            return
        elif said(block.pieces).casefold() in (
            self.page.title.casefold(),
            said(self.stack[0][1].title).casefold(),
        ):
            self.turn(block.line, said(block.pieces), "", "a heading that says the page's title again")
        else:
            while len(self.stack) > 1 and self.stack[-1][0] >= block.level:
                self.stack.pop()
            self.node = self.stack[-1][1]
            self.part = self.begin_part(trimmed(block.pieces), block.level, block.line)
            self.part.closing = self.has_inner(self.node)
        self.found.anchors[self.page.name, anchor] = self.node

    def is_rule(self, label: Labelled, level: int) -> bool:
        """Whether a heading's label is a rule's: a single number is a chapter's only where none is open."""
        around = self.stack[0] if self.stack else None
        return len(label.number.labels) > 1 or around is None or (level <= around[0] and level > 0)

    def numbered(self, block: Heading, label: Labelled) -> None:
        text = "".join(p.text for p in block.pieces if not p.picture)
        again = labelled(text, self.dialect)
        self.named(text, label, block.line)
        title = trimmed(split(block.pieces, again.end)[1]) if again else []
        node = self.begin(label, title, block.line)
        if node.key == (self.stack[0][1].key if self.stack else "") and self.stack[0][0] == 0:
            # The page's title said in a heading as well: one rule.
            self.found.nodes.pop()
            self.turn(block.line, said(block.pieces), "", "a heading that says the page's title again")
            self.node = self.stack[0][1]
            self.part = self.node.parts[0]
            return
        while self.stack and self.stack[-1][0] >= block.level:
            self.stack.pop()
        self.stack.append((block.level, node))

    def named(self, text: str, label: Labelled, line: int) -> None:
        """Enter the word in front of a label, as in `Rule 12.5`, which its number makes needless."""
        before = text[: max(text.find(label.printed), 0)].strip(" \n[(")
        if before:
            self.turn(line, before, "", "the word in front of a number")

    def begin(self, label: Labelled, title: list[Piece], line: int) -> Node:
        """Begin a rule: what follows belongs to it."""
        self.end_note()
        title = _untitled_end(title)
        node = Node(label.number, label.printed, self.page, line, title)
        self.found.nodes.append(node)
        self.found.keys.add(node.key)
        self.node, self.behind = node, False
        self.part = self.begin_part([], 0, line)
        return node

    def begin_part(self, title: list[Piece], level: int, line: int) -> Part:
        assert self.node
        part = Part(title, level, line)
        self.node.parts.append(part)
        return part

    def has_inner(self, node: Node) -> bool:
        """Whether rules that lie in a rule have begun already."""
        last = self.found.nodes[-1]
        return last is not node or bool(node.rules)

    # Paragraphs

    def paragraph(self, pieces: list[Piece], line: int) -> None:
        assert self.node
        for piece in pieces:
            if piece.picture:
                self.picture(piece)
        pieces = trimmed([p for p in pieces if not p.picture])
        if not pieces:
            return
        if at := self.later_label(pieces):
            before, behind = split(pieces, at)
            self.paragraph(before, line)
            self.guess(behind[0].line, f"“{said(behind[:1])}” begins a rule in the middle of a paragraph")
            self.paragraph(behind, behind[0].line)
        elif found := self.label_of(pieces):
            self.labelled(pieces, found, line)
        elif self.malformed(said([p for p in pieces if p.bold][:1]), line):
            self.put(Line(pieces, line))
        elif (note := lead(pieces)) or (self.note and self.slanted and is_italic(pieces)):
            self.in_note(pieces, note, line)
        else:
            self.end_note()
            self.put(Line(pieces, line))
        self.last_bold = said(pieces) if all(p.bold for p in pieces) and len(said(pieces)) < 80 else ""

    def put(self, line: Line) -> None:
        """Add words to the rule: behind its items, where it has some and they are done."""
        assert self.node and self.part
        if self.behind and not self.part.closing:
            self.part = self.begin_part([], 0, line.line)
            self.part.closing = True
        self.part.lines.append(line)

    def picture(self, piece: Piece) -> None:
        assert self.node and self.part
        words = piece.text or said(self.part.title)
        self.node.pictures.append(Picture(piece.picture, words, piece.line, bool(words)))

    def label_of(self, pieces: list[Piece]) -> Labelled | None:
        """The label of a rule that a paragraph opens with: in bold, or plain where it comes next in order."""
        pieces = trimmed([p for p in pieces if not p.picture])
        bold = ""
        for piece in pieces:
            if not piece.bold or piece.link:
                break
            bold += piece.text
        label = labelled(bold, self.dialect, least=2) if bold.strip() else None
        rest = "".join(p.text for p in pieces)[len(bold) :].lstrip()
        if label and self.belongs(label):
            is_alone = not bold[label.end :].strip()
            seen = label.number.key in self.found.keys
            return None if seen and is_alone and rest[:1].islower() else label
        plain = "".join(p.text for p in pieces)
        if bold or (pieces and pieces[0].link):
            return None
        label = labelled(plain, self.dialect, least=2)
        if (
            label
            and self.belongs(label)
            and self.is_next(label)
            and not plain[label.end : label.end + 1].islower()
        ):
            return label
        return None

    def malformed(self, words: str, line: int) -> bool:
        """Whether words open with what looks like a label and is none; that is told, with what may be meant."""
        m = _LIKE_LABEL.match(words)
        if not m or self.dialect.parse(m.group().rstrip(".,:")):
            return False
        bare = re.sub(r"\s", "", m.group()).replace(",", ".").rstrip(".")
        meant = self.dialect.parse(bare) or self.dialect.parse(bare.lower())
        hint = f"; is {meant.key} meant?" if meant else ""
        self.guess(line, f"“{m.group()}” looks like a number of a rule and is written as none{hint}")
        return True

    def later_label(self, pieces: list[Piece]) -> int:
        """Where in a paragraph another rule begins: its label is in bold behind a sentence; 0 where none does."""
        at = 0
        for index, piece in enumerate(pieces):
            before = "".join(p.text for p in pieces[:index]).rstrip()
            if index and piece.bold and not piece.link and before.endswith((".", "!", "?", ")", ":")):
                label = labelled(piece.text, self.dialect, least=2)
                fresh = label and self.belongs(label) and label.number.key not in self.found.keys
                if fresh and piece.text[label.end :].strip():
                    return at
            at += len(piece.text)
        return 0

    def belongs(self, label: Labelled) -> bool:
        """Whether a label is of the chapter that is being read."""
        chapter = self.stack[0][1].number if self.stack else None
        return chapter is None or label.number.labels[0] == chapter.labels[0]

    def is_next(self, label: Labelled) -> bool:
        """Whether a rule with this number comes next where the page has got to."""
        above, last = self.dialect.parent(label.number), self.found.nodes[-1] if self.found.nodes else None
        if last is None or last.number is None or above is None:
            return False
        after = self.dialect.sibling(last.number, last.number.ordinals[-1] + 1)
        first = above == last.number and label.number.ordinals[-1] == 1
        return first or (after is not None and after == label.number)

    def labelled(self, pieces: list[Piece], label: Labelled, line: int) -> None:
        """A rule that begins with a paragraph: its title is in bold behind the label, and ends like a title."""
        was_bold = pieces[0].bold
        self.named("".join(p.text for p in pieces), label, line)
        rest = split(pieces, label.end)[1]
        title, text = parted(rest)
        node = self.begin(label, title, line)
        if not was_bold:
            self.guess(line, f"{label.printed} opens a paragraph and comes next, so it is taken for a rule")
        words = said(text)
        if not title and (m := _MAYBE_TITLE.match(words)):
            node.remarks.append(
                f"“{m[1]}” may be its title; on the page it does not stand out from the text."
            )
            self.guess(line, f"{label.printed}: “{m[1]}” may be its title, and is left in its text")
        if text:
            self.put(Line(text, line))

    # Notes

    def in_note(self, pieces: list[Piece], note: tuple[str, str, int] | None, line: int) -> None:
        """A paragraph of a note; `note` where it begins one."""
        assert self.node
        self.slanted = is_italic(pieces)
        if note:
            kind, words, end = note
            if is_plain(words):
                self.turn(line, words, "", f"kind: {kind}")
                pieces = trimmed(split(pieces, end)[1])
            else:
                self.guess(line, f"“{words}” is taken for a note of the kind {kind}; its words are kept")
            self.note = Note(kind, [], line)
            self.node.notes.append(self.note)
        assert self.note
        self.waits = not pieces or said(pieces).endswith(":")
        if pieces:
            self.note.lines.append(Line(upright(pieces), line))

    def end_note(self) -> None:
        self.note, self.waits, self.slanted = None, False, False

    def aside(self, block: Aside) -> None:
        """What is set apart: a note of the kind that it says, or that its first words say; or just a quote."""
        assert self.node
        self.end_note()
        kind = kind_of(block.kind) or ("important" if block.kind else None)
        first = block.blocks[0] if block.blocks else None
        if isinstance(first, Paragraph) and (note := lead(first.pieces)):
            self.in_note(first.pieces, note, first.line)
            inner: Sequence[Block] = block.blocks[1:]
        elif kind and block.kind != "quote":
            self.note = Note(kind, [], block.line)
            self.node.notes.append(self.note)
            inner = block.blocks
        else:
            self.take(block.blocks)
            return
        for one in inner:
            if isinstance(one, Paragraph):
                self.pictures_in(one.pieces)
                pieces = trimmed([p for p in one.pieces if not p.picture])
                if pieces and self.note:
                    self.note.lines.append(Line(pieces, one.line))
            elif isinstance(one, Listing) and self.note:
                self.note.lines += self.lines(one, 1)
            else:
                self.take([one])
        self.end_note()

    def pictures_in(self, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            if piece.picture:
                self.picture(piece)

    # Lists

    def listing(self, block: Listing) -> None:
        """A list: the sequence of play, items of a rule with letters, lettered rules, or plain items."""
        assert self.node and self.part
        heading = said(self.part.title) or said(self.node.title)
        if self.is_outline(block, heading) and not any(node.outline for node in self.found.nodes):
            self.node.outline, self.node.shows = block, "sequence"
            return
        if self.note and (self.waits or self.slanted):
            self.note.lines += self.lines(block, 1)
            return
        self.end_note()
        if any(self.opens(item.blocks[0]) for item in block.items if item.blocks):
            for item in block.items:
                self.take(item.blocks)
        elif not self.items(block, self.node):
            for line in self.lines(block, 1):
                self.put(line)

    def items(self, block: Listing, node: Node) -> bool:
        """Whether a list holds the items of a rule, `A)`, `B)` …; if so they are rules inside it now."""
        labels = [_item_of(item) for item in block.items]
        names = [label for label, _ in filter(None, labels)]
        sort = rising(names) if len(names) == len(labels) else None
        taken = {inner.item for inner in node.rules}
        if not sort or (node.number is None and not node.item) or taken.intersection(names):
            return False
        if len(names) < 2 and not taken and sort != "A":
            return False
        if self.fixed and not self.dialect.parse(f"{node.printed}({names[0]})"):
            self.guess(
                block.line, f"items like {names[0]}) stay in the text: no number of the book is written so"
            )
            return False
        for item, label in zip(block.items, labels, strict=True):
            assert label
            self.item(item, label[0], label[1], node)
        if node is self.node:
            self.behind = True
        return True

    def item(self, item: Item, label: str, end: int, node: Node) -> None:
        """One item as a rule inside another."""
        first = item.blocks[0]
        assert isinstance(first, Paragraph)
        self.pictures_in(first.pieces)
        rest = split([p for p in first.pieces if not p.picture], end)[1]
        title, text = parted(rest)
        made = Node(None, f"{node.printed}({label})", self.page, item.line, title, item=label)
        node.rules.append(made)
        self.turn(item.line, label, made.printed, "an item with a number of its own")
        part = Part([], 0, item.line)
        made.parts.append(part)
        if text:
            part.lines.append(Line(text, item.line))
        for block in item.blocks[1:]:
            if isinstance(block, Paragraph):
                self.pictures_in(block.pieces)
                pieces = trimmed([p for p in block.pieces if not p.picture])
                note = lead(pieces)
                if note and is_plain(note[1]):
                    self.turn(block.line, note[1], "", f"kind: {note[0]}")
                    made.notes.append(
                        Note(note[0], [Line(trimmed(split(pieces, note[2])[1]), block.line)], block.line)
                    )
                elif pieces:
                    part.lines.append(Line(pieces, block.line))
            elif isinstance(block, Listing) and not self.items(block, made):
                part.lines += self.lines(block, 1)
            elif not isinstance(block, Listing):
                self.take([block])

    def lines(self, block: Listing, depth: int) -> list[Line]:
        """The items of a list as lines, with those of the lists inside them."""
        made: list[Line] = []
        for count, item in enumerate(block.items, 1):
            bullet = f"{count}. " if item.marker else "- "
            if item.marker and item.marker.rstrip(".)") != str(count):
                self.turn(item.line, item.marker.rstrip(".)"), str(count), "the number of an item")
            fresh = True
            for inner in item.blocks:
                if isinstance(inner, Paragraph):
                    self.pictures_in(inner.pieces)
                    pieces = trimmed([p for p in inner.pieces if not p.picture])
                    if pieces and fresh:
                        made.append(Line(pieces, inner.line, bullet, depth))
                    elif pieces:  # prose has one paragraph an item
                        made[-1].pieces += [Piece(" ", inner.line), *pieces]
                    fresh = fresh and not pieces
                elif isinstance(inner, Listing):
                    if fresh:
                        made.append(Line([], inner.line, bullet, depth))
                        fresh = False
                    made += self.lines(inner, depth + 1)
                else:
                    self.take([inner])
        return [line for line in made if line.pieces]

    def turn(self, line: int, was: str, now: str, what: str) -> None:
        self.found.turned.append(Turned(self.page, line, was, now, what))

    def guess(self, line: int, message: str) -> None:
        self.found.guesses.append((self.page, line, message))


def _with_lists(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks in which paragraphs that open with (a), (b) … in a row are a list."""
    row: list[Item] = []
    for block in [*blocks, None]:
        label = item_label("".join(p.text for p in block.pieces)) if isinstance(block, Paragraph) else None
        names = [found[0] for item in row if (found := _item_of(item))]
        if block and label and rising([*names, label[0]]):
            row.append(Item([block], block.line))
            continue
        if len(row) > 1:
            yield Listing(row, row[0].line)
        elif row:
            yield row[0].blocks[0]
        row = []
        if block and label and rising([label[0]]):
            row.append(Item([block], block.line))
        elif block:
            yield block


def _item_of(item: Item) -> tuple[str, int] | None:
    first = item.blocks[0] if item.blocks else None
    if not isinstance(first, Paragraph):
        return None
    return item_label("".join(p.text for p in first.pieces if not p.picture))


def parted(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The title that a rule's first paragraph opens with, in bold, and the rest of it.

    Bold words that go on in the sentence behind them are no title.
    """
    pieces = trimmed(pieces)
    count = 0
    for piece in pieces:
        if not piece.bold:
            break
        count += 1
    title, text = pieces[:count], trimmed(pieces[count:])
    words, rest = said(title), said(text)
    ends = bool(_END.search(words)) and not words.endswith(("...", "…"))
    ends = ends or (words.count(" ") < 6 and rest[:1].isupper() and words[:1].isupper())
    if not words or words.startswith(("...", "…")) or not (ends or not rest or rest[:1] in ".:—–-"):
        return [], pieces
    if len(words) > 100 or (not rest and words.endswith(".") and len(words) > 60):
        return [], pieces  # a rule whose whole text is in bold
    # What parts the title from its text says no more than the title does.
    if m := _PARTING.match("".join(p.text for p in text)):
        text = trimmed(split(text, m.end())[1])
    return trimmed(title), text


def _untitled_end(title: list[Piece]) -> list[Piece]:
    """A title without the full stop or colon at its end, and not in bold, which all titles are."""
    from dataclasses import replace

    title = [replace(p, bold=False) for p in trimmed(title)]
    if title and title[-1].text.endswith((".", ":")) and not title[-1].text.endswith(("...", "etc.")):
        title[-1] = replace(title[-1], text=title[-1].text[:-1])
    return trimmed(title)


def links_in(node: Node) -> Iterator[tuple[Piece, Link]]:
    """Every link in the words of a rule."""
    runs = [node.title, *(part.title for part in node.parts)]
    runs += [line.pieces for part in node.parts for line in part.lines]
    runs += [line.pieces for note in node.notes for line in note.lines]
    runs += [cell.pieces for grid, _ in node.grids for row in grid.rows for cell in row]
    for pieces in runs:
        for piece in pieces:
            if piece.link:
                yield piece, piece.link


def set_exceptions_apart(node: Node, turned: list[Turned]) -> None:
    """An exception in parentheses that ends a rule's text becomes a note of the rule."""
    parts = [part for part in node.parts if part.lines]
    last = parts[-1].lines[-1] if len(parts) == 1 and not parts[0].title and not parts[0].closing else None
    if last is None or last.bullet or (at := exception_at_end(last.pieces)) is None:
        return
    before, inside = split(last.pieces, at)
    text = "".join(p.text for p in inside)
    words = text.lstrip().lstrip("(").split(":")[0].strip()
    inner = trimmed(split(inside, exception_words(text))[1])
    closing = len("".join(p.text for p in inner).rstrip(". ")) - 1
    inner, _ = split(inner, closing)
    last.pieces = trimmed(before)
    turned.append(Turned(node.page, last.line, words, "", "kind: exception"))
    node.notes.insert(0, Note("exception", [Line(trimmed(inner), inside[0].line)], inside[0].line))
