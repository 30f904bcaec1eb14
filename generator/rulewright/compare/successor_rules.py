"""Heirs: what the rules that a text cites, which was written for another edition, are in an edition of today.

A rule is followed as pages follow it from edition to edition, through `was:` and through its words, never by
its number alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import find_outline
from rulewright.compare.history import CounterpartResult, Counterparts, counterpart
from rulewright.files.problems import Problem
from rulewright.references.previous_edition import earlier_editions
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_resolver import NOT_FOUND


class SuccessorMap:
    """Map of the rules of an edition, and of its series, to those of another edition of its book."""

    def __init__(
        self, shelf: ReferenceIndex, old: Outline, new: Outline, among: Counterparts | None = None
    ) -> None:
        self.shelf, self.old, self.new = shelf, old, new
        self._counterparts = among or Counterparts(shelf, ())

    @cached_property
    def old_edition_title(self) -> str:
        return f"edition {self.old.edition.edition_file.edition}"

    def successor(self, entry: RuleEntry) -> CounterpartResult:
        return counterpart(entry, self.new, self._counterparts)

    def iter_moved(self) -> Iterator[tuple[RuleEntry, RuleEntry | None]]:
        """The rules of the old edition that have another number, and those that are certainly gone."""
        for entry in self.old.ordered_entries:
            found = self.successor(entry)
            if isinstance(found.match, RuleEntry) and found.match.key != entry.key:
                yield entry, found.match
            elif found.match is None and found.is_certain:
                yield entry, None


def explain_missing_numbers(problems: Iterable[Problem], shelf: ReferenceIndex) -> Iterator[Problem]:
    """Problems, those of a number that no rule has with what it was in an earlier edition."""
    among = Counterparts(shelf, ())
    for problem in problems:
        said = ""
        if problem.code == NOT_FOUND.code:
            book, _, key = problem.subject.rpartition(":")
            outline = find_outline(book or "/".join(problem.place.file.split("/")[1:3]), shelf.outlines)
            said = missing_number_message(key, outline, shelf, among) if outline else ""
        yield replace(problem, message=said) if said else problem


def missing_number_message(
    key: str, outline: Outline, shelf: ReferenceIndex, among: Counterparts | None = None
) -> str:
    """Says that no rule of an edition has a number, and what became of the one that had it; else nothing."""
    was: Outline | None = next(
        (one for one in earlier_editions(outline, shelf.outlines) if key in one.entries), None
    )
    if was is None:
        return ""
    heirs = SuccessorMap(shelf, was, outline, among)
    found = heirs.successor(was.entries[key])
    if isinstance(found.match, RuleEntry):
        return f"no rule {key}; {key} of {heirs.old_edition_title} is {found.match.display_number} now"
    return f"no rule {key}; {key} of {heirs.old_edition_title} is gone" if found.is_certain else ""
