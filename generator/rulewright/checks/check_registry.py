"""All checks and all problem types of the content: the modules of this package that declare them.

A check is a function with the `check` decorator. A problem type is declared beside the check that reports it,
and the page of all codes is generated from these declarations. Errors of reading (YAML, keys, files) are
reported while reading.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules, walk_packages

from rulewright import checks
from rulewright.files.problems import ProblemType

MODULES = tuple(
    import_module(f"rulewright.checks.{module.name}")
    for module in iter_modules(checks.__path__)
    if module.name.endswith("_checks")
)
"""Modules of checks; their import registers the checks."""

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
    prefixes = tuple(f"rulewright.{package}." for package in _PACKAGES)
    modules = [module for name, module in sys.modules.items() if name.startswith(prefixes)]
    values = (value for module in modules for value in vars(module).values())
    return {value.code: value for value in values if isinstance(value, ProblemType)}
