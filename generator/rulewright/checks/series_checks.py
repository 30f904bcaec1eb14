"""Checks of games that extend a series: overrides, differences and references."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.book.series_inheritance import series_citation_names
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.checks.reference_checks import explained_problems, only_number_problems
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, problem_type, quote_short
from rulewright.references.edition_texts import override_texts
from rulewright.references.reference_problems import reference_problems, retired_problems
from rulewright.references.reference_types import RuleReference, cited_rules
from rulewright.references.series_overrides import (
    TO_VOID,
    Override,
    find_conflict,
    override_statements,
)
from rulewright.schema.model_reader import MISSING_KEY
from rulewright.schema.problem_reports import join_some
from rulewright.sequence import turn_difference_checks
from rulewright.sequence.derived_sequence import UnresolvedDifference
from rulewright.sequence.sequence_step import SequenceStep

NO_BASE = problem_type(
    "override-without-series",
    "A rule says that it `replaces`, `adds to` or `voids` others, and its edition extends no series.",
)
CONFLICT = problem_type(
    "override-conflict",
    "Two rules of a game are at odds over one of the series: both replace it, or one adds to what is void.",
)
AMBIGUOUS = problem_type(
    "reference-ambiguous",
    """Numbers that a game's texts cite are rules of the game and of its series. They mean the game's. A mark
    or the name of the series in front, OCS 4.5, means the other; a mark such as [[4.5]] says that it is
    right.""",
    Severity.NOTE,
)
STILL_REPEATED = problem_type(
    "dropped-step-repeated",
    "A game drops a step of its series that another step repeats, which is not dropped.",
)

MAX_NAMED = 8
"""Numbers or steps that a message names at most."""


@check(Outline, NO_BASE, CONFLICT)
def check_overrides(outline: Outline, scope: Scope) -> Problems:
    """Report overrides of unknown rules, and overrides without a series."""
    edition = outline.edition
    if edition.base:
        yield from _check_statements(outline, scope)
    elif not edition.edition_file.extends:  # an edition that is not there has a problem of its own
        for entry, action, text in override_texts(outline):
            message = f"{entry.key} {action} {quote_short(text)}, but {edition.short} extends no series"
            yield NO_BASE.problem(
                text, f"{message}; name it in edition.yml, like extends: ocs/4.3", entry.key
            )


def _check_statements(outline: Outline, scope: Scope) -> Problems:
    series = with_series(outline, scope.index.outlines)[1]
    ends: dict[RuleEntry, Override] = {}
    overrides: dict[RuleEntry, Override] = {}
    for statement in override_statements(outline, scope.index):
        text, resolved = statement.text, statement.resolved
        for problem in explained_problems(reference_problems(resolved, text), scope.project):
            message = problem.message.replace("no rule ", f"{series.edition.short} has no rule ", 1)
            yield replace(problem, message=message)
        yield from retired_problems(resolved, text)
        yield from only_number_problems(text, resolved, series)
        for entry in cited_rules(resolved):
            new = Override(statement.game_rule, statement.action, entry, text)
            if other := find_conflict(new, ends, overrides):
                is_here = other.text.file is text.file
                location = f"line {other.text.place.line}" if is_here else str(other.text.place)
                message = f"{_describe(new)}, and {_describe(other)} already, in {location}"
                message += "; only one of the two can hold"
                yield CONFLICT.problem(text, message, statement.game_rule.key)
            else:
                overrides.setdefault(entry, new)
                if new.ends:
                    ends.setdefault(entry, new)


def _describe(override: Override) -> str:
    series_name = series_citation_names(override.base.edition.book)[0]
    return f"{override.by.key} {override.sort} {series_name} {override.base.key}"


@check(Outline, TO_VOID)
def check_voided_references(outline: Outline, scope: Scope) -> Problems:
    """Report references to rules of a series that the game voids, including those in steps of the series."""
    overrides = scope.project.overrides
    steps: dict[Override, dict[str, None]] = {}
    for citation in scope.references.citations if outline.edition.base else ():
        source = citation.source
        for reference in (r for r in citation.resolved if isinstance(r, RuleReference)):
            void = overrides.is_voided(reference.target, outline.edition)
            if not void:
                continue
            if not outline.edition.has_written(citation.text):
                name = source.path if isinstance(source, SequenceStep) else str(source)
                steps.setdefault(void, {})[name] = None
            elif not (isinstance(source, RuleEntry) and void.by in source.self_and_ancestors()):
                rule = f"{reference.target.key} of {reference.target.edition.short}"
                place = citation.text.location_of(reference.match.start)
                message = f"{rule} does not hold here; {_describe(void)}"
                yield TO_VOID.problem(place, message, reference.target.key)
    for void, names in steps.items():
        places = join_some([*map(quote_short, names)], MAX_NAMED)
        message = f"{_describe(void)}, but the sequence of play still cites it in {places}; drop or change it"
        yield TO_VOID.problem(void.text, message, void.by.key)


@check(Outline, AMBIGUOUS)
def check_ambiguous_numbers(outline: Outline, scope: Scope) -> Problems:
    """Report, once for each game, cited numbers that its series has as well."""
    series = with_series(outline, scope.index.outlines)[1:]
    overrides = scope.project.overrides.by
    first: dict[str, tuple[LocatedText, int, RuleEntry]] = {}
    for citation in scope.references.citations if series else ():
        for reference in citation.resolved:
            if not isinstance(reference, RuleReference) or reference.match.mark_span:
                continue
            target = reference.target
            other = next((o.entries[target.key] for o in series if target.key in o.entries), None)
            related = (o.base.key for rule in target.self_and_ancestors() for o in overrides.get(rule, ()))
            if other and target.edition is outline.edition and target.key not in related:
                first.setdefault(target.key, (citation.text, reference.match.start, other))
    if first:
        (text, offset, other), *_ = first.values()
        game, name = outline.edition.short, other.edition.book.short or other.edition.book.title
        verb = "is a rule" if len(first) == 1 else "are rules"
        message = f"{join_some([*first], MAX_NAMED)} {verb} of {game} and of {other.edition.short}"
        cure = f"write {name} {other.key} for the other, [[{other.key}]] where this is right"
        message = f"{message}, and {game} is meant; {cure}"
        yield AMBIGUOUS.problem(text.location_of(offset), message, outline.edition.address)


@check(Outline, STILL_REPEATED)
def check_sequence_differences(outline: Outline, scope: Scope) -> Problems:
    """Report differences that match no step of the series, and sequences without steps."""
    edition, sequence = outline.edition, outline.edition.sequence
    if not sequence:
        return
    about, derived = f"{edition.address}/sequence", edition.derived
    if derived:
        yield from turn_difference_checks.ineffective_keys(sequence.exceptions, about)
        for unresolved in derived.unresolved:
            if unresolved.matches or scope.has_all_parts:
                yield _unresolved_problem(unresolved, outline, about)
        for difference, step in derived.broken:
            name, dropped = difference.drop or step.title, quote_short(difference.drop or "")
            message = (
                f"{quote_short(step.title)} repeats {dropped}, which is dropped; drop or change that too"
            )
            yield STILL_REPEATED.problem(name, message, about)
    elif sequence.exceptions:
        reason = "has steps of its own" if sequence.steps else "extends no sequence of play"
        message = f"{edition.short} {reason}, so there is nothing to differ from; delete `except:`"
        yield turn_difference_checks.IDLE.problem(sequence.title, message, about)
    elif not sequence.steps and not (edition.edition_file.extends and not edition.base):
        message = "this sequence needs the key steps"
        message += f"; {edition.base.short} has no sequence of play to take over" if edition.base else ""
        yield MISSING_KEY.problem(sequence.title, message, sequence.title.file.name)


def _unresolved_problem(unresolved: UnresolvedDifference, outline: Outline, about: str) -> Problem:
    base = outline.edition.base
    assert base
    name, words = unresolved.given_name, quote_short(unresolved.given_name)
    if unresolved.matches:
        match = unresolved.matches[0]
        path = " › ".join(str(step.title) for step in (*unresolved.candidates[match][-1:], match))
        message = f"{len(unresolved.matches)} steps of {base.short} are called {words}"
        cure = f"name what is around it too, like {quote_short(path, 80)}"
        return turn_difference_checks.AMBIGUOUS.problem(name, f"{message}; {cure}", about)
    titles = dict.fromkeys(str(step.title) for step in unresolved.candidates)
    message = f"the sequence of play of {base.short} has no step {words}"
    return name.unknown_name_problem(turn_difference_checks.NOT_FOUND, message, titles, about)
