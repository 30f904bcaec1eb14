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
_TEXT = re.compile(r"[.!?;:)]\W*$|.{60}", re.DOTALL)
_CURE = "number headings or paragraphs as in “## 1.1 Roads”, or say with --dialect how the book does it"
_MAX_LISTED, _FEW, _MIN_RULES, _MAX_WORDS = 3, 2, 5, 2_000


def refusal(problem_type: ProblemType, source: str, message: str) -> ContentErrors:
    """Return the error of an import that is refused."""
    problem = problem_type.problem(SourceLocation(source), message, source)
    return ContentErrors([problem], "nothing imported until this is corrected")


def without_numbers(blocks: Sequence[SourceBlock]) -> str:
    """Return why nothing shows how the book numbers its rules."""
    headings = _heading_list(_headings(blocks), "")
    return f"nothing shows how the book numbers its rules, beside {headings}; {_CURE}"


def hardly_any_rules(book: Book, blocks: Sequence[SourceBlock], labels: Labels) -> str:
    """Return why labels make no book: most numbers open no rule, no rule has text, or rules are too few."""
    rules = [rule for rule in book.rules() if not rule.item]
    repeated = [passed.block for passed in labels.passed if passed.is_repeated and passed.is_heading]
    labelled = {id(label.block) for label in labels.labels if label.is_heading}
    unlabelled = [block for block in _headings(blocks) if id(block) not in labelled]
    size = sum(len(WORD.findall(block.text)) for block in blocks)
    examples = ", ".join(book.numbering.numbers)
    is_small = len(rules) < _MIN_RULES and (size > _MAX_WORDS or len(unlabelled) - 1 > len(rules))
    if len(repeated) >= _FEW and len(repeated) * 2 > len(rules):
        fault = _heading_list(repeated, " with a number open no rule")
    elif len(labelled) * 2 < len(rules) and not any(map(_has_text, rules)):
        fault = "they have no text, as in a list of contents"
    elif is_small:
        fault = _heading_list(unlabelled, f" have no number like {examples}")
    else:
        return ""
    count_text = f"{plural(len(rules), 'label')} like {examples} in {size} words"
    return f"{count_text} make no book of rules: {fault}; {_CURE}"


def _headings(blocks: Sequence[SourceBlock]) -> list[SourceBlock]:
    return [block for block in blocks if block.kind == "heading" and block.level and plain(block.runs)]


def _has_text(rule: ImportedRule) -> bool:
    """Return whether a rule has a table, a note, or a sentence of its own besides its label and title."""
    for block in (*rule.blocks, *rule.closing, *rule.steps):
        is_text = block.kind != "heading" and _TEXT.search(block.text) and not LEADER.search(block.text)
        if block.rows or is_text:
            return True
    return bool(rule.notes)


def _heading_list(headings: Sequence[SourceBlock], fault: str) -> str:
    """Return how many headings have a fault, with the first of them."""
    places = [
        f"“{quote_short(plain(block.runs), 40)}” ({block.page.name}:{block.line})"
        for block in headings[:_MAX_LISTED]
    ]
    more = " and so on" if len(headings) > _MAX_LISTED else ""
    return f"{plural(len(headings), 'heading')}{fault}{':' * bool(places)} {', '.join(places)}{more}".strip()
