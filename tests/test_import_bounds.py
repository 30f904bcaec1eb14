"""Imports from strangers: their cost is in proportion to their size, and none ends in an error."""

import shutil
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from rulewright.importers.outline.transcription import Book, transcribed
from rulewright.importers.website.files import front_matter_of
from rulewright.importers.website.hugo_site import read_site
from rulewright.importers.website.receipt import markdown
from rulewright.importers.website.site import read_markdown
from rulewright.importers.website.site_import import Import, Request, import_site
from rulewright.numbers.guessing import guess
from rulewright.print.typesetting import Refused, sound
from rulewright.source.problems import File
from tests.effort import FACTOR, growth
from tests.test_pictures import claiming

MERGED = "a: &a {x: y}\n" + "".join(
    f"{b}: &{b}\n  <<: [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghijklmnop")
)
BOMB = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghi")
)
TOO_MUCH = [f"weight: {'9' * 5_000}", f"title: 0x{'f' * 5_000}", "a: " + "[" * 200_000, "- " * 200_000, BOMB]
ALIASES = "nav: &a [x.md]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghijklmnop")
)


@pytest.mark.parametrize(
    "matter",
    [*TOO_MUCH, "a: &a [*a]", MERGED, 'a: !!int ""', "a: !!float ''", "a: !!timestamp x", "a: !!bool x"],
)
def test_front_matter_that_the_library_stumbles_over_is_a_problem(matter: str) -> None:
    found, problems = front_matter_of(File("x.md", f"---\n{matter}\n---\nwords\n"))
    assert found.values == {}
    assert [one.code for one in problems] == ["hugo-front-matter"]


@pytest.mark.parametrize(
    "config", [MERGED, ALIASES, "nav: " + "[" * 100_000, 'docs_dir: !!int ""', "a: !x {b: c}"]
)
def test_pages_are_read_whatever_orders_them(config: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "1.md").write_text("# 1.1 A\n")
    (tmp_path / "mkdocs.yml").write_text(config)
    assert [page.name.rpartition("/")[2] for page in read_markdown(tmp_path).pages] == ["1.md"]


@pytest.mark.parametrize("setting", ["contentDir = '../other'", "staticDir = '../other'", "a = 1"])
@pytest.mark.parametrize("link", ["content", "static", ""])
def test_no_setting_and_no_link_of_a_site_leads_out_of_it(setting: str, link: str, tmp_path: Path) -> None:
    site, other = tmp_path / "site", tmp_path / "other"
    (site / "content").mkdir(parents=True)
    other.mkdir()
    page = "---\ntitle: A\n---\n# 1.1 A\n\n![key](/key.png)\n"
    for folder in (site / "content", other):
        (folder / "a.md").write_text(page)
    (other / "key.png").write_text("secret")
    (site / "hugo.toml").write_text(f"{setting}\n")
    if link:
        shutil.rmtree(site / link, ignore_errors=True)
        (site / link).symlink_to(other)
    found = read_site(site)
    assert not [path for path in found.files.values() if path.read_text() == "secret"]
    assert not [one for one in found.pages if Path(one.file.name).resolve().is_relative_to(other)]
    if link == "content" or "contentDir" in setting:
        assert "hugo-file-unreadable" in {problem.code for problem in found.problems}


def test_no_link_of_a_folder_of_pages_leads_out_of_it(tmp_path: Path) -> None:
    site, other = tmp_path / "site", tmp_path / "other"
    site.mkdir()
    other.mkdir()
    (other / "a.md").write_text("# 1.1 A\n")
    for name, inside in (("x", "src"), ("mkdocs.yml", "docs")):
        shutil.rmtree(site)
        site.mkdir()
        (site / name).write_text("docs_dir: ../other\n")
        (other / "SUMMARY.md").write_text("[A](a.md)\n")
        (site / inside).symlink_to(other)
        assert list(read_markdown(site).pages) == []


def test_a_heading_with_empty_brackets_is_a_step() -> None:
    made, problems = transcribed(File("a.txt", "A. Rally Phase ()\n"), Book(lambda number: True))
    assert "Rally Phase" in made
    assert problems == []


SEQUENCES = [
    "Phase ({})",
    "A. Phase (see 1.{})\n",
    "Word{} And ",
    "CAPS{} ",
    "half-\n",
    "    x{}\n",
    "[1.{}] ",
]


@pytest.mark.parametrize("piece", SEQUENCES)
def test_a_hostile_sequence_of_play_is_read_at_once(piece: str) -> None:
    text = "A. Phase\nPhase " + "".join(piece.replace("{}", str(at)) for at in range(8_000))
    made, _ = transcribed(File("a.txt", text), Book(lambda number: True))
    assert made


PAGES = ["\n| a | b |\n|---|---|\n", "<td>x", "\n## 1.1 A\n", "**a** ", "[a](b) ", "<!--", "Word\n=\n\n"]
NESTED = ["<ul><li>x", "<blockquote>x", "<b>x</i>", "<table><tr><td>a</td>", "<dl><dt>x<dd>y"]


@pytest.mark.parametrize("piece", [*PAGES, *NESTED])
def test_a_page_is_imported_in_proportion(piece: str, tmp_path: Path) -> None:
    def work(count: int) -> Callable[[], object]:
        (tmp_path / "1.md").write_text(f"---\ntitle: 1 A\n---\n# 1.1 A\n\n## 1.2 B\n\n{piece * count}")
        return lambda: told(import_site(read_site(tmp_path), Request("b", "1"), "site", lambda *_: None))

    def told(made: Import) -> str:
        return markdown(made.receipt) if made.receipt else ""

    assert growth(work, 25) < 2 * FACTOR


def test_a_label_has_only_so_many_parts() -> None:
    deep = ["1." * 5_000 + "1", "A.1." * 5_000, "1.1" + "9" * 5_000 + "xyz"]
    labels = [("1.1", True), ("1.2", True), ("1.3", True), ("2.1", True)]
    found = guess([*labels, *((one, True) for one in deep)], deep)
    assert found.numbers == ["1.1"]


@pytest.mark.parametrize("size", [(30_000, 30_000), (2**31 - 1, 2**31 - 1), (10_000, 9_000), (2_000, 1_000)])
def test_few_bytes_are_no_large_picture(size: tuple[int, int]) -> None:
    with pytest.raises(Refused):
        sound("a.png", claiming(*size))


def test_a_plain_picture_is_no_bomb() -> None:
    made = BytesIO()
    Image.new("RGB", (3_000, 2_000)).save(made, "PNG")
    assert sound("a.png", made.getvalue()) == made.getvalue()
