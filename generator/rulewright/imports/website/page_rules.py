"""The rules of a book, found on its pages: by headings with numbers, by labels, by items.

A page is gone through from top to bottom. What has a label begins a rule; what follows belongs to it, until
the next begins. Rules are put inside each other by their numbers alone, once all pages are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from rulewright.imports.website.page_block_types import (
    Admonition,
    Block,
    PageHeading,
    PageList,
    PageListItem,
    PageParagraph,
    PageTable,
    TextPiece,
    iter_blocks,
    pieces_after,
    pieces_text,
    strip_pieces,
)
from rulewright.imports.website.rule_tree import (
    ImportedBook,
    ImportedNote,
    OpeningLabel,
    RuleLine,
    RuleNode,
    Subsection,
    ascending_label_type,
    bare_title,
    base_of,
    is_italic,
    is_outline,
    is_plain,
    item_of,
    note_kind,
    note_lead,
    parse_opening_label,
    split_bold_title,
    with_lists,
)
from rulewright.imports.sources.source_site import SourcePage

_LIKE_LABEL = re.compile(r"\d+\s?[.,:]\s?\d[\w.,]*(?:\s[a-z]\b)?")
_NOTES = re.compile(
    r"\W*(?:(?:foot|end)-?notes?|notes|anmerkungen|(?:fuß|fuss|end)noten|voetnoten|remarques|notas|note)\W*",
    re.IGNORECASE,
)
_MAYBE_TITLE = re.compile(
    r"\s*((?:[A-Z][\w'’/&-]*)(?:\s+(?:[A-Z][\w'’/&-]*|of|the|and|in|to|for|or)){0,4})\.\s+[A-Z]"
)


class PageRules:
    """Walk through one page, block by block, and add the rules that begin on it to `found`."""

    def __init__(
        self, page: SourcePage, found: ImportedBook, chapter: RuleNode | None, plain: Block | None = None
    ) -> None:
        self.page, self.dialect, self.found = page, found.dialect, found
        self.plain = plain  # a heading whose number is none
        self.stack: list[tuple[int, RuleNode]] = [(0, chapter)] if chapter else []
        self.node: RuleNode | None = chapter
        self.part = self.begin_part([], 0, 1) if chapter else None
        self.note: ImportedNote | None = None
        self.waits = False  # the open note ends with a colon: a list behind it belongs to it
        self.slanted = False  # the open note is in italics as a whole
        self.of_notes = False  # behind a heading or line such as Notes, (1) is the sign of one
        self.behind = False  # items of the rule have been read: what follows closes it
        self.last_bold = ""  # a short bold paragraph, which may be the title of a table behind it
        self.before: list[Block] = []  # what stands in front of the page's first rule

    def take(self, blocks: Sequence[Block]) -> None:
        def takes_one() -> bool:
            return self.node is not None and self.is_item(self.node, "1")

        for block in with_lists(blocks, takes_one):
            if isinstance(block, PageHeading):
                self.heading(block)
            elif self.node is None and isinstance(block, PageList | Admonition) and _holds_rules(block):
                self.take(
                    block.blocks
                    if isinstance(block, Admonition)
                    else [b for i in block.items for b in _with_marker(i)]
                )
            elif self.node is None and not (isinstance(block, PageParagraph) and self.label_of(block)):
                self.before.append(block)
            elif isinstance(block, PageParagraph):
                self.paragraph(block)
            elif isinstance(block, PageList):
                self.listing(block)
            elif isinstance(block, PageTable) and (notice := self.notice(block)):
                self.read_admonition(notice)
            elif isinstance(block, PageTable):
                self.end_note()
                part = self.part_for(block.line)
                assert self.node
                self.node.grids.append((block, self.last_bold, part, len(part.lines)))
            elif isinstance(block, Admonition):
                self.read_admonition(block)
            self.address(block, self.node)

    def address(self, block: Block, node: RuleNode | None) -> None:
        """Enter the addresses of a block, and of all in it, as those of a rule, unless they are another's."""
        for one in iter_blocks([block]):
            for _, name in () if isinstance(one, PageList | Admonition) else one.ids:
                if node:
                    self.found.anchors.setdefault((self.page.name, name), node)

    # Headings

    def heading(self, block: PageHeading) -> None:
        self.end_note()
        self.last_bold = pieces_text(block.pieces)
        label = parse_opening_label(pieces_text(block.pieces), self.dialect)
        label = label if label and block.opens and block is not self.plain and self.is_in_row(label) else None
        self.of_notes = bool(_NOTES.fullmatch(pieces_text(block.pieces)))
        if label is None:
            self.malformed(pieces_text(block.pieces), block.line)
        around = self.stack[0] if self.stack else (block.level, None)
        titles = [self.page.title.casefold(), pieces_text(around[1].title if around[1] else ()).casefold()]
        # A single number is a chapter's only where none is open, or where rules lie in it.
        inside = self.found.inside if not self.found.titled else ()
        is_top = not around[1] or 0 < block.level <= around[0]
        if label and (len(label.number.labels) > 1 or is_top or label.number.labels[0] in inside):
            self.numbered(block, label)
        elif pieces_text(block.pieces).casefold() in titles:
            self.turn(block.line, pieces_text(block.pieces), "", "a heading that says the page's title again")
            if self.node is None:
                return
        elif self.node is None:
            self.before.append(block)
            return
        else:
            while len(self.stack) > 1 and self.stack[-1][0] >= block.level:
                self.stack.pop()
            self.node = self.stack[-1][1] if self.stack else self.node
            self.part = self.begin_part(strip_pieces(block.pieces), block.level, block.line)
            # Behind rules inside of it.
            self.part.closing = self.found.nodes[-1] is not self.node or bool(self.node.rules)
        assert self.node
        self.found.anchors[self.page.name, block.anchor] = self.node

    def numbered(self, block: PageHeading, label: OpeningLabel) -> None:
        text = "".join(p.text for p in block.pieces if not p.picture)
        again = parse_opening_label(text, self.dialect)
        node = self.begin(label, pieces_after(block.pieces, again.end) if again else [], block.line)
        if node.key == (self.stack[0][1].key if self.stack else "") and self.stack[0][0] == 0:
            # The page's title said in a heading as well: one rule.
            self.found.nodes.pop()
            self.turn(block.line, pieces_text(block.pieces), "", "a heading that says the page's title again")
            self.node = self.stack[0][1]
            self.part = self.node.parts[0]
            return
        self.note_redundant_word(text, label, block.line)
        while self.stack and self.stack[-1][0] >= block.level:
            self.stack.pop()
        self.stack.append((block.level, node))

    def note_redundant_word(self, text: str, label: OpeningLabel, line: int) -> None:
        """Enter the word in front of a label, as in `Rule 12.5`, which its number makes needless."""
        before = text[: max(text.rfind(label.printed, 0, label.end + 1), 0)].strip(" \n[(")
        if before:
            self.turn(line, before, "", "the word in front of a number")

    def begin(self, label: OpeningLabel, title: list[TextPiece], line: int) -> RuleNode:
        """Begin a rule: what follows belongs to it."""
        self.end_note()
        self.of_notes = False
        pictures = [piece for piece in title if piece.picture]
        title = bare_title([piece for piece in title if not piece.picture])
        node = RuleNode(label.number, label.printed, self.page, line, title)
        self.found.nodes.append(node)
        self.found.keys.add(node.key)
        self.node, self.behind = node, False
        self.part = self.begin_part([], 0, line)
        if pictures:  # a title is words alone
            self.part.lines.append(RuleLine(pictures, line))
        return node

    def begin_part(self, title: list[TextPiece], level: int, line: int) -> Subsection:
        assert self.node
        part = Subsection(title, level, line)
        self.node.parts.append(part)
        return part

    def label_of(self, block: PageParagraph) -> OpeningLabel | None:
        """The label of the rule that a paragraph begins."""
        pieces = strip_pieces([p for p in block.pieces if not p.picture])
        bold = "".join(p.text for p in takewhile(lambda piece: piece.bold and not piece.link, pieces))
        text = "".join(p.text for p in pieces)
        label = parse_opening_label(bold if bold.strip() else text, self.dialect) if block.opens else None
        if not label or not self.belongs(label):
            return None
        is_cited = label.number.key in self.found.keys and not bold[label.end :].strip()
        return None if is_cited and text[len(bold) :].lstrip()[:1].islower() else label

    def malformed(self, words: str, line: int) -> bool:
        """Tell of words that open with what looks like a label and is none, and whether they do."""
        m = _LIKE_LABEL.match(words)
        if not m or self.dialect.parse_number(m.group().rstrip(".,:")):
            return False
        bare = re.sub(r"\s", "", m.group()).replace(",", ".").rstrip(".")
        meant = self.dialect.parse_number(bare) or self.dialect.parse_number(bare.lower())
        hint = f"; is {meant.key} meant?" if meant else ""
        self.guess(line, f"“{m.group()}” looks like a number of a rule and is written as none{hint}")
        return True

    def later_label(self, pieces: list[TextPiece]) -> int:
        """Where in a paragraph another rule begins, with a bold label behind a sentence; else 0."""
        at, last = 0, ""
        for piece in pieces:
            if piece.bold and not piece.link and last in (".", "!", "?", ")", ":"):
                label = parse_opening_label(piece.text, self.dialect, least=2)
                fresh = self.belongs(label) and label.number.key not in self.found.keys if label else False
                if label and fresh and piece.text[label.end :].strip():
                    return at
            at += len(piece.text)
            last = piece.text.rstrip()[-1:] or last
        return 0

    def belongs(self, label: OpeningLabel) -> bool:
        """Whether a label is of the chapter of the page, or of the last heading with a number."""
        around = [node.number for _, node in (*self.stack[:1], *self.stack[-1:]) if node.number]
        is_chapter = len(label.number.labels) == 1
        return (
            is_chapter or not around or any(label.number.labels[0] == number.labels[0] for number in around)
        )

    def is_in_row(self, label: OpeningLabel) -> bool:
        """Whether a chapter of a further row goes on with it or has rules: “A Note” opens with no number."""
        number, keys = label.number, self.found.keys
        before = self.dialect.sibling(number, number.ordinals[-1] - 1)
        is_one_of_row = number.labels[0] in self.found.inside or (before is not None and before.key in keys)
        return number.family == 0 or len(number.labels) > 1 or is_one_of_row

    def turn(self, line: int, was: str, now: str, what: str) -> None:
        self.found.report.note_changed(self.page, line, was, now, what)

    def guess(self, line: int, message: str) -> None:
        self.found.report.note_guess(self.page, line, message)

    def end_note(self) -> None:
        self.note, self.waits, self.slanted = None, False, False

    # Paragraphs

    def paragraph(self, block: PageParagraph) -> None:
        pieces, line = strip_pieces(block.pieces), block.line
        if not pieces_text(pieces):  # pictures that stand by themselves: behind a note they belong to it
            if pieces:
                self.note.lines.append(RuleLine(pieces, line)) if self.note else self.put(pieces, line)
            return
        if at := self.later_label(pieces):
            before, after = replace(block, pieces=pieces).split_at(at)
            self.paragraph(before)
            self.guess(
                after.line, f"“{pieces_text(after.pieces[:1])}” begins a rule in the middle of a paragraph"
            )
            self.paragraph(after)
        elif found := self.label_of(block):
            self.labelled(pieces, found, line)
        elif self.malformed(pieces_text([p for p in pieces if p.bold][:1]), line):
            self.put(pieces, line)
        elif (note := note_lead(pieces)) or (self.note and self.slanted and is_italic(pieces)):
            self.in_note(pieces, note, line)
        else:
            self.end_note()
            self.put(pieces, line)
            self.of_notes = self.of_notes or bool(_NOTES.fullmatch(pieces_text(pieces)))
        self.last_bold = (
            pieces_text(pieces) if all(p.bold for p in pieces) and len(pieces_text(pieces)) < 80 else ""
        )

    def put(self, pieces: list[TextPiece], line: int) -> None:
        self.part_for(line).lines.append(RuleLine(pieces, line))

    def part_for(self, line: int) -> Subsection:
        """The part that is written to: behind the rule's items, where it has some and they are done."""
        assert self.part
        if self.behind and not self.part.closing:
            self.part = self.begin_part([], 0, line)
            self.part.closing = True
        return self.part

    def labelled(self, pieces: list[TextPiece], label: OpeningLabel, line: int) -> None:
        """Begin a rule with a paragraph: its title is in bold behind the label, and ends like one."""
        was_bold = pieces[0].bold
        self.note_redundant_word("".join(p.text for p in pieces), label, line)
        title, text = split_bold_title(pieces_after(pieces, label.end))
        node = self.begin(label, title, line)
        if len(label.number.labels) == 1:
            self.stack = [(1, node)]
        if not was_bold:
            self.guess(line, f"{label.printed} opens a paragraph and comes next, so it is taken for a rule")
        words = pieces_text(text)
        if not title and (m := _MAYBE_TITLE.match(words)):
            what = f"“{m[1]}” may be its title; on the page it does not stand out from the text."
            node.comments.append(what)
            self.guess(line, f"{label.printed}: “{m[1]}” may be its title, and is left in its text")
        if text:
            self.put(text, line)

    # Notes

    def in_note(self, pieces: list[TextPiece], note: tuple[str, str, int] | None, line: int) -> None:
        """Take a paragraph of a note; `note`: it begins one."""
        assert self.node
        self.slanted = is_italic(pieces)
        if note:
            kind, words, end = note
            if is_plain(words):
                self.turn(line, words, "", f"kind: {kind}")
                pieces = pieces_after(pieces, end)
            else:
                self.guess(line, f"“{words}” is taken for a note of the kind {kind}; its words are kept")
            self.note = ImportedNote(kind, [], line)
            self.node.notes.append(self.note)
        assert self.note
        self.waits = not pieces or pieces_text(pieces).endswith(":")
        if is_italic(pieces):  # what was upright in it is in italics now
            pieces = [replace(p, italic=not p.italic and p.text.strip().isalpha()) for p in pieces]
        if pieces:
            self.note.lines.append(RuleLine(pieces, line))

    def read_admonition(self, block: Admonition) -> None:
        """Take an aside: a note of the kind that it or its first words say, or just a quote."""
        assert self.node
        self.end_note()
        kind = note_kind(block.kind) or ("important" if block.kind else None)
        first = block.blocks[0] if block.blocks else None
        if isinstance(first, PageParagraph) and (note := note_lead(first.pieces)):
            self.in_note(first.pieces, note, first.line)
            inner: Sequence[Block] = block.blocks[1:]
        elif kind and block.kind != "quote":
            self.note = ImportedNote(kind, [], block.line)
            self.node.notes.append(self.note)
            inner = block.blocks
        else:
            self.take(block.blocks)
            return
        for one in inner:
            if isinstance(one, PageParagraph) and self.note:
                if pieces := strip_pieces(one.pieces):
                    self.note.lines.append(RuleLine(pieces, one.line))
            elif isinstance(one, PageList) and self.note:
                self.note.lines += self.lines(one, 1)
            else:
                self.take([one])
        self.end_note()

    def notice(self, block: PageTable) -> Admonition | None:
        """The note that a table of one cell is, or of a word such as Note and a cell behind it."""
        cells = [cell for row in block.rows for cell in row]
        spoken = [cell for cell in cells if pieces_text(cell.pieces)]
        lead = pieces_text(spoken[0].pieces).rstrip(":. ") if spoken else ""
        kind = note_kind(lead) if len(spoken) == 2 and lead.count(" ") < 2 else None
        if block.caption or not (kind or (len(spoken) == 1 and len(cells) < 5)):
            return None
        icons = " ".join(p.text for cell in cells if cell not in spoken for p in cell.pieces)
        if kind or icons.strip():
            self.turn(block.line, f"{icons} {lead if kind else ''}", "", f"kind: {kind or 'important'}")
        return Admonition(kind or "note", [PageParagraph(spoken[-1].pieces, block.line)], block.line)

    # Lists

    def listing(self, block: PageList) -> None:
        """Take a list: the sequence of play, items of a rule with letters, lettered rules, or plain items."""
        assert self.node
        assert self.part
        heading = pieces_text(self.part.title) or pieces_text(self.node.title)
        if is_outline(block, heading) and not any(node.outline for node in self.found.nodes):
            self.node.outline, self.node.shows = block, "sequence"
            return
        if self.note and (self.waits or self.slanted):
            self.note.lines += self.lines(block, 1)
            return
        self.end_note()
        opens = any(_holds_rules(one) for item in block.items for one in item.blocks[:1])
        if not opens and not self.of_notes and self.items(block, self.node):
            return
        if opens or _holds_rules(block):
            for item in block.items:
                if any(map(_holds_rules, item.blocks)):
                    self.take(_with_marker(item))
                else:
                    self.listing(replace(block, items=[item]))
        else:
            for line in self.lines(block, 1):
                self.part_for(line.line).lines.append(line)

    def items(self, block: PageList, node: RuleNode) -> bool:
        """Whether a list holds the items of a rule, `A)`, `B)` …; if so they are rules inside it now."""
        labels = [item_of(item) for item in block.items]
        names = [label for label, _ in filter(None, labels)]
        sort = ascending_label_type(names) if len(names) == len(labels) else None
        taken = {inner.item for inner in node.rules}
        if not sort or (node.number is None and not node.item) or taken.intersection(names):
            return False
        is_number = sort == "1" and self.is_item(node, "1")
        if len(names) < 2 and not taken and sort != "A" and not is_number:
            return False
        if self.found.is_scheme_fixed and not self.is_item(node, names[0]):
            what = f"items like {names[0]}) stay in the text: no number of the book is written so"
            self.guess(block.line, what)
            return False
        for item, label in zip(block.items, labels, strict=True):
            assert label
            self.item(item, label[0], label[1], node)
        if node is self.node:
            self.behind = True
        return True

    def is_item(self, node: RuleNode, label: str) -> bool:
        """Whether a number of the book is written as that of an item of a rule."""
        return (
            self.dialect.parse_number(f"{base_of(node.printed, node.number, self.dialect)}({label})")
            is not None
        )

    def item(self, item: PageListItem, label: str, end: int, node: RuleNode) -> None:
        """One item as a rule inside another; what stands in it is read as all else on the page."""
        first = item.blocks[0]
        assert isinstance(first, PageParagraph)
        title, text = split_bold_title(pieces_after(first.pieces, end))
        around = base_of(node.printed, node.number, self.dialect)
        made = RuleNode(None, f"{around}({label})", self.page, item.line, bare_title(title), item=label)
        node.rules.append(made)
        self.turn(item.line, label, made.printed, "an item with a number of its own")
        self.address(first, made)
        inner = PageRules(self.page, self.found, made, self.plain)
        inner.stack = self.stack
        if text:
            inner.put(text, item.line)
        inner.take(item.blocks[1:])

    def lines(self, block: PageList, depth: int) -> list[RuleLine]:
        """The items of a list as lines, with those of the lists inside them."""
        made: list[RuleLine] = []
        for item in block.items:
            bullet = f"{item.marker.rstrip('.)')}. " if item.marker else "- "
            fresh = True
            for inner in item.blocks:
                if isinstance(inner, PageParagraph):
                    pieces = strip_pieces(inner.pieces)
                    if pieces and fresh:
                        made.append(RuleLine(pieces, inner.line, bullet, depth, depth == 1 and not made))
                    elif pieces:  # prose has one paragraph an item
                        made[-1].pieces += [TextPiece(" ", inner.line), *pieces]
                    fresh = fresh and not pieces
                elif isinstance(inner, PageList):
                    if fresh:
                        made.append(RuleLine([], inner.line, bullet, depth))
                        fresh = False
                    made += self.lines(inner, depth + 1)
                else:
                    self.take([inner])
        return [line for line in made if line.pieces]


def _with_marker(item: PageListItem) -> Sequence[Block]:
    """The blocks of an item behind its number, which they have no place for."""
    if not item.marker:
        return item.blocks
    first = item.blocks[0]
    marker = TextPiece(f"{item.marker} ", item.line)
    if isinstance(first, PageParagraph) and not first.opens:
        return [replace(first, pieces=[marker, *first.pieces]), *item.blocks[1:]]
    return [PageParagraph([marker], item.line), *item.blocks]


def _holds_rules(block: Block) -> bool:
    return any(isinstance(one, PageHeading | PageParagraph) and one.opens for one in iter_blocks([block]))
