"""The difference of editions: cases, two real editions read by a person, and many invented ones."""

from collections.abc import Mapping
from functools import cache
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from rulewright.book.amending import apply_errata
from rulewright.book.library_reader import read_library
from rulewright.book.outline import build_outline
from rulewright.compare.edition_diff import EditionDiff, diff_editions
from rulewright.compare.field_diff import compared_keys
from rulewright.compare.history import Counterparts
from rulewright.compare.item_change import ChangeKind, RuleChange
from rulewright.files.content_reader import ContentFolder
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.render.exports.diff_export import diff_to_text
from rulewright.schema.step import StepAttributes
from tests.casefiles import cases
from tests.own_library import library
from tests.plain_chapter import keyed
from tests.revisions import Editor, Maker, Revision, numbers_of
from tests.revisions import shelf_of as shelf_of_revision
from tests.test_checks import files

CASES = cases("changes")


def shelf_of(texts: Mapping[str, str]) -> ReferenceIndex:
    library, faults = apply_errata(
        read_library(ContentFolder({name: text.encode() for name, text in texts.items()})), {}
    )
    assert not faults
    assert not [problem for problem in library.problems if problem.is_failure]
    return build_reference_index(
        {address: build_outline(edition) for address, edition in library.editions.items()}
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_changed(case):
    index = shelf_of({path: text for _, path, text in files(case)})
    old, new = index.outlines.values()
    case.agrees(diff_to_text(diff_editions(old, new, index)), case.text("expect"))


@pytest.mark.parametrize("case", [one for one in CASES if "was:" not in str(one.blocks)], ids=str)
def test_the_other_way_round_what_was_added_is_removed(case):
    """The same rules are the same whichever edition is asked first, but for what `was:` says."""
    index = shelf_of({path: text for _, path, text in files(case)})
    old, new = index.outlines.values()
    there = {(c.old, c.new) for c in diff_editions(old, new, index).rules}
    back = {(c.new, c.old) for c in diff_editions(new, old, index).rules}
    assert there == back


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_edition_does_not_differ_from_itself(case):
    index = shelf_of({path: text for _, path, text in files(case)})
    for outline in index.outlines.values():
        assert not diff_editions(outline, outline, index).reported_changes


# Every key of the model

EVERYTHING: Any = loads(Path(__file__).with_name("every_key.json").read_text("utf-8"))
"""The files of an edition, with every key of a rule, a step and a table."""
FIRST_STEP = EVERYTHING["sequence.yml"]["steps"][0]
for field in compared_keys(StepAttributes):
    FIRST_STEP.setdefault(field.metadata.get("name", field.name).replace("_", " "), f"{field.name} here")


def editions(data: Any) -> dict[str, str]:
    """A book whose second edition is its first with other data."""
    book = {"title": "Harbour", "numbers": "1.1a", "chapters": "1.0"}
    sides = {"tugs": {"title": "Tugs"}, "barges": {"title": "Barges"}}
    texts: dict[str, Any] = {"content/harbour/rulebook.yml": {**book, "sides": sides}}
    for name, parts in (("1", EVERYTHING), ("2", data)):
        follows = {"follows": "1"} if name == "2" else {}
        texts[f"content/harbour/{name}/edition.yml"] = {"edition": name, **follows}
        texts |= {f"content/harbour/{name}/{path}": part for path, part in parts.items()}
    return {path: dumps(keyed(part)) for path, part in texts.items()}


# Two real editions. Who reads the charts of 3.0 beside 4.3 finds what follows, and the difference has to.


@cache
def ocs() -> tuple[ReferenceIndex, EditionDiff]:
    index = library().index
    return index, diff_editions(index.outlines["ocs/3.0"], index.outlines["ocs/4.3"], index)


def test_what_became_of_the_rules_that_the_charts_have():
    """Stacking went from 4.2 to 4.8 and transport from 4.10 to 4.7; 9.12c is another rule now."""
    _, diff = ocs()
    actual = {
        c.old.key: (c.new.key if c.new else None, ", ".join(c.kinds)) for c in diff.rules if c.old and c.kinds
    }
    assert actual == {
        "2.0": ("2.0", "not compared"),
        "2.2": ("2.2", "reworded"),
        "4.2b": ("4.8b", "moved, not compared"),
        "4.10": ("4.7", "renumbered, not compared"),
        "9.12c": ("9.12g", "moved"),
        "9.15e": (None, "only here"),
        "10.0i": (None, "only here"),
        "14.6c": (None, "only here"),  # 14.6 is the Fighter Sweep now, and not Air Combat
        "14.6d": (None, "only here"),
        "14.11a": (None, "only here"),  # 14.11 is the Base Transfer now, and not Air Transport
    }
    assert all(c.kinds == ("only here",) for c in diff.rules if not c.old)


# Editions with known edits.

SEEDS = range(6)


@cache
def revised(seed: int) -> tuple[Revision, EditionDiff]:
    maker = Maker(seed)
    revision = Editor(maker, maker.book(6, 6, 6)).revise(4)
    index = shelf_of_revision(revision)
    return revision, diff_editions(*index.outlines.values(), index)


def wrong(revision: Revision, diff: EditionDiff) -> list[str]:
    """The rules that are not named as what was done to them, in words."""
    olds, news = numbers_of(revision.old), numbers_of(revision.new)
    was = {new: old for old, new in revision.heirs.items()}
    by_new = {c.new.key: c for c in diff.rules if c.new}
    by_old = {c.old.key: c for c in diff.rules if c.old}
    found = []
    for node, number in news.items():
        wanted = set(revision.done.get(node, ()))
        number_then = olds[was[node]] if node in was else None
        if number_then and number_then != number and "moved" not in wanted:
            wanted.add("renumbered")
        if not _is(by_new[number], number_then, wanted):
            found.append(f"{number} was {number_then}: {wanted}, found {by_new[number].kinds}")
    for node in revision.done.keys() - news.keys():
        change = by_old[olds[node]]
        if change.new or not _is(change, olds[node], revision.done[node]):
            found.append(f"{olds[node]}: {revision.done[node]}, found {change.kinds}")
    return found


def _is(change: RuleChange, number_then: str | None, kinds: set[str]) -> bool:
    return (change.old.key if change.old else None) == number_then and {str(k) for k in change.kinds} == kinds


@pytest.mark.parametrize("seed", SEEDS)
def test_random_edits_are_named_as_what_they_were(seed):
    revision, diff = revised(seed)
    assert len(revision.done) >= 30
    assert len(wrong(revision, diff)) <= len(revision.done) // 100


@pytest.mark.parametrize("seed", SEEDS)
def test_no_move_is_taken_for_delete_and_add(seed):
    """Of what was moved at least 80 % of the words stayed."""
    revision, diff = revised(seed)
    news = numbers_of(revision.new)
    moved = {news[node] for node, done in revision.done.items() if "moved" in done}
    assert len(moved) >= 8
    assert not [c for c in diff.rules if c.new and c.new.key in moved and ChangeKind.MOVED not in c.kinds]


# History

BOOK = {"content/h/rulebook.yml": 'title: H\nnumbers: "1.1a"\nchapters: "1.0"\n'}


def edition(name: str, follows: str, *rules: str) -> dict[str, str]:
    file = f'edition: "{name}"\n' + (f'follows: "{follows}"\n' if follows else "")
    lines = "".join(f'"1.{at}": {text}\n' for at, text in enumerate(rules, 1))
    base = f"content/h/{name}"
    return {f"{base}/edition.yml": file, f"{base}/rules/1.yml": f'chapter: "1.0"\n{lines}'}


TUG, GULL, FEE = "A tug pulls one ship", "Gulls are counted every morning", "Every ship pays three coins"


def test_a_rule_is_followed_through_all_editions():
    texts = (
        BOOK | edition("1", "", TUG, GULL) | edition("2", "1", GULL, TUG) | edition("3", "2", FEE, GULL, TUG)
    )
    index = shelf_of(texts)
    *_, three = index.outlines.values()
    histories = Counterparts(index)
    past = histories.history_of(three.entries["1.2"])
    assert [(p.edition.edition.edition_file.edition, p.rule_then and p.rule_then.key) for p in past] == [
        ("2", "1.1"),
        ("1", "1.2"),
    ]
    assert [
        (p.edition.edition.edition_file.edition, p.rule_then)
        for p in histories.history_of(three.entries["1.1"])
    ] == [("2", None)]
