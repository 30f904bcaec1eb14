"""Checks of player aids: all names in blocks exist, and no block is empty."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book import drawing_shapes
from rulewright.book.aid_plan import AidSheet
from rulewright.book.print_requirements import INK
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
from rulewright.files.problems import Problem, did_you_mean, nearest_option, problem_type, quote_short
from rulewright.references.reference_index import ReferenceIndex
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


def check_aid_titles(index: ReferenceIndex) -> Iterator[Problem]:
    """Report player aids with the same title, and spot inks for undeclared players."""
    for references in index.editions.values():
        first: dict[str, AidSheet] = {}
        for sheet in references.aid_sheets:
            title = sheet.aid.title
            other = first.setdefault(title.casefold(), sheet)
            if other is not sheet:
                message = (
                    f"{other.aid.title.file.name} has the title {quote_short(other.aid.title)}; choose "
                    f"another"
                )
                yield SAME_TITLE.problem(title.place, message, sheet.name)
            actors = [*sheet.edition.book.sides, *sheet.edition.book.roles]
            for name in (name for name in sheet.aid.inks if name not in actors):
                message = f"{quote_short(name)} is neither a side nor a role that has a colour"
                yield name.unknown_name_problem(INK, message, actors, sheet.name)


def check_aid_blocks(index: ReferenceIndex) -> Iterator[Problem]:
    """Report unknown names in blocks, and empty blocks whose names are known."""
    for references in index.editions.values():
        for sheet in references.aid_sheets:
            context = BlockContext(sheet, index, {})
            for part in (part for panel in block_contents(sheet, index) for part in panel.parts):
                problems = [*_check_names(part, context), *part.problems(context)]
                problems += [fault for content in part.nested_contents for fault in content.problems(context)]
                for content in () if problems else (part, *part.nested_contents):
                    problems += _check_empty(content, context)
                yield from problems


def _check_names(part: BlockContent, context: BlockContext) -> Iterator[Problem]:
    edition = context.outline.edition
    for text, _ in texts_with_flag(part.block, "colour"):
        yield from colour_problem(text, context.sheet.name)
    for name, f in texts_with_flag(part.block, "names"):
        named_kind = f.metadata["names"]
        if named_kind == "step" and context.sequence_outline.sequence.steps:
            yield from _check_step(name, context)
        elif named_kind == "table" and name != ALL and not context.index.find_table(edition, name):
            yield NO_TABLE.problem(
                name.place, f"no table {quote_short(name)}{_table_suggestion(name, context)}", name
            )
        elif named_kind in ("counter", "counters", "sign", "actor"):
            yield from _check_drawn_name(name, named_kind, edition.book)
        elif named_kind == "picture" and (fault := image_path_problem(name, name.file.name, edition)):
            yield fault[0].problem(name.place, fault[1], name)


def _check_drawn_name(name: LocatedText, named_kind: str, book: Rulebook) -> Iterator[Problem]:
    actors = [*book.sides, *book.roles]
    if named_kind == "actor" and name not in (*actors, *roles.ROLES):
        yield name.unknown_name_problem(
            NO_SIDE, f"{quote_short(name)} is neither a side nor a role", actors, name
        )
    elif named_kind == "sign" and not drawing_shapes.inline_symbol(name, book):
        yield name.unknown_name_problem(
            NO_SYMBOL, f"there is no symbol {quote_short(name)}", drawing_shapes.symbol_names(book), name
        )
    elif (named_kind == "counter" and not drawing_shapes.find_counter(name, book)) or (
        named_kind == "counters" and name not in book.sides and not counters_of(name, book.counters)
    ):
        known = [*book.counters, *(book.sides if named_kind == "counters" else ())]
        yield name.unknown_name_problem(NO_COUNTER, f"there is no counter {quote_short(name)}", known, name)


def _check_step(name: LocatedText, context: BlockContext) -> Iterator[Problem]:
    steps = context.steps_named(name)
    if not steps:
        suggestion = step_suggestion(name, context.sequence_outline.sequence.iter_steps())
        yield NO_STEP.problem(name.place, f"no step {quote_short(name)}{suggestion}", name)
    elif len(steps) > 1:
        lines = ", ".join(str(step.step.title.place.line) for step in steps[:-1])
        last = steps[-1].step.title
        step_lines = f"lines {lines} and {last.place.line} of {last.file.name}"
        yield MANY_STEPS.problem(
            name.place,
            f"{len(steps)} steps are called {quote_short(name)}; name it by its `id:`, see {step_lines}",
            name,
        )


def _table_suggestion(name: str, context: BlockContext) -> str:
    edition = context.outline.edition
    tables = [
        table for member in edition.with_series for table in context.index.editions[member.address].tables
    ]
    if not tables:
        return f"; {edition.short} has no tables"
    names = [(str(word), table) for table in tables for word in (table.anchor, table.table.title)]
    nearest = nearest_option(name, dict(names))
    return (
        f"; did you mean {quote_short(nearest)}?"
        if nearest
        else did_you_mean(name, [table.anchor for table in tables])
    )


def _check_empty(part: BlockContent, context: BlockContext) -> Iterator[Problem]:
    if part.is_empty and (message := part.empty_message(context.sequence_outline)):
        if part.plays and not context.sequence_outline.sequence.steps:
            message = f"{context.sequence_outline.edition.short} has no sequence of play"
        yield EMPTY.problem(part.block.sort.place, message, context.sheet.name)
