"""Books reused from the last build while serving equal newly built ones."""

from __future__ import annotations

import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from rulewright.app.build_pipeline import build
from rulewright.checks.check_outcome import CheckOutcome
from rulewright.checks.content_check import check_content
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import read_content_folder
from rulewright.files.disk_cache import DiskCache
from rulewright.references.site_paths import content_page_path
from rulewright.render.build_artifacts import Artifacts
from tests import edited_library
from tests.commands.duel import write
from tests.page_fixtures import page_contents


def same(ours: Artifacts, clean: Artifacts, after: object) -> None:
    """Hold an artifact after the other of a build against those of one from nothing."""
    for one in fields(Artifacts):
        # References of pages hold rules, which differ by identity.
        if one.name not in ("pages", "linked_pages", "search", "versions"):
            assert getattr(ours, one.name) == getattr(clean, one.name), (after, one.name)
    assert [ours.search[name]() for name in clean.search] == [find() for find in clean.search.values()], after
    assert page_contents(ours) == page_contents(clean), after
    first, second = (
        {
            name: (page.text, [link[:3] for link in page.references], site.versions(content_page_path(name)))
            for name, page in site.linked_pages.items()
        }
        for site in (ours, clean)
    )
    assert first == second, after


def summary(checked: CheckOutcome) -> tuple[object, ...]:
    excused = [(one, why.reason) for one, why in checked.suppressed]
    return (
        checked.problems,
        excused,
        checked.counts,
        checked.pages,
        checked.unrecorded_references,
        checked.faulty,
    )


def walk(seed: int, steps: int, folder: Path) -> None:
    """Edit a library again and again; the cache gives the same result as an empty one."""
    chance, files, store = random.Random(seed), dict(edited_library.FILES), DiskCache(folder / "store")
    if seed % 4 == 0:  # without what is wrong in it, which keeps books from being printed
        del files["content/duel/2/errata.yml"], files["content/duel/2/tables/winds.yml"]
    if seed % 2:  # a lock with the recorded targets of one book in another
        files["content/raid/1/references.lock"] = b"rule 1.2\t[[atlas:1.2]]\tatlas/1:1.2\t0123456789ab\tOld\n"
    begun, cache = dict(files), dict[str, Any]()
    project = folder / "project"
    for step in range(steps):
        write(project, files)
        content = read_content_folder(project)
        whole = summary(load_and_check_folder(content))
        assert summary(check_content(content, store)) == summary(check_content(content, store)) == whole, (
            seed,
            step,
        )
        same(build(project, cache), build(project), (seed, step))
        before = set(files)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            files = edited_library.edited(files, chance)
        if step % 10 == 9:
            files = dict(begun)
        for gone in before - set(files):
            (project / gone).unlink()


@pytest.mark.parametrize("seed", range(3))
def test_edits_reach_what_depends_on_them(seed, tmp_path):
    walk(seed, 8, tmp_path)
