"""Remembered rules: which rule of an edition each rule of a lock is today, and what it says differently.

Those that are not found at a glance are put in order as an edition of their own, and matched with today's as
any two editions are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry, build_outline
from rulewright.compare.reference_lock import (
    UNKNOWN,
    RecordedRule,
    RuleFingerprints,
    escape_field,
    normalize_words,
)
from rulewright.compare.matching import ALIKE, ALIKE_HERE, BARELY, EditionSide, match_rules
from rulewright.compare.typography import normalize_typography
from rulewright.compare.word_diff import (
    DiffPiece,
    DiffWord,
    diff_words,
    mask_references,
    says_same,
    similarity,
    tokenize,
)
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import SourceFile, quote_short
from rulewright.schema.rulebook import Chapter, EditionFile, KnownNumbers, ListedRule, Rule

MOST_TOLD = 2
"""How many differences a message tells."""

CALLED = "it is called"
"""How the difference of a rule with another title begins."""

LONGEST = 48
"""How many letters of a difference a message tells."""


class RecordedRules:
    """The remembered rules of one edition.

    `successors`: which rule of today each is, None for one that is gone.

    `words`: what they said, by their marks. `moved`: the old number of each rule that has another one now, by
    that.
    """

    def __init__(
        self,
        outline: Outline,
        memories: Iterable[RecordedRule],
        words: Mapping[str, str],
        meanings: RuleFingerprints,
    ) -> None:
        self.outline, self.words, self.meanings = outline, words, meanings
        self.successors: dict[RecordedRule, RuleEntry | None] = {}
        left = self._at_a_glance(sorted(set(memories)))
        if left:
            self._match(left)
        self._now = {memory.key: rule.key for memory, rule in self.successors.items() if rule}
        # What came into a rule that is still itself did not become it.
        stayed = {old for old, new in self._now.items() if new == old}
        self.moved = {new: old for old, new in self._now.items() if new not in stayed}

    def describe_difference(self, memory: RecordedRule) -> str:
        """Differences of a rule from today's, told briefly; empty where it says the same, or nobody knows."""
        heir = self.successors.get(memory)
        if heir is None:
            return ""
        title, before, after = self.meanings.title(heir), self._said(memory), self.meanings.rule_words(heir)
        same_title = normalize_typography(title) == normalize_typography(memory.title)
        retitled = "" if same_title else f"{CALLED} {quote_short(title) or 'nothing'} now"
        if memory.mark == UNKNOWN or not after or self.meanings.mark(heir) == memory.mark:
            return retitled
        if not before:
            return retitled or "its words are others now"
        old, new = normalize_words(before, self._now), normalize_words(after)
        pieces = [] if says_same(old, new) else diff_words(old, new)
        return ", ".join(filter(None, [retitled, _in_words(pieces)]))

    def _said(self, memory: RecordedRule) -> str:
        """The words of a remembered rule; empty where they are not known."""
        return self.words.get(memory.mark, "")

    def _at_a_glance(self, memories: Iterable[RecordedRule]) -> list[RecordedRule]:
        """Enter the rules that are certainly what they were, or are listed as what they became."""
        left: list[RecordedRule] = []
        for memory in memories:
            entry = self.outline.entries.get(memory.key)
            marks = (memory.mark, self.meanings.mark(entry) if entry else UNKNOWN)
            # Where its words are not known, a rule is certainly what it was by its title.
            here = entry is not None and (entry.is_transcribed or memory.mark == UNKNOWN)
            same = marks[0] == marks[1] or (here and UNKNOWN in marks)
            if (
                entry
                and same
                and normalize_typography(memory.title) == normalize_typography(self.meanings.title(entry))
            ):
                self.successors[memory] = entry
            elif entry is None and memory.key in self.outline.former_numbers:
                self.successors[memory] = self.outline.former_numbers[memory.key]
            else:
                left.append(memory)
        return left

    def _match(self, left: list[RecordedRule]) -> None:
        """Match the rest with the rules of today. Several memories of one number take turns."""
        sure = {memory.key: rule for memory, rule in self.successors.items() if rule}
        while left:
            turn = {memory.key: memory for memory in reversed(left)}
            left = [memory for memory in left if turn[memory.key] != memory]
            known = {key: rule for key, rule in sure.items() if key not in turn}
            found = self._matched([*turn.values(), *(RecordedRule(key, "", UNKNOWN) for key in known)], known)
            for memory in turn.values():
                heir = found.get(memory.key)
                self.successors[memory] = heir if heir and self._is_likely(memory, heir) else None

    def _matched(
        self, memories: Iterable[RecordedRule], known: Mapping[str, RuleEntry]
    ) -> dict[str, RuleEntry]:
        """Rules of today by the remembered numbers that they had. `known`: those that are certain."""
        old = build_outline(self._edition(memories))
        sure = {old.entries[key]: entry for key, entry in known.items() if key in old.entries}
        shelf = self.meanings.shelf
        made = match_rules(_Remembered(old, shelf), EditionSide(self.outline, shelf), sure)
        heirs = ((entry.key, made.old.get(entry) or made.merged.get(entry)) for entry in old.ordered_entries)
        return {key: rule for key, rule in heirs if rule}

    def _edition(self, memories: Iterable[RecordedRule]) -> Edition:
        """An edition of the remembered rules, in a chapter without a number, so that each finds its place."""

        def text(words: str) -> LocatedText:
            return LocatedText.from_source(words, SourceFile("", ""), 0, 0)

        rules, listed = list[Rule](), list[ListedRule]()
        for memory in memories:
            number, title, words = (
                text(memory.key),
                text(memory.title) if memory.title else None,
                self._said(memory),
            )
            if words and not words.startswith("¶cells"):  # a table is matched by its title
                rules.append(Rule(number=number, title=title, text=text(words)))
            else:
                listed.append(ListedRule(number=number, title=title))
        return replace(
            self.outline.edition,
            edition_file=EditionFile(edition=text("")),
            chapters=(Chapter(number=text(""), rules=tuple(rules)),),
            known=KnownNumbers(known=tuple(listed)),
            sequence=None,
            unmatched_numbers=(),
            tables=(),
            aids=(),
            redirects=None,
        )

    def _alike(self, memory: RecordedRule, entry: RuleEntry) -> float:
        """How much of its words a rule has kept; all where they are not known."""
        before, after = self._said(memory), self.meanings.rule_words(entry)
        if not before or not after:
            return 1.0
        return similarity(mask_references(normalize_words(before)), mask_references(normalize_words(after)))

    def _is_likely(self, memory: RecordedRule, heir: RuleEntry) -> bool:
        """Whether a match is good enough to change references for it."""
        titles = memory.title, self.meanings.title(heir)
        titled = bool(memory.title) and mask_references(tokenize(titles[0])) == mask_references(
            tokenize(titles[1])
        )
        if not (self._said(memory) and self.meanings.rule_words(heir)):
            return titled
        alike, here = self._alike(memory, heir), heir.key == memory.key
        if titled:
            return here or alike >= BARELY
        return alike >= (ALIKE_HERE if here else ALIKE)


class _Remembered(EditionSide):
    """An edition of remembered rules, whose texts are words as they are kept."""

    def source_texts(self, entry: RuleEntry) -> tuple[str, ...] | None:
        return None  # how it was written is not known

    def words(self, text: LocatedText | None) -> tuple[DiffWord, ...]:
        """The words of a text as they are kept; a title is kept as it is read."""
        if not text:
            return ()
        return tuple(normalize_words(text)) if text.startswith("¶") else tokenize(text)

    def matched(self, text: LocatedText | None) -> tuple[str, ...]:
        return mask_references(self.words(text))


def _in_words(pieces: Iterable[DiffPiece]) -> str:
    said: list[str] = []
    gone = ""
    for piece in pieces:
        words = quote_short(escape_field(piece.text), LONGEST)
        if piece.change == "+" and gone:
            said[-1] = f"“{gone}” is “{words}” now"
        elif piece.change:
            said.append(f"“{words}” is {'gone' if piece.change == '-' else 'new'}")
        gone = words if piece.change == "-" else ""
    more = len(said) - MOST_TOLD
    rest = [f"and {more} more differences"] if more > 1 else said[MOST_TOLD:]
    return ", ".join([*said[:MOST_TOLD], *rest])
