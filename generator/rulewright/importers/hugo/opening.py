"""Where on a page a rule begins: at a heading with a number, or at a label that opens a paragraph."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.importers.hugo.blocks import Block, Heading, Listing, Piece, behind, said, trimmed
from rulewright.importers.hugo.found import Found, Line, Node, Note, Part, Turned
from rulewright.importers.hugo.items import bare_title
from rulewright.importers.hugo.numbering import Labelled, labelled
from rulewright.importers.hugo.site import Page
from rulewright.importers.hugo.slugs import Slugs
from rulewright.numbers.dialect import Dialect

_LIKE_LABEL = re.compile(r"\d+\s?[.,:]\s?\d[\w.,]*(?:\s[a-z]\b)?")


class Opening:
    """One page gone through: which rule is open, and which begins next. What is found is added to `found`.

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
        self.node: Node | None = chapter
        self.part = self.begin_part([], 0, 1) if chapter else None
        self.note: Note | None = None
        self.waits = False  # the open note ends with a colon: a list behind it belongs to it
        self.slanted = False  # the open note is in italics as a whole
        self.behind = False  # items of the rule have been read: what follows closes it
        self.last_bold = ""  # a short bold paragraph, which may be the title of a table behind it
        self.before: list[Block] = []  # what stands in front of the page's first rule

    def heading(self, block: Heading) -> None:
        anchor = self.slugs.heading(block.source, block.underlined)[1]
        self.end_note()
        self.last_bold = said(block.pieces)
        label = labelled(said(block.pieces), self.dialect)
        if label is None:
            self.malformed(said(block.pieces), block.line)
        if label and self.is_rule(label, block.level):
            self.numbered(block, label)
        elif self.says_title(said(block.pieces).casefold()):
            self.turn(block.line, said(block.pieces), "", "a heading that says the page's title again")
            if self.node is None:
                return
        elif self.node is None:
            self.before.append(block)
            return
        else:
            while len(self.stack) > 1 and self.stack[-1][0] >= block.level:
                self.stack.pop()
            self.node = self.stack[-1][1] if self.stack else self.node
            self.part = self.begin_part(trimmed(block.pieces), block.level, block.line)
            self.part.closing = self.has_inner(self.node)
        assert self.node
        self.found.anchors[self.page.name, anchor] = self.node

    def says_title(self, words: str) -> bool:
        """Whether a heading says the title of the page, or of its first rule, again."""
        first = said(self.stack[0][1].title) if self.stack else ""
        return words in (self.page.title.casefold(), first.casefold())

    def is_rule(self, label: Labelled, level: int) -> bool:
        """Whether a heading's label is a rule's: a single number is a chapter's only where none is open."""
        around = self.stack[0] if self.stack else None
        return len(label.number.labels) > 1 or around is None or (level <= around[0] and level > 0)

    def numbered(self, block: Heading, label: Labelled) -> None:
        text = "".join(p.text for p in block.pieces if not p.picture)
        again = labelled(text, self.dialect)
        self.named(text, label, block.line)
        node = self.begin(label, behind(block.pieces, again.end) if again else [], block.line)
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
        pictures = [piece for piece in title if piece.picture]
        title = bare_title([piece for piece in title if not piece.picture])
        node = Node(label.number, label.printed, self.page, line, title)
        self.found.nodes.append(node)
        self.found.keys.add(node.key)
        self.node, self.behind = node, False
        self.part = self.begin_part([], 0, line)
        if pictures:  # a title is words alone
            self.part.lines.append(Line(pictures, line))
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
        """Whether words open with what looks like a label and is none; that is told, with what may be
        meant."""
        m = _LIKE_LABEL.match(words)
        if not m or self.dialect.parse(m.group().rstrip(".,:")):
            return False
        bare = re.sub(r"\s", "", m.group()).replace(",", ".").rstrip(".")
        meant = self.dialect.parse(bare) or self.dialect.parse(bare.lower())
        hint = f"; is {meant.key} meant?" if meant else ""
        self.guess(line, f"“{m.group()}” looks like a number of a rule and is written as none{hint}")
        return True

    def later_label(self, pieces: list[Piece]) -> int:
        """Where in a paragraph another rule begins: its label is in bold behind a sentence; 0 where none
        does."""
        at, last = 0, ""
        for piece in pieces:
            if piece.bold and not piece.link and last in (".", "!", "?", ")", ":"):
                label = labelled(piece.text, self.dialect, least=2)
                fresh = self.belongs(label) and label.number.key not in self.found.keys if label else False
                if label and fresh and piece.text[label.end :].strip():
                    return at
            at += len(piece.text)
            last = piece.text.rstrip()[-1:] or last
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

    def turn(self, line: int, was: str, now: str, what: str) -> None:
        self.found.turned.append(Turned(self.page, line, was, now, what))

    def guess(self, line: int, message: str) -> None:
        self.found.guesses.append((self.page, line, message))

    def end_note(self) -> None:
        self.note, self.waits, self.slanted = None, False, False
