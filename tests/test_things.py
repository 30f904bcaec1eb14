"""Things that texts cite and that are no rules: items, steps, tables, terms, pages, and other works."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app.build_pipeline import build
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.edit.change_proposal import propose_change
from rulewright.edit.edit_operations import record_former_numbers
from rulewright.edit.renumber_plan import plan_moves
from rulewright.files.content_reader import ContentFolder
from rulewright.references import site_paths
from rulewright.references.citable_items import list_items_of
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    FaultyReference,
    Reference,
)
from tests.locks import accepted

LIST = """
chapter: "9.0"
title: Combat
"9.1 Procedure":
  text: |
    Resolve each attack:

    1. Name the hex.
    2. Add up:
       1. the guns
       2. the men
    3. Roll.
"""
FILES = {
    "book/rulebook.yml": """
title: Guns
numbers: "1.1a"
chapters: ["1.0"]
cues: [see, per, rule]
terms:
  Rout: {means: Flight., aliases: [Routed]}
books:
  Series Rules: {aliases: [SR], leads to: other}
  Harbour Act: {}
  Almanac: {leads to: "https://a.example/"}
""",
    "book/1/edition.yml": 'edition: "1"\n',
    "book/1/rules/9.yml": LIST,
    "book/1/sequence.yml": """
title: Sequence of Play
steps:
  - phase: Combat Phase
    by: none
    see: "9.1"
    steps:
      - {do: Fire, label: "1"}
      - {do: Rest, label: "2"}
  - {phase: Fire Phase, by: none, see: "9.1"}
  - {phase: Night Phase, by: none}
  - phase: Rally
    by: none
    steps: [{do: Look}, {do: Run}]
""",
    "book/1/tables/losses.yml": "id: losses\ntitle: Loss Table\ncolumns: [A]\nrows: [{A: '1'}]\n",
    "other/rulebook.yml": """
title: Other
numbers: "1.1a"
chapters: ["1.0"]
terms: {Lull: {means: Quiet.}}
""",
    "other/1/edition.yml": 'edition: "1"\n',
    "other/1/rules/4.yml": 'chapter: "4.0"\n"4.1 Guns": G.\n"4.2 Men": M.\n',
    "other/1/sequence.yml": "title: Play\nsteps:\n  - {phase: Supply Phase, by: none}\n",
    "other/1/tables/fire.yml": "id: fire\ntitle: Barrage Table\ncolumns: [A]\nrows: [{A: '1'}]\n",
}


def folder(**files: str) -> ContentFolder:
    texts = FILES | {name.replace("__", "/") + ".yml": text for name, text in files.items()}
    return ContentFolder({f"content/{name}": text.encode() for name, text in texts.items()})


def citing(text: str) -> ContentFolder:
    """The books with a rule 10.1 that says a text."""
    rule = f'chapter: "10.0"\ntitle: More\n"10.1 One": {json.dumps(text, ensure_ascii=False)}\n'
    return folder(book__1__rules__10=rule)


def led(examined: CheckedProject, text: str, address: str = "book/1") -> str:
    """A text with where each reference in it leads."""
    result, end = "", 0
    for one in next(c.resolved for c in examined.index.editions[address].citations if c.text == text):
        start, stop = one.span
        result += f"{text[end:start]}‹{text[start:stop]} {_where(one)}›"
        end = stop
    return result + text[end:]


def _where(one: Reference) -> str:
    if isinstance(one, FaultyReference):
        return f"! {one.fault.code}"
    if isinstance(one, ExternalReference):
        return f"= {one.href}"
    thing = one.citable if isinstance(one, CitableReference) else one.target
    page, anchor = site_paths.path_and_anchor(thing)
    return f"= {page.rpartition('/')[2] if page.startswith('book/') else page}#{anchor}"


def text_of(marked: str) -> str:
    return re.sub(r"‹(.*?) [=!] [^›]*›", r"\1", marked)


COUNTED = """
Repeat ‹steps 2 = 9-combat#9.1/2› to ‹3 = 9-combat#9.1/3› of ‹9.1 = 9-combat#9.1›.
See ‹9.1 = 9-combat#9.1›, ‹step 2 = 9-combat#9.1/2›.
After ‹step 2 = 9-combat#9.1/2› of ‹9.1 = 9-combat#9.1›, do step 2 of ‹9.9 ! reference-not-found›.
See ‹9.1 = 9-combat#9.1› ‹step 2 = 9-combat#9.1/2› and ‹9.1 = 9-combat#9.1›: ‹step 3 = 9-combat#9.1/3›.
In ‹step 6 ! item-not-found› of ‹9.1 = 9-combat#9.1› nothing is lost.
Before ‹step 4 ! item-not-found› of the Combat Phase, rest.
Before ‹step 2 = sequence#combat-phase/rest› of the Combat Phase, rest.
In ‹step 3 = 9-combat#9.1/3› of the Fire Phase roll, in step 3 of the Night Phase sleep.
In the Combat Phase, ‹step 2 = sequence#combat-phase/rest›, rest.
In ‹step 2 = sequence#rally/run› of the Rally Phase run.
‹Item 3 = 9-combat#9.1/3› of rule ‹9.1 = 9-combat#9.1› holds.
‹9.1 = 9-combat#9.1› (‹steps 1 = 9-combat#9.1/1›–‹3 = 9-combat#9.1/3›) holds.
‹Steps 1 = 9-combat#9.1/1›, ‹2 = 9-combat#9.1/2› and ‹3 = 9-combat#9.1/3› of ‹9.1 = 9-combat#9.1› hold.
Do ‹step 1 = 9-combat#9.1/1› and ‹step 2 = 9-combat#9.1/2› of ‹9.1 = 9-combat#9.1›.
Per ‹step 2.1 = 9-combat#9.1/2/1› of ‹9.1 = 9-combat#9.1›, count.
‹Step (2) = 9-combat#9.1/2› in section ‹9.1 = 9-combat#9.1›.
See ‹9.1 = 9-combat#9.1›'s ‹step 3 = 9-combat#9.1/3›.
In ‹step 3 = 9-combat#9.1/3› of the “Procedure” roll.
‹Step 2 = 9-combat#9.1/2› of ‹[[9.1|the procedure]] = 9-combat#9.1› is long.
""".strip().splitlines()

UNCOUNTED = """
Do so in two steps, step by step.
A unit that loses 2 steps of ‹9.1 = 9-combat#9.1› is flipped.
A 2-step unit has a step loss of 2; each step 2 hexes long.
See step 2. A second step 2 follows.
Do step 2 of 9.1 of the Storm scenario, step 3 of 4.9 of the Harbour Act, and step 4 of 9.8 of a map.
Go through step 2 of the process, and item 4 of the list of a friend.
As in ‹9.1 = 9-combat#9.1›; step 2, then, is gone. See ‹9.1 = 9-combat#9.1›. Step 2: Roll.
It loses steps 2 times, 3 points of 9 and 2 items in 7 turns.
""".strip().splitlines()

LETTERED = """
See ‹item (b) = 10-more#10.1/b›, ‹item (e) ! item-not-found› and ‹item (a)(iv) ! item-not-found›.
‹Items (a) = 10-more#10.1/a› to ‹(b) = 10-more#10.1/b› hold.
See ‹point (a)(i) = 10-more#10.1/a/i› and ‹(ii) = 10-more#10.1/a/ii›.
See ‹item (e) ! item-not-found› of ‹10.1 = 10-more#10.1›; an item a unit has.
See ‹10.1 = 10-more#10.1›, ‹item b = 10-more#10.1/b›.
""".strip()

MARKED = """
Roll on the ‹[[Loss Table]] = tables#losses›.
Roll on the ‹[[book:Loss Table]] = tables#losses›.
Roll on the ‹[[book/1:losses]] = tables#losses›.
Roll on the ‹[[other:Barrage Table]] = other/1/tables#fire›.
Roll on the ‹[[other/1:Barrage|barrage]] = other/1/tables#fire›.
Wait for the ‹[[book:Combat Phase]] = sequence#combat-phase›.
Wait for the ‹[[Rally Phase|rally]] = sequence#rally›.
Wait for the ‹[[other:Supply Phase]] = other/1/sequence#supply-phase›.
Units ‹[[book:Routed|ran]] = glossary#rout› in a ‹[[other:Lull]] = other/1/glossary#lull›.
Roll on the ‹[[book:Los Table]] ! not-a-rule-number›.
Wait for the ‹[[other:Suply Phase]] ! not-a-rule-number›.
Roll on the ‹[[others:Barrage Table]] ! book-not-found›.
As in ‹[[book:9.1]] = 9-combat#9.1› and on the ‹[[other:4.1]] = other/1/4#4.1›.
""".strip().splitlines()

WORKS = """
See Harbour Act § 5, § 9.1 of the Harbour Act, and sections 9.1 and 9.2 of the Harbour Act.
See Series Rules ‹4.1 = other/1/4#4.1› and ‹4.2 = other/1/4#4.2›; then ‹9.1 = 9-combat#9.1›.
See SR ‹4.2 = other/1/4#4.2›, ‹9.1 = 9-combat#9.1›.
See ‹4.1 = other/1/4#4.1› of the Series Rules, or Series Rules ‹9.1 ! reference-not-found›.
See the Almanac, section ‹7.1 = https://a.example/› or Almanac ‹7.9 = https://a.example/›.
See section 9.1 of [Harbour Act], section 9.1 para. 2 of the Harbour Act, and ‹9.1 = 9-combat#9.1›.
See 9.1, second sentence, of the Harbour Act; § 9.1 Abs. 2 Satz 1, § 9.1 Nr. 3 des Harbour Act.
As an exile under points (a), (c) or (d) of section 9.1(2) of the Harbour Act, or ‹9.1 = 9-combat#9.1›.
See the Harbour Act, pages 4 to 6, page 8 of the Harbour Act, and pages 28 to 30.
The Series Rules 2 dice are two.
See section 9 of the map, counter sheet section 9, rule 9.1 of a scenario, section 9 of the Sea Code.
See section 9 of the chart, but the table ‹9.1 = 9-combat#9.1› of the charts.
See section ‹9 = 9-combat#9.0› of the rules; use ‹9.1 = 9-combat#9.1› on the map.
""".strip().splitlines()


def test_items_of_lettered_lists_are_counted():
    text = "A mule stops where\n\n(a) it rains:\n  (i) hard,\n  (ii) softly,\n(b) it snows.\n\n"
    examined = load_and_check_folder(citing(text + text_of(LETTERED)))
    assert led(examined, text + text_of(LETTERED)) == text + LETTERED


@pytest.mark.parametrize("marked", [*COUNTED, *UNCOUNTED, *MARKED, *WORKS])
def test_each_leads_where_it_says(marked):
    text = text_of(marked)
    examined = load_and_check_folder(citing(text))
    found = any(one.text == text for one in examined.index.editions["book/1"].citations)
    assert (led(examined, text) if found else text) == marked


# Addresses


def nested(depth: int) -> st.SearchStrategy[list[tuple[bool, list]]]:  # type: ignore[type-arg]
    """Lists of lists: whether each is numbered, and the lists inside each of its items."""
    inner = nested(depth - 1) if depth else st.just([])
    return st.lists(st.tuples(st.booleans(), st.lists(inner, min_size=2, max_size=3)), max_size=2)


def written(lists: list[tuple[bool, list]], indent: str = "") -> str:  # type: ignore[type-arg]
    lines = []
    for numbered, items in lists:
        for at, inside in enumerate(items, 1):
            sign = f"{at}." if numbered else "-"
            lines += [f"{indent}{sign} Word.", written(inside, indent + "   ")]
        lines += ["", f"{indent}And:", ""] if not indent else []
    return "\n".join(line for line in lines if line or not indent)


@given(nested(3))
def test_items_of_every_depth_have_addresses_of_their_own(lists):  # type: ignore[type-arg]
    text = f"First:\n\n{written(lists)}"
    rule = (
        f'chapter: "10.0"\ntitle: More\n"10.1 One":\n  text: {json.dumps(text)}\n  closing: "1. A\\n2. B"\n'
    )
    outline = load_and_check_folder(folder(book__1__rules__10=rule)).index.outlines["book/1"]
    items = list_items_of(outline.entries["10.1"])
    anchors = [one.anchor for one in items]
    assert len(set(anchors)) == len(anchors) >= 2
    assert not {*anchors} & outline.entries.keys()
    assert all(one.words == one.text[one.start : one.end].strip() for one in items)
    numbered = sum(numbered * len(inside) for numbered, inside in lists)
    assert sum(len(one.labels) == 1 and one.text.startswith("First") for one in items) >= numbered


def saved(result: ContentFolder, project: Path) -> Path:
    for name, data in result.texts.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(data)
    (project / "mkdocs.yml").write_text("site_name: T\nplugins: [rulewright]\n")
    return project


def test_steps_of_the_sequence_and_items_have_their_addresses_on_pages(tmp_path):
    text = "Repeat step 2 of 9.1 and step 2 of the Combat Phase; roll on the [[other:Barrage Table]]."
    pages = {page.path: page.html for page in build(saved(citing(text), tmp_path)).pages}
    html = pages["book/1/9-combat"]
    ids = re.findall(r'<li id="([^"]*)"', html)
    assert ids == ["9.1/1", "9.1/2", "9.1/2/1", "9.1/2/2", "9.1/3"]
    links = re.findall(r'<a class="(?:named|ref)" href="([^"]*)"', pages["book/1/10-more"])
    assert links[:3] == ["../9-combat/#9.1/2", "../9-combat/#9.1", "../sequence/#combat-phase/rest"]
    assert "../../../other/1/tables/#fire" in links
    assert 'id="combat-phase/rest"' in pages["book/1/sequence"]


def test_renumbering_a_rule_takes_its_items_along():
    before = accepted(citing("Repeat steps 2 to 3 of 9.1, and see SR 4.1."))
    examined = load_and_check_folder(before)
    for address, pairs in (("book/1", {"9.1": "9.5"}), ("other/1", {"4.1": "4.7"})):
        outline = examined.index.outlines[address]
        moves = plan_moves(outline, [*pairs.items()])
        proposal = propose_change(
            before, examined, moves, lambda placing, m=moves: record_former_numbers(placing, m), {}
        )
        texts = {name: data for name, data in {**before.texts, **proposal.files}.items() if data}
        before = ContentFolder(texts)
        examined = load_and_check_folder(before)
    text = "Repeat steps 2 to 3 of 9.5, and see SR 4.7."
    assert led(examined, text) == (
        "Repeat ‹steps 2 = 9-combat#9.5/2› to ‹3 = 9-combat#9.5/3› of ‹9.5 = 9-combat#9.5›, "
        "and see SR ‹4.7 = other/1/4#4.7›."
    )
    assert not examined.drift.problems
    assert not examined.drift.new
