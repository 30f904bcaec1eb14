"""Names that texts say: of steps, tables and terms, as they were when a lock was written and as they are now.

A lock keeps each name with a mark of what its thing says beside it. Where a name is gone and another has come
whose thing says the same in the same place, or is the only one of its sort and shares a word, it was renamed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple

from rulewright.book.lock_file import RecordedName
from rulewright.book.outline import Outline
from rulewright.book.related_outlines import find_outline, with_series
from rulewright.compare.typography import normalize_typography
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.problems import SourceFile
from rulewright.references.content_page import ContentPage, blank_non_prose
from rulewright.references.glossary import step_spellings, steps_with_names
from rulewright.references.name_finder import NameFinder, NameSpelling
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import ReferencingText
from rulewright.schema.step import INSIDE
from rulewright.schema.yaml_fields import all_texts_of, walk_parts
from rulewright.sequence.sequence_step import SequenceStep

Pair = tuple[NameSpelling[str], str]
"""A way to write an old name, and the same way to write the new one."""

_DIGITS = re.compile(r"\d[\w.()]*")
_AMOUNT = re.compile(r"(?:[\d½¼¾⅓⅔⅛/.,]+\s*)?")
_APART = ("title", "was", "id", "number", *INSIDE.values(), "exceptions", "then", "abbreviation")


class _Thing(NamedTuple):
    sort: str
    title: str
    part: Any
    step: SequenceStep | None = None
    around: tuple[str, str] = ("", "")
    """Names of the step that it lies in and of the one before it."""

    def mark(self, was: Callable[[str], str]) -> str:
        """The mark of what it says beside its name, numbers left out. `was`: the old name of a new one."""
        texts = (getattr(self.part, f.name) for f in fields(self.part) if f.name not in _APART)
        said = " | ".join(text for one in texts for text in all_texts_of(one))
        words = f"{was(self.around[0])} {was(self.around[1])} {normalize_typography(_DIGITS.sub('#', said))}"
        return hashlib.sha256(words.encode()).hexdigest()[:12]


def _things(outline: Outline, shelf: ReferenceIndex) -> dict[tuple[str, str], _Thing]:
    """The things of an edition that have a name, by sort and name, in their order; of several the first."""
    found: dict[tuple[str, str], _Thing] = {}
    before: dict[SequenceStep | None, str] = {}
    for step in outline.sequence.iter_steps():
        title, above = " ".join(step.step.title.split()), step.parent
        around = " ".join(above.step.title.split()) if above else "", before.get(above, "")
        before[above] = title
        sort = f"step {step.step.kind}"
        if step.difference != "dropped":
            found.setdefault((sort, title), _Thing(sort, title, step.own_keys, step, around))
    for table in shelf.editions[outline.edition.address].tables:
        title = " ".join(table.table.title.split())
        found.setdefault(("table", title), _Thing("table", title, table.table))
    for words, term in outline.edition.book.terms.items():
        found.setdefault(("term", str(words)), _Thing("term", str(words), term))
    return found


def current_names(outline: Outline, shelf: ReferenceIndex) -> set[RecordedName]:
    """All names of an edition, as its lock keeps them."""
    return {RecordedName(one.sort, one.mark(str), one.title) for one in _things(outline, shelf).values()}


def find_renamed(
    outline: Outline, shelf: ReferenceIndex, kept: Iterable[RecordedName]
) -> dict[RecordedName, _Thing]:
    """The names of a lock that are gone, each with the thing that has another one now."""
    kept = sorted(kept)
    things = _things(outline, shelf) if kept else {}
    gone = [one for one in kept if (one[0], one[2]) not in things]
    if not gone:
        return {}
    known = {(sort, title) for sort, _, title in kept}
    come = [one for key, one in things.items() if key not in known]
    found: dict[RecordedName, _Thing] = {}
    was: dict[str, str] = {}
    for thing in come:
        mark = thing.mark(lambda title: was.get(title, title))
        if same := [one for one in gone if one not in found and one[:2] == (thing.sort, mark)]:
            found[same[0]] = thing
            was[thing.title] = same[0][2]
    for sort in {one[0] for one in gone}:
        olds = [one for one in gone if one[0] == sort and one not in found]
        news = [one for one in come if one.sort == sort and one not in found.values()]
        if len(olds) == len(news) == 1 and _words(olds[0]) & _words(news[0]):
            found[olds[0]] = news[0]
    return found


def _words(one: RecordedName | _Thing) -> set[str]:
    """The words of a name but for those of its kind."""
    title = one.title if isinstance(one, _Thing) else one[2]
    return {*re.findall(r"\w+", title.casefold())} - {*one[0].casefold().split()}


def spelling_pairs(old: RecordedName, thing: _Thing) -> list[Pair]:
    """The ways to write a name that is gone, each with what is to be written today."""
    found = [(NameSpelling(old[2], "", is_title=thing.sort != "term"), thing.title)]
    if entry := thing.step:
        file = entry.step.title.file
        parts = (
            replace(entry.step, title=LocatedText.from_source(t, file, 0, 0), abbreviation=None)
            for t in (old[2], thing.title)
        )
        ways = [list(step_spellings(replace(entry, step=part))) for part in parts]
        if len(ways[0]) == len(ways[1]):
            found = [(_bearing(one, ""), other.words) for one, other in zip(*ways, strict=True)] or found
    return found


def _bearing(name: NameSpelling[Any], target: str) -> NameSpelling[str]:
    return NameSpelling(name.words, target, name.is_title, name.kind)


class OutdatedName(NamedTuple):
    """An old name in a text, the new one, and how that is written there; empty where it does not fit."""

    passage: ReferencingText
    start: int
    end: int
    old: str
    new: str
    words: str


def find_outdated_names(
    outline: Outline, shelf: ReferenceIndex, manuscripts: Sequence[ContentPage], changed: Sequence[Pair]
) -> Iterator[OutdatedName]:
    """Every place where the texts of an edition, and of games that extend it, say a name that is gone."""
    new = {spelling.words: words for spelling, words in changed}
    # Names of today make others part of something longer, or of a row.
    today = [
        _bearing(spelling, "") for step in steps_with_names(outline) for spelling in step_spellings(step)
    ]
    today += [NameSpelling(words, "", is_title=spelling.is_title) for spelling, words in changed]
    olds = [_bearing(spelling, spelling.words) for spelling, _ in changed]
    names = NameFinder([*today, *olds], outline.edition.book.joins)
    done: set[TextKey] = set()
    for each in shelf.outlines.values():
        if outline not in with_series(each, shelf.outlines):
            continue
        edition = each.edition
        book = (
            edition.book.terms
            if find_outline(edition.address.partition("/")[0], shelf.outlines) is each
            else {}
        )
        parts = (*edition.chapters, edition.sequence, *edition.tables, *edition.aids, edition.errata)
        texts = [
            text for part in (*parts, edition.questions, *book.values()) if part for text in _texts(part)
        ]
        for text in texts:
            inside = edition.has_written(text) or text.file.name in edition.shared
            if text.key not in done and inside:
                done.add(text.key)
                yield from _said(ReferencingText(text, (), each, each.default_chapter), str(text), names, new)
        for page in manuscripts:
            if page.edition is edition:
                yield from _said(
                    ReferencingText(
                        page.text, (), each, each.default_chapter, page=SourceFile(page.name, page.text)
                    ),
                    blank_non_prose(page.text),
                    names,
                    new,
                )


def _said(
    passage: ReferencingText, text: str, names: NameFinder[str], new: dict[str, str]
) -> Iterator[OutdatedName]:
    for start, end, bearers in names.certain_matches(text, ()):
        name = bearers[0]
        if not all(bearer.target for bearer in bearers):
            continue
        start += _AMOUNT.match(text[start:end]).end() if not name.words[0].isdigit() else 0  # type: ignore[union-attr]
        is_mark = text[max(0, start - 2) : start] in ("[[", "") and text[end : end + 2] in ("]]", "")
        if name.is_title and " " not in name.words and not (name.kind or is_mark):
            continue  # it may be any word
        today = new[name.target]
        yield OutdatedName(passage, start, end, name.target, today, _instead(text[start:end], name, today))


def _instead(words: str, name: NameSpelling[str], new: str) -> str:
    """Write a new name as the old one stands in a text: same number, same case, same line ends."""
    old, plural = " ".join(words.split()), ""
    if name.kind and not old.removesuffix("s").endswith(name.kind):  # one of several, with their kind behind
        if not new.endswith(f" {name.kind}"):
            return ""
        new = new.removesuffix(name.kind).rstrip()
    elif len(old) == len(name.words) + 1:
        plural = "s"
    if old[:1].isupper() and name.words[:1].islower():
        new = f"{new[0].upper()}{new[1:]}"
    parts, gaps = new.split(), re.findall(r"\s+", words)
    gaps = [gaps[at] if at < len(gaps) else " " for at in range(len(parts) - 1)]
    return "".join(f"{part}{gap}" for part, gap in zip(parts, [*gaps, plural], strict=True))


def _texts(part: Any) -> Iterator[LocatedText]:
    """The texts of a part but for those that name what was, or what nobody reads."""
    for one in walk_parts(part):
        for f in fields(one):
            if f.metadata.get("apart") != "name" and f.name not in ("was", "id", "number"):
                value = getattr(one, f.name)
                inside = value if isinstance(value, tuple) else (value,)
                yield from (
                    text
                    for each in inside
                    if not hasattr(type(each), "__dataclass_fields__")
                    for text in all_texts_of(each)
                )
