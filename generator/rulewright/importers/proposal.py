"""A proposal for rulebook.yml from texts of a book: how it numbers its rules, and what leads up to numbers.

The texts are read as those of an import are. A text that has no rules, as a list of answers, shows by what it
cites how the rules are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.importers import Entries
from rulewright.importers.document import read_document
from rulewright.importers.website.blocks import ParsedPage, said
from rulewright.importers.website.book_rules import Numbering, build, read_pages, settle_numbering
from rulewright.importers.website.cited_numbers import CitedNumber, cited_numbers, cues_of
from rulewright.importers.website.receipt import Receipt
from rulewright.importers.website.rule_tree import Book
from rulewright.model.reports import several
from rulewright.numbers.dialect import Number
from rulewright.numbers.evidence import with_own
from rulewright.numbers.guessing import guess
from rulewright.numbers.labels import ALPHABET
from rulewright.source.problems import Problem, shown
from rulewright.source.writing import Brief, Label, Remarked, written

_MOST_UNREAD = 20


@dataclass(frozen=True)
class Proposal:
    """A numbering for a book, which is read by it. `cited`: numbers that its words cite.

    `unread`: lines that begin as with labels and citations that the numbering does not read, with places.
    """

    book: Book
    cues: Sequence[str]
    cited: Sequence[CitedNumber]
    unread: Sequence[str]

    def known(self) -> Iterator[tuple[Number, str]]:
        """The numbers of rules in the order of the book, each with its title."""
        return ((node.number, said(node.title)) for node in self.book.every() if node.number)

    def as_rulebook(self, files: int) -> str:
        """The keys of a rulebook.yml, with how much of how many files they read."""
        book, lost = self.book, len(self.unread)
        labels = several(sum(1 for _ in self.known()), "label")
        read = f"{labels} and {several(len(self.cited), 'cited number')} in {several(files, 'file')}"
        remarks = [f"{read}; {lost or 'none'} of them unread"]
        remarks += [f"unread: {one}" for one in self.unread[:_MOST_UNREAD]]
        remarks += [f"unread: and {lost - _MOST_UNREAD} more"] if lost > _MOST_UNREAD else []
        numbers = [Label(one) for one in book.numbers]
        entries: Entries = {"numbers": Remarked(numbers[0] if len(numbers) == 1 else Brief(numbers), remarks)}
        if book.forms:
            entries["chapters"] = Brief([Label(form) for form in book.forms])
        if book.dialect.alphabet != ALPHABET:
            entries["alphabet"] = book.dialect.alphabet
        if self.cues:
            entries["cues"] = Brief([*self.cues])
        return written(entries)

    def as_known(self) -> str:
        """The known.yml: each number with its title."""
        rows = [
            Brief({"number": Label(number.key), **({"title": title} if title else {})})
            for number, title in self.known()
        ]
        return written({"known": rows})


def proposal_of(names: Sequence[str]) -> tuple[Proposal | None, list[Problem]]:
    """Propose a numbering for texts and documents; None where nothing looks like a rule's number."""
    sites = [read_document(Path(name)) for name in names]
    if problems := [problem for site in sites for problem in site.problems]:
        return None, problems
    return proposed([read for site in sites for read in read_pages(site, lambda count, whole: None)]), []


def proposed(pages: Sequence[ParsedPage]) -> Proposal | None:
    """Propose a numbering for pages; None where nothing looks like a rule's number."""
    cited, told = [*cited_numbers(pages)], Receipt()
    by = settle_numbering(pages, (), "", None, "")
    if by.fault and (found := guess([(one.written, True) for one in cited])):
        by = Numbering(numbers=found.numbers, forms=found.chapters, alphabet=found.alphabet)
    elif by.fault:
        return None
    book = build(pages, by, told)
    cues = [*dict.fromkeys((*by.cues, *cues_of(cited, pages, book.dialect)))]
    every = {*with_own(cues)}
    meant = [one for one in cited if {one.word, f"{one.word}."} & every or one.read(book.dialect)]
    unread = [
        f"{shown(words, 40)} ({page.name}:{line}): {why}"
        for why, places in told.unread.items()
        for page, line, words in places
    ]
    lost = {one.written: one for one in reversed(meant) if not one.read(book.dialect)}
    unread += [f"{one.written} ({one.page.name}:{one.line})" for one in reversed(lost.values())]
    made = Proposal(book, cues, meant, unread)
    return made if meant or unread or any(made.known()) else None
