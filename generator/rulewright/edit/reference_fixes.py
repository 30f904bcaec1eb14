"""Rewrite references whose rule has moved by the numbers of today, for `check --fix`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rulewright.book.outline import Outline
from rulewright.checks.examine import Examined, examine_folder
from rulewright.citations.resolving import Resolved
from rulewright.compare.drift import MOVED, RENAMED, Finding
from rulewright.compare.lock import Key
from rulewright.compare.passages import Home, Passage, home_of, named_in, passages, source_of
from rulewright.edit.locks import Kept, differing, locks_after, names_since
from rulewright.edit.moves import Moves, Speller
from rulewright.edit.proposal import new_problems
from rulewright.edit.reference_rewriting import Reviser, rename
from rulewright.numbers.dialect import Number
from rulewright.numbers.evidence import Cue
from rulewright.numbers.finder import Found
from rulewright.source.edits import Edits, changed, quoted
from rulewright.source.folder import Folder, gather
from rulewright.source.kept import Cache
from rulewright.source.problems import Kind, Place, Problem
from rulewright.source.refusal import refuse_errors
from rulewright.source.text import Text, TextKey
from rulewright.source.transaction import replace as write_all

UNSURE = "it would not be read as what it means; write it as a mark, [[…]]"

Spot = tuple[TextKey, int]
"""A reference by its text and where it begins there."""


@dataclass
class FixedReferences:
    """Files with references rewritten. `left`: to be written by hand, and why; `problems`: the new ones."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    done: Sequence[Finding] = ()
    left: Sequence[tuple[Finding, str]] = ()
    problems: Sequence[Problem] = ()

    def told(self) -> Iterator[str]:
        for one in sorted(self.done, key=lambda each: each.reference.place):
            yield _told(one, "{} is {} now")
        for one, why in sorted(self.left, key=lambda each: each[0].reference.place):
            yield f"{_told(one, '{} is not made {}')}: {why}"


def _told(one: Finding, words: str) -> str:
    named = one.reference.number.key if one.reference.number else one.reference.named
    moved = one.now and one.now.edition is not one.reference.into.edition
    book = f" of {one.now.edition.short}" if one.now and moved else ""
    return f"{one.reference.place}: {words.format(named, one.heir + book)}"


def mend_project(project: Path, book: str = "") -> FixedReferences:
    """Write anew the references whose rule has moved, all or none. Raises Unsound and Busy."""
    cache: Cache = {}
    folder = gather(project)
    mended = mend(folder, examine_folder(folder, cache=cache), cache, book)
    refuse_errors(mended.problems, "nothing was fixed, since these problems would be new")
    write_all(project, mended.files, folder.texts)
    return mended


def mend(
    folder: Folder, examined: Examined, cache: Cache, book: str = "", at: Place | None = None
) -> FixedReferences:
    """Write each reference, perhaps of one book or at one place only, as the rule it meant; none excused."""
    examined = examined.printed
    excused = {(problem.place, problem.code) for problem, _ in examined.excused}

    def wanted_of(kind: Kind) -> list[Finding]:
        return [
            one
            for one in examined.drift.findings
            if one.kind is kind and one.heir and (one.reference.place, kind.code) not in excused
            if not at or one.reference.place == at
            if f"{one.reference.home}/".startswith(f"{book}/" if book else "")
        ]

    named = FixedReferences()
    if misnamed := wanted_of(RENAMED):
        named = _named(folder, examined, cache, misnamed)
        folder = replace(folder, texts={**folder.texts, **named.files})
        examined = examine_folder(folder, cache=cache).printed
    moved = wanted_of(MOVED)
    left: dict[Spot, str] = {}
    while wanted := [one for one in moved if _spot(one) not in left]:
        made, after = _made(folder, examined, cache, wanted)
        spoiled = _spoiled(wanted, made.problems, after)
        if not spoiled:
            break
        left |= spoiled
    else:
        made = FixedReferences()
    rest = [(one, left[_spot(one)]) for one in moved if _spot(one) in left]
    return FixedReferences(
        {**named.files, **made.files},
        [*named.done, *made.done],
        [*named.left, *made.left, *rest],
        made.problems,
    )


def _named(folder: Folder, examined: Examined, cache: Cache, misnamed: Sequence[Finding]) -> FixedReferences:
    """The files with these names written anew, and the locks with the names of today if none is left."""
    edits = Edits()
    for one in misnamed:
        text, start, end = one.reference.passage.text, one.reference.start, one.reference.end
        if isinstance(text, Text):
            first, last = text.span_of(start, end)
            if "\n" in text.file.text[first:last]:  # only what differs, so that the lines stay
                edits.rewrite(text, start, end, one.heir)
            else:
                edits.add(text.file.name, first, last, quoted(one.heir, text.style))
        else:
            edits.add(one.reference.passage.file, start, end, one.heir)
    files = {name: changed(folder.texts[name], edits.of(name)) for name in edits}
    unlocked = {name: data for name, data in folder.texts.items() if name not in examined.library.locks}
    written = examine_folder(replace(folder, texts={**unlocked, **files}), cache=cache).printed
    locks = locks_after(examined, written, lambda home, key, every: key, lambda address, key: key, {})
    others = {
        one.reference.home for one in examined.drift.findings if one.kind is RENAMED and one not in misnamed
    }
    titles = {(one.reference.home, one.reference.named): one.was.title for one in misnamed}
    for home, lock in locks.items():
        if home not in others:
            lock.names = names_since(written.shelf, home, lock)
            lock.meant = {
                (source, titles.get((home, named), named)): [
                    each._replace(title=titles.get((each.address(home), each.title), each.title))
                    for each in every
                ]
                for (source, named), every in lock.meant.items()
            }
    files |= differing(locks, examined)
    after = examine_folder(replace(folder, texts={**folder.texts, **files}), cache=cache).printed
    if problems := new_problems(examined, after):
        return FixedReferences({}, (), [(one, problems[0].message) for one in misnamed])
    return FixedReferences(files, misnamed)


def _made(
    folder: Folder, examined: Examined, cache: Cache, wanted: Sequence[Finding]
) -> tuple[FixedReferences, Examined]:
    """The files with these references written anew, and the content as read from them."""
    edits, done = Edits(), list[Finding]()
    keys: dict[Kept, Key] = {}
    for one in wanted:
        if one.reference.shows:
            assert one.now and one.number  # noqa: PT018  it was found as moved
            rename(one.reference, one.number, Speller(one.now.edition.dialect), edits)
            was = "was " if one.reference.named.startswith("was ") else ""
            keys[one.reference.home, one.reference.key] = one.reference.source, f"{was}{one.number.key}"
            done.append(one)
    goals = {_spot(one): one for one in wanted if not one.reference.shows}

    def goal(passage: Passage, one: Resolved) -> tuple[Outline, Number] | None:
        finding = goals.get((passage.key, one.found.start))
        if finding and finding.now and finding.number:
            return examined.shelf.outlines[finding.now.edition.address], finding.number
        return reviser.moved(passage, one)

    def number(passage: Passage, one: Resolved) -> Number | None:
        finding = goals.get((passage.key, one.found.start))
        return finding.number if finding else one.number

    shelf = examined.shelf
    reviser = Reviser(Moves(next(iter(shelf.outlines.values())), {}), shelf, shelf, goal)
    for passage in _passages(examined, goals):
        made = reviser.revise(passage)
        if made and not made.unsure:
            made.enter(edits)
            mine = [one for spot, one in goals.items() if spot[0] == passage.key]
            done += mine
            home = mine[0].reference.home
            source = source_of(passage, home)
            then = named_in(passage, partial(number, passage))
            for (_, old), (_, new) in zip(named_in(passage), then, strict=True):
                keys[home, (source, old)] = source, new
    files = {name: changed(folder.texts[name], edits.of(name)) for name in edits}
    unlocked = {name: data for name, data in folder.texts.items() if name not in examined.library.locks}
    written = examine_folder(replace(folder, texts={**unlocked, **files}), cache=cache).printed
    moved: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for one in done:
        if one.now:
            moved[one.now.edition.address][one.was.key] = one.now.key
    locks = locks_after(
        examined,
        written,
        lambda home, key, every: keys.get((home, key), key),
        lambda address, key: moved[address].get(key, key),
        {(one.reference.home, one.reference.key): one for one in done},
    )
    files |= differing(locks, examined)
    after = examine_folder(replace(folder, texts={**folder.texts, **files}), cache=cache).printed
    unsure = [(one, UNSURE) for one in wanted if one not in done]
    return FixedReferences(files, done, unsure, new_problems(examined, after)), after


def _spoiled(wanted: Sequence[Finding], problems: Sequence[Problem], after: Examined) -> dict[Spot, str]:
    """The references that cannot be written anew without a fault in their rule, each with that fault."""
    wrong = {(problem.place, problem.code): problem.message for problem in problems}
    told: dict[tuple[Home, str], str] = {}
    for passage in passages(after.shelf, after.manuscripts) if wrong else ():
        for one in passage.resolved:
            at = passage.place(one.found.start)
            if one.fault and (message := wrong.get((at, one.fault.code))):
                home = home_of(passage.file, after.shelf)
                told.setdefault((home, source_of(passage, home)), message)
    keys = {_spot(one): (one.reference.home, one.reference.source) for one in wanted}
    return {spot: told[key] for spot, key in keys.items() if key in told}


def _spot(one: Finding) -> Spot:
    return one.reference.passage.key, one.reference.start


def _passages(examined: Examined, goals: Mapping[Spot, Finding]) -> Iterator[Passage]:
    """The texts with references to be written anew, with those numbers that are none any more."""
    texts = {one.reference.passage.key: one.reference.passage for one in goals.values()}
    for passage in passages(examined.shelf, examined.manuscripts):
        if passage.key in texts:
            texts[passage.key] = passage
    for passage in texts.values():
        known = {one.found.start for one in passage.resolved}
        lost = [
            Resolved(
                Found(start, one.reference.end, one.reference.number, Cue.NONE), None, one.reference.number
            )
            for (text, start), one in goals.items()
            if text == passage.key and start not in known
        ]
        resolved = sorted([*passage.resolved, *lost], key=lambda one: one.found.start)
        yield passage._replace(resolved=resolved)
