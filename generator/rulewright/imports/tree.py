"""Third stage of an import: each label opens a rule, and what follows it is the text of that rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from rulewright.imports.blocks import Notes, Run, SourceBlock, after, cut_block, plain
from rulewright.imports.book import BOLD_LEVEL, Book, ImportedRule, Numbering
from rulewright.imports.labels import Candidate, Labels, contents_heading, parse_printed
from rulewright.imports.notes import split_exception, split_notes
from rulewright.imports.rule_items import open_items_of, with_item_examples
from rulewright.imports.rule_titles import NOT_LAST, split_titles
from rulewright.imports.sources.source_site import SourcePage
from rulewright.imports.steps import is_outline
from rulewright.numbering.numbering_scheme import RuleNumber

_CONTENTS = "a list of contents"


def build_book(blocks: Sequence[SourceBlock], labels: Labels, numbering: Numbering, report: Notes) -> Book:
    """Return the book that the labels of a source make of its blocks."""
    builder = _TreeBuilder(blocks, labels, numbering, report)
    builder.build()
    rules = [rule for chapter in builder.chapters for rule in chapter.walk()]
    split_titles(rules, report)
    for rule in rules:
        open_items_of(rule, builder.scheme, report, is_fixed=numbering.is_fixed)
    numbering = with_item_examples(numbering, builder.chapters)
    scheme = numbering.scheme()
    book = Book(numbering, scheme, builder.title, builder.chapters, builder.pages, {}, {}, builder.headings)
    for rule in book.rules():
        rule.number = scheme.parse_number(rule.printed) or rule.number
        for block in (*rule.blocks, *rule.closing) if rule.item else ():
            builder.addresses |= {(block.page.name, name): rule for _, name in block.ids}
    has_steps: list[str] = []
    for chapter in builder.chapters:
        _split_text(chapter, report, has_steps, "")
    return replace(
        book,
        rule_keys={place: rule.key for place, rule in builder.addresses.items()},
        page_keys={name: rule.key for name, rule in builder.page_rules.items()},
    )


class _TreeBuilder:
    def __init__(
        self, blocks: Sequence[SourceBlock], labels: Labels, numbering: Numbering, report: Notes
    ) -> None:
        self.blocks, self.scheme, self.report = blocks, numbering.scheme(), report
        self.pieces = _cut_at_labels(blocks, labels)
        self.has_contents = bool(labels.contents)
        self.chapters: list[ImportedRule] = []
        self.by_key: dict[str, ImportedRule] = {}
        self.path: list[ImportedRule] = []
        self.addresses: dict[tuple[str, str], ImportedRule] = {}
        self.headings: dict[tuple[str, str], str] = {}
        self.page_rules: dict[str, ImportedRule] = {}
        self.pages: dict[SourcePage, list[SourceBlock]] = {}
        self.title = ""
        self.front: list[SourceBlock] = []
        self.page_title: SourceBlock | None = None

    def build(self) -> None:
        labelled = {piece.page.name for piece, label in self.pieces if isinstance(label, Candidate)}
        page: SourcePage | None = None
        for piece, label in self.pieces:
            if piece.page is not page:
                self.end_front()
                page = piece.page
                self.path = [] if page.name in labelled else self.path[:1]
            if piece.anchor:
                self.headings[page.name, piece.anchor] = plain(piece.runs)
            if page.name not in labelled:
                if piece.kind != "heading" or piece.level or page.own_title:
                    self.pages.setdefault(page, []).append(piece)
            elif label == _CONTENTS or (self.has_contents and contents_heading(piece)):
                self.report.leave_out(page, piece.line, plain(piece.runs), _CONTENTS)
            elif isinstance(label, Candidate):
                self.open_rule(label, piece)
            else:
                self.add(piece)
        self.end_front()

    # Rules

    def open_rule(self, label: Candidate, piece: SourceBlock) -> None:
        """Open the rule that a label names, inside the rule that its number continues."""
        printed = parse_printed(label.printed, self.scheme)
        number = self.scheme.parse_number(printed)
        if number is None or number.key in self.by_key:
            message = f"{label.printed} is no rule of its own; it stays in the text"
            self.report.guess(piece.page, piece.line, message)
            self.add(piece)
            return
        rule = ImportedRule(
            number,
            printed,
            piece.page,
            label.line_number,
            piece.level if label.is_heading else BOLD_LEVEL,
            piece.depth,
            replace(piece, runs=after(piece.runs, label.end - label.start)),
            label.strong,
        )
        path = self.path_to(number)
        if not path and len(number.labels) > 1:
            path = [self.add_chapter(rule, number)]
        if label.word and not printed.startswith(label.word):
            self.report.leave_out(piece.page, piece.line, label.word, "the word in front of a number")
        if label.printed not in piece.text:  # with the part before it: II.1
            self.report.added.append(label.printed.partition(".")[0])
        if label.strong and label.start:
            words = plain(takewhile(lambda run: run.strong, piece.runs))
            message = f"“{words}” begins a rule in the middle of a paragraph"
            self.report.guess(piece.page, label.line_number, message)
        (path[-1].rules if path else self.chapters).append(rule)
        self.by_key[number.key] = rule
        self.path = [*path, rule]
        self.page_rules.setdefault(piece.page.name, rule)
        self.address(piece, rule)

    def path_to(self, number: RuleNumber) -> list[ImportedRule]:
        """Return the rules around a number, from the chapter to the innermost."""
        rules = (self.by_key.get(outer.key) for outer in self.scheme.ancestors(number))
        return [rule for rule in rules if rule][::-1]

    def add_chapter(self, first: ImportedRule, number: RuleNumber) -> ImportedRule:
        """Return a chapter that only its rules name. Its title is that of its page."""
        chapter = self.scheme.chapter(number.labels[0], number.shape) or number
        rule = ImportedRule(chapter, chapter.key, first.page, 1, 1)
        title = self.chapter_title(first)
        if title is not None:
            rule.title = title.runs
            self.addresses[title.page.name, title.anchor] = rule
        rule.comments.append("No page has this chapter's number; it is taken from those of its rules.")
        message = f"no page has the chapter {chapter.key}; its rules say that it is there"
        self.report.guess(first.page, 1, message)
        self.report.added.append(chapter.key)
        self.by_key[chapter.key] = rule
        self.chapters.append(rule)
        return rule

    def chapter_title(self, first: ImportedRule) -> SourceBlock | None:
        """Return the title of an unlabelled chapter: its page's, or the heading above its first rule."""
        chapters: set[str] = set()
        for piece, label in self.pieces:
            if isinstance(label, Candidate) and piece.page is first.page:
                number = self.scheme.parse_number(parse_printed(label.printed, self.scheme))
                chapters |= {number.labels[0]} if number else set()
        if self.page_title and len(chapters) == 1 and not self.is_whole_book(first.page):
            title, self.page_title = self.page_title, None
            return title
        holder = self.front
        if self.path:
            holder = self.path[-1].closing or self.path[-1].blocks
        if holder and holder[-1].kind == "heading" and holder[-1].page is first.page:
            return holder.pop()
        return None

    def is_whole_book(self, page: SourcePage) -> bool:
        """Return whether a page is a document, so that its title is the book's."""
        return not page.default_title and all(block.page is page for block in self.blocks)

    # Text

    def add(self, piece: SourceBlock) -> None:
        """Add a block to the open rule, or to a rule around it if it is outside of that rule's list."""
        if piece.page.name not in self.page_rules:
            self.add_front(piece)
            return
        chapter = self.path[0]
        if piece.kind == "heading":
            words = plain(piece.runs)
            titles = {
                piece.page.title.casefold(),
                plain(chapter.head.runs if chapter.head else ()).casefold(),
            }
            if words.casefold() in titles:
                reason = "a heading that repeats the page's title"
                self.report.leave_out(piece.page, piece.line, words, reason)
                self.address(piece, chapter)
                return
            while len(self.path) > 1 and self.path[-1].level >= piece.level:
                self.path.pop()
        while len(self.path) > 1 and piece.depth < self.path[-1].depth:
            self.path.pop()
        rule = self.path[-1]
        (rule.closing if rule.rules else rule.blocks).append(piece)
        self.address(piece, rule)

    def address(self, piece: SourceBlock, rule: ImportedRule) -> None:
        for name in (*(name for _, name in piece.ids), piece.anchor):
            if name:
                self.addresses.setdefault((piece.page.name, name), rule)

    # Blocks in front of the first rule of a page

    def add_front(self, piece: SourceBlock) -> None:
        """Add a block in front of the first rule of its page; the first may be the page's title."""
        words = plain(piece.runs)
        is_title = piece.kind == "heading" and (piece.level == 0 or words == piece.page.title)
        if self.is_whole_book(piece.page):
            is_line = piece.kind == "paragraph" and len(words) < 60 and not NOT_LAST.search(words)
            is_title = is_title or (bool(words) and (piece.kind == "heading" or is_line))
        if is_title and not self.front and self.page_title is None:
            self.page_title = piece
        else:
            self.front.append(piece)

    def end_front(self) -> None:
        """Put what is in front of the first rule of a page at the head of its chapter."""
        title, front = self.page_title, self.front
        self.front, self.page_title = [], None
        blocks = [title, *front] if title else front
        first = self.page_rules.get(blocks[0].page.name) if blocks else None
        if first and title and title.runs:
            words, reason = plain(title.runs), "the title of a page whose rules have their own"
            if self.is_whole_book(first.page):
                self.title, reason = self.title or words, "the title of the book"
            self.report.leave_out(first.page, title.line, words, reason)
        if first and first.number and front:
            chapter = [*self.path_to(first.number), first][0]
            message = f"the text in front of {first.printed} is put at the head of its chapter"
            self.report.guess(first.page, 1, message)
            chapter.blocks[:0] = front
            for piece in front:
                self.address(piece, chapter)


def _cut_at_labels(
    blocks: Sequence[SourceBlock], labels: Labels
) -> list[tuple[SourceBlock, Candidate | str | None]]:
    """Return blocks cut so that each label, and each entry of a list of contents, begins a block."""
    marks: dict[int, list[tuple[int, Candidate | str]]] = {}
    for label in labels.labels:
        marks.setdefault(label.index, []).append((label.start, label))
    for entry in labels.contents:
        marks.setdefault(entry.index, []).append((entry.start, _CONTENTS))
    pieces: list[tuple[SourceBlock, Candidate | str | None]] = []
    for index, block in enumerate(blocks):
        offset, rest = 0, block
        owner: Candidate | str | None = None
        for start, mark in sorted(marks.get(index, ()), key=lambda pair: pair[0]):
            if start > offset:
                piece, rest = cut_block(rest, start - offset)
                if piece.runs:
                    pieces.append((piece, owner))
                offset = start + len(block.text[start:]) - len(block.text[start:].lstrip())
            owner = mark
        if rest.runs or rest.rows or rest.marker or rest.anchor:
            pieces.append((rest, owner))
    return pieces


def _split_text(rule: ImportedRule, report: Notes, has_steps: list[str], outer_heading: str) -> None:
    """Split the text of a rule and of those inside it into blocks, notes and the sequence of play."""
    heading = plain(rule.title) or outer_heading
    blocks, rule.steps = _split_steps(rule.blocks, heading, has_steps)
    rule.shows = "sequence" if rule.steps else ""
    rule.blocks, rule.notes = split_notes(blocks, report)
    rule.closing, notes = split_notes(rule.closing, report)
    exception = None if rule.closing or notes else split_exception(rule.blocks, report)
    rule.notes = [*([exception] if exception else []), *rule.notes, *notes]
    for inner in rule.rules:
        _split_text(inner, report, has_steps, heading)


def _split_steps(
    blocks: Sequence[SourceBlock], heading: str, has_steps: list[str]
) -> tuple[list[SourceBlock], list[SourceBlock]]:
    """Return the blocks of a text, and the list in it that is the sequence of play."""
    text: list[SourceBlock] = []
    items: list[SourceBlock] = []
    steps: list[SourceBlock] = []
    for block in [*blocks, SourceBlock("end", (Run(""),), blocks[0].page, 0)] if blocks else ():
        if block.depth and block.kind in ("item", "paragraph") and (items or block.kind == "item"):
            items.append(block)
            continue
        if items and not has_steps and is_outline(items, heading):
            steps = items
            has_steps.append(heading)
        else:
            text += items
        items = []
        if block.kind == "heading":
            heading = plain(block.runs)
        if block.kind != "end":
            text.append(block)
    return text, steps
