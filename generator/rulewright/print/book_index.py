"""The index of a printed rulebook: titles of rules and terms of the glossary, and what is said of each where.

An entry is {"words": "Supply", "at": [rule, ...], "under": [{"words": …, "at": [rule, ...]}, ...]}, a rule
{"to": "12.5", "number": "12.5"}. Below a term stand the sections whose texts name it; where those are many,
their chapters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.book.outline import Entry, Outline
from rulewright.citations import prose
from rulewright.print.words import Words
from rulewright.site.context import Desk

MANY = 9
"""From how many sections on those that name a term are told by their chapters."""

_MOST = 25  # a word on every other page is none that anyone looks up by its pages


def index(outline: Outline, desk: Desk, words: Words) -> list[dict[str, Any]]:
    """All titles and terms by the alphabet."""
    titled: dict[str, list[Entry]] = {}
    for entry in outline.in_order:
        if entry.title:
            titled.setdefault(prose.plain(entry.title), []).append(entry)
    made = {title.casefold(): _entry(title, entries, words) for title, entries in titled.items()}
    for term in desk.glossaries[outline.edition.address].terms:
        users = [one for one in desk.users.get(term, ()) if isinstance(one, Entry)]
        own = [one for one in users if one.edition is outline.edition and one is not term.rule]
        under = list(_sections(own, words))
        defined = [term.rule] if term.rule and term.rule.edition is outline.edition else []
        if not under and not defined:
            continue
        name = words.name(term.words)
        known = made.setdefault(name.casefold(), _entry(name, defined, words))
        known["under"] = under
        known["at"] = known["at"] or [_rule(one, words) for one in defined]
    return [made[key] for key in sorted(made, key=lambda key: (key.lstrip("“\"'‘(*"), key))]


def _sections(users: Iterable[Entry], words: Words) -> Iterable[dict[str, Any]]:
    """The sections in which rules lie, each with its title and number; their chapters where they are many."""
    sections = dict.fromkeys(_titled(one, 1) for one in users)
    if len(sections) >= MANY:
        sections = dict.fromkeys(_titled(one, 0) for one in sections)
    if len(sections) > _MOST:
        return []
    return [_entry(prose.plain(one.title) if one.title else "", [one], words) for one in sections]


def _titled(entry: Entry, level: int) -> Entry:
    """The rule of a level that a rule lies in, or one around that where it has no title."""
    around = [one for one in entry.around() if one.level <= level]
    return next((one for one in around if one.title), around[0])


def _entry(title: str, entries: Iterable[Entry], words: Words) -> dict[str, Any]:
    return {"words": words.plain(title), "at": [_rule(one, words) for one in entries], "under": []}


def _rule(entry: Entry, words: Words) -> dict[str, Any]:
    return {"to": entry.key, "number": words.name(entry.printed)}
