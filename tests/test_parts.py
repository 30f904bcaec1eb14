"""The content in parts: whatever is edited, the parts that are left and those examined anew are the whole."""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.checks.checked import Checked, Contents
from rulewright.checks.content_check import check
from rulewright.checks.dead_links import dead_links
from rulewright.checks.examine import Examined, examine_folder
from rulewright.checks.parts import Parts
from rulewright.site import pages
from rulewright.site.context import Desk
from rulewright.site.exports.data import json
from rulewright.source import processes
from rulewright.source.folder import LOCK, Folder, kept_as
from rulewright.source.settings import SHORT_FORMS
from rulewright.source.store import Store
from tests.amount import TIMES

BOOK = Path(__file__).parent / "attack/book"
ATLAS = 'title: Atlas\nnumbers: "1.1a"\nchapters: ["1.0"]\nterms: {Ford: {means: "A crossing, see 2.2"}}\n'
FILES: Mapping[str, bytes] = {
    **{
        path.relative_to(BOOK).as_posix(): path.read_bytes()
        for path in sorted(BOOK.rglob("*.*"))
        if path.name != LOCK
    },
    **{
        name: text.encode()
        for name, text in {
            "content/index.md": "# All\n\nSee [[duel:1.1]] and [[atlas/1:2.2]]. [[away:a]]\n",
            "content/atlas/rulebook.yml": ATLAS,
            "content/atlas/1/edition.yml": "edition: '1'\ndate: 2001-01-01\n",
            "content/atlas/1/rules/1.yml": "chapter: '1.0'\ntitle: Woods\nrules:\n"
            "  - {number: '1.1', title: Paths, text: 'Slow; see 2.2 and [[raid:1.2]].'}\n"
            "  - {number: '1.2', title: Old, text: 'Gone.', retired: 'not printed again'}\n",
            "content/atlas/1/rules/2.yml": "chapter: '2.0'\ntitle: Rivers\nrules:\n"
            "  - {number: '2.1', text: 'See 1.1.'}\n"
            "  - {number: '2.2', title: Fords, text: 'See 2.1-2.2.'}\n",
            "content/atlas/1/errata.yml": "errata:\n"
            "  - {erratum: Paths, at: '1.1', date: 2002-01-01, replace: Slow, with: Fast}\n",
            "content/raid/rulebook.yml": 'title: Raid\nnumbers: "1.1"\nchapters: ["1.0"]\n',
            "content/raid/1/edition.yml": "edition: '1'\n",
            "content/raid/1/rules/1.yml": "chapter: '1.0'\nrules:\n  - {number: '1.1', text: 'See 1.2.'}\n"
            "  - {number: '1.2', title: Loot, text: 'As [[atlas:1.2]] and [[duel/2:1.1]] say.'}\n",
            "content/skirmish/rulebook.yml": "title: Skirmish\n",
            "content/skirmish/1/edition.yml": "edition: '1'\nextends: duel/2\nexcused:\n"
            "  - {code: reference-not-found, at: '9.9', because: it is a joke}\n",
            "content/skirmish/1/rules/1.yml": "chapter: '7.0'\nrules:\n"
            "  - {number: '7.1', text: 'See 9.9, 1.1.'}\n",
            "content/notes/about.md": "---\nbook: raid/1\n---\nSee 1.2.\n",
        }.items()
    },
}
MARKS = (
    "[[atlas:1.1]]", "[[atlas/1:2.2]]", "[[raid:1.2]]", "[[duel:1.1]]", "[[duel/1:1.1]]", "[[skirmish:7.1]]",
    "[[none:1.1]]", "[[atlas/9:1.1]]", "[[away:a]]", "[[1.1]]", "[[melee/1:1.1]]",
)  # fmt: skip
LINES = (
    "extends: atlas/1", "extends: duel/2", "extends: duel/9", "follows: '1'", "follows: '7'", "book: atlas/1",
    "date: 2020-01-01", "cues: [rule]", "  - {from: /raid/1/1, to: '1.1'}", "  - {from: /faq/, to: '1.1'}",
    "  - {code: reference-not-found, at: '9.9', because: so}", "stands: first", "  x: 1", "formerly: '1.2'",
)  # fmt: skip


def edited(files: dict[str, bytes], chance: random.Random) -> dict[str, bytes]:
    """The files after one edit: of a word, a number, a mark or a line, or of which files there are."""
    name = chance.choice(sorted(files))
    lines = files[name].decode("utf-8", "replace").splitlines(keepends=True) or ["\n"]
    at = chance.randrange(len(lines))
    match chance.randrange(12):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, f"{chance.choice(LINES)}\n")
        case 2:
            other = chance.choice(sorted(FILES))
            return {**files, name: FILES[other]}
        case 3:
            return {one: data for one, data in files.items() if one != name}
        case 4 | 5:
            other = chance.choice(sorted(FILES))
            return {**files, other: FILES[other]}
        case 6:
            book = chance.choice(("atlas", "raid", "melee", "Atlas", "new"))
            return {**files, re.sub("content/[^/]+/", f"content/{book}/", name): files[name]}
        case 7 | 8:
            lines[at] = re.sub(r"(?<=[\w'] )(?=\w)", f"{chance.choice(MARKS)} ", lines[at], count=1)
        case 9 | 10:
            number = f"{chance.randrange(1, 4)}.{chance.randrange(4)}"
            lines[at] = re.sub(r"\d\.\d", number, lines[at], count=chance.randrange(2))
        case _:
            words = re.findall(r"[a-z]{3,}", "".join(lines)) or ["see"]
            lines[at] = re.sub(r"[a-z]{3,}", chance.choice(words), lines[at], count=1)
    return {**files, name: "".join(lines).encode()}


def folder_of(files: Mapping[str, bytes]) -> Folder:
    sorts = {name: kept_as(name) for name in files}
    texts, sites = ({n: d for n, d in files.items() if sorts[n] == sort} for sort in ("text", "inventory"))
    return Folder(texts, [name for name in files if sorts[name] == "other"], (), sites)


def said(checked: Checked) -> tuple[object, ...]:
    excused = sorted((one, why.because) for one, why in checked.excused)
    return sorted(checked.problems), excused, dict(checked.counts), dict(checked.pages), checked.new


def outlines(examined: Examined, part: str) -> Iterator[str]:
    for address, outline in examined.shelf.outlines.items():
        if address.partition("/")[0] == part:
            yield json(outline, examined.shelf)


def walk(seed: int, steps: int, kept: Path) -> None:
    """Edit a library again and again, and hold what is left of it in the store against the whole."""
    chance, files, store = random.Random(seed), dict(FILES), Store(kept)
    if seed % 4 == 0:  # without what is wrong in it, so that others need no more than its face
        del files["content/duel/2/errata.yml"], files["content/duel/2/tables/winds.yml"]
    if seed % 2:  # a lock, which remembers what one book said of another
        files["content/raid/1/references.lock"] = b"rule 1.2\t[[atlas:1.2]]\tatlas/1:1.2\t0123456789ab\tOld\n"
    begun = dict(files)
    known: dict[tuple[str, str], list[str]] = {}
    for step in range(steps):
        folder = folder_of(files)
        divided, whole = Parts(Contents(folder), store), examine_folder(folder)
        linked = (*whole.problems, *dead_links(folder, [whole], whole.problems))
        at_once = said(replace(whole, problems=linked))
        assert said(divided.checked()) == said(check(folder, store)) == at_once, (seed, step)
        for part in divided.names:
            made = list(outlines(whole, part))
            assert known.setdefault((part, divided.key(part)), made) == made, (seed, step, part)
        part = chance.choice(divided.names)
        assert list(outlines(divided.examined([part]), part)) == list(outlines(whole, part)), (seed, step)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            files = edited(files, chance)
        if step % 10 == 9:
            files = dict(begun)


@pytest.mark.parametrize("seed", range(4))
def test_edits_reach_what_depends_on_them(seed: int, tmp_path: Path) -> None:
    walk(seed, 15, tmp_path)


def test_several_processes_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "WORTHWHILE", 0)
    walk(0, 3, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(100, 100 + 2 * TIMES))
def test_many_edits_reach_what_depends_on_them(seed: int, tmp_path: Path) -> None:
    walk(seed, 50, tmp_path)


@pytest.mark.parametrize("short", SHORT_FORMS)
def test_the_share_of_a_part_is_the_same_whatever_else_is_read(short: str) -> None:
    """A share is kept by what lies around its part; other books that were read with it leave no trace."""
    parts = Parts(Contents(Folder(FILES)), Store(None))
    every, narrower = parts.examined(parts.names), False
    for part in parts.names:
        alone = Parts(Contents(Folder(FILES)), Store(None))
        around = alone.examined(alone.around(part))
        narrower |= set(around.shelf.outlines) < set(every.shelf.outlines)
        wide, narrow = (
            pages.share(Desk(one.shelf), one.library, part, short=short) for one in (every, around)
        )
        told = [
            {name: repr(getattr(share, name)) for name in ("pages", "files", "branches", "short", "search")}
            for share in (wide, narrow)
        ]
        assert told[0] == told[1], part
    assert narrower
