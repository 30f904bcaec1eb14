"""The templates of the site and of what is exported, and the tests and filters that they know."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.runtime import Context, Macro
from jinja2.utils import missing

from rulewright.book.sequence import is_heading
from rulewright.citations.facts import sentence
from rulewright.citations.repeats import alike, groups, in_any_order, said, told_as
from rulewright.model.amended import Amended
from rulewright.site.policy import policy
from rulewright.site.spoken import aloud, mark_aloud, number_aloud
from rulewright.source import private
from rulewright.source.resources import TEMPLATES
from rulewright.source.store import Store, key, program
from rulewright.text.document import plain


class Compiled(BytecodeCache):
    """Cache of compiled templates, a third of a build. `settings`: what else their code depends on."""

    def __init__(self, store: Store, settings: str = "") -> None:
        self.store, self.settings = store, settings
        self.code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        name = key(bucket.key, self.settings)
        if code := self.code.get(name) or self.store.get(name):
            self.code[name] = code
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        name = key(bucket.key, self.settings)
        self.code[name] = bucket.bytecode_to_string()
        self.store.put(name, self.code[name])


class _Context(Context):
    """Context that finds names in `given` too, and leaves out a look-up that takes longer than most calls."""

    def resolve_or_missing(self, key: str) -> Any:
        found = super().resolve_or_missing(key)
        return getattr(self.parent.get("given"), key, missing) if found is missing else found

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
        bytecode_cache=Compiled(Store(private.cache("templates")), program()),
    )
    made.tests["heading"] = is_heading
    made.tests["amended"] = lambda text: isinstance(text, Amended)
    made.filters["aloud"] = aloud
    made.filters["any_order"] = in_any_order
    made.filters["alike"] = alike
    made.filters["groups"] = groups
    made.filters["said"] = said
    made.filters["sentence"] = sentence
    made.filters["told_as"] = told_as
    made.filters["mark_aloud"] = mark_aloud
    made.filters["number_aloud"] = number_aloud
    made.filters["plain"] = plain
    made.filters["policy"] = lambda parts: policy(str(parts))
    return made
