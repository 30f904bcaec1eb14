"""Dice and ranges of rolls, as players write them."""

import pytest

from rulewright.schema.dice import RollRange, format_rolls, parse_dice, parse_roll_ranges


@pytest.mark.parametrize(
    ("text", "rolls"),
    [
        ("1d6", range(1, 7)),
        ("d6", range(1, 7)),
        ("2D6", range(2, 13)),
        ("3d6+2", range(5, 21)),
        ("1 d 10", range(1, 11)),
        ("1d6-1", range(6)),
        ("d66", [a * 10 + b for a in range(1, 7) for b in range(1, 7)]),
        ("1d66", range(1, 67)),
        ("2W6", range(2, 13)),
        ("d%", range(1, 101)),
    ],
)
def test_dice_show(text, rolls):
    thrown = parse_dice(text)
    assert [*thrown.rolls] == [*rolls]


@pytest.mark.parametrize(
    ("text", "read", "shown"),
    [
        ("7", [(7, 7)], "7"),
        ("6-8", [(6, 8)], "6–8"),
        ("6–8", [(6, 8)], "6–8"),
        ("6..8", [(6, 8)], "6–8"),
        ("6 to 8", [(6, 8)], "6 to 8"),
        ("..5", [(None, 5)], "≤5"),
        ("≤5", [(None, 5)], "≤5"),
        ("<=5", [(None, 5)], "≤5"),
        ("5 or less", [(None, 5)], "5 or less"),
        ("9..", [(9, None)], "≥9"),
        ("9+", [(9, None)], "≥9"),
        ("9 or more", [(9, None)], "9 or more"),
        ("2, 5-7, 12", [(2, 2), (5, 7), (12, 12)], "2, 5–7, 12"),
        ("-2--1", [(-2, -1)], "−2–−1"),
        ("−1", [(-1, -1)], "−1"),
        ("01-05", [(1, 5)], "01–05"),
        ("96..00", [(96, 100)], "96–00"),
        ("00", [(100, 100)], "00"),
    ],
)
def test_rolls_of_a_cell(text, read, shown):
    assert parse_roll_ranges(text) == tuple(RollRange(low, high) for low, high in read)
    assert format_rolls(text) == shown
