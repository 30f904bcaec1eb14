"""Checks of references: that each one means a rule, and says the same as where it leads."""

from __future__ import annotations

from collections.abc import Iterator

from generator.citations import NOT_A_NUMBER, Shelf
from generator.problems import Problem, did_you_mean, kind

NO_EDITION = kind("edition-not-found", "An edition follows an edition that this book does not have here.")


def references(shelf: Shelf) -> Iterator[Problem]:
    """References that mean no rule, ranges that are none, marks that disagree with themselves."""
    for citations in shelf.citations.values():
        for citation in citations:
            for resolved in citation.resolved:
                if resolved.fault:
                    place = citation.text.place_of(resolved.found.start)
                    about = resolved.number.key if resolved.number else citation.text
                    yield resolved.fault.at(place, resolved.message, about)


def see_lists(shelf: Shelf) -> Iterator[Problem]:
    """Words in a `see:` that are no reference."""
    for address, citations in shelf.citations.items():
        finder = shelf.outlines[address].edition.finder
        for citation in citations:
            if citation.cites and (word := finder.rest(citation.text, [r.found for r in citation.resolved])):
                message = f"see holds {word.group()}, which is no rule number; notes have a key of their own"
                yield NOT_A_NUMBER.at(citation.text.place_of(word.start()), message, word.group())


def terms(shelf: Shelf) -> Iterator[Problem]:
    """Terms of the glossary whose rule is not in the book's newest edition."""
    books = {address.rpartition("/")[0] for address in shelf.outlines}
    for outline in filter(None, map(shelf.named, sorted(books))):
        for term in outline.edition.book.terms.values():
            for text, cites in ((term.means, False), (term.see, True)):
                for resolved in shelf.resolve(text, outline, outline.home, cued=cites) if text else ():
                    if text and resolved.fault:
                        place = text.place_of(resolved.found.start)
                        yield resolved.fault.at(place, resolved.message, resolved.number.key if resolved.number else text)


def editions(shelf: Shelf) -> Iterator[Problem]:
    """Editions that follow one which is not there."""
    for address, outline in shelf.outlines.items():
        follows = outline.edition.file.follows
        book = address.rpartition("/")[0]
        if follows and f"{book}/{follows}" not in shelf.outlines:
            names = [a.rpartition("/")[2] for a in shelf.outlines if a.startswith(f"{book}/") and a != address]
            message = f"{book} has no edition {follows} here{did_you_mean(follows, names)}"
            yield NO_EDITION.at(follows.place, message, follows)
