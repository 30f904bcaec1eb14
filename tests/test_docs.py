"""The documentation: its examples are sound, its picture shows the house, the files it names are there."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pictures import DARK, LIGHT, PICTURES, ROOMS, house, layers

import run
from rulewright.app import new_game
from rulewright.app.cli import main
from rulewright.checks.examine import examine, examine_folder
from rulewright.model.reports import text
from rulewright.site.exports import FORMATS
from rulewright.source.folder import Folder
from rulewright.source.problems import KINDS
from tests.commands.duel import write

DOCS = run.ROOT / "content" / "docs"
README = (run.ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (run.ROOT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
FORMS = sorted((run.ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
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


def test_the_book_that_a_newcomer_types_builds_by_itself(tmp_path: Path, capsys: Any) -> None:
    page = (DOCS / "start.md").read_text("utf-8")
    typed = re.findall(r"^```yaml\n(# (\S+\.yml)\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert [name for _, name in typed if name == "mkdocs.yml"]
    write(tmp_path, {name: words for words, name in typed})
    assert main(["--project", str(tmp_path), "build", "--no-print", "--strict"]) == 0, capsys.readouterr()
    assert (tmp_path / "site/mule-pass/1/4-fodder/index.html").is_file()


def test_what_the_other_pages_add_to_the_first_book_needs_no_more_than_they_name() -> None:
    def blocks(page: str) -> dict[str, bytes]:
        return {m[1]: m[2].encode() for m in FENCE.finditer((DOCS / page).read_text("utf-8"))}

    first = blocks("start.md")
    needs = {
        "aids.md": ["tables.md", "sequence.md", "writing.md"],
        "editions.md": ["sequence.md", "writing.md"],
        "sequence.md": ["writing.md"],
        "tables.md": [],
        "writing.md": ["sequence.md"],
    }
    assert {page.name for page in DOCS.glob("*.md") if blocks(page.name)} == {*needs, "start.md"}
    for page, others in needs.items():
        files = {**first, **{name: text for other in others for name, text in blocks(other).items()}}
        told = examine_folder(Folder({**files, **blocks(page)})).problems
        assert not [f"{page}: {one.place}: {one.message}" for one in told if one.fails]


def test_the_turn_that_is_shown_as_text_is_the_one_that_is_written() -> None:
    page = (DOCS / "turn.md").read_text("utf-8")
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (written,) = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    pages = ((DOCS / name).read_text("utf-8") for name in ("start.md", "writing.md"))
    book = {m[1]: m[2] for page in pages for m in FENCE.finditer(page)}
    files = {**book, "content/mule-pass/1/sequence.yml": written}
    made = examine_folder(Folder({name: words.encode() for name, words in files.items()}))
    assert not [one for one in made.problems if one.fails]
    assert FORMATS["text"](made.shelf.outlines["mule-pass/1"], made.shelf, "").strip() == shown.strip()


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


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_every_example_is_yaml(page: Path) -> None:
    for words in re.findall(r"^```yaml\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        assert isinstance(yaml.safe_load(words), dict), words


def test_the_readme_is_short() -> None:
    assert len(README) < 5_000


def test_the_first_book_of_the_readme_says_what_it_is_said_to() -> None:
    name = "content/mygame/1/rules/1-movement.yml"
    made = new_game.files("My Game", "mygame", new_game.USUAL)
    made[name] = f"{made[name].rstrip()} See 1.9.\n"
    folder = Folder({one: words.encode() for one, words in made.items() if one.startswith("content/")})
    (problem,) = [one for one in examine_folder(folder).problems if one.fails]
    assert f"\n{text([problem]).strip()}\n" in README


def test_the_problem_that_a_newcomer_is_shown_is_the_one() -> None:
    start = (DOCS / "start.md").read_text("utf-8")
    (words,) = [m[2] for m in FENCE.finditer(start) if m[1].endswith("4-fodder.yml")]
    files = dict(m.groups() for page in DOCS.glob("*.md") for m in FENCE.finditer(page.read_text("utf-8")))
    files["content/mule-pass/1/rules/4-fodder.yml"] = words.replace("(4.2a)", "(4.2z)", 1)
    del files["content/mule-pass/1/errata.yml"]
    found = examine_folder(Folder({name: each.encode() for name, each in files.items()}))
    (problem,) = [one for one in found.problems if one.fails]
    assert f"\n{text([problem]).strip()}\n" in start


def test_the_check_and_the_export_that_contributors_are_shown_work() -> None:
    check, export = re.findall(r"^```python\n(from .*?)^```$", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    made: dict[str, Any] = {}
    exec(check, made)
    exec(export, made)
    KINDS.pop("title-full-stop")  # no other test shall meet it
    rules = b'chapter: "1.0"\n"1.1 Roads.": None.\n'
    book = {
        "content/x/rulebook.yml": b'title: X\nnumbers: "1.1"\nchapters: "1.0"\n',
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/rules/1.yml": rules,
    }
    (problem,) = made["full_stops"](examine_folder(Folder(book)).shelf)
    assert (problem.place.line, problem.place.column) == (2, 32)
    shelf = examine(run.ROOT, "ocs/4.3").shelf
    assert "\nMovement Phase\n" in made["titles"](shelf.outlines["ocs/4.3"], shelf)


def test_every_file_that_contributors_are_sent_to_is_there() -> None:
    named = re.findall(r"`((?:generator|templates|tests)/[\w/.-]+)`", CONTRIBUTING)
    assert len(named) > 15
    assert [name for name in named if not (run.ROOT / name).exists()] == []
    linked = [(run.ROOT, one) for one in re.findall(r"""(?:\]\(|src=")([^:)"#]+)[)"#]""", README)]
    linked += [(run.ROOT / ".github", one) for one in re.findall(r"\]\(([^:)#]+)", CONTRIBUTING)]
    assert len(linked) > 15
    assert [name for folder, name in linked if not (folder / name).exists()] == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_forms_for_issues_are_of_known_fields(form: Path) -> None:
    asked = yaml.safe_load(form.read_text("utf-8"))
    for field in asked.get("body", ()):
        attributes = {"label", "description", "placeholder", "render", "options"}
        assert field["type"] in ("input", "textarea", "dropdown")
        assert field["attributes"].keys() <= attributes
        assert all(field["attributes"].values())
        assert field.keys() <= {"type", "attributes", "validations"}
