"""Content files written: read back as what was given, glad to be edited, and the same each time."""

import json
import re
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulewright.files.invisible_characters import first_invisible
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.files.yaml_writer import (
    COLUMNS,
    CommentedValue,
    InlineCollection,
    ParagraphText,
    QuotedString,
    wrap_prose,
    write_yaml,
)
from rulewright.schema.text_document import plain_text

SIGNS = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"])
TRICKY = ["12.10", "no", "~", "1e3", "- a", "a: b", "a #b", "'", '"', "{x}", "[[2.1]]", "| x", "2020-08-09"]
SHORT = st.one_of(st.sampled_from(TRICKY), st.text(SIGNS, max_size=120))
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


def bare(value: Any) -> Any:
    """What a value is without how it is to be written."""
    if isinstance(value, CommentedValue | InlineCollection):
        return bare(value.value)
    if isinstance(value, dict):
        return {str(key): bare(inner) for key, inner in value.items()}
    return [bare(inner) for inner in value] if isinstance(value, list) else str(value)


def read(node: Node | None) -> Any:
    """A tree as plain data."""
    if isinstance(node, YamlMapping):
        return {str(key): read(value) for key, value in node.entries.items()}
    return [read(item) for item in node.items] if isinstance(node, YamlSequence) else str(node)


@given(st.dictionaries(st.sampled_from(["title", "text", "1", "no"]), VALUES, min_size=1))
@settings(max_examples=4 * settings().max_examples)
def test_what_is_written_is_read_back(entries: dict[str, Any]) -> None:
    said = json.dumps(bare(entries), ensure_ascii=False)
    assume(
        not first_invisible(said) and not re.search(r"[^\S ]", said)
    )  # what hides in a number or a key is told
    tree, problems = load_yaml_tree("f.yml", write_yaml(entries, ["Imported."]).encode())
    assert not problems
    assert read(tree) == bare(entries)


@given(st.lists(st.text(SIGNS, max_size=300), max_size=4))
@settings(max_examples=2 * settings().max_examples)
def test_wrapping_changes_no_word_and_no_block(lines: list[str]) -> None:
    text = "\n\n".join(" ".join(line.split()) for line in lines)
    again = "\n".join(wrap_prose(text))
    assert plain_text(again) == plain_text(text)
    assert again.split() == text.split()


def test_prose_is_wrapped_in_a_literal_block_with_hanging_indents() -> None:
    long = (
        "A unit that has moved may not fire again before the turn is over, as 6.2 says in its list of acts."
    )
    text = write_yaml({"text": ParagraphText(f"{long}\n\n- {long}\n- {long}")})
    assert text.splitlines() == [
        "text: |",
        "  A unit that has moved may not fire again before the turn is over, as 6.2 says in its",
        "  list of acts.",
        "",
        "  - A unit that has moved may not fire again before the turn is over, as 6.2 says in its",
        "    list of acts.",
        "  - A unit that has moved may not fire again before the turn is over, as 6.2 says in its",
        "    list of acts.",
    ]
    assert max(map(len, text.splitlines())) <= COLUMNS


def test_numbers_are_quoted_and_short_steps_stand_in_one_line() -> None:
    step = InlineCollection({"do": "Flak", "see": QuotedString("14.4")})
    text = write_yaml(
        {
            "number": QuotedString("12.10"),
            "see": QuotedString("2.1"),
            "title": "Yes: no",
            "steps": [step, step],
        }
    )
    assert text == (
        'number: "12.10"\nsee: "2.1"\ntitle: "Yes: no"\nsteps:\n'
        '  - {do: Flak, see: "14.4"}\n  - {do: Flak, see: "14.4"}\n'
    )


def test_a_comment_stands_above_what_it_is_about() -> None:
    text = write_yaml(
        {QuotedString("1.1 X"): CommentedValue({"text": CommentedValue("X", ["why"])}, ["guess"])}
    )
    assert text.splitlines() == [
        "# guess",
        '"1.1 X":',
        "  # why",
        "  text: X",
    ]
    tree, _ = load_yaml_tree("f.yml", text.encode())
    assert isinstance(tree, YamlMapping)
    assert isinstance(next(iter(tree.entries)), LocatedText)
