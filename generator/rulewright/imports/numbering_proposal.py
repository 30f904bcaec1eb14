"""A proposal for rulebook.yml from texts of a book: how it numbers its rules, and the cues before numbers.

The texts are read as those of an import are. A text without rules, such as a list of answers, shows by its
references how the rules are numbered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.files.problems import Problem, quote_short
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, QuotedString, write_yaml
from rulewright.imports import Entries
from rulewright.imports.blocks import Notes, SourceBlock, block_texts, plain
from rulewright.imports.book import Book, Numbering
from rulewright.imports.labels import Labels, find_labels
from rulewright.imports.numbering import LETTER, CitedNumber, cited_numbers, detected_numbering, singular_cue
from rulewright.imports.reading.documents import read_document
from rulewright.imports.tree import build_book
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_cues import CUES, with_book_cues
from rulewright.numbering.scheme_detection import detect_scheme
from rulewright.schema.problem_reports import plural

_LEAST_CUE, _LEAST_SHARE = 3, 0.3
_MOST_UNREAD = 20


@dataclass(frozen=True, slots=True)
class NumberingProposal:
    """A numbering for a book, which is read by it."""

    book: Book
    cues: Sequence[str]
    cited: Sequence[CitedNumber]
    unread: Sequence[str]
    """Labels and citations that the numbering does not read, with their places."""

    def known(self) -> Iterator[tuple[RuleNumber, str]]:
        """Return the numbers of rules in the order of the book, each with its title."""
        return ((rule.number, plain(rule.title)) for rule in self.book.rules() if rule.number)

    def as_rulebook(self, files: int) -> str:
        """Return the keys of a rulebook.yml, with how much of how many files they read."""
        numbering, lost = self.book.numbering, len(self.unread)
        labels = plural(sum(1 for _ in self.known()), "label")
        read = f"{labels} and {plural(len(self.cited), 'cited number')} in {plural(files, 'file')}"
        remarks = [f"{read}; {lost or 'none'} of them unread"]
        remarks += [f"unread: {one}" for one in self.unread[:_MOST_UNREAD]]
        remarks += [f"unread: and {lost - _MOST_UNREAD} more"] if lost > _MOST_UNREAD else []
        numbers = [QuotedString(number) for number in numbering.numbers]
        entries: Entries = {
            "numbers": CommentedValue(numbers[0] if len(numbers) == 1 else InlineCollection(numbers), remarks)
        }
        if numbering.chapters:
            entries["chapters"] = InlineCollection([QuotedString(form) for form in numbering.chapters])
        if numbering.alphabet:
            entries["alphabet"] = numbering.alphabet
        if self.cues:
            entries["cues"] = InlineCollection([*self.cues])
        return write_yaml(entries)

    def as_known(self) -> str:
        """Return the known.yml: each number with its title."""
        return write_yaml({
            "known": [
                InlineCollection({"number": QuotedString(number.key), **({"title": title} if title else {})})
                for number, title in self.known()
            ]
        })  # fmt: skip


def propose_from_files(names: Sequence[str]) -> tuple[NumberingProposal | None, list[Problem]]:
    """Propose a numbering for texts and documents; None if nothing looks like the number of a rule."""
    sources = [read_document(Path(name)) for name in names]
    if problems := [problem for source in sources for problem in source.problems]:
        return None, problems
    return propose_numbering([block for source in sources for block in source.blocks]), []


def propose_numbering(blocks: Sequence[SourceBlock]) -> NumberingProposal | None:
    """Propose a numbering for blocks; None if nothing looks like the number of a rule."""
    cited = [*cited_numbers(blocks)]
    labels = find_labels(blocks)
    numbering = detected_numbering(labels.labels, blocks, None)
    if numbering is None:
        labels = Labels()
        found = detect_scheme([(one.text, True) for one in cited])
        if found is None:
            return None
        numbering = Numbering(numbers=found.numbers, chapters=found.chapters, alphabet=found.alphabet)
    book = build_book(blocks, labels, numbering, Notes())
    cues = [*dict.fromkeys((*numbering.cues, *_cues_of(cited, blocks, book.scheme)))]
    every = {*with_book_cues(cues)}
    meant = [one for one in cited if {one.word, f"{one.word}."} & every or one.is_read(book.scheme)]
    unread = [
        f"{quote_short(one.words, 40)} ({one.block.page.name}:{one.line}): {one.reason}"
        for one in labels.passed
    ]
    lost = {one.text: one for one in reversed(meant) if not one.is_read(book.scheme)}
    unread += [f"{one.text} ({one.page.name}:{one.line})" for one in reversed(lost.values())]
    book = replace(book, numbering=replace(book.numbering, cues=cues))
    made = NumberingProposal(book, cues, meant, unread)
    return made if meant or unread or any(made.known()) else None


def _cues_of(
    cited: Sequence[CitedNumber], blocks: Sequence[SourceBlock], scheme: NumberingScheme
) -> list[str]:
    """Return the words that lead up to numbers of a book, besides the usual ones; the most used first."""
    words = re.compile(rf"{LETTER}+")
    uses = Counter(
        singular_cue(word.lower())
        for block in blocks
        for text in block_texts(block)
        for word in words.findall(text)
    )
    leading = Counter(one.word for one in cited if one.is_read(scheme))
    dotted = Counter(one.word for one in cited if one.cue.endswith("."))
    often = [
        f"{word}." if dotted[word] * 2 > count else word
        for word, count in leading.most_common()
        if count >= max(_LEAST_CUE, uses[word] * _LEAST_SHARE)
    ]
    return [word for word in often if word not in CUES]
