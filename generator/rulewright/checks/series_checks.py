"""Checks of games that extend a series: overrides, differences and references."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.book.series_inheritance import series_citation_names
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, problem_type, quote_short
from rulewright.references.edition_texts import VOIDS, override_texts
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_problems import retired_problems
from rulewright.references.reference_resolver import NOT_A_NUMBER
from rulewright.references.reference_types import FaultyReference, RuleReference, cited_rules
from rulewright.references.series_overrides import (
    TO_VOID,
    Override,
    OverrideIndex,
    override_statements,
)
from rulewright.schema.model_reader import MISSING_KEY
from rulewright.sequence import turn_difference_checks
from rulewright.sequence.derived_sequence import UnresolvedDifference
from rulewright.sequence.sequence_step import SequenceStep

NEWER = problem_type(
    "series-newer",
    "A game extends an edition of a series that has a newer one here. `diff` says what changed since.",
    Severity.NOTE,
)
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


def check_series_edition(index: ReferenceIndex) -> Iterator[Problem]:
    """Report games that extend an edition that is not the newest of its series."""
    for outline in index.outlines.values():
        edition = outline.edition
        if edition.base and edition.edition_file.extends:
            newest = index.newest[edition.base.address.partition("/")[0]]
            if newest is not edition.base:
                message = f"{edition.short} extends {edition.base.short}; the newest is {newest.short}"
                yield NEWER.problem(edition.edition_file.extends.place, message, edition.edition_file.extends)


def check_overrides(index: ReferenceIndex) -> Iterator[Problem]:
    """Report overrides of unknown rules, and overrides without a series."""
    for outline in index.outlines.values():
        if outline.edition.base:
            yield from _check_statements(outline, index)
        elif (
            not outline.edition.edition_file.extends
        ):  # an edition that is not there has a problem of its own
            for entry, sort, text in override_texts(outline):
                message = (
                    f"{entry.key} {sort} {quote_short(text)}, but {outline.edition.short} extends no series"
                )
                yield NO_BASE.problem(
                    text.place, f"{message}; name it in edition.yml, like extends: ocs/4.3", entry.key
                )


def _check_statements(outline: Outline, index: ReferenceIndex) -> Iterator[Problem]:
    base = with_series(outline, index.outlines)[1]
    ends: dict[RuleEntry, Override] = {}
    overrides: dict[RuleEntry, Override] = {}
    for statement in override_statements(outline, index):
        for reference in statement.resolved:
            if isinstance(reference, FaultyReference):
                key = reference.match.number.key if reference.match.number else ""
                message = reference.message.replace(
                    f"no rule {key}", f"no rule {key} in {base.edition.short}", 1
                )
                yield reference.fault.problem(
                    statement.text.location_of(reference.match.start),
                    message,
                    reference.about(statement.text),
                )
        yield from retired_problems(statement.resolved, statement.text.location_of)
        if word := base.edition.finder.uncited_list_rest(
            statement.text, [reference.match for reference in statement.resolved]
        ):
            message = f"{quote_short(word.group())} is no rule number of {base.edition.short}"
            place = statement.text.location_of(word.start())
            yield NOT_A_NUMBER.problem(place, f"{message}; only numbers stand here", word.group())
        for entry in cited_rules(statement.resolved):
            new = Override(statement.game_rule, statement.action, entry, statement.text)
            if other := _find_conflict(new, ends, overrides):
                is_here = other.text.file is statement.text.file
                location = f"line {other.text.place.line}" if is_here else str(other.text.place)
                message = f"{_describe(new)}, and {_describe(other)} already, in {location}"
                yield CONFLICT.problem(
                    statement.text.place, f"{message}; only one of the two can hold", statement.game_rule.key
                )
            else:
                overrides.setdefault(entry, new)
                if new.ends:
                    ends.setdefault(entry, new)


def _find_conflict(
    override: Override, ends: dict[RuleEntry, Override], overrides: dict[RuleEntry, Override]
) -> Override | None:
    """Return an override of the same rule, an ancestor or a descendant that conflicts with an override."""
    for ancestor in override.base.self_and_ancestors():
        other = ends.get(ancestor)
        if other and (ancestor is override.base or not _contains(other, override)):
            return other
    if override.ends:
        for inner in override.base.iter_subtree():
            other = overrides.get(inner)
            if other and (inner is override.base or not _contains(override, other)):
                return other
    return None


def _contains(outer: Override, inner: Override) -> bool:
    return outer.sort != VOIDS and outer.by in inner.by.self_and_ancestors()


def _describe(override: Override) -> str:
    series_name = series_citation_names(override.base.edition.book)[0]
    return f"{override.by.key} {override.sort} {series_name} {override.base.key}"


def check_voided_references(index: ReferenceIndex) -> Iterator[Problem]:
    """Report references to rules of a series that the game voids, including those in steps of the series."""
    games = [outline for outline in index.outlines.values() if outline.edition.base]
    override_index = OverrideIndex(index) if games else None
    for outline in games:
        assert override_index
        steps: dict[Override, list[str]] = {}
        for citation in index.editions[outline.edition.address].citations:
            for reference in citation.resolved:
                if not isinstance(reference, RuleReference):
                    continue
                void = override_index.is_voided(reference.target, outline.edition)
                if not void:
                    continue
                source = citation.source
                if not outline.edition.has_written(citation.text):
                    name = source.path if isinstance(source, SequenceStep) else str(source)
                    steps.setdefault(void, []).append(name)
                elif not (isinstance(source, RuleEntry) and void.by in source.self_and_ancestors()):
                    rule = f"{reference.target.key} of {reference.target.edition.short}"
                    message = f"{rule} does not hold here; {_describe(void)}"
                    place = citation.text.location_of(reference.match.start)
                    yield TO_VOID.problem(place, message, reference.target.key)
        for void, names in steps.items():
            yield _still_cited_problem(void, list(dict.fromkeys(names)))


def _still_cited_problem(void: Override, names: list[str]) -> Problem:
    steps = ", ".join(quote_short(name) for name in names[:MAX_NAMED])
    steps += f" and {len(names) - MAX_NAMED} more steps" if len(names) > MAX_NAMED else ""
    message = (
        f"{_describe(void)}, but the sequence of play still cites it in {steps}; drop or change it there"
    )
    return TO_VOID.problem(void.text.place, message, void.by.key)


def check_ambiguous_numbers(index: ReferenceIndex) -> Iterator[Problem]:
    """Report, once for each game, cited numbers that its series has as well."""
    for outline in index.outlines.values():
        series = with_series(outline, index.outlines)[1:]
        if not series:
            continue
        related = {
            (statement.game_rule.key, entry.key)
            for statement in override_statements(outline, index)
            for entry in cited_rules(statement.resolved)
        }
        first: dict[str, tuple[LocatedText, int, RuleEntry]] = {}
        for citation in index.editions[outline.edition.address].citations:
            for reference in citation.resolved:
                if not isinstance(reference, RuleReference):
                    continue
                target = reference.target
                if reference.match.mark_span or target.edition is not outline.edition or target.key in first:
                    continue
                other = next((o.entries[target.key] for o in series if target.key in o.entries), None)
                if other and not any(
                    (ancestor.key, other.key) in related for ancestor in target.self_and_ancestors()
                ):
                    first[target.key] = citation.text, reference.match.start, other
        if first:
            yield _ambiguous_problem(outline, first)


def _ambiguous_problem(outline: Outline, first: dict[str, tuple[LocatedText, int, RuleEntry]]) -> Problem:
    """Return one note for all ambiguous numbers of a game, at the first of them."""
    (text, offset, other), *_ = first.values()
    game, series = outline.edition, other.edition
    names = ", ".join([*first][:MAX_NAMED])
    names += f" and {len(first) - MAX_NAMED} more" if len(first) > MAX_NAMED else ""
    are = "is a rule" if len(first) == 1 else "are rules"
    message = f"{names} {are} of {game.short} and of {series.short}, and {game.short} is meant"
    series_name = series.book.short or series.book.title
    cure = f"write {series_name} {other.key} for the other, [[{other.key}]] where this is right"
    return AMBIGUOUS.problem(text.location_of(offset), f"{message}; {cure}", game.address)


def check_sequence_differences(index: ReferenceIndex) -> Iterator[Problem]:
    """Report differences that match no step of the series, and sequences without steps."""
    for outline in index.outlines.values():
        edition, sequence = outline.edition, outline.edition.sequence
        if not sequence:
            continue
        about = f"{edition.address}/sequence"
        derived = edition.derived
        if derived is None:
            if sequence.exceptions:
                reason = "has steps of its own" if sequence.steps else "extends no sequence of play"
                message = f"{edition.short} {reason}, so there is nothing to differ from; delete `except:`"
                yield turn_difference_checks.IDLE.problem(sequence.title.place, message, about)
            elif not sequence.steps and not (edition.edition_file.extends and not edition.base):
                message = "this sequence needs the key steps"
                message += (
                    f"; {edition.base.short} has no sequence of play to take over" if edition.base else ""
                )
                yield MISSING_KEY.problem(sequence.title.place, message, sequence.title.file.name)
            continue
        yield from turn_difference_checks.ineffective_keys(sequence.exceptions, about)
        for unresolved in derived.unresolved:
            yield _unresolved_problem(unresolved, outline, about)
        for difference, step in derived.broken:
            place = (difference.drop or step.title).place
            dropped = quote_short(difference.drop or "")
            message = (
                f"{quote_short(step.title)} repeats {dropped}, which is dropped; drop or change that too"
            )
            yield STILL_REPEATED.problem(place, message, about)


def _unresolved_problem(unresolved: UnresolvedDifference, outline: Outline, about: str) -> Problem:
    base = outline.edition.base
    assert base
    if unresolved.matches:
        message = (
            f"{len(unresolved.matches)} steps of {base.short} are called {quote_short(unresolved.given_name)}"
        )
        path = " › ".join(
            str(step.title)
            for step in (*unresolved.candidates[unresolved.matches[0]][-1:], unresolved.matches[0])
        )
        cure = f"name what is around it too, like {quote_short(path, 80)}"
        return turn_difference_checks.AMBIGUOUS.problem(
            unresolved.given_name.place, f"{message}; {cure}", about
        )
    titles = dict.fromkeys(str(step.title) for step in unresolved.candidates)
    message = f"the sequence of play of {base.short} has no step {quote_short(unresolved.given_name)}"
    return unresolved.given_name.unknown_name_problem(
        turn_difference_checks.NOT_FOUND, message, titles, about
    )
