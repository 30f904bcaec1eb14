"""YAML as text with places: every value as it is written, every character where it stands."""

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulewright.files import limits
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence, decode_utf8
from rulewright.files.problems import SourceFile, SourceLocation
from rulewright.files.yaml_tree import load_yaml_tree

LINE_END = re.compile(r"\r\n|\n|\r")
SIGNS = "\n\t\x85\u2028\u00a0\u3000 \\\"'#:-,[]{}&*!|>%@`?~=<0é😀"
CHARACTERS = st.characters(blacklist_categories=("Cs", "Cc")) | st.sampled_from(SIGNS)
STYLES = ["", "'", '"', "|", ">"]


def bare(node: Node | None) -> object:
    """A tree as PyYAML makes it."""
    if isinstance(node, YamlMapping):
        return {str(key): bare(value) for key, value in node.entries.items()}
    return [bare(item) for item in node.items] if isinstance(node, YamlSequence) else str(node)


def only(tree: Node | None, key: str) -> LocatedText:
    value = next(value for k, value in tree.entries.items() if k == key)
    return value


@given(
    value=st.text(CHARACTERS, max_size=60),
    style=st.sampled_from(STYLES),
    line_end=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
)
def test_any_text_in_any_style(value: str, style: str, line_end: str, mark: bool) -> None:
    """The value is PyYAML's, and each visible character of it stands where its place says."""
    content = {"first": "a", "text": value, "last": "z"}
    dumped = yaml.dump(content, default_style=style or None, allow_unicode=True, width=20, sort_keys=False)
    text = dumped.replace("\n", line_end)
    expected = yaml.load(text, Loader=yaml.BaseLoader)
    tree, problems = load_yaml_tree("f", ("\ufeff" if mark else "").encode() + text.encode())
    if any(problem.code in ("control-character", "yaml-tag") for problem in problems):
        return  # what PyYAML writes as an escape or a tag (of binary data) and is refused here
    assert [problem for problem in problems if problem.code != "words-in-comment"] == []
    assert bare(tree) == expected
    read = only(tree, "text")
    lines = LINE_END.split(text)
    for offset, character in enumerate(read):
        place, index = read.location_of(offset), read.file_offset(offset)
        assert read.start <= index <= read.end
        if not character.isspace():
            written = lines[place.line - 1][place.column - 1]
            assert written == text[index]
            assert written == character or (read.style == '"' and written == "\\")


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    tree, problems = load_yaml_tree("f", data)
    assert tree is not None or problems
    assert len(set(problems)) == len(problems)


@given(st.text(st.sampled_from("[]{},:-? \n\t\"'#&*!|>%@`ab01.<=…\r"), max_size=60))
def test_any_signs(text: str) -> None:
    """A fault of syntax is told in plain words, at a place in the file."""
    tree, problems = load_yaml_tree("f", text.encode())
    assert tree is not None or problems
    lines = LINE_END.split(text)
    for problem in problems:
        assert "this is not YAML" not in problem.message
        assert problem.place.line <= len(lines)
        assert problem.place.column <= len(lines[problem.place.line - 1]) + 1


@pytest.mark.parametrize(
    ("written", "value", "places"),
    [
        (r'"\x31\u0032.\U00000035 a"', "12.5 a", [(1, 5), (1, 9), (1, 15), (1, 16), (1, 26), (1, 27)]),
        (r'"a\x20b\u2003c\_d"', "a b\u2003c\xa0d", [(1, c) for c in (5, 6, 10, 11, 17, 18, 20)]),
        ('"a\\\n   \\ b\\\tc\\\n  d"', "a b\tcd", [(1, 5), (1, 6), (2, 6), (2, 7), (2, 9), (3, 3)]),
        ("'it''s'", "it's", [(1, 5), (1, 6), (1, 7), (1, 9)]),
        ("|2- # 9.9\n    x\n   y", "  x\n y", [(1, 4), (1, 4), (2, 5), (2, 6), (2, 6), (3, 4)]),
        (">-\n  😀 é\n\n  ü", "😀 é\nü", [(2, 3), (2, 4), (2, 5), (2, 6), (4, 3)]),
        ("a\n  b # c", "a b", [(1, 4), (1, 5), (2, 3)]),
        ("", "", []),
    ],
)  # fmt: skip
def test_places_of_characters(written: str, value: str, places: list[tuple[int, int]]) -> None:
    """Visible characters stand where they are written, white space behind what is visible before it."""
    text = only(load_yaml_tree("f", f"k: {written}\n".encode())[0], "k")
    assert text == value
    assert [(text.location_of(i).line, text.location_of(i).column) for i in range(len(text))] == places
    assert text.start <= text.file_offset(len(text)) <= text.end


def test_columns_count_characters_as_editors_do() -> None:
    text = "\ufeffa:\t😀 12.5\r\nb: é 12.6\rc: 'x\u2028y 12.7'\nd: '\u0085 12.8'\n"
    tree, problems = load_yaml_tree("f", text.encode())
    assert not problems
    found = {key: only(tree, key) for key in "abcd"}
    places = {key: found[key].location_of(found[key].index("12.")) for key in found}
    assert [(place.line, place.column) for place in places.values()] == [(1, 6), (2, 6), (3, 9), (4, 7)]


def test_the_deepest_nesting() -> None:
    deepest = "[" * limits.NESTING.maximum + "]" * limits.NESTING.maximum
    assert load_yaml_tree("f", deepest.encode())[1] == []
    tree, problems = load_yaml_tree("f", f"[{deepest}]".encode())
    assert tree is None
    assert [str(problem.place) for problem in problems] == [f"f:1:{limits.NESTING.maximum + 1}"]


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"\xff\xfea\x00", 1, 1),
        (b"\xef\xbb\xbf\xc3\xa9\nab\xe9", 2, 3),
        (b"ok\r\nok\xed\xa0\x80", 2, 3),
        (b"a: \x00", 1, 4),
        ("é: \x7f".encode(), 1, 4),
        ("a\n\ufeff\x1b[31m".encode(), 2, 2),
    ],
)
def test_what_is_no_text(data: bytes, line: int, column: int) -> None:
    file, problems = decode_utf8("f", data)
    assert isinstance(file, SourceFile)
    assert [problem.place for problem in problems] == [SourceLocation("f", line, column)]
    assert load_yaml_tree("f", data) == (None, problems)
