"""Numbers that are miswritten, missing, hidden by invisible characters, or of other works; cues and terms."""

import unicodedata
from functools import cache

import pytest

from rulewright.app.build_pipeline import build
from rulewright.files.invisible_characters import cleaned, first_invisible
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.references.glossary import Glossary
from rulewright.references.name_finder import NameFinder, NameSpelling
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import RuleReference
from tests.books import checked
from tests.commands.duel import write


@cache
def index_of(numbering: str, *known: str) -> ReferenceIndex:
    """Return the index of a book with this numbering and these rules."""
    listed = "".join(f"  - {{number: '{number}'}}\n" for number in known)
    book = f"title: X\n{numbering}\n"
    files = {
        "x/rulebook.yml": book,
        "x/1/edition.yml": "edition: '1'\n",
        "x/1/known.yml": f"known:\n{listed}",
    }
    return checked(files).index


def cited(text: str, index: ReferenceIndex, chapter: str = "") -> list[tuple[str, str]]:
    """Return the words of each reference in a text, and its rule, or code and severity of what is wrong."""
    found = []
    for one in index.resolver.resolve(text, index.outlines["x/1"], chapter):
        is_rule = isinstance(one, RuleReference)
        target = one.display_number if is_rule else f"{one.fault.code} {one.fault.severity.value}"
        found.append((text[one.match.start : one.match.end], target))
    return found


# Miswritten

SUFFIXES = (
    *"+ ++ * ** ' ’ ′ ½ ¾ ⅓ bis ter quater -bis .ter -A /A –A _A -a # #2".split(),  # noqa: SIM905
    *(" bis", " ter"),
)
TOUCHING = (
    *"*{}* **{}** ***{}*** _{}_ ++{}++ '{}' ‘{}’ “{}” {}¹ {}'s {}-type {}-5.2".split(),  # noqa: SIM905
    *("{}/5.2", "*Go* _{}_"),
)


UNREADABLE = "reference-unreadable note"


def in_fees(text: str) -> list[tuple[str, str]]:
    return cited(text, index_of("numbers: '1.1'\nchapters: ['5.0', '5.']", "5.0", "5.1", "5.2"), "5")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_number_with_a_suffix_leads_nowhere_and_is_reported_after_a_cue(suffix):
    for before, after in (("See ", "."), ("By rule ", " it flies."), ("(", ")"), ("*Go.* See ", "; go")):
        assert in_fees(f"{before}5.1{suffix}{after}") == [(f"5.1{suffix}", UNREADABLE)]
    assert in_fees(f"See 5.2 and 5.1{suffix} and 5.2.")[1:] == [(f"5.1{suffix}", UNREADABLE), ("5.2", "5.2")]
    assert "5.0" not in [rule for _, rule in in_fees(f"Rule 5{suffix}.")]
    assert in_fees(f"The 5.1{suffix}. is")[:1] == []
    assert in_fees(f"See 9.9{suffix}.")[-1] == (f"9.9{suffix}", "reference-unreadable error")
    assert in_fees(f"(2.5{suffix})") == []


@pytest.mark.parametrize("words", TOUCHING)
def test_what_ends_emphasis_or_goes_on_is_no_suffix(words):
    assert in_fees(f"See {words.format('5.1')} now.")[0] == ("5.1", "5.1")
    assert in_fees(f"* see {words.format('5.1')} now.")[0] == ("5.1", "5.1")


SHIFTS = (
    *("Shift (1R).", "A shift (2L) left", "two (2H)", "(1R, 2L)", "(1R or 2L)", "[1R]", "(1R/2L)", "(1R–2R)"),
    *("(a shift, 1L)", "(right, 12R)", "a shift of 1R, or 2L", "(+1R)", "**(1L)**"),
)
NUMBERINGS = "1.1a(A)", "1A1", "1a1", "1.A.1", "[1.11]A", "1.1", "1.1.i", "1.a", "I.A.1", "§1-a-i", "100.1a"


@pytest.mark.parametrize("example", NUMBERINGS)
def test_shifts_of_columns_are_no_references(example):
    labels = ("I", "II", "XII") if example[0] == "I" else ("1", "2", "12")
    chapters = [NumberingScheme([example]).with_scheme_case([label]) for label in labels]
    index = index_of(f"numbers: '{example}'", *(chapter.key for chapter in chapters if chapter))
    assert not [words for words in SHIFTS if cited(f"{words} here.", index, "1")]


# Missing

EDITIONS = {
    "duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: "1.0"\n',
    "duel/1/edition.yml": 'edition: "1"\ndate: "2020-01-01"\n',
    "duel/2/edition.yml": 'edition: "2"\ndate: "2021-01-01"\nfollows: "1"\n',
}
OLD = """\
chapter: "12.0"
title: Supply
"12.4 Fuel":
  text: Fuel is spent by whoever moves far.
  "12.4a": A truck burns one point in a clear hex.
  "12.4b": A tank burns two points wherever it goes.
  "12.4c": Nobody burns more than he has in his depots.
"12.5 Mud": Mud doubles all that is spent of fuel here.
"""
NEW = """\
chapter: "12.0"
title: Supply
"12.4 Weather":
  text: The weather is found on a table each week.
  "12.4a": Rain falls on a five or six in spring.
"12.5 Fuel":
  text: Fuel is spent by whoever moves far.
  "12.5a": A truck burns one point in a clear hex.
  "12.5b": A tank burns two points wherever it goes.
"12.6 Mud": Mud doubles all that is spent of fuel here.
"12.7 Citing": See {} now.
"12.8 Night": Nobody sees anything.
"12.9 Dawn": All is as it was.
"""


MESSAGES = {
    "12.4b": "no rule 12.4b; 12.4b of edition 1 is 12.5b now",
    "12.4c": "no rule 12.4c; 12.4c of edition 1 is gone",
    "12.4d": "no rule 12.4d; 12.4 ends at 12.4a",
    "12.5c": "no rule 12.5c; 12.5 ends at 12.5b",
    "12.10": "no rule 12.10; 12.0 ends at 12.9",
    "21.5": "no rule 21.5; did you mean 12.5?",
    "2.5b": "no rule 2.5b; did you mean 12.5b?",
    "45.12": "no rule 45.12",
    "99.9a": "no rule 99.9a",
    "12.5a": "",
}


@pytest.mark.parametrize("number", MESSAGES)
def test_a_missing_number_is_explained(number):
    problems = checked(
        {**EDITIONS, "duel/1/rules/12.yml": OLD, "duel/2/rules/12.yml": NEW.format(number)}
    ).problems
    messages = [one.message for one in problems if one.code == "reference-not-found"]
    assert messages == [MESSAGES[number]] * bool(MESSAGES[number])


# Cues and terms

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
    "See rule 1.1.": [],
    "Sections 1.1 and 1.2 do.": [],
    "Per section no. 1.1 it is.": [],
    "In section (1.1) it is.": [],
    "Two sections (1.1, 1.2) of it.": [],
    "In section\n  1.1 of it.": [],
    "One Section fires, as Section 1.1 says.": ["Section"],
    "A Rule is laid; see Rule 1.1.": ["Rule"],
    "One section has ten men.": ["section"],
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_cue_before_its_number_is_no_term(text):
    words = text.replace("\n", "\n  ")
    chapter = f'chapter: "1.0"\ntitle: Men\n"1.1": A.\n"1.2":\n  text: |\n    {words}\n  "1.2a": B.\n'
    book = {"duel/rulebook.yml": f"title: Duel\n{TERMS}", "duel/1/edition.yml": 'edition: "1"\n'}
    project = checked({**book, "duel/1/rules/1.yml": chapter})
    outline = project.outline("duel/1")
    found = []
    glossary = Glossary(outline, project.index)
    for source, words in glossary.searched_texts():
        if source is outline.entries["1.2"]:
            document = project.index.document(words)
            found += [words[one.start : one.end] for one in glossary.find(document, source)]
    assert found == TEXTS[text]


# Invisible characters

_CODES = "ad 34f 61c 180e 200b 200c 200d 200e 200f 202a 202e 2060 2066 feff"
HIDDEN = [chr(int(code, 16)) for code in _CODES.split()]
ALIKE = ["2․9", "2．9", "2‧9", "２.9", "２．９", "٢.٩", "२.९"]


def in_sky(text: str) -> list[tuple[str, str]]:
    return cited(text, index_of("numbers: '1.1'\nchapters: '1.0'", "2.0", "2.9", "12.5"))


@pytest.mark.parametrize("sign", HIDDEN, ids=unicodedata.name)
@pytest.mark.parametrize("offset", range(len("2.9") + 1))
def test_no_sign_hides_a_reference(sign, offset):
    found = in_sky(f"See {'2.9'[:offset]}{sign}{'2.9'[offset:]} and 12.5.")
    assert [(cleaned(words), number) for words, number in found] == [("2.9", "2.9"), ("12.5", "12.5")]


@pytest.mark.parametrize("written", ALIKE)
def test_signs_that_look_alike_are_read_as_such(written):
    assert in_sky(f"（see {written}） and 12.5") == [(written, "2.9"), ("12.5", "12.5")]
    sign = first_invisible(written)
    assert sign
    assert sign[1] in written


@pytest.mark.parametrize("sign", HIDDEN, ids=unicodedata.name)
def test_a_key_is_read_without_it_and_it_is_named(sign):
    first = "" if sign == "\ufeff" else sign  # at the head of a line YAML takes it for a new file
    root, problems = load_yaml_tree("a.yml", f"title: Ships\n{first}te{sign}xt: Sail.\n".encode())
    assert root
    assert list(root.entries) == ["title", "text"]
    assert [(problem.code, problem.place.line) for problem in problems] == [("unseen-sign", 2)]
    assert f"U+{ord(sign):04X} ({unicodedata.name(sign).lower()})" in problems[0].message


def test_terms_are_found_through_them_and_through_either_form_of_an_accent():
    for written in ("Supply", "Café"):
        for name in (written, unicodedata.normalize("NFD", written)):
            names = NameFinder([NameSpelling(name, 1)])
            for text in (written, unicodedata.normalize("NFD", written), f"{written[:2]}\u00ad{written[2:]}"):
                sentence = f"see 2.9, the {text} of it"
                [one] = names.find(sentence, [(4, 7)], lambda bearers: bearers[0])
                assert sentence[one.start : one.end] == text


# Other works

HREF = "https://a.example/sky?a&b"
TIDE = {
    "content/tide/rulebook.yml": (
        'title: Tide\nnumbers: "1.1"\nchapters: "1.0"\n'
        f'books: {{Almanac: {{aliases: [AL], leads to: "{HREF}"}}}}\n'
    ),
    "content/tide/1/edition.yml": 'edition: "1"\n',
    "content/tide/1/rules/1.yml": 'chapter: "1.0"\ntitle: Tides\ntext: See Almanac 4.2 & AL 7.\n',
    "content/tide/1/sequence.yml": "title: Day\nsteps: [{phase: Ebb, note: See Almanac 4.2.}]\n",
    "content/notes.md": "---\nbook: tide/1\n---\nThe sky of Almanac 4.2.\n",
}
LINK = '<a class="ref away" rel="external" href="https://a.example/sky?a&amp;b" title="{0} ({1})">{0}</a>'


def test_numbers_of_another_work_link_to_its_address(tmp_path):
    result = build(write(tmp_path, TIDE))
    assert not [problem for problem in result.problems if problem.is_failure]
    pages = {page.path: page.html for page in result.pages}
    long_form, alias = LINK.format("4.2", "Almanac"), LINK.format("7", "AL")
    assert f"{long_form} &amp; AL {alias}" in pages["tide/1/1-tides"]
    assert long_form in pages["tide/1/sequence"]
    [reference] = result.linked_pages["content/notes.md"].references
    assert reference == (HREF, "4.2", "4.2 (Almanac)", None)
