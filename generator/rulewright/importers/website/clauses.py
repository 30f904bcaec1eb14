"""Words in parentheses behind a step: who does it, what it costs, how much of it, which table, which
rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_ONLY = re.compile(r"(?:only\s+(?P<behind>.+)|(?P<before>.+?)\s+only)", re.IGNORECASE | re.DOTALL)
_BY = re.compile(
    r"(?P<role>non-?phasing|phasing|both)(?:\s+(?:players?|sides?))?|(?P<any>either|all|each)\s+(?:players?|sides?)",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:[×x]\s?)?(?:\d+\s?/\s?\d+|[½¼¾⅓⅔]|\d+|half|full|double|twice|halbe?|doppelte?)\s*[×x]?\s*"
    r"(?:MA|MPs? allowance)\b.*|(?:max(?:imum)?|up to|at most|limit|höchstens|bis zu)\b.*"
    r"|\d+\s+[^\W\d].*(?:/|\bper\b|\bpro\b|\bje\b).*",
    re.IGNORECASE | re.DOTALL,
)
_COST = re.compile(
    r"(?:pay|pays|cost|costs|expend|spend|kostet|zahle)\b.*|[+−-]\s?\d.*|\d+(?:/\d+)?\s?[A-Z]{1,3}s?\b.*",
    re.DOTALL,
)
_USES = re.compile(
    r".*\b(?:table|tables|chart|charts|tabelle|tabellen|crt|track|display)\W*", re.IGNORECASE | re.DOTALL
)
_ROLLS = re.compile(r"(?:roll\s+)?(\d{0,2}[dDwW]\d{1,3}(?:[+-]\d+)?)")
_WHEN = re.compile(
    r"(?:if|when|unless|after|before|during|while|wenn|falls|nach|vor|bei)\b.*", re.IGNORECASE | re.DOTALL
)
_OPTIONAL = re.compile(r"optional", re.IGNORECASE)
_EVERY = re.compile(r"every\s+(.*)", re.IGNORECASE)


class Clause(NamedTuple):
    """A key of a step and its value, from words in parentheses. `sure` is False where it is a guess."""

    key: str
    value: str
    sure: bool = True


def clause(words: str) -> Clause:
    """Read a clause as a key of its step; words without a key of their own are a note."""
    words = words.strip(" ,.;")
    if m := _BY.fullmatch(words):
        return Clause("by", "both" if m["any"] else m["role"].lower().replace("nonphasing", "non-phasing"))
    if m := _ONLY.fullmatch(words):
        return Clause("only", (m["behind"] or m["before"]).strip())
    if _OPTIONAL.fullmatch(words):
        return Clause("optional", "yes")
    if m := _EVERY.fullmatch(words):
        return Clause("every", m[1])
    if m := _ROLLS.fullmatch(words):
        return Clause("rolls", m[1])
    for key, pattern in (("limit", _LIMIT), ("cost", _COST), ("uses", _USES), ("when", _WHEN)):
        if pattern.fullmatch(words):
            return Clause(
                key, words, key in ("uses", "when") or words[:1] in "+−-" or words.lower().startswith("pay")
            )
    return Clause("note", words)


class Group(NamedTuple):
    """Words in parentheses: where they begin and end, the parentheses included, and what is inside."""

    start: int
    end: int
    words: str


def groups(text: str) -> Iterator[Group]:
    """The parentheses of a step's words, outermost ones; `(de-)Construction` is a word, not one of them."""
    depth = start = 0
    for at, sign in enumerate(text):
        if sign == "(":
            start = at if not depth else start
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
            glued = text[at + 1 : at + 2].isalpha() or text[at - 1 : at] == "-"
            if not depth and not glued:
                yield Group(start, at + 1, text[start + 1 : at])


def clauses(words: str) -> list[str]:
    """The clauses of words in parentheses, parted by semicolons that stand in no parentheses of their own."""
    parts, depth = [""], 0
    for sign in words:
        depth += (sign == "(") - (sign == ")")
        if sign == ";" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]
