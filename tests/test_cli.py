"""The command line: what it answers, with which exit code, and that nothing makes it fall over."""

import importlib
import io
import json
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mkdocs.config.defaults import MkDocsConfig

from generator import build
from generator.artifacts import Artifacts, Branch, Counts, Page, Section
from generator.cli import COMMANDS, main
from generator.problems import KINDS, Place

TOP = Path(__file__).parents[1]

BOOK = {
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\n',
    "content/duel/1/edition.yml": 'edition: "1"\n',
    "content/duel/1/known.yml": (
        'known:\n  - {number: "1.0", title: Swords}\n  - {number: "1.1", title: Parry}\n'
        '  - {number: "1.1a"}\n  - {number: "1.2", title: Lunge}\n'
    ),
    "content/duel/1/sequence.yml": 'title: Order\nsteps:\n  - phase: Fight\n    see: "1.1"\n',
}
FAULTY = 'title: Order\nsteps:\n  - phase: Fight\n    see: "1.1, 1.9"\n'
SCHEMA_LINE = "# yaml-language-server: $schema=../../.schema/sequence.json\n"
MISSING = "content/duel/1/sequence.yml:4:16: error: no rule 1.9; 1.0 ends at 1.2 [reference-not-found]\n"


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one small book, in which the command line is used."""
    folder = write(tmp_path / "project", {**BOOK, "mkdocs.yml": "site_name: Duel\ndocs_dir: content\n"})
    monkeypatch.chdir(folder)
    assert main(["schema"]) == 0
    return folder


@pytest.fixture
def said(project: Path, capsys: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    """What the commands print in the project."""
    capsys.readouterr()
    return capsys


class TestCheck:
    def test_all_is_well(self, said: pytest.CaptureFixture[str]) -> None:
        assert main(["check"]) == 0
        out, err = said.readouterr()
        assert out == ""
        assert err == "Checked everything: 4 rules, 1 step, 1 reference. No problems.\n"

    def test_problems(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        write(project, {"content/duel/1/sequence.yml": FAULTY})
        assert main(["check", "duel/1"]) == 1
        out, err = said.readouterr()
        assert out.replace("  - phase", "") == NO_SCHEMA + MISSING
        assert err == "Checked duel/1: 4 rules, 1 step, 2 references. 1 error, 1 note.\n"

    def test_a_note_is_no_failure(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        write(project, {"content/duel/1/edition.yml": 'edition: "1"\n'})
        assert main(["check"]) == 0
        assert "[schema-not-named]" in said.readouterr().out

    @pytest.mark.parametrize("name", ["text", "github", "sarif", "json"])
    def test_formats(self, project: Path, said: pytest.CaptureFixture[str], name: str) -> None:
        write(project, {"content/duel/1/sequence.yml": FAULTY})
        assert main(["check", "--format", name]) == 1
        out = said.readouterr().out
        assert "reference-not-found" in out
        if name in ("sarif", "json"):
            assert json.loads(out)

    @pytest.mark.parametrize("book", ["duel", "duel/1", "content/duel/1/", "content/duel"])
    def test_a_book_by_its_address_or_its_folder(self, said: pytest.CaptureFixture[str], book: str) -> None:
        assert main(["check", book]) == 0

    def test_only_the_book_that_is_named(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        other = {name.replace("duel", "joust"): text for name, text in BOOK.items()}
        write(project, {**other, "content/joust/1/sequence.yml": FAULTY})
        assert main(["check", "duel"]) == 0
        assert main(["check", "joust"]) == 1
        assert main(["check"]) == 1

    def test_an_edition_that_cannot_be_read_is_not_unknown(
        self, project: Path, said: pytest.CaptureFixture[str]
    ) -> None:
        write(project, {"content/duel/1/edition.yml": "edition: [\n"})
        assert main(["check", "duel/1"]) == 1
        assert "content/duel/1/edition.yml:" in said.readouterr().out

    def test_excused_problems_are_counted(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        excuse = 'edition: "1"\nexcused:\n  - {code: reference-not-found, at: "1.9", because: lost page}\n'
        write(project, {"content/duel/1/sequence.yml": FAULTY, "content/duel/1/edition.yml": excuse})
        assert main(["schema"]) == 0
        said.readouterr()
        assert main(["check"]) == 0
        assert "No problems; 1 excused." in said.readouterr().err

    def test_a_whole_process_is_quick(self) -> None:
        """The best of three in the time that it has the processor, as far as the system tells."""
        command = [sys.executable, "-m", "generator.cli", "check", "ocs/4.3"]
        times = []
        for _ in range(3):
            begun, before = time.perf_counter(), os.times()
            assert subprocess.run(command, cwd=TOP, capture_output=True).returncode == 0
            after = os.times()
            used = after.children_user - before.children_user + after.children_system - before.children_system
            times.append(used or time.perf_counter() - begun)
        assert min(times) < 0.4


NO_SCHEMA = (
    "content/duel/1/sequence.yml:1:1: note: "
    "the first line does not name the schema; `rulewright schema` writes it there [schema-not-named]\n"
)


class TestUsage:
    @pytest.mark.parametrize(
        ("words", "answer"),
        [
            (["chekc"], "no command chekc; did you mean check?"),
            (["check", "dule"], "no book dule here; did you mean duel?"),
            (["check", "duel/2"], "no book duel/2 here; did you mean duel/1?"),
            (["check", "--format", "jsno"], "there is no jsno; did you mean json?"),
            (["outline", "duel", "--format", "htm"], "there is no htm; did you mean html?"),
            (["outline"], "required: BOOK"),
            (["outline", "dul"], "no book dul here; did you mean duel?"),
            (["refs", "dual", "mkdocs.yml"], "no book dual here; did you mean duel?"),
            (["refs", "duel", "nothing.txt"], "there is no file nothing.txt"),
            (["refs", "duel"], "required: FILE"),
            (["check", "--fromat", "json"], "--fromat"),
            (["export", "page", "x"], "there is no page; did you mean pages?"),
            (["export", "pages", "."], "is not empty"),
            (["serve", "--port", "x"], "x is no port"),
            (["serve", "--port", "70000"], "70000 is no port"),
            (["--project", "nowhere", "check"], "nowhere is no project"),
            (["check", "--project", "nowhere"], "nowhere is no project"),
            (["build"], "mkdocs.yml does not name rulewright among its plugins"),
        ],
    )
    def test_says_what_is_wrong_and_ends_with_2(
        self, said: pytest.CaptureFixture[str], words: list[str], answer: str
    ) -> None:
        assert main(words) == 2
        out, err = said.readouterr()
        assert out == ""
        assert answer in err
        assert "Traceback" not in err

    def test_nothing_asked_for(self, said: pytest.CaptureFixture[str]) -> None:
        assert main([]) == 2
        assert all(name in said.readouterr().err for name in ["usage:"])

    def test_help_lists_every_command(self, said: pytest.CaptureFixture[str]) -> None:
        assert main(["--help"]) == 0
        out = said.readouterr().out
        assert all(f"\n  {name} " in out for name in COMMANDS)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_each_command_helps_with_an_example(self, said: pytest.CaptureFixture[str], command: str) -> None:
        assert main([command, "--help"]) == 0
        assert f"example:\n  rulewright {command}" in said.readouterr().out

    def test_version(self, said: pytest.CaptureFixture[str]) -> None:
        assert main(["--version"]) == 0
        assert said.readouterr().out.startswith("rulewright 0.")

    def test_the_project_is_found_from_below(
        self, project: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(project / "content/duel")
        assert main(["check"]) == 0
        assert "4 rules" in said.readouterr().err

    def test_the_project_may_be_named(
        self, project: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(project.parent)
        assert main(["--project", "project", "check"]) == 0
        assert main(["check", "--project", "project"]) == 0
        assert said.readouterr().err.count("4 rules") == 2

    def test_elsewhere_it_is_the_one_that_the_package_lies_in(
        self, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir("/")
        assert main(["outline", "ocs"]) == 0
        assert "Operational Combat Series" in said.readouterr().out


class TestOutline:
    def test_to_standard_output(self, said: pytest.CaptureFixture[str]) -> None:
        assert main(["outline", "duel"]) == 0
        assert "Fight [1.1]\n" in said.readouterr().out

    def test_to_a_file(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        assert (
            main(["outline", "duel/1", "--format", "html", "--base", "https://x.org/", "--output", "o.html"])
            == 0
        )
        assert said.readouterr().out == ""
        assert 'href="https://x.org/duel/1/1-swords/#1.1"' in (project / "o.html").read_text("utf-8")
        assert [path.name for path in project.iterdir() if path.name.startswith(".")] == []

    def test_a_file_that_cannot_be_written(self, said: pytest.CaptureFixture[str]) -> None:
        assert main(["outline", "duel", "--output", "no/such/folder"]) == 2
        assert said.readouterr().err == "rulewright: no/such/folder: No such file or directory\n"

    def test_none_with_a_faulty_reference(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        write(project, {"content/duel/1/sequence.yml": FAULTY, "o.txt": "the last good one"})
        assert main(["outline", "duel", "--output", "o.txt"]) == 1
        out, err = said.readouterr()
        assert out == ""
        assert err == f"{MISSING}rulewright: no outline of duel/1 until this is mended\n"
        assert (project / "o.txt").read_text() == "the last good one"

    def test_one_whose_fault_is_excused(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        excuse = 'edition: "1"\nexcused:\n  - {code: reference-not-found, at: "1.9", because: lost page}\n'
        write(project, {"content/duel/1/sequence.yml": FAULTY, "content/duel/1/edition.yml": excuse})
        assert main(["outline", "duel", "--format", "markdown"]) == 0
        assert r"Fight \[[1.1](duel/1/1-swords/#1.1), 1.9\]" in said.readouterr().out

    def test_an_edition_that_cannot_be_read(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        write(project, {"content/duel/1/edition.yml": "edition: [\n"})
        assert main(["outline", "duel/1"]) == 1
        assert "yaml-syntax" in said.readouterr().err

    def test_a_book_without_one(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        (project / "content/duel/1/sequence.yml").unlink()
        assert main(["outline", "duel/1"]) == 2
        assert "no sequence of play" in said.readouterr().err


TEXT = "See 1.1a and\r\n1.2; [[1.1|Parrying]] (1.9).\n\n    `1.2`\n# Rule 1.1\n"
ROWS = [("1.1a", "1.1a", "Parry"), ("1.2", "1.2", "Lunge"), ("1.1", "1.1", "Parry"), ("1.9", None, None)]


class TestRefs:
    def rows(self, capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
        main(["refs", "duel", *words, "--format", "json"])
        return list(json.loads(capsys.readouterr().out))

    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_rows_quote_the_text_as_it_is(
        self, project: Path, said: pytest.CaptureFixture[str], mark: str
    ) -> None:
        write(project, {"post.md": mark + TEXT})
        rows = self.rows(said, "post.md")
        assert [(row["text"], row.get("target"), row.get("title")) for row in rows] == ROWS
        assert all(TEXT[row["start"] : row["end"]] == row["text"] for row in rows)  # type: ignore[misc]
        assert {row["file"] for row in rows} == {"post.md"}
        assert rows[0]["href"] == "duel/1/1-swords/#1.1a"
        assert rows[3]["problem"] == {
            "code": "reference-not-found",
            "message": "no rule 1.9; 1.0 ends at 1.2",
        }
        assert "target" not in rows[3]

    @pytest.mark.parametrize("name", ["post.txt", "-"])
    def test_in_plain_text_all_is_prose(
        self, project: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        write(project, {"post.txt": TEXT})
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
        assert [row["text"] for row in self.rows(said, name)] == [*(text for text, *_ in ROWS), "1.2", "1.1"]

    def test_text(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        write(project, {"post.md": TEXT})
        assert main(["refs", "duel", "post.md"]) == 1
        assert said.readouterr().out == (
            "post.md:1:5: 1.1a → duel/1/1-swords/#1.1a Parry\n"
            "post.md:2:1: 1.2 → duel/1/1-swords/#1.2 Lunge\n"
            "post.md:2:8: 1.1 → duel/1/1-swords/#1.1 Parry\n"
            "post.md:2:24: error: no rule 1.9; 1.0 ends at 1.2 [reference-not-found]\n"
        )

    def test_none_is_faulty(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        write(project, {"a.txt": "see 1.1", "b.txt": "2.5 miles"})
        assert main(["refs", "duel", "a.txt", "b.txt"]) == 0

    def test_a_shortened_number_names_the_whole(
        self, project: Path, said: pytest.CaptureFixture[str]
    ) -> None:
        known = BOOK["content/duel/1/known.yml"].replace('"1.1a"}', '"1.1a"}\n  - {number: "1.1b"}')
        write(project, {"a.txt": "see 1.1a and b", "content/duel/1/known.yml": known})
        rows = self.rows(said, "a.txt")
        assert [(row["text"], row["target"]) for row in rows] == [("1.1a", "1.1a"), ("b", "1.1b")]

    def test_a_file_that_cannot_be_read_is_a_problem_and_the_others_are_done(
        self, project: Path, said: pytest.CaptureFixture[str]
    ) -> None:
        write(
            project,
            {"bad.txt": "\ufeffé 1.1 \n".encode() + b"\xff", "folder/x": "", "good.txt": "see 1.1\f\x01"},
        )
        rows = self.rows(said, "bad.txt", "folder", "good.txt")
        assert [row["problem"]["code"] for row in rows[:2]] == ["file-not-utf8", "file-unreadable"]  # type: ignore[index]
        assert (rows[0]["start"], rows[0]["end"], rows[0]["text"]) == (7, 7, "")
        assert rows[2]["target"] == "1.1"

    def test_a_file_too_large_to_be_a_text(
        self, project: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("generator.commands.refs.MOST_BYTES", 20)
        write(project, {"a.txt": "see 1.1" + " " * 50})
        assert main(["refs", "duel", "a.txt"]) == 1
        assert "[file-too-large]" in said.readouterr().out


class TestSchema:
    def test_names_itself_in_every_content_file(self, project: Path) -> None:
        for name, text in BOOK.items():
            first, rest = (project / name).read_text("utf-8").split("\n", 1)
            folder = (project / name).parent
            assert (folder / first.removeprefix("# yaml-language-server: $schema=")).is_file()
            assert rest == text

    def test_check_changes_nothing(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        assert main(["schema", "--check"]) == 0
        write(project, {"content/duel/1/known.yml": "known: []\n", "content/.schema/known.json": "{}"})
        assert main(["schema", "--check"]) == 1
        out = said.readouterr().out
        assert out == "content/.schema/known.json would change\ncontent/duel/1/known.yml would change\n"
        assert (project / "content/duel/1/known.yml").read_text() == "known: []\n"

    def test_to_another_folder(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        write(project, {"content/duel/1/known.yml": "known: []\n"})
        assert main(["schema", "--output", "out"]) == 0
        assert sorted(path.name for path in (project / "out").iterdir()) == sorted(
            f"{name}.json" for name in ("rulebook", "edition", "known", "chapter", "sequence")
        )
        assert (project / "content/duel/1/known.yml").read_text() == "known: []\n"


PAGE = Page(
    "duel/1",
    "Duel 1",
    "<h1>Duel 1</h1>",
    (Section("a", "A", 1, "words"),),
    Place("content/duel/1/edition.yml", 2),
)
MADE = Artifacts(
    pages=(Page("", "Home", "<h1>Home</h1>"), PAGE),
    prose={"content/duel/faq.md": "See <a>1.1</a>\n"},
    files={"r/duel/1/1.1/index.html": "<p>", "map.svg": b"<svg/>"},
    nav=(Branch("Duel 1", "duel/1", (Branch("FAQ", "duel/faq"),)),),
    counts=Counts(3, 4, 5),
)


EXPORTED = {
    "index.html",
    "duel/1/index.html",
    "duel/faq.md",
    "r/duel/1/1.1/index.html",
    "map.svg",
    "pages.json",
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line, which makes two pages in no time."""
    monkeypatch.setattr(build, "build", lambda project, cache=None: MADE)


@pytest.mark.usefixtures("made")
class TestExport:
    def files(self, folder: Path) -> set[str]:
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}

    def test_pages_and_their_index(self, project: Path, said: pytest.CaptureFixture[str]) -> None:
        write(project, {"content/duel/1/sword.png": b"\x89PNG"})
        assert main(["export", "pages", "out"]) == 0
        assert self.files(project / "out") == EXPORTED | {"duel/1/sword.png"}
        assert (project / "out/duel/1/index.html").read_text() == "<h1>Duel 1</h1>"
        index = json.loads((project / "out/pages.json").read_text("utf-8"))
        assert index["nav"] == [
            {
                "title": "Duel 1",
                "path": "duel/1",
                "branches": [{"title": "FAQ", "path": "duel/faq", "branches": []}],
            }
        ]
        assert [(page["path"], page["file"]) for page in index["pages"]] == [
            ("", "index.html"),
            ("duel/1", "duel/1/index.html"),
        ]
        assert index["pages"][1]["sections"] == [{"anchor": "a", "title": "A", "level": 1, "text": "words"}]
        assert index["pages"][1]["source"] == {"file": "content/duel/1/edition.yml", "line": 2}
        assert set(index["files"]) == self.files(project / "out") - {"pages.json"}

    def test_a_folder_that_is_not_empty_is_left_alone(
        self, project: Path, said: pytest.CaptureFixture[str]
    ) -> None:
        write(project, {"out/mine.txt": "mine", "file": ""})
        assert main(["export", "pages", "out"]) == 2
        assert self.files(project / "out") == {"mine.txt"}
        assert main(["export", "pages", "file"]) == 2

    def test_force_replaces_what_an_earlier_export_left_and_nothing_else(
        self, project: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(project, {"out/mine.txt": "mine"})
        assert main(["export", "pages", "out", "--force"]) == 0
        assert self.files(project / "out") == EXPORTED | {"mine.txt"}
        monkeypatch.setattr(build, "build", lambda project: Artifacts(pages=MADE.pages[:1]))
        assert main(["export", "pages", "out", "--force"]) == 0
        assert self.files(project / "out") == {"index.html", "pages.json", "mine.txt"}
        assert not (project / "out/duel").exists()

    def test_an_index_that_lies_deletes_nothing_outside(self, project: Path) -> None:
        write(project, {"out/pages.json": '{"files": ["../mine.txt", 7, "/etc/hosts"]}', "mine.txt": "mine"})
        assert main(["export", "pages", "out", "--force"]) == 0
        assert (project / "mine.txt").is_file()

    def test_nothing_while_there_are_errors(
        self, project: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        problem = KINDS["reference-not-found"].at(Place("content/x.yml"), "no rule 1.9")
        monkeypatch.setattr(build, "build", lambda project: Artifacts(pages=MADE.pages, problems=(problem,)))
        assert main(["export", "pages", "out"]) == 1
        assert "content/x.yml:1:1: error: no rule 1.9 [reference-not-found]" in said.readouterr().err
        assert not (project / "out").exists()


@pytest.fixture
def site(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project with our plugin named in its settings, and a site made earlier."""
    settings = "site_name: Duel\ndocs_dir: content\ntheme: mkdocs\nplugins: [rulewright]\n"
    declared = "[mkdocs.plugins]\nrulewright = generator.site:RulewrightPlugin\n"
    # MkDocs finds plugins among installed packages, and this one may be used from its folder.
    info = tmp_path / "packages/rulewright-0.dist-info"
    write(
        info,
        {"METADATA": "Metadata-Version: 2.1\nName: rulewright\nVersion: 0\n", "entry_points.txt": declared},
    )
    monkeypatch.syspath_prepend(info.parent)
    write(project, {"mkdocs.yml": settings, "site/index.html": "the last good one"})
    return project / "site"


class TestBuild:
    def test_says_what_it_made(
        self, site: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def quick(config: MkDocsConfig) -> None:
            config.plugins["rulewright"].artifacts = MADE  # type: ignore[attr-defined]
            logging.getLogger("mkdocs.commands.build").info("Cleaning site directory")
            logging.getLogger("mkdocs.commands.build").warning("odd")

        monkeypatch.setattr("mkdocs.commands.build.build", quick)
        assert main(["build"]) == 0
        out, err = said.readouterr()
        lines = out.splitlines()
        assert lines[0].startswith("3 pages, 4 rules, 5 references checked, no problems; ")
        assert lines[0].endswith(" seconds.")
        assert lines[1:] == [f"Open site{os.sep}index.html"]
        assert err == "warning: odd\n"

    def test_problems_leave_the_last_site_as_it_was(
        self, site: Path, said: pytest.CaptureFixture[str]
    ) -> None:
        write(site.parent, {"content/duel/1/sequence.yml": f"{SCHEMA_LINE}{FAULTY}"})
        assert main(["build"]) == 1
        out, err = said.readouterr()
        assert out == MISSING.replace(":4:", ":5:")
        assert err == f"1 error; site{os.sep} is as it was.\n"
        assert (site / "index.html").read_text() == "the last good one"
        assert [path.name for path in site.parent.iterdir() if path.name.startswith(".")] == []

    def test_settings_that_are_wrong(self, site: Path, said: pytest.CaptureFixture[str]) -> None:
        write(site.parent, {"mkdocs.yml": "site_name: [\n"})
        assert main(["build"]) == 2
        assert "mkdocs.yml" in said.readouterr().err

    def test_a_port_that_is_taken(self, site: Path, said: pytest.CaptureFixture[str]) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            assert main(["serve", "--port", str(port)]) == 2
        assert f"127.0.0.1:{port} is in use" in said.readouterr().err

    def test_serving_says_where_and_what(
        self, site: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def serve(config_file: str, **settings: object) -> None:
            host.build(SimpleNamespace(plugins={"rulewright": SimpleNamespace(artifacts=MADE)}))
            logging.getLogger("mkdocs.livereload").info("[10:00:00] Serving on http://127.0.0.1:1/")

        host: Any = importlib.import_module("mkdocs.commands.serve")
        monkeypatch.setattr(host, "build", lambda config: None)
        monkeypatch.setattr(host, "serve", serve)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 130
        out = said.readouterr().out
        assert out.startswith("3 pages, 4 rules, 5 references checked, no problems; 0.0 seconds.\n")
        assert out.endswith("Open http://127.0.0.1:1/ (Ctrl-C ends it)\n")


class TestProcess:
    def test_ctrl_c_is_quiet(self, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(*given: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(build, "examine", interrupted)
        assert main(["check"]) == 130
        assert said.readouterr() == ("", "")

    @pytest.mark.skipif(os.name != "posix", reason="pipes end otherwise there")
    def test_a_closed_pipe_is_quiet(self) -> None:
        command = [sys.executable, "-m", "generator.cli", "outline", "ocs/4.3", "--format", "json"]
        process = subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        assert process.stderr.read() == b""
        assert process.wait() == 141

    def test_output_is_utf8_whatever_the_machine_says(self, project: Path) -> None:
        write(project, {"a.txt": "see 1.1"})
        machine = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(TOP)}
        command = [sys.executable, "-m", "generator.cli", "refs", "duel", "a.txt"]
        done = subprocess.run(command, cwd=project, env=machine, capture_output=True)
        assert done.stdout.decode() == f"a.txt:1:5: 1.1 → duel/1/1-swords/#1.1 Parry{os.linesep}"
        assert done.stderr == b""
