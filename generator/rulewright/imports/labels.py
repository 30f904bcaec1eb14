"""Second stage of an import: which numbers at the beginning of a block or a line name a rule.

Every number that may be a label is a candidate. The table EVIDENCE lists what supports a candidate and what
contradicts it. The labels are those candidates that together form a tree in order and weigh most. What is
left is a list of contents (an earlier copy of that tree with its titles alone), or is passed over with the
reason.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rulewright.imports import numbers
from rulewright.imports.blocks import Run, SourceBlock, bold_end, plain, raw_text, run_at
from rulewright.imports.numbers import ITEM, LABEL, UPPER, Key, readings
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.numbering_scheme import NumberingScheme

_CUE = re.compile(
    r"(?:\b(?:see|and|or|to|of|in|by|per|with|under|sections?|rules?|laws?|cases?|through|also|than|from|"
    r"using|via|at|for|the|a|step|table)|[,(–-])\s*\Z",
    re.IGNORECASE,
)
LEADER = re.compile(r"(?:[.…_·-]\s?){3,}\s*\d*\s*\Z|…|\t+\s*\d+\s*\Z|\s{3,}\d{1,3}\s*\Z")
_PAGE = re.compile(r"\D\s\d{1,3}\s*\Z")
_RUN_ON = re.compile(
    r"[,;%×x/+=)]|(?:and|or|to|of|is|are|on|in|for|if|points?|hex(?:es)?|MPs?|dice|above|below)\b"
)
_TITLE = re.compile(r"[“\"']?[^\W\d_a-z][^.]{2,50}\Z|[A-Z][A-Z ,&’'-]{3,}")
_TITLE_WITH_COLON = re.compile(r"[A-Z?“][^.;()]{2,60}:")
_SENTENCE_END = re.compile(r"[.!?:)”\s]\s*\Z")
_PARTS = re.compile(
    r"\W*(?:appendix|annexe?|anhang|anlage|bijlage|part|book|volume|teil|buch|band|partie|livre|parte|libro|deel)\Z",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"\W*(?:table of )?(?:contents|inhalt(?:sverzeichnis)?|index)\W*", re.IGNORECASE)
_SKIPPED, _ORPHAN = 3, 6  # cost of a gap in the order; of a missing rule above


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number that may be a label."""

    block: SourceBlock
    index: int
    start: int
    end: int
    """Where the words after the number begin."""

    word: str
    number: str
    printed: str
    """The number with its word, brackets and stop."""

    before: str
    """The words before it in its line or block."""

    line: str
    """The rest of its line."""

    keys: tuple[Key, ...]
    is_first: bool
    strong: bool
    is_own_link: bool = False
    leads_away: bool = False
    heads_text: bool = False
    """Words that are no candidate come next."""

    shape_count: int = 0
    is_rare: bool = False
    is_alone_on_top: bool = False
    """It is in the only heading of its level, above all others."""

    is_lone_letter: bool = False
    """It is a letter that may be a word, and no other number continues it."""

    follows_label: bool = False
    """The line above it is a short one that begins with a label."""

    comes_again: bool = False
    """The next heading begins with the same number."""

    weight: int = 0
    key: Key = ()

    @property
    def line_number(self) -> int:
        run = run_at(self.block.runs, self.start)
        lines = run.text[: self.start].count("\n") if run and run is self.block.runs[0] else 0
        return run.line + lines if run and run.line else self.block.line

    @property
    def is_heading(self) -> bool:
        return self.is_first and self.block.kind == "heading"


@dataclass(frozen=True, slots=True)
class Passed:
    """A number at the beginning of a block or of bold words that is no label, and why."""

    block: SourceBlock
    line: int
    words: str
    number: str
    reason: str
    key: Key = ()


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a source, the entries of its lists of contents, and beginnings that are no label."""

    labels: tuple[Candidate, ...] = ()
    contents: tuple[Candidate, ...] = ()
    passed: tuple[Passed, ...] = ()


def _is_bare(candidate: Candidate) -> bool:
    """Return whether nothing marks a number or letter as a label: no word, stop, heading or capitals."""
    is_marked = candidate.word or candidate.printed[-1:] in ".:)]" or candidate.is_heading
    return not (is_marked or candidate.strong or candidate.line.isupper())


EVIDENCE: tuple[tuple[str, int, Callable[[Candidate], object]], ...] = (
    ("begins a heading", 4, lambda c: c.is_heading),
    ("is bold", 3, lambda c: c.strong and not c.is_heading),
    ("begins a block", 2, lambda c: c.is_first and not c.is_heading),
    ("has a word or a sign before it", 2, lambda c: c.word),
    ("has several parts", 1, lambda c: len(c.keys[0]) > 1 or ".0" in c.number),
    ("its form is frequent", 1, lambda c: c.shape_count >= 3),
    ("its form is rare", -1, lambda c: c.is_rare),
    ("is an address", 2, lambda c: c.number.rstrip(".") in {name for _, name in c.block.ids}),
    ("words come next", 1, lambda c: c.heads_text),
    ("a title follows", 2, lambda c: _TITLE.match(c.line)),
    (
        "a title with a colon follows",
        3,
        lambda c: c.start and c.printed[-1:] == ")" and _TITLE_WITH_COLON.match(c.line),
    ),
    ("it is an initial", -4, lambda c: re.fullmatch("[A-Z]", c.number) and re.match(r"[A-Z]\.", c.line)),
    ("begins a line after that of a label", 3, lambda c: c.follows_label),
    ("it stands in running text", -2, lambda c: not c.is_first and not c.strong),
    (
        "the text before it goes on",
        -2,
        lambda c: not (c.is_first or c.strong or c.follows_label) and re.search(r"[a-z0-9,;]\s*\Z", c.before),
    ),
    ("the word before it asks for a number", -6, lambda c: not c.is_first and _CUE.search(c.before)),
    ("a small letter follows", -1, lambda c: c.line[:1].islower()),
    ("the sentence continues after it", -3, lambda c: _RUN_ON.match(c.line)),
    ("a page number ends its line", -3, lambda c: LEADER.search(c.line) or _PAGE.search(c.line)),
    ("it leads to another place", -7, lambda c: c.leads_away),
    ("it is a bare number", -3, lambda c: c.number.isdigit() and _is_bare(c)),
    ("nothing follows it", -3, lambda c: not c.line and len(c.keys[0]) == 1 and not c.is_heading),
    ("it is a word", -9, lambda c: c.is_lone_letter),
    ("it is a bare letter", -5, lambda c: c.number.isalpha() and _is_bare(c)),
    ("it is a year or an amount", -6, lambda c: re.fullmatch(r"[12]\d{3}|\d{5,}", c.number) and not c.word),
    ("it is in the title of the book", -9, lambda c: c.is_alone_on_top),
    ("it comes again in the next heading", -4, lambda c: c.comes_again),
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
    pages: Collection[SourcePage] | None = None,
) -> Labels:
    """Return the labels of a source.

    `scheme`: how the book is known to number its rules; `pages`: those that may hold rules.
    """
    candidates = _name_parts(_candidates(blocks, scheme, pages))
    candidates = _order_letters([replace(c, weight=_weigh(c)) for c in candidates])
    labels = _best_chain([c for c in candidates if c.weight > 0])
    chosen = {(label.index, label.start): label for label in labels}
    left = [candidate for candidate in candidates if (candidate.index, candidate.start) not in chosen]
    contents = _contents(left, labels)
    listed = {(entry.index, entry.start) for entry in contents}
    keys = {label.key for label in labels}
    passed: list[Passed] = []
    for candidate in left:
        if (candidate.index, candidate.start) in listed or not (candidate.is_first or candidate.strong):
            continue
        if ITEM.match(candidate.printed + " ") and not candidate.is_heading:
            continue  # the tree decides on items
        again = next((key for key in candidate.keys if key in keys), ())
        negative = [name for name, weight, holds in EVIDENCE if weight < 0 and holds(candidate)]
        reason = (
            "its number is there already" if again else "; ".join(negative) or "nothing before leads up to it"
        )
        words = f"{candidate.printed} {candidate.line}".strip()
        passed.append(Passed(candidate.block, candidate.line_number, words, candidate.number, reason, again))
    return Labels(tuple(labels), tuple(contents), tuple(passed))


def _weigh(candidate: Candidate) -> int:
    return sum(weight for _, weight, holds in EVIDENCE if holds(candidate))


def _candidates(
    blocks: Sequence[SourceBlock], scheme: NumberingScheme | None, pages: Collection[SourcePage] | None
) -> list[Candidate]:
    candidates: list[Candidate] = []
    places = {
        name: n for n, b in reversed([*enumerate(blocks)]) for name in (b.anchor, *(i for _, i in b.ids))
    }
    for index, block in enumerate(blocks):
        if (
            block.kind in ("table", "code")
            or not block.runs
            or (pages is not None and block.page not in pages)
        ):
            continue
        text = block.text
        for start in sorted(
            {0, *(match.end() for match in re.finditer(r"\n\s*", text)), *_inner_starts(block)}
        ):
            match = LABEL.match(text, start)
            number = match["number"] + (match["outside"] or "") if match else ""
            keys = tuple(readings(number))
            if not match or not keys or (match["open"] and not set(match["close"]) & set(")]")):
                continue
            printed = match.group().strip()
            if scheme and not parse_printed(printed, scheme):
                continue
            if (
                re.fullmatch("[A-Z]", printed)
                and block.kind != "heading"
                and not text[match.end() :].isupper()
            ):
                continue
            end = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip(" |—–\xa0"))
            stop = min((at for at in (text.find("\n", end),) if at >= 0), default=len(text))
            run = run_at(block.runs, match.start("number")) or Run("")
            page, _, anchor = run.link.href.partition("#") if run.link else ("", "", "")
            leads_away = bool(page) or (bool(anchor) and places.get(anchor, index) != index)
            candidates.append(
                Candidate(
                    block, index, start, end, match["word"].strip(), number, printed, text[:start].rstrip(),
                    text[end:stop].strip(), keys, start == 0, run.strong,
                    leads_away=leads_away and block.kind != "heading",
                    follows_label=_follows_label(text, start, block),
                )
            )  # fmt: skip
    shapes = Counter(numbers.shape(candidate.number) for candidate in candidates)
    beginnings = {(candidate.index, candidate.start) for candidate in candidates}
    headings = [(index, block) for index, block in enumerate(blocks) if block.kind == "heading"]
    following = {index: other for (index, _), (other, _) in pairwise(headings)}
    letters = Counter(key[0] for candidate in candidates for key in candidate.keys[-1:])
    heading_keys = {candidate.index: candidate.keys for candidate in candidates if candidate.is_heading}
    made: list[Candidate] = []
    for candidate in candidates:
        text, end = candidate.block.text, candidate.end + len(candidate.line)
        rest = len(text[end:]) - len(text[end:].lstrip())
        place = (candidate.index, end + rest) if text[end:].strip() else (candidate.index + 1, 0)
        heads_text = place[0] < len(blocks) and place not in beginnings
        count = shapes[numbers.shape(candidate.number)]
        again = heading_keys.get(following.get(candidate.index, -1)) if candidate.is_heading else None
        made.append(
            replace(
                candidate,
                shape_count=count,
                is_rare=count * 200 < len(candidates),
                heads_text=len(candidate.line) > 60 or heads_text,
                is_alone_on_top=candidate.is_heading and _is_alone_on_top(candidate, headings, candidates),
                is_lone_letter=candidate.printed in ("A", "I", "O")
                and letters[candidate.keys[-1][0]] < 2
                and not letters[UPPER, candidate.keys[-1][0][1] + 1],
                comes_again=bool(again) and candidate.keys == again,
            )
        )
    return made


def _follows_label(text: str, start: int, block: SourceBlock) -> bool:
    """Return whether the line above a line of plain text is short and begins with a label."""
    above = text[:start].rstrip().rpartition("\n")[2].strip()
    return bool(start and len(above) < 60 and LABEL.match(above) and LABEL.match(block.text))


def _is_alone_on_top(
    candidate: Candidate, headings: Sequence[tuple[int, SourceBlock]], candidates: Sequence[Candidate]
) -> bool:
    """Return whether a candidate is in the first heading of its page, all others are below it, and none is
    a rule inside it.
    """
    levels = [block.level for _, block in headings if block.page is candidate.block.page]
    pages = {block.page.name for _, block in headings}
    is_first = headings[0][0] == candidate.index
    is_shown = len(pages) == 1 and is_first and len(levels) > 2 and candidate.block.level < min(levels[1:])
    if not is_shown or candidate.word:
        return False
    others = [one for one in candidates if one is not candidate and (one.is_heading or one.strong)]
    own = candidate.keys[0]
    comes_again = any(own == key for one in others for key in one.keys)
    return comes_again or not any(key[: len(own)] == own for one in others for key in one.keys)


def parse_printed(printed: str, scheme: NumberingScheme) -> str:
    """Return the longest form of a printed label that is a number of a scheme; empty if there is none."""
    match = LABEL.match(printed)
    start = match.start("open") if match else 0
    for text in (printed, printed[start:]):
        for end in range(len(text), max(len(text) - 4, 0), -1):
            form = text[:end].strip()
            bare = form[1:-1] if form[:1] == "(" and form[-1:] == ")" else form
            if bare and any(map(str.isalnum, bare)) and scheme.parse_number(bare):
                return bare
    return ""


def _inner_starts(block: SourceBlock) -> Iterator[int]:
    """Yield where bold words begin within a text, or a number in brackets with a title."""
    text, offset = block.text, 0
    for run in block.runs:
        if run.picture:
            continue
        if run.strong and not run.link and offset and _SENTENCE_END.search(text[:offset]):
            yield offset + len(run.text) - len(run.text.lstrip())
        offset += len(run.text)
    for match in re.finditer(r"(?<=[.!?)”:a-z])\s(?=\(\d+\.\d[\d.]*\) [A-Z][^.;()]{2,60}:)", text):
        yield match.end()


def _name_parts(candidates: list[Candidate]) -> list[Candidate]:
    """Return candidates with the part before their number if numbers begin again in each part: II.1.1."""
    parts = [c for c in candidates if _PARTS.match(c.word) and c.is_heading]
    inner = [c.keys[0] for c in candidates if not c.word and c.is_heading]
    if len(parts) < 2 or len(set(inner)) == len(inner):
        return candidates
    made: list[Candidate] = []
    part: Candidate | None = None
    for candidate in candidates:
        if candidate in parts:
            part = candidate
        elif part and not candidate.word:
            keys = tuple(part.keys[0] + key for key in candidate.keys)
            number = f"{part.number}.{candidate.number}"
            candidate = replace(
                candidate, keys=keys, number=number, printed=f"{part.number}.{candidate.printed}"
            )
        made.append(candidate)
    return made


def _order_letters(candidates: list[Candidate]) -> list[Candidate]:
    """Return candidates whose lettered chapters rise in the order of the source.

    Chapters with letters come in any order (G, B, C): each counts where most of its numbers are.
    """
    places: dict[float, list[int]] = {}
    for candidate in candidates:
        if candidate.keys[-1][0][0] == UPPER and candidate.weight > 0:
            places.setdefault(candidate.keys[-1][0][1], []).append(candidate.index)
    median = {letter: sorted(own)[len(own) // 2] for letter, own in places.items()}
    rank = {letter: index for index, letter in enumerate(sorted(median, key=lambda one: median[one]), 1)}

    def ranked(key: Key) -> Key:
        return ((UPPER, rank.get(key[0][1], key[0][1])), *key[1:]) if key[0][0] == UPPER else key

    return [replace(candidate, keys=tuple(map(ranked, candidate.keys))) for candidate in candidates]


def _best_chain(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the heaviest set of candidates whose numbers rise as a tree is read from top to bottom.

    For each candidate the best chain that ends with it is kept. Before 12.3 may come 12.2 and all within it;
    before 12.1, chapter 12. Anything else that is lower costs a gap.
    """
    keys = sorted({key for candidate in candidates for key in candidate.keys})
    order = {key: index for index, key in enumerate(keys)}
    best = _HighestScores(len(keys))
    chain: list[tuple[int, int, Candidate, Key]] = []  # score, index of the one before, candidate, key
    for candidate in candidates:
        ends: list[tuple[int, int, Key]] = []
        for key in candidate.keys:
            place, value = order[key], key[-1][1]
            lowest = key[:-1] if value < 2 else (*key[:-1], (key[-1][0], value - 1))
            low = bisect_left(keys, lowest) if lowest else 0
            near = best.highest(low, place) if lowest or place else (0, -1)
            if not lowest:
                near = max(near, (0, -1))
            jump, jumped = best.highest(0, place)
            cost = _SKIPPED + (
                _ORPHAN if value > 1 and len(key) > 1 and key[:-1] not in order and key[-2][0] != UPPER else 0
            )
            score, before = max(near, (jump - cost, jumped), (-cost, -1))
            ends.append((score + candidate.weight, before, key))
        for score, before, key in ends:
            chain.append((score, before, candidate, key))
            best.set(order[key], (score, len(chain) - 1))
    _, at = best.highest(0, len(keys))
    labels: list[Candidate] = []
    while at >= 0:
        _, at, candidate, key = chain[at]
        labels.append(replace(candidate, key=key))
    return labels[::-1]


class _HighestScores:
    """A segment tree: the highest of a range of scores, each with the index of its chain."""

    none = (-(10**9), -1)

    def __init__(self, size: int) -> None:
        self.size = max(size, 1)
        self.scores = [self.none] * (2 * self.size)

    def set(self, index: int, score: tuple[int, int]) -> None:
        index += self.size
        if score < self.scores[index]:
            return
        self.scores[index] = score
        while index > 1:
            index //= 2
            self.scores[index] = max(self.scores[2 * index], self.scores[2 * index + 1])

    def highest(self, low: int, high: int) -> tuple[int, int]:
        """Return the highest score from `low` up to, not with, `high`."""
        best, low, high = self.none, low + self.size, high + self.size
        while low < high:
            if low & 1:
                best, low = max(best, self.scores[low]), low + 1
            if high & 1:
                high -= 1
                best = max(best, self.scores[high])
            low, high = low // 2, high // 2
        return best


def _contents(left: Sequence[Candidate], labels: Sequence[Candidate]) -> list[Candidate]:
    """Return the entries of lists of contents: earlier copies of three labels or more with their titles."""
    by_key = {label.key: label for label in labels}
    listed: list[Candidate] = []
    group: list[Candidate] = []

    def end_group() -> None:
        if len(group) > (1 if all(map(_is_link, group)) else 2):
            listed.extend(group)
        group.clear()

    for candidate in left:
        rule = next((by_key[key] for key in candidate.keys if key in by_key), None)
        is_entry = (
            rule is not None
            and (candidate.index, candidate.start) < (rule.index, rule.start)
            and _is_same_title(candidate.line, rule.line)
        )
        if group and (not is_entry or candidate.index - group[-1].index > 1):
            end_group()
        if is_entry:
            group.append(candidate)
    end_group()
    return listed


def _is_link(candidate: Candidate) -> bool:
    return any(run.link for run in candidate.block.runs)


def _is_same_title(entry: str, title: str) -> bool:
    """Return whether an entry of a list of contents has a rule's title, with or without leader and page."""
    words = [re.findall(r"[^\W\d_]+", text.lower()) for text in (entry, title)]
    return len(words[0]) < 15 and words[0] == words[1][: len(words[0])]


def contents_heading(block: SourceBlock) -> bool:
    """Return whether a block is the title of a list of contents."""
    return bool(_CONTENTS.fullmatch(plain(block.runs)))


def bold_beginning(block: SourceBlock) -> str:
    """Return the bold words that a block begins with."""
    return raw_text(block.runs)[: bold_end(block.runs)]
