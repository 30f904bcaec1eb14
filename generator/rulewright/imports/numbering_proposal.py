"""A proposal for rulebook.yml from texts of a book: how it numbers its rules, and what leads up to numbers.

The texts are read as those of an import are. A text that has no rules, as a list of answers, shows by what it
cites how the rules are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.files.problems import Problem, quote_short
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, QuotedString, write_yaml
from rulewright.imports import Entries
from rulewright.imports.single_document import read_document
from rulewright.imports.website.cited_numbers import CitedNumber, cited_numbers, cues_of
from rulewright.imports.website.import_report import ImportReport
from rulewright.imports.website.page_block_types import ParsedPage, pieces_text
from rulewright.imports.website.rule_collection import (
    DetectedNumbering,
    collect_rules,
    read_pages,
    settle_numbering,
)
from rulewright.imports.website.rule_tree import ImportedBook
from rulewright.numbering.label_types import ALPHABET
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import with_book_cues
from rulewright.numbering.scheme_detection import detect_scheme
from rulewright.schema.problem_reports import plural

_MOST_UNREAD = 20


@dataclass(frozen=True)
class NumberingProposal:
    """A numbering for a book, which is read by it. `cited`: numbers that its words cite.

    `unread`: lines that begin as with labels and citations that the numbering does not read, with places.
    """

    book: ImportedBook
    cues: Sequence[str]
    cited: Sequence[CitedNumber]
    unread: Sequence[str]

    def known(self) -> Iterator[tuple[RuleNumber, str]]:
        """The numbers of rules in the order of the book, each with its title."""
        return ((node.number, pieces_text(node.title)) for node in self.book.iter_rules() if node.number)

    def as_rulebook(self, files: int) -> str:
        """The keys of a rulebook.yml, with how much of how many files they read."""
        book, lost = self.book, len(self.unread)
        labels = plural(sum(1 for _ in self.known()), "label")
        read = f"{labels} and {plural(len(self.cited), 'cited number')} in {plural(files, 'file')}"
        remarks = [f"{read}; {lost or 'none'} of them unread"]
        remarks += [f"unread: {one}" for one in self.unread[:_MOST_UNREAD]]
        remarks += [f"unread: and {lost - _MOST_UNREAD} more"] if lost > _MOST_UNREAD else []
        numbers = [QuotedString(number) for number in book.numbers]
        entries: Entries = {
            "numbers": CommentedValue(numbers[0] if len(numbers) == 1 else InlineCollection(numbers), remarks)
        }
        if book.forms:
            entries["chapters"] = InlineCollection([QuotedString(form) for form in book.forms])
        if book.dialect.alphabet != ALPHABET:
            entries["alphabet"] = book.dialect.alphabet
        if self.cues:
            entries["cues"] = InlineCollection([*self.cues])
        return write_yaml(entries)

    def as_known(self) -> str:
        """The known.yml: each number with its title."""
        rows = [
            InlineCollection({"number": QuotedString(number.key), **({"title": title} if title else {})})
            for number, title in self.known()
        ]
        return write_yaml({"known": rows})


def propose_from_files(names: Sequence[str]) -> tuple[NumberingProposal | None, list[Problem]]:
    """Propose a numbering for texts and documents; None where nothing looks like a rule's number."""
    sites = [read_document(Path(name)) for name in names]
    if problems := [problem for site in sites for problem in site.problems]:
        return None, problems
    return propose_numbering(
        [read for site in sites for read in read_pages(site, lambda count, whole: None)]
    ), []


def propose_numbering(pages: Sequence[ParsedPage]) -> NumberingProposal | None:
    """Propose a numbering for pages; None where nothing looks like a rule's number."""
    cited, told = [*cited_numbers(pages)], ImportReport()
    by = settle_numbering(pages, (), "", None, "")
    if by.fault and (found := detect_scheme([(citation.source_text, True) for citation in cited])):
        by = DetectedNumbering(numbers=found.numbers, forms=found.chapters, alphabet=found.alphabet)
    elif by.fault:
        return None
    book = collect_rules(pages, by, told)
    cues = [*dict.fromkeys((*by.cues, *cues_of(cited, pages, book.dialect)))]
    every = {*with_book_cues(cues)}
    meant = [
        citation
        for citation in cited
        if {citation.word, f"{citation.word}."} & every or citation.read(book.dialect)
    ]
    unread = [
        f"{quote_short(words, 40)} ({page.name}:{line}): {why}"
        for why, places in told.unread.items()
        for page, line, words in places
    ]
    lost = {citation.source_text: citation for citation in reversed(meant) if not citation.read(book.dialect)}
    unread += [
        f"{citation.source_text} ({citation.page.name}:{citation.line})"
        for citation in reversed(lost.values())
    ]
    made = NumberingProposal(book, cues, meant, unread)
    return made if meant or unread or any(made.known()) else None
