"""YAML: read with places, edited in place, written, and read into the typed model."""

import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright.files.invisible_characters import first_invisible
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence, decode_utf8
from rulewright.files.problems import Problem, SourceFile, SourceLocation
from rulewright.files.text_edits import FileEdits, apply_edits_to_bytes
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.files.yaml_writer import (
    CommentedValue,
    InlineCollection,
    QuotedString,
    wrap_prose,
    write_yaml,
)
from rulewright.schema.model_reader import read_model
from rulewright.schema.rulebook import Chapter, EditionFile, KnownNumbers, Rulebook
from rulewright.schema.step import DO, PlaySequence
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import keys_with_types

LINE_END = re.compile(r"\r\n|\n|\r")
SIGNS = "\n\t\x85\u2028\u00a0\u3000 \\\"'#:-,[]{}&*!|>%@`?~=<0é😀"
CHARACTERS = st.characters(blacklist_categories=("Cs", "Cc")) | st.sampled_from(SIGNS)
STYLES = ["", "'", '"', "|", ">"]


def bare(node: Node | None) -> object:
    """Return a tree as plain data, as PyYAML returns it."""
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
def test_any_text_in_any_style(value, style, line_end, mark):
    """The value is PyYAML's, and each visible character of it is at its recorded location."""
    content = {"first": "a", "text": value, "last": "z"}
    dumped = yaml.dump(content, default_style=style or None, allow_unicode=True, width=20, sort_keys=False)
    text = dumped.replace("\n", line_end)
    expected = yaml.load(text, Loader=yaml.BaseLoader)
    tree, problems = load_yaml_tree("f", ("\ufeff" if mark else "").encode() + text.encode())
    if any(problem.code in ("control-character", "yaml-tag", "unseen-sign") for problem in problems):
        return  # an escape or a tag of PyYAML, which is refused here, or a sign that is not part of a number
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
def test_any_bytes(data):
    tree, problems = load_yaml_tree("f", data)
    assert tree is not None or problems
    assert len(set(problems)) == len(problems)


@given(st.text(st.sampled_from("[]{},:-? \n\t\"'#&*!|>%@`ab01.<=…\r"), max_size=60))
def test_any_signs(text):
    """A syntax error is reported in plain words, with its location."""
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
def test_places_of_characters(written, value, places):
    """Visible characters are at their own location, white space after the visible character before it."""
    text = only(load_yaml_tree("f", f"k: {written}\n".encode())[0], "k")
    assert text == value
    assert [(text.location_of(i).line, text.location_of(i).column) for i in range(len(text))] == places
    assert text.start <= text.file_offset(len(text)) <= text.end


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
def test_what_is_no_text(data, line, column):
    file, problems = decode_utf8("f", data)
    assert isinstance(file, SourceFile)
    assert [problem.place for problem in problems] == [SourceLocation("f", line, column)]
    assert load_yaml_tree("f", data) == (None, problems)


LETTERS = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"])
TRICKY = ["12.10", "no", "~", "1e3", "- a", "a: b", "a #b", "'", '"', "{x}", "[[2.1]]", "| x", "2020-08-09"]
SHORT = st.one_of(st.sampled_from(TRICKY), st.text(LETTERS, max_size=120))
VALUES = st.recursive(
    st.one_of(SHORT, SHORT.map(QuotedString)),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3),
        st.dictionaries(SHORT.filter(lambda key: key not in ("", "<<")), inner, min_size=1, max_size=4),
        st.dictionaries(st.sampled_from(["do", "see"]), SHORT, min_size=1).map(InlineCollection),
        inner.map(lambda value: CommentedValue(value, ["A guess: the page says nothing of it."])),
    ),
    max_leaves=12,
)


def without_layout(value: Any) -> Any:
    """What a value is without how it is to be written."""
    if isinstance(value, CommentedValue | InlineCollection):
        return without_layout(value.value)
    if isinstance(value, dict):
        return {str(key): without_layout(inner) for key, inner in value.items()}
    return [without_layout(inner) for inner in value] if isinstance(value, list) else str(value)


@given(st.dictionaries(st.sampled_from(["title", "text", "1", "no"]), VALUES, min_size=1))
@settings(max_examples=4 * settings().max_examples)
def test_what_is_written_is_read_back(entries):
    dump = json.dumps(without_layout(entries), ensure_ascii=False)
    assume(
        not first_invisible(dump) and not re.search(r"[^\S ]", dump)
    )  # hidden characters in a number or a key are reported
    tree, problems = load_yaml_tree("f.yml", write_yaml(entries, ["Imported."]).encode())
    assert not problems
    assert bare(tree) == without_layout(entries)


@given(st.lists(st.text(LETTERS, max_size=300), max_size=4))
@settings(max_examples=2 * settings().max_examples)
def test_wrapping_changes_no_word_and_no_block(lines):
    text = "\n\n".join(" ".join(line.split()) for line in lines)
    again = "\n".join(wrap_prose(text))
    assert plain_text(again) == plain_text(text)
    assert again.split() == text.split()


WORDS = st.sampled_from(
    ["12.5", "12.5c(B)", "don't", '"so"', "a: b", "#", "é", "😀", "\\", "-", "\n\n", "\t", "x" * 40, "[3.2]"]
)


def text_of(data: bytes) -> LocatedText:
    root, problems = load_yaml_tree("content/x.yml", data)
    assert not problems
    (value,) = root.entries.values()
    return value


def rewritten(data: bytes, old: str, new: str) -> bytes:
    """A file with the first occurrence of words in its only value replaced."""
    value, edits = text_of(data), FileEdits()
    start = value.index(old)
    edits.replace_in_scalar(value, start, start + len(old), new)
    return apply_edits_to_bytes(data, edits.for_file("content/x.yml"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("see: 12.5 # and so on\n", "see: 13.10 # and so on\n"),
        ("see:   '12.5'\r\n", "see:   '13.10'\r\n"),
        ('\ufeffsee: "12.5"', '\ufeffsee: "13.10"'),
        (r'see: "12\u002e5 \t é"', r'see: "13.10 \t é"'),
        ('see: "12.\\\n  5"', 'see: "13.10"'),
        ("see: |\n  as\n    in 12.5,\n  or\n", "see: |\n  as\n    in 13.10,\n  or\n"),
        ("see: >-\n\n  as in\n  12.5\n\n# end", "see: >-\n\n  as in\n  13.10\n\n# end"),
        ("see: 'don''t 12.5'", "see: 'don''t 13.10'"),
        ("see: as in\n  12.5 or\n  so", "see: as in\n  13.10 or\n  so"),
        ("{see: [[12.5]]}".replace("[[12.5]]", "'[[12.5]]'"), "{see: '[[13.10]]'}"),
    ],
)
def test_a_number_is_replaced_however_it_is_written(before, after):
    assert rewritten(before.encode(), "12.5", "13.10") == after.encode()


@given(
    st.lists(WORDS, max_size=8),
    st.lists(WORDS, max_size=8),
    st.sampled_from(["", "'", '"', "|", ">"]),
    st.integers(12, 80),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_the_value_changes_and_nothing_else(before, suffix, style, width, end, mark):
    value = " ".join([*before, "77.7", *suffix])
    dumped = yaml.dump({"text": value}, default_style=style or None, allow_unicode=True, width=width)
    source = f"# a comment{end}{end.join(dumped.splitlines())}{end}# the end{end}"
    data = (b"\xef\xbb\xbf" if mark else b"") + source.encode()
    there = rewritten(data, "77.7", "88.88c")
    assert str(text_of(there)) == str(text_of(data)).replace("77.7", "88.88c", 1)
    assert rewritten(there, "88.88c", "77.7") == data
    assert len(re.findall("\r", there.decode())) == len(re.findall("\r", source))


MODELS = [Rulebook, EditionFile, KnownNumbers, Chapter, PlaySequence]
ANY_KEY = sorted(
    {key for model in MODELS for key in keys_with_types(model)} | {DO, *KINDS} | {"x", "", "1.1", "<<"}
)


def reading(model: type, data: object) -> tuple[Any, list[Problem]]:
    """What data is read as. JSON is YAML."""
    tree, problems = load_yaml_tree("f", json.dumps(data).encode())
    if tree is None:
        return None, problems
    value, more = read_model(tree, model)
    return value, problems + more


TREES = st.recursive(
    st.sampled_from(ANY_KEY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(ANY_KEY), inner, max_size=5),
    max_leaves=20,
)


@given(st.sampled_from(MODELS), TREES)
@settings(max_examples=5 * settings().max_examples)
def test_anything_is_read_or_reported(model, data):
    value, problems = reading(model, data)
    assert problems or isinstance(value, model)
    assert len({(problem.place, problem.message) for problem in problems}) == len(problems)


def test_a_faulty_part_is_left_out_and_the_rest_is_read():
    chapter, problems = reading(
        Chapter,
        {"chapter": "1.0", "title": [], "1.1": "", "rules": [{"number": "1.2"}], "1.3": ["x"], "1.4": ""},
    )
    assert [rule.number for rule in chapter.rules] == ["1.1", "1.3", "1.4"]
    assert chapter.title is None
    assert [problem.code for problem in problems] == ["wrong-type", "wrong-type", "unknown-key"]


@pytest.mark.parametrize(
    ("written", "line", "column"),
    [
        ("title:\xa0Ships\ntext: Sail.\n", 1, 7),
        ("title：Ships\ntext: Sail.\n", 1, 6),
        ("text: |\n\xa0 Sail.\ntitle: Ships\n", 2, 1),
    ],
)
def test_an_invisible_character_between_the_words_of_yaml_is_named(written, line, column):
    _, problems = load_yaml_tree("a.yml", written.encode())
    assert [(problem.place.line, problem.place.column) for problem in problems] == [(line, column)]
    assert "U+" in problems[0].message
