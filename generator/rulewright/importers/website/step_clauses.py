"""Parentheses behind a step's words: where they are, their clauses, and the key of the step that each is."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
_THROWN = re.compile(r"(?:roll\s+)?(\d{0,2}[dDwW]\d{1,3}(?:[+-]\d+)?)")
_WHEN = re.compile(
    r"(?:if|when|unless|after|before|during|while|wenn|falls|nach|vor|bei)\b.*", re.IGNORECASE | re.DOTALL
)
_EVERY = re.compile(r"every\s+(.*)", re.IGNORECASE)


def clause(words: str) -> tuple[str, str, bool]:
    """The key of a step and its value, from words in parentheses, and whether that is sure.

    Words without a key of their own are a note.
    """
    words = words.strip(" ,.;")
    if m := _BY.fullmatch(words):
        return "by", "both" if m["any"] else m["role"].lower().replace("nonphasing", "non-phasing"), True
    if m := _ONLY.fullmatch(words):
        return "only", (m["behind"] or m["before"]).strip(), True
    if words.lower() == "optional":
        return "optional", "yes", True
    if m := _EVERY.fullmatch(words):
        return "every", m[1], True
    if m := _THROWN.fullmatch(words):
        return "rolls", m[1], True
    for key, pattern in (("limit", _LIMIT), ("cost", _COST), ("uses", _USES), ("when", _WHEN)):
        if pattern.fullmatch(words):
            return (
                key,
                words,
                key in ("uses", "when") or words[:1] in "+−-" or words.lower().startswith("pay"),
            )
    return "note", words, True


def groups(text: str) -> Iterator[tuple[int, int]]:
    """Where the parentheses of a step's words begin and end; `(de-)Construction` is a word."""
    depth = start = 0
    for at, sign in enumerate(text):
        if sign == "(":
            start = at if not depth else start
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
            if not depth and not (text[at + 1 : at + 2].isalpha() or text[at - 1 : at] == "-"):
                yield start, at + 1


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
