"""Clerical passes: the same words in other dashes, quotes and spaces are no change."""

import re

import pytest

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.compare.edition_diff import diff_editions
from rulewright.compare.word_diff import says_same, tokenize
from rulewright.render.exports.diff_export import diff_to_text
from tests.books import checked, folder_of_texts
from tests.locks import accepted
from tests.test_changes import BOOK, edition, shelf_of

PASSES = [
    ("Roll 5-7, then stop.", "Roll 5–7, then stop."),
    ("Win - or lose - here.", "Win — or lose — here."),
    ("Win -- or lose.", "Win – or lose."),
    ("A -1 to the roll.", "A −1 to the roll."),
    ("A -1 to the roll.", "A - 1 to the roll."),
    ("Pay ±3 points.", "Pay ± 3 points."),
    ("Losses of 50% or more.", "Losses of 50 % or more."),
    ("Strength is 2x6 here.", "Strength is 2×6 here."),
    ("Strength x2 in woods.", "Strength ×2 in woods."),
    ("Strength × 1/2 in woods.", "Strength ×1/2 in woods."),
    ("Wait . . . then go.", "Wait… then go."),
    ('The "mill" turns.', "The “mill” turns."),
    ('The "mill" turns.', "The «mill» turns."),
    ("A player's turn.", "A player´s turn."),
    ('It reaches 5" at most.', "It reaches 5″ at most."),
    ("Interdiction fails.", "Inter\u200bdiction fails."),
    ("Pay 5 MP now.", "Pay 5\u202fMP now."),
    ("Pay\u00a05\u00a0MP now.", "Pay 5 MP now."),
    ("Fire at five flats.", "\ufb01re at \ufb01ve \ufb02ats.".replace("\ufb01re", "Fire", 1)),
    ("Effort is offset.", "E\ufb00ort is o\ufb00set."),
    ("The café is shut.", "The cafe\u0301 is shut."),
    ("Zoë's hut burns.", "Zoe\u0308’s hut burns."),
]

CHANGES = [
    ("non-phasing", "non phasing"),
    ("a halt, here", "a halt here"),
    ("Reserve", "reserve"),
    ("5-7", "5-8"),
    ("in to it", "into it"),
    ("x", "×"),
    ("box 2", "bo ×2"),
    ("+1", "-1"),
    ("5.1", "5-1"),
]


@pytest.mark.parametrize(("was", "now"), PASSES)
def test_a_clerical_pass_changes_no_word(was, now):
    old, new = tokenize(was), tokenize(now)
    assert says_same(old, new)


@pytest.mark.parametrize(("was", "now"), CHANGES)
def test_what_says_something_else_is_no_typography(was, now):
    assert not says_same(tokenize(was), tokenize(now))


def test_a_clerical_pass_of_a_book_is_no_change():
    quoted = [[quote(text) for text in side] for side in zip(*PASSES, strict=True)]
    index = shelf_of(BOOK | edition("1", "", *quoted[0]) | edition("2", "1", *quoted[1]))
    for old, new in (index.outlines.values(), reversed(index.outlines.values())):
        difference = diff_editions(old, new, index)
        assert not [change for change in difference.rules if change.kinds]
        assert diff_to_text(difference).splitlines()[2:] == ["Nothing has changed."]


def quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def test_no_citing_rule_is_to_be_read_again():
    """Neither for its own rule, nor for what lies in it, nor for a table."""
    rules = 'chapter: "1.0"\ntitle: Tugs - and barges\ntext: Row - or drift.\n'
    rules += '"1.1": See 1.2 and 1.0.\n'
    rules += '"1.2 Ropes":\n  "1.2a": Pull - or let go.\n'
    files = {**BOOK, "content/h/1/edition.yml": 'edition: "1"\n', "content/h/1/rules/1.yml": rules}
    folder = accepted(folder_of_texts(files))
    assert not load_and_check_folder(folder).problems
    name = "content/h/1/rules/1.yml"
    for dash in ("–", "—", "--"):
        set_anew = re.sub(rb"(?<=\w) - ", f" {dash} ".encode(), folder.texts[name])
        assert set_anew.count(dash.encode()) == 3
        texts = {**folder.texts, name: set_anew}
        again = [str(one) for one in checked(texts).problems]
        assert not again
