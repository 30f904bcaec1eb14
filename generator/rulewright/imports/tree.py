"""Third stage of an import: each label opens a rule, and what follows it is the text of that rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from rulewright.imports.blocks import (
    Notes,
    Run,
    SourceBlock,
    after,
    cut_block,
    plain,
    raw_text,
)
from rulewright.imports.book import Book, ImportedRule, Numbering
from rulewright.imports.labels import Candidate, Labels, contents_heading, parse_printed
from rulewright.imports.notes import split_exception, split_notes
from rulewright.imports.rule_draft import BOLD_LEVEL, RuleDraft
from rulewright.imports.rule_items import open_items_of, with_item_examples
from rulewright.imports.rule_titles import NOT_LAST, split_titles
from rulewright.imports.sources.source_site import SourcePage
from rulewright.imports.steps import is_outline
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber


def build_book(blocks: Sequence[SourceBlock], labels: Labels, numbering: Numbering, report: Notes) -> Book:
    """Return the book that the labels of a source make of its blocks."""
    builder = RuleTreeBuilder(blocks, labels, numbering.scheme(), report)
    builder.build()
    drafts = [draft for chapter in builder.chapters for draft in chapter.walk()]
    split_titles(drafts, report)
    for draft in drafts:
        open_items_of(draft, builder.scheme, report, is_fixed=numbering.is_fixed)
    numbering = with_item_examples(numbering, builder.chapters)
    scheme = numbering.scheme()
    for chapter in builder.chapters:
        for draft in chapter.walk():
            draft.number = scheme.parse_number(draft.printed) or draft.number
    keys = {place: draft.key for place, draft in builder.addresses.items()}
    for chapter in builder.chapters:
        for draft in chapter.walk():
            for block in [*draft.blocks, *draft.closing]:
                if draft.item:
                    keys |= {(block.page.name, name): draft.key for _, name in block.ids}
    has_steps: list[str] = []
    return Book(
        numbering,
        scheme,
        builder.title,
        tuple(_freeze(chapter, report, has_steps, "") for chapter in builder.chapters),
        builder.pages,
        keys,
        {name: draft.key for name, draft in builder.page_rules.items()},
        builder.headings,
    )


class RuleTreeBuilder:
    def __init__(
        self, blocks: Sequence[SourceBlock], labels: Labels, scheme: NumberingScheme, report: Notes
    ) -> None:
        self.blocks, self.scheme, self.report = blocks, scheme, report
        self.pieces = _cut_at_labels(blocks, labels)
        self.chapters: list[RuleDraft] = []
        self.by_key: dict[str, RuleDraft] = {}
        self.path: list[RuleDraft] = []
        self.addresses: dict[tuple[str, str], RuleDraft] = {}
        self.headings: dict[tuple[str, str], str] = {}
        self.page_rules: dict[str, RuleDraft] = {}
        self.pages: dict[SourcePage, tuple[SourceBlock, ...]] = {}
        self.title = ""
        self.front: list[SourceBlock] = []
        self.page_title: SourceBlock | None = None

    def build(self) -> None:
        labelled = {piece.page.name for piece, label in self.pieces if isinstance(label, Candidate)}
        page: SourcePage | None = None
        for piece, label in self.pieces:
            if piece.page is not page:
                self.end_front()
                page, self.page_title = piece.page, None
                del self.path[1:]
                if page.name in labelled:
                    self.path = []
            if piece.anchor:
                self.headings[page.name, piece.anchor] = plain(piece.runs)
            if page.name not in labelled:
                if piece.kind != "heading" or piece.level or page.own_title:
                    self.pages[page] = (*self.pages.get(page, ()), piece)
            elif label == "contents":
                self.report.leave_out(page, piece.line, plain(piece.runs), "a list of contents")
            elif isinstance(label, Candidate):
                self.open_rule(label, piece)
            elif page.name not in self.page_rules:
                self.add_front(piece)
            elif piece.kind == "heading":
                self.add_heading(piece)
            else:
                self.add(piece)
        self.end_front()

    # Rules

    def open_rule(self, label: Candidate, piece: SourceBlock) -> None:
        """Open the rule that a label names, inside the one that its number continues."""
        printed = parse_printed(label.printed, self.scheme)
        number = self.scheme.parse_number(printed)
        if number is None or number.key in self.by_key:
            self.report.guess(
                piece.page, piece.line, f"{label.printed} is no rule of its own; it stays in the text"
            )
            if piece.page.name not in self.page_rules:
                self.front.append(piece)
            elif piece.kind == "heading":
                self.add_heading(piece)
            else:
                self.add(piece)
            return
        level = piece.level if label.is_heading else BOLD_LEVEL
        head = replace(piece, runs=after(piece.runs, label.end - label.start))
        draft = RuleDraft(
            number, printed, piece.page, label.line_number, level, piece.depth, head, strong=label.strong
        )
        above = next(
            (self.by_key[n.key] for n in self.scheme.ancestors(number) if n.key in self.by_key), None
        )
        if above is None and len(number.labels) > 1:
            above = self.made_chapter(draft, number)
        if label.word and not printed.startswith(label.word):
            self.report.leave_out(piece.page, piece.line, label.word, "the word in front of a number")
        (above.rules if above else self.chapters).append(draft)
        self.by_key[number.key] = draft
        if label.printed not in piece.text:  # with the part before it: II.1
            self.report.added.append(label.printed.partition(".")[0])
        if label.strong and label.start:
            words = plain(takewhile(lambda run: run.strong, piece.runs))
            message = f"“{words}” begins a rule in the middle of a paragraph"
            self.report.guess(piece.page, label.line_number, message)
        self.path = self.path_to(draft)
        self.page_rules.setdefault(piece.page.name, draft)
        self.address(piece, draft)

    def path_to(self, draft: RuleDraft) -> list[RuleDraft]:
        assert draft.number
        above = [self.by_key.get(number.key) for number in self.scheme.ancestors(draft.number)]
        return [*(one for one in reversed(above) if one), draft]

    def made_chapter(self, draft: RuleDraft, number: RuleNumber) -> RuleDraft:
        """Return a chapter that only its rules name. Its title is that of its page."""
        chapter = self.scheme.chapter(number.labels[0], number.shape) or number
        made = RuleDraft(chapter, chapter.key, draft.page, 1, 0)
        title = self.chapter_title(draft, chapter)
        if title is not None:
            made.title = replace(title).runs
            self.addresses[title.page.name, title.anchor] = made
        made.comments.append("No page has this chapter's number; it is taken from those of its rules.")
        message = f"no page has the chapter {chapter.key}; its rules say that it is there"
        self.report.guess(draft.page, 1, message)
        self.report.added.append(chapter.key)
        self.by_key[chapter.key] = made
        self.chapters.append(made)
        return made

    def chapter_title(self, draft: RuleDraft, chapter: RuleNumber) -> SourceBlock | None:
        """Return the title of a made chapter: that of its page, or the heading right above its first rule."""
        own = {
            number.labels[0]
            for piece, label in self.pieces
            if isinstance(label, Candidate) and piece.page is draft.page
            if (number := self.scheme.parse_number(parse_printed(label.printed, self.scheme)))
        }
        if self.page_title and len(own) == 1 and not self.is_whole_book(draft.page):
            title, self.page_title = self.page_title, None
            return title
        last = self.path[-1] if self.path else None
        holder = None
        if last:
            holder = last.closing if last.closing else last.blocks
        elif self.front:
            holder = self.front
        if holder and holder[-1].kind == "heading" and holder[-1].page is draft.page:
            return holder.pop()
        return None

    def is_whole_book(self, page: SourcePage) -> bool:
        """Return whether a page is a document, so that its title is the book's."""
        return not page.default_title and all(block.page is page for block in self.blocks)

    # Text

    def add(self, piece: SourceBlock) -> None:
        """Add a block to the open rule, or to one around it if it is outside of that rule's list."""
        if contents_heading(piece) and piece.kind in ("heading", "paragraph") and self.has_contents:
            self.report.leave_out(piece.page, piece.line, plain(piece.runs), "a list of contents")
            return
        while len(self.path) > 1 and piece.depth < self.path[-1].depth:
            self.path.pop()
        rule = self.path[-1]
        (rule.closing if rule.rules else rule.blocks).append(piece)
        self.address(piece, rule)

    @property
    def has_contents(self) -> bool:
        return any(label == "contents" for _, label in self.pieces)

    def add_heading(self, piece: SourceBlock) -> None:
        """Add a heading without a label to the rule around it."""
        words = plain(piece.runs).casefold()
        chapter = self.path[0]
        titles = [piece.page.title.casefold(), raw_text(chapter.head.runs if chapter.head else ()).casefold()]
        if words in titles:
            what = "a heading that says the page's title again"
            self.report.leave_out(piece.page, piece.line, words, what)
            self.address(piece, chapter)
            return
        while len(self.path) > 1 and self.path[-1].level >= piece.level:
            self.path.pop()
        self.add(piece)

    def address(self, piece: SourceBlock, rule: RuleDraft) -> None:
        for name in (*(name for _, name in piece.ids), piece.anchor):
            if name:
                self.addresses.setdefault((piece.page.name, name), rule)

    # What is in front of the first rule of a page

    def add_front(self, piece: SourceBlock) -> None:
        is_first = not self.front and self.page_title is None
        words = plain(piece.runs)
        if (piece.kind == "heading" and is_first and (piece.level == 0 or words == piece.page.title)) or (
            is_first and self.is_whole_book(piece.page) and _is_book_title(piece)
        ):
            self.page_title = piece
        elif not (contents_heading(piece) and self.has_contents):
            self.front.append(piece)
        else:
            self.report.leave_out(piece.page, piece.line, words, "a list of contents")

    def end_front(self) -> None:
        """Put what is in front of the first rule of a page at the head of its chapter."""
        title = self.page_title
        page = title.page if title else self.front[0].page if self.front else None
        first = self.page_rules.get(page.name) if page else None
        if first and title and title.runs:
            words = plain(title.runs)
            if self.is_whole_book(first.page):
                self.title = self.title or words
                self.report.leave_out(first.page, title.line, words, "the title of the book")
            else:
                what = "the title of a page whose rules have their own"
                self.report.leave_out(first.page, title.line, words, what)
        if first and self.front:
            chapter = self.path_to(first)[0]
            message = f"what stands in front of {first.printed} is put at the head of its chapter"
            self.report.guess(first.page, 1, message)
            chapter.blocks[:0] = self.front
            for piece in self.front:
                self.address(piece, chapter)
        self.front, self.page_title = [], None


def _is_book_title(piece: SourceBlock) -> bool:
    words = plain(piece.runs)
    is_line = piece.kind == "paragraph" and len(words) < 60 and not NOT_LAST.search(words)
    return bool(words) and (piece.kind == "heading" or is_line)


def _cut_at_labels(
    blocks: Sequence[SourceBlock], labels: Labels
) -> list[tuple[SourceBlock, Candidate | str | None]]:
    """Return blocks cut so that each label, and each entry of a list of contents, begins one."""
    marks: dict[int, list[tuple[int, Candidate | str]]] = {}
    for label in labels.labels:
        marks.setdefault(label.index, []).append((label.start, label))
    for entry in labels.contents:
        marks.setdefault(entry.index, []).append((entry.start, "contents"))
    pieces: list[tuple[SourceBlock, Candidate | str | None]] = []
    for index, block in enumerate(blocks):
        offset, rest = 0, block
        owner: Candidate | str | None = None
        for start, mark in sorted(marks.get(index, ()), key=lambda one: one[0]):
            if start > offset:
                piece, rest = cut_block(rest, start - offset)
                if piece.runs:
                    pieces.append((piece, owner))
                offset = start + len(block.text[start:]) - len(block.text[start:].lstrip())
            owner = mark
        if rest.runs or rest.rows or rest.marker or rest.anchor:
            pieces.append((rest, owner))
    return pieces


def _freeze(draft: RuleDraft, report: Notes, has_steps: list[str], outer_heading: str) -> ImportedRule:
    """Return a rule with its notes, and with the sequence of play taken from its text."""
    heading = plain(draft.title) or outer_heading
    blocks, steps = _split_steps(draft.blocks, heading, has_steps)
    text, notes = split_notes(blocks, report)
    closing, more = split_notes(draft.closing, report)
    exception = split_exception(text, report) if not closing and not more else None
    if exception:
        notes.insert(0, exception)
        if not text[-1].runs:
            text.pop()
    return ImportedRule(
        draft.number,
        draft.printed,
        draft.page,
        draft.line,
        draft.title,
        tuple(text),
        tuple(closing),
        (*notes, *more),
        tuple(_freeze(rule, report, has_steps, heading) for rule in draft.rules),
        draft.item,
        "sequence" if steps else "",
        tuple(steps),
        tuple(draft.comments),
    )


def _split_steps(
    blocks: Sequence[SourceBlock], heading: str, has_steps: list[str]
) -> tuple[list[SourceBlock], list[SourceBlock]]:
    """Return the blocks of a text, and the list in it that is the sequence of play."""
    kept: list[SourceBlock] = []
    listing: list[SourceBlock] = []
    found: list[SourceBlock] = []
    for block in [*blocks, SourceBlock("end", (Run(""),), blocks[0].page, 0)] if blocks else ():
        if block.depth and block.kind in ("item", "paragraph") and (listing or block.kind == "item"):
            listing.append(block)
            continue
        if listing and not has_steps and is_outline(listing, heading):
            found = listing
            has_steps.append(heading)
        else:
            kept += listing
        listing = []
        if block.kind == "heading":
            heading = plain(block.runs)
        if block.kind != "end":
            kept.append(block)
    return kept, found
