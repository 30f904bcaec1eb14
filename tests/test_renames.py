"""Steps, tables, terms and titles renamed: reported at each place, rewritten, and restored byte for byte."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.load_and_check import load_and_check
from rulewright.compare.stale_reference_problems import RENAMED
from tests.commands.duel import write

BOOK = {
    "content/b/rulebook.yml": """\
title: B
numbers: "1.1a"
chapters: "1.0"
cues: [see]
roles: {both: {title: Both}}
terms:
  rout: {means: "Flight without a stop, as in the Rally Phase.", see: "1.2"}
  MP: {means: Movement Point}
""",
    "content/b/1/edition.yml": 'edition: "1"\n',
    "content/b/1/rules/1.yml": """\
chapter: "1.0"
title: Fighting
"1.1 Fire at Range": |
  In the Rally Phase and the Fire
  Phase each side rolls on the Fire Table, [[Fire Table]]. It spends 2 MP.

  - Routs end in the Rally
    Phase (1.2).
"1.2 Close Combat": "It's a rout; Rout ends it, see 1.1, 'Fire at Range'. The German Rally Phase is none."
"1.3 More": 'See Fire at Range (1.1), the Rally Phase and Fire Phases.'
""",
    "content/b/1/tables/fire.yml": "id: fire\ntitle: Fire Table\nroll: 1d6\ncolumns: [loss]\n"
    'rows:\n  - {roll: 1-3, loss: "0"}\n  - {roll: 4-6, loss: a rout}\n',
    "content/b/1/sequence.yml": """\
title: Sequence of Play
steps:
  - {phase: Fire Phase, by: both, uses: Fire Table}
  - {phase: Rally Phase, by: both, note: "Before the next Fire Phase.", steps: [{do: Rally}]}
""",
    "content/b/1/aids/a.yml": "title: A\nblocks:\n  - checklist: {of: Rally Phase}\n",
    "content/b/1/errata.yml": """\
errata:
  - {erratum: "1", date: "2025-06-15", source: us, rule: "1.2", replace: Rout ends it, with: A rout ends all}
""",
    "content/b/1/faq.md": "# Questions\n\nIn the **Rally Phase** a rout ends; see 1.1.\n",
}

RENAMES = [
    ("1/sequence.yml", "phase: Rally Phase", "phase: Recovery Phase", 6),
    ("1/sequence.yml", "phase: Fire Phase", "phase: Shooting Phase", 3),
    ("1/tables/fire.yml", "title: Fire Table", "title: Table of Shots", 3),
    ("rulebook.yml", "  rout:", "  retreat:", 7),
    ("rulebook.yml", "  rout:", "  rout test:", 7),
    ("rulebook.yml", "  MP:", "  WP:", 1),
    ("1/rules/1.yml", "1.1 Fire at Range", "1.1 Shooting from Afar", 2),
]


@pytest.fixture
def project(tmp_path):
    folder = write(tmp_path, BOOK | {"mkdocs.yml": "site_name: B\nplugins: [rulewright]\n"})
    assert main(["--project", str(folder), "check", "--accept"]) == 0
    return folder


def _files(project: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted((project / "content").rglob("*")) if one.is_file()}


def _renamed(project: Path, name: str, old: str, new: str) -> None:
    file = project / "content/b" / name
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.mark.parametrize(("name", "old", "new", "count"), RENAMES)
def test_each_place_is_reported_and_fixed_and_undone(project, name, old, new, count, capsys):
    before = _files(project)
    assert "name-outdated" not in {one.code for one in load_and_check(project).problems}
    _renamed(project, name, old, new)
    problems = [one for one in load_and_check(project).problems if one.is_failure]
    assert {one.code for one in problems} == {"name-outdated"}
    old_words = old.partition(": ")[2] or old.strip(" :").removeprefix("1.1 ")
    for one in problems:
        line = (project / one.place.file).read_text().splitlines()[one.place.line - 1]
        assert line[one.place.column - 1 :].casefold().startswith(old_words.split()[0].casefold())
        assert one.message.startswith(old_words.split()[0])
    assert len(problems) == 1, problems
    assert (f"in {count - 1} more place" in problems[0].message) == (count > 1)
    assert main(["--project", str(project), "check", "--fix"]) == 0, capsys.readouterr()
    left = load_and_check(project).problems
    assert not left, left
    assert main(["--project", str(project), "check", "--accept"]) == 0
    _renamed(project, name, new, old)
    assert main(["--project", str(project), "check", "--fix"]) == 0
    assert _files(project) == before


def test_a_title_of_one_word_counts_in_marks_and_keys_alone(tmp_path):
    table = BOOK["content/b/1/tables/fire.yml"].replace("Fire Table", "Losses")
    rules = 'chapter: "1.0"\ntitle: Fighting\n"1.1 Ends": Losses are taken from [[Losses]], see 1.1.\n'
    uses = BOOK["content/b/1/sequence.yml"].replace("Fire Table", "Losses")
    more = {"1/tables/fire.yml": table, "1/rules/1.yml": rules, "1/sequence.yml": uses}
    texts = BOOK | {f"content/b/{name}": text for name, text in more.items()}
    folder = write(
        tmp_path, texts | {"content/b/rulebook.yml": BOOK["content/b/rulebook.yml"].split("terms")[0]}
    )
    assert main(["--project", str(folder), "check", "--accept"]) == 0
    _renamed(folder, "1/tables/fire.yml", "title: Losses", "title: Casualties")
    places = [one.reference.place for one in load_and_check(folder).drift.findings if one.kind is RENAMED]
    assert [(one.file.rpartition("/")[2], one.line) for one in places] == [("1.yml", 3), ("sequence.yml", 3)]


def test_an_edition_that_another_one_follows_is_fixed_only_if_it_is_named(project, capsys, monkeypatch):
    monkeypatch.chdir(project)
    assert main(["new", "edition", "b/2", "--from", "b/1"]) == 0
    assert main(["--project", str(project), "check", "--accept"]) == 0
    _renamed(project, "rulebook.yml", "  rout:", "  retreat:")
    before = _files(project)
    for named in ([], ["b"], ["b/2"]):
        assert main(["--project", str(project), "check", *named, "--fix"]) == (named != ["b/2"])
        after = _files(project)
        assert {name for name in before if "/b/1/" in name and after[name] != before[name]} == set()
    assert "b/1: 7 references not fixed" in capsys.readouterr().err
    assert main(["--project", str(project), "check", "b/1", "--fix"]) == 0
    assert not [one for one in load_and_check(project).problems if one.is_failure]
