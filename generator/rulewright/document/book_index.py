"""Index of a printed rulebook: terms of the glossary, tables, and the nouns that are titles of sections.

An entry is {"words": "Supply", "at": [rule, ...], "also": [rule, ...]}, a rule {"to": key, "number": "12.5"}.
`at` are the rules that define it, `also` the sections whose texts name it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from rulewright.book.outline import Outline, RuleEntry
from rulewright.document.text_names import TextNames
from rulewright.schema.text_document import plain_text

MAX_SECTIONS, MAX_WORDS = 40, 3
"""Maximum number of sections that name a term, and of words of a title that is a noun."""

_NO_NOUN = re.compile(
    r"(?i)(a|all|an|as|at|by|else|for|from|how|if|in|into|it|its|no|none|not|of|off|on|one|other|the|they|to|"
    r"two|what|when|where|which|who|whose|with|without)\b"
)
"""First words of a title that nobody looks up."""


def build_book_index(
    outline: Outline, names: TextNames, is_printed: Callable[[RuleEntry], bool]
) -> list[dict[str, Any]]:
    """Return the entries of the index in alphabetical order."""
    terms = names.glossaries[outline.edition.address].terms
    # "Zones of Control" is the entry "ZOC (Zones of Control)".
    terms_by_spelling: dict[str, str] = {}
    for term in terms:
        for spelling in (*term.all_spellings, str(term.term.means).partition(":")[0]):
            terms_by_spelling.setdefault(_singular(spelling), str(term.words))
    entries: dict[str, dict[str, Any]] = {}

    def add(words: str, rules: Iterable[RuleEntry], sections: Iterable[RuleEntry] = ()) -> None:
        name = terms_by_spelling.get(_singular(words), words)
        entry = entries.setdefault(
            _singular(name), {"words": name[:1].upper() + name[1:], "at": [], "also": []}
        )
        if _singular(name) not in _singular(words):
            entry["words"] = f"{name} ({words})"
        for name, group in (("at", rules), ("also", sections)):
            links = [{"to": rule.key, "number": str(rule.printed)} for rule in group if is_printed(rule)]
            entry[name] += [link for link in links if link not in entry[name]]

    for term in terms:
        users = [rule for rule in names.users(term) if isinstance(rule, RuleEntry)]
        own_users = [user for user in users if user.edition is outline.edition and user is not term.rule]
        sections = list(dict.fromkeys(_titled_section(rule) for rule in own_users))
        defined = [term.rule] if term.rule and term.rule.edition is outline.edition else []
        add(str(term.words), defined, sections if len(sections) <= MAX_SECTIONS else ())
    for table in names.index.editions[outline.edition.address].tables:
        if table.entry:
            add(plain_text(table.table.title), [table.entry])
    for rule in outline.ordered_entries:
        title = plain_text(rule.title) if rule.title and rule.level < 2 else ""
        # A section's title of one word, such as "Effects", needs the chapter's title to be understood.
        is_noun = rule.level == 0 or " " in title
        if any(term.rule is rule and title.startswith(term.words) for term in terms):
            continue  # "Reserve Mode" is where "Reserve" is defined
        if is_noun and len(title.split()) <= MAX_WORDS and not _NO_NOUN.match(title):
            add(title, [rule])
    filled = [entry for entry in entries.values() if entry["words"] and (entry["at"] or entry["also"])]
    return sorted(filled, key=lambda entry: (entry["words"].casefold().lstrip("“\"'‘(*"), entry["words"]))


def _singular(words: str) -> str:
    return " ".join(word.removesuffix("s") for word in words.casefold().split())


def _titled_section(entry: RuleEntry) -> RuleEntry:
    """Return the section of a rule, or its chapter if the section has no title."""
    sections = [rule for rule in entry.self_and_ancestors() if rule.level <= 1]
    for section in sections:
        if section.title:
            return section
    return sections[0]
