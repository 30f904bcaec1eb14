"""Targets of errata and questions: the rule, table, step or player aid that one names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark
from rulewright.book.sequence import StepEntry
from rulewright.book.sheet import Sheet
from rulewright.book.tables import TableEntry, table_named
from rulewright.model.erratum import Erratum, Question
from rulewright.model.keys import texts_of
from rulewright.source.text import Text

Thing = Entry | TableEntry | StepEntry | Sheet
"""Possible target of an erratum."""


def concerned(
    erratum: Erratum, outline: Outline, tables: Sequence[TableEntry], sheets: Iterable[Sheet]
) -> list[Thing]:
    """Find the target of an erratum; a table without a number stands beside the rule it is named with."""
    found: list[Thing | None] = []
    if erratum.at:
        found.append(rule_at(erratum.at, outline))
    if erratum.table:
        table = table_named(list(tables), erratum.table)
        found.append(table.home if table else None)
    if erratum.step:
        found.append(next(iter(steps_called(erratum.step, outline)), None))
    if erratum.aid:
        found.append(next((one for one in sheets if erratum.aid in (one.name, one.aid.title)), None))
    return list(dict.fromkeys(one for one in found if one))


def rule_at(written: Text, outline: Outline) -> Entry | None:
    """The rule of a number as an erratum has it; of an item of a rule that is only listed, that rule."""
    number = outline.edition.dialect.parse(written.strip(), outline.home)
    if not number:
        return None
    if entry := outline.entries.get(number.key):
        return entry
    above = outline.above(number)
    return above if above and not above.transcribed and not above.children else None


def steps_called(name: str, outline: Outline) -> list[StepEntry]:
    """The steps of an id, an address or a title, as someone writes it."""
    exact, titled = _steps_by_name(outline)
    return exact.get(str(name)) or titled.get(name.casefold(), [])


@lru_cache(maxsize=16)
def _steps_by_name(outline: Outline) -> tuple[dict[str, list[StepEntry]], dict[str, list[StepEntry]]]:
    """Index the steps: by id and address, and by title in lower case."""
    exact: dict[str, list[StepEntry]] = {}
    titled: dict[str, list[StepEntry]] = {}
    for step in [*([outline.root] if outline.root else ()), *outline.every_step()]:
        for name in dict.fromkeys(filter(None, (step.anchor, step.step.id))):
            exact.setdefault(str(name), []).append(step)
        titled.setdefault(step.step.title.printed.casefold(), []).append(step)
    return exact, titled


def rules_of(question: Question, outline: Outline) -> Iterator[Entry]:
    """The rules that a question is about; of a range those between its ends too."""
    first: Entry | None = None
    for found in (one for text in question.rules for one in outline.edition.finder.find(text, "", True)):
        entry = outline.entries.get(found.number.key) if found.number and not found.book else None
        if entry and first and found.through:
            yield from outline.between(first, entry)[1:]
        elif entry:
            yield entry
        first = entry


def shown(
    remarks: Iterable[Remark], outline: Outline, tables: Sequence[TableEntry], sheets: Sequence[Sheet]
) -> Iterator[tuple[Thing, Remark]]:
    """Where each remark is shown beside the page that has all of them."""
    for remark in remarks:
        if remark.erratum:
            things = concerned(remark.erratum, outline, tables, sheets)
        else:
            assert remark.question
            things = list(dict.fromkeys(rules_of(remark.question, outline)))
        yield from ((thing, remark) for thing in things)


def rule_of(remark: Remark, outline: Outline) -> Entry | None:
    """The rule that a remark is of, the first where it is of several."""
    if remark.question:
        return next(rules_of(remark.question, outline), None)
    return rule_at(remark.erratum.at, outline) if remark.erratum and remark.erratum.at else None


def chapter_of(remark: Remark, outline: Outline) -> str:
    """Where a remark stands: in the rule that it is of."""
    entry = rule_of(remark, outline)
    return entry.spot if entry else outline.home


def quoted(remark: Remark) -> Iterator[Text]:
    """The words that an erratum quotes, and those of one that is withdrawn: no references are looked for."""
    if one := remark.erratum:
        withdrawn = (one.new, one.insert) if one.is_withdrawn else ()
        yield from filter(None, (one.replace, one.delete, one.after, one.before, *withdrawn))


def texts(remark: Remark) -> Iterator[tuple[Text, bool]]:
    """The texts of a remark in which references are found, and whether they hold nothing else.

    What an erratum puts into a rule is read there; as long as it is put nowhere it is read here.
    """
    yield from texts_of(remark.part)
    if (erratum := remark.erratum) and not remark.is_applied and not erratum.is_withdrawn:
        yield from ((text, False) for text in (erratum.new, erratum.insert) if text)
