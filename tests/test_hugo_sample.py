"""A Hugo book, imported: no word is lost, every link is recovered, and what is wrong in it is reported."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.checks.load_and_check import load_and_check
from rulewright.imports.pipeline import ImportRequest, import_source
from rulewright.imports.reading.documents import read_hugo
from rulewright.references.reference_types import RuleReference
from rulewright.sequence.sequence_step import SequenceStep
from tests.commands.duel import write

PROJECT = Path(__file__).resolve().parents[1]
PAGES = PROJECT / "tests/samples/hugo-book"
SECTION, ADDRESS = "rules/harbour-1", "harbour/1"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\([^)]*\)")
PICTURE = re.compile(r"!\[\]\(/(rules/[^/]+/files/[^)]+)\)")
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c63600000"
    "00020001e221bc330000000049454e44ae426082"
)
TITLES = (
    "1.0 Ships, 1.1 Sailing, 1.1a Tugs, 1.1b Boats, 1.2 Cargo, 1.2a Loading, 1.2b Unloading, "
    "3.0 Storms, 3.1 Wind, 3.2 Waves, 3.2a Low, 3.2b High, 3.3 Fog"
)
WRONG = {
    "3.9": ("", "", 14, 55),
    "3.3": ("no page /rules/harbour-1/3-0-strms/", "did you mean /rules/harbour-1/3-0-storms/?", 32, 32),
    "1.2a": ("", "1-0-ships.md#12-cargo", 16, 20),
}
"""Each broken link: its fault, the proposed target, line and column."""


def pictures() -> set[str]:
    return {name for page in PAGES.glob("*.md") for name in PICTURE.findall(page.read_text("utf-8"))}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A whole site with the pages in their section, and a dot for each of their pictures."""
    root = tmp_path_factory.mktemp("site")
    (root / "config.toml").write_text('title = "Rules"\n')
    shutil.copytree(PAGES, root / "content" / SECTION)
    return write(root / "static", dict.fromkeys(pictures(), DOT)).parent


@pytest.fixture(scope="module")
def made(site):
    return import_source(read_hugo(site), ImportRequest("harbour", "1"), "site")


@pytest.fixture(scope="module")
def project(site, tmp_path_factory):
    """A project with nothing in it but the imported book."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "content").mkdir()
    shutil.copy(PROJECT / "mkdocs.yml", folder)
    assert main(["--project", str(folder), "import", "hugo", str(site), f"content/{ADDRESS}"]) == 0
    return folder


@pytest.fixture(scope="module")
def outline(project):
    return load_and_check(project).index.outlines[ADDRESS]


def test_no_word_is_lost(made):
    assert not made.report.lost
    counted = made.report.account.words
    for page in PAGES.glob("*.md"):
        _, _, body = page.read_text("utf-8").split("---\n", 2)
        bare = re.sub(r"\]\([^)]*\)|<[^>]*>|&\w+;", " ", body)
        words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", bare)
        (count,) = (count for name, count in counted.items() if name.endswith(page.name))
        title = re.search(r'^title: "?(.*?)"?$', page.read_text("utf-8"), re.MULTILINE)
        titled = len(re.findall(r"[^\W_]+", title[1] if title else ""))
        assert abs(len(words) + titled - count) <= 1, page.name


def test_every_lettered_rule_is_found_with_its_title(outline):
    found = [
        f"{entry.key} {entry.title}"
        for entry in outline.entries.values()
        if entry.key[0] in "13" and entry.is_transcribed and "(" not in entry.key
    ]
    assert found == TITLES.split(", ")


def test_every_link_is_recovered_at_lettered_precision(made, project):
    links = [link for page in PAGES.glob("*.md") for link in LINK.findall(page.read_text("utf-8"))]
    assert len(made.report.links) == len(links)
    numbers = Counter(m[1] for link in links if (m := re.match(r"\[(\d[\w.()]*)\]", link)))
    cited = Counter(
        one.number.key
        for citation in load_and_check(project).index.editions[ADDRESS].citations
        for one in citation.resolved
        if isinstance(one, RuleReference)
    )
    cited.update(re.findall(r"\[(\d[\w.]*)\]\(", (PAGES / "_index.md").read_text("utf-8")))
    assert set(numbers - cited) == {"3.9"}


def test_what_is_wrong_in_the_source_is_reported(made, project):
    wrong = {judged.text: judged for judged in made.report.wrong() if judged.says}
    assert sorted(wrong) == sorted(WRONG)
    for text, (fault, proposal, line, column) in WRONG.items():
        judged = wrong[text]
        assert judged.verdict == "broken"
        assert fault in (judged.fault or "")
        assert proposal in (judged.fault or "")
        assert (judged.link.line, judged.link.column) == (line, column)
    assert {p.code for p in made.report.checked if p.is_failure} <= {"reference-not-found"}
    examined = load_and_check(project)
    assert not [str(problem) for problem in examined.problems if problem.is_failure]
    assert {p.message for p, _ in examined.suppressed} == {"no rule 3.9; 3.0 ends at 3.3"}


def shape(steps: list[SequenceStep], depth: int = 0) -> Iterator[str]:
    """Steps as lines: how deep, which kind, in which order, which rules."""
    for entry in steps:
        step = entry.step
        see = " ".join(re.findall(r"\d+\.\d+[a-z]?", " ".join(step.see)))
        mark = (" combat" if step.activity else "") + (" repeats" if step.repeats else "")
        yield f"{'  ' * depth}{step.kind} [{see}] {' '.join(entry.actors)}{mark}"
        yield from shape([] if step.repeats else entry.inner, depth + 1)


@pytest.mark.thorough
def test_a_site_is_built_from_it_without_a_broken_link(project):
    command = [sys.executable, "-m", "rulewright", "build", "--no-print", "--strict"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    old = project / "site" / SECTION / "1-0-ships" / "index.html"
    assert "12-cargo" in old.read_text(), "the redirect keeps the anchors of the old page"
