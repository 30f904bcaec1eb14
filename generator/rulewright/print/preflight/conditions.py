"""Conditions of the Matterhorn Protocol: how one is registered, and those that only a human can judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pikepdf import Dictionary, Name

from rulewright.print.preflight.structure_tree import Structure

Faults = Callable[[Structure], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition under which a PDF fails: its number, its words, when it applies, and what fails it."""

    number: str
    words: str
    applies: Callable[[Structure], object]
    faults: Faults


def always(structure: Structure) -> bool:
    return True


def tagged(structure: Structure) -> bool:
    return structure.tree is not None


def having(*kinds: str) -> Callable[[Structure], object]:
    """Applies where there are elements of some types."""
    return lambda structure: structure.of(*kinds)


def annotated(subtype: str) -> Callable[[Structure], list[tuple[int, Dictionary]]]:
    """Applies where there are annotations of a subtype: gives these with the numbers of their pages."""
    name = Name(f"/{subtype}")
    return lambda structure: [
        (page.number, one) for page, one in structure.annotations if one.get("/Subtype") == name
    ]


def collect(into: list[Condition]) -> Callable[..., Callable[[Faults], Faults]]:
    """A decorator that adds a condition to a list: `@condition("01-007", "words", applies)`."""

    def condition(
        number: str, words: str, applies: Callable[[Structure], object] = always
    ) -> Callable[[Faults], Faults]:
        def add(faults: Faults) -> Faults:
            into.append(Condition(number, words, applies, faults))
            return faults

        return add

    return condition


HUMAN = {
    "01-001": "an artifact is tagged as real content",
    "01-002": "real content is marked as an artifact",
    "01-006": "the type or the attributes of an element do not fit its meaning",
    "02-002": "a type is mapped to one that does not fit its meaning",
    "03-001": "an action makes something flicker",
    "03-002": "a film or the like flickers",
    "03-003": "a script makes something flicker",
    "04-001": "information is conveyed by contrast, colour or layout that no tag reflects",
    "05-001": "media has sound that is not to be had in another form",
    "05-002": "a sound says what is not to be had in another form",
    "05-003": "a script beeps and gives no other notice",
    "06-004": "the title does not clearly name the document",
    "08-001": "text that a machine has read off a picture has significant errors",
    "08-002": "such text is not tagged",
    "09-001": "tags are not in a logical order of reading",
    "09-002": "elements are nested in a way that does not fit their meaning",
    "09-003": "the type of an element, after the role map, does not fit its meaning",
    "11-007": "the language that is given is not the right one",
    "12-001": "stretched characters are not represented as they should be",
    "13-001": "a graphic is not tagged as a Figure",
    "13-002": "a link with a meaningful background has no alternative for both",
    "13-003": "a caption is not tagged as a Caption",
    "13-005": "replacement text is given where an alternative would fit better",
    "13-006": "graphics that mean something only together are not one Figure",
    "13-007": "a more accessible representation is not used",
    "13-008": "a Figure that is read as text has no replacement text",
    "14-001": "headings are not tagged",
    "14-004": "levels of headings are not counted in Arabic numerals",
    "14-005": "a heading of a seventh level has no tag of its own",
    "15-001": "the header of a row is not tagged as one",
    "15-002": "the header of a column is not tagged as one",
    "15-004": "what is no table is tagged as one",
    "15-005": "the header of a cell cannot be told without doubt",
    "16-001": "a numbered list does not say how it is numbered",
    "16-002": "the numbering that a list declares is not the one that it has",
    "16-003": "a list is not tagged as one",
    "17-001": "a formula is not tagged as one",
    "18-001": "headers and footers are not pagination artifacts",
    "18-002": "a header or footer is not classed as one",
    "19-001": "a footnote is not tagged as a Note",
    "19-002": "what points to a footnote is not tagged as a Reference",
    "22-001": "threads of articles do not follow the order of reading",
    "24-001": "the fields of a paper form are not tagged",
    "28-001": "an annotation does not stand in the order of reading",
    "28-003": "an annotation that is there for its looks is not tagged by what it means",
    "28-013": "a link by coordinates has no other that does the same",
    "29-001": "a script asks for keys in time",
    "31-010": "a font is embedded whose licence does not allow it",
}
"""The conditions that only a human can judge, in our words. 23-001 and 27-001 have no test at all."""
