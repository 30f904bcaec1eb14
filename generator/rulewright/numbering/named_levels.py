"""Numbers whose levels are named: "section 6, case 2" and "case 2 of section 6" are 6.2.

A rulebook declares the words for its levels, from the chapter down. A chain of them is one number, also after
a number ("6.2, item b"); with a list in it, it is several: "cases 1 and 2 of section 6". A word alone adds
the context: in chapter 6 of a book of sections and cases, "case 2" is 6.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rulewright.numbering.label_types import parse_roman
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_cues import CueWords, PrecedingWords
from rulewright.numbering.written_number import Have, WrittenNumber

_LABEL_OF = r"(\((?=\w+\))|\[(?=\w+\]))?(\w{{1,6}}{})(?!\w|\.\w)(?(1)\)?)"
_GAP = re.compile(r"\)?(?:['’]s)?(?:[,;:]|[ \xa0][–—-])?[ \t\xa0]*\n?[ \t\xa0]*\(?")
_WITHIN = "of|in|under|within|von|vom|des|der|im|du|de"
_OF = re.compile(
    rf"{_GAP.pattern}(?<=[\s(])(?:{_WITHIN})\s+(?:(?:the|this|our|dem|der)\s+)?(?:§{{1,2}}\s*)?",
    re.IGNORECASE,
)
_ARTICLES = ("a", "I")
# Commonly used for chapters, whatever level the book uses the word for.
_ANY_LEVEL = ("section", "rule", "chapter", "part", "article", "abschnitt", "regel", "kapitel")
_NO_LEVEL = ("step", "phase", "item", "point")  # of a list, also where the book declares them as cues
NO_LEVEL = 99
"""The level of a word that counts something without a rule number."""

_WORDS = (
    "a an the this that these those any each every either neither no such which what worst "
    "best first last one all both some another other same latter former upper lower"
)
_DETERMINERS = frozenset(_WORDS.split())


class TextContext(str):
    """Label of the chapter of a text; `labels`: those of the text's rule."""

    __slots__ = ("labels",)

    labels: tuple[str, ...]

    @classmethod
    def from_labels(cls, labels: tuple[str, ...]) -> TextContext:
        context = cls(labels[0])
        context.labels = labels
        return context


class _Member(NamedTuple):
    """Member of a list, with its labels."""

    start: int
    end: int
    labels: tuple[str, ...]
    joined: re.Match[str] | None = None


@dataclass(frozen=True, slots=True)
class _Chain:
    """Words for levels that are one number, or a list at its end; initially one word or one number."""

    first: int
    """The level of its first label, 0 for a whole number."""

    last: int
    """The level of its deepest label."""

    start: int
    members: tuple[_Member, ...]
    is_whole_number: bool = False
    is_single: bool = True

    @property
    def end(self) -> int:
        return self.members[-1].end

    def with_deeper(self, text: str, other: _Chain) -> _Chain:
        """Return the chain with its last member replaced by the deeper members of another chain."""
        *before, head = self.members
        members = [member._replace(labels=head.labels + member.labels) for member in other.members]
        end = _closed(text, self.end, other) if len(members) == 1 else members[0].end
        members[0] = members[0]._replace(start=head.start, end=end, joined=head.joined)
        return replace(self, last=other.last, members=(*before, *members), is_single=False)

    def inside(self, text: str, upper: _Chain) -> _Chain:
        """Return the chain with its members moved inside those of the chain after it."""
        head, *further = upper.members
        if further and len(self.members) == 1:  # case 2 of sections 6 and 7
            [member] = self.members
            members = [outer._replace(labels=outer.labels + member.labels) for outer in upper.members]
            members[0] = members[0]._replace(start=member.start, joined=member.joined)
        else:
            members = [member._replace(labels=head.labels + member.labels) for member in self.members]
            members[-1] = members[-1]._replace(end=_closed(text, self.end, upper))
        return replace(upper, last=self.last, start=self.start, members=tuple(members), is_single=False)


class NamedLevelFinder:
    """Finds numbers whose levels are named by a book's words for them."""

    def __init__(
        self, dialect: NumberingScheme, words: Sequence[str], evidence: CueWords, cues: Sequence[str] = ()
    ) -> None:
        self.dialect, self.evidence = dialect, evidence
        level_words = [*enumerate(words), *enumerate(dialect.words), *[(0, "§")][: len(words)]]
        self._levels: dict[str, int] = {}
        for level, spellings in reversed(level_words):
            self._levels |= {word.strip().lower().rstrip("."): level for word in spellings.split(",")}
        self._levels.pop("", None)
        self._label = re.compile(_LABEL_OF.format(dialect.suffixes.regex))
        self._word = _word_of(self._levels)
        self._chapter_words = _word_of(word for word in self._heading(cues) if word not in self._levels)
        """Matches the words before whole chapters that are no words for levels."""
        levels = "|".join(map(re.escape, (*self._levels, *_ANY_LEVEL)))
        own_levels = rf"(?:the|this|these|our)\s+(?:{levels})s?(?!\w|\s+\d)"
        self._elsewhere = re.compile(
            rf"\)?,?\s+(?:of\s+(?!{own_levels})|there(?=of\b))[\[(“\"„]?\w", re.IGNORECASE
        )

    def find(self, text: str, chapter: str, number: re.Pattern[str], have: Have) -> list[WrittenNumber]:
        """Return the numbers with named levels in a text, in order.

        `chapter`: the label of the text's chapter, if any; `number` matches a whole number; `have` returns
        whether the book has a rule.
        """
        numbers: list[WrittenNumber] = []
        if words := [*self._words(text, number)]:
            chains = sorted([*words, *self._whole_numbers(text, number)], key=lambda chain: chain.start)
            index = 0
            while index < len(chains):
                first = chains[index]
                chain, index = self._chain(text, chains, index)
                if not chain.is_single or self._may_stand_alone(text, first):
                    numbers += self._chain_numbers(text, chain, chapter, have)
        taken = [(number.start, number.end) for number in numbers]
        for other in self._listed_chapters(text, number, have):
            if all(other.end <= start or end <= other.start for start, end in taken):
                numbers.append(other)
        return sorted(numbers, key=lambda number: number.start)

    def _heading(self, cues: Sequence[str]) -> Iterator[str]:
        """Yield the words before whole chapters: cues for rules, and words in the book's own forms."""
        for form in map(str.lower, self.dialect.chapter_words):
            yield from (form, re.sub("[ei]x$", "ices", form))
            yield from (f"{form[:count]}." for count in range(3, len(form)))
        is_sign = any("§" in part.before for parts in self.dialect.shapes for part in parts)
        for cue in map(str.lower, (*cues, *([] if is_sign else ["§"]))):
            announced = self.evidence.classify_preceding(cue)
            if announced in (PrecedingWords.NAMES, PrecedingWords.LISTS) and cue not in _NO_LEVEL:
                yield from (cue + ending for ending in ("", "n", "en", "e", "es"))

    def _listed_chapters(self, text: str, number: re.Pattern[str], have: Have) -> Iterator[WrittenNumber]:
        """Yield whole chapters after a word for them, in forms that the book does not use for one.

        Appendices A and B, Rules 13 and 12; "Section B" if it is cited as Appendix B.
        """
        end = 0
        for m in self._chapter_words.finditer(text):
            label = self._label.match(text, m.end())
            if m.start() < end or not label or self._whole_number(text, m.end(), number):
                continue
            members = [*self._list_members(text, m, label, number)]
            end, first = members[-1].end, members[0].labels[0]
            is_single = first[0].isdigit() or not self.evidence.list_may_end(text, end)
            is_plain = first.isdigit() and all(
                self.dialect.parse_number(other.labels[0]) for other in members
            )
            if is_plain or (len(members) == 1 and is_single):
                continue
            for member in members:
                target = self._existing_chapter(member.labels[0], have)
                if not target:
                    break
                reference = WrittenNumber(member.start, member.end, target, has_named_levels=True)
                yield reference.with_join(member.joined)

    def _existing_chapter(self, label: str, have: Have) -> RuleNumber | None:
        """Return the chapter with a label, in the first series that has one."""
        for shape in sorted(map(self.dialect.families.index, {*self.dialect.families})):
            number = self.dialect.chapter(label, shape)
            if number and have(number):
                return number
        return None

    def level_before(self, back: str) -> int:
        """Return the level, from 0, of the word at the end of `back`; "section" may be any level."""
        last = back[-40:].rstrip(' \t\n([*_“"').split()[-1:]
        word = last[0].lower().strip("(").rstrip(".") if last else ""
        singular = word.removesuffix("s")
        if singular in _NO_LEVEL:
            return NO_LEVEL
        return 0 if singular in _ANY_LEVEL else self._levels.get(singular, self._levels.get(word, 0))

    def elsewhere(self, text: str, end: int) -> bool:
        """Return whether a list that continues at `end` belongs to something else: case 2 of the map."""
        return self._elsewhere.match(text, self.evidence.digits_end(text, end)) is not None

    def _words(self, text: str, number: re.Pattern[str]) -> Iterator[_Chain]:
        """Yield each word for a level with the labels after it."""
        end = 0
        for m in self._word.finditer(text):
            label = self._label.match(text, m.end())
            if m.start() < end or not label or self._whole_number(text, m.end(), number):
                continue  # case 1 and case 2; section 12.5
            members = tuple(self._list_members(text, m, label, number))
            end, level = members[-1].end, self._levels[m[1].lower()]
            yield _Chain(level, level, m.start(), members)

    def _list_members(
        self, text: str, word: re.Match[str], label: re.Match[str] | None, number: re.Pattern[str]
    ) -> Iterator[_Member]:
        """Yield the labels after a word; a list goes on after a plural, and if a clause ends after it."""
        several = bool(word[2]) or word[1].lower().endswith("s")
        joined = None
        while label:
            yield _Member(
                label.start() if label[1] == "(" else label.start(2), label.end(), (label[2],), joined
            )
            if not (joined := self.evidence.find_join(text, label.end())):
                return
            repeated_word = self._word.match(text, joined.end())
            if repeated_word and repeated_word[1].lower() != word[1].lower():
                return
            start = (repeated_word or joined).end()
            label = self._label.match(text, start)
            if not label or self._whole_number(text, start, number) or text.startswith("(", label.end()):
                return  # 3(1) goes on
            words = label[2]
            is_label = words[0].isdigit() or len({*words}) == 1 or parse_roman(words.lower())
            is_certain = (several or repeated_word or joined["through"]) and words not in _ARTICLES
            if not is_label or not (is_certain or self.evidence.list_may_end(text, label.end())):
                return

    def _whole_numbers(self, text: str, number: re.Pattern[str]) -> Iterator[_Chain]:
        """Yield the whole numbers of a text, each from the word for a level before it."""
        word_starts = {m.end(): m.start() for m in self._word.finditer(text)}
        for m in number.finditer(text):
            if read := self._parse_whole(m):
                start, member = word_starts.get(m.start(), m.start()), _Member(*m.span(), read.labels)
                yield _Chain(0, len(read.labels) - 1, start, (member,), is_whole_number=True)

    def _whole_number(self, text: str, start: int, number: re.Pattern[str]) -> RuleNumber | None:
        """Return the whole number at an offset, if there is one."""
        m = number.match(text, start)
        return self._parse_whole(m) if m else None

    def _parse_whole(self, m: re.Match[str]) -> RuleNumber | None:
        read = self.dialect.parse_number(m.group())
        return read if read and (len(read.labels) > 1 or not m.group().rstrip(".").isalnum()) else None

    def _chain(self, text: str, words: Sequence[_Chain], index: int) -> tuple[_Chain, int]:
        """Return the chain that begins with a word, and the index of the next word."""
        chain, index = _deeper(text, words, words[index], index + 1)
        while (
            index < len(words)
            and not chain.is_whole_number
            and _OF.fullmatch(text, chain.end, words[index].start)
        ):
            until = chain.first - 1
            upper, next_index = _deeper(text, words, words[index], index + 1, until)
            if until != upper.last:
                break
            chain, index = chain.inside(text, upper), next_index
        return _deeper(text, words, chain, index)

    def _may_stand_alone(self, text: str, word: _Chain) -> bool:
        """Return whether a word with a label may be a number, unlike "this case 2 units"."""
        first = word.members[0]
        back = text[max(0, word.start - 20) : word.start]
        word_before = (back.split() or [""])[-1].lower().strip("(")
        if word.is_whole_number or word_before.isdigit() or word_before in _DETERMINERS:
            return False
        is_named = self.evidence.classify_preceding(back) in (PrecedingWords.NAMES, PrecedingWords.POINTS)
        is_certain = is_named or word_before == "in" or text[first.start] == "("
        return is_certain or self.evidence.list_may_end(text, first.end)

    def _chain_numbers(self, text: str, chain: _Chain, chapter: str, have: Have) -> Iterator[WrittenNumber]:
        """Yield the numbers of a chain, unless it belongs to something else, such as a scenario."""
        if chain.first and self.elsewhere(text, chain.end):
            return
        for member in chain.members:
            numbers = self._numbers(text, chain, member, chapter, have)
            if not numbers and chain.is_single:
                break
            if numbers:
                reference = WrittenNumber(member.start, member.end, numbers[0], has_named_levels=True)
                reference.alternatives = tuple(numbers[1:])
                yield reference.with_join(member.joined)

    def _numbers(
        self, text: str, chain: _Chain, member: _Member, chapter: str, have: Have
    ) -> list[RuleNumber]:
        """Return the possible numbers of a member of a chain."""
        candidates = [] if chain.is_single and chain.first else [member.labels]
        context_labels = chapter.labels if isinstance(chapter, TextContext) else (chapter,) if chapter else ()
        if 0 < chain.first <= len(context_labels):
            candidates.append((*context_labels[: chain.first], *member.labels))
        read = [number for labels in candidates if (number := self.dialect.with_scheme_case(labels))]
        numbers = [*filter(have, read)]
        may_be_chapter = numbers and chain.is_single and chain.first
        if may_be_chapter and not self.level_before(text[: chain.members[0].start]):
            chapter_number = self.dialect.chapter(member.labels[0])  # people call chapters sections
            numbers += [chapter_number] if chapter_number and have(chapter_number) else []
        return [*dict.fromkeys(numbers or ([] if chain.is_single else read[:1]))]


def _word_of(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for one of the words, its plural, and the text between it and a label."""
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or r"(?!)"
    return re.compile(
        rf"(?<![\w-])({either})((?<=§)§|s?)\.?(?:\s+|(?<=§)\s*)(?:nos?\.\s*|#\s*)?", re.IGNORECASE
    )


def _deeper(
    text: str, words: Sequence[_Chain], chain: _Chain, index: int, until: int | None = None
) -> tuple[_Chain, int]:
    """Return a chain with the words from `index` on that name its next levels, and the index after them."""
    while index < len(words) and until != chain.last:
        other = words[index]
        gap = _GAP.fullmatch(text, chain.end, other.start)
        if other.is_whole_number or other.first - 1 != chain.last or not gap:
            break
        upper = words[index + 1] if index + 1 < len(words) else None
        if upper and _OF.fullmatch(text, other.end, upper.start):
            break  # section 5, case 2 of section 6
        chain, index = chain.with_deeper(text, other), index + 1
    return chain, index


def _closed(text: str, start: int, next_chain: _Chain) -> int:
    """Return the end of a chain's continuation, including a bracket that opens between the two."""
    return next_chain.end + (
        "(" in text[start : next_chain.start + 1] and text[next_chain.end : next_chain.end + 1] == ")"
    )
