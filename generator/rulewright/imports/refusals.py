"""Why an import is refused: no numbering, hardly any rules, numbers that begin again, several books."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from itertools import combinations

from rulewright.files.problems import Problem, SourceLocation, problem_type, quote_short
from rulewright.imports.blocks import WORD, SourceBlock, plain
from rulewright.imports.book import Book, ImportedRule
from rulewright.imports.labels import LEADER, Labels, contents_heading
from rulewright.schema.problem_reports import plural

NO_NUMBERS = problem_type(
    "import-without-numbers",
    """No page to import says what the rules are: no heading and no beginning in bold has a number, or not in
    the same way; or what has a number is a list of contents, or a few points of a letter. The message says
    what there is. Number the headings, or say how the book numbers its rules with `--dialect`.""",
)
SEVERAL = problem_type(
    "import-several-books",
    """A Hugo site holds several books or editions, whose chapters have the same numbers. Import a single
    folder at a time.""",
)
_NUMBERED = re.compile(
    r"[\[(§#]{0,3}\s?(?:[^\W\d_]{2,12}\.?\s+)?[\[(§#]{0,3}(?:\d|[IVXLC]+[.):]|[A-Z][.):]?\d)"
)
_NO_RULE = re.compile(
    r"\W*(?:table|figure|fig|example|step|turn|day|year|game|scenario|map|player|phase|version|v)\b"
    r"|[\[(]?\d{1,3}[\])]?$",
    re.IGNORECASE,
)
_WRITE = "write numbers in front of the headings, as in “## 1.1 Roads”, or in bold in front of paragraphs"
_CONTENTS = "give the rules themselves"
_MAX_LISTED, _FEW, _MIN_RULES, _MAX_WORDS = 3, 2, 5, 2_000


def without_numbers(blocks: Sequence[SourceBlock]) -> str:
    """Return why nothing shows how the book numbers its rules."""
    headings = [block for block in blocks if block.kind == "heading" and block.level and plain(block.runs)]
    lines = [line for block in blocks for line in block.text.split("\n") if line.strip()]
    listed_lines = [line for line in lines if _NUMBERED.match(line) and LEADER.search(line)]
    if len(listed_lines) > _FEW and len(listed_lines) * 2 > len(lines):
        entries = plural(len(listed_lines), "line")
        return f"{entries} with a number and a page are a list of contents; {_CONTENTS}"
    if numbered := [block for block in headings if _NUMBERED.match(plain(block.runs))]:
        return (
            f"{plural(len(numbered), 'heading')} with a number, {_place_list(numbered)}, do not show how "
            "the book numbers its rules; say it with --dialect, like 1.1 or I.1"
        )
    if headings:
        return f"no heading of {len(headings)} begins with a number: {_place_list(headings)}; {_WRITE}"
    return f"{plural(len({block.page.name for block in blocks}), 'page')} without a heading; {_WRITE}"


def hardly_any_rules(book: Book, blocks: Sequence[SourceBlock], labels: Labels) -> str:
    """Return why labels make no book: they begin again, are few, have no text, or most do not fit."""
    repeated = [passed for passed in labels.passed if passed.key and passed.block.kind == "heading"]
    if len(repeated) >= _FEW and len(repeated) * 2 > len(labels.labels):
        return (
            f"numbers begin again at {repeated[0].number}{_under(blocks, repeated[0].block)}: they count "
            f"steps, not rules; {len(repeated)} of {plural(len(repeated) + len(labels.labels), 'label')} are "
            "there already; number rules in the same way, or say --number"
        )
    places = {(label.block.page.name, label.line_number) for label in labels.labels}
    rules = [rule for rule in book.rules() if (rule.page.name, rule.line) in places and not rule.item]
    examples = ", ".join(book.numbering.numbers)
    titles = {block.page.title for block in blocks} | {book.title}
    unnumbered: list[SourceBlock] = []
    for block in blocks:
        is_heading = block.kind == "heading" and block.level and plain(block.runs)
        if is_heading and (block.page.name, block.line) not in places:
            unnumbered.append(block)
    numbered = [
        block
        for block in unnumbered
        if _NUMBERED.match(plain(block.runs)) and plain(block.runs) not in titles
    ]
    numbered = [block for block in numbered if not _NO_RULE.match(plain(block.runs))]
    if len(numbered) >= _FEW and len(numbered) * 2 > len(rules):
        return (
            f"{plural(len(numbered), 'heading')} with a number are none where numbers are like {examples}: "
            f"{_place_list(numbered)}; say with --dialect how the book does it"
        )
    texts = [plain(block.runs) for block in blocks]
    labels_found = f"{plural(len(rules), 'label')} like {examples}"
    has_contents = sum(bool(LEADER.search(text)) for text in texts) * 2 >= len(rules)
    has_headings = sum(label.is_heading for label in labels.labels)
    rule_words = sum(map(_text_size, rules))
    if (
        rules
        and not rule_words
        and (has_contents or any(map(contents_heading, blocks)) or has_headings * 2 < len(rules))
    ):
        return f"{labels_found} have no text: they are a list of contents; {_CONTENTS}"
    words = sum(len(WORD.findall(text)) for text in texts)
    is_cited = len(rules) < _MIN_RULES and any(
        len(re.findall(rf"(?<![\w.]){re.escape(rule.printed)}(?![\w.]*\w)", " ".join(texts))) > 1
        for rule in rules
    )
    titles_size = sum(len(WORD.findall(f"{rule.printed} {plain(rule.title)}")) for rule in rules)
    is_letter = not has_headings and not is_cited and (words - rule_words - titles_size) * 10 > words
    if len(rules) < _MIN_RULES and (words > _MAX_WORDS or is_letter or len(unnumbered) - 1 > len(rules)):
        without_numbers_text = (
            f" beside {plural(len(unnumbered), 'heading')} without a number" if len(unnumbered) > 1 else ""
        )
        return f"{labels_found} in {words} words{without_numbers_text} are no book of rules; {_WRITE}"
    return ""


def _under(blocks: Sequence[SourceBlock], block: SourceBlock) -> str:
    """Return the heading without a number above a block, in words."""
    index = next(index for index, other in enumerate(blocks) if other is block)
    titles = [plain(other.runs) for other in blocks[:index] if other.kind == "heading"]
    titles = [title for title in titles if not _NUMBERED.match(title)]
    return f" under “{quote_short(titles[-1], 40)}”" if titles else ""


def _text_size(rule: ImportedRule) -> int:
    """Return how many words of its own a rule has besides its label and title."""
    blocks = [*rule.blocks, *rule.closing, *(block for note in rule.notes for block in note.blocks)]
    size = len(rule.steps) + sum(_text_size(item) for item in rule.rules if item.item)
    for block in blocks:
        text = plain(block.runs)
        is_text = block.line > rule.line or re.search(r"[.!?;:)]\W*$", text) or len(text) > 60
        size += len(block.rows)
        if block.kind != "heading" and is_text and not LEADER.search(text):
            size += len(WORD.findall(text))
    return size


def _place_list(blocks: Sequence[SourceBlock]) -> str:
    places = [
        f"“{quote_short(plain(block.runs), 40)}” ({block.page.name}:{block.line})"
        for block in blocks[:_MAX_LISTED]
    ]
    return ", ".join(places) + (" and so on" if len(blocks) > _MAX_LISTED else "")


def several_books(labels: Labels, book: Book, source: str) -> Problem | None:
    """Return the problem of pages in different folders that hold the same chapters."""
    folders: dict[str, set[str]] = {}
    numbers: Iterable[tuple[SourceBlock, str]] = [(label.block, label.printed) for label in labels.labels]
    numbers = [*numbers, *((passed.block, passed.number) for passed in labels.passed if passed.key)]
    for block, printed in numbers:
        number = book.scheme.parse_number(printed.strip("[]().:")) or book.scheme.parse_number(printed)
        if number and len(number.labels) == 1:
            folders.setdefault(posixpath.dirname(block.page.file.name), set()).add(number.key)
    for first, second in combinations(sorted(folders), 2):
        if len(shared := sorted(folders[first] & folders[second])) > 1:
            message = f"{first} and {second} both hold {shared[0]} and {shared[1]}; name a single folder"
            return SEVERAL.problem(SourceLocation(source), message, source)
    return None
