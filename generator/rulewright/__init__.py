"""Rulewright: a wargame's rulebook as data, published with every reference checked.

`load_and_check` reads a project, a folder with `content/` in it, and checks all of it; `build` makes
everything that its site consists of. Neither writes a file or raises for what an editor wrote: what is wrong
is listed.

>>> from pathlib import Path
>>> import rulewright
>>> books = rulewright.load_and_check(Path("."))
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
    from rulewright.checks.check_outcome import failing_problems
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.references.reference_types import RuleReference

__all__ = ["RuleReference", "build", "failing_problems", "load_and_check"]

_MODULES = {
    "RuleReference": "references.reference_types",
    "build": "app.build_pipeline",
    "failing_problems": "checks.check_outcome",
    "load_and_check": "checks.load_and_check",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that a command loads no more than it needs."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
