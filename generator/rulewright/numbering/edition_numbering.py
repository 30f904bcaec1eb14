"""Numbering scheme of an edition, from its rulebook.yml, and problems of the examples there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, SourceFile, problem_type, quote_short
from rulewright.numbering.examples import example_fault
from rulewright.numbering.label_types import ALPHABET
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.numbering.suffixes import is_suffix
from rulewright.schema.rulebook import Chapter, EditionFile, KnownNumbers, Rulebook, numbers_in

MAX_LETTERS, MAX_EXAMPLES = 40, 20

_QUOTES = " \"'“”„‟‘’‚«»‹›"
_LABEL = re.compile(
    r"""(?m)(?:[:-][ \t]+["']?|[:\w][ \t]*["'])([^"',{}#\s]{1,40})["']?[ \t]*(?=[,}\r\n#]|\Z)"""
    r"""|^[ \t]*["']([^"',{}#\s]{1,40})(?=["' \t][^\r\n]*:)"""
)

EXAMPLE = problem_type(
    "dialect-example",
    """An example of a number or the alphabet in rulebook.yml is invalid.
    Until that is fixed, the rules of the book are not checked.""",
)


def edition_scheme(book: Rulebook) -> tuple[NumberingScheme | None, list[Problem]]:
    """Return the numbering scheme of a book, or None if it declares none or an invalid one."""
    if not book.numbers:
        return None, []
    problems = [
        EXAMPLE.problem(text.location_of(offset), message, text.file.name)
        for text, offset, message in _example_problems(book)
    ]
    if problems:
        return None, problems
    alphabet = _letters(book.alphabet or ALPHABET)
    implied = book.implied == "chapter"
    dialect = NumberingScheme(
        book.numbers, book.chapters, alphabet=alphabet, implied=implied, suffixes=book.suffixes
    )
    return dialect, []


def repair_number(label: str, dialect: NumberingScheme, chapter: str = "") -> RuleNumber | None:
    """Guess a malformed number: as a chapter, in another case, or by its longest valid beginning."""
    label = label.strip(_QUOTES)
    chapter_number = dialect.chapter(label)
    key = chapter_number.key if chapter_number else ""
    candidates = [dialect.parse_number(label, chapter)]
    candidates += map(dialect.parse_number, (key, label.upper(), label.lower()))
    lengths = range(min(len(label), MAX_LETTERS), 0, -1)
    candidates += (dialect.parse_number(label[:length], chapter) for length in lengths)
    return next(filter(None, candidates), None)


def scan_numbers(file: SourceFile, dialect: NumberingScheme) -> Iterator[tuple[RuleNumber, LocatedText]]:
    """Yield numbers in a malformed file: everything that looks like a value and parses as a number."""
    chapter = ""
    for m in _LABEL.finditer(file.text):
        label = m.lastindex or 0
        if number := dialect.parse_number(m[label], chapter):
            chapter = chapter or number.labels[0]
            yield number, LocatedText.from_source(m[label], file, *m.span(label))


def iter_labels(
    chapters: Iterable[Chapter | None], known: KnownNumbers | None, dialect: NumberingScheme
) -> Iterator[tuple[LocatedText, str]]:
    """Yield the numbers of an edition as written, with the label of their chapter: rules, then its list."""
    for chapter in filter(None, chapters):
        number = dialect.parse_number(chapter.number)
        for label in numbers_in(chapter):
            yield label, number.labels[0] if number else ""
    for listed_rule in known.known if known else ():
        yield listed_rule.number, ""


def repair_all_numbers(
    chapters: Iterable[Chapter | None], known: KnownNumbers | None, dialect: NumberingScheme
) -> Iterator[tuple[RuleNumber, LocatedText]]:
    """Guess every malformed number of an edition."""
    for label, chapter in iter_labels(chapters, known, dialect):
        number = None if dialect.parse_number(label, chapter) else repair_number(label, dialect, chapter)
        if number:
            yield number, label


def printed_numbers(
    chapters: Iterable[Chapter | None], known: KnownNumbers | None, dialect: NumberingScheme
) -> Iterator[RuleNumber]:
    """Yield the valid numbers of an edition."""
    labels = iter_labels(chapters, known, dialect)
    return filter(None, (dialect.parse_number(label, chapter) for label, chapter in labels))


def edition_finder(
    book: Rulebook, dialect: NumberingScheme, files: Iterable[EditionFile], names: Sequence[str] = ()
) -> ReferenceFinder:
    """Return the reference finder of an edition. `files`: its own and its bases'; `names`: of its series."""
    never = [*book.not_references, *(reference for file in files for reference in file.not_references)]
    return ReferenceFinder(
        dialect,
        cues=book.cues,
        joins=book.joins,
        range_words=book.through,
        never=never,
        names=names,
        levels=book.levels,
    )


def _example_problems(book: Rulebook) -> Iterator[tuple[LocatedText, int, str]]:
    for examples in (book.numbers, book.chapters, book.suffixes):
        for example in examples:
            if len(example) > MAX_LETTERS:
                yield example, 0, f"an example has {MAX_LETTERS} letters at most"
                return
        if len(examples) > MAX_EXAMPLES:
            yield examples[MAX_EXAMPLES], 0, f"a book has {MAX_EXAMPLES} examples at most"
            return
    is_valid = True
    for example in book.numbers:
        if fault := example_fault(example):
            is_valid = False
            yield example, *fault
    alphabet = book.alphabet
    letters = _letters(alphabet) if alphabet else ALPHABET
    is_valid_alphabet = letters.isalpha() and len({*letters.upper()}) == len(letters) == len(letters.upper())
    if alphabet and not is_valid_alphabet:
        yield alphabet, 0, f"{quote_short(alphabet)} is no alphabet; write each letter once"
    elif is_valid:
        for suffix in book.suffixes:
            if not is_suffix(suffix):
                cure = "write it alone, as it follows a number: bis, +, or A for any letter"
                yield suffix, 0, f"{quote_short(suffix)} is no suffix; {cure}"
        for form in book.chapters:
            scheme = NumberingScheme(book.numbers, [form])
            if not (form.startswith("(") or scheme.rows or scheme.is_rule(form)):
                usual = "C" if book.numbers[0][:1].isalpha() else "12.0"
                yield form, 0, f"{form} names no chapter; write one as the book cites it, like {usual}"


def _letters(alphabet: str) -> str:
    return "".join(alphabet.split()).lower()
