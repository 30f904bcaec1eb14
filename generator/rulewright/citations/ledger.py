"""The ledger: every number and cue in the texts, counted by other means than references are found by.

Each is linked, told of by a problem, declared to be no reference, or none for a reason; what has no reason is
not explained, and nothing is passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rulewright.book.outline import Outline
from rulewright.citations.resolving import Resolved, written_in
from rulewright.citations.shelf import Shelf
from rulewright.model.account import DECLARED, LINKED, NONE, SILENT, TOLD
from rulewright.numbers import reasons
from rulewright.numbers.evidence import spaced
from rulewright.source.patterns import Regex
from rulewright.source.problems import File, Place, shown
from rulewright.source.text import Text

if TYPE_CHECKING:
    from rulewright.citations.manuscript import Manuscript


class Item(NamedTuple):
    """A number or a cue of a text, from `start` to `end`, how it stands, and why."""

    text: Text | Prose
    start: int
    end: int
    state: str
    why: str = ""

    def __str__(self) -> str:
        return shown(self.text[self.start : self.end])


class Prose(str):
    """The prose of a page, each sign of it where it is in the page."""

    file: File

    def place_of(self, offset: int) -> Place:
        return self.file.place(offset)

    @classmethod
    def of(cls, page: Manuscript) -> Prose:
        from rulewright.citations.manuscript import prose_of  # late: small games have no pages

        made = cls(prose_of(page.text).replace("\0", "\1"))
        made.file = File(page.name, page.text)
        return made


Read = tuple[Text | Prose, Sequence[Resolved]]
"""A text with its references."""

NO_CUE = "nothing leads up to it, and no rule has it"
WORD = "a word of its sentence"


_GAP = re.compile(r"[\s(\[“„\"'*_~:.]*(?:(?:nos?\.|number|#|§{1,2})\s*)?[\[(“\"*_]*")
_LEAD = Regex(r"[\[§(.–-]*")
_BETWEEN = re.compile("[-–/]")
_NEXT = re.compile(r"[^\s,;)]+")


class _Spans:
    """The references of a text, by where they stand."""

    def __init__(self, found: Sequence[Resolved]) -> None:
        spans = ((*(one.found.mark or one.found)[:2], one) for one in found)
        self._spans = sorted(spans, key=lambda span: span[:2])

    def between(self, start: int, end: int) -> list[tuple[int, int, Resolved]]:
        """The references that overlap a stretch of the text, in order."""
        stop = first = bisect_left(self._spans, end, key=lambda span: span[0])
        while first and self._spans[first - 1][1] > start:
            first -= 1
        return self._spans[first:stop]


class Ledger:
    """The account of an edition."""

    def __init__(self, outline: Outline, shelf: Shelf) -> None:
        around = shelf.around(outline)
        books = [one.edition.book for one in around]
        examples = tuple(str(one) for book in books for one in (*book.numbers, *book.chapters))
        words = tuple(str(one) for book in books for one in (*book.cues, *book.levels))
        never = [one for book in books for one in book.not_references]
        never += [one for outline in around for one in outline.edition.file.not_references]
        phrases = "|".join(spaced(one).replace(r"\#", r"\S+") for one in never if one.strip("# "))
        self._tokens = reasons.tokens(examples, words)
        self._never = re.compile(rf"(?<!\w)(?:{phrases})(?!\w)", re.IGNORECASE) if phrases else None
        self._excused = {(one.code, one.at) for one in outline.edition.file.excused}
        self._rules = [one.entries for one in around]
        self.used: set[str] = set()
        """The cues that lead up to a number, as they are written, in small letters."""

    def items(self, texts: Sequence[Read]) -> Iterator[Item]:
        """Every number and cue of texts, in order. No text holds a NUL."""
        at = base = led = 0
        near = _Spans(texts[0][1] if texts else ())
        for m in self._tokens.finditer("\0".join([*(text for text, _ in texts), ""])):
            if m.lastgroup == "end":
                at, base = at + 1, m.end()
                near = _Spans(texts[at][1] if at < len(texts) else ())
                continue
            text = texts[at][0]
            start, end = m.start() - base, m.end() - base
            if m.lastgroup == "cue":
                yield self._cue(text, near, start, end)
                led = m.end()
                continue
            cued = led >= base and _GAP.fullmatch(text, led - base, start) is not None
            more = m["more"]
            head = end - len(more) if more else end
            yield self._number(text, near, start, head, cued)
            for one in reasons.members(more) if more else ():
                yield self._number(text, near, head + one.start(), head + one.end(), cued)

    def _cue(self, text: Text | Prose, near: _Spans, start: int, end: int) -> Item:
        gap = _GAP.match(text, end)
        behind = gap.end() if gap else end
        for first, last, one in near.between(start, behind + 1):
            if (first < end and start < last) or end <= first <= behind < last:
                self.used.add(text[start:end].lower())
                return self._read(one, text, start, end)
        if not reasons.leads(text, end):
            return Item(text, start, end, NONE, WORD)
        word = _NEXT.match(text, behind)
        stop = word.end() if word else behind
        return self._other(text, start, end, reasons.reason(text, behind, stop, text[start:end] != "per"))

    def _number(self, text: Text | Prose, near: _Spans, start: int, end: int, cued: bool) -> Item:
        lead = _LEAD.match(text, start, end)
        first, last = lead.end() if lead else start, end - (text[end - 1] in ")]")
        read = near.between(start, end)
        if not read:
            parts = _BETWEEN.split(text[first:last])
            cued = cued or any(part in rules for rules in self._rules for part in parts)
            why = reasons.reason(text, start, end, cued)
            return self._other(text, start, end, why or ("" if cued else NO_CUE))
        faulty = next((one for *_, one in read if one.fault), read[-1][2])
        if faulty.fault or (read[0][0] <= first and last <= read[-1][1]):
            return self._read(faulty, text, start, end)
        words = ", ".join(text[one.found.start : one.found.end] for *_, one in read)
        return Item(text, start, end, SILENT, f"only {words} of it is read")

    def _read(self, one: Resolved, text: Text | Prose, start: int, end: int) -> Item:
        if not one.fault:
            return Item(text, start, end, LINKED)
        excused = (one.fault.code, one.about(text)) in self._excused
        return Item(text, start, end, DECLARED if excused else TOLD, one.fault.code)

    def _other(self, text: Text | Prose, start: int, end: int, why: str) -> Item:
        never = self._never.finditer(text, max(0, start - 60), end + 60) if self._never else ()
        if any(m.start() < end and start < m.end() for m in never):
            return Item(text, start, end, DECLARED, "by not-references")
        return Item(text, start, end, NONE if why else SILENT, why)


def ledgers(shelf: Shelf, pages: Iterable[Manuscript]) -> Iterator[tuple[Ledger, str, Iterator[Item]]]:
    """The ledger of each edition with its address and the items of all its texts and pages, each once."""
    of_edition: dict[str, list[Read]] = {}
    for page in pages:
        if page.edition:
            of_edition.setdefault(page.edition.address, []).append((Prose.of(page), page.resolved))
    for address, outline in shelf.outlines.items():
        own = shelf.texts[address]
        if outline.edition.base:
            own = [read for read in own if written_in(read[0], outline.edition)]
        ledger = Ledger(outline, shelf)
        yield ledger, address, ledger.items([*own, *of_edition.get(address, ())])
