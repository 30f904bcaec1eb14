"""Titles of rules: in headings, in bold, or by a vote of the siblings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rulewright.imports.blocks import Run, Runs, SourceBlock, after, bold_end, cut_block, raw_text, strip
from rulewright.imports.book import ImportedRule
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.printed_labels import shape

NOT_LAST = re.compile(r"[.;:,?!]\Z")
_MAX_LINE = 60
_WORD = r"[A-Z][\w’'/&-]*,?"
_SEPARATOR = re.compile(r"(?:[.:]|--?|—|–)(?=\s)\s*")
_PLAIN_TITLES = {
    "colon": re.compile(r"[A-Z?“][^.;:()]{2,60}:(?=\s+\S)"),
    "stop": re.compile(
        rf"{_WORD}(?: (?:{_WORD}|of|the|and|in|to|for|with|an?|or|on|at|by|vs)){{0,5}}\.(?=\s+[A-Z“])"
    ),
}


def split_titles(rules: Sequence[ImportedRule]) -> None:
    """Split the title of each rule from its text. Words in no bold are a title if most siblings have it."""
    untitled: list[tuple[ImportedRule, SourceBlock, str, int]] = []
    counts: Counter[str] = Counter()
    votes: Counter[tuple[str, str]] = Counter()
    for rule in rules:
        head = rule.head
        if head is None:
            rule.title = bare_title(rule.title)
            continue
        if match := _SEPARATOR.match(head.text):
            head = replace(head, runs=after(head.runs, match.end()))
        end = len(head.text) if head.kind == "heading" else bold_title_end(head.runs)
        form, end = ("bold", end) if end else _plain_title(rule, head)
        untitled.append((rule, head, form, end))
        counts[shape(rule.printed)] += form != "bold"
        votes[shape(rule.printed), form] += 1
    for rule, head, form, end in untitled:
        number = shape(rule.printed)
        is_usual = votes[number, form] * 2 > counts[number] and (not rule.strong or form == "line")
        title, rest = cut_block(head, end if form == "bold" or is_usual else 0)
        rule.title = bare_title(title.runs)
        if rest.runs:
            rule.blocks.insert(0, rest)


def bold_title_end(runs: Runs) -> int:
    """Return the length of the title in bold that runs begin with; bold words that go on are none."""
    text = raw_text(runs)
    end = bold_end(runs)
    words, rest = " ".join(text[:end].split()), text[end:].strip()
    if not words or len(words) > 100:
        return 0
    is_short = words.count(" ") < 6 and rest[:1].isupper() and words[:1].isupper()
    is_sentence = not rest and words[-1] == "." and len(words) > _MAX_LINE
    if is_sentence or not (words[-1] in ".:!?" or is_short or rest[:1] in ".:—–-"):
        return 0
    return end + len(text[end:]) - len(text[end:].lstrip(" .:—–-"))


def _plain_title(rule: ImportedRule, head: SourceBlock) -> tuple[str, int]:
    """Return the form and the length of a title that does not stand out; no form if there is none."""
    text = head.text
    line = text.split("\n")[0]
    for form, pattern in _PLAIN_TITLES.items():
        if match := pattern.match(text):
            return form, match.end()
    has_more = bool(rule.blocks or rule.rules)
    if line != text:
        has_more = keeps_lines(rule.page) and not text[len(line) :].lstrip()[:1].islower()
    is_title = 0 < len(line) < _MAX_LINE and not NOT_LAST.search(line) and line[0] in '“"' + line[0].upper()
    return ("line", len(line)) if has_more and is_title else ("", 0)


def keeps_lines(page: SourcePage) -> bool:
    return page.name.lower().endswith((".txt", ".text", ".pdf"))


def bare_title(title: Sequence[Run]) -> Runs:
    """Return a title in no bold, without the stop at its end."""
    runs = list(strip([replace(run, strong=False) for run in title]))
    if runs:
        runs[-1] = replace(runs[-1], text=runs[-1].text.rstrip(".:"))
    return strip(runs)
