"""Editions that lie apart: what pages say of made-up editions, held to what was done to each rule."""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from posixpath import normpath
from typing import NamedTuple

import pytest

from rulewright.checks.examine import examine_folder
from rulewright.compare import history
from rulewright.compare.edition_changes import tallied
from rulewright.compare.history import Counterparts
from rulewright.site import pages
from rulewright.site.context import Desk
from rulewright.source.folder import Folder
from tests.revisions import Editor, Maker, Node, Revision, files_of, numbers_of

SEEDS = range(3)
EDITIONS = 4
ROW = re.compile(r'<tr><td><a href="[^"]*">([^<]*)</a></td><td><a href="[^"]*">([^<]*)</a></td>')
RULE = re.compile(r'class="rule[^>]*\bid="([^"]*)"')
LINE = re.compile(r'<details class="cited before"><summary>([^<]*)</summary>')
BLOCK = re.compile(rf"</(?:section|div)>|<(?:section|div)\b[^>]*>|{LINE.pattern}")


class Line(NamedTuple):
    """Editions of a book, each the one before edited at random. `pages`: their HTML by address."""

    revisions: list[Revision]
    pages: dict[str, str]
    desk: Desk


@cache
def line(seed: int) -> Line:
    maker = Maker(seed)
    revisions = [Editor(maker, maker.book(5, 5, 6)).revise(2)]
    while len(revisions) < EDITIONS - 1:
        revisions.append(Editor(maker, revisions[-1].new).revise(2))
    files = {"content/b/rulebook.yml": b'title: B\nnumbers: "1.1a"\nchapters: "1.0"\n'}
    files |= files_of(revisions[0].old, "1")
    for nth, revision in enumerate(revisions, 2):
        files |= files_of(revision.new, str(nth), str(nth - 1))
    examined = examine_folder(Folder(files))
    made, _, _ = pages.render(examined.shelf, examined.library)
    return Line(revisions, {page.path: page.html for page in made}, Desk(examined.shelf))


def became(revisions: list[Revision]) -> dict[Node, Node]:
    """Map each rule of the first edition that is in the last to what it is there."""
    found = dict(revisions[0].heirs)
    for revision in revisions[1:]:
        found = {old: revision.heirs[now] for old, now in found.items() if now in revision.heirs}
    there = numbers_of(revisions[-1].new)
    return {old: now for old, now in found.items() if now in there}


def address(old: int, new: int) -> str:
    """The page that says what changed from one edition to another."""
    return f"b/{new}/changes" + ("" if old == new - 1 else f"/{old}")


PAIRS = [(old, new) for new in range(2, EDITIONS + 1) for old in range(1, new)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_numbers_then_and_now_are_those_that_rules_were_given(seed: int, old: int, new: int) -> None:
    """Of any two editions, and each page leads to every other comparison of the book."""
    made = line(seed)
    between = made.revisions[old - 1 : new - 1]
    then, now = numbers_of(between[0].old), numbers_of(between[-1].new)
    wanted = {(then[a], now[b]) for a, b in became(between).items() if then[a] != now[b]}
    html = made.pages[address(old, new)]
    told = set(ROW.findall(html))
    assert len(told & wanted) >= 0.98 * max(len(told), len(wanted)) > 20
    links = {normpath(f"{address(old, new)}/{link}") for link in re.findall(r'href="([^"#]*)"', html)}
    assert {address(*pair) for pair in PAIRS if pair != (old, new)} <= links


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_counts_at_a_glance_are_those_of_what_was_done(seed: int, old: int, new: int) -> None:
    """Every rule of both editions is counted under what became of it."""
    made = line(seed)
    outlines = made.desk.shelf.outlines
    found = made.desk.counterparts.compared(outlines[f"b/{new}"])[outlines[f"b/{new}"]]
    difference = next(one for one in found if one.old is outlines[f"b/{old}"])
    tally = tallied(difference.rules)
    between = made.revisions[old - 1 : new - 1]
    heirs = became(between)
    then, now = numbers_of(between[0].old), numbers_of(between[-1].new)
    gone = len(then) - len(heirs)
    come = len(now) - len(heirs)
    told_gone = len(tally.get("gone", ())) + len(tally.get("now in another", ()))
    told_come = len(tally.get("new", ())) + len(tally.get("split off another", ()))
    assert abs(told_gone - gone) <= 1 + 0.02 * len(then)
    assert abs(told_come - come) <= 1 + 0.02 * len(now)
    assert {c.new for c in difference.rules if c.new} == set(outlines[f"b/{new}"].in_order)
    html = unescape(re.sub(r"<[^>]+>", "", made.pages[difference.path]))
    for kind, found in tally.items():
        if kind in ("new", "gone", "reworded", "retitled"):
            word = "rule" if len(found) == 1 else "rules"
            said = f"{len(found)} new {word}" if kind == "new" else f"{len(found)} {word} {kind}"
            assert said in html


@pytest.mark.parametrize("seed", SEEDS)
def test_the_line_behind_a_rule_tells_all_that_was_done_to_it(seed: int) -> None:
    """Since when it is there, and when it was given other words, another title or another place."""
    made = line(seed)
    lines = {
        rule: told
        for path, html in made.pages.items()
        if re.fullmatch(rf"b/{EDITIONS}/\d[^/]*", path)
        for rule, told in _lines(html)
    }
    numbers = [numbers_of(made.revisions[0].old), *(numbers_of(one.new) for one in made.revisions)]
    wrong = []
    for node, number in numbers[-1].items():
        wanted, at = [], node
        for nth in range(EDITIONS, 1, -1):
            revision = made.revisions[nth - 2]
            was = next((old for old, new in revision.heirs.items() if new is at), None)
            done = revision.done.get(at, set())
            if "split" in done and was is None:
                wanted = None  # its story goes on with the rule that it was split off
                break
            if was is None:
                wanted.append(f"New in {nth}")
                break
            wanted += [f"{one} in {nth}" for one in ("reworded", "retitled") if one in done]
            if numbers[nth - 2][was] != numbers[nth - 1][at]:
                wanted.append(f"moved from {numbers[nth - 2][was]}")
            at = was
        told = lines.get(number, "")
        if wanted is not None and not all(_says(told, one) for one in wanted):
            wrong.append((number, told, wanted))
    assert len(lines) > 50
    assert len(wrong) <= 0.03 * len(numbers[-1]), wrong


def _lines(html: str) -> Iterator[tuple[str, str]]:
    """The lines that tell the history of the rules of a page, each with its rule."""
    around: list[str] = []
    for block in BLOCK.finditer(html):
        if block[0].startswith("</"):
            around.pop()
        elif block[1] is None:
            rule = RULE.search(block[0])
            around.append(rule[1] if rule else around[-1] if around else "")
        else:
            yield around[-1], unescape(block[1])


def _says(told: str, wanted: str) -> bool:
    """Whether a line tells one thing, among others of the same edition."""
    kind, _, edition = wanted.partition(" in ")
    if wanted.startswith(("New in", "moved from")):
        return wanted in told
    return any(kind in part and part.endswith(f"in {edition}") for part in told.split(", "))


@pytest.mark.parametrize("most", [0, 200, 1_000])
def test_as_many_editions_are_compared_as_the_bound_allows(most, monkeypatch):
    """The edition that one follows is always among them, and the newest has the most."""
    monkeypatch.setattr(history, "MOST_COMPARED", most)
    shelf = line(0).desk.shelf
    compared = Counterparts(shelf, ()).compared(shelf.outlines["b/1"])
    rows = {
        one.edition.address: [two.old.edition.address for two in found] for one, found in compared.items()
    }
    assert all(f"b/{nth - 1}" in rows[f"b/{nth}"] for nth in range(2, EDITIONS + 1))
    assert [*map(len, rows.values())] == {0: [1, 1, 1, 0], 200: [2, 1, 1, 0], 1_000: [3, 2, 1, 0]}[most]
