"""References found in ordinary prose: an editor writes "see 12.5 and 14.7d" and means two rules.

Three steps, kept apart: finding (here: where a number stands and what around it says that a rule is
meant), resolving (`citations`: which rule that is, or what is wrong), rendering (`prose`).

Finding never looks at the book's inventory. It reports every number the dialect can read, with its
evidence, and the resolver decides: a number that names a rule is a reference; one that names
nothing is an error where something cues it, and just a number where nothing does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.evidence import CUES, Before, Cue, Evidence, in_parentheses
from generator.numbers import Dialect, Number, Part

JOINS = ("and", "or", "and/or", "as well as")
THROUGH = ("to", "through", "thru")

_MARK = re.compile(r"\[\[([^\[\]|\n]+?)(?:\|([^\[\]]*))?\]\]")
_GAP = r"[\s*_“”\"‘’'\]\x01]*"  # what may part the words of a run
_BULLET = re.compile(r"\n\s*(?:\n|[-*+][ \t])")  # an empty line or a list item: no run goes on behind it
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n")
_FOLLOWING = re.compile(r"ff?(?![^\W_])")  # 12.5f. and 12.5ff: and what follows
_AMOUNT = re.compile(r"[A-Z]?[0-9]+(?:\.[0-9]+)?")  # what a number may look like that counts something
_MOST_GAP = 100  # how far the numbers of a run may stand apart: tags between them are long
_LOOK_BACK = 160  # how far a parenthesis may have been opened before a number that it cues
_NOT_LETTERS = "¹²³⁰⁴⁵⁶⁷⁸⁹ªº½¼¾"  # signs of a note, which str.isalnum takes for letters
_UNIT_LETTERS = "kmstx"  # 4.5m, 1.5x


@dataclass(frozen=True, slots=True)
class Found:
    """A number in a text and the evidence around it.

    `start` and `end` bound it in the text (`end` exclusive). `number` is None where an explicit mark
    holds no number of this dialect. `through`: it ends a range that begins with the number found
    before it. `mark` bounds a whole `[[…]]`, `book` and `label` are its parts.
    """

    start: int
    end: int
    number: Number | None
    cue: Cue = Cue.NONE
    through: bool = False
    mark: tuple[int, int] | None = None
    book: str = ""
    label: str | None = None


@dataclass(slots=True)
class _One:
    """A number of a run, before its evidence is weighed.

    `join`: what joins it to the one before. `bare`: a chapter without any sign but its digits. `digit`:
    shortened to a bare digit (12.1-4).
    """

    start: int
    end: int
    number: Number
    join: str = ""
    through: bool = False
    bare: bool = False
    digit: bool = False


class Finder:
    """Finds references in texts of one dialect.

    `cues`, `joins`, `through` and `never` are the words that a rulebook declares; where it declares
    none of a sort, the English ones hold. `never` adds to them.
    """

    def __init__(
        self,
        dialect: Dialect,
        *,
        cues: Sequence[str] = (),
        joins: Sequence[str] = (),
        through: Sequence[str] = (),
        never: Sequence[str] = (),
    ) -> None:
        self.dialect = dialect
        joins, through = joins or JOINS, through or THROUGH
        self._evidence = Evidence(cues or CUES, joins, never)
        self._number = re.compile(_numbers_of(dialect))
        # Where a book has several forms, the longest that fits is meant.
        forms = [*map(dialect.shape_regex, dialect.shapes), self._number.pattern]
        self._forms = [re.compile(form) for form in forms] if len(dialect.shapes) > 1 else []
        self._ends = [list(_ends_of(dialect, shape)) for shape in range(len(dialect.shapes))]
        self._between = {
            word for phrase in (*joins, *through) for word in phrase.lower().replace("/", " ").split()
        }
        join, range_word = _either(joins), _either(through)
        self._join = re.compile(
            rf"{_GAP}(?:(?P<through>[-‐‑‒–—―]|(?<=\s)(?:{range_word})(?=\s))|[,;]?{_GAP}(?:(?:{join})(?!\w)|[&/])|[,;])"
            rf"[\s*_“”\"‘’'\[\x01]*",
            re.IGNORECASE,
        )

    def find(self, text: str, chapter: str = "", cued: bool = False) -> list[Found]:
        """Every number of the dialect in `text`, in order, with its evidence.

        `chapter` is the label of the chapter that the text stands in, for dialects that leave it out.
        `cued`: the text is a list of references and nothing else.
        """
        found = marks(text, self.dialect, chapter) if "[[" in text else []
        taken = [f.mark for f in reversed(found) if f.mark]
        run: list[_One] = []
        for m in self._number.finditer(text):
            start = m.start()
            while taken and taken[-1][1] <= start:
                taken.pop()
            if (run and start < run[-1].end) or (taken and taken[-1][0] <= start):
                continue
            joined = self._joined(text, run[-1], start) if run else None
            if (one := self._one(text, m, chapter, joined)) is None:
                continue
            if run and not joined:
                found += self._weigh(text, run, cued)
                run = []
            run.append(one)
            self._continue(text, run)
        if run:
            found += self._weigh(text, run, cued)
        return sorted(found, key=lambda f: f.start) if "[[" in text else found

    def rest(self, text: str, found: Sequence[Found]) -> re.Match[str] | None:
        """The first word of a list of references that is neither a number found in it nor joins two."""
        taken = [one.mark or (one.start, one.end) for one in found]
        for word in re.finditer(r"[\w.]*\w", text):
            if word.group().lower() not in self._between and not any(a <= word.start() < b for a, b in taken):
                return word
        return None

    def _joined(self, text: str, last: _One, start: int) -> re.Match[str] | None:
        """What joins a number at `start` to the last of a run, or None where nothing does."""
        end = last.end
        if start - end > _MOST_GAP:
            return None
        joined = self._join.fullmatch(text, end + (last.bare and text[end : end + 1] == "."), start)
        return joined if joined and not _BULLET.search(joined.group()) else None

    def _one(self, text: str, m: re.Match[str], chapter: str, joined: re.Match[str] | None) -> _One | None:
        """The number at a match, or None where letters or digits beside it make it something else."""
        start = m.start()
        end = (
            max(other.end() for form in self._forms if (other := form.match(text, start)))
            if self._forms
            else m.end()
        )
        before = text[start - 1 : start]
        if _is_letter(before) or before == "\\" or (_goes_on(text, end) and not _FOLLOWING.match(text, end)):
            return None
        if before and before in "._/@-" and not joined and text[start - 2 : start - 1].isalnum():
            return None
        written = text[start:end]
        if (number := self.dialect.parse(written, chapter)) is None:
            return None
        label = written.removesuffix(".")
        bare = label.isdigit() or (label.isalpha() and len(number.labels) == 1)
        if "]" in written:  # the bracket around a number is none of it, unless it goes on behind: [10.12]A
            start, end = (start, end - 1) if written[-1] == "]" else (start - (before == "["), end)
        # The full stop of "6." may as well end the sentence.
        end -= bare and written[-1] == "."
        return _One(
            start, end, number, joined.group() if joined else "", bool(joined and joined["through"]), bare
        )

    def _continue(self, text: str, run: list[_One]) -> None:
        """Add to the run the shortened numbers behind its last: "and c", "(B)", "-.122"."""
        while joined := self._join.match(text, run[-1].end, run[-1].end + _MOST_GAP):
            if _BULLET.search(joined.group()) or not (shortened := self._shortened(run[-1], text, joined)):
                return
            run.append(shortened)

    def _shortened(self, last: _One, text: str, joined: re.Match[str]) -> _One | None:
        """The shortened number behind a join: the last number with its end replaced.

        Where it can be read at two levels ("ii and c"), the smaller step is meant.
        """
        start, through = joined.end(), bool(joined["through"])
        best: tuple[int, _One] | None = None
        parts = self.dialect.parts_of(last.number.labels, last.number.shape)
        for part, pattern, below in self._ends[last.number.shape]:
            m = pattern.match(text, start) if any(own is part for own in parts) else None
            if not m or _goes_on(text, m.end()) or re.match(r"['’]|-\w\w", text[m.end() : m.end() + 3]):
                continue
            level = next(at for at, own in enumerate(parts) if own is part)
            labels = [*last.number.labels[:level], *self.dialect.levels(below, m.groups())]
            number = self.dialect.number(labels, last.number.shape)
            if number and self._goes_up(text, last.number, number, level, m, joined):
                step = abs(number.ordinals[level] - last.number.ordinals[level])
                one = _One(*m.span(), number, joined.group(), through, last.bare, m.group().isdigit())
                best = min(best or (step, one), (step, one), key=lambda pair: pair[0])
        return best and best[1]

    def _goes_up(
        self, text: str, last: Number, number: Number, level: int, m: re.Match[str], joined: re.Match[str]
    ) -> bool:
        """Whether a shortened number is meant: "9.14b and a unit" names no 9.14a, "16.G, I think" no 16.I.

        A label that needs no sign of its own must go up. Behind a comma or a dash with space around it,
        words that follow make it a word too, unless it comes next. A bare digit only ends a tight range.
        """
        step = number.ordinals[level] - last.ordinals[level]
        through, tight = bool(joined["through"]), len(joined.group()) == 1
        if m.group()[0].isdigit():
            return through and tight and step > 0
        if not m.group()[0].isalpha():
            return step > 0 or through
        listed = self._evidence.listed_after(text, m.end())
        if listed and through and tight:
            return True
        plain = not joined.group().strip(" \t\r\n,;-–—") and not (through and tight)
        return step > 0 and (listed or step == 1 or not (plain or m.group() == "I"))

    def _weigh(self, text: str, run: list[_One], cued: bool) -> list[Found]:
        """The run with its evidence: a cue before it or around it holds for every number in it."""
        if cued:
            return [Found(one.start, one.end, one.number, Cue.MARK, one.through) for one in run]
        start, end = run[0].start, run[-1].end
        back = text[max(0, start - _LOOK_BACK) : start]
        if "\n" in back:
            back = _EMPTY_LINE.split(back)[-1]
        said = self._evidence.before(back)
        cue = Cue.NONE
        if said in (Before.NAMES, Before.POINTS, Before.COUNTS):
            cue = Cue.WORD
        elif in_parentheses(back, text, end) and any(map(str.isdigit, text[start:end])):
            cue = Cue.PARENTHESES
        never = said is Before.ADDRESS or (cue is not Cue.WORD and self._evidence.named(text, start))
        amounts = self._amounts(text, back, said, run)
        found = []
        for at, one in enumerate(run):
            if one.bare and not self._is_chapter(text, run, at, said):
                continue
            if one.digit and cue < Cue.PARENTHESES and _AMOUNT.fullmatch(text[run[0].start : run[0].end]):
                continue
            looks = _AMOUNT.fullmatch(text, one.start, one.end) or one.digit
            own = cue
            if never or (looks and at >= len(run) - amounts):
                own = Cue.NEVER
            elif cue is Cue.NONE and not looks and _lettered(one.number):
                own = Cue.SHAPE
            found.append(Found(one.start, one.end, one.number, own, one.through))
        return found

    def _amounts(self, text: str, back: str, said: Before, run: list[_One]) -> int:
        """How many numbers at the end of a run are amounts, if they can be."""
        cited = said is Before.NAMES or said is Before.POINTS
        if said is Before.AMOUNT or (not cited and self._evidence.amount_before(back)):
            return len(run)
        if self._evidence.amount_after(text, run[-1].end):
            # "2.4, 4.5 and 9.5 miles" are three distances, "12.5, 4.5 miles on" is one.
            return 1 if run[-1].join.strip() == "," else 0 if cited else len(run)
        return 0

    def _is_chapter(self, text: str, run: list[_One], at: int, said: Before) -> bool:
        """Whether a bare number of a run is a chapter: it needs a cue, and nothing behind it to count."""
        if said is Before.NAMES:
            return at == 0 or self._evidence.listed_after(text, run[at].end)
        if said is Before.POINTS:
            return self._evidence.listed_after(text, run[at].end)
        alone = text[run[0].start - 1 : run[0].start] == "(" and text[run[-1].end : run[-1].end + 1] == ")"
        pair = len(run) == 2 and run[1].through and run[0].number.ordinals < run[1].number.ordinals
        return self.dialect.bare_pairs and alone and pair


def marks(text: str, dialect: Dialect | None = None, chapter: str = "") -> list[Found]:
    """The explicit marks in a text: `[[14.7d]]`, `[[ocs/3.0:14.6c]]`, `[[14.7d|Hip Shoots]]`."""
    found = []
    for m in _MARK.finditer(text):
        book, colon, named = m.group(1).rpartition(":")
        number = dialect.parse(named.strip(), chapter) if dialect and not book else None
        start = m.start(1) + len(book) + len(colon) + len(named) - len(named.lstrip())
        end = start + len(named.strip())
        found.append(Found(start, end, number, Cue.MARK, mark=m.span(), book=book.strip(), label=m.group(2)))
    return found


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


def _lettered(number: Number) -> bool:
    """Whether a number has digits and, below its first label, a letter that is no unit: 14.7d, but not 4.5m, M.D."""
    letters = any(label.isalpha() for label in number.labels[1:]) and number.labels[-1] not in _UNIT_LETTERS
    return letters and any(label.isdigit() for label in number.labels)


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

    The separator may be left out ("4.A.1-3"), a bracket that closes behind the label may not.
    """
    for other, parts in enumerate(dialect.shapes):
        if dialect.alike[other] != shape:
            continue
        own = dialect.shapes[shape]
        for level in reversed(range(1, min(len(parts), len(own)))):
            part = parts[level]
            if part.sort == "digits" and not part.before:
                continue
            end = dialect.shape_regex(
                [Part("", part.sort, part.after, part.bracket), *parts[level + 1 :]], least=1
            )
            before = re.escape(part.before) if part.after else f"(?:{re.escape(part.before)})?"
            yield own[level], re.compile(before + end), own[level:]
