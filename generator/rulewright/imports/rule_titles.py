"""Titles of rules: in headings, in bold, or by a vote of the siblings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rulewright.imports.blocks import (
    Notes,
    Run,
    Runs,
    SourceBlock,
    after,
    bold_end,
    cut,
    raw_text,
    strip,
)
from rulewright.imports.numbers import shape
from rulewright.imports.rule_draft import RuleDraft
from rulewright.imports.sources.source_site import SourcePage

_TITLE_END = re.compile(r"[.:!?]\Z")
_TITLE_COLON = re.compile(r"[A-Z?“][^.;:()]{2,60}:(?=\s+\S)")
_WORD = r"[A-Z][\w’'/&-]*,?"
NOT_LAST = re.compile(r"[.;:,?!]\Z")
_PARTING = re.compile(r"(?:[.:]|--?|—|–)(?=\s)\s*")
_TITLE_STOP = re.compile(
    rf"{_WORD}(?: (?:{_WORD}|of|the|and|in|to|for|with|an?|or|on|at|by|vs)){{0,5}}\.(?=\s+[A-Z“])"
)


def split_titles(drafts: Sequence[RuleDraft], report: Notes) -> None:
    """Split the title of each rule from its text. Words in no bold are a title if most siblings have one."""
    plain_titles: dict[int, tuple[str, int]] = {}
    counts: Counter[str] = Counter()
    votes: Counter[tuple[str, str]] = Counter()
    for draft in drafts:
        if draft.head is None:
            continue
        draft.head = _without_parting(draft.head)
        if draft.head.kind == "heading" or bold_title_end(draft.head.runs):
            continue
        form = shape(draft.printed)
        counts[form] += 1
        if option := _plain_title(draft):
            plain_titles[id(draft)] = option
            votes[form, option[0]] += 1
    for draft in drafts:
        head = draft.head
        if head is None:
            draft.title = bare_title(draft.title)
            continue
        pictures = tuple(run for run in head.runs if run.picture)
        end = len(head.text) if head.kind == "heading" else bold_title_end(head.runs)
        form, length = plain_titles.get(id(draft), ("", 0))
        is_usual = votes[shape(draft.printed), form] * 2 > counts[shape(draft.printed)]
        if not end and form and is_usual and (not draft.strong or form == "line"):
            end = length
        elif not end and draft.strong and form == "stop":
            words = head.text[:length].rstrip(".")
            comment = f"“{words}” may be its title; on the page it does not stand out from the text."
            draft.comments.append(comment)
            message = f"{draft.printed}: “{words}” may be its title, and is left in its text"
            report.guess(draft.page, draft.line, message)
        title, text = cut([run for run in head.runs if not run.picture] if end else head.runs, end)
        draft.title = bare_title(title)
        if pictures and end:
            text = (*pictures, Run(" "), *strip(text))
        text = strip(text)
        if text:
            line = next((run.line for run in text if run.line), head.line)
            draft.blocks.insert(
                0, replace(head, kind="paragraph", runs=text, marker="", line=line, anchor="")
            )


def _without_parting(head: SourceBlock) -> SourceBlock:
    """Return the block of a label without what parts the label from its text."""
    match = _PARTING.match(head.text)
    return replace(head, runs=after(head.runs, match.end())) if match else head


def bold_title_end(runs: Runs) -> int:
    """Return the length of the title in bold that runs begin with; bold words that go on are none."""
    text = raw_text(runs)
    end = bold_end(tuple(run for run in runs if not run.picture))
    words, rest = " ".join(text[:end].split()), text[end:].strip()
    if not words or words.startswith(("...", "…")):
        return 0
    ends = bool(_TITLE_END.search(words)) and not words.endswith(("...", "…"))
    ends = ends or (words.count(" ") < 6 and rest[:1].isupper() and words[:1].isupper())
    if not (ends or not rest or rest[:1] in ".:—–-") or len(words) > 100:
        return 0
    if not rest and words.endswith(".") and len(words) > 60:
        return 0
    return end + len(text[end:]) - len(text[end:].lstrip(" .:—–-"))


def _plain_title(draft: RuleDraft) -> tuple[str, int] | None:
    """Return the form and the length of a title that does not stand out."""
    assert draft.head
    text = draft.head.text
    line = text.split("\n")[0]
    for form, pattern in (("colon", _TITLE_COLON), ("stop", _TITLE_STOP)):
        if match := pattern.match(text):
            return form, match.end()
    has_more = bool(draft.blocks or draft.rules)
    if line != text:
        has_more = keeps_lines(draft.page) and not text[len(line) :].lstrip()[:1].islower()
    if has_more and 0 < len(line) < 60 and not NOT_LAST.search(line) and line[:1] in '“"' + line[:1].upper():
        return "line", len(line)
    return None


def keeps_lines(page: SourcePage) -> bool:
    return page.name.lower().endswith((".txt", ".text", ".pdf"))


def bare_title(title: Runs) -> Runs:
    """Return a title in no bold, without the stop at its end."""
    made = list(strip([replace(run, strong=False) for run in title]))
    if made and made[-1].text.endswith((".", ":")) and not made[-1].text.endswith(("...", "etc.")):
        made[-1] = replace(made[-1], text=made[-1].text[:-1])
    return strip(made)
