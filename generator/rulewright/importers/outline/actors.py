"""Who acts in a step, as its words have it: "The phasing player …", "Both players …", "The Axis player …"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

BOTH, PHASING, OTHER = "both", "phasing", "non-phasing"

_SENTENCE = re.compile(r"(?:\A|[.!?]['\"”’)]?\s+)(?=\S)")
_ROLES = tuple(
    (role, re.compile(form, re.IGNORECASE))
    for role, form in (
        (
            BOTH,
            r"(?:both|each|neither|either|the two|all)\s+(?:[\w/-]+\s+){0,5}?(?:players?|sides?)\b|players\b",
        ),
        (
            OTHER,
            r"(?:the\s+)?(?:non-?\s?(?:phasing|active)|inactive|opposing|other|defending)\s+(?:player|side)",
        ),
        (PHASING, r"(?:the\s+)?(?:phasing|active|attacking)\s+(?:player|side)|the player whose turn"),
        (PHASING, r"the attacker\b"),
        (OTHER, r"the defender\b"),
    )
)
_NAMED = re.compile(r"(?:The\s+)?(?P<name>[A-Z][\w/-]*(?:\s[A-Z][\w/-]*)?)\s+(?:[Pp]layers?|[Ss]ides?)\b")
_BRACKETED = re.compile(
    r"(?:the\s+)?(?P<role>non-?phasing|phasing)\s*\((?P<side>[^()]+)\)\s*player", re.IGNORECASE
)


def acting(words: str, known: Mapping[str, str]) -> list[str]:
    """Find out who acts, by the subjects that the sentences begin with; empty where none of them says so.

    `known`: the roles and sides of the book, by what they are called: `ATTACKER` is `phasing`.
    """
    found: list[str] = []
    for m in _SENTENCE.finditer(words):
        who = _subject(words[m.end() :], known)
        if who and who not in found:
            found.append(who)
    roles = (BOTH, PHASING, OTHER)
    # Where a role is said to act first, others join in; sides that are named take turns.
    return found[:1] if found[:1] and found[0] in roles else [who for who in found if who not in roles]


def named_side(words: str, known: Mapping[str, str]) -> str:
    """The side that a player turn's title names: `axis` of Axis Player-Turn; empty where it names none."""
    m = re.match(r"(?:The\s+)?(.+?)(?:['’]s?)?,?\s+(?:Player[ -]?)?Turn", words, re.IGNORECASE)
    name = re.sub(r",?\s*player\Z", "", m[1], flags=re.IGNORECASE) if m else ""
    return _key(name, known) if name and len(name.split()) <= 3 else ""


def bracketed(words: str) -> list[str]:
    """The role that brackets behind a title name: (Both Players)."""
    return [role for role, form in _ROLES if form.fullmatch(words.strip())][:1]


def _subject(sentence: str, known: Mapping[str, str]) -> str:
    """The side or role that a sentence begins with."""
    for name, key in sorted(known.items(), key=lambda pair: -len(pair[0])):
        if re.match(rf"(?:the\s+)?{re.escape(name)}(?!['’\w])", sentence, re.IGNORECASE):
            return key
    if m := _BRACKETED.match(sentence):
        return PHASING if m["role"].lower() == PHASING else OTHER
    for role, form in _ROLES:
        if form.match(sentence):
            return role
    m = _NAMED.match(sentence)
    return _key(m["name"], known) if m and "'" not in sentence[: m.end() + 1] else ""


def _key(name: str, known: Mapping[str, str]) -> str:
    bare = name.strip().lower()
    named = {title.lower().removesuffix(" player"): key for title, key in known.items()}
    return named.get(bare.removesuffix(" player")) or re.sub(r"[^a-z0-9]+", "-", bare).strip("-")


def ordered(names: Sequence[str]) -> str | list[str]:
    """One name alone, or several in a list."""
    return names[0] if len(names) == 1 else list(names)
