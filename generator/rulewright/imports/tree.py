"""Third stage of an import: each label opens a rule, and what follows it is the text of that rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from rulewright.imports.blocks import (
    Notes,
    Run,
    Runs,
    SourceBlock,
    after,
    bold_end,
    cut,
    cut_block,
    plain,
    raw_text,
    strip,
)
from rulewright.imports.book import Book, ImportedRule, Numbering
from rulewright.imports.labels import Candidate, Labels, contents_heading, parse_printed
from rulewright.imports.notes import split_exception, split_notes
from rulewright.imports.numbers import DIGITS, ITEM, readings, shape
from rulewright.imports.sources.source_site import SourcePage
from rulewright.imports.steps import is_outline
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber

_BOLD_LEVEL = 7
"""Level of a label that is no heading."""

_TITLE_END = re.compile(r"[.:!?]\Z")
_TITLE_COLON = re.compile(r"[A-Z?“][^.;:()]{2,60}:(?=\s+\S)")
_WORD = r"[A-Z][\w’'/&-]*,?"
_TITLE_STOP = re.compile(
    rf"{_WORD}(?: (?:{_WORD}|of|the|and|in|to|for|with|an?|or|on|at|by|vs)){{0,5}}\.(?=\s+[A-Z“])"
)
_NOT_LAST = re.compile(r"[.;:,?!]\Z")
_FOOTNOTES = re.compile(
    r"\W*(?:(?:foot|end)-?notes?|notes|anmerkungen|(?:fuß|fuss|end)noten|voetnoten|remarques|notas|note)\W*",
    re.IGNORECASE,
)
_PARTING = re.compile(r"(?:[.:]|--?|—|–)(?=\s)\s*")


@dataclass(slots=True, eq=False)
class _Draft:
    """A rule in the making. `level`: of its heading; `depth`: number of lists that its label is in."""

    number: RuleNumber | None
    printed: str
    page: SourcePage
    line: int
    level: int
    depth: int = 0
    head: SourceBlock | None = None
    """The block of its label, without the label."""

    title: Runs = ()
    blocks: list[SourceBlock] = field(default_factory=list)
    closing: list[SourceBlock] = field(default_factory=list)
    rules: list[_Draft] = field(default_factory=list)
    item: str = ""
    comments: list[str] = field(default_factory=list)
    strong: bool = False

    @property
    def key(self) -> str:
        return self.number.key if self.number else self.printed

    def walk(self) -> Iterator[_Draft]:
        yield self
        for rule in self.rules:
            yield from rule.walk()


def build_book(blocks: Sequence[SourceBlock], labels: Labels, numbering: Numbering, report: Notes) -> Book:
    """Return the book that the labels of a source make of its blocks."""
    builder = _TreeBuilder(blocks, labels, numbering.scheme(), report)
    builder.build()
    drafts = [draft for chapter in builder.chapters for draft in chapter.walk()]
    _split_titles(drafts, report)
    for draft in drafts:
        _open_items(draft, builder.scheme, report, is_fixed=numbering.is_fixed)
    numbering = _with_item_examples(numbering, builder.chapters)
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


class _TreeBuilder:
    def __init__(
        self, blocks: Sequence[SourceBlock], labels: Labels, scheme: NumberingScheme, report: Notes
    ) -> None:
        self.blocks, self.scheme, self.report = blocks, scheme, report
        self.pieces = _cut_at_labels(blocks, labels)
        self.chapters: list[_Draft] = []
        self.by_key: dict[str, _Draft] = {}
        self.path: list[_Draft] = []
        self.addresses: dict[tuple[str, str], _Draft] = {}
        self.headings: dict[tuple[str, str], str] = {}
        self.page_rules: dict[str, _Draft] = {}
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
                if piece.kind != "heading" or piece.level or page.nav_title is not None or page.is_titled:
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
        level = piece.level if label.is_heading else _BOLD_LEVEL
        head = replace(piece, runs=after(piece.runs, label.end - label.start))
        draft = _Draft(
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

    def path_to(self, draft: _Draft) -> list[_Draft]:
        assert draft.number
        above = [self.by_key.get(number.key) for number in self.scheme.ancestors(draft.number)]
        return [*(one for one in reversed(above) if one), draft]

    def made_chapter(self, draft: _Draft, number: RuleNumber) -> _Draft:
        """Return a chapter that only its rules name. Its title is that of its page."""
        chapter = self.scheme.chapter(number.labels[0], number.shape) or number
        made = _Draft(chapter, chapter.key, draft.page, 1, 0)
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

    def chapter_title(self, draft: _Draft, chapter: RuleNumber) -> SourceBlock | None:
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
        return page.nav_title == "" and all(block.page is page for block in self.blocks)

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

    def address(self, piece: SourceBlock, rule: _Draft) -> None:
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
    is_line = piece.kind == "paragraph" and len(words) < 60 and not _NOT_LAST.search(words)
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


# Titles


def _split_titles(drafts: Sequence[_Draft], report: Notes) -> None:
    """Split the title of each rule from its text. Words in no bold are a title if most siblings have one."""
    plain_titles: dict[int, tuple[str, int]] = {}
    counts: Counter[str] = Counter()
    votes: Counter[tuple[str, str]] = Counter()
    for draft in drafts:
        if draft.head is None:
            continue
        draft.head = _without_parting(draft.head)
        if draft.head.kind == "heading" or _bold_title_end(draft.head.runs):
            continue
        form = shape(draft.printed)
        counts[form] += 1
        if option := _plain_title(draft):
            plain_titles[id(draft)] = option
            votes[form, option[0]] += 1
    for draft in drafts:
        head = draft.head
        if head is None:
            draft.title = _bare_title(draft.title)
            continue
        pictures = tuple(run for run in head.runs if run.picture)
        end = len(head.text) if head.kind == "heading" else _bold_title_end(head.runs)
        form, length = plain_titles.get(id(draft), ("", 0))
        is_usual = votes[shape(draft.printed), form] * 2 > counts[shape(draft.printed)]
        if not end and form and is_usual and (not draft.strong or form == "line"):
            end = length
        elif not end and draft.strong and form == "stop":
            words = head.text[:length].rstrip(".")
            comment = f"“{words}” may be its title; on the page it does not stand out from the text."
            draft.comments.append(comment)
            message = f"{draft.printed}: “{words}” may be its title, and is left in its text"
            report.guess(draft.page, draft.line, message)
        title, text = cut([run for run in head.runs if not run.picture] if end else head.runs, end)
        draft.title = _bare_title(title)
        if pictures and end:
            text = (*pictures, Run(" "), *strip(text))
        text = strip(text)
        if text:
            line = next((run.line for run in text if run.line), head.line)
            draft.blocks.insert(
                0, replace(head, kind="paragraph", runs=text, marker="", line=line, anchor="")
            )


def _without_parting(head: SourceBlock) -> SourceBlock:
    """Return the block of a label without what parts the label from its text."""
    match = _PARTING.match(head.text)
    return replace(head, runs=after(head.runs, match.end())) if match else head


def _bold_title_end(runs: Runs) -> int:
    """Return the length of the title in bold that runs begin with; bold words that go on are none."""
    text = raw_text(runs)
    end = bold_end(tuple(run for run in runs if not run.picture))
    words, rest = " ".join(text[:end].split()), text[end:].strip()
    if not words or words.startswith(("...", "…")):
        return 0
    ends = bool(_TITLE_END.search(words)) and not words.endswith(("...", "…"))
    ends = ends or (words.count(" ") < 6 and rest[:1].isupper() and words[:1].isupper())
    if not (ends or not rest or rest[:1] in ".:—–-") or len(words) > 100:
        return 0
    if not rest and words.endswith(".") and len(words) > 60:
        return 0
    return end + len(text[end:]) - len(text[end:].lstrip(" .:—–-"))


def _plain_title(draft: _Draft) -> tuple[str, int] | None:
    """Return the form and the length of a title that does not stand out."""
    assert draft.head
    text = draft.head.text
    line = text.split("\n")[0]
    for form, pattern in (("colon", _TITLE_COLON), ("stop", _TITLE_STOP)):
        if match := pattern.match(text):
            return form, match.end()
    has_more = bool(draft.blocks or draft.rules)
    if line != text:
        has_more = _keeps_lines(draft.page) and not text[len(line) :].lstrip()[:1].islower()
    if has_more and 0 < len(line) < 60 and not _NOT_LAST.search(line) and line[:1] in '“"' + line[:1].upper():
        return "line", len(line)
    return None


def _keeps_lines(page: SourcePage) -> bool:
    return page.name.lower().endswith((".txt", ".text", ".pdf"))


def _bare_title(title: Runs) -> Runs:
    """Return a title in no bold, without the stop at its end."""
    made = list(strip([replace(run, strong=False) for run in title]))
    if made and made[-1].text.endswith((".", ":")) and not made[-1].text.endswith(("...", "etc.")):
        made[-1] = replace(made[-1], text=made[-1].text[:-1])
    return strip(made)


# Items


def _open_items(rule: _Draft, scheme: NumberingScheme, report: Notes, *, is_fixed: bool) -> None:
    """Make rules of the items of a rule that have a label, (a) or 2), beginning at their first.

    The innermost open item that a label comes next to decides where it belongs; any other label begins a
    list inside the item before.
    """
    if rule.item:
        return
    blocks = [piece for block in rule.blocks for piece in _cut_at_items(block)]
    values = [_item_values(block) for block in blocks]
    plan = _plan_items(blocks, values)

    def is_known(label: str) -> bool:
        return scheme.parse_number(f"{_base(rule, scheme)}({label})") is not None

    first = next((label for label, depth in plan.values() if depth == 0), "")
    if not plan or (is_fixed and not is_known(first)):
        if plan:
            index = next(iter(plan))
            message = f"items like {first}) stay in the text: no number of the book is written so"
            report.guess(blocks[index].page, blocks[index].line, message)
        return
    last = max(plan)
    kept: list[SourceBlock] = []
    closing: list[SourceBlock] = []
    open_items: list[_Draft] = []
    for index, block in enumerate(blocks):
        if index in plan:
            label, depth = plan[index]
            del open_items[depth:]
            above = open_items[-1] if open_items else rule
            printed = f"{_base(above, scheme)}({label})"
            match = ITEM.match(block.text)
            assert match
            head = replace(block, runs=after(block.runs, match.end()), marker="")
            item = _Draft(None, printed, block.page, block.line, _BOLD_LEVEL, block.depth, head, item=label)
            end = _bold_title_end(head.runs)
            title, text = cut(head.runs, end)
            item.title = _bare_title(title)
            if text := strip(text):
                item.blocks.append(replace(head, kind="paragraph", runs=text, depth=0))
            report.added.append(printed[: -len(label) - 2])
            above.rules.append(item)
            open_items.append(item)
        elif not open_items:
            kept.append(block)
        else:
            inside = [item for item in open_items if item.depth and item.depth <= block.depth]
            follows = index < last and not block.depth and block.kind != "table"
            holder = inside[-1] if inside else open_items[-1] if follows else None
            if holder is None:
                closing.append(block)
            else:
                moved = replace(block, depth=max(block.depth - holder.depth, 0))
                (holder.closing if holder.rules else holder.blocks).append(moved)
    rule.blocks = kept
    rule.closing[:0] = closing
    if all(inner.page is rule.page for inner in rule.rules) and not _keeps_lines(rule.page):
        rule.rules.sort(key=lambda inner: inner.line)


def _plan_items(
    blocks: Sequence[SourceBlock], values: Sequence[dict[tuple[int, float], str]]
) -> dict[int, tuple[str, int]]:
    """Return the blocks that are items by index: the label of each, and in how many items it lies."""
    plan: dict[int, tuple[str, int]] = {}
    stack: list[tuple[int, float, list[int]]] = []
    groups: list[list[int]] = []
    in_notes = False
    for index, (block, own) in enumerate(zip(blocks, values, strict=True)):
        if block.kind in ("heading", "table") or _FOOTNOTES.fullmatch(plain(block.runs)):
            in_notes = bool(_FOOTNOTES.fullmatch(plain(block.runs)))
            stack = []
        if not own or in_notes:
            continue
        at = next((n for n in reversed(range(len(stack))) if (stack[n][0], stack[n][1] + 1) in own), None)
        if at is not None:
            kind, value, group = stack[at]
            stack[at:] = [(kind, value + 1, group)]
        else:
            start = next((value for value in sorted(own) if value[1] == 1), None)
            if start is None or (not stack and groups):
                continue
            at, kind, value, group = len(stack), *start, []
            groups.append(group)
            stack.append((kind, value, group))
        label = own[stack[at][0], stack[at][1]]
        stack[at][2].append(index)
        plan[index] = (label, at)
    for group in groups:
        if len(group) == 1 and not plan[group[0]][0].isupper():
            del plan[group[0]]
    return plan


def _item_values(block: SourceBlock) -> dict[tuple[int, float], str]:
    """Return the values that the label of an item may have, each with the label."""
    match = ITEM.match(block.text) if block.kind in ("item", "paragraph") else None
    label = (match["both"] or match["one"] or match["letter"]) if match else ""
    if not match or not block.text[match.end() :].strip() or (block.kind == "item" and block.marker != "-"):
        return {}
    return {key[0]: label for key in readings(label) if not (key[0][0] == DIGITS and label.isupper())}


def _cut_at_items(block: SourceBlock) -> list[SourceBlock]:
    """Return a paragraph cut at the line ends after which the label of an item follows."""
    if block.kind != "paragraph":
        return [block]
    starts = [m.end() for m in re.finditer("\n", block.text) if ITEM.match(block.text, m.end())]
    pieces: list[SourceBlock] = []
    offset, rest = 0, block
    for start in starts:
        piece, rest = cut_block(rest, start - offset)
        offset = start
        pieces.append(piece)
    return [*pieces, rest]


def _base(rule: _Draft, scheme: NumberingScheme) -> str:
    """Return the number that the items of a rule continue: 5 for 5."""
    if rule.item or rule.number is None:
        return rule.printed
    own = scheme.shapes[rule.number.shape][0].before.strip()
    words = rule.printed if own else re.sub(r"^[^\W\d_]{2,}\.?\s+", "", rule.printed)
    return words.rstrip(".: ") or rule.printed


def _with_item_examples(numbering: Numbering, chapters: Sequence[_Draft]) -> Numbering:
    """Return the numbering with the examples that items of rules need."""
    if numbering.is_fixed:
        return numbering
    scheme = numbering.scheme()
    examples = list(numbering.numbers)

    def add(around: _Draft, own: str) -> None:
        for item in around.rules:
            if item.item:
                label = item.item
                sign = "1" if label.isdigit() else "i" if len(label) > 1 else "A" if label.isupper() else "a"
                examples.append(f"{own}({sign})")
                add(item, examples[-1])

    for chapter in chapters:
        for draft in chapter.walk():
            if draft.number and any(item.item for item in draft.rules):
                levels = len(draft.number.labels)
                add(draft, scheme.example(draft.number, levels=levels))
    longest = [
        example
        for index, example in enumerate(dict.fromkeys(examples))
        if not any(other != example and other.startswith(example) for other in examples)
    ]
    return replace(numbering, numbers=longest)


# Frozen rules


def _freeze(draft: _Draft, report: Notes, has_steps: list[str], around: str) -> ImportedRule:
    """Return a rule with its notes, and with the sequence of play taken from its text."""
    heading = plain(draft.title) or around
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
