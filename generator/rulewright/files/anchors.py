"""Anchors of the headings of content pages, derived from words in any script."""

from __future__ import annotations

import re
import unicodedata

_NUMBER = re.compile(r"\d{1,20}")
_VARIANTS = range(0xFE00, 0xFE10)
_MAX_PARTS = 8  # numbers of a heading without words


def heading_anchor(words: str, separator: str = "-") -> str:
    """Return the anchor of a heading: its words in lower case, joined by the separator.

    Latin letters lose their accents: "Übergang" becomes `ubergang`. Words in other scripts keep their
    letters: `ход-войск`. A heading without letters becomes `heading` or, with its numbers, `heading-1-2`:
    a number alone is the anchor of a rule.
    """
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    characters = unicodedata.normalize("NFC", words) if _has_other_script(words) else plain
    word_characters = "".join(
        character
        for character in characters
        if character.isalnum()
        or character.isspace()
        or character in "_-"
        # Such as combining vowels of Hindi and Thai.
        or (unicodedata.category(character)[0] == "M" and ord(character) not in _VARIANTS)
    )
    anchor = re.sub(rf"[{re.escape(separator)}\s]+", separator, word_characters.strip().lower())
    if any(map(str.isalpha, anchor)):
        return anchor
    numbers = _NUMBER.findall(unicodedata.normalize("NFKD", words))[:_MAX_PARTS]
    return separator.join(["heading", *(str(int(number)) for number in numbers)])


def _has_other_script(words: str) -> bool:
    """Return whether words have a letter that is not Latin."""
    return any(
        letter > "\u024f" and letter.isalpha() and "LATIN" not in unicodedata.name(letter, "")
        for letter in words
    )
