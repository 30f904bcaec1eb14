"""Inventories: what others can link to here, as an independent reader sees it, and what we read of theirs."""

import json
import re
import zlib
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
import sphobjinv
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app.build import build
from rulewright.checks.examine import examine
from rulewright.site.artifacts import Artifacts
from rulewright.site.exports import FORMATS
from rulewright.source.inventory import Inventory, Item, as_json, lines_of, objects_of, packed, read
from tests.commands.duel import write

ROOT = Path(__file__).parents[1]


@cache
def _made() -> Artifacts:
    return build(ROOT)


def _theirs() -> dict[str, sphobjinv.DataObjStr]:
    """The site's objects.inv as another program reads it, by name."""
    data = _made().files["objects.inv"]
    return {one.name: one for one in sphobjinv.Inventory(zlib=data).objects}


def test_another_program_reads_every_rule_table_step_and_chapter() -> None:
    theirs = _theirs()
    assert theirs["ocs/4.3:2.0"].dispname == "2.0 Sequence of Play"
    assert theirs["ocs/3.0:14.6c"].dispname == "14.6c Air to Air Combat Table"
    assert theirs["ocs/3.0:tables/air-unit-movement"].uri == "ocs/3.0/tables/#air-unit-movement"
    assert theirs["killing-ground/1:sequence/german/regroup"].dispname == "Disorganization/Regroup Phase"
    assert {(one.domain, one.role, one.priority) for one in theirs.values()} == {("std", "label", "-1")}


def test_names_without_an_edition_mean_the_newest() -> None:
    theirs = _theirs()
    assert theirs["ocs:12.5c"].uri == theirs["ocs/4.3:12.5c"].uri
    assert len({name.casefold() for name in theirs}) == len(theirs), (
        "Sphinx finds labels by small letters too"
    )


def test_every_address_is_one_of_the_site() -> None:
    anchors = {page.path: set(re.findall(r'\bid="([^"]*)"', page.html)) for page in _made().pages}
    lost = []
    for one in _theirs().values():
        page, _, anchor = one.uri.partition("#")
        if unquote(anchor) not in anchors[unquote(page).strip("/")]:
            lost.append(one.name)
    assert not lost


def test_the_json_says_the_same() -> None:
    made = json.loads(str(_made().files["inventory.json"]))
    theirs = _theirs()
    assert {one["name"]: one["uri"] for one in made["items"]} == {n: one.uri for n, one in theirs.items()}
    ours, fault = read("inventory.json", str(_made().files["inventory.json"]).encode())
    assert fault is None
    assert packed(ours.project, lines_of(ours.items)) == _made().files["objects.inv"]


WORDS = st.text(st.sampled_from("abcß.§():/›"), min_size=1, max_size=6)
ITEMS = st.builds(
    Item,
    name=st.lists(WORDS, min_size=1, max_size=3).map(" ".join),
    uri=st.text(st.sampled_from("abc/#.%"), min_size=1),
    dispname=st.lists(WORDS, min_size=1, max_size=3).map(" ".join),
    domain=st.sampled_from(["std", "py"]),
    role=st.sampled_from(["label", "class"]),
    priority=st.integers(-1, 2),
)


@given(st.lists(ITEMS, max_size=5))
def test_what_is_packed_is_read_again(items: list[Item]) -> None:
    inventory = Inventory("A project", tuple(items), "1.2")
    assert read("objects.inv", packed(inventory.project, lines_of(items), "1.2")) == (inventory, None)
    data = as_json(inventory.project, [objects_of(items)], "1.2").encode()
    again, _ = read("inventory.json", data)
    assert [(one.name, one.uri) for one in again.items] == [(one.name, one.uri) for one in items]


HEAD = packed("P", "", "1").partition(b"zlib.\n")[0] + b"zlib.\n"


def test_lines_as_sphinx_writes_them() -> None:
    lines = "dict py:class 1 stdtypes.html#$ -\na term std:term -1 glossary.html#term-a A term\nno item\n"
    found, _ = read("objects.inv", HEAD + zlib.compress(lines.encode()))
    assert [(one.name, one.uri, one.dispname) for one in found.items] == [
        ("dict", "stdtypes.html#dict", "dict"),
        ("a term", "glossary.html#term-a", "A term"),
    ]


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b"", 1, "neither JSON"),
        (b"\xff\xfe", 1, "neither JSON"),
        (HEAD[:40], 2, "four lines"),
        (HEAD + zlib.compress(b"a std:label -1 b c\n")[:-4], 5, "the end of this file is missing"),
        (HEAD + zlib.compress(bytes(65_000_000)), 5, "unpacks to more"),
        (HEAD + zlib.compress(b"\xff"), 1, "UTF-8"),
        (b'{"items": 1}', 1, "no list of items"),
        (b"{" * 200_000, 1, "JSON"),
        (b'{"a":' * 200_000, 1, "JSON"),
    ],
)
def test_what_is_none_is_told_with_its_place(data: bytes, line: int, what: str) -> None:
    found, fault = read("content/elsewhere/x.inv", data)
    assert found is None
    assert (fault.place.line, fault.code) == (line, "inventory-unreadable")
    assert what in fault.message


def test_of_very_many_names_the_nearest_is_named() -> None:
    names = [f"module.name{number}" for number in range(5_000)] + ["argparse.ArgumentParser"]
    inventory = Inventory("P", tuple(Item(name, "u", name) for name in names))
    assert inventory.did_you_mean("argparse.ArgumentParsr") == "; did you mean argparse.ArgumentParser?"


BOOK = {
    "content/elsewhere.yml": (
        'sites: {almanac: {title: Almanac, address: "https://a.example/x", inventory: a.inv}}\n'
    ),
    "content/tide/rulebook.yml": 'title: Tide\nnumbers: "1.1"\nchapters: "1.0"\n',
    "content/tide/1/edition.yml": 'edition: "1"\n',
    "content/tide/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Tides\ntext: See the [[almanac:moon]] & [[almanac:std:label:moon|<night>]].\n'
    ),
    "content/tide/1/sequence.yml": 'title: Day\nsteps: [{phase: Ebb, see: "1.0, [[almanac:moon]]"}]\n',
    "content/notes.md": "The [[almanac:moon|sky]].\n",
}


@pytest.fixture
def tide(tmp_path: Path) -> Path:
    """A project whose only book has references to another site."""
    write(tmp_path, BOOK)
    (tmp_path / "content/elsewhere").mkdir()
    moon = Item("moon", "sky.html?a&b#$", 'The "moon"')
    (tmp_path / "content/elsewhere/a.inv").write_bytes(packed("Almanac", lines_of([moon])))
    return tmp_path


LINK = (
    '<a class="ref away" rel="external" href="https://a.example/x/sky.html?a&amp;b#moon" '
    'title="The &#34;moon&#34; (Almanac)">'
)


def test_a_mark_leads_to_another_site_and_says_so(tide: Path) -> None:
    made = build(tide)
    assert not [problem for problem in made.problems if problem.fails]
    pages = {page.path: page.html for page in made.pages}
    assert f"{LINK}moon</a> &amp; {LINK}&lt;night&gt;</a>" in pages["tide/1/1-tides"]
    assert f"{LINK}moon</a>" in pages["tide/1/sequence"]
    href = "https://a.example/x/sky.html?a&b#moon"
    [reference] = made.prose["content/notes.md"].references
    assert reference == (href, "sky", 'The "moon" (Almanac)', None)
    assert not [name for name in made.files if "elsewhere" in name], "an inventory of others is not published"


def test_exports_lead_to_another_site(tide: Path) -> None:
    shelf = examine(tide).shelf
    outline = shelf.outlines["tide/1"]
    href = "https://a.example/x/sky.html?a&b#moon"
    assert f"[moon]({href})" in FORMATS["markdown"](outline, shelf, "https://tide.example")
    step = json.loads(FORMATS["json"](outline, shelf, ""))["steps"][0]
    assert step["refs"][1] | {"site": "Almanac", "href": href, "title": 'The "moon"'} == step["refs"][1]
