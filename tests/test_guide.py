"""The guide to writing content is ours: the case files of another project are its own business."""

from pathlib import Path

from rulewright.render import guide
from tests.projects import ROOT


def test_only_our_own_case_files_are_published(tmp_path: Path) -> None:
    ours, branch = guide.guide_pages(ROOT)
    assert len(ours) > 20
    assert branch
    assert guide.is_rulewright_repository(ROOT)
    assert not guide.is_rulewright_repository(tmp_path)
    (tmp_path / "tests/cases/checks").mkdir(parents=True)
    (tmp_path / "tests/cases/checks/secret.md").write_text("# Secret\n")
    assert guide.guide_pages(tmp_path) == ((), None)
    assert guide.guide_pages(tmp_path / "nowhere") == ((), None)
