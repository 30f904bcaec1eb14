"""The templates of the site and of what is exported, and the tests and filters that they know."""

from __future__ import annotations

from functools import cache

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from rulewright.files import user_folders
from rulewright.files.disk_cache import DiskCache, cache_key, program_fingerprint
from rulewright.files.resources import TEMPLATES
from rulewright.render.content_security_policy import page_policy
from rulewright.render.screen_reader_text import screen_reader_html
from rulewright.render.table_html import roller_html
from rulewright.schema.text_document import plain_text
from rulewright.sequence.repetition_phrases import ways_with_signs
from rulewright.sequence.sequence_step import is_heading


class Compiled(BytecodeCache):
    """Cache of compiled templates, a third of a build. `settings`: what else their code depends on."""

    def __init__(self, store: DiskCache, settings: str = "") -> None:
        self.store, self.settings = store, settings

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self.store.get(cache_key(bucket.key, self.settings)):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.store.put(cache_key(bucket.key, self.settings), bucket.bytecode_to_string())


@cache
def environment() -> Environment:
    """The templates, compiled once. Whoever sees them change calls `environment.cache_clear()`."""
    compiled_templates = DiskCache(user_folders.program_cache_folder("templates"))
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
    jinja.tests["heading"] = is_heading
    jinja.filters |= {
        "aloud": screen_reader_html,
        "ways": ways_with_signs,
        "plain": plain_text,
        "roller": roller_html,
        "policy": lambda parts: page_policy(str(parts)),
    }
    return jinja
