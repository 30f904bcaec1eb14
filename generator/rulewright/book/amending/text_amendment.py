"""One change to a text: words taken out and others put in, with the white space that this asks for."""

from __future__ import annotations

import re

from rulewright.model.amended_text import COME, GONE, KEPT, AmendedRun, AmendedText, amended_runs
from rulewright.model.erratum import Erratum
from rulewright.source.lazy_regex import Regex
from rulewright.source.located_text import LocatedText

_CLOSING = Regex(r"[.,;:!?)\]’”»]")
_ITEM = Regex(r"(?:^|\n)[ ]*[-*][ ]+\Z")
_SPACE_BEFORE = Regex(r"(?<=\S)[ ]*\n?[ ]*\Z")
_PARAGRAPH = "\n\n"


def replace_words(
    text: LocatedText, start: int, end: int, new: LocatedText | None, erratum: Erratum
) -> AmendedText:
    """A text with other words from `start` to `end`, or without those where there are no new ones."""
    if new is None:
        start, end = _with_space(text, start, end)
    return _changed(text, start, end, _words(new, erratum) if new else [], erratum)


def insert_words(
    text: LocatedText, at: int, new: LocatedText, erratum: Erratum, *, before: bool
) -> AmendedText:
    """A text with more words in it. `before`: they come in front of those that were named, else behind."""
    come = _words(new, erratum)
    space = AmendedRun(COME, _between(text, at, come[0].words), new, 0, erratum)
    if before:
        come = [*come, space]
    else:
        at = _behind_others(text, at)
        come = come if _CLOSING.match(come[0].words) else [space, *come]
    return _changed(text, at, at, come, erratum)


def append_paragraph(text: LocatedText, new: LocatedText, erratum: Erratum) -> AmendedText:
    """A text with a paragraph more."""
    at = len(text.rstrip())
    come = _words(new, erratum)
    if at:
        come = [AmendedRun(COME, _PARAGRAPH, new, 0, erratum), *come]
    return _changed(text, at, at, come, erratum)


def _words(new: LocatedText, erratum: Erratum) -> list[AmendedRun]:
    words = new.strip()
    return [AmendedRun(COME, words, new, new.index(words), erratum)]


def _between(text: str, at: int, new: str) -> str:
    """Separator between new words and those beside them: a space, or for items and paragraphs line ends."""
    if re.search(r"\n\s*\n", new):
        return _PARAGRAPH
    if re.match(r"(?:[-*]|\d{1,3}\.)[ ]", new):
        line = text[text.rfind("\n", 0, at) + 1 :]
        return "\n" + line[: len(line) - len(line.lstrip(" "))]
    return " "


def _behind_others(text: LocatedText, at: int) -> int:
    """Behind words that other errata have put in at the same place, so that all stand in their order."""
    behind = 0
    for run in amended_runs(text):
        if run.change == COME and behind == at and run.erratum and run.erratum.after:
            at += len(run.words)
        if run.change != GONE:
            behind += len(run.words)
    return at


def _with_space(text: str, start: int, end: int) -> tuple[int, int]:
    """From where to where is taken out, so that no space too many stays, and no item without words."""
    before, behind = text[:start], text[end:]
    ends_line = not behind.strip(" ") or behind.lstrip(" ").startswith("\n")
    if ends_line and (item := _ITEM.search(before)):
        return item.start(), end
    if not behind or behind[0].isspace() or _CLOSING.match(behind):
        space = _SPACE_BEFORE.search(before)
        return (space.start() if space else start), end
    if (not before or before.endswith("\n")) and (space := re.match(r"[ ]+", behind)):
        return start, end + space.end()
    return start, end


def _changed(
    text: LocatedText, start: int, end: int, come: list[AmendedRun], erratum: Erratum
) -> AmendedText:
    """A text with these words instead of those from `start` to `end`."""
    made: list[AmendedRun] = []
    at, waits = 0, True
    for run in amended_runs(text):
        if run.change == GONE:
            made.append(run)
            continue
        first, last = at, at + len(run.words)
        head, tail = max(0, min(last, start) - first), max(0, min(last, end) - first)
        made.append(run.part(0, head))
        if run.change == KEPT and head < tail:
            made.append(run.part(head, tail)._replace(change=GONE, erratum=erratum))
        if waits and (end < last or (end == last and start < end)):
            made += come
            waits = False
        made.append(run.part(max(head, tail), len(run.words)))
        at = last
    if waits:
        made += come
    return AmendedText.from_runs(text.printed, made)
