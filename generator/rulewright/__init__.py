"""Rulewright: a wargame's rulebook kept as data and published with every reference checked.

`load` reads a project, a folder with `content/` in it, and checks all of it; `build` makes everything that
its site consists of. Neither writes a file or raises for what an editor wrote: what is wrong is listed.

>>> from pathlib import Path
>>> import rulewright
>>> books = rulewright.load(Path("."))
>>> duel = books.index.outlines["duel/1"]

The rules in the order of the book, and one by its number:

>>> for rule in duel.ordered_entries:
...     print(rule)
1.0 Swords
1.1 Parry
1.2 Lunge
>>> duel.find("1.1").rule.text
'Parry before you lunge (1.2 or 1.3).'

The references in an edition, each with the rule that it means, and what cites a rule:

>>> for citation in books.index.editions["duel/1"].citations:
...     for reference in citation.resolved:
...         is_found = isinstance(reference, rulewright.RuleReference)
...         print(citation.text, "→", reference.target if is_found else reference.message)
Parry before you lunge (1.2 or 1.3). → 1.2 Lunge
Parry before you lunge (1.2 or 1.3). → no rule 1.3; 1.0 ends at 1.2
1.1 → 1.1 Parry
>>> print(*books.index.cited_by[duel.find("1.2")])
1.1 Parry

The problems, with file, line and column, and the pages and other files of the site:

>>> for problem in books.problems:
...     print(problem)
content/duel/1/rules/1.yml:3:46: error: no rule 1.3; 1.0 ends at 1.2 [reference-not-found]
>>> bool(rulewright.failing_problems(books.problems))  # those that are no mere notes
True
>>> [page.path for page in rulewright.build(Path(".")).pages if "swords" in page.path]
['duel/1/1-swords']
"""

from __future__ import annotations

from importlib import import_module

__version__ = "1.0.0"

TYPE_CHECKING = False  # as type checkers take it; `typing` is slow to import
if TYPE_CHECKING:
    from rulewright.app.build_pipeline import build
    from rulewright.book.outline import Outline, RuleEntry
    from rulewright.checks.check_outcome import failing_problems
    from rulewright.checks.load_and_check import CheckedProject
    from rulewright.checks.load_and_check import load_and_check as load
    from rulewright.files.problems import Problem, Severity, SourceLocation
    from rulewright.references.reference_index import ReferenceIndex, TextReferences
    from rulewright.references.reference_types import (
        CitableReference,
        ExternalReference,
        FaultyReference,
        RuleReference,
    )
    from rulewright.render.build_artifacts import Artifacts

__all__ = [
    "Artifacts",
    "CheckedProject",
    "CitableReference",
    "ExternalReference",
    "FaultyReference",
    "Outline",
    "Problem",
    "ReferenceIndex",
    "RuleEntry",
    "RuleReference",
    "Severity",
    "SourceLocation",
    "TextReferences",
    "build",
    "failing_problems",
    "load",
]

_HOMES = {
    "app.build_pipeline": ("build",),
    "book.outline": ("RuleEntry", "Outline"),
    "checks.check_outcome": ("failing_problems",),
    "checks.load_and_check": ("CheckedProject", "load_and_check"),
    "references.reference_index": ("TextReferences", "ReferenceIndex"),
    "references.reference_types": (
        "RuleReference",
        "CitableReference",
        "ExternalReference",
        "FaultyReference",
    ),
    "render.build_artifacts": ("Artifacts",),
    "files.problems": ("SourceLocation", "Problem", "Severity"),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that a command loads no more than it needs."""
    own = "load_and_check" if name == "load" else name
    home = next((home for home, names in _HOMES.items() if own in names and name in __all__), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), own)


def __dir__() -> list[str]:
    return __all__
