"""Rewrite the references in all texts after numbers have moved.

Each text is written anew and read again as the book would read it then: what it cites must be exactly what it
cited, by its new number. Where shortened numbers no longer say that, they are written out, and where the book
would no longer take a number for a reference, it becomes a mark.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.series_inheritance import series_citation_names
from rulewright.citations.content_page import blank_non_prose
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.citations.reference_resolver import ResolvedReference
from rulewright.compare.reference_inventory import LocatedReference, ReferencingText, iter_number_keys
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.numbers.named_levels import TextContext
from rulewright.numbers.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import SourceLocation
from rulewright.source.text_edits import FileEdits, Replacement, apply_edits

MOST_BETWEEN = 12
"""How far two numbers of a run stand apart at most: "and rule"."""

NAME, MARK = "name", "mark"

Aim = tuple[str, str]
"""The rule that a reference means: the address of an edition, and the number there."""


def reference_target(
    passage: ReferencingText, reference: ResolvedReference, index: ReferenceIndex
) -> Aim | None:
    """The rule that a reference of a passage means; None for one that means none."""
    outline = passage.target_of(reference, index)
    return (outline.edition.address, reference.number.key) if outline and reference.number else None


class TextChange(NamedTuple):
    """Words in place of those from `start` to `end` of a passage. `exact`: they can be turned back."""

    start: int
    end: int
    words: str
    exact: bool = True


@dataclass(slots=True)
class RewrittenPassage:
    """A passage rewritten: its changes, how many references they concern, and what to read again.

    `reformatted`: how many no longer tell how they were written, like "9.14b and c" that is "9.14b and 9.16a"
    now. `unwritable`: where a number stands that could not be written so that it is read as what it means.
    """

    passage: ReferencingText
    changes: list[TextChange] = field(default_factory=list)
    references: int = 0
    reformatted: int = 0
    review_places: list[tuple[SourceLocation, str]] = field(default_factory=list)
    unwritable: list[SourceLocation] = field(default_factory=list)

    @property
    def text(self) -> str:
        return apply_edits(self.passage.text, (Replacement(*change[:3]) for change in self.changes))

    def enter(self, edits: FileEdits) -> None:
        """Enter the edits that the changes are in the passage's file."""
        for start, end, words, _ in self.changes:
            if isinstance(self.passage.text, LocatedText):
                edits.replace_in_scalar(self.passage.text, start, end, words)
            else:
                edits.add(self.passage.file, start, end, words)


def _ours(
    passage: ReferencingText, changes: Sequence[TextChange], reread: Iterable[ResolvedReference]
) -> Iterator[ResolvedReference]:
    """Of the references in a text with its changes made, those that stand where some stood."""
    pending, spans, shift = deque(sorted(changes)), deque(passage.resolved), 0
    for reference in reread:
        start = reference.match.start
        while pending and pending[0].start + shift + len(pending[0].words) <= start:
            shift += len(pending[0].words) - (pending[0].end - pending[0].start)
            pending.popleft()
        while spans and (spans[0].match.mark_span or spans[0].match)[1] <= start - shift:
            spans.popleft()
        changed = bool(pending) and pending[0].start + shift <= start
        if changed or (spans and (spans[0].match.mark_span or spans[0].match)[0] <= start - shift):
            yield reference


def rename_named(moves: RenumberPlan, index: ReferenceIndex, edits: FileEdits) -> None:
    """Enter the edits of numbers that name a rule or a table where no text does."""
    for reference in (
        reference for outline in index.outlines.values() for reference in iter_number_keys(outline, index)
    ):
        number = reference.number if reference.target_outline is moves.outline else None
        if number and (new := moves.new_number(number)) is not number:
            rename_key_number(reference, new, NumberWriter(moves.outline.edition.dialect), edits)


def rename_key_number(
    reference: LocatedReference, new: RuleNumber, writer: NumberWriter, edits: FileEdits
) -> None:
    """Enter the edit of a number that names a rule where no text does."""
    text = reference.passage.text
    if reference.number and isinstance(text, LocatedText):
        words = writer.rename_like(text[reference.start :], reference.number, new, reference.passage.chapter)
        edits.replace_in_scalar(text, reference.start, reference.end, words)


Goal = Callable[[ReferencingText, ResolvedReference], tuple[Outline, RuleNumber] | None]
"""Gives the edition, as it was, that a reference has to lead into, and the number that it has to have."""


class ReferenceRewriter:
    """Writes passages of `shelf` anew for `now`. `goal`: what references mean, else the same rules."""

    def __init__(
        self, moves: RenumberPlan, index: ReferenceIndex, new_index: ReferenceIndex, goal: Goal | None = None
    ) -> None:
        self.moves, self.shelf, self.now = moves, index, new_index
        self.address = moves.outline.edition.address
        self.goal = goal or self.target_after

    def target_after(
        self, passage: ReferencingText, reference: ResolvedReference
    ) -> tuple[Outline, RuleNumber] | None:
        """The goal of a reference that keeps its rule."""
        outline, number = passage.target_of(reference, self.shelf), reference.number
        if not outline or not number:
            return None
        return outline, self.moves.new_number(number) if outline.edition.address == self.address else number

    def rewrite_text(self, passage: ReferencingText) -> RewrittenPassage | None:
        """Rewrite a passage, or return None where nothing changes."""
        chapter = self._chapter(passage)
        goals = [self.goal(passage, reference) for reference in passage.resolved]
        aims = [(goal[0].edition.address, goal[1].key) if goal else None for goal in goals]
        changed = [
            aim != reference_target(passage, reference, self.shelf)
            for aim, reference in zip(aims, passage.resolved, strict=True)
        ]
        same = chapter == passage.chapter and not any(changed) and not self._is_shadowed(passage)
        if same and not any(reference.rules_in_range for reference in passage.resolved):
            return None
        expected = [aim for aim in aims if aim]
        rewritten = RewrittenPassage(passage)
        touched = _touched(passage, changed)
        for short, implied, sign in ((1, 1, ""), (0, 1, ""), (0, 0, ""), (0, 0, NAME), (0, 0, MARK)):
            rewritten.changes = self._changes(
                passage, chapter, goals, touched, bool(short), bool(implied), sign
            )
            outline = passage.outline and self.now.outlines[passage.outline.edition.address]
            prose = blank_non_prose(rewritten.text) if passage.page else rewritten.text
            references = self.now.resolve(
                prose, outline, chapter, passage.is_reference_only, self._within(passage, outline)
            )
            reread = list(_ours(passage, rewritten.changes, references))
            if [
                aim for reference in reread if (aim := reference_target(passage, reference, self.now))
            ] == expected:
                break
        else:
            rewritten.changes = self._changes(passage, chapter, goals, touched)
            rewritten.unwritable = [passage.place(change.start) for change in rewritten.changes[:1]]
            return rewritten
        rewritten.reformatted = sum(not change.exact for change in rewritten.changes)
        rewritten.references = max(sum(changed), rewritten.reformatted)
        if len(reread) == len(passage.resolved):
            rewritten.review_places = list(self._again(passage, reread))
        return rewritten

    def _within(self, passage: ReferencingText, outline: Outline | None) -> RuleEntry | None:
        """The rule that a passage stands in, as it is now."""
        if not isinstance(passage.owner, RuleEntry) or not outline or not passage.source:
            return None
        number = passage.source.number
        number = self.moves.new_number(number) if outline.edition.address == self.address else number
        return outline.entries.get(number.key)

    def _is_shadowed(self, passage: ReferencingText) -> bool:
        """Whether a text of a game cites a number of its series that will be one of the game as well."""
        if not passage.outline or not passage.outline.edition.base:
            return False
        own_rules = self.now.outlines[passage.outline.edition.address].entries
        unmarked = (
            reference
            for reference in passage.resolved
            if reference.target and reference.number and not reference.match.mark_span
        )
        return any(
            their.number
            and their.number.key in own_rules
            and passage.target_of(their, self.shelf) is not passage.outline
            for their in unmarked
        )

    def _chapter(self, passage: ReferencingText) -> str:
        if not passage.outline or passage.outline.edition.address != self.address:
            return passage.chapter
        if passage.source:
            labels = self.moves.new_number(passage.source.number).labels
            return TextContext.from_labels(labels) if isinstance(passage.chapter, TextContext) else labels[0]
        return self.now.outlines[self.address].default_chapter

    def _changes(
        self,
        passage: ReferencingText,
        chapter: str,
        goals: Sequence[tuple[Outline, RuleNumber] | None],
        touched: Sequence[bool],
        short: bool = True,
        implied: bool = True,
        sign: str = "",
    ) -> list[TextChange]:
        """The changes of a passage, short where they may be. `sign`: NAME or MARK, put to unclear numbers."""
        changes: list[TextChange] = []
        last: RuleNumber | None = None
        for reference, goal, is_touched in zip(passage.resolved, goals, touched, strict=True):
            number = reference.number
            if not goal or not number:
                last = None
                continue
            outline, new = goal
            start, end, mark = reference.match.start, reference.match.end, reference.match.mark_span
            number_text = passage.text[start:end]
            chapters = passage.chapter, chapter if implied or not is_touched else ""
            if reference.match.book:
                chapters = outline.default_chapter, self.now.outlines[outline.edition.address].default_chapter
            writer = NumberWriter(outline.edition.dialect)
            words = writer.rewrite_like(number_text, number, new, *chapters)
            exact = (
                words is not None
                and writer.rewrite_like(words, new, number, *reversed(chapters)) == number_text
            )
            if (
                words is None
                and _is_own(number_text, number, passage.chapter)
                and _is_own(number_text, new, chapter)
            ):
                words, exact = number_text, True
            if words is None and (above := _in_words(number_text, number, new, writer.dialect)):
                words, exact = above, True
            if words is None:
                may_be = short or not is_touched
                words = writer.shorten_after(number_text, number, new, last) if may_be else None
                exact = words is not None
                words = words or writer.write(new)
            if sign and not mark and self._is_of_series(outline, passage, new):
                series_name, folder = (
                    series_citation_names(outline.edition.book)[0],
                    outline.edition.address.partition("/")[0],
                )
                words, exact = f"{series_name} {words}" if sign == NAME else f"[[{folder}:{new.key}]]", False
            elif sign == MARK and not mark and not passage.is_reference_only and new.key != number.key:
                words, exact = f"[[{new.key}]]", False
            if words != number_text:
                changes.append(TextChange(start, end, words, exact))
            if mark and reference.match.label and new is not number:  # the words of a mark may be that number
                label = reference.match.label.strip()
                start = mark[1] - 2 - len(reference.match.label.lstrip())
                label_number = writer.dialect.parse_number(label, chapters[0])
                if (
                    label_number
                    and label_number.key == number.key
                    and (words := writer.rewrite_like(label, number, new, *chapters))
                ):
                    changes.append(TextChange(start, start + len(label), words))
            last = new
        return changes

    def _is_of_series(self, outline: Outline, passage: ReferencingText, number: RuleNumber) -> bool:
        """Whether a number that a text of a game cites of its series will be one of both."""
        own_address = passage.outline.edition.address if passage.outline else outline.edition.address
        return outline.edition.address != own_address and number.key in self.now.outlines[own_address].entries

    def _again(
        self, passage: ReferencingText, reread: Sequence[ResolvedReference]
    ) -> Iterator[tuple[SourceLocation, str]]:
        """Ranges whose ends are out of order now, or that hold other rules than they held."""
        for first, old, new in zip([None, *passage.resolved], passage.resolved, reread, strict=False):
            outline = passage.target_of(old, self.shelf)
            if not (first and old.match.ends_range and outline and outline.edition.address == self.address):
                continue
            place = passage.place(old.match.start)
            old_keys = {self.moves.new_number(entry.number).key for entry in old.rules_in_range}
            new_keys = {entry.key for entry in new.rules_in_range}
            if new.fault and not old.fault:
                yield place, new.message
            elif old_keys != new_keys:
                removed, added = sorted(old_keys - new_keys), sorted(new_keys - old_keys)
                changes = [f"no longer holds {', '.join(removed)}"] if removed else []
                changes += [f"now holds {', '.join(added)} as well"] if added else []
                yield (
                    place,
                    f"the range that ends at {new.number and new.number.key} {' and '.join(changes)}",
                )


def _is_own(number_text: str, number: RuleNumber, context: str) -> bool:
    """Whether the last label of a number alone means it where a text stands: item b, in 12.2."""
    *above, last = number.labels
    return (
        isinstance(context, TextContext)
        and [*context.labels[: len(above)]] == above
        and number_text.strip("()[]") == last
    )


def _in_words(number_text: str, number: RuleNumber, new: RuleNumber, dialect: NumberingScheme) -> str | None:
    """The words of a number of which some labels are said in words, with its beginning changed: b of 12.2."""
    for old in dialect.ancestors(number):
        depth = len(old.labels)
        match = re.search(rf"(?<!\w){re.escape(old.key)}(?![\w.]*\w)", number_text)
        if (
            match
            and depth > 1
            and len(new.labels) == len(number.labels)
            and new.labels[depth:] == number.labels[depth:]
        ):
            above = dialect.number(new.labels[:depth], new.shape)
            return f"{number_text[: match.start()]}{above.key}{number_text[match.end() :]}" if above else None
    return None


def _touched(passage: ReferencingText, changed: Sequence[bool]) -> list[bool]:
    """For each reference, whether it or another one of its run changes."""
    runs: list[list[bool]] = []
    end = 0
    for reference, changes in zip(passage.resolved, changed, strict=True):
        between = passage.text[end : reference.match.start]
        is_continued = runs and (
            reference.match.ends_range or (len(between) < MOST_BETWEEN and "." not in between)
        )
        runs[-1:] = [[*runs[-1], changes]] if is_continued else [*runs[-1:], [changes]]
        end = reference.match.end
    return [any(run) for run in runs for _ in run]
