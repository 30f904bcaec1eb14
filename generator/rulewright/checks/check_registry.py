"""Registry of the checks: generators that yield the problems found in a reference index.

A problem type is declared beside the check that reports it, and the page of all codes is generated from these
declarations. Errors of reading (YAML, keys, files) are reported while reading.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pkgutil import walk_packages

from rulewright.checks import (
    aid_checks,
    aid_paper_checks,
    branding_checks,
    diagram_checks,
    dice_roll_checks,
    errata_checks,
    former_number_checks,
    image_checks,
    name_clash_checks,
    number_checks,
    player_colour_checks,
    previous_name_checks,
    reference_checks,
    series_checks,
    step_checks,
    table_checks,
)
from rulewright.files.problems import Problem, ProblemType
from rulewright.references.reference_index import ReferenceIndex
from rulewright.sequence import step_label_checks, turn_difference_checks
from rulewright.sequence.sequence_step import SequenceOfPlay

_PACKAGES = (
    "files",
    "schema",
    "numbering",
    "sequence",
    "book",
    "references",
    "compare",
    "document",
    "checks",
)
"""Packages that declare problem types of the content."""

Check = Callable[[ReferenceIndex], Iterator[Problem]]

CHECKS: Sequence[Check] = (
    number_checks.check_numbering_schemes,
    number_checks.check_number_format,
    number_checks.check_duplicate_numbers,
    number_checks.check_number_case,
    number_checks.check_rule_parents,
    number_checks.check_rule_order,
    reference_checks.check_references,
    reference_checks.check_marks,
    reference_checks.unseen_in_names,
    reference_checks.check_term_rules,
    reference_checks.check_external_works,
    reference_checks.check_followed_editions,
    reference_checks.check_future_dates,
    errata_checks.check_carried_over_errata,
    errata_checks.check_question_targets,
    former_number_checks.check_former_numbers,
    former_number_checks.check_retired_references,
    step_checks.check_repeats,
    step_checks.check_step_ids,
    step_checks.check_step_actors,
    step_checks.check_decisions,
    step_checks.check_step_rounds,
    step_checks.check_step_conflicts,
    step_checks.check_ends,
    step_checks.check_step_conditions,
    step_checks.check_repeated_facts,
    previous_name_checks.check_previous_names,
    name_clash_checks.check_terms,
    name_clash_checks.check_abbreviations,
    image_checks.check_figures,
    image_checks.check_inline_images,
    player_colour_checks.check_player_colours,
    table_checks.check_table_names,
    table_checks.check_table_columns,
    table_checks.check_modifiers,
    table_checks.check_results,
    table_checks.check_used_tables,
    dice_roll_checks.check_roll_coverage,
    aid_checks.check_aid_titles,
    aid_checks.check_aid_blocks,
    aid_paper_checks.check_aid_paper,
    aid_paper_checks.check_aid_panels,
    branding_checks.check_branding,
    diagram_checks.check_drawing_specs,
    diagram_checks.check_diagrams,
    series_checks.check_series_edition,
    series_checks.check_overrides,
    series_checks.check_voided_references,
    series_checks.check_ambiguous_numbers,
    series_checks.check_sequence_differences,
)
"""Checks of all features, in any order: problems are sorted by location."""

SEQUENCE_CHECKS: Sequence[Callable[[SequenceOfPlay], Iterator[Problem]]] = (
    turn_difference_checks.check_turn_differences,
    step_label_checks.check_step_labels,
)
"""Checks of the order of the steps of an edition."""


def run_all_checks(index: ReferenceIndex) -> Iterator[Problem]:
    """Yield all problems of all editions."""
    for check in CHECKS:
        yield from check(index)
    for outline in index.outlines.values():
        for sequence_check in SEQUENCE_CHECKS:
            yield from sequence_check(outline.sequence)


def all_problem_types() -> Mapping[str, ProblemType]:
    """Return all problem types of checks and printing by code, importing every module that declares one.

    Problem types of imports are excluded, whether or not they are loaded.
    """
    for package in _PACKAGES:
        path = import_module(f"rulewright.{package}").__path__
        for module_info in walk_packages(path, f"rulewright.{package}."):
            import_module(module_info.name)
    prefixes = tuple(f"rulewright.{package}." for package in (*_PACKAGES, "print"))
    modules = [module for name, module in sys.modules.items() if name.startswith(prefixes)]
    values = (value for module in modules for value in vars(module).values())
    return {value.code: value for value in values if isinstance(value, ProblemType)}
