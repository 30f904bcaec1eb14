"""Checks of the examples in rulebook.yml: each of them is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.book.outline import Outline
from rulewright.checks.check_visitor import LoadedProject, Problems, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import problem_type, quote_short
from rulewright.numbering.reference_cues import CueWords, PrecedingWords
from rulewright.references.reference_index import ReferenceIndex

NOTHING = problem_type(
    "example-reads-nothing",
    """An example of `numbers:` in rulebook.yml after which no number of the book is written, a form of
    `chapters:` of which there are none, or a cue that can lead up to nothing. Mend or delete
    it.""",
)


@check(LoadedProject, NOTHING)
def check_numbering_examples(project: LoadedProject, _: object) -> Problems:
    """Report unused examples, except those of books with faulty files, which may use them."""
    index = project.index
    outlines_by_file: dict[str, list[Outline]] = {}
    for outline in index.outlines.values():
        book = outline.edition.book
        for name in dict.fromkeys(text.file.name for text in (*book.numbers, *book.chapters, *book.cues)):
            outlines_by_file.setdefault(name, []).append(outline)
    faulty = {"/".join(name.split("/")[:2]) for name in project.library.faulty}
    for name, outlines in outlines_by_file.items():
        if name.removesuffix("/rulebook.yml") in faulty:
            continue
        book = outlines[0].edition.book
        numbers = [text for text in (*book.numbers, *book.chapters) if text.file.name == name]
        if numbers and any(outline.entries for outline in outlines):
            yield from _check_number_examples(numbers, outlines, index)
        for cue in (cue for cue in book.cues if cue.file.name == name):
            if CueWords([cue], (), (), ()).classify_preceding(f"{cue} ") is PrecedingWords.NOTHING:
                yield NOTHING.problem(cue, f"{quote_short(cue)} can lead up to no number; write a word", cue)


def _check_number_examples(
    examples: Sequence[LocatedText], outlines: Sequence[Outline], index: ReferenceIndex
) -> Problems:
    """Report examples of numbers and forms of chapters that match no number."""
    dialect, numbers = outlines[0].edition.dialect, outlines[0].edition.book.numbers
    numbers_in_use = [number for outline in outlines for number in _numbers_in_use(outline, index)]
    readings = [next(dialect.readings(*number), None) for number in numbers_in_use]
    used = {reading.example for reading in readings if reading and not reading.chapter}
    used |= {entry.number.shape for outline in outlines for entry in outline.entries.values()}
    used_families = {dialect.families[reading.example] for reading in readings if reading}
    families_by_form = dict(zip(dialect.chapter_forms, dialect.rows, strict=True))
    for example in examples:
        if example in numbers:
            is_used = numbers.index(example) in used
        else:
            is_used = families_by_form.get(example.strip("[]"), 0) in used_families
        if not is_used:
            message = f"{quote_short(example)} reads no number of this book; delete it"
            yield NOTHING.problem(example, message, example)


def _numbers_in_use(outline: Outline, index: ReferenceIndex) -> Iterator[tuple[str, str]]:
    """Yield the numbers of an edition as printed and as cited, with the labels of their chapters."""
    for entry in outline.entries.values():
        yield str(entry.printed), entry.chapter.number.labels[0]
    for citation in index.editions[outline.edition.address].citations:
        for reference in citation.resolved:
            yield reference.as_written(citation.text), citation.chapter
