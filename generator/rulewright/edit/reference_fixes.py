"""Rewrite references whose rule has moved by the numbers of today, for `check --fix`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.citations.reference_resolver import ResolvedReference
from rulewright.compare.reference_inventory import (
    Home,
    ReferencingText,
    iter_referencing_texts,
    lock_folder_of,
    references_in_text,
    source_of,
)
from rulewright.compare.reference_lock import Key
from rulewright.compare.stale_references import MOVED, RENAMED, StaleReference
from rulewright.edit.change_proposal import new_problems
from rulewright.edit.lock_updates import Kept, changed_lock_files, locks_after, names_since
from rulewright.edit.reference_rewriting import ReferenceRewriter, rename_key_number
from rulewright.edit.renumber_plan import NumberWriter, RenumberPlan
from rulewright.model.problem_reports import plural
from rulewright.numbers.numbering_scheme import RuleNumber
from rulewright.numbers.reference_cues import CueStrength
from rulewright.numbers.reference_finder import FoundReference
from rulewright.source.content_folder import ContentFolder, read_content_folder
from rulewright.source.errors import raise_on_errors
from rulewright.source.located_text import LocatedText, TextKey
from rulewright.source.memoize import Cache
from rulewright.source.problems import Problem, ProblemType, SourceLocation
from rulewright.source.text_edits import FileEdits, apply_edits_to_bytes, escape_for_style
from rulewright.source.transaction import replace_files as write_all

UNSURE = "it would not be read as what it means; write it as a mark, [[…]]"

Spot = tuple[TextKey, int]
"""A reference by its text and where it begins there."""


@dataclass
class FixedReferences:
    """Files with references rewritten.

    `unfixed`: to be written by hand, and why; `problems`: the new ones; `skipped`: how many stale references
    an edition has that another one follows.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    done: Sequence[StaleReference] = ()
    unfixed: Sequence[tuple[StaleReference, str]] = ()
    problems: Sequence[Problem] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)

    def report_lines(self) -> Iterator[str]:
        for finding in sorted(self.done, key=lambda each: each.reference.place):
            yield _told(finding, "{} is {} now")
        for finding, why in sorted(self.unfixed, key=lambda each: each[0].reference.place):
            yield f"{_told(finding, '{} is not made {}')}: {why}"
        for address, count in sorted(self.skipped.items()):
            command = f"`rulewright check {address} --fix` fixes them"
            count_text = plural(count, "reference")
            yield f"{address}: {count_text} not fixed, since another edition follows it; {command}"


def _told(one: StaleReference, words: str) -> str:
    named = one.reference.number.key if one.reference.number else one.reference.number_as_written
    moved = one.current and one.current.edition is not one.reference.target_outline.edition
    book = f" of {one.current.edition.short}" if one.current and moved else ""
    return f"{one.reference.place}: {words.format(named, one.suggested_text + book)}"


def fix_project_references(project: Path, book: str = "") -> FixedReferences:
    """Write anew the references whose rule has moved, all or none. Raises Unsound and Busy."""
    cache: Cache = {}
    folder = read_content_folder(project)
    mended = fix_references(folder, load_and_check_folder(folder, cache=cache), cache, book)
    raise_on_errors(mended.problems, "nothing was fixed, since these problems would be new")
    write_all(project, mended.files, folder.texts)
    return mended


def fix_references(
    folder: ContentFolder,
    examined: CheckedProject,
    cache: Cache,
    book: str = "",
    at: SourceLocation | None = None,
) -> FixedReferences:
    """Rewrite the stale references of a book or at one place, or all.

    Suppressed ones stay, and so do those of an edition that another one follows unless `book` names it.
    """
    examined = examined.printed
    skipped = Counter[str]()
    superseded = {
        f"{address.partition('/')[0]}/{edition.edition_file.follows}"
        for address, edition in examined.library.editions.items()
    } - {book}

    def is_skipped(finding: StaleReference) -> bool:
        address = "/".join(finding.reference.place.file.split("/")[1:3])
        if at or address not in superseded:
            return False
        skipped[address] += 1
        return True

    excused = {(problem.place, problem.code) for problem, _ in examined.suppressed}

    def wanted_of(kind: ProblemType) -> list[StaleReference]:
        return [
            finding
            for finding in examined.drift.findings
            if finding.kind is kind
            and finding.suggested_text
            and (finding.reference.place, kind.code) not in excused
            if not at or finding.reference.place == at
            if f"{finding.reference.lock_folder}/".startswith(f"{book}/" if book else "")
            and not is_skipped(finding)
        ]

    named = FixedReferences()
    if misnamed := wanted_of(RENAMED):
        named = _named(folder, examined, cache, misnamed)
        folder = replace(folder, texts={**folder.texts, **named.files})
        examined = load_and_check_folder(folder, cache=cache).printed
    moved = wanted_of(MOVED)
    left: dict[Spot, str] = {}
    while wanted := [finding for finding in moved if _spot(finding) not in left]:
        made, after = _made(folder, examined, cache, wanted)
        spoiled = _spoiled(wanted, made.problems, after)
        if not spoiled:
            break
        left |= spoiled
    else:
        made = FixedReferences()
    rest = [(finding, left[_spot(finding)]) for finding in moved if _spot(finding) in left]
    return FixedReferences(
        {**named.files, **made.files},
        [*named.done, *made.done],
        [*named.unfixed, *made.unfixed, *rest],
        made.problems,
        skipped,
    )


def _named(
    folder: ContentFolder, examined: CheckedProject, cache: Cache, misnamed: Sequence[StaleReference]
) -> FixedReferences:
    """The files with these names written anew, and the locks with the names of today if none is left."""
    edits = FileEdits()
    for one in misnamed:
        text, start, end = one.reference.passage.text, one.reference.start, one.reference.end
        if isinstance(text, LocatedText):
            first, last = text.file_span(start, end)
            if "\n" in text.file.text[first:last]:  # only what differs, so that the lines stay
                edits.replace_in_scalar(text, start, end, one.suggested_text)
            else:
                edits.add(text.file.name, first, last, escape_for_style(one.suggested_text, text.style))
        else:
            edits.add(one.reference.passage.file, start, end, one.suggested_text)
    files = {name: apply_edits_to_bytes(folder.texts[name], edits.for_file(name)) for name in edits}
    unlocked = {name: data for name, data in folder.texts.items() if name not in examined.library.locks}
    written = load_and_check_folder(replace(folder, texts={**unlocked, **files}), cache=cache).printed
    locks = locks_after(examined, written, lambda home, key, every: key, lambda address, key: key, {})
    others = {
        finding.reference.lock_folder
        for finding in examined.drift.findings
        if finding.kind is RENAMED and finding not in misnamed
    }
    titles = {
        (finding.reference.lock_folder, finding.reference.number_as_written): finding.recorded.title
        for finding in misnamed
    }
    for home, lock in locks.items():
        if home not in others:
            lock.names = names_since(written.shelf, home, lock)
            lock.recorded_targets = {
                (source, titles.get((home, named), named)): [
                    each._replace(title=titles.get((each.address(home), each.title), each.title))
                    for each in every
                ]
                for (source, named), every in lock.recorded_targets.items()
            }
    files |= changed_lock_files(locks, examined)
    after = load_and_check_folder(replace(folder, texts={**folder.texts, **files}), cache=cache).printed
    if problems := new_problems(examined, after):
        return FixedReferences({}, (), [(finding, problems[0].message) for finding in misnamed])
    return FixedReferences(files, misnamed)


def _made(
    folder: ContentFolder, examined: CheckedProject, cache: Cache, wanted: Sequence[StaleReference]
) -> tuple[FixedReferences, CheckedProject]:
    """The files with these references written anew, and the content as read from them."""
    edits, done = FileEdits(), list[StaleReference]()
    keys: dict[Kept, Key] = {}
    for one in wanted:
        if one.reference.shows:
            assert one.current and one.number  # noqa: PT018  it was found as moved
            rename_key_number(one.reference, one.number, NumberWriter(one.current.edition.dialect), edits)
            was = "was " if one.reference.number_as_written.startswith("was ") else ""
            keys[one.reference.lock_folder, one.reference.key] = (
                one.reference.source,
                f"{was}{one.number.key}",
            )
            done.append(one)
    goals = {_spot(finding): finding for finding in wanted if not finding.reference.shows}

    def goal(passage: ReferencingText, one: ResolvedReference) -> tuple[Outline, RuleNumber] | None:
        finding = goals.get((passage.key, one.match.start))
        if finding and finding.current and finding.number:
            return examined.shelf.outlines[finding.current.edition.address], finding.number
        return reviser.target_after(passage, one)

    def number(passage: ReferencingText, one: ResolvedReference) -> RuleNumber | None:
        finding = goals.get((passage.key, one.match.start))
        return finding.number if finding else one.number

    shelf = examined.shelf
    reviser = ReferenceRewriter(RenumberPlan(next(iter(shelf.outlines.values())), {}), shelf, shelf, goal)
    for passage in _passages(examined, goals):
        made = reviser.rewrite_text(passage)
        if made and not made.unwritable:
            made.enter(edits)
            mine = [finding for spot, finding in goals.items() if spot[0] == passage.key]
            done += mine
            home = mine[0].reference.lock_folder
            source = source_of(passage, home)
            then = references_in_text(passage, partial(number, passage))
            for (_, old), (_, new) in zip(references_in_text(passage), then, strict=True):
                keys[home, (source, old)] = source, new
    files = {name: apply_edits_to_bytes(folder.texts[name], edits.for_file(name)) for name in edits}
    unlocked = {name: data for name, data in folder.texts.items() if name not in examined.library.locks}
    written = load_and_check_folder(replace(folder, texts={**unlocked, **files}), cache=cache).printed
    moved: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for one in done:
        if one.current:
            moved[one.current.edition.address][one.recorded.key] = one.current.key
    locks = locks_after(
        examined,
        written,
        lambda home, key, every: keys.get((home, key), key),
        lambda address, key: moved[address].get(key, key),
        {(finding.reference.lock_folder, finding.reference.key): finding for finding in done},
    )
    files |= changed_lock_files(locks, examined)
    after = load_and_check_folder(replace(folder, texts={**folder.texts, **files}), cache=cache).printed
    unsure = [(finding, UNSURE) for finding in wanted if finding not in done]
    return FixedReferences(files, done, unsure, new_problems(examined, after)), after


def _spoiled(
    wanted: Sequence[StaleReference], problems: Sequence[Problem], after: CheckedProject
) -> dict[Spot, str]:
    """The references that cannot be written anew without a fault in their rule, each with that fault."""
    wrong = {(problem.place, problem.code): problem.message for problem in problems}
    told: dict[tuple[Home, str], str] = {}
    for passage in iter_referencing_texts(after.shelf, after.manuscripts) if wrong else ():
        for reference in passage.resolved:
            at = passage.place(reference.match.start)
            if reference.fault and (message := wrong.get((at, reference.fault.code))):
                home = lock_folder_of(passage.file, after.shelf)
                told.setdefault((home, source_of(passage, home)), message)
    keys = {_spot(finding): (finding.reference.lock_folder, finding.reference.source) for finding in wanted}
    return {spot: told[key] for spot, key in keys.items() if key in told}


def _spot(one: StaleReference) -> Spot:
    return one.reference.passage.key, one.reference.start


def _passages(examined: CheckedProject, goals: Mapping[Spot, StaleReference]) -> Iterator[ReferencingText]:
    """The texts with references to be written anew, with those numbers that are none any more."""
    texts = {goal.reference.passage.key: goal.reference.passage for goal in goals.values()}
    for passage in iter_referencing_texts(examined.shelf, examined.manuscripts):
        if passage.key in texts:
            texts[passage.key] = passage
    for passage in texts.values():
        known = {reference.match.start for reference in passage.resolved}
        lost = [
            ResolvedReference(
                FoundReference(start, finding.reference.end, finding.reference.number, CueStrength.NONE),
                None,
                finding.reference.number,
            )
            for (text, start), finding in goals.items()
            if text == passage.key and start not in known
        ]
        resolved = sorted([*passage.resolved, *lost], key=lambda one: one.match.start)
        yield passage._replace(resolved=resolved)
