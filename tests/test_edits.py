"""Replacements at places: everything around them stays, byte for byte."""

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulewright.files.located_text import LocatedText
from rulewright.files.text_edits import (
    FileEdits,
    OverlappingEdits,
    Replacement,
    apply_edits,
    apply_edits_to_bytes,
)
from rulewright.files.yaml_tree import load_yaml_tree

WORDS = st.sampled_from(
    [
        "12.5",
        "12.5c(B)",
        "see",
        "don't",
        '"so"',
        "a: b",
        "#",
        "é",
        "😀",
        "\\",
        "-",
        "\n\n",
        "\t",
        "x" * 40,
        "[3.2]",
    ]
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
def test_a_number_is_replaced_however_it_is_written(before: str, after: str) -> None:
    assert rewritten(before.encode(), "12.5", "13.10") == after.encode()


@given(
    st.lists(WORDS, max_size=8),
    st.lists(WORDS, max_size=8),
    st.sampled_from(["", "'", '"', "|", ">"]),
    st.integers(12, 80),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_the_value_changes_and_nothing_else(before, behind, style, width, end, mark):
    value = " ".join([*before, "77.7", *behind])
    dumped = yaml.dump({"text": value}, default_style=style or None, allow_unicode=True, width=width)
    source = f"# a comment{end}{end.join(dumped.splitlines())}{end}# the end{end}"
    data = (b"\xef\xbb\xbf" if mark else b"") + source.encode()
    there = rewritten(data, "77.7", "88.88c")
    assert str(text_of(there)) == str(text_of(data)).replace("77.7", "88.88c", 1)
    assert rewritten(there, "88.88c", "77.7") == data
    assert len(re.findall("\r", there.decode())) == len(re.findall("\r", source))


@pytest.mark.parametrize(
    "edits",
    [
        [Replacement(0, 2, "x"), Replacement(1, 3, "y")],
        [Replacement(1, 1, "x"), Replacement(1, 1, "y")],
        [Replacement(0, 2, ""), Replacement(0, 1, "")],
    ],
)
def test_edits_that_meet_are_refused(edits: list[Replacement]) -> None:
    with pytest.raises(OverlappingEdits):
        apply_edits("words", edits)


@given(st.text(min_size=1), st.data())
def test_what_is_not_replaced_stays(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    marked = apply_edits(text, [Replacement(start, end, "\0") for start, end in spans])
    kept = re.sub("\0", "", marked) if "\0" not in text else None
    if kept is not None:
        gone = {at for start, end in spans for at in range(start, end)}
        assert kept == "".join(sign for at, sign in enumerate(text) if at not in gone)
