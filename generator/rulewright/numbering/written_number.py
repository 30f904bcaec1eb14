"""Number as written in a text, before its evidence is weighed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rulewright.numbering.numbering_scheme import RuleNumber

Have = Callable[[RuleNumber], bool]
"""Returns whether the book has a rule with a number."""

# A letter or digit that an adjacent number would belong to: no footnote mark, and no letter without case,
# since Japanese writes 12.5を参照 without a space.
LETTER = r"[^\W_¹²³⁰⁴-⁹ªº½¼¾\u0590-\u1dff\u2e80-\U0010ffff]"
INSIDE = re.compile(rf"(?:{LETTER}|\\|[^\W_][._/@-]|(?:\A|[ \xa0\n(\[\-–,;])\.)\Z")  # 2 in x.2, .2.2


@dataclass(slots=True)
class WrittenNumber:
    """Number in a text before its evidence is weighed."""

    start: int
    end: int
    number: RuleNumber
    join: str = ""
    """The join with the number before it; empty for the first of a list."""

    ends_range: bool = False
    is_bare_chapter: bool = False
    """Whether it is only the label of a chapter."""

    is_bare_digit: bool = False
    """Whether it is shortened to digits (12.1-4)."""

    has_named_levels: bool = False
    """Whether words name its levels (section 6, case 2)."""

    suffixed: bool = False
    """Whether it has a suffix that the book does not declare (5.1bis), so that it is no rule."""

    miswritten: bool = False
    """Whether a space is missing after it, or is inside it."""

    alternatives: tuple[RuleNumber, ...] = ()
    """Other possible meanings."""

    def with_join(self, joined: re.Match[str] | None) -> WrittenNumber:
        """Set the join with the number before it."""
        if joined:
            self.join, self.ends_range = joined.group(), joined["through"] is not None
        return self

    def extend(self, number: RuleNumber, end: int, miswritten: bool = False) -> None:
        """Add further levels, which end at `end`."""
        self.number, self.end, self.is_bare_chapter = number, end, False
        self.miswritten |= miswritten
