# `many` creates the fields of a dataclass, one for each.
"""Inheritance of a game from the edition of a series that it extends.

The edition.yml of a game says `extends: ocs/4.3`. Its rulebook.yml may then omit keys of the series, and its
sequence of play may be that of the series with differences. Keys of the game take precedence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import did_you_mean, problem_type, quote_short
from rulewright.schema.rulebook import Rulebook, Term
from rulewright.schema.step import PlaySequence, Step
from rulewright.schema.yaml_fields import Texts, list_field

NO_SERIES = problem_type(
    "series-not-found",
    """`extends:` names an edition that is not here, or a game that leads back to this one. It takes the
    folders of a book and an edition: ocs/4.3.""",
)

NUMBERING = ("numbers", "levels", "suffixes", "chapters", "implied", "alphabet")
"""Keys of the numbering: a game with its own numbers inherits none of them."""

SERIES = "series"
"""Name of any series before a number: "series rule 12.5"."""


@dataclass(frozen=True, slots=True, eq=False)
class GameRulebook(Rulebook):
    """`rulebook.yml`: everything shared by the editions of a book, above all its numbering. A game that
    extends a series may omit keys of the series.
    """

    numbers: Texts = list_field(
        'How rules are numbered, by example: "1.1a(A)". 1 is a number, a or A a letter, i or I roman; '
        "several digits together are nested. The first example is the usual form. A game may leave them "
        "to its series.",
        lone=True,
        example='["1.1a(A)", "A.1"]',
    )


@dataclass(frozen=True, slots=True, eq=False)
class GameSequence(PlaySequence):
    """`sequence.yml`: the sequence of play, or for a game its differences from that of the series."""

    steps: tuple[Step, ...] = list_field(
        "The steps of a game turn. A game may leave them to its series.",
        apart=True,
        example="[{phase: Supply}]",
    )


def inherit_rulebook(game: Rulebook, base: Rulebook) -> Rulebook:
    """Return the rulebook of a game with the missing keys of its series.

    Roles, terms and phrases that are not references are merged; sides are inherited only if the game has
    none.
    """
    numbering = NUMBERING if not game.numbers else ()
    names = (*numbering, "publisher", "cues", "joins", "through", "sides", "players", "map")
    taken = {name: getattr(game, name) or getattr(base, name) for name in names}
    taken |= {
        name: {**getattr(base, name), **getattr(game, name)}
        for name in ("books", "orders", "symbols", "counters", "terrain")
    }
    roles = {**base.roles, **game.roles}
    if game.sides:
        # The steps of the series may name its sides, which are nobody's here: they are known, and no sides.
        roles |= {name: side for name, side in base.sides.items() if name not in {**game.sides, **game.roles}}
    never = tuple(dict.fromkeys((*game.not_references, *base.not_references)))
    return replace(game, **taken, roles=roles, terms=_merge_terms(game, base), not_references=never)


def series_citation_names(series: Rulebook) -> list[str]:
    """Return the names by which a game cites its series, whatever the edition."""
    return [*(str(name) for name in (series.short, series.title) if name), SERIES]


def _merge_terms(game: Rulebook, base: Rulebook) -> Mapping[LocatedText, Term]:
    taken = {str(name) for words, term in game.terms.items() for name in (words, *term.aliases)}
    terms = dict(game.terms)
    for words, term in base.terms.items():
        if words not in taken:
            left = tuple(alias for alias in term.aliases if alias not in taken)
            terms[words] = term if left == term.aliases else replace(term, aliases=left)
    return terms


def extension_problem(
    extends: str, address: str, addresses: Iterable[str], all_extend: Mapping[str, str]
) -> str:
    """Return why an edition cannot be extended, or an empty string.

    `all_extend` maps editions to the editions that they extend.
    """
    if extends not in addresses:
        other_editions = [edition for edition in addresses if edition != address]
        return f"no edition {quote_short(extends)}{did_you_mean(extends, other_editions)}"
    chain = [extends]
    while chain[-1] != address and len(chain) <= limits.NESTING.maximum and chain[-1] in all_extend:
        chain.append(all_extend[chain[-1]])
    if chain[-1] != address and len(chain) <= limits.NESTING.maximum:
        return ""
    leads = f"it leads back here, or through more than {limits.NESTING.maximum} editions"
    return f"{address} cannot extend {extends}; {leads}"
