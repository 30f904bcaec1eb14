"""Rewrite the references in all texts after a renumbering.

Each rewritten text is resolved again and must lead to the same rules as before. If shortened numbers do not,
they are written out; if a number is no longer recognized as a reference, it becomes an explicit mark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rulewright.book.outline import Outline, RuleEntry
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.files.errors import UserError
from rulewright.files.text_edits import FileEdits, Replacement, apply_edits
from rulewright.numbering.named_levels import TextContext
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.references.content_page import PageText, blank_non_prose
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import LocatedReference, ReferencingText, iter_number_keys
from rulewright.references.reference_types import FaultyReference, Reference, RuleReference

AS_WRITTEN, COMPLETE, MARK = "as written", "complete", "mark"
"""Ways to write a number: shortened as before, complete, or as an explicit mark."""

TargetKey = tuple[str, str]
"""Address of an edition and key of a number there."""


def reference_target(
    passage: ReferencingText, reference: Reference, index: ReferenceIndex
) -> TargetKey | None:
    """Return the target of a reference, or None without one."""
    outline, number = passage.target_of(reference, index), reference.match.number
    return (outline.edition.address, number.key) if outline and number else None


class UnwritableReference(UserError):
    """A number would lead to another rule in every way of writing."""


@dataclass(frozen=True, slots=True)
class RewrittenPassage:
    """Changes of the references in a text."""

    passage: ReferencingText
    changes: list[Replacement]
    references: int
    """Number of changed references."""
    reviewed: list[tuple[int, str]]
    """Offsets in the new text that an editor should review, with the reasons."""

    @property
    def text(self) -> str:
        return apply_edits(self.passage.text, self.changes)

    def add_edits(self, edits: FileEdits) -> None:
        """Add the edits of the text's file."""
        for start, end, words in self.changes:
            replace_in_text(edits, self.passage, start, end, words)


def replace_in_text(edits: FileEdits, passage: ReferencingText, start: int, end: int, words: str) -> None:
    """Add the edit of some words in a text of YAML or of a page."""
    if isinstance(passage.text, PageText):
        edits.add(passage.file, start, end, words)
    else:
        edits.replace_in_scalar(passage.text, start, end, words)


def rename_named(moves: RenumberPlan, index: ReferenceIndex, edits: FileEdits) -> None:
    """Add the edits of numbers in YAML keys."""
    for outline in index.outlines.values():
        for reference in iter_number_keys(outline, index):
            number = reference.number if reference.target_outline is moves.outline else None
            if number and (new := moves.new_number(number)) is not number:
                rename_key_number(reference, new, NumberWriter(moves.outline.edition.dialect), edits)


def rename_key_number(
    reference: LocatedReference, new: RuleNumber, writer: NumberWriter, edits: FileEdits
) -> None:
    """Add the edit of a number in a YAML key, or of one that is no reference now."""
    passage, start, end = reference.passage, reference.start, reference.end
    assert reference.number
    words = writer.rename_like(passage.text[start:end], reference.number, new, passage.chapter)
    replace_in_text(edits, passage, start, end, words)


FindTarget = Callable[[ReferencingText, Reference], tuple[Outline, RuleNumber] | None]
"""Returns the old outline that a reference must lead to, and its new number there."""


class ReferenceRewriter:
    """Rewriter of the texts of an index for a new index; references lead to the same rules by default."""

    def __init__(
        self,
        moves: RenumberPlan,
        index: ReferenceIndex,
        new_index: ReferenceIndex,
        find_target: FindTarget | None = None,
    ) -> None:
        self.moves, self.index, self.new_index = moves, index, new_index
        self.address = moves.outline.edition.address
        self.find_target = find_target or self.target_after

    def target_after(
        self, passage: ReferencingText, reference: Reference
    ) -> tuple[Outline, RuleNumber] | None:
        """Return the target of a reference that leads to the same rule as before."""
        outline, number = passage.target_of(reference, self.index), reference.match.number
        if not outline or not number:
            return None
        return outline, self.moves.new_number(number) if outline.edition.address == self.address else number

    def rewrite_text(self, passage: ReferencingText) -> RewrittenPassage | None:
        """Rewrite a text; return None if nothing changes. Raises UnwritableReference."""
        chapter = self._chapter(passage)
        targets = [self.find_target(passage, reference) for reference in passage.resolved]
        expected = [target and (target[0].edition.address, target[1].key) for target in targets]
        former = [reference_target(passage, reference, self.index) for reference in passage.resolved]
        count = sum(old != new for old, new in zip(former, expected, strict=True))
        # In a game, a number of its series may be that of a rule of the game now.
        is_in_game = passage.outline is not None and passage.outline.edition.base is not None
        is_unchanged = chapter == passage.chapter and not count and not is_in_game
        if is_unchanged and not any(map(_rules_in_range, passage.resolved)):
            return None
        changes: list[Replacement] = []
        for form in (AS_WRITTEN, COMPLETE, MARK):
            changes = self._changes(passage, chapter, targets, form)
            resolved = self._resolve(passage, apply_edits(passage.text, changes), chapter)
            reached = (reference_target(passage, reference, self.new_index) for reference in resolved)
            if not Counter(filter(None, expected)) - Counter(filter(None, reached)):
                reviewed = [*self._changed_ranges(passage, resolved)]
                return RewrittenPassage(passage, changes, count or len(changes), reviewed)
        if changes:
            number_text = passage.text[changes[0].start : changes[0].end]
            raise UnwritableReference(
                f"{passage.text.location_of(changes[0].start)}: {number_text} cannot be renumbered, since it "
                "would then lead to another rule; write it as a mark, [[…]], first"
            )
        return None

    def _resolve(self, passage: ReferencingText, text: str, chapter: str) -> Sequence[Reference]:
        """Resolve the references of a text after the renumbering."""
        outline = passage.outline and self.new_index.outlines[passage.outline.edition.address]
        prose = blank_non_prose(text) if isinstance(passage.text, PageText) else text
        rule = self._enclosing_rule(passage, outline)
        return self.new_index.resolver.resolve(prose, outline, chapter, passage.is_reference_only, rule)

    def _enclosing_rule(self, passage: ReferencingText, outline: Outline | None) -> RuleEntry | None:
        """Return the rule that contains a text, after the renumbering."""
        if not isinstance(passage.owner, RuleEntry) or not outline or not passage.source:
            return None
        number = passage.source.number
        number = self.moves.new_number(number) if outline.edition.address == self.address else number
        return outline.entries.get(number.key)

    def _chapter(self, passage: ReferencingText) -> str:
        if not passage.outline or passage.outline.edition.address != self.address:
            return passage.chapter
        if passage.source:
            labels = self.moves.new_number(passage.source.number).labels
            return TextContext.from_labels(labels) if isinstance(passage.chapter, TextContext) else labels[0]
        return self.new_index.outlines[self.address].default_chapter

    def _changes(
        self,
        passage: ReferencingText,
        chapter: str,
        targets: Sequence[tuple[Outline, RuleNumber] | None],
        form: str,
    ) -> list[Replacement]:
        """Return the changes of a text with its numbers written in a form."""
        changes: list[Replacement] = []
        follows_change = False
        for reference, target in zip(passage.resolved, targets, strict=True):
            match, number = reference.match, reference.match.number
            if not target or not number:
                follows_change = False
                continue
            outline, new = target
            number_text, writer = passage.text[match.start : match.end], NumberWriter(outline.edition.dialect)
            chapters = passage.chapter, chapter if form == AS_WRITTEN else ""
            if match.book:
                new_outline = self.new_index.outlines[outline.edition.address]
                chapters = outline.default_chapter, new_outline.default_chapter
            words = writer.rewrite_like(number_text, number, new, *chapters)
            # A shortened number that follows a changed one may have to be complete.
            if not words and (form == AS_WRITTEN or not (follows_change or new.key != number.key)):
                words = writer.replace_last_labels(number_text, number, new)
            words = words or writer.write(new)
            follows_change = new.key != number.key
            if form == MARK and not match.mark_span:
                words = self._mark(passage, outline, number, new) or words
            if words != number_text:
                changes.append(Replacement(match.start, match.end, words))
            if match.mark_span and match.label and new is not number:  # the label may be the number too
                label = match.label.strip()
                start = match.mark_span[1] - 2 - len(match.label.lstrip())
                label_number = writer.dialect.parse_number(label, chapters[0])
                if label_number and label_number.key == number.key:
                    words = writer.rename_like(label, number, new, *chapters)
                    changes.append(Replacement(start, start + len(label), words))
        return changes

    def _mark(self, passage: ReferencingText, outline: Outline, number: RuleNumber, new: RuleNumber) -> str:
        """Return an explicit mark for a number, with the book of a series; empty if it needs none."""
        address = outline.edition.address
        own_address = passage.outline.edition.address if passage.outline else address
        if address != own_address:
            is_ambiguous = new.key in self.new_index.outlines[own_address].entries
            return f"[[{address.partition('/')[0]}:{new.key}]]" if is_ambiguous else ""
        return f"[[{new.key}]]" if new.key != number.key and not passage.is_reference_only else ""

    def _changed_ranges(
        self, passage: ReferencingText, reread: Sequence[Reference]
    ) -> Iterator[tuple[int, str]]:
        """Yield ranges with ends in the wrong order, or with other rules than before."""
        if len(reread) != len(passage.resolved):
            return
        for old, new in zip(passage.resolved, reread, strict=True):
            outline = passage.target_of(old, self.index)
            if not (old.match.ends_range and outline and outline.edition.address == self.address):
                continue
            place = new.match.start
            old_keys = {self.moves.new_number(entry.number).key for entry in _rules_in_range(old)}
            new_keys = {entry.key for entry in _rules_in_range(new)}
            if isinstance(new, FaultyReference) and not isinstance(old, FaultyReference):
                yield place, new.message
            elif old_keys != new_keys:
                changed, number = ", ".join(sorted(old_keys ^ new_keys)), new.match.number
                yield place, f"the range that ends at {number and number.key} has gained or lost {changed}"


def _rules_in_range(reference: Reference) -> tuple[RuleEntry, ...]:
    return reference.rules_in_range if isinstance(reference, RuleReference) else ()
