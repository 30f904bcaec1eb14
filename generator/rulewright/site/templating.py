"""The templates of the site and of what is exported, and the tests and filters that they know."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Context, Macro

from rulewright.book.sequence import is_heading
from rulewright.citations import prose
from rulewright.model.amended import Amended
from rulewright.site.policy import policy
from rulewright.site.spoken import aloud, mark_aloud, number_aloud
from rulewright.source.resources import TEMPLATES


class _Context(Context):
    """Context that just calls what a template calls.

    Only macros ask for more than they are given; to look for that at each call takes longer than most calls.
    """

    def call(
        self, function: Any, *given: Any, _loop_vars: object = None, _block_vars: object = None, **named: Any
    ) -> Any:
        more = (self.eval_ctx,) if type(function) is Macro else ()
        return function(*more, *given, **named)


class _Templates(Environment):
    context_class = _Context


@cache
def environment() -> Environment:
    """The templates, compiled once. Whoever sees them change calls `environment.cache_clear()`."""
    made = _Templates(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Looking at the file's date for every template of every page takes longer than rendering it.
        auto_reload=False,
    )
    made.tests["heading"] = is_heading
    made.tests["amended"] = lambda text: isinstance(text, Amended)
    made.filters["aloud"] = aloud
    made.filters["mark_aloud"] = mark_aloud
    made.filters["number_aloud"] = number_aloud
    made.filters["plain"] = prose.plain
    made.filters["policy"] = lambda parts: policy(str(parts))
    return made
