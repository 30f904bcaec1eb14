"""How else one may write what is looked for: a number in other forms, a term by what it means.

What finds rules by words typed in, the search of the site and the box to jump with, has both beside the
number and the title that are printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.book.outline import Entry
from rulewright.book.step_names import abbreviation_of, title_of
from rulewright.citations.glossary import Bearer, Glossary, TermEntry, steps_with_names
from rulewright.citations.names import Name, Names
from rulewright.numbers.dialect import Dialect, Number
from rulewright.text.document import plain

_ASIDE = re.compile(r"\s*\([^()]*\)")
_WORD = re.compile(r"\w+|[^\w\s]")
_CALLED = 20  # names of a term that stand in the search words of each text that names it
_LONGEST = 12
"""A phrase of more words is hardly said by anything but what defines it."""

_LETTER = re.compile(r"(?<=\d)\(?([^\W\d_])\)?(?![^\W\d_])")


def of_number(entry: Entry, dialect: Dialect) -> tuple[str, ...]:
    """Other forms of a rule's number than its own: as printed, as the dialect's examples have it, bare.

    12.5c(B) is 12.5(c)(B) and 125cB as well, chapter 12.0 also 12. and 12, and in its chapter A9.2 is 9.2.
    """
    number = entry.number
    forms = [str(entry.printed), *dialect.forms(number), _LETTER.sub(r"(\1)", number.key)]
    forms += (re.sub(r"[\W_]", "", number.key), _implied(number, dialect), dialect.bracketed(number))
    return tuple(form for form in dict.fromkeys(forms) if form and form != number.key)


def _implied(number: Number, dialect: Dialect) -> str:
    """A number without its chapter, where the book may leave that out; a lone label is too little."""
    if not dialect.implied or len(number.labels) < 3:
        return ""
    return re.sub(r"\A\W+", "", number.key.partition(number.labels[0])[2])


class Synonyms:
    """Synonyms in an edition: its terms with their meanings, its steps with their short names.

    In a title or in what a reader types a phrase is known with small or with large letters; an
    abbreviation only as it is written, for AT is no "at".
    """

    def __init__(self, glossary: Glossary) -> None:
        self._called: dict[Bearer, tuple[str, ...]] = {}
        self._of_rule: dict[Entry, list[TermEntry]] = {}
        for term in glossary.terms:
            means = _ASIDE.sub("", plain(term.term.means)).strip()
            self._called[term] = tuple(dict.fromkeys((*map(plain, term.spellings[:_CALLED]), means)))
            if term.rule:
                self._of_rule.setdefault(term.rule, []).append(term)
        for step in steps_with_names(glossary.outline):
            if short := abbreviation_of(step):
                self._called[step] = (short, title_of(step))
        names = (
            Name(spelt, bearer)
            for bearer, called in self._called.items()
            for words in called
            for spelt in dict.fromkeys((words, *_in_small_and_large(words)))
        )
        self._names = Names(names)

    def of_title(self, title: str) -> list[Bearer]:
        return [found.target for found in self._names.find(title, (), lambda bearers: bearers[0])]

    def of_rule(self, entry: Entry) -> Sequence[TermEntry]:
        return self._of_rule.get(entry, ())

    def words(self, bearers: Iterable[Bearer], known: str) -> tuple[str, ...]:
        """All that these are called, but for what a text says itself."""
        called = {w.casefold(): w for one in bearers for w in reversed(self._called.get(one, ()))}
        if not called:
            return ()
        phrases = {words: _WORD.findall(folded) for folded, words in called.items()}
        said = _phrases(known, {len(phrase) for phrase in phrases.values()})
        return tuple(words for words, phrase in phrases.items() if " ".join(phrase) not in said)


def _in_small_and_large(words: str) -> Iterator[str]:
    """A phrase as it stands in a sentence and as it stands in a title; nothing for an abbreviation."""
    if " " in words or words.istitle() or words.islower():
        yield words.lower()
        yield " ".join(word[:1].upper() + word[1:] for word in words.split())


def _phrases(text: str, lengths: Iterable[int]) -> set[str]:
    words = _WORD.findall(text.casefold())
    return {
        " ".join(words[at : at + length])
        for length in lengths
        if length <= _LONGEST
        for at in range(len(words) - length + 1)
    }
