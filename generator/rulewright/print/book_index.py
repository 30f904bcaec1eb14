"""The index of a printed rulebook: titles of rules and terms of the glossary, and what is said of each where.

An entry is {"words": "Supply", "at": [rule, ...], "under": [{"words": …, "at": [rule, ...]}, ...], "also":
[rule, ...]}, a rule {"to": "12.5", "number": "12.5"}. Below a term stand the sections whose texts name it;
where those are many, only their pages do, behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulewright.book.outline import Outline, RuleEntry
from rulewright.print.text_nodes import TemplateData, TextNodes
from rulewright.render.render_context import RenderContext
from rulewright.schema.text_document import plain_text

MANY = 9
"""From how many sections on those that name a term are told by their pages alone."""

_MOST = 40  # a word on every other page is none that anyone looks up by its pages

_EMPTY = re.compile(
    r"(?i)(a|all|an|as|at|by|else|for|from|how|if|in|into|it|its|no|none|not|of|off|on|one|other|the|they|to|"
    r"two|what|when|where|which|who|whose|with|without)\b"
)
"""Beginnings of a case's title, which goes on with its section's, that nobody looks up."""


def build_book_index(outline: Outline, desk: RenderContext, words: TextNodes) -> list[TemplateData]:
    """All titles and terms by the alphabet."""
    titled: dict[str, list[RuleEntry]] = {}
    for entry in outline.ordered_entries:
        if entry.title and (entry.level < 2 or not _EMPTY.match(entry.title)):
            titled.setdefault(plain_text(entry.title), []).append(entry)
    made = {title.casefold(): _entry(title, entries, words) for title, entries in titled.items()}
    for term in desk.glossaries[outline.edition.address].terms:
        users = [rule for rule in desk.names.users(term) if isinstance(rule, RuleEntry)]
        own = [user for user in users if user.edition is outline.edition and user is not term.rule]
        sections = list(dict.fromkeys(_titled(rule) for rule in own))
        sections = sections if len(sections) <= _MOST else []
        defined = [term.rule] if term.rule and term.rule.edition is outline.edition else []
        if not sections and not defined:
            continue
        name = words.name(term.words)
        heads = [title for title, entries in titled.items() if defined and entries == defined]
        same = next((t for t in heads if t.casefold().removesuffix("s") == name.casefold()), name)
        known = made.setdefault(same.casefold(), _entry(name, defined, words))
        known["at"] = known["at"] or [_rule(rule, words) for rule in defined]
        if len(sections) < MANY:
            known["under"] = [_entry(plain_text(s.title) if s.title else "", [s], words) for s in sections]
        else:
            known["also"] = [_rule(section, words) for section in sections]
    return [made[key] for key in sorted(made, key=lambda key: (key.lstrip("“\"'‘(*"), key))]


def _titled(entry: RuleEntry) -> RuleEntry:
    around = [rule for rule in entry.self_and_ancestors() if rule.level <= 1]
    return next((rule for rule in around if rule.title), around[0])


def _entry(title: str, entries: Iterable[RuleEntry], words: TextNodes) -> TemplateData:
    return {
        "words": words.plain(title),
        "at": [_rule(entry, words) for entry in entries],
        "under": [],
        "also": [],
    }


def _rule(entry: RuleEntry, words: TextNodes) -> TemplateData:
    return {"to": entry.key, "number": words.name(entry.printed)}
