"""The documentation: its examples are a project that the check finds nothing in, its words are true."""

import re

import pytest
from pictures import DARK, LIGHT, PICTURES, ROOMS, house, layers

import run
from rulewright.checks.examine import examine_folder
from rulewright.source.folder import Folder

DOCS = run.ROOT / "content" / "docs"
FENCE = re.compile(r"^```yaml\n# (content/\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_examples_of_all_pages_are_sound_books() -> None:
    """Each block that begins with the name of a content file is that file."""
    found = [m.groups() for page in DOCS.glob("*.md") for m in FENCE.finditer(page.read_text("utf-8"))]
    files = {name: words.encode() for name, words in found}
    assert len(files) == len(found) > 12
    examined = examine_folder(Folder(files))
    told = [f"{one.place}: {one.message}" for one in examined.problems if one.fails]
    assert not told
    assert examined.references > 10


@pytest.mark.parametrize(("name", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_the_picture_of_the_house_shows_its_rooms(name: str, colours: dict[str, str]) -> None:
    """Remade by tests/pictures.py."""
    assert list(ROOMS) == layers()
    assert (PICTURES / f"house-{name}.svg").read_text("utf-8") == house(colours)


def test_the_page_of_the_house_has_a_sentence_for_each_room() -> None:
    words = (DOCS / "architecture.md").read_text("utf-8")
    assert re.findall(r"^\d+\. `(\w+)`", words, re.MULTILINE) == layers()[::-1]


def test_pictures_are_small() -> None:
    assert all(one.stat().st_size <= 150_000 for one in PICTURES.iterdir())
