"""The press: what is made of the same is not made again, and what was printed can be held against today."""

import ast
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.checks.examine import examine
from rulewright.print import press, typesetting
from rulewright.print.press import printed_sheets
from rulewright.print.press.of_site import for_site
from rulewright.print.press.orders import PrintOptions
from rulewright.site.artifacts import Prints
from rulewright.source import private, settings
from rulewright.source.resources import PACKAGE
from tests.commands.duel import write

ROOT = Path(__file__).parent.parent
prints = pytest.mark.skipif(bool(typesetting.missing()), reason=typesetting.missing())

BOOK = {
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\ncues: [see]\n'
    "roles:\n  phasing: {title: Phasing player, mark: P}\n",
    "content/duel/1/edition.yml": 'edition: "1"\n',
    "content/duel/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Fencing\ntext: Draw (see 1.1).\n"1.1 Swords": A sword is sharp.\n'
    ),
    "content/duel/1/sequence.yml": "title: Order of the duel\nsteps:\n  - phase: Bow\n    by: phasing\n"
    '    see: "1.1"\n',
    "content/duel/1/aids/card.yml": "title: Card\npaper: a5\nblocks:\n  - sequence\n",
    "mkdocs.yml": "site_name: Duel\nsite_url: https://duel.example/rules\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path, BOOK)
    return tmp_path


def orders(project: Path, **wishes):
    shelf = examine(project).shelf
    return press.orders_of(project, shelf, PrintOptions(site=settings.site_of(project), **wishes))


def print_all(project: Path, **wishes):
    told = []
    done = press.run(project, orders(project, **wishes), lambda step: told.append(str(step)))
    assert not [p for p in done.problems if p.fails], done.problems
    return done, told


@prints
def test_a_sheet_and_the_book_are_printed_and_the_second_time_taken_from_the_store(project):
    first, told = print_all(project)
    assert sorted(first.copies) == ["duel/1/aids/card", "duel/1/rulebook"]
    assert all(
        copy.pdf.startswith(b"%PDF") and copy.pictures[0][1:4] == b"PNG" for copy in first.copies.values()
    )
    assert all("seconds" in line for line in told)
    again, told = print_all(project)
    assert again.copies == first.copies
    assert all(line.endswith("unchanged") for line in told)


@prints
def test_the_same_content_gives_the_same_bytes_without_the_store(project):
    first, _ = print_all(project)
    shutil.rmtree(private.cache(f"sheets/{private.key(project)}"))
    assert print_all(project)[0].copies == first.copies


PRINT = """
import hashlib, sys
from pathlib import Path
from rulewright.print import press
from rulewright.checks.examine import Examined, examine
from rulewright.source import settings
from rulewright.print.press.of_site import for_site
from rulewright.print.press.orders import PrintOptions
project = Path(sys.argv[1])
shelf = examine(project).shelf
for order in press.orders_of(project, shelf, PrintOptions(site=settings.site_of(project))):
    if order.address.startswith("killing-ground/"):
        print(order.address, hashlib.sha256(order.make().pdf).hexdigest())
"""


@prints
def test_a_book_and_its_aids_are_the_same_bytes_in_another_process_and_at_any_date(built):
    elsewhere = {"PYTHONHASHSEED": "2", "SOURCE_DATE_EPOCH": "1893456000", "TZ": "Asia/Tokyo"}
    done = subprocess.run(
        [sys.executable, "-c", PRINT, str(ROOT)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **elsewhere},
        check=True,
    )
    printed = dict(line.split() for line in done.stdout.splitlines())
    assert len(printed) == len(list((ROOT / "content/killing-ground/1/aids").glob("*.yml"))) + 1
    for address, digest in printed.items():
        assert hashlib.sha256((built / f"{address}.pdf").read_bytes()).hexdigest() == digest, address


@prints
def test_another_paper_is_another_sheet_with_the_same_hash(project):
    sheet, on_a4 = (orders(project, **wishes)[0] for wishes in ({}, {"ink": "black"}))
    assert press.key_of(sheet) != press.key_of(on_a4)
    assert printed_sheets.mark_of(sheet.words) == printed_sheets.mark_of(on_a4.words)


def test_what_was_printed_is_held_against_today(tmp_path):
    def keep(address, title, words):
        file = printed_sheets.file_of(tmp_path, address)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(printed_sheets.written(title, words))

    keep("duel/1/aids/card", "Card", ("Bow", "Draw"))
    keep("duel/1/aids/gone", "Gone", ("Nothing",))
    keep("duel/1/rulebook", "Book", ("Same",))
    assert (tmp_path / "content/duel/1/printed/aids/card.txt").is_file()
    now = {"duel/1/aids/card": ("Card", ("Bow low", "Draw")), "duel/1/rulebook": ("Book", ("Same",))}
    card, gone = printed_sheets.stale(tmp_path, now)
    assert (card.was, card.now) == (
        printed_sheets.mark_of(("Bow", "Draw")),
        printed_sheets.mark_of(("Bow low", "Draw")),
    )
    assert "-Bow\n+Bow low\n Draw\n" in card.diff
    assert (gone.address, gone.now) == ("duel/1/aids/gone", "")


def test_where_the_site_will_stand(tmp_path):
    def said(text):
        (tmp_path / "mkdocs.yml").write_text(text)
        return settings.site_of(tmp_path)

    assert settings.site_of(tmp_path) == ""
    assert said("site_url: https://duel.example/rules\n") == "https://duel.example/rules/"
    assert said("site_name: x\nplugins: !ENV [A, b]\n") == ""
    assert said("site_url:\n") == ""
    assert said("a: [\n") == ""


def test_without_the_engine_nothing_is_printed_and_the_command_that_mends_it_is_told(project, monkeypatch):
    told = "typst is not installed; to install it: pip install typst"
    monkeypatch.setattr(typesetting, "missing", lambda: told)
    prints = for_site(
        project,
        examine(project),
        "https://duel.example/",
        lambda step: None,
    )
    assert not prints.files
    assert prints.missing == told
    (note,) = prints.problems
    assert note.code == "not-printed"
    assert told in note.message
    assert "card, rulebook" in note.message
    assert not note.fails


@prints
def test_a_rulebook_with_a_character_that_the_type_lacks_is_printed_with_a_note(project):
    rules = project / "content/duel/1/rules/1.yml"
    rules.write_text(rules.read_text("utf-8").replace("A sword is sharp", "A sword is 𓌪"), "utf-8")
    done = press.run(project, orders(project), lambda step: None)
    assert not [p for p in done.problems if p.fails]
    assert [(p.code, p.place.file) for p in done.problems if "𓌪" in p.message] == [
        ("no-glyph", "content/duel/1/rules/1.yml")
    ]
    assert sorted(done.copies) == ["duel/1/aids/card", "duel/1/rulebook"]


@prints
def test_without_an_address_of_the_site_a_note_says_so(project):
    prints = for_site(project, examine(project), "", lambda step: None)
    assert [p.code for p in prints.problems] == ["no-site-address"]
    assert sorted(prints.files) == ["duel/1/aids/card.pdf", "duel/1/aids/card.png", "duel/1/rulebook.pdf"]


@prints
def test_the_command_prints_records_and_finds_what_is_stale(project):
    def run(*words):
        command = [sys.executable, "-m", "rulewright", "--project", str(project), "aids", *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)

    done = run("duel", "--ink", "black")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (project / "print/duel/1/aids/card.pdf").read_bytes().startswith(b"%PDF")
    assert "Bow" in (project / "content/duel/1/printed/aids/card.txt").read_text()
    assert run("--stale").returncode == 0
    sequence = project / "content/duel/1/sequence.yml"
    sequence.write_text(sequence.read_text().replace("Bow", "Curtsy"))
    stale = run("--stale")
    assert stale.returncode == 1
    assert "-Bow P Phasing player 1.1\n+Curtsy P Phasing player 1.1\n" in stale.stdout
    assert run("duel", "--stale", "card").stdout == stale.stdout.partition("Duel 1: rulebook")[0]
    unknown = run("duel", "crad")
    assert unknown.returncode == 2
    assert "did you mean card?" in unknown.stderr
    sequence.write_text(sequence.read_text().replace('"1.1"', '"1.7"'))
    broken = run("duel")
    assert broken.returncode == 1
    assert "nothing printed until this is mended" in broken.stderr
    told = run("--stale")
    assert told.returncode == 1
    assert "cannot be told until this is mended" in told.stderr
    sequence.write_text(sequence.read_text().replace('"1.7"', '"1.1"'))
    (project / "content/duel/1/aids/card.yml").write_text("title: Card\nblocks: [")
    unread = run("duel", "card")
    assert unread.returncode == 1
    assert "aids/card.yml:" in unread.stderr


def test_a_link_is_nothing_that_was_printed(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "secret.txt").write_text("secret")
    (project / "content/duel/1/printed").symlink_to(elsewhere)
    (project / "content/duel/2/printed").mkdir(parents=True)
    (project / "content/duel/2/printed/hosts.txt").symlink_to(elsewhere / "secret.txt")
    assert list(printed_sheets.printed(project)) == []


def test_a_copy_is_known_by_every_module_that_has_a_hand_in_it_and_by_no_other() -> None:
    """Whatever these modules import of the rooms that print is among them."""
    named = {f"rulewright.{name.replace('/', '.')}" for name in press.MADE_BY}
    for name in press.MADE_BY:
        tree = ast.parse((PACKAGE / f"{name}.py").read_text("utf-8"))
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.ImportFrom)
                and node.module
                and node.module.startswith("rulewright.print")
            ):
                inner = {f"{node.module}.{one.name}" for one in node.names}
                assert node.module in named or inner <= named, f"{name} imports {node.module}"
    assert not any(module.startswith(("rulewright.app", "rulewright.site")) for module in named)


@prints
def test_a_build_prints_what_an_edit_has_changed(project: Path) -> None:
    def prints() -> tuple[Prints, list[str]]:
        told: list[str] = []
        made = for_site(project, examine(project), "https://a.example/", lambda step: told.append(str(step)))
        return made, [words.rpartition(" ")[2] for words in told]

    first, told = prints()
    assert told == ["seconds", "seconds"]
    assert prints() == (first, ["unchanged", "unchanged"])
    rules = project / "content/duel/1/rules/1.yml"
    rules.write_text(rules.read_text().replace("sharp", "long"))
    again, told = prints()
    assert sorted(told) == ["seconds", "unchanged"]
    assert {name for name in first.files if first.files[name] != again.files[name]} == {"duel/1/rulebook.pdf"}
    shutil.rmtree(private.cache("sheets") or "")
    assert prints()[0] == again


def test_signs_that_plex_lacks_are_in_a_face_of_their_own() -> None:
    wanted = {*"「」『』①⑩☐☑☒→⇒♠♥♦♣⚀⚅⬡⬢⎔¹⁴ⁿ₂✓✗★½⅓"}
    assert not wanted - typesetting.glyphs()
    assert "𓌪" not in typesetting.glyphs()
