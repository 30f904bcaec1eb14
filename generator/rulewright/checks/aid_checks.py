"""Checks of player aids: all names in blocks exist, and no block is empty."""

from __future__ import annotations

from rulewright.book import drawing_shapes
from rulewright.book.aid_plan import AidSheet
from rulewright.book.outline import Outline
from rulewright.book.print_requirements import INK
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.checks.diagram_checks import NO_COUNTER
from rulewright.checks.image_checks import NO_SYMBOL, image_path_problem
from rulewright.checks.player_colour_checks import colour_problem
from rulewright.checks.step_checks import NO_SIDE
from rulewright.checks.table_checks import NO_TABLE
from rulewright.document.blocks import block_contents
from rulewright.document.blocks.block_content import (
    EMPTY,
    NO_STEP,
    BlockContent,
    BlockContext,
    step_suggestion,
)
from rulewright.document.blocks.cut_out_blocks import counters_named as counters_of
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import did_you_mean, problem_type, quote_short
from rulewright.schema.aid import ALL
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.yaml_fields import texts_with_flag
from rulewright.sequence import actors as roles

SAME_TITLE = problem_type(
    "aid-title-taken", "Two player aids of an edition have one title, so that nobody can tell them apart."
)
MANY_STEPS = problem_type(
    "step-ambiguous", "A player aid names a step by a title that several have. Give the one meant an `id:`."
)

_OF_PARTS = (NO_STEP.code, MANY_STEPS.code, NO_TABLE.code, EMPTY.code)
"""Problems that parts of an edition may explain that cannot be read."""


@check(Outline, SAME_TITLE)
def check_aid_titles(_: Outline, scope: Scope) -> Problems:
    """Report player aids with the same title."""
    first: dict[str, AidSheet] = {}
    for sheet in scope.references.aid_sheets:
        title = sheet.aid.title
        if (other := first.setdefault(title.casefold(), sheet)) is not sheet:
            taken = f"{other.aid.title.file.name} has the title {quote_short(other.aid.title)}"
            yield SAME_TITLE.problem(title, f"{taken}; choose another", sheet.name)


@check(AidSheet, INK)
def check_aid_inks(sheet: AidSheet, scope: Scope) -> Problems:
    """Report spot inks for undeclared players."""
    actors = [*scope.book.sides, *scope.book.roles]
    for name in sheet.aid.inks:
        if name not in actors:
            message = f"{quote_short(name)} is neither a side nor a role that has a colour"
            yield name.unknown_name_problem(INK, message, actors)


@check(AidSheet, NO_STEP, MANY_STEPS, EMPTY)
def check_aid_blocks(sheet: AidSheet, scope: Scope) -> Problems:
    """Report unknown names in blocks, and empty blocks whose names are known."""
    context = BlockContext(sheet, scope.index, {})
    for part in (part for panel in block_contents(sheet, scope.index) for part in panel.parts):
        problems = [*_check_names(part, context), *part.problems(context)]
        for content in part.nested_contents:
            problems += content.problems(context)
        for content in () if problems else (part, *part.nested_contents):
            problems += _check_empty(content, context)
        for problem in problems:
            if scope.has_all_parts or problem.code not in _OF_PARTS:
                yield problem


def _check_names(part: BlockContent, context: BlockContext) -> Problems:
    edition = context.outline.edition
    for text, _ in texts_with_flag(part.block, "colour"):
        yield from colour_problem(text, context.sheet.name)
    for name, field in texts_with_flag(part.block, "names"):
        kind = field.metadata["names"]
        if kind == "step" and context.sequence_outline.sequence.steps:
            yield from _check_step(name, context)
        elif kind == "table" and name != ALL and not context.index.find_table(edition, name):
            message = f"no table {quote_short(name)}{_table_suggestion(name, context)}"
            yield NO_TABLE.problem(name, message, name)
        elif kind in ("counter", "counters", "sign", "actor"):
            yield from _check_drawn_name(name, kind, edition.book)
        elif kind == "picture" and (fault := image_path_problem(name, name.file.name, edition)):
            yield fault[0].problem(name, fault[1], name)


def _check_drawn_name(name: LocatedText, kind: str, book: Rulebook) -> Problems:
    actors, words = [*book.sides, *book.roles], quote_short(name)
    if kind == "actor" and name not in (*actors, *roles.ROLES):
        yield name.unknown_name_problem(NO_SIDE, f"{words} is neither a side nor a role", actors, name)
    elif kind == "sign" and not drawing_shapes.inline_symbol(name, book):
        known = drawing_shapes.symbol_names(book)
        yield name.unknown_name_problem(NO_SYMBOL, f"there is no symbol {words}", known, name)
    elif kind in ("counter", "counters"):
        sides = book.sides if kind == "counters" else ()
        counters = counters_of(name, book.counters) if sides else drawing_shapes.find_counter(name, book)
        if name not in sides and not counters:
            message = f"there is no counter {words}"
            yield name.unknown_name_problem(NO_COUNTER, message, [*book.counters, *sides], name)


def _check_step(name: LocatedText, context: BlockContext) -> Problems:
    steps = context.steps_named(name)
    if not steps:
        suggestion = step_suggestion(name, context.sequence_outline.sequence.iter_steps())
        yield NO_STEP.problem(name, f"no step {quote_short(name)}{suggestion}", name)
    elif len(steps) > 1:
        message = (
            f"{len(steps)} steps are called {quote_short(name)}; name the one that is meant by its `id:`"
        )
        yield MANY_STEPS.problem(name, message, name)


def _table_suggestion(name: str, context: BlockContext) -> str:
    editions = context.outline.edition.with_series
    tables = [table for edition in editions for table in context.index.editions[edition.address].tables]
    names = [str(word) for table in tables for word in (table.anchor, table.table.title)]
    return did_you_mean(name, names)


def _check_empty(part: BlockContent, context: BlockContext) -> Problems:
    if part.is_empty and part.nothing:
        message = part.nothing
        if part.plays and not context.sequence_outline.sequence.steps:
            message = f"{context.sequence_outline.edition.short} has no sequence of play"
        yield EMPTY.problem(part.block.sort, message)
