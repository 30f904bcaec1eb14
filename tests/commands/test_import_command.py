"""`rulewright import`: Hugo sites, Markdown and outlines."""

import json
import os
from pathlib import Path

import pytest
import yaml

from rulewright.app.cli import main
from tests.commands.duel import errors_of, write
from tests.projects import files

PAGE = """---
title: "1.0 Duels"
---
## 1.1 Rounds

A round. ![Dots](a.png)

## 1.2 Ends

See [1.1](#11-rounds).
"""
SITE = {"site/config.toml": 'title = "Duels"\n', "site/content/1.md": PAGE, "site/content/a.png": b"\x89PNG"}
EXPECTED = {
    "edition.yml", "redirects.yml", "import-report.md", "import-report.json",
    "rules/1-duels.yml", "pictures/a.png",
}  # fmt: skip


@pytest.fixture
def site(project):
    return write(project, SITE) / "site"


def test_an_edition_with_its_receipt(project, site, output):
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    assert files(project / "content/duels/1").keys() == EXPECTED
    receipt = json.loads((project / "content/duels/1/import-report.json").read_text("utf-8"))
    assert receipt["counts"]["rules"] == 3
    assert receipt["account"]["lost"] == []
    out = output.readouterr().out
    assert out.startswith("content/duels/1/: 1 page, 1 chapter, 3 rules")
    assert "0 lost. Numbering guessed: numbers like 1.1" in out
    assert main(["check", "duels"]) == 0


def test_an_import_again_replaces_what_it_wrote(project, site):
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    before = files(project / "content/duels")
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    assert files(project / "content/duels") == before
    (site / "content/1.md").write_text(PAGE.replace("A round.", "One round."))
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    after = files(project / "content/duels")
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"1/rules/1-duels.yml", "1/import-report.json"}


def test_edits_are_not_lost(project, site, output):
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    write(project, {"content/duels/1/faq.md": "# Asked\n"})
    chapter = project / "content/duels/1/rules/1-duels.yml"
    chapter.write_text(chapter.read_text() + "# mine\n")
    before = files(project / "content")
    output.readouterr()
    assert main(["import", "hugo", "site", "content/duels/1"]) == 1
    assert files(project / "content") == before
    errors = output.readouterr().err
    assert "rules/1-duels.yml was edited since the last import" in errors
    assert "--force replaces these files" in errors
    assert "[import-would-overwrite]" in errors
    assert main(["import", "hugo", "site", "content/duels/1", "--force"]) == 0
    assert "# mine" not in chapter.read_text()
    assert (project / "content/duels/1/faq.md").exists(), "what is no import's stays"


def test_nothing_is_half_written(project, site, monkeypatch):
    before = files(project / "content")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "x")

    monkeypatch.setattr(os, "replace", full)
    assert main(["import", "hugo", "site", "content/duels/1"]) == 2
    assert files(project / "content") == before
    monkeypatch.undo()
    monkeypatch.chdir(project)
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    assert not [name for name in files(project / "content/duels") if name.startswith(".")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", "content/duels/1"], "nowhere does not exist"),
        (["site/content/1.md", "content/duels/1"], "is a file; name its folder"),
        (["content", "content/duels/1"], "holds no page that ends in .md"),
        (["site", "content/duels"], "is no edition's folder; name a folder like content/ocs/4.3"),
        (["site", "../elsewhere/1"], "is no edition's folder"),
        (["site", "content/duels/1", "--dialect", "12.5"], "--dialect 12.5: 12 has no meaning here"),
        (["site", "content/duels/1", "--dialect", "?"], "[import-dialect]"),
    ],
)
def test_what_cannot_be_imported(project, site, output, words, message):
    before = files(project)
    assert main(["import", "hugo", *words]) in (1, 2)
    assert message in output.readouterr().err
    assert files(project) == before


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_faulty_pages(project, site, output):
    pages = {"content/2.md": b"\x89PNG\x00\xff", "content/3.md": "---\ntitle: [\n---\n"}
    write(site, pages)
    (site / "content/loop").symlink_to(site / "content")
    errors = errors_of(output, "import", "hugo", "site", "content/duels/1")
    assert "site/content/2.md:1:1: error: the byte 0x89 is not UTF-8" in errors
    assert "site/content/3.md:" in errors
    assert "site/content/loop:1:1: error: loop is a link to another place" in errors
    assert "nothing imported until this is corrected" in errors
    assert not (project / "content/duels").exists()


def test_no_link_is_followed_out_of_the_content(project, site, tmp_path, output):
    mine = write(tmp_path / "mine", {"1/rules/a.yml": "precious"})
    (project / "content/duels").symlink_to(mine)
    before = files(mine)
    assert "leads out of" in errors_of(output, "import", "hugo", "site", "content/duels/1", "--force", code=2)
    assert files(mine) == before


DOCS_SITE = {
    "site/hugo.toml": 'title = "Duel"\n',
    "site/content/_index.md": "---\ntitle: Duel\n---\nWelcome. See [1.1](1/#11-rounds).\n",
    "site/content/1.md": PAGE,
    "site/content/2.md": '---\ntitle: "2.0 Sequence of Play"\n---\n## 2.1 Outline\n\n'
    "* **First Player Turn**\n  * Movement Phase ([1.1](../1/#11-rounds))\n    * March\n  * Combat Phase\n"
    "    * Attack (2 rounds)\n      * Fire\n* **Second Player Turn**\n  * Repeat for the other player\n"
    "* **End Phase**\n",
    "site/content/a.png": b"\x89PNG",
}


def test_the_commands_of_the_docs_make_a_site_with_sequence_sheet_and_walker(tmp_path, monkeypatch):
    write(tmp_path, DOCS_SITE)
    monkeypatch.chdir(tmp_path)
    docs = (Path(__file__).parents[2] / "content/docs/importing.md").read_text("utf-8")
    first, sheet, last = docs.split("```")[1:6:2]
    name, _, text = sheet.removeprefix("yaml\n# ").partition("\n")
    for block in (first, last):
        for command in block.strip().splitlines():
            assert main(command.split()[1:]) == 0, command
        write(tmp_path, {name: text})
    folder = tmp_path / "mygame"
    sequence = yaml.safe_load((folder / "content/mygame/1/sequence.yml").read_text("utf-8"))
    assert [step.get("repeats") for step in sequence["steps"]] == [None, "first", None]
    assert 'rounds: "2"' in (folder / "content/mygame/1/sequence.yml").read_text("utf-8")
    site = files(folder / "site")
    assert any(name.endswith("sequence/index.html") for name in site)
    assert any("play" in name for name in site)
    assert [path.name for path in folder.rglob("*.pdf")] == ["turn.pdf"]


RULES = """---
title: "1.0 Duels"
---
## 1.1 Rounds

A round.

## 1.2 Ends

An end.

## 1.3 Blades

Sharp ones.
"""


@pytest.fixture
def first_import(project):
    write(project, {"site/config.toml": "", "site/content/rules/1.md": RULES})
    assert main(["import", "hugo", "site", "content/duels/1"]) == 0
    return project / "content/duels/1"


def test_content_that_no_longer_agrees_stays_and_is_reported(project, first_import):
    ends, rounds = (f"title: Card {n}\nblocks:\n  - rules: ['{n}']\n" for n in ("1.2", "1.1"))
    write(first_import, {"aids/ends.yml": ends, "aids/rounds.yml": rounds})
    assert main(["check", "duels"]) == 0
    write(project, {"site/content/rules/1.md": RULES.replace("## 1.2 Ends\n\nAn end.\n\n", "")})
    assert main(["import", "hugo", "site", "content/duels/1"]) == 1
    assert (first_import / "aids/ends.yml").read_text() == ends
    assert "aids/ends.yml" in (first_import / "import-report.md").read_text("utf-8")
    assert main(["check", "duels"]) == 1


def test_an_old_address_of_two_editions_is_reported(project, first_import):
    assert main(["import", "hugo", "site", "content/duels/2"]) == 1
    assert "redirects.yml" in (project / "content/duels/2/import-report.md").read_text("utf-8")


TEXT = "Order\n1. Fight Phase. Duellists lunge, see 1.2 and 7.9.\n2. Rest Phase (RP)\n"


@pytest.fixture
def text(project, output):
    return write(project, {"order.txt": TEXT})


def test_nothing_is_replaced_without_force(text, output):
    before = (text / "content/duel/1/sequence.yml").read_text()
    assert main(["import", "outline", "order.txt", "duel/1"]) == 2
    assert "sequence.yml already exists; --force replaces it" in output.readouterr().err
    assert (text / "content/duel/1/sequence.yml").read_text() == before
    assert main(["import", "outline", "order.txt", "duel/1", "--force"]) == 0
    once = (text / "content/duel/1/sequence.yml").read_text()
    assert once != before
    assert main(["import", "outline", "order.txt", "duel/1", "--force"]) == 0
    assert (text / "content/duel/1/sequence.yml").read_text() == once


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("empty.txt", b"", "no line reads like a step"),
        (
            "prose.txt",
            b"The players take turns until it is dark, and then they rest.\n",
            "no line reads like",
        ),
        ("old.txt", b"A. \xdcberfall", "is not UTF-8"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0", "is not UTF-8"),
    ],
)
def test_what_is_no_sequence(project, output, name, content, cause):
    write(project, {name: content})
    assert cause in errors_of(output, "import", "outline", name, "content/duel/2")
    assert not (project / "content/duel/2").exists()
