"""Third stage of an import: each label opens a rule, and what follows it is the text of that rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rulewright.imports.blocks import Notes, SourceBlock, after, cut_block, plain
from rulewright.imports.book import BOLD_LEVEL, Book, ImportedRule
from rulewright.imports.labels import Candidate, Labels, contents_heading, parse_printed
from rulewright.imports.notes import split_notes
from rulewright.imports.rule_items import open_items_of, with_item_examples
from rulewright.imports.rule_titles import NOT_LAST, split_titles
from rulewright.imports.sources.source_site import SourcePage
from rulewright.imports.steps import is_outline
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.scheme_detection import Numbering

_CONTENTS = "a list of contents"

Piece = tuple[SourceBlock, Candidate | None]
"""A block, and the label that it begins with."""


def build_book(blocks: Sequence[SourceBlock], labels: Labels, numbering: Numbering, report: Notes) -> Book:
    """Return the book that the labels of a source make of its blocks."""
    builder = _TreeBuilder(numbering, report, is_document=len({block.page for block in blocks}) == 1)
    pieces = [*_cut_at_labels(blocks, labels, report)]
    for page, group in groupby(pieces, key=lambda piece: piece[0].page):
        builder.add_page(page, list(group))
    rules = [rule for chapter in builder.chapters for rule in chapter.walk()]
    split_titles(rules)
    for rule in rules:
        open_items_of(rule, builder.scheme, report, is_fixed=bool(numbering.declared_scheme))
    rules = [rule for chapter in builder.chapters for rule in chapter.walk()]
    numbering = with_item_examples(numbering, rules)
    scheme = numbering.scheme()
    for rule in rules:
        rule.number = scheme.parse_number(rule.printed)
        for block in (*rule.blocks, *rule.closing):
            builder.addresses |= {(block.page.name, name): rule for name in block.ids}
    any(map(_take_steps, rules))
    for rule in rules:
        rule.blocks, rule.notes = split_notes(rule.blocks, report)
        rule.closing, notes = split_notes(rule.closing, report)
        rule.notes += notes
    rule_keys: dict[tuple[str, str], str] = {}
    for place, rule_there in builder.addresses.items():
        rule_keys[place] = rule_there.key if rule_there else ""
    page_keys = {name: path[-1].key for name, path in builder.page_paths.items()}
    parts = (builder.title, builder.chapters, builder.pages, rule_keys, page_keys)
    return Book(numbering, scheme, *parts)


class _TreeBuilder:
    """Builds the rules page by page. `is_document`: the only page is a document with the book's title."""

    def __init__(self, numbering: Numbering, report: Notes, *, is_document: bool) -> None:
        self.scheme, self.report, self.is_document = numbering.scheme(), report, is_document
        self.chapters: list[ImportedRule] = []
        self.by_key: dict[str, ImportedRule] = {}
        self.path: list[ImportedRule] = []
        self.addresses: dict[tuple[str, str], ImportedRule | None] = {}
        self.page_paths: dict[str, Sequence[ImportedRule]] = {}
        self.pages: dict[SourcePage, list[SourceBlock]] = {}
        self.title = ""

    def add_page(self, page: SourcePage, pieces: Sequence[Piece]) -> None:
        """Add the rules of a page, or the page itself if it has none."""
        chapters = {label.key[0] for _, label in pieces if label}
        is_whole_book = self.is_document and not page.default_title
        start = next((index for index, (_, label) in enumerate(pieces) if label), len(pieces))
        front = [piece for piece, _ in pieces[:start]]
        title = front.pop(0) if front and self.is_title(front[0], is_whole_book=is_whole_book) else None
        self.path = []
        page_title = title if len(chapters) == 1 and not is_whole_book else None
        for piece, label in pieces[start:]:
            if label:
                self.open_rule(label, piece, page_title, front)
            else:
                self.add(piece)
        self.end_page(page, title, front, is_whole_book=is_whole_book)

    def is_title(self, piece: SourceBlock, *, is_whole_book: bool) -> bool:
        """Return whether the first block in front of the rules of a page is its title."""
        words, is_heading = plain(piece.runs), piece.kind == "heading"
        is_line = piece.kind == "paragraph" and len(words) < 60 and not NOT_LAST.search(words)
        if is_whole_book:
            return bool(words) and (is_heading or is_line)
        return is_heading and (piece.level == 0 or words == piece.page.title)

    # Rules

    def open_rule(
        self, label: Candidate, piece: SourceBlock, title: SourceBlock | None, front: list[SourceBlock]
    ) -> None:
        """Open the rule that a label names, inside the rule that its number continues."""
        printed = parse_printed(label.printed, self.scheme)
        number = self.scheme.parse_number(printed)
        if number is None or number.key in self.by_key:
            self.report.guess(piece, f"{label.printed} is no rule of its own; it stays in the text")
            self.add(piece)
            return
        rule = ImportedRule(
            number,
            printed,
            piece.page,
            piece.line,
            piece.level if label.is_heading else BOLD_LEVEL,
            piece.depth,
            replace(piece, runs=after(piece.runs, label.end - label.start)),
            label.strong,
        )
        rules_above = (self.by_key.get(above.key) for above in self.scheme.ancestors(number))
        path = [above for above in rules_above if above][::-1]
        if not path and len(number.labels) > 1:
            path = [self.add_chapter(piece, number, title, front)]
        if label.word and not printed.startswith(label.word):
            self.report.leave_out(piece, label.word, "the word in front of a number")
        if label.printed not in piece.text:  # with the part before it: II.1
            self.report.added.append(label.printed.partition(".")[0])
        if label.strong and label.start:
            message = f"{label.printed} begins a rule in the middle of a paragraph"
            self.report.guess(piece, message)
        (path[-1].rules if path else self.chapters).append(rule)
        self.by_key[number.key] = rule
        self.path = [*path, rule]
        self.page_paths.setdefault(piece.page.name, self.path)
        self.address(piece, rule)

    def add_chapter(
        self, first: SourceBlock, number: RuleNumber, title: SourceBlock | None, front: list[SourceBlock]
    ) -> ImportedRule:
        """Return a chapter that only its rules name. Its title is that of its page, or the heading above."""
        chapter = self.scheme.chapter(number.labels[0], number.shape) or number
        rule = ImportedRule(chapter, chapter.key, first.page, 1, 1)
        above = front
        if self.path:
            above = self.path[-1].closing or self.path[-1].blocks
        if title is None and above and above[-1].kind == "heading" and above[-1].page is first.page:
            title = above.pop()
        if title is not None:
            rule.title = title.runs
            self.addresses |= {(title.page.name, name): rule for name in title.ids}
        message = f"no page has the chapter {chapter.key}; its rules say that it is there"
        self.report.guess(first, message)
        self.report.added.append(chapter.key)
        self.by_key[chapter.key] = rule
        self.chapters.append(rule)
        return rule

    # Text

    def add(self, piece: SourceBlock) -> None:
        """Add a block to the open rule, or to a rule around it if it is outside of that rule's list."""
        if not self.path:
            return
        if piece.kind == "heading":
            while len(self.path) > 1 and self.path[-1].level >= piece.level:
                self.path.pop()
        while len(self.path) > 1 and piece.depth < self.path[-1].depth:
            self.path.pop()
        rule = self.path[-1]
        (rule.closing if rule.rules else rule.blocks).append(piece)
        self.address(piece, rule)

    def address(self, piece: SourceBlock, rule: ImportedRule | None) -> None:
        for name in piece.ids:
            self.addresses.setdefault((piece.page.name, name), rule)

    def end_page(
        self, page: SourcePage, title: SourceBlock | None, front: list[SourceBlock], *, is_whole_book: bool
    ) -> None:
        """Put what is in front of the first rule of a page at the head of its chapter."""
        blocks = [title, *front] if title else front
        path = self.page_paths.get(page.name, ())
        chapter = path[0] if path else None
        for piece in blocks:
            self.address(piece, chapter)
        if chapter is None:
            is_file_name = title and not title.level and not page.own_title
            if blocks := blocks[bool(is_file_name) :]:
                self.pages[page] = blocks
            return
        if title and title.runs and title.runs != chapter.title:
            words, reason = plain(title.runs), "the title of a page whose rules have their own"
            if is_whole_book:
                self.title, reason = words, "the title of the book"
            self.report.leave_out(title, words, reason)
        if front:
            message = f"the text in front of {path[-1].printed} is put at the head of its chapter"
            self.report.guess(front[0], message)
            chapter.blocks[:0] = front


def _cut_at_labels(blocks: Sequence[SourceBlock], labels: Labels, report: Notes) -> Iterator[Piece]:
    """Yield blocks cut so that each label begins a block, without lists of contents."""
    marks: dict[int, list[Candidate]] = {}
    for label in sorted((*labels.labels, *labels.contents), key=lambda label: label.start):
        marks.setdefault(label.index, []).append(label)
    for index, block in enumerate(blocks):
        rest, offset = block, 0
        opened: Candidate | None = None
        for label in marks.get(index, ()):
            if label.start > offset:
                piece, rest = cut_block(rest, label.start - offset)
                yield from _without_contents(piece, opened, labels, report)
                offset = len(block.text.rstrip()) - len(rest.text)
            opened = label
        yield from _without_contents(rest, opened, labels, report)


def _without_contents(
    piece: SourceBlock, label: Candidate | None, labels: Labels, report: Notes
) -> Iterator[Piece]:
    """Yield a piece unless it is an entry or the heading of a list of contents."""
    if (label and not label.key) or (not label and labels.contents and contents_heading(piece)):
        report.leave_out(piece, plain(piece.runs), _CONTENTS)
    else:
        yield piece, label


def _take_steps(rule: ImportedRule) -> bool:
    """Take the first list that is the sequence of play out of the text of a rule, if it has one."""
    heading, start = plain(rule.title), 0
    for is_list, group in groupby(rule.blocks, lambda block: block.depth > 0 and block.kind != "table"):
        items = list(group)
        if is_list and is_outline(items, heading):
            rule.steps = items
            del rule.blocks[start : start + len(items)]
            return True
        start += len(items)
        heading = next((plain(block.runs) for block in reversed(items) if block.kind == "heading"), heading)
    return False
