"""`rulewright import dialect`: a numbering proposed from texts."""

from pathlib import Path

import pytest
import yaml

from rulewright.app.cli import main
from tests.commands.duel import printed, told, write

BOOKS = {
    "1.1a": (
        "## 12.0 Supply\n\n### 12.1 Dumps\n\n**12.1a Hand Over.** See 12.1b.\n\n"
        "**12.1b Blow Up.** Per 12.2a.\n\n"
        "### 12.2 Trucks\n\n**12.2a Loads.** As rule 12.1 says.\n\n## 13.0 Air\n\n### 13.1 Bases\n",
        ["12.1", "12.2a", "13.0"],
    ),
    "[1.11]": (
        "[4.0] MOVEMENT\n[4.1] HOW TO MOVE\n[4.11] Each unit pays, see Case 4.2.\n[4.12] It may not stop.\n"
        "[4.13] It may turn.\n[4.2] ROADS\n[4.21] They are cheap.\n[4.3] RIVERS\n"
        "[4.31] They are dear.\n[5.0] COMBAT\n",
        ["4.13", "4.31", "5.0"],
    ),
    "1.A.1.a": (
        "4. Modes\n4.A General\n4.A.1 Choosing\n"
        "4.A.2 Changing, see 4.A.1.b and 4.A.1.c and 5.B.1.a\n4.B Costs\n"
        "4.B.1 Rail\n5. Combat\n5.A Odds\n5.B Losses\n5.B.1 Steps\n",
        ["4.A.1.b", "5.B", "5"],
    ),
    "100.1a": (
        "# 7. Effects\n\n## 700. General\n\n700.1. An effect is one thing.\n\n"
        "700.1a It ends (see rule 701.2b).\n\n"
        "## 701. Words\n\n701.1. Some words mean more.\n\n701.2. To turn.\n\n701.2a Turn it.\n\n"
        "701.2b Turn it back.\n\n"
        "## 702. Signs\n\n702.1. A sign.\n\n# 8. Teams\n\n## 800. General\n\n800.1. Teams.\n\n"
        "## 801. Range\n",
        ["702", "701.2b", "8."],
    ),
    "1.1.1": (
        "1.0 Introduction\n1.1 Parts\n1.1.1 Map\n1.1.2 Pieces (1.2.1)\n1.2 Control\n1.2.1 Towns\n"
        "1.2.2 Roads\n"
        "2.0 Sequence of Play\n2.1 Cards\n2.1.1 Drawing, see 1.1.2\n2.2 Passing\n",
        ["1.1.2", "2.2", "2.0"],
    ),
    "§1-a": (
        "# §1 Ships\n\n## §1-a Hulls\n\n## §1-b Sails, see §2-a\n\n# §2 Ports\n\n## §2-a Quays\n\n"
        "## §2-b Cranes\n",
        ["§1-b", "§2"],
    ),
    "A1.1": (
        "# A. Infantry\n\nA1.1 Squads\n\nA1.2 Leaders, see B2.1\n\nA2.1 Moving\n\n# B. Terrain\n\n"
        "B1.1 Woods\n\n"
        "B2.1 Hills\n\nB2.2 Cliffs\n",
        ["A1.2", "B2.2"],
    ),
}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("ending", ["md", "txt"])
def test_the_proposal_reads_the_book(book, ending, project, said):
    text, wanted = BOOKS[book]
    write(project, {f"rules.{ending}": text})
    proposed = printed(said, "import", "dialect", f"rules.{ending}")
    numbers = yaml.safe_load(proposed)["numbers"]
    assert (numbers if isinstance(numbers, str) else numbers[0]) == book
    assert "unread:" not in proposed
    known = "".join(f"  - {{number: '{number}'}}\n" for number in wanted)
    files = {"content/x/rulebook.yml": f"title: X\n{proposed}", "content/x/1/edition.yml": "edition: '1'\n"}
    write(project, {**files, "content/x/1/known.yml": f"lists: cited\nknown:\n{known}"})
    main(["check", "x"])
    assert "label-malformed" not in said.readouterr().out


def test_yaml_can_be_pasted_and_says_what_stays_unread(project, said):
    write(project, {"rules.md": f"{BOOKS['1.1a'][0]}\n\nSee 12.2a.iv-x.\n"})
    out = printed(said, "import", "dialect", "rules.md")
    assert "# unread: 12.2a.iv-x (rules.md:18)" in out
    assert yaml.safe_load(out) == {"numbers": "1.1a", "chapters": ["12.0"]}


def test_known_numbers_have_their_titles(project: Path, said: pytest.CaptureFixture[str]) -> None:
    write(project, {"rules.md": BOOKS["1.1a"][0]})
    rows = yaml.safe_load(printed(said, "import", "dialect", "--known", "rules.md"))["known"]
    assert [(row["number"], row.get("title")) for row in rows] == [
        ("12.0", "Supply"),
        ("12.1", "Dumps"),
        ("12.1a", "Hand Over"),
        ("12.1b", "Blow Up"),
        ("12.2", "Trucks"),
        ("12.2a", "Loads"),
        ("13.0", "Air"),
        ("13.1", "Bases"),
    ]


@pytest.mark.parametrize("text", ["", "No numbers here.\n", "2d6 and 3 units\n"])
def test_a_text_without_numbers_is_said_to_have_none(text, project, said):
    write(project, {"rules.md": text})
    assert "name files with rules" in told(said, "import", "dialect", "rules.md")
    assert "there is no file nowhere.md" in told(said, "import", "dialect", "nowhere.md", code=2)
