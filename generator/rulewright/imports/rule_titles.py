"""Titles of rules: in headings, in bold, or by a vote of the siblings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rulewright.imports.blocks import Notes, Run, Runs, after, bold_end, cut, raw_text, strip
from rulewright.imports.book import ImportedRule
from rulewright.imports.numbers import shape
from rulewright.imports.sources.source_site import SourcePage

NOT_LAST = re.compile(r"[.;:,?!]\Z")
_WORD = r"[A-Z][\w’'/&-]*,?"
_SEPARATOR = re.compile(r"(?:[.:]|--?|—|–)(?=\s)\s*")
_PLAIN_TITLES = {
    "colon": re.compile(r"[A-Z?“][^.;:()]{2,60}:(?=\s+\S)"),
    "stop": re.compile(
        rf"{_WORD}(?: (?:{_WORD}|of|the|and|in|to|for|with|an?|or|on|at|by|vs)){{0,5}}\.(?=\s+[A-Z“])"
    ),
}


def split_titles(rules: Sequence[ImportedRule], report: Notes) -> None:
    """Split the title of each rule from its text. Words in no bold are a title if most siblings have it."""
    plain_titles: dict[int, tuple[str, int]] = {}
    counts: Counter[str] = Counter()
    votes: Counter[tuple[str, str]] = Counter()
    for rule in rules:
        if rule.head is None:
            continue
        if match := _SEPARATOR.match(rule.head.text):
            rule.head = replace(rule.head, runs=after(rule.head.runs, match.end()))
        if rule.head.kind == "heading" or bold_title_end(rule.head.runs):
            continue
        counts[shape(rule.printed)] += 1
        if title := _plain_title(rule):
            plain_titles[id(rule)] = title
            votes[shape(rule.printed), title[0]] += 1
    for rule in rules:
        head, form = rule.head, shape(rule.printed)
        if head is None:
            rule.title = bare_title(rule.title)
            continue
        end = len(head.text) if head.kind == "heading" else bold_title_end(head.runs)
        kind, length = plain_titles.get(id(rule), ("", 0))
        is_usual = votes[form, kind] * 2 > counts[form]
        if not end and kind and is_usual and (not rule.strong or kind == "line"):
            end = length
        elif not end and rule.strong and kind == "stop":
            words = head.text[:length].rstrip(".")
            comment = f"“{words}” may be its title; on the page it does not stand out from the text."
            rule.comments.append(comment)
            message = f"{rule.printed}: “{words}” may be its title, and is left in its text"
            report.guess(rule.page, rule.line, message)
        pictures = [run for run in head.runs if run.picture] if end else []
        title_runs, text = cut([run for run in head.runs if run not in pictures], end)
        rule.title = bare_title(title_runs)
        text = strip((*pictures, Run(" "), *strip(text)) if pictures else text)
        if text:
            line = next((run.line for run in text if run.line), head.line)
            block = replace(head, kind="paragraph", runs=text, marker="", line=line, anchor="")
            rule.blocks.insert(0, block)


def bold_title_end(runs: Runs) -> int:
    """Return the length of the title in bold that runs begin with; bold words that go on are none."""
    text = raw_text(runs)
    end = bold_end(tuple(run for run in runs if not run.picture))
    words, rest = " ".join(text[:end].split()), text[end:].strip()
    if not words or words.startswith(("...", "…")) or len(words) > 100:
        return 0
    ends = words[-1] in ".:!?" and not words.endswith("...")
    ends = ends or (words.count(" ") < 6 and rest[:1].isupper() and words[:1].isupper())
    if not (ends or not rest or rest[:1] in ".:—–-") or (not rest and words[-1] == "." and len(words) > 60):
        return 0
    return end + len(text[end:]) - len(text[end:].lstrip(" .:—–-"))


def _plain_title(rule: ImportedRule) -> tuple[str, int] | None:
    """Return the form and the length of a title that does not stand out."""
    assert rule.head
    text = rule.head.text
    line = text.split("\n")[0]
    for form, pattern in _PLAIN_TITLES.items():
        if match := pattern.match(text):
            return form, match.end()
    has_more = bool(rule.blocks or rule.rules)
    if line != text:
        has_more = keeps_lines(rule.page) and not text[len(line) :].lstrip()[:1].islower()
    is_title = 0 < len(line) < 60 and not NOT_LAST.search(line) and line[0] in '“"' + line[0].upper()
    return ("line", len(line)) if has_more and is_title else None


def keeps_lines(page: SourcePage) -> bool:
    return page.name.lower().endswith((".txt", ".text", ".pdf"))


def bare_title(title: Sequence[Run]) -> Runs:
    """Return a title in no bold, without the stop at its end."""
    runs = list(strip([replace(run, strong=False) for run in title]))
    if runs and runs[-1].text.endswith((".", ":")) and not runs[-1].text.endswith(("...", "etc.")):
        runs[-1] = replace(runs[-1], text=runs[-1].text[:-1])
    return strip(runs)
