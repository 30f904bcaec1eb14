"""The ledger: no number and no cue of a text is passed over, whatever finding makes of it."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.examine import Examined, examine, examine_folder
from rulewright.citations.ledger import Item, ledgers
from rulewright.model.account import DECLARED, LINKED, NONE, SILENT, TOLD
from rulewright.numbers.finder import Finder
from rulewright.source.folder import Folder, gather
from tests.commands.duel import write

ROOT = Path(__file__).parent.parent
BOOK = """\
title: Duel
numbers: "1.1a"
chapters: "1.0"
levels: [chapter, section, case]
not-references: ["Model 2.2"]
"""
EXCUSED = 'excused: [{code: reference-not-found, at: "1.8", because: it is printed so}]\n'


def folder(text: str) -> Folder:
    rules = f'chapter: "1.0"\ntitle: Arms\ntext: |\n  {text}\n"1.1": A sword.\n'
    rules += '"1.2":\n  text: A shield.\n  "1.2a": Round.\n'
    files = {
        "content/duel/rulebook.yml": BOOK,
        "content/duel/1/edition.yml": 'edition: "1"\n' + EXCUSED,
        "content/duel/1/rules/1.yml": rules,
    }
    return Folder({name: data.encode() for name, data in files.items()})


def items(examined: Examined) -> list[Item]:
    return [item for *_, every in ledgers(examined.shelf, examined.manuscripts) for item in every]


def account(text: str) -> list[tuple[str, str, str]]:
    """What is accounted for of a text, without what is linked."""
    found = items(examine_folder(folder(text)))
    return [(str(one), one.state, one.why) for one in found if one.state != LINKED]


STATES = {
    "See 1.1 and (1.2a).": [],
    "Under rule 1.9.": [("rule", TOLD), ("1.9", TOLD)],
    "See 1.8 there.": [("See", DECLARED), ("1.8", DECLARED)],
    "The Model 2.2 is old.": [("2.2", DECLARED)],
    "A march of 2.5 miles.": [("2.5", NONE)],
    "Version 1.1 of them.": [("1.1", NONE)],
    "At 3:1 odds, 1/2 rounded up.": [("3:1", NONE), ("1/2", NONE)],
    "See the table, in this case.": [("See", NONE), ("case", NONE)],
    "It is 4.4 there.": [("4.4", NONE)],
    "Hex 1.2 is a hill.": [("1.2", NONE)],
    "On 1.2.2021 it rained.": [("1.2.2021", NONE)],
}


@pytest.mark.parametrize("text", STATES)
def test_each_is_linked_told_declared_or_none_for_a_reason(text: str) -> None:
    found = account(text)
    assert [(words, state) for words, state, _ in found] == STATES[text]
    assert all(why for *_, why in found)


HIDDEN = ["See 1.1.", "(1.2a)", "section 1.2", "1.1 and 1.2 hold.", "rules 1.1, 1.2 and 1.2a", "per 1.1-1.2"]


@pytest.mark.parametrize("text", HIDDEN)
def test_what_finding_passes_over_is_not_explained(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count does not rest on finding: without that every number of the book shows."""
    monkeypatch.setattr(Finder, "find", lambda *given, **more: ())
    found = [(words, why) for words, state, why in account(text) if state == SILENT]
    assert {words for words, _ in found} >= {*re.findall(r"\d\.\d\S*\w|\d\.\d", text)}


def test_a_number_that_is_read_in_part_is_not_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    find = Finder.find

    def half(*given, **more):  # type: ignore[no-untyped-def]
        return [one._replace(end=one.start + 3) for one in find(*given, **more)]

    monkeypatch.setattr(Finder, "find", half)
    assert ("1.2a", SILENT, "only 1.2 of it is read") in account("See 1.2a now.")


def test_our_own_books_are_accounted_for() -> None:
    examined = examine_folder(gather(ROOT))
    found = Counter(one.state for one in items(examined))
    assert not found[SILENT]
    assert found[LINKED] > 1500
    assert found == sum(examined.accounts.values(), Counter())


def test_the_command_lists_what_is_not_linked(tmp_path: Path, monkeypatch, capsys) -> None:
    texts = folder("See 1.1 and 1.9, 2.5 miles on.").texts
    monkeypatch.chdir(write(tmp_path, {**texts, "mkdocs.yml": "site_name: T\nplugins: [rulewright]\n"}))
    assert main(["refs", "--unlinked", "duel/1"]) == 0
    out, err = capsys.readouterr()
    assert out == (
        "content/duel/1/rules/1.yml:4:15: 1.9: told, reference-not-found\n"
        "content/duel/1/rules/1.yml:4:20: 2.5: no reference, a measure\n"
    )
    assert err == "Numbers and cues: 2 linked, 1 told, 1 no reference.\n"
    assert main(["refs", "--unlinked", "--format", "json"]) == 0
    assert [row["text"] for row in json.loads(capsys.readouterr().out)] == ["1.9", "2.5"]
    assert main(["check"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == err.strip()
    assert main(["refs", "--unlinked", "dule"]) == 2
    assert examine(tmp_path).accounted("duel/1") == "2 linked, 1 told, 1 no reference"
