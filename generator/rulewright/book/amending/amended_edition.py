"""Apply the errata of each edition to its rules, tables, steps and player aids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cached_property, partial
from itertools import chain
from operator import is_not
from typing import Any, Literal

from rulewright.book import aid_plan
from rulewright.book.amending.erratum_location import NOT_FOUND, QuoteLocation, locate_quote
from rulewright.book.amending.quotable_texts import (
    QuotableTexts,
    UnknownTarget,
    find_target,
    quotable_rule_texts,
    quotable_texts,
)
from rulewright.book.amending.quote_search import find_quote
from rulewright.book.amending.text_amendment import append_paragraph, insert_words, replace_words
from rulewright.book.errata_entries import errata_sort_key
from rulewright.book.errata_targets import ErratumTarget, find_rule
from rulewright.book.library import BookLibrary, Edition
from rulewright.book.outline import Outline, build_outline
from rulewright.book.table_entries import build_table_entries
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import Problem, ProblemType, Severity, problem_type, quote_short
from rulewright.schema.amended_text import AmendedText
from rulewright.schema.erratum import NOT_HERE, Erratum
from rulewright.schema.rulebook import Rule
from rulewright.schema.table import Table
from rulewright.sequence.derived_sequence import derive_sequence

MAX_HINTS = 20
"""Unknown quotations for which the most similar words are searched."""
MAX_ERRATA = 200  # each is looked for in the text as the ones before it leave it
"""Errata of one target that are applied: the effort grows with the square of their number."""

NO_PLACE = problem_type(
    "erratum-without-place",
    "An erratum is of a table, a row, a step or a player aid that is not there, or says not what it is of.",
)
INCOMPLETE = problem_type(
    "erratum-incomplete",
    "An erratum replaces words and does not say with which, changes nothing, or has keys that do not belong "
    "together.",
)
TWICE = problem_type(
    "erratum-number-twice", "Two errata of an edition have one number. Give one of them another."
)
MANY = problem_type(
    "errata-too-many",
    "A rule, a table, a step or an aid has more than 200 errata. The others are not applied. Write the rule "
    "as it is now, in a new edition.",
)
UNCHECKED = problem_type(
    "erratum-not-checked",
    "An erratum is of a rule whose text is not here, so that its words can be neither checked nor applied.",
    Severity.NOTE,
)


def apply_errata(library: BookLibrary, memo: Cache) -> tuple[BookLibrary, list[Problem]]:
    """Return a library with amended editions, and the problems of their errata."""
    if not any(edition.errata for edition in library.editions.values()):
        return library, []
    editions: dict[str, Edition] = {}
    problems: list[Problem] = []
    for printed in library.editions.values():
        for member in reversed([*printed.with_series]):  # a series before its games
            if member.address not in editions:
                base = member.base and editions[member.base.address]
                make = partial(_amend, member, base)
                editions[member.address], faults = memoize(
                    memo, f" amended {member.address}", (member, base), make
                )
                problems += faults
    return replace(library, editions={address: editions[address] for address in library.editions}), problems


def _amend(printed: Edition, base: Edition | None) -> tuple[Edition, list[Problem]]:
    """Amend an edition; `base` is the amended edition of its series."""
    edition = printed
    if base and base is not printed.base:
        sequence = base.sequence
        derived = (
            derive_sequence(printed.derived.game_sequence, sequence) if printed.derived and sequence else None
        )
        steps = derived.sequence if derived else printed.sequence
        edition = replace(printed, base=base, derived=derived, sequence=steps)
    if not printed.errata:
        return edition, []
    applier = _ErrataApplier(edition)
    return applier.edition(), applier.problems


class _ErrataApplier:
    """State while the errata of one edition are applied.

    `texts` maps the keys of printed texts to amended texts. A step that a game takes from its series may
    already be amended.
    """

    def __init__(self, edition: Edition) -> None:
        self.printed = edition
        self.problems: list[Problem] = []
        self.texts: dict[TextKey, AmendedText] = {}
        self.amended_files: set[str] = set()
        self.outline = build_outline(edition)
        self.tables = build_table_entries(self.outline)
        self.sheets = aid_plan.aid_sheets(edition)
        self.hints = MAX_HINTS
        self.counts: Counter[ErratumTarget] = Counter()

    def edition(self) -> Edition:
        assert self.printed.errata
        errata = sorted(self.printed.errata.errata, key=errata_sort_key)
        self.problems += _duplicate_numbers(self.printed.errata.errata)
        holding = {
            erratum for erratum in errata if erratum.is_official and not self.printed.is_future(erratum.since)
        }
        applied = [erratum for erratum in errata if erratum in holding and self.apply(erratum)]
        official = dict(self.texts)
        for erratum in errata:
            if erratum not in holding and not erratum.is_withdrawn:
                self.apply(erratum)  # to see whether it could be
                self.texts = dict(official)
        for table in self.printed.tables:
            self._amend_column_headings(table)
        self.amended_files = {file for file, *_ in self.texts}
        amended: dict[str, Any] = {}
        for name in ("chapters", "tables", "aids", "known", "sequence"):
            amended[name] = self._amend_part(getattr(self.printed, name))
        return replace(self.printed, **amended, applied_errata=tuple(applied))

    def apply(self, erratum: Erratum) -> bool:
        """Apply an erratum to each of its targets; return whether it changed anything."""
        if erratum.is_throughout:
            return self._apply_throughout(erratum)
        applied = [self._apply_to(erratum, name) for name in erratum.rule or (None,)]
        return any(applied)

    def _apply_throughout(self, erratum: Erratum) -> bool:
        """Replace or delete words wherever a rule says them."""
        quote = erratum.replace or erratum.delete
        if quote is None or (erratum.replace and not erratum.new):
            return self.report(INCOMPLETE, erratum, f"{erratum} needs replace and with, or delete")
        is_applied = False
        for entry in self.outline.ordered_entries:
            for printed in quotable_rule_texts(entry.rule, str(erratum.part or "")) if entry.rule else ():
                text = self.texts.get(printed.printed.key, printed)
                for start, end in reversed(find_quote(quote, text)):
                    text = replace_words(text, start, end, erratum.new, erratum)
                    self.texts[text.printed.key] = text
                    is_applied = True
        if not is_applied:
            self.report(NOT_FOUND, erratum, f"no rule says {quote_short(quote)}", quote)
        return is_applied

    def _apply_to(self, erratum: Erratum, name: LocatedText | None) -> bool:
        """Apply an erratum to one target, or report why not. `name`: of its rule, if any."""
        try:
            target = find_target(erratum, name, self.outline, self.tables, self.sheets)
            quotable = quotable_texts(erratum, target, self.outline, self.tables) if target else None
        except UnknownTarget as fault:
            place = erratum.table or erratum.step or erratum.aid or name
            return self.report(NO_PLACE, erratum, str(fault), place)
        if not erratum.quotes_text:
            return False
        if not (target or name):
            message = f"{erratum} says not what it is of; write rule, table, step or aid, or component: "
            return self.report(NO_PLACE, erratum, message + " or ".join(NOT_HERE))
        if key_problem := _key_problem(erratum):
            return self.report(INCOMPLETE, erratum, key_problem)
        if target and quotable:
            return self._apply_once(erratum, target, quotable)
        series = next((o.edition for o in self._series_outlines if name and find_rule(name, o)), None)
        if series:
            message = f"{name} is a rule of {series.short}; its errata belong in {series.address}"
            return self.report(NO_PLACE, erratum, message, name)
        if name and not any(map(str.isdigit, name)):  # else it is a reference to nothing
            message = f"{quote_short(name)} is neither a rule, nor a table or a step"
            self.report(NO_PLACE, erratum, message, name)
        return False

    def _apply_once(self, erratum: Erratum, target: ErratumTarget, quotable: QuotableTexts) -> bool:
        """Apply an erratum to its target, unless that has too many or its text is not here."""
        self.counts[target] += 1
        if self.counts[target] > MAX_ERRATA:
            if self.counts[target] == MAX_ERRATA + 1:
                message = f"{erratum} and later ones are not applied: {target} has {MAX_ERRATA} errata"
                self.report(MANY, erratum, message)
            return False
        if quotable.known:
            return self._change_words(erratum, quotable)
        message = f"the text of {quotable.name} is not here, so {erratum} is listed and not applied"
        return self.report(UNCHECKED, erratum, message)

    @cached_property
    def _series_outlines(self) -> list[Outline]:
        return [build_outline(member) for member in self.printed.with_series if member is not self.printed]

    def _change_words(self, erratum: Erratum, quotable: QuotableTexts) -> bool:
        quote = erratum.replace or erratum.delete or erratum.after or erratum.before
        if quote is None:
            return self._append_words(erratum, quotable)
        texts = [self.texts.get(text.printed.key, text) for text in quotable.texts]
        location = locate_quote(erratum, quote, quotable, texts, self.hints > 0)
        if not isinstance(location, QuoteLocation):
            self.hints -= 1
            self.problems.append(location)
            return False
        text, start, end = location
        if erratum.insert:
            offset = start if erratum.before else end
            amended = insert_words(text, offset, erratum.insert, erratum, before=bool(erratum.before))
        else:
            amended = replace_words(text, start, end, erratum.new, erratum)
        self.texts[amended.printed.key] = amended
        return True

    def _append_words(self, erratum: Erratum, quotable: QuotableTexts) -> bool:
        assert erratum.insert
        if quotable.rule and erratum.part in (None, "text"):
            last: LocatedText = _empty_text(quotable.rule)
        elif quotable.texts and not (erratum.step or erratum.aid or erratum.row or erratum.column):
            last = quotable.texts[0]
        else:
            message = f"{erratum} puts words in and does not say where; write after or before which words"
            return self.report(INCOMPLETE, erratum, message, erratum.insert)
        key = last.printed.key
        self.texts[key] = append_paragraph(self.texts.get(key, last), erratum.insert, erratum)
        return True

    def report(
        self, kind: ProblemType, erratum: Erratum, message: str, text: LocatedText | None = None
    ) -> Literal[False]:
        """Report a problem at a text of an erratum, by default its number."""
        place = (text or erratum.number).place
        self.problems.append(kind.problem(place, message, str(erratum.number)))
        return False

    def _amend_column_headings(self, table: Table) -> None:
        """Replace the amended heading of a column wherever the table names the column."""
        for grid in filter(None, (table, table.then)):
            columns = (column for column in grid.columns if column.key in self.texts)
            amended = {str(column): self.texts[column.key] for column in columns}
            names = [*grid.row_groups, *grid.merged, *grid.rolls_down, *grid.rolls_across]
            names += chain.from_iterable([*(group.columns for group in grid.column_groups), *grid.rows])
            for text in (*names, *(note.at for note in table.notes if note.at)):
                if text in amended:
                    self.texts.setdefault(text.key, amended[text])

    def _amend_part(self, part: Any) -> Any:
        """Return a part of the edition with amended texts, or the part itself if nothing changed."""
        if part is None or part == ():
            return part
        if isinstance(part, LocatedText):
            return self.texts.get(part.printed.key, part)
        if isinstance(part, tuple):
            items = tuple(map(self._amend_part, part))
            return items if any(map(is_not, items, part)) else part
        if isinstance(part, Mapping):
            pairs = [*map(self._amend_part, part.items())]
            return dict(pairs) if any(map(is_not, chain(*pairs), chain(*part.items()))) else part
        if not is_dataclass(part) or isinstance(part, type):
            return part
        if isinstance(part, Rule) and part.number.file.name not in self.amended_files:
            return part
        changed = {}
        for f in fields(part):
            value = getattr(part, f.name)
            amended = self._amend_part(value)
            if isinstance(part, Rule) and f.name == "text" and not value:
                amended = self.texts.get(_empty_text(part).key)
            if amended is not value:
                changed[f.name] = amended
        return replace(part, **changed) if changed else part


def _empty_text(rule: Rule) -> LocatedText:
    """Return an empty text at the number of a rule without text, to which errata may add words."""
    return LocatedText.from_source("", rule.number.file, rule.number.start, rule.number.start)


def _duplicate_numbers(errata: tuple[Erratum, ...]) -> Iterator[Problem]:
    first: dict[str, Erratum] = {}
    for erratum in errata:
        other = first.setdefault(erratum.number.casefold(), erratum)
        if other is not erratum:
            line = other.number.place.line
            message = f"{erratum} is here twice, first in line {line}; give it another number"
            yield TWICE.problem(erratum.number.place, message, str(erratum.number))


def _key_problem(erratum: Erratum) -> str:
    """Return what is wrong with the keys of an erratum that changes words, else an empty string."""
    if erratum.replace and erratum.new and erratum.replace.split() == erratum.new.split():
        return f"{erratum} replaces {quote_short(erratum.replace)} with the same words"
    is_misplaced = (erratum.after or erratum.before) and not erratum.insert
    if is_misplaced or (erratum.after and erratum.before) or bool(erratum.new) != bool(erratum.replace):
        return f"{erratum} takes replace and with, or insert and one of after and before"
    return ""
