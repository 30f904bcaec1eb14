"""Examples, by which a book declares how it writes its numbers, and the labels of each.

In `"1.1a(A)"`, `1` is a number, `a` or `A` a letter, `i` or `I` a roman numeral, and everything else is
literal, words included (`"R1.1"`, `"Appendix A.1"`, `"Rule 1 Case A"`). Several digits together (`"1.11"`)
are nested: one level each and as many as there are, as in decimal books: 12.1, 12.11, 12.2. A 1 with zeros
(`"100.1a"`) counts by tens or hundreds: rule 702 is the second of chapter 7. Two labels may be adjacent
(`"1.1.Ia"`). Square brackets are printed around a number and may be left out in references.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rulewright.numbering.label_types import LETTER, LabelType, label_types

_SIDE_BY_SIDE = re.compile("I[aA]|i[aA]|a[AIi]|A[aIi]")  # two labels with nothing between them: IIIb
_PART = re.compile(rf"\d+|(?P<word>(?<=[ ]){LETTER}{{2,}}(?=\.?[ ]))|{LETTER}+")  # Case in Rule 1 Case A
_SORTS = label_types()


@dataclass(frozen=True, slots=True)
class ExampleLabel:
    """Label of an example, with the text before and after it."""

    before: str
    sort: LabelType
    after: str = ""
    bracket: bool = False
    """Whether a square bracket may follow it."""

    max_levels: int = 0
    """The maximum number of nested digits before another such label, 2 in 1.11.111; 0 if unlimited."""

    @property
    def words(self) -> str:
        return words_pattern(self.before)

    @property
    def end(self) -> str:
        return words_pattern(self.after) + (r"\]?" if self.bracket else "")

    @property
    def plain(self) -> tuple[LabelType, str]:
        """The label without the brackets in which two forms of one number may differ."""
        return self.sort, self.before.strip("([{< ")

    def write(self, label: str, last: ExampleLabel | None, bracket: bool = False) -> str:
        """Return a label with the text around it; a repeated nested digit has no separator."""
        return f"{'' if self is last else self.before}{label}{self.after}{']' if bracket else ''}"


def write_example(parts: Sequence[ExampleLabel]) -> str:
    """Return the example with these parts; a nested part may be repeated for each of its digits."""
    distinct_parts = [part for part, last in zip(parts, (None, *parts), strict=False) if part is not last]
    words = "".join(part.write(part.sort.sign, None, part.bracket) for part in distinct_parts)
    return f"[{words}" if "]" in words else words


def example_fault(example: str) -> tuple[int, str] | None:
    """Return where and why an example is invalid, or None if it is valid."""
    labelled = False
    for m in _PART.finditer(example):
        part = m.group()
        if re.fullmatch("1+|10{1,3}", part) or part in _SORTS:
            labelled = True
        elif part.isdigit() or (labelled and not m["word"] and not _SIDE_BY_SIDE.fullmatch(part)):
            cure = "write 1 for a number, a or A for a letter, i or I for roman"
            return m.start(), f"{part} has no meaning here: {cure}"
    if not labelled:
        return 0, 'write a number as it is printed, such as "1.1a" or "1.1(A)"'
    if suffix := re.search(r"[^\w\s.,:;)\]>}]+\Z", example):
        sign = suffix.group()
        return suffix.start(), f'{sign} after a label has no meaning here; write suffixes: ["{sign}"]'
    return None


def parse_example(example: str, kinds: Mapping[str, LabelType]) -> tuple[ExampleLabel, ...]:
    """Return the labels of an example. A bracket that opens before a label closes after it."""
    parts: list[ExampleLabel] = []
    before, digits, length = "", 0, 0
    for token in re.findall(rf"10{{1,3}}|1+|{LETTER}+|.", example.removeprefix("[")):
        signs: Sequence[str] = ()
        if token[0] == "1":
            digits, length = length, len(token)
            signs = ("1", token[1:]) if token[-1] == "0" else (token[:2],)
        elif token in kinds:
            signs = (token,)
        elif parts and _SIDE_BY_SIDE.fullmatch(token):
            signs = token
        elif parts and token == "]":
            parts[-1] = replace(parts[-1], bracket=True)
        elif parts and token in ")}>":
            parts[-1] = replace(parts[-1], after=token)
        else:
            before += token
        for sign in signs:
            if parts and sign == parts[-1].sort.sign == "11":
                parts[-1] = replace(parts[-1], max_levels=digits)
            parts.append(ExampleLabel(before, kinds[sign]))
            before = ""
    return tuple(parts)


def are_equivalent_examples(first: Sequence[ExampleLabel], other: Sequence[ExampleLabel]) -> bool:
    """Return whether two examples differ only in brackets or words: 1.1(a) or Rule 1 Case A."""
    if any(part.before.startswith(" ") for part in (*first[1:], *other[1:])):
        return [part.sort for part in first] == [part.sort for part in other]
    return all(a.plain == b.plain for a, b in zip(first, other, strict=False))


def words_pattern(words: str) -> str:
    """Return a pattern for the text around labels: any hyphen, and words in either case with any space."""
    if not re.search(r"[^\W\d_]{2}| ", words):
        return re.escape(words).replace(r"\-", "[-‐‑]")
    spaced = (re.escape(word) for word in re.split(r"\s+", words))
    return "(?i:" + r",?[ \xa0\n]+".join(spaced) + ")"
