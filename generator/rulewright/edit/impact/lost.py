"""Addresses that lead nowhere now, or to something else, each with what keeps it alive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulewright.book.outline import Entry
from rulewright.book.remarks import Remark
from rulewright.book.sequence import StepEntry
from rulewright.book.sheet import Sheet
from rulewright.book.tables import TableEntry
from rulewright.citations import addresses
from rulewright.citations.glossary import TermEntry
from rulewright.citations.redirects import anchors_of
from rulewright.edit.impact.snapshot import Edits, Snapshot, Thing, place_of
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Place


@dataclass(frozen=True, slots=True)
class LostAddress:
    """An address that does not lead any more to what stood there.

    `name`: what stood there, `was` where its text stood, `inside`: the addresses that are lost along with it.
    `now`: what stands there today, if something does; `moved`: where that which stood there is today; `mend`:
    what an editor can do.
    """

    address: str
    name: str
    was: Place | None
    inside: tuple[str, ...] = ()
    now: str = ""
    moved: str = ""
    mend: str = ""


At = tuple[str, str]
"""A page and an anchor on it."""


def lost_addresses(before: Snapshot, after: Snapshot, edited: Edits) -> list[LostAddress]:
    """Find every address that is lost, pages first; one that lies in another is told with that."""
    found = [
        *_pages(before, after, edited.heirs),
        *_anchors(before, after, edited.heirs),
        *_headings(before, after),
    ]
    known = {one.address.replace("#", "") for one in found}
    there = set(after.downloads)
    # The files of a table go with the table, or with the page that it stood on.
    found += (
        LostAddress(name, name.rpartition("/")[2], None)
        for name in before.downloads
        if name not in there
        and not known.intersection((name.rpartition(".")[0], f"{name.rpartition('/')[0]}/"))
    )
    # Of what cannot be read at the moment nobody knows whether it is lost.
    return [
        one
        for one in found
        if not edited.hides(one.address) and not (one.was and one.was.file in after.faulty and not one.now)
    ]


def _pages(before: Snapshot, after: Snapshot, heirs: Mapping[object, object]) -> Iterator[LostAddress]:
    chapters = {
        addresses.chapter_path(chapter): chapter
        for outline in before.desk.shelf.outlines.values()
        for chapter in outline.chapters
    }
    for path, page in before.shown.items():
        if after.lives(path):
            continue
        inside = tuple(addresses.relative("", *at) for at in before.things if at[0] == path)
        heir = heirs.get(chapters.get(path))
        moved = mend = ""
        if isinstance(heir, Entry):
            moved = f"{addresses.of(heir)[0]}/"
            name = f"{CONTENT}/{heir.edition.address}/redirects.yml"
            mend = f'list it in {name}: {{from: "/{path}/", to: "{heir.shown}"}}'
        elif path in before.leaves:
            mend = f'list it in the redirects.yml of an edition: {{from: "/{path}/", to: ...}}'
        yield LostAddress(f"{path}/", page.title, page.place, inside, moved=moved, mend=mend)
    for path, old in before.moved.items():
        if not after.lives(path):
            name = before.desk.name(old.to.source) if old.to.source else old.to.words or f"{old.to.page}/"
            mend = f"an address that was listed once stays listed in {CONTENT}/{old.edition}/redirects.yml"
            yield LostAddress(f"{path}/", name, None, tuple(old.anchors), mend=mend)


def _anchors(before: Snapshot, after: Snapshot, heirs: Mapping[object, object]) -> Iterator[LostAddress]:
    dead: dict[At, str] = {}
    for at, thing in before.things.items():
        if not after.lives(at[0]):
            continue
        now = after.things.get(at)
        if not after.lives(*at):
            dead[at] = ""
        elif now and type(thing) is type(now) and not isinstance(thing, TermEntry | Sheet | Remark):
            if heirs.get(thing) is not now:
                dead[at] = after.desk.name(now)
    inside: dict[At, list[str]] = {at: [] for at in dead}
    first: dict[tuple[Thing, str], At] = {}
    tops: list[At] = []
    for at in dead:
        # What a rule was called once may stand on two pages.
        same = first.setdefault((before.things[at], at[1]), at)
        top = same if at != same else _above(before, at, dead)
        if top:
            inside[top].append(addresses.relative("", *at))
        else:
            tops.append(at)
    for at in tops:
        thing, link = before.things[at], addresses.relative("", *at)
        heir = heirs.get(thing)
        moved = ""
        if isinstance(heir, Entry | StepEntry | TableEntry):
            moved = addresses.relative("", *addresses.of(heir))
        name, mend = before.desk.name(thing), _mend(thing, heir, at[1], dead[at])
        yield LostAddress(link, name, place_of(thing), tuple(inside[at]), dead[at], moved, mend)


def _headings(before: Snapshot, after: Snapshot) -> Iterator[LostAddress]:
    """The headings of Markdown pages that are still there."""
    for path, leaf in before.leaves.items():
        if after.lives(path) and before.folder.texts[leaf.name] != after.folder.texts.get(leaf.name):
            for anchor, words in anchors_of(before.folder.texts[leaf.name]).items():
                if words and not after.lives(path, anchor):
                    mend = f"let the new heading have the old anchor: {{: #{anchor} }}"
                    yield LostAddress(
                        addresses.relative("", path, anchor), words, Place(leaf.name), mend=mend
                    )


def _above(before: Snapshot, at: At, dead: Mapping[At, str]) -> At | None:
    """The outermost thing around one that is lost too."""
    thing, found = before.things[at], None
    around = thing.parent if isinstance(thing, Entry | StepEntry) else None
    while around:
        place = addresses.of(around)
        found = place if place in dead and before.things[place] is around else found
        around = around.parent
    return found


def _mend(thing: Thing, heir: object, anchor: str, now: str) -> str:
    """Advice that makes an old address lead to what stood there."""
    if isinstance(thing, Entry):
        if isinstance(heir, Entry) and not now:
            return f'say formerly: ["{anchor}"] at {heir.shown}, as `rulewright renumber` does'
        if heir is None and not now:
            return "if players know it, keep its number and retire it (`rulewright retire`)"
        return "only one rule can have it; a new rule at the end of its row would leave the old ones alone"
    if isinstance(thing, StepEntry) and isinstance(heir, StepEntry):
        return f"give the step the id that it had: id: {anchor.rpartition('/')[2]}"
    if isinstance(thing, TableEntry) and isinstance(heir, TableEntry) and not heir.entry:
        return f"give the table the id that it had: id: {anchor}"
    return ""
