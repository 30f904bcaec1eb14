"""Checks of names: terms have unique names, and no term has the abbreviation of a step."""

from __future__ import annotations

import re

from rulewright.book.outline import Outline
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.problems import did_you_mean, problem_type, quote_short
from rulewright.references.glossary import TermEntry, term_entries
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import RuleReference
from rulewright.schema.rulebook import Rulebook
from rulewright.sequence.sequence_step import SequenceStep, is_heading
from rulewright.sequence.step_names import abbreviation_of, spoken_title

TAKEN = problem_type(
    "name-taken",
    "Two terms have one name, or two steps one abbreviation, or a term and a step that mean different things "
    "share it, so that no text can say which is meant. Choose another for one of them.",
)
NO_EDITION = problem_type(
    "term-of-unknown-edition", "A term names an edition in `since` or `until` that its book does not have."
)
EMPTY = problem_type("name-empty", "A term of the glossary has no letter, digit or sign in its name.")

_OWN = ("", "added")
"""Differences whose names are new; dropped and changed steps have the names of their base steps."""


@check(Rulebook, EMPTY, TAKEN)
def check_terms(book: Rulebook, _: Scope) -> Problems:
    """Report terms without a name, and aliases that are already a term or an alias."""
    bearers = {str(words): words for words in book.terms}
    for words, term in book.terms.items():
        if not words.strip():
            message = "this term has no name; write the word or the abbreviation that texts use"
            yield EMPTY.problem(words, message, words.file.name)
        for alias in term.aliases:
            bearer = bearers.setdefault(alias, alias)
            if bearer is not alias:
                message = f"{quote_short(alias)} is a name of a term already, in line {bearer.place.line}"
                yield TAKEN.problem(alias, f"{message}; leave it out", alias)


@check(Outline, NO_EDITION)
def check_term_editions(outline: Outline, scope: Scope) -> Problems:
    """Report terms that name an edition that their book does not have."""
    for term in outline.edition.book.terms.values():
        book = term.means.file.name.split("/")[1]
        outlines = scope.index.outlines.items()
        names = {
            str(o.edition.edition_file.edition) for address, o in outlines if address.startswith(f"{book}/")
        }
        for name in filter(None, (term.since, term.until)):
            if name not in names:
                message = f"no edition {quote_short(name)} of this book{did_you_mean(name, sorted(names))}"
                yield NO_EDITION.problem(name, message, name)


@check(Outline)
def check_abbreviations(outline: Outline, scope: Scope) -> Problems:
    """Report abbreviations of two steps, or of a step and a term with another meaning."""
    first: dict[str, SequenceStep] = {}
    terms = term_entries(outline, scope.index)
    bearers = {str(words): term for term in terms for words in term.all_spellings}
    for step in outline.sequence.iter_steps():
        short = abbreviation_of(step) if is_heading(step) and step.difference in _OWN else None
        if not short:
            continue
        place, name = step.step.abbreviation or step.step.title, quote_short(short)
        other, term = first.setdefault(short, step), bearers.get(short)
        if spoken_title(other) != spoken_title(step):
            meaning = f"{quote_short(spoken_title(other))} in line {other.step.title.place.line} already"
            yield TAKEN.problem(place, f"{name} means {meaning}; choose another abbreviation", short)
        elif term and other is step and not _means_step(step, term, scope.index):
            source = f"{term.words.file.name}, line {term.words.place.line}"
            cure = f"choose another name for it, or say there that it means {quote_short(spoken_title(step))}"
            message = f"{name} is a term that means {quote_short(term.term.means)} ({source}); {cure}"
            yield TAKEN.problem(place, message, short)


def _means_step(step: SequenceStep, term: TermEntry, index: ReferenceIndex) -> bool:
    """Return whether a term means a step: by the title of the step or one of its rules."""
    means = index.plain_text_in(term.term.means, term.edition)
    if _normalize(means).startswith(_normalize(spoken_title(step))):
        return True
    cited = (reference for see in step.step.see for reference in index.references(see))
    return any(isinstance(reference, RuleReference) and reference.target is term.rule for reference in cited)


def _normalize(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold())).removeprefix("the ")
