"""Find the rules of a lock in an edition: which current rule each record is of.

A rule with the same title or words is certain. Each remaining record is compared with all other rules, and
the most similar pairs are taken first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from rulewright.book.lock_file import UNKNOWN, RecordedRule
from rulewright.book.outline import Outline, RuleEntry
from rulewright.compare.matching import ALIKE, ALIKE_HERE, BARELY
from rulewright.compare.rule_digests import RuleDigests, sketch_similarity


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
        here, same = outline.entries.get(record.key), by_words[record.title, record.digest]
        if here in same:
            found[record] = here
        elif record.digest != UNKNOWN and len(same) == 1:
            found[record] = same[0]
        elif here and digests.has_title(here, record):
            # Without a title, a rule is the same if its words are unknown, now or when it was recorded.
            if record.title or UNKNOWN in (record.digest, digests.digest(here)):
                found[record] = here
        elif not here and record.key in outline.former_numbers:
            found[record] = outline.former_numbers[record.key]
    taken = {entry: record.key for record, entry in found.items()}
    remaining = [record for record in records if record not in found]
    weighed: list[tuple[float, RecordedRule, RuleEntry]] = []
    for entry in outline.ordered_entries if remaining else ():
        sketch = digests.sketch(entry)
        for record in remaining:
            if taken.get(entry, record.key) != record.key:
                continue
            alike = sketch_similarity(record.sketch, sketch)
            has_title = bool(record.title) and digests.has_title(entry, record)
            is_here = record.key == entry.key
            minimum = BARELY if has_title else ALIKE_HERE if is_here else ALIKE
            if alike >= minimum or (has_title and UNKNOWN in (record.sketch, sketch)):
                weighed.append((alike + has_title + is_here / 2, record, entry))
    for _, record, entry in sorted(weighed, key=lambda pair: pair[0], reverse=True):
        if record not in found and taken.setdefault(entry, record.key) == record.key:
            found[record] = entry
    return found
