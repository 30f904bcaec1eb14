"""Targets of errata and questions: rules, tables, steps and player aids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry, find_table
from rulewright.files.located_text import LocatedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.sequence_step import SequenceStep

ErratumTarget = RuleEntry | TableEntry | SequenceStep | AidSheet
"""Possible target of an erratum."""


def erratum_target(
    erratum: Erratum, outline: Outline, tables: Sequence[TableEntry], sheets: Iterable[AidSheet]
) -> list[ErratumTarget]:
    """Find the target of an erratum; a table with a number is the rule of that number."""
    targets: list[ErratumTarget | None] = []
    for name in erratum.rule:
        targets += named_targets(name, outline, tables)
    if erratum.table:
        table = find_table(tables, erratum.table)
        targets.append(table.cited_as if table else None)
    if erratum.step:
        targets.append(next(iter(steps_by_any_name(erratum.step, outline)), None))
    if erratum.aid:
        targets.append(find_sheet(erratum.aid, sheets))
    return list(dict.fromkeys(target for target in targets if target))


def find_sheet(name: str, sheets: Iterable[AidSheet]) -> AidSheet | None:
    """Return the player aid of a file name or a title."""
    return next((sheet for sheet in sheets if name in (sheet.name, sheet.aid.title)), None)


def find_rule(text: LocatedText, outline: Outline) -> RuleEntry | None:
    """Return the rule of a number in an erratum; for an item of a rule that is only listed, that rule."""
    number = outline.edition.dialect.parse_number(text.strip(), outline.default_chapter)
    if not number:
        return None
    if entry := outline.entries.get(number.key):
        return entry
    above = outline.nearest_ancestor(number)
    return above if above and not above.is_transcribed and not above.children else None


def steps_by_any_name(name: str, outline: Outline) -> list[SequenceStep]:
    """Return the steps with an id, an address or a title."""
    steps = _steps_by_name(outline)
    return steps.get(str(name)) or steps.get(f" {name.casefold()}", [])


@lru_cache(maxsize=16)
def _steps_by_name(outline: Outline) -> Mapping[str, list[SequenceStep]]:
    """Index the steps by id and address, and by case-folded title after a space."""
    steps: defaultdict[str, list[SequenceStep]] = defaultdict(list)
    root = outline.sequence.root
    for step in [*([root] if root else ()), *outline.sequence.iter_steps()]:
        title = step.step.title.printed.casefold()
        for name in {step.anchor, str(step.step.id or step.anchor), f" {title}"}:
            steps[name].append(step)
    return steps


def named_targets(
    name: LocatedText, outline: Outline, tables: Sequence[TableEntry]
) -> Iterator[ErratumTarget]:
    """Yield the rules that a text names, with those inside ranges, or else the table or step of this name."""
    first: RuleEntry | None = None
    matches = [match for match in outline.edition.finder.find(name, "", True) if match.number]
    for match in matches:
        entry = outline.entries.get(match.number.key) if match.number and not match.book else None
        if entry and first and match.ends_range:
            yield from outline.rule_range(first, entry)[1:]
        elif entry:
            yield entry
        first = entry
    if not any(match.number and match.number.key in outline.entries for match in matches):
        if rule := find_rule(name, outline):
            yield rule
        elif table := find_table(tables, name):
            yield table.cited_as
        else:
            yield from steps_by_any_name(name, outline)[:1]


def targets_with_entries(
    errata_entries: Iterable[ErrataEntry],
    outline: Outline,
    tables: Sequence[TableEntry],
    sheets: Sequence[AidSheet],
) -> Iterator[tuple[ErratumTarget, ErrataEntry]]:
    """Yield each errata entry with every object that it is about and that therefore shows it."""
    for entry in errata_entries:
        if entry.erratum:
            targets = erratum_target(entry.erratum, outline, tables, sheets)
        else:
            assert entry.question
            names = entry.question.rules
            all_targets = (target for name in names for target in named_targets(name, outline, tables))
            targets = list(dict.fromkeys(all_targets))
        yield from ((target, entry) for target in targets)


def first_rule(entry: ErrataEntry, outline: Outline) -> RuleEntry | None:
    """Return the first rule that an errata entry is about."""
    names = entry.question.rules if entry.question else entry.erratum.rule if entry.erratum else ()
    targets = (target for name in names for target in named_targets(name, outline, ()))
    return next((target for target in targets if isinstance(target, RuleEntry)), None)


def entry_chapter(entry: ErrataEntry, outline: Outline) -> str:
    """Return the context in which the numbers of an errata entry are read: that of its first rule."""
    rule = first_rule(entry, outline)
    return rule.context_key if rule else outline.default_chapter


def quoted_texts(entry: ErrataEntry) -> Iterator[LocatedText]:
    """Yield the texts of an erratum that are not searched for references: quotations and withdrawn words."""
    if erratum := entry.erratum:
        withdrawn = (erratum.new, erratum.insert) if erratum.is_withdrawn else ()
        yield from filter(None, (erratum.replace, erratum.delete, erratum.after, erratum.before, *withdrawn))


def errata_texts(entry: ErrataEntry) -> Iterator[tuple[LocatedText, bool]]:
    """Yield the texts of an errata entry that may hold references, and whether they hold nothing else.

    New words of an applied erratum are not among them: they are part of the amended rule.
    """
    find = entry.edition.finder.find
    for text, cites in reference_texts(entry.source):
        if not cites or any(
            match.number for match in find(text, "", True)
        ):  # else the name of a table or step
            yield text, cites
    if (erratum := entry.erratum) and not entry.is_applied and not erratum.is_withdrawn:
        yield from ((text, False) for text in (erratum.new, erratum.insert) if text)
