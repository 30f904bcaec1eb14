"""Signs that cannot be seen, or look like others: no reference, term or key is hidden by one."""

import unicodedata
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.files.invisible_characters import clean_text, cleaned, first_invisible
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.references.name_finder import NameFinder, NameSpelling
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_types import RuleReference
from tests.dialects import patient
from tests.test_references import outlines

_CODES = "ad 34f 61c 180e 200b 200c 200d 200e 200f 202a 202e 2060 2066 feff"
HIDDEN = [chr(int(code, 16)) for code in _CODES.split()]
ALIKE = ["2․9", "2．9", "2‧9", "２.9", "２．９", "٢.٩", "२.९"]


@cache
def index() -> ReferenceIndex:
    files = {
        "content/x/rulebook.yml": 'title: X\nnumbers: "1.1"\nchapters: "1.0"\n',
        "content/x/1/edition.yml": 'edition: "1"\n',
        "content/x/1/known.yml": 'known: [{number: "2.0"}, {number: "2.9"}, {number: "12.5"}]\n',
    }
    return build_reference_index(outlines({name: text.encode() for name, text in files.items()}))


def found(text: str) -> list[tuple[str, str]]:
    """The rules that a text cites, each with the words that are linked."""
    cited = index().resolver.resolve(text, index().outlines["x/1"])
    return [
        (one.target.key, text[one.match.start : one.match.end])
        for one in cited
        if isinstance(one, RuleReference)
    ]


@pytest.mark.parametrize("sign", HIDDEN, ids=unicodedata.name)
@pytest.mark.parametrize("at", range(len("2.9") + 1))
def test_no_sign_hides_a_reference(sign: str, at: int) -> None:
    written = f"{'2.9'[:at]}{sign}{'2.9'[at:]}"
    assert [(key, cleaned(words)) for key, words in found(f"See {written} and 12.5.")] == [
        ("2.9", "2.9"),
        ("12.5", "12.5"),
    ]


@pytest.mark.parametrize("written", ALIKE)
def test_signs_that_look_alike_are_read_as_such(written: str) -> None:
    assert found(f"（see {written}） and 12.5") == [("2.9", written), ("12.5", "12.5")]
    sign = first_invisible(written)
    assert sign
    assert sign[1] in written


@pytest.mark.parametrize("sign", HIDDEN, ids=unicodedata.name)
def test_a_key_is_read_without_it_and_it_is_named(sign: str) -> None:
    first = "" if sign == "\ufeff" else sign  # at the head of a line YAML takes it for a new file
    root, problems = load_yaml_tree("a.yml", f"title: Ships\n{first}te{sign}xt: Sail.\n".encode())
    assert root
    assert list(root.entries) == ["title", "text"]
    assert [(problem.code, problem.place.line) for problem in problems] == [("unseen-sign", 2)]
    assert f"U+{ord(sign):04X} ({unicodedata.name(sign).lower()})" in problems[0].message


@pytest.mark.parametrize(
    ("written", "line", "column"),
    [
        ("title: Ships\n\ufefftext: Sail.\n", 2, 1),
        ("title:\xa0Ships\ntext: Sail.\n", 1, 7),
        ("title:\u3000Ships\ntext: Sail.\n", 1, 7),
        ("title：Ships\ntext: Sail.\n", 1, 6),
        ("title:\u200b Ships\ntext: Sail.\n", 1, 7),
        ("notes:\n  -\xa0number\n  - text\n", 2, 4),
        ("notes:\n \u2003- number\n  - text\n", 2, 2),
        ("\xa0title: Ships\n", 1, 1),
        ("title\xa0: Ships\n", 1, 1),
        ("text: |\n\xa0 Sail.\ntitle: Ships\n", 2, 1),
    ],
)
def test_a_sign_between_the_words_of_yaml_is_named(written: str, line: int, column: int) -> None:
    _, problems = load_yaml_tree("a.yml", written.encode())
    assert [(problem.place.line, problem.place.column) for problem in problems] == [(line, column)]
    assert "U+" in problems[0].message


def test_terms_are_found_through_them_and_through_either_form_of_an_accent() -> None:
    for written in ("Supply", "Café"):
        for name in (written, unicodedata.normalize("NFD", written)):
            names = NameFinder([NameSpelling(name, 1)])
            for text in (written, unicodedata.normalize("NFD", written), f"{written[:2]}\u00ad{written[2:]}"):
                said = f"see 2.9, the {text} of it"
                [one] = names.find(said, [(4, 7)], lambda bearers: bearers[0])
                assert said[one.start : one.end] == text


@patient
@given(
    st.lists(
        st.sampled_from([*"aé2. ", "e\u0301", "\u200b", "\u00ad", "２", "．", "\u200d", "👩", "\n"])
    ).map("".join)
)
def test_spans_lead_back_to_what_is_written(text: str) -> None:
    through = clean_text(text)
    if through is None:
        assert cleaned(text) == text
        return
    assert through.text == cleaned(text)
    assert len(through.starts) == len(through.ends) == len(through.text)
    for at, sign in enumerate(through.text):
        start, end = through.to_source_span(at, at + 1)
        assert cleaned(text[start:end]) in (sign, text[start:end])
        assert through.to_cleaned_span(start, end) == (at, at + 1)
    assert cleaned(cleaned(text)) == cleaned(text)
