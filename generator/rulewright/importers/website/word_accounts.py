"""Every word of the source accounted for: kept, turned into something else, or dropped, each with its place.

The words of the source are those that a browser shows, without the reader that made rules of it, so that what
the reader loses is seen here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.book_rules import ParsedPage
from rulewright.importers.website.hyphens import MendedWord
from rulewright.importers.website.rule_tree import Change
from rulewright.importers.website.shown_words import shown_words
from rulewright.importers.website.site import Page

_MOST_PLACES = 20
"""How many places of a word that is lost are told."""


@dataclass(slots=True)
class WordAccount:
    """A count of the words of some pages that belong together: kept, changed, dropped.

    `lost` and `gained` should be empty: words of the source that are nowhere, with the places where each
    stands, and words that came from nowhere.
    """

    pages: list[Page]
    words: int = 0
    kept: int = 0
    turned: int = 0
    mended: int = 0
    dropped: int = 0
    lost: list[tuple[str, Page, list[int]]] = field(default_factory=list)
    gained: Counter[str] = field(default_factory=Counter)


def accounts(
    pages: Sequence[ParsedPage],
    written: Sequence[tuple[Sequence[Page], Sequence[str]]],
    turned: Sequence[Change],
    mended: Sequence[tuple[Page, MendedWord]],
) -> list[WordAccount]:
    """An account for each page, or for the pages that share a file.

    `written`: the files, each by the pages that it is made of and its words.
    """
    groups: dict[str, str] = {read.page.name: read.page.name for read in pages}

    def root(name: str) -> str:
        while groups[name] != name:
            name = groups[name]
        return name

    for sources, _ in written:
        for page in sources[1:]:
            groups[root(page.name)] = root(sources[0].name)
    members: dict[str, list[ParsedPage]] = {}
    for read in pages:
        members.setdefault(root(read.page.name), []).append(read)
    outputs: dict[str, list[str]] = {}
    for sources, words in written:
        outputs.setdefault(root(sources[0].name), []).extend(words)
    by_root: dict[str, tuple[list[Change], list[tuple[Page, MendedWord]]]] = {
        name: ([], []) for name in members
    }
    for one in turned:
        by_root[root(one.page.name)][0].append(one)
    for pair in mended:
        by_root[root(pair[0].name)][1].append(pair)
    return [_account(reads, outputs.get(name, []), *by_root[name]) for name, reads in members.items()]


def _account(
    pages: Sequence[ParsedPage],
    outputs: Iterable[str],
    turned: Sequence[Change],
    mended: Sequence[tuple[Page, MendedWord]],
) -> WordAccount:
    """The account of pages against the words that were written of them."""
    made = WordAccount([read.page for read in pages])
    source: list[tuple[str, int, Page]] = []
    gone: Counter[str] = Counter()
    for read in pages:
        first = read.page.file.place(read.page.start).line
        source += [(word, 1, read.page) for word in WORD.findall(read.page.title)]
        source += [(word, line, read.page) for word, line in shown_words(read.expanded.text, first)]
        titles = [word for aside in read.expanded.asides for word in WORD.findall(aside.title)]
        source += [(word, first, read.page) for word in titles]
        for dropped in read.reading.dropped:
            words = WORD.findall(dropped.words)
            made.dropped += len(words)
            gone.update(words)
            if dropped.told:  # what is not told stands on the page
                source += [(word, dropped.line, read.page) for word in words]
    made.words = len(source)
    for one in turned:
        made.turned += len(WORD.findall(one.was))
        gone.update(WORD.findall(one.was))
        gone.subtract(WORD.findall(one.now))
    for _, mend in mended:
        if mend.was != mend.now:
            made.mended += len(WORD.findall(mend.was))
            gone.update(WORD.findall(mend.was))
            gone.subtract(WORD.findall(mend.now))
    balance = Counter(word for word, _, _ in source)
    balance.subtract(gone)
    balance.subtract(outputs)
    made.kept = made.words - made.turned - made.mended - made.dropped
    places: dict[str, list[tuple[Page, int]]] = {}
    for word, line, page in source:
        places.setdefault(word, []).append((page, line))
    for word, count in balance.items():
        if count > 0:
            lines = [line for _, line in places[word][:_MOST_PLACES]]
            made.lost += [(word, places[word][0][0], lines)] * count
            made.kept -= count
        elif count < 0:
            made.gained[word] = -count
    return made
