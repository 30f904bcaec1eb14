"""What an edit touches: cases of it, and edits drawn at random whose effect is known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from generator.folder import Folder
from generator.impact.assessment import Assessment, assess
from generator.impact.sheets import Printing
from generator.impact.written import FORMATS
from tests.casefiles import Case, cases

CASES = cases("impact")


def folder_of(texts: Mapping[str, str]) -> Folder:
    """A content folder. The first line of each YAML file names a schema, which nobody has to look at here."""
    return Folder({name: text.encode() for name, text in texts.items()})


def assessed(before: Mapping[str, str], after: Mapping[str, str], project: Path) -> Assessment:
    def read(name: str) -> bytes:
        raise FileNotFoundError(name)

    quiet = Printing(project, lays_out=False)
    return assess((folder_of(before), read), (folder_of(after), read), quiet)


def before_and_after(case: Case) -> tuple[dict[str, str], dict[str, str]]:
    named = [info.partition(" ")[::2] for info, _ in case.blocks]
    rows = [(kind, name, text) for (kind, name), (_, text) in zip(named, case.blocks, strict=True)]
    before = {name: text for kind, name, text in rows if kind in ("yaml", "markdown")}
    gone = {name for kind, name, _ in rows if kind == "gone"}
    after = before | {name: text for kind, name, text in rows if kind == "becomes"}
    return before, {name: text for name, text in after.items() if name not in gone}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cases(case: Case, tmp_path: Path) -> None:
    before, after = before_and_after(case)
    found = assessed(before, after, tmp_path)
    case.agrees(FORMATS["text"](found, "base", ""), case.text("expect"))
