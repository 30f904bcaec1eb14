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
from rulewright.numbering.written_number import INSIDE, Have, WrittenNumber

_LABEL_OF = r"(\((?=\w+\))|\[(?=\w+\]))?(\w{{1,6}}{})(?!\w|\.\w)(?(1)\)?)"
_GAP = re.compile(r"\)?(?:['’]s)?(?:[,;:]|[ \xa0][–—-])?[ \t\xa0]*\n?[ \t\xa0]*\(?")
_WITHIN = "of|in|under|within|von|vom|des|der|im|du|de"
_OF = re.compile(
    rf"{_GAP.pattern}(?<=[\s(])(?:{_WITHIN})\s+(?:(?:the|this|our|dem|der)\s+)?(?:§{{1,2}}\s*)?",
    re.IGNORECASE,
)
_INNER = re.compile(r"[ ]?\(([0-9]{1,3}|[^\W\d_]|[ivxIVX]+)\)")  # (1) in paragraph (b)(1)
_DIGIT = re.compile("[0-9]")
_LETTERED = r"(?:\([^\W\d_]{1,4}\)|([^\W\d_])\1?(?!\w)|[ivx]{2,5}(?!\w))"
_LETTERS_APART = re.compile(r"(?<![\w.-])([A-Z]{1,5})(?:[ ]{1,2}|\.)(?=[0-9])")
_LONGEST = 40
_ARTICLES = ("a", "I")
_POINTING = (PrecedingWords.POINTS, PrecedingWords.COUNTS)  # see, per
# Commonly used for chapters, whatever level the book uses the word for.
_ANY_LEVEL = ("section", "rule", "chapter", "part", "article", "abschnitt", "regel", "kapitel")
_NO_LEVEL = ("step", "phase", "item", "point")  # of a list, also where the book declares them as cues
NO_LEVEL = 99
"""The level of a word that counts something without a rule number."""

_WORDS = (
    "a an the this that these those any each every either neither no such in which what worst "
    "best first last one all both some another other same latter former upper lower in"
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
    """Words for levels that are one number, or a list at its end; initially one word with its labels."""

    first: int
    """The level of its first label, 0 for a whole number."""

    last: tuple[int, ...]
    """The possible levels of its deepest label."""

    start: int
    members: tuple[_Member, ...]
    is_whole_number: bool = False
    is_single_word: bool = True
    is_unnamed: bool = False
    """Whether it is a number without a word."""

    @property
    def end(self) -> int:
        return self.members[-1].end

    def with_deeper(self, text: str, other: _Chain) -> _Chain:
        """Return the chain with its last member replaced by the deeper members of another chain."""
        *before, head = self.members
        members = [member._replace(labels=head.labels + member.labels) for member in other.members]
        end = _closed(text, self.end, other) if len(members) == 1 else members[0].end
        members[0] = members[0]._replace(start=head.start, end=end, joined=head.joined)
        return replace(self, last=other.last, members=(*before, *members), is_single_word=False)

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
        return replace(upper, last=self.last, start=self.start, members=tuple(members), is_single_word=False)


class NamedLevelFinder:
    """Finds numbers whose levels are named by a book's words for them."""

    def __init__(
        self, dialect: NumberingScheme, words: Sequence[str], evidence: CueWords, cues: Sequence[str] = ()
    ) -> None:
        self.dialect = dialect
        self.evidence = evidence
        level_words = [*enumerate(words), *enumerate(dialect.words)]
        level_words += [(0, "§")] * bool(words)
        self._levels: dict[str, int] = {}
        for level, spellings in reversed(level_words):
            self._levels |= {word.strip().lower().rstrip("."): level for word in spellings.split(",")}
        self._levels.pop("", None)
        self._label = re.compile(_LABEL_OF.format(dialect.suffixes.regex))
        self._word = _word_of(self._levels)
        inner = "|".join(re.escape(word) for word, level in self._levels.items() if level) or r"(?!)"
        self.lettered = re.compile(rf"(?<![\w-])(?:{inner})s?\.?\s+{_LETTERED}", re.IGNORECASE)
        """Matches a word for a level with a label without digits: item b."""
        self._chapter_words = _word_of(word for word in self._heading(cues) if word not in self._levels)
        """Matches the words before whole chapters that are no words for levels."""
        self._chapters = {family: shape for shape, family in reversed([*enumerate(dialect.families)])}
        levels = "|".join(map(re.escape, (*self._levels, *_ANY_LEVEL)))
        own_levels = rf"(?:the|this|these|our)\s+(?:{levels})s?(?!\w|\s+\d)"
        genitive = rf"(?:des|der|vom|du|de\s+la)\s+(?!(?:{levels})(?!\w|\s+\d))"
        self._elsewhere = re.compile(
            rf"\)?,?\s+(?:of\s+(?!{own_levels})|{genitive}|there(?=of\b))[\[(“\"„]?\w", re.IGNORECASE
        )

    def find(
        self, text: str, chapter: str, number: re.Pattern[str], have: Have | None
    ) -> list[WrittenNumber]:
        """Return the numbers with named levels in a text, in order.

        `chapter`: the label of the text's chapter, if any; `number` matches a whole number; `have` returns
        the position of a rule in the book.
        """
        if self.dialect.digits_first and not _DIGIT.search(text) and not self.lettered.search(text):
            return []
        numbers = self._in_words(text, chapter, number, have)
        more = [*self._listed_chapters(text, number, have)] if have else []
        if have and not self.dialect.digits_first:
            more += self._with_separate_letters(text, number, have)
        taken = [(other.start, other.end) for other in numbers]
        for other in more:
            if all(other.end <= start or end <= other.start for start, end in taken):
                numbers.append(other)
        return sorted(numbers, key=lambda other: other.start)

    def _in_words(
        self, text: str, chapter: str, number: re.Pattern[str], have: Have | None
    ) -> list[WrittenNumber]:
        lower = text.lower()
        if not any(word in lower for word in self._levels):
            return []
        words = list(self._words(text, number))
        if words:
            words += self._unnamed_numbers(text, words, number)
            words.sort(key=lambda chain: chain.start)
        numbers: list[WrittenNumber] = []
        index = 0
        while index < len(words):
            first = words[index]
            chain, index = self._chain(text, words, index)
            may_be = have and not chain.is_unnamed and self._may_stand_alone(text, first)
            if not chain.is_single_word or may_be:
                numbers += self._chain_numbers(text, chain, chapter, have)
        return numbers

    def _heading(self, cues: Sequence[str]) -> Iterator[str]:
        """Yield the words before whole chapters: cues for rules, and words in the book's own forms."""
        for form in map(str.lower, self.dialect.chapter_words):
            yield from (form, re.sub("[ei]x$", "ices", form))
            yield from (f"{form[:count]}." for count in range(3, len(form)))
        separators = "".join(part.before for parts in self.dialect.shapes for part in parts)
        for cue in map(str.lower, (*cues, *(() if "§" in separators else "§"))):
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
            whole_number = number.match(text, m.end())
            if m.start() < end or not label or (whole_number and self._parse_whole(whole_number)):
                continue
            members = [*self._list_members(text, m, label, number)]
            end = members[-1].end
            first = members[0].labels[0]
            is_single = len(members) == 1 and (
                first[0].isdigit() or not self.evidence.list_may_end(text, end)
            )
            is_plain = all(self.dialect.parse_number("".join(member.labels)) for member in members)
            if is_single or (is_plain and first.isdigit()) or self.elsewhere(text, end):
                continue
            for member in members:
                chapters = [*self._chapters_of(member.labels)]
                target = next((chapter for chapter in chapters if have(chapter) is not None), None)
                if not target and member is not members[0] and member.labels[0].isdigit():
                    target = next(iter(chapters), None)
                if not target:
                    break
                reference = WrittenNumber(member.start, member.end, target, has_named_levels=True)
                yield reference.with_join(member.joined)

    def _with_separate_letters(
        self, text: str, number: re.Pattern[str], have: Have
    ) -> Iterator[WrittenNumber]:
        """Yield numbers whose first letters are separate: A 3.21, GR 4.2, A.3.21 for A3.21."""
        for m in _LETTERS_APART.finditer(text):
            rest = text[m.end() : m.end() + _LONGEST]
            plain = number.match(text, m.start())
            is_cued = self.evidence.has_cue_before(text, m.start()) or text[m.start() - 1 : m.start()] == "("
            is_article = m[1] in ("A", "I") and m.group()[-1] != "."
            for sign in ("", "."):
                match = number.match(f"{m[1]}{sign}{rest}")
                read = self._parse_whole(match) if match else None
                end = m.end() + match.end() - len(m[1]) - len(sign) if match else 0
                if not read or read.labels[0] != m[1] or (plain and plain.end() >= end):
                    continue
                chapter = self.dialect.chapter(m[1], read.shape) if is_cued else None
                exists = have(read) is not None and (is_cued or not is_article)
                if exists or (chapter and have(chapter) is not None):
                    yield WrittenNumber(m.start(), end, read, has_named_levels=True)
                    break

    def _chapters_of(self, labels: Sequence[str]) -> Iterator[RuleNumber]:
        """Yield the whole chapters of each series that a label may belong to."""
        for shape in self._chapters.values() if len(labels) == 1 else ():
            sort = self.dialect.shapes[shape][0].sort
            number = self.dialect.chapter(labels[0], shape)
            if number and sort.cased(labels[0]) == labels[0]:
                yield number

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
        while joined := self.evidence.find_join(text, end):
            label = self._label.match(text, joined.end())
            if not label or not label[2][0].isdigit():
                break
            end = label.end()
        return self._elsewhere.match(text, end) is not None

    def _words(self, text: str, number: re.Pattern[str]) -> Iterator[_Chain]:
        """Yield each word for a level with the labels after it, or a whole number: section 12.5."""
        end = 0
        for m in self._word.finditer(text):
            if m.start() < end:
                continue  # case 1 and case 2
            level = self._levels[m[1].lower()]
            whole_match, read = self._whole_number(text, m.end(), number)
            label = self._label.match(text, m.end())
            if whole_match and read and (not label or whole_match.end() >= label.end()):
                member = _Member(m.end(), whole_match.end(), read.labels)
                yield _Chain(0, (len(read.labels) - 1, level), m.start(), (member,), is_whole_number=True)
            elif label:
                members = tuple(self._list_members(text, m, label, number))
                end = members[-1].end
                yield _Chain(level, (level + len(members[-1].labels) - 1,), m.start(), members)

    def _list_members(
        self, text: str, word: re.Match[str], label: re.Match[str] | None, number: re.Pattern[str]
    ) -> Iterator[_Member]:
        """Yield the labels after a word; a list may continue after a plural, and if a clause ends after
        it.
        """
        several = bool(word[2]) or word[1].lower().endswith("s")
        opened = label is not None and label[1] == "("
        above: Sequence[str] = ()
        joined = None
        while label:
            bracket = label[1] == "("
            end, labels = label.end(), (*above, label[2])
            while (inner := _INNER.match(text, end)) and (bracket or inner.group()[0] == "("):
                end = inner.end()
                labels += (inner[1],)
            yield _Member(label.start() if bracket else label.start(2), end, labels, joined)
            if not (joined := self.evidence.find_join(text, end)):
                return
            repeated_word = self._word.match(text, joined.end())
            if repeated_word and (repeated_word[1].lower() != word[1].lower() or ";" in joined.group()):
                return
            start = repeated_word.end() if repeated_word else joined.end()
            last, label = label, self._label.match(text, start)
            if not label or self._whole_number(text, start, number)[1]:
                return
            if label[1] == "(" and not repeated_word and len(labels) > 1:
                if (upper_labels := _upper_labels(labels, label[2], 0 if opened else 1)) is None:
                    return
                above = upper_labels
            elif label[2][0].isdigit() != last[2][0].isdigit() and word.re is self._word:
                return
            else:
                above = ()
            is_letter = label[2][0].isdigit() or len({*label[2]}) == 1 or parse_roman(label[2].lower())
            is_certain = (several or repeated_word or _is_range(joined)) and label[2] not in _ARTICLES
            if not is_letter or not (is_certain or self.evidence.list_may_end(text, label.end())):
                return

    def _unnamed_numbers(
        self, text: str, words: Sequence[_Chain], number: re.Pattern[str]
    ) -> Iterator[_Chain]:
        """Yield the whole numbers of a text that follow no word for a level."""
        ahead = list(reversed(words))
        for m in number.finditer(text):
            while ahead and ahead[-1].end <= m.start():
                ahead.pop()
            read = self._parse_whole(m)
            is_inside = INSIDE.search(text, max(0, m.start() - 2), m.start())
            if read and not is_inside and not (ahead and ahead[-1].start < m.end()):
                member = _Member(*m.span(), read.labels)
                last = (len(read.labels) - 1,)
                yield _Chain(0, last, m.start(), (member,), is_whole_number=True, is_unnamed=True)

    def _whole_number(
        self, text: str, start: int, number: re.Pattern[str]
    ) -> tuple[re.Match[str] | None, RuleNumber | None]:
        m = number.match(text, start)
        return m, self._parse_whole(m) if m else None

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
            if until not in upper.last:
                break
            chain, index = chain.inside(text, upper), next_index
        return (chain, index) if chain.is_single_word else _deeper(text, words, chain, index)

    def _may_stand_alone(self, text: str, word: _Chain) -> bool:
        """Return whether a word with a label may be a number, unlike "this case 2 units"."""
        first = word.members[0]
        if word.is_whole_number:
            return False
        back = text[max(0, word.start - 20) : word.start]
        word_before = (back.split() or [""])[-1].lower().strip("(")
        case = text[word.start : word.start + 4].lower() == "case"
        bracket = text[first.start] == "("
        inside = word_before == "in"
        is_named = self.evidence.classify_preceding(back) in (PrecedingWords.NAMES, PrecedingWords.POINTS)
        if not (bracket or inside or is_named or self.evidence.list_may_end(text, first.end)):
            return False
        counts = word_before.isdigit() or word_before in _DETERMINERS
        return not counts or inside or (bracket and word_before == "which" and not case)

    def _chain_numbers(
        self, text: str, chain: _Chain, chapter: str, have: Have | None
    ) -> Iterator[WrittenNumber]:
        """Yield the numbers of a chain, unless it belongs to something else, such as a scenario."""
        if chain.first and self.elsewhere(text, chain.end):
            return
        for member in chain.members:
            first, *alternatives = (*self._numbers(text, chain, member, chapter, have), None)
            if not first and chain.is_single_word:
                break
            if first:
                reference = WrittenNumber(member.start, member.end, first, has_named_levels=True)
                reference.alternatives = tuple(filter(None, alternatives))
                yield reference.with_join(member.joined)

    def _is_cited(self, text: str, chain: _Chain, read: Sequence[RuleNumber], have: Have | None) -> bool:
        """Return whether a word with a label that is no rule is meant as one: see case 9, paragraph (9)."""
        back = text[max(0, chain.start - 20) : chain.start]
        points = self.evidence.classify_preceding(back) in _POINTING
        if not read or not (points or text[chain.members[0].start] == "("):
            return False
        first = self.dialect.sibling(read[0], 1)
        return first is not None and have is not None and have(first) is not None

    def _numbers(
        self, text: str, chain: _Chain, member: _Member, chapter: str, have: Have | None
    ) -> list[RuleNumber]:
        """Return the possible numbers of a member of a chain."""
        if chain.is_single_word and not chain.first and self.dialect.parse_number(member.labels[0]):
            return []  # an ordinary number
        candidates = [] if chain.is_single_word and chain.first else [member.labels]
        context_labels = chapter.labels if isinstance(chapter, TextContext) else (chapter,) if chapter else ()
        inside = not chain.is_whole_number and 0 < chain.first <= len(context_labels)
        if inside:
            candidates.append((*context_labels[: chain.first], *member.labels))
        read = [number for labels in candidates if (number := self.dialect.with_scheme_case(labels))]
        numbers = [number for number in read if have and have(number) is not None]
        may_be_chapter = chain.is_single_word and chain.first and (numbers or len(chain.members) > 1)
        if have and may_be_chapter and not self.level_before(text[: chain.members[0].start]):
            chapter_number = self.dialect.chapter(member.labels[0])  # people call chapters sections
            numbers += [chapter_number] if chapter_number and have(chapter_number) is not None else []
        if not numbers and (not chain.is_single_word or (inside and self._is_cited(text, chain, read, have))):
            numbers = read[:1]
        return [*dict.fromkeys(numbers)]


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
    while index < len(words) and until not in chain.last:
        other = words[index]
        gap = _GAP.fullmatch(text, chain.end, other.start)
        if other.is_whole_number or other.first - 1 not in chain.last or not gap:
            break
        upper = words[index + 1] if index + 1 < len(words) else None
        if upper and upper.first < other.first and _OF.fullmatch(text, other.end, upper.start):
            break  # section 5, case 2 of section 6
        chain, index = chain.with_deeper(text, other), index + 1
    return chain, index


def _upper_labels(labels: Sequence[str], label: str, min_level: int) -> Sequence[str] | None:
    """Return the labels above the deepest one of the same kind: 22 for (4) in 22(1) and (4).

    None if no label from `min_level` on has the same kind.
    """
    kind = label.isdigit(), label.isupper()
    for level in reversed(range(min_level, len(labels))):
        if (labels[level].isdigit(), labels[level].isupper()) == kind:
            return labels[:level]
    return None


def _is_range(joined: re.Match[str]) -> bool:
    """Return whether a join makes a range: 2 to 4, 2-4; a spaced dash may belong to the sentence."""
    return joined["through"] is not None and (
        joined["through"].isalnum() or joined["through"] == joined.group()
    )


def _closed(text: str, start: int, next_chain: _Chain) -> int:
    """Return the end of a chain's continuation, including a bracket that opens between the two."""
    return next_chain.end + (
        "(" in text[start : next_chain.start + 1] and text[next_chain.end : next_chain.end + 1] == ")"
    )
