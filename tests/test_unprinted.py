"""What cannot be printed keeps no other sheet from being printed, and no page from being made."""

import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.print import typst_compiler
from tests.commands.duel import write
from tests.test_press import BOOK

pytestmark = pytest.mark.skipif(bool(typst_compiler.missing()), reason=typst_compiler.missing())

LONG = " ".join(f"Sword number {n} is as sharp as the one before it." for n in range(900))
UNPRINTABLE = {
    "overfull": ("aid-does-not-fit", f"title: Overfull\npaper: a5\nblocks:\n  - notes: {LONG}\n"),
    "wide": ("aid-too-wide", f"title: Wide\npaper: a5\ncolumns: 2\nblocks:\n  - notes: {'W' * 200}\n"),
    "coarse": (
        "pdf-picture-coarse",
        "title: Coarse\nblocks:\n  - picture: {file: dot.png, alt: A dot, width: 100%}\n",
    ),
}
SETTINGS = (
    "site_name: Duel\nsite_url: https://duel.example/rules\ndocs_dir: content\n"
    "theme:\n  name: material\n  font: false\nplugins: [material/search, rulewright]\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A book whose rulebook, and all sheets but one, cannot be printed, each for another reason."""
    from PIL import Image

    sheets = {f"content/duel/1/aids/{name}.yml": text for name, (_, text) in UNPRINTABLE.items()}
    wide = {"content/duel/1/rules/1.yml": BOOK["content/duel/1/rules/1.yml"].replace("is sharp", "W" * 200)}
    write(tmp_path, BOOK | sheets | wide | {"mkdocs.yml": SETTINGS})
    Image.new("RGB", (9, 9)).save(tmp_path / "content/duel/1/aids/dot.png")
    return tmp_path


def build(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rulewright", "build", *options]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


def test_the_site_is_made_and_says_what_was_not_printed(project):
    first = build(project)
    ran = build(project, "--strict")  # of which nothing is made again
    assert (first.returncode, ran.returncode) == (0, 1), ran.stdout + ran.stderr
    said = ran.stdout + ran.stderr
    for name, (code, _) in UNPRINTABLE.items():
        assert f"aids/{name}.yml:" in ran.stdout, said
        assert f"[{code}]" in ran.stdout, said
        assert not (project / f"site/duel/1/aids/{name}.pdf").exists()
        assert "cannot be printed as it is" in (project / f"site/duel/1/aids/{name}/index.html").read_text()
    assert (project / "site/duel/1/aids/card.pdf").read_bytes().startswith(b"%PDF")
    assert "4 sheets not printed, for the reasons above: " in ran.stderr
    assert "duel/1/rulebook" in ran.stderr
    assert (project / "site/duel/1/1-fencing/index.html").is_file()


def test_the_command_prints_all_others(project: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "rulewright", "aids"], cwd=project, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert [path.name for path in (project / "print").rglob("*.pdf")] == ["card.pdf"]
    assert "4 sheets not printed, for the reasons above" in ran.stderr


def test_an_aid_with_an_error_keeps_no_other_from_being_printed(tmp_path: Path) -> None:
    wrong = {"content/duel/1/aids/wrong.yml": "title: Wrong\nblocks:\n  - rules: [9.9]\n"}
    write(tmp_path, BOOK | wrong)
    command = [sys.executable, "-m", "rulewright", "aids"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stderr
    assert "content/duel/1/aids/wrong.yml:3:13: error: " in ran.stdout
    assert sorted(path.name for path in (tmp_path / "print").rglob("*.pdf")) == ["card.pdf", "rulebook.pdf"]
    assert "1 sheet not printed, for the reasons above" in ran.stderr


STUMBLING = """
import sys
from pathlib import Path
from rulewright.checks.load_and_check import load_and_check
from rulewright.print import press
from rulewright.print.print_job import PrintOptions
from rulewright.print.sheet_job import SheetJob

faults = {"card": KeyError("lost"), "other": RecursionError()}
make = SheetJob.make
SheetJob.make = lambda self: (_ for _ in ()).throw(faults[self.sheet.name])
project = Path.cwd()
jobs = press.all_print_jobs(project, load_and_check(project).index, PrintOptions())
done = press.run_print_jobs(project, jobs)
print(sorted(done.copies), sorted(done.failed))
for problem in done.problems:
    print(problem.code, problem.message)
"""


def test_a_fault_of_the_program_is_a_problem_of_one_sheet(tmp_path: Path) -> None:
    other = {"content/duel/1/aids/other.yml": "title: Other\nblocks: [legend]\n"}
    write(tmp_path, BOOK | other)
    ran = subprocess.run(
        [sys.executable, "-c", STUMBLING], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    copies, *problems = ran.stdout.splitlines()
    assert copies == "['duel/1/rulebook'] ['duel/1/aids/card', 'duel/1/aids/other']"
    assert all(line.startswith("print-failed") and "report it" in line for line in problems)
    assert len(problems) == 2
