"""What an edit touches: cases of it, and edits drawn at random whose effect is known."""

import random
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from rulewright.checks.load_and_check import CheckedProject
from rulewright.edit.impact_report import FORMATS, ImpactReport, analyse_impact
from rulewright.files.content_reader import ContentFolder
from rulewright.render import pages
from rulewright.render.render_context import RenderContext
from tests.casefiles import Case, cases
from tests.revisions import Editor, Maker, Revision, files_of, numbers_of

ROOT = Path(__file__).parent.parent
CASES = cases("impact")


def folder_of(texts: Mapping[str, str]) -> ContentFolder:
    """A content folder of these texts."""
    return ContentFolder({name: text.encode() for name, text in texts.items()})


def assessed(before: Mapping[str, str], after: Mapping[str, str]) -> ImpactReport:
    return analyse_impact(folder_of(before), folder_of(after))


def html_of(checked: CheckedProject) -> dict[str, str]:
    """The pages of a site by path."""
    return {
        page.path: page.html
        for page in pages.render_site(RenderContext(checked.index), checked.library).pages
    }


def before_and_after(case: Case) -> tuple[dict[str, str], dict[str, str]]:
    named = [info.partition(" ")[::2] for info, _ in case.blocks]
    rows = [(kind, name, text) for (kind, name), (_, text) in zip(named, case.blocks, strict=True)]
    before = {name: text for kind, name, text in rows if kind in ("yaml", "markdown")}
    gone = {name for kind, name, _ in rows if kind == "gone"}
    after = before | {name: text for kind, name, text in rows if kind == "becomes"}
    return before, {name: text for name, text in after.items() if name not in gone}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cases(case):
    before, after = before_and_after(case)
    found = assessed(before, after)
    case.agrees(FORMATS["text"](found, "base"), case.text("expect"))


# Books drawn at random, edited at random: what has become of every rule is known.


@cache
def revised(seed: int) -> tuple[Revision, ImpactReport]:
    maker = Maker(seed)
    revision = Editor(maker, maker.book(6, 6, 6)).revise(6)
    shared = {"content/b/rulebook.yml": 'title: B\nnumbers: "1.1a"\nchapters: "1.0"\n'}
    edition = {"content/b/1/edition.yml": 'edition: "1"\ndate: 2020-01-01\n'}
    before, after = (
        shared | {name: data.decode() for name, data in files_of(book, "1").items()} | edition
        for book in (revision.old, revision.new)
    )
    return revision, assessed(before, after)


@pytest.mark.parametrize("seed", range(3))
def test_every_url_with_another_target_is_reported(seed):
    """Against the pages themselves: which rule was at each anchor, and which is there now."""
    revision, found = revised(seed)
    was = {number: node for node, number in numbers_of(revision.old).items()}
    now = {number: node for node, number in numbers_of(revision.new).items()}
    lost = set()
    after = html_of(found.after)
    for path, page in html_of(found.before).items():
        if path.endswith("/all"):
            continue  # every chapter once more
        there = after.get(path)
        for number in re.findall(r'\bid="(\d[^"]*)"', page):
            if (
                there is None
                or f'id="{number}"' not in there
                or revision.heirs.get(was[number]) is not now[number]
            ):
                lost.add(f"{path}/#{number}")
    reported = {inner for one in found.lost for inner in (one.address, *one.inside) if "#" in inner}
    assert len(lost) > 50
    assert len(reported ^ lost) <= len(lost) / 100, sorted(reported ^ lost)


@pytest.mark.parametrize("seed", range(12))
def test_any_damage_of_the_files_is_reported(seed):
    """Files cut off anywhere, swapped, emptied and lost, before and after."""
    chance = random.Random(seed)
    sixth = ROOT / "tests/sixth"
    texts = {
        path.relative_to(sixth).as_posix(): path.read_text("utf-8")
        for path in sorted(sixth.rglob("*"))
        if path.is_file()
    }

    def damaged() -> dict[str, str]:
        edited = dict(texts)
        for name in chance.sample(sorted(edited), 3):
            how = chance.randrange(4)
            if how == 0:
                edited[name] = edited[name][: chance.randrange(len(edited[name]))]
            elif how == 1:
                edited[name] = edited[chance.choice(sorted(edited))]
            elif how == 2:
                del edited[name]
            else:
                edited[name] = ""
        return edited

    for before, after in ((texts, damaged()), (damaged(), texts), (damaged(), damaged())):
        found = assessed(before, after)
        for form in FORMATS.values():
            assert form(found, "base")
        assert found.files or FORMATS["text"](found, "base").startswith("Nothing in")
