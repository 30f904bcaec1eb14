"""The rules of all pages of a book in one tree, and pages that hold none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.importers.website.blocks import (
    Block,
    Heading,
    Link,
    PageBlocks,
    Paragraph,
    TextPiece,
    every,
    pieces_of,
    said,
    trimmed,
)
from rulewright.importers.website.opening_labels import OpeningLabel, labelled, with_items
from rulewright.importers.website.page_blocks import read_page
from rulewright.importers.website.page_prose import Vocabulary
from rulewright.importers.website.page_rules import PageRules
from rulewright.importers.website.receipt import Receipt
from rulewright.importers.website.rule_tree import (
    FoundRules,
    Line,
    RuleNode,
    Subsection,
    set_exceptions_apart,
)
from rulewright.importers.website.shortcodes import ExpandedPage
from rulewright.importers.website.site import Page, Site
from rulewright.numbers.dialect import Dialect, Number
from rulewright.numbers.guessing import Guess, guess


@dataclass(slots=True)
class ParsedPage:
    """A page with its blocks and its text without shortcodes."""

    page: Page
    reading: PageBlocks
    expanded: ExpandedPage

    def runs(self) -> Iterator[list[TextPiece]]:
        """All runs of words on the page."""
        return (run for block in every(self.reading.blocks) for run in pieces_of(block))

    def openings(self) -> Iterator[tuple[Block, str]]:
        """Lines that look like labels: each heading, and what stands in bold at the head of words."""
        for block in every(self.reading.blocks):
            if isinstance(block, Heading):
                yield block, said(block.pieces)
            elif isinstance(block, Paragraph) and block.pieces and block.pieces[0].bold:
                yield block, block.pieces[0].text.strip()

    def labels(self, dialect: Dialect) -> Iterator[tuple[Block, OpeningLabel]]:
        """The labels that stand out on the page, each with the block that it opens."""
        found = ((block, labelled(words, dialect)) for block, words in self.openings())
        return ((block, label) for block, label in found if label)


@dataclass(slots=True)
class Book:
    """A book as its pages have it: chapters with the rules inside them, and pages without rules.

    `numbers` and `chapters`: the examples of its dialect. `headings`: the words of each heading by page
    and anchor.
    """

    dialect: Dialect
    numbers: list[str]
    forms: list[str]
    found: FoundRules
    chapters: list[RuleNode] = field(default_factory=list)
    loose: list[ParsedPage] = field(default_factory=list)
    headings: dict[tuple[str, str], str] = field(default_factory=dict)
    whole: dict[str, RuleNode] = field(default_factory=dict)
    titled: set[str] = field(default_factory=set)

    def every(self) -> Iterator[RuleNode]:
        return (node for chapter in self.chapters for node in chapter.walk())


def read_pages(site: Site, progress: Callable[[int, int], None]) -> list[ParsedPage]:
    """Read all pages of a site but drafts."""
    pages = [page for page in site.pages if not page.draft]
    made = []
    for count, page in enumerate(pages, 1):
        read = ParsedPage(page, *read_page(page.file, page.start))
        slugs = site.slugs()
        for block in every(read.reading.blocks):
            if isinstance(block, Heading):
                block.anchor = slugs.heading(block.source, block.underlined)[1]
        made.append(read)
        progress(count, len(pages))
    return made


def vocabulary_of(pages: Iterable[ParsedPage]) -> Vocabulary:
    """The words of all pages."""
    vocabulary = Vocabulary()
    for read in pages:
        vocabulary.learn("".join(p.text for p in run) for run in read.runs())
    return vocabulary


def guessed(pages: Sequence[ParsedPage]) -> Guess | None:
    """Guess how the book numbers its rules, by the labels on its pages."""
    texts: list[tuple[str, bool]] = []
    for read in pages:
        texts.append((read.page.title, True))
        texts += [(words, isinstance(block, Heading)) for block, words in read.openings()]
    cited = [said([piece]) for _, piece, _ in links_of(pages)]
    return guess(texts, cited)


def build(
    pages: Sequence[ParsedPage],
    numbers: Sequence[str],
    forms: Sequence[str],
    dialect: Dialect | None,
    told: Receipt,
) -> Book:
    """Build the book of its pages. `dialect` is given where the numbering is settled and items cannot add to
    it."""
    found = FoundRules(told)
    book = Book(dialect or Dialect(numbers, forms), list(numbers), list(forms), found)
    labels = [label.number for read in pages for _, label in read.labels(book.dialect)]
    found.inside = {number.labels[0] for number in labels if len(number.labels) > 1}
    titles = (labelled(read.page.title, book.dialect) for read in pages if read.page.is_titled)
    opened = {label.number.key for label in titles if label}
    for read in pages:
        label, plain = _title_of(read, book.dialect, opened, is_alone=len(pages) == 1)
        _take(read, book, label, plain, fixed=dialect is not None)
    if dialect is None:
        _settle(book)
    for node in book.found.nodes:
        for one in node.walk():  # items among them, as the settled dialect reads them
            one.number = book.dialect.parse(one.printed) or one.number
    _arrange(book)
    for read in pages:
        if read.page.title and read.page.name not in book.titled and read not in book.loose:
            what = "the title of a page whose rules have their own"
            found.told.turn(read.page, 1, read.page.title, "", what)
    for node in book.every():
        set_exceptions_apart(node, found.told)
    return book


def _title_of(
    read: ParsedPage, dialect: Dialect, opened: set[str], *, is_alone: bool
) -> tuple[OpeningLabel | None, Block | None]:
    """The label that a page's title is, and the heading that opens with a number and is the book's title.

    A number in a file's name counts in a folder of several, where no label of the page says otherwise. One in
    a title, `2025 Rules`, counts where the labels of the page or the titles of other pages, `opened`, go on
    with it.
    """
    page, labels = read.page, [*read.labels(dialect)]
    label = labelled(page.title, dialect)
    if label and not page.is_titled:
        is_against = any(one.number.labels[0] != label.number.labels[0] for _, one in labels)
        return (None if is_alone or is_against else label), None
    # The heading that is the title, or the one that all else stands below.
    tops = [(one, opens) for one, opens in labels if isinstance(one, Heading)]
    if label:
        block = next((one for one, _ in tops if said(one.pieces) == page.title), None)
    else:
        block = next((one for one, _ in tops[:1] if one is read.reading.blocks[0]), None)
    number = label.number if label else labels[0][1].number if block else None
    if number is None:
        return None, None
    below = [(one, opens.number) for one, opens in labels if one is not block]
    heads = [(one.level, other) for one, other in below if isinstance(one, Heading)]
    chapters = [other for _, other in heads if len(other.labels) == 1]
    least = min((level for level, _ in heads), default=0)
    is_top = block is not None and block.level < least
    is_again = any(other == number and (is_top or level == least) for level, other in heads)
    if block and is_alone and chapters and (is_again or (is_top and len(number.labels) > 1)):
        return None, block  # 1 Day in June, above 1 General and 2 Combat
    before, after = (dialect.sibling(number, number.ordinals[-1] + step) for step in (-1, 1))
    beside = {one.key for one in (before, after) if one} & opened
    goes_on = beside or after in (chapters[:1] or [other for _, other in below][:1])
    is_inside = any(other.labels[0] == number.labels[0] for _, other in below)
    is_book = (heads or len(below) > 1) and not is_inside and not goes_on
    return (None, block) if is_book else (label, None)


def _take(read: ParsedPage, book: Book, label: OpeningLabel | None, plain: Block | None, fixed: bool) -> None:
    """The rules of one page; a page that has none is kept aside. `plain`: a heading whose number counts for
    nothing."""
    page, found = read.page, book.found
    before = len(found.nodes)
    whole = None
    if label:
        rest = page.title[label.end :].strip()
        words = page.title[: max(page.title.find(label.printed), 0)].strip(" [(")
        if words:
            found.told.turn(page, 1, words, "", "the word in front of a number")
        whole = RuleNode(label.number, label.printed, page, 1, trimmed([TextPiece(rest, 1)]) if rest else [])
        found.nodes.append(whole)
        found.keys.add(whole.key)
        book.whole[page.name] = whole
        book.titled.add(page.name)
    for block in every(read.reading.blocks):
        if isinstance(block, Heading):
            book.headings[page.name, block.anchor] = said(block.pieces)
    rules = PageRules(page, book.dialect, found, whole, fixed, plain)
    rules.take(read.reading.blocks)
    if len(found.nodes) == before:
        book.loose.append(read)
    elif rules.before:
        first = found.nodes[before]
        found.told.guess(
            page, 1, f"what stands in front of {first.printed} is put at the head of its chapter"
        )
        _lead(first, rules.before, book, plain, fixed)
    if len(found.nodes) > before and page.name not in book.whole:
        book.whole[page.name] = found.nodes[before]


def _lead(first: RuleNode, blocks: Sequence[Block], book: Book, plain: Block | None, fixed: bool) -> None:
    """Words in front of a page's first rule, as the beginning of its text, which its chapter takes over."""
    aside = FoundRules(book.found.told, [first])
    inner = PageRules(first.page, book.dialect, aside, first, fixed, plain)
    kept = first.parts.pop() if first.parts else None
    parts = first.parts
    first.parts = []
    inner.part = inner.begin_part([], 0, first.line)
    inner.take(blocks)
    first.parts = [part for part in first.parts if part.lines or part.title]
    first.parts += [*parts, *([kept] if kept else [])]


def _settle(book: Book) -> None:
    """Add to the dialect what items of rules need."""
    needed = (
        example
        for node in book.found.nodes
        if node.number
        for example in _item_examples(node, _example(node.number, node.printed, book.dialect))
    )
    book.numbers = with_items(book.numbers, needed)
    book.dialect = Dialect(book.numbers, book.forms)


def _item_examples(around: RuleNode, own: str) -> Iterator[str]:
    """The examples of numbers that the items of a rule, whose own example is given, need."""
    for item in around.rules:
        label = item.item
        sort = "1" if label.isdigit() else "i" if len(label) > 1 else "A" if label.isupper() else "a"
        yield f"{own}({sort})"
        yield from _item_examples(item, f"{own}({sort})")


def _example(number: Number, printed: str, dialect: Dialect) -> str:
    """The example after which a number is written."""
    of_zero = len(number.labels) == 1 and printed.endswith("0") and not printed.isdigit()
    return dialect.example(number, levels=2).strip("[]") if of_zero else dialect.example(number)


def _arrange(book: Book) -> None:
    """Put rules inside each other by their numbers, in the order of the pages; make chapters that no page
    is."""
    by_key: dict[str, RuleNode] = {}
    for node in book.found.nodes:
        by_key.setdefault(node.key, node)
    for node in book.found.nodes:
        if node.number is None:
            continue
        above = next((by_key[a.key] for a in book.dialect.ancestors(node.number) if a.key in by_key), None)
        if above is node or (above is None and len(node.number.labels) == 1):
            above = None
        elif above is None:
            above = by_key.setdefault(*_made_chapter(node, book))
            if above not in book.chapters:
                book.chapters.append(above)
        if above is None:
            book.chapters.append(node)
        elif node.item and node in above.rules:
            continue
        else:
            above.rules.append(node)


def _made_chapter(node: RuleNode, book: Book) -> tuple[str, RuleNode]:
    """The chapter of a rule whose page does not say it: its title is the page's, where that has no number."""
    assert node.number
    number = book.dialect.chapter(node.number.labels[0], node.number.shape) or node.number
    page = node.page
    own = {one.number.labels[0] for one in book.found.nodes if one.page is page and one.number}
    title = page.title if page.name not in book.titled and len(own) == 1 else ""
    book.titled |= {page.name} if title else set()
    made = RuleNode(
        number, number.key, page, 1, [TextPiece(title, 1)] if title else [], [Subsection([], 0, 1)]
    )
    made.remarks.append("No page has this chapter's number; it is taken from those of its rules.")
    book.found.told.turn(page, 1, "", number.key, "a chapter that only its rules name")
    book.found.told.guess(page, 1, f"no page has the chapter {number.key}; its rules say that it is there")
    return number.key, made


def lines_of(node: RuleNode, *, closing: bool) -> list[Line]:
    """The lines of a rule's text, or of what closes it; headings inside stand in bold."""
    made: list[Line] = []
    for part in node.parts:
        if part.closing is closing and (part.lines or part.title):
            if part.title:
                bold = [replace(p, bold=True, italic=False) for p in part.title]
                made.append(Line(bold, part.line))
            made += part.lines
    return made


def links_of(pages: Iterable[ParsedPage]) -> Iterator[tuple[Page, TextPiece, Link]]:
    """Every link of some pages."""
    return ((read.page, p, p.link) for read in pages for run in read.runs() for p in run if p.link)
