"""The generator held against the oracle: what both find in a text, and where they disagree."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from rulewright.book.library_reader import read_library
from rulewright.book.outline import Outline, build_outline
from rulewright.files.content_reader import ContentFolder
from rulewright.files.problems import Severity
from rulewright.references.content_page import blank_non_prose
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_types import FaultyReference, Reference, RuleReference
from tests.oracle import spellings
from tests.oracle.numbering import Book
from tests.oracle.reading import Meant, Reader, is_backwards
from tests.oracle.samples import Sample, Written, on_page

PAGES = 0.1
"""How many of all texts stand in a Markdown page."""


class Disagreement(NamedTuple):
    """A text of which the generator says something else than the oracle. `silent`: it says nothing."""

    book: str
    sample: Sample
    expected: str
    found: str
    silent: bool

    def __str__(self) -> str:
        text = self.sample.text.replace("\n", "↵")
        return f"{self.book}: {text!r}: expected {self.expected}, got {self.found}"


@dataclass
class Tally:
    """How many numbers of a book were tried, and what came out wrong.

    `problems` are those that mean no rule, or another as well. `aside`: texts that the oracle reads in
    another way than their writer meant them, which nobody should write.
    """

    book: str
    texts: int = 0
    numbers: int = 0
    problems: int = 0
    aside: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)

    @property
    def silent(self) -> int:
        return sum(one.silent for one in self.disagreements)

    @property
    def wrong(self) -> int:
        return len(self.disagreements) - self.silent


class Trial:
    """An invented book, as the oracle and as the generator read it."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.reader = Reader(book)
        self.index, self.outline = shelf_of(book)

    def run(self, chance: Random, share: float = 1.0) -> Tally:
        """Try every spelling of every pair, or a share of them, and as many longer lists."""
        tally = Tally(self.book.name)
        for sample in self.samples(chance, share):
            self._try(sample, chance, tally)
        return tally

    def samples(self, chance: Random, share: float) -> Iterator[Sample]:
        """The texts to be tried."""
        yield from spellings.singles(self.reader, chance)
        yield from spellings.pairs(self.reader, chance, share)
        yield from spellings.longer(self.reader, chance, int(len(self.book.rules) ** 2 * share))
        yield from spellings.missing(self.reader, chance)
        yield from spellings.amounts(self.reader, chance)
        yield from spellings.loose(self.reader, chance)
        yield from spellings.chains(self.reader, chance)

    def _try(self, sample: Sample, chance: Random, tally: Tally) -> None:
        words = sample.text[slice(*sample.run)]
        if sample.sort in ("loose", "chain"):
            reading = [getattr(self.reader, sample.sort)(words)]
        elif sample.sort == "amount":
            reading = []
        elif sample.sort == "level":
            reading = [self.reader.level(words, sample.home)]
        else:
            reading = self.reader.read(words)
        meant = [(one.rule, number.rule) for one, number in zip(reading, sample.numbers, strict=False)]
        if len(reading) != len(sample.numbers) or any(rule and rule != own for rule, own in meant):
            tally.aside += 1
            return
        sample = on_page(sample, chance) if chance.random() < PAGES else sample
        prose = blank_non_prose(sample.text) if sample.page else sample.text
        resolved = self.index.resolver.resolve(prose, self.outline, sample.home or self.book.home)
        tally.texts += 1
        tally.numbers += len(reading)
        for at, number in enumerate(sample.numbers):
            expected, found = self.expected(reading, at), outcome(resolved, number)
            tally.problems += expected == "a problem"
            if found != expected and not (expected == "a problem" and found.startswith("a problem")):
                tally.disagreements.append(
                    Disagreement(self.book.name, sample, expected, found, found == "nothing")
                )
                return
        spans = [(number.start, number.end) for number in sample.numbers]
        for one in resolved:
            if not any(start <= one.match.start and one.match.end <= end for start, end in spans):
                words = sample.text[one.match.start : one.match.end]
                tally.disagreements.append(
                    Disagreement(self.book.name, sample, "nothing", f"{words} as well", False)
                )
                return

    def expected(self, reading: list[Meant], at: int) -> str:
        """The right reading of a number: its rule and, for a range, the rules inside; or a problem."""
        one = reading[at]
        if one.rule is None or is_backwards(reading, at):
            return "a problem"
        inside: list[str] = []
        if one.through and (first := reading[at - 1].rule):
            deepest = max(first.depth, one.rule.depth)
            rest = [rule for rule in self.book.rules if rule.at > first.at and rule is not one.rule]
            for rule in rest:
                if rule.at > one.rule.at and rule.depth <= one.rule.depth:
                    break
                if rule.depth <= deepest:
                    inside.append(rule.key)
        return " ".join([one.rule.key, *(["over", *inside] if inside else [])])


def outcome(resolved: list[Reference], number: Written) -> str:
    """The generator's reading at the position of a number."""
    about = [one for one in resolved if one.match.start < number.end and number.start < one.match.end]
    if not about:
        return "nothing"
    found = []
    for one in about:
        if isinstance(one, FaultyReference) and one.fault.severity is not Severity.NOTE:
            found.append(f"a problem ({one.message})")
        elif isinstance(one, RuleReference):
            inside = [entry.key for entry in one.rules_in_range]
            found.append(" ".join([one.target.key, *(["over", *inside] if inside else [])]))
    return ", ".join(found)


def shelf_of(book: Book) -> tuple[ReferenceIndex, Outline]:
    """An invented book as the generator reads it."""
    known = "known:\n" + "".join(f"  - {{number: '{rule.key}'}}\n" for rule in book.rules)
    texts = {
        "content/x/rulebook.yml": f"title: {book.name}\n{book.declared}\n",
        "content/x/1/edition.yml": 'edition: "1"\n',
        "content/x/1/known.yml": known,
    }
    library = read_library(ContentFolder({name: text.encode() for name, text in texts.items()}))
    faults = [one.message for one in library.problems if one.severity is Severity.ERROR]
    assert not faults, faults
    outline = build_outline(library.editions["x/1"])
    theirs = [(entry.key, entry.level) for entry in outline.ordered_entries]
    ours = [(rule.key, rule.depth) for rule in book.rules]
    assert theirs == ours, book.name
    return build_reference_index({"x/1": outline}), outline
