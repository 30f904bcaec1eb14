"""The rules of all pages of a book in one tree, how it numbers them, and pages that hold none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import Problem, SourceLocation, problem_type
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.imports.website.cited_numbers import cited_numbers
from rulewright.imports.website.import_refusals import without_numbers
from rulewright.imports.website.import_report import ImportReport
from rulewright.imports.website.label_tree import choose_labels, label_candidates, score_scheme, suffixes
from rulewright.imports.website.page_block_types import (
    Block,
    PageHeading,
    ParsedPage,
    TextPiece,
    pieces_text,
    strip_pieces,
)
from rulewright.imports.website.page_blocks import read_page
from rulewright.imports.website.page_rules import PageRules
from rulewright.imports.website.rule_tree import (
    ImportedBook,
    OpeningLabel,
    RuleLine,
    RuleNode,
    Subsection,
    base_of,
    parse_opening_label,
    set_exceptions_apart,
)
from rulewright.imports.sources.source_site import SourcePage, SourceSite
from rulewright.numbering.edition_numbering import edition_scheme
from rulewright.numbering.examples import example_fault
from rulewright.numbering.label_types import ALPHABET
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_cues import CUES
from rulewright.numbering.scheme_detection import DetectedScheme, detect_scheme
from rulewright.schema import model_reader
from rulewright.schema.rulebook import Rulebook


def read_pages(site: SourceSite, progress: Callable[[int, int], None]) -> list[ParsedPage]:
    """Read all pages of a site but drafts."""
    pages = [page for page in site.pages if not page.draft]
    made = []
    for count, page in enumerate(pages, 1):
        read = read_page(page)
        slugs = site.slugs()
        for block in read.headings():
            block.anchor = slugs.heading(block.source, block.underlined)[1]
        made.append(read)
        progress(count, len(pages))
    return made


def pages_with_rules(pages: Sequence[ParsedPage]) -> Sequence[ParsedPage]:
    """The pages that may hold rules: what tells of the project does not, unless nothing else has labels."""
    kept = [read for read in pages if not _OF_PROJECT.search(read.page.name)]
    return kept if len(kept) < len(pages) and detect_numbering(kept) else pages


def labels_on(
    read: ParsedPage, dialect: NumberingScheme, *, opened: bool = False
) -> Iterator[tuple[Block, OpeningLabel]]:
    """The labels that stand out on a page, each with the block that it opens; all that are `opened` too."""
    found = ((block, parse_opening_label(words, dialect)) for block, words in read.openings(opened=opened))
    return ((block, label) for block, label in found if label)


def detect_numbering(pages: Sequence[ParsedPage]) -> DetectedScheme | None:
    """Guess how the book numbers its rules: by what stands out, or by all lines where more is read so."""
    # A label that is a link to itself cites nothing.
    links = [pieces_text([piece]) for read in pages for run in read.runs() for piece in run[1:] if piece.link]
    cited = [*links, *(f"{citation.cue} {citation.source_text}" for citation in cited_numbers(pages))]
    texts: list[tuple[str, bool]] = []
    for read in pages:
        texts.append((read.page.title, True))
        texts += [(words, isinstance(block, PageHeading)) for block, words in read.openings()]
    standing = detect_scheme(texts, cited)
    options = [one for one in (standing, detect_scheme(label_candidates(pages), cited)) if one]
    return max(options, key=lambda one: score_scheme(pages, one.dialect()), default=None)


def collect_rules(pages: Sequence[ParsedPage], by: DetectedNumbering, told: ImportReport) -> ImportedBook:
    """Build the book of its pages, which is numbered as is settled."""
    numbers, forms, fixed = [*by.numbers], [*by.forms], by.dialect is not None
    book = ImportedBook(by.dialect or by.matches(numbers, forms), numbers, forms, told, fixed)
    ruled = pages_with_rules(pages)
    for read in pages:
        if not any(read is page for page in ruled):
            book.unnumbered_pages.append(read)
            if any(pieces_text(heading.pieces) == read.page.title for heading in read.headings()):
                told.note_changed(
                    read.page, 1, read.page.title, "", "a heading that says the page's title again"
                )
    pages = ruled
    titles = _titles(pages, book.dialect)
    if (alien := choose_labels(pages, book.dialect, told, [plain for _, plain in titles])) and not fixed:
        book.numbers = numbers = [one for at, one in enumerate(numbers) if at not in alien]
        book.dialect = by.matches(numbers, forms)
        titles = _titles(pages, book.dialect)
        choose_labels(pages, book.dialect, told, [plain for _, plain in titles])
    labels = [label.number for read in pages for _, label in labels_on(read, book.dialect, opened=True)]
    book.inside = {number.labels[0] for number in labels if len(number.labels) > 1}
    for read, (label, plain) in zip(pages, titles, strict=True):
        _take(read, book, label, plain)
    if not fixed:  # what items of rules need is added to it
        items = any(node.rules for node in book.nodes)
        is_flat = items and all(len(node.number.labels) == 1 for node in book.nodes if node.number)
        examples = dict.fromkeys(() if is_flat else book.numbers)
        for node in book.nodes:
            if node.number:
                own = book.dialect.example(node.number)
                if len(node.number.labels) == 1 and node.printed.endswith("0") and not node.printed.isdigit():
                    own = book.dialect.example(node.number, levels=2).strip("[]")
                examples |= dict.fromkeys(_item_examples(node, base_of(own, node.number, book.dialect)))
        goes_on = {
            example
            for example in examples
            for other in examples
            if other != example and other.startswith(example)
        }
        book.numbers = [  # each in the place of the first that it goes on with
            *dict.fromkeys(
                longest
                for example in examples
                for longest in examples
                if longest.startswith(example) and longest not in goes_on
            )
        ]
        book.dialect = by.matches(book.numbers, book.forms)
    for node in book.nodes:
        for one in node.walk():  # items among them, as the settled dialect reads them
            one.number = book.dialect.parse_number(one.printed) or one.number
    _arrange(book)
    for read in pages:
        if read.page.title and read.page.name not in book.titled and read not in book.unnumbered_pages:
            what = "the title of a page whose rules have their own"
            told.note_changed(read.page, 1, read.page.title, "", what)
    for node in book.iter_rules():
        set_exceptions_apart(node, book.report)
    return book


def _titles(
    pages: Sequence[ParsedPage], dialect: NumberingScheme
) -> list[tuple[OpeningLabel | None, Block | None]]:
    titles = (parse_opening_label(read.page.title, dialect) for read in pages if read.page.is_titled)
    opened = {label.number.key for label in titles if label}
    return [_title_of(read, dialect, opened, is_alone=len(pages) == 1) for read in pages]


def _title_of(
    read: ParsedPage, dialect: NumberingScheme, opened: set[str], *, is_alone: bool
) -> tuple[OpeningLabel | None, Block | None]:
    """The label that a page's title is, and the heading that opens with a number and is the book's title.

    A number in a file's name counts in a folder of several, where no label of the page says otherwise. One in
    a title, `2025 Rules`, counts where the labels of the page or the titles of other pages, `opened`, go on
    with it.
    """
    page, labels = read.page, [*labels_on(read, dialect)]
    label = parse_opening_label(page.title, dialect)
    if label and not page.is_titled:
        is_against = any(one.number.labels[0] != label.number.labels[0] for _, one in labels)
        return (None if is_alone or is_against else label), None
    # The heading that is the title, or the one that all else stands below.
    tops = [(heading, opens) for heading, opens in labels if isinstance(heading, PageHeading)]
    if label:
        block = next((heading for heading, _ in tops if pieces_text(heading.pieces) == page.title), None)
    else:
        block = next((heading for heading, _ in tops[:1] if heading is read.blocks[0]), None)
    number = label.number if label else labels[0][1].number if block else None
    if number is None:
        return None, None
    below = [(one, opens.number) for one, opens in labels if one is not block]
    heads = [(heading.level, other) for heading, other in below if isinstance(heading, PageHeading)]
    chapters = [other for _, other in heads if len(other.labels) == 1]
    least = min((level for level, _ in heads), default=0)
    is_top = block is not None and block.level < least
    is_again = any(other == number and (is_top or level == least) for level, other in heads)
    if block and is_alone and chapters and (is_again or (is_top and len(number.labels) > 1)):
        return None, block  # 1 Day in June, above 1 General and 2 Combat
    before, after = (dialect.sibling(number, number.ordinals[-1] + step) for step in (-1, 1))
    beside = {number.key for number in (before, after) if number} & opened
    goes_on = beside or after in (chapters[:1] or [other for _, other in below][:1])
    is_inside = any(other.labels[0] == number.labels[0] for _, other in below)
    is_book = (heads or len(below) > 1) and not is_inside and not goes_on
    return (None, block) if is_book else (label, None)


def _take(read: ParsedPage, book: ImportedBook, label: OpeningLabel | None, plain: Block | None) -> None:
    """Take the rules of one page, or keep it aside. `plain`: a heading whose number counts for nothing."""
    page = read.page
    before = len(book.nodes)
    top, below = (*read.blocks[:2], None, None)[:2]
    if isinstance(top, PageHeading) and isinstance(below, PageHeading) and _is_title(page, top, below):
        book.title = pieces_text(top.pieces)
        book.report.note_changed(page, top.line, book.title, "", "the title of the book")
        read.blocks = read.blocks[1:]
    whole = None
    if label:
        rest = page.title[label.end :].strip()
        words = page.title[: max(page.title.rfind(label.printed, 0, label.end), 0)].strip(" [(")
        if words:
            book.report.note_changed(page, 1, words, "", "the word in front of a number")
        whole = RuleNode(
            label.number, label.printed, page, 1, strip_pieces([TextPiece(rest, 1)]) if rest else []
        )
        book.nodes.append(whole)
        book.keys.add(whole.key)
        book.rules_by_page[page.name] = whole
        book.titled.add(page.name)
    for block in read.headings():
        book.headings[page.name, block.anchor] = pieces_text(block.pieces)
    rules = PageRules(page, book, whole, plain)
    rules.take(read.blocks)
    if len(book.nodes) == before:
        book.unnumbered_pages.append(read)
    elif rules.before:
        first = book.nodes[before]
        what = f"what stands in front of {first.printed} is put at the head of its chapter"
        book.report.note_guess(page, 1, what)
        _lead(first, rules.before, book, plain)
    if len(book.nodes) > before and page.name not in book.rules_by_page:
        book.rules_by_page[page.name] = book.nodes[before]


def _is_title(page: SourcePage, top: PageHeading, below: PageHeading) -> bool:
    """Whether the first heading of the only page is the title of the book: right above its first rule."""
    is_above = below.opens and not top.opens and top.level <= below.level
    return is_above and page.nav_title == "" and not page.is_titled


def _lead(first: RuleNode, blocks: Sequence[Block], book: ImportedBook, plain: Block | None) -> None:
    """Words in front of a page's first rule, as the beginning of its text, which its chapter takes over."""
    aside = replace(book, nodes=[first], keys=set(), inside=set(), anchors={})
    parts, first.parts = first.parts, []
    PageRules(first.page, aside, first, plain).take(blocks)
    book.anchors = {**aside.anchors, **book.anchors}
    first.parts = [*(part for part in first.parts if part.lines or part.title), *parts]


def _item_examples(around: RuleNode, own: str) -> Iterator[str]:
    """The examples of numbers that the items of a rule, whose own example is given, need."""
    for item in around.rules:
        label = item.item
        sort = "1" if label.isdigit() else "i" if len(label) > 1 else "A" if label.isupper() else "a"
        yield f"{own}({sort})"
        yield from _item_examples(item, f"{own}({sort})")


def _arrange(book: ImportedBook) -> None:
    """Put rules inside each other by their numbers, in the order of the pages; make absent chapters."""
    by_key: dict[str, RuleNode] = {}
    for node in book.nodes:
        by_key.setdefault(node.key, node)
    for node in book.nodes:
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


def _made_chapter(node: RuleNode, book: ImportedBook) -> tuple[str, RuleNode]:
    """The chapter of a rule whose page does not say it: its title is the page's, where that has no number."""
    assert node.number
    number = book.dialect.chapter(node.number.labels[0], node.number.shape) or node.number
    page = node.page
    own = {node.number.labels[0] for node in book.nodes if node.page is page and node.number}
    title = page.title if page.name not in book.titled and len(own) == 1 else ""
    book.titled |= {page.name} if title else set()
    pieces = [TextPiece(title, 1)] if title else _heading_above(node, book)
    made = RuleNode(number, number.key, page, 1, pieces, [Subsection([], 0, 1)])
    made.comments.append("No page has this chapter's number; it is taken from those of its rules.")
    book.report.note_changed(page, 1, "", number.key, "a chapter that only its rules name")
    book.report.note_guess(page, 1, f"no page has the chapter {number.key}; its rules say that it is there")
    for place, words in book.headings.items() if pieces and not title else ():
        if words == pieces_text(pieces) and place[0] == page.name:
            book.anchors[place] = made
    return number.key, made


def _heading_above(node: RuleNode, book: ImportedBook) -> list[TextPiece]:
    """The heading without a number right above a rule, which is its chapter's, taken from where it stood."""
    at = next(at for at, one in enumerate(book.nodes) if one is node)
    parts, last = (book.nodes[at - 1].parts, -1) if at else (node.parts, -2)
    above = parts[last] if len(parts) >= -last else None
    if above is None or not above.title or above.lines or above.line > node.line:
        return []
    del parts[last]
    return above.title


def text_lines_of(node: RuleNode, *, closing: bool) -> list[RuleLine]:
    """The lines of a rule's text, or of what closes it; headings inside stand in bold."""
    made: list[RuleLine] = []
    for part in node.parts:
        if part.closing is closing and (part.lines or part.title):
            if part.title:
                bold = [replace(p, bold=True, italic=False) for p in part.title]
                made.append(RuleLine(bold, part.line))
            made += part.lines
    return made


_OF_PROJECT = re.compile(
    r"(?:^|/)(?:(?:\.\w+|templates?)/|(?:readme|change_?log|changes|history|contributing|code_of_conduct|"
    r"licen[cs]e|security|authors|credits)(?:[._-]\w+)*\.\w+$)",
    re.IGNORECASE,
)
NO_NUMBERS = problem_type(
    "import-without-numbers",
    """No page that is to be imported says what the rules are: no heading and no beginning in bold
    has a number, or not in one way; or what has one is a list of contents, or a few points of a letter. The
    message says what stands there. Number the headings, or say how the book numbers its rules with
    `--dialect`.""",
)
BAD_DIALECT = problem_type(
    "import-dialect", "The example that `--dialect` gives of a book's numbers describes none."
)
_EDITION = re.compile(
    r"[,:–—-]?\s*(?:\b(?:v|ver|version|edition|rev|revision)\.?\s*)?(\d[\w.]*)\s*(?:edition)?\s*$", re.I
)


@dataclass(frozen=True, slots=True)
class DetectedNumbering:
    """How a book numbers its rules: by examples, and in which words it cites them.

    `source_text`: who says so.

    `dialect` is given where the book is there already, and items of rules add nothing to it; `cited` is what
    its terms cite. `alphabet`: the letters of its numbers, where they are not a to z. `fault` is why nothing
    can be settled.
    """

    source_text: str = ""
    numbers: Sequence[str] = ()
    forms: Sequence[str] = ()
    dialect: NumberingScheme | None = None
    suffixes: Sequence[str] = ()
    cues: Sequence[str] = ()
    never: Sequence[str] = ()
    cited: Sequence[str] = ()
    alphabet: str = ""
    fault: Problem | None = None

    def matches(self, numbers: Sequence[str], forms: Sequence[str]) -> NumberingScheme:
        return NumberingScheme(numbers, forms, suffixes=self.suffixes, alphabet=self.alphabet or ALPHABET)


def settle_numbering(
    pages: Sequence[ParsedPage], examples: Sequence[str], book: str, rulebook: bytes | None, source: str
) -> DetectedNumbering:
    """Settle how the book numbers its rules: by its rulebook.yml, by `examples`, or by its labels."""
    if rulebook is not None and not examples:
        return _as_written(f"{CONTENT}/{book}/rulebook.yml", rulebook)
    pages = pages_with_rules(pages)
    guess = detect_numbering(pages)
    cues = [name for name in guess.names if name not in CUES] if guess else []
    for example in examples:
        if fault := example_fault(example):
            message = f"--dialect {example}: {fault[1]}"
            return DetectedNumbering(fault=BAD_DIALECT.problem(SourceLocation(source), message, source))
    if examples:  # how chapters are printed is guessed all the same
        forms = (
            guess.chapters if guess and NumberingScheme(examples, guess.chapters).chapter_regexes() else []
        )
        forms = forms or [NumberingScheme(examples).bare_chapter]
        told, found = (
            f"as --dialect says: {', '.join(examples)}",
            suffixes(pages, NumberingScheme(examples, forms)),
        )
        return DetectedNumbering(told, examples, forms, suffixes=found, cues=cues)
    if guess is None:
        return DetectedNumbering(
            fault=NO_NUMBERS.problem(SourceLocation(source), without_numbers(pages), source)
        )
    found = suffixes(pages, guess.dialect())
    told, alphabet = f"guessed: {guess}", guess.alphabet
    return DetectedNumbering(
        told, guess.numbers, guess.chapters, suffixes=found, cues=cues, alphabet=alphabet
    )


def _as_written(name: str, rulebook: bytes) -> DetectedNumbering:
    tree, problems = load_yaml_tree(name, rulebook)
    value, more = model_reader.read_model(tree, Rulebook) if tree else (None, [])
    dialect, faults = edition_scheme(value) if value else (None, [])
    if dialect is None or value is None:
        unread = BAD_DIALECT.problem(SourceLocation(name), "rulebook.yml cannot be read; mend it", name)
        return DetectedNumbering(fault=[*problems, *more, *faults, unread][0])
    told = f"as {name} says: {', '.join(value.numbers)}"
    cited = [term.see for term in value.terms.values() if term.see]
    return DetectedNumbering(
        told, value.numbers, value.chapters, dialect, value.cues, value.not_references, cited
    )


def book_title(site: SourceSite, pages: Sequence[ParsedPage], book: ImportedBook) -> str:
    """A book's title, as the site says it, or as its first page does without the edition; else nothing."""
    index = next((read.page for read in pages if read.page.kind != "page"), None)
    first = index or (pages[0].page if len(pages) == 1 else None)
    given = str(site.title) or (first.title if first else "") or book.title
    is_chapter = first is None or first.name in book.titled
    given = "" if is_chapter and parse_opening_label(given, book.dialect) else given
    return _EDITION.sub("", given).strip(" ,:–—-") or given
