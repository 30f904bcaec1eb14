"""Second stage of an import: which numbers at the beginning of a block or a line name a rule.

Every number that may be a label is a candidate. The table EVIDENCE lists what supports a candidate and what
contradicts it. The labels are those candidates that together form a tree in order and weigh most. What is
left is a list of contents (an earlier copy of that tree with its titles alone), or is reported with the
reason.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median_high

from rulewright.imports.blocks import SourceBlock, cut, cut_block, plain
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering import printed_labels
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.printed_labels import ITEM, LABEL, UPPER, Key, readings

_CUE = re.compile(
    r"(?:\b(?:see|and|or|to|of|in|by|per|with|under|sections?|rules?|laws?|cases?|through|also|than|from|"
    r"using|via|at|for|the|a|step|table)|[,(–-])\s*\Z",
    re.IGNORECASE,
)
LEADER = re.compile(r"(?:[.…_·-]\s?){3,}\s*\d*\s*\Z|…|\t+\s*\d+\s*\Z|\s{3,}\d{1,3}\s*\Z")
_RUN_ON = re.compile(
    r"[,;%×x/+=)]|(?:and|or|to|of|is|are|on|in|for|if|points?|hex(?:es)?|MPs?|dice|above|below)\b"
)
_TITLE = re.compile(r"[“\"']?[^\W\d_a-z][^.]{2,50}\Z|[A-Z][A-Z ,&’'-]{3,}")
_SENTENCE_END = re.compile(r"[.!?:)”\s]\s*\Z")
_PARTS = re.compile(
    r"\W*(?:appendix|annexe?|anhang|anlage|bijlage|part|book|volume|teil|buch|band|partie|livre|parte|libro|deel)\Z",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S")
_CONTENTS = re.compile(r"\W*(?:table of )?(?:contents|inhalt(?:sverzeichnis)?|index)\W*", re.IGNORECASE)
_MISPRINT = re.compile(r"^[\dlO]{1,3}[.,][\dlO]{1,3}(?=[.:]?\s)", re.MULTILINE)
_MEANT = str.maketrans(",lO", ".10")
_SKIPPED, _ORPHAN = 3, 7  # cost of a gap in the order; of a missing rule above
_MAX_CANDIDATES = 10_000
"""The longest rulebooks have some 3,000 rules; what is longer would take minutes."""


@dataclass(slots=True, eq=False)
class Candidate:
    """A number that may be a label. `start`: its offset in the block; `end`: where the words after it begin.

    `printed`: with its word, brackets and stop; `before`: the words before it; `line`: the rest of its line.
    """

    block: SourceBlock
    index: int
    start: int
    end: int
    word: str
    number: str
    printed: str
    before: str
    line: str
    keys: tuple[Key, ...]
    strong: bool
    leads_away: bool = False
    """It is a link to another place."""

    is_misprinted: bool = False
    """Its number is what may be meant: 1.4 for 1,4 or l.4."""

    heads_text: bool = False
    """Words that are no candidate come next."""

    shape_count: int = 0
    is_single_letter: bool = False
    """It is a letter that may be a word, and no other number continues it."""

    weight: int = 0
    key: Key = ()
    """The reading in which it is a label; empty if it is none."""

    reason: str = ""
    """Why it is no label."""

    is_repeated: bool = False
    """A label has its number."""

    fits: str = ""
    """The number that it may mean, although it is no label."""

    @property
    def words(self) -> str:
        return f"{self.printed} {self.line}".strip()

    @property
    def opens_text(self) -> bool:
        """Whether it begins a block, bold words or a sentence."""
        return not self.start or self.strong or (self.line[:1].isupper() and self.before[-1:] in ".!?:")

    @property
    def line_number(self) -> int:
        return cut_block(self.block, self.start)[1].line

    @property
    def is_heading(self) -> bool:
        return self.start == 0 and self.block.kind == "heading"


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a source, the entries of its lists of contents, and beginnings that are no label."""

    labels: Sequence[Candidate]
    contents: Sequence[Candidate]
    passed: Sequence[Candidate]


EVIDENCE: tuple[tuple[str, int, Callable[[Candidate], object]], ...] = (
    ("begins a heading", 4, lambda c: c.is_heading),
    ("is bold", 3, lambda c: c.strong and not c.is_heading),
    ("begins a block", 2, lambda c: not c.start and not c.is_heading),
    ("has a word or a sign before it", 2, lambda c: c.word),
    ("has several parts", 1, lambda c: len(c.keys[0]) > 1 or ".0" in c.number),
    ("its form is frequent", 1, lambda c: c.shape_count >= 3),
    ("words come next", 1, lambda c: c.heads_text),
    ("a title follows", 2, lambda c: _TITLE.match(c.line)),
    ("it is an initial", -4, lambda c: re.fullmatch("[A-Z]", c.number) and re.match(r"[A-Z]\.", c.line)),
    ("it is in running text", -1, lambda c: not c.opens_text),
    ("the word before it asks for a number", -6, lambda c: c.start and _CUE.search(c.before)),
    ("the sentence continues after it", -3, lambda c: _RUN_ON.match(c.line)),
    ("a page number ends its line", -3, lambda c: LEADER.search(c.line)),
    ("a sign of it may be misprinted", -99, lambda c: c.is_misprinted),
    ("it leads to another place", -7, lambda c: c.leads_away),
    (
        "it is bare",
        -3,
        lambda c: (
            (c.number.isdigit() or c.number.isalpha())
            and not (c.word or c.is_heading or c.strong or c.line.isupper())
            and c.printed[-1] not in ".:)]"
        ),
    ),
    ("nothing follows it", -3, lambda c: not c.line and len(c.keys[0]) == 1 and not c.is_heading),
    ("it is a word", -9, lambda c: c.is_single_letter),
    ("it is a year or an amount", -6, lambda c: re.fullmatch(r"[12]\d{3}|\d{5,}", c.number) and not c.word),
    (
        "it is the label of an item",
        -10,
        lambda c: (
            len(c.keys[0]) == 1
            and not c.word
            and ".0" not in c.number
            and not c.is_heading
            and (c.block.kind == "item" or c.printed[-1:] == ")")
        ),
    ),
)


def find_labels(
    blocks: Sequence[SourceBlock],
    scheme: NumberingScheme | None = None,
    pages: Collection[SourcePage] = (),
) -> Labels:
    """Return the labels of a source.

    `scheme`: how the book is known to number its rules; `pages`: those that may hold rules.
    """
    candidates: list[Candidate] = []
    anchors = {name for block in blocks for name in block.ids}
    for index, block in enumerate(blocks):
        if not pages or block.page in pages:
            candidates += _candidates_of(block, index, anchors, scheme)
    _compare_candidates(candidates, blocks)
    _name_parts(candidates)
    for candidate in candidates:
        candidate.weight = sum(weight for _, weight, holds in EVIDENCE if holds(candidate))
    _order_letters(candidates)
    likely = [candidate for candidate in candidates if candidate.weight > 0]
    labels = _best_chain(likely[:_MAX_CANDIDATES])
    rest = [candidate for candidate in candidates if not candidate.key]
    contents = _contents(rest, labels)
    keys = {label.key for label in labels}
    passed: list[Candidate] = []
    for candidate in rest:
        is_item = ITEM.match(candidate.printed + " ") and not candidate.is_heading  # the tree decides on it
        if candidate not in contents and (is_item or not candidate.opens_text):
            continue
        candidate.is_repeated = not keys.isdisjoint(candidate.keys)
        if candidate in contents:
            candidate.reason = "it is in a list of contents"
        elif candidate.is_repeated:
            candidate.reason = "its number is there already"
        else:
            reasons = (name for name, weight, holds in EVIDENCE if weight < 0 and holds(candidate))
            candidate.reason = "; ".join(reasons) or "nothing before leads up to it"
        passed.append(candidate)
    return Labels(labels, contents, passed)


def _candidates_of(
    block: SourceBlock, index: int, anchors: Collection[str], scheme: NumberingScheme | None
) -> Iterator[Candidate]:
    """Yield the candidates of a block: at its head, at the head of a line, and where bold words begin.

    `anchors`: the addresses of all blocks.
    """
    text = _MISPRINT.sub(lambda match: match.group().translate(_MEANT), block.text)
    starts = {0, *(match.end() for match in re.finditer(r"\n\s*", text)), *_inner_starts(block)}
    for start in sorted(starts):
        match = LABEL.match(text, start)
        number = match["number"] + (match["outside"] or "") if match else ""
        keys = tuple(readings(number))
        if not match or not keys:
            continue
        printed, line = match.group().strip(), text[match.end() :].partition("\n")[0]
        is_letter = re.fullmatch("[A-Z]", printed) and block.kind != "heading" and not line.isupper()
        if is_letter or (scheme and not parse_printed(printed, scheme)):
            continue
        run = cut(block.runs, match.start("number"))[1][0]
        page, _, anchor = run.link.href.partition("#") if run.link else ("", "", "")
        yield Candidate(
            block,
            index,
            start,
            match.end() + len(line) - len(line.lstrip(" |—–\xa0")),
            match["word"].strip(),
            number,
            block.text[start : match.end()].strip(),
            text[max(start - 80, 0) : start].rstrip(),
            line.lstrip(" |—–\xa0").rstrip(),
            keys,
            run.strong,
            block.kind != "heading" and bool(page or (anchor in anchors and anchor not in block.ids)),
            not block.text.startswith(match.group(), start),
        )


def _compare_candidates(candidates: Sequence[Candidate], blocks: Sequence[SourceBlock]) -> None:
    """Set the evidence of candidates that depends on the others."""
    shapes = Counter(printed_labels.shape(candidate.number) for candidate in candidates)
    beginnings = {(candidate.index, candidate.start) for candidate in candidates}
    firsts = Counter(key[0] for candidate in candidates for key in candidate.keys[-1:])
    for candidate in candidates:
        after = _WORD.search(candidate.block.text, candidate.end + len(candidate.line))
        following = (candidate.index, after.start()) if after else (candidate.index + 1, 0)
        candidate.heads_text = following[0] < len(blocks) and following not in beginnings
        candidate.shape_count = shapes[printed_labels.shape(candidate.number)]
        is_continued = firsts[candidate.keys[-1][0]] > 1
        candidate.is_single_letter = candidate.printed in ("A", "I", "O") and not is_continued


def parse_printed(printed: str, scheme: NumberingScheme) -> str:
    """Return the longest form of a printed label that is a number of a scheme; empty if there is none."""
    match = LABEL.match(printed)
    for text in (printed, printed[match.start("open") if match else 0 :]):
        for end in range(len(text), max(len(text) - 4, 0), -1):
            form = text[:end].strip()
            number = form[1:-1] if form[:1] == "(" else form
            if number and scheme.parse_number(number):
                return number
    return ""


def _inner_starts(block: SourceBlock) -> Iterator[int]:
    """Yield where bold words begin within a text."""
    text, offset = block.text, 0
    for run in block.runs:
        if run.strong and run.text and not run.link and offset and _SENTENCE_END.search(text[:offset]):
            yield offset + len(run.text) - len(run.text.lstrip())
        offset += len(run.text)


def _name_parts(candidates: Sequence[Candidate]) -> None:
    """Set the part before the numbers of candidates if numbers begin again in each part: II.1.1."""
    parts = [c for c in candidates if _PARTS.match(c.word) and c.is_heading]
    inner = [c.keys[0] for c in candidates if not c.word and c.is_heading]
    if len(set(inner)) == len(inner):
        return
    part: Candidate | None = None
    for candidate in candidates:
        if candidate in parts:
            part = candidate
        elif part and not candidate.word:
            candidate.keys = tuple(part.keys[0] + key for key in candidate.keys)
            candidate.number = f"{part.number}.{candidate.number}"
            candidate.printed = f"{part.number}.{candidate.printed}"


def _order_letters(candidates: Sequence[Candidate]) -> None:
    """Set the keys of candidates so that lettered chapters rise in the order of the source.

    Chapters with letters come in any order (G, B, C): each counts where most of its numbers are.
    """
    places: defaultdict[tuple[int, float], list[int]] = defaultdict(list)
    for candidate in candidates:
        letter = candidate.keys[-1][0]
        if letter[0] == UPPER and candidate.weight > 0:
            places[letter].append(candidate.index)
    letters = sorted(places, key=lambda letter: median_high(places[letter]))
    ranks = {letter: (UPPER, rank) for rank, letter in enumerate(letters, 1)}
    for candidate in candidates:
        candidate.keys = tuple((ranks.get(key[0], key[0]), *key[1:]) for key in candidate.keys)


def _best_chain(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the heaviest set of candidates whose numbers rise as a tree is read from top to bottom.

    For each candidate the best chain that ends with it is stored. Before 12.3 may come 12.2 and all within
    it; before 12.1, chapter 12. Anything else that is lower costs a gap. The labels get their keys.
    """
    keys: list[Key] = [(), *sorted({key for candidate in candidates for key in candidate.keys})]
    order = {key: index for index, key in enumerate(keys)}
    best = [
        (0, -1),
        *[(-_MAX_CANDIDATES, -1)] * len(order),
    ]  # of each key: the score, and where its chain ends
    chain: list[tuple[int, Candidate, Key]] = []  # index of the one before, candidate, key
    for candidate in candidates:
        ends: list[tuple[int, int, Key]] = []
        for key in candidate.keys:
            place, value = order[key], key[-1][1]
            lowest = key[:-1] if value < 2 else (*key[:-1], (key[-1][0], value - 1))
            is_orphan = value > 1 and key[:-1] not in order and key[-2][0] != UPPER and key[-2][1] > 0
            score, before = max(best[:place])
            skipped = (score - _SKIPPED - is_orphan * _ORPHAN, before)
            score, before = max([skipped, *best[bisect_left(keys, lowest) : place]])
            ends.append((score + candidate.weight, before, key))
        for score, before, key in ends:
            best[order[key]] = max(best[order[key]], (score, len(chain)))
            chain.append((before, candidate, key))
    _, index = max(best)
    labels: list[Candidate] = []
    while index >= 0:
        index, candidate, candidate.key = chain[index]
        labels.append(candidate)
    return labels[::-1]


def _contents(rest: Sequence[Candidate], labels: Sequence[Candidate]) -> list[Candidate]:
    """Return the entries of lists of contents: earlier copies of two labels or more with their titles."""
    by_key = {label.key: label for label in labels}
    groups: list[list[Candidate]] = []
    for candidate in rest:
        rule = next((by_key[key] for key in candidate.keys if key in by_key), candidate)
        words, title = (re.findall(r"[^\W\d_]+", other.line.lower()) for other in (candidate, rule))
        is_before = (candidate.index, candidate.start) < (rule.index, rule.start)
        if is_before and words == title[: len(words)]:
            if not groups or candidate.index - groups[-1][-1].index > 1:
                groups.append([])
            groups[-1].append(candidate)
    return [*chain.from_iterable(group for group in groups if len(group) > 1)]


def contents_heading(block: SourceBlock) -> bool:
    """Return whether a block is the title of a list of contents."""
    return bool(_CONTENTS.fullmatch(plain(block.runs)))
