"""Why an import is refused: pages that tell no numbering, hardly any rules, several books in one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from itertools import combinations

from rulewright.files.problems import Problem, SourceLocation, problem_type, quote_short
from rulewright.imports.website.label_tree import CONTENTS_TITLE, NOTE_MARK, TAKEN, has_dot_leader
from rulewright.imports.website.page_block_types import (
    WORD,
    PageList,
    PageParagraph,
    ParsedPage,
    iter_blocks,
    pieces_text,
)
from rulewright.imports.website.rule_tree import ImportedBook, RuleNode
from rulewright.schema.problem_reports import plural

_NUMBERED = re.compile(
    r"[\[(§#]{0,3}\s?(?:[^\W\d_]{2,12}\.?\s+(?=[\d#]|[IVXLC]+\b))?[\[(§#]{0,3}"
    r"(?:\d|[IVXLC]+[.):]|(?<=\s)[IVXLC]+\b|[A-Z][.):]?\d|[A-Z][.)])"
)
_NO_RULE = re.compile(
    r"\W*(?:table|figure|fig|example|step|turn|day|year|game|scenario|map|player|phase|version|v|tabelle|"
    rf"abbildung|beispiel|schritt)\b|{NOTE_MARK.pattern}$",
    re.IGNORECASE,
)
_BY_PLACE = "number what is a rule in one way, or take the numbers off what is none"
_MOST, _FEW = 3, 2
_ENDS, _LONG = re.compile(r"[.!?;:)]\W*$"), 60
_MOST_SHARE = 10
"""Of how many words one stands outside of rules that no heading names, where these are points of a letter."""
_LEAST_RULES, _MOST_WORDS = 5, 400
"""A text of so few rules that holds so many words for each is read wrongly."""

_Spot = tuple[ParsedPage, int, str]

SEVERAL = problem_type(
    "import-several-books",
    """A Hugo site holds several books or editions, whose chapters have the same numbers. Import one folder
    at a time.""",
)


def without_numbers(pages: Sequence[ParsedPage]) -> str:
    """Say why nothing on some pages tells how the book numbers its rules."""
    headings = _headings(pages)
    if numbered := [heading for heading in headings if _NUMBERED.match(heading[2])]:
        what = f"{plural(len(numbered), 'heading')} with a number, {_listed(numbered)}, do not tell how"
        return f"{what} the book numbers its rules; say it with --dialect, like 1.1 or I.1"
    what = f"{plural(len(pages), 'page')} without a heading"
    if headings:
        what = f"no heading of {len(headings)} begins with a number: {_listed(headings)}"
    items = [
        (read, block.line, pieces_text(block.items[0].lead))
        for read in pages
        for block in iter_blocks(read.blocks)
        if isinstance(block, PageList) and block.items[0].marker and block.items[0].lead
    ]
    what += f"; numbered lists ({_listed(items)}) are items of a rule, not rules" if items else ""
    opened = [
        (read, block.line, words)
        for read in pages
        for block in iter_blocks(read.blocks)
        if isinstance(block, PageParagraph) and _NUMBERED.match(words := pieces_text(block.pieces))
    ]
    what += f"; paragraphs with a number ({_listed(opened)}) are no chapters of a book" if opened else ""
    todo = "write numbers in front of the headings, as in “## 1.1 Roads”, or in bold in front of paragraphs"
    return f"{what}; {todo}"


def hardly_any_rules(book: ImportedBook, pages: Sequence[ParsedPage]) -> str:
    """Say why a book would be one lump: hardly any label on `pages`, those of rules, has become one."""
    rules = [node for node in book.nodes if node.number]
    lines = {(node.page.name, node.line) for node in rules}
    headings = _headings(pages)
    left = [heading for heading in headings if (heading[0].page.name, heading[1]) not in lines]
    by_page = {read.page.name: read for read in pages}
    settled = {
        why: [(by_page[page.name], line, words) for page, line, words in spots]
        for why, spots in book.report.unread.items()
    }
    again, passed = settled.get(TAKEN, []), [spot for spots in settled.values() for spot in spots]
    numbered = [one for one in left if _NUMBERED.match(one[2]) and not _NO_RULE.match(one[2])]
    numbered = [one for one in numbered if one[2] != one[0].page.title and one not in passed]
    dialect = ", ".join(book.numbers)
    unread = len({words for _, _, words in numbered}) + len(again)
    if unread >= _FEW and unread * 2 > len(rules):
        if len(again) > len(numbered):
            under = dict.fromkeys(_above(read, line) for read, line, _ in again)
            where = " and ".join(f"“{quote_short(words, 40)}”" for words in [*filter(None, under)][:_MOST])
            what = (
                f"{plural(len(again), 'label')} of {len(rules) + unread} are there already: {_listed(again)}"
            )
            where = f"numbers begin again under {where}: they count steps, not rules; " if where else ""
            return f"{where}{what}; {_BY_PLACE}"
        what = f"{plural(len(numbered), 'heading')} with a number are none where numbers are like {dialect}"
        return f"{what}: {_listed(numbered)}; say with --dialect how the book does it"
    if len(rules) < _FEW and len(left) > _FEW:
        what = f"numbers like {dialect} are found in {plural(len(rules), 'heading')} of {len(headings)}"
        return f"{what}; the others have none: {_listed(left)}; number them, or say --dialect"
    words = sum(len(WORD.findall(pieces_text(run))) for read in pages for run in read.runs())
    seen = [
        (by_page[node.page.name], node.line, f"{node.printed} {pieces_text(node.title)}") for node in rules
    ]
    headed = {(read.page.name, line) for read, line, _ in headings}
    of_headings = sum((node.page.name, node.line) in headed for node in rules)
    own = sum(_text_of(node) for node in rules)
    filled = sum(has_dot_leader(text) for *_, text in seen)
    is_contents = filled * 2 >= len(rules) or any(
        CONTENTS_TITLE.fullmatch(pieces_text(run)) for read in pages for run in read.runs()
    )
    if rules and not own and (is_contents or of_headings * 2 < len(rules)):
        what = f"{plural(len(rules), 'label')} ({_listed(seen)}) have no text: they are a list of contents"
        return f"{what}; give the rules themselves, or make it a known.yml: rulewright import dialect --known"
    text = " ".join(pieces_text(run) for read in pages for run in read.runs())
    is_cited = any(
        len(re.findall(rf"(?<![\w.]){re.escape(node.printed)}(?![\w.]*\w)", text)) > 1 for node in rules
    )
    outside = words - own - sum(len(WORD.findall(text)) for *_, text in seen)
    is_aside = not of_headings and not is_cited and outside * _MOST_SHARE > words
    if len(rules) < _LEAST_RULES and (
        words > _LEAST_RULES * _MOST_WORDS or is_aside or len(left) - 1 > len(rules)
    ):
        what = f"{plural(len(rules), 'label')} like {dialect} in {words} words ({_listed(seen)})"
        what += f" beside {plural(len(left), 'heading')} without a number" if len(left) > 1 else ""
        return f"{what} are no book of rules; {_BY_PLACE}"
    return ""


def _text_of(node: RuleNode) -> int:
    """How many words of its own a rule has, beside a line that is its label and its title."""
    lines = [line for part in node.parts if not part.title for line in part.lines]
    lines += [line for note in node.notes for line in note.lines]
    inner = sum(_text_of(rule) for rule in node.rules if rule.item)
    inner += sum(len(row) for grid, *_ in node.grids for row in grid.rows)
    found = [(line.line, pieces_text(line.pieces)) for line in lines if line.line >= node.line]
    texts = [
        words
        for line, words in found
        if line > node.line or ((_ENDS.search(words) or len(words) > _LONG) and not has_dot_leader(words))
    ]
    return inner + sum(len(WORD.findall(words)) for words in texts)


def _above(read: ParsedPage, line: int) -> str:
    """The heading without a number that stands above a line."""
    above = [
        heading
        for heading in read.headings()
        if heading.line < line and not _NUMBERED.match(pieces_text(heading.pieces))
    ]
    return pieces_text(above[-1].pieces) if above else ""


def _headings(pages: Sequence[ParsedPage]) -> list[_Spot]:
    return [
        (read, block.line, words)
        for read in pages
        for block in read.headings()
        if (words := pieces_text(block.pieces))
    ]


def _listed(places: Sequence[_Spot]) -> str:
    named = [f"“{quote_short(words, 40)}” ({read.page.name}:{line})" for read, line, words in places[:_MOST]]
    return ", ".join(named) + (" and so on" if len(places) > _MOST else "")


def several_books(book: ImportedBook, source: str) -> Problem | None:
    """Problem of pages in different folders that are the same chapters, as those of two editions are."""
    folders: dict[str, set[str]] = {}
    for node in book.rules_by_page.values():
        if node.number and len(node.number.labels) == 1:
            folders.setdefault(posixpath.dirname(node.page.file.name), set()).add(node.key)
    for one, other in combinations(folders, 2):
        if len(shared := sorted(folders[one] & folders[other])) > 1:
            message = f"{one} and {other} both hold {shared[0]} and {shared[1]}; name one of these folders"
            return SEVERAL.problem(SourceLocation(source), message, source)
    return None
