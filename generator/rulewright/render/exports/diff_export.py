"""Differences between two editions as text, Markdown, HTML and JSON.

Text and Markdown are the same lines, each with its own signs for deleted and inserted words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from markdown import markdown

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import ChangeKind, ItemChange, WordDifference
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.exports.change_groups import by_chapter, by_phase, counts
from rulewright.render.exports.export_formats import MARKDOWN, TEXT, OutputFormat, StyledRun
from rulewright.render.exports.table_export import JsonObject
from rulewright.render.templating import environment
from rulewright.schema.aid import Aid
from rulewright.schema.problem_reports import plural, to_dict, to_json_text
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceStep

AROUND = 6
"""How many of the words that stayed are shown on each side of a change."""

MOST_LISTED = 40
"""Of how many rules that cannot be compared the numbers are listed."""

_SORTS: Mapping[type, str] = {RuleEntry: "rule", SequenceStep: "step"}

Thing = RuleEntry | SequenceStep | TableEntry | Aid | Edition | ErrataEntry


class DiffLine(NamedTuple):
    """A heading (`level` 1 to 4), or an item of a list so many levels deep (`level` 0 for a paragraph)."""

    runs: Sequence[StyledRun]
    level: int = 0
    is_heading: bool = False


def _written(
    template: str, medium: OutputFormat, difference: EditionDiff, index: ReferenceIndex, base: str = ""
) -> str:
    return write_lines(_lines(difference, index, base), template, medium)


def write_lines(lines: Iterable[DiffLine], template: str, medium: OutputFormat) -> str:
    """Write lines of a report in a format."""
    text = environment().get_template(f"exports/{template}").render(lines=lines, write=medium.write)
    return text.strip("\n") + "\n"


def diff_to_json(difference: EditionDiff, index: ReferenceIndex, base: str = "") -> str:
    """All that differs, as JSON. What is unchanged is counted and left out."""
    sorts = difference.changes_by_type
    made: JsonObject = {
        "old": difference.old.edition.address,
        "new": difference.new.edition.address,
        "counts": {name: counts(changes) for name, changes in sorts.items()},
        "unchanged": {name: sum(not c.kinds for c in changes) for name, changes in sorts.items()},
    }
    for name, changes in (
        *sorts.items(),
        *([("remarks", difference.errata_changes)] if difference.is_one else ()),
    ):
        made[name] = [change_object(change) for change in changes if change.kinds]
    made |= {
        "phases": [
            {
                "phase": plain_text(one.phase.path) if one.phase else None,
                "steps": [_key(change.present_item) for change in one.steps],
                "rules": [_key(change.present_item) for change in one.rules],
            }
            for one in by_phase(difference, index)
        ],
    }
    return to_json_text(made)


Format = Callable[[EditionDiff, ReferenceIndex, str], str]

FORMATS: Mapping[str, Format] = {
    "text": partial(_written, "changes.txt", TEXT),
    "json": diff_to_json,
    "html": lambda *given: markdown(FORMATS["markdown"](*given)) + "\n",
    "markdown": partial(_written, "changes.md", MARKDOWN),
}
"""The formats of a difference, by the name that `--format` takes. The HTML is to paste into any page."""


def change_object(change: ItemChange[Any]) -> JsonObject:
    """A change for programs: what it was and is, its kinds, and what differs in its words."""
    return {
        "old": _key(change.old) if change.old else None,
        "new": _key(change.new) if change.new else None,
        "title": _title(change.present_item),
        "kinds": [str(kind) for kind in change.kinds],
        "along": change.follows_parent,
        "others": [_key(one) for one in change.related],
        "parts": [
            {"name": p.name, "pieces": [to_dict(piece, "sign=change text") for piece in p.pieces]}
            for p in change.parts
        ],
    }


def _key(thing: Thing) -> str:
    if isinstance(thing, Aid | Edition):
        return str(thing.title)
    return thing.anchor if isinstance(thing, SequenceStep) else thing.key


def _title(thing: Thing) -> str | None:
    if isinstance(thing, ErrataEntry):
        return thing.name
    if isinstance(thing, SequenceStep):
        return plain_text(thing.path)
    title = thing.title if isinstance(thing, RuleEntry | Aid | Edition) else thing.table.title
    return plain_text(title) if title else None


def _lines(difference: EditionDiff, index: ReferenceIndex, base: str) -> Iterator[DiffLine]:
    old, new = difference.old.edition, difference.new.edition
    yield DiffLine([StyledRun(f"{old.title} → {new.edition_file.edition}")], 1, True)
    if not difference.reported_changes:
        yield DiffLine([StyledRun("Nothing has changed.")])
        return
    yield from _rules(difference, base)
    if phases := by_phase(difference, index):
        yield DiffLine([StyledRun("By phase of play")], 2, True)
        for phase in phases:
            if phase.phase:
                yield DiffLine([StyledRun(plain_text(phase.phase.path))], 3, True)
            yield from (line for change in phase.steps for line in _change(change, base))
            yield from (DiffLine([*_head(rule, base)], 1) for rule in phase.rules)
    others: dict[str, Sequence[ItemChange[Any]]] = {
        "Tables": difference.tables,
        "Player aids": difference.aids,
    }
    others |= {"Rulebook": difference.book, "Errata and questions": difference.errata_changes}
    for title, changes in others.items():
        lines = [line for change in changes for line in _change(change, base)]
        if lines:
            yield DiffLine([StyledRun(title)], 2, True)
            yield from lines


def _rules(difference: EditionDiff, base: str) -> Iterator[DiffLine]:
    """Rules by chapter. Those that only one edition is known to have are counted, not told one by one."""
    chapters = by_chapter(difference)
    if chapters or difference.one_sided_rules:
        yield DiffLine([StyledRun("Rules")], 2, True)
    for chapter, changes in chapters.items():
        yield DiffLine([StyledRun(item_name(chapter))], 3, True)
        yield from (line for change in changes for line in _change(change, base))
    for edition, other, only in difference.one_sided_rules:
        if edition is difference.old.edition:
            words = (
                f"{plural(len(only), 'rule')} of {edition.edition_file.edition} not found in "
                f"{other.edition_file.edition}, "
                "as far as the texts here tell"
            )
            listed = (
                f": {', '.join(entry.display_number for entry in only)}." if len(only) <= MOST_LISTED else "."
            )
        else:
            words = (
                f"Of {other.edition_file.edition}, {plural(len(difference.old.ordered_entries), 'rule')} "
                f"stand here; {plural(len(only), 'rule')} of {edition.edition_file.edition} "
                f"{'has' if len(only) == 1 else 'have'} nothing to be compared with"
            )
            listed = "."
        yield DiffLine([StyledRun(words + listed)])


def _change(change: ItemChange[Any], base: str) -> Iterator[DiffLine]:
    if change.is_reported:
        yield DiffLine([*_head(change, base)], 1)
        for part in change.parts:
            yield DiffLine([StyledRun(f"{part.name.replace('_', ' ')}: "), *shortened_pieces(part)], 2)


def _head(change: ItemChange[Any], base: str) -> Iterator[StyledRun]:
    item, href = change.present_item, ""
    if base and not isinstance(item, Aid | Edition):
        href = site_paths.absolute_link(base, *site_paths.path_and_anchor(item))
    yield StyledRun(item_name(item), "#", href)
    yield StyledRun(f": {', '.join(change_phrases(change))}")
    if change.inside:
        yield StyledRun(f", with {plural(change.inside, _SORTS[type(change.present_item)])} in it")


def change_phrases(change: ItemChange[Any]) -> Iterator[str]:
    """Words for the change of a part."""
    others = ", ".join(map(item_name, change.related))
    for kind in change.kinds:
        if kind in (ChangeKind.MOVED, ChangeKind.RENUMBERED) and (was := _place(change.old)) != _place(
            change.new
        ):
            yield f"{kind} from {was}"
        elif kind is ChangeKind.SPLIT:
            yield f"split, also into {others}" if change.old else f"split off {others}"
        elif kind is ChangeKind.MERGED:
            yield f"merged with {others}" if change.new else f"merged into {others}"
        elif kind is ChangeKind.ONLY:
            yield f"only in {change.present_item.edition.edition_file.edition}"
        else:
            yield str(kind)


def _place(thing: Thing | None) -> str | None:
    if thing is None:
        return None
    if isinstance(thing, RuleEntry | TableEntry):
        return thing.display_number
    return plain_text(thing.path) if isinstance(thing, SequenceStep) else _key(thing)


def item_name(thing: Thing) -> str:
    """Name of a thing for people: a rule by number and title, a step by its path."""
    entry = thing.entry if isinstance(thing, TableEntry) else thing
    number = entry.display_number if isinstance(entry, RuleEntry) else ""
    return " ".join(filter(None, (number, _title(thing))))


def shortened_pieces(part: WordDifference) -> Iterator[StyledRun]:
    """The words of a part; of a long stretch that stayed only its ends."""
    last = len(part.pieces) - 1
    for at, piece in enumerate(part.pieces):
        words = piece.words
        yield StyledRun(piece.gap if at else "")
        if piece.change or len(words) <= 2 * AROUND + 2:
            yield StyledRun(piece.text, piece.change)
            continue
        if at:
            yield StyledRun("".join(w.gap * bool(n) + w.words for n, w in enumerate(words[:AROUND])))
        yield StyledRun(" … " if 0 < at < last else " …" if at else "… ")
        if at < last:
            yield StyledRun("".join(w.gap * bool(n) + w.words for n, w in enumerate(words[-AROUND:])))
