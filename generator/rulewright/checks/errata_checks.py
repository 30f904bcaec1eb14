"""Check the targets of questions, and that the next edition has the corrections of errata."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rulewright.book.errata_targets import named_targets
from rulewright.book.outline import Outline
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Severity, problem_type, quote_short
from rulewright.references.edition_texts import edition_texts
from rulewright.references.previous_edition import followed_edition
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.amended_text import DELETED, INSERTED, AmendedRun, AmendedText
from rulewright.schema.erratum import THROUGHOUT, Erratum

NOT_CARRIED_OVER = problem_type(
    "erratum-not-carried-over",
    """An edition still says what an erratum of the edition before it corrects. Correct the text, or list the
    erratum in this edition too.""",
    Severity.WARNING,
)

NO_TARGET = problem_type(
    "question-without-target",
    "A question names neither a rule, nor a table or a step. Write its number or its name.",
)

AROUND = 3
"""Number of words before and after a correction that identify its place."""


class Correction(NamedTuple):
    """Words that an erratum deletes and inserts, with the words around them."""

    erratum: Erratum
    deleted: str
    inserted: str
    printed: str
    amended: str


@check(Outline, NOT_CARRIED_OVER)
def check_carried_over_errata(outline: Outline, scope: Scope) -> Problems:
    """Report texts that still say what an erratum of the previous edition corrects."""
    previous = followed_edition(outline, scope.index.outlines)
    if not previous or not previous.edition.applied_errata:
        return
    texts = {f" {_words(text)} ": text for text in _texts(outline, scope.index)}
    for correction in _corrections(previous, scope.index):
        places = [text for words, text in texts.items() if f" {correction.printed} " in words]
        is_corrected = any(f" {correction.amended} " in words for words in texts)
        if places and not is_corrected:
            edition, erratum = outline.edition.short, correction.erratum
            name = f"{erratum} of {previous.edition.edition_file.edition}"
            inserted = f"“{quote_short(correction.inserted)}”" if correction.inserted else "nothing"
            message = f"{edition} lacks {inserted}, which {name} inserts here"
            if correction.deleted:
                deleted = f"“{quote_short(correction.deleted)}”"
                message = f"{edition} still says {deleted}, which {name} replaces with {inserted}"
            yield NOT_CARRIED_OVER.problem(places[0], message, str(erratum.number))


@check(Outline, NO_TARGET)
def check_question_targets(outline: Outline, scope: Scope) -> Problems:
    """Report names in questions that are not those of a table or a step."""
    for entry in scope.references.errata_entries:
        for name in entry.question.rules if entry.question else ():
            is_name = not any(map(str.isdigit, name)) and name != THROUGHOUT
            if is_name and not any(named_targets(name, outline, scope.references.tables)):
                message = f"{quote_short(name)} is neither a rule, nor a table or a step"
                yield NO_TARGET.problem(name, message, name)


def _texts(outline: Outline, index: ReferenceIndex) -> Iterator[LocatedText]:
    for _, texts, _ in edition_texts(outline, index.editions[outline.edition.address].tables):
        yield from (text for text, cites in texts if not cites)


def _corrections(outline: Outline, index: ReferenceIndex) -> Iterator[Correction]:
    """Yield each correction in the texts of an edition."""
    for text in _texts(outline, index):
        runs = text.runs if isinstance(text, AmendedText) else ()
        groups = [(erratum, list(row)) for erratum, row in groupby(runs, lambda run: run.erratum)]
        for position, (erratum, row) in enumerate(groups):
            if erratum is None:
                continue
            deleted, inserted = _joined(row, DELETED), _joined(row, INSERTED)
            before = _words(_amended_words(groups[:position])).split()[-AROUND:]
            after = _words(_amended_words(groups[position + 1 :])).split()[:AROUND]
            printed = " ".join([*before, *_words(deleted).split(), *after])
            amended = " ".join([*before, *_words(inserted).split(), *after])
            if printed.count(" ") >= AROUND - 1:
                yield Correction(erratum, deleted, inserted, printed, amended)


def _joined(runs: Iterable[AmendedRun], change: str) -> str:
    """Return the words of the runs with a change."""
    return " ".join(run.words.strip() for run in runs if run.change == change)


def _amended_words(groups: Iterable[tuple[Erratum | None, Sequence[AmendedRun]]]) -> str:
    """Return the words of groups of runs with all errata applied."""
    runs = (run for _, row in groups for run in row)
    return " ".join(run.words for run in runs if run.change != DELETED)


def _words(text: str) -> str:
    """Return the words of a text in lower case, without punctuation and markup."""
    return " ".join(re.findall(r"\w+", text.casefold()))
