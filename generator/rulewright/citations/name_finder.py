"""Words that name something: a phase by its title or its abbreviation, a term of the glossary.

Names are looked for apart from references, which are found first: a name never lies in one. What there is to
be named, and what is meant where several things bear a name, is the glossary's to say (`glossary`).

Where it is not certain that words are the name, they are words: a title with another capitalised word in
front of it ("German Movement Phase") may well be the name of something else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from rulewright.numbers.reference_finder import JOINS
from rulewright.source.invisible_characters import clean_text, cleaned
from rulewright.source.lazy_regex import Regex

T = TypeVar("T")
Span = tuple[int, int]

_LEADING = (
    "a an the each every any all both no not this that these those its their his her your our my either "
    "neither another one two in at on of off to for from by with as if when while during before after until "
    "since through throughout within outside between and or but then than see per only"
)
_OPENERS = frozenset(_LEADING.split())
"""Words that begin a sentence, and are no part of the name that follows."""

_GAP = r"(?:[^\S\n]+\n?|\n)[^\S\n]*"  # a line may end between two words, but not a paragraph
_BEFORE = Regex(rf"([^\W\d_][\w'’-]*){_GAP}\Z")
_BEHIND = Regex(rf"{_GAP}([^\W\d_][\w'’-]*)")
_AMOUNT = Regex(r"(?:\A|(?<=[\s(+×~≈−–-]))(?:\d+[/.,])?\d*[\d½¼¾⅓⅔⅛]\Z")
_GLUED = Regex(r"\w[-‐‑'’.@&]\Z")  # behind the beginning of a longer word: non-OOS, R&D
_GLUES = Regex(r"[-‐‑]\d|[.@&]\w")  # in front of the rest of one: MP-40, AT&T
_TIED = Regex(r"(?:[&/+]\s*|\w[–])\Z")  # and behind that of a longer title: Mode & Movement Segment
_SIGNS = Regex(r"[*\\\[\]]")
_LOOK_BACK = 120  # how far a row of titles may reach
_LONGEST = 32  # and a word or a number in front of a name


class NameSpelling(NamedTuple, Generic[T]):
    """One way to write what a target is called.

    `is_title`: it is the title of a step, so that a capitalised word beside it may make it part of a
    longer one; `kind`: the kind of step that it ends with, "Phase".
    """

    words: str
    target: T
    is_title: bool = False
    kind: str = ""


class NameMatch(NamedTuple, Generic[T]):
    """Words of a text that are a name: where they stand (`end` exclusive) and what they mean."""

    start: int
    end: int
    target: T


class NameFinder(Generic[T]):
    """All names of an edition, ready to be found in its texts.

    `joins` are the words between the last two of several ("Movement and Supply Phases"), English ones where
    there are none. `never` are phrases in which nothing is a name; one with a # is about numbers only.
    """

    def __init__(
        self, names: Iterable[NameSpelling[T]], joins: Sequence[str] = (), never: Iterable[str] = ()
    ) -> None:
        self._names: dict[str, list[NameSpelling[T]]] = {}
        for name in names:
            words = _one_line(cleaned(name.words))
            if words and not _SIGNS.search(words):
                for spelling in dict.fromkeys((words, words[0].upper() + words[1:])):
                    self._names.setdefault(spelling, []).append(name)
        self._pattern = _any_of(self._names) if self._names else None
        phrases = "|".join(_spaced(phrase) for phrase in never if phrase.strip() and "#" not in phrase)
        self._never = re.compile(rf"(?<![^\W\d])(?:{phrases})(?!\w)", re.IGNORECASE) if phrases else None
        self._rows = dict(self._rows_of(joins or JOINS))

    def find(
        self, text: str, taken: Sequence[Span], choose: Callable[[Sequence[T]], T | None]
    ) -> list[NameMatch[T]]:
        """Everything that is named in a text, each once, where it is first; in order.

        `taken`: the stretches, in order, that references and marks stand in. `meant` chooses what a name
        means among all that bear it, or None.
        """
        matches: dict[T, NameMatch[T]] = {}
        cleaning = clean_text(text)
        if cleaning:
            text, taken = cleaning.text, [cleaning.to_cleaned_span(*span) for span in taken]
        for start, end, names in self.certain_matches(text, taken):
            target = choose([name.target for name in names])
            if target is not None and target not in matches:
                matches[target] = NameMatch(
                    *(cleaning.to_source_span(start, end) if cleaning else (start, end)), target
                )
        return sorted(matches.values(), key=lambda match: match.start)

    def certain_matches(
        self, text: str, taken: Sequence[Span]
    ) -> Iterator[tuple[int, int, Sequence[NameSpelling[T]]]]:
        """Every stretch of a text that is certainly a name, with all that bear it; the longest win."""
        if not self._pattern:
            return
        quiet: Sequence[Span] | None = None
        offset = 0
        while m := self._pattern.search(text, offset):
            (start, end), offset = m.span(), m.start() + 1
            words = _one_line(m.group())
            names = self._names.get(words) or self._names[words.removesuffix("s")]
            row_names = self._row(text, start, names[0])
            first = row_names[-1][0] if row_names else start
            if not self._is_whole(text, first, end, names[0]):
                continue
            if quiet is None:
                quiet = [n.span() for n in self._never.finditer(text)] if self._never else ()
            for begin, name_end, spellings in (*row_names, (start, end, names)):
                amount = _AMOUNT.search(text[max(0, begin - _LONGEST) : begin])
                first = begin - len(amount[0]) if amount else begin
                if not overlaps_any(taken, first, name_end) and not _holds(quiet, begin, name_end):
                    offset = end
                    yield first, name_end, spellings

    def _is_whole(self, text: str, first: int, end: int, name: NameSpelling[T]) -> bool:
        """Whether words are no part of something longer. `first`: where a row that ends with them begins."""
        back = text[max(0, first - _LONGEST) : first]
        if _GLUED.search(back) or _GLUES.match(text, end):
            return False
        if back[-1:].isnumeric() or len(name.words) == 1:  # 2T, 6MP
            return not name.is_title and " " not in name.words and _AMOUNT.search(back) is not None
        before, after = _BEFORE.search(back), _BEHIND.match(text, end)
        if name.is_title:
            is_continued = after and not name.kind and after[1][0].isupper()
            tied = is_continued or _TIED.search(back)
            return not tied and not (before and _may_belong(before[1]))
        # Among words in capitals, AT is one of them.
        return not (name.words.isupper() and any(m and self._is_loud(m[1]) for m in (before, after)))

    def _is_loud(self, word: str) -> bool:
        return len(word) > 2 and word.isupper() and word not in self._names

    def _row(
        self, text: str, start: int, last: NameSpelling[T]
    ) -> Sequence[tuple[int, int, Sequence[NameSpelling[T]]]]:
        """The names before one that share its kind, from the last: "the Movement and the Supply Phase"."""
        row_names: list[tuple[int, int, Sequence[NameSpelling[T]]]] = []
        patterns = self._rows.get(last.kind) if last.is_title else None
        while patterns and (m := patterns[bool(row_names)].search(text, max(0, start - _LOOK_BACK), start)):
            start = m.start(1)
            row_names.append((*m.span(1), self._names[f"{_one_line(m[1])} {last.kind}"]))
        return row_names

    def _rows_of(self, joins: Sequence[str]) -> Iterator[tuple[str, tuple[re.Pattern[str], re.Pattern[str]]]]:
        """For each kind of step what stands in front of the last title of a row, and of those before it."""
        titles: dict[str, set[str]] = {}
        for words, names in self._names.items():
            for kind in {name.kind for name in names if name.is_title and words.endswith(f" {name.kind}")}:
                titles.setdefault(kind, set()).add(words.removesuffix(kind).strip())
        joined = "|".join(map(_spaced, sorted(joins, key=len, reverse=True)))
        article = rf"{_GAP}(?:[^\W\d_]{{1,4}}{_GAP})?\Z"
        for kind, bases in titles.items():
            base = rf"(?<![\w-])({'|'.join(map(_spaced, sorted(bases, key=len, reverse=True)))})"
            last, earlier = rf"{base},?{_GAP}(?:{joined}){article}", rf"{base},{article}"
            yield kind, (re.compile(last), re.compile(earlier))


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Finds any of the names, the longest first. By first letters, since there may be hundreds."""
    by_letter: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        by_letter.setdefault(word[0], []).append(word)
    groups = (
        f"(?={re.escape(first)})(?:{'|'.join(map(_spaced, group))})" for first, group in by_letter.items()
    )
    return re.compile(rf"(?<![^\W\d½¼¾⅓⅔⅛])(?:{'|'.join(groups)})s?(?!\w)")


def _spaced(words: str) -> str:
    """A pattern for words, which line ends may part, with either apostrophe."""
    return _GAP.join(re.escape(word).replace("'", "['’]") for word in _one_line(words).split())


def _one_line(words: str) -> str:
    return " ".join(words.replace("’", "'").split())


def _may_belong(word: str) -> bool:
    return word[0].isupper() and word.lower() not in _OPENERS and word[-2:] not in ("'s", "’s")


def overlaps_any(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether a stretch shares a character with one of several that stand in order."""
    position = bisect_left(spans, (end, 0))
    return position > 0 and spans[position - 1][1] > start


def _holds(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether a stretch lies within one of several that stand in order."""
    position = bisect_left(spans, (start + 1, 0))
    return position > 0 and spans[position - 1][1] >= end
