"""Addresses that lead nowhere now, or to something else, each with what keeps it alive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from generator import addresses
from generator.folder import CONTENT
from generator.glossary import TermEntry
from generator.impact.edited import Edits
from generator.impact.standing import Standing, Thing, place_of
from generator.lookup import TableEntry
from generator.outline import Entry
from generator.problems import Place
from generator.sequence import StepEntry
from generator.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Lost:
    """An address that does not lead any more to what stood there.

    `name`: what stood there, `was` where its text stood, `inside`: how many addresses are lost along with it.
    `now`: what stands there today, if something does; `moved`: where that which stood there is today; `mend`:
    what an editor can do.
    """

    address: str
    name: str
    was: Place | None
    inside: int = 0
    now: str = ""
    moved: str = ""
    mend: str = ""


def lost(before: Standing, after: Standing, edited: Edits) -> list[Lost]:
    """Every address that is lost, pages first. What is lost because of what it lies in is only counted."""
    found = [*_pages(before, after, edited.heirs), *_anchors(before, after, edited.heirs)]
    known = {one.address.replace("#", "") for one in found}
    # The files of a table go with the table, or with the page that it stood on.
    found += (
        Lost(name, name.rpartition("/")[2], None)
        for name in _downloads(before, after)
        if not known.intersection((name.rpartition(".")[0], f"{name.rpartition('/')[0]}/"))
    )
    # Of what cannot be read at the moment nobody knows whether it is lost.
    return [
        one
        for one in found
        if not edited.hides(one.address) and not (one.was and one.was.file in after.faulty and not one.now)
    ]


def _pages(before: Standing, after: Standing, heirs: Mapping[object, object]) -> Iterator[Lost]:
    chapters = {
        addresses.chapter_path(chapter): chapter
        for outline in before.desk.shelf.outlines.values()
        for chapter in outline.chapters
    }
    leaves = {path: (leaf.title, Place(leaf.name)) for path, leaf in before.leaves.items()}
    shown = {path: (page.title, page.place) for path, page in before.pages.items()}
    for path, (title, place) in {**shown, **leaves}.items():
        if after.lives(path):
            continue
        inside = sum(page == path for page, _ in before.things)
        heir = heirs.get(chapters.get(path))
        moved = mend = ""
        if isinstance(heir, Entry):
            moved = f"{addresses.of(heir)[0]}/"
            name = f"{CONTENT}/{heir.edition.address}/redirects.yml"
            mend = f'list it in {name}: {{from: "/{path}/", to: "{heir.key}"}}'
        elif path in leaves:
            mend = f'list it in the redirects.yml of an edition: {{from: "/{path}/", to: ...}}'
        yield Lost(f"{path}/", title, place, inside, moved=moved, mend=mend)


def _anchors(before: Standing, after: Standing, heirs: Mapping[object, object]) -> Iterator[Lost]:
    dead: dict[tuple[str, str], str] = {}
    for (page, anchor), thing in before.things.items():
        if not after.lives(page):
            continue
        if not after.lives(page, anchor):
            dead[page, anchor] = ""
        elif (now := after.things.get((page, anchor))) and _is_other(thing, now, heirs):
            dead[page, anchor] = after.desk.name(now)
    inside: dict[tuple[str, str], int] = {}
    for at in dead:
        if above := _above(before, at, dead):
            inside[above] = inside.get(above, 0) + 1
    for at, now_there in dead.items():
        if _above(before, at, dead):
            continue
        thing = before.things[at]
        heir = heirs.get(thing)
        moved = ""
        if isinstance(heir, Entry | StepEntry | TableEntry):
            page, anchor = addresses.of(heir)
            moved = addresses.relative("", page, anchor)
        address = addresses.relative("", *at)
        name, mend = before.desk.name(thing), _mend(thing, heir, at[1], now_there)
        yield Lost(address, name, place_of(thing), inside.get(at, 0), now_there, moved, mend)


def _is_other(thing: Thing, now: Thing, heirs: Mapping[object, object]) -> bool:
    """Whether what stands at an address is not what stood there."""
    same = type(thing) is type(now) and not isinstance(thing, TermEntry | Sheet)
    return same and heirs.get(thing) is not now


def _above(
    before: Standing, at: tuple[str, str], dead: Mapping[tuple[str, str], str]
) -> tuple[str, str] | None:
    """The outermost thing around one that is lost too."""
    thing, found = before.things[at], None
    if isinstance(thing, Entry | StepEntry):
        around = thing.parent
        while around:
            place = addresses.of(around)
            if place in dead and before.things[place] is around:
                found = place
            around = around.parent
    return found


def _mend(thing: Thing, heir: object, anchor: str, now: str) -> str:
    """What an editor can do so that an old address leads to what stood there."""
    if isinstance(thing, Entry):
        if isinstance(heir, Entry) and not now:
            return f'say formerly: ["{anchor}"] at {heir.key}, as `rulewright renumber` does'
        if heir is None and not now:
            return "if players know it, keep its number and retire it (`rulewright retire`)"
        return "only one rule can have it; a new rule at the end of its row would leave the old ones alone"
    if isinstance(thing, StepEntry) and isinstance(heir, StepEntry):
        return f"give the step the id that it had: id: {anchor.rpartition('/')[2]}"
    if isinstance(thing, TableEntry) and isinstance(heir, TableEntry) and not heir.entry:
        return f"give the table the id that it had: id: {anchor}"
    return ""


def _downloads(before: Standing, after: Standing) -> Iterator[str]:
    now = set(after.downloads)
    return (name for name in before.downloads if name not in now)
