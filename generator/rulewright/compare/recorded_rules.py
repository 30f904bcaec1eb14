"""Find the rules of a lock in an edition: which rule of today each recorded one is.

Records that no longer have their rule under their number are matched like an edition of their own, with
sketches in place of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from rulewright.book.lock_file import UNKNOWN, RecordedRule
from rulewright.book.outline import Outline, RuleEntry, build_outline
from rulewright.compare.matching import (
    ALIKE,
    ALIKE_HERE,
    BARELY,
    EditionSide,
    RuleWords,
    pair_rules,
)
from rulewright.compare.rule_digests import RuleDigests, sketch_of, sketch_tokens
from rulewright.compare.word_diff import mask_references, similarity, tokenize
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import SourceFile
from rulewright.schema.rulebook import Chapter, EditionFile, KnownNumbers, ListedRule


def find_recorded_rules(
    records: Iterable[RecordedRule], outline: Outline, digests: RuleDigests
) -> dict[RecordedRule, RuleEntry]:
    """Return the rule of today of each record; several records of a number are matched in turn."""
    found: dict[RecordedRule, RuleEntry] = {}
    remaining: list[RecordedRule] = []
    for record in sorted(set(records)):
        entry = outline.entries.get(record.key)
        if entry and _is_same(record, entry, digests):
            found[record] = entry
        elif entry is None and record.key in outline.former_numbers:
            found[record] = outline.former_numbers[record.key]
        else:
            remaining.append(record)
    if remaining:
        places = Counter((digests.title(entry), digests.digest(entry)) for entry in outline.ordered_entries)
        moved = {(digests.title(entry), digests.digest(entry)): entry for entry in outline.ordered_entries}
        for record in remaining:
            if record.digest != UNKNOWN and places[record.title, record.digest] == 1:
                found[record] = moved[record.title, record.digest]
        remaining = [record for record in remaining if record not in found]
    certain = {record.key: entry for record, entry in found.items()}
    while remaining:
        turn = {record.key: record for record in reversed(remaining)}
        remaining = [record for record in remaining if turn[record.key] != record]
        known = {key: entry for key, entry in certain.items() if key not in turn}
        matches = _match(turn, known, outline, digests)
        found |= {record: entry for record, entry in matches.items() if _is_likely(record, entry, digests)}
    return found


def _is_same(record: RecordedRule, entry: RuleEntry, digests: RuleDigests) -> bool:
    """Return whether a rule is certainly the recorded one; without words, by its title."""
    if not digests.has_title(entry, record):
        return False
    digest = digests.digest(entry)
    is_known = entry.is_transcribed or record.digest == UNKNOWN
    return digest == record.digest or (is_known and UNKNOWN in (digest, record.digest))


def _match(
    records: Mapping[str, RecordedRule],
    known: Mapping[str, RuleEntry],
    outline: Outline,
    digests: RuleDigests,
) -> dict[RecordedRule, RuleEntry]:
    """Match records by number with the rules of today; `known` are the numbers of certain ones."""
    old_side = _RecordedSide(_edition_of_records([*records.values()], known, outline), digests, records)
    certain = {
        old_side.outline.entries[key]: entry
        for key, entry in known.items()
        if key in old_side.outline.entries
    }
    result = pair_rules(old_side, _RecordedSide(outline, digests), certain)
    return {
        records[old.key]: new for old, new in result.old.items() if old.key in records and old not in certain
    }


def _edition_of_records(records: Iterable[RecordedRule], known: Iterable[str], outline: Outline) -> Outline:
    """Return an outline of recorded rules, in a chapter without a number, so that each finds its place."""

    def text(words: str) -> LocatedText:
        return LocatedText.from_source(words, SourceFile("", ""), 0, 0)

    listed: list[ListedRule] = []
    for record in records:
        title = text(record.title) if record.title else None
        listed.append(ListedRule(number=text(record.key), title=title))
    listed += [ListedRule(number=text(key)) for key in known]
    edition = replace(
        outline.edition,
        edition_file=EditionFile(edition=text("")),
        chapters=(Chapter(number=text("")),),
        known=KnownNumbers(known=tuple(listed)),
        sequence=None,
        unmatched_numbers=(),
        tables=(),
        aids=(),
        redirects=None,
    )
    return build_outline(edition)


class _RecordedSide(EditionSide):
    """An edition whose texts are sketches, those of `records` or else of its rules."""

    def __init__(
        self, outline: Outline, digests: RuleDigests, records: Mapping[str, RecordedRule] | None = None
    ) -> None:
        super().__init__(outline, digests.index)
        self.digests, self.records = digests, records

    def of_rule(self, entry: RuleEntry) -> RuleWords:
        if entry not in self._rule_words:
            title = mask_references(tokenize(entry.title)) if entry.title else ()
            sketch = self._sketch(entry)
            self._rule_words[entry] = RuleWords(title, sketch_tokens(sketch))
        return self._rule_words[entry]

    def _sketch(self, entry: RuleEntry) -> bytes:
        if self.records is None:
            return sketch_of(self.digests.words(entry))
        record = self.records.get(entry.key)
        return bytes.fromhex(record.sketch) if record and record.sketch != UNKNOWN else b""

    def says(self, entry: RuleEntry) -> bool:
        return bool(self.of_rule(entry).body) or super().says(entry)


def _is_likely(record: RecordedRule, entry: RuleEntry, digests: RuleDigests) -> bool:
    """Return whether a match is good enough to change references for it."""
    title = digests.title(entry)
    has_same_title = bool(record.title) and mask_references(tokenize(record.title)) == mask_references(
        tokenize(title)
    )
    sketch = sketch_of(digests.words(entry))
    if record.sketch == UNKNOWN or not sketch:
        return has_same_title
    is_here = entry.key == record.key
    if has_same_title and is_here:
        return True
    alike = similarity(sketch_tokens(bytes.fromhex(record.sketch)), sketch_tokens(sketch))
    return alike >= (BARELY if has_same_title else ALIKE_HERE if is_here else ALIKE)
