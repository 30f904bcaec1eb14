"""Rulebooks in one document: what is known of each beforehand is found in its rules."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.importers.document import read_document
from rulewright.importers.website.site_import import Import, Request, import_site
from tests.longhand import spelt_out


def imported(text: str | bytes, name: str = "book.md", dialect: tuple[str, ...] = ()) -> Import:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return import_site(read_document(path), Request("b", "1", "T", "1", dialect), "x", lambda *_: None)


def chapters(made: Import) -> list[Any]:
    assert not made.refused, [str(one) for one in made.refused]
    return [spelt_out(data) for name, data in sorted(made.files.items()) if "/rules/" in name]


def numbers(made: Import) -> list[str]:
    def walk(rule: Any) -> Any:
        yield str(rule.get("number", rule.get("chapter")))
        for inner in rule.get("rules", ()):
            yield from walk(inner)

    return [number for chapter in chapters(made) for number in walk(chapter)]


LABELS = st.lists(
    st.tuples(
        st.sampled_from(["", "", "", "Rule ", "Appendix ", "§", "[", "("]),
        st.lists(
            st.sampled_from([*"0129AaBbIiVv", "10", "12", "II", "iv", "01", "702"]), min_size=1, max_size=5
        ),
        st.sampled_from([".", ".", "-", ":", "", "("]),
        st.booleans(),
    ).map(lambda one: (one[0] + one[2].join(one[1]), one[3])),
    min_size=1,
    max_size=8,
)


@given(LABELS, st.sampled_from([(), ("1.1",), ("1.1.1", "I.1.1"), ("A1a", "1.1a")]))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_labels_are_there_is_a_book_or_a_problem(labels: Any, dialect: Any) -> None:
    text = "".join(f"## {one} Title\n\nWords.\n\n" if big else f"**{one}** Words.\n\n" for one, big in labels)
    made = imported(text, dialect=dialect)
    assert made.refused or (made.files and not made.receipt.lost)


@pytest.mark.parametrize("form", ["**{}** Words of it.", "## {} Title"])
@pytest.mark.parametrize(
    "labels",
    ["9.2.2.1 9.2.2.2 I.12.2 I.12.3", "1.1 1.2 A1 A2", "1.1 1.2 I.12.2 I.12.3 II.1", "1a 1b I.1 I.2"],
)
def test_a_further_row_of_chapters_that_no_heading_names(labels: str, form: str) -> None:
    made = imported("# Book\n\n" + "\n\n".join(map(form.format, labels.split())))
    assert {*labels.split()} <= {*numbers(made)}
    assert not [one for one in made.receipt.checked if not one.code.startswith("number-")]


@pytest.mark.parametrize(
    ("word", "heads"),
    [("", "A B C"), ("", "A. B. C."), ("Article ", "A: B: C:"), ("Appendix ", "A B C"), ("", "I II III")],
)
def test_chapters_of_another_shape_behind_the_first(word: str, heads: str) -> None:
    firsts = [head.strip(".:") for head in heads.split()]
    rules = "".join(f"**{{0}}.{at}** Words (see {firsts[0]}.1).\n\n" for at in (1, 2, 3, 4))
    text = "".join(f"## {n} Part\n\n{rules.format(n)}" for n in (1, 2))
    for head, first in zip(heads.split(), firsts, strict=True):
        text += f"## {word}{head} Other\n\n**{first}.1** Words (see 1.1).\n\n**{first}.2** More.\n\n"
    made = imported(f"# Races\n\n{text}")
    assert len(chapters(made)) == 5
    assert {f"{first}.2" for first in firsts} <= {*numbers(made)}
    assert made.receipt.counts["references"] == 11
    assert not made.receipt.excused
    assert not made.receipt.checked


def test_no_excuse_for_a_number_that_the_source_prints_as_a_label() -> None:
    made = imported(
        "# 1 Part\n\n## 1.1 One\n\nSee 3.1 and 1.9.\n\n## 1.2 Two\n\nWords.\n\n**3.1** No rule here.\n"
    )
    excuses = yaml.safe_load(made.files["content/b/1/edition.yml"]).get("excused", [])
    assert numbers(made) == ["1", "1.1", "1.2"]
    assert [one["at"] for one in excuses] == ["1.9"]
    assert "3.1" in {one.about for one in made.receipt.checked}
