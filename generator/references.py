"""References found in ordinary prose: an editor writes "see 12.5 and 14.7d" and means two rules.

Three steps, kept apart: finding (here: where a number stands and what around it says that a rule is
meant), resolving (`outline`: which rule that is, or what is wrong), rendering (`prose`).

Finding never looks at the book's inventory. It reports every number the dialect can read, with its
evidence, and the resolver decides: a number that names a rule is a reference; one that names
nothing is an error where something cues it, and just a number where nothing does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from generator.numbers import Dialect, Number

CUES = ("see", "see also", "per", "rule", "section", "case")
JOINS = ("and", "or", "and/or", "as well as")
THROUGH = ("to", "through", "thru")
NEVER = (
    "hex #", "hexes #", "version #", "edition #", "v. #", "page #", "pages #", "p. #", "pp. #",
    "# %", "# percent", "# miles", "# mile", "# km", "# m", "# mm", "# cm", "# inches", "# feet", "# yards",
    "# meters", "# metres", "# kilometers", "# kilometres", "# hexes", "# hours", "# days", "# minutes", "# seconds",
    "# tons", "# times", "# points", "# MP", "# MPs", "# SP", "# RE", "# or more", "# or less", "# to 1", "# x",
)  # fmt: skip
"""Words beside which a number is a quantity or an address on the map; `#` stands for it."""

QUANTITY_CUES = frozenset({"per", "by"})
"""Cues that also stand before amounts (1T per 2): they make no bare chapter number a reference."""

_MARK = re.compile(r"\[\[([^\[\]|\n]+?)(?:\|([^\[\]]*))?\]\]")
_QUIET = " \t\r\n*_“”\"‘’'[](\x01"  # what may part a cue from its number: space, line ends, emphasis, brackets
_GAP = r"[\s*_“”\"‘’'\]\x01]*"  # what may part the words of a run
_LOOK_BACK = 160  # how far a parenthesis may have been opened before a number that it cues
_SIGNS = tuple("$€£#=+×≈~<>≤≥±")  # before an amount
_SUM = re.compile(r"(?:\d/|\d\s*[-−x]\s*|(?:^|\s)[-−])\Z")  # the same: 1/2.5, 3 x 2.5, -2.5


class Cue(IntEnum):
    """What says that a number is a reference, weakest first."""

    NONE = 0
    PARENTHESES = 1
    WORD = 2
    MARK = 3


@dataclass(frozen=True, slots=True)
class Found:
    """A number in a text and the evidence around it.

    `start` and `end` bound it in the text (`end` exclusive). `number` is None where an explicit mark
    holds no number of this dialect. `never`: the words beside it say that it is an amount.
    `through`: it ends a range that begins with the number found before it. `bare`: a chapter without
    any sign but its digits. `mark` bounds a whole `[[…]]`, `book` and `label` are its parts.
    """

    start: int
    end: int
    number: Number | None
    cue: Cue = Cue.NONE
    never: bool = False
    through: bool = False
    bare: bool = False
    mark: tuple[int, int] | None = None
    book: str = ""
    label: str | None = None


@dataclass(slots=True)
class _One:
    """A number of a run, before its evidence is weighed."""

    start: int
    end: int
    number: Number
    through: bool = False
    bare: bool = False


def _either(words: Sequence[str]) -> str:
    """A pattern for any of the words, the longest first, any white space where they have some."""
    return "|".join(r"\s+".join(map(re.escape, w.split())) for w in sorted(words, key=len, reverse=True))


class Finder:
    """Finds references in texts of one dialect.

    `cues`, `joins`, `through` and `never` are the words that a rulebook declares; where it declares
    none of a sort, the English ones above hold. `never` adds to them.
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
        self._number = re.compile(_numbers_of(dialect))
        self._cues = _Words(f"{cue}{end}" for cue in cues or CUES for end in ("", "s", ".", "s."))
        self._between = {w for p in (*(joins or JOINS), *(through or THROUGH)) for w in p.lower().replace("/", " ").split()}
        join, range_word = _either(joins or JOINS), _either(through or THROUGH)
        self._join = re.compile(
            rf"{_GAP}(?:(?P<through>[-–—]|(?<=\s)(?:{range_word})(?=\s))|[,;]?{_GAP}(?:(?:{join})(?!\w)|[&/])|[,;])"
            rf"{_GAP}",
            re.IGNORECASE,
        )
        self._ends = _ends_of(dialect)
        phrases = [*NEVER, *never]
        self._never_before = _Words(p.partition("#")[0] for p in phrases if p.strip().endswith("#"))
        after = _either([p.partition("#")[2] for p in phrases if p.strip().startswith("#")])
        self._never_after = re.compile(rf"\s*(?:%|:\d|[×=≈]|-[^\W\d]{{2,}})|{_GAP}-?(?:{after})(?!\w)", re.IGNORECASE)
        whole = [p for p in phrases if "#" not in p]
        self._never_whole = re.compile(rf"(?<!\w)(?:{_either(whole)})(?!\w)", re.IGNORECASE) if whole else None

    def find(self, text: str, chapter: str = "", cued: bool = False) -> list[Found]:
        """Every number of the dialect in `text`, in order, with its evidence.

        `chapter` is the label of the chapter that the text stands in, for dialects that leave it out.
        `cued`: the text is a list of references and nothing else.
        """
        found = marks(text, self.dialect, chapter) if "[[" in text else []
        taken = [f.mark for f in found if f.mark]
        run: list[_One] = []
        for m in self._number.finditer(text):
            start = m.start()
            if (run and start < run[-1].end) or (taken and any(a <= start < b for a, b in taken)):
                continue
            joined = self._joined(text, run[-1], start) if run else None
            if (one := self._one(text, m, chapter, bool(joined))) is None:
                continue
            if run and not joined:
                found += self._weigh(text, run, cued)
                run = []
            one.through = bool(joined and joined["through"])
            run.append(one)
            self._continue(text, run)
        if run:
            found += self._weigh(text, run, cued)
        return sorted(found, key=lambda f: f.start) if taken else found

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
        return self._join.fullmatch(text, end + (last.bare and text[end : end + 1] == "."), start)

    def _one(self, text: str, m: re.Match[str], chapter: str, joined: bool) -> _One | None:
        """The number at a match, or None where letters or digits beside it make it something else."""
        start, end = m.span()
        before, after = text[start - 1 : start], text[end : end + 2]
        if before.isalnum() or _goes_on(after):
            return None
        if before and before in "._/\\@" and not joined and text[start - 2 : start - 1].isalnum():
            return None
        written = m.group()
        if (number := self.dialect.parse(written, chapter)) is None:
            return None
        bare = written.removesuffix(".").isalnum() and (written[-1] == "." or len(number.labels) == 1 or written.isdigit())
        # The full stop of "6." may as well end the sentence.
        return _One(start, end - (bare and written[-1] == "."), number, bare=bare)

    def _continue(self, text: str, run: list[_One]) -> None:
        """Add to the run the shortened numbers behind its last: "and c", "(B)", "-.122"."""
        while text[run[-1].end : run[-1].end + 1] and (joined := self._join.match(text, run[-1].end)):
            through = bool(joined["through"])
            shortened = self._shortened(run[-1], text, joined.end(), through)
            if shortened is None:
                return
            run.append(shortened)

    def _shortened(self, last: _One, text: str, start: int, through: bool) -> _One | None:
        """The shortened number at `start`: the last number with its end replaced.

        A list must go up ("9.14b and a unit" is no 9.14a); a bare digit only ends a tight range.
        Where it can be read at two levels ("ii and c"), the smaller step is meant.
        """
        best: tuple[int, _One] | None = None
        for level, pattern in self._ends.items():
            m = pattern.match(text, start) if level < len(last.number.labels) else None
            if not m or _goes_on(text[m.end() : m.end() + 2]) or re.match(r"['’]|-\w\w", text[m.end() : m.end() + 3]):
                continue
            if m.group()[0].isdigit() and not (through and start - last.end == 1):
                continue
            labels = [*last.number.labels[:level], *(label for label in m.groups() if label is not None)]
            number = self.dialect.number(labels)
            if number and (through or number.ordinals > last.number.ordinals):
                step = abs(number.ordinals[level] - last.number.ordinals[level])
                if best is None or step < best[0]:
                    best = step, _One(*m.span(), number, through, last.bare)
        return best and best[1]

    def _weigh(self, text: str, run: list[_One], cued: bool) -> list[Found]:
        """The run with its evidence: a cue before it or around it holds for every number in it."""
        if cued:
            return [Found(one.start, one.end, one.number, Cue.MARK, False, one.through, one.bare) for one in run]
        start, end = run[0].start, run[-1].end
        back = text[max(0, start - _LOOK_BACK) : start]
        word = self._cues.end(back.rstrip(_QUIET))
        cue = Cue.WORD if word else Cue.PARENTHESES if _in_parentheses(back, text, end) else Cue.NONE
        quantity = word in QUANTITY_CUES
        never = (cue is not Cue.WORD or quantity) and self._never(text, back, start, end)
        if not run[0].bare or not ((cue is Cue.WORD and not quantity) or self._is_pair(text, run)):
            run = [one for one in run if not one.bare]
        return [Found(one.start, one.end, one.number, cue, never, one.through, one.bare) for one in run]

    def _never(self, text: str, back: str, start: int, end: int) -> bool:
        """Whether the words beside a run say that it is an amount or a name."""
        before = back.rstrip()
        return bool(
            before.endswith(_SIGNS)
            or self._never_before.end(before)
            or self._never_after.match(text, end)
            or _SUM.search(back[-4:])
            or self._in_phrase(text, start)
        )

    def _in_phrase(self, text: str, start: int) -> bool:
        """Whether the number at `start` stands in a phrase that the book says holds none."""
        near = max(0, start - _LOOK_BACK // 4)
        phrases = self._never_whole.finditer(text, near, start + _LOOK_BACK // 4) if self._never_whole else ()
        return any(m.start() <= start < m.end() for m in phrases)

    def _is_pair(self, text: str, run: list[_One]) -> bool:
        """Whether a run is two bare chapters alone in parentheses, in a dialect that cites so: (22-23)."""
        alone = text[run[0].start - 1 : run[0].start] == "(" and text[run[-1].end : run[-1].end + 1] == ")"
        return self.dialect.bare_pairs and alone and len(run) == 2 and run[1].through

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


def _goes_on(after: str) -> bool:
    """Whether what stands behind a number makes it longer: a letter, a digit, `.5`, `.x`."""
    return bool(after) and (after[0].isalnum() or after[0] == "_" or (after[0] == "." and after[1:].isalnum()))


def _in_parentheses(back: str, text: str, end: int) -> bool:
    """Whether the run ends a clause of a parenthesis: "(14.5)", "(cargo survival, 14.4h)", "(13.2, 13.3"."""
    before = back.rstrip(" \t\r\n*_\x01")
    if not before.endswith(("(", "[", ",", ";", ":")):
        return False
    opened = max(before.rfind("("), before.rfind("["))
    closed = max(before.rfind(")"), before.rfind("]"))
    return opened > closed and text[end : end + 8].lstrip(" \t\r\n*_\x01").startswith((")", "]", ".", ",", ";"))


class _Words:
    """A set of words or phrases that are looked for at the end of a text."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._phrases = {" ".join(p.lower().split()) for p in phrases}
        self._longest = max((p.count(" ") + 1 for p in self._phrases), default=0)

    def end(self, text: str) -> str:
        """The phrase that `text` ends with, or an empty string. White space counts as one space."""
        last = text[-40:].lower().split()[-self._longest :]
        for first in range(len(last)):
            phrase = " ".join(last[first:]).lstrip("([{\"'“‘*_-–—/\x01\x00")
            if phrase in self._phrases:
                return phrase
        return ""


def _numbers_of(dialect: Dialect) -> str:
    """A pattern for any number of the dialect.

    Where every form begins with a digit that digit is taken out of the alternatives, which lets the
    engine skip to the next digit: most texts have few.
    """
    forms = [dialect.shape_regex(parts, f"n{i}_") for i, parts in enumerate(dialect.shapes)]
    forms += dialect.chapter_regexes()
    if dialect.implied:
        forms.append(dialect.shape_regex(dialect.shapes[0][1:], "m", least=1))
    forms = [re.sub(r"\(\?P<\w+>", "(?:", form) for form in forms]
    digits = "(?:[0-9]+)"
    if all(form.startswith((digits, "([0-9]+)")) for form in forms):
        tails = "|".join(f"[0-9]*{form[len(digits) if form.startswith(digits) else 8 :]}" for form in forms)
        return f"[0-9](?:{tails})"
    return "|".join(forms)


def _ends_of(dialect: Dialect) -> dict[int, re.Pattern[str]]:
    """By level, a pattern for the end of a number standing alone: its label and what follows it.

    The separator may be left out ("4.A.1-3"), a bracket that closes behind the label may not.
    """
    parts = dialect.shapes[0]
    ends = {}
    for level in reversed(range(1, len(parts))):
        part, pattern = parts[level], ""
        if part.sort == "digit" and not part.before:
            continue
        for below in reversed(parts[level + 1 :]):
            own = f"({dialect.labels_of_sort[below.sort]})"
            pattern = f"(?:{re.escape(below.before)}{own}{re.escape(below.after)}{pattern})?"
        before = re.escape(part.before) if part.after else f"(?:{re.escape(part.before)})?"
        label = f"({dialect.labels_of_sort[part.sort]})"
        ends[level] = re.compile(f"{before}{label}{re.escape(part.after)}{pattern}")
    return ends
