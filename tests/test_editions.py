"""Many editions of a book: which is the newest, what is what in them, and the ways from page to page."""

import html
import re
from collections.abc import Iterable
from functools import cache
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from rulewright.book.library import BookLibrary
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.history import Counterparts
from rulewright.files.content_reader import ContentFolder
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render import pages
from rulewright.render.build_artifacts import EditionVersion, force_files
from rulewright.render.render_context import RenderContext
from tests.casefiles import Case, cases
from tests.own_library import rendered
from tests.revisions import Editor, Maker, files_of, numbers_of

CASES = [case for case in cases("pages") if case.file.endswith("7-editions.md")]


def _examined(case: Case) -> CheckedProject:
    files = {info.split()[1]: text.encode() for info, text in case.blocks if " content/" in info}
    return load_and_check_folder(ContentFolder(files))


@cache
def _rendered(case_name: str) -> tuple[dict[str, tuple[EditionVersion, ...]], dict[str, str]]:
    case = next(one for one in CASES if str(one) == case_name)
    examined = _examined(case)
    site = pages.render_site(RenderContext(examined.index), examined.library)
    site_pages, files = site.pages, force_files(site.files)
    paths = [*(page.path for page in site_pages), *map(site_paths.content_page_path, examined.library.pages)]
    versions = {path: found for path in paths if (found := site.versions(path))}
    return versions, {name: str(data) for name, data in files.items()}


def _lines(versions: Iterable[EditionVersion]) -> str:
    """The editions that a page leads to, a line each."""
    lines = []
    for one in versions:
        there = (one.href, "" if one.is_same else "not the same", one.moves)
        words = "here" if one.is_here else " ".join(filter(None, there))
        lines.append(f"{one.name} {one.standing}: {words}")
    return "\n".join(lines)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_page_leads_to_the_other_editions(case):
    versions, files = _rendered(str(case))
    for info, text in case.blocks:
        what, _, path = info.partition(" ")
        if what == "versions":
            case.agrees(_lines(versions.get(path, ())), re.sub(" +", " ", text))
        elif what == "redirects":
            for line in text.splitlines():
                number, _, wanted = line.partition(": ")
                page = files[f"{path}/index.html"]
                listed = re.search(f'<li id="{re.escape(number)}"><a href="([^"]+)"', page)
                href = (
                    listed[1]
                    if listed
                    else re.findall('id="rw-moved" href="([^"]+)"', page)[0] + f"#{number}"
                )
                case.agrees(f"{path}/{unquote(href)}", wanted)


def test_what_is_several_editions_away_is_found_through_those_between():
    """A rule that is reworded again and again, until no word is left, stays the same rule."""
    texts = [
        "red ships sail slowly past old stone harbour walls today",
        "grey barges drift gently past old stone harbour walls today",
        "grey barges drift gently under broad iron canal walls today",
        "grey barges drift gently under broad iron canal bridges tomorrow",
    ]
    files = {"content/h/rulebook.yml": b'title: H\nnumbers: "1.1"\nchapters: "1.0"\n'}
    for at, text in enumerate(texts, 1):
        follows = f'follows: "{at - 1}"\n' if at > 1 else ""
        files[f"content/h/{at}/edition.yml"] = f'edition: "{at}"\n{follows}'.encode()
        rule = f'"1.{at}": {text}'
        files[f"content/h/{at}/rules/1.yml"] = f'chapter: "1.0"\n{rule}\n'.encode()
    index = load_and_check_folder(ContentFolder(files)).index
    counterparts = Counterparts(index)
    first, last = index.outlines["h/1"], index.outlines["h/4"]
    assert counterparts.counterpart_of(first.entries["1.1"], last).match is last.entries["1.4"]
    assert counterparts.counterpart_of(last.entries["1.4"], first).match is first.entries["1.1"]


def _three(seed: int) -> tuple[ReferenceIndex, dict[str, str]]:
    """Three editions, each the one before edited at random, and what the first's rules are in the last."""
    maker = Maker(seed)
    first = Editor(maker, maker.book(6, 6, 6)).revise(3)
    second = Editor(maker, first.new).revise(3)
    files = {"content/b/rulebook.yml": b'title: B\nnumbers: "1.1a"\nchapters: "1.0"\n'}
    files |= files_of(first.old, "1") | files_of(first.new, "2", "1") | files_of(second.new, "3", "2")
    old, new = numbers_of(first.old), numbers_of(second.new)
    there = {a: second.heirs[b] for a, b in first.heirs.items() if b in second.heirs}
    heirs = {old[a]: new[b] for a, b in there.items() if a in old and b in new}
    return load_and_check_folder(ContentFolder(files)).index, heirs


@pytest.mark.parametrize("seed", range(4))
def test_rules_are_followed_through_editions_that_were_edited_at_random(seed):
    index, heirs = _three(seed)
    first, last = index.outlines["b/1"], index.outlines["b/3"]
    counterparts = Counterparts(index)
    right = sum(
        counterparts.counterpart_of(first.entries[a], last).match is last.entries[b] for a, b in heirs.items()
    )
    assert right >= 0.99 * len(heirs)
    assert len(heirs) > 80


@pytest.mark.parametrize("source", ["ours", "three"])
def test_every_way_leads_from_an_anchor_to_an_anchor(source):
    """What the script makes of `moves`: each is an anchor of the page, and leads to one that is there."""
    ours = source == "ours"
    site = rendered() if ours else pages.render_site(RenderContext(_three(9)[0]), BookLibrary())
    every, files = site.pages, force_files(site.files)
    ids = {page.path: set(re.findall(r'\bid="([^"]*)"', page.html)) for page in every}
    count = 0
    for page in every:
        for one in site.versions(page.path):
            if one.is_here:
                continue
            assert _followed(page.path, one.href)[0] == one.path in ids
            for move in one.moves.split():
                anchor, _, link = move.partition("=")
                is_there = link[:1] in ("", "#")  # on the page that the link to the edition leads to
                path, there = _followed(one.path if is_there else page.path, link or f"#{anchor}")
                assert unquote(anchor) in ids[page.path], (page.path, move)
                assert there in ids[path], (page.path, one.name, move)
                count += 1
    assert count > 300
    short = [name for name in files if name.startswith("r/")]
    for name in short:
        href = html.unescape(re.search('url=([^"]+)"', str(files[name]))[1])  # type: ignore[index]
        path, there = _followed(name.rpartition("/")[0], href)
        assert not there or there in ids[path], name


def _followed(start: str, href: str) -> tuple[str, str]:
    """Where a link leads, as the page and the anchor."""
    to = urlsplit(urljoin(f"https://site/{start}/", href))
    return unquote(to.path).strip("/"), unquote(to.fragment)


# Dates that lie ahead

BOTH = {
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: "1.0"\n',
    "content/duel/1/rules/9.yml": 'chapter: "9.0"\n"9.2 How": Roll two dice.\n',
    "content/duel/2/rules/9.yml": 'chapter: "9.0"\n"9.2 How": Roll five dice.\n',
}
DAY = "2026-06-01"


def as_of(day: str, *dates: str, **files: str) -> CheckedProject:
    """Two editions or more of a book, each of a date or of none, and other files of the first."""
    texts = {**BOTH, **{f"content/duel/1/{name}.yml": text for name, text in files.items()}}
    for number, date in enumerate(dates, 1):
        dated = f'date: "{date}"\n' if date else ""
        follows = f'follows: "{number - 1}"\n' if number > 1 else ""
        texts[f"content/duel/{number}/edition.yml"] = f'edition: "{number}"\n{dated}{follows}'
    return load_and_check_folder(
        ContentFolder({name: text.encode() for name, text in texts.items()}, today=day)
    )


@pytest.mark.parametrize(
    ("day", "dates", "newest", "standing"),
    [
        (DAY, ("2020-01-01", "2031-07-01"), "1", ["newest", "to come"]),
        ("2031-06-30", ("2020-01-01", "2031-07-01"), "1", ["newest", "to come"]),
        ("2031-07-01", ("2020-01-01", "2031-07-01"), "2", ["old", "newest"]),
        ("2031-07-02", ("2020-01-01", "2031-07-01"), "2", ["old", "newest"]),
        ("", ("2020-01-01", "2031-07-01"), "2", ["old", "newest"]),
        (DAY, ("2020-01-01", ""), "1", ["newest", "to come"]),
        (DAY, ("", "2031-07-01"), "1", ["newest", "to come"]),
        (DAY, ("", ""), "2", ["old", "newest"]),
        (DAY, ("2031-01-01", "2031-07-01"), "1", ["newest", "to come"]),
        (DAY, ("2020-01-01", "2025-01-01", "2031-07-01"), "2", ["old", "newest", "to come"]),
        (DAY, ("2020-01-01", "2031-07-01", ""), "1", ["newest", "to come", "to come"]),
        (DAY, (DAY, "2026-06-02"), "1", ["newest", "to come"]),
    ],
)
def test_an_edition_is_in_force_from_its_date_on(day, dates, newest, standing):
    examined = as_of(day, *dates)
    index = examined.index
    assert index.newest["duel"].address == f"duel/{newest}"
    counterparts = Counterparts(index)
    assert [counterparts.standing(one) for one in index.outlines.values()] == standing
    assert "9.2" not in site_paths.targets_beside_newest(index, "duel")
    early = [one.place.file for one in examined.problems if one.code == "not-yet-in-force"]
    ahead = [number for number, date in enumerate(dates, 1) if day and date > day]
    assert early == [f"content/duel/{number}/edition.yml" for number in ahead]
