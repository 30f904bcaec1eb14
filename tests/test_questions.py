"""What players ask, in full sentences, bundles of words, other words and with slips: is it found?

The questions on Ember Coast were written by a reader of its rules before anything looked for them.
"""

import re

import pytest
from web import PHONE, reader

from tests.search_scripts import questions

FIND = """async questions => {
  await rulewright.loadScript("find");
  const finder = await rulewright.loadFinder("ember-coast/2.1");
  await finder.ready;
  await new Promise(setTimeout);
  const row = ([, { short, title, page, text }]) => [short, title, page, text];
  return questions.map((one) => finder.find(one, "").results.slice(0, 3).map(row));
}"""


@pytest.fixture(scope="module")
def page(browser, address):
    with reader(browser, address, base_url=f"{address}/", viewport=PHONE) as context:
        page = context.new_page()
        page.goto("ember-coast/2.1/9-combat/")
        yield page


def is_answer(row: list[str], answers: list[str]) -> bool:
    """Whether a row is what answers, by number or title, or an official answer that cites it."""
    number, title, page, text = row
    for answer in answers:
        kind, _, name = answer.partition(": ")
        if name and name.casefold() in (title.casefold(), number.casefold()):
            return True
        cites = re.search(rf"(?<![\w.]){re.escape(kind)}(?![\w.])", text) and page.endswith("/errata")
        if not name and (number == kind or cites):
            return True
    return False


@pytest.mark.parametrize(("name", "least"), [("known", 56), ("aside", 27), ("words", 25)])
def test_what_players_ask_is_answered_among_the_first_three(page, name, least):
    asked = questions(name)
    found = page.evaluate(FIND, [one for one, _ in asked])
    missed = [
        ask
        for (ask, answers), rows in zip(asked, found, strict=True)
        if not any(is_answer(row, answers) for row in rows)
    ]
    assert len(asked) - len(missed) >= least, missed


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("9.7a", "9.7a"), ("97a", "9.7a"), ("rule 9.7 (a)", "9.7a"), ("crt", "9.9"), ("zoc", "4.3"),
        ("7:1", "9.4"), ("stacking", "4.1"), ("OVERRUN", "8.0"), ("out of supply", "12.6"), ("LOS", "4.5"),
    ],
)  # fmt: skip
def test_numbers_and_names_come_first(page, typed, first):
    assert page.evaluate(FIND, [typed])[0][0][0] == first


@pytest.mark.parametrize(("typed", "says"), [("+1", "+1"), ("1/2", "1/2"), ("½", "1/2"), ("2d6", "2d6")])
def test_what_only_looks_like_a_number_finds_what_says_it(page, typed, says):
    (rows,) = page.evaluate(FIND, [typed])
    assert says in f"{rows[0][1]} {rows[0][3]}"
