"""The templates of the site and of what is exported, and the tests and filters that they know."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.runtime import Context, Macro
from jinja2.utils import missing

from rulewright.files import user_folders
from rulewright.files.disk_cache import DiskCache, cache_key, program_fingerprint
from rulewright.files.resources import TEMPLATES
from rulewright.render.content_security_policy import page_policy
from rulewright.render.screen_reader_text import screen_reader_html
from rulewright.schema.text_document import plain_text
from rulewright.sequence.repetition_phrases import (
    group_steps,
    ways_with_signs,
)
from rulewright.sequence.sequence_step import is_heading


class Compiled(BytecodeCache):
    """Cache of compiled templates, a third of a build. `settings`: what else their code depends on."""

    def __init__(self, store: DiskCache, settings: str = "") -> None:
        self.store, self.settings = store, settings
        self.code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        name = cache_key(bucket.key, self.settings)
        if code := self.code.get(name) or self.store.get(name):
            self.code[name] = code
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        name = cache_key(bucket.key, self.settings)
        self.code[name] = bucket.bytecode_to_string()
        self.store.put(name, self.code[name])


class _Context(Context):
    """Context that finds names in `given` too, and leaves out a look-up that takes longer than most calls."""

    def resolve_or_missing(self, key: str) -> Any:
        value = super().resolve_or_missing(key)
        return getattr(self.parent.get("given"), key, missing) if value is missing else value

    def call(
        self, function: Any, *given: Any, _loop_vars: object = None, _block_vars: object = None, **named: Any
    ) -> Any:
        more = (self.eval_ctx,) if type(function) is Macro else ()
        return function(*more, *given, **named)


@cache
def environment() -> Environment:
    """The templates, compiled once. Whoever sees them change calls `environment.cache_clear()`."""
    compiled_templates = DiskCache(user_folders.cache_folder("templates"))
    jinja = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Looking at the file's date for every template of every page takes longer than rendering it.
        auto_reload=False,
        bytecode_cache=Compiled(compiled_templates, program_fingerprint()),
    )
    jinja.context_class = _Context
    jinja.tests["heading"] = is_heading
    jinja.filters |= {
        "aloud": screen_reader_html,
        "ways": ways_with_signs,
        "groups": group_steps,
        "plain": plain_text,
        "policy": lambda parts: page_policy(str(parts)),
    }
    return jinja
