"""A proposal for rulebook.yml from texts of a book: how it numbers its rules, and the cues before numbers.

The texts are read as those of an import are. A text without rules, such as a list of answers, shows by its
references how the rules are numbered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.files.problems import Problem, quote_short
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, QuotedString, Value, write_yaml
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

_MIN_CUE, _MIN_SHARE = 3, 0.3
_MAX_UNREAD = 20


@dataclass(frozen=True, slots=True)
class NumberingProposal:
    """A numbering for a book, which is read by it."""

    book: Book
    cues: Sequence[str]
    cited: Sequence[CitedNumber]
    unread: Sequence[str]
    """Labels and citations that the numbering does not read, with their places."""

    def known(self) -> list[tuple[RuleNumber, str]]:
        """Return the numbers of rules in the order of the book, each with its title."""
        return [(rule.number, plain(rule.title)) for rule in self.book.rules() if rule.number]

    def as_rulebook(self, files: int) -> str:
        """Return the keys of a rulebook.yml, with how much of how many files they read."""
        numbering, count = self.book.numbering, len(self.unread)
        read = f"{plural(len(self.known()), 'label')} and {plural(len(self.cited), 'cited number')}"
        comments = [f"{read} in {plural(files, 'file')}; {count or 'none'} of them unread"]
        comments += [f"unread: {text}" for text in self.unread[:_MAX_UNREAD]]
        comments += [f"unread: and {count - _MAX_UNREAD} more"] if count > _MAX_UNREAD else []
        numbers = [QuotedString(number) for number in numbering.numbers]
        value = numbers[0] if len(numbers) == 1 else InlineCollection(numbers)
        entries: Entries = {"numbers": CommentedValue(value, comments)}
        chapters = InlineCollection([QuotedString(form) for form in numbering.chapters])
        entries |= {"chapters": chapters} if numbering.chapters else {}
        entries |= {"alphabet": numbering.alphabet} if numbering.alphabet else {}
        entries |= {"cues": InlineCollection([*self.cues])} if self.cues else {}
        return write_yaml(entries)

    def as_known(self) -> str:
        """Return the known.yml: each number with its title."""
        entries: list[Value] = []
        for number, title in self.known():
            keys: Entries = {"number": QuotedString(number.key)}
            entries.append(InlineCollection(keys | {"title": title} if title else keys))
        return write_yaml({"known": entries})


def propose_from_files(names: Sequence[str]) -> tuple[NumberingProposal | None, list[Problem]]:
    """Propose a numbering for texts and documents; None if nothing looks like the number of a rule."""
    sources = [read_document(Path(name)) for name in names]
    if problems := [problem for source in sources for problem in source.problems]:
        return None, problems
    return _propose_numbering([block for source in sources for block in source.blocks]), []


def _propose_numbering(blocks: Sequence[SourceBlock]) -> NumberingProposal | None:
    """Propose a numbering for blocks; None if nothing looks like the number of a rule."""
    cited = [*cited_numbers(blocks)]
    labels = find_labels(blocks)
    numbering = detected_numbering(labels.labels, blocks, None)
    if numbering is None:
        labels = Labels()
        detected = detect_scheme([(number.text, True) for number in cited])
        if detected is None:
            return None
        numbering = Numbering(
            numbers=detected.numbers, chapters=detected.chapters, alphabet=detected.alphabet
        )
    book = build_book(blocks, labels, numbering, Notes())
    scheme = book.scheme
    cues = [*dict.fromkeys((*numbering.cues, *_cues_of(cited, blocks, scheme)))]
    with_cues = {*with_book_cues(cues)}
    cited = [n for n in cited if {n.word, f"{n.word}."} & with_cues or n.is_read(scheme)]
    unread: dict[str, None] = {}
    for label in labels.passed:
        words = quote_short(label.words, 40)
        unread[f"{words} ({label.block.page.name}:{label.line}): {label.reason}"] = None
    texts: set[str] = set()
    for number in cited:
        if number.text not in texts and not number.is_read(scheme):
            texts.add(number.text)
            unread[f"{number.text} ({number.page.name}:{number.line})"] = None
    book = replace(book, numbering=replace(book.numbering, cues=cues))
    proposal = NumberingProposal(book, cues, cited, [*unread])
    return proposal if cited or unread or proposal.known() else None


def _cues_of(
    cited: Sequence[CitedNumber], blocks: Sequence[SourceBlock], scheme: NumberingScheme
) -> list[str]:
    """Return the words that lead up to numbers of a book, besides the usual words; the most used first."""
    uses: Counter[str] = Counter()
    for block in blocks:
        for text in block_texts(block):
            uses.update(singular_cue(word.lower()) for word in re.findall(rf"{LETTER}+", text))
    leading = Counter(number.word for number in cited if number.is_read(scheme))
    dotted = Counter(number.word for number in cited if number.cue.endswith("."))
    cues: list[str] = []
    for word, count in leading.most_common():
        if count >= max(_MIN_CUE, uses[word] * _MIN_SHARE):
            cues.append(f"{word}." if dotted[word] * 2 > count else word)
    return [cue for cue in cues if cue not in CUES]
