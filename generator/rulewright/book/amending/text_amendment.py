"""Change the words of a text, with the spaces around them."""

from __future__ import annotations

import re

from rulewright.files.located_text import LocatedText
from rulewright.schema.amended_text import DELETED, INSERTED, UNCHANGED, AmendedRun, AmendedText, amended_runs
from rulewright.schema.erratum import Erratum

_CLOSING = re.compile(r"[.,;:!?)\]’”»]")
_ITEM = re.compile(r"(?:^|\n)[ ]*[-*][ ]+\Z")
_SPACE_BEFORE = re.compile(r"(?<=\S)[ ]*\n?[ ]*\Z")
_PARAGRAPH = "\n\n"


def replace_words(
    text: LocatedText, start: int, end: int, new: LocatedText | None, erratum: Erratum
) -> AmendedText:
    """Replace the words between two offsets, or delete them if there are no new words."""
    if new is None:
        start, end = _include_space(text, start, end)
    return _replace_span(text, start, end, _inserted_runs(new, erratum) if new else [], erratum)


def insert_words(
    text: LocatedText, offset: int, new: LocatedText, erratum: Erratum, *, before: bool
) -> AmendedText:
    """Insert words before or after the quoted words at an offset."""
    runs = _inserted_runs(new, erratum)
    space = AmendedRun(INSERTED, _separator(text, offset, runs[0].words), new, 0, erratum)
    if before:
        runs = [*runs, space]
    else:
        offset = _after_other_insertions(text, offset)
        runs = runs if _CLOSING.match(runs[0].words) else [space, *runs]
    return _replace_span(text, offset, offset, runs, erratum)


def append_paragraph(text: LocatedText, new: LocatedText, erratum: Erratum) -> AmendedText:
    """Append a paragraph to a text."""
    offset = len(text.rstrip())
    runs = _inserted_runs(new, erratum)
    if offset:
        runs = [AmendedRun(INSERTED, _PARAGRAPH, new, 0, erratum), *runs]
    return _replace_span(text, offset, offset, runs, erratum)


def _inserted_runs(new: LocatedText, erratum: Erratum) -> list[AmendedRun]:
    words = new.strip()
    return [AmendedRun(INSERTED, words, new, new.index(words), erratum)]


def _separator(text: str, offset: int, new: str) -> str:
    """Return the separator between inserted and adjacent words: a space, or line ends for items and
    paragraphs.
    """
    if re.search(r"\n\s*\n", new):
        return _PARAGRAPH
    if re.match(r"(?:[-*]|\d{1,3}\.)[ ]", new):
        line = text[text.rfind("\n", 0, offset) + 1 :]
        return "\n" + line[: len(line) - len(line.lstrip(" "))]
    return " "


def _after_other_insertions(text: LocatedText, offset: int) -> int:
    """Return the offset after words that other errata inserted there, to keep the order of the errata."""
    position = 0
    for run in amended_runs(text):
        if run.change == INSERTED and position == offset and run.erratum and run.erratum.after:
            offset += len(run.words)
        if run.change != DELETED:
            position += len(run.words)
    return offset


def _include_space(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a deleted span so that neither a double space nor an empty list item remains."""
    before, after = text[:start], text[end:]
    ends_line = not after.strip(" ") or after.lstrip(" ").startswith("\n")
    if ends_line and (item := _ITEM.search(before)):
        return item.start(), end
    if not after or after[0].isspace() or _CLOSING.match(after):
        space = _SPACE_BEFORE.search(before)
        return (space.start() if space else start), end
    if (not before or before.endswith("\n")) and (space := re.match(r"[ ]+", after)):
        return start, end + space.end()
    return start, end


def _replace_span(
    text: LocatedText, start: int, end: int, new_runs: list[AmendedRun], erratum: Erratum
) -> AmendedText:
    """Replace a span of a text by new runs."""
    runs: list[AmendedRun] = []
    offset, waits = 0, True
    for run in amended_runs(text):
        if run.change == DELETED:
            runs.append(run)
            continue
        first, last = offset, offset + len(run.words)
        head, tail = max(0, min(last, start) - first), max(0, min(last, end) - first)
        runs.append(run.part(0, head))
        if run.change == UNCHANGED and head < tail:
            runs.append(run.part(head, tail)._replace(change=DELETED, erratum=erratum))
        if waits and (end < last or (end == last and start < end)):
            runs += new_runs
            waits = False
        runs.append(run.part(max(head, tail), len(run.words)))
        offset = last
    if waits:
        runs += new_runs
    return AmendedText.from_runs(text.printed, runs)
