"""Types of labels, which the levels of a number count by: digits, letters, roman numerals.

Each type is a class that knows how its labels are written, found and counted. Examples of numbers refer to it
by its sign: `1`, `11`, `a`, `A`, `AA`, `i`, `I`, and the zeros of `100`. A label may have a suffix that the
book declares: 1bis, b+ and 12A come after 1, b and 12 and before 2, c and 13.
"""

from __future__ import annotations

import re

from rulewright.files.safe_integers import parse_int
from rulewright.numbering.suffixes import STEP, Suffixes

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
LETTER = r"[^\W\d_]"
_AND = r"(?=and\s+[\[(§]?[0-9])"  # 16.Gand 16.H
_ROMAN = {"m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10}
_ROMAN |= {"ix": 9, "v": 5, "iv": 4, "i": 1}


class LabelType:
    """Type of label; two labels of a scheme have the same type if it is the same object.

    `regex` matches a label, `touching` one directly before another label, `in_form` one in the form of a
    chapter.
    """

    digits = False
    """Whether labels are numbers."""

    nested = False
    """Whether each digit is a level."""

    padded = False
    """Whether labels have leading zeros."""

    sample = "12"
    """A label that can be of no other type."""

    suffixes = Suffixes()
    """Suffixes that labels may have; each adds a fraction to the ordinal."""

    def __init__(self, sign: str, regex: str, touching: str = "", in_form: str = "") -> None:
        self.sign = sign
        self.regex = regex
        self.touching = touching or regex
        self.in_form = in_form or rf"(?<!\w)(?:[ivxlcdm]+|{LETTER})(?!\w)"

    def add_suffixes(self, suffixes: Suffixes) -> None:
        self.suffixes = suffixes
        self.regex += suffixes.regex
        self.touching += suffixes.regex

    @property
    def capital(self) -> bool:
        return self.sign.isupper()

    def count(self, label: str) -> int | None:
        """Return the count of a label without suffix, from 1 (a number may be 0); None if it is no label."""
        raise NotImplementedError

    def label_of(self, count: int) -> str:
        """Return the label of a count: 3, c, C, iii or III."""
        raise NotImplementedError

    def ordinal(self, label: str) -> float | None:
        """Return the ordinal of a label with its suffix; None if it is no label."""
        base, rank = self.suffixes.split(label)
        count = self.count(base)
        return count + rank * STEP if count is not None and rank else count

    def label(self, ordinal: float) -> str:
        """Return the label of an ordinal; "" after the last suffix."""
        count, rank = divmod(round(ordinal / STEP), round(1 / STEP))
        suffix = self.suffixes.by_rank(rank)
        return "" if suffix is None else self.label_of(count) + suffix

    def cased(self, label: str) -> str:
        base, _ = self.suffixes.split(label)
        cased = base.upper() if self.capital else base.lower()
        return (cased if len(cased) == len(base) else base) + label[len(base) :]  # ß is no SS

    def split(self, text: str) -> list[str]:
        """Return the levels of a label: each digit of a nested one."""
        base, rank = self.suffixes.split(text)
        *above, last = [*base] if self.nested else [base]
        return [*above, f"{last}{self.suffixes.by_rank(rank)}"]


# The length limits keep a search in hostile text linear.
class DigitLabels(LabelType):
    """1, 2, 3; with the sign 11 each digit is a level; the sign 00 has labels of two digits, 02 in 702."""

    digits = True

    def __init__(self, sign: str) -> None:
        self.nested, self.padded = sign == "11", sign[0] == "0"
        lengths = str(len(sign)) if self.padded else "1,6" if self.nested else "1,4"
        super().__init__(sign, f"[0-9]{{{lengths}}}", in_form="[0-9]+")

    def count(self, label: str) -> int | None:
        return parse_int(label) if label.isdecimal() and (len(label) == 1 or not self.nested) else None

    def label_of(self, count: int) -> str:
        return str(count).rjust(len(self.sign), "0") if self.padded else str(count)


class LetterLabels(LabelType):
    """Letters of an alphabet, doubled after its last: z, aa, bb."""

    def __init__(self, sign: str, alphabet: str) -> None:
        self.alphabet = alphabet
        letters = alphabet.upper() if sign.isupper() else alphabet
        letter, doubled = f"[{letters}]", "|".join(character * 2 for character in letters)
        if sign.isupper():
            regex = f"{letter}{{1,2}}(?:{_AND}|(?![a-zA-Z{alphabet}{letters}]))"
        else:
            # 12.5ff is 12.5 and what follows it
            regex = rf"(?!ff(?!\w)){letter}{{1,2}}(?:{_AND}|(?![a-z{letters}]))"
        super().__init__(sign, regex, f"(?:{doubled}|{letter})")
        self.sample = "C" if self.capital else "c"

    def count(self, label: str) -> int | None:
        place = self.alphabet.find(label[:1].lower()) if label == label[:1] * len(label) else -1
        return place + 1 + (len(label) - 1) * len(self.alphabet) if label and place >= 0 else None

    def label_of(self, count: int) -> str:
        repeats, place = divmod(count - 1, len(self.alphabet))
        return self.cased(self.alphabet[place] * (repeats + 1))


class RomanLabels(LabelType):
    """Roman numerals, in either case."""

    def __init__(self, sign: str) -> None:
        signs = "IVXLCDM" if sign.isupper() else "ivxlcdm"
        in_form = r"(?<!\w)[IVXLCDM]+(?!\w)" if sign.isupper() else ""
        super().__init__(sign, f"[{signs}]{{1,12}}", in_form=in_form)
        self.sample = "IV" if self.capital else "iv"

    def count(self, label: str) -> int | None:
        return parse_roman(label.lower())

    def label_of(self, count: int) -> str:
        numeral = ""
        for sign, value in sorted(_ROMAN.items(), key=lambda pair: -pair[1]):
            numeral += sign * (count // value)
            count %= value
        return self.cased(numeral)


class CodeLabels(LabelType):
    """Capital letters without an order, such as GR, MOV, AIR."""

    def __init__(self) -> None:
        super().__init__("AA", "[A-Z]{2,5}(?![A-Za-z])", in_form=r"(?<!\w)[A-Z]{2,5}(?!\w)")
        self.sample = "GR"

    def count(self, label: str) -> int | None:
        return 1 if re.fullmatch("[A-Z]{2,5}", label) else None

    def label_of(self, count: int) -> str:
        return self.sign


def label_types(alphabet: str = ALPHABET, suffixes: Suffixes | None = None) -> dict[str, LabelType]:
    """Return every label type by its sign, with the letters of an alphabet and the suffixes of a book."""
    types: list[LabelType] = [*map(DigitLabels, ("1", "11", "0", "00", "000")), CodeLabels()]
    types += [LetterLabels("a", alphabet), LetterLabels("A", alphabet), RomanLabels("i"), RomanLabels("I")]
    for label_type in types:
        label_type.add_suffixes(suffixes or Suffixes())
    return {label_type.sign: label_type for label_type in types}


def parse_roman(label: str) -> int | None:
    """Return the value of a lower-case roman numeral in its usual form, or None."""
    form = re.fullmatch("(m*)(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", label)
    if not label or not form:
        return None
    return sum(_ROMAN[t] for t in re.findall("c[md]|x[cl]|i[xv]|.", label))
