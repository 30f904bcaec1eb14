"""The rules of a book, found on its pages: by headings with numbers, by labels, by items.

A page is gone through from top to bottom. What has a label begins a rule; what follows belongs to it, until
the next begins. Rules are put inside each other by their numbers alone, once all pages are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.importers.hugo.blocks import (
    Aside,
    Block,
    Grid,
    Heading,
    Item,
    Listing,
    Paragraph,
    Piece,
    behind,
    said,
    split,
    trimmed,
)
from rulewright.importers.hugo.found import Line, Node, Note, Part
from rulewright.importers.hugo.items import bare_title, item_of, parted, with_lists
from rulewright.importers.hugo.notes import is_italic, is_plain, kind_of, lead, upright
from rulewright.importers.hugo.numbering import Labelled, rising
from rulewright.importers.hugo.opening import Opening

_MAYBE_TITLE = re.compile(
    r"\s*((?:[A-Z][\w'’/&-]*)(?:\s+(?:[A-Z][\w'’/&-]*|of|the|and|in|to|for|or)){0,4})\.\s+[A-Z]"
)


class PageRules(Opening):
    """One page gone through, block by block."""

    def take(self, blocks: Sequence[Block]) -> None:
        for block in with_lists(blocks):
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

    # Paragraphs

    def paragraph(self, pieces: list[Piece], line: int) -> None:
        pieces = trimmed(pieces)
        if not said(pieces):
            self.pictured(pieces, line)
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
        assert self.node
        assert self.part
        if self.behind and not self.part.closing:
            self.part = self.begin_part([], 0, line.line)
            self.part.closing = True
        self.part.lines.append(line)

    def pictured(self, pieces: list[Piece], line: int) -> None:
        """Pictures that stand by themselves: behind a note they belong to it, else to the rule."""
        if pieces:
            self.note.lines.append(Line(pieces, line)) if self.note else self.put(Line(pieces, line))

    def labelled(self, pieces: list[Piece], label: Labelled, line: int) -> None:
        """A rule that begins with a paragraph: its title is in bold behind the label, and ends like a
        title."""
        was_bold = pieces[0].bold
        self.named("".join(p.text for p in pieces), label, line)
        title, text = parted(behind(pieces, label.end))
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
                pieces = behind(pieces, end)
            else:
                self.guess(line, f"“{words}” is taken for a note of the kind {kind}; its words are kept")
            self.note = Note(kind, [], line)
            self.node.notes.append(self.note)
        assert self.note
        self.waits = not pieces or said(pieces).endswith(":")
        if pieces:
            self.note.lines.append(Line(upright(pieces), line))

    def aside(self, block: Aside) -> None:
        """What is set apart: a note of the kind that it says, or that its first words say; or just a
        quote."""
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
            if isinstance(one, Paragraph) and self.note:
                if pieces := trimmed(one.pieces):
                    self.note.lines.append(Line(pieces, one.line))
            elif isinstance(one, Listing) and self.note:
                self.note.lines += self.lines(one, 1)
            else:
                self.take([one])
        self.end_note()

    # Lists

    def listing(self, block: Listing) -> None:
        """A list: the sequence of play, items of a rule with letters, lettered rules, or plain items."""
        assert self.node
        assert self.part
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
        labels = [item_of(item) for item in block.items]
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
        title, text = parted(behind(first.pieces, end))
        made = Node(None, f"{node.printed}({label})", self.page, item.line, bare_title(title), item=label)
        node.rules.append(made)
        self.turn(item.line, label, made.printed, "an item with a number of its own")
        part = Part([], 0, item.line)
        made.parts.append(part)
        if text:
            part.lines.append(Line(text, item.line))
        for block in item.blocks[1:]:
            if isinstance(block, Paragraph):
                pieces = trimmed(block.pieces)
                note = lead(pieces)
                if note and is_plain(note[1]):
                    self.turn(block.line, note[1], "", f"kind: {note[0]}")
                    made.notes.append(Note(note[0], [Line(behind(pieces, note[2]), block.line)], block.line))
                elif pieces:
                    part.lines.append(Line(pieces, block.line))
            elif isinstance(block, Listing) and not self.items(block, made):
                part.lines += self.lines(block, 1)
            elif not isinstance(block, Listing):
                self.take([block])

    def lines(self, block: Listing, depth: int) -> list[Line]:
        """The items of a list as lines, with those of the lists inside them."""
        made: list[Line] = []
        for item in block.items:
            bullet = f"{item.marker.rstrip('.)')}. " if item.marker else "- "
            fresh = True
            for inner in item.blocks:
                if isinstance(inner, Paragraph):
                    pieces = trimmed(inner.pieces)
                    if pieces and fresh:
                        made.append(Line(pieces, inner.line, bullet, depth, depth == 1 and not made))
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
