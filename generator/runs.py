"""Numbers as a text writes them, and which of them belong together: lists, ranges, shortened ends.

"12.5c(A), (B) and 12.6" is one run of three numbers. What is said in front of a run or behind it holds for
all of it, which is why runs are made before anything is judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.evidence import Evidence
from generator.numbers import Dialect, Number, Part

Span = tuple[int, int]

_GAP = r"[\s*_“”\"‘’'\]\x01]*+"  # what may part the words of a run
_BULLET = re.compile(r"\n\s*(?:\n|[-*+][ \t])")  # an empty line or a list item: no run goes on behind it
_FOLLOWING = re.compile(r"ff?(?![^\W_])")  # 12.5f. and 12.5ff: and what follows
_WORD_GOES_ON = re.compile(r"['’]|-\w\w")  # c'est, b-type
_NOT_LETTERS = "¹²³⁰⁴⁵⁶⁷⁸⁹ªº½¼¾"  # signs of a note, which str.isalnum takes for letters
_MOST_GAP = 100  # how far the numbers of a run may stand apart: tags between them are long


@dataclass(slots=True)
class Written:
    """A number in a text, before its evidence is weighed; `start` and `end` bound it.

    `join`: what joins it to the one before, empty where a run begins with it. `through`: it ends a range.
    `bare`: a chapter without any sign but its label. `digit`: shortened to a bare digit (12.1-4).
    """

    start: int
    end: int
    number: Number
    join: str = ""
    through: bool = False
    bare: bool = False
    digit: bool = False


class Runs:
    """Finds runs of numbers in texts of one dialect; `joins` and `through` are words between two numbers."""

    def __init__(
        self, dialect: Dialect, evidence: Evidence, joins: Sequence[str], through: Sequence[str]
    ) -> None:
        self.dialect = dialect
        self.evidence = evidence
        self._number = re.compile(_numbers_of(dialect))
        # Where a book has several forms, the longest that fits is meant.
        forms = [*map(dialect.shape_regex, dialect.shapes), self._number.pattern]
        self._forms = [re.compile(form) for form in forms] if len(dialect.shapes) > 1 else []
        self._ends = [list(_ends_of(dialect, shape)) for shape in range(len(dialect.shapes))]
        self._separators = {part.before for parts in dialect.shapes for part in parts[1:]} & {"-", ":", "/"}
        dash = rf"(?P<through>[-‐‑‒–—―]|(?<=\s)(?:{_either(through)})(?=\s))"
        self._join = re.compile(
            rf"{_GAP}(?:{dash}|[,;]?{_GAP}(?:(?:{_either(joins)})(?!\w)|[&/])|[,;])[\s*_“”\"‘’'\[\x01]*",
            re.IGNORECASE,
        )

    def find(self, text: str, chapter: str, marked: Sequence[Span]) -> Iterator[list[Written]]:
        """The runs in a text, in order.

        `chapter` is the label of the chapter that an implied number means; `marked` are spans to leave out.
        """
        left_out = list(reversed(marked))
        run: list[Written] = []
        for m in self._number.finditer(text):
            start = m.start()
            while left_out and left_out[-1][1] <= start:
                left_out.pop()
            if (run and start < run[-1].end) or (left_out and left_out[-1][0] <= start):
                continue
            joined = self._joined(text, run[-1], start) if run else None
            end = self._longest(text, start) if self._forms else m.end()
            # The end of a range lies in the chapter of its beginning: B23.71-23.711.
            around = run[-1].number.labels[0] if joined and joined["through"] else chapter
            if (one := self._written(text, start, end, around, joined)) is None:
                continue
            if run and not joined:
                yield run
                run = []
            run.append(one)
            self._continue(text, run)
        if run:
            yield run

    def _longest(self, text: str, start: int) -> int:
        return max(m.end() for form in self._forms if (m := form.match(text, start)))

    def _joined(self, text: str, last: Written, start: int) -> re.Match[str] | None:
        """What joins a number at `start` to the last of a run, or None where nothing does."""
        end = last.end
        if start - end > _MOST_GAP:
            return None
        joined = self._join.fullmatch(text, end + (last.bare and text[end : end + 1] == "."), start)
        return joined if joined and not _BULLET.search(joined.group()) else None

    def _written(
        self, text: str, start: int, end: int, chapter: str, joined: re.Match[str] | None
    ) -> Written | None:
        """The number between two spots, or None where letters or digits beside it make it something else."""
        before = text[start - 1 : start]
        if _is_letter(before) or before == "\\" or (_goes_on(text, end) and not _FOLLOWING.match(text, end)):
            return None
        if before and before in "._/@-" and not joined and text[start - 2 : start - 1].isalnum():
            return None
        words = text[start:end]
        if text[end : end + 1] in self._separators and text[end + 1 : end + 2].isdigit() and not joined:
            return None  # 4-6-7 where numbers are written 4-6
        if (number := self.dialect.parse(words, chapter)) is None:
            return None
        label = words.removesuffix(".")
        bare = label.isdigit() or (label.isalpha() and len(number.labels) == 1)
        if "]" in words:  # the bracket around a number is none of it, unless it goes on behind: [10.12]A
            start, end = (start, end - 1) if words[-1] == "]" else (start - (before == "["), end)
        # The full stop of "6." may as well end the sentence.
        one = Written(start, end - (bare and words[-1] == "."), number, bare=bare)
        if joined:
            one.join, one.through = joined.group(), joined["through"] is not None
        return one

    def _continue(self, text: str, run: list[Written]) -> None:
        """Add to the run the shortened numbers behind its last: "and c", "(B)", "-.122"."""
        while joined := self._join.match(text, run[-1].end, run[-1].end + _MOST_GAP):
            if _BULLET.search(joined.group()) or joined.group().endswith("[["):  # a mark speaks for itself
                return
            if not (shortened := self._shortened(run[-1], text, joined)):
                return
            run.append(shortened)

    def _shortened(self, last: Written, text: str, joined: re.Match[str]) -> Written | None:
        """The shortened number behind a join: the last number with its end replaced.

        Where it can be read at two levels ("ii and c"), the smaller step is meant.
        """
        best: tuple[int, Written] | None = None
        parts = self.dialect.parts_of(last.number.labels, last.number.shape)
        for part, pattern, below in self._ends[last.number.shape]:
            level = next((at for at, own in enumerate(parts) if own is part), None)
            m = pattern.match(text, joined.end()) if level is not None else None
            if level is None or not m or _goes_on(text, m.end()) or _WORD_GOES_ON.match(text, m.end()):
                continue
            labels = [*last.number.labels[:level], *self.dialect.levels(below, m.groups())]
            number = self.dialect.number(labels, last.number.shape)
            step = number.ordinals[level] - last.number.ordinals[level] if number else 0
            if m.group()[0].isdigit() and 0 < level < len(parts) - 1:
                continue  # 12.5e-7 ends no range that 12.5e began
            if (whole := self._number.match(text, joined.end())) and whole.end() > m.end():
                continue  # 4-1–4-3 ends with a whole number
            meant = level == 0 or self._is_meant(text, step, m, joined)
            if number and meant and (best is None or abs(step) < best[0]):
                through, digit = joined["through"] is not None, m.group().isdigit()
                best = abs(step), Written(*m.span(), number, joined.group(), through, last.bare, digit)
        return best and best[1]

    def _is_meant(self, text: str, step: int, m: re.Match[str], joined: re.Match[str]) -> bool:
        """Whether a shortened number `step` behind the last is one: "9.14b and a unit" names no 9.14a.

        A label without a sign of its own must go up. Behind a comma, or a dash with space around it, it is
        a word if words follow, unless it comes next: "16.G, I think". A bare digit only ends a tight range.
        """
        join, label = joined.group(), m.group()
        tight = joined["through"] is not None and len(join) == 1
        if label[0].isdigit():
            return tight and step > 0
        if not label[0].isalpha():
            return step > 0 or joined["through"] is not None
        if self.evidence.listed_after(text, m.end()):
            return step > 0 or tight
        is_word = (not join.strip(" \t\r\n,;-–—") and not tight) or label == "I"
        return step == 1 or (step > 1 and not is_word)


def _is_letter(sign: str) -> bool:
    """Whether a sign is a letter or digit that a number beside it would belong to.

    Letters without a case are not: Japanese writes 12.5を参照 without a space.
    """
    return sign.isalnum() and sign not in _NOT_LETTERS and (sign.isdigit() or sign.lower() != sign.upper())


def _goes_on(text: str, end: int) -> bool:
    """Whether what stands behind a number makes it longer: a letter, a digit, `.5`, `.x`.

    A full stop and a word with a capital are the end of a sentence that lacks its space.
    """
    sign, then = text[end : end + 1], text[end + 1 : end + 2]
    if sign == ".":
        return then.isalnum() and not (then.isupper() and text[end + 2 : end + 3].islower())
    return then.isalnum() if sign == "_" else _is_letter(sign)


def _either(words: Sequence[str]) -> str:
    """A pattern for any of the words, the longest first, any white space where they have some."""
    return "|".join(r"\s+".join(map(re.escape, w.split())) for w in sorted(words, key=len, reverse=True))


def _numbers_of(dialect: Dialect) -> str:
    """A pattern for any number of the dialect.

    Where every form begins with a digit that digit is taken out of the alternatives, which lets the
    engine skip to the next digit: most texts have few.
    """
    forms = [dialect.shape_regex(parts) for parts in dialect.shapes] + dialect.chapter_regexes()
    if dialect.implied:
        forms.append(dialect.shape_regex(dialect.shapes[0][1:], least=1))
    digits = "([0-9]{1,4})"
    if all(form.startswith(digits) for form in forms):
        return "[0-9](?:" + "|".join(f"[0-9]{{0,3}}{form[len(digits) :]}" for form in forms) + ")"
    return "|".join(forms)


def _ends_of(dialect: Dialect, shape: int) -> Iterator[tuple[Part, re.Pattern[str], Sequence[Part]]]:
    """The ends of a number of this shape, deepest first: where one begins, its pattern, the parts in it.

    The separator may be left out ("4.A.1-3"), a bracket that closes behind the label may not; a sign or
    word in front of the whole number stands once for all of a run ("§§4-b and 5-c").
    """
    own = dialect.shapes[shape]
    for other, parts in enumerate(dialect.shapes):
        for level in reversed(range(min(len(parts), len(own)))):
            part = parts[level]
            if dialect.alike[other] != shape or not (part.before or (level and part.sort != "digits")):
                continue
            end = [Part("", part.sort, part.after, part.bracket), *parts[level + 1 :]]
            before = re.escape(part.before.lstrip())
            before = before if part.after else f"(?:{before})?"
            yield (
                own[level],
                re.compile(before + dialect.shape_regex(end, least=1 if level else 2)),
                own[level:],
            )
