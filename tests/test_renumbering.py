"""Renumbering: every reference means what it meant, and nothing else changes."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.edit.change_proposal import ChangeProposal, propose_change
from rulewright.edit.edit_operations import record_former_numbers
from rulewright.edit.renumber_plan import RenumberPlan, plan_insertion, plan_moves
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.errors import UserError
from rulewright.references.reference_inventory import iter_referencing_texts
from rulewright.references.reference_resolver import rule_of_number
from tests.books import folder_of_texts
from tests.locks import accepted

ROOT = Path(__file__).parent.parent
WHOLE = read_content_folder(ROOT)
SERIES = accepted(read_content_folder(ROOT / "tests" / "seventh"))
BOOKS = ("ocs", "asl", "eastern-front", "killing-ground")
SLOW = settings(max_examples=max(2, settings().max_examples // 7), suppress_health_check=list(HealthCheck))


def book(name: str) -> ContentFolder:
    return ContentFolder({n: data for n, data in WHOLE.texts.items() if n.startswith(f"content/{name}/")})


REAL = {name: book(name) for name in BOOKS}


@cache
def examined(name: str) -> CheckedProject:
    return load_and_check_folder(REAL.get(name, SERIES))


def changed(folder: ContentFolder, proposal: ChangeProposal) -> ContentFolder:
    texts = {**folder.texts, **proposal.files}
    return ContentFolder({name: data for name, data in texts.items() if data is not None}, folder.other_files)


def renumbered(
    folder: ContentFolder, address: str, pairs: list[tuple[str, str]], examined: CheckedProject | None = None
) -> tuple[ContentFolder, ChangeProposal]:
    examined = examined or load_and_check_folder(folder)
    moves = plan_moves(examined.index.outlines[address], pairs)
    proposal = propose_change(
        folder, examined, moves, lambda placing: record_former_numbers(placing, moves), {}
    )
    return changed(folder, proposal), proposal


def aims(examined: CheckedProject, moves: RenumberPlan | None = None) -> Counter[tuple[str, str, str]]:
    """What every reference of all books means: the rule by the edition, its number and its title."""
    found: Counter[tuple[str, str, str]] = Counter()
    for passage in iter_referencing_texts(examined.index, examined.manuscripts):
        for one in passage.resolved:
            outline, number = passage.target_of(one, examined.index), one.match.number
            if outline and number and (target := rule_of_number(number, outline)):
                edition = outline.edition.address
                ours = moves is not None and moves.outline.edition.address == edition
                number = moves.new_number(number) if ours and moves else number
                found[edition, number.key, str(target.title)] += 1
    return found


def some_pairs(outline: Outline, chance: random.Random) -> list[tuple[str, str]]:
    """Numbers to change: to a free one beside or in another rule, or for that of another rule."""
    pairs: list[tuple[str, str]] = []
    entries = list(outline.entries.values())
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        entry, other = chance.choice(entries), chance.choice(entries)
        way = chance.random()
        if way < 0.4:
            step = entry.number.ordinals[-1] + chance.choice([1, 2, -1])
            target = outline.edition.dialect.sibling(entry.number, max(step, 1))
        elif way < 0.8 and other.children:
            last = other.children[-1].number
            target = outline.edition.dialect.sibling(last, last.ordinals[-1] + 1)
        else:
            target = other.number
            pairs.append((other.key, entry.key))
        pairs += [(entry.key, target.key)] if target else []
    return pairs


def keeps_meaning(
    folder: ContentFolder, before: CheckedProject, address: str, pairs: list[tuple[str, str]]
) -> None:
    """Renumber, and assert that every reference means what it meant; ranges may gain rules to be reviewed."""
    there, proposal = renumbered(folder, address, pairs, before)
    after = load_and_check_folder(there)
    assert not aims(before, proposal.moves) - aims(after)
    assert [str(problem) for problem in after.drift.problems] == []
    assert (aims(after) - aims(before, proposal.moves)).total() <= len(proposal.review_places)


def random_moves_keep_meaning(
    folder: ContentFolder, before: CheckedProject, address: str, chance: random.Random
) -> None:
    pairs = some_pairs(before.index.outlines[address], chance)
    note(f"{address}: {pairs}")
    try:
        keeps_meaning(folder, before, address, pairs)
    except UserError:
        assume(False)


COMMENTED = {
    "under texts": """\
"1.1": |
  Tugs pull.
 # of tugs
# in front of 1.2
"1.2": |
    Pilots wait.
  # of pilots

  # more of pilots

"1.3": Buoys mark.
    # far in
""",
    "in a rule": """\
"1.1": Tugs pull.
"1.2":
  text: |
   Pilots wait.
  "1.2a": Some do not.
 # of pilots
"1.3": |
  Buoys mark.

  # no comment, but words

 # of buoys
""",
}
COMMENTED["with other line ends"] = COMMENTED["under texts"].replace("\n", "\r\n")
MOVED = ["1.2=1.5", "1.3=1.1a", "1.1=1.2b", "1.1=1.3 1.3=1.1", "1.3=1.2b 1.1=1.2c"]
BESIDE_COMMENTS = [*product(COMMENTED, MOVED), ("in a rule", "1.2a=1.5"), ("in a rule", "1.2a=1.3a")]


@pytest.mark.parametrize(("name", "pairs"), BESIDE_COMMENTS)
def test_a_comment_stays_one_whatever_moves_beside_it(name, pairs):
    """An indented comment below a text goes with its rule, and is not read as words after another."""
    texts = {
        "content/b/rulebook.yml": 'title: B\nnumbers: "1.1a"\nchapters: "1.0"\n',
        "content/b/1/edition.yml": 'edition: "1"\n',
        "content/b/1/rules/1.yml": f'chapter: "1.0"\n{COMMENTED[name]}',
    }
    folder = folder_of_texts(texts)

    def words(here: ContentFolder) -> list[str]:
        outline = load_and_check_folder(here).index.outlines["b/1"]
        return sorted(str(one.rule.text) for one in outline.ordered_entries if one.rule and one.rule.text)

    asked = [(old, new) for old, _, new in (pair.partition("=") for pair in pairs.split())]
    there, _ = renumbered(folder, "b/1", asked)
    assert words(there) == words(folder)
    comments = [name.count(b"#") for name in (there.texts[one] for one in texts)]
    assert comments == [text.count("#") for text in texts.values()]


@pytest.mark.parametrize("name", BOOKS)
@SLOW
@given(st.randoms(use_true_random=False), st.data())
def test_references_of_the_real_books_keep_their_meaning(name, chance, data):
    folder = REAL[name]
    editions = sorted({"/".join(file.split("/")[1:3]) for file in folder.texts if file.count("/") > 2})
    random_moves_keep_meaning(folder, examined(name), data.draw(st.sampled_from(editions)), chance)


def rooms(examined: CheckedProject) -> Iterator[tuple[str, str]]:
    for address, outline in examined.index.outlines.items():
        yield from ((address, key) for key in list(outline.entries)[:: max(1, len(outline.entries) // 8)])


@SLOW
@given(st.randoms(use_true_random=False), st.sampled_from(["lantern/2", "fogbound/1"]))
def test_references_of_a_series_and_its_game_keep_their_meaning(chance, address):
    random_moves_keep_meaning(SERIES, examined("series"), address, chance)


@pytest.mark.parametrize("name", [pytest.param("ocs", marks=pytest.mark.thorough), *BOOKS[1:]])
def test_rules_are_inserted_anywhere(name):
    """After making room every reference means what it meant, and nothing is wrong that was not before."""
    from rulewright.edit.rule_placement import add_empty_rule, check_room, new_rule

    folder, before = REAL[name], examined(name)
    count = 0
    for address, key in rooms(before):
        outline = before.index.outlines[address]
        number = outline.entries[key].number
        try:
            check_room(outline, number)
            moves, new = plan_insertion(outline, number), new_rule(outline, number, number.key, "New")
            proposal = propose_change(
                folder, before, moves, lambda placing, n=new: add_empty_rule(placing, n), {}
            )  # type: ignore[misc]
        except UserError:
            continue
        count += 1
        after = load_and_check_folder(changed(folder, proposal))
        assert str(after.index.outlines[address].entries[key].title) == "New"
        assert not aims(before, moves) - aims(after), (address, key)
        assert not [problem for problem in proposal.problems if problem.code != "number-gap"], (address, key)
    assert count >= 3


def test_nothing_else_is_touched():
    folder = REAL["ocs"]
    there, proposal = renumbered(folder, "ocs/4.3", [("12.5", "12.12")])
    assert sorted(proposal.files) == [
        f"content/ocs/4.3/{name}"
        for name in (
            "aids/fold-out.yml",
            "faq.md",
            "known.yml",
            "redirects.yml",
            "references.lock",
            "sequence.yml",
        )
    ]
    lines = Counter(folder.texts["content/ocs/4.3/sequence.yml"].splitlines())
    lines.subtract(there.texts["content/ocs/4.3/sequence.yml"].splitlines())
    assert sum(count for count in lines.values() if count > 0) == 4


def test_an_insert_changes_the_lock_lines_of_the_rules_that_move_alone():
    """In the middle of a chapter: at most two lines for each rule, its own and that of a game."""
    address, number = "ember-coast/2.1", "3.2"
    from rulewright.edit.rule_placement import add_empty_rule, new_rule

    before = load_and_check_folder(WHOLE)
    outline = before.index.outlines[address]
    moves = plan_insertion(outline, outline.entries[number].number)
    new = new_rule(outline, outline.entries[number].number, number, "New")
    plan = propose_change(WHOLE, before, moves, lambda placing: add_empty_rule(placing, new), {})
    lines: Counter[str] = Counter()
    for name, data in plan.files.items():
        if name.endswith(".lock") and data:
            added = Counter(data.decode().splitlines()) - Counter(WHOLE.texts[name].decode().splitlines())
            lines.update(line.partition("\t")[0].rpartition(":")[2] for line in added.elements())
    numbers = {new_number.key for new_number in moves.entries.values()}
    assert lines
    assert lines.keys() <= numbers
    assert lines.total() <= 2 * len(numbers), (lines, numbers)


def test_old_numbers_lead_on_through_several_moves():
    texts: Mapping[str, bytes] = {
        "content/x/rulebook.yml": b'title: X\nnumbers: "1.1a"\nchapters: "1.0"\n',
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/rules/1.yml": (b'chapter: "1.0"\n"1.1":\n  "1.1a":\n'),
    }
    folder, _ = renumbered(ContentFolder(texts), "x/1", [("1.1", "1.2")])
    folder, _ = renumbered(folder, "x/1", [("1.2a", "1.2b")])
    folder, _ = renumbered(folder, "x/1", [("1.2", "1.3")])
    outline = load_and_check_folder(folder).index.outlines["x/1"]
    lead = {old: entry.key for old, entry in outline.former_numbers.items()}
    assert {old: lead.get(old) for old in ("1.1", "1.2", "1.1a", "1.2a", "1.2b")} == {
        "1.1": "1.3",
        "1.2": "1.3",
        "1.1a": "1.3b",
        "1.2a": "1.3b",
        "1.2b": "1.3b",
    }


def test_what_names_a_rule_elsewhere_follows():
    """Redirects, the tables and activities of a player aid, and what the next edition says of this one."""
    texts: Mapping[str, bytes] = {
        "content/x/rulebook.yml": b'title: X\nnumbers: "1.1a"\nchapters: "1.0"\n',
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/rules/1.yml": b'chapter: "1.0"\n"1.1": So.\n',
        "content/x/1/tables/1.1.yml": b'number: "1.1"\ntitle: T\ncolumns: [A]\nrows:\n  - {A: b}\n',
        "content/x/1/redirects.yml": (
            b'redirects:\n  - from: /old/\n    to: "tables#1.1"\n    anchors: {a: "1.1"}\n'
        ),
        "content/x/1/aids/card.yml": b'title: Card\nblocks:\n  - tables: ["1.1"]\n',
        "content/x/2/edition.yml": b'edition: "2"\nfollows: "1"\n',
        "content/x/2/rules/1.yml": b'chapter: "1.0"\n"1.1": {was: "1.1", text: Oh.}\n',
    }
    there, proposal = renumbered(ContentFolder(texts), "x/1", [("1.1", "1.2")])
    assert [str(problem) for problem in proposal.problems] == []
    assert b'to: "tables#1.2"\n    anchors: {a: "1.2"}' in there.texts["content/x/1/redirects.yml"]
    assert b'tables: ["1.2"]' in there.texts["content/x/1/aids/card.yml"]
    assert b'"1.1": {was: "1.2", text: Oh.}' in there.texts["content/x/2/rules/1.yml"]
