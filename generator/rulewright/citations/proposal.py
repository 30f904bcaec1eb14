"""Surveyed texts of a book told as a proposal: its rulebook.yml, its known.yml, or all of it for programs."""

from __future__ import annotations

import json

from rulewright.citations.survey import Survey, unread
from rulewright.model.reports import several
from rulewright.numbers.dialect import ALPHABET
from rulewright.source.writing import Brief, Label, Remarked, Value, written


def as_data(found: Survey) -> str:
    """All that was found, as JSON."""
    told = {
        "numbers": list(found.numbers),
        "chapters": list(found.chapters),
        "alphabet": found.alphabet or ALPHABET,
        "cues": list(found.cues),
        "labels": len(found.labels),
        "cited": len(found.cited),
        "unread": [{"text": spot.written, "place": str(spot.place)} for spot in found.unread],
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def as_rulebook(found: Survey, files: int) -> str:
    """The keys of a rulebook.yml, with how much of how many files they read."""
    lost = len(found.unread)
    read = several(len(found.labels), "label") + " and " + several(len(found.cited), "cited number")
    remarks = [f"{read} in {several(files, 'file')}; {lost or 'none'} of them unread"]
    remarks += [f"unread: {one}" for one in unread(found)]
    numbers = [Label(one) for one in found.numbers]
    entries: dict[str, Value] = {
        "numbers": Remarked(numbers[0] if len(numbers) == 1 else Brief(numbers), remarks)
    }
    if found.chapters:
        entries["chapters"] = Brief([Label(form) for form in found.chapters])
    if found.alphabet:
        entries["alphabet"] = found.alphabet
    entries["cues"] = Brief([*found.cues])
    return written(entries)


def as_known(found: Survey) -> str:
    """The known.yml: each number with its title."""
    rows = [
        Brief({"number": Label(number.key), **({"title": title} if title else {})})
        for number, title in found.known
    ]
    return written({"known": rows})
