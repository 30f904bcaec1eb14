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

    def __init__(self, sign: str, regex: str, touching: str = "", in_form: str = "") -> None:
        self.sign = sign
        self.regex = regex
        self.touching = touching or regex
        self.in_form = in_form or rf"(?<!\w)(?:[ivxlcdm]+|{LETTER})(?!\w)"

    @property
    def capital(self) -> bool:
        return self.sign.isupper()

    def ordinal(self, label: str) -> float | None:
        """Return the ordinal of a label, from 1 (a number may be 0); None if it is no label."""
        raise NotImplementedError

    def label(self, ordinal: float) -> str:
        """Return the label of an ordinal: 3, c, C, iii or III."""
        raise NotImplementedError

    def cased(self, label: str) -> str:
        cased = label.upper() if self.capital else label.lower()
        return cased if len(cased) == len(label) else label  # ß is no SS

    def split(self, text: str) -> list[str]:
        return [text]


# The length limits keep a search in hostile text linear.
class DigitLabels(LabelType):
    """1, 2, 3."""

    digits = True

    def __init__(self) -> None:
        super().__init__("1", "[0-9]{1,4}", in_form="[0-9]+")

    def ordinal(self, label: str) -> int | None:
        return parse_int(label) if label.isdecimal() else None

    def label(self, ordinal: float) -> str:
        return str(int(ordinal))


class SingleDigitLabels(DigitLabels):
    """Digits each of which is a level, 1 and 2 in 3.12."""

    nested = True

    def __init__(self) -> None:
        LabelType.__init__(self, "11", "[0-9]{1,6}")

    def ordinal(self, label: str) -> int | None:
        return super().ordinal(label) if len(label) == 1 else None

    def split(self, text: str) -> list[str]:
        return [*text]


class PaddedDigitLabels(DigitLabels):
    """Numbers with a fixed count of digits, 02 in 702."""

    padded = True

    def __init__(self, zeros: str) -> None:
        LabelType.__init__(self, zeros, f"[0-9]{{{len(zeros)}}}")

    def label(self, ordinal: float) -> str:
        return str(int(ordinal)).rjust(len(self.sign), "0")


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

    def ordinal(self, label: str) -> int | None:
        place = self.alphabet.find(label[:1].lower()) if label == label[:1] * len(label) else -1
        return place + 1 + (len(label) - 1) * len(self.alphabet) if label and place >= 0 else None

    def label(self, ordinal: float) -> str:
        repeats, place = divmod(int(ordinal) - 1, len(self.alphabet))
        return self.cased(self.alphabet[place] * (repeats + 1))


class RomanLabels(LabelType):
    """Roman numerals, in either case."""

    def __init__(self, sign: str) -> None:
        signs = "IVXLCDM" if sign.isupper() else "ivxlcdm"
        in_form = r"(?<!\w)[IVXLCDM]+(?!\w)" if sign.isupper() else ""
        super().__init__(sign, f"[{signs}]{{1,12}}", in_form=in_form)
        self.sample = "IV" if self.capital else "iv"

    def ordinal(self, label: str) -> int | None:
        return parse_roman(label.lower())

    def label(self, ordinal: float) -> str:
        numeral, left = "", int(ordinal)
        for sign, value in sorted(_ROMAN.items(), key=lambda pair: -pair[1]):
            numeral += sign * (left // value)
            left %= value
        return self.cased(numeral)


class CodeLabels(LabelType):
    """Capital letters without an order, such as GR, MOV, AIR."""

    def __init__(self) -> None:
        super().__init__("AA", "[A-Z]{2,5}(?![A-Za-z])", in_form=r"(?<!\w)[A-Z]{2,5}(?!\w)")
        self.sample = "GR"

    def ordinal(self, label: str) -> int | None:
        return 1 if re.fullmatch("[A-Z]{2,5}", label) else None

    def label(self, ordinal: float) -> str:
        return self.sign


class SuffixedLabels(LabelType):
    """Labels of another type with an optional suffix, which adds a fraction to the ordinal.

    An ordinal after the last suffix has an empty label.
    """

    def __init__(self, sort: LabelType, suffixes: Suffixes) -> None:
        super().__init__(
            sort.sign, sort.regex + suffixes.regex, sort.touching + suffixes.regex, in_form=sort.in_form
        )
        self.sample, self.digits, self.nested, self.padded = (
            sort.sample,
            sort.digits,
            sort.nested,
            sort.padded,
        )
        self._sort, self.suffixes = sort, suffixes

    def ordinal(self, label: str) -> float | None:
        base, rank = self.suffixes.split(label)
        count = self._sort.ordinal(base)
        return count + rank * STEP if count is not None and rank else count

    def label(self, ordinal: float) -> str:
        count, rank = divmod(round(ordinal / STEP), round(1 / STEP))
        return self._sort.label(count) + self.suffixes.by_rank(rank) if rank <= len(self.suffixes.all) else ""

    def cased(self, label: str) -> str:
        base, _ = self.suffixes.split(label)
        return self._sort.cased(base) + label[len(base) :]

    def split(self, text: str) -> list[str]:
        base, rank = self.suffixes.split(text)
        *above, last = self._sort.split(base)
        return [*above, last + self.suffixes.by_rank(rank)]


def label_types(alphabet: str = ALPHABET) -> dict[str, LabelType]:
    """Return every label type by its sign, with the letters of an alphabet."""
    types = (
        *(DigitLabels(), SingleDigitLabels(), *map(PaddedDigitLabels, ("0", "00", "000"))),
        *(
            LetterLabels("a", alphabet),
            LetterLabels("A", alphabet),
            RomanLabels("i"),
            RomanLabels("I"),
            CodeLabels(),
        ),
    )
    return {label_type.sign: label_type for label_type in types}


def parse_roman(label: str) -> int | None:
    """Return the value of a lower-case roman numeral in its usual form, or None."""
    form = re.fullmatch("(m*)(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", label)
    if not label or not form:
        return None
    return sum(_ROMAN[t] for t in re.findall("c[md]|x[cl]|i[xv]|.", label))
