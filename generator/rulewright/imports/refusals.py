"""Why an import is refused: no numbering, no text, or numbers that open no rules."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.files.errors import ContentErrors
from rulewright.files.problems import ProblemType, SourceLocation, problem_type, quote_short
from rulewright.imports.blocks import WORD, SourceBlock, plain
from rulewright.imports.book import Book, ImportedRule
from rulewright.imports.labels import LEADER, Labels
from rulewright.schema.problem_reports import plural

NO_NUMBERS = problem_type(
    "import-without-numbers",
    """No page to import says what the rules are: no heading and no beginning in bold has a number, or not in
    the same way, or numbers begin again; or what has a number is a list of contents, or a few points of a
    letter. The message says what there is. Number the headings, import a single folder, or say how the book
    numbers its rules with `--dialect`.""",
)
_NUMBERED = re.compile(
    r"[\[(§#]{0,3}\s?(?:[^\W\d_]{2,12}\.?\s+)?[\[(§#]{0,3}(?:\d|[IVXLC]+[.):]|[A-Z][.):]?\d)"
)
_NO_RULE = re.compile(
    r"\W*(?:table|figure|fig|example|step|turn|day|year|game|scenario|map|player|phase|version|v)\b"
    r"|[\[(]?\d{1,3}[\])]?$",
    re.IGNORECASE,
)
_TEXT = re.compile(r"[.!?;:)]\W*$|.{60}", re.DOTALL)
_CURE = "number headings or paragraphs as in “## 1.1 Roads”, or say with --dialect how the book does it"
_MAX_LISTED, _FEW, _MIN_RULES, _MAX_WORDS = 3, 2, 5, 2_000


def refusal(problem_type: ProblemType, source: str, message: str) -> ContentErrors:
    """Return the error of an import that is refused."""
    problem = problem_type.problem(SourceLocation(source), message, source)
    return ContentErrors([problem], "nothing imported until this is corrected")


def without_numbers(blocks: Sequence[SourceBlock]) -> str:
    """Return why nothing shows how the book numbers its rules."""
    headings = _headings(blocks)
    count_text = f"{plural(len(headings), 'heading')}{_place_list(headings)}"
    return f"nothing shows how the book numbers its rules, beside {count_text}; {_CURE}"


def hardly_any_rules(book: Book, blocks: Sequence[SourceBlock], labels: Labels) -> str:
    """Return why labels make no book: most numbers open no rule, no rule has text, or rules are too few."""
    rules = [rule for rule in book.rules() if not rule.item]
    places = {(label.block.page.name, label.line_number) for label in labels.labels}
    unlabelled = [block for block in _headings(blocks) if (block.page.name, block.line) not in places]
    titles = {block.page.title for block in blocks} | {book.title}
    # Numbers that are there already, and numbers in another form.
    numbered = [passed.label.block for passed in labels.passed if passed.key and passed.label.is_heading]
    for block in unlabelled:
        words = plain(block.runs)
        is_title = words in titles or block in numbered or _NO_RULE.match(words)
        numbered += [block] if _NUMBERED.match(words) and not is_title else []
    size = sum(len(WORD.findall(block.text)) for block in blocks)
    has_headings = sum(label.is_heading for label in labels.labels) * 2 >= len(rules)
    is_small = len(rules) < _MIN_RULES and (size > _MAX_WORDS or len(unlabelled) - 1 > len(rules))
    if len(numbered) >= _FEW and len(numbered) * 2 > len(rules):
        fault = f"{plural(len(numbered), 'heading')} with a number open no rule{_place_list(numbered)}"
    elif not has_headings and not any(map(_has_text, rules)):
        fault = "they have no text, as in a list of contents"
    elif is_small:
        fault = f"{plural(len(unlabelled), 'heading')} have no number{_place_list(unlabelled)}"
    else:
        return ""
    count_text = f"{plural(len(rules), 'label')} like {', '.join(book.numbering.numbers)} in {size} words"
    return f"{count_text} make no book of rules: {fault}; {_CURE}"


def _headings(blocks: Sequence[SourceBlock]) -> list[SourceBlock]:
    return [block for block in blocks if block.kind == "heading" and block.level and plain(block.runs)]


def _has_text(rule: ImportedRule) -> bool:
    """Return whether a rule has a table or a sentence of its own besides its label and title."""
    blocks = [
        *rule.blocks,
        *rule.closing,
        *rule.steps,
        *(block for note in rule.notes for block in note.blocks),
    ]
    for block in blocks:
        is_text = block.kind != "heading" and _TEXT.search(block.text) and not LEADER.search(block.text)
        if block.rows or is_text:
            return True
    return False


def _place_list(blocks: Sequence[SourceBlock]) -> str:
    places = [
        f"“{quote_short(plain(block.runs), 40)}” ({block.page.name}:{block.line})"
        for block in blocks[:_MAX_LISTED]
    ]
    more = " and so on" if len(blocks) > _MAX_LISTED else ""
    return f": {', '.join(places)}{more}" if places else ""
