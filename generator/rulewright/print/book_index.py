"""The index of a printed rulebook: titles of rules and terms of the glossary, and what is said of each where.

An entry is {"words": "Supply", "at": [rule, ...], "under": [{"words": …, "at": [rule, ...]}, ...], "also":
[rule, ...]}, a rule {"to": "12.5", "number": "12.5"}. Below a term stand the sections whose texts name it;
where those are many, only their pages do, behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulewright.book.outline import Entry, Outline
from rulewright.print.word_nodes import TemplateData, Words
from rulewright.site.context import Desk
from rulewright.text.document import plain

MANY = 9
"""From how many sections on those that name a term are told by their pages alone."""

_MOST = 40  # a word on every other page is none that anyone looks up by its pages

_EMPTY = re.compile(
    r"(?i)(a|all|an|as|at|by|else|for|from|how|if|in|into|it|its|no|none|not|of|off|on|one|other|the|they|to|"
    r"two|what|when|where|which|who|whose|with|without)\b"
)
"""Beginnings of a case's title, which goes on with its section's, that nobody looks up."""


def index(outline: Outline, desk: Desk, words: Words) -> list[TemplateData]:
    """All titles and terms by the alphabet."""
    titled: dict[str, list[Entry]] = {}
    for entry in outline.in_order:
        if entry.title and (entry.level < 2 or not _EMPTY.match(entry.title)):
            titled.setdefault(plain(entry.title), []).append(entry)
    made = {title.casefold(): _entry(title, entries, words) for title, entries in titled.items()}
    for term in desk.glossaries[outline.edition.address].terms:
        users = [one for one in desk.users(term) if isinstance(one, Entry)]
        own = [one for one in users if one.edition is outline.edition and one is not term.rule]
        sections = list(dict.fromkeys(_titled(one) for one in own))
        sections = sections if len(sections) <= _MOST else []
        defined = [term.rule] if term.rule and term.rule.edition is outline.edition else []
        if not sections and not defined:
            continue
        name = words.name(term.words)
        heads = [title for title, entries in titled.items() if defined and entries == defined]
        same = next((t for t in heads if t.casefold().removesuffix("s") == name.casefold()), name)
        known = made.setdefault(same.casefold(), _entry(name, defined, words))
        known["at"] = known["at"] or [_rule(one, words) for one in defined]
        if len(sections) < MANY:
            known["under"] = [_entry(plain(s.title) if s.title else "", [s], words) for s in sections]
        else:
            known["also"] = [_rule(one, words) for one in sections]
    return [made[key] for key in sorted(made, key=lambda key: (key.lstrip("“\"'‘(*"), key))]


def _titled(entry: Entry) -> Entry:
    around = [one for one in entry.around() if one.level <= 1]
    return next((one for one in around if one.title), around[0])


def _entry(title: str, entries: Iterable[Entry], words: Words) -> TemplateData:
    return {
        "words": words.plain(title),
        "at": [_rule(one, words) for one in entries],
        "under": [],
        "also": [],
    }


def _rule(entry: Entry, words: Words) -> TemplateData:
    return {"to": entry.key, "number": words.name(entry.printed)}
