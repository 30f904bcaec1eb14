"""Anchors of the headings of ordinary pages, made from their words in any script."""

from __future__ import annotations

import re
import unicodedata

from rulewright.source.lazy_regex import Regex

_NO_WORD = Regex(r"[\W_]+")
_NUMBER = Regex(r"\d{1,20}")
_VARIANTS = range(0xFE00, 0xFE10)
_MOST = 8  # numbers or signs of a heading without words


def heading_anchor(words: str, separator: str = "-") -> str:
    """Return the anchor of a heading: its words in lower case, joined by the separator.

    Latin letters lose their accents, so that "Übergang" is `ubergang`; words that have others keep all of
    them: `ход-войск`. A heading of signs is called by their names, and one of mere numbers `heading-1-2`,
    for a number alone is the anchor of a rule.
    """
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    characters = unicodedata.normalize("NFC", words) if any(map(_is_other_letter, words)) else plain
    word_characters = "".join(
        sign for sign in characters if sign in "_-" or sign.isspace() or _is_in_word(sign)
    )
    anchor = re.sub(rf"[{re.escape(separator)}\s]+", separator, word_characters.strip().lower())
    if any(map(str.isalpha, anchor)):
        return anchor
    if numbers := _NUMBER.findall(unicodedata.normalize("NFKD", words)):
        return separator.join(["heading", *(str(int(number)) for number in numbers[:_MOST])])
    signs = [sign for sign in words if unicodedata.category(sign)[0] not in "MZC"][:_MOST]
    return separator.join(_NO_WORD.sub(separator, unicodedata.name(sign, "").lower()) for sign in signs)


def _is_other_letter(sign: str) -> bool:
    """Return whether a letter is of another script than ours."""
    return sign > "\u024f" and sign.isalpha() and "LATIN" not in unicodedata.name(sign, "")


def _is_in_word(sign: str) -> bool:
    return sign.isalnum() or _is_mark(sign)


def _is_mark(sign: str) -> bool:
    """Return whether a sign is written on the one before it, as vowels of Hindi and Thai are."""
    return unicodedata.category(sign)[0] == "M" and ord(sign) not in _VARIANTS
