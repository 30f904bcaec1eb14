"""The labels that a book prints in front of its steps, and which of them follow each other."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rulewright.model.step_kinds import KINDS, TURNS
from rulewright.numbers.labels import roman
from rulewright.source.amounts import whole

WORDS = {kind: kind.title().replace(" ", "[ -]") for kind in KINDS}
"""The kinds of step as a book prints them."""

_COUNTED = "|".join(word for kind, word in WORDS.items() if kind not in TURNS)
_DOTTED = r"(?:[A-Z]{0,2}\d{1,3}|[A-Z])(?:\.(?:\d{1,3}|[A-Za-z](?![A-Za-z])))+[a-z]?(?![\w.]*\w)"
_LABEL = re.compile(
    rf"""
      (?P<word>(?:{_COUNTED}|Step|Stage|Part|Round|Impulse)[ ](?P<count>\d{{1,2}}|[IVX]+|[A-Z]))
        (?=[ ]*[:.–—-])[ ]*[:.–—-]+(?=\s)
    | \[(?P<bracketed>{_DOTTED}|\d{{1,3}})\][.:]?(?=\s)
    | (?P<dotted>{_DOTTED})[.:)]?(?=\s)
    | \(?(?P<simple>[IVXLC]{{1,5}}|[ivxlc]{{1,5}}|[A-Za-z]|\d{{1,3}})(?P<end>[.)])(?:(?=\s)|(?=[A-Z][a-z]))
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Label:
    """A label as it is printed. `bare`: the number in it, without what only sets it off; `parts`: those of
    one with several, `4.A.1`; `counts`: what any other counts, by each sort of label that it may be (I is a
    letter and a roman numeral).
    """

    printed: str
    bare: str
    parts: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()

    def lies_in(self, other: Label) -> bool:
        """Whether this is a number inside another: 4.A.1 in 4.A, and 2.1 in 2.0."""
        outer = other.parts or ((other.bare,) if other.bare.isdecimal() else ())
        outer = outer[:-1] if outer[-1:] == ("0",) else outer
        return bool(outer) and len(self.parts) > len(outer) and self.parts[: len(outer)] == outer

    def beside(self, other: Label) -> bool:
        """Whether two numbers stand in the same one."""
        return (
            bool(self.parts) and len(self.parts) == len(other.parts) and self.parts[:-1] == other.parts[:-1]
        )

    def sorts(self, other: Label) -> list[str]:
        """The sorts of label that both may be."""
        theirs = dict(other.counts)
        return [sort for sort, _ in self.counts if sort in theirs]

    def follows(self, other: Label) -> bool:
        """Whether this is the label right behind another, or far enough behind it to be a gap only."""
        theirs = dict(other.counts)
        return any(0 < count - theirs.get(sort, 99) <= 2 for sort, count in self.counts)

    def behind(self, other: Label | None) -> Label:
        """The label as the one sort that it is behind another, or at the head of a row."""
        theirs = dict(other.counts) if other and self.follows(other) else {}
        if theirs:
            counts = [(sort, count) for sort, count in self.counts if 0 < count - theirs.get(sort, 99) <= 2]
        else:
            counts = [(sort, count) for sort, count in self.counts if count == 1]
        return replace(self, counts=tuple(counts[:1])) if counts else self

    @property
    def is_first(self) -> bool:
        return any(count == 1 for _, count in self.counts)


def label_of(text: str) -> tuple[Label, int] | None:
    """The label that a text begins with, and where what it labels begins."""
    m = _LABEL.match(text)
    if m is None:
        return None
    end = m.end() + len(text[m.end() :]) - len(text[m.end() :].lstrip())
    printed = text[: m.end()].strip().rstrip(":–—- ")
    if m["word"]:
        word = m["word"].partition(" ")[0].lower()
        counts = tuple((f"{word} {sort}", count) for sort, count in _counts(m["count"], ""))
        return Label(m["word"], m["count"], counts=counts), end
    number = m["bracketed"] or m["dotted"]
    if number and not re.search(r"\d", number):
        return None  # U.S.
    if number and "." in number:
        return Label(printed, number, tuple(re.findall(r"[A-Z]*\d+|[A-Za-z]+", number))), end
    style = f"{'(' if text.startswith('(') else ''}{m['end'] or ']'}"
    counts = _counts(m["simple"] or number, style)
    return (Label(printed, m["simple"] or number, counts=counts), end) if counts else None


def _counts(bare: str, style: str) -> tuple[tuple[str, int], ...]:
    """The count of a label, by each sort that it may be. A point and a bracket behind it are not the same."""
    if bare.isdecimal():
        return ((f"number {style}", whole(bare) or 0),)
    case = "upper" if bare.isupper() else "lower"
    counts = []
    if len(bare) == 1:
        counts.append((f"{case} letter {style}", ord(bare.lower()) - ord("a") + 1))
    if value := roman(bare.lower()):
        counts.append((f"{case} roman {style}", value))
    return tuple(counts)
