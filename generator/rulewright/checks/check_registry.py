"""All checks and all problem types of the content: the modules of this package that declare them.

A check is a function with the `check` decorator. A problem type is declared beside the check that reports it,
and the page of all codes is generated from these declarations. Errors of reading (YAML, keys, files) are
reported while reading.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pkgutil import walk_packages

from rulewright.checks import (
    aid_checks,
    aid_paper_checks,
    branding_checks,
    dead_links,
    diagram_checks,
    dice_roll_checks,
    duplicate_path_checks,
    errata_checks,
    former_number_checks,
    image_checks,
    name_clash_checks,
    number_checks,
    numbering_example_checks,
    page_markup_checks,
    player_colour_checks,
    previous_name_checks,
    reference_checks,
    series_checks,
    step_checks,
    table_checks,
)
from rulewright.files.problems import ProblemType

MODULES = (
    aid_checks,
    aid_paper_checks,
    branding_checks,
    dead_links,
    diagram_checks,
    dice_roll_checks,
    duplicate_path_checks,
    errata_checks,
    former_number_checks,
    image_checks,
    name_clash_checks,
    number_checks,
    numbering_example_checks,
    page_markup_checks,
    player_colour_checks,
    previous_name_checks,
    reference_checks,
    series_checks,
    step_checks,
    table_checks,
)
"""Modules of checks: the import of a module registers its checks."""

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
