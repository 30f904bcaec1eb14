"""Errata and answers on paper: every one, with what it is of, how sure it is, and what it changes."""

import re

import pytest

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.render.render_context import RenderContext
from tests import printing
from tests.own_library import library

BOOK = {
    "content/b/rulebook.yml": 'title: B\nnumbers: "1.1a"\nchapters: "1.0"\n',
    "content/b/1/edition.yml": 'edition: "1"\n',
    "content/b/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Oxen\n"1.1 Moving": An ox moves two hexes.\n"1.2 Grazing": It eats.\n'
    ),
}
KINDS = {
    "{replace: two, with: three}": "“two” becomes: three",
    "{insert: at most, before: two}": "Before “two” add: at most",
    "{insert: or three, after: two}": "After “two” add: or three",
    "{insert: It rests.}": "At the end add: It rests.",
    "{delete: two}": "Delete “two”.",
    '{says: "See 1.2."}': "See 1.2.",
    "{replace: two, with: three, status: draft}": "draft",
    "{replace: two, with: three, source: A letter}": "A letter",
    '{says: "It is red.", component: counter, of: Ox}': "Ox",
    '{replace: two, with: three, reason: "Two was slow."}': "Two was slow.",
}
"""What an erratum says, and what is printed of it."""


def printed(errata: str, questions: str = "", block: str = "errata") -> str:
    """The words of a sheet that shows the errata of a small book."""
    files = {**BOOK, "content/b/1/errata.yml": f"errata:\n{errata}" if errata else ""}
    files["content/b/1/questions.yml"] = f"questions:\n{questions}" if questions else ""
    files["content/b/1/aids/card.yml"] = f"title: Card\nblocks:\n  - {block}\n"
    examined = load_and_check_folder(
        ContentFolder({name: text.encode() for name, text in files.items() if text})
    )
    assert [p for p in examined.problems if p.is_failure and "errat" not in p.code] == []
    sheet = printing.printed(printing.order(examined, "b/1"))
    return " ".join(" ".join(page.get_text() for page in sheet).split())


@pytest.mark.parametrize(("entry", "words"), KINDS.items())
def test_every_sort_of_erratum_is_printed(entry, words):
    """A player at the table reads what was corrected, of which rule, and whether it is official."""
    text = printed(
        f'  - {{erratum: "7", date: 2020-02-01, {"" if "component" in entry else "rule: 1.1, "}{entry[1:]}\n'
    )
    assert words in text
    assert "Erratum 7" in text
    assert "2020-02-01" in text
    assert "1.1 Moving" in text or "component" in entry


def test_withdrawn_errata_are_not_printed_and_some_may_be_chosen():
    errata = (
        '  - {erratum: "1", date: 2020-02-01, rule: "1.1", says: First words., status: withdrawn}\n'
        '  - {erratum: "2", date: 2020-02-02, rule: "1.1", says: Second words.}\n'
        '  - {erratum: "3", date: 2020-02-03, component: map, of: "0805", says: Third words.}\n'
    )
    asked = "  - {question: May it rest?, answer: Yes.}\n"
    every = printed(errata, asked)
    assert "First" not in every
    assert re.search("Second words.*Third words.*May it rest.*Answer: Yes", every)
    chosen = printed(errata, asked, "errata: {of: map}")
    assert "Third" in chosen
    assert "Second" not in chosen
    assert "Answer" not in chosen
    assert "Answer: Yes" in printed(errata, asked, "errata: {of: [answers]}")


def test_a_printed_rulebook_ends_with_all_errata_and_answers():
    from rulewright.print.print_job import PrintOptions
    from rulewright.print.rulebook_job import RulebookJob

    examined = library()
    outline = examined.index.outlines["ember-coast/2.1"]
    volume = RulebookJob(
        outline,
        RenderContext(examined.index),
        PrintOptions(),
        lambda name: (printing.ROOT / name).read_bytes(),
    )
    (part,) = [one for one in volume.data["parts"] if one["key"] == "errata"]
    remarks = examined.index.editions["ember-coast/2.1"].errata_entries
    standing = [one for one in remarks if not one.erratum or one.erratum.is_official]
    assert [one["label"].partition(":")[0] for one in part["blocks"]] == [str(one) for one in standing]
