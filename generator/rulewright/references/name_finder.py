"""Finder of names in texts: titles and abbreviations of phases, and glossary terms.

References are found first, and a name never overlaps a reference. The module `glossary` supplies the names,
and decides the meaning of a name that several objects have.

Words that may be part of another name are not matched: a title after another capitalised word ("German
Movement Phase") may be the name of something else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from rulewright.files.invisible_characters import clean_text, cleaned

T = TypeVar("T")
Span = tuple[int, int]

_LEADING = (
    "a an the each every any all both no not this that these those its their his her your our my either "
    "neither another one two in at on of off to for from by with as if when while during before after until "
    "since through throughout within outside between and or but then than see per only"
)
_OPENERS = frozenset(_LEADING.split())
"""Words that begin a sentence without being part of the name that follows."""

_GAP = r"(?:[^\S\n]+\n?|\n)[^\S\n]*"  # a line may end between two words, but not a paragraph
_BEFORE = re.compile(rf"([^\W\d_][\w'’-]*){_GAP}\Z")
_AFTER = re.compile(rf"{_GAP}([^\W\d_][\w'’-]*)")
_AMOUNT = re.compile(r"(?:\A|(?<=[\s(+×~≈−–-]))(?:\d+[/.,])?\d*[\d½¼¾⅓⅔⅛]\Z")
_GLUED = re.compile(r"\w[-‐‑'’.@&]\Z")  # the beginning of a longer word: non-OOS, R&D
_GLUES = re.compile(r"[-‐‑]\d|[.@&]\w")  # the end of a longer word: MP-40, AT&T
_TIED = re.compile(r"(?:[&/+]\s*|\w[–])\Z")  # the beginning of a longer title: Mode & Movement Segment
_SIGNS = re.compile(r"[*\\\[\]]")
_LONGEST = 32  # maximum length of a word or a number before a name


class NameSpelling(NamedTuple, Generic[T]):
    """One spelling of the name of a target."""

    words: str
    target: T
    is_title: bool = False
    """Whether it is the title of a step, which may be part of a longer title beside a capitalised word."""

    kind: str = ""  # the kind of step at its end, such as "Phase"
    ignores_case: bool = False


class NameMatch(NamedTuple, Generic[T]):
    """A name in a text, from `start` to `end` (exclusive), and its meaning."""

    start: int
    end: int
    target: T


class NameFinder(Generic[T]):
    """Finder of all names of an edition in its texts.

    `never`: phrases without names; phrases with a # concern only numbers.
    """

    def __init__(self, names: Iterable[NameSpelling[T]], never: Iterable[str] = ()) -> None:
        self._names: dict[str, list[NameSpelling[T]]] = {}
        folded: set[str] = set()
        for name in names:
            words = _one_line(cleaned(name.words))
            if words and not _SIGNS.search(words):
                exact = dict.fromkeys((words, words[0].upper() + words[1:]))
                for spelling in (words.casefold(),) if name.ignores_case else exact:
                    self._names.setdefault(spelling, []).append(name)
                if name.ignores_case:
                    folded.add(words.casefold())
        as_written, any_case = _by_first_letter(self._names.keys() - folded), _by_first_letter(folded)
        pattern = "|".join(filter(None, [as_written, any_case and f"(?i:{any_case})"])) or "(?!)"
        self._pattern = re.compile(rf"(?<![^\W\d½¼¾⅓⅔⅛])(?:{pattern})s?(?!\w)")
        phrases = "|".join(_spaced(phrase) for phrase in never if phrase.strip() and "#" not in phrase)
        self._never = re.compile(rf"(?<![^\W\d])(?:{phrases or '(?!)'})(?!\w)", re.IGNORECASE)

    def find(
        self, text: str, taken: Sequence[Span], choose: Callable[[Sequence[T]], T | None]
    ) -> list[NameMatch[T]]:
        """Return the first occurrence of each name in a text, in order."""
        matches: dict[T, NameMatch[T]] = {}
        for match in self.find_all(text, taken, choose):
            matches.setdefault(match.target, match)
        return sorted(matches.values(), key=lambda match: match.start)

    def find_all(
        self, text: str, taken: Sequence[Span], choose: Callable[[Sequence[T]], T | None]
    ) -> Iterator[NameMatch[T]]:
        """Yield every occurrence of a name in a text.

        `taken`: the spans of references and marks, in order. `choose` returns the meaning of a name among all
        targets with that name, or None.
        """
        cleaning = clean_text(text)
        if cleaning:
            text, taken = cleaning.text, [cleaning.to_cleaned_span(*span) for span in taken]
        for start, end, names in self.certain_matches(text, taken):
            target = choose([name.target for name in names])
            if target is not None:
                yield NameMatch(*(cleaning.to_source_span(start, end) if cleaning else (start, end)), target)

    def certain_matches(
        self, text: str, taken: Sequence[Span]
    ) -> Iterator[tuple[int, int, Sequence[NameSpelling[T]]]]:
        """Yield the span of each certain name in a text, with its spellings; longer names take precedence."""
        excluded: Sequence[Span] | None = None
        offset = 0
        while m := self._pattern.search(text, offset):
            (start, end), offset = m.span(), m.start() + 1
            words = _one_line(m.group())
            forms = (words, words.removesuffix("s"), words.casefold(), words.casefold().removesuffix("s"))
            names = next(self._names[form] for form in forms if form in self._names)
            if not self._is_whole(text, start, end, names[0]):
                continue
            if excluded is None:
                excluded = [match.span() for match in self._never.finditer(text)]
            amount = _AMOUNT.search(text[max(0, start - _LONGEST) : start])
            first = start - len(amount[0]) if amount else start
            if not overlaps_any(taken, first, end) and not overlaps_any(excluded, first, end):
                offset = end
                yield first, end, names

    def _is_whole(self, text: str, start: int, end: int, name: NameSpelling[T]) -> bool:
        """Return whether words are not part of a longer name."""
        back = text[max(0, start - _LONGEST) : start]
        if _GLUED.search(back) or _GLUES.match(text, end):
            return False
        if back[-1:].isnumeric() or len(name.words) == 1:  # 2T, 6MP
            return not name.is_title and " " not in name.words and _AMOUNT.search(back) is not None
        before, after = _BEFORE.search(back), _AFTER.match(text, end)
        if name.is_title:
            is_continued = after and not name.kind and after[1][0].isupper()
            is_tied = is_continued or _TIED.search(back)
            return not is_tied and not (before and _may_belong_to_title(before[1]))
        if not name.words.isupper():
            return True
        # Among words in capitals, AT is a word, not an abbreviation.
        words = [match[1] for match in (before, after) if match]
        return not any(len(word) > 2 and word.isupper() and word not in self._names for word in words)


def _by_first_letter(words: Iterable[str]) -> str:
    """Return a pattern of words by first letter, since there may be hundreds."""
    by_letter: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        by_letter.setdefault(word[0], []).append(word)
    return "|".join(
        f"(?={re.escape(first)})(?:{'|'.join(map(_spaced, group))})" for first, group in by_letter.items()
    )


def _spaced(words: str) -> str:
    """Return a pattern for words with line ends between them and with either apostrophe."""
    return _GAP.join(re.escape(word).replace("'", "['’]") for word in _one_line(words).split())


def _one_line(words: str) -> str:
    return " ".join(words.replace("’", "'").split())


def _may_belong_to_title(word: str) -> bool:
    """Return whether a word before a title may be part of the title."""
    is_possessive = word[-2:] in ("'s", "’s")
    return word[0].isupper() and word.lower() not in _OPENERS and not is_possessive


def overlaps_any(spans: Sequence[Span], start: int, end: int) -> bool:
    """Return whether a span shares a character with one of the sorted spans."""
    position = bisect_left(spans, (end, 0))
    return position > 0 and spans[position - 1][1] > start
