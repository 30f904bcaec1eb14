"""Rules of a series that a game replaces, adds to or voids, indexed in both directions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Severity, problem_type
from rulewright.references.edition_texts import ADDS, VOIDS, override_texts
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import Reference, cited_rules

TO_VOID = problem_type(
    "reference-to-void",
    """A game cites a rule of its series that the game replaces or voids, or uses a step of the series that
    cites one. Cite the rule that is in force, or drop or change the step.""",
    Severity.WARNING,
)


class OverrideStatement(NamedTuple):
    """A statement of a rule of a game about rules of the series."""

    game_rule: RuleEntry
    action: str  # one of "replaces", "adds to", "voids"
    text: LocatedText
    resolved: Sequence[Reference]


@dataclass(frozen=True, slots=True)
class Override:
    """A rule of a game that replaces, adds to or voids a rule of the series."""

    by: RuleEntry
    sort: str
    base: RuleEntry
    text: LocatedText

    @property
    def ends(self) -> bool:
        """Whether the rule of the series is not in force in the game."""
        return self.sort != ADDS


def override_statements(outline: Outline, index: ReferenceIndex) -> Iterator[OverrideStatement]:
    """Yield the statements of the rules of a game about its series; none if it has no series."""
    for series in with_series(outline, index.outlines)[1:2]:
        for entry, action, text in override_texts(outline):
            yield OverrideStatement(entry, action, text, index.references(text, series.edition))


class OverrideIndex:
    """All overrides by the rule of the series (`of`) and by the rule of the game (`by`)."""

    def __init__(self, index: ReferenceIndex) -> None:
        self.of: dict[RuleEntry, list[Override]] = {}
        self.by: dict[RuleEntry, list[Override]] = {}
        for outline in index.outlines.values():
            for statement in override_statements(outline, index) if outline.edition.base else ():
                for base in cited_rules(statement.resolved):
                    override = Override(statement.game_rule, statement.action, base, statement.text)
                    self.of.setdefault(base, []).append(override)
                    self.by.setdefault(statement.game_rule, []).append(override)

    def in_game(self, base: RuleEntry, game: Edition) -> list[Override]:
        """Return the overrides of a rule or its ancestors by a game or a game that it extends."""
        editions = set(game.with_series)
        return [
            override
            for ancestor in base.self_and_ancestors()
            for override in self.of.get(ancestor, ())
            if override.by.edition in editions and (override.ends or ancestor is base)
        ]

    def is_voided(self, base: RuleEntry, game: Edition) -> Override | None:
        return next((override for override in self.in_game(base, game) if override.sort == VOIDS), None)


def find_conflict(
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
