"""Find the rules of a lock in an edition: which current rule each record is of.

A rule with the same title or words is certain. Each remaining record is compared with all other rules, and
the most similar pairs are taken first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from operator import eq

from rulewright.book.lock_file import UNKNOWN, RecordedRule
from rulewright.book.outline import Outline, RuleEntry
from rulewright.compare.matching import ALIKE, ALIKE_HERE, BARELY
from rulewright.compare.rule_digests import SKETCH_LENGTH, RuleDigests, sketch_bytes
from rulewright.compare.typography import normalize_typography


def find_recorded_rules(
    records: Iterable[RecordedRule], outline: Outline, digests: RuleDigests
) -> dict[RecordedRule, RuleEntry]:
    """Return the current rule of each record; records of one number, after a merge, may have one rule."""
    found: dict[RecordedRule, RuleEntry] = {}
    by_words: defaultdict[tuple[str, str], list[RuleEntry]] = defaultdict(list)
    for entry in outline.ordered_entries:
        by_words[digests.title(entry), digests.digest(entry)].append(entry)
    records = sorted(set(records))
    for record in records:
        numbered, same = outline.entries.get(record.key), by_words[record.title, record.digest]
        if numbered in same:
            found[record] = numbered
        elif record.digest != UNKNOWN and len(same) == 1:
            found[record] = same[0]
        # Without a title, a rule is the same if its words are unknown, now or when it was recorded.
        elif (
            numbered
            and digests.has_title(numbered, record)
            and (record.title or UNKNOWN in (record.digest, digests.digest(numbered)))
        ):
            found[record] = numbered
    taken = {entry: record.key for record, entry in found.items()}
    remaining = [
        (record, sketch_bytes(record.sketch), normalize_typography(record.title))
        for record in records
        if record not in found
    ]
    weighed: list[tuple[float, RecordedRule, RuleEntry]] = []
    for entry in outline.ordered_entries if remaining else ():
        words, title = sketch_bytes(digests.sketch(entry)), normalize_typography(digests.title(entry))
        for record, old_words, old_title in remaining:
            if taken.get(entry, record.key) != record.key:
                continue
            similarity = sum(map(eq, old_words, words)) / SKETCH_LENGTH
            has_title = bool(title) and title == old_title
            is_same_number = record.key == entry.key
            minimum = BARELY if has_title else ALIKE_HERE if is_same_number else ALIKE
            if similarity >= minimum or (has_title and not (words and old_words)):
                weighed.append((similarity + has_title + is_same_number / 2, record, entry))
    for _, record, entry in sorted(weighed, key=lambda pair: pair[0], reverse=True):
        if record not in found and taken.setdefault(entry, record.key) == record.key:
            found[record] = entry
    return found
