"""How else a number and a name may be written."""

import pytest

from rulewright.checks.examine import examine_folder
from rulewright.citations.spellings import of_number
from rulewright.site.context import Desk
from rulewright.source.folder import Folder

HARBOUR = {
    "content/h/rulebook.yml": """
title: H
numbers: NUMBERS
chapters: CHAPTERS
IMPLIED
terms:
  SP: {means: "Supply Point (a load)", aliases: [stores], see: "RULE"}
  AT: {means: Anchor Tug}
""",
    "content/h/1/edition.yml": 'edition: "1"\n',
    "content/h/1/sequence.yml": """
title: Turn
steps:
  - phase: Towing Phase
    abbreviation: TPh
    steps: [{do: Spend an SP}]
""",
    "content/h/1/rules/1.yml": """
chapter: "CHAPTER"
title: Loads
rules: [{number: "RULE", title: Crates, text: In the TPh at sea an AT is used.}]
""",
}


def desk(numbers: str, chapters: str, chapter: str, rule: str) -> Desk:
    """A book with one chapter and one rule."""
    implied = "implied: chapter" if numbers.startswith('["A') else ""
    words = {"NUMBERS": numbers, "CHAPTERS": chapters, "CHAPTER": chapter, "RULE": rule, "IMPLIED": implied}
    texts = {}
    for name, text in HARBOUR.items():
        for word, meant in words.items():
            text = text.replace(word, meant)
        texts[name] = text.encode()
    return Desk(examine_folder(Folder(texts)).shelf)


@pytest.mark.parametrize(
    ("numbers", "chapters", "chapter", "rule", "forms", "of_chapter"),
    [
        ('"1.1a(A)"', '["12.0", "12."]', "12.0", "12.5c(B)", "12.5(c)(B), 125cB", "12., 12, 120"),
        ('["1.1a", "1.1(a)"]', '"4.0"', "4.0", "4.2b", "4.2(b), 42b", "4, 40"),
        ('"[1.11]A"', '"3.0"', "10.0", "10.12A", "10.12(A), 1012A, [10.12]A", "10, 100"),
        ('["A1.111", "A.1"]', '"C"', "A", "A9.2", "A92, 9.2", ""),
        ('"1.A.1.a"', '"62"', "4", "4.A.1", "4A1", ""),
        ('"§1-a-i"', '"§4"', "§4", "§4-b-iii", "4biii", "4"),
    ],
)
def test_the_other_forms_of_a_number(numbers, chapters, chapter, rule, forms, of_chapter):
    """As printed, in brackets, bare; a chapter in its forms; without the chapter where the book allows it."""
    (outline,) = desk(numbers, chapters, chapter, rule).shelf.outlines.values()
    dialect = outline.edition.dialect
    assert ", ".join(of_number(outline.entries[rule], dialect)) == forms
    assert ", ".join(of_number(outline.entries[chapter], dialect)) == of_chapter


def test_a_title_is_known_by_what_its_terms_stand_for_and_the_other_way_round():
    made = desk('"1.1a"', '"1.0"', "1.0", "1.1")
    (outline,) = made.shelf.outlines.values()
    entry = outline.entries["1.1"]
    assert made.also(entry, "Crates") == ("Supply Point", "stores", "SP")  # the term that the rule defines
    step = outline.steps[0]
    assert made.also(step, "The Supply Point at Sea") == ("stores", "SP")
    assert made.also(step, "SPs and AT") == ("Supply Point", "stores", "SP", "Anchor Tug")
    assert made.also(step, "Look at the sea") == ()  # AT is no "at"
    assert made.also(step, "Towing Phase") == ("TPh",)


def test_a_text_is_known_by_what_it_names():
    made = desk('"1.1a"', '"1.0"', "1.0", "1.1")
    (outline,) = made.shelf.outlines.values()
    rule = outline.entries["1.1"].rule
    assert rule.text
    assert made.meant(outline.edition, [rule.text]) == ("Towing Phase", "Anchor Tug")
