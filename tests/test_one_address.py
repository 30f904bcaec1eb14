"""Two sources of one address on the site are told, and no two that have each their own."""

from pathlib import Path

import pytest

from rulewright.checks.content_check import check_content
from rulewright.files.content_reader import read_content_folder
from rulewright.files.disk_cache import project_cache
from tests.projects import new_project


@pytest.fixture
def base(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "base"
    new_project(folder)
    capsys.readouterr()
    return folder


def told(folder: Path, names: tuple[str, ...]) -> list[str]:
    for name in names:
        path = folder / "content" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("GIF89a" if name.endswith(".png") else "# Words\n")
    return list(
        map(
            str,
            check_content(read_content_folder(folder), project_cache("examined", folder), folder).problems,
        )
    )


TWICE = {
    ("tips.md", "tips/index.md"): "tips/index.md:1:1: error: /tips/ is the address of content/tips.md too",
    ("tips.md", "tips/README.md"): "tips/README.md:1:1: error: /tips/ is the address of content/tips.md too",
    ("README.md", "index.md"): "index.md:1:1: error: / is the address of content/README.md too",
    ("a/README.md", "a/index.md"): "a/index.md:1:1: error: /a/ is the address of content/a/README.md too",
    ("base/1/sequence.md",): "sequence.md:1:1: error: /base/1/sequence/ is the address of a page that the",
    ("base/1/1-movement/index.md",): "index.md:1:1: error: /base/1/1-movement/ is the address of a page",
    ("base/1.md",): "base/1.md:1:1: error: /base/1/ is the address of a page that the site makes",
    ("base/1/README.md",): "README.md:1:1: error: /base/1/ is the address of a page that the site makes",
    (
        "base/1/tables/combat.csv",
    ): "combat.csv:1:1: error: /base/1/tables/combat.csv is the address of a file",
    ("base/1/aids/player-aid.pdf",): "the address of a file that the site makes; give it another name",
    ("base/look.css",): "/base/look.css is the address of a file that the site makes",
    ("base/1/all",): "/base/1/all cannot be there beside /base/1/all/: one is a file where the other needs",
    ("base/1/find.js/x.png",): "/base/1/find.js/x.png cannot be there beside /base/1/find.js: one is a file",
    ("tips.md", "tips"): "content/tips:1:1: error: /tips cannot be there beside /tips/: one is a file where",
}
ALONE = (
    ("tips.md", "tips/more.md", "tips/map.png"),
    ("tips/README.md", "tricks/index.md"),
    ("index.md", "base/index.md"),
    ("robots.txt", "base/1/robots.txt"),
    ("base/1/aids/player-aid-2.png", "base/1/notes.md"),
)


@pytest.mark.parametrize("names", TWICE)
def test_two_files_of_one_address_are_told(names: tuple[str, ...], base: Path) -> None:
    (said,) = told(base, names)
    assert TWICE[names] in said
    assert said.endswith("[address-twice]")


@pytest.mark.parametrize("names", ALONE)
def test_what_has_an_address_of_its_own_is_not(names: tuple[str, ...], base: Path) -> None:
    assert not told(base, names)


@pytest.mark.parametrize(
    "address",
    [
        "/robots.txt",
        "/robots.txt/",
        "/_headers",
        "/base/1/find.js",
        "/search/find.js/",
        "/base/1/numbers.js",
        "/base/look.css/",
        "/assets/find.js",
        "/sw.js/",
    ],
)
def test_no_old_address_can_be_that_of_a_file_of_the_site(address: str, base: Path) -> None:
    listed = f'redirects:\n  - {{from: {address}, to: "1.1"}}\n'
    (base / "content/base/1/redirects.yml").write_text(listed)
    (said,) = told(base, ())
    assert said.startswith(f"content/base/1/redirects.yml:2:12: error: no redirect is possible at {address}:")
