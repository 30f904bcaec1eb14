"""The documentation: its examples are sound, its picture shows the house, the files it names are there."""

import re
from pathlib import Path
from typing import Any

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
    rules = b'chapter: "1.0"\nrules: [{number: "1.1", title: Roads., text: None.}]\n'
    book = {
        "content/x/rulebook.yml": b'title: X\nnumbers: "1.1"\nchapters: "1.0"\n',
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/rules/1.yml": rules,
    }
    (problem,) = made["full_stops"](examine_folder(Folder(book)).shelf)
    assert (problem.place.line, problem.place.column) == (2, 32)
    shelf = examine(run.ROOT, "ocs/4.3").shelf
    assert "\nMovement Phase\n" in made["titles"](shelf.outlines["ocs/4.3"], shelf)
