"""Examples that read nothing, cues that nobody uses, and cues that are terms as well."""

from pathlib import Path

import pytest

from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.references.glossary import Glossary
from rulewright.render.render_context import RenderContext

ROOT = Path(__file__).parent.parent
CODES = {"example-reads-nothing", "cue-unused"}
RULES = 'chapter: "1.0"\ntitle: Arms\n"1.1": A sword (1.2a).\n"1.2":\n  text: See 1.1.\n  "1.2a": Round.\n'
APPENDIX = 'chapter: "Appendix A"\ntitle: Lists\n"A.1": As article 1.1 says.\n'


def examined(book: str, *chapters: str) -> CheckedProject:
    files = {
        "content/duel/rulebook.yml": f"title: Duel\n{book}",
        "content/duel/1/edition.yml": 'edition: "1"\n',
    }
    files |= {f"content/duel/1/rules/{at}.yml": text for at, text in enumerate(chapters)}
    return load_and_check_folder(ContentFolder({name: data.encode() for name, data in files.items()}))


def told(book: str, *chapters: str) -> list[tuple[str, str]]:
    return [(one.code, one.subject) for one in examined(book, *chapters).problems if one.code in CODES]


BOOKS = {
    'numbers: "1.1a"\nchapters: "1.0"\n': [],
    'numbers: "1.1a"\nchapters: ["1.0", "1.", "1"]\n': [],
    'numbers: ["1.1a", "1.1(a)"]\nchapters: "1.0"\n': [("example-reads-nothing", "1.1(a)")],
    'numbers: ["1.1a", "1-1-1"]\nchapters: "1.0"\n': [("example-reads-nothing", "1-1-1")],
    'numbers: ["1.1a", "A.1"]\nchapters: ["1.0", "Appendix A"]\n': [
        ("example-reads-nothing", "A.1"),
        ("example-reads-nothing", "Appendix A"),
    ],
    'numbers: "1.1a"\nchapters: "1.0"\ncues: [see, case]\n': [],
    'numbers: "1.1a"\nchapters: "1.0"\ncues: [artikel]\n': [("cue-unused", "artikel")],
    'numbers: "1.1a"\nchapters: "1.0"\ncues: ["("]\n': [("example-reads-nothing", "(")],
    'numbers: "1.1a"\nchapters: ["1.0", "(5)"]\n': [],
}


@pytest.mark.parametrize("book", BOOKS)
def test_what_reads_nothing_is_told(book: str) -> None:
    assert told(book, RULES) == BOOKS[book]


def test_what_reads_something_anywhere_is_none() -> None:
    book = 'numbers: ["1.1a", "A.1"]\nchapters: ["1.0", "Appendix A"]\ncues: [article]\n'
    assert told(book, RULES, APPENDIX) == []
    assert told(book, RULES, 'chapter: "2.0\ntitle: broken\n') == []  # it may be in what cannot be read


def test_our_own_books_have_none() -> None:
    assert not [one for one in load_and_check_folder(read_content_folder(ROOT)).problems if one.code in CODES]


# Cues that are terms

TERMS = """\
numbers: "1.1a"
chapters: "1.0"
cues: [paragraph]
terms:
  Section: {means: half a platoon, aliases: [section, sections], see: "1.1"}
  Rule: {means: a stick to measure with, aliases: rule}
  paragraph: {means: a sign on a counter}
"""
TEXTS = {
    "One fires (Section 1.1).": [],
    "Rule 1.1 holds.": [],
    "See rule 1.1.": [],
    "Sections 1.1 and 1.2 do.": [],
    "As in *section* 1.1 it is.": [],
    "Per section no. 1.1 it is.": [],
    "paragraph 1.2a forbids.": [],
    "In section (1.1) it is.": [],
    "Two sections (1.1, 1.2) of it.": [],
    "In section\n  1.1 of it.": [],
    "One Section fires, as Section 1.1 says.": ["Section"],
    "A Rule is laid; see Rule 1.1.": ["Rule"],
    "One section has ten men.": ["section"],
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_cue_in_front_of_its_number_is_no_term(text: str) -> None:
    chapter = f'chapter: "1.0"\ntitle: Men\n"1.1": A.\n"1.2":\n  text: |\n  {text}\n  "1.2a": B.\n'
    made = examined(TERMS, chapter.replace("|\n  ", "|\n    ").replace("\n  1.1 of", "\n    1.1 of"))
    outline = made.outline("duel/1")
    found = [
        words[one.start : one.end]
        for source, words, names in Glossary(outline, made.index).naming_texts()
        for one in names
        if source is outline.entries["1.2"]
    ]
    assert found == TEXTS[text]
    desk = RenderContext(made.index)
    uses = [
        term for term in desk.glossaries["duel/1"].terms if outline.entries["1.2"] in desk.names.users(term)
    ]
    assert len(uses) == len(TEXTS[text])
