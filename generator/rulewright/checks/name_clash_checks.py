"""Checks of names: terms have unique names, and no term has the abbreviation of a step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import one_edition_per_book
from rulewright.files.problems import Problem, did_you_mean, problem_type, quote_short
from rulewright.references.glossary import term_entries
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import RuleReference
from rulewright.schema.rulebook import Rulebook, Term
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


def check_terms(index: ReferenceIndex) -> Iterator[Problem]:
    """Report terms without a name, and aliases that are already a term or an alias."""
    for edition in one_edition_per_book(index.outlines):
        yield from _check_book_terms(edition.book)
    terms: dict[str, Term] = {}
    editions: dict[str, set[str]] = {}
    for address, outline in index.outlines.items():
        editions.setdefault(address.partition("/")[0], set()).add(str(outline.edition.edition_file.edition))
        terms |= {str(name.place): term for name, term in outline.edition.book.terms.items()}
    for term in terms.values():
        names = editions.get(term.means.file.name.split("/")[1], set())
        for name in filter(None, (term.since, term.until)):
            if name not in names:
                message = f"no edition {quote_short(name)} of this book{did_you_mean(name, names)}"
                yield NO_EDITION.problem(name.place, message, str(name))


def _check_book_terms(book: Rulebook) -> Iterator[Problem]:
    bearers = {str(words): words for words in book.terms}
    for words, term in book.terms.items():
        if not words.strip():
            message = "this term has no name; write the word or the abbreviation that texts use"
            yield EMPTY.problem(words.place, message, words.file.name)
        before: set[str] = set()
        for alias in term.aliases:
            if (bearer := bearers.setdefault(alias, words)) == alias:
                line = bearer.place.line
                taken = "the term itself" if bearer is words else f"a term of its own in line {line}"
                yield TAKEN.problem(
                    alias.place, f"{quote_short(alias)} is {taken}; leave the alias out", alias
                )
            elif bearer is not words or alias in before:
                of = "here" if bearer is words else f"of {quote_short(bearer)} in line {bearer.place.line}"
                yield TAKEN.problem(
                    alias.place, f"{quote_short(alias)} is an alias {of} already; leave it out", alias
                )
            before.add(alias)


def check_abbreviations(index: ReferenceIndex) -> Iterator[Problem]:
    """Report abbreviations of two steps, or of a step and a term with another meaning."""
    for outline in index.outlines.values():
        steps = [
            step for step in outline.sequence.iter_steps() if is_heading(step) and step.difference in _OWN
        ]
        shorts = [(step, short) for step in steps if (short := abbreviation_of(step))]
        if shorts:
            yield from _check_unique(shorts, outline, index)


def _check_unique(
    shorts: Sequence[tuple[SequenceStep, str]], outline: Outline, index: ReferenceIndex
) -> Iterator[Problem]:
    first: dict[str, SequenceStep] = {}
    bearers = {str(words): term for term in term_entries(outline, index) for words in term.all_spellings}
    for step, short in shorts:
        place = (step.step.abbreviation or step.step.title).place
        other, term = first.setdefault(short, step), bearers.get(short)
        if spoken_title(other) != spoken_title(step):
            meaning = f"stands for {quote_short(spoken_title(other))} in line {other.step.title.place.line}"
            yield TAKEN.problem(
                place, f"{quote_short(short)} {meaning} already; choose another abbreviation", short
            )
        elif (
            term
            and other is step
            and not _means_step(step, index.plain_text_in(term.term.means, term.edition), term.rule, index)
        ):
            source = f"{term.words.file.name}, line {term.words.place.line}"
            means = f"{quote_short(short)} is a term that means {quote_short(term.term.means)} ({source})"
            cure = f"choose another name for it, or say there that it means {quote_short(spoken_title(step))}"
            yield TAKEN.problem(place, f"{means}; {cure}", short)


def _means_step(step: SequenceStep, means: str, rule: RuleEntry | None, index: ReferenceIndex) -> bool:
    """Return whether a term means a step: by the title of the step or one of its rules."""
    if _normalize(means).startswith(_normalize(spoken_title(step))):
        return True
    cited = (reference for see in step.step.see for reference in index.references(see))
    return any(isinstance(reference, RuleReference) and reference.target is rule for reference in cited)


def _normalize(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold())).removeprefix("the ")
