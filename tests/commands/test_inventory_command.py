"""`rulewright inventory`."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.source.inventory import Item, lines_of, packed
from tests.commands.duel import printed, told, write

ITEMS = (Item("tide", "a/#tide", "High Tide"), Item("moon", "b/#moon", "moon"))


def test_names_with_where_they_lead(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"a.inv": packed("A", lines_of(ITEMS))})
    assert printed(said, "inventory", "a.inv") == "tide\ta/#tide\tHigh Tide\nmoon\tb/#moon\tmoon\n"
    assert printed(said, "inventory", "a.inv", "high", "TIDE") == "tide\ta/#tide\tHigh Tide\n"
    assert main(["inventory", "a.inv", "sun"]) == 1


def test_a_file_that_is_no_inventory(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"a.inv": "nothing"})
    assert "a.inv:1:1: error: this is no inventory" in told(said, "inventory", "a.inv")
    assert main(["inventory", "b.inv"]) == 2
