"""Messages for a number that no rule has: a slip is named, and what the number was in an earlier edition."""

import pytest

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.files.problems import suggested_fixes

HEAD = {
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: "1.0"\n',
    "content/duel/1/edition.yml": 'edition: "1"\ndate: "2020-01-01"\n',
    "content/duel/2/edition.yml": 'edition: "2"\ndate: "2021-01-01"\nfollows: "1"\n',
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


def message(cited: str, old: str = OLD, new: str = NEW) -> str:
    files = HEAD | {"content/duel/1/rules/12.yml": old}
    files["content/duel/2/rules/12.yml"] = new.format(cited)
    problems = load_and_check_folder(
        ContentFolder({name: data.encode() for name, data in files.items()})
    ).problems
    return next((one.message for one in problems if one.code == "reference-not-found"), "")


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


@pytest.mark.parametrize("cited", MESSAGES)
def test_messages(cited: str) -> None:
    assert message(cited) == MESSAGES[cited]


def test_an_editor_is_offered_the_number_of_today() -> None:
    assert suggested_fixes(MESSAGES["12.4b"]) == ["12.5b"]
    assert suggested_fixes(MESSAGES["21.5"]) == ["12.5"]
    assert suggested_fixes(MESSAGES["12.4c"]) == []
