"""Anchors of the headings of ordinary pages: made from their words in every script."""

from pathlib import Path

import pytest

from rulewright.app.mkdocs_runner import build_site
from rulewright.checks.content_check import check_content
from rulewright.files.anchors import heading_anchor
from rulewright.files.content_reader import read_content_folder
from rulewright.files.disk_cache import project_cache
from rulewright.references.redirect_targets import anchors_of
from tests.projects import new_project

ANCHORS = {
    "移动": "移动",
    "战斗 2": "战斗-2",
    "移動フェイズ": "移動フェイズ",
    "Ход войск": "ход-войск",
    "Κίνηση μονάδων": "κίνηση-μονάδων",
    "الحركة": "الحركة",
    "युद्ध क्षेत्र": "युद्ध-क्षेत्र",
    "การเคลื่อนที่": "การเคลื่อนที่",
    "Straße 移动": "straße-移动",
    "🎲 Dice": "dice",
    "🎲": "game-die",
    "❤️": "heavy-black-heart",
    "2": "heading-2",
    "1.2": "heading-1-2",
    "— 3 —": "heading-3",
    "1944–45": "heading-1944-45",
    "½": "heading-1-2",
    "١": "heading-1",
    # As before.
    "Übergang": "ubergang",
    "A & B": "a-b",
    "12.5 Fuel": "125-fuel",
    "a_b": "a_b",
    "": "",
}


@pytest.mark.parametrize("words", ANCHORS)
def test_a_heading_keeps_its_words(words: str) -> None:
    assert heading_anchor(words) == ANCHORS[words]


@pytest.mark.parametrize("words", ["2", "1.2", "³", "12 · 3", "(4)", "#5", "007", "-1", "٣"])
def test_a_number_is_never_an_anchor_by_itself(words: str) -> None:
    assert not heading_anchor(words).replace("-", "").isdigit()


def test_another_heading_above_changes_no_anchor() -> None:
    words = [one for one in ANCHORS if one]
    page = "".join(f"## {one}\n\n" for one in words).encode()
    assert anchors_of("## 规则\n\n".encode() + page).items() >= anchors_of(page).items()


def test_two_headings_of_one_name_have_two_anchors() -> None:
    assert [*anchors_of("# 移动\n\n## 移动\n\n## B\n\n## B\n".encode())] == ["移动", "移动_1", "b", "b_1"]


def test_links_to_such_headings_are_right_in_the_check_and_on_the_site(tmp_path: Path) -> None:
    folder = tmp_path / "base"
    new_project(folder)
    words = [one for one in ANCHORS if one and one != "½"]  # which has the anchor of 1.2
    headings = "".join(f"## {one}\n\n" for one in words)
    links = " ".join(f"[a](#{ANCHORS[one]})" for one in words)
    (folder / "content/base/1/words.md").write_text(f"# Words\n\n{headings}{links} [b](#移)\n")
    (said,) = check_content(read_content_folder(folder), project_cache("examined", folder), folder).problems
    assert "has no anchor 移; did you mean 移动?" in str(said)
    assert build_site(folder, prints=False).site
    html = (folder / "site/base/1/words/index.html").read_text()
    assert not [one for one in words if f'<h2 id="{ANCHORS[one]}"' not in html]


def test_a_site_may_have_anchors_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "base"
    new_project(folder)
    (folder / "mkdocs.yml").write_text(
        "site_name: B\nplugins: [rulewright]\nmarkdown_extensions: [{toc: {separator: _}}]\n"
    )
    (folder / "content/words.md").write_text("# Ход войск\n\n[a](#ход_войск)\n")
    assert not check_content(read_content_folder(folder), project_cache("examined", folder), folder).problems
    assert build_site(folder, prints=False).site
    assert '<h1 id="ход_войск"' in (folder / "site/words/index.html").read_text()
