"""Checks of player aids: all names in blocks exist, and no block is empty."""

from __future__ import annotations

from rulewright.book.aid_plan import AidSheet
from rulewright.book.print_requirements import INK
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.checks.diagram_checks import check_drawn_name
from rulewright.checks.image_checks import image_path_problem
from rulewright.checks.table_checks import NO_TABLE, table_names
from rulewright.document.blocks import block_contents
from rulewright.document.blocks.block_content import (
    EMPTY,
    NO_STEP,
    BlockContent,
    BlockContext,
    step_suggestion,
)
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import problem_type, quote_short
from rulewright.schema.aid import ALL
from rulewright.schema.yaml_fields import texts_with_flag

MANY_STEPS = problem_type(
    "step-ambiguous", "A player aid names a step by a title that several have. Give the one meant an `id:`."
)

_OF_PARTS = (NO_STEP.code, MANY_STEPS.code, NO_TABLE.code, EMPTY.code)
"""Problems that parts of an edition may explain that cannot be read."""


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
        names = texts_with_flag(part.block, "names")
        if any(name.location_of(0) in scope.project.stale_places for name, _ in names):
            continue  # its former name is reported
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
    for name, field in texts_with_flag(part.block, "names"):
        kind = field.metadata["names"]
        if kind == "step" and context.sequence_outline.sequence.steps:
            yield from _check_step(name, context)
        elif kind == "table" and name != ALL and not context.index.find_table(edition, name):
            tables = table_names(context.outline, context.index)
            yield name.unknown_name_problem(NO_TABLE, f"no table {quote_short(name)}", tables, name)
        elif kind in ("counter", "counters", "sign", "actor"):
            yield from check_drawn_name(name, kind, edition.book, name)
        elif kind == "picture" and (fault := image_path_problem(name, name.file.name, edition)):
            yield fault[0].problem(name, fault[1], name)


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


def _check_empty(part: BlockContent, context: BlockContext) -> Problems:
    if part.is_empty and part.nothing:
        message = part.nothing
        if part.plays and not context.sequence_outline.sequence.steps:
            message = f"{context.sequence_outline.edition.short} has no sequence of play"
        yield EMPTY.problem(part.block.sort, message)
