"""References at the end of step titles: `do: Remove markers (5.10)` means that title and `see: 5.10`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rulewright.files.located_text import LocatedText, TextSlice
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import CueStrength
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.schema.step import INSIDE, PlaySequence, Step, TurnDifference, inner_steps_of

_BRACKETS = re.compile(
    r"\s*(?:\((?P<round>(?:[^()]|\([^()]*\))+)\)|(?<!\[)\[(?P<square>[^\[\]]+)\](?!\]))\.?\s*\Z"
)
_SIGNS = re.compile(r"[\s\w,.;:&§/–—-]*")

_IS_NO_AMOUNT = re.compile(r"[A-Za-z]|\.\w")
"""Parentheses alone do not make 9 or 22-23 a reference in most books; these characters occur in no amount."""

StepOrDifference = TypeVar("StepOrDifference", Step, TurnDifference)


def extract_title_references(
    sequence: PlaySequence, finders: Sequence[ReferenceFinder], printed: Iterable[RuleNumber]
) -> PlaySequence:
    """Move references at the end of titles to `see:` in all steps of a sequence.

    `finders` are those of the book and of the series that it extends, `printed` its numbers in order.
    """
    titles = TitleReferenceExtractor(finders, printed)
    return replace(
        sequence,
        steps=titles.process_steps(sequence.steps),
        exceptions=titles.process_differences(sequence.exceptions),
    )


def append_references(title: str, numbers: Sequence[str]) -> str | None:
    """Append the numbers of rules to a title in parentheses; return None if they would not be recognized."""
    if not numbers or not all(_IS_NO_AMOUNT.search(number) for number in numbers):
        return None
    return f"{title} ({', '.join(numbers)})"


class TitleReferenceExtractor:
    """Extractor of the references in the titles of a sequence."""

    def __init__(self, finders: Sequence[ReferenceFinder], printed: Iterable[RuleNumber]) -> None:
        self.finders = finders
        numbers = list(printed)
        self.keys = {number.key for number in numbers}
        self.home = numbers[0].labels[0] if numbers and finders[0].dialect.implied else ""

    def process_steps(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        processed: list[Step] = []
        for step in steps:
            if step.exceptions:
                step = replace(step, exceptions=self.process_differences(step.exceptions))
            processed.append(self.split_title(step))
        return tuple(processed)

    def process_differences(self, differences: Sequence[TurnDifference]) -> tuple[TurnDifference, ...]:
        processed: list[TurnDifference] = []
        for difference in differences:
            if difference.add:
                difference = replace(difference, add=self.process_steps([difference.add])[0])
            processed.append(self.split_title(difference))
        return tuple(processed)

    def split_title(self, item: StepOrDifference) -> StepOrDifference:
        """Move the references at the end of the title of a step or difference to its `see`."""
        if inner_steps_of(item):
            inside: dict[str, Any] = {
                name: self.process_steps(getattr(item, name)) for name in INSIDE.values()
            }
            item = replace(item, **inside)
        title = item.title
        if not title or not (spans := self.references_in(title)):
            return item
        end, *references = spans
        cited: LocatedText = TextSlice.slice_of(title, *references)
        start = len(title) - len(title.lstrip())
        see = item.see if cited in item.see else (cited, *item.see)
        return replace(item, title=TextSlice.slice_of(title, start, end), see=see)

    def references_in(self, title: str) -> tuple[int, int, int] | None:
        """Return where the title ends, and the span of the references in the brackets after it."""
        m = _BRACKETS.search(title)
        if not m or not title[: m.start()].strip():
            return None
        start, end = m.span("round" if m["round"] else "square")
        inside = title[start:end]
        if not any(self._has_only_references(f"({inside})", finder) for finder in self.finders):
            return None
        blank = len(inside) - len(inside.lstrip())
        return len(title[: m.start()].rstrip()), start + blank, start + len(inside.rstrip())

    def _has_only_references(self, words: str, finder: ReferenceFinder) -> bool:
        matches = finder.find(words, self.home)
        if not matches or finder.uncited_list_rest(words, matches):
            return False
        between = list(words[1:-1])
        for match in matches:
            if match.cue is CueStrength.NEVER or (
                match.cue is CueStrength.NONE and (not match.number or match.number.key not in self.keys)
            ):
                return False
            start, end = match.mark_span or (match.start, match.end)
            between[start - 1 : end - 1] = " " * (end - start)
        return _SIGNS.fullmatch("".join(between)) is not None
