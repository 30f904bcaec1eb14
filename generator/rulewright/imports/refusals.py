"""Why an import is refused: no numbering, hardly any rules, numbers that begin again, several books."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from rulewright.files.problems import Problem, SourceLocation, problem_type, quote_short
from rulewright.imports.blocks import WORD, SourceBlock, plain
from rulewright.imports.book import Book, ImportedRule
from rulewright.imports.labels import LEADER, Candidate, Labels, Passed, contents_heading
from rulewright.schema.problem_reports import plural

NO_NUMBERS = problem_type(
    "import-without-numbers",
    """No page that is to be imported says what the rules are: no heading and no beginning in bold
    has a number, or not in one way; or what has one is a list of contents, or a few points of a letter. The
    message says what there is. Number the headings, or say how the book numbers its rules with
    `--dialect`.""",
)
SEVERAL = problem_type(
    "import-several-books",
    """A Hugo site holds several books or editions, whose chapters have the same numbers. Import one folder
    at a time.""",
)
_NUMBERED = re.compile(
    r"[\[(§#]{0,3}\s?(?:[^\W\d_]{2,12}\.?\s+(?=[\d#]|[IVXLC]+\b))?[\[(§#]{0,3}"
    r"(?:\d|[IVXLC]+[.):]|(?<=\s)[IVXLC]+\b|[A-Z][.):]?\d|[A-Z][.)])"
)
_NO_RULE = re.compile(
    r"\W*(?:table|figure|fig|example|step|turn|day|year|game|scenario|map|player|phase|version|v|tabelle|"
    r"abbildung|beispiel|schritt)\b|[\[(]?\d{1,3}[\])]?$",
    re.IGNORECASE,
)
_BY_PLACE = "number what is a rule in one way, or take the numbers off what is none"
_WRITE = "write numbers in front of the headings, as in “## 1.1 Roads”, or in bold in front of paragraphs"
_MOST, _FEW, _LEAST_RULES, _MOST_WORDS, _MOST_SHARE = 3, 2, 5, 400, 10

_Spot = tuple[str, int, str]
"""A page, a line, and its words."""


def without_numbers(blocks: Sequence[SourceBlock]) -> str:
    """Return why nothing shows how the book numbers its rules."""
    headings = [*_headings(blocks)]
    lines = [line for block in blocks if block.kind != "heading" for line in block.text.split("\n")]
    listed = [line for line in lines if _NUMBERED.match(line) and LEADER.search(line)]
    if len(listed) > _FEW and len(listed) * 2 > len([*filter(None, lines)]):
        what = f"{plural(len(listed), 'line')} with a number and a page are a list of contents"
        return f"{what}; give the rules themselves, or make it a known.yml: rulewright import dialect --known"
    if numbered := [heading for heading in headings if _NUMBERED.match(heading[2])]:
        what = f"{plural(len(numbered), 'heading')} with a number, {_listed(numbered)}, do not tell how"
        return f"{what} the book numbers its rules; say it with --dialect, like 1.1 or I.1"
    pages = {block.page.name for block in blocks}
    what = f"{plural(len(pages), 'page')} without a heading"
    if headings:
        what = f"no heading of {len(headings)} begins with a number: {_listed(headings)}"
    items = [_spot(block) for block in blocks if block.kind == "item" and block.marker[:1] == "1"]
    what += f"; numbered lists ({_listed(items)}) are items of a rule, not rules" if items else ""
    opened = [_spot(b) for b in blocks if b.kind == "paragraph" and _NUMBERED.match(plain(b.runs))]
    what += f"; paragraphs with a number ({_listed(opened)}) are no chapters of a book" if opened else ""
    return f"{what}; {_WRITE}"


def hardly_any_rules(book: Book, blocks: Sequence[SourceBlock], labels: Labels) -> str:
    """Return why labels make no book: they begin again, are few, have no text, or most do not fit."""
    places = {(label.block.page.name, label.line_number) for label in labels.labels}
    rules = [rule for rule in book.rules() if (rule.page.name, rule.line) in places and not rule.item]
    examples = ", ".join(book.numbering.numbers)
    if reason := _restarts(blocks, labels):
        return reason
    lines = {(rule.page.name, rule.line) for rule in rules}
    headings = [*_headings(blocks)]
    left = [heading for heading in headings if heading[:2] not in lines]
    numbered = [one for one in left if _NUMBERED.match(one[2]) and not _NO_RULE.match(one[2])]
    titles = {block.page.title for block in blocks} | {book.title}
    numbered = [one for one in numbered if one[2] not in titles]
    if len(numbered) >= _FEW and len(numbered) * 2 > len(rules):
        what = f"{plural(len(numbered), 'heading')} with a number are none where numbers are like {examples}"
        return f"{what}: {_listed(numbered)}; say with --dialect how the book does it"
    if len(rules) < _FEW and len(left) > _FEW:
        what = f"numbers like {examples} are found in {plural(len(rules), 'heading')} of {len(headings)}"
        return f"{what}; the others have none: {_listed(left)}; number them, or say --dialect"
    seen = [(rule.page.name, rule.line, f"{rule.printed} {plain(rule.title)}".strip()) for rule in rules]
    own = sum(_text_size(rule) for rule in rules)
    of_headings = len(lines & {heading[:2] for heading in headings})
    texts = [plain(block.runs) for block in blocks]
    filled = sum(bool(LEADER.search(text)) for text in texts) * 2 >= len(rules)
    if rules and not own and (filled or any(map(contents_heading, blocks)) or of_headings * 2 < len(rules)):
        what = f"{plural(len(rules), 'label')} ({_listed(seen)}) have no text: they are a list of contents"
        return f"{what}; give the rules themselves, or make it a known.yml: rulewright import dialect --known"
    words = sum(len(WORD.findall(text)) for text in texts)
    whole = " ".join(texts)
    is_cited = any(
        len(re.findall(rf"(?<![\w.]){re.escape(rule.printed)}(?![\w.]*\w)", whole)) > 1 for rule in rules
    )
    outside = words - own - sum(len(WORD.findall(text)) for *_, text in seen)
    is_aside = not of_headings and not is_cited and outside * _MOST_SHARE > words
    is_thin = words > _LEAST_RULES * _MOST_WORDS or is_aside or len(left) - 1 > len(rules)
    if len(rules) < _LEAST_RULES and is_thin:
        what = f"{plural(len(rules), 'label')} like {examples} in {words} words ({_listed(seen)})"
        what += f" beside {plural(len(left), 'heading')} without a number" if len(left) > 1 else ""
        return f"{what} are no book of rules; {_BY_PLACE}"
    return ""


def _restarts(blocks: Sequence[SourceBlock], labels: Labels) -> str:
    """Return why labels are no rules: many of their numbers begin again under other headings."""
    again = [one for one in labels.passed if one.key and one.block.kind == "heading"]
    if len(again) < _FEW or len(again) * 2 <= len(labels.labels):
        return ""
    firsts = dict.fromkeys(_above(blocks, one, labels) for one in again)
    where = " and ".join(f"“{quote_short(words, 40)}”" for words in [*filter(None, firsts)][:_MOST])
    under = f" under {where}" if where else ""
    number = again[0].number
    return (
        f"numbers begin again at {number}{under}: they count steps, not rules; "
        f"{plural(len(again), 'label')} of {len(again) + len(labels.labels)} are there already; "
        f"{_BY_PLACE}, or say --number"
    )


def _above(blocks: Sequence[SourceBlock], passed: Passed, labels: Labels) -> str:
    """Return the heading without a number above a label."""
    at = next(index for index, block in enumerate(blocks) if block is passed.block)
    numbered = {label.index for label in labels.labels if isinstance(label, Candidate)}
    for index in range(at - 1, -1, -1):
        block = blocks[index]
        if block.kind == "heading" and index not in numbered and not _NUMBERED.match(plain(block.runs)):
            return plain(block.runs)
    return ""


def _text_size(rule: ImportedRule) -> int:
    """Return how many words of its own a rule has besides its label and title."""
    blocks = [*rule.blocks, *rule.closing, *(block for note in rule.notes for block in note.blocks)]
    inner = sum(_text_size(item) for item in rule.rules if item.item)
    inner += sum(len(row) for block in blocks for row in block.rows) + len(rule.steps)
    texts = [
        text
        for block in blocks
        if (text := plain(block.runs)) and block.kind != "heading" and not LEADER.search(text)
        if block.line > rule.line or re.search(r"[.!?;:)]\W*$", text) or len(text) > 60
    ]
    return inner + sum(len(WORD.findall(text)) for text in texts)


def _headings(blocks: Sequence[SourceBlock]) -> Iterator[_Spot]:
    return (_spot(b) for b in blocks if b.kind == "heading" and b.level and plain(b.runs))


def _spot(block: SourceBlock) -> _Spot:
    return block.page.name, block.line, plain(block.runs)


def _listed(spots: Sequence[_Spot]) -> str:
    named = [f"“{quote_short(words, 40)}” ({page}:{line})" for page, line, words in spots[:_MOST]]
    return ", ".join(named) + (" and so on" if len(spots) > _MOST else "")


def several_books(blocks: Sequence[SourceBlock], labels: Labels, book: Book, source: str) -> Problem | None:
    """Return the problem of pages in different folders that hold the same chapters."""
    folders: dict[str, set[str]] = {}
    found = [(label.block, label.printed) for label in labels.labels]
    for block, printed in [*found, *((one.block, one.words.split()[0]) for one in labels.passed if one.key)]:
        number = book.scheme.parse_number(printed.strip("[]().:")) or book.scheme.parse_number(printed)
        if number and len(number.labels) == 1:
            folders.setdefault(posixpath.dirname(block.page.file.name), set()).add(number.key)
    for one, other in combinations(sorted(folders), 2):
        if len(shared := sorted(folders[one] & folders[other])) > 1:
            message = f"{one} and {other} both hold {shared[0]} and {shared[1]}; name one of these folders"
            return SEVERAL.problem(SourceLocation(source), message, source)
    return None
