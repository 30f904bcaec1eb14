"""Messages for numbers of earlier editions: what became of the rule that had the number."""

from __future__ import annotations

from rulewright.book.outline import Outline, RuleEntry
from rulewright.compare.history import Counterparts
from rulewright.references.previous_edition import earlier_editions


def missing_number_message(key: str, outline: Outline, counterparts: Counterparts) -> str:
    """Return that no rule has a number, and what became of the rule that had it; empty if none had it."""
    for previous in earlier_editions(outline, counterparts.index.outlines):
        if key in previous.entries:
            result = counterparts.counterpart_of(previous.entries[key], outline)
            subject = f"no rule {key}; {key} of edition {previous.edition.edition_file.edition} is"
            if isinstance(result.match, RuleEntry):
                return f"{subject} {result.match.display_number} now"
            return f"{subject} gone" if result.is_certain else ""
    return ""
