"""Rewrite the references in all texts after a renumbering.

Each rewritten text is resolved again and must lead to the same rules as before. If shortened numbers do not,
they are written out; if a number is no longer recognized as a reference, it becomes an explicit mark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.series_inheritance import series_citation_names
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.files.text_edits import FileEdits, Replacement, apply_edits
from rulewright.numbering.named_levels import TextContext
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.references.content_page import PageText, blank_non_prose
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import LocatedReference, ReferencingText, iter_number_keys
from rulewright.references.reference_types import FaultyReference, Reference, RuleReference

MAX_GAP = 12
"""Maximum number of characters between two numbers of a list, such as "and rule"."""

AS_WRITTEN, COMPLETE, NAME, MARK = "as written", "complete", "name", "mark"
"""Ways to write a number: shortened as before, complete, after the name of its series, or as a mark."""

TargetKey = tuple[str, str]
"""Address of an edition and key of a number there."""


def reference_target(
    passage: ReferencingText, reference: Reference, index: ReferenceIndex
) -> TargetKey | None:
    """Return the target of a reference, or None without one."""
    outline, number = passage.target_of(reference, index), reference.match.number
    return (outline.edition.address, number.key) if outline and number else None


@dataclass(slots=True)
class RewrittenPassage:
    """Changes of the references in a text."""

    passage: ReferencingText
    changes: list[Replacement] = field(default_factory=list)
    references: int = 0  # number of changed references
    # Offsets in the new text that an editor should review, with the reasons.
    reviewed: list[tuple[int, str]] = field(default_factory=list)
    is_writable: bool = True  # false if a number would lead to another rule in every way of writing

    @property
    def text(self) -> str:
        return apply_edits(self.passage.text, self.changes)

    def add_edits(self, edits: FileEdits) -> None:
        """Add the edits of the text's file."""
        for start, end, words in self.changes:
            if not isinstance(self.passage.text, PageText):
                edits.replace_in_scalar(self.passage.text, start, end, words)
            else:
                edits.add(self.passage.file, start, end, words)


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
    """Add the edit of a number in a YAML key."""
    text = reference.passage.text
    if reference.number and not isinstance(text, PageText):
        words = writer.rename_like(text[reference.start :], reference.number, new, reference.passage.chapter)
        edits.replace_in_scalar(text, reference.start, reference.end, words)


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
        """Rewrite a text; return None if nothing changes."""
        chapter = self._chapter(passage)
        targets = [self.find_target(passage, reference) for reference in passage.resolved]
        expected = [(outline.edition.address, number.key) for outline, number in filter(None, targets)]
        changed: list[bool] = []
        for reference, target in zip(passage.resolved, targets, strict=True):
            new_key = (target[0].edition.address, target[1].key) if target else None
            changed.append(new_key != reference_target(passage, reference, self.index))
        # In a game, a number of its series may be that of a rule of the game now.
        is_in_game = passage.outline is not None and passage.outline.edition.base is not None
        is_unchanged = chapter == passage.chapter and not any(changed) and not is_in_game
        if is_unchanged and not any(map(_rules_in_range, passage.resolved)):
            return None
        rewritten = RewrittenPassage(passage)
        touched = _touched(passage, changed)
        for form in (AS_WRITTEN, COMPLETE, NAME, MARK):
            rewritten.changes = self._changes(passage, chapter, targets, touched, form)
            outline = passage.outline and self.new_index.outlines[passage.outline.edition.address]
            is_page = isinstance(passage.text, PageText)
            prose = blank_non_prose(rewritten.text) if is_page else rewritten.text
            reread = self.new_index.resolver.resolve(
                prose, outline, chapter, passage.is_reference_only, self._enclosing_rule(passage, outline)
            )
            new_targets = (reference_target(passage, reference, self.new_index) for reference in reread)
            if not Counter(expected) - Counter(filter(None, new_targets)):
                break
        else:
            rewritten.is_writable = not rewritten.changes
            return rewritten
        rewritten.references = sum(changed) or len(rewritten.changes)
        if len(reread) == len(passage.resolved):
            rewritten.reviewed = list(self._changed_ranges(passage, reread))
        return rewritten

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
        touched: Sequence[bool],
        form: str,
    ) -> list[Replacement]:
        """Return the changes of a text; `form` is the way to write the numbers of changed lists."""
        changes: list[Replacement] = []
        last: RuleNumber | None = None
        for reference, target, is_touched in zip(passage.resolved, targets, touched, strict=True):
            number = reference.match.number
            if not target or not number:
                last = None
                continue
            outline, new = target
            start, end, mark = reference.match.start, reference.match.end, reference.match.mark_span
            number_text = passage.text[start:end]
            is_as_written = form == AS_WRITTEN or not is_touched
            chapters = passage.chapter, chapter if is_as_written else ""
            if reference.match.book:
                chapters = (
                    outline.default_chapter,
                    self.new_index.outlines[outline.edition.address].default_chapter,
                )
            writer = NumberWriter(outline.edition.dialect)
            words = writer.rewrite_like(number_text, number, new, *chapters)
            if (
                words is None
                and _is_last_label(number_text, number, passage.chapter)
                and _is_last_label(number_text, new, chapter)
            ):
                words = number_text
            if words is None:
                words = _replace_ancestor(number_text, number, new, writer.dialect)
            if words is None and is_as_written:
                words = writer.shorten_after(number_text, number, new, last)
            if words is None:
                words = writer.write(new)
            if form in (NAME, MARK) and not mark:
                words = self._disambiguate(words, passage, outline, number, new, form)
            if words != number_text:
                changes.append(Replacement(start, end, words))
            if mark and reference.match.label and new is not number:  # the label may be the number too
                label = reference.match.label.strip()
                start = mark[1] - 2 - len(reference.match.label.lstrip())
                label_number = writer.dialect.parse_number(label, chapters[0])
                if (
                    label_number
                    and label_number.key == number.key
                    and (words := writer.rewrite_like(label, number, new, *chapters))
                ):
                    changes.append(Replacement(start, start + len(label), words))
            last = new
        return changes

    def _disambiguate(
        self,
        words: str,
        passage: ReferencingText,
        outline: Outline,
        number: RuleNumber,
        new: RuleNumber,
        form: str,
    ) -> str:
        """Return a number with the name of its series or as an explicit mark if it needs one."""
        address = outline.edition.address
        own_address = passage.outline.edition.address if passage.outline else address
        if address != own_address and new.key in self.new_index.outlines[own_address].entries:
            if form == NAME:
                return f"{series_citation_names(outline.edition.book)[0]} {words}"
            return f"[[{address.partition('/')[0]}:{new.key}]]"
        if form == MARK and not passage.is_reference_only and new.key != number.key:
            return f"[[{new.key}]]"
        return words

    def _changed_ranges(
        self, passage: ReferencingText, reread: Sequence[Reference]
    ) -> Iterator[tuple[int, str]]:
        """Yield ranges with ends in the wrong order, or with other rules than before."""
        for first, old, new in zip([None, *passage.resolved], passage.resolved, reread, strict=False):
            outline = passage.target_of(old, self.index)
            if not (first and old.match.ends_range and outline and outline.edition.address == self.address):
                continue
            place = new.match.start
            old_keys = {self.moves.new_number(entry.number).key for entry in _rules_in_range(old)}
            new_keys = {entry.key for entry in _rules_in_range(new)}
            if isinstance(new, FaultyReference) and not isinstance(old, FaultyReference):
                yield place, new.message
            elif old_keys != new_keys:
                removed, added = sorted(old_keys - new_keys), sorted(new_keys - old_keys)
                changes = [f"no longer holds {', '.join(removed)}"] if removed else []
                changes += [f"now holds {', '.join(added)} as well"] if added else []
                number = new.match.number
                yield place, f"the range that ends at {number and number.key} {' and '.join(changes)}"


def _rules_in_range(reference: Reference) -> tuple[RuleEntry, ...]:
    return reference.rules_in_range if isinstance(reference, RuleReference) else ()


def _is_last_label(number_text: str, number: RuleNumber, context: str) -> bool:
    """Return whether a number is written as its last label alone: item b, in a text of 12.2."""
    *above, last = number.labels
    return (
        isinstance(context, TextContext)
        and [*context.labels[: len(above)]] == above
        and number_text.strip("()[]") == last
    )


def _replace_ancestor(
    number_text: str, number: RuleNumber, new: RuleNumber, dialect: NumberingScheme
) -> str | None:
    """Replace the ancestor in a number that is written in words: b of 12.2."""
    for ancestor in dialect.ancestors(number):
        depth = len(ancestor.labels)
        match = re.search(rf"(?<!\w){re.escape(ancestor.key)}(?![\w.]*\w)", number_text)
        if (
            match
            and depth > 1
            and len(new.labels) == len(number.labels)
            and new.labels[depth:] == number.labels[depth:]
        ):
            new_ancestor = dialect.number(new.labels[:depth], new.shape)
            if new_ancestor is None:
                return None
            return f"{number_text[: match.start()]}{new_ancestor.key}{number_text[match.end() :]}"
    return None


def _touched(passage: ReferencingText, changed: Sequence[bool]) -> list[bool]:
    """Return for each reference whether it or another one of the same list changes."""
    lists: list[list[bool]] = []
    end = 0
    for reference, is_changed in zip(passage.resolved, changed, strict=True):
        gap = passage.text[end : reference.match.start]
        if lists and (reference.match.ends_range or (len(gap) < MAX_GAP and "." not in gap)):
            lists[-1].append(is_changed)
        else:
            lists.append([is_changed])
        end = reference.match.end
    return [any(references) for references in lists for _ in references]
