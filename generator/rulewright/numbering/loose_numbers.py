"""Numbers that are not written as the book writes them: with other separators, another case or spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_cues import CueWords
from rulewright.numbering.written_number import Have

Reading = tuple[int, RuleNumber]
"""The end of a number in a text, and the number."""

MOST_LABELS = 8
_SHORT_WORDS = "for|and|the|of|to|in|is|or|if|as|at|by|on|it|are|may|has|but|with"
SHORT_WORD = re.compile(rf"(?:{_SHORT_WORDS})")
"""Words that follow a number without a space: 10.0for, 12.5cfor."""
_SHORT_END = re.compile(rf"(?<=\w)(?:{_SHORT_WORDS}|ff)\Z")
_LEVEL_WORDS = "paragraph|subparagraph|para|subsection|item|case|clause|point"
"""Words for a level below, also where the book declares none."""
_ARTICLES = ("a", "I")
_CHAPTER_WORDS = ("A", "I")
"""Labels of chapters that may be words."""
_CONTINUES = re.compile(r"[\w'’-]|\.\w")
_MOST_PIECES = 3


class SpacedNumber(NamedTuple):
    """Number with a space inside it, and its end."""

    number: RuleNumber
    end: int
    is_dotted: bool
    """Whether the space is beside a full stop."""


class LooseReader:
    """Reads numbers by their labels alone, whatever is between them."""

    def __init__(self, dialect: NumberingScheme, evidence: CueWords) -> None:
        self.dialect, self.evidence = dialect, evidence
        signs = sorted({shape[0].words for shape in dialect.shapes if shape[0].before})
        self.lead = f"(?:(?:{'|'.join(signs)})[ \xa0]?)?" if signs else ""
        """Pattern for the text before the first label of a number."""
        self._lead = re.compile(f"(?:{self.lead})?", re.IGNORECASE)
        suffix = dialect.suffixes.regex
        zeros = len(dialect.zeros_of(0))  # 702 is rule 2 of chapter 7
        chapter = rf"(?<![.0-9])[0-9]+(?=[0-9]{{{zeros}}}(?![0-9]))|" if zeros else ""
        self._label = re.compile(rf"{chapter}[0-9]+{suffix}|[IVX]+(?=[a-z])|[^\W\d_]+")
        gap = rf"(?:,?\s{{1,2}}(?P<word>(?i:{_LEVEL_WORDS}))\.?(?=\s))?(?:[ ]{{0,2}}|\r?\n(?!\d))"
        label = rf"\w{{1,4}}{suffix}"
        self._piece = re.compile(
            rf"{gap}(?P<label>\([ ]{{0,2}}{label}[ ]{{0,2}}\)|\.?[ ]{{0,2}}(?!ff){label}(?!\w))"
        )

    def readings(self, words: str) -> list[Reading]:
        """Return every number that a text may begin with, and its end, the longest first."""
        whole_number = self.dialect.parse_number(words)
        readings = [(len(words), whole_number)] if whole_number else []
        lead = self._lead.match(words)
        labels = [*self._label.finditer(_SHORT_END.sub("", words), lead.end() if lead else 0)][:MOST_LABELS]
        for shape in range(len(self.dialect.shapes)):
            for count, last in enumerate(labels, 1):
                number = self.dialect.with_scheme_case([label.group() for label in labels[:count]], shape)
                if number:
                    opened = words.count("(", 0, last.end()) > words.count(")", 0, last.end())
                    readings.append((last.end() + (opened and words[last.end() :][:1] == ")"), number))
        return sorted(readings, key=lambda reading: -reading[0])

    def spaced(
        self, text: str, labels: Sequence[str], end: int, have: Have, is_cued: bool, is_joined: bool = False
    ) -> SpacedNumber | None:
        """Return the number that goes on after a space: § 12 (3) (b), 4.2 a, 4. 2, 4.2, paragraph (b).

        `labels`: those before the space, which end at `end`; `is_joined`: a join is possible there.
        """
        pieces: list[re.Match[str]] = []
        stop = end
        while len(pieces) < _MOST_PIECES and (m := self._piece.match(text, stop)):
            pieces.append(m)
            stop = m.end()
        if not pieces or not re.search(r"\s", pieces[0].group()) or (is_joined and not pieces[0]["word"]):
            return None
        is_dotted = pieces[0]["label"][0] == "."
        for count in range(len(pieces), 0, -1):
            stop = pieces[count - 1].end()
            compact = ".".join((*labels, *(re.sub(r"[\s.]", "", m["label"]) for m in pieces[:count])))
            numbers = [number for read, number in self.readings(compact) if read == len(compact)]
            existing = filter(have, numbers)
            number = next(existing, numbers[0] if numbers else None)
            above = self.dialect.parent(number) if number and len(number.labels) > len(labels) else None
            if number is None or above is None or _CONTINUES.match(text, stop):
                continue
            exists, label = have(number), pieces[count - 1]["label"].strip()
            may_exist = have(above) and label not in ("I", "f") and (count > 1 or not is_dotted)
            is_weak = not exists or is_dotted or label in _ARTICLES
            is_weak = is_weak or (len(labels) == 1 and (labels[0].isdigit() or labels[0] in _CHAPTER_WORDS))
            if pieces[0]["word"]:
                is_meant = exists and (is_cued or len(labels) > 1)
            elif is_weak:
                is_complete = (count > 1 and not is_dotted) or self.evidence.clause_ends(text, stop)
                is_meant = is_cued and (exists or may_exist) and is_complete
            else:
                is_meant = count > 1 or self.evidence.list_may_end(text, stop)
            if is_meant:
                return SpacedNumber(number, stop, is_dotted)
        return None
