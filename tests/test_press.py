"""The press: what is made of the same is not made again, and what was printed can be held against today."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Name
from PIL import Image

from rulewright.app import printed_sheets
from rulewright.app.cli import main
from rulewright.book.lock_file import PrintedSheet, ReferenceLock, read_lock
from rulewright.checks.load_and_check import load_and_check
from rulewright.files import mkdocs_settings, user_folders
from rulewright.print import press, typst_compiler
from rulewright.print.press import for_site
from rulewright.print.print_job import PrintOptions, words_digest_short
from rulewright.render.build_artifacts import PrintedFiles
from rulewright.render.render_context import RenderContext
from tests.commands.duel import write

ROOT = Path(__file__).parent.parent
prints = pytest.mark.skipif(bool(typst_compiler.missing()), reason=typst_compiler.missing())

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
def project(tmp_path):
    write(tmp_path, BOOK)
    return tmp_path


def orders(project: Path, **wishes):
    context = RenderContext(load_and_check(project).index)
    return press.all_print_jobs(
        project, context, PrintOptions(site=mkdocs_settings.site_url(project), **wishes)
    )


def print_all(project: Path, **wishes):
    told = []
    done = press.run_print_jobs(project, orders(project, **wishes), lambda step: told.append(str(step)))
    assert not [problem for result in done.values() for problem in result.problems if problem.is_failure]
    return done, told


@prints
def test_a_sheet_and_the_book_are_printed_and_the_second_time_taken_from_the_store(project):
    first, told = print_all(project)
    assert sorted(first) == ["duel/1/aids/card", "duel/1/rulebook"]
    assert all(copy.pdf.startswith(b"%PDF") for copy in first.values())
    assert first["duel/1/aids/card"].pictures[0][1:4] == b"PNG"
    assert all("seconds" in line for line in told)
    again, told = print_all(project)
    assert again == {name: replace(copy, seconds=0.0) for name, copy in first.items()}
    assert all(line.endswith("unchanged") for line in told)


PRINT = """
import hashlib, sys
from pathlib import Path
from rulewright.print import press
from rulewright.checks.load_and_check import CheckedProject, load_and_check
from rulewright.files import mkdocs_settings
from rulewright.print.press import for_site
from rulewright.print.print_job import PrintOptions
from rulewright.render.render_context import RenderContext
project = Path(sys.argv[1])
shelf = RenderContext(load_and_check(project).index)
for order in press.all_print_jobs(project, shelf, PrintOptions(site=mkdocs_settings.site_url(project))):
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
def test_a_template_of_the_project_replaces_that_of_the_program(project):
    plain = orders(project)[0].make().pdf
    assert orders(project)[0].make().pdf == plain
    house = (typst_compiler.PRINT / "house.typ").read_text("utf-8")
    mark = '#let house = color.spot("Own Ink", cmyk(0%, 0%, 0%, 50%)).tint(100%)'
    write(project, {"templates/print/house.typ": house.replace('#let house = ink("house")', mark)})
    with pikepdf.open(BytesIO(orders(project)[0].make().pdf)) as pdf:
        spaces = pdf.pages[0].Resources.ColorSpace
        assert Name("/Own Ink") in [space[1] for _, space in spaces.items() if space[0] == "/Separation"]


@prints
def test_pages_are_printed_as_pictures_with_their_bleed(project):
    assert main(["--project", str(project), "aids", "duel", "card", "--bleed", "3mm", "--format", "png"]) == 0
    with Image.open(project / "print/duel/1/aids/card-1.png") as picture:
        pixels = [round((side + 6) / 25.4 * 300) for side in (148, 210)]
        assert picture.size == pytest.approx(pixels, abs=1)
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_stale_sheets_are_those_with_another_hash():
    bow, same = (
        words_digest_short(("Bow", "Draw")),
        words_digest_short(("Same",)),
    )
    day = "2024-06-01"
    recorded = ReferenceLock()
    recorded.sheets = {
        "rulebook": PrintedSheet(day, same),
        "aids/gone": PrintedSheet(day, bow),
        "aids/card": PrintedSheet(day, bow),
    }
    data = recorded.serialize() or b""
    assert data.splitlines()[3:] == sorted(data.splitlines()[3:])
    lock, problems = read_lock("references.lock", data)
    assert not problems
    card, gone = printed_sheets.find_stale_sheets(lock.sheets, {"aids/card": same, "rulebook": same})
    assert card == ("aids/card", (day, bow), same)
    assert gone == ("aids/gone", (day, bow), "")


def test_without_the_engine_nothing_is_printed_and_the_command_that_mends_it_is_told(project, monkeypatch):
    told = "typst is not installed; to install it: pip install typst"
    monkeypatch.setattr(typst_compiler, "missing", lambda: told)
    prints = for_site(project, load_and_check(project), "https://duel.example/", lambda step: None)
    assert not prints.files
    assert prints.missing_dependency == told
    (note,) = prints.problems
    assert note.code == "not-printed"
    assert told in note.message
    assert "duel/1/aids/card, duel/1/rulebook" in note.message
    assert not note.is_failure


@prints
def test_the_command_prints_records_and_finds_what_is_stale(project):
    def run(*words):
        command = [sys.executable, "-m", "rulewright", "--project", str(project), "aids", *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)

    done = run("duel", "--ink", "black")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (project / "print/duel/1/aids/card.pdf").read_bytes().startswith(b"%PDF")
    lock = project / "content/duel/1/references.lock"
    assert "aids/card\t" in lock.read_text()
    lock.write_text(re.sub(r"\d{4}-\d\d-\d\d", "2024-06-01", lock.read_text()))
    kept = lock.read_bytes()
    assert run("duel", "card", "--ink", "black").returncode == 0
    assert lock.read_bytes() == kept
    assert run("--stale").returncode == 0
    sequence = project / "content/duel/1/sequence.yml"
    sequence.write_text(sequence.read_text().replace("Bow", "Curtsy"))
    stale = run("--stale")
    assert stale.returncode == 1
    assert re.match(r"duel/1/aids/card: printed as \w{8} on 2024-06-01, now \w{8}\n", stale.stdout)
    assert run("duel", "--stale", "card").stdout == stale.stdout.splitlines(keepends=True)[0]
    unknown = run("duel", "crad")
    assert unknown.returncode == 2
    assert "did you mean card?" in unknown.stderr
    sequence.write_text(sequence.read_text().replace('"1.1"', '"1.7"'))
    broken = run("duel")
    assert broken.returncode == 1
    assert "nothing printed until this is fixed" in broken.stderr
    told = run("--stale")
    assert told.returncode == 1
    assert "cannot be determined until this is fixed" in told.stderr
    sequence.write_text(sequence.read_text().replace('"1.7"', '"1.1"'))
    (project / "content/duel/1/aids/card.yml").write_text("title: Card\nblocks: [")
    unread = run("duel", "card")
    assert unread.returncode == 1
    assert "aids/card.yml:" in unread.stderr


@prints
def test_a_build_prints_what_an_edit_has_changed(project):
    def prints() -> tuple[PrintedFiles, list[str]]:
        told: list[str] = []
        made = for_site(
            project, load_and_check(project), "https://a.example/", lambda step: told.append(str(step))
        )
        return made, [words.rpartition(" ")[2] for words in told]

    first, told = prints()
    assert told == ["seconds", "seconds"]
    assert prints() == (first, ["unchanged", "unchanged"])
    rules = project / "content/duel/1/rules/1.yml"
    rules.write_text(rules.read_text().replace("sharp", "long"))
    again, told = prints()
    assert sorted(told) == ["seconds", "unchanged"]
    assert {name for name in first.files if first.files[name] != again.files[name]} == {"duel/1/rulebook.pdf"}
    shutil.rmtree(user_folders.cache_folder("sheets") or "")
    assert prints()[0] == again
