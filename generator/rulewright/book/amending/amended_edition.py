"""A library with the errata of each edition applied to its rules, tables, steps and player aids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cached_property, partial
from typing import Any

from rulewright.book import aid_plan
from rulewright.book.amending.erratum_location import QuoteLocation, locate_quote
from rulewright.book.amending.quotable_texts import QuotableTexts, UnknownTarget, quotable_texts
from rulewright.book.amending.text_amendment import append_paragraph, insert_words, replace_words
from rulewright.book.derived_sequence import derive_sequence, remap_derived
from rulewright.book.errata_entries import errata_sort_key
from rulewright.book.errata_targets import Thing, erratum_target, find_rule
from rulewright.book.library import BookLibrary, Edition
from rulewright.book.outline import Outline, build_outline
from rulewright.book.table_entries import build_table_entries
from rulewright.model.amended_text import AmendedText
from rulewright.model.erratum import NOT_HERE, Erratum
from rulewright.model.rulebook import Rule
from rulewright.model.table import Table
from rulewright.source.located_text import LocatedText, TextKey
from rulewright.source.memoize import Cache, memoize
from rulewright.source.problems import Problem, Severity, problem_type, quote_short

MOST_HINTS = 50
MOST_ERRATA = 200  # each is looked for in the text as the ones before it leave it
"""For how many errata the words are looked for that are most like those quoted."""

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


def apply_errata(library: BookLibrary, cache: Cache | None = None) -> tuple[BookLibrary, list[Problem]]:
    """A library whose editions stand as amended, and what is wrong with their errata."""
    cache = {} if cache is None else cache
    editions: dict[str, Edition] = {}
    problems: list[Problem] = []
    for printed in library.editions.values():
        for member in reversed([*printed.with_series]):  # a series before its games
            if member.address not in editions:
                base = member.base and editions[member.base.address]
                make = partial(_amended, member, base)
                editions[member.address], faults = memoize(
                    cache, f" amended {member.address}", (member, base), make
                )
                problems += faults
    return replace(library, editions={address: editions[address] for address in library.editions}), problems


def _amended(printed: Edition, base: Edition | None) -> tuple[Edition, list[Problem]]:
    """An edition as amended, of a game on its series (`base`) as that is amended."""
    edition = printed
    if base and base is not printed.base:
        sequence = base.sequence
        derived = (
            derive_sequence(printed.derived.game_sequence, sequence) if printed.derived and sequence else None
        )
        steps = derived.sequence if derived else printed.sequence
        edition = replace(printed, base=base, derived=derived, sequence=steps, as_printed=printed)
    if not printed.errata:
        return edition, []
    amending = _Amending(edition)
    return replace(amending.edition(), as_printed=printed), amending.problems


class _Amending:
    """The errata of one edition. `texts` are those that differ, by the key of what was printed; a step
    that a game has from its series may be amended already.
    """

    def __init__(self, edition: Edition) -> None:
        self.printed = edition
        self.problems: list[Problem] = []
        self.texts: dict[TextKey, AmendedText] = {}
        self.outline = build_outline(edition)
        self.tables = build_table_entries(self.outline)
        self.sheets = aid_plan.aid_sheets(edition)
        self.hints = MOST_HINTS
        self.counts: Counter[Thing] = Counter()

    def edition(self) -> Edition:
        assert self.printed.errata
        errata = sorted(self.printed.errata.errata, key=errata_sort_key)
        self.problems += _twice(self.printed.errata.errata)
        holding = {
            erratum for erratum in errata if erratum.is_official and not self.printed.is_future(erratum.since)
        }
        applied = [erratum for erratum in errata if erratum in holding and self.apply(erratum)]
        official = dict(self.texts)
        for one in errata:
            if one not in holding and not one.is_withdrawn:
                self.apply(one)  # to see whether it could be
                self.texts = dict(official)
        for table in self.printed.tables:
            self._headings(table)
        files = {key[0] for key in self.texts}  # nothing is looked for in all others
        made: dict[str, Any] = {
            name: tuple(
                self._of(one) if _file_of(one) in files else one for one in getattr(self.printed, name)
            )
            for name in ("chapters", "tables", "aids")
        }
        made |= {name: self._of(getattr(self.printed, name)) for name in ("known", "sequence")}
        if self.printed.derived:
            made["derived"] = remap_derived(self.printed.derived, made["sequence"])
        return replace(self.printed, **made, applied_errata=tuple(applied))

    def apply(self, erratum: Erratum) -> bool:
        """Apply one erratum, or report what keeps it from being applied. Whether it changed anything."""
        things = erratum_target(erratum, self.outline, self.tables, self.sheets)
        self.counts.update(things[:1])
        count = self.counts[things[0]] if things else 0
        if count > MOST_ERRATA:
            message = (
                f"{erratum} and what follows are not applied, since {things[0]} has {MOST_ERRATA} errata"
            )
            problem = MANY.problem(erratum.number.place, message, str(erratum.number))
            return count == MOST_ERRATA + 1 and self.report(problem)
        try:
            what = quotable_texts(erratum, things, self.outline, self.tables, self.sheets)
        except UnknownTarget as fault:
            named = erratum.table or erratum.step or erratum.aid or erratum.number
            return self.report(NO_PLACE.problem(named.place, str(fault), str(erratum.number)))
        if not erratum.quotes_text:
            return False
        if not (things or erratum.rule):
            message = (
                f"{erratum} says not what it is of; write at, table, step or aid, "
                f"or component: {' or '.join(NOT_HERE)}"
            )
            return self.report(NO_PLACE.problem(erratum.number.place, message, str(erratum.number)))
        if lack := _lack(erratum):
            return self.report(INCOMPLETE.problem(erratum.number.place, lack, str(erratum.number)))
        if not what.known:
            if things:
                message = f"the text of {what.name} is not here, so {erratum} is listed and not applied"
                self.report(UNCHECKED.problem(erratum.number.place, message, str(erratum.number)))
            if erratum.rule and not things and (series := self._series_of(erratum.rule)):
                message = f"{erratum.rule} is a rule of {series.short}; its errata stand in {series.address}"
                self.report(NO_PLACE.problem(erratum.rule.place, message, str(erratum.number)))
            return False  # a rule that is not there is a reference to nothing
        return self._change(erratum, what)

    def _series_of(self, written: LocatedText) -> Edition | None:
        return next((outline.edition for outline in self._around if find_rule(written, outline)), None)

    @cached_property
    def _around(self) -> list[Outline]:
        return [build_outline(member) for member in self.printed.with_series if member is not self.printed]

    def _change(self, erratum: Erratum, what: QuotableTexts) -> bool:
        quote = erratum.replace or erratum.delete or erratum.after or erratum.before
        if quote is None:
            return self._append(erratum, what)
        now = [self.texts.get(text.printed.key, text) for text in what.texts]
        found = locate_quote(erratum, quote, what, now, self.hints > 0)
        if not isinstance(found, QuoteLocation):
            self.hints -= 1
            return self.report(found)
        text, start, end = found
        if erratum.insert:
            at = start if erratum.before else end
            made = insert_words(text, at, erratum.insert, erratum, before=bool(erratum.before))
        else:
            made = replace_words(text, start, end, erratum.new, erratum)
        self.texts[made.printed.key] = made
        return True

    def _append(self, erratum: Erratum, what: QuotableTexts) -> bool:
        assert erratum.insert
        if what.rule and erratum.part in (None, "text"):
            last: LocatedText = _no_text(what.rule)
        elif what.texts and not (erratum.step or erratum.aid or erratum.row or erratum.column):
            last = what.texts[0]
        else:
            message = f"{erratum} puts words in and does not say where; write after or before which words"
            return self.report(INCOMPLETE.problem(erratum.insert.place, message, str(erratum.number)))
        key = last.printed.key
        self.texts[key] = append_paragraph(self.texts.get(key, last), erratum.insert, erratum)
        return True

    def report(self, problem: Problem) -> bool:
        self.problems.append(problem)
        return False

    def _headings(self, table: Table) -> None:
        """Where the heading of a column is amended, amend it wherever the table names the column."""
        for grid in filter(None, (table, table.then)):
            names = {
                str(column): self.texts[column.key] for column in grid.columns if column.key in self.texts
            }
            groups = [name for group in grid.column_groups for name in group.columns]
            rows = [name for row in grid.rows for name in row]
            own = (*grid.row_groups, *grid.merged, *grid.rolls_down, *grid.rolls_across)
            notes = [note.at for note in table.notes if note.at]
            for text in (*groups, *rows, *own, *notes):
                if text in names:
                    self.texts.setdefault(text.key, names[text])

    def _of(self, part: Any) -> Any:
        """A part of the edition with its texts as amended; the part itself where none is."""
        if isinstance(part, LocatedText):
            return self.texts.get(part.printed.key, part)
        if isinstance(part, tuple):
            items = tuple(map(self._of, part))
            return part if all(a is b for a, b in zip(items, part, strict=True)) else items
        if isinstance(part, Mapping):
            rows = [(self._of(name), self._of(value)) for name, value in part.items()]
            same = all(a is c and b is d for (a, b), (c, d) in zip(rows, part.items(), strict=True))
            return part if same else dict(rows)
        if not is_dataclass(part) or isinstance(part, type):
            return part
        new = {f.name: self._of(getattr(part, f.name)) for f in fields(part)}
        if isinstance(part, Rule) and not part.text:
            new["text"] = self.texts.get(_no_text(part).key)
        changed = {name: value for name, value in new.items() if value is not getattr(part, name)}
        return replace(part, **changed) if changed else part


def _file_of(part: Any) -> str:
    """The name of the file that a chapter, a table or an aid is."""
    texts = (value for f in fields(part) if isinstance(value := getattr(part, f.name), LocatedText))
    return next((text.file.name for text in texts), "")


def _no_text(rule: Rule) -> LocatedText:
    """The text of a rule that has none, which errata may give it words."""
    return LocatedText.from_source("", rule.number.file, rule.number.start, rule.number.start)


def _twice(errata: tuple[Erratum, ...]) -> Iterator[Problem]:
    first: dict[str, Erratum] = {}
    for erratum in errata:
        number = str(erratum.number).casefold()
        if number in first:
            line = first[number].number.place.line
            message = f"{erratum} stands here twice, first in line {line}; give it another number"
            yield TWICE.problem(erratum.number.place, message, str(erratum.number))
        first.setdefault(number, erratum)


def _lack(erratum: Erratum) -> str:
    """Tell which keys an erratum that changes words lacks, or has too many of."""
    if erratum.replace and not erratum.new:
        return f"{erratum} replaces words and does not say with which; write with: beside it, or delete:"
    if erratum.replace and erratum.new and erratum.replace.split() == erratum.new.split():
        return f"{erratum} replaces {quote_short(erratum.replace)} with the same words"
    for name, value, needs in (
        ("with", erratum.new, erratum.replace),
        ("after", erratum.after, erratum.insert),
        ("before", erratum.before, erratum.insert),
    ):
        if value and not needs:
            return f"{erratum} says {name}, which belongs to {'replace' if name == 'with' else 'insert'}"
    if erratum.after and erratum.before:
        return f"{erratum} says both after and before; one of them is enough"
    return ""
